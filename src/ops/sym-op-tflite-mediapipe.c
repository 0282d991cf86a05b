/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

/* What MediaPipe adds to TensorFlow Lite. */

/* Weights are [out, height, width, in].  SAME leaves out of each axis what the kernel has beyond
 * the step to the last place, the smaller half of it before. */
static void
lower_conv_transpose (SymOpLower *self)
{
  static const char *const members[] = { "SAME", "VALID", NULL };
  static const char *const steps[] = { "stride_h", "stride_w" };
  static const gint64 nothing[] = { 0, 0, 0 };
  gboolean is_same = sym_op_tflite_get_enum (self, "padding", members) == 0;
  SymOpForeignWindow window;

  if (!sym_op_foreign_begin (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (window.n != 2)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  for (int i = 0; i < 2 && !sym_op_lower_has_failed (self); i++)
    {
      gint64 step = sym_op_lower_get_int (self, steps[i], 1), pads = 0;

      if (step < 1 || step > G_MAXINT32)
        sym_op_lower_fail (self, "%s: its steps make no sense", sym_op_lower_get_type (self));
      else if (is_same)
        pads = MAX (sym_op_foreign_size (self, 1, i + 1) -
                        (sym_op_foreign_size (self, 0, i + 1) - 1) % step - 1,
                    0);
      window.stride[i] = step;
      window.before[i] = pads / 2;
      window.after[i] = pads - pads / 2;
    }
  window.channels_last = TRUE;
  window.auto_pad = NULL;
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_conv_transpose (
            self, &window, sym_op_lower_input (self, 0),
            sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 4, 3, 0, 1, 2),
            sym_op_lower_input (self, 2), nothing));
}

static const SymSlotSpec slots[] = {
  { "input" },
  { "weights", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "padding", SYM_ATTRIBUTE_ANY, "'SAME'", "whether the window may reach out" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step of the window down" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step of the window to the right" },
  { NULL },
};

const SymOperator sym_op_tflite_mediapipe[] = {
  { SYM_OP_FOREIGN ("tflite",
                    "Convolution2DTransposeBias",
                    NULL,
                    "Transposed convolution with a bias",
                    WEIGHTS),
    .reference = "MediaPipe Convolution2DTransposeBias", .slots = slots, .attributes = attributes,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = lower_conv_transpose },
  { NULL },
};
