/* SPDX-License-Identifier: MIT */
#include <cairo-pdf.h>
#include <math.h>

#include "core/sym-error.h"
#include "draw/sym-draw-text.h"
#include "draw/sym-picture-pdf.h"

#define MAX_SIDE 14400.0 /* points of a page: PDF 1.7, appendix C */
#define MAX_PAGES 100000
#define MANY_PAGES 500 /* larger pages are better than more */

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

/* Upright or lying: what takes fewer pages, else as the picture is. */
static void
cut_either_way (SymPdf *self, Paper paper)
{
  SymPages *pages = &self->pages;
  const SymRect *extent = &pages->extent;
  gboolean lies = extent->width > extent->height;
  guint64 n;

  sym_pages_cut (pages, lies ? paper.width : paper.height, lies ? paper.height : paper.width);
  n = sym_pages_count (pages);
  sym_pages_cut (pages, lies ? paper.height : paper.width, lies ? paper.width : paper.height);
  if (n < sym_pages_count (pages))
    sym_pages_cut (pages, pages->height_pt, pages->width_pt);
}

/* How long each of @n equal parts is that cover @length and share @overlap. */
static double
share (double length, guint n, double overlap)
{
  return (length + (n - 1) * overlap) / n;
}

/* Pages that are no given paper need not be larger than what is on them, and the last not emptier
 * than the others. */
static void
trim (SymPdf *self)
{
  SymPages *pages = &self->pages;
  const SymRect *extent = &pages->extent;
  double width = share (extent->width, pages->n_columns, sym_pages_get_overlap_x (pages));
  double height = share (extent->height, pages->n_rows, sym_pages_get_overlap_y (pages));
  double least = papers[SYM_PAPER_A4].width;

  sym_pages_cut (pages, MAX (ceil (width * pages->scale + 2 * pages->margin_pt), least),
                 MAX (ceil (height * pages->scale + 2 * pages->margin_pt), least));
}

static void
fit (SymPdf *self)
{
  SymPages *pages = &self->pages;
  const SymRect *extent = &pages->extent;
  double width = extent->width * pages->scale;
  double height = extent->height * pages->scale;
  Paper paper = papers[SYM_PAPER_FIT];

  pages->margin_pt = 0;
  sym_pages_cut (pages, width, height);
  if (width <= MAX_SIDE && height <= MAX_SIDE)
    return;
  pages->margin_pt = SYM_PDF_MARGIN;
  cut_either_way (self, paper);
  while (sym_pages_count (pages) > MANY_PAGES && 2 * paper.width <= MAX_SIDE)
    {
      paper = (Paper){ paper.height, 2 * paper.width };
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
      self->pages.margin_pt = SYM_PDF_MARGIN;
      cut_either_way (self, papers[self->output->paper]);
    }
}

static double
find_scale (const SymPdf *self)
{
  SymPdf smaller = *self;

  while (sym_pages_count (&smaller.pages) > MAX_PAGES)
    {
      smaller.pages.scale *= 0.95;
      cut_as_asked (&smaller);
    }
  return smaller.pages.scale;
}

/* FALSE when nobody would leaf through so many. */
static gboolean
cut (SymPdf *self, GError **error)
{
  SymPages *pages = &self->pages;
  const SymRect *extent = &pages->extent;

  cut_as_asked (self);
  if (sym_pages_count (pages) <= MAX_PAGES)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
               "%s: %.0f × %.0f points would be %" G_GUINT64_FORMAT
               " pages of a PDF (%d at most); a scale of %.3g%s would fit, and SVG has no such "
               "limit",
               self->path, extent->width * pages->scale, extent->height * pages->scale,
               sym_pages_count (pages), MAX_PAGES, 0.99 * find_scale (self),
               self->output->paper == SYM_PAPER_FIT ? "" : " or larger paper");
  return FALSE;
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
  SymPages *pages = &self->pages;
  self->numbers = g_new0 (guint, (gsize) sym_pages_count (pages));
  self->n_pages = 1;
  for (guint row = 0; row < pages->n_rows; row++)
    for (guint column = 0; column < pages->n_columns; column++)
      {
        SymRect part = sym_pages_get_part (pages, column, row);

        if (shows_anything (self, &part))
          self->numbers[row * pages->n_columns + column] = ++self->n_pages;
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
  sym_draw_text_show (cr, &style, text, self->pages.width_pt / 2,
                      self->pages.height_pt - self->pages.margin_pt / 2, 0);
}

/* In the margin, where the part of a neighbour ends or begins: pages can be laid upon one another
 * by these. */
static void
draw_ticks (const SymPdf *self, cairo_t *cr, gboolean upright, double at)
{
  const SymPages *pages = &self->pages;
  double far = (upright ? pages->height_pt : pages->width_pt) - pages->margin_pt;
  double starts[] = { pages->margin_pt - TICK, far };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      cairo_move_to (cr, upright ? at : starts[i], upright ? starts[i] : at);
      cairo_line_to (cr, upright ? at : starts[i] + TICK, upright ? starts[i] + TICK : at);
    }
}

static void
draw_overlaps (const SymPdf *self, cairo_t *cr, guint column, guint row)
{
  const SymPages *pages = &self->pages;
  double left = pages->margin_pt + sym_pages_get_overlap_x (pages) * pages->scale;
  double right = pages->margin_pt + pages->step_x * pages->scale;
  double top = pages->margin_pt + sym_pages_get_overlap_y (pages) * pages->scale;
  double bottom = pages->margin_pt + pages->step_y * pages->scale;

  if (column > 0)
    draw_ticks (self, cr, TRUE, left);
  if (column + 1 < pages->n_columns)
    draw_ticks (self, cr, TRUE, right);
  if (row > 0)
    draw_ticks (self, cr, FALSE, top);
  if (row + 1 < pages->n_rows)
    draw_ticks (self, cr, FALSE, bottom);
  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  cairo_set_line_width (cr, 0.5);
  cairo_stroke (cr);
}

/* The part with its upper left corner at (@x, @y) on paper. */
static void
paint_part (const SymPdf *self, cairo_t *cr, const SymRect *part, double x, double y)
{
  const SymPages *pages = &self->pages;
  cairo_save (cr);
  cairo_rectangle (cr, x, y, part->width * pages->scale, part->height * pages->scale);
  cairo_clip (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, pages->scale, pages->scale);
  cairo_translate (cr, -part->x, -part->y);
  /* Paper is looked at as closely as one likes: nothing is left out for being small. */
  sym_picture_paint (self->picture, cr, part, MAX (pages->scale, 1));
  sym_pdf_mark_frames (self, cr, part);
  cairo_restore (cr);
}

static void
paint_single (const SymPdf *self)
{
  const SymPages *pages = &self->pages;
  const SymRect *extent = &pages->extent;
  cairo_t *cr = cairo_create (self->surface);

  paint_part (self, cr, extent, (pages->width_pt - extent->width * pages->scale) / 2,
              (pages->height_pt - extent->height * pages->scale) / 2);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static void
paint_page (const SymPdf *self, guint column, guint row)
{
  SymRect part = sym_pages_get_part (&self->pages, column, row);
  guint number = self->numbers[row * self->pages.n_columns + column];
  g_autofree char *place = g_strdup_printf ("row %u, column %u", row + 1, column + 1);
  cairo_t *cr;

  if (number == 0)
    return;
  cr = cairo_create (self->surface);
  write_footer (self, cr, number, place);
  draw_overlaps (self, cr, column, row);
  paint_part (self, cr, &part, self->pages.margin_pt, self->pages.margin_pt);
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
  guint n = self->pages.n_rows * self->pages.n_columns;

  if (!sym_picture_output_tell (self->output, 0, error))
    return FALSE;
  paint_first (self);
  for (guint i = 0; i < n; i++)
    {
      if (!sym_picture_output_tell (self->output, (double) i / n, error))
        return FALSE;
      paint_page (self, i % self->pages.n_columns, i / self->pages.n_columns);
    }
  return TRUE;
}

static gboolean
paint (SymPdf *self, GError **error)
{
  gboolean done = TRUE;

  if (sym_pages_count (&self->pages) == 1)
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
  SymPdf pdf = { .picture = self, .path = path };
  gboolean done;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  pdf.output = sym_picture_output_get (output);
  pdf.pages.extent = self->extent;
  if (!sym_picture_output_get_scale (pdf.output, path, &pdf.pages.scale, error) ||
      !cut (&pdf, error))
    return FALSE;
  out = sym_draw_out_new (path, error);
  if (out == NULL)
    return FALSE;
  pdf.surface =
      cairo_pdf_surface_create_for_stream (write_cb, out, pdf.pages.width_pt, pdf.pages.height_pt);
  set_metadata (&pdf);
  done = paint (&pdf, error);
  done = finish (&pdf, out, done ? error : NULL) && done;
  cairo_surface_destroy (pdf.surface);
  g_free (pdf.numbers);
  return done && sym_draw_out_close (out, error);
}
