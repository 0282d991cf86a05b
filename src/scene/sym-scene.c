/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-private.h"

#include "core/sym-progress.h"
#include "scene/sym-scene-group.h"

SymScene *
sym_scene_new (SymInference *inference, const SymSceneOptions *options)
{
  static const SymSceneOptions defaults = { 0 };
  SymProgressPart whole;
  SymScene *self;

  g_return_val_if_fail (inference != NULL, NULL);

  options = options ? options : &defaults;
  g_return_val_if_fail (options->folding == NULL ||
                            sym_groups_get_model (sym_folding_get_groups (options->folding)) ==
                                sym_inference_get_model (inference),
                        NULL);

  self = g_new0 (SymScene, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->drawing = options->drawing;
  self->rotated_labels = options->rotated_labels;
  self->sideways = options->sideways;
  self->folding = options->folding ? sym_folding_ref (options->folding) : NULL;
  self->open_bodies = options->open_bodies ? sym_open_bodies_ref (options->open_bodies) : NULL;
  sym_progress_begin (options->cancellable, SYM_STAGE_SCENE);
  whole = sym_progress_enter (options->cancellable, 0, 1);
  sym_scene_build (self, inference, options);
  sym_progress_leave (options->cancellable, whole);
  if (g_cancellable_is_cancelled (options->cancellable))
    g_clear_pointer (&self, sym_scene_unref);
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
  g_clear_pointer (&self->open_bodies, sym_open_bodies_unref);
  g_hash_table_unref (self->body_paths);
  g_ptr_array_unref (self->bodies);
  g_clear_pointer (&self->folding, sym_folding_unref);
  g_free (self->frames);
  g_free (self->group_frames);
  g_free (self->items);
  g_free (self->boxes);
  g_free (self->lines);
  g_free (self->edges);
  g_string_chunk_free (self->texts);
  g_free (self);
}

SymInference *
sym_scene_get_inference (const SymScene *self)
{
  return sym_scene_get_body (self, 0)->inference;
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

SymFolding *
sym_scene_get_folding (const SymScene *self)
{
  return self->folding;
}

guint
sym_scene_get_n_frames (const SymScene *self)
{
  return self->n_frames;
}

const SymSceneFrame *
sym_scene_get_frame (const SymScene *self, guint i)
{
  g_return_val_if_fail (i < self->n_frames, NULL);

  return &self->frames[i];
}

guint
sym_scene_find_frame (const SymScene *self, guint group)
{
  if (!self->folding || group >= sym_groups_get_n (sym_folding_get_groups (self->folding)))
    return SYM_NO_FRAME;
  return self->group_frames[group];
}

static guint
get_depth (const SymScene *self, guint frame)
{
  guint depth = 0;

  for (; frame != SYM_NO_FRAME; frame = self->frames[frame].parent)
    depth++;
  return depth;
}

void
sym_scene_get_ends (const SymScene *self, guint edge, guint *from, guint *to)
{
  guint ends[2] = { self->edges[edge].from, self->edges[edge].to };
  guint frames[2] = { self->items[ends[0]].frame, self->items[ends[1]].frame };
  guint depths[2] = { 0, 0 };

  if (frames[0] != frames[1])
    {
      depths[0] = get_depth (self, frames[0]);
      depths[1] = get_depth (self, frames[1]);
    }
  while (frames[0] != frames[1])
    for (guint deepest = MAX (depths[0], depths[1]), i = 0; i < 2; i++)
      if (depths[i] == deepest)
        {
          ends[i] = self->n_items + frames[i];
          frames[i] = self->frames[frames[i]].parent;
          depths[i]--;
        }
  *from = ends[0];
  *to = ends[1];
}

guint
sym_scene_find_value (const SymScene *self, SymId value)
{
  return sym_scene_find_value_in (self, 0, value);
}

guint
sym_scene_find_call (const SymScene *self, SymId call)
{
  return sym_scene_find_call_in (self, 0, call);
}

void
sym_scene_collect_calls (const SymScene *self, guint item, GArray *calls)
{
  const SymSceneItem *what;

  g_return_if_fail (item < self->n_items);

  what = &self->items[item];
  if (what->body > 0)
    g_array_append_vals (calls, &(SymId){ sym_scene_get_call_around (self, item) }, 1);
  else if (what->call != SYM_NO_ID)
    g_array_append_val (calls, what->call);
  else if (what->group != SYM_NO_GROUP)
    sym_scene_collect_group_calls (self->folding, what->group, calls);
}

guint
sym_scene_get_categories (const SymScene *self)
{
  return self->categories;
}
