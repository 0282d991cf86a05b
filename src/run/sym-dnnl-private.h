/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan-graph-private.h"

G_BEGIN_DECLS

/* oneDNN, the library for heavy operations: loaded when it is first asked for, and only known here.
 * Without it, or when it was not there to build with, convolutions and pools stay with their
 * reference kernels. */
gboolean sym_dnnl_is_there (void);

/* One operation ready to run: an algorithm and packed weights.  Immutable, for any number of runs
 * at a time. */
typedef struct _SymDnnl SymDnnl;

/* Of a convolution or a pool.  SYM_ERROR_UNSUPPORTED when oneDNN has no algorithm. */
SymDnnl *sym_dnnl_new (const SymPlanGraph *graph, const SymPlanOp *op, GError **error);
void sym_dnnl_free (SymDnnl *self);

gsize sym_dnnl_get_n_bytes (const SymDnnl *self);   /* of weights */
gsize sym_dnnl_get_n_scratch (const SymDnnl *self); /* bytes to work in, for the time of a run */

/* What one run at a time needs besides: bound to @x, @y and @scratch, which may move later. */
typedef struct _SymDnnlCall SymDnnlCall;

SymDnnlCall *sym_dnnl_call_new (const SymDnnl *self, GError **error);
void sym_dnnl_call_free (SymDnnlCall *self);

/* @y has the addend before, where there is one.  One thread of oneDNN's at work: see
 * sym_dnnl_begin(). */
gboolean sym_dnnl_call_run (SymDnnlCall *self, void *x, void *y, void *scratch, GError **error);

/* Between these two the calling thread's own teams of OpenMP are of one thread. */
int sym_dnnl_begin (void);
void sym_dnnl_end (int before);

G_END_DECLS
