/* SPDX-License-Identifier: MIT */
#include <cairo-pdf.h>
#include <math.h>

#include "core/sym-error.h"
#include "draw/sym-draw-text.h"
#include "draw/sym-picture-pdf.h"

#define MAX_SIDE 14400.0 /* points of a page: PDF 1.7, appendix C */
#define MAX_PAGES 100000
#define MANY_PAGES 500 /* larger pages are better than more */

/* Parts of neighbours overlap, so that a box that one page cuts is whole on the next. */
#define OVERLAP 120.0
#define MAX_OVERLAP 0.25 /* of a part */

#define FOOTER_SIZE 10.0
#define TICK 14.0

/* Same picture, same bytes: the true date is not told. */
#define DATE "2000-01-01T00:00:00Z"

typedef struct {
  double width, height;
} Paper;

static const Paper papers[] = {
  [SYM_PAPER_FIT] = { 1684, 2384 }, /* at least */
  [SYM_PAPER_A4] = { 595, 842 },    [SYM_PAPER_A3] = { 842, 1191 },
  [SYM_PAPER_A2] = { 1191, 1684 },  [SYM_PAPER_A1] = { 1684, 2384 },
  [SYM_PAPER_A0] = { 2384, 3370 },  [SYM_PAPER_LETTER] = { 612, 792 },
};

static cairo_status_t
write_cb (void *data, const unsigned char *bytes, unsigned int size)
{
  SymDrawOut *out = data;

  sym_draw_out_add_bytes (out, bytes, size);
  return sym_draw_out_has_failed (out) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static void
set_metadata (const SymPdf *self)
{
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_TITLE,
                                  sym_picture_get_title (self->picture));
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATOR, "Symscope");
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATE_DATE, DATE);
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_MOD_DATE, DATE);
}

/* ---- How it is cut ---- */

static guint
count_parts (double length, double part, double *step)
{
  *step = part - MIN (OVERLAP, part * MAX_OVERLAP);
  return length <= part ? 1 : 1 + (guint) ceil ((length - part) / *step);
}

static guint64
count_pages (const SymPdf *self)
{
  return (guint64) self->n_columns * self->n_rows;
}

/* Cuts for pages of @width by @height on paper. */
static void
cut_for (SymPdf *self, double width, double height)
{
  const SymRect *extent = &self->picture->extent;

  self->page_width_pt = width;
  self->page_height_pt = height;
  self->part_width = (width - 2 * self->margin_pt) / self->scale;
  self->part_height = (height - 2 * self->margin_pt) / self->scale;
  self->n_columns = count_parts (extent->width, self->part_width, &self->step_x);
  self->n_rows = count_parts (extent->height, self->part_height, &self->step_y);
}

/* Upright or lying: what takes fewer pages, else as the picture is. */
static void
cut_either_way (SymPdf *self, Paper paper)
{
  const SymRect *extent = &self->picture->extent;
  gboolean lies = extent->width > extent->height;
  guint64 n;

  cut_for (self, lies ? paper.width : paper.height, lies ? paper.height : paper.width);
  n = count_pages (self);
  cut_for (self, lies ? paper.height : paper.width, lies ? paper.width : paper.height);
  if (n < count_pages (self))
    cut_for (self, self->page_height_pt, self->page_width_pt);
}

/* How long each of @n equal parts is that cover @length and share @overlap. */
static double
share (double length, guint n, double overlap)
{
  return (length + (n - 1) * overlap) / n;
}

/* Pages that are no given paper need not be larger than what is on them, and the last not emptier than
 * the others. */
static void
trim (SymPdf *self)
{
  const SymRect *extent = &self->picture->extent;
  double width = share (extent->width, self->n_columns, self->part_width - self->step_x);
  double height = share (extent->height, self->n_rows, self->part_height - self->step_y);
  double least = papers[SYM_PAPER_A4].width;

  cut_for (self, MAX (ceil (width * self->scale + 2 * self->margin_pt), least),
           MAX (ceil (height * self->scale + 2 * self->margin_pt), least));
}

static void
fit (SymPdf *self)
{
  const SymRect *extent = &self->picture->extent;
  double width = extent->width * self->scale;
  double height = extent->height * self->scale;
  Paper paper = papers[SYM_PAPER_FIT];

  self->margin_pt = 0;
  cut_for (self, width, height);
  if (width <= MAX_SIDE && height <= MAX_SIDE)
    return;
  self->margin_pt = SYM_PDF_MARGIN;
  cut_either_way (self, paper);
  while (count_pages (self) > MANY_PAGES && 2 * paper.width <= MAX_SIDE)
    {
      paper = (Paper) { paper.height, 2 * paper.width };
      cut_either_way (self, paper);
    }
  trim (self);
}

static void
cut_as_asked (SymPdf *self)
{
  if (self->output->paper == SYM_PAPER_FIT)
    fit (self);
  else
    {
      self->margin_pt = SYM_PDF_MARGIN;
      cut_either_way (self, papers[self->output->paper]);
    }
}

static double
find_scale (const SymPdf *self)
{
  SymPdf smaller = *self;

  while (count_pages (&smaller) > MAX_PAGES)
    {
      smaller.scale *= 0.95;
      cut_as_asked (&smaller);
    }
  return smaller.scale;
}

/* FALSE when nobody would leaf through so many. */
static gboolean
cut (SymPdf *self, GError **error)
{
  const SymRect *extent = &self->picture->extent;

  cut_as_asked (self);
  if (count_pages (self) <= MAX_PAGES)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
               "%s: %.0f × %.0f points would be %" G_GUINT64_FORMAT
               " pages of a PDF (%d at most); a scale of %.3g%s would fit, and SVG has no such "
               "limit",
               self->path, extent->width * self->scale, extent->height * self->scale,
               count_pages (self), MAX_PAGES, 0.99 * find_scale (self),
               self->output->paper == SYM_PAPER_FIT ? "" : " or larger paper");
  return FALSE;
}

SymRect
sym_pdf_get_part (const SymPdf *self, guint column, guint row)
{
  const SymRect *extent = &self->picture->extent;
  double x = column * self->step_x;
  double y = row * self->step_y;

  return (SymRect) { extent->x + x, extent->y + y, MIN (self->part_width, extent->width - x),
                     MIN (self->part_height, extent->height - y) };
}

static gboolean
shows_anything (const SymPdf *self, const SymRect *part)
{
  const SymPicture *picture = self->picture;
  g_autoptr (GArray) items = sym_draw_grid_query (picture->items, part);
  g_autoptr (GArray) lines = sym_draw_grid_query (picture->lines, part);

  return items->len > 0 || lines->len > 0 ||
         (picture->legend != NULL && sym_draw_rect_meets (&picture->legend->rect, part));
}

/* The first page is the overview. */
static void
number_pages (SymPdf *self)
{
  self->numbers = g_new0 (guint, (gsize) count_pages (self));
  self->n_pages = 1;
  for (guint row = 0; row < self->n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      {
        SymRect part = sym_pdf_get_part (self, column, row);

        if (shows_anything (self, &part))
          self->numbers[row * self->n_columns + column] = ++self->n_pages;
      }
}

/* ---- What is on a page ---- */

static void
write_footer (const SymPdf *self, cairo_t *cr, guint number, const char *place)
{
  SymTextStyle style = { .size = FOOTER_SIZE };
  g_autofree char *text = g_strdup_printf ("%u/%u · %s", number, self->n_pages, place);
  g_autofree char *name = g_strdup_printf ("name='page%u' x=0 y=0", number);

  cairo_tag_begin (cr, CAIRO_TAG_DEST, name);
  cairo_tag_end (cr, CAIRO_TAG_DEST);
  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  sym_draw_text_show (cr, &style, text, self->page_width_pt / 2,
                      self->page_height_pt - self->margin_pt / 2, 0);
}

/* In the margin, where the part of a neighbour ends or begins: pages can be laid upon one another by
 * these. */
static void
draw_ticks (const SymPdf *self, cairo_t *cr, gboolean upright, double at)
{
  double far = (upright ? self->page_height_pt : self->page_width_pt) - self->margin_pt;
  double starts[] = { self->margin_pt - TICK, far };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      cairo_move_to (cr, upright ? at : starts[i], upright ? starts[i] : at);
      cairo_line_to (cr, upright ? at : starts[i] + TICK, upright ? starts[i] + TICK : at);
    }
}

static void
draw_overlaps (const SymPdf *self, cairo_t *cr, guint column, guint row)
{
  double left = self->margin_pt + (self->part_width - self->step_x) * self->scale;
  double right = self->margin_pt + self->step_x * self->scale;
  double top = self->margin_pt + (self->part_height - self->step_y) * self->scale;
  double bottom = self->margin_pt + self->step_y * self->scale;

  if (column > 0)
    draw_ticks (self, cr, TRUE, left);
  if (column + 1 < self->n_columns)
    draw_ticks (self, cr, TRUE, right);
  if (row > 0)
    draw_ticks (self, cr, FALSE, top);
  if (row + 1 < self->n_rows)
    draw_ticks (self, cr, FALSE, bottom);
  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  cairo_set_line_width (cr, 0.5);
  cairo_stroke (cr);
}

/* The part with its upper left corner at (@x, @y) on paper. */
static void
paint_part (const SymPdf *self, cairo_t *cr, const SymRect *part, double x, double y)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, part->width * self->scale, part->height * self->scale);
  cairo_clip (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, self->scale, self->scale);
  cairo_translate (cr, -part->x, -part->y);
  /* Paper is looked at as closely as one likes: nothing is left out for being small. */
  sym_picture_paint (self->picture, cr, part, MAX (self->scale, 1));
  sym_pdf_mark_frames (self, cr, part);
  cairo_restore (cr);
}

static void
paint_single (const SymPdf *self)
{
  const SymRect *extent = &self->picture->extent;
  cairo_t *cr = cairo_create (self->surface);

  paint_part (self, cr, extent, (self->page_width_pt - extent->width * self->scale) / 2,
              (self->page_height_pt - extent->height * self->scale) / 2);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static void
paint_page (const SymPdf *self, guint column, guint row)
{
  SymRect part = sym_pdf_get_part (self, column, row);
  guint number = self->numbers[row * self->n_columns + column];
  g_autofree char *place = g_strdup_printf ("row %u, column %u", row + 1, column + 1);
  cairo_t *cr;

  if (number == 0)
    return;
  cr = cairo_create (self->surface);
  write_footer (self, cr, number, place);
  draw_overlaps (self, cr, column, row);
  paint_part (self, cr, &part, self->margin_pt, self->margin_pt);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static void
paint_first (const SymPdf *self)
{
  cairo_t *cr;

  sym_pdf_paint_overview (self);
  cr = cairo_create (self->surface);
  write_footer (self, cr, 1, "overview");
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static gboolean
paint_pages (const SymPdf *self, GError **error)
{
  guint n = self->n_rows * self->n_columns;

  if (!sym_picture_output_tell (self->output, 0, error))
    return FALSE;
  paint_first (self);
  for (guint i = 0; i < n; i++)
    {
      if (!sym_picture_output_tell (self->output, (double) i / n, error))
        return FALSE;
      paint_page (self, i % self->n_columns, i / self->n_columns);
    }
  return TRUE;
}

static gboolean
paint (SymPdf *self, GError **error)
{
  gboolean done = TRUE;

  if (count_pages (self) == 1)
    paint_single (self);
  else
    {
      number_pages (self);
      done = paint_pages (self, error);
    }
  if (done)
    sym_pdf_add_outline (self);
  return done && sym_picture_output_tell (self->output, 1, error);
}

static gboolean
finish (const SymPdf *self, const SymDrawOut *out, GError **error)
{
  cairo_status_t status;

  cairo_surface_finish (self->surface);
  status = cairo_surface_status (self->surface);
  if (status == CAIRO_STATUS_SUCCESS || sym_draw_out_has_failed (out))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "%s: the PDF could not be made: %s", self->path,
               cairo_status_to_string (status));
  return FALSE;
}

gboolean
sym_picture_write_pdf (SymPicture *self,
                       const char *path,
                       const SymPictureOutput *output,
                       GError **error)
{
  g_autoptr (SymDrawOut) out = NULL;
  SymPdf pdf = { self, path };
  gboolean done;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  pdf.output = sym_picture_output_get (output);
  if (!sym_picture_output_get_scale (pdf.output, path, &pdf.scale, error) || !cut (&pdf, error))
    return FALSE;
  out = sym_draw_out_new (path, error);
  if (out == NULL)
    return FALSE;
  pdf.surface = cairo_pdf_surface_create_for_stream (write_cb, out, pdf.page_width_pt,
                                                     pdf.page_height_pt);
  set_metadata (&pdf);
  done = paint (&pdf, error);
  done = finish (&pdf, out, done ? error : NULL) && done;
  cairo_surface_destroy (pdf.surface);
  g_free (pdf.numbers);
  return done && sym_draw_out_close (out, error);
}
