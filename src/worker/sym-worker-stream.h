/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/sym-worker-protocol.h"

G_BEGIN_DECLS

/* Standard input and output of a worker. */

/* Reads exactly @size bytes.  Returns how many there were before the end of the input. */
gsize sym_worker_read (void *buffer, gsize size);

/* FALSE when nobody listens any more. */
gboolean sym_worker_write (const void *buffer, gsize size);
gboolean sym_worker_answer (guint32 kind, const void *content, gsize size);

G_END_DECLS
