/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-ranges.h"

#include <math.h>

static SymId
number_of (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, number);
}

static double
get_greatest (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 ? 127 : dtype == SYM_DTYPE_UINT8 ? 255 : 2147483647.0;
}

SymId
sym_op_mxnet_lower_extent (SymOpLower *self, SymId least, SymId greatest)
{
  return sym_op_lower_binary (self, "Max", sym_op_lower_unary (self, "Abs", least),
                              sym_op_lower_unary (self, "Abs", greatest));
}

/* Ranges are [1], which does not broadcast to numbers without axes as a number does. */
static SymId
get_bound (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_reshape (self, sym_op_lower_input (self, i), &SYM_SHAPE ());
}

SymId
sym_op_mxnet_lower_unit (SymOpLower *self, guint i, guint range)
{
  SymId least = get_bound (self, range), greatest = get_bound (self, range + 1);

  if (!sym_op_lower_need_tensor (self, i) || sym_op_lower_has_failed (self))
    return SYM_NO_ID;
  return sym_op_lower_binary (
      self, "Div", sym_op_mxnet_lower_extent (self, least, greatest),
      number_of (self, get_greatest (sym_op_lower_get_input_dtype (self, i))));
}

SymId
sym_op_mxnet_lower_numbers (SymOpLower *self, guint i, guint range)
{
  SymId unit = sym_op_mxnet_lower_unit (self, i, range);
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_FLOAT32);

  return sym_op_lower_binary (self, "Mul", x, unit);
}

gboolean
sym_op_mxnet_lower_get_calibrated (SymOpLower *self, double range[2])
{
  range[0] = sym_op_lower_get_float (self, "min_calib_range", (double) NAN);
  range[1] = sym_op_lower_get_float (self, "max_calib_range", (double) NAN);
  return !isnan (range[0]) && !isnan (range[1]);
}

static SymId
reshape_bound (SymOpLower *self, SymId bound)
{
  return sym_op_lower_reshape (self, bound, &SYM_SHAPE (1));
}

void
sym_op_mxnet_lower_store (SymOpLower *self, SymId x, SymDType dtype, const double range[2])
{
  double extent = MAX (fabs (range[0]), fabs (range[1]));
  double greatest = get_greatest (dtype);

  if (dtype != SYM_DTYPE_INT8 && dtype != SYM_DTYPE_UINT8)
    {
      sym_op_lower_refuse (self, "%s: calibrated results of %s are not lowered",
                           sym_op_lower_get_type (self), sym_dtype_to_string (dtype));
      return;
    }
  x = sym_op_lower_binary (self, "Mul", x, number_of (self, extent > 0 ? greatest / extent : 0));
  x = sym_op_lower_call (self, "Clip",
                         SYM_IDS (sym_op_lower_unary (self, "Round", x),
                                  number_of (self, dtype == SYM_DTYPE_INT8 ? -128 : 0),
                                  number_of (self, greatest)),
                         NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
  sym_op_lower_set_output (self, 1, reshape_bound (self, number_of (self, range[0])));
  sym_op_lower_set_output (self, 2, reshape_bound (self, number_of (self, range[1])));
}

void
sym_op_mxnet_lower_store_sums (SymOpLower *self, SymId x, SymId unit)
{
  SymId extent = sym_op_lower_binary (self, "Mul", unit, number_of (self, 2147483647.0));

  sym_op_lower_set_output (self, 0, x);
  sym_op_lower_set_output (self, 1, reshape_bound (self, sym_op_lower_unary (self, "Neg", extent)));
  sym_op_lower_set_output (self, 2, reshape_bound (self, extent));
}

void
sym_op_mxnet_lower_store_wide (SymOpLower *self, SymId x, SymId unit)
{
  /* The greatest float32 that an int32 still holds. */
  const double greatest = 2147483520.0;

  x = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Div", x, unit));
  x = sym_op_lower_call (
      self, "Clip", SYM_IDS (x, number_of (self, -greatest), number_of (self, greatest)), NULL);
  sym_op_mxnet_lower_store_sums (self, sym_op_lower_cast (self, x, SYM_DTYPE_INT32), unit);
}

void
sym_op_mxnet_lower_pass_range (SymOpLower *self, guint range)
{
  for (guint i = 0; i < 2; i++)
    sym_op_lower_set_output (self, 1 + i, reshape_bound (self, get_bound (self, range + i)));
}
