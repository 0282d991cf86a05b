/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"
#include "draw/sym-picture-private.h"

#include <math.h>

#define PADDING_X 4.0
#define PADDING_Y 1.0
#define CLEARANCE 1.0      /* between a label and a box */
#define LINE_CLEARANCE 4.0 /* and a line of another value */
#define CELL 128.0
#define BESIDE 5.0       /* between a line and a label beside it */
#define COST_BESIDE 22.0 /* of not standing on the line, in points of line hidden */
#define COST_CUT 30.0    /* of each other line that is cut */
#define COST_FAR 16.0    /* of the whole way from the middle */
#define GOOD_ENOUGH 20.0 /* a straight line hidden by no more than the label's height */
#define REACH 500.0      /* of a line: where it is labelled, near its start */
#define SAMPLES 8        /* per segment, to see what a label would cut */
#define MAX_CUT 8        /* more lines than that are a thicket anyway */
#define MAX_WORK 500000  /* places tried and lines near them; beyond, only middles are tried */

/* Labels that have a place, by the cells that they meet. */
typedef struct {
  SymPicture *picture;
  GHashTable *cells; /* gint64 to GArray of guint */
  GArray *rects;     /* of SymRect, as in picture->labels */
  guint work;        /* done so far, to stay within MAX_WORK */
} Places;

SymRect
sym_edge_label_get_rect (const SymEdgeLabel *self)
{
  double across = fabs (cos (self->angle));
  double along = fabs (sin (self->angle));
  double width = self->width * across + self->height * along;
  double height = self->width * along + self->height * across;

  return (SymRect){ self->center.x - width / 2, self->center.y - height / 2, width, height };
}

static SymPoint
point_at (const SymPoint *p, double t)
{
  double u = 1 - t;
  double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;

  return (SymPoint){
    a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
    a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y,
  };
}

/* Text is never upside down. */
static double
angle_between (SymPoint a, SymPoint b)
{
  double angle = atan2 (b.y - a.y, b.x - a.x);

  if (angle > G_PI_2 + 0.001)
    angle -= G_PI;
  if (angle <= -G_PI_2 - 0.001)
    angle += G_PI;
  return angle;
}

/* Moves to @fraction of the way, or of as much of it as is @reach, lengths being those of the
 * chords.  Returns the segment there. */
static guint
move_along (SymEdgeLabel *label,
            const SymPoint *course,
            guint n,
            double fraction,
            double reach,
            gboolean turns)
{
  double total = 0;
  double rest, length = 0;
  guint k = 0;
  double t;

  for (guint i = 0; i < n; i++)
    total += hypot (course[3 * i + 3].x - course[3 * i].x, course[3 * i + 3].y - course[3 * i].y);
  for (rest = MIN (total, reach) * fraction; k < n; k++, rest -= length)
    {
      length = hypot (course[3 * k + 3].x - course[3 * k].x, course[3 * k + 3].y - course[3 * k].y);
      if (rest <= length || k + 1 == n)
        break;
    }
  t = length > 0 ? CLAMP (rest / length, 0, 1) : fraction;
  label->center = point_at (course + 3 * k, t);
  if (turns)
    label->angle = angle_between (point_at (course + 3 * k, MAX (t - 0.05, 0)),
                                  point_at (course + 3 * k, MIN (t + 0.05, 1)));
  return k;
}

static gboolean
hides_item (const SymPicture *picture, const SymRect *rect)
{
  g_autoptr (GArray) near = sym_draw_grid_query (picture->items, rect);

  for (guint i = 0; i < near->len; i++)
    {
      SymRect item = sym_picture_get_item_rect (picture, g_array_index (near, guint, i));

      item = sym_draw_rect_grow (&item, CLEARANCE);
      if (sym_draw_rect_meets (&item, rect))
        return TRUE;
    }
  return FALSE;
}

static gint64
get_cell (double x, double y)
{
  return ((gint64) floor (y / CELL) << 32) ^ ((gint64) floor (x / CELL) & 0xffffffff);
}

static gboolean
hides_label (const Places *self, const SymRect *rect)
{
  for (double y = floor (rect->y / CELL) * CELL; y <= rect->y + rect->height; y += CELL)
    for (double x = floor (rect->x / CELL) * CELL; x <= rect->x + rect->width; x += CELL)
      {
        gint64 cell = get_cell (x, y);
        GArray *taken = g_hash_table_lookup (self->cells, &cell);

        for (guint i = 0; taken != NULL && i < taken->len; i++)
          if (sym_draw_rect_meets (
                  rect, &g_array_index (self->rects, SymRect, g_array_index (taken, guint, i))))
            return TRUE;
      }
  return FALSE;
}

static void
take_place (Places *self, const SymEdgeLabel *label)
{
  SymRect own = sym_edge_label_get_rect (label);
  const SymRect *rect = &own;
  guint number = self->rects->len;

  g_array_append_val (self->rects, *rect);
  g_array_append_val (self->picture->labels, *label);
  for (double y = floor (rect->y / CELL) * CELL; y <= rect->y + rect->height; y += CELL)
    for (double x = floor (rect->x / CELL) * CELL; x <= rect->x + rect->width; x += CELL)
      {
        gint64 cell = get_cell (x, y);
        GArray *taken = g_hash_table_lookup (self->cells, &cell);

        if (taken == NULL)
          {
            taken = g_array_new (FALSE, FALSE, sizeof (guint));
            g_hash_table_insert (self->cells, g_memdup2 (&cell, sizeof cell), taken);
          }
        g_array_append_val (taken, number);
      }
}

static SymRect
bound_segment (const SymPoint *p)
{
  SymRect rect = { p[0].x, p[0].y, 0, 0 };

  for (guint i = 1; i < 4; i++)
    rect = sym_draw_rect_union (&rect, &(SymRect){ p[i].x, p[i].y, 0, 0 });
  return rect;
}

/* The curve is taken as chords, and these as the boxes around them: near misses count as well. */
static gboolean
segment_crosses (const SymPoint *segment, const SymRect *rect)
{
  SymRect bounds = bound_segment (segment);
  SymPoint last = segment[0];

  if (!sym_draw_rect_meets (rect, &bounds))
    return FALSE;
  for (guint k = 1; k <= SAMPLES; k++)
    {
      SymPoint at = point_at (segment, (double) k / SAMPLES);
      SymRect chord = { MIN (last.x, at.x), MIN (last.y, at.y), fabs (last.x - at.x),
                        fabs (last.y - at.y) };

      if (sym_draw_rect_meets (rect, &chord))
        return TRUE;
      last = at;
    }
  return FALSE;
}

static gboolean
is_same_value (const SymPicture *picture, guint a, guint b)
{
  const SymSceneEdge *x = sym_scene_get_edge (picture->scene, a);
  const SymSceneEdge *y = sym_scene_get_edge (picture->scene, b);

  return x->from == y->from && x->value == y->value;
}

/* How many lines of other values a label there would cut, or nearly. */
static guint
count_cut_lines (Places *self, guint edge, const SymRect *label)
{
  const SymPicture *picture = self->picture;
  SymRect grown = sym_draw_rect_grow (label, LINE_CLEARANCE);
  const SymRect *rect = &grown;
  g_autoptr (GArray) near = NULL;
  guint n_cut = 0;

  if (self->work > MAX_WORK)
    return 0;
  near = sym_draw_grid_query (picture->lines, rect);
  self->work += near->len;
  for (guint i = 0; n_cut < MAX_CUT && i < near->len; i++)
    {
      const SymPiece *piece =
          &g_array_index (picture->pieces, SymPiece, g_array_index (near, guint, i));
      guint n_points = 0;
      const SymPoint *course = sym_layout_get_course (picture->layout, piece->edge, &n_points);
      gboolean cut = FALSE;

      if (is_same_value (picture, piece->edge, edge))
        continue;
      for (guint k = piece->first; !cut && k < piece->first + piece->n; k++)
        cut = segment_crosses (course + 3 * k, rect);
      n_cut += cut;
    }
  return n_cut;
}

/* How much of its own line a label hides, looking at the segments around @k. */
static double
measure_hidden (const SymPoint *course, guint n, guint k, const SymRect *rect)
{
  guint first = k > 1 ? k - 2 : 0;
  double hidden = 0;

  for (guint i = first * SAMPLES; i < MIN (k + 3, n) * SAMPLES; i++)
    {
      const SymPoint *segment = course + 3 * (i / SAMPLES);
      SymPoint a = point_at (segment, (double) (i % SAMPLES) / SAMPLES);
      SymPoint b = point_at (segment, (double) (i % SAMPLES + 1) / SAMPLES);

      if (sym_draw_rect_meets (rect, &(SymRect){ (a.x + b.x) / 2, (a.y + b.y) / 2, 0, 0 }))
        hidden += hypot (b.x - a.x, b.y - a.y);
    }
  return hidden;
}

/* A place to try: how much of the line's start to look at (all of it when it is shorter), where on
 * that, and how far beside it, in labels. */
typedef struct {
  double fraction;
  double reach;
  double side;
} Spot;

/* Across the flow, by half the label and a little more for each of @side. */
static void
move_beside (const SymPicture *picture, SymEdgeLabel *label, double side)
{
  if (sym_layout_get_direction (picture->layout) == SYM_DIRECTION_DOWN)
    label->center.x += side * (label->width / 2 + BESIDE);
  else
    label->center.y += side * (label->height / 2 + BESIDE);
}

/* Tries one place.  Negative when it would hide a box or another label, else how bad it is: in
 * points of line that it hides, each other line counting as many. */
static double
judge_place (Places *self,
             SymEdgeLabel *label,
             const SymPoint *course,
             guint n,
             const Spot *spot,
             gboolean turns)
{
  guint k = move_along (label, course, n, spot->fraction, spot->reach, turns);
  SymRect rect;

  move_beside (self->picture, label, spot->side);
  rect = sym_edge_label_get_rect (label);
  if (hides_item (self->picture, &rect) || hides_label (self, &rect))
    return -1;
  return measure_hidden (course, n, k, &rect) + fabs (spot->side) * COST_BESIDE +
         COST_CUT * count_cut_lines (self, label->edge, &rect) +
         COST_FAR * fabs (spot->fraction - 0.5);
}

/* The best of the places at some height beside the line.  FALSE when there is none. */
static gboolean
try_places (Places *self,
            SymEdgeLabel *label,
            double reach,
            double side,
            gboolean turns,
            double *least)
{
  static const double fractions[] = { 0.5,  0.42, 0.58, 0.34, 0.66, 0.26, 0.74,
                                      0.82, 0.18, 0.9,  0.1,  0.95, 0.05 };
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->picture->layout, label->edge, &n_points);
  guint n = sym_picture_get_n_segments (self->picture, label->edge);
  SymEdgeLabel tried = *label;

  for (guint i = 0; n > 0 && *least > GOOD_ENOUGH && i < G_N_ELEMENTS (fractions); i++)
    {
      Spot spot = { fractions[i], reach, side };
      double cost;

      if (self->work++ > MAX_WORK && (i > 0 || fabs (side) > 0))
        break;
      cost = judge_place (self, &tried, course, n, &spot, turns);
      if (cost >= 0 && cost < *least)
        {
          *label = tried;
          *least = cost;
        }
    }
  return *least < G_MAXDOUBLE;
}

/* Right behind where the line begins, which all that it branches into has in common: the layout
 * keeps the room there, between ranks, to labels. */
static gboolean
try_start (Places *self, SymEdgeLabel *label, guint max_cut)
{
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->picture->layout, label->edge, &n_points);
  SymRect rect;

  if (n_points == 0)
    return FALSE;
  label->angle = 0;
  label->center = course[0];
  if (sym_layout_get_direction (self->picture->layout) == SYM_DIRECTION_DOWN)
    label->center.y += label->height / 2 + BESIDE;
  else
    label->center.x += label->width / 2 + BESIDE;
  rect = sym_edge_label_get_rect (label);
  return !hides_item (self->picture, &rect) && !hides_label (self, &rect) &&
         count_cut_lines (self, label->edge, &rect) <= max_cut;
}

/* On the middle of the line when that is straight and alone, else along it or beside it; near its
 * start, or, where everything is taken, anywhere on it.  FALSE when there is no place. */
static gboolean
find_place (Places *self, SymEdgeLabel *label, gboolean turns)
{
  static const double sides[] = { 0, 1, -1, 2.2, -2.2, 3.4, -3.4 };
  double least = G_MAXDOUBLE;

  for (guint i = 0; i < (turns ? 1 : 3); i++)
    try_places (self, label, REACH, sides[i], turns, &least);
  for (guint i = 0; least >= G_MAXDOUBLE && i < (turns ? 1 : G_N_ELEMENTS (sides)); i++)
    try_places (self, label, i < 3 ? G_MAXDOUBLE : REACH, sides[i], turns, &least);
  return least < G_MAXDOUBLE;
}

/* One that does not fit along its line may still fit across it.  One that fits nowhere is left out:
 * the line's title still tells it, and no box is hidden. */
static void
place_label (Places *self, guint edge, const char *text, gboolean is_branched)
{
  SymTextStyle style = sym_scene_get_edge_text_style ();
  gboolean turns = sym_scene_get_rotated_labels (self->picture->scene);
  gboolean is_right = sym_layout_get_direction (self->picture->layout) == SYM_DIRECTION_RIGHT;
  gboolean at_start =
      !turns && (is_right || is_branched || sym_picture_get_n_segments (self->picture, edge) > 1);
  SymEdgeLabel label = { edge };

  sym_draw_text_measure (&style, text, &label.width, &label.height);
  label.width += 2 * PADDING_X;
  label.height += 2 * PADDING_Y;
  if ((at_start && try_start (self, &label, 0)) || find_place (self, &label, turns) ||
      (turns && find_place (self, &label, FALSE)) || try_start (self, &label, MAX_CUT))
    take_place (self, &label);
}

/* The edges of one value from one item, which begin as one line. */
typedef struct {
  guint from;
  guint value;
  guint first; /* edge */
  guint n;
} Bundle;

static guint
hash_bundle (gconstpointer data)
{
  const Bundle *self = data;

  return self->value * 31 + self->from;
}

static gboolean
equal_bundles (gconstpointer a, gconstpointer b)
{
  const Bundle *x = a;
  const Bundle *y = b;

  return x->from == y->from && x->value == y->value;
}

static gboolean
has_label (const SymSceneEdge *edge)
{
  return edge->label != NULL && *edge->label != '\0';
}

/* Those with labels. */
static GHashTable *
find_bundles (const SymScene *scene)
{
  GHashTable *bundles = g_hash_table_new_full (hash_bundle, equal_bundles, g_free, NULL);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      Bundle key = { edge->from, edge->value, i, 1 };
      Bundle *bundle = g_hash_table_lookup (bundles, &key);

      if (!has_label (edge))
        continue;
      if (bundle != NULL)
        bundle->n++;
      else
        g_hash_table_add (bundles, g_memdup2 (&key, sizeof key));
    }
  return bundles;
}

/* A value is labelled once, not for each of those it leads to. */
static void
place_labels (Places *self)
{
  const SymScene *scene = self->picture->scene;
  g_autoptr (GHashTable) bundles = find_bundles (scene);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      Bundle key = { edge->from, edge->value, i, 1 };
      const Bundle *bundle = g_hash_table_lookup (bundles, &key);

      if (has_label (edge) && bundle->first == i)
        place_label (self, i, edge->label, bundle->n > 1);
    }
}

void
sym_picture_place_labels (SymPicture *self)
{
  Places places = { self };

  self->labels = g_array_new (FALSE, FALSE, sizeof (SymEdgeLabel));
  places.rects = g_array_new (FALSE, FALSE, sizeof (SymRect));
  places.cells =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  place_labels (&places);
  g_hash_table_unref (places.cells);
  self->label_places = sym_draw_grid_new (places.rects);
}
