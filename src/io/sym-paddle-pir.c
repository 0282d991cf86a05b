/* SPDX-License-Identifier: MIT */
#include "io/sym-net-constants.h"
#include "io/sym-paddle-weights.h"
#include "io/sym-net-tell.h"

#include <string.h>

#include "io/sym-json-private.h"
#include "ops/sym-op.h"

/* PaddlePaddle's programs in PIR as JSON (Paddle 3, inference.json): operations in blocks in
 * regions, with keys of one or two letters: #   kind: "1.conv2d" is conv2d of dialect 1; "p" is a
 * parameter I, O  operands and results, each with its number ("%") and, of results, its type ("TT")
 *   A   attributes: {"N": name, "AT": {"#": kind, "D": value}}
 * A list of tensors is one value there; here it is as many, "12#0", "12#1", ... of value 12. */

#define MAX_DEPTH 32

static int
score (const SymJson *json)
{
  guint code = sym_json_get_member (json, 0, "base_code");
  guint program = sym_json_get_member (json, 0, "program");

  if (sym_json_get_member (json, program, "regions") == SYM_JSON_NONE)
    return 0;
  return sym_json_string_equals (json, sym_json_get_member (json, code, "magic"), "pir") ? 100 : 70;
}

/* So many operands lists may be in a file altogether, and as many more as it has values: each use
 * of a list is all of its values. */
#define MIN_LISTED 65536

typedef struct {
  const SymIoSource *source;
  SymPaddleWeights *weights;
  SymNetConstants *constants;
  GHashTable *lists; /* number to how many values it is */
  guint64 *n_listed; /* operands that lists have been so far */
  guint depth;
} Walk;

/* "0.t_f32", "1.conv2d" without what comes before the dot; without a NUL, mostly as the file has
 * it. What has to be freed of it is in *@decoded. */
static const char *
get_kind (const SymJson *json, guint kind, gsize *length, char **decoded)
{
  const char *text = sym_json_peek_string (json, kind, length);
  const char *dot;

  if (text == NULL)
    {
      text = *decoded = sym_json_dup_string (json, kind);
      *length = text == NULL ? 0 : strlen (text);
    }
  dot = text == NULL ? NULL : memchr (text, '.', *length);
  if (dot == NULL)
    return text;
  *length -= (gsize) (dot + 1 - text);
  return dot + 1;
}

static char *
dup_number (const SymJson *json, guint token)
{
  return sym_net_dup_key (json, sym_json_get_member (json, token, "%"));
}

/* ---- Types ---- */

/* {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, [1, 3, -1, -1], "NCHW", [], 0]} */
static SymType
read_type (SymNet *net, guint token)
{
  const SymJson *json = sym_net_get_json (net);
  guint data = sym_json_get_member (json, token, "D");
  guint first = sym_json_get_element (json, data, 0);
  g_autofree char *decoded_kind = NULL, *decoded_dtype = NULL;
  gsize length, n;
  const char *kind =
      get_kind (json, sym_json_get_member (json, token, "#"), &length, &decoded_kind);
  const char *dtype = get_kind (json, sym_json_get_member (json, first, "#"), &n, &decoded_dtype);

  if (kind == NULL || g_strstr_len (kind, (gssize) length, "tensor") == NULL || dtype == NULL)
    return SYM_TYPE_UNKNOWN;
  if (n >= 2 && memcmp (dtype, "t_", 2) == 0)
    {
      dtype += 2;
      n -= 2;
    }
  return sym_type_tensor (sym_net_parse_dtype_of (dtype, n),
                          sym_net_read_shape (net, sym_json_get_element (json, data, 1)));
}

static gboolean
is_list (const SymJson *json, guint type)
{
  g_autofree char *decoded = NULL;
  gsize length;
  const char *kind = get_kind (json, sym_json_get_member (json, type, "#"), &length, &decoded);

  return kind != NULL && length == strlen ("t_vec") && memcmp (kind, "t_vec", length) == 0;
}

/* ---- Attributes ---- */

/* {"#": "0.a_array", "D": [{"#": "0.a_i32", "D": 2}]} as [2]. */
static SymValue *
read_value (const SymJson *json, guint token, guint depth)
{
  guint data = sym_json_get_member (json, token, "D");
  g_autoptr (GPtrArray) children = NULL;

  if (sym_json_get_kind (json, data) != SYM_JSON_ARRAY || depth == MAX_DEPTH)
    return sym_net_read_value (json, data);

  children = g_ptr_array_new ();
  for (SymJsonIter i = sym_json_iterate (json, data); sym_json_iter_next (json, &i);)
    g_ptr_array_add (children, sym_json_get_kind (json, i.value) == SYM_JSON_OBJECT
                                   ? read_value (json, i.value, depth + 1)
                                   : sym_net_read_value (json, i.value));
  return sym_value_new_list ((SymValue *const *) children->pdata, children->len);
}

static SymAttributes *
read_attributes (const SymJson *json, guint list)
{
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, i.value, "N"));

      if (name != NULL)
        sym_attributes_set (attributes, name,
                            read_value (json, sym_json_get_member (json, i.value, "AT"), 0), NULL);
    }
  return attributes;
}

/* ---- Operations ---- */

typedef struct {
  guint token, kind, attributes, operands, results, others, regions;
} Operation;

static Operation
find_members (const SymJson *json, guint token)
{
  static const char *const names[] = { "#", "A", "I", "O", "OA", "regions", NULL };
  guint members[G_N_ELEMENTS (names)];

  sym_json_get_members (json, token, names, members);
  return (
      Operation){ token, members[0], members[1], members[2], members[3], members[4], members[5] };
}

/* The module that the operation is in, "/PPLCNetV3/ConvBNLayer/Conv2D/", makes its group. */
static char *
make_name (const SymAttributes *attributes, const char *kind, const char *number)
{
  const char *module = sym_attributes_get_string (attributes, "struct_name", "");
  const char *own = sym_attributes_get_string (attributes, "name", NULL);
  const char *slash;

  while (module[0] == '/')
    module++;
  slash = module[0] == '\0' || g_str_has_suffix (module, "/") ? "" : "/";
  if (own != NULL && strcmp (kind, "data") == 0)
    return g_strdup (own);
  return g_strconcat (module, slash, kind, "_", number, NULL);
}

/* "OA" has persistable, stop_gradient and trainable, which running means are not. */
static gboolean
is_trained (const SymJson *json, const Operation *op)
{
  gint64 told = 1;

  sym_json_get_int (json, sym_json_get_element (json, op->others, 2), &told);
  return told != 0;
}

/* A parameter: {"#": "p", "A": [0, 1, 1, NAME], "O": {"%": 1, "TT": ...}, "OA": [1, 0, 1]} */
static void
add_parameter (SymNet *net, const Walk *walk, const Operation *op)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *number = dup_number (json, op->results);
  g_autofree char *name =
      sym_json_dup_string (json, sym_json_get_element (json, op->attributes, 3));
  SymType type = read_type (net, sym_json_get_member (json, op->results, "TT"));
  gboolean trained = is_trained (json, op);
  SymId value;

  if (number == NULL)
    return;
  value = sym_net_add_value (net, number, name, SYM_ROLE_PARAMETER, &type, op->token);
  sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                   sym_parameter_new (trained, NULL));
  sym_paddle_weights_want (walk->weights, name, value, &type, trained);
}

static SymModel *
read_block (SymNet *around, const Walk *walk, guint block, GPtrArray *captures, GError **error);

static char *
make_body_name (const char *kind, guint n)
{
  static const char *const branches[] = { "then", "else" };

  if (strcmp (kind, "if") == 0 && n < G_N_ELEMENTS (branches))
    return g_strdup (branches[n]);
  return n == 0 ? g_strdup ("body") : g_strdup_printf ("body%u", n);
}

/* Branches and loops: each block of each region is a body. */
static gboolean
add_bodies (SymNet *net,
            const Walk *walk,
            guint regions,
            SymLayer *layer,
            GPtrArray *captures,
            GError **error)
{
  const char *kind = sym_layer_get_type (layer);
  const SymJson *json = sym_net_get_json (net);
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, regions); sym_json_iter_next (json, &i);)
    for (SymJsonIter j = sym_json_iterate (json, sym_json_get_member (json, i.value, "blocks"));
         sym_json_iter_next (json, &j); n++)
      {
        g_autofree char *name = make_body_name (kind, n);
        guint before = captures->len;
        g_autoptr (SymModel) body = read_block (net, walk, j.value, captures, error);

        if (body == NULL)
          return FALSE;
        sym_layer_add_body (layer, name, body, FALSE);
        sym_layer_set_body_captures (layer, n, captures->len - before);
      }
  return TRUE;
}

/* The operands of an operation by their keys: lists come last, in place of each its values. */
static GPtrArray *
list_operands (SymNet *net, const Walk *walk, guint operands, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) last = g_ptr_array_new_with_free_func (g_free);

  for (SymJsonIter i = sym_json_iterate (json, operands); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);
      gpointer n = number == NULL ? NULL : g_hash_table_lookup (walk->lists, number);
      guint most = MIN_LISTED + json->n_tokens;

      *walk->n_listed += GPOINTER_TO_UINT (n);
      if (*walk->n_listed > most)
        {
          sym_json_fail (json, i.value, error, "lists are more than %u operands", most);
          return NULL;
        }
      for (guint k = 0; k < GPOINTER_TO_UINT (n); k++)
        g_ptr_array_add (last, g_strdup_printf ("%s#%u", number, k));
      if (n == NULL)
        g_ptr_array_add (
            keys, number != NULL && strcmp (number, "0") != 0 ? g_steal_pointer (&number) : NULL);
    }
  g_ptr_array_extend_and_steal (keys, g_steal_pointer (&last));
  return g_steal_pointer (&keys);
}

/* A result, or the several that it is. */
static void
add_result (SymNet *net, const Walk *walk, SymId call, guint result)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *number = dup_number (json, result);
  guint token = sym_json_get_member (json, result, "TT");
  guint elements = sym_json_get_member (json, token, "D");
  SymType type = read_type (net, token);
  guint n = 0;

  if (number == NULL || !is_list (json, token))
    {
      sym_net_add_result (net, call, number, NULL, &type);
      return;
    }
  for (SymJsonIter i = sym_json_iterate (json, elements); sym_json_iter_next (json, &i); n++)
    {
      g_autofree char *key = g_strdup_printf ("%s#%u", number, n);

      type = read_type (net, i.value);
      sym_net_add_result (net, call, key, NULL, &type);
    }
  if (n > 0)
    g_hash_table_insert (walk->lists, g_steal_pointer (&number), GUINT_TO_POINTER (n));
}

static void
add_uses (SymNet *net,
          const Walk *walk,
          SymId call,
          guint results,
          const GPtrArray *operands,
          const GPtrArray *captures)
{
  const SymJson *json = sym_net_get_json (net);

  for (guint i = 0; i < operands->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (operands, i));
  for (guint i = 0; i < captures->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (captures, i));
  for (SymJsonIter i = sym_json_iterate (json, results); sym_json_iter_next (json, &i);)
    add_result (net, walk, call, i.value);
}

/* Builtin operations, of dialect 0, only make and part lists; "relu_" writes what it reads. */
static const SymOperator *
find_operator (const SymJson *json, const Operation *op, const char *kind)
{
  g_autofree char *full = sym_json_dup_string (json, op->kind);
  g_autofree char *plain = NULL;
  const SymOperator *found;

  if (g_str_has_prefix (full, "0.") || g_str_has_prefix (full, "builtin."))
    return strcmp (kind, "combine") == 0 || strcmp (kind, "split") == 0
               ? sym_op_find ("paddle", "combine", 0)
               : NULL;
  found = sym_op_find ("paddle", kind, 0);
  if (found != NULL || !g_str_has_suffix (kind, "_"))
    return found;
  plain = g_strndup (kind, strlen (kind) - 1);
  return sym_op_find ("paddle", plain, 0);
}

/* Numbers that operations take as operands: full_int_array, and full of one number. */
static void
note_constant (const Walk *walk,
               const char *kind,
               const char *number,
               const SymAttributes *attributes)
{
  const SymValue *value = sym_attributes_find (attributes, "value");
  const char *dtype = sym_attributes_get_string (attributes, "dtype", "");
  gint64 sizes[2] = { 1, 1 };
  double given;

  if (number == NULL || value == NULL)
    return;
  if (strcmp (kind, "full_int_array") == 0)
    sym_net_constants_add (walk->constants, number, sym_value_ref ((SymValue *) value));
  if (strcmp (kind, "full") != 0 || sym_attributes_get_ints (attributes, "shape", sizes, 2) > 1 ||
      sizes[0] != 1 || !sym_value_get_float (value, &given))
    return;
  sym_net_constants_add (walk->constants, number,
                         strstr (dtype, "int") != NULL && ABS (given) < 0x1p53
                             ? sym_value_new_int ((gint64) given)
                             : sym_value_new_float (given));
}

/* What is fed is an input, what is fetched or yielded an output. */
static gboolean
is_border (SymNet *net,
           const Operation *op,
           const char *kind,
           const char *number,
           const SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);

  if (strcmp (kind, "data") == 0 && number != NULL)
    {
      guint result = sym_json_get_element (json, op->results, 0);
      SymType type = read_type (net, sym_json_get_member (json, result, "TT"));

      sym_net_add_value (net, number, sym_attributes_get_string (attributes, "name", number),
                         SYM_ROLE_INPUT, &type, op->token);
      return TRUE;
    }
  if (strcmp (kind, "fetch") != 0 && strcmp (kind, "yield") != 0)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, op->operands); sym_json_iter_next (json, &i);)
    {
      g_autofree char *use = dup_number (json, i.value);

      if (use != NULL)
        sym_net_add_output (net, use);
    }
  return TRUE;
}

static gboolean
add_layer (SymNet *net, const Walk *walk, const Operation *op, const char *kind, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *number = dup_number (json, sym_json_get_element (json, op->results, 0));
  g_autofree char *name = NULL;
  g_autoptr (SymAttributes) attributes = read_attributes (json, op->attributes);
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) operands = NULL;
  g_autoptr (SymLayer) layer = NULL;
  const SymOperator *known;

  if (is_border (net, op, kind, number, attributes))
    return TRUE;

  name = make_name (attributes, kind, number);
  operands = list_operands (net, walk, op->operands, error);
  if (operands == NULL)
    return FALSE;
  known = find_operator (json, op, kind);
  note_constant (walk, kind, number, attributes);
  sym_net_constants_complete (walk->constants, known, operands, attributes);
  layer = sym_layer_new (kind, known, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, op->regions, layer, captures, error))
    return FALSE;
  add_uses (net, walk, sym_net_add_layer (net, name, layer, op->token), op->results, operands,
            captures);
  return TRUE;
}

static gboolean
add_op (SymNet *net, guint key, guint token, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  const Operation op = find_members (json, token);
  g_autofree char *decoded = NULL, *kind = NULL;
  gsize length;
  const char *text = get_kind (json, op.kind, &length, &decoded);

  if (text == NULL)
    return sym_json_fail (json, token, error, "an operation needs its kind ('#'), a string");
  kind = g_strndup (text, length);
  if (strcmp (kind, "p") != 0)
    return add_layer (net, user_data, &op, kind, error);
  add_parameter (net, user_data, &op);
  return TRUE;
}

/* ---- Blocks ---- */

static gboolean
fill (SymNet *net, const Walk *walk, guint block, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint arguments = sym_json_get_member (json, block, "args");

  for (SymJsonIter i = sym_json_iterate (json, arguments); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);
      SymType type = read_type (net, sym_json_get_member (json, i.value, "TT"));

      if (number != NULL)
        sym_net_add_value (net, number, NULL, SYM_ROLE_INPUT, &type, i.value);
    }
  return sym_net_visit (net, sym_json_get_member (json, block, "ops"), add_op, (gpointer) walk,
                        error);
}

static SymModel *
read_block (SymNet *around, const Walk *walk, guint block, GPtrArray *captures, GError **error)
{
  const SymJson *json = sym_net_get_json (around);
  g_autoptr (SymNet) net = sym_net_new (walk->source, json, "paddle-pir");
  Walk inside = *walk;

  if (++inside.depth == MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: blocks are nested deeper than %d", sym_json_get_line (json, block),
                   MAX_DEPTH);
      return NULL;
    }
  if (!fill (net, &inside, block, error))
    return NULL;
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "base_code.*", NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, "paddle-pir");
  g_autoptr (SymPaddleWeights) weights = sym_paddle_weights_new ();
  g_autoptr (SymNetConstants) constants = sym_net_constants_new ();
  g_autoptr (GHashTable) lists = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 n_listed = 0;
  Walk walk = { source, weights, constants, lists, &n_listed, 0 };
  guint program = sym_json_get_member (json, 0, "program");
  guint region = sym_json_get_element (json, sym_json_get_member (json, program, "regions"), 0);
  guint blocks = sym_json_get_member (json, region, "blocks");

  sym_net_expect_all (net);
  if (!sym_json_expect (json, blocks, SYM_JSON_ARRAY, "'blocks' of the program", error) ||
      !fill (net, &walk, sym_json_get_element (json, blocks, 0), error) ||
      !sym_paddle_weights_find (weights, net, source, error))
    return NULL;
  sym_net_note_origin (net, "paddle-pir", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_paddle_pir_format = {
  .name = "paddle-pir",
  .title = "PaddlePaddle program (PIR)",
  .versions = "3 (base_code version 1)",
  .limits = "unknown operators do not run",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_program,
  .tell = sym_net_tell,
};
