/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-leaves.h"

#include <string.h>

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
are_layers (const SymKerasLeaves *leaves, const GArray *owners)
{
  for (guint i = 0; i < owners->len; i++)
    if (!g_hash_table_contains (leaves->names, g_array_index (owners, Owner, i).name))
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
are_numbered_anew (const SymKerasLeaves *leaves, const GArray *owners)
{
  for (guint i = 0; i < leaves->leaves->len; i++)
    {
      const char *owner = g_array_index (owners, Owner, i).name;
      const char *layer = g_array_index (leaves->leaves, SymKerasLeaf, i).name;
      gsize n = measure_stem (owner);

      if (n != measure_stem (layer) || strncmp (owner, layer, n) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_named (SymKerasShelf *self, const char *layer)
{
  g_autoptr (GPtrArray) found = pick_named (self, layer);

  return found->len > 0;
}

static gboolean
are_models_named (SymKerasShelf *self, const SymKerasLeaves *leaves)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, leaves->models);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (is_named (self, name))
      return TRUE;
  return FALSE;
}

/* Names of layers are believed wherever they stand in those of arrays; not so if they are there by
 * chance: of dense and dense_1 TensorFlow 1 makes dense_1 and dense_1_1. */
static gboolean
are_named (SymKerasShelf *self, const SymKerasLeaves *leaves, const GArray *owners)
{
  guint n_named = 0;

  for (guint i = 0; i < leaves->leaves->len; i++)
    n_named += is_named (self, g_array_index (leaves->leaves, SymKerasLeaf, i).name);
  return n_named == leaves->leaves->len || are_models_named (self, leaves) ||
         (n_named > 0 && !are_numbered_anew (leaves, owners));
}

static void
unref_arrays (gpointer arrays)
{
  if (arrays != NULL)
    g_ptr_array_unref (arrays);
}

/* A model within gets those of its layers in the order in which it is to pair them. */
static void
give_arrays (SymKerasShelf *self, guint layer, GPtrArray *arrays)
{
  if (self->paired->pdata[layer] == NULL)
    self->paired->pdata[layer] = g_ptr_array_new ();
  g_ptr_array_extend (self->paired->pdata[layer], arrays, NULL, NULL);
}

static void
pair_leaves (SymKerasShelf *self, const SymKerasLeaves *leaves)
{
  gsize common = measure_common (self);
  g_autoptr (GArray) owners =
      list_owners (self, common, leaves->leaves->len == 1 && common > 0 && leaves->is_known);

  if (owners->len != leaves->leaves->len || are_layers (leaves, owners) ||
      are_named (self, leaves, owners))
    return;
  self->paired = g_ptr_array_new_with_free_func (unref_arrays);
  g_ptr_array_set_size (self->paired, (int) leaves->graph->layers->len);
  for (guint i = 0; i < owners->len; i++)
    give_arrays (self, g_array_index (leaves->leaves, SymKerasLeaf, i).place,
                 g_array_index (owners, Owner, i).arrays);
}

/* Where arrays are called after other layers than those that are there, they are paired as Keras
 * does it: those of the first owner with the first layer that has weights. */
static void
pair_arrays (SymKerasShelf *self, const SymKerasGraph *graph)
{
  g_autoptr (SymKerasLeaves) leaves = NULL;

  g_clear_pointer (&self->paired, g_ptr_array_unref);
  self->of = graph;
  if (self->weights->order != SYM_KERAS_BY_LAYER || self->arrays->len == 0)
    return;
  leaves = sym_keras_leaves_new (graph);
  pair_leaves (self, leaves);
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
