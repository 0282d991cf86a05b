/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

/* What Circle has beyond TensorFlow Lite.  Axes of images are rows, columns and channels, in this
 * order. */

/* Each channel of each image with mean 0 and variance 1. */
static void
lower_instance_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_foreign_channels_first (self, sym_op_lower_input (self, 0), rank);

  if (rank != 4)
    sym_op_lower_fail (self, "INSTANCE_NORM: images have 4 axes, not %d", rank);
  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  x = sym_op_lower_call (self, "InstanceNormalization",
                         SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
                         "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 0)), NULL);
  sym_op_tflite_set (self, sym_op_foreign_channels_last (self, x, rank));
}

/* x / sqrt (mean of x * x + epsilon) along the last axis. */
static void
lower_rms_norm (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_rank (self, 0) - 1;
  SymId x = sym_op_lower_input (self, 0), mean;

  if (sym_op_lower_has_failed (self) || axis < 0)
    return;
  mean = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), &axis, 1,
                              TRUE);
  mean = sym_op_lower_binary (self, "Add", mean,
                              sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                                   sym_op_lower_get_float (self, "epsilon", 0)));
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", mean));
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_input (self, 1));
  sym_op_lower_set_output (self, 0, x);
}

/* Turned by angles: what it does with halves is not lowered. */
static void
lower_rope (SymOpLower *self)
{
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "ROPE is not lowered");
  sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
}

static const SymSlotSpec norm_slots[] = {
  { "input" },
  { "gamma" },
  { "beta", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec rope_slots[] = { { "input" }, { "sin" }, { "cos" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0", "added to the variance" },
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "'NONE'", "a function of the result" },
  { NULL },
};

const SymOperator sym_op_tflite_circle[] = {
  TFLITE_LOWERED ("INSTANCE_NORM",
                  NULL,
                  "Each channel with mean 0 and variance 1",
                  NORMALIZATION,
                  norm_slots,
                  attributes,
                  lower_instance_norm),
  TFLITE_LOWERED ("RMS_NORM",
                  NULL,
                  "The last axis divided by the root of its mean square",
                  NORMALIZATION,
                  norm_slots,
                  attributes,
                  lower_rms_norm),
  TFLITE_LOWERED ("ROPE", NULL, "Turned by angles", OTHER, rope_slots, attributes, lower_rope),
  { NULL },
};
