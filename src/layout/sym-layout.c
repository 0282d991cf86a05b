/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-frame.h"

#include "core/sym-progress.h"

/* What of the time is over when the parts are known, and when they are laid out. */
#define SHARE_BEFORE 0.1
#define SHARE_PARTS 0.9

struct _SymLayout {
  gatomicrefcount ref_count;
  SymScene *scene;
  SymDirection direction;
  double width, height;
  char *message;
  SymPoint *positions;  /* by item */
  guint *course_starts; /* by edge, and one more */
  SymPoint *points;
  SymPickGrid *grid;
  SymRect *frames;
  SymFrameCache *cache;
};

static SymPoint
turn (SymPoint point, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? point : (SymPoint){ point.y, point.x };
}

static void
take_positions (SymLayout *self, const SymPart *part)
{
  for (guint i = 0; i < part->n_items; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (self->scene, part->items[i]);
      SymPoint middle = turn ((SymPoint){ part->x[i], part->y[i] }, self->direction);

      self->positions[part->items[i]] = (SymPoint){ part->left + middle.x - item->width / 2,
                                                    part->top + middle.y - item->height / 2 };
    }
}

static void
count_points (SymLayout *self, const SymPart *part)
{
  for (guint i = 0; i < part->n_links; i++)
    self->course_starts[part->links[i].edge + 1] =
        part->course_starts[i + 1] - part->course_starts[i];
}

static void
take_points (SymLayout *self, const SymPart *part)
{
  for (guint i = 0; i < part->n_links; i++)
    {
      SymPoint *points = self->points + self->course_starts[part->links[i].edge];

      for (guint k = part->course_starts[i]; k < part->course_starts[i + 1]; k++)
        {
          SymPoint point = turn (part->course_points[k], self->direction);

          *points++ = (SymPoint){ part->left + point.x, part->top + point.y };
        }
    }
}

/* Of a part that is all there is, whose links are the edges in their order: most drawings, and the
 * most that a layout has in memory. */
static void
steal_courses (SymLayout *self, SymPart *part)
{
  self->course_starts = g_steal_pointer (&part->course_starts);
  self->points = g_steal_pointer (&part->course_points);
  for (guint i = 0; i < self->course_starts[part->n_links]; i++)
    {
      SymPoint point = turn (self->points[i], self->direction);

      self->points[i] = (SymPoint){ part->left + point.x, part->top + point.y };
    }
}

static void
take_courses (SymLayout *self, GPtrArray *parts)
{
  guint n_edges = sym_scene_get_n_edges (self->scene);

  self->course_starts = g_new0 (guint, n_edges + 1);
  for (guint i = 0; i < parts->len; i++)
    count_points (self, parts->pdata[i]);
  for (guint i = 0; i < n_edges; i++)
    self->course_starts[i + 1] += self->course_starts[i];
  self->points = g_new (SymPoint, self->course_starts[n_edges] + 1);
  for (guint i = 0; i < parts->len; i++)
    take_points (self, parts->pdata[i]);
}

static void
assemble (SymLayout *self, GPtrArray *parts)
{
  sym_parts_pack (parts, self->direction, &self->width, &self->height);
  self->positions = g_new0 (SymPoint, sym_scene_get_n_items (self->scene) + 1);
  for (guint i = 0; i < parts->len; i++)
    take_positions (self, parts->pdata[i]);
  if (parts->len == 1)
    steal_courses (self, parts->pdata[0]);
  else
    take_courses (self, parts);
  self->grid = sym_pick_grid_new (self->scene, self->positions, self->width, self->height);
}

/* What has frames is joined from the insides of these. */
static void
assemble_tree (SymLayout *self, const SymFrameTree *tree)
{
  guint n_edges = sym_scene_get_n_edges (self->scene);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (SymPoint));

  sym_parts_pack (tree->parts, self->direction, &self->width, &self->height);
  self->positions = g_new0 (SymPoint, sym_scene_get_n_items (self->scene) + 1);
  self->frames = g_new0 (SymRect, sym_scene_get_n_frames (self->scene) + 1);
  self->course_starts = g_new0 (guint, n_edges + 1);
  sym_frame_tree_place (tree, self->direction, self->positions, self->frames);
  sym_frame_tree_join (tree, self->direction, self->frames, self->course_starts, points);
  self->points = (gpointer) g_array_free (points, FALSE);
  self->grid = sym_pick_grid_new (self->scene, self->positions, self->width, self->height);
}

/* The room that any line may need. */
static double
get_rank_gap (const SymScene *scene, SymDirection direction)
{
  double gap = SYM_LAYOUT_RANK_GAP;

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    gap = MAX (gap, sym_layout_get_gap (sym_scene_get_edge (scene, i), direction));
  return gap;
}

static void
set_cancelled (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The layout was cancelled");
}

static gboolean
lay_out_parts (SymLayoutEngine *engine,
               GPtrArray *parts,
               double rank_gap,
               GCancellable *cancellable,
               GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    {
      const SymPart *part = parts->pdata[i];

      sym_layout_engine_expect (engine, part->n_items, part->n_links);
    }
  for (guint i = 0; i < parts->len; i++)
    if (!sym_layout_engine_run (engine, parts->pdata[i], rank_gap, cancellable))
      {
        set_cancelled (error);
        return FALSE;
      }
  return TRUE;
}

/* Without frames everything is laid out at once. */
static gboolean
lay_out_flat (SymLayout *self, SymLayoutEngine *engine, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) parts = sym_parts_new (self->scene, self->direction);
  SymProgressPart whole = sym_progress_enter (cancellable, SHARE_BEFORE, SHARE_PARTS);

  if (!lay_out_parts (engine, parts, get_rank_gap (self->scene, self->direction), cancellable,
                      error))
    return FALSE;
  sym_progress_leave (cancellable, whole);
  assemble (self, parts);
  return TRUE;
}

static gboolean
lay_out_frames (SymLayout *self, SymLayoutEngine *engine, GCancellable *cancellable, GError **error)
{
  SymProgressPart whole = sym_progress_enter (cancellable, SHARE_BEFORE, SHARE_PARTS);
  g_autoptr (SymFrameTree) tree =
      sym_frame_tree_new (self->scene, self->direction, get_rank_gap (self->scene, self->direction),
                          self->cache, engine, cancellable);

  if (!tree)
    {
      set_cancelled (error);
      return FALSE;
    }
  sym_progress_leave (cancellable, whole);
  assemble_tree (self, tree);
  return TRUE;
}

SymLayout *
sym_layout_new (SymScene *scene,
                const SymLayoutOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (SymLayout) self = NULL;
  g_autoptr (SymLayoutEngine) engine = NULL;
  SymProgressPart whole;

  g_return_val_if_fail (scene != NULL, NULL);

  sym_progress_begin (cancellable, SYM_STAGE_LAYOUT);
  whole = sym_progress_enter (cancellable, 0, 1);
  engine = sym_layout_engine_new ();
  self = g_new0 (SymLayout, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->scene = sym_scene_ref (scene);
  self->direction = options ? options->direction : SYM_DIRECTION_DOWN;
  self->cache =
      sym_frame_cache_new (options && options->previous ? options->previous->cache : NULL);
  if (sym_scene_get_n_frames (scene) > 0 ? !lay_out_frames (self, engine, cancellable, error)
                                         : !lay_out_flat (self, engine, cancellable, error))
    return NULL;
  self->message = sym_layout_engine_steal_message (engine);
  sym_progress_leave (cancellable, whole);
  return g_steal_pointer (&self);
}

SymLayout *
sym_layout_ref (SymLayout *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_layout_unref (SymLayout *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_scene_unref (self->scene);
  g_clear_pointer (&self->grid, sym_pick_grid_free);
  sym_frame_cache_free (self->cache);
  g_free (self->frames);
  g_free (self->message);
  g_free (self->positions);
  g_free (self->course_starts);
  g_free (self->points);
  g_free (self);
}

SymScene *
sym_layout_get_scene (const SymLayout *self)
{
  return self->scene;
}

SymDirection
sym_layout_get_direction (const SymLayout *self)
{
  return self->direction;
}

double
sym_layout_get_width (const SymLayout *self)
{
  return self->width;
}

double
sym_layout_get_height (const SymLayout *self)
{
  return self->height;
}

const char *
sym_layout_get_message (const SymLayout *self)
{
  return self->message;
}

SymPoint
sym_layout_get_position (const SymLayout *self, guint item)
{
  g_return_val_if_fail (item < sym_scene_get_n_items (self->scene), ((SymPoint){ 0, 0 }));

  return self->positions[item];
}

SymRect
sym_layout_get_frame_rect (const SymLayout *self, guint frame)
{
  g_return_val_if_fail (frame < sym_scene_get_n_frames (self->scene), ((SymRect){ 0 }));

  return self->frames[frame];
}

SymRect
sym_layout_get_frame_title_rect (const SymLayout *self, guint frame)
{
  const SymRect *rect;

  g_return_val_if_fail (frame < sym_scene_get_n_frames (self->scene), ((SymRect){ 0 }));

  rect = &self->frames[frame];
  return (SymRect){ rect->x, rect->y,
                    SYM_LAYOUT_TITLE_LEFT + sym_scene_get_frame (self->scene, frame)->title_width,
                    SYM_LAYOUT_TITLE_HEIGHT };
}

const SymPoint *
sym_layout_get_course (const SymLayout *self, guint edge, guint *n_points)
{
  g_return_val_if_fail (edge < sym_scene_get_n_edges (self->scene), NULL);

  *n_points = self->course_starts[edge + 1] - self->course_starts[edge];
  return self->points + self->course_starts[edge];
}

static guint
find_box (const SymSceneItem *item, double x, double y)
{
  for (guint i = 0; i < item->n_boxes; i++)
    {
      const SymRect *rect = &item->boxes[i].rect;

      if (x >= rect->x && x <= rect->x + rect->width && y >= rect->y && y <= rect->y + rect->height)
        return i;
    }
  return G_MAXUINT;
}

guint
sym_layout_pick (const SymLayout *self, double x, double y, guint *box)
{
  guint i = sym_pick_grid_find (self->grid, self->scene, self->positions, (SymPoint){ x, y });

  if (box)
    *box = i == G_MAXUINT ? G_MAXUINT
                          : find_box (sym_scene_get_item (self->scene, i), x - self->positions[i].x,
                                      y - self->positions[i].y);
  return i;
}

guint
sym_layout_pick_near (const SymLayout *self, double x, double y, double reach, guint *box)
{
  guint i =
      sym_pick_grid_find_near (self->grid, self->scene, self->positions, (SymPoint){ x, y }, reach);

  *box = G_MAXUINT;
  if (i != G_MAXUINT)
    {
      const SymSceneItem *item = sym_scene_get_item (self->scene, i);

      *box = find_box (item, CLAMP (x - self->positions[i].x, 0, item->width),
                       CLAMP (y - self->positions[i].y, 0, item->height));
    }
  return i;
}

static gboolean
has_point (const SymRect *rect, double x, double y)
{
  return x >= rect->x && x <= rect->x + rect->width && y >= rect->y && y <= rect->y + rect->height;
}

guint
sym_layout_pick_frame (const SymLayout *self, double x, double y, gboolean *on_title)
{
  guint found = SYM_NO_FRAME;

  /* A frame within comes after that around it. */
  for (guint i = sym_scene_get_n_frames (self->scene); i-- > 0 && found == SYM_NO_FRAME;)
    if (has_point (&self->frames[i], x, y))
      found = i;
  if (on_title)
    {
      SymRect title =
          found != SYM_NO_FRAME ? sym_layout_get_frame_title_rect (self, found) : (SymRect){ 0 };

      *on_title = found != SYM_NO_FRAME && has_point (&title, x, y);
    }
  return found;
}
