/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Below 0 when item @a comes before item @b, above 0 when behind it, 0 when they are equal. */
typedef int (*SymOpCompare) (gconstpointer data, gsize a, gsize b);

/* Sorts the @n items at @order; equal ones stay as they were.  At @buffer there is room for as
 * many.  To compare two of them, about @cost elements are looked at.  FALSE when the run was
 * cancelled. */
gboolean sym_op_sort (SymKernel *kernel,
                      gsize *order,
                      gsize *buffer,
                      gsize n,
                      SymOpCompare compare,
                      gconstpointer data,
                      gsize cost,
                      GError **error);

/* Numbers as integers in the same order.  NaN is above all and equal to itself, -0 is 0. */
guint64 sym_op_get_key (const SymArray *x, gsize i);
guint64 sym_op_get_float_key (double number);

static inline guint64
sym_op_get_int_key (gint64 number)
{
  return (guint64) number ^ (G_GUINT64_CONSTANT (1) << 63);
}

G_END_DECLS
