/* SPDX-License-Identifier: MIT */
#include "io/sym-dl4j.h"

#include <string.h>

/* Deeplearning4j's configuration.json (0.4 to 1.0.0-M2): a MultiLayerConfiguration is a list of
 * layers ("confs"), a ComputationGraphConfiguration a map of vertices with the names of their
 * inputs.  Their numbers are in coefficients.bin, in the zip archive of a saved model. */

static int
score (const SymJson *json)
{
  guint confs = sym_json_get_member (json, 0, "confs");

  if (sym_json_get_member (json, 0, "vertices") != SYM_JSON_NONE &&
      sym_json_get_member (json, 0, "vertexInputs") != SYM_JSON_NONE)
    return 100;
  if (sym_json_get_kind (json, confs) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, sym_json_get_element (json, confs, 0), "layer") != SYM_JSON_NONE
             ? 100
             : 50;
}

/* ---- A list of layers ---- */

static gboolean
add_conf (SymNet *net, guint key, guint conf, gpointer user_data, GError **error)
{
  GPtrArray *layers = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint layer = sym_json_get_member (json, conf, "layer");
  guint before = sym_json_get_member (json, 0, "inputPreProcessors");
  guint sizes = sym_json_get_member (json, 0, "hiddenLayerSizes"); /* before 0.4 */
  g_autofree char *from = g_strdup_printf ("%u", layers->len);
  g_autofree char *to = g_strdup_printf ("%u", layers->len + 1);
  SymDl4jLayer *made;

  if (!sym_json_expect (json, layer, SYM_JSON_OBJECT, "'layer' of a configuration", error))
    return FALSE;
  made = sym_dl4j_add_layer (net, NULL, layer, sym_json_get_member (json, before, from),
                             sym_json_get_element (json, sizes, layers->len), conf);
  g_ptr_array_add (layers, made);
  sym_net_add_operand (net, made->call, from);
  sym_dl4j_add_parameters (net, made);
  sym_net_add_result (net, made->call, to, NULL, NULL);
  return TRUE;
}

static gboolean
read_list (SymNet *net, guint confs, const SymStoreNd4j *weights, GError **error)
{
  g_autoptr (GPtrArray) layers = g_ptr_array_new_with_free_func (sym_dl4j_layer_free);
  const SymJson *json = sym_net_get_json (net);
  guint after = sym_json_get_member (json, 0, "processors"); /* before 0.4 */
  SymType type;

  if (!sym_net_visit (net, confs, add_conf, layers, error))
    return FALSE;
  if (sym_json_count (json, after) > 0)
    sym_net_warn (net, after, "'processors' turn what comes out of layers: they are not read");
  type = sym_dl4j_guess_input ((SymDl4jLayer *const *) layers->pdata, layers->len);
  if (weights != NULL &&
      sym_dl4j_bind_weights (net, (SymDl4jLayer *const *) layers->pdata, layers->len, weights))
    type.dtype = sym_store_nd4j_get_dtype (weights);
  sym_net_add_value (net, "0", "input", SYM_ROLE_INPUT, &type, confs);
  return TRUE;
}

/* ---- A graph ---- */

typedef struct {
  GHashTable *uses;   /* of vertices by name: tokens of the names of their inputs */
  GHashTable *layers; /* SymDl4jLayer by name */
  SymDType dtype;     /* of parameters and inputs */
} Graph;

/* A layer's vertex has the layer inside, others are operations themselves. */
static gboolean
add_vertex (SymNet *net, guint key, guint vertex, gpointer user_data, GError **error)
{
  Graph *graph = user_data;
  const SymJson *json = sym_net_get_json (net);
  char *name = sym_json_dup_string (json, key);
  guint inside, conf;
  g_autofree char *kind = sym_dl4j_dup_class (json, vertex, &inside);
  SymDl4jLayer *made;
  gpointer uses;

  if (kind == NULL)
    {
      sym_json_fail (json, vertex, error, "vertex '%s' does not say of what class it is", name);
      g_free (name);
      return FALSE;
    }
  conf = sym_json_get_member (json, sym_json_get_member (json, inside, "layerConf"), "layer");
  if (strcmp (kind, "LayerVertex") == 0 && conf != SYM_JSON_NONE)
    made = sym_dl4j_add_layer (net, name, conf, sym_json_get_member (json, inside, "preProcessor"),
                               SYM_JSON_NONE, vertex);
  else
    made = sym_dl4j_add_vertex (net, name, kind, inside, vertex);
  if (g_hash_table_lookup_extended (graph->uses, name, NULL, &uses))
    sym_net_add_operands (net, made->call, GPOINTER_TO_UINT (uses));
  sym_dl4j_add_parameters (net, made);
  sym_net_add_result (net, made->call, name, NULL, NULL);
  g_hash_table_insert (graph->layers, name, made);
  return TRUE;
}

/* The layer that uses @name first, NULL for none; *@user is its name. */
static SymDl4jLayer *
find_user (SymNet *net, const Graph *graph, const char *name, const char **user)
{
  const SymJson *json = sym_net_get_json (net);
  GHashTableIter iter;
  gpointer key, uses;

  g_hash_table_iter_init (&iter, graph->uses);
  while (g_hash_table_iter_next (&iter, &key, &uses))
    for (SymJsonIter i = sym_json_iterate (json, GPOINTER_TO_UINT (uses));
         sym_json_iter_next (json, &i);)
      if (sym_json_string_equals (json, i.value, name))
        {
          *user = key;
          return g_hash_table_lookup (graph->layers, key);
        }
  return NULL;
}

#define MAX_STEPS 8 /* from an input to the first layer that tells its features */

static gboolean
add_input (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const Graph *graph = user_data;
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);
  SymDl4jLayer *layers[MAX_STEPS];
  const char *at = name;
  SymType type;
  guint n = 0;

  if (name == NULL)
    return sym_json_fail (sym_net_get_json (net), entry, error, "an input must be a name");
  while (n < MAX_STEPS && (layers[n] = find_user (net, graph, at, &at)) != NULL)
    n++;
  type = sym_dl4j_guess_input (layers, n);
  type.dtype = graph->dtype;
  sym_net_add_value (net, name, NULL, SYM_ROLE_INPUT, &type, entry);
  return TRUE;
}

static gboolean
add_output (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);

  if (name == NULL)
    return sym_json_fail (sym_net_get_json (net), entry, error, "an output must be a name");
  sym_net_add_output (net, name);
  return TRUE;
}

/* All layers of the graph get their numbers. */
static void
bind_weights (SymNet *net, Graph *graph, const SymStoreNd4j *weights)
{
  g_autoptr (GPtrArray) names = sym_dl4j_list_in_order (sym_net_get_json (net));
  g_autoptr (GPtrArray) layers = g_ptr_array_new ();

  for (guint i = 0; i < names->len; i++)
    {
      gpointer layer = g_hash_table_lookup (graph->layers, g_ptr_array_index (names, i));

      if (layer != NULL)
        g_ptr_array_add (layers, layer);
    }
  if (sym_dl4j_bind_weights (net, (SymDl4jLayer *const *) layers->pdata, layers->len, weights))
    graph->dtype = sym_store_nd4j_get_dtype (weights);
}

static gboolean
read_vertices (SymNet *net, const SymStoreNd4j *weights, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GHashTable) uses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) layers =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, sym_dl4j_layer_free);
  guint map = sym_json_get_member (json, 0, "vertexInputs");
  Graph graph = { uses, layers, SYM_DTYPE_FLOAT32 };

  for (SymJsonIter i = sym_json_iterate (json, map); sym_json_iter_next (json, &i);)
    if (i.key != SYM_JSON_NONE)
      g_hash_table_insert (uses, sym_json_dup_string (json, i.key), GUINT_TO_POINTER (i.value));
  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "vertices"), add_vertex, &graph, error))
    return FALSE;
  if (weights != NULL)
    bind_weights (net, &graph, weights);
  return sym_net_visit (net, sym_json_get_member (json, 0, "networkInputs"), add_input, &graph,
                        error) &&
         sym_net_visit (net, sym_json_get_member (json, 0, "networkOutputs"), add_output, NULL,
                        error);
}

static SymModel *
read_configuration (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "dl4j");
  g_autoptr (SymStoreNd4j) weights = NULL;
  guint confs = sym_json_get_member (json, 0, "confs");
  gboolean is_list = sym_json_get_kind (json, confs) == SYM_JSON_ARRAY;

  if (!sym_dl4j_open_weights (net, source, &weights, error) ||
      (is_list ? !read_list (net, confs, weights, error) : !read_vertices (net, weights, error)))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_dl4j_format = {
  .name = "dl4j",
  .title = "Deeplearning4j configuration",
  .versions = "0.4 to 1.0.0-M2",
  .limits = "updaters are not read; rows that become sequences again do not run",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_configuration,
};
