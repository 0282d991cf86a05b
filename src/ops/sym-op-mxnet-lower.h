/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-mxnet.h"

G_BEGIN_DECLS

/* What lowerings of MXNet's layers share. */

/* The formula of a remainder: of the divisor's sign, and 0 where the divisor is 0. */
#define SYM_OP_MXNET_MODULO_OF(a, b) \
  "Where (Equal (" b ", 0), Mul (" a ", 0), Remainder (" a ", " b "))"
#define SYM_OP_MXNET_MODULO SYM_OP_MXNET_MODULO_OF ("a", "b")

/* Kernel, stride, dilate, pad and layout of a layer with windows over 1 to 3 axes. */
typedef struct {
  int n;
  gboolean channels_last;
  gint64 kernel[3], stride[3], dilate[3], pad[3];
} SymOpMxnetLowerWindows;

/* FALSE, with an error of the body, when they are not as many as the axes of the data. */
gboolean sym_op_mxnet_lower_windows (SymOpLower *self, SymOpMxnetLowerWindows *windows);

/* @n integers of an attribute, @fallback where it is absent or empty; FALSE, with an error of the
 * body, when it has another number of them. */
gboolean sym_op_mxnet_lower_ints (SymOpLower *self,
                                  const char *name,
                                  int n,
                                  gint64 fallback,
                                  gint64 *values);

/* The same tensor of @n spatial axes with its channels before these, and after them again. */
SymId sym_op_mxnet_lower_first (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x);
SymId sym_op_mxnet_lower_last (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x);

/* Operand @i along axis @axis of @rank: [C] as [1, C, 1, 1]. */
SymId sym_op_mxnet_lower_along (SymOpLower *self, guint i, int axis, int rank);

/* Whole lowerings: output 0 is operand 0, perhaps in the inferred shape or dtype. */
void sym_op_mxnet_lower_identity (SymOpLower *self);
void sym_op_mxnet_lower_reshape (SymOpLower *self);
void sym_op_mxnet_lower_cast (SymOpLower *self);
void sym_op_mxnet_lower_expand (SymOpLower *self); /* as numpy broadcasts */

/* The same, backwards along the axes of the attribute `axis`. */
void sym_op_mxnet_lower_reverse (SymOpLower *self);

/* The axes of the attribute @name, in order and from the front: all when it is absent, None or
 * empty; the others when the attribute exclude says so.  FALSE, with an error of the body, for one
 * that is none. */
gboolean sym_op_mxnet_lower_axes (SymOpLower *self,
                                  const char *name,
                                  int rank,
                                  gint64 axes[SYM_MAX_RANK],
                                  int *n);

/* A constant of @shape whose element @i, counted through all axes, is @value (@data, i). */
typedef double (*SymOpMxnetValue) (gconstpointer data, gsize i);
SymId sym_op_mxnet_lower_values (SymOpLower *self,
                                 const SymShape *shape,
                                 SymDType dtype,
                                 SymOpMxnetValue value,
                                 gconstpointer data);

/* Element @i of the result, of @shape, is element @place (@data, i) of @x; 0 where that is below 0.
 * @dtype is that of @x. */
typedef gint64 (*SymOpMxnetPlace) (gconstpointer data, gsize i);
SymId sym_op_mxnet_lower_pick (SymOpLower *self,
                               SymId x,
                               SymDType dtype,
                               const SymShape *shape,
                               SymOpMxnetPlace place,
                               gconstpointer data);

/* The shape of output @i, all of it known; FALSE, with an error of the body, when it is not. */
gboolean sym_op_mxnet_lower_get_shape (SymOpLower *self, guint i, SymShape *shape);

/* Whether the layer is of numpy's kind. */
gboolean sym_op_mxnet_lower_is_numpy (SymOpLower *self);

G_END_DECLS
