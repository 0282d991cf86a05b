/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* A node of a graph, or one in a body of a layer, where it is shown but belongs to its layer: what
 * can be done with nodes of the graph is done with that. */
typedef struct {
  SymId value, call; /* of the graph: itself, or the layer around it; both SYM_NO_ID for nothing */
  const char *body; /* the path of the body that it is in, interned; NULL for a node of the graph */
  SymId inner_value, inner_call; /* of that body: it, as @value and @call are of the graph */
  SymId
      to; /* the call beside it that the value leads to, when that line is meant; else SYM_NO_ID */
} ScopeNode;

ScopeNode scope_node_get_none (void);
ScopeNode scope_node_get (SymId value, SymId call);
gboolean scope_node_is_none (const ScopeNode *self);

/* Another value of the body that it is in, or of the graph. */
ScopeNode scope_node_get_beside (const ScopeNode *self, SymId value);

/* Whether it is a line: a value on its way to a call that uses it. */
gboolean scope_node_is_line (const ScopeNode *self);
gboolean scope_node_equal (const ScopeNode *a, const ScopeNode *b);

G_END_DECLS
