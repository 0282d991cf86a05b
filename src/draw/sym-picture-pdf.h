/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-picture-private.h"

G_BEGIN_DECLS

#define SYM_PDF_MARGIN 36.0 /* of pages that are one of several, or of a given paper */

/* A picture on pages.  Lengths named _pt are on paper, all others in the picture. */
typedef struct {
  const SymPicture *picture;
  const char *path;
  const SymPictureOutput *output;
  double scale; /* points on paper per point */
  cairo_surface_t *surface;
  double page_width_pt, page_height_pt;
  double margin_pt;
  guint n_columns, n_rows;
  double part_width, part_height; /* what a page shows */
  double step_x, step_y; /* from one page's part to the next one's; less, so that they overlap */
  guint *numbers; /* of pages, by row and column; 0: shows nothing and is left out */
  guint n_pages;
} SymPdf;

/* The part of the picture that a page shows. */
SymRect sym_pdf_get_part (const SymPdf *self, guint column, guint row);

/* ---- The first page of several (sym-picture-pdf-overview.c) ---- */
void sym_pdf_paint_overview (const SymPdf *self);

/* ---- Groups as bookmarks (sym-picture-pdf-outline.c) ---- */

/* Makes those within @part, which the current page of @cr shows, places to go to. */
void sym_pdf_mark_frames (const SymPdf *self, cairo_t *cr, const SymRect *part);
void sym_pdf_add_outline (const SymPdf *self);

G_END_DECLS
