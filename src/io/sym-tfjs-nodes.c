/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"

#include <string.h>

#include "core/sym-text.h"
#include "io/sym-json-private.h"
#include "ops/sym-op-tf.h"

/* Nodes become layers, and the functions that they call their bodies. */

/* So many nodes may be in functions, and as many more as the document has values. */
#define MIN_INNER 65536
#define BODY 16 /* what a function takes besides its nodes, in these */

/* ---- Functions ---- */

static SymModel *
read_function (SymNet *around, const SymTfjsWalk *walk, guint function, GError **error);

/* A layer that is its function and no more. */
static gboolean
is_call (const SymLayer *layer)
{
  return strcmp (sym_layer_get_type (layer), "PartitionedCall") == 0 ||
         strcmp (sym_layer_get_type (layer), "StatefulPartitionedCall") == 0;
}

/* Why a function is not shown where it is called; NULL for no reason.  Functions that call others
 * many times each would take more than their file justifies. */
static const char *
refuse_function (const SymTfjsWalk *walk, guint function)
{
  if (function == 0)
    return "there is no function '%s' in the file";
  for (const SymTfjsWalk *around = walk; around->around != NULL; around = around->around)
    if (around->function == function - 1)
      return "function '%s' calls itself: what it does then is not shown";
  if (walk->depth >= SYM_TFJS_MAX_DEPTH)
    return "function '%s' is nested too deep to be shown";
  if (walk->counts->n_inner > MIN_INNER + walk->document->json->n_tokens)
    return "function '%s' is not shown: together they would be too large";
  return NULL;
}

/* Once for each of them. */
static void
warn_of_function (const SymTfjsWalk *walk, guint token, const char *reason, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (reason, "%s", 2);

  if (g_hash_table_add (walk->counts->untold, g_strdup (name)))
    sym_net_warn (walk->counts->net, token, "%s%s%s", parts[0], name, parts[1]);
}

/* "body": {"func": {"name": "body_1"}} makes a body. */
static gboolean
add_body (SymNet *net,
          const SymTfjsWalk *walk,
          guint attribute,
          guint func,
          SymLayer *layer,
          GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *called = sym_json_dup_string (json, sym_json_get_member (json, func, "name"));
  g_autofree char *name = NULL;
  g_autoptr (SymModel) body = NULL;
  const char *reason;
  guint function;

  if (called == NULL)
    return TRUE;
  function = GPOINTER_TO_UINT (g_hash_table_lookup (walk->functions, called));
  reason = refuse_function (walk, function);
  if (reason != NULL)
    {
      warn_of_function (walk, func, reason, called);
      return TRUE;
    }
  body = read_function (net, walk, function - 1, error);
  if (body == NULL)
    return FALSE;
  name = sym_json_dup_string (json, attribute);
  sym_layer_add_body (layer, name, body, is_call (layer));
  return TRUE;
}

static gboolean
add_bodies (SymNet *net, const SymTfjsWalk *walk, guint attributes, SymLayer *layer, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, attributes); sym_json_iter_next (json, &i);)
    {
      guint func = sym_json_get_member (json, i.value, "func");

      if (func != SYM_JSON_NONE && !add_body (net, walk, i.key, func, layer, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Nodes ---- */

/* A use that is another key, or none, but an order: "^name". */
static void
add_unusual_use (SymNet *net, const SymTfjsWalk *walk, SymId call, guint token)
{
  g_autofree char *use = sym_json_dup_string (sym_net_get_json (net), token);
  gboolean is_order = use != NULL && use[0] == '^';
  g_autofree char *key = use == NULL ? NULL : sym_tfjs_make_key (walk, is_order ? use + 1 : use);

  if (is_order &&
      (walk->is_block || (walk->flow != NULL && sym_tfjs_flow_is_within (walk->flow, use + 1))))
    return;
  if (is_order)
    sym_net_add_control (net, call, key);
  else
    sym_net_add_operand (net, call, key);
}

static void
read_uses (SymNet *net, const SymTfjsWalk *walk, SymId call, guint inputs)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      gsize length = 0;
      const char *text = sym_json_peek_string (json, i.value, &length);

      if (text != NULL && sym_tfjs_is_key (walk, text, length))
        sym_net_add_operand_of (net, call, text, length);
      else
        add_unusual_use (net, walk, call, i.value);
    }
}

static void
add_uses (SymNet *net, const SymTfjsWalk *walk, SymId call, const SymTfjsParts *node)
{
  if (walk->flow == NULL || node->has_others)
    {
      read_uses (net, walk, call, node->inputs);
      return;
    }
  for (guint i = 0; i < node->n_uses; i++)
    {
      const SymNetKey *use = sym_tfjs_flow_resolve (walk->flow, node->uses[i]);
      g_autofree char *key = memchr (use->text, ':', use->length) == NULL
                                 ? NULL
                                 : sym_tfjs_make_plain_key (walk, use->text);

      if (key == NULL)
        sym_net_add_operand_of (net, call, use->text, use->length);
      else
        sym_net_add_operand (net, call, key);
    }
}

/* As many as are used, or as the operator has.  What is left out is told of the whole graph. */
static guint
count_results (const SymTfjsWalk *walk, const SymTfjsParts *node, SymLayer *layer, const char *name)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  guint n = MAX (node->n_used, sym_tfjs_get_n_used (walk, name));
  int n_visible = 0;

  if (op != NULL)
    sym_op_get_n_outputs (op, sym_layer_get_attributes (layer), &n_visible);
  n = MAX (n, (guint) CLAMP (n_visible, 0, SYM_TFJS_MAX_OUTPUTS));
  return sym_net_limit_results (walk->counts->net, node->token, name, n, &walk->counts->room);
}

/* The types of results, one for each of them or one for all. */
typedef struct {
  guint one;
  SymJsonIter list;
} Types;

static void
find_types (const SymJson *json, guint attributes, Types *types)
{
  static const char *const names[] = { "Tout", "T" };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      guint type = sym_json_get_member (json, attributes, names[k]);
      guint list = sym_json_get_member (json, sym_json_get_member (json, type, "list"), "type");

      types->one = sym_json_get_member (json, type, "type");
      types->list = sym_json_iterate (json, list);
      if (types->one != SYM_JSON_NONE || sym_json_count (json, list) > 0)
        break;
    }
}

/* Whether the next result is a handle, whose shape says nothing of what it leads to. */
static gboolean
is_next_handle (const SymJson *json, Types *types)
{
  guint type = sym_json_iter_next (json, &types->list) ? types->list.value : types->one;

  return type != SYM_JSON_NONE && (sym_json_string_equals (json, type, "DT_RESOURCE") ||
                                   sym_json_string_equals (json, type, "DT_VARIANT"));
}

/* Some files keep the shapes that TensorFlow inferred, {"list": {"shape": [...]}}. */
static void
add_results (SymNet *net,
             SymId call,
             const char *name,
             const SymOperator *op,
             guint n,
             guint attributes)
{
  const SymJson *json = sym_net_get_json (net);
  guint stored = sym_json_get_member (json, attributes, "_output_shapes");
  guint list = sym_json_get_member (json, sym_json_get_member (json, stored, "list"), "shape");
  SymJsonIter shapes = sym_json_iterate (json, list);
  Types types = { SYM_JSON_NONE, sym_json_iterate (json, SYM_JSON_NONE) };
  gboolean is_effect = sym_op_tf_is_effect (op);

  if (stored != SYM_JSON_NONE)
    find_types (json, attributes, &types);
  for (guint i = 0; i < MAX (n, 1); i++)
    {
      g_autofree char *further = i == 0 ? NULL : sym_tfjs_name_output (name, i);
      guint shape = sym_json_iter_next (json, &shapes) ? shapes.value : SYM_JSON_NONE;
      SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, sym_tfjs_read_shape (json, shape));
      gboolean is_handle = is_next_handle (json, &types);
      SymId value = sym_net_add_result (net, call, i == 0 ? name : further, further,
                                        type.shape.rank < 0 || is_handle ? NULL : &type);

      if (is_effect)
        sym_net_pass_over (net, value);
    }
}

/* A graph has thousands of nodes of a few dozen types.  NULL for what is no string. */
static const char *
get_type (const SymTfjsWalk *walk, const SymJson *json, guint token, const SymOperator **op)
{
  SymTfjsCounts *counts = walk->counts;
  SymNetKey *key = sym_net_keys_enter_string (counts->types, json, token);

  if (key == NULL)
    return NULL;
  if (key->first == SYM_NO_ID)
    {
      key->first = counts->of_types->len;
      g_ptr_array_add (counts->of_types, (gpointer) sym_op_find ("tf", key->text, 0));
    }
  *op = g_ptr_array_index (counts->of_types, key->first);
  return key->text;
}

gboolean
sym_tfjs_add_node (SymNet *net, const SymTfjsWalk *walk, const SymTfjsParts *node, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *read = node->key != NULL ? NULL : sym_json_dup_string (json, node->name);
  const char *name = node->key != NULL ? node->key->text : read;
  const SymOperator *op = NULL;
  const char *type = get_type (walk, json, node->op, &op);
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  walk->counts->n_inner += walk->depth > 0;
  if (name == NULL || type == NULL)
    return sym_json_fail (json, node->token, error, "a node needs 'name' and 'op', both strings");
  if (sym_tfjs_add_source (net, walk, node->token, name, type))
    return TRUE;

  attributes = sym_net_attributes_share (walk->counts->attributes, json, node->attributes, NULL);
  layer = sym_layer_new (type, op, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, node->attributes, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, name, layer, node->token);
  add_uses (net, walk, call, node);
  add_results (net, call, name, op, count_results (walk, node, layer, name), node->attributes);
  return TRUE;
}

gboolean
sym_tfjs_visit_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  SymTfjsParts parts = sym_tfjs_get_parts (sym_net_get_json (net), node);

  return sym_tfjs_add_node (net, user_data, &parts, error);
}

/* What a function returns: for each output of its signature, in order, what makes it. */
static GPtrArray *
list_returned (const SymJson *json, guint function)
{
  guint signature = sym_json_get_member (json, function, "signature");
  guint returned = sym_json_get_member (json, function, "ret");
  GPtrArray *uses = g_ptr_array_new_with_free_func (g_free);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, signature, "outputArg"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      char *use = name == NULL
                      ? NULL
                      : sym_json_dup_string (json, sym_json_get_member (json, returned, name));

      if (use != NULL)
        g_ptr_array_add (uses, use);
    }
  return uses;
}

/* A function has names for what comes in and goes out: "ret" says what makes an output. */
static SymModel *
read_function (SymNet *around, const SymTfjsWalk *walk, guint function, GError **error)
{
  const SymJson *json = sym_net_get_json (around);
  g_autoptr (SymNet) net = sym_net_new (walk->source, json, walk->document->format);
  g_autoptr (SymNetKeys) n_outputs = sym_net_keys_new ();
  guint signature = sym_json_get_member (json, function, "signature");
  guint nodes = sym_json_get_member (json, function, "nodeDef");
  g_autoptr (GPtrArray) returned = list_returned (json, function);
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) operators =
      g_hash_table_new_full (sym_text_hash_whole, g_str_equal, g_free, NULL);
  SymTfjsWalk inside = *walk;

  walk->counts->n_inner += BODY + returned->len;
  walk->counts->n_inner += sym_json_count (json, sym_json_get_member (json, signature, "inputArg"));
  inside.n_outputs = n_outputs;
  inside.operators = operators;
  inside.depth++;
  inside.around = walk;
  inside.function = function;
  inside.flow = NULL;
  inside.is_block = FALSE;
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, signature, "inputArg"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      SymType type =
          sym_type_tensor (sym_tfjs_read_dtype (json, sym_json_get_member (json, i.value, "type")),
                           SYM_SHAPE_UNKNOWN);

      /* TensorFlow.js has fewer dtypes: of these the caller's count. */
      if (sym_dtype_get_bits (type.dtype) != 32)
        type.dtype = sym_dtype_is_integer (type.dtype) || sym_dtype_is_floating (type.dtype)
                         ? SYM_DTYPE_UNKNOWN
                         : type.dtype;
      if (name != NULL)
        sym_net_add_value (net, name, NULL, SYM_ROLE_INPUT, &type, i.value);
    }
  sym_tfjs_list_operators (json, nodes, operators);
  sym_tfjs_count_outputs (json, nodes, &inside);
  for (guint i = 0; i < returned->len; i++)
    sym_tfjs_count_output (&inside, returned->pdata[i]);
  if (!sym_net_visit (net, nodes, sym_tfjs_visit_node, &inside, error))
    return NULL;
  for (guint i = 0; i < returned->len; i++)
    {
      g_autofree char *key = sym_tfjs_make_key (&inside, returned->pdata[i]);

      sym_net_add_output (net, key);
    }
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}
