/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A running symscope-layout-worker, spoken to over a socket.  One thread at a time. */
typedef struct _SymLayoutWorker SymLayoutWorker;

/* Starts the program at @path.  NULL: the one that the environment's SYMSCOPE_WORKER names, else
 * that of the build tree the running program lies in, else the installed one. */
SymLayoutWorker *sym_layout_worker_new (const char *path, GError **error);

/* Ends the process, whatever it is doing. */
void sym_layout_worker_free (SymLayoutWorker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymLayoutWorker, sym_layout_worker_free)

/* Sends a SYM_WORKER_LAYOUT and receives the content of its answer.  Errors: G_IO_ERROR_FAILED with
 * what the worker says is wrong with the request; after any other (it died, spoke nonsense, took
 * longer than @timeout_ms, or @cancellable was cancelled) it has been killed, and every further
 * call fails. */
GBytes *sym_layout_worker_ask (SymLayoutWorker *self,
                               GBytes *request,
                               guint timeout_ms,
                               GCancellable *cancellable,
                               GError **error);

G_END_DECLS
