/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* Functions of bits.  Truths have one bit. */

static const char *
find_bitwise (const char *name, gboolean is_truth)
{
  const char *rest = name + strlen ("Bitwise");

  return is_truth ? rest : name;
}

static void
lower_not (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  const char *name = find_bitwise (sym_op_keras_ops_get_name (self), dtype == SYM_DTYPE_BOOL);

  sym_op_lower_set_output (
      self, 0, sym_op_lower_unary (self, name, sym_op_keras_ops_input (self, 0, dtype)));
}

static void
lower_bitwise (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_promote (self, 0, 1);
  const char *name = find_bitwise (sym_op_keras_ops_get_name (self), dtype == SYM_DTYPE_BOOL);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, name, sym_op_keras_ops_input (self, 0, dtype),
                                                sym_op_keras_ops_input (self, 1, dtype)));
}

/* ---- Shifts ---- */

/* The unsigned dtype of as many bits: ONNX moves the bits of such alone. */
static SymDType
to_unsigned (SymDType dtype)
{
  switch (sym_dtype_get_bits (dtype))
    {
    case 8:
      return SYM_DTYPE_UINT8;
    case 16:
      return SYM_DTYPE_UINT16;
    case 32:
      return SYM_DTYPE_UINT32;
    default:
      return SYM_DTYPE_UINT64;
    }
}

static SymId
shift (SymOpLower *self, SymDType dtype, SymId x, SymId n, gboolean is_left)
{
  SymDType plain = to_unsigned (dtype);
  SymId y =
      sym_op_lower_call (self, "BitShift",
                         SYM_IDS (sym_op_lower_cast_from (self, x, dtype, plain),
                                  sym_op_lower_cast_from (self, n, dtype, plain)),
                         "direction", sym_value_new_string (is_left ? "LEFT" : "RIGHT"), NULL);

  return sym_op_lower_cast_from (self, y, plain, dtype);
}

static SymId
choose (SymOpLower *self, SymId condition, SymId yes, SymId no)
{
  return sym_op_lower_call (self, "Where", SYM_IDS (condition, yes, no), NULL);
}

/* To the right ones follow the bits of a negative number: zeros its bits the other way round. */
static void
lower_shift (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_promote (self, 0, 1);
  gboolean is_left = g_str_has_suffix (sym_op_keras_ops_get_name (self), "LeftShift");
  gboolean is_signed = to_unsigned (dtype) != dtype;
  SymId x = sym_op_keras_ops_input (self, 0, dtype), n = sym_op_keras_ops_input (self, 1, dtype);
  SymId below, y;

  if (!sym_dtype_is_integer (dtype))
    sym_op_lower_refuse (self, "%s: only integers are lowered", sym_op_keras_ops_get_name (self));
  if (is_left || !is_signed)
    {
      sym_op_lower_set_output (self, 0, shift (self, dtype, x, n, is_left));
      return;
    }
  below = sym_op_lower_binary (self, "Less", x, sym_op_lower_number (self, dtype, 0));
  y = choose (self, below, sym_op_lower_unary (self, "BitwiseNot", x), x);
  y = shift (self, dtype, y, n, FALSE);
  sym_op_lower_set_output (self, 0,
                           choose (self, below, sym_op_lower_unary (self, "BitwiseNot", y), y));
}

/* ---- Tables ---- */

static const SymSlotSpec slots[] = { { "x" }, { "y" }, { NULL } };

#define BITS(name_, aliases_, summary_, slots_, lower_)                                       \
  {                                                                                           \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE),                                          \
        .aliases = aliases_, .slots = slots_, .infer = sym_op_infer_lowered, .lower = lower_, \
  }

const SymOperator sym_op_keras_ops_bits[] = {
  BITS ("BitwiseAnd", NULL, "Bits that both have", slots, lower_bitwise),
  BITS ("BitwiseLeftShift", "LeftShift", "Bits moved to the left", slots, lower_shift),
  BITS ("BitwiseNot", "BitwiseInvert", "Bits the other way round", sym_op_keras_ops_one, lower_not),
  BITS ("BitwiseOr", NULL, "Bits that one has", slots, lower_bitwise),
  BITS ("BitwiseRightShift", "RightShift", "Bits moved to the right", slots, lower_shift),
  BITS ("BitwiseXor", NULL, "Bits that just one has", slots, lower_bitwise),
  { NULL },
};
