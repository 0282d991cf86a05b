/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* Deeplearning4j's configuration.json (0.4 to 1.0.0-M2): a MultiLayerConfiguration is a list of
 * layers
 * ("confs"), a ComputationGraphConfiguration a map of vertices with the names of their inputs. */

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

/* ---- Types of layers ---- */

/* An object with a class says its type in "@class"; older files wrap it: {"dense": {...}}. *@inside
 * is the object itself. */
static char *
dup_class (const SymJson *json, guint object, guint *inside)
{
  guint mark = sym_json_get_member (json, object, "@class");
  g_autofree char *name = sym_json_dup_string (json, mark);
  SymJsonIter only = sym_json_iterate (json, object);
  const char *dot;

  *inside = object;
  if (name != NULL)
    {
      dot = strrchr (name, '.');
      return g_strdup (dot == NULL ? name : dot + 1);
    }
  if (sym_json_get_kind (json, object) != SYM_JSON_OBJECT || !sym_json_iter_next (json, &only) ||
      sym_json_get_kind (json, only.value) != SYM_JSON_OBJECT)
    return NULL;
  *inside = only.value;
  return sym_json_dup_string (json, only.key);
}

/* Layers around a layer: frozen ones, bidirectional ones, wrappers.  The chain is told by the type,
 * "FrozenLayer(Convolution)"; the attributes are those of the innermost. */
static char *
dup_layer_class (const SymJson *json, guint object, guint *inside)
{
  static const char *const members[] = { "layer", "fwd", "underlying", NULL };
  g_autofree char *type = dup_class (json, object, inside);

  for (guint i = 0; type != NULL && members[i] != NULL; i++)
    {
      guint within = sym_json_get_member (json, *inside, members[i]);
      guint innermost;
      g_autofree char *inner = NULL;

      if (sym_json_get_kind (json, within) != SYM_JSON_OBJECT)
        continue;
      inner = dup_class (json, within, &innermost);
      if (inner == NULL)
        continue;
      *inside = innermost;
      return g_strdup_printf ("%s(%s)", type, inner);
    }
  return g_steal_pointer (&type);
}

/* Classes among the attributes are told by their names: {"ReLU": {}} and
 * {"@class": "org.nd4j.linalg.activations.impl.ActivationReLU"}. */
static SymAttributes *
read_attributes (SymNet *net, guint object)
{
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      g_autofree char *type = NULL;
      guint inside;

      if (name == NULL || name[0] == '@' || sym_json_get_kind (json, i.value) == SYM_JSON_NULL)
        continue;
      type = dup_class (json, i.value, &inside);
      if (type != NULL && sym_json_count (json, inside) <= (inside == i.value))
        sym_attributes_set (attributes, name, sym_value_new_string (type), NULL);
      else
        sym_net_set_attribute (net, attributes, name, i.value);
    }
  return attributes;
}

/* ---- Calls ---- */

static SymId
add_layer (SymNet *net, const char *fallback, guint object, guint token)
{
  const SymJson *json = sym_net_get_json (net);
  guint inside;
  g_autofree char *type = dup_layer_class (json, object, &inside);
  g_autofree char *own =
      sym_json_dup_string (json, sym_json_get_member (json, inside, "layerName"));

  if (own == NULL)
    own = sym_json_dup_string (json, sym_json_get_member (json, inside, "name"));
  return sym_net_add_call (net,
                           fallback != NULL ? fallback
                           : own != NULL    ? own
                                            : type,
                           type == NULL ? "Layer" : type, NULL, read_attributes (net, inside),
                           token);
}

/* ---- A list of layers ---- */

static gboolean
add_conf (SymNet *net, guint key, guint conf, gpointer user_data, GError **error)
{
  guint *number = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint layer = sym_json_get_member (json, conf, "layer");
  g_autofree char *before = g_strdup_printf ("%u", *number);
  g_autofree char *after = g_strdup_printf ("%u", *number + 1);
  SymId call;

  if (!sym_json_expect (json, layer, SYM_JSON_OBJECT, "'layer' of a configuration", error))
    return FALSE;
  call = add_layer (net, NULL, layer, conf);
  sym_net_add_operand (net, call, before);
  sym_net_add_result (net, call, after, NULL, NULL);
  (*number)++;
  return TRUE;
}

static gboolean
read_list (SymNet *net, guint confs, GError **error)
{
  guint number = 0;

  sym_net_add_value (net, "0", "input", SYM_ROLE_INPUT, NULL, confs);
  return sym_net_visit (net, confs, add_conf, &number, error);
}

/* ---- A graph ---- */

/* A layer's vertex has the layer inside, others are operations themselves. */
static gboolean
add_vertex (SymNet *net, guint key, guint vertex, gpointer user_data, GError **error)
{
  GHashTable *inputs = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, key);
  guint inside, conf;
  g_autofree char *kind = dup_class (json, vertex, &inside);
  gpointer uses;
  SymId call;

  if (kind == NULL)
    return sym_json_fail (json, vertex, error, "vertex '%s' does not say of what class it is",
                          name);

  conf = sym_json_get_member (json, sym_json_get_member (json, inside, "layerConf"), "layer");
  if (strcmp (kind, "LayerVertex") == 0 && conf != SYM_JSON_NONE)
    call = add_layer (net, name, conf, vertex);
  else
    call = sym_net_add_call (net, name, kind, NULL, read_attributes (net, inside), vertex);
  if (g_hash_table_lookup_extended (inputs, name, NULL, &uses))
    sym_net_add_operands (net, call, GPOINTER_TO_UINT (uses));
  sym_net_add_result (net, call, name, NULL, NULL);
  return TRUE;
}

static gboolean
add_input (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), entry);

  if (name == NULL)
    return sym_json_fail (sym_net_get_json (net), entry, error, "an input must be a name");
  sym_net_add_value (net, name, NULL, SYM_ROLE_INPUT, NULL, entry);
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

static gboolean
read_vertices (SymNet *net, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GHashTable) inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint map = sym_json_get_member (json, 0, "vertexInputs");

  for (SymJsonIter i = sym_json_iterate (json, map); sym_json_iter_next (json, &i);)
    if (i.key != SYM_JSON_NONE)
      g_hash_table_insert (inputs, sym_json_dup_string (json, i.key), GUINT_TO_POINTER (i.value));
  sym_net_expect_all (net);
  return sym_net_visit (net, sym_json_get_member (json, 0, "networkInputs"), add_input, NULL,
                        error) &&
         sym_net_visit (net, sym_json_get_member (json, 0, "vertices"), add_vertex, inputs,
                        error) &&
         sym_net_visit (net, sym_json_get_member (json, 0, "networkOutputs"), add_output, NULL,
                        error);
}

static SymModel *
read_configuration (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "dl4j");
  guint confs = sym_json_get_member (json, 0, "confs");
  gboolean is_list = sym_json_get_kind (json, confs) == SYM_JSON_ARRAY;

  if (is_list ? !read_list (net, confs, error) : !read_vertices (net, error))
    return NULL;
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_dl4j_format = {
  .name = "dl4j",
  .title = "Deeplearning4j configuration",
  .versions = "0.4 to 1.0.0-M2",
  .suffix = ".json",
  .score = score,
  .read = read_configuration,
};
