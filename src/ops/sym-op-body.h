/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Output @i is what would have been gathered of output @output of body @body had it run: nothing,
 * so an axis of no elements before axis @axis of what the body gives.  Its type is what follows
 * from
 * @inputs, the types of the first @n inputs of the body; a size that does not follow is 0.  An
 * error when not even the dtype does. */
gboolean sym_op_gather_nothing (SymKernel *kernel,
                                guint body,
                                const SymType *inputs,
                                guint n,
                                guint output,
                                guint i,
                                gint64 axis,
                                GError **error);

/* Types of as many inputs and outputs of a body, none of them known.  Freed as sym_op_types_free().
 */
SymBodyTypes *sym_op_types_new (guint n_inputs, guint n_outputs);
void sym_op_types_free (SymBodyTypes *self);

/* What both branches say of an output; where they differ it is one or the other, so unknown. */
SymType sym_op_meet_types (const SymType *a, const SymType *b);

/* Whether the one number that a condition is, a bool or of another dtype, is not 0.  NULL is none.
 */
gboolean
sym_op_read_truth (SymKernel *kernel, const SymArray *array, gboolean *truth, GError **error);

/* The type of a datum; unknown for NULL and for what is no tensor. */
SymType sym_op_get_type (SymDatum *datum);

G_END_DECLS
