/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-private.h"

#include <string.h>

#define MAX_LAYERS 1000000

static void
clear_ref (gpointer data)
{
  SymKerasRef *ref = data;

  g_free (ref->name);
  g_free (ref->keyword);
}

static void
clear_layer (gpointer data)
{
  SymKerasLayer *layer = data;

  g_free (layer->name);
  g_free (layer->type);
  g_clear_pointer (&layer->layer, sym_layer_unref);
  g_clear_pointer (&layer->parameters, g_array_unref);
}

static GArray *
new_refs (void)
{
  GArray *refs = g_array_new (FALSE, FALSE, sizeof (SymKerasRef));

  g_array_set_clear_func (refs, clear_ref);
  return refs;
}

void
sym_keras_graph_free (SymKerasGraph *self)
{
  g_hash_table_unref (self->names);
  g_array_unref (self->layers);
  g_array_unref (self->nodes);
  g_array_unref (self->refs);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_free (self);
}

SymKerasLayer *
sym_keras_graph_get_layer (const SymKerasGraph *self, guint i)
{
  return &g_array_index (self->layers, SymKerasLayer, i);
}

SymKerasNode *
sym_keras_graph_get_node (const SymKerasGraph *self, guint i)
{
  return &g_array_index (self->nodes, SymKerasNode, i);
}

SymKerasRef *
sym_keras_graph_get_ref (const SymKerasGraph *self, guint i)
{
  return &g_array_index (self->refs, SymKerasRef, i);
}

static void
add_node (SymKerasGraph *self, guint layer, guint token, guint first_ref)
{
  SymKerasNode node = { layer, token, first_ref, self->refs->len - first_ref, -1, SYM_NO_ID };

  g_array_append_val (self->nodes, node);
  sym_keras_graph_get_layer (self, layer)->n_nodes++;
}

/* ---- Layers ---- */

static char *
read_name (const SymJson *json, guint token, guint config, guint place)
{
  char *name = sym_json_dup_string (json, sym_json_get_member (json, config, "name"));
  char *outer = sym_json_dup_string (json, sym_json_get_member (json, token, "name"));

  if (outer != NULL)
    {
      g_free (name);
      return outer;
    }
  return name != NULL ? name : g_strdup_printf ("layer_%u", place + 1);
}

static gboolean
add_layer (SymKerasGraph *self, guint token, GError **error)
{
  SymKerasReader *reader = self->reader;
  const SymJson *json = reader->json;
  guint type = sym_json_get_member (json, token, "class_name");
  SymKerasLayer layer = {
    .token = token,
    .config = sym_json_get_member (json, token, "config"),
    .first_node = self->nodes->len,
    .n_results = 1,
    .input = SYM_NO_ID,
  };

  if (!sym_json_expect (json, token, SYM_JSON_OBJECT, "layer", error) ||
      !sym_json_expect (json, type, SYM_JSON_STRING, "class_name", error))
    return FALSE;
  if (++reader->n_layers > MAX_LAYERS)
    return sym_json_fail (json, token, error, "there are more than %d layers", MAX_LAYERS);
  layer.name = read_name (json, token, layer.config, self->layers->len);
  layer.type = sym_json_dup_string (json, type);
  layer.is_input = strcmp (layer.type, "InputLayer") == 0;
  if (!g_hash_table_contains (self->names, layer.name))
    g_hash_table_insert (self->names, g_strdup (layer.name),
                         GUINT_TO_POINTER (self->layers->len + 1));
  else
    sym_problems_add (reader->source->problems, SYM_SEVERITY_ERROR, sym_json_get_line (json, token),
                      SYM_NO_ID, SYM_NO_ID,
                      "two layers are called “%s”: tensors of that name are those of the first",
                      layer.name);
  g_array_append_val (self->layers, layer);
  return TRUE;
}

/* ---- Sequences ---- */

/* Each layer is applied to what the one before it makes. */
static void
chain (SymKerasGraph *self, guint layer, const char *before)
{
  guint first = self->refs->len;

  if (before != NULL)
    {
      SymKerasRef ref = { .name = g_strdup (before),
                          .layer = SYM_JSON_NONE,
                          .token = sym_keras_graph_get_layer (self, layer)->token,
                          .shape = SYM_JSON_NONE };

      g_array_append_val (self->refs, ref);
    }
  add_node (self, layer, SYM_JSON_NONE, first);
}

/* A Merge of Keras 1 comes with the models that it joins, each with an input of its own. */
static gboolean
add_branches (SymKerasGraph *self, guint branches, guint *first, GError **error)
{
  *first = self->layers->len;
  for (SymJsonIter i = sym_json_iterate (self->reader->json, branches);
       sym_json_iter_next (self->reader->json, &i);)
    {
      if (!add_layer (self, i.value, error))
        return FALSE;
      chain (self, self->layers->len - 1, NULL);
    }
  return TRUE;
}

static void
join_branches (SymKerasGraph *self, guint layer, guint first)
{
  guint start = self->refs->len;

  for (guint i = first; i < layer; i++)
    {
      SymKerasRef ref = { .name = g_strdup (sym_keras_graph_get_layer (self, i)->name),
                          .layer = SYM_JSON_NONE,
                          .token = sym_keras_graph_get_layer (self, layer)->token,
                          .shape = SYM_JSON_NONE };

      g_array_append_val (self->refs, ref);
    }
  add_node (self, layer, SYM_JSON_NONE, start);
}

static gboolean
read_sequence (SymKerasGraph *self, guint layers, GError **error)
{
  const SymJson *json = self->reader->json;
  g_autofree char *last = NULL;

  self->is_sequence = TRUE;
  for (SymJsonIter i = sym_json_iterate (json, layers); sym_json_iter_next (json, &i);)
    {
      guint config = sym_json_get_member (json, i.value, "config"), first = 0;
      guint branches = sym_json_get_member (json, config, "layers");
      gboolean joins =
          last == NULL && sym_json_get_kind (json, branches) == SYM_JSON_ARRAY &&
          sym_json_string_equals (json, sym_json_get_member (json, i.value, "class_name"), "Merge");

      if ((joins && !add_branches (self, branches, &first, error)) ||
          !add_layer (self, i.value, error))
        return FALSE;
      if (joins)
        join_branches (self, self->layers->len - 1, first);
      else
        chain (self, self->layers->len - 1, last);
      g_free (last);
      last = g_strdup (sym_keras_graph_get_layer (self, self->layers->len - 1)->name);
    }
  if (last != NULL)
    {
      SymKerasRef ref = { .name = g_steal_pointer (&last),
                          .layer = SYM_JSON_NONE,
                          .token = layers,
                          .shape = SYM_JSON_NONE };

      g_array_append_val (self->outputs, ref);
    }
  return TRUE;
}

/* ---- Functional models ---- */

/* A list with an entry for each application, or one application of one tensor: ["conv", 0, 0, {}].
 */
static void
read_nodes (SymKerasGraph *self, guint layer, guint nodes)
{
  const SymJson *json = self->reader->json;
  guint first = self->refs->len;

  if (sym_json_get_kind (json, sym_json_get_element (json, nodes, 0)) == SYM_JSON_STRING)
    {
      sym_keras_collect_refs (self->reader, nodes, NULL, self->refs);
      add_node (self, layer, nodes, first);
      return;
    }
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      first = self->refs->len;
      sym_keras_collect_refs (self->reader, i.value, NULL, self->refs);
      add_node (self, layer, i.value, first);
    }
}

static gboolean
read_functional (SymKerasGraph *self, guint config, guint layers, GError **error)
{
  const SymJson *json = self->reader->json;

  for (SymJsonIter i = sym_json_iterate (json, layers); sym_json_iter_next (json, &i);)
    {
      guint nodes = sym_json_get_member (json, i.value, "inbound_nodes");

      if (!add_layer (self, i.value, error))
        return FALSE;
      if (nodes != SYM_JSON_NONE &&
          !sym_json_expect (json, nodes, SYM_JSON_ARRAY, "inbound_nodes", error))
        return FALSE;
      if (sym_keras_graph_get_layer (self, self->layers->len - 1)->is_input)
        add_node (self, self->layers->len - 1, SYM_JSON_NONE, self->refs->len);
      else
        read_nodes (self, self->layers->len - 1, nodes);
    }
  sym_keras_collect_refs (self->reader, sym_json_get_member (json, config, "input_layers"), NULL,
                          self->inputs);
  sym_keras_collect_refs (self->reader, sym_json_get_member (json, config, "output_layers"), NULL,
                          self->outputs);
  return TRUE;
}

/* Nodes, or without any layer what comes out: a sequence does not tell that. */
static gboolean
is_functional (const SymJson *json, guint config, guint layers)
{
  if (sym_json_count (json, layers) == 0)
    return sym_json_get_member (json, config, "output_layers") != SYM_JSON_NONE;
  for (SymJsonIter i = sym_json_iterate (json, layers); sym_json_iter_next (json, &i);)
    if (sym_json_get_member (json, i.value, "inbound_nodes") != SYM_JSON_NONE)
      return TRUE;
  return FALSE;
}

/* ---- Names to layers ---- */

static void
complain (SymKerasGraph *self, const SymKerasRef *ref, const char *what)
{
  sym_problems_add (self->reader->source->problems, SYM_SEVERITY_ERROR,
                    sym_json_get_line (self->reader->json, ref->token), SYM_NO_ID, SYM_NO_ID,
                    "“%s” %s", ref->name, what);
}

/* Which nodes of a layer others name: the lowest, and whether the one behind the last. */
typedef struct {
  guint lowest;
  gboolean is_end;
} Named;

/* Keras 1 and 2, and TensorFlow.js, count the nodes of a model within a model from 1: its own
 * making was the first.  As each node that is saved is named by somebody, the highest number tells
 * which way a file counts.  Keras 3 counts those within its tensors from 0, and only the outputs of
 * the whole from 1, where Sequential is no Functional.  In a file that counts from 0 and yet names
 * the one behind the last, the last is meant. */
static guint
get_first (SymKerasGraph *self,
           const SymKerasLayer *layer,
           Named named,
           guint node,
           gboolean is_modern_end)
{
  if (!sym_keras_is_model (self->reader->json, layer->config))
    return 0;
  if (named.lowest == 0)
    return node > 0 && node == layer->n_nodes;
  return named.is_end || (is_modern_end && strcmp (layer->type, "Sequential") != 0);
}

static void
resolve (SymKerasGraph *self, SymKerasRef *ref, guint place, guint first)
{
  SymKerasLayer *layer;

  if (ref->name == NULL)
    return;
  if (place == SYM_JSON_NONE)
    {
      complain (self, ref, "is named as the source of a tensor, but is no layer here");
      return;
    }
  layer = sym_keras_graph_get_layer (self, place);
  if (ref->node < first || ref->node - first >= layer->n_nodes || ref->tensor > 1000)
    {
      complain (self, ref,
                "has no such output: the layer is not applied so often, or makes "
                "fewer tensors");
      return;
    }
  ref->node -= first;
  ref->layer = place;
  layer->n_results = MAX (layer->n_results, ref->tensor + 1);
}

static guint
find_place (SymKerasGraph *self, const SymKerasRef *ref)
{
  guint place =
      ref->name == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->names, ref->name));

  return place == 0 ? SYM_JSON_NONE : place - 1;
}

/* What names nodes in one way of counting. */
static void
resolve_lists (SymKerasGraph *self, GArray *const *lists, guint n_lists, gboolean is_modern_end)
{
  g_autofree Named *named = g_new (Named, MAX (self->layers->len, 1));

  for (guint i = 0; i < self->layers->len; i++)
    named[i] = (Named){ .lowest = G_MAXUINT };
  for (guint k = 0; k < n_lists; k++)
    for (guint i = 0; i < lists[k]->len; i++)
      {
        const SymKerasRef *ref = &g_array_index (lists[k], SymKerasRef, i);
        guint place = find_place (self, ref);

        if (place == SYM_JSON_NONE)
          continue;
        named[place].lowest = MIN (named[place].lowest, ref->node);
        named[place].is_end |= ref->node == sym_keras_graph_get_layer (self, place)->n_nodes;
      }
  for (guint k = 0; k < n_lists; k++)
    for (guint i = 0; i < lists[k]->len; i++)
      {
        SymKerasRef *ref = &g_array_index (lists[k], SymKerasRef, i);
        guint place = find_place (self, ref);
        guint first = place == SYM_JSON_NONE
                          ? 0
                          : get_first (self, sym_keras_graph_get_layer (self, place), named[place],
                                       ref->node, is_modern_end);

        resolve (self, ref, place, first);
      }
}

static void
resolve_all (SymKerasGraph *self)
{
  GArray *lists[] = { self->refs, self->inputs, self->outputs };
  gboolean is_modern = FALSE;

  for (guint i = 0; i < self->refs->len && !is_modern; i++)
    is_modern = g_array_index (self->refs, SymKerasRef, i).shape != SYM_JSON_NONE;
  resolve_lists (self, lists, is_modern ? 2 : 3, FALSE);
  if (is_modern)
    resolve_lists (self, lists + 2, 1, TRUE);
}

/* ---- Masks ---- */

/* Layers whose result has the mask of what they are applied to. */
static gboolean
passes_mask (SymKerasReader *reader, const SymKerasLayer *layer)
{
  static const char *const others[] = { "Dense", "TimeDistributed", "Lambda", NULL };
  const SymOperator *op = sym_keras_find_operator (reader, layer->token, layer->type);
  guint sequences = sym_json_get_member (reader->json, layer->config, "return_sequences");
  gboolean all = FALSE;

  if (op == NULL && strcmp (layer->type, "RNN") != 0)
    return FALSE;
  if (sym_json_get_bool (reader->json, sequences, &all))
    return all;
  if (op == NULL || strcmp (op->domain, "keras.ops") == 0)
    return FALSE;
  return op->category == SYM_CATEGORY_ACTIVATION || op->category == SYM_CATEGORY_NORMALIZATION ||
         op->category == SYM_CATEGORY_MERGE || g_strv_contains (others, layer->type);
}

static gboolean
makes_mask (SymKerasReader *reader, const SymKerasLayer *layer)
{
  gboolean masks = FALSE;

  if (strcmp (layer->type, "Masking") == 0)
    return TRUE;
  return strcmp (layer->type, "Embedding") == 0 &&
         sym_json_get_bool (reader->json,
                            sym_json_get_member (reader->json, layer->config, "mask_zero"),
                            &masks) &&
         masks;
}

/* Bidirectional asks the layer within. */
static gboolean
wrapped_passes (SymKerasReader *reader, const SymKerasLayer *layer)
{
  guint inner = sym_json_get_member (reader->json, layer->config, "layer");
  guint config = sym_json_get_member (reader->json, inner, "config");
  gboolean all = FALSE;

  return strcmp (layer->type, "Bidirectional") == 0 &&
         sym_json_get_bool (reader->json,
                            sym_json_get_member (reader->json, config, "return_sequences"), &all) &&
         all;
}

/* The mask of what node @i is applied to: of the first operand that has one. */
static int
find_mask (SymKerasGraph *self, guint i)
{
  SymKerasNode *node = sym_keras_graph_get_node (self, i);

  for (guint k = 0; k < node->n_refs; k++)
    {
      SymKerasRef *ref = sym_keras_graph_get_ref (self, node->first_ref + k);
      guint from = ref->layer == SYM_JSON_NONE
                       ? i
                       : sym_keras_graph_get_layer (self, ref->layer)->first_node + ref->node;

      if (from < i && sym_keras_graph_get_node (self, from)->mask >= 0)
        return sym_keras_graph_get_node (self, from)->mask;
    }
  return -1;
}

static void
find_masks (SymKerasGraph *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      SymKerasNode *node = sym_keras_graph_get_node (self, i);
      const SymKerasLayer *layer = sym_keras_graph_get_layer (self, node->layer);

      if (makes_mask (self->reader, layer))
        node->mask = (int) i;
      else if (find_mask (self, i) >= 0 &&
               (passes_mask (self->reader, layer) || wrapped_passes (self->reader, layer)))
        node->mask = find_mask (self, i);
    }
}

SymKerasGraph *
sym_keras_graph_new (SymKerasReader *reader, guint config, GError **error)
{
  const SymJson *json = reader->json;
  SymKerasGraph *self = g_new0 (SymKerasGraph, 1);
  guint layers = sym_json_get_kind (json, config) == SYM_JSON_ARRAY
                     ? config
                     : sym_json_get_member (json, config, "layers");
  gboolean done;

  self->reader = reader;
  self->layers = g_array_new (FALSE, FALSE, sizeof (SymKerasLayer));
  g_array_set_clear_func (self->layers, clear_layer);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (SymKerasNode));
  self->refs = new_refs ();
  self->inputs = new_refs ();
  self->outputs = new_refs ();
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  done = sym_json_expect (json, layers, SYM_JSON_ARRAY, "layers", error) &&
         (is_functional (json, config, layers) ? read_functional (self, config, layers, error)
                                               : read_sequence (self, layers, error));
  if (!done)
    {
      sym_keras_graph_free (self);
      return NULL;
    }
  resolve_all (self);
  find_masks (self);
  return self;
}
