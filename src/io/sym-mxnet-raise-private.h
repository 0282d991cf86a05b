/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-mxnet-private.h"
#include "io/sym-raise.h"

G_BEGIN_DECLS

/* ---- sym-mxnet-raise.c ---- */

extern const SymRaiseTarget sym_mxnet_raise_target;

/* Whether MXNet's tensors can be of it. */
gboolean sym_mxnet_raise_has_dtype (SymDType dtype);

/* The first result of a call of MXNet's @op; attributes are names, each with a SymValue, which is
 * taken, and a NULL at the end. */
SymId sym_mxnet_raise_call (SymRaise *self,
                            const char *op,
                            const SymId *operands,
                            guint n_operands,
                            ...) G_GNUC_NULL_TERMINATED;

/* Operand @slot with axes of one before its own: MXNet joins only what has as many axes. */
SymId sym_mxnet_raise_widen (SymRaise *self, guint slot, int rank);

/* The same as the layer itself, under its name: what it makes are its results. */
void sym_mxnet_raise_finish (SymRaise *self,
                             const char *op,
                             const SymId *operands,
                             guint n_operands,
                             ...) G_GNUC_NULL_TERMINATED;

/* ---- sym-mxnet-raise-images.c, -layers.c, -shapes.c, -windows.c ---- */

extern const SymRaiseRule sym_mxnet_raise_images[];
extern const SymRaiseRule sym_mxnet_raise_layers[];
extern const SymRaiseRule sym_mxnet_raise_shapes[];
extern const SymRaiseRule sym_mxnet_raise_windows[];

G_END_DECLS
