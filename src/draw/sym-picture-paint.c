/* SPDX-License-Identifier: MIT */
#include "draw/sym-painter-private.h"

/* Pixels; between them texts fade. */
#define SMALLEST_TEXT 5.0
#define READABLE_TEXT 5.6

/* Above SYM_SCALE_DETAIL, where spots of colour become boxes, texts come in within so many pixels
 * per point; a picture may stay at any of these scales, and can be read at each. */
#define TEXT_FADE 0.02
#define LEAST_OPACITY 0.8

/* Measured: a line, and what lies between lines. */
#define LINE_MS 0.01
#define FAR_LINE_MS 0.0025
#define ITEM_MS 0.03
#define FAR_ITEM_MS 0.0003

void
sym_painter_set_color (const SymPainter *self, SymRgb color)
{
  cairo_set_source_rgb (self->cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                        (color & 0xff) / 255.0);
}

void
sym_painter_set_faded (const SymPainter *self, SymRgb color, double opacity)
{
  cairo_set_source_rgba (self->cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0, opacity);
}

double
sym_painter_get_text_opacity (const SymPainter *self, double size)
{
  double readable = (size * self->scale - SMALLEST_TEXT) / (READABLE_TEXT - SMALLEST_TEXT);
  double near = (self->scale - SYM_SCALE_DETAIL) / TEXT_FADE;

  if (near < 0)
    return 0;
  return CLAMP (MIN (readable, LEAST_OPACITY + (1 - LEAST_OPACITY) * near), 0, 1);
}

static void
paint_background (const SymPainter *self)
{
  if (self->picture->transparent)
    return;
  sym_painter_set_color (self, self->palette->background);
  cairo_paint (self->cr);
}

double
sym_picture_estimate (const SymPicture *self, const SymRect *clip, double scale)
{
  g_return_val_if_fail (self != NULL && clip != NULL, 0);

  double line = scale < SYM_SCALE_DETAIL ? FAR_LINE_MS : LINE_MS;
  double item = scale < SYM_SCALE_DETAIL ? FAR_ITEM_MS : ITEM_MS;

  return line * sym_draw_grid_estimate (self->lines, clip) +
         item * sym_draw_grid_estimate (self->items, clip);
}

/* Spots may reach into what is painted from beside it. */
static SymRect
get_near (const SymPainter *painter)
{
  double reach = painter->scale < SYM_SCALE_SEPARATE ? SYM_THREAD_PIXELS / painter->scale : 0;

  return sym_draw_rect_grow (&painter->clip, reach);
}

static SymPaintCounts
paint (const SymPainter *painter)
{
  const SymPicture *picture = painter->picture;
  SymRect near = get_near (painter);
  g_autoptr (GArray) items = sym_draw_grid_query (picture->items, &near);
  g_autoptr (GArray) pieces = sym_draw_grid_query (picture->lines, &painter->clip);

  cairo_save (painter->cr);
  paint_background (painter);
  sym_painter_draw_frames (painter);
  sym_painter_draw_lines (painter, pieces);
  if (painter->scale < SYM_SCALE_DETAIL)
    sym_painter_draw_far (painter, items);
  else
    sym_painter_draw_items (painter, items);
  sym_painter_draw_labels (painter);
  if (picture->legend != NULL && sym_draw_rect_meets (&picture->legend->rect, &painter->clip))
    sym_painter_draw_legend (painter);
  cairo_restore (painter->cr);
  return (SymPaintCounts){ items->len, pieces->len };
}

void
sym_picture_paint_counted (const SymPicture *self,
                           cairo_t *cr,
                           const SymRect *clip,
                           double scale,
                           SymPaintCounts *counts)
{
  SymPainter painter = { self, self->palette, cr, clip != NULL ? *clip : self->extent, scale };
  SymPaintCounts found = paint (&painter);

  if (counts != NULL)
    *counts = found;
}

void
sym_picture_paint (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL);
  g_return_if_fail (scale > 0);

  sym_picture_paint_counted (self, cr, clip, scale, NULL);
}

void
sym_picture_paint_view (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL && clip != NULL);
  g_return_if_fail (scale > 0);

  SymPainter painter = { self, self->palette, cr, *clip, scale, TRUE };

  paint (&painter);
}

void
sym_picture_paint_labels (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL);
  g_return_if_fail (scale > 0);

  SymPainter painter = { self, self->palette, cr, clip != NULL ? *clip : self->extent, scale };

  cairo_save (cr);
  sym_painter_draw_labels (&painter);
  cairo_restore (cr);
}
