/* SPDX-License-Identifier: MIT */
#include "io/sym-tfjs-private.h"
#include "io/sym-net-tell.h"

#include "core/sym-text.h"

/* TensorFlow.js' graph models (model.json; converters 0.1 to 4): TensorFlow's GraphDef as JSON, a
 * manifest of weights, and functions that nodes call.  A node uses "name" (its output 0), "name:1",
 * and "^name", which only has to come before. */

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
  g_autoptr (SymNetKeys) types = sym_net_keys_new ();
  g_autoptr (GPtrArray) of_types = g_ptr_array_new ();
  SymTfjsCounts counts = { .net = net,
                           .room = sym_net_get_free_results (net),
                           .untold = untold,
                           .attributes = attributes,
                           .missing = missing,
                           .types = types,
                           .of_types = of_types };
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
  if (flow == NULL)
    sym_tfjs_count_outputs (json, nodes, &walk);
  sym_model_builder_expect (sym_net_get_builder (net), n_nodes, n_nodes / 2, n_nodes / 2);
  count_outputs (json, &walk);
  visit_outputs (net, &walk, declare_output);
  if (!sym_net_visit (net, nodes, flow == NULL ? sym_tfjs_visit_node : visit_plain, &walk, error) ||
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
