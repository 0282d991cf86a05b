/* SPDX-License-Identifier: MIT */
#include "io/sym-json-members.h"
#include "io/sym-json-private.h"
#include "io/sym-net-attributes.h"
#include "io/sym-net.h"

#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op.h"

/* nGraph's serialised functions (nGraph 0.1 to 0.29): a list of functions, each a list of
 * operations that name the operations, or their outputs, that they use.  Shapes are told by
 * parameters, constants and what changes shapes. */

static int
score (const SymJson *json)
{
  guint function = sym_json_get_element (json, 0, 0);
  guint ops = sym_json_get_member (json, function, "ops");

  if (sym_json_get_kind (json, 0) != SYM_JSON_ARRAY ||
      sym_json_get_kind (json, ops) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, function, "parameters") != SYM_JSON_NONE &&
                 sym_json_get_member (json, function, "result") != SYM_JSON_NONE
             ? 100
             : 60;
}

/* The element type is its own member.  The first versions gave it as what C++ knows of it,
 * {"c_type_string": "float", "bitwidth": 32, ...}, the next ones with the shape as "value_type", at
 * every operation. */
static SymType
read_type (SymNet *net, guint op)
{
  const SymJson *json = sym_net_get_json (net);
  guint whole = sym_json_get_member (json, op, "value_type");
  guint owner = whole == SYM_JSON_NONE ? op : whole;
  guint dtype = sym_json_get_member (json, owner, "element_type");
  SymType type;

  if (dtype == SYM_JSON_NONE)
    dtype = sym_json_get_member (json, op, "type");
  if (sym_json_get_kind (json, dtype) == SYM_JSON_OBJECT)
    dtype = sym_json_get_member (json, dtype, "c_type_string");
  type = sym_net_read_type (net, dtype, sym_json_get_member (json, owner, "shape"));
  if (sym_json_string_equals (json, dtype, "char"))
    type.dtype = SYM_DTYPE_BOOL; /* that is what nGraph keeps truths in */
  return type;
}

/* ---- Constants ---- */

/* More elements than values are all of one value; a file may say so of this many in one constant,
 * and in all. */
#define MAX_REPEATED (1 << 16)
#define MAX_ALL_REPEATED (1 << 22)

static gboolean
set_number (const SymArray *array, gsize i, const char *text)
{
  gboolean is_whole = sym_dtype_is_integer (array->dtype) || array->dtype == SYM_DTYPE_BOOL;
  char *end;
  double number = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || (is_whole && !isfinite (number)))
    return FALSE;
  if (!is_whole)
    sym_element_set_double (array->dtype, array->data, i, number);
  else if (ABS (number) >= 0x1p53)
    sym_element_set_int (array->dtype, array->data, i, g_ascii_strtoll (text, NULL, 10));
  else
    sym_element_set_int (array->dtype, array->data, i, (gint64) number);
  return TRUE;
}

/* Each is for @n_same elements. */
static gboolean
set_numbers (const SymJson *json, guint values, const SymArray *array, guint64 n_same)
{
  gsize k = 0;

  for (SymJsonIter i = sym_json_begin (json, values); sym_json_step (json, &i);)
    {
      g_autofree char *text = sym_net_dup_key (json, i.value);

      for (guint64 same = 0; same < n_same; same++, k++)
        if (text == NULL || !set_number (array, k, text))
          return FALSE;
    }
  return TRUE;
}

/* "value": ["1", "2.5"], or one for all; NULL where that does not fit the shape.  @room is for
 * elements without a value of their own. */
static SymTensor *
read_tensor (const SymJson *json, guint op, const SymType *type, guint64 *room)
{
  guint values = sym_json_get_member (json, op, "value");
  guint given = sym_json_count (json, values);
  g_autofree guint64 *place = NULL;
  SymArray array;
  guint64 n;

  if (type->dtype == SYM_DTYPE_UNKNOWN || type->dtype == SYM_DTYPE_STRING ||
      !sym_shape_get_n_elements (&type->shape, &n) || given == 0 || n == 0 ||
      (n != given && (given != 1 || n > MIN (MAX_REPEATED, *room))))
    return NULL;
  *room -= n - given;
  place = g_new0 (guint64, 2 * n + 2);
  array = (SymArray){ type->dtype, type->shape, place };
  return set_numbers (json, values, &array, n / given) ? sym_tensor_new_copy (&array, NULL) : NULL;
}

static void
add_constant (SymNet *net, guint op, const char *name, const SymType *type, guint64 *room)
{
  g_autoptr (SymTensor) tensor = read_tensor (sym_net_get_json (net), op, type, room);
  SymId value = sym_net_add_value (net, name, NULL, SYM_ROLE_CONSTANT, type, op);

  if (tensor != NULL)
    sym_model_builder_set_tensor (sym_net_get_builder (net), value, g_steal_pointer (&tensor));
}

/* ---- Operations ---- */

#define MAX_OUTPUTS 1024

/* Operations are used by their name, which means output 0, by the name of an output, or, in the
 * latest files, by {"node": NAME, "index": 1}. */
static char *
dup_use (const SymJson *json, guint token)
{
  g_autofree char *node = sym_json_dup_string (json, sym_json_get_member (json, token, "node"));
  gint64 index = 0;

  if (sym_json_get_kind (json, token) == SYM_JSON_STRING)
    return sym_json_dup_string (json, token);
  if (node == NULL)
    return NULL;
  sym_json_get_int (json, sym_json_get_member (json, token, "index"), &index);
  return index == 0 ? g_steal_pointer (&node)
                    : g_strdup_printf ("%s_%" G_GINT64_FORMAT, node, index);
}

/* What an operation is; most are what the one before was.  And what is left for all. */
typedef struct {
  guint token;
  char *name; /* NULL for none */
  const SymOperator *op;
  gboolean is_input, is_constant;
  gboolean is_element; /* one of several results is an operation of its own */
  SymJsonMembers members;
  guint64 room; /* for elements of constants that repeat a value */
} Kind;

/* Which of the results: {"op": "GetOutputElement", "n": 2}; 0 for the first, and for other
 * operations. */
static gint64
get_element (const SymJson *json, guint op, const Kind *kind)
{
  gint64 n = 0;

  if (kind->is_element)
    sym_json_get_int (json, sym_json_get_member (json, op, "n"), &n);
  return MAX (n, 0);
}

static void
add_operands (SymNet *net, SymId call, guint inputs, gint64 element)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_begin (json, inputs); sym_json_step (json, &i);)
    {
      gboolean is_name = sym_json_get_kind (json, i.value) == SYM_JSON_STRING;
      g_autofree char *name = NULL, *result = NULL;

      if (is_name && element == 0)
        {
          sym_net_add_operand_at (net, call, i.value);
          continue;
        }
      name = dup_use (json, i.value);
      if (is_name)
        result = g_strdup_printf ("%s_%" G_GINT64_FORMAT, name, element);
      sym_net_add_operand (net, call, is_name ? result : name);
    }
}

static gboolean
is_source (SymNet *net, guint op, const char *name, Kind *kind)
{
  const SymJson *json = sym_net_get_json (net);
  gboolean is_weight = FALSE;
  SymType known;

  if (!kind->is_input && !kind->is_constant)
    return FALSE;
  known = read_type (net, op);
  sym_json_get_bool (json, sym_json_get_member (json, op, "cacheable"), &is_weight);
  if (kind->is_input)
    sym_net_add_value (net, name, NULL, is_weight ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &known,
                       op);
  else
    add_constant (net, op, name, &known, &kind->room);
  return TRUE;
}

/* The first output is also known by the name of the operation, others by their own only. */
static void
add_results (SymNet *net, SymId call, guint op, guint outputs, gboolean is_told, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  SymType type = is_told ? read_type (net, op) : SYM_TYPE_UNKNOWN;
  guint n = 0;

  sym_net_add_result (net, call, name, NULL, is_told ? &type : NULL);
  for (SymJsonIter i = sym_json_begin (json, outputs); sym_json_step (json, &i) && n < MAX_OUTPUTS;
       n++)
    {
      g_autofree char *key = n == 0 ? NULL : sym_net_dup_key (json, i.value);
      g_autofree char *made_up = n == 0 || key != NULL ? NULL : g_strdup_printf ("%s_%u", name, n);

      if (n > 0)
        sym_net_add_result (net, call, key == NULL ? made_up : key, NULL, NULL);
    }
}

static gboolean
read_kind (const SymJson *json, guint token, Kind *kind)
{
  if (kind->name != NULL && sym_json_texts_equal (json, token, kind->token))
    return TRUE;

  g_free (kind->name);
  kind->token = token;
  kind->name = sym_json_dup_string (json, token);
  kind->op = kind->name == NULL ? NULL : sym_op_find ("ngraph", kind->name, 0);
  kind->is_input = g_strcmp0 (kind->name, "Parameter") == 0;
  kind->is_constant = g_strcmp0 (kind->name, "Constant") == 0;
  kind->is_element = g_strcmp0 (kind->name, "GetOutputElement") == 0;
  return kind->name != NULL;
}

static SymAttributes *
read_attributes (SymNet *net, guint op, const char *const *own, const SymJsonMembers *members)
{
  return members->n_others == SYM_JSON_NONE
             ? sym_net_share_attributes (net, op, own)
             : sym_net_attributes_share_keys (sym_net_get_attributes (net), sym_net_get_json (net),
                                              members->others, members->n_others);
}

static gboolean
add_op (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  enum { CONTROLS, INPUTS, NAME, OP, OUTPUTS, VALUE_TYPE, N };
  static const char *const own[] = {
    [CONTROLS] = "control_deps", [INPUTS] = "inputs",         [NAME] = "name", [OP] = "op",
    [OUTPUTS] = "outputs",       [VALUE_TYPE] = "value_type", [N] = NULL,
  };
  const SymJson *json = sym_net_get_json (net);
  Kind *kind = user_data;
  guint members[N];
  const char *name;
  SymId call;

  sym_json_match_members (json, op, own, &kind->members, members);
  name = sym_net_keep_key (net, members[NAME]);
  if (name == NULL || !read_kind (json, members[OP], kind))
    return sym_json_fail (json, op, error, "an operation needs 'name' and 'op', both strings");
  if (is_source (net, op, name, kind))
    return TRUE;

  call = sym_net_add_call (net, name, kind->name, kind->op,
                           read_attributes (net, op, own, &kind->members), op);
  add_operands (net, call, members[INPUTS], get_element (json, op, kind));
  for (SymJsonIter i = sym_json_begin (json, members[CONTROLS]); sym_json_step (json, &i);)
    {
      g_autofree char *before = sym_json_dup_string (json, i.value);

      if (before != NULL)
        sym_net_add_control (net, call, before);
    }
  add_results (net, call, op, members[OUTPUTS], members[VALUE_TYPE] != SYM_JSON_NONE, name);
  return TRUE;
}

static gboolean
add_output (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = dup_use (sym_net_get_json (net), entry);

  if (name != NULL)
    sym_net_add_output (net, name);
  return TRUE;
}

/* The function that others serve comes last. */
static guint
find_main (SymNet *net)
{
  const SymJson *json = sym_net_get_json (net);
  guint n = sym_json_count (json, 0);

  if (n > 1)
    sym_net_warn (net, 0, "the file has %u functions; the last one is shown", n);
  return sym_json_get_element (json, 0, n - 1);
}

static SymModel *
read_function (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "ngraph");
  guint function = find_main (net);
  guint ops = sym_json_get_member (json, function, "ops");
  Kind kind = { .token = SYM_JSON_NONE, .room = MAX_ALL_REPEATED };
  gboolean is_good;

  sym_net_expect_all (net);
  is_good = sym_json_expect (json, ops, SYM_JSON_ARRAY, "'ops'", error) &&
            sym_net_visit (net, ops, add_op, &kind, error);
  g_free (kind.name);
  if (!is_good ||
      !sym_net_visit (net, sym_json_get_member (json, function, "result"), add_output, NULL, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_ngraph_format = {
  .name = "ngraph",
  .title = "nGraph function",
  .versions = "0.1 to 0.29",
  .limits = "of several functions the last",
  .suffix = ".json",
  .score = score,
  .read = read_function,
};
