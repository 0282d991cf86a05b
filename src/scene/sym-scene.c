/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-private.h"

SymScene *
sym_scene_new (SymInference *inference, const SymSceneOptions *options)
{
  static const SymSceneOptions defaults = { 0 };
  SymScene *self;

  g_return_val_if_fail (inference != NULL, NULL);

  options = options ? options : &defaults;
  self = g_new0 (SymScene, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->inference = sym_inference_ref (inference);
  self->drawing = options->drawing;
  self->rotated_labels = options->rotated_labels;
  self->sideways = options->sideways;
  sym_scene_build (self, options);
  return self;
}

SymScene *
sym_scene_ref (SymScene *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_scene_unref (SymScene *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_inference_unref (self->inference);
  g_free (self->items);
  g_free (self->boxes);
  g_free (self->lines);
  g_free (self->edges);
  g_string_chunk_free (self->texts);
  g_free (self->value_items);
  g_free (self->call_items);
  g_free (self);
}

SymInference *
sym_scene_get_inference (const SymScene *self)
{
  return self->inference;
}

SymDrawing
sym_scene_get_drawing (const SymScene *self)
{
  return self->drawing;
}

gboolean
sym_scene_get_rotated_labels (const SymScene *self)
{
  return self->rotated_labels;
}

gboolean
sym_scene_get_sideways (const SymScene *self)
{
  return self->sideways;
}

guint
sym_scene_get_n_items (const SymScene *self)
{
  return self->n_items;
}

const SymSceneItem *
sym_scene_get_item (const SymScene *self, guint i)
{
  g_return_val_if_fail (i < self->n_items, NULL);

  return &self->items[i];
}

guint
sym_scene_get_n_edges (const SymScene *self)
{
  return self->n_edges;
}

const SymSceneEdge *
sym_scene_get_edge (const SymScene *self, guint i)
{
  g_return_val_if_fail (i < self->n_edges, NULL);

  return &self->edges[i];
}

guint
sym_scene_find_value (const SymScene *self, SymId value)
{
  const SymModel *model = sym_inference_get_model (self->inference);

  return value < sym_model_get_n_values (model) ? self->value_items[value] : G_MAXUINT;
}

guint
sym_scene_find_call (const SymScene *self, SymId call)
{
  const SymModel *model = sym_inference_get_model (self->inference);

  return call < sym_model_get_n_calls (model) ? self->call_items[call] : G_MAXUINT;
}

guint
sym_scene_get_categories (const SymScene *self)
{
  return self->categories;
}
