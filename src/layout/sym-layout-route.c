/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

/* Ranks move apart where lines have far to go sideways, so that these do not lie flat. */
#define SLOPE 0.06
#define MAX_EXTRA_GAP 60.0

/* Lines that run beside everything, and how far they swing out to turn back. */
#define LANE_GAP 10.0
#define FIRST_LANE 24.0
#define TURN 18.0

/* Steps sideways below this are no steps. */
#define STRAIGHT 0.5

typedef struct {
  SymPart *part;
  const SymLayering *layers;
  double *tops;    /* of ranks */
  double *bottoms;
  double *lanes;   /* x of outer links, by link */
  guint *ends;     /* by place in the chains: the last that stands straight below it */
  GArray *points;  /* SymPoint, of all courses */

  /* The straight piece that the course is on, along the flow; drawn when it ends. */
  double x, y;
  double end;
} Router;

static void
append_point (Router *self, double x, double y)
{
  SymPoint point = { x, y };

  g_array_append_val (self->points, point);
}

static void
append_curve (Router *self, double x1, double y1, double x2, double y2, double x3, double y3)
{
  append_point (self, x1, y1);
  append_point (self, x2, y2);
  append_point (self, x3, y3);
}

static void
end_piece (Router *self)
{
  double third = (self->end - self->y) / 3;

  if (fabs (third) < 0.01)
    return;
  append_curve (self, self->x, self->y + third, self->x, self->end - third, self->x, self->end);
}

static void
begin_course (Router *self, double x, double y, double end)
{
  append_point (self, x, y);
  self->x = x;
  self->y = y;
  self->end = end;
}

/* Goes on straight at @x from @y to @end, after a curve that leaves and arrives straight. */
static void
go (Router *self, double x, double y, double end)
{
  double half = (y - self->end) / 2;

  if (fabs (x - self->x) < STRAIGHT) {
    self->end = end;
    return;
  }
  end_piece (self);
  append_curve (self, self->x, self->end + half, x, y - half, x, y);
  self->x = x;
  self->y = y;
  self->end = end;
}

/* Turns back to run against its direction, at @x from the same height on, swinging out by @turn. */
static void
turn_back (Router *self, double x, double end, double turn)
{
  double height = self->end;

  end_piece (self);
  append_curve (self, self->x, height + turn, x, height + turn, x, height);
  self->x = x;
  self->y = height;
  self->end = end;
}

/* From one bend to the next: a bus may be as long as the drawing and have as many users. */
static void
route_along_path (Router *self, const SymLink *link)
{
  const SymLayering *layers = self->layers;
  guint end = link->path + link->n_path;

  for (guint i = link->path; i < end;) {
    guint node = layers->chains[i];
    guint last = MIN (self->ends[i], end - 1);

    go (self, layers->x[node], self->tops[layers->ranks[node]],
        self->bottoms[layers->ranks[layers->chains[last]]]);
    i = last + 1;
  }
}

static guint *
find_ends (const SymLayering *layers)
{
  guint n = layers->n_nodes - layers->n_items;
  guint *ends = g_new (guint, n + 1);

  for (guint i = n; i-- > 0;) {
    const guint *chain = layers->chains + i;
    gboolean goes_on = i + 1 < n && layers->buses[chain[1]] == layers->buses[chain[0]] &&
                       fabs (layers->x[chain[1]] - layers->x[chain[0]]) < 0.01;

    ends[i] = goes_on ? ends[i + 1] : i;
  }
  return ends;
}

static void
route_link (Router *self, guint index)
{
  const SymPart *part = self->part;
  const SymLink *link = &part->links[index];
  guint from_rank = part->ranks[link->from];
  guint to_rank = part->ranks[link->to];
  double to_x = part->x[link->to] + link->to_port;
  double end = part->y[link->to] + link->to_side;
  double lane = self->lanes[index];

  begin_course (self, part->x[link->from] + link->from_port, part->y[link->from] + link->from_side,
                self->bottoms[from_rank]);
  if (link->is_back) {
    turn_back (self, lane, self->tops[to_rank], TURN);
    turn_back (self, to_x, end, -TURN);
  } else if (link->is_outer) {
    go (self, lane, self->tops[from_rank + 1], self->bottoms[to_rank - 1]);
    go (self, to_x, self->tops[to_rank], end);
  } else {
    route_along_path (self, link);
    go (self, to_x, self->tops[to_rank], end);
  }
  end_piece (self);
}

static double *
measure_ranks (const SymPart *part)
{
  double *lengths = g_new0 (double, part->n_ranks);

  for (guint i = 0; i < part->n_items; i++)
    lengths[part->ranks[i]] = MAX (lengths[part->ranks[i]], part->lengths[i]);
  return lengths;
}

/* The farthest way sideways below each rank. */
static double *
measure_steps (const SymLayering *layers)
{
  double *steps = g_new0 (double, layers->n_ranks);

  for (guint i = 0; i < layers->n_edges; i++) {
    const SymLayerEdge *edge = &layers->edges[i];
    double from = layers->x[edge->upper] + edge->port * layers->breadths[edge->upper];
    guint rank = layers->ranks[edge->upper];

    steps[rank] = MAX (steps[rank], fabs (layers->x[edge->lower] - from));
  }
  return steps;
}

/* The gaps below ranks: a line has its label where it begins. */
static double *
measure_gaps (const SymPart *part, double rank_gap)
{
  double *gaps = g_new (double, part->n_ranks);

  for (guint rank = 0; rank < part->n_ranks; rank++)
    gaps[rank] = MIN (rank_gap, SYM_LAYOUT_RANK_GAP);
  for (guint i = 0; i < part->n_links; i++) {
    const SymLink *link = &part->links[i];
    guint rank = part->ranks[link->from];

    if (!link->is_back)
      gaps[rank] = MAX (gaps[rank], link->gap > 0 ? MIN (link->gap, rank_gap) : rank_gap);
  }
  return gaps;
}

static void
place_ranks (Router *self, double rank_gap)
{
  SymPart *part = self->part;
  g_autofree double *lengths = measure_ranks (part);
  g_autofree double *steps = measure_steps (self->layers);
  g_autofree double *gaps = measure_gaps (part, rank_gap);
  double y = 0;

  for (guint rank = 0; rank < part->n_ranks; rank++) {
    self->tops[rank] = y;
    self->bottoms[rank] = y + lengths[rank];
    y = self->bottoms[rank] + gaps[rank] + MIN (SLOPE * steps[rank], MAX_EXTRA_GAP);
  }
  for (guint i = 0; i < part->n_items; i++) {
    part->x[i] = self->layers->x[i];
    /* Feet stand in line: the boxes of an input and of a layer's result side by side. */
    part->y[i] = self->bottoms[part->ranks[i]] - part->lengths[i] / 2;
  }
}

static double
get_right_side (const SymLayering *layers)
{
  double right = -G_MAXDOUBLE;

  for (guint i = 0; i < layers->n_nodes; i++)
    right = MAX (right, layers->x[i] + sym_layering_get_right (layers, i));
  return right;
}

/* The lane of the value that the link carries, a new one when none of its links has one yet. */
static double
get_lane (const SymPart *part, guint i, guint *last_links, const double *lanes, guint *n_lanes)
{
  const SymLink *link = &part->links[i];
  guint last = last_links[link->from];

  if (!link->is_back) {
    last_links[link->from] = i;
    if (last != G_MAXUINT && part->links[last].tail == link->tail)
      return lanes[last];
  }
  return FIRST_LANE + LANE_GAP * (*n_lanes)++;
}

/* A lane for each value with outer links, and for each link back; a link from an item to itself stays
 * beside it. */
static void
place_lanes (Router *self)
{
  const SymPart *part = self->part;
  double right = get_right_side (self->layers);
  g_autofree guint *last_links = g_new (guint, part->n_items);
  guint n_lanes = 0;

  for (guint i = 0; i < part->n_items; i++)
    last_links[i] = G_MAXUINT;
  for (guint i = 0; i < part->n_links; i++) {
    const SymLink *link = &part->links[i];

    if (!link->is_outer)
      continue;
    if (link->from == link->to)
      self->lanes[i] = part->x[link->from] + sym_layering_get_right (self->layers, link->from) -
                       SYM_LAYOUT_LOOP / 2 - right;
    else
      self->lanes[i] = get_lane (part, i, last_links, self->lanes, &n_lanes);
  }
  for (guint i = 0; i < part->n_links; i++)
    self->lanes[i] += right;
}

/* Moves the part so that nothing of it is negative. */
static void
settle (Router *self)
{
  SymPart *part = self->part;
  SymPoint *points = (gpointer) self->points->data;
  double left = G_MAXDOUBLE;
  double right = -G_MAXDOUBLE;
  double top = 0;
  double bottom = self->bottoms[part->n_ranks - 1];

  for (guint i = 0; i < part->n_items; i++) {
    left = MIN (left, part->x[i] - sym_layering_get_left (self->layers, i));
    right = MAX (right, part->x[i] + sym_layering_get_right (self->layers, i));
  }
  for (guint i = 0; i < self->points->len; i++) {
    left = MIN (left, points[i].x);
    right = MAX (right, points[i].x);
    top = MIN (top, points[i].y);
    bottom = MAX (bottom, points[i].y);
  }
  for (guint i = 0; i < part->n_items; i++) {
    part->x[i] -= left;
    part->y[i] -= top;
  }
  for (guint i = 0; i < self->points->len; i++) {
    points[i].x -= left;
    points[i].y -= top;
  }
  part->width = right - left;
  part->height = bottom - top;
}

void
sym_part_route (SymPart *self, const SymLayering *layers, double rank_gap)
{
  g_autofree double *tops = g_new (double, self->n_ranks);
  g_autofree double *bottoms = g_new (double, self->n_ranks);
  g_autofree double *lanes = g_new0 (double, self->n_links + 1);
  g_autofree guint *ends = find_ends (layers);
  Router router = { .part = self, .layers = layers, .tops = tops, .bottoms = bottoms };

  router.ends = ends;
  router.lanes = lanes;
  router.points = g_array_new (FALSE, FALSE, sizeof (SymPoint));
  place_ranks (&router, rank_gap);
  place_lanes (&router);
  self->course_starts = g_new (guint, self->n_links + 1);
  for (guint i = 0; i < self->n_links; i++) {
    self->course_starts[i] = router.points->len;
    route_link (&router, i);
  }
  self->course_starts[self->n_links] = router.points->len;
  settle (&router);
  self->course_points = (gpointer) g_array_free (router.points, FALSE);
}
