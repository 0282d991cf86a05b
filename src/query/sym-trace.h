/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* Calls and values of a model that belong together, to be highlighted: what a node comes from, what
 * comes from it, what lies between two nodes.  A node is a call or a value.  Immutable;
 * reference-counted.  All are found in time linear in the size of the model, with an explicit
 * queue; cycles are walked once. */
typedef struct _SymTrace SymTrace;

typedef enum {
  SYM_TRACE_ANCESTORS,
  SYM_TRACE_DESCENDANTS,
  SYM_TRACE_BOTH,
} SymTraceDirection;

#define SYM_TRACE_CALL(call) ((SymEntry){ TRUE, (call) })
#define SYM_TRACE_VALUE(value) ((SymEntry){ FALSE, (value) })

/* The node itself and all from which uses, and orders between calls, lead to it, parameters
 * included; all to which they lead from it; or both of these (which is not all that is connected).
 */
SymTrace *sym_trace_new (SymModel *model, SymEntry start, SymTraceDirection direction);

/* A path between two nodes with as few calls as possible, the first in the order of uses of
 * several. It leads from @from to @to; or from @to to @from, when there is none that way.  NULL
 * when there is neither. */
SymTrace *sym_trace_new_path (SymModel *model, SymEntry from, SymEntry to);

/* Everything on any path between two nodes, the one way or else the other as above; NULL for none.
 * Of cycles it has what can be walked through on the way. */
SymTrace *sym_trace_new_between (SymModel *model, SymEntry from, SymEntry to);

SymTrace *sym_trace_ref (SymTrace *self);
void sym_trace_unref (SymTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTrace, sym_trace_unref)

SymModel *sym_trace_get_model (const SymTrace *self);
gboolean sym_trace_has_call (const SymTrace *self, SymId call);
gboolean sym_trace_has_value (const SymTrace *self, SymId value);
guint sym_trace_get_n_values (const SymTrace *self); /* data roles only */

/* The calls, in order of execution. */
SymIds sym_trace_get_calls (const SymTrace *self);

G_END_DECLS
