/* SPDX-License-Identifier: MIT */
#include <cairo.h>
#include <math.h>

#include "draw/sym-draw-text.h"
#include "draw/sym-picture-pdf.h"

#define TITLE_SIZE 18.0
#define HEADER 48.0 /* above the drawing, for the title */
#define FINER 2.5   /* paper than a screen: so much smaller things are seen */
#define GAP 16.0    /* between strips */
#define SMALLEST_NUMBER 3.0
#define LARGEST_NUMBER 24.0

/* A picture that is much longer than a page is folded into strips beside one another, each some
 * rows of pages (columns when it lies). */
typedef struct {
  const SymPdf *pdf;
  cairo_t *cr;
  SymRect area; /* on paper */
  gboolean lies;
  guint n_strips, n_per_strip;
  double scale; /* of the overview, on paper */
} Overview;

/* How far a strip is along the picture, and across. */
static void
measure_strip (const Overview *self, guint n_per_strip, double *along, double *across)
{
  const SymRect *extent = &self->pdf->picture->extent;
  double length = n_per_strip * (self->lies ? self->pdf->pages.step_x : self->pdf->pages.step_y);

  *along = MIN (length, self->lies ? extent->width : extent->height);
  *across = self->lies ? extent->height : extent->width;
}

static double
find_scale (const Overview *self, guint n_strips, guint n_per_strip)
{
  double along, across;
  double room_along = self->lies ? self->area.width : self->area.height;
  double room_across = (self->lies ? self->area.height : self->area.width) - (n_strips - 1) * GAP;

  measure_strip (self, n_per_strip, &along, &across);
  along += self->lies ? sym_pages_get_overlap_x (&self->pdf->pages)
                      : sym_pages_get_overlap_y (&self->pdf->pages); /* of the last page */
  return MIN (room_along / along, room_across / n_strips / across);
}

static void
fold (Overview *self)
{
  guint n = self->lies ? self->pdf->pages.n_columns : self->pdf->pages.n_rows;

  for (guint n_strips = 1; n_strips <= n; n_strips++)
    {
      guint n_per_strip = (n + n_strips - 1) / n_strips;
      double scale = find_scale (self, n_strips, n_per_strip);

      if (scale <= self->scale)
        continue;
      self->scale = scale;
      self->n_strips = n_strips;
      self->n_per_strip = n_per_strip;
    }
}

/* What a strip has of the picture: the last one all that is left. */
static SymRect
get_strip (const Overview *self, guint strip)
{
  const SymRect *extent = &self->pdf->picture->extent;
  SymRect rect = *extent;
  double along, across;

  measure_strip (self, self->n_per_strip, &along, &across);
  rect.x += self->lies ? strip * along : 0;
  rect.y += self->lies ? 0 : strip * along;
  rect.width += extent->x - rect.x;
  rect.height += extent->y - rect.y;
  if (strip + 1 < self->n_strips && self->lies)
    rect.width = MIN (along, rect.width);
  else if (strip + 1 < self->n_strips)
    rect.height = MIN (along, rect.height);
  return rect;
}

/* Its corner on paper. */
static SymPoint
get_corner (const Overview *self, guint strip)
{
  double along, across;

  measure_strip (self, self->n_per_strip, &along, &across);
  if (self->lies)
    return (SymPoint){ self->area.x, self->area.y + strip * (across * self->scale + GAP) };
  return (SymPoint){ self->area.x + strip * (across * self->scale + GAP), self->area.y };
}

static void
paint_strip (const Overview *self, guint strip)
{
  SymRect part = get_strip (self, strip);
  SymPoint corner = get_corner (self, strip);

  if (part.width <= 0 || part.height <= 0)
    return;
  cairo_save (self->cr);
  cairo_rectangle (self->cr, corner.x, corner.y, part.width * self->scale,
                   part.height * self->scale);
  cairo_clip (self->cr);
  cairo_translate (self->cr, corner.x, corner.y);
  cairo_scale (self->cr, self->scale, self->scale);
  cairo_translate (self->cr, -part.x, -part.y);
  sym_picture_paint (self->pdf->picture, self->cr, &part, self->scale * FINER);
  cairo_restore (self->cr);
}

/* How much of a page no next one has. */
static double
get_own (double part, double step, gboolean is_last)
{
  return is_last ? part : MIN (part, step);
}

/* The place of a page on the overview, without what it shares with the next ones. */
static SymRect
get_place (const Overview *self, guint column, guint row)
{
  const SymPdf *pdf = self->pdf;
  guint strip = (self->lies ? column : row) / self->n_per_strip;
  SymRect part = sym_pages_get_part (&pdf->pages, column, row);
  SymRect of_strip = get_strip (self, strip);
  SymPoint corner = get_corner (self, strip);
  double width = get_own (part.width, pdf->pages.step_x, column + 1 == pdf->pages.n_columns);
  double height = get_own (part.height, pdf->pages.step_y, row + 1 == pdf->pages.n_rows);

  return (SymRect){
    corner.x + (part.x - of_strip.x) * self->scale,
    corner.y + (part.y - of_strip.y) * self->scale,
    MIN (width, of_strip.x + of_strip.width - part.x) * self->scale,
    MIN (height, of_strip.y + of_strip.height - part.y) * self->scale,
  };
}

static void
set_color (cairo_t *cr, SymRgb color, double opacity)
{
  cairo_set_source_rgba (cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0, opacity);
}

/* A frame with the page's number, which leads there. */
static void
draw_place (const Overview *self, guint column, guint row)
{
  const SymPalette *palette = self->pdf->picture->palette;
  guint number = self->pdf->numbers[row * self->pdf->pages.n_columns + column];
  SymRect place = get_place (self, column, row);
  SymTextStyle style = {
    .size = CLAMP (MIN (place.width, place.height) / 2.5, SMALLEST_NUMBER, LARGEST_NUMBER),
    .bold = TRUE,
  };
  g_autofree char *text = g_strdup_printf ("%u", number);
  g_autofree char *target = g_strdup_printf ("dest='page%u'", number);
  double width, height;

  if (number == 0 || place.width <= 0 || place.height <= 0)
    return;
  cairo_tag_begin (self->cr, CAIRO_TAG_LINK, target);
  cairo_rectangle (self->cr, place.x, place.y, place.width, place.height);
  set_color (self->cr, palette->muted, 1);
  cairo_set_line_width (self->cr, 0.5);
  cairo_stroke (self->cr);
  sym_draw_text_measure (&style, text, &width, &height);
  cairo_rectangle (self->cr, place.x + (place.width - width) / 2,
                   place.y + (place.height - height) / 2, width, height);
  set_color (self->cr, palette->background, 0.7);
  cairo_fill (self->cr);
  set_color (self->cr, palette->text, 1);
  sym_draw_text_show (self->cr, &style, text, place.x + place.width / 2, place.y + place.height / 2,
                      0);
  cairo_tag_end (self->cr, CAIRO_TAG_LINK);
}

static void
write_title (const Overview *self)
{
  const SymPdf *pdf = self->pdf;
  SymTextStyle style = { .size = TITLE_SIZE, .bold = TRUE };

  cairo_set_source_rgb (self->cr, 0.2, 0.2, 0.2);
  sym_draw_text_show_within (self->cr, &style, sym_picture_get_title (pdf->picture),
                             pdf->pages.width_pt / 2, SYM_PDF_MARGIN + HEADER / 3, 0, 1,
                             self->area.width);
}

void
sym_pdf_paint_overview (const SymPdf *pdf)
{
  const SymRect *extent = &pdf->picture->extent;
  Overview self = {
    .pdf = pdf,
    .cr = cairo_create (pdf->surface),
    .area = { SYM_PDF_MARGIN, SYM_PDF_MARGIN + HEADER, pdf->pages.width_pt - 2 * SYM_PDF_MARGIN,
              pdf->pages.height_pt - 2 * SYM_PDF_MARGIN - HEADER },
    .lies = extent->width > extent->height,
  };

  fold (&self);
  write_title (&self);
  for (guint strip = 0; strip < self.n_strips; strip++)
    paint_strip (&self, strip);
  for (guint row = 0; row < pdf->pages.n_rows; row++)
    for (guint column = 0; column < pdf->pages.n_columns; column++)
      draw_place (&self, column, row);
  cairo_destroy (self.cr);
}
