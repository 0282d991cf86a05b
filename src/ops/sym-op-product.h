/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Products of matrices.  Floats are summed in double, integers modulo 2^64, so that the low bits
 * are right for every integer dtype. */

/* A matrix somewhere in an array: element [i, j] lies at i * row_stride + j * column_stride, so a
 * transposed one is the same with its strides exchanged.  Of integers @zeros may be what is
 * subtracted: of each row of the left matrix, of each column of the right one. */
typedef struct {
  SymDType dtype;
  const void *data;
  gint64 row_stride, column_stride;
  const gint64 *zeros; /* NULL for none */
  gsize zero_step;     /* 0: the same for all */
} SymOpMatrix;

/* Memory for products [m, k] . [k, n], as long as the kernel runs. */
typedef struct {
  SymKernel *kernel;
  gsize m, n, k;
  void *left, *right;
  void *sums; /* the last product, [m, n]: double of floats, guint64 of integers */
} SymOpProduct;

/* Whether there are products of that dtype: float32, float64 and integers of 8 bits and more. */
gboolean sym_op_can_multiply (SymDType dtype);

gboolean sym_op_product_init (SymOpProduct *self,
                              SymKernel *kernel,
                              gsize m,
                              gsize n,
                              gsize k,
                              GError **error);

/* Both matrices are of floats, or both of integers.  The product is in @sums. */
gboolean sym_op_product_run (SymOpProduct *self,
                             const SymOpMatrix *left,
                             const SymOpMatrix *right,
                             GError **error);

/* @n sums as elements of @dtype, which is of the kind that was multiplied. */
void sym_op_store_sums (const void *sums, SymDType dtype, void *to, gsize n);

G_END_DECLS
