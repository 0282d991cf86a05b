/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* What kernels of attention have in common: queries, keys and values by heads, and rows of numbers
 * that are rounded to what the operands have. */

/* Numbers [n_batch, n_heads, n_rows, size] of @work, float32 or float64; @dtype is what they were.
 */
typedef struct {
  SymKernel *kernel;
  SymDType dtype, work;
  gsize n_batch, n_heads, n_rows, size;
  void *data;
} SymOpHeads;

/* The numbers of @array, [batch, heads, rows, size] or [batch, rows, @n_heads * size], behind those
 * of
 * @past (NULL for none), [batch, heads, past rows, size].  A copy. */
gboolean sym_op_heads_load (SymOpHeads *self,
                            SymKernel *kernel,
                            SymDType work,
                            const SymArray *past,
                            const SymArray *array,
                            gint64 n_heads,
                            GError **error);

/* Rows [n_rows, size] of one head. */
void *sym_op_heads_get (const SymOpHeads *self, gsize batch, gsize head);

/* All numbers times @factor, both and the products as the operand's dtype has them. */
void sym_op_heads_scale (SymOpHeads *self, double factor);

/* The numbers as elements of @y, which has as many. */
void sym_op_heads_store (const SymOpHeads *self, SymArray *y);

/* @n numbers of @work, each to the nearest that @dtype has. */
void sym_op_round (SymDType dtype, SymDType work, void *numbers, gsize n);

/* Softmax of a row of @work.  One of -Inf alone becomes 0 where it @is_guarded, else NaN. */
void sym_op_softmax_row (SymDType work, void *row, gsize n, gboolean is_guarded);

G_END_DECLS
