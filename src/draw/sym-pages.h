/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* A picture cut into pages: of a PDF, or of a printer.  Lengths named _pt are on paper, all others
 * in the picture.  Parts of neighbours overlap, so that a box that one page cuts is whole on the
 * next. */
typedef struct {
  SymRect extent;             /* of the picture */
  double scale;               /* points on paper per point */
  double width_pt, height_pt; /* of a page, with its margins */
  double margin_pt;
  guint n_columns, n_rows;
  double part_width, part_height; /* what a page shows */
  double step_x, step_y; /* from one page's part to the next one's; less, so that they overlap */
} SymPages;

/* Cuts @self's extent at its scale for pages of @width_pt by @height_pt with its margin. */
void sym_pages_cut (SymPages *self, double width_pt, double height_pt);

/* Blank ones among them. */
guint64 sym_pages_count (const SymPages *self);

/* How much neighbours share. */
double sym_pages_get_overlap_x (const SymPages *self);
double sym_pages_get_overlap_y (const SymPages *self);

/* The part of the picture that a page shows. */
SymRect sym_pages_get_part (const SymPages *self, guint column, guint row);

/* Cuts for a printer that prints on @width_pt by @height_pt of its paper: one page as large as
 * fits, but no larger than life, and where that would be too small to be read, as many as it takes.
 */
void sym_pages_cut_for_print (SymPages *self, double width_pt, double height_pt);

G_END_DECLS
