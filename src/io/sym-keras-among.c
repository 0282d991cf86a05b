/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "ops/sym-op-keras.h"

#include <string.h>

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

/* Of what is not known nobody can say whether it has weights. */
static gboolean
are_all_known (const SymKerasGraph *graph)
{
  for (guint i = 0; i < graph->layers->len; i++)
    {
      const SymKerasLayer *layer = sym_keras_graph_get_layer (graph, i);

      if (!layer->is_input && !is_known (graph, layer))
        return FALSE;
    }
  return TRUE;
}

/* ---- By the names of arrays ---- */

/* What stands before is that of the group, which may be called like a layer within. */
static const char *
get_own_name (const SymKerasShelf *self, const SymKerasArray *array)
{
  gsize n = self->path == NULL ? 0 : strlen (self->path);

  return n > 0 && strncmp (array->name, self->path, n) == 0 && array->name[n] == '/'
             ? array->name + n + 1
             : array->name;
}

/* A layer that is named further out is meant. */
static GPtrArray *
pick_named (SymKerasShelf *self, const char *layer)
{
  g_autoptr (GArray) mentions = NULL;
  GPtrArray *found = g_ptr_array_new ();
  int best = G_MAXINT;

  if (self->mentions == NULL)
    {
      self->mentions = sym_keras_mentions_new ();
      for (guint i = 0; i < self->arrays->len; i++)
        sym_keras_mentions_add (self->mentions, get_own_name (self, self->arrays->pdata[i]), i);
    }
  mentions = sym_keras_mentions_find (self->mentions, layer);
  for (guint i = 0; i < mentions->len; i++)
    {
      const SymKerasMention *mention = &g_array_index (mentions, SymKerasMention, i);

      if (mention->part > best)
        continue;
      if (mention->part < best)
        g_ptr_array_set_size (found, 0);
      best = mention->part;
      g_ptr_array_add (found, self->arrays->pdata[mention->array]);
    }
  return found;
}

/* A model, or what applies one to each step. */
static gboolean
holds_model (const SymJson *json, const SymKerasLayer *layer)
{
  guint within = sym_json_get_member (json, layer->config, "layer");

  return sym_keras_is_model (json, layer->config) ||
         sym_keras_is_model (json, sym_json_get_member (json, within, "config"));
}

/* The name of a model within is left out in those of its layers, or not. */
static GPtrArray *
pick_layer (SymKerasShelf *self, const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  g_autoptr (GPtrArray) found = pick_named (self, layer->name);

  return found->len == 0 && holds_model (graph->reader->json, layer)
             ? g_ptr_array_ref (self->arrays)
             : g_steal_pointer (&found);
}

/* ---- A model within one of Keras 1 and 2: by order ---- */

/* How many bytes of directories all arrays begin with. */
static gsize
measure_common (const SymKerasShelf *self)
{
  const char *first = get_own_name (self, self->arrays->pdata[0]);
  gsize common = 0;

  for (gsize end = 0; first[end] != '\0'; end++)
    {
      gboolean is_common = first[end] == '/';

      for (guint i = 1; i < self->arrays->len && is_common; i++)
        is_common = strncmp (get_own_name (self, self->arrays->pdata[i]), first, end + 1) == 0;
      if (is_common)
        common = end + 1;
    }
  return common;
}

/* The directory below @common that the weights of one layer are in; "" for none. */
static char *
dup_owner (const SymKerasShelf *self, const SymKerasArray *array, gsize common)
{
  const char *name = get_own_name (self, array) + common;
  const char *slash = strchr (name, '/');

  return slash == NULL ? g_strdup ("") : g_strndup (name, (gsize) (slash - name));
}

/* Weights that are trained stand before those that are not, so that layers which have none of the
 * former, frozen ones among them, come last. */
static GArray *
list_weighted (const SymKerasGraph *graph)
{
  const SymJson *json = graph->reader->json;
  GArray *layers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint late = 0; late < 2; late++)
    for (guint i = 0; i < graph->layers->len; i++)
      {
        const SymKerasLayer *layer = &g_array_index (graph->layers, SymKerasLayer, i);
        Weights weights = look_for_weights (graph, layer);
        gboolean trains = is_trained (json, layer->config);

        if (weights != NO_WEIGHTS && (trains && weights == TRAINED) == !late)
          g_array_append_val (layers, i);
      }
  return layers;
}

static gboolean
has_models (const SymKerasGraph *graph)
{
  for (guint i = 0; i < graph->layers->len; i++)
    if (holds_model (graph->reader->json, &g_array_index (graph->layers, SymKerasLayer, i)))
      return TRUE;
  return FALSE;
}

/* What weights called alike are in, in their order. */
typedef struct {
  char *name;
  GPtrArray *arrays; /* of SymKerasArray, borrowed */
} Owner;

static void
clear_owner (gpointer data)
{
  Owner *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->arrays);
}

/* All arrays are those of one owner if @is_one. */
static GArray *
list_owners (const SymKerasShelf *self, gsize common, gboolean is_one)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *owners = g_array_new (FALSE, FALSE, sizeof (Owner));

  g_array_set_clear_func (owners, clear_owner);
  for (guint i = 0; i < self->arrays->len; i++)
    {
      g_autofree char *name =
          is_one ? g_strdup ("") : dup_owner (self, self->arrays->pdata[i], common);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, name));

      if (place == 0)
        {
          Owner owner = { g_steal_pointer (&name), g_ptr_array_new () };

          g_array_append_val (owners, owner);
          place = owners->len;
          g_hash_table_insert (places, owner.name, GUINT_TO_POINTER (place));
        }
      g_ptr_array_add (g_array_index (owners, Owner, place - 1).arrays, self->arrays->pdata[i]);
    }
  return owners;
}

static gboolean
are_layers (const SymKerasGraph *graph, const GArray *owners)
{
  for (guint i = 0; i < owners->len; i++)
    if (!g_hash_table_contains (graph->names, g_array_index (owners, Owner, i).name))
      return FALSE;
  return TRUE;
}

/* How long "dense_1_2" is without the numbers that Keras and TensorFlow 1 add. */
static gsize
measure_stem (const char *name)
{
  gsize length = strlen (name);

  for (gsize n = length; n > 0; n--)
    if (name[n - 1] == '_' && n < length)
      length = n - 1;
    else if (!g_ascii_isdigit (name[n - 1]))
      break;
  return length;
}

static gboolean
are_numbered_anew (const SymKerasGraph *graph, const GArray *layers, const GArray *owners)
{
  for (guint i = 0; i < layers->len; i++)
    {
      const char *owner = g_array_index (owners, Owner, i).name;
      const char *layer = sym_keras_graph_get_layer (graph, g_array_index (layers, guint, i))->name;
      gsize n = measure_stem (owner);

      if (n != measure_stem (layer) || strncmp (owner, layer, n) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Names of layers are believed wherever they stand in those of arrays; not so if they are there by
 * chance: of dense and dense_1 TensorFlow 1 makes dense_1 and dense_1_1. */
static gboolean
are_named (SymKerasShelf *self,
           const SymKerasGraph *graph,
           const GArray *layers,
           const GArray *owners)
{
  guint n_named = 0;

  for (guint i = 0; i < layers->len; i++)
    {
      guint layer = g_array_index (layers, guint, i);
      g_autoptr (GPtrArray) found =
          pick_named (self, sym_keras_graph_get_layer (graph, layer)->name);

      n_named += found->len > 0;
    }
  return n_named == layers->len || (n_named > 0 && !are_numbered_anew (graph, layers, owners));
}

static void
unref_arrays (gpointer arrays)
{
  if (arrays != NULL)
    g_ptr_array_unref (arrays);
}

/* Where arrays are called after other layers than those that are there, they are paired as Keras
 * does it: those of the first owner with the first layer that has weights. */
static void
pair_arrays (SymKerasShelf *self, const SymKerasGraph *graph)
{
  g_autoptr (GArray) layers = NULL;
  g_autoptr (GArray) owners = NULL;
  gsize common;

  g_clear_pointer (&self->paired, g_ptr_array_unref);
  self->of = graph;
  if (self->weights->order != SYM_KERAS_BY_LAYER || self->arrays->len == 0 || has_models (graph))
    return;
  layers = list_weighted (graph);
  common = measure_common (self);
  owners = list_owners (self, common, layers->len == 1 && common > 0 && are_all_known (graph));
  if (owners->len != layers->len || are_layers (graph, owners) ||
      are_named (self, graph, layers, owners))
    return;
  self->paired = g_ptr_array_new_with_free_func (unref_arrays);
  g_ptr_array_set_size (self->paired, (int) graph->layers->len);
  for (guint i = 0; i < owners->len; i++)
    self->paired->pdata[g_array_index (layers, guint, i)] =
        g_ptr_array_ref (g_array_index (owners, Owner, i).arrays);
}

GPtrArray *
sym_keras_shelf_pick (SymKerasShelf *self, const SymKerasGraph *graph, guint layer)
{
  if (self->of != graph)
    pair_arrays (self, graph);
  if (self->paired == NULL)
    return pick_layer (self, graph, sym_keras_graph_get_layer (graph, layer));
  return self->paired->pdata[layer] == NULL ? g_ptr_array_new ()
                                            : g_ptr_array_ref (self->paired->pdata[layer]);
}
