/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-packer-private.h"
#include "run/sym-plan-private.h"
#include "run/sym-threads-private.h"

G_BEGIN_DECLS

/* The product of a constant matrix, and perhaps a bias, with any number of rows: what remains to be
 * compiled of a MatMul or Gemm whose operand has a size that is known only when it runs. */

/* NULL where the call is none such.  Numbers of the operands but the first went into it. */
SymDense *
sym_dense_new (SymPlan *plan, const SymInference *inference, SymId call, SymPacker *packer);
void sym_dense_free (SymDense *self);

gsize sym_dense_get_n_bytes (const SymDense *self);

/* @threads may be NULL. */
gboolean sym_dense_run (const SymDense *self,
                        SymDatum *x,
                        SymDatum **y,
                        SymDatumPool *pool,
                        SymThreads *threads,
                        GCancellable *cancellable,
                        GError **error);

G_END_DECLS
