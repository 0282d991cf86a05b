/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record.h"

G_BEGIN_DECLS

/* Runs one model again and again, each time leaving a record, and keeps what it has planned: the
 * second run of the same shapes plans nothing, and reads no weights.  For one thread at a time. */
typedef struct _SymRecorder SymRecorder;

/* At most @n_plans are kept, the last ones that ran; each holds its packed weights and memory for
 * values.  0 is 2. */
SymRecorder *sym_recorder_new (SymModel *model, guint n_plans);
void sym_recorder_free (SymRecorder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymRecorder, sym_recorder_free)

SymModel *sym_recorder_get_model (const SymRecorder *self);

/* As sym_record_new(), which is one run of a recorder. */
SymRecord *sym_recorder_run (SymRecorder *self,
                             const SymFeed *feeds,
                             guint n_feeds,
                             const SymRecordOptions *options,
                             GCancellable *cancellable,
                             GError **error);

G_END_DECLS
