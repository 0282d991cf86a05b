/* SPDX-License-Identifier: MIT */
#include "layout-measure.h"

#include <math.h>
#include <stdlib.h>

#define NEAR 0.02           /* the same place */
#define MAX_PIECES 10000000 /* of lines, for crossings to be counted */

static SymPoint
turn (SymPoint point, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? point : (SymPoint){ point.y, point.x };
}

static SymRect
get_rect (const SymLayout *layout, guint i)
{
  const SymSceneItem *item = sym_scene_get_item (sym_layout_get_scene (layout), i);
  SymDirection direction = sym_layout_get_direction (layout);
  SymPoint corner = turn (sym_layout_get_position (layout, i), direction);
  SymPoint size = turn ((SymPoint){ item->width, item->height }, direction);

  return (SymRect){ corner.x, corner.y, size.x, size.y };
}

static DrawnEdge
get_edge (const SymLayout *layout, guint i)
{
  const SymSceneEdge *edge = sym_scene_get_edge (sym_layout_get_scene (layout), i);
  SymDirection direction = sym_layout_get_direction (layout);
  guint n;
  const SymPoint *points = sym_layout_get_course (layout, i, &n);
  SymPoint *turned = g_new (SymPoint, n);

  for (guint k = 0; k < n; k++)
    turned[k] = turn (points[k], direction);
  return (DrawnEdge){ edge->from, edge->to, edge->is_back || edge->from == edge->to, turned, n };
}

Drawing *
drawing_new (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);
  SymPoint size = turn ((SymPoint){ sym_layout_get_width (layout), sym_layout_get_height (layout) },
                        sym_layout_get_direction (layout));
  Drawing *self = g_new0 (Drawing, 1);

  self->n_items = sym_scene_get_n_items (scene);
  self->n_edges = sym_scene_get_n_edges (scene);
  self->rects = g_new (SymRect, self->n_items + 1);
  self->edges = g_new (DrawnEdge, self->n_edges + 1);
  self->width = size.x;
  self->height = size.y;
  for (guint i = 0; i < self->n_items; i++)
    self->rects[i] = get_rect (layout, i);
  for (guint i = 0; i < self->n_edges; i++)
    self->edges[i] = get_edge (layout, i);
  return self;
}

void
drawing_free (Drawing *self)
{
  for (guint i = 0; i < self->n_edges; i++)
    g_free ((gpointer) self->edges[i].points);
  g_free (self->rects);
  g_free (self->edges);
  g_free (self);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Right below and right above each height at which a piece of a line ends: what is level there, as
 * lines between ranks are, then lies between two heights like all else. */
static GArray *
find_heights (const Drawing *self)
{
  GArray *heights = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (double));
  double last = -G_MAXDOUBLE;

  for (guint i = 0; i < self->n_edges; i++)
    for (guint k = 0; !self->edges[i].is_back && k < self->edges[i].n_points; k += 3)
      g_array_append_val (ends, self->edges[i].points[k].y);
  qsort (ends->data, ends->len, sizeof (double), compare_doubles);
  for (guint i = 0; i < ends->len; i++)
    {
      double end = g_array_index (ends, double, i);
      double beside = (end - last) / 100;
      double both[2] = { last + beside, end - beside };

      if (last > -G_MAXDOUBLE && end <= last + NEAR)
        continue;
      if (last > -G_MAXDOUBLE)
        g_array_append_vals (heights, both, 2);
      last = end;
    }
  return heights;
}

/* The first of the heights that is not above @y. */
static guint
find_height (const GArray *heights, double y)
{
  guint low = 0;
  guint high = heights->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (heights, double, middle) < y)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
interpolate (double a, double b, double c, double d, double t)
{
  double s = 1 - t;

  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

static gboolean
is_straight (const SymPoint *p)
{
  return fabs (p[1].x - p[0].x) <= NEAR && fabs (p[2].x - p[0].x) <= NEAR &&
         fabs (p[3].x - p[0].x) <= NEAR;
}

/* Where the line is at @y, looking from its segment @*k on. */
static double
get_x_at (const DrawnEdge *edge, double y, guint *k)
{
  const SymPoint *p;
  double low = 0;
  double high = 1;

  while (*k + 4 < edge->n_points && edge->points[*k + 3].y < y)
    *k += 3;
  p = edge->points + *k;
  if (is_straight (p))
    return p[0].x;
  for (guint i = 0; i < 40; i++)
    {
      double t = (low + high) / 2;

      if (interpolate (p[0].y, p[1].y, p[2].y, p[3].y, t) < y)
        low = t;
      else
        high = t;
    }
  return interpolate (p[0].x, p[1].x, p[2].x, p[3].x, low);
}

/* A line between two neighbouring heights. */
typedef struct {
  guint height;
  double upper, lower;
} Step;

static int
compare_steps (const void *a, const void *b)
{
  const Step *x = a;
  const Step *y = b;

  if (x->height != y->height)
    return x->height < y->height ? -1 : 1;
  if (x->upper < y->upper || x->upper > y->upper)
    return x->upper < y->upper ? -1 : 1;
  return x->lower < y->lower ? -1 : x->lower > y->lower;
}

/* To a grid, so that lines that lie on each other compare as equal. */
static double
snap (double x)
{
  return round (x / NEAR) * NEAR;
}

/* The heights that the line passes: from the first to the one before the last. */
static void
get_heights (const DrawnEdge *edge, const GArray *heights, guint *first, guint *last)
{
  *first = find_height (heights, edge->points[0].y);
  *last = find_height (heights, edge->points[edge->n_points - 1].y);
  if (edge->is_back || *last <= *first)
    *last = *first;
}

/* How many pieces the lines have together, from height to height. */
static guint64
count_pieces (const Drawing *self, const GArray *heights)
{
  guint64 n = 0;

  for (guint i = 0; i < self->n_edges; i++)
    {
      guint first;
      guint last;

      get_heights (&self->edges[i], heights, &first, &last);
      n += last - first;
    }
  return n;
}

static GArray *
collect_steps (const Drawing *self, const GArray *heights)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));

  for (guint i = 0; i < self->n_edges; i++)
    {
      const DrawnEdge *edge = &self->edges[i];
      double x = 0;
      guint k = 0;
      guint first;
      guint last;

      get_heights (edge, heights, &first, &last);
      for (guint height = first; height < last; height++)
        {
          Step step = { height, x,
                        snap (get_x_at (edge, g_array_index (heights, double, height), &k)) };

          if (height > first)
            g_array_append_val (steps, step);
          x = step.lower;
        }
    }
  qsort (steps->data, steps->len, sizeof (Step), compare_steps);
  return steps;
}

/* Sorts @x, and returns how many pairs stood the wrong way round. */
static guint64
count_inversions (double *x, double *room, guint n)
{
  guint64 sum = 0;

  for (guint width = 1; width < n; width *= 2)
    {
      for (guint start = 0; start < n; start += 2 * width)
        {
          guint middle = MIN (start + width, n);
          guint end = MIN (start + 2 * width, n);
          guint i = start;
          guint k = middle;

          for (guint to = start; to < end; to++)
            {
              gboolean from_right = i == middle || (k < end && x[k] < x[i]);

              if (from_right)
                sum += middle - i;
              room[to] = from_right ? x[k++] : x[i++];
            }
        }
      for (guint i = 0; i < n; i++)
        x[i] = room[i];
    }
  return sum;
}

static guint64
count_crossings (const Drawing *self)
{
  g_autoptr (GArray) heights = find_heights (self);
  g_autoptr (GArray) steps = NULL;
  g_autofree double *x = NULL;
  g_autofree double *room = NULL;
  guint64 sum = 0;
  guint n = 0;

  if (count_pieces (self, heights) > MAX_PIECES)
    return QUALITY_NOT_COUNTED;
  steps = collect_steps (self, heights);
  x = g_new (double, steps->len + 1);
  room = g_new (double, steps->len + 1);
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (i > 0 && step->height != step[-1].height)
        {
          sum += count_inversions (x, room, n);
          n = 0;
        }
      if (n == 0 || compare_steps (step, step - 1) != 0)
        x[n++] = step->lower;
    }
  return sum + count_inversions (x, room, n);
}

static int
compare_tops (gconstpointer a, gconstpointer b, gpointer rects)
{
  double x = ((const SymRect *) rects)[*(const guint *) a].y;
  double y = ((const SymRect *) rects)[*(const guint *) b].y;

  return x < y ? -1 : x > y;
}

static guint *
sort_items (const Drawing *self)
{
  guint *sorted = g_new (guint, self->n_items + 1);

  for (guint i = 0; i < self->n_items; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, (int) self->n_items, sizeof (guint), compare_tops, self->rects);
  return sorted;
}

static guint
count_overlaps (const Drawing *self, const guint *sorted)
{
  guint n = 0;

  for (guint i = 0; i < self->n_items; i++)
    {
      SymRect a = self->rects[sorted[i]];

      for (guint k = i + 1; k < self->n_items; k++)
        {
          SymRect b = self->rects[sorted[k]];

          if (b.y >= a.y + a.height - NEAR)
            break;
          n += a.x + a.width > b.x + NEAR && b.x + b.width > a.x + NEAR;
        }
    }
  return n;
}

/* The longest way that ends at an item, and the sideways steps of the straightest such. */
typedef struct {
  guint length;
  double deviation;
} Way;

static double
get_middle (const Drawing *self, guint item)
{
  return self->rects[item].x + self->rects[item].width / 2;
}

static gboolean
is_against (const Drawing *self, const DrawnEdge *edge)
{
  return self->rects[edge->to].y <
         self->rects[edge->from].y + self->rects[edge->from].height - NEAR;
}

/* Follows edges from the uppermost item on; those against the flow are counted elsewhere. */
static void
find_longest (const Drawing *self, const guint *sorted, Quality *quality)
{
  g_autofree Way *ways = g_new0 (Way, self->n_items + 1);
  g_autofree guint *starts = g_new0 (guint, self->n_items + 2);
  g_autofree guint *outs = g_new (guint, self->n_edges + 1);

  for (guint i = 0; i < self->n_edges; i++)
    starts[self->edges[i].from + 2]++;
  for (guint i = 1; i < self->n_items + 1; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < self->n_edges; i++)
    outs[starts[self->edges[i].from + 1]++] = i;
  for (guint i = 0; i < self->n_items; i++)
    {
      guint item = sorted[i];
      Way way = ways[item];

      if (way.length + 1 > quality->longest ||
          (way.length + 1 == quality->longest && way.deviation < quality->deviation))
        {
          quality->longest = way.length + 1;
          quality->deviation = way.deviation;
        }
      for (guint k = starts[item]; k < starts[item + 1]; k++)
        {
          const DrawnEdge *edge = &self->edges[outs[k]];
          Way *to = &ways[edge->to];
          double deviation =
              way.deviation + fabs (get_middle (self, edge->to) - get_middle (self, item));

          if (edge->is_back || is_against (self, edge))
            continue;
          if (way.length + 1 > to->length ||
              (way.length + 1 == to->length && deviation < to->deviation))
            *to = (Way){ way.length + 1, deviation };
        }
    }
}

/* Curves that follow each other, and what is level between them, are one bend. */
static guint
count_bends (const DrawnEdge *edge)
{
  guint n = 0;

  for (guint k = 0; k + 3 < edge->n_points; k += 3)
    n += !is_straight (edge->points + k) && (k == 0 || is_straight (edge->points + k - 3));
  return n;
}

Quality
drawing_measure (const Drawing *self)
{
  Quality quality = { .width = self->width, .height = self->height };
  g_autofree guint *sorted = sort_items (self);

  if (self->n_items == 0)
    return quality;
  quality.n_overlaps = count_overlaps (self, sorted);
  quality.n_crossings = count_crossings (self);
  find_longest (self, sorted, &quality);
  for (guint i = 0; i < self->n_edges; i++)
    {
      quality.n_against += !self->edges[i].is_back && is_against (self, &self->edges[i]);
      quality.n_bends += count_bends (&self->edges[i]);
    }
  return quality;
}
