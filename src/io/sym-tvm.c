/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-problem-lack.h"
#include "core/sym-rows.h"
#include "core/sym-text.h"
#include "io/sym-json-members.h"
#include "io/sym-json-private.h"
#include "io/sym-tvm-private.h"

#include <string.h>

#include "ops/sym-op-tvm.h"
#include "ops/sym-op.h"

/* TVM's graph executor JSON (TVM 0.4 to 0.15): nnvm's tables with functions that TVM compiled in
 * place of operators, and the shape, dtype and storage of every value. */

#define MAX_OUTPUTS 1024

/* What a node makes: @n values, numbered one after another. */
typedef struct {
  SymId first;
  guint n;
  SymType type; /* of the first */
} Made;

typedef struct {
  GArray *rows;   /* guint: node_row_ptr */
  GArray *shapes; /* guint tokens, per value */
  GArray *dtypes;
  GArray *storage;
  SymRows *made;         /* of Made: of the nodes so far */
  char *type;            /* of the function that was called last; NULL for none */
  const SymOperator *op; /* that @type is, or NULL */
  SymJsonMembers of_node;
  gboolean is_unordered;    /* some node uses what comes later: from there on values have keys */
  guint64 room;             /* for results: see sym_net_limit_results() */
  guint n_known, n_unknown; /* functions */
  guint n_parameters;       /* by their names, in a graph without numbers */
} Tables;

gboolean
sym_tvm_has_operators (const SymJson *json, guint nodes)
{
  for (SymJsonIter i = sym_json_begin (json, nodes); sym_json_step (json, &i);)
    {
      guint op = sym_json_get_member (json, i.value, "op");

      if (!sym_json_string_equals (json, op, "null"))
        return sym_json_string_equals (json, op, "tvm_op");
    }
  return sym_json_get_member (json, sym_json_get_member (json, 0, "attrs"), "storage_id") !=
         SYM_JSON_NONE;
}

static int
score (const SymJson *json)
{
  int marks = sym_tvm_has_operators (json, sym_json_get_member (json, 0, "nodes")) ? 70 : 0;

  if (marks > 0)
    marks += 10 * (sym_json_get_member (json, 0, "arg_nodes") != SYM_JSON_NONE) +
             10 * (sym_json_get_member (json, 0, "heads") != SYM_JSON_NONE) +
             10 * (sym_json_get_member (json, 0, "node_row_ptr") != SYM_JSON_NONE);
  return marks;
}

static GArray *
list_tokens (const SymJson *json, guint array)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;

  g_array_set_size (tokens, sym_json_count (json, array));
  for (SymJsonIter i = sym_json_begin (json, array); sym_json_step (json, &i);)
    g_array_index (tokens, guint, n++) = i.value;
  return tokens;
}

/* "shape": ["list_shape", [[1, 3, 224, 224], ...]] */
static GArray *
list_attribute (const SymJson *json, const char *name)
{
  guint attributes = sym_json_get_member (json, 0, "attrs");
  guint pair = sym_json_get_member (json, attributes, name);

  return list_tokens (json, sym_json_get_element (json, pair, 1));
}

static guint
get_token (const GArray *tokens, guint64 i)
{
  return i < tokens->len ? g_array_index (tokens, guint, i) : SYM_JSON_NONE;
}

/* The number of a value among all values; G_MAXUINT32 when the file does not number them. */
static guint64
get_entry (const SymJson *json, const Tables *tables, guint node, guint output)
{
  guint64 row = 0;

  if (tables->rows->len == 0)
    return node;
  if (!sym_json_get_uint (json, get_token (tables->rows, node), &row) || row > G_MAXUINT32)
    return G_MAXUINT32;
  return row + output;
}

static SymType
read_type (SymNet *net, const Tables *tables, guint node, guint output)
{
  guint64 entry = get_entry (sym_net_get_json (net), tables, node, output);

  return sym_net_read_type (net, get_token (tables->dtypes, entry),
                            get_token (tables->shapes, entry));
}

/* ---- Values ---- */

/* What a value is called within the file: two numbers, and a colon between them. */
typedef struct {
  char text[2 * SYM_DECIMAL_MAX + 2];
} Key;

static Key
make_key (guint64 node, guint64 output)
{
  Key key;
  char *end = sym_decimal_write_unsigned (key.text, node);

  *end++ = ':';
  *sym_decimal_write_unsigned (end, output) = '\0';
  return key;
}

/* SYM_NO_ID for what no node has made so far. */
static SymId
find_made (const Tables *tables, guint64 node, guint64 output)
{
  const Made *made = node < tables->made->len ? &g_array_index (tables->made, Made, node) : NULL;

  return made != NULL && output < made->n ? made->first + (SymId) output : SYM_NO_ID;
}

/* [node, output, version]; what is not there stays as it is.  FALSE without a node. */
static gboolean
read_entry (const SymJson *json, guint entry, guint64 *node, guint64 *output)
{
  SymJsonIter i = sym_json_begin (json, entry);
  gboolean has_node;

  if (sym_json_get_kind (json, entry) != SYM_JSON_ARRAY || !sym_json_step (json, &i))
    return FALSE;
  has_node = sym_json_get_uint (json, i.value, node);
  if (sym_json_step (json, &i))
    sym_json_get_uint (json, i.value, output);
  return has_node;
}

static void
add_operand (SymNet *net, Tables *tables, SymId call, guint64 node, guint64 output)
{
  SymId value = find_made (tables, node, output);

  if (value != SYM_NO_ID)
    {
      sym_net_add_operand_value (net, call, value);
      return;
    }
  sym_net_add_operand (net, call, make_key (node, output).text);
  tables->is_unordered = TRUE;
}

static void
add_operands (SymNet *net, Tables *tables, SymId call, guint inputs)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_begin (json, inputs); sym_json_step (json, &i);)
    {
      guint64 node = G_MAXUINT32, output = 0;

      read_entry (json, i.value, &node, &output);
      add_operand (net, tables, call, node, output);
    }
}

/* Of a call that makes nothing else before. */
static void
add_results (SymNet *net, Tables *tables, SymId call, guint number, guint n, const SymType *first)
{
  Made made = { SYM_NO_ID, n, *first };

  for (guint i = 0; i < n; i++)
    {
      SymType type = i == 0 ? *first : read_type (net, tables, number, i);
      SymId value = sym_net_add_result (
          net, call, tables->is_unordered ? make_key (number, i).text : NULL, NULL, &type);

      if (i == 0)
        made.first = value;
    }
  sym_rows_append (tables->made, made);
}

/* ---- Nodes ---- */

/* Of a function's name, or, where that is NULL, of what the node calls itself; most are of the type
 * of the one before. */
static void
read_type_name (const SymJson *json, const char *function, guint op, Tables *tables)
{
  g_autofree char *own = function == NULL ? sym_json_dup_string (json, op) : NULL;
  const char *text = function == NULL ? own : function;
  gsize length = strlen (text);

  text = sym_tvm_find_type (text, &length);
  if (tables->type != NULL && strncmp (tables->type, text, length) == 0 &&
      tables->type[length] == '\0')
    return;

  g_free (tables->type);
  tables->type = g_strndup (text, length);
  tables->op = sym_op_find ("tvm", tables->type, 0);
}

/* A string of digits, or a number. */
static guint
count_outputs (const SymValue *value)
{
  const char *text = sym_value_as_string (value, NULL);
  guint64 n = 1;

  if (text == NULL)
    {
      gint64 number = sym_value_as_int (value, 1);

      return number >= 1 && number <= MAX_OUTPUTS ? (guint) number : 1;
    }
  if (strcmp (text, "1") == 0)
    return 1;
  return g_ascii_string_to_unsigned (text, 10, 1, MAX_OUTPUTS, &n, NULL) ? (guint) n : 1;
}

/* Members of a node. */
enum { OP, NAME, INPUTS, ATTRS, N_MEMBERS };

static const char *const members_of_node[] = {
  [OP] = "op", [NAME] = "name", [INPUTS] = "inputs", [ATTRS] = "attrs", [N_MEMBERS] = NULL,
};

/* The types of the operands of a node; NULL unless all are known to the last size. */
static GArray *
list_types (SymNet *net, const Tables *tables, guint inputs)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GArray) types = g_array_new (FALSE, FALSE, sizeof (SymType));

  for (SymJsonIter i = sym_json_begin (json, inputs); sym_json_step (json, &i);)
    {
      guint64 node = G_MAXUINT32, output = 0;
      SymType type;

      if (!read_entry (json, i.value, &node, &output) ||
          find_made (tables, node, output) == SYM_NO_ID)
        return NULL;
      type = output == 0 ? g_array_index (tables->made, Made, node).type
                         : read_type (net, tables, (guint) node, (guint) output);
      if (type.dtype == SYM_DTYPE_UNKNOWN || !sym_shape_is_known (&type.shape))
        return NULL;
      g_array_append_val (types, type);
    }
  return g_steal_pointer (&types);
}

static void
set_result (SymAttributes *attributes, const SymType *type)
{
  gint64 dims[SYM_MAX_RANK];

  for (int i = 0; i < type->shape.rank; i++)
    dims[i] = type->shape.dims[i];
  sym_attributes_set (attributes, "shape",
                      sym_value_new_ints (SYM_VALUE_LIST, dims, (guint) MAX (type->shape.rank, 0)),
                      NULL);
  sym_attributes_set (attributes, "dtype", sym_value_new_string (sym_dtype_to_string (type->dtype)),
                      NULL);
}

/* Whether name and shapes leave the function one meaning. */
static gboolean
is_settled (const Tables *tables, GArray *types, SymAttributes *attributes)
{
  g_autoptr (SymLayer) layer = sym_layer_new (tables->type, tables->op, attributes);
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymModel) body =
      sym_op_lower (layer, (const SymType *) (gpointer) types->data, types->len, 1, &cause);

  return body != NULL || cause->code != SYM_ERROR_UNSUPPORTED;
}

/* NULL for a function that is known by its name alone.  One whose result settles what it does is
 * given that as attributes. */
static const SymOperator *
choose_operator (SymNet *net,
                 const Tables *tables,
                 guint inputs,
                 const SymType *result,
                 SymAttributes *attributes)
{
  g_autoptr (GArray) types = NULL;
  const SymOperator *op = tables->op;

  if (op == NULL ||
      !sym_op_tvm_takes (tables->type, sym_json_count (sym_net_get_json (net), inputs)))
    return NULL;
  if (op->attributes == NULL)
    return op;
  if (result->dtype == SYM_DTYPE_UNKNOWN || !sym_shape_is_known (&result->shape))
    return NULL;
  set_result (attributes, result);
  types = list_types (net, tables, inputs);
  return types == NULL || is_settled (tables, types, attributes) ? op : NULL;
}

static void
add_call (SymNet *net,
          guint number,
          guint node,
          const guint *members,
          const char *name,
          Tables *tables)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (SymAttributes) attributes = sym_net_read_attributes (net, members[ATTRS], NULL);
  guint storage = get_token (tables->storage, get_entry (json, tables, number, 0));
  SymType result = read_type (net, tables, number, 0);
  const SymOperator *op;
  guint n;
  SymId call;

  read_type_name (json, sym_attributes_get_string (attributes, "func_name", NULL), members[OP],
                  tables);
  n = sym_net_limit_results (net, node, name,
                             count_outputs (sym_attributes_find (attributes, "num_outputs")),
                             &tables->room);
  if (storage != SYM_JSON_NONE)
    sym_net_set_attribute (net, attributes, "storage_id", storage);
  op = n == 1 ? choose_operator (net, tables, members[INPUTS], &result, attributes) : NULL;
  *(op == NULL ? &tables->n_unknown : &tables->n_known) += 1;
  call = sym_net_add_call (net, name, tables->type, op, g_steal_pointer (&attributes), node);
  add_operands (net, tables, call, members[INPUTS]);
  add_results (net, tables, call, number, n, &result);
}

typedef struct {
  Tables *tables;
  SymStoreTensors *weights; /* NULL for none */
  guint number;
  GString *name; /* of the node that is looked at */
} Walk;

/* NULL for what is no string. */
static const char *
read_name (const SymJson *json, guint token, GString *name)
{
  g_autofree char *decoded = NULL;
  gsize length;
  const char *text = sym_json_peek_characters (json, token, &length);

  if (text == NULL)
    text = decoded = sym_json_dup_string (json, token);
  if (text == NULL)
    return NULL;
  name->len = 0;
  sym_text_append (name, text, decoded == NULL ? length : strlen (decoded));
  return name->str;
}

/* What is among the parameters is one, whatever its name.  Where they are absent, the name tells.
 */
static void
add_variable (SymNet *net, const Walk *walk, const char *name, guint number, guint node)
{
  SymTensor *tensor = walk->weights == NULL ? NULL : sym_store_tensors_find (walk->weights, name);
  gboolean is_weight = tensor != NULL || sym_tvm_is_weight_name (name) ||
                       (walk->weights == NULL && sym_tvm_is_nnvm_weight_name (name));
  SymType type = read_type (net, walk->tables, number, 0);
  Made made = { sym_net_add_value (
                    net, walk->tables->is_unordered ? make_key (number, 0).text : NULL, name,
                    is_weight ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &type, node),
                1, type };

  sym_rows_append (walk->tables->made, made);
  if (tensor != NULL)
    sym_tvm_give_weight (net, made.first, name, &type, tensor, node);
  else if (is_weight && walk->weights != NULL)
    {
      sym_net_warn (net, node, "“%s” is not among the parameters", name);
      sym_model_builder_set_lack (sym_net_get_builder (net), made.first,
                                  "there is none of that name among the parameters");
    }
  else if (is_weight)
    walk->tables->n_parameters++;
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint number = walk->number++;
  const char *name;
  guint members[N_MEMBERS];

  sym_json_match_members (json, node, members_of_node, &walk->tables->of_node, members);
  name = read_name (json, members[NAME], walk->name);
  if (name == NULL || sym_json_get_kind (json, members[OP]) != SYM_JSON_STRING)
    return sym_json_fail (json, node, error, "node %u needs 'name' and 'op', both strings", number);
  if (!sym_json_string_equals (json, members[OP], "null"))
    {
      add_call (net, number, node, members, name, walk->tables);
      return TRUE;
    }

  add_variable (net, walk, name, number, node);
  return TRUE;
}

static gboolean
add_head (SymNet *net, guint key, guint head, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  const Tables *tables = user_data;
  guint64 node, output = 0;
  SymId value;

  if (!read_entry (json, head, &node, &output))
    return sym_json_fail (json, head, error, "a head must be [node, output, version]");
  value = find_made (tables, node, output);
  if (value != SYM_NO_ID)
    sym_net_add_output_value (net, value);
  else
    sym_net_add_output (net, make_key (node, output).text);
  return TRUE;
}

/* ---- Notes ---- */

static gboolean
is_size (const SymJson *json, guint token)
{
  gint64 size;

  return sym_json_get_kind (json, token) == SYM_JSON_STRING ||
         sym_json_get_int (json, token, &size);
}

/* Of each shape the first size that is none. */
static void
check_sizes (SymNet *net, const GArray *shapes)
{
  const SymJson *json = sym_net_get_json (net);

  for (guint k = 0; k < shapes->len; k++)
    {
      guint shape = g_array_index (shapes, guint, k);

      if (sym_json_get_kind (json, shape) != SYM_JSON_ARRAY)
        continue;
      for (SymJsonIter i = sym_json_begin (json, shape); sym_json_step (json, &i);)
        if (!is_size (json, i.value))
          {
            sym_net_warn (net, i.value, "a size of shape %u is no integer of 64 bits", k);
            break;
          }
    }
}

static void
add_notes (const SymIoSource *source, SymNet *net, const Tables *tables)
{
  SymProblems *problems = sym_model_builder_get_problems (sym_net_get_builder (net));

  if (tables->n_parameters > 0 && sym_problems_get_lack (problems) == NULL &&
      sym_problems_get_lack (source->problems) == NULL)
    sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "no weights lie beside the graph: its %u parameters have no numbers",
                      tables->n_parameters);
  if (tables->n_known == 0 && tables->n_unknown > 0)
    sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "nothing is known of the functions of this graph but their names: what they "
                      "make is as the file says");
}

static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "tvm");
  g_autoptr (GArray) rows = list_tokens (json, sym_json_get_member (json, 0, "node_row_ptr"));
  g_autoptr (GArray) shapes = list_attribute (json, "shape");
  g_autoptr (GArray) dtypes = list_attribute (json, "dltype");
  g_autoptr (GArray) storage = list_attribute (json, "storage_id");
  g_autoptr (GString) name = g_string_new (NULL);
  Tables tables = { .rows = rows,
                    .shapes = shapes,
                    .dtypes = dtypes,
                    .storage = storage,
                    .room = sym_net_get_free_results (net) };
  g_autoptr (SymStoreTensors) weights = NULL;
  Walk walk = { &tables, NULL, 0, name };
  gboolean is_good;

  if (!sym_tvm_open_weights (source, &weights, error))
    return NULL;
  walk.weights = weights;
  tables.made = sym_rows_new (sizeof (Made));
  sym_net_expect_all (net);
  check_sizes (net, shapes);
  is_good = sym_net_visit (net, sym_json_get_member (json, 0, "nodes"), add_node, &walk, error);
  is_good = is_good &&
            sym_net_visit (net, sym_json_get_member (json, 0, "heads"), add_head, &tables, error);
  g_free (tables.type);
  sym_rows_free (tables.made);
  if (!is_good)
    return NULL;
  add_notes (source, net, &tables);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_tvm_format = {
  .name = "tvm",
  .title = "TVM graph executor JSON",
  .versions = "0.4 to 0.15",
  .limits = "functions run whose names and shapes tell all that they do: convolutions do not",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_graph,
};
