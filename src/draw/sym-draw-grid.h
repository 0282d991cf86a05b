/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* Rectangles by place: what a viewport shows is found without looking at the rest.  Immutable. */
typedef struct _SymDrawGrid SymDrawGrid;

/* Takes @rects (of SymRect).  Linear in their number; an entry is kept once per cell that it meets,
 * the few very large ones once in all. */
SymDrawGrid *sym_draw_grid_new (GArray *rects);
void sym_draw_grid_free (SymDrawGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymDrawGrid, sym_draw_grid_free)

guint sym_draw_grid_get_n (const SymDrawGrid *self);
const SymRect *sym_draw_grid_get_rect (const SymDrawGrid *self, guint i);

/* The smallest rectangle around all; empty for none. */
SymRect sym_draw_grid_get_bounds (const SymDrawGrid *self);

/* The numbers of those that meet @clip (NULL: all), each once, ascending; the caller's. */
GArray *sym_draw_grid_query (const SymDrawGrid *self, const SymRect *clip);

/* How many that are at most, found without looking at each. */
guint sym_draw_grid_estimate (const SymDrawGrid *self, const SymRect *clip);

gboolean sym_draw_rect_meets (const SymRect *a, const SymRect *b);
SymRect sym_draw_rect_union (const SymRect *a, const SymRect *b);
SymRect sym_draw_rect_grow (const SymRect *rect, double by);

G_END_DECLS
