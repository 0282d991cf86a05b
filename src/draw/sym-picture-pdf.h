/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-pages.h"
#include "draw/sym-picture-private.h"

G_BEGIN_DECLS

#define SYM_PDF_MARGIN 36.0 /* of pages that are one of several, or of a given paper */

/* A picture on pages. */
typedef struct {
  const SymPicture *picture;
  const char *path;
  const SymPictureOutput *output;
  SymPages pages;
  cairo_surface_t *surface;
  guint *numbers; /* of pages, by row and column; 0: shows nothing and is left out */
  guint n_pages;
} SymPdf;

/* ---- The first page of several (sym-picture-pdf-overview.c) ---- */
void sym_pdf_paint_overview (const SymPdf *self);

/* ---- Groups as bookmarks (sym-picture-pdf-outline.c) ---- */

/* Makes those within @part, which the current page of @cr shows, places to go to. */
void sym_pdf_mark_frames (const SymPdf *self, cairo_t *cr, const SymRect *part);
void sym_pdf_add_outline (const SymPdf *self);

G_END_DECLS
