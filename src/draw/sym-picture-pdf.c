/* SPDX-License-Identifier: MIT */
#include <cairo-pdf.h>
#include <math.h>

#include "core/sym-error.h"
#include "draw/sym-draw-out.h"
#include "draw/sym-draw-text.h"
#include "draw/sym-picture-private.h"

#define MAX_SIDE 14400.0 /* points of a page: PDF 1.7, appendix C */
#define MAX_PAGES 20000

/* What is larger is cut into pages of A1, which neighbours overlap, so that a box that one page cuts
 * is whole on the next. */
#define PAGE_WIDTH 1684.0
#define PAGE_HEIGHT 2384.0
#define PAGE_MARGIN 36.0
#define OVERLAP 120.0

/* Same picture, same bytes: the true date is not told. */
#define DATE "2000-01-01T00:00:00Z"

typedef struct {
  const SymPicture *picture;
  const char *path;
  cairo_surface_t *surface;
  guint n_columns, n_rows;
  double step_x, step_y; /* from one page's part to the next one's */
} PdfWriter;

static cairo_status_t
write_cb (void *data, const unsigned char *bytes, unsigned int size)
{
  SymDrawOut *out = data;

  sym_draw_out_add_bytes (out, bytes, size);
  return sym_draw_out_has_failed (out) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static guint
count_pages (double length, double page, double *step)
{
  double part = page - 2 * PAGE_MARGIN;

  *step = part - OVERLAP;
  return length <= part ? 1 : 1 + (guint) ceil ((length - part) / *step);
}

static void
set_metadata (const PdfWriter *self)
{
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_TITLE,
                                  sym_picture_get_title (self->picture));
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATOR, "Symscope");
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_CREATE_DATE, DATE);
  cairo_pdf_surface_set_metadata (self->surface, CAIRO_PDF_METADATA_MOD_DATE, DATE);
}

static void
paint_whole (const PdfWriter *self)
{
  cairo_t *cr = cairo_create (self->surface);

  cairo_translate (cr, -self->picture->extent.x, -self->picture->extent.y);
  sym_picture_paint (self->picture, cr, NULL, 1);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static gboolean
shows_anything (const PdfWriter *self, const SymRect *part)
{
  const SymPicture *picture = self->picture;
  g_autoptr (GArray) items = sym_draw_grid_query (picture->items, part);
  g_autoptr (GArray) lines = sym_draw_grid_query (picture->lines, part);

  return items->len > 0 || lines->len > 0 ||
         (picture->legend != NULL && sym_draw_rect_meets (&picture->legend->rect, part));
}

static void
write_footer (const PdfWriter *self, cairo_t *cr, guint column, guint row)
{
  SymTextStyle style = { .size = 10 };
  g_autofree char *text = g_strdup_printf ("row %u of %u, column %u of %u", row + 1, self->n_rows,
                                           column + 1, self->n_columns);

  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  sym_draw_text_show (cr, &style, text, PAGE_WIDTH / 2, PAGE_HEIGHT - PAGE_MARGIN / 2, 0);
}

static void
paint_page (const PdfWriter *self, guint column, guint row)
{
  const SymRect *extent = &self->picture->extent;
  SymRect part = {
    extent->x + column * self->step_x,
    extent->y + row * self->step_y,
    PAGE_WIDTH - 2 * PAGE_MARGIN,
    PAGE_HEIGHT - 2 * PAGE_MARGIN,
  };
  cairo_t *cr;

  if (!shows_anything (self, &part))
    return;
  cr = cairo_create (self->surface);
  write_footer (self, cr, column, row);
  cairo_rectangle (cr, PAGE_MARGIN, PAGE_MARGIN, part.width, part.height);
  cairo_clip (cr);
  cairo_translate (cr, PAGE_MARGIN - part.x, PAGE_MARGIN - part.y);
  sym_picture_paint (self->picture, cr, &part, 1);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

static gboolean
paint_pages (const PdfWriter *self, GCancellable *cancellable, GError **error)
{
  for (guint row = 0; row < self->n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      {
        if (g_cancellable_set_error_if_cancelled (cancellable, error))
          return FALSE;
        paint_page (self, column, row);
      }
  return TRUE;
}

/* FALSE when nobody would leaf through so many. */
static gboolean
cut (PdfWriter *self, GError **error)
{
  const SymRect *extent = &self->picture->extent;

  if (extent->width <= MAX_SIDE && extent->height <= MAX_SIDE)
    return TRUE;
  self->n_columns = count_pages (extent->width, PAGE_WIDTH, &self->step_x);
  self->n_rows = count_pages (extent->height, PAGE_HEIGHT, &self->step_y);
  if ((guint64) self->n_columns * self->n_rows <= MAX_PAGES)
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
               "%s: %.0f × %.0f points would be %" G_GUINT64_FORMAT
               " pages of a PDF (%d at most); fold the graph or draw a part of it, or choose SVG, "
               "which has no such limit",
               self->path, extent->width, extent->height, (guint64) self->n_columns * self->n_rows,
               MAX_PAGES);
  return FALSE;
}

static gboolean
finish (const PdfWriter *self, const SymDrawOut *out, GError **error)
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
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (SymDrawOut) out = NULL;
  PdfWriter writer = { self, path };
  gboolean done = TRUE;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!cut (&writer, error))
    return FALSE;
  out = sym_draw_out_new (path, error);
  if (out == NULL)
    return FALSE;
  writer.surface = cairo_pdf_surface_create_for_stream (
      write_cb, out, writer.n_rows > 0 ? PAGE_WIDTH : self->extent.width,
      writer.n_rows > 0 ? PAGE_HEIGHT : self->extent.height);
  set_metadata (&writer);
  if (writer.n_rows > 0)
    done = paint_pages (&writer, cancellable, error);
  else
    paint_whole (&writer);
  done = finish (&writer, out, done ? error : NULL) && done;
  cairo_surface_destroy (writer.surface);
  return done && sym_draw_out_close (out, error);
}
