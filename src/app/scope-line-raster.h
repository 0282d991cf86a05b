/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* From so many on, lines that stand out are looked through before they are painted. */
#define SCOPE_LINE_RASTER_FROM 1024

/* What one view shows of very many lines: those that come through it, if they are few; else the
 * places where any does, for tens of thousands of strokes would take longer than a frame has. */
typedef struct _ScopeLineRaster ScopeLineRaster;

/* @edges: of guint, as in the layout.  @scale: pixels per point. */
ScopeLineRaster *scope_line_raster_new (const SymLayout *layout,
                                        const GArray *edges,
                                        const SymRect *visible,
                                        double scale);
void scope_line_raster_free (ScopeLineRaster *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeLineRaster, scope_line_raster_free)

/* Whether it is of that view. */
gboolean
scope_line_raster_is_of (const ScopeLineRaster *self, const SymRect *visible, double scale);

/* The lines to be stroked, of guint; NULL when there are too many. Borrowed. */
const GArray *scope_line_raster_get_edges (const ScopeLineRaster *self);

/* Paints the places with the source of @cr, whose user space is that of the layout. */
void scope_line_raster_paint (const ScopeLineRaster *self, cairo_t *cr);

G_END_DECLS
