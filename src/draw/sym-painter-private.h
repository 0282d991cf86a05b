/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-picture-private.h"

G_BEGIN_DECLS

/* Pixels per point from which on things are drawn as they are in the picture. */
#define SYM_SCALE_MARKS 0.6     /* below: badges of inputs and outputs become no smaller */
#define SYM_SCALE_TEXT 0.45     /* of the legend */
#define SYM_SCALE_DETAIL 0.3    /* curves, corners, heads; below: plain boxes, straight lines */
#define SYM_SCALE_SEPARATE 0.03 /* below: what shares a spot is drawn once */

/* From afar a picture is so wide at least: of a hair no colour can be made out. */
#define SYM_THREAD_PIXELS 6.0

/* Titles are drawn at least so large, in steps, so that few are laid out. */
#define SYM_SMALL_TITLE_PIXELS 5.6
#define SYM_TITLE_STEPS 16

/* One call of sym_picture_paint(). */
typedef struct {
  const SymPicture *picture;
  const SymPalette *palette;
  cairo_t *cr;
  SymRect clip;
  double scale;
  gboolean keeps_titles; /* those of frames stay within the clip */
} SymPainter;

void sym_painter_set_color (const SymPainter *self, SymRgb color);

/* The same with an opacity, 0 to 1. */
void sym_painter_set_faded (const SymPainter *self, SymRgb color, double opacity);

/* How opaque a text of that size, in points, is: texts fade as they become too small to be read. */
double sym_painter_get_text_opacity (const SymPainter *self, double size);

/* What boxes of a paint are filled with at the painter's scale (sym-painter-far.c). */
SymRgb sym_painter_get_fill (const SymPainter *self, SymPaintSlot slot);

/* Appends a rectangle with round corners to the path. */
void sym_painter_add_box (cairo_t *cr, const SymRect *rect, double radius);

/* The sign by which a group is opened (a plus) or closed. */
void
sym_painter_draw_sign (const SymPainter *self, const SymRect *sign, gboolean is_plus, SymRgb color);

/* Frames with their titles (sym-painter-frames.c). */
void sym_painter_draw_frames (const SymPainter *self);
void sym_painter_draw_frame (const SymPainter *self, const SymFrameLook *look);

/* Lines of the given pieces with their heads (sym-painter-lines.c). */
void sym_painter_draw_lines (const SymPainter *self, const GArray *pieces);

/* One line with its head, of an item's stem or of the legend. */
void sym_painter_draw_line (const SymPainter *self,
                            SymLine line,
                            const SymPoint course[4],
                            const SymLineEnd *end);

/* A whole line, wherever it is. */
void sym_painter_draw_course (const SymPainter *self,
                              SymLine line,
                              const SymPoint *course,
                              guint n_points,
                              gboolean has_head);

/* Items as plain boxes, or as spots when they are smaller than that (sym-painter-far.c). */
void sym_painter_draw_far (const SymPainter *self, const GArray *items);

/* Items with outlines and, where it can be read, text (sym-painter-items.c). */
void sym_painter_draw_items (const SymPainter *self, const GArray *items);
void sym_painter_draw_labels (const SymPainter *self);
void sym_painter_draw_legend (const SymPainter *self);

G_END_DECLS
