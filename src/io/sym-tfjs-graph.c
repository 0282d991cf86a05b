/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"
#include "io/sym-net-tell.h"

#include <string.h>

#include "core/sym-text.h"
#include "io/sym-json-private.h"
#include "ops/sym-op-tf.h"

/* TensorFlow.js' graph models (model.json; converters 0.1 to 4): TensorFlow's GraphDef as JSON, a
 * manifest of weights, and functions that nodes call.  A node uses "name" (its output 0), "name:1",
 * and
 * "^name", which only has to come before. */

/* So many nodes may be in functions, and as many more as the document has values. */
#define MIN_INNER 65536
#define BODY 16 /* what a function takes besides its nodes, in these */

extern const SymIoFormat sym_tfjs_graph_format;

static guint
get_topology (const SymJson *json)
{
  guint topology = sym_json_get_member (json, 0, "modelTopology");

  return topology != SYM_JSON_NONE ? topology : 0;
}

static int
score (const SymJson *json)
{
  guint topology = get_topology (json);
  guint nodes = sym_json_get_member (json, topology, "node");
  guint first = sym_json_get_element (json, nodes, 0);

  if (sym_json_get_kind (json, nodes) != SYM_JSON_ARRAY)
    return sym_json_string_equals (json, sym_json_get_member (json, 0, "format"), "graph-model")
               ? 60
               : 0;
  if (first != SYM_JSON_NONE && sym_json_get_member (json, first, "op") == SYM_JSON_NONE)
    return 0;
  return topology != 0 ? 100 : 80;
}

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
add_uses (SymNet *net, const SymTfjsWalk *walk, SymId call, guint inputs)
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

/* As many as are used, or as the operator has.  What is left out is told of the whole graph. */
static guint
count_results (const SymTfjsWalk *walk, guint node, SymLayer *layer, const char *name)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  guint n = sym_tfjs_get_n_used (walk, name);
  int n_visible = 0;

  if (op != NULL)
    sym_op_get_n_outputs (op, sym_layer_get_attributes (layer), &n_visible);
  n = MAX (n, (guint) CLAMP (n_visible, 0, SYM_TFJS_MAX_OUTPUTS));
  return sym_net_limit_results (walk->counts->net, node, name, n, &walk->counts->room);
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

gboolean
sym_tfjs_add_node (SymNet *net, const SymTfjsWalk *walk, const SymTfjsParts *node, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, node->name);
  g_autofree char *op = sym_json_dup_string (json, node->op);
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  walk->counts->n_inner += walk->depth > 0;
  if (name == NULL || op == NULL)
    return sym_json_fail (json, node->token, error, "a node needs 'name' and 'op', both strings");
  if (sym_tfjs_add_source (net, walk, node->token, name, op))
    return TRUE;

  attributes = sym_net_attributes_share (walk->counts->attributes, json, node->attributes, NULL);
  layer = sym_layer_new (op, sym_op_find ("tf", op, 0), attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, node->attributes, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, name, layer, node->token);
  add_uses (net, walk, call, node->inputs);
  add_results (net, call, name, sym_layer_get_operator (layer),
               count_results (walk, node->token, layer, name), node->attributes);
  return TRUE;
}

static gboolean
visit_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
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
  if (!sym_net_visit (net, nodes, visit_node, &inside, error))
    return NULL;
  for (guint i = 0; i < returned->len; i++)
    {
      g_autofree char *key = sym_tfjs_make_key (&inside, returned->pdata[i]);

      sym_net_add_output (net, key);
    }
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}

/* ---- The model ---- */

/* Loops and choices are added by sym_tfjs_add_blocks(). */
static gboolean
visit_plain (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  const SymTfjsWalk *walk = user_data;
  guint i = walk->counts->n_visited++;

  return !sym_tfjs_flow_is_plain (walk->flow, i) ||
         sym_tfjs_add_node (net, walk, sym_tfjs_flow_get_parts (walk->flow, i), error);
}

static void
list_functions (const SymJson *json, guint topology, GHashTable *functions)
{
  guint library = sym_json_get_member (json, topology, "library");

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, library, "function"));
       sym_json_iter_next (json, &i);)
    {
      guint signature = sym_json_get_member (json, i.value, "signature");
      char *name = sym_json_dup_string (json, sym_json_get_member (json, signature, "name"));

      if (name != NULL)
        g_hash_table_insert (functions, name, GUINT_TO_POINTER (i.value + 1));
    }
}

/* {"outputs": {"scores": {"name": "Identity:0", "tensorShape": {...}}}} */
static guint
get_outputs (const SymJson *json)
{
  guint signature = sym_json_get_member (json, 0, "signature");

  if (signature == SYM_JSON_NONE)
    signature = sym_json_get_member (json, sym_json_get_member (json, 0, "userDefinedMetadata"),
                                     "signature");
  return sym_json_get_member (json, signature, "outputs");
}

/* What makes an output of the graph has it, also where nobody else uses it. */
static void
count_outputs (const SymJson *json, const SymTfjsWalk *walk)
{
  for (SymJsonIter i = sym_json_iterate (json, walk->document->outputs);
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *use =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));

      sym_tfjs_count_output (walk, use);
    }
}

typedef void (*VisitOutput) (SymNet *net, const char *key, guint output);

static void
visit_outputs (SymNet *net, const SymTfjsWalk *walk, VisitOutput visit)
{
  const SymJson *json = sym_net_get_json (net);
  guint outputs = walk->document->outputs;

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *use =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      g_autofree char *key = use == NULL ? NULL : sym_tfjs_make_key (walk, use);

      if (key != NULL)
        visit (net, key, i.value);
    }
}

/* Their shapes are stored. */
static void
declare_output (SymNet *net, const char *key, guint output)
{
  const SymJson *json = sym_net_get_json (net);
  guint shape = sym_json_get_member (json, output, "tensorShape");
  SymType type = sym_type_tensor (SYM_DTYPE_UNKNOWN, sym_tfjs_read_shape (json, shape));

  if (type.shape.rank >= 0)
    sym_net_declare (net, key, NULL, SYM_ROLE_INTERMEDIATE, &type, output);
}

/* Without a signature, the outputs are what nothing uses. */
static void
add_output (SymNet *net, const char *key, guint output)
{
  (void) output;
  sym_net_add_output (net, key);
}

/* With @trouble, loops and choices are left as they are. */
static SymModel *
read_nodes (const SymTfjsDocument *document,
            const SymIoSource *source,
            const char *trouble,
            GError **error)
{
  static const char *const told[] = { "format",      "generatedBy",
                                      "convertedBy", "modelTopology.versions.*",
                                      "versions.*",  "userDefinedMetadata.*",
                                      NULL };
  const SymJson *json = document->json;
  guint nodes = sym_json_get_member (json, document->graph, "node");
  g_autoptr (SymTfjsWeights) weights = sym_tfjs_weights_new (json, document->manifest, source);
  g_autoptr (SymNet) net = sym_net_new (source, json, document->format);
  g_autoptr (SymNetAttributes) attributes = sym_net_attributes_new (sym_tfjs_read_attribute, NULL);
  g_autoptr (GHashTable) functions =
      g_hash_table_new_full (sym_text_hash_whole, g_str_equal, g_free, NULL);
  g_autoptr (SymNetKeys) n_outputs = sym_net_keys_new ();
  g_autoptr (GHashTable) operators =
      g_hash_table_new_full (sym_text_hash_whole, g_str_equal, g_free, NULL);
  g_autoptr (SymTfjsFlow) flow = NULL;
  g_autoptr (GHashTable) untold =
      g_hash_table_new_full (sym_text_hash_whole, g_str_equal, g_free, NULL);
  g_autoptr (GArray) missing = sym_tfjs_missing_new ();
  SymTfjsCounts counts = { .net = net,
                           .room = sym_net_get_free_results (net),
                           .untold = untold,
                           .attributes = attributes,
                           .missing = missing };
  SymTfjsWalk walk = { .document = document,
                       .source = source,
                       .weights = weights,
                       .counts = &counts,
                       .functions = functions,
                       .n_outputs = n_outputs,
                       .operators = operators };
  guint n_nodes = sym_json_count (json, nodes); /* half of them are mostly constants */

  if (trouble == NULL)
    walk.flow = flow = sym_tfjs_flow_new (json, nodes, &trouble);
  if (trouble != NULL)
    sym_net_warn (net, nodes, "its loops and choices are shown as they are, and do not run: %s",
                  trouble);
  sym_net_expect_all (net);
  list_functions (json, document->graph, functions);
  sym_tfjs_count_outputs (json, nodes, &walk);
  sym_model_builder_expect (sym_net_get_builder (net), n_nodes, n_nodes / 2, n_nodes / 2);
  count_outputs (json, &walk);
  visit_outputs (net, &walk, declare_output);
  if (!sym_net_visit (net, nodes, flow == NULL ? visit_node : visit_plain, &walk, error) ||
      !sym_tfjs_add_blocks (net, &walk, error))
    return NULL;
  visit_outputs (net, &walk, add_output);
  sym_tfjs_warn_of_missing (&counts, nodes);
  sym_net_note_origin (net, document->format, told);
  return sym_net_end (g_steal_pointer (&net), error);
}

SymModel *
sym_tfjs_read_document (const SymTfjsDocument *document, const SymIoSource *source, GError **error)
{
  g_autoptr (GError) cause = NULL;
  SymModel *model = read_nodes (document, source, NULL, &cause);

  if (model == NULL && g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED))
    return read_nodes (document, source, cause->message, error);
  if (model == NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  return model;
}

static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  SymTfjsDocument document = { .json = json,
                               .graph = get_topology (json),
                               .manifest = sym_json_get_member (json, 0, "weightsManifest"),
                               .outputs = get_outputs (json),
                               .format = sym_tfjs_graph_format.name };
  guint nodes = sym_json_get_member (json, document.graph, "node");

  return sym_tfjs_weights_check (source, error) &&
                 sym_json_expect (json, nodes, SYM_JSON_ARRAY, "'node' of the graph", error)
             ? sym_tfjs_read_document (&document, source, error)
             : NULL;
}

const SymIoFormat sym_tfjs_graph_format = {
  .name = "tfjs-graph",
  .title = "TensorFlow.js graph model",
  .versions = "1 to 4 (GraphDef as JSON)",
  .limits = "strings, hash tables, sparse and complex tensors do not run",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_graph,
  .tell = sym_net_tell,
};
