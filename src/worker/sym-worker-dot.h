/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Graphviz, set up once: a fresh context for each request would leak. */
typedef struct _SymWorkerDot SymWorkerDot;

SymWorkerDot *sym_worker_dot_new (void);
void sym_worker_dot_free (SymWorkerDot *self);

/* Answers a SYM_WORKER_LAYOUT: appends the content of a SYM_WORKER_PLACES to @answer.  When it
 * cannot, returns FALSE with a message, @answer as it was. */
gboolean sym_worker_dot_lay_out (SymWorkerDot *self,
                                 const void *request,
                                 gsize size,
                                 GByteArray *answer,
                                 char **message);

G_END_DECLS
