/* SPDX-License-Identifier: MIT */
#include "draw/sym-painter-private.h"

void
sym_painter_set_color (const SymPainter *self, SymRgb color)
{
  cairo_set_source_rgb (self->cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                        (color & 0xff) / 255.0);
}

static void
paint_background (const SymPainter *self)
{
  if (self->picture->transparent)
    return;
  sym_painter_set_color (self, self->palette->background);
  cairo_paint (self->cr);
}

void
sym_picture_paint_counted (const SymPicture *self,
                           cairo_t *cr,
                           const SymRect *clip,
                           double scale,
                           SymPaintCounts *counts)
{
  SymPainter painter = { self, self->palette, cr, clip != NULL ? *clip : self->extent, scale };
  g_autoptr (GArray) items = sym_draw_grid_query (self->items, &painter.clip);
  g_autoptr (GArray) pieces = sym_draw_grid_query (self->lines, &painter.clip);

  cairo_save (cr);
  paint_background (&painter);
  sym_painter_draw_lines (&painter, pieces);
  if (scale < SYM_SCALE_DETAIL)
    sym_painter_draw_far (&painter, items);
  else
    sym_painter_draw_items (&painter, items);
  if (scale >= SYM_SCALE_TEXT)
    sym_painter_draw_labels (&painter);
  if (self->legend != NULL && sym_draw_rect_meets (&self->legend->rect, &painter.clip))
    sym_painter_draw_legend (&painter);
  cairo_restore (cr);

  if (counts != NULL)
    *counts = (SymPaintCounts) { items->len, pieces->len };
}

void
sym_picture_paint (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL);
  g_return_if_fail (scale > 0);

  sym_picture_paint_counted (self, cr, clip, scale, NULL);
}
