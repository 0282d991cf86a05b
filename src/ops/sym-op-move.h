/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"

G_BEGIN_DECLS

/* ---- Moving elements of any dtype, strings and those of less than a byte among them ---- */

/* @n elements from place @j of @from to place @i of @to, both of one dtype. */
void sym_op_move (SymArray *to, gsize i, const SymArray *from, gsize j, gsize n);

/* The same, asking now and then whether the run was cancelled, as sym_op_go_on() does it with
 * *@done; FALSE when it was. */
gboolean sym_op_move_on (SymKernel *kernel,
                         gsize *done,
                         SymArray *to,
                         gsize i,
                         const SymArray *from,
                         gsize j,
                         gsize n,
                         GError **error);

/* All elements of @to become 0, strings empty.  FALSE when the run was cancelled. */
gboolean sym_op_clear (SymKernel *kernel, SymArray *to, GError **error);

/* Each element of @to, at index [i0, i1, ...], is that of @from at @offset + i0 * strides[0] + ...:
 * transposes, slices, flips, repeats.  FALSE when the run was cancelled. */
gboolean sym_op_move_strided (SymKernel *kernel,
                              SymArray *to,
                              const SymArray *from,
                              gint64 offset,
                              const gint64 *strides,
                              GError **error);

/* ---- Data ---- */

/* An array of @n SymDatum, NULL at first, that owns them. */
GPtrArray *sym_op_new_data (guint n);

/* Output @i is tensors of one dtype side by side along @axis; the other axes are equal. */
gboolean sym_op_join (SymKernel *kernel, guint i, const GPtrArray *parts, int axis, GError **error);

/* Output @i is tensors of one dtype and shape side by side along a new axis before @axis of theirs.
 */
gboolean
sym_op_stack (SymKernel *kernel, guint i, const GPtrArray *parts, int axis, GError **error);

G_END_DECLS
