/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* A matrix [k, n] of float32 or float64 arranged so that many rows can be multiplied by it: columns
 * side by side in panels, each of which is read once from its first number to its last.  Sums are
 * of the same dtype, made of pieces, so that they stay near those in double.  For kernels that
 * multiply by one matrix again and again; others have ops/sym-op-product.h. */
typedef struct {
  SymKernel *kernel;
  SymDType dtype;
  gsize k, n;
  void *data; /* [panels, k, width], 0 beyond column n */
} SymOpPanels;

/* Memory for such a matrix, as long as the kernel runs. */
gboolean sym_op_panels_init (SymOpPanels *self,
                             SymKernel *kernel,
                             SymDType dtype,
                             gsize k,
                             gsize n,
                             GError **error);

/* Takes the numbers: element [i, j] lies at @matrix + i * row_stride + j * column_stride.  FALSE
 * when the run was cancelled. */
gboolean sym_op_panels_load (SymOpPanels *self,
                             const void *matrix,
                             gsize row_stride,
                             gsize column_stride,
                             GError **error);

/* Rows [m, k] times the matrix are put into rows [m, n], or added to what is there; strides are
 * those from row to row.  FALSE when the run was cancelled. */
gboolean sym_op_panels_multiply (const SymOpPanels *self,
                                 const void *rows,
                                 gsize row_stride,
                                 gsize m,
                                 void *to,
                                 gsize to_stride,
                                 gboolean adds,
                                 GError **error);

G_END_DECLS
