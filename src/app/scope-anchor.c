/* SPDX-License-Identifier: MIT */
#include "app/scope-anchor.h"

#include <math.h>

#include "app/scope-place.h"
#include "app/scope-state.h"
#include "draw/sym-draw-grid.h"
#include "scene/sym-scene-body.h"

static SymModel *
get_model (const SymLayout *layout)
{
  return sym_inference_get_model (sym_scene_get_inference (sym_layout_get_scene (layout)));
}

/* A call without results has no name to be found by in another model; bodies are found in their own
 * only. */
static gboolean
find_after (const SymLayout *before, const SymLayout *after, const ScopeNode *node, SymRect *rect)
{
  SymModel *old = get_model (before), *new = get_model (after);
  ScopeNode there = *node;

  if (old != new)
    there = scope_node_get (scope_state_find_same (old, node->value, new), SYM_NO_ID);
  return !scope_node_is_none (&there) && scope_place_find_node (after, &there, rect);
}

static void
set_way (const SymRect *from, const SymRect *to, double *dx, double *dy)
{
  *dx = to->x + to->width / 2 - from->x - from->width / 2;
  *dy = to->y + to->height / 2 - from->y - from->height / 2;
}

/* From the point to the rectangle; 0 within. */
static double
get_distance (const SymRect *rect, double x, double y)
{
  double across = MAX (MAX (rect->x - x, x - rect->x - rect->width), 0);
  double down = MAX (MAX (rect->y - y, y - rect->y - rect->height), 0);

  return hypot (across, down);
}

static gboolean
find_both (const SymLayout *before, const SymLayout *after, guint item, SymRect *from, SymRect *to)
{
  ScopeNode node = scope_place_get_node (sym_layout_get_scene (before), item);

  return scope_place_find_node (before, &node, from) && find_after (before, after, &node, to);
}

gboolean
scope_anchor_find (const SymLayout *before,
                   const SymLayout *after,
                   const ScopeGaze *gaze,
                   double *dx,
                   double *dy)
{
  SymScene *scene = sym_layout_get_scene (before);
  guint n = sym_scene_get_n_items (scene);
  double least = INFINITY;
  SymRect from, to;

  if (scope_place_find_node (before, &gaze->node, &from) &&
      sym_draw_rect_meets (&from, &gaze->visible) && find_after (before, after, &gaze->node, &to))
    {
      set_way (&from, &to, dx, dy);
      return TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPoint corner = sym_layout_get_position (before, i);
      SymRect rect = { corner.x, corner.y, item->width, item->height };
      double distance = get_distance (&rect, gaze->x, gaze->y);

      if (distance >= least || !sym_draw_rect_meets (&rect, &gaze->visible) ||
          !find_both (before, after, i, &from, &to))
        continue;
      least = distance;
      set_way (&from, &to, dx, dy);
    }
  return isfinite (least);
}

/* The title of its frame, or its box. */
static gboolean
find_group (const SymLayout *layout, guint group, SymRect *rect)
{
  SymScene *scene = sym_layout_get_scene (layout);
  SymGroups *groups = sym_folding_get_groups (sym_scene_get_folding (scene));
  guint frame = sym_scene_find_frame (scene, group);
  guint item = sym_scene_find_call (scene, sym_groups_get_calls (groups, group).ids[0]);

  if (frame != SYM_NO_FRAME)
    {
      *rect = sym_layout_get_frame_title_rect (layout, frame);
      return TRUE;
    }
  if (item == G_MAXUINT || sym_scene_get_item (scene, item)->group == SYM_NO_GROUP)
    return FALSE;
  SymPoint corner = sym_layout_get_position (layout, item);
  SymRect box = sym_scene_get_item (scene, item)->boxes[0].rect;

  *rect = (SymRect){ corner.x + box.x, corner.y + box.y, box.width, box.height };
  return TRUE;
}

gboolean
scope_anchor_find_group (const SymLayout *before,
                         const SymLayout *after,
                         guint group,
                         const SymRect *visible,
                         double *dx,
                         double *dy)
{
  SymFolding *old = sym_scene_get_folding (sym_layout_get_scene (before));
  SymFolding *new = sym_scene_get_folding (sym_layout_get_scene (after));
  SymRect from, to;

  if (old == NULL || new == NULL || sym_folding_get_groups (old) != sym_folding_get_groups (new) ||
      !find_group (before, group, &from) || !find_group (after, group, &to) ||
      !sym_draw_rect_meets (&from, visible))
    return FALSE;
  *dx = to.x - from.x;
  *dy = to.y - from.y;
  return TRUE;
}

static gboolean
find_layer (const SymLayout *layout, const char *call_path, SymRect *rect)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint item = sym_scene_find_call_path (scene, call_path);

  if (item == G_MAXUINT || sym_scene_get_item (scene, item)->group != SYM_NO_GROUP)
    return FALSE;
  SymPoint corner = sym_layout_get_position (layout, item);
  SymRect box = sym_scene_get_item (scene, item)->boxes[0].rect;

  *rect = (SymRect){ corner.x + box.x, corner.y + box.y, box.width, box.height };
  return TRUE;
}

/* Puts the title of a body in place of the box when it is nearer to where the eye is. */
static void
choose_title (const SymLayout *layout, const char *call_path, const ScopeGaze *gaze, SymRect *rect)
{
  SymScene *scene = sym_layout_get_scene (layout);
  double least = get_distance (rect, gaze->x, gaze->y);
  guint n = sym_scene_get_n_frames (scene);

  for (guint i = 0; i < n; i++)
    {
      guint body = sym_scene_get_frame (scene, i)->body;
      SymRect title = sym_layout_get_frame_title_rect (layout, i);
      double distance = get_distance (&title, gaze->x, gaze->y);
      g_autofree char *path =
          body > 0 ? sym_path_leave_body (sym_scene_get_body (scene, body)->path) : NULL;

      if (g_strcmp0 (path, call_path) != 0 || distance >= least)
        continue;
      least = distance;
      *rect = title;
    }
}

gboolean
scope_anchor_find_layer (const SymLayout *before,
                         const SymLayout *after,
                         const char *call_path,
                         const ScopeGaze *gaze,
                         double *dx,
                         double *dy)
{
  SymOpenBodies *now = sym_scene_get_open_bodies (sym_layout_get_scene (after));
  SymRect from, to;

  if (get_model (before) != get_model (after) || now == NULL ||
      !find_layer (before, call_path, &from) || !find_layer (after, call_path, &to))
    return FALSE;
  if (!sym_open_bodies_has (now, call_path))
    choose_title (before, call_path, gaze, &from);
  if (!sym_draw_rect_meets (&from, &gaze->visible))
    return FALSE;
  *dx = to.x - from.x;
  *dy = to.y - from.y;
  return TRUE;
}
