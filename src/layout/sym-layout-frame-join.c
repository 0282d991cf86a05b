/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-frame.h"

#include <math.h>

#define SAME 0.01

static SymPoint
turn (double across, double along, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? (SymPoint){ across, along }
                                         : (SymPoint){ along, across };
}

static void
place_node (const SymFrameTree *self,
            guint node,
            SymPoint middle,
            SymDirection direction,
            SymPoint *positions,
            SymRect *rects)
{
  const SymFrameSplit *split = self->split;

  if (node < split->n_items)
    {
      const SymSceneItem *item = sym_scene_get_item (split->scene, node);

      positions[node] = (SymPoint){ middle.x - item->width / 2, middle.y - item->height / 2 };
    }
  else if (node < split->n_items + split->n_frames)
    {
      const SymFrameSize *size = &self->sizes[node - split->n_items];
      SymPoint extent = turn (size->breadth, size->length, direction);

      rects[node - split->n_items] =
          (SymRect){ middle.x - extent.x / 2, middle.y - extent.y / 2, extent.x, extent.y };
    }
}

/* Where the inside of a frame begins. */
static SymPoint
get_origin (const SymFrameTree *self, guint frame, SymDirection direction, const SymRect *rects)
{
  SymPoint inset = turn (self->sizes[frame].across, self->sizes[frame].along, direction);

  return (SymPoint){ rects[frame].x + inset.x, rects[frame].y + inset.y };
}

void
sym_frame_tree_place (const SymFrameTree *self,
                      SymDirection direction,
                      SymPoint *positions,
                      SymRect *rects)
{
  const SymFrameSplit *split = self->split;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const SymPart *part = self->parts->pdata[i];

      for (guint k = 0; k < part->n_items; k++)
        {
          SymPoint p = turn (part->x[k] + part->leans[k], part->y[k], direction);

          place_node (self, part->items[k], (SymPoint){ part->left + p.x, part->top + p.y },
                      direction, positions, rects);
        }
    }
  for (guint frame = 0; frame < split->n_frames; frame++)
    {
      const SymFrameInside *inside = self->sizes[frame].inside;
      SymPoint origin = get_origin (self, frame, direction, rects);

      for (guint k = 0; k < inside->n_nodes; k++)
        {
          SymPoint p = turn (inside->x[k], inside->y[k], direction);

          place_node (self, split->nodes[split->node_starts[frame] + k],
                      (SymPoint){ origin.x + p.x, origin.y + p.y }, direction, positions, rects);
        }
    }
}

/* The points of a link, and where they begin. */
typedef struct {
  const SymPoint *points;
  guint n_points;
  SymPoint origin;
} Piece;

static Piece *
list_pieces (const SymFrameTree *self, SymDirection direction, const SymRect *rects)
{
  const SymFrameSplit *split = self->split;
  Piece *pieces = g_new (Piece, split->n_links + 1);

  for (guint frame = 0; frame < split->n_frames; frame++)
    {
      const SymFrameInside *inside = self->sizes[frame].inside;
      SymPoint origin = get_origin (self, frame, direction, rects);

      for (guint i = split->link_starts[frame]; i < split->link_starts[frame + 1]; i++)
        {
          guint local = i - split->link_starts[frame];
          guint start = inside->course_starts[local];

          pieces[i] =
              (Piece){ inside->points + start, inside->course_starts[local + 1] - start, origin };
        }
    }
  for (guint i = 0; i < self->parts->len; i++)
    {
      const SymPart *part = self->parts->pdata[i];

      for (guint k = 0; k < part->n_links; k++)
        {
          guint start = part->course_starts[k];

          pieces[part->links[k].edge] = (Piece){ part->course_points + start,
                                                 part->course_starts[k + 1] - start,
                                                 { part->left, part->top } };
        }
    }
  return pieces;
}

typedef struct {
  GArray *points;
  guint start; /* of the course */
  SymDirection direction;
} Joiner;

static double
get_across (const Joiner *self, SymPoint point)
{
  return self->direction == SYM_DIRECTION_DOWN ? point.x : point.y;
}

static gboolean
is_straight (const Joiner *self, const SymPoint *curve)
{
  double across = get_across (self, curve[0]);

  return fabs (get_across (self, curve[1]) - across) < SAME &&
         fabs (get_across (self, curve[2]) - across) < SAME &&
         fabs (get_across (self, curve[3]) - across) < SAME;
}

static SymPoint
mix (SymPoint from, SymPoint to, double share)
{
  return (SymPoint){ from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share };
}

/* Straight pieces that follow one another become one. */
static void
append_curve (Joiner *self, SymPoint p1, SymPoint p2, SymPoint p3)
{
  guint n = self->points->len;
  SymPoint curve[4] = { g_array_index (self->points, SymPoint, n - 1), p1, p2, p3 };
  SymPoint *last = &g_array_index (self->points, SymPoint, n - 4);

  if (n - self->start >= 4 && is_straight (self, curve) && is_straight (self, last))
    {
      last[1] = mix (last[0], p3, 1 / 3.0);
      last[2] = mix (last[0], p3, 2 / 3.0);
      last[3] = p3;
      return;
    }
  g_array_append_vals (self->points, curve + 1, 3);
}

static SymPoint
get_point (const Joiner *self, const Piece *piece, guint i)
{
  SymPoint point = turn (piece->points[i].x, piece->points[i].y, self->direction);

  return (SymPoint){ piece->origin.x + point.x, piece->origin.y + point.y };
}

/* From a port to the border of its frame, or on from there, it is straight. */
static void
append_piece (Joiner *self, const Piece *piece)
{
  SymPoint first = get_point (self, piece, 0);

  if (self->points->len == self->start)
    {
      g_array_append_val (self->points, first);
    }
  else
    {
      SymPoint last = g_array_index (self->points, SymPoint, self->points->len - 1);

      if (fabs (last.x - first.x) > SAME || fabs (last.y - first.y) > SAME)
        append_curve (self, mix (last, first, 1 / 3.0), mix (last, first, 2 / 3.0), first);
    }
  for (guint i = 1; i + 2 < piece->n_points; i += 3)
    append_curve (self, get_point (self, piece, i), get_point (self, piece, i + 1),
                  get_point (self, piece, i + 2));
}

void
sym_frame_tree_join (const SymFrameTree *self,
                     SymDirection direction,
                     const SymRect *rects,
                     guint *course_starts,
                     GArray *points)
{
  const SymFrameSplit *split = self->split;
  guint n_edges = sym_scene_get_n_edges (split->scene);
  g_autofree Piece *pieces = list_pieces (self, direction, rects);
  Joiner joiner = { .points = points, .direction = direction };

  for (guint i = 0; i < n_edges; i++)
    {
      joiner.start = course_starts[i] = points->len;
      for (guint k = split->chain_starts[i]; k < split->chain_starts[i + 1]; k++)
        append_piece (&joiner, &pieces[split->chains[k]]);
    }
  course_starts[n_edges] = points->len;
}
