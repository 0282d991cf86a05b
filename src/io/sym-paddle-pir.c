/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* PaddlePaddle's programs in PIR as JSON (Paddle 3, inference.json): operations in blocks in regions,
 * with keys of one or two letters:
 *   #   kind: "1.conv2d" is conv2d of dialect 1; "p" is a parameter
 *   I, O  operands and results, each with its number ("%") and, of results, its type ("TT")
 *   A   attributes: {"N": name, "AT": {"#": kind, "D": value}} */

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

/* "0.t_f32", "1.conv2d" without what comes before the dot. */
static char *
dup_kind (const SymJson *json, guint token)
{
  g_autofree char *kind = sym_json_dup_string (json, sym_json_get_member (json, token, "#"));
  const char *dot = kind == NULL ? NULL : strchr (kind, '.');

  return dot == NULL ? g_steal_pointer (&kind) : g_strdup (dot + 1);
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
  g_autofree char *kind = dup_kind (json, token);
  g_autofree char *dtype = dup_kind (json, sym_json_get_element (json, data, 0));
  SymType type = SYM_TYPE_UNKNOWN;

  if (kind == NULL)
    return type;
  if (strcmp (kind, "t_vec") == 0)
    {
      type = read_type (net, sym_json_get_element (json, data, 0));
      type.kind = type.kind == SYM_KIND_TENSOR ? SYM_KIND_SEQUENCE : SYM_KIND_UNKNOWN;
      type.shape = SYM_SHAPE_UNKNOWN;
      return type;
    }
  if (strstr (kind, "tensor") == NULL || dtype == NULL)
    return type;
  return sym_type_tensor (sym_net_parse_dtype (g_str_has_prefix (dtype, "t_") ? dtype + 2 : dtype),
                          sym_net_read_shape (net, sym_json_get_element (json, data, 1)));
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
  return g_strdup_printf ("%s%s%s_%s", module, slash, kind, number == NULL ? "" : number);
}

/* A parameter: {"#": "p", "A": [0, 1, 1, NAME], "O": {"%": 1, "TT": ...}} */
static void
add_parameter (SymNet *net, guint op)
{
  const SymJson *json = sym_net_get_json (net);
  guint result = sym_json_get_member (json, op, "O");
  guint values = sym_json_get_member (json, op, "A");
  g_autofree char *number = dup_number (json, result);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_element (json, values, 3));
  SymType type = read_type (net, sym_json_get_member (json, result, "TT"));

  if (number != NULL)
    sym_net_add_value (net, number, name, SYM_ROLE_PARAMETER, &type, op);
}

static SymModel *read_block (SymNet *around,
                             const SymIoSource *source,
                             guint block,
                             GPtrArray *captures,
                             guint depth,
                             GError **error);

typedef struct {
  const SymIoSource *source;
  guint depth;
} Walk;

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
add_bodies (SymNet *net, const Walk *walk, guint op, SymLayer *layer, GPtrArray *captures, GError **error)
{
  const char *kind = sym_layer_get_type (layer);
  const SymJson *json = sym_net_get_json (net);
  guint regions = sym_json_get_member (json, op, "regions");
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, regions); sym_json_iter_next (json, &i);)
    for (SymJsonIter j = sym_json_iterate (json, sym_json_get_member (json, i.value, "blocks"));
         sym_json_iter_next (json, &j); n++)
      {
        g_autofree char *name = make_body_name (kind, n);
        guint before = captures->len;
        g_autoptr (SymModel) body
          = read_block (net, walk->source, j.value, captures, walk->depth + 1, error);

        if (body == NULL)
          return FALSE;
        sym_layer_add_body (layer, name, body, FALSE);
        sym_layer_set_body_captures (layer, n, captures->len - before);
      }
  return TRUE;
}

static void
add_uses (SymNet *net, SymId call, guint op, const GPtrArray *captures)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, op, "I");
  guint outputs = sym_json_get_member (json, op, "O");

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);

      sym_net_add_operand (net, call, number != NULL && strcmp (number, "0") != 0 ? number : NULL);
    }
  for (guint i = 0; i < captures->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (captures, i));
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);
      SymType type = read_type (net, sym_json_get_member (json, i.value, "TT"));

      sym_net_add_result (net, call, number, NULL, &type);
    }
}

/* What is fed is an input, what is fetched or yielded an output. */
static gboolean
is_border (SymNet *net, guint op, const char *kind, const SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);
  guint result = sym_json_get_element (json, sym_json_get_member (json, op, "O"), 0);
  g_autofree char *number = dup_number (json, result);
  SymType type = read_type (net, sym_json_get_member (json, result, "TT"));

  if (strcmp (kind, "data") == 0 && number != NULL)
    {
      sym_net_add_value (net, number, sym_attributes_get_string (attributes, "name", number),
                         SYM_ROLE_INPUT, &type, op);
      return TRUE;
    }
  if (strcmp (kind, "fetch") != 0 && strcmp (kind, "yield") != 0)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, op, "I"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *use = dup_number (json, i.value);

      if (use != NULL)
        sym_net_add_output (net, use);
    }
  return TRUE;
}

static gboolean
add_op (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint result = sym_json_get_element (json, sym_json_get_member (json, op, "O"), 0);
  g_autofree char *kind = dup_kind (json, op);
  g_autofree char *number = dup_number (json, result);
  g_autofree char *name = NULL;
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymLayer) layer = NULL;

  if (kind == NULL)
    return sym_json_fail (json, op, error, "an operation needs its kind ('#'), a string");
  if (strcmp (kind, "p") == 0)
    {
      add_parameter (net, op);
      return TRUE;
    }
  attributes = read_attributes (json, sym_json_get_member (json, op, "A"));
  if (is_border (net, op, kind, attributes))
    return TRUE;

  name = make_name (attributes, kind, number);
  layer = sym_layer_new (kind, NULL, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, op, layer, captures, error))
    return FALSE;
  add_uses (net, sym_net_add_layer (net, name, layer, op), op, captures);
  return TRUE;
}

/* ---- Blocks ---- */

static gboolean
fill (SymNet *net, const SymIoSource *source, guint block, guint depth, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint arguments = sym_json_get_member (json, block, "args");
  Walk walk = { source, depth };

  for (SymJsonIter i = sym_json_iterate (json, arguments); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);
      SymType type = read_type (net, sym_json_get_member (json, i.value, "TT"));

      if (number != NULL)
        sym_net_add_value (net, number, NULL, SYM_ROLE_INPUT, &type, i.value);
    }
  return sym_net_visit (net, sym_json_get_member (json, block, "ops"), add_op, &walk, error);
}

static SymModel *
read_block (SymNet *around,
            const SymIoSource *source,
            guint block,
            GPtrArray *captures,
            guint depth,
            GError **error)
{
  const SymJson *json = sym_net_get_json (around);
  g_autoptr (SymNet) net = sym_net_new (source, json, "paddle-pir");

  if (depth == MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: blocks are nested deeper than %d", sym_json_get_line (json, block),
                   MAX_DEPTH);
      return NULL;
    }
  if (!fill (net, source, block, depth, error))
    return NULL;
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "paddle-pir");
  guint program = sym_json_get_member (json, 0, "program");
  guint region = sym_json_get_element (json, sym_json_get_member (json, program, "regions"), 0);
  guint blocks = sym_json_get_member (json, region, "blocks");

  sym_net_expect_all (net);
  if (!sym_json_expect (json, blocks, SYM_JSON_ARRAY, "'blocks' of the program", error)
      || !fill (net, source, sym_json_get_element (json, blocks, 0), 0, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_paddle_pir_format = {
  .name = "paddle-pir",
  .title = "PaddlePaddle program (PIR)",
  .versions = "3 (base_code version 1)",
  .suffix = ".json",
  .score = score,
  .read = read_program,
};
