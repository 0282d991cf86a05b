/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-mxnet-private.h"
#include "io/sym-raise.h"

G_BEGIN_DECLS

/* ---- sym-mxnet-raise.c ---- */

extern const SymRaiseTarget sym_mxnet_raise_target;

/* Whether MXNet's layers calculate in it; the dtype in which numbers of @dtype are kept, which is
 * another one for bool, and numbers 0 and 1 of @dtype in that of bool. */
gboolean sym_mxnet_raise_has_dtype (SymDType dtype);
SymDType sym_mxnet_raise_get_kept (SymDType dtype);
SymId sym_mxnet_raise_truth (SymRaise *self, SymId x, SymDType dtype);

/* The first result of a call of MXNet's @op; attributes are names, each with a SymValue, which is
 * taken, and a NULL at the end. */
SymId sym_mxnet_raise_call (SymRaise *self,
                            const char *op,
                            const SymId *operands,
                            guint n_operands,
                            ...) G_GNUC_NULL_TERMINATED;

/* The same under the name of the layer, which what is made of the result goes on with. */
SymId sym_mxnet_raise_layer (SymRaise *self,
                             const char *op,
                             const SymId *operands,
                             guint n_operands,
                             ...) G_GNUC_NULL_TERMINATED;

/* The same with @n_results results, under the name of the layer. */
void sym_mxnet_raise_several (SymRaise *self,
                              const char *op,
                              const SymId *operands,
                              guint n_operands,
                              SymId *results,
                              guint n_results,
                              ...) G_GNUC_NULL_TERMINATED;

/* Calls of two operands, of one with a number, and of Cast. */
SymId sym_mxnet_raise_join (SymRaise *self, const char *op, SymId a, SymId b);
SymId sym_mxnet_raise_by_number (SymRaise *self, const char *op, SymId x, double number);
SymId sym_mxnet_raise_cast (SymRaise *self, SymId x, SymDType dtype);

/* Operand @slot with axes of one before its own: MXNet joins only what has as many axes. */
SymId sym_mxnet_raise_widen (SymRaise *self, guint slot, int rank);

/* The same as the layer itself, under its name: what it makes are its results. */
void sym_mxnet_raise_finish (SymRaise *self,
                             const char *op,
                             const SymId *operands,
                             guint n_operands,
                             ...) G_GNUC_NULL_TERMINATED;

/* ---- sym-mxnet-raise-choose.c, -images.c, -layers.c, ... ---- */

extern const SymRaiseRule sym_mxnet_raise_choose[];
extern const SymRaiseRule sym_mxnet_raise_composed[];
extern const SymRaiseRule sym_mxnet_raise_create[];
extern const SymRaiseRule sym_mxnet_raise_images[];
extern const SymRaiseRule sym_mxnet_raise_layers[];
extern const SymRaiseRule sym_mxnet_raise_pairs[];
extern const SymRaiseRule sym_mxnet_raise_products[];
extern const SymRaiseRule sym_mxnet_raise_recurrent[];
extern const SymRaiseRule sym_mxnet_raise_reductions[];
extern const SymRaiseRule sym_mxnet_raise_shapes[];
extern const SymRaiseRule sym_mxnet_raise_windows[];

G_END_DECLS
