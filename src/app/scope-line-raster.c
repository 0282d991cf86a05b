/* SPDX-License-Identifier: MIT */
#include "app/scope-line-raster.h"

#include <math.h>

#include "draw/sym-draw-grid.h"

#define CELL 2.0       /* pixels of the screen */
#define MAX_CELLS 8192 /* in one direction */
#define MAX_STROKES 512
#define FLAT 0.5 /* cells that a curve may bend away from what is drawn for it */
#define MAX_HALVINGS 24

struct _ScopeLineRaster {
  SymRect visible;
  double scale;
  int width, height;        /* cells */
  GArray *edges;            /* NULL when there are too many */
  cairo_surface_t *surface; /* of places */
  guint8 *places;
  int stride;
};

/* Four points of a curve, in cells from the corner of the view. */
typedef struct {
  SymPoint p[4];
  guint depth;
} Curve;

/* ---- Pieces that are straight ---- */

/* What is left of the part [*from, *to] of a straight piece where `start + t * step` lies within
 * [0, @end]. */
static gboolean
clip_part (double start, double step, double end, double *from, double *to)
{
  if (step == 0)
    return start >= 0 && start <= end;
  double a = -start / step, b = (end - start) / step;

  *from = MAX (*from, MIN (a, b));
  *to = MIN (*to, MAX (a, b));
  return *from <= *to;
}

static gboolean
mark_straight (ScopeLineRaster *self, SymPoint a, SymPoint b)
{
  double from = 0, to = 1, dx = b.x - a.x, dy = b.y - a.y;

  if (!clip_part (a.x, dx, self->width, &from, &to) ||
      !clip_part (a.y, dy, self->height, &from, &to))
    return FALSE;
  double x = a.x + from * dx, y = a.y + from * dy;
  int n = (int) ceil ((to - from) * MAX (fabs (dx), fabs (dy)));
  double step_x = n > 0 ? (to - from) * dx / n : 0, step_y = n > 0 ? (to - from) * dy / n : 0;

  for (int i = 0; i <= n; i++, x += step_x, y += step_y)
    {
      int column = CLAMP ((int) x, 0, self->width - 1), row = CLAMP ((int) y, 0, self->height - 1);

      self->places[row * self->stride + column] = 0xff;
    }
  return TRUE;
}

/* ---- Curves ---- */

static double
measure_bend (const SymPoint p[4])
{
  double first = fabs (3 * (p[1].x - p[0].x) - (p[3].x - p[0].x)) +
                 fabs (3 * (p[1].y - p[0].y) - (p[3].y - p[0].y));
  double second = fabs (3 * (p[3].x - p[2].x) - (p[3].x - p[0].x)) +
                  fabs (3 * (p[3].y - p[2].y) - (p[3].y - p[0].y));

  return MAX (first, second);
}

static gboolean
is_outside (const ScopeLineRaster *self, const SymPoint p[4])
{
  double left = MIN (MIN (p[0].x, p[1].x), MIN (p[2].x, p[3].x));
  double right = MAX (MAX (p[0].x, p[1].x), MAX (p[2].x, p[3].x));
  double top = MIN (MIN (p[0].y, p[1].y), MIN (p[2].y, p[3].y));
  double bottom = MAX (MAX (p[0].y, p[1].y), MAX (p[2].y, p[3].y));

  return right < 0 || bottom < 0 || left > self->width || top > self->height;
}

static SymPoint
middle (SymPoint a, SymPoint b)
{
  return (SymPoint){ (a.x + b.x) / 2, (a.y + b.y) / 2 };
}

static void
halve (const Curve *curve, Curve *first, Curve *second)
{
  SymPoint ab = middle (curve->p[0], curve->p[1]), bc = middle (curve->p[1], curve->p[2]);
  SymPoint cd = middle (curve->p[2], curve->p[3]);
  SymPoint abc = middle (ab, bc), bcd = middle (bc, cd), center = middle (abc, bcd);

  *first = (Curve){ { curve->p[0], ab, abc, center }, curve->depth + 1 };
  *second = (Curve){ { center, bcd, cd, curve->p[3] }, curve->depth + 1 };
}

static gboolean
mark_curve (ScopeLineRaster *self, const SymPoint p[4])
{
  Curve stack[MAX_HALVINGS + 2] = { { { p[0], p[1], p[2], p[3] }, 0 } };
  gboolean is_seen = FALSE;

  for (guint n = 1; n > 0;)
    {
      Curve curve = stack[--n];

      if (is_outside (self, curve.p))
        continue;
      if (measure_bend (curve.p) <= 4 * FLAT || curve.depth >= MAX_HALVINGS)
        {
          is_seen = mark_straight (self, curve.p[0], curve.p[3]) || is_seen;
          continue;
        }
      halve (&curve, &stack[n + 1], &stack[n]);
      n += 2;
    }
  return is_seen;
}

static gboolean
mark_line (ScopeLineRaster *self, const SymPoint *course, guint n_points)
{
  double factor = self->scale / CELL;
  gboolean is_seen = FALSE;

  for (guint i = 0; i + 3 < n_points; i += 3)
    {
      SymPoint p[4];

      for (guint k = 0; k < 4; k++)
        p[k] = (SymPoint){ (course[i + k].x - self->visible.x) * factor,
                           (course[i + k].y - self->visible.y) * factor };
      is_seen = mark_curve (self, p) || is_seen;
    }
  return is_seen;
}

/* ---- Whole ---- */

static void
mark_lines (ScopeLineRaster *self, const SymLayout *layout, const GArray *edges)
{
  for (guint i = 0; i < edges->len; i++)
    {
      guint edge = g_array_index (edges, guint, i), n;
      const SymPoint *course = sym_layout_get_course (layout, edge, &n);

      if (mark_line (self, course, n) && self->edges != NULL)
        g_array_append_val (self->edges, edge);
      if (self->edges != NULL && self->edges->len > MAX_STROKES)
        g_clear_pointer (&self->edges, g_array_unref);
    }
}

ScopeLineRaster *
scope_line_raster_new (const SymLayout *layout,
                       const GArray *edges,
                       const SymRect *visible,
                       double scale)
{
  g_return_val_if_fail (layout != NULL && edges != NULL && scale > 0, NULL);

  ScopeLineRaster *self = g_new0 (ScopeLineRaster, 1);

  self->visible = *visible;
  self->scale = scale;
  self->width = (int) CLAMP (ceil (visible->width * scale / CELL), 1, MAX_CELLS);
  self->height = (int) CLAMP (ceil (visible->height * scale / CELL), 1, MAX_CELLS);
  self->edges = g_array_new (FALSE, FALSE, sizeof (guint));
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_A8, self->width, self->height);
  self->places = cairo_image_surface_get_data (self->surface);
  self->stride = cairo_image_surface_get_stride (self->surface);
  cairo_surface_flush (self->surface);
  mark_lines (self, layout, edges);
  cairo_surface_mark_dirty (self->surface);
  return self;
}

void
scope_line_raster_free (ScopeLineRaster *self)
{
  g_clear_pointer (&self->edges, g_array_unref);
  cairo_surface_destroy (self->surface);
  g_free (self);
}

gboolean
scope_line_raster_is_of (const ScopeLineRaster *self, const SymRect *visible, double scale)
{
  return self->scale == scale && self->visible.x == visible->x && self->visible.y == visible->y &&
         self->visible.width == visible->width && self->visible.height == visible->height;
}

const GArray *
scope_line_raster_get_edges (const ScopeLineRaster *self)
{
  return self->edges;
}

void
scope_line_raster_paint (const ScopeLineRaster *self, cairo_t *cr)
{
  cairo_save (cr);
  cairo_translate (cr, self->visible.x, self->visible.y);
  cairo_scale (cr, CELL / self->scale, CELL / self->scale);
  cairo_mask_surface (cr, self->surface, 0, 0);
  cairo_restore (cr);
}
