/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-node.h"
#include "layout/sym-layout.h"

G_BEGIN_DECLS

/* Questions about a layout that pointing and walking ask. */

/* The box that shows the value, or else the chip of the call.  FALSE when neither is drawn. */
gboolean scope_place_find (const SymLayout *layout, SymId value, SymId call, SymRect *rect);

/* What lies at a point, or else next to it and no farther than @reach: a value, or a call when it
 * is at a layer's chip.  The other is SYM_NO_ID; both are at an empty place, where this is FALSE.
 */
gboolean
scope_place_pick (const SymLayout *layout, double x, double y, double reach, ScopeNode *node);

typedef enum {
  SCOPE_STEP_PARENT,
  SCOPE_STEP_CHILD,
  SCOPE_STEP_PREVIOUS, /* beside it, to the left or above */
  SCOPE_STEP_NEXT,
} ScopeStep;

/* The item to go to from @item; G_MAXUINT when there is none that way.  Among several parents or
 * children it is the one most straight ahead.  Linear in the drawing. */
guint scope_place_step (const SymLayout *layout, guint item, ScopeStep step);

/* Edges that begin or end at the item, appended to @edges (of guint). */
void scope_place_collect_edges (const SymLayout *layout, guint item, GArray *edges);

/* What selects an item: its value or else its call; of a group, its first call. */
ScopeNode scope_place_get_node (const SymScene *scene, guint item);

/* The item of a value or else of a call; G_MAXUINT for none. */
guint scope_place_find_item (const SymLayout *layout, SymId value, SymId call);

/* The same of a node, which may be in a body; as long as that is not drawn, the layer's. */
guint scope_place_find_node_item (const SymLayout *layout, const ScopeNode *node);
gboolean scope_place_find_node (const SymLayout *layout, const ScopeNode *node, SymRect *rect);

/* What selects a line of the drawing: its value, and the call at its end, or the layer around that
 * when it leads into a body.  FALSE of lines that carry no value, or one out of a body. */
gboolean scope_place_get_line (const SymLayout *layout, guint edge, ScopeNode *node);

/* The line, as an edge of the scene; G_MAXUINT when it is not drawn.  Linear in the drawing. */
guint scope_place_find_line (const SymLayout *layout, const ScopeNode *node);

/* Whether it is in a body that was made to be drawn, so that no run knows of it. */
gboolean scope_place_is_made (const SymLayout *layout, const ScopeNode *node);

/* Whether it is a value of a body that is drawn, but that nothing is drawn of there. */
gboolean scope_place_is_hidden (const SymLayout *layout, const ScopeNode *node);

/* The types in the body that a node is in, as far as that is drawn; else NULL. */
SymInference *scope_place_get_inference (const SymLayout *layout, const ScopeNode *node);

G_END_DECLS
