/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* What the files of Keras' operations share: functions of keras.ops, which are nodes of a model
 * among its layers, and those of TensorFlow that Keras 2 kept as TFOpLambda.  Attributes are those
 * of the operation's config; what a call gives by name or place, and is no tensor, is among them as
 * well.  Numbers among the operands are constants without axes: they count less than tensors when
 * dtypes meet. */

#define SYM_OP_KERAS_OPS(name_, summary_, category_)                             \
  .domain = "keras.ops", .since_version = 1, .name = name_, .summary = summary_, \
  .reference = "keras.ops " name_, .category = SYM_CATEGORY_##category_

extern const SymSlotSpec sym_op_keras_ops_one[]; /* "x" */
extern const SymSlotSpec sym_op_keras_ops_two[]; /* "x1", "x2" */

/* Whether it is one of TensorFlow's functions, whose defaults may be others. */
gboolean sym_op_keras_ops_is_tf (SymOpLower *self);

/* The operator's name, whatever the layer's type is. */
const char *sym_op_keras_ops_get_name (SymOpLower *self);

/* The dtype that operands @first to @last have together. */
SymDType sym_op_keras_ops_promote (SymOpLower *self, guint first, guint last);
SymDType sym_op_keras_ops_promote_rule (SymRule *rule, guint first, guint last);

/* @dtype, or float32 for what is no float. */
SymDType sym_op_keras_ops_to_float (SymDType dtype);

/* To be infer: the shape of "x", its dtype, a float or a truth; what "x1" and "x2" make together,
 * in the dtype that they have, the float for it, or as a truth. */
gboolean sym_op_keras_ops_infer_same (SymRule *rule, GError **error);
gboolean sym_op_keras_ops_infer_float (SymRule *rule, GError **error);
gboolean sym_op_keras_ops_infer_test (SymRule *rule, GError **error);
gboolean sym_op_keras_ops_infer_two (SymRule *rule, GError **error);
gboolean sym_op_keras_ops_infer_two_float (SymRule *rule, GError **error);
gboolean sym_op_keras_ops_infer_compare (SymRule *rule, GError **error);

/* Operand @i as @dtype. */
SymId sym_op_keras_ops_input (SymOpLower *self, guint i, SymDType dtype);

/* Attribute @name or, where that is absent, @other, of @rank axes from the front: *@n is -1 without
 * one.  FALSE, and an error of the body, when there is no such axis. */
gboolean sym_op_keras_ops_get_axes (SymOpLower *self,
                                    const char *name,
                                    const char *other,
                                    int rank,
                                    gint64 axes[SYM_MAX_RANK],
                                    int *n);

G_END_DECLS
