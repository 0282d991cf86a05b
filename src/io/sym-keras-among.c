/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include <string.h>

gboolean
sym_keras_may_have_weights (const SymKerasGraph *graph, const SymKerasLayer *layer)
{
  static const char *const wrappers[] = { "Bidirectional", "RNN", "SpectralNormalization",
                                          "TimeDistributed", NULL };
  const SymOperator *op = sym_keras_find_operator (graph->reader, layer->token, layer->type);

  if (sym_keras_is_model (graph->reader->json, layer->config) ||
      g_strv_contains (wrappers, layer->type))
    return TRUE;
  for (guint i = 0; op != NULL && op->slots != NULL && op->slots[i].name != NULL; i++)
    if (op->slots[i].kind != SYM_SLOT_DATA)
      return TRUE;
  return FALSE;
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

/* Weights that are trained stand before those that are not, so that frozen layers come last. */
static GArray *
list_weighted (const SymKerasGraph *graph)
{
  const SymJson *json = graph->reader->json;
  GArray *layers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint frozen = 0; frozen < 2; frozen++)
    for (guint i = 0; i < graph->layers->len; i++)
      {
        const SymKerasLayer *layer = &g_array_index (graph->layers, SymKerasLayer, i);
        gboolean trains = TRUE;

        sym_json_get_bool (json, sym_json_get_member (json, layer->config, "trainable"), &trains);
        if (trains == !frozen && sym_keras_may_have_weights (graph, layer))
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

static gboolean
are_known (const SymKerasGraph *graph, GHashTable *owners)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, owners);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (graph->names, name))
      return FALSE;
  return TRUE;
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
  g_autoptr (GHashTable) seen = NULL;
  g_autoptr (GPtrArray) owners = NULL;
  gsize common;

  g_clear_pointer (&self->paired, g_ptr_array_unref);
  self->of = graph;
  if (self->weights->order != SYM_KERAS_BY_LAYER || self->arrays->len == 0 || has_models (graph))
    return;
  layers = list_weighted (graph);
  common = measure_common (self);
  seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  owners = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < self->arrays->len; i++)
    {
      g_autofree char *owner = layers->len == 1 && common > 0
                                   ? g_strdup ("")
                                   : dup_owner (self, self->arrays->pdata[i], common);
      GPtrArray *arrays = g_hash_table_lookup (seen, owner);

      if (arrays == NULL)
        {
          arrays = g_ptr_array_new ();
          g_ptr_array_add (owners, arrays);
          g_hash_table_insert (seen, g_strdup (owner), arrays);
        }
      g_ptr_array_add (arrays, self->arrays->pdata[i]);
    }
  if (owners->len != layers->len || are_known (graph, seen))
    return;
  self->paired = g_ptr_array_new_with_free_func (unref_arrays);
  g_ptr_array_set_size (self->paired, (int) graph->layers->len);
  for (guint i = 0; i < owners->len; i++)
    self->paired->pdata[g_array_index (layers, guint, i)] = g_ptr_array_ref (owners->pdata[i]);
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
