/* SPDX-License-Identifier: MIT */
#include "draw/sym-painter-private.h"

#include <math.h>

#define LINE_WIDTH 1.5
#define SEGMENTS_PER_STROKE 256
#define MAX_PIXELS 8192.0 /* cairo counts in 24.8 bits; a longer curve is cut in halves */
#define MAX_HALVINGS 24
#define MIN_FAR_PIXELS 6.0 /* where boxes are spots, a shorter line is none */

/* A path being built of one kind of line. */
typedef struct {
  const SymPainter *painter;
  gboolean straight;
  gboolean dashed;
  gboolean has_point;
  SymPoint point; /* where the path has got to */
  guint n_segments;
} Pen;

/* A dashed line starts its pattern anew with each segment: what is left out of view must not shift
 * the dashes of what is seen. */
static void
add_visible (Pen *pen, const SymPoint p[4])
{
  cairo_t *cr = pen->painter->cr;
  gboolean joins =
      pen->has_point && !pen->dashed && pen->point.x == p[0].x && pen->point.y == p[0].y;

  if (!joins)
    cairo_move_to (cr, p[0].x, p[0].y);
  if (pen->straight)
    cairo_line_to (cr, p[3].x, p[3].y);
  else
    cairo_curve_to (cr, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
  pen->point = p[3];
  pen->has_point = TRUE;
  pen->n_segments++;
}

static SymRect
bound_segment (const SymPoint p[4])
{
  double left = MIN (MIN (p[0].x, p[1].x), MIN (p[2].x, p[3].x));
  double right = MAX (MAX (p[0].x, p[1].x), MAX (p[2].x, p[3].x));
  double top = MIN (MIN (p[0].y, p[1].y), MIN (p[2].y, p[3].y));
  double bottom = MAX (MAX (p[0].y, p[1].y), MAX (p[2].y, p[3].y));

  return (SymRect){ left, top, right - left, bottom - top };
}

static SymPoint
middle (SymPoint a, SymPoint b)
{
  return (SymPoint){ (a.x + b.x) / 2, (a.y + b.y) / 2 };
}

/* De Casteljau at one half. */
static void
halve (const SymPoint p[4], SymPoint first[4], SymPoint second[4])
{
  SymPoint ab = middle (p[0], p[1]), bc = middle (p[1], p[2]), cd = middle (p[2], p[3]);
  SymPoint abc = middle (ab, bc), bcd = middle (bc, cd);
  SymPoint center = middle (abc, bcd);
  SymPoint halves[2][4] = { { p[0], ab, abc, center }, { center, bcd, cd, p[3] } };

  for (guint i = 0; i < 4; i++)
    {
      first[i] = halves[0][i];
      second[i] = halves[1][i];
    }
}

/* Where a curve is cut depends on its length alone, not on the view. */
static void
add_segment (Pen *pen, const SymPoint segment[4])
{
  struct {
    SymPoint p[4];
    guint depth;
  } stack[MAX_HALVINGS + 2];
  SymRect near = sym_draw_rect_grow (&pen->painter->clip, LINE_WIDTH / pen->painter->scale + 1);
  guint n = 0;

  for (guint i = 0; i < 4; i++)
    stack[0].p[i] = segment[i];
  stack[n++].depth = 0;
  while (n > 0)
    {
      SymPoint p[4] = { stack[n - 1].p[0], stack[n - 1].p[1], stack[n - 1].p[2],
                        stack[n - 1].p[3] };
      SymRect rect = bound_segment (p);
      guint depth = stack[--n].depth;

      if (!sym_draw_rect_meets (&rect, &near))
        continue;
      if (MAX (rect.width, rect.height) * pen->painter->scale <= MAX_PIXELS ||
          depth >= MAX_HALVINGS)
        {
          add_visible (pen, p);
          continue;
        }
      halve (p, stack[n + 1].p, stack[n].p);
      stack[n].depth = stack[n + 1].depth = depth + 1;
      n += 2;
    }
}

static void
stroke (Pen *pen)
{
  if (pen->n_segments > 0)
    cairo_stroke (pen->painter->cr);
  pen->n_segments = 0;
  pen->has_point = FALSE;
}

static void
add_piece (Pen *pen, const SymPiece *piece)
{
  const SymPicture *picture = pen->painter->picture;
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (picture->layout, piece->edge, &n_points);

  for (guint k = piece->first; k < piece->first + piece->n; k++)
    {
      SymPoint segment[4] = { course[3 * k], course[3 * k + 1], course[3 * k + 2],
                              course[3 * k + 3] };

      if (3 * k + 4 == n_points && !pen->straight)
        {
          SymLineEnd end = sym_picture_get_line_end (picture, piece->edge);

          segment[2] = end.control;
          segment[3] = end.end;
        }
      add_segment (pen, segment);
    }
  if (pen->n_segments >= SEGMENTS_PER_STROKE)
    stroke (pen);
}

static Pen
start_line (const SymPainter *self, SymLine line)
{
  Pen pen = { self, .straight = self->scale < SYM_SCALE_DETAIL };
  double dashes[2];
  guint n_dashes = sym_line_get_dashes (line, dashes);
  double thinnest = 1 / self->scale;

  sym_painter_set_color (self, self->palette->lines[line]);
  cairo_set_antialias (self->cr, pen.straight ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_line_width (self->cr, pen.straight ? thinnest : MAX (LINE_WIDTH, thinnest));
  if (pen.straight)
    n_dashes = 0;
  pen.dashed = n_dashes > 0;
  cairo_set_dash (self->cr, dashes, (int) n_dashes, 0);
  return pen;
}

static gboolean
is_spot (const SymPainter *self, guint edge)
{
  guint n_points = 0;
  const SymPoint *course;

  if (self->scale >= SYM_SCALE_SEPARATE)
    return FALSE;
  course = sym_layout_get_course (self->picture->layout, edge, &n_points);
  return (fabs (course[0].x - course[n_points - 1].x) +
          fabs (course[0].y - course[n_points - 1].y)) *
             self->scale <
         MIN_FAR_PIXELS;
}

static void
fill_head (const SymPainter *self, const SymLineEnd *end)
{
  if (!end->has_head)
    return;
  cairo_move_to (self->cr, end->head[0].x, end->head[0].y);
  cairo_line_to (self->cr, end->head[1].x, end->head[1].y);
  cairo_line_to (self->cr, end->head[2].x, end->head[2].y);
  cairo_close_path (self->cr);
  cairo_fill (self->cr);
}

static void
draw_heads (const SymPainter *self, const GArray *pieces, SymLine line)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      const SymPiece *piece =
          &g_array_index (self->picture->pieces, SymPiece, g_array_index (pieces, guint, i));

      if (sym_picture_get_line (self->picture, piece->edge) == line &&
          piece->first + piece->n == sym_picture_get_n_segments (self->picture, piece->edge))
        {
          SymLineEnd end = sym_picture_get_line_end (self->picture, piece->edge);

          fill_head (self, &end);
        }
    }
}

static void
draw_kind (const SymPainter *self, const GArray *pieces, SymLine line)
{
  Pen pen = start_line (self, line);

  for (guint i = 0; i < pieces->len; i++)
    {
      const SymPiece *piece =
          &g_array_index (self->picture->pieces, SymPiece, g_array_index (pieces, guint, i));

      if (sym_picture_get_line (self->picture, piece->edge) == line && !is_spot (self, piece->edge))
        add_piece (&pen, piece);
    }
  stroke (&pen);
  if (!pen.straight)
    draw_heads (self, pieces, line);
}

/* What is dimmed lies below everything else. */
void
sym_painter_draw_lines (const SymPainter *self, const GArray *pieces)
{
  static const SymLine order[] = {
    SYM_LINE_DIMMED,
    SYM_LINE_DATA,
    SYM_LINE_CONTROL,
    SYM_LINE_BACK,
  };

  cairo_save (self->cr);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    draw_kind (self, pieces, order[i]);
  cairo_restore (self->cr);
}

void
sym_painter_draw_line (const SymPainter *self,
                       SymLine line,
                       const SymPoint course[4],
                       const SymLineEnd *end)
{
  Pen pen;

  cairo_save (self->cr);
  pen = start_line (self, line);
  add_visible (&pen, (SymPoint[]){ course[0], course[1], end->control, end->end });
  stroke (&pen);
  fill_head (self, end);
  cairo_restore (self->cr);
}

void
sym_painter_draw_course (const SymPainter *self,
                         SymLine line,
                         const SymPoint *course,
                         guint n_points,
                         gboolean has_head)
{
  SymLineEnd end = sym_line_end (course, n_points, has_head);
  Pen pen;

  cairo_save (self->cr);
  pen = start_line (self, line);
  for (guint i = 0; i + 3 < n_points; i += 3)
    {
      gboolean is_last = i + 4 >= n_points;

      add_segment (&pen,
                   (SymPoint[]){ course[i], course[i + 1], is_last ? end.control : course[i + 2],
                                 is_last ? end.end : course[i + 3] });
    }
  stroke (&pen);
  fill_head (self, &end);
  cairo_restore (self->cr);
}
