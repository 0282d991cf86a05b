/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

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
};

static SymPoint
turn (SymPoint point, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? point : (SymPoint){ point.y, point.x };
}

static void
take_positions (SymLayout *self, const SymPart *part)
{
  for (guint i = 0; i < part->n_items; i++) {
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
  for (guint i = 0; i < part->n_links; i++) {
    SymPoint *points = self->points + self->course_starts[part->links[i].edge];

    for (guint k = part->course_starts[i]; k < part->course_starts[i + 1]; k++) {
      SymPoint point = turn (part->course_points[k], self->direction);

      *points++ = (SymPoint){ part->left + point.x, part->top + point.y };
    }
  }
}

static void
assemble (SymLayout *self, GPtrArray *parts)
{
  guint n_items = sym_scene_get_n_items (self->scene);
  guint n_edges = sym_scene_get_n_edges (self->scene);

  sym_parts_pack (parts, self->direction, &self->width, &self->height);
  self->positions = g_new0 (SymPoint, n_items + 1);
  self->course_starts = g_new0 (guint, n_edges + 1);
  for (guint i = 0; i < parts->len; i++) {
    take_positions (self, parts->pdata[i]);
    count_points (self, parts->pdata[i]);
  }
  for (guint i = 0; i < n_edges; i++)
    self->course_starts[i + 1] += self->course_starts[i];
  self->points = g_new (SymPoint, self->course_starts[n_edges] + 1);
  for (guint i = 0; i < parts->len; i++)
    take_points (self, parts->pdata[i]);
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

static gboolean
lay_out_parts (SymLayoutEngine *engine,
               GPtrArray *parts,
               double rank_gap,
               GCancellable *cancellable,
               GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    if (!sym_layout_engine_run (engine, parts->pdata[i], rank_gap, cancellable)) {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The layout was cancelled");
      return FALSE;
    }
  return TRUE;
}

SymLayout *
sym_layout_new (SymScene *scene,
                const SymLayoutOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  SymDirection direction = options ? options->direction : SYM_DIRECTION_DOWN;
  g_autoptr (SymLayoutEngine) engine = NULL;
  g_autoptr (GPtrArray) parts = NULL;
  SymLayout *self;

  g_return_val_if_fail (scene != NULL, NULL);

  engine = sym_layout_engine_new ();
  parts = sym_parts_new (scene, direction);
  if (!lay_out_parts (engine, parts, get_rank_gap (scene, direction), cancellable, error))
    return NULL;
  self = g_new0 (SymLayout, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->scene = sym_scene_ref (scene);
  self->direction = direction;
  self->message = sym_layout_engine_steal_message (engine);
  assemble (self, parts);
  return self;
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
  sym_pick_grid_free (self->grid);
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
  for (guint i = 0; i < item->n_boxes; i++) {
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
                          : find_box (sym_scene_get_item (self->scene, i),
                                      x - self->positions[i].x, y - self->positions[i].y);
  return i;
}
