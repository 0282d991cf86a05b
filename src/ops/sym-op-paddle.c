/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

const SymSlotSpec sym_op_paddle_one[] = { { "X" }, { NULL } };
const SymSlotSpec sym_op_paddle_two[] = { { "X" }, { "Y" }, { NULL } };
const SymSlotSpec sym_op_paddle_many[] = { { "X" }, { NULL } };

SymDType
sym_op_paddle_get_dtype (SymOpLower *self, const char *name, SymDType fallback)
{
  static const SymDType numbers[] = {
    [0] = SYM_DTYPE_BOOL,      [1] = SYM_DTYPE_INT16,   [2] = SYM_DTYPE_INT32,
    [3] = SYM_DTYPE_INT64,     [4] = SYM_DTYPE_FLOAT16, [5] = SYM_DTYPE_FLOAT32,
    [6] = SYM_DTYPE_FLOAT64,   [20] = SYM_DTYPE_UINT8,  [21] = SYM_DTYPE_INT8,
    [22] = SYM_DTYPE_BFLOAT16,
  };
  gint64 number = sym_op_lower_get_int (self, name, -1);
  SymDType dtype;

  if (number >= 0 && number < (gint64) G_N_ELEMENTS (numbers) &&
      (number == 0 || numbers[number] != (SymDType) 0))
    dtype = numbers[number];
  else
    dtype = sym_op_lower_get_dtype (self, name, fallback);
  return dtype == SYM_DTYPE_UNKNOWN ? fallback : dtype;
}

SymId
sym_op_paddle_activate (SymOpLower *self, SymId x)
{
  const char *name =
      sym_op_foreign_choose (self, "fuse_activation", "activation_type", "with_act", "act", NULL);

  if (sym_op_lower_get_bool (self, "fuse_relu", FALSE))
    return sym_op_lower_unary (self, "Relu", x);
  return sym_op_foreign_activate (self, sym_op_lower_get_string (self, name, NULL),
                                  sym_op_lower_get_float (self, "fuse_alpha", 0.02), x);
}

gboolean
sym_op_paddle_is_channels_last (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "data_format", "data_layout", NULL);
  const char *layout = sym_op_lower_get_string (self, name, "NCHW");

  return g_str_has_prefix (layout, "N") && g_str_has_suffix (layout, "C");
}
