/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-leaves.h"

#include "ops/sym-op-keras.h"

typedef enum {
  NO_WEIGHTS,
  UNTRAINED, /* all of them: the mean of a Normalization */
  TRAINED,
} Weights;

static Weights
look_at_slots (const SymKerasGraph *graph, const SymKerasLayer *layer, const SymOperator *op)
{
  g_autoptr (SymAttributes) attributes =
      sym_keras_share_attributes (graph->reader, layer->config, NULL);
  Weights found = NO_WEIGHTS;

  for (guint i = 0; op->slots != NULL && op->slots[i].name != NULL; i++)
    if (op->slots[i].kind != SYM_SLOT_DATA && sym_op_keras_has_slot (op, i, attributes))
      found = MAX (found, op->slots[i].kind == SYM_SLOT_AUXILIARY ? UNTRAINED : TRAINED);
  return found;
}

static gboolean
holds_layers (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  static const char *const wrappers[] = { "Bidirectional", "RNN", "SpectralNormalization",
                                          "TimeDistributed", NULL };

  return sym_keras_is_model (graph->reader->json, layer->config) ||
         g_strv_contains (wrappers, layer->type);
}

/* What is applied to each step has the weights, as it would have them alone.  *@type becomes the
 * type of the result, which borrows it. */
static SymKerasLayer
unwrap (const SymKerasGraph *graph, const SymKerasLayer *layer, char **type)
{
  const SymJson *json = graph->reader->json;
  SymKerasLayer inner = *layer;

  *type = g_strdup (layer->type);
  while (g_str_equal (*type, "TimeDistributed"))
    {
      guint token = sym_json_get_member (json, inner.config, "layer");
      char *next = sym_json_dup_string (json, sym_json_get_member (json, token, "class_name"));

      if (next == NULL)
        break;
      g_free (*type);
      *type = next;
      inner.token = token;
      inner.config = sym_json_get_member (json, token, "config");
    }
  inner.type = *type;
  return inner;
}

static Weights
look_for_weights (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  g_autofree char *type = NULL;
  SymKerasLayer inner = unwrap (graph, layer, &type);
  const SymOperator *op = sym_keras_find_operator (graph->reader, inner.token, inner.type);

  if (holds_layers (graph, &inner))
    return TRAINED;
  if (op == NULL)
    return inner.token == layer->token ? NO_WEIGHTS : TRAINED;
  return look_at_slots (graph, &inner, op);
}

/* Neither it nor what it wraps is frozen. */
static gboolean
is_trained (const SymJson *json, guint config)
{
  while (config != SYM_JSON_NONE)
    {
      guint inner = sym_json_get_member (json, config, "layer");
      gboolean trains = TRUE;

      sym_json_get_bool (json, sym_json_get_member (json, config, "trainable"), &trains);
      if (!trains)
        return FALSE;
      if (inner == SYM_JSON_NONE)
        inner = sym_json_get_member (json, config, "cell");
      config = sym_json_get_member (json, inner, "config");
    }
  return TRUE;
}

gboolean
sym_keras_may_have_weights (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  return look_for_weights (graph, layer) != NO_WEIGHTS;
}

static gboolean
is_known (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  g_autofree char *type = NULL;
  SymKerasLayer inner = unwrap (graph, layer, &type);

  return holds_layers (graph, &inner) ||
         sym_keras_find_operator (graph->reader, inner.token, inner.type) != NULL;
}

/* ---- Those of models within ---- */

typedef struct {
  SymJsonIter layers;
  gboolean trains;
} Level;

typedef struct {
  SymKerasLeaves *leaves;
  GArray *levels; /* of Level: models that are being looked at */
} Walk;

static void
clear_leaf (gpointer data)
{
  g_free (((SymKerasLeaf *) data)->name);
}

/* The layers of a model that the layer is, or applies to each step; SYM_JSON_NONE for none. */
static guint
find_layers (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  const SymJson *json = graph->reader->json;
  g_autofree char *type = NULL;
  guint config = unwrap (graph, layer, &type).config;

  if (!sym_keras_is_model (json, config))
    return SYM_JSON_NONE;
  return sym_json_get_kind (json, config) == SYM_JSON_ARRAY
             ? config
             : sym_json_get_member (json, config, "layers");
}

static void
add_leaf (SymKerasLeaves *self, const SymKerasLayer *layer, guint place, gboolean trains)
{
  Weights weights = look_for_weights (self->graph, layer);
  SymKerasLeaf leaf = { NULL, place, !trains || weights != TRAINED };

  if (weights == NO_WEIGHTS)
    return;
  leaf.name = g_strdup (layer->name);
  g_array_append_val (self->leaves, leaf);
}

static void
look_at (Walk *walk, const SymKerasLayer *layer, guint place, gboolean trains)
{
  SymKerasLeaves *self = walk->leaves;
  const SymJson *json = self->graph->reader->json;
  guint layers = find_layers (self->graph, layer);
  Level level = { .trains = trains && is_trained (json, layer->config) };

  g_hash_table_add (self->names, g_strdup (layer->name));
  if (layers == SYM_JSON_NONE)
    {
      self->is_known = self->is_known && (layer->is_input || is_known (self->graph, layer));
      add_leaf (self, layer, place, level.trains);
      return;
    }
  g_hash_table_add (self->models, g_strdup (layer->name));
  level.layers = sym_json_iterate (json, layers);
  g_array_append_val (walk->levels, level);
}

static void
look_within (Walk *walk, guint token, guint place, gboolean trains)
{
  const SymJson *json = walk->leaves->graph->reader->json;
  guint config = sym_json_get_member (json, token, "config");
  g_autofree char *type =
      sym_json_dup_string (json, sym_json_get_member (json, token, "class_name"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, token, "name"));
  SymKerasLayer layer = { .type = type, .token = token, .config = config };

  if (name == NULL)
    name = sym_json_dup_string (json, sym_json_get_member (json, config, "name"));
  layer.name = name == NULL ? (char *) "layer" : name;
  layer.is_input = g_strcmp0 (type, "InputLayer") == 0;
  if (type != NULL)
    look_at (walk, &layer, place, trains);
}

static void
look_below (Walk *walk, guint place)
{
  const SymJson *json = walk->leaves->graph->reader->json;

  while (walk->levels->len > 0)
    {
      Level *level = &g_array_index (walk->levels, Level, walk->levels->len - 1);

      if (sym_json_iter_next (json, &level->layers))
        look_within (walk, level->layers.value, place, level->trains);
      else
        g_array_set_size (walk->levels, walk->levels->len - 1);
    }
}

static int
compare_leaves (gconstpointer a, gconstpointer b)
{
  return ((const SymKerasLeaf *) a)->is_late - ((const SymKerasLeaf *) b)->is_late;
}

SymKerasLeaves *
sym_keras_leaves_new (const SymKerasGraph *graph)
{
  SymKerasLeaves *self = g_new0 (SymKerasLeaves, 1);
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (Level));
  Walk walk = { self, levels };

  self->graph = graph;
  self->is_known = TRUE;
  self->leaves = g_array_new (FALSE, FALSE, sizeof (SymKerasLeaf));
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->models = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_array_set_clear_func (self->leaves, clear_leaf);
  for (guint i = 0; i < graph->layers->len; i++)
    {
      look_at (&walk, sym_keras_graph_get_layer (graph, i), i, TRUE);
      look_below (&walk, i);
    }
  g_array_sort (self->leaves, compare_leaves);
  return self;
}

void
sym_keras_leaves_free (SymKerasLeaves *self)
{
  g_array_unref (self->leaves);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->models);
  g_free (self);
}
