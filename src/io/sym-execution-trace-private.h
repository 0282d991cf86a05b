/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-net.h"

G_BEGIN_DECLS

/* What a call of an execution trace takes or gives: three lists that belong together. */
typedef struct {
  guint values, shapes, types;
} SymTracePassed;

SymTracePassed sym_execution_trace_get_passed (const SymJson *json, guint node, gboolean is_result);

/* All that the trace tells of a call but its name, its tensors and what it depends on: arguments
 * that are no tensors are called as in its schema.  @schemas keeps the names that schemas have. */
SymAttributes *sym_execution_trace_read_attributes (SymNet *net, GHashTable *schemas, guint node);

/* Reads a trace for the format of that name. */
SymModel *sym_execution_trace_read (SymJson *json,
                                    const SymIoSource *source,
                                    const char *format,
                                    GError **error);

G_END_DECLS
