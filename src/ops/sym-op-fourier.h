/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Discrete Fourier transforms of one length, any length, in about length * log (length) steps.
 * Complex numbers are pairs of doubles. */
typedef struct _SymOpFourier SymOpFourier;

/* Memory is that of the kernel's run. NULL with an error. */
SymOpFourier *sym_op_fourier_new (SymKernel *kernel, gsize length, GError **error);

/* Transforms the numbers at @data, in place: y[k] = sum of x[n] exp (-2 pi i k n / length), or with
 * +2 pi and divided by the length. */
gboolean sym_op_fourier_run (SymOpFourier *self, double *data, gboolean inverse, GError **error);

G_END_DECLS
