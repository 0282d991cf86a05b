/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-builder.h"
#include "scene/sym-scene-group.h"

/* The open group around an item; SYM_NO_GROUP for none.  Those in bodies are in none: their calls
 * are of another model. */
static guint
find_frame_group (const SymSceneBuilder *self, const SymSceneItem *item)
{
  SymFolding *folding = self->options->folding;
  SymId call = item->call;

  if (item->body > 0)
    return SYM_NO_GROUP;
  if (item->group != SYM_NO_GROUP)
    call = sym_groups_get_calls (sym_folding_get_groups (folding), item->group).ids[0];
  return call != SYM_NO_ID ? sym_folding_get_frame (folding, call) : SYM_NO_GROUP;
}

static SymSceneFrame
make_frame (SymSceneBuilder *self, guint group)
{
  const SymGroup *what = sym_groups_get (sym_folding_get_groups (self->options->folding), group);
  SymTextStyle style = sym_scene_get_title_text_style ();
  g_autofree char *title = sym_scene_format_frame (what);
  SymSceneFrame frame = { .group = group, .parent = SYM_NO_FRAME };

  frame.title = g_string_chunk_insert_const (self->scene->texts, title);
  frame.title_width = sym_measure_get_width (self->measure, frame.title, &style);
  if (what->parent != SYM_NO_GROUP)
    frame.parent = self->scene->group_frames[what->parent];
  return frame;
}

/* A group comes after that around it. */
void
sym_scene_builder_add_frames (SymSceneBuilder *self)
{
  SymScene *scene = self->scene;
  SymGroups *groups = sym_folding_get_groups (self->options->folding);
  guint n_groups = sym_groups_get_n (groups);

  scene->group_frames = sym_scene_new_indices (n_groups);
  scene->frames = g_new (SymSceneFrame, n_groups + 1);
  for (guint i = 0; i < self->items->len; i++)
    {
      guint group = find_frame_group (self, &g_array_index (self->items, SymSceneItem, i));

      for (; group != SYM_NO_GROUP && scene->group_frames[group] == SYM_NO_FRAME;
           group = sym_groups_get (groups, group)->parent)
        scene->group_frames[group] = 0;
    }
  for (guint i = 0; i < n_groups; i++)
    if (scene->group_frames[i] != SYM_NO_FRAME)
      {
        scene->frames[scene->n_frames] = make_frame (self, i);
        scene->group_frames[i] = scene->n_frames++;
      }
  for (guint i = 0; i < self->items->len; i++)
    {
      SymSceneItem *item = &g_array_index (self->items, SymSceneItem, i);
      guint group = find_frame_group (self, item);

      item->frame = group == SYM_NO_GROUP ? SYM_NO_FRAME : scene->group_frames[group];
    }
}
