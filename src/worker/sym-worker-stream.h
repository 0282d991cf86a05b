/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-frame-protocol.h"

G_BEGIN_DECLS

/* Standard input and output of a worker. */

/* Reads exactly @size bytes.  Returns how many there were before the end of the input. */
gsize sym_worker_read (void *buffer, gsize size);

/* The frame of the next request, FALSE at the end of the input.  What is no frame becomes one of
 * kind 0, which no protocol has. */
gboolean sym_worker_read_frame (SymWorkerFrame *frame);

/* Bytes that follow it; NULL when there is no memory for them, or the input ends too early. */
void *sym_worker_read_content (gsize size);

/* FALSE when nobody listens any more. */
gboolean sym_worker_write (const void *buffer, gsize size);
gboolean sym_worker_answer (guint32 kind, const void *content, gsize size);

/* Answers with a SYM_WORKER_FAILURE. */
gboolean sym_worker_fail (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
