/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* TensorFlow Lite's built-in operators, by their names and options in the schema: numbers and names
 * of enumerations alike.  Images have their channels last.  Axes, sizes and the like are operands:
 * where they are constant, readers have them among the attributes as well.  What integers stand for
 * is told of tensors there, and by readers in two attributes of the layer. */

#define TFLITE(name_, aliases_, summary_, category_)               \
  SYM_OP_FOREIGN ("tflite", name_, aliases_, summary_, category_), \
      .reference = "TensorFlow Lite 2.17 " name_

#define TFLITE_LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, lower_)         \
  {                                                                                               \
    TFLITE (name_, aliases_, summary_, category_), .slots = slots_, .attributes = attributes_,    \
                                                   .get_n_outputs = sym_op_foreign_first,         \
                                                   .infer = sym_op_infer_lowered, .lower = lower_ \
  }

/* An option that is the name of an enumeration's member or its number, 0 when it is left out. */
guint sym_op_tflite_get_enum (SymOpLower *self, const char *name, const char *const *members);

/* @x after `fused_activation_function`; the same as output 0. */
SymId sym_op_tflite_activate (SymOpLower *self, SymId x);
void sym_op_tflite_set (SymOpLower *self, SymId x);

/* The attributes `quantized_operands` and `quantized_results`: lists with a dict for each
 * quantised tensor, None for others.  `scale` and `zero_point` are lists, of one number or of as
 * many as the tensor has elements along `axis`; no zero_point is 0; `dtype` is that of the
 * integers. */
extern const SymAttributeSpec sym_op_tflite_quantized_attributes[];

/* For a layer with such attributes: lowers it as the one without them, between numbers and
 * integers. FALSE for others. */
gboolean sym_op_tflite_quantized (SymOpLower *self);

/* Whether integers of the first operand and the first result stand for the same numbers. */
gboolean sym_op_tflite_keeps_scale (SymOpLower *self);

/* Operand @i as int64. */
SymId sym_op_tflite_ints (SymOpLower *self, guint i);

G_END_DECLS
