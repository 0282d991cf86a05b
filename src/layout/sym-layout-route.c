/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

/* Lines turn in quarters of this radius, or narrower ones where there is less room across. */
#define RADIUS 12.0
#define ROUND 0.55228475 /* how far the controls of a quarter lie towards its corner */

/* A gap with tracks: lines turn into the first, and from the last, which is straight again before
 * the arrow. */
#define BEFORE_TRACKS 16.0
#define AFTER_TRACKS (RADIUS + 9.0)
#define TRACK_GAP 8.0
#define N_JOIN_TRACKS                                                        \
  4 /* for the quarters by which one line joins a rail and another leaves it \
     */
#define MAX_TRACKS_LENGTH 320.0 /* more tracks lie closer together */

/* Steps sideways below this are no steps. */
#define STRAIGHT 0.5

typedef struct {
  SymPart *part;
  const SymLayering *layers;
  double *tops; /* of ranks */
  double *bottoms;
  double *lanes;      /* x of outer links, by link */
  guint *ends;        /* by place in the chains: the last that stands straight below it */
  GArray *shifts;     /* SymShift */
  guint *of_edges;    /* the shift of an edge of the layering; G_MAXUINT for none */
  guint *of_nodes;    /* the same of that which leads to a node of a bus from the one before it, by
                         place in    the chains */
  guint *of_links;    /* the first of the two of an outer link */
  guint *n_tracks;    /* by gap */
  double *track_tops; /* by gap: the height of the first track, and the distance to the next */
  double *track_gaps;
  int *votes; /* by gap: whether what goes left should come before what goes right */
  guint8
      *is_joined; /* by node of a bus: lines leave the bus right after others have joined there */
  GArray *points; /* SymPoint, of all courses */

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
append_line (Router *self, double from_x, double from_y, double to_x, double to_y)
{
  double x = (to_x - from_x) / 3;
  double y = (to_y - from_y) / 3;

  if (fabs (x) < 0.01 && fabs (y) < 0.01)
    return;
  append_point (self, from_x + x, from_y + y);
  append_point (self, to_x - x, to_y - y);
  append_point (self, to_x, to_y);
}

static void
end_piece (Router *self, double end)
{
  append_line (self, self->x, self->y, self->x, end);
}

static void
begin_course (Router *self, double x, double y)
{
  append_point (self, x, y);
  self->x = x;
  self->y = y;
}

/* A quarter from where the course is to @x, @y, leaving along the flow, or level. */
static void
append_quarter (Router *self, double from_x, double from_y, double x, double y, gboolean is_level)
{
  double across = (x - from_x) * ROUND;
  double along = (y - from_y) * ROUND;

  if (is_level)
    {
      append_point (self, from_x + across, from_y);
      append_point (self, x, y - along);
    }
  else
    {
      append_point (self, from_x, from_y + along);
      append_point (self, x - across, y);
    }
  append_point (self, x, y);
}

/* Turns to the height @track, goes there to @x, and turns on; comes from above or below, and goes
 * down or up from there. */
static void
go (Router *self, double x, double track, double before, double after)
{
  double across = MIN (RADIUS, fabs (x - self->x) / 2);
  double sign = x > self->x ? 1 : -1;

  if (fabs (x - self->x) < STRAIGHT)
    return;
  end_piece (self, track - before);
  append_quarter (self, self->x, track - before, self->x + sign * across, track, FALSE);
  append_line (self, self->x + sign * across, track, x - sign * across, track);
  append_quarter (self, x - sign * across, track, x, track + after, TRUE);
  self->x = x;
  self->y = track + after;
}

static double
get_track (const Router *self, guint index)
{
  const SymShift *shift = &g_array_index (self->shifts, SymShift, index);

  return self->track_tops[shift->gap] + shift->track * self->track_gaps[shift->gap];
}

/* Goes on where the shift leads; straight when there is none. */
static void
follow (Router *self, guint index, double x)
{
  if (index != G_MAXUINT)
    go (self, x, get_track (self, index), RADIUS, RADIUS);
}

/* From one bend to the next: a bus may be as long as the drawing and have as many users. */
static void
route_along_path (Router *self, const SymLink *link)
{
  const SymLayering *layers = self->layers;
  guint end = link->path + link->n_path;

  for (guint i = link->path; i < end; i = self->ends[i] + 1)
    follow (self, i == link->path ? self->of_edges[link->first_edge] : self->of_nodes[i],
            layers->x[layers->chains[i]]);
}

static guint *
find_ends (const SymLayering *layers)
{
  guint n = layers->n_nodes - layers->n_items;
  guint *ends = g_new (guint, n + 1);

  for (guint i = n; i-- > 0;)
    {
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
  double to_x = part->x[link->to] + link->to_port;
  guint shift = self->of_links[index];

  begin_course (self, part->x[link->from] + link->from_port, part->y[link->from] + link->from_side);
  if (link->is_back)
    {
      go (self, self->lanes[index], get_track (self, shift), RADIUS, -RADIUS);
      go (self, to_x, get_track (self, shift + 1), -RADIUS, RADIUS);
    }
  else if (link->is_outer)
    {
      follow (self, shift, self->lanes[index]);
      follow (self, shift + 1, to_x);
    }
  else
    {
      if (link->n_path > 0)
        route_along_path (self, link);
      follow (self, self->of_edges[link->last_edge], to_x);
    }
  end_piece (self, part->y[link->to] + link->to_side);
}

static double *
measure_ranks (const SymPart *part)
{
  double *lengths = g_new0 (double, part->n_ranks);

  for (guint i = 0; i < part->n_items; i++)
    lengths[part->ranks[i]] = MAX (lengths[part->ranks[i]], part->lengths[i]);
  return lengths;
}

/* The gaps below ranks: a line has its label where it begins. */
static double *
measure_gaps (const SymPart *part, double rank_gap)
{
  double *gaps = g_new (double, part->n_ranks);

  for (guint rank = 0; rank < part->n_ranks; rank++)
    gaps[rank] = MIN (rank_gap, SYM_LAYOUT_RANK_GAP);
  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];
      guint rank = part->ranks[link->from];

      if (!link->is_back)
        gaps[rank] = MAX (gaps[rank], link->gap > 0 ? MIN (link->gap, rank_gap) : rank_gap);
    }
  return gaps;
}

/* Makes room for the tracks above @rank behind what @gap is needed for otherwise, of which an
 * arrow's room is needed once only.  Returns the whole. */
static double
place_tracks (Router *self, guint rank, double top, double gap)
{
  guint n = self->n_tracks[rank];
  double length;

  if (n == 0)
    return gap;
  self->track_gaps[rank] = MIN (TRACK_GAP, MAX_TRACKS_LENGTH / n);
  length = (n - 1) * self->track_gaps[rank];
  gap =
      MAX (gap, SYM_LAYOUT_RANK_GAP) - SYM_LAYOUT_RANK_GAP + BEFORE_TRACKS + length + AFTER_TRACKS;
  self->track_tops[rank] = top + gap - AFTER_TRACKS - length;
  return gap;
}

static void
place_ranks (Router *self, double rank_gap)
{
  SymPart *part = self->part;
  g_autofree double *lengths = measure_ranks (part);
  g_autofree double *gaps = measure_gaps (part, rank_gap);
  double y = place_tracks (self, 0, 0, 0);

  for (guint rank = 0; rank < part->n_ranks; rank++)
    {
      self->tops[rank] = y;
      self->bottoms[rank] = y + lengths[rank];
      y = self->bottoms[rank];
      y += place_tracks (self, rank + 1, y, rank + 1 < part->n_ranks ? gaps[rank] : 0);
    }
  for (guint i = 0; i < part->n_items; i++)
    {
      part->x[i] = self->layers->x[i];
      /* Feet stand in line: the boxes of an input and of a layer's result side by side. */
      part->y[i] = self->bottoms[part->ranks[i]] - part->lengths[i] / 2;
    }
}

/* Returns its index; G_MAXUINT for a line that goes straight on. */
static guint
add_shift (Router *self, SymShift shift)
{
  if (fabs (shift.from - shift.to) < STRAIGHT)
    return G_MAXUINT;
  g_array_append_val (self->shifts, shift);
  return self->shifts->len - 1;
}

static SymShiftKind
get_kind (double from, double to, gboolean left_first)
{
  if (from < to)
    return SYM_SHIFT_RIGHT;
  return left_first ? SYM_SHIFT_LEFT_FIRST : SYM_SHIFT_LEFT;
}

static gboolean
uses (const SymPart *part, guint user, guint source)
{
  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    if (part->links[part->ins[k]].from == source)
      return TRUE;
  return FALSE;
}

/* Where one item joins a rail and another branches off between the same ranks, the one joins first
 * when the other uses it, as all that is on the rail; then the two do not cross. */
static void
vote (Router *self, guint user, guint next, guint joining)
{
  gboolean is_rightward = self->layers->x[joining] < self->layers->x[next];
  gboolean is_first = uses (self->part, user, joining);

  self->votes[self->layers->ranks[user]] += is_rightward == is_first ? -1 : 1;
  self->is_joined[next] = is_first;
}

static void
look_for_joins (Router *self)
{
  const SymLayering *layers = self->layers;
  guint first = layers->n_items;
  guint n = layers->n_nodes - first;
  g_autofree guint *nexts =
      g_new0 (guint, 2 * (gsize) n + 1); /* on the bus of a node; 0 for none */
  g_autofree guint8 *has_joined = g_new0 (guint8, n + 1);
  guint *joins = nexts + n; /* by node of a bus: an item that joins there */

  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];

      if (edge->lower < first)
        continue;
      if (edge->upper >= first)
        {
          nexts[edge->upper - first] = edge->lower;
        }
      else
        {
          joins[edge->lower - first] = edge->upper;
          has_joined[edge->lower - first] = 1;
        }
    }
  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      guint next = edge->upper >= first && edge->lower < first ? nexts[edge->upper - first] : 0;

      if (next > 0 && has_joined[next - first])
        vote (self, edge->lower, next, joins[next - first]);
    }
}

/* Where edges arrive, from the middles of items. */
static double *
find_last_ports (const Router *self)
{
  const SymPart *part = self->part;
  double *ports = g_new0 (double, self->layers->n_edges + 1);

  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];

      /* Nearly all arrive in the middle. */
      if (!link->is_outer && fabs (link->to_port) > 0)
        ports[link->last_edge] = link->to_port;
    }
  return ports;
}

static void
add_edge_shifts (Router *self)
{
  const SymLayering *layers = self->layers;
  g_autofree double *ports = find_last_ports (self);
  guint first = layers->n_items;
  g_autofree guint *of_nodes = g_new (guint, layers->n_nodes - first + 1);

  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      guint gap = layers->ranks[edge->lower];
      double from = layers->x[edge->upper] + edge->port * layers->breadths[edge->upper];
      double to = layers->x[edge->lower] + ports[i];

      self->of_edges[i] = add_shift (
          self,
          (SymShift){
              from, to, gap, edge->upper, edge->lower, get_kind (from, to, self->votes[gap] > 0),
              self->is_joined[edge->lower] && edge->upper < layers->n_items ? N_JOIN_TRACKS : 1,
              0 });
      if (edge->upper >= first && edge->lower >= first)
        of_nodes[edge->lower - first] = self->of_edges[i];
    }
  for (guint i = 0; i + first < layers->n_nodes; i++)
    self->of_nodes[i] = of_nodes[layers->chains[i] - first];
}

/* Two shifts for each link with a lane: to it and from it, even where these are none. */
static void
add_link_shifts (Router *self)
{
  const SymPart *part = self->part;

  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];
      double from = self->layers->x[link->from] + link->from_port;
      double to = self->layers->x[link->to] + link->to_port;
      guint first = part->ranks[link->from] + 1;
      guint last = part->ranks[link->to];
      SymShift shifts[2] = {
        { from, self->lanes[i], first, link->from, link->to, SYM_SHIFT_BACK_UP, 1, 0 },
        { self->lanes[i], to, last, link->from, link->to, SYM_SHIFT_BACK_DOWN, 1, 0 }
      };

      if (!link->is_outer)
        continue;
      for (guint k = 0; !link->is_back && k < 2; k++)
        shifts[k].kind = get_kind (shifts[k].from, shifts[k].to, self->votes[shifts[k].gap] > 0);
      self->of_links[i] = self->shifts->len;
      g_array_append_vals (self->shifts, shifts, 2);
    }
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

  for (guint i = 0; i < part->n_items; i++)
    {
      left = MIN (left, part->x[i] - sym_layering_get_left (self->layers, i));
      right = MAX (right, part->x[i] + sym_layering_get_right (self->layers, i));
    }
  for (guint i = 0; i < self->points->len; i++)
    {
      left = MIN (left, points[i].x);
      right = MAX (right, points[i].x);
      top = MIN (top, points[i].y);
      bottom = MAX (bottom, points[i].y);
    }
  for (guint i = 0; i < part->n_items; i++)
    {
      part->x[i] -= left;
      part->y[i] -= top;
    }
  for (guint i = 0; i < self->points->len; i++)
    {
      points[i].x -= left;
      points[i].y -= top;
    }
  part->width = right - left;
  part->height = bottom - top;
}

static void
draw (Router *self)
{
  SymPart *part = self->part;

  part->course_starts = g_new (guint, part->n_links + 1);
  for (guint i = 0; i < part->n_links; i++)
    {
      part->course_starts[i] = self->points->len;
      route_link (self, i);
    }
  part->course_starts[part->n_links] = self->points->len;
}

void
sym_part_route (SymPart *self, const SymLayering *layers, double rank_gap)
{
  guint n_gaps = self->n_ranks + 1;
  g_autofree double *heights = g_new0 (double, 4 * (gsize) n_gaps);
  g_autofree guint *shifts = g_new (guint, layers->n_edges + layers->n_nodes + self->n_links + 1);
  g_autofree double *lanes = sym_part_find_lanes (self, layers);
  g_autofree guint *ends = find_ends (layers);
  g_autofree guint *n_tracks = NULL;
  g_autofree int *votes = g_new0 (int, n_gaps);
  g_autofree guint8 *is_joined = g_new0 (guint8, layers->n_nodes + 1);
  Router router = { .part = self,
                    .layers = layers,
                    .tops = heights,
                    .bottoms = heights + n_gaps,
                    .track_tops = heights + 2 * (gsize) n_gaps,
                    .track_gaps = heights + 3 * (gsize) n_gaps,
                    .lanes = lanes,
                    .ends = ends,
                    .votes = votes,
                    .is_joined = is_joined,
                    .of_edges = shifts,
                    .of_nodes = shifts + layers->n_edges,
                    .of_links = shifts + layers->n_edges + layers->n_nodes - layers->n_items };

  router.shifts = g_array_new (FALSE, FALSE, sizeof (SymShift));
  router.points = g_array_new (FALSE, FALSE, sizeof (SymPoint));
  look_for_joins (&router);
  add_edge_shifts (&router);
  add_link_shifts (&router);
  router.n_tracks = n_tracks = sym_shifts_number ((gpointer) router.shifts->data,
                                                  router.shifts->len, n_gaps, layers->n_nodes);
  place_ranks (&router, rank_gap);
  draw (&router);
  settle (&router);
  g_array_free (router.shifts, TRUE);
  self->course_points = (gpointer) g_array_free (router.points, FALSE);
}
