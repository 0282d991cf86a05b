/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "ops/sym-op-keras.h"

#include <string.h>

gboolean
sym_keras_is_model (const SymJson *json, guint config)
{
  guint layers = sym_json_get_kind (json, config) == SYM_JSON_ARRAY
                     ? config
                     : sym_json_get_member (json, config, "layers");
  guint first = sym_json_get_element (json, layers, 0);

  return sym_json_get_kind (json, layers) == SYM_JSON_ARRAY &&
         sym_json_get_member (json, config, "mode") == SYM_JSON_NONE &&
         (first == SYM_JSON_NONE ||
          sym_json_get_member (json, first, "class_name") != SYM_JSON_NONE);
}

#define MAX_ORDERINGS 256 /* layers that are asked where channels are */

/* Whether the class is of somebody else's. */
static gboolean
is_foreign (SymKerasReader *reader, guint token)
{
  const SymJson *json = reader->json;
  g_autofree char *registered =
      sym_json_dup_string (json, sym_json_get_member (json, token, "registered_name"));

  return registered != NULL && strchr (registered, '>') != NULL &&
         !g_str_has_prefix (registered, "Keras>") && !g_str_has_prefix (registered, "keras");
}

/* Whether it is one of Keras' functions and not a layer: few of these have the meaning of the layer
 * of that name. */
static gboolean
is_operation (SymKerasReader *reader, guint token, const char *type)
{
  const SymJson *json = reader->json;
  g_autofree char *module = sym_json_dup_string (json, sym_json_get_member (json, token, "module"));

  return sym_keras_is_lambda (type) || (module != NULL && strstr (module, ".ops") != NULL);
}

/* TensorFlow has classes of its first and second version: BatchNormalizationV1. */
static const SymOperator *
find_layer (const char *type)
{
  const SymOperator *op = sym_op_find ("keras", type, 0);
  g_autofree char *plain = NULL;

  if (op != NULL || (!g_str_has_suffix (type, "V1") && !g_str_has_suffix (type, "V2")))
    return op;
  plain = g_strndup (type, strlen (type) - 2);
  return sym_op_find ("keras", plain, 0);
}

/* Whether the config has what a layer of @op must have. */
static gboolean
has_config (SymKerasReader *reader, guint token, const SymOperator *op)
{
  guint config = sym_json_get_member (reader->json, token, "config");

  for (guint i = 0; op->attributes[i].name != NULL; i++)
    if (op->attributes[i].fallback == NULL &&
        sym_json_get_member (reader->json, config, op->attributes[i].name) == SYM_JSON_NONE)
      return FALSE;
  return TRUE;
}

/* What a class of somebody else's extends: one that it is called after, QDense after Dense, and
 * whose config it has.  Of "QDepthwiseConv2D" the longest such name is meant. */
static const SymOperator *
find_extended (SymKerasReader *reader, guint token, const char *type)
{
  for (const char *name = type; *name != '\0'; name++)
    {
      const SymOperator *op =
          g_ascii_isupper (*name) ? sym_op_find (SYM_OP_KERAS_LIKE, name, 0) : NULL;

      if (op != NULL)
        return has_config (reader, token, op) ? op : NULL;
    }
  return NULL;
}

const SymOperator *
sym_keras_find_operator (SymKerasReader *reader, guint token, const char *type)
{
  const SymOperator *op = NULL;

  if (is_operation (reader, token, type))
    return sym_keras_find_operation (reader, token, type);
  if (!is_foreign (reader, token))
    op = find_layer (type);
  return op != NULL ? op : find_extended (reader, token, type);
}

/* Layers that are alike share attributes: one that is marked has its own. */
static void
mark (SymAttributes **attributes, const char *name, SymValue *take_value)
{
  SymAttributes *marked = sym_attributes_with (*attributes, name, take_value, NULL);

  sym_attributes_unref (*attributes);
  *attributes = marked;
}

void
sym_keras_mark_version (SymKerasReader *reader, SymAttributes **attributes)
{
  static const char *const names[] = { "activation", "recurrent_activation" };

  for (guint i = 0; i < G_N_ELEMENTS (names) && reader->major >= 3; i++)
    {
      const char *name = sym_attributes_get_string (*attributes, names[i], "");

      if (strcmp (name, "hard_sigmoid") == 0)
        mark (attributes, "keras_version", sym_value_new_int (reader->major));
    }
}

/* A step of an attention sees only what was before where the call says so, which its operator does
 * not see: layers are marked. */
static void
mark_causal (SymKerasReader *reader,
             const SymKerasGraph *graph,
             const SymKerasLayer *layer,
             SymAttributes **attributes)
{
  const SymJson *json = reader->json;

  for (guint i = 0; i < layer->n_nodes && strstr (layer->type, "Attention") != NULL; i++)
    {
      guint token = sym_keras_graph_get_node (graph, layer->first_node + i)->token;
      guint kwargs = sym_json_get_member (json, token, "kwargs");
      gboolean is_causal = FALSE;

      if (sym_json_get_kind (json, token) == SYM_JSON_ARRAY)
        kwargs = sym_json_get_element (json, sym_json_get_element (json, token, 0), 3);
      sym_json_get_bool (json, sym_json_get_member (json, kwargs, "use_causal_mask"), &is_causal);
      if (is_causal)
        mark (attributes, "use_causal_mask", sym_value_new_bool (TRUE));
    }
}

/* ---- Bodies ---- */

gboolean
sym_keras_enter (SymKerasReader *reader, guint config)
{
  gboolean outer = reader->is_frozen, trains = TRUE;

  sym_json_get_bool (reader->json, sym_json_get_member (reader->json, config, "trainable"),
                     &trains);
  reader->is_frozen = outer || !trains;
  return outer;
}

static const char *const hidden[] = { "name", "layers", "input_layers", "output_layers", NULL };
static const char *const only_name[] = { "name", NULL };

static SymKerasOrigin *
make_origin (SymKerasReader *reader, const SymKerasLayer *layer)
{
  SymKerasOrigin *origin = g_new0 (SymKerasOrigin, 1);

  origin->class_name = g_strdup (layer->type);
  origin->major = reader->major;
  origin->is_list = sym_json_get_kind (reader->json, layer->config) == SYM_JSON_ARRAY;
  origin->root = sym_attributes_new ();
  origin->config = sym_keras_read_attributes (reader, layer->config, hidden);
  return origin;
}

static gboolean
add_model (SymKerasReader *reader,
           const SymKerasLayer *layer,
           SymLayer *made,
           guint depth,
           GError **error)
{
  g_autoptr (SymModel) body = sym_keras_build (reader, layer->config, layer->name,
                                               make_origin (reader, layer), depth + 1, error);

  if (body == NULL)
    return FALSE;
  sym_layer_add_body (made, "model", body, TRUE);
  return TRUE;
}

/* A layer of a wrapper: the body has one call.  Of a wrapper that does its work in training only,
 * it is all that runs. */
static gboolean
add_wrapped (SymKerasReader *reader,
             const SymKerasLayer *layer,
             SymLayer *made,
             gboolean runs,
             guint depth,
             GError **error)
{
  guint inner = sym_json_get_member (reader->json, layer->config, "layer");
  g_autoptr (SymModel) body = NULL;

  if (sym_json_get_kind (reader->json, inner) != SYM_JSON_OBJECT)
    return TRUE;
  body = sym_keras_build_single (reader, inner, depth + 1, error);
  if (body == NULL)
    return FALSE;
  sym_layer_add_body (made, "layer", body, runs);
  return TRUE;
}

/* How many states a recurrent wrapper is given, and whether its data have a mask. */
static guint
count_states (const SymKerasGraph *graph, const SymKerasLayer *layer, gboolean *masked)
{
  const SymKerasNode *node =
      layer->n_nodes > 0 ? sym_keras_graph_get_node (graph, layer->first_node) : NULL;
  const SymKerasRef *ref =
      node == NULL || node->n_refs == 0 ? NULL : sym_keras_graph_get_ref (graph, node->first_ref);

  *masked = FALSE;
  if (ref != NULL && ref->layer != SYM_JSON_NONE)
    *masked = sym_keras_graph_get_node (
                  graph, sym_keras_graph_get_layer (graph, ref->layer)->first_node + ref->node)
                  ->mask >= 0;
  return node != NULL && node->n_refs > 1 ? node->n_refs - 1 : 0;
}

static gboolean
add_bidirectional (SymKerasReader *reader,
                   const SymKerasGraph *graph,
                   const SymKerasLayer *layer,
                   SymLayer *made,
                   GError **error)
{
  gboolean masked;
  guint n_states = count_states (graph, layer, &masked);
  g_autoptr (SymModel) body =
      sym_keras_make_bidirectional (reader, layer->config, n_states, masked, error);

  if (body == NULL)
    return error == NULL || *error == NULL;
  sym_layer_add_body (made, "layer", body, TRUE);
  return TRUE;
}

static void
add_cells (SymKerasReader *reader,
           const SymKerasGraph *graph,
           const SymKerasLayer *layer,
           SymLayer *made)
{
  gboolean masked;
  guint n_states = count_states (graph, layer, &masked);
  g_autoptr (SymModel) body = sym_keras_make_cells (reader, layer->config, n_states, masked);

  if (body != NULL)
    sym_layer_add_body (made, "cell", body, TRUE);
}

static void
add_tensorflow (SymKerasReader *reader, const SymKerasLayer *layer, SymLayer *made)
{
  g_autoptr (SymModel) body = sym_keras_make_tensorflow (reader, layer->config, layer->n_results);

  if (body != NULL)
    sym_layer_add_body (made, "operation", body, TRUE);
}

static gboolean
has_channels (const SymOperator *op)
{
  const SymAttributeSpec *spec = op == NULL ? NULL : op->attributes;

  while (spec != NULL && spec->name != NULL && strcmp (spec->name, "data_format") != 0)
    spec++;
  return spec != NULL && spec->name != NULL;
}

/* The first Keras wrote of some layers, as UpSampling2D, not where their channels are: where those
 * of the layers beside them are. */
static void
mark_channels (SymKerasReader *reader,
               const SymKerasGraph *graph,
               const SymOperator *op,
               SymAttributes **attributes)
{
  guint n = graph == NULL ? 0 : MIN (graph->layers->len, MAX_ORDERINGS);

  if (!has_channels (op) || sym_op_keras_find (*attributes, "data_format") != NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *ordering = sym_json_dup_string (
          reader->json,
          sym_json_get_member (reader->json, sym_keras_graph_get_layer (graph, i)->config,
                               "dim_ordering"));

      if (ordering != NULL && strcmp (ordering, "default") != 0)
        {
          mark (attributes, "dim_ordering", sym_value_new_string (ordering));
          return;
        }
    }
}

/* TensorFlow.js takes samples from corners where Keras takes them from centres. */
static void
mark_samples (SymKerasReader *reader, const SymOperator *op, SymAttributes **attributes)
{
  if (op != NULL && strcmp (op->name, "UpSampling2D") == 0 &&
      g_strcmp0 (sym_attributes_get_string (*attributes, "interpolation", NULL), "bilinear") == 0 &&
      sym_json_get_member (reader->json, 0, "modelTopology") != SYM_JSON_NONE)
    mark (attributes, "half_pixel_centers", sym_value_new_bool (FALSE));
}

/* There are none where all files of them are missing. */
static gboolean
has_arrays (const SymKerasReader *reader)
{
  return reader->weights != NULL &&
         (reader->weights->lost == NULL || reader->weights->arrays->len > 0);
}

/* Of a class that nobody here knows weights are known by a file of them alone, but for Keras' own
 * that have none, and functions.  What stands around other layers shows these. */
static gboolean
hides_parameters (SymKerasReader *reader,
                  const SymKerasLayer *layer,
                  const SymOperator *op,
                  gboolean is_model)
{
  static const char *const others[] = {
    "Bidirectional",
    "RNN",
    "TimeDistributed",
    "TensorFlowOpLayer",
    "AddLoss",
    "AutoContrast",
    "Equalization",
    "HashedCrossing",
    "Hashing",
    "Input",
    "InputLayer",
    "IntegerLookup",
    "Lambda",
    "MaxNumBoundingBoxes",
    "Solarization",
    "StringLookup",
    "SpectralNormalization",
    "TextVectorization",
    NULL,
  };

  return op == NULL && !is_model && !has_arrays (reader) &&
         (is_foreign (reader, layer->token) || (!is_operation (reader, layer->token, layer->type) &&
                                                !g_strv_contains (others, layer->type)));
}

/* The arguments of functions are added to their own. */
static SymAttributes *
make_attributes (SymKerasReader *reader,
                 const SymKerasGraph *graph,
                 const SymKerasLayer *layer,
                 const SymOperator *op,
                 gboolean is_model)
{
  const char *const *left_out = is_model ? hidden : only_name;
  gboolean is_function = op != NULL && strcmp (op->domain, "keras.ops") == 0;
  SymAttributes *attributes = is_function
                                  ? sym_keras_read_attributes (reader, layer->config, left_out)
                                  : sym_keras_share_attributes (reader, layer->config, left_out);

  sym_keras_mark_version (reader, &attributes);
  mark_causal (reader, graph, layer, &attributes);
  mark_channels (reader, graph, op, &attributes);
  mark_samples (reader, op, &attributes);
  if (is_function)
    sym_keras_add_arguments (reader, layer->token, op, attributes);
  return attributes;
}

/* What it consists of, or stands around. */
static gboolean
add_bodies (SymKerasReader *reader,
            const SymKerasGraph *graph,
            const SymKerasLayer *layer,
            SymLayer *made,
            guint depth,
            GError **error)
{
  gboolean is_frozen = sym_keras_enter (reader, layer->config), done = TRUE;

  if (sym_keras_is_model (reader->json, layer->config))
    done = add_model (reader, layer, made, depth, error);
  else if (strcmp (layer->type, "Bidirectional") == 0)
    done = add_bidirectional (reader, graph, layer, made, error);
  else if (strcmp (layer->type, "RNN") == 0)
    add_cells (reader, graph, layer, made);
  else if (strcmp (layer->type, "TensorFlowOpLayer") == 0)
    add_tensorflow (reader, layer, made);
  else if (strcmp (layer->type, "TimeDistributed") == 0)
    done = add_wrapped (reader, layer, made, FALSE, depth, error);
  else if (strcmp (layer->type, "SpectralNormalization") == 0)
    done = add_wrapped (reader, layer, made, TRUE, depth, error);
  reader->is_frozen = is_frozen;
  return done;
}

SymLayer *
sym_keras_make_layer (SymKerasReader *reader,
                      const SymKerasGraph *graph,
                      const SymKerasLayer *layer,
                      guint depth,
                      GError **error)
{
  gboolean is_model = sym_keras_is_model (reader->json, layer->config);
  const SymOperator *op =
      is_model ? NULL : sym_keras_find_operator (reader, layer->token, layer->type);
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) made = NULL;

  if (depth >= SYM_KERAS_MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u: models lie more than %d deep in each other",
                   sym_json_get_line (reader->json, layer->token), SYM_KERAS_MAX_DEPTH);
      return NULL;
    }
  attributes = make_attributes (reader, graph, layer, op, is_model);
  made = sym_layer_new (layer->type, op, attributes);
  sym_layer_set_name (made, layer->name);
  sym_layer_set_hides_parameters (made, hides_parameters (reader, layer, op, is_model));
  return add_bodies (reader, graph, layer, made, depth, error) ? g_steal_pointer (&made) : NULL;
}

/* ---- Weights ---- */

/* Slots whose name says when they are in use are called in Keras' way. */
const char *
sym_keras_get_weight_name (const char *slot)
{
  return g_str_equal (slot, "einsum_bias")       ? "bias"
         : g_str_equal (slot, "attention_scale") ? "scale"
                                                 : slot;
}

/* A mixed policy computes in halves, but keeps weights as float32. */
SymDType
sym_keras_get_weight_dtype (const SymAttributes *attributes)
{
  return sym_op_keras_is_mixed (attributes) ? SYM_DTYPE_FLOAT32
                                            : sym_op_keras_get_dtype (attributes);
}

static SymId
add_parameter (SymModelBuilder *builder,
               SymLayer *layer,
               const SymSlotSpec *slot,
               const SymType *type,
               gboolean is_trained)
{
  gboolean trainable = is_trained && slot->kind == SYM_SLOT_PARAMETER;
  g_autofree char *name =
      g_strconcat (sym_layer_get_name (layer), "/", sym_keras_get_weight_name (slot->name), NULL);
  SymId value = sym_model_builder_add_value (
      builder, name, slot->kind == SYM_SLOT_AUXILIARY ? SYM_ROLE_AUXILIARY : SYM_ROLE_PARAMETER,
      type);

  sym_model_builder_set_parameter (builder, value, sym_parameter_new (trainable, NULL));
  return value;
}

GArray *
sym_keras_add_parameters (SymKerasReader *reader, SymModelBuilder *builder, SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  SymType type = sym_type_tensor (sym_keras_get_weight_dtype (attributes), SYM_SHAPE_UNKNOWN);
  gboolean is_trained =
      !reader->is_frozen && sym_attributes_get_bool (attributes, "trainable", TRUE);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; op != NULL && op->slots != NULL && op->slots[i].name != NULL; i++)
    {
      SymId id = SYM_NO_ID;

      if (op->slots[i].kind != SYM_SLOT_DATA && sym_op_keras_has_slot (op, i, attributes))
        id = add_parameter (builder, layer, &op->slots[i], &type, is_trained);
      g_array_append_val (ids, id);
    }
  if (op != NULL)
    sym_keras_shelf_fill (reader->shelf, builder, layer, is_trained, ids);
  else if (sym_layer_get_n_bodies (layer) == 0)
    sym_keras_shelf_add_all (reader->shelf, builder, layer, is_trained, ids);
  return ids;
}
