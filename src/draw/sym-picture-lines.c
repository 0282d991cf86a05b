/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#include <math.h>

#define HEAD_LENGTH 8.5
#define HEAD_HALF 3.8
#define INSIDE_HEAD 2.5  /* how far the stroke runs into its head */
#define MIN_STEM 4.0     /* a shorter one is no line */
#define MIN_HEADED 11.0  /* a shorter stem has no room for a head */
#define STEM_RADIUS 4.0  /* at most: all stems of a chip are level at one height */
#define STRAIGHT 0.5     /* less sideways is straight */
#define ROUND 0.55228475 /* of a quarter, how far its controls lie towards the corner */
#define PIECE_SEGMENTS 8
#define CHORDS 12 /* of a curve, to measure how far it is */

SymLine
sym_picture_get_line (const SymPicture *self, guint edge)
{
  const SymSceneEdge *scene_edge = sym_scene_get_edge (self->scene, edge);

  if (self->dimmed_edges != NULL && self->dimmed_edges[edge] != 0)
    return SYM_LINE_DIMMED;
  if (scene_edge->is_back)
    return SYM_LINE_BACK;
  return scene_edge->is_control ? SYM_LINE_CONTROL : SYM_LINE_DATA;
}

guint
sym_picture_get_n_segments (const SymPicture *self, guint edge)
{
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->layout, edge, &n_points);

  return course != NULL && n_points >= 4 ? (n_points - 1) / 3 : 0;
}

/* Where a course arrives from: the nearest earlier point that differs from the tip. */
static SymPoint
find_direction (const SymPoint *course, guint n_points)
{
  SymPoint tip = course[n_points - 1];

  for (guint i = n_points - 1; i > 0; i--)
    {
      double x = tip.x - course[i - 1].x;
      double y = tip.y - course[i - 1].y;
      double length = hypot (x, y);

      if (length > 0.01)
        return (SymPoint){ x / length, y / length };
    }
  return (SymPoint){ 0, 1 };
}

static SymPoint
step_back (SymPoint point, SymPoint direction, double by)
{
  return (SymPoint){ point.x - direction.x * by, point.y - direction.y * by };
}

SymLineEnd
sym_line_end (const SymPoint *course, guint n_points, gboolean has_head)
{
  SymPoint tip = course[n_points - 1];
  SymPoint before = course[n_points - 2];
  SymPoint direction = find_direction (course, n_points);
  SymPoint base = step_back (tip, direction, HEAD_LENGTH);
  double back = HEAD_LENGTH - INSIDE_HEAD;

  if (!has_head)
    return (SymLineEnd){ FALSE, .control = before, .end = tip };
  return (SymLineEnd){
    TRUE,
    {
        tip,
        { base.x - direction.y * HEAD_HALF, base.y + direction.x * HEAD_HALF },
        { base.x + direction.y * HEAD_HALF, base.y - direction.x * HEAD_HALF },
    },
    step_back (before, direction, back),
    step_back (tip, direction, back),
  };
}

/* A chip with boxes behind it lies on the line like a bead: the head is at the box. */
static gboolean
has_stem (const SymSceneItem *item)
{
  return item->n_boxes > 1 && sym_box_has_results (&item->boxes[0]);
}

/* Lines that are not simply followed with the flow always show where they lead. */
SymLineEnd
sym_picture_get_line_end (const SymPicture *self, guint edge)
{
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->layout, edge, &n_points);
  const SymSceneEdge *scene_edge = sym_scene_get_edge (self->scene, edge);
  gboolean has_head = scene_edge->is_back || scene_edge->is_control ||
                      !has_stem (sym_scene_get_item (self->scene, scene_edge->to));

  return sym_line_end (course, n_points, has_head);
}

typedef struct {
  SymPoint *points;
  guint n;
  gboolean sideways;
} Stem;

static void
append_point (Stem *self, double across, double along)
{
  self->points[self->n++] =
      self->sideways ? (SymPoint){ along, across } : (SymPoint){ across, along };
}

static void
append_straight (Stem *self, SymPoint from, SymPoint to)
{
  append_point (self, from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3);
  append_point (self, to.x - (to.x - from.x) / 3, to.y - (to.y - from.y) / 3);
  append_point (self, to.x, to.y);
}

/* Down, level, and down again: a box may be far from the chip, but the way down is always short. */
static void
append_turns (Stem *self, SymPoint from, SymPoint to)
{
  double sign = to.x > from.x ? 1 : -1;
  double radius = CLAMP ((to.y - from.y - HEAD_LENGTH) / 2, MIN_STEM / 2, STEM_RADIUS);
  double across = MIN (radius, fabs (to.x - from.x) / 2) * sign;
  double level = from.y + radius;

  append_point (self, from.x, from.y + radius * ROUND);
  append_point (self, from.x + across * (1 - ROUND), level);
  append_point (self, from.x + across, level);
  append_straight (self, (SymPoint){ from.x + across, level }, (SymPoint){ to.x - across, level });
  append_point (self, to.x - across * (1 - ROUND), level);
  append_point (self, to.x, level + radius * (1 - ROUND));
  append_point (self, to.x, level + radius);
  append_straight (self, (SymPoint){ to.x, level + radius }, to);
}

/* Returns how long it is along the flow. */
static double
route_stem (Stem *self, const SymRect *chip, const SymRect *box)
{
  SymPoint from = { chip->x + chip->width / 2, chip->y + chip->height };
  SymPoint to = { box->x + box->width / 2, box->y };

  if (self->sideways)
    {
      from = (SymPoint){ chip->y + chip->height / 2, chip->x + chip->width };
      to = (SymPoint){ box->y + box->height / 2, box->x };
    }
  append_point (self, from.x, from.y);
  if (fabs (to.x - from.x) < STRAIGHT)
    append_straight (self, from, to);
  else
    append_turns (self, from, to);
  return to.y - from.y;
}

guint
sym_picture_get_stem (const SymPicture *self,
                      guint item,
                      guint box,
                      SymPoint course[SYM_STEM_POINTS],
                      SymLineEnd *end,
                      SymLine *line)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->scene, item);
  Stem stem = { course, 0, sym_scene_get_sideways (self->scene) };
  SymBoxLook chip, target;
  double length;

  if (box == 0 || !has_stem (scene_item))
    return 0;
  chip = sym_picture_get_box_look (self, item, 0);
  target = sym_picture_get_box_look (self, item, box);
  length = route_stem (&stem, &chip.rect, &target.rect);
  if (length < MIN_STEM)
    return 0;
  *end = sym_line_end (course, stem.n, length >= MIN_HEADED);
  *line = chip.slot == SYM_PAINT_DIMMED || target.slot == SYM_PAINT_DIMMED ? SYM_LINE_DIMMED
                                                                           : SYM_LINE_DATA;
  return stem.n;
}

guint
sym_picture_get_stem_course (const SymPicture *self,
                             guint item,
                             guint box,
                             SymPoint course[SYM_STEM_POINTS],
                             gboolean *has_head)
{
  SymLineEnd end = { 0 };
  SymLine line;
  guint n = sym_picture_get_stem (self, item, box, course, &end, &line);

  *has_head = n > 0 && end.has_head;
  return n;
}

/* A curve stays within the hull of its points. */
static SymRect
bound_points (const SymPoint *points, guint n)
{
  SymPoint least = points[0], most = points[0];

  for (guint i = 1; i < n; i++)
    {
      least.x = MIN (least.x, points[i].x);
      least.y = MIN (least.y, points[i].y);
      most.x = MAX (most.x, points[i].x);
      most.y = MAX (most.y, points[i].y);
    }
  return (SymRect){ least.x, least.y, most.x - least.x, most.y - least.y };
}

void
sym_picture_index_lines (SymPicture *self)
{
  guint n_edges = sym_scene_get_n_edges (self->scene);
  GArray *rects = g_array_sized_new (FALSE, FALSE, sizeof (SymRect), n_edges);

  self->pieces = g_array_sized_new (FALSE, FALSE, sizeof (SymPiece), n_edges);
  for (guint edge = 0; edge < n_edges; edge++)
    {
      guint n_points = 0;
      const SymPoint *course = sym_layout_get_course (self->layout, edge, &n_points);
      guint n_segments = sym_picture_get_n_segments (self, edge);

      for (guint first = 0; first < n_segments; first += PIECE_SEGMENTS)
        {
          SymPiece piece = { edge, first, MIN (PIECE_SEGMENTS, n_segments - first) };
          SymRect rect = bound_points (course + 3 * first, 3 * piece.n + 1);

          rect = sym_draw_rect_grow (&rect, SYM_LINE_REACH);
          g_array_append_val (self->pieces, piece);
          g_array_append_val (rects, rect);
        }
    }
  self->lines = sym_draw_grid_new (rects);
}

/* ---- Pointing at them ---- */

static SymPoint
find_on_curve (const SymPoint curve[4], double t)
{
  double s = 1 - t;
  double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;

  return (SymPoint){ a * curve[0].x + b * curve[1].x + c * curve[2].x + d * curve[3].x,
                     a * curve[0].y + b * curve[1].y + c * curve[2].y + d * curve[3].y };
}

static double
measure_chord (SymPoint from, SymPoint to, double x, double y)
{
  double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
  double t = square > 0 ? ((x - from.x) * dx + (y - from.y) * dy) / square : 0;

  t = CLAMP (t, 0, 1);
  return hypot (from.x + t * dx - x, from.y + t * dy - y);
}

static double
measure_curve (const SymPoint curve[4], double x, double y)
{
  SymPoint before = curve[0];
  double least = G_MAXDOUBLE;

  for (guint i = 1; i <= CHORDS; i++)
    {
      SymPoint point = find_on_curve (curve, (double) i / CHORDS);

      least = MIN (least, measure_chord (before, point, x, y));
      before = point;
    }
  return least;
}

static double
measure_piece (const SymPicture *self, const SymPiece *piece, double x, double y, double reach)
{
  SymRect spot = { x - reach, y - reach, 2 * reach, 2 * reach };
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->layout, piece->edge, &n_points);
  double least = G_MAXDOUBLE;

  for (guint i = piece->first; i < piece->first + piece->n; i++)
    {
      SymRect bounds = bound_points (course + 3 * i, 4);

      if (sym_draw_rect_meets (&bounds, &spot))
        least = MIN (least, measure_curve (course + 3 * i, x, y));
    }
  return least;
}

guint
sym_picture_pick_line (const SymPicture *self, double x, double y, double reach)
{
  SymRect spot = { x - reach, y - reach, 2 * reach, 2 * reach };
  guint found = G_MAXUINT;
  double least = reach;

  g_return_val_if_fail (self != NULL && reach >= 0, G_MAXUINT);

  g_autoptr (GArray) pieces = sym_draw_grid_query (self->lines, &spot);

  for (guint i = 0; i < pieces->len; i++)
    {
      const SymPiece *piece =
          &g_array_index (self->pieces, SymPiece, g_array_index (pieces, guint, i));
      double distance = measure_piece (self, piece, x, y, reach);

      if (distance < least || (distance <= least && found == G_MAXUINT))
        {
          least = distance;
          found = piece->edge;
        }
    }
  return found;
}
