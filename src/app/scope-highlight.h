/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-node.h"
#include "layout/sym-layout.h"
#include "query/sym-trace.h"

G_BEGIN_DECLS

/* Why something stands out of the drawing, in the order in which it is painted over it: later ones
 * lie above.  One more is a line here, one in the table of what belongs to it (scope-canvas.c) and
 * one in that of how it looks (scope-canvas-lights.c). */
typedef enum {
  SCOPE_LIGHT_FOUND,   /* what the search has found */
  SCOPE_LIGHT_TRACE,   /* lines of a trace, and the ends of a path */
  SCOPE_LIGHT_NEAR,    /* lines of what is selected */
  SCOPE_LIGHT_PROBLEM, /* layers that contradict */
  SCOPE_LIGHT_BAD,     /* values with NaN or infinite numbers in the last run */
  SCOPE_LIGHT_FIRST_BAD,
  SCOPE_LIGHT_FAILED,  /* layers that could not run */
  SCOPE_LIGHT_FOREIGN, /* what an impossible cut would need */
  SCOPE_LIGHT_HOVER,   /* what the pointer is at, with its lines */
  SCOPE_LIGHT_INPUT,   /* marked */
  SCOPE_LIGHT_OUTPUT,
  SCOPE_LIGHT_SELECTED, /* around the others, so that both are seen */
} ScopeLight;

#define SCOPE_N_LIGHTS (SCOPE_LIGHT_SELECTED + 1)

/* The short line from the layer of an item to one of its other boxes. */
typedef struct {
  guint item;
  guint box;
} ScopeStem;

/* What stands out for one reason: places of boxes, and lines. */
typedef struct {
  GArray *rects; /* of SymRect */
  GArray *edges; /* of guint, as in the scene */
  GArray *stems; /* of ScopeStem */
} ScopeHighlight;

ScopeHighlight *scope_highlight_new (void);
void scope_highlight_free (ScopeHighlight *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeHighlight, scope_highlight_free)

void scope_highlight_clear (ScopeHighlight *self);

/* The box of a value or else of a call, or of a node, or a line that is one; what is not drawn is
 * left out. */
void scope_highlight_add (ScopeHighlight *self, const SymLayout *layout, SymId value, SymId call);
void
scope_highlight_add_node (ScopeHighlight *self, const SymLayout *layout, const ScopeNode *node);

/* The lines that begin or end at it, and those from its layer to its results; of a line none. */
void
scope_highlight_add_lines (ScopeHighlight *self, const SymLayout *layout, const ScopeNode *node);

/* The lines that carry something traced to something traced, unless there are more than @most: so
 * many cannot be told apart, and dimming the rest shows them; with those from layers to their
 * results, where both are traced.  Linear in the drawing. */
void scope_highlight_add_trace (ScopeHighlight *self,
                                const SymLayout *layout,
                                const SymTrace *trace,
                                guint most);

/* Whether a box is so small that a spot of @size points stands for it.  One that is flat but long
 * is not: its outline is seen. */
gboolean scope_highlight_is_spot (const SymRect *box, double size);

/* Many boxes seen from afar share their pixels: one point of @size points stands for all those that
 * lie in it, appended to @spots (of SymRect).  Linear in the boxes. */
void scope_highlight_collect_spots (const ScopeHighlight *self,
                                    const SymRect *visible,
                                    double size,
                                    GArray *spots);

/* Of the boxes whose middles share a square of @size points only the first, so that what is painted
 * of each can be told apart; appended to @rects (of SymRect).  Linear in the boxes. */
void scope_highlight_collect_apart (const ScopeHighlight *self,
                                    const SymRect *visible,
                                    double size,
                                    GArray *rects);

G_END_DECLS
