/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-mxnet-ranges.h"

/* What layers on integers are in ONNX's: sums of products are exact in int32, and all else goes by
 * the numbers that the integers stand for. */

static SymId
number_of (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, number);
}

/* ---- Products ---- */

/* The ranges of @n tensors lie behind them, two for each. */
static guint
get_n_weighted (SymOpLower *self)
{
  return sym_op_lower_get_n_inputs (self) / 3;
}

/* What 1 in a product of operands 0 and 1 stands for. */
static SymId
lower_product_unit (SymOpLower *self, guint n)
{
  return sym_op_lower_binary (self, "Mul", sym_op_mxnet_lower_unit (self, 0, n),
                              sym_op_mxnet_lower_unit (self, 1, n + 2));
}

/* The bias, an integer in units of its own, in units of the products: [bias, 1, 1]. */
static SymId
lower_bias (SymOpLower *self, SymId unit, int n_behind)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 2);
  SymShape along = { .rank = 1 + n_behind };
  SymId bias = sym_op_mxnet_lower_numbers (self, 2, 3 + 4);

  if (!sym_op_lower_need_tensor (self, 2))
    return SYM_NO_ID;
  for (int i = 0; i < along.rank; i++)
    along.dims[i] = 1;
  along.dims[0] = shape->rank < 1 ? 1 : shape->dims[0];
  bias = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Div", bias, unit));
  bias = sym_op_lower_cast (self, bias, SYM_DTYPE_INT32);
  return sym_op_lower_reshape (self, bias, &along);
}

void
sym_op_mxnet_lower_quantized_conv (SymOpLower *self)
{
  guint n = get_n_weighted (self);
  SymOpMxnetLowerWindows windows;
  gint64 pads[6];
  SymId x, weight, unit;

  if (!sym_op_mxnet_lower_windows (self, &windows) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < windows.n; i++)
    pads[i] = pads[windows.n + i] = windows.pad[i];
  unit = lower_product_unit (self, n);
  x = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 0));
  weight = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 1));
  x = sym_op_lower_call (self, "ConvInteger", SYM_IDS (x, weight), "strides",
                         sym_op_lower_list (windows.stride, windows.n), "dilations",
                         sym_op_lower_list (windows.dilate, windows.n), "pads",
                         sym_op_lower_list (pads, 2 * windows.n), "group",
                         sym_value_new_int (sym_op_lower_get_int (self, "num_group", 1)), NULL);
  if (n > 2)
    x = sym_op_lower_binary (self, "Add", x, lower_bias (self, unit, windows.n));
  sym_op_mxnet_lower_store_sums (self, sym_op_mxnet_lower_last (self, &windows, x), unit);
}

void
sym_op_mxnet_lower_quantized_dense (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *matrix = sym_op_lower_get_input_shape (self, 1);
  SymId x = sym_op_lower_input (self, 0), unit;
  guint n = get_n_weighted (self);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (data->rank < 1 || matrix->rank != 2)
    {
      sym_op_lower_fail (self, "%s: data has %d axes, weight %d; at least 1 and 2 are needed",
                         sym_op_lower_get_type (self), data->rank, matrix->rank);
      return;
    }
  unit = lower_product_unit (self, n);
  if (sym_op_lower_get_bool (self, "flatten", TRUE) && data->rank != 2)
    x = sym_op_lower_reshape (self, x, &SYM_SHAPE (data->dims[0], matrix->dims[1]));
  x = sym_op_lower_binary (self, "MatMulInteger", x,
                           sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 2, 1, 0));
  if (n > 2)
    x = sym_op_lower_binary (self, "Add", x, lower_bias (self, unit, 0));
  sym_op_mxnet_lower_store_sums (self, x, unit);
}

/* ---- One operand ---- */

/* The greatest of integers is one of them; means are rounded. */
void
sym_op_mxnet_lower_quantized_pooling (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);
  x = sym_op_lower_apply_as (self, "Pooling", SYM_IDS (x));
  x = sym_op_lower_unary (self, "Round", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
  sym_op_mxnet_lower_pass_range (self, 1);
}

void
sym_op_mxnet_lower_quantized_act (SymOpLower *self)
{
  SymId zero = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!sym_op_lower_has_string (self, "act_type", "relu"))
    sym_op_lower_refuse (self, "%s: only act_type relu works on integers",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Max", sym_op_lower_input (self, 0), zero));
  sym_op_mxnet_lower_pass_range (self, 1);
}

/* Another shape, or another order of the axes. */
void
sym_op_mxnet_lower_quantized_move (SymOpLower *self)
{
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (strstr (sym_op_lower_get_type (self), "transpose") != NULL)
    sym_op_lower_set_output (
        self, 0, sym_op_lower_apply_as (self, "transpose", SYM_IDS (sym_op_lower_input (self, 0))));
  else
    sym_op_lower_finish (self, sym_op_lower_input (self, 0));
  sym_op_mxnet_lower_pass_range (self, 1);
}

void
sym_op_mxnet_lower_quantized_embedding (SymOpLower *self)
{
  double last = (double) sym_op_lower_get_int (self, "input_dim", 1) - 1;
  SymId indices;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  indices = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64);
  indices = sym_op_lower_call (self, "Clip",
                               SYM_IDS (indices, sym_op_lower_number (self, SYM_DTYPE_INT64, 0),
                                        sym_op_lower_number (self, SYM_DTYPE_INT64, last)),
                               NULL);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), indices));
  sym_op_mxnet_lower_pass_range (self, 2);
}

/* The least and the greatest value of operand 0, in numbers. */
static SymId
lower_seen (SymOpLower *self, const char *reduce)
{
  SymId x = sym_op_mxnet_lower_numbers (self, 0, 1);

  return sym_op_lower_call (self, reduce, SYM_IDS (x), "keepdims", sym_value_new_int (0), NULL);
}

/* int32 to integers of 8 bits, in the calibrated range or that of the data at hand. */
void
sym_op_mxnet_lower_requantize (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);
  double range[2];
  SymId x, extent, greatest;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_mxnet_lower_get_calibrated (self, range))
    {
      sym_op_mxnet_lower_store (self, sym_op_mxnet_lower_numbers (self, 0, 1), dtype, range);
      return;
    }
  greatest = number_of (self, dtype == SYM_DTYPE_INT8 ? 127 : 255);
  extent = sym_op_mxnet_lower_extent (self, lower_seen (self, "ReduceMin"),
                                      lower_seen (self, "ReduceMax"));
  x = sym_op_lower_binary (self, "Mul", sym_op_mxnet_lower_numbers (self, 0, 1),
                           sym_op_lower_binary (self, "Div", greatest, extent));
  x = sym_op_lower_call (self, "Clip",
                         SYM_IDS (sym_op_lower_unary (self, "Round", x),
                                  number_of (self, dtype == SYM_DTYPE_INT8 ? -127 : 0), greatest),
                         NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
  sym_op_lower_set_output (
      self, 1,
      sym_op_lower_reshape (self, sym_op_lower_unary (self, "Neg", extent), &SYM_SHAPE (1)));
  sym_op_lower_set_output (self, 2, sym_op_lower_reshape (self, extent, &SYM_SHAPE (1)));
}

/* data, gamma, beta, moving mean, moving variance, then the range. */
void
sym_op_mxnet_lower_quantized_norm (SymOpLower *self)
{
  double range[2];
  SymId x;

  for (guint i = 0; i < 7; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (!sym_op_mxnet_lower_get_calibrated (self, range))
    {
      sym_op_lower_refuse (self, "%s: without a calibrated range it is not lowered",
                           sym_op_lower_get_type (self));
      return;
    }
  x = sym_op_lower_apply_as (self, "BatchNorm",
                             SYM_IDS (sym_op_mxnet_lower_numbers (self, 0, 5),
                                      sym_op_lower_input (self, 1), sym_op_lower_input (self, 2),
                                      sym_op_lower_input (self, 3), sym_op_lower_input (self, 4)));
  if (g_str_has_suffix (sym_op_lower_get_type (self), "_relu"))
    x = sym_op_lower_unary (self, "Relu", x);
  sym_op_mxnet_lower_store (self, x, SYM_DTYPE_INT8, range);
}

/* ---- Several operands ---- */

/* All in the widest range; unsigned where all of them are. */
void
sym_op_mxnet_lower_quantized_concat (SymOpLower *self)
{
  guint n = get_n_weighted (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  gboolean is_signed = FALSE;
  SymId extent = SYM_NO_ID, x, greatest;

  for (guint i = 0; i < n; i++)
    {
      SymId own = sym_op_mxnet_lower_extent (self, sym_op_lower_input (self, n + 2 * i),
                                             sym_op_lower_input (self, n + 2 * i + 1));

      if (!sym_op_lower_need_tensor (self, i))
        return;
      is_signed = is_signed || sym_op_lower_get_input_dtype (self, i) == SYM_DTYPE_INT8;
      extent = i == 0 ? own : sym_op_lower_binary (self, "Max", extent, own);
      parts[i] = sym_op_mxnet_lower_numbers (self, i, n + 2 * i);
    }
  greatest = number_of (self, is_signed ? 127 : 255);
  x = sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                         sym_value_new_int (sym_op_lower_get_int (self, "dim", 1)), NULL);
  x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_binary (self, "Div", greatest, extent));
  x = sym_op_lower_unary (self, "Round", x);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_cast (self, x, is_signed ? SYM_DTYPE_INT8 : SYM_DTYPE_UINT8));
  sym_op_lower_set_output (
      self, 1,
      sym_op_lower_reshape (
          self, is_signed ? sym_op_lower_unary (self, "Neg", extent) : number_of (self, 0),
          &SYM_SHAPE (1)));
  sym_op_lower_set_output (self, 2, sym_op_lower_reshape (self, extent, &SYM_SHAPE (1)));
}

/* A sum that is not calibrated has the range of both together. */
void
sym_op_mxnet_lower_quantized_add (SymOpLower *self)
{
  SymId units[2], extent, x;
  double range[2];

  x = sym_op_lower_binary (self, "Add", sym_op_mxnet_lower_numbers (self, 0, 2),
                           sym_op_mxnet_lower_numbers (self, 1, 4));
  if (sym_op_mxnet_lower_get_calibrated (self, range))
    {
      sym_op_mxnet_lower_store (self, x, sym_op_lower_get_output_dtype (self, 0), range);
      return;
    }
  for (guint i = 0; i < 2; i++)
    units[i] = sym_op_mxnet_lower_extent (self, sym_op_lower_input (self, 2 + 2 * i),
                                          sym_op_lower_input (self, 3 + 2 * i));
  extent = sym_op_lower_reshape (self, sym_op_lower_binary (self, "Add", units[0], units[1]),
                                 &SYM_SHAPE ());
  sym_op_mxnet_lower_store_wide (
      self, x, sym_op_lower_binary (self, "Div", extent, number_of (self, 2147483647.0)));
}

void
sym_op_mxnet_lower_quantized_mul (SymOpLower *self)
{
  SymId unit = lower_product_unit (self, 2), x;
  double range[2];

  x = sym_op_lower_binary (self, "Mul",
                           sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT32),
                           sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT32));
  if (!sym_op_lower_get_bool (self, "enable_float_output", FALSE) &&
      !sym_op_mxnet_lower_get_calibrated (self, range))
    {
      sym_op_mxnet_lower_store_sums (self, x, unit);
      return;
    }
  x = sym_op_lower_binary (self, "Mul", sym_op_lower_cast (self, x, SYM_DTYPE_FLOAT32), unit);
  if (sym_op_lower_get_bool (self, "enable_float_output", FALSE))
    sym_op_lower_set_output (self, 0, x);
  else
    sym_op_mxnet_lower_store (self, x, SYM_DTYPE_INT8, range);
}
