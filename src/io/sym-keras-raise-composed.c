/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

/* Layers that Keras has none for, as several of its own. */

static SymId
two (SymRaise *self, gboolean is_last, const char *type, SymId a, SymId b)
{
  SymId operands[] = { a, b };

  return sym_keras_raise_operation (self, is_last, type, operands, 2, NULL);
}

static SymId
cast (SymRaise *self, gboolean is_last, SymId x, SymDType dtype)
{
  return sym_keras_raise_operation (self, is_last, "Cast", &x, 1, "dtype",
                                    sym_value_new_string (sym_dtype_to_string (dtype)), NULL);
}

/* ---- Neighbours ---- */

/* x / (bias + alpha * mean)^beta: the mean of squares of @size neighbouring channels, with zeros
 * around, is that of a window over an image whose rows are the channels. */
static SymId
put_mean (SymRaise *self, SymId x, gint64 size)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  const gint64 rows[] = { -1, 1, shape.dims[1], -1 }, pool[] = { size, 1 }, step[] = { 1, 1 };
  gint64 ends[] = { (size - 1) / 2, size / 2 }, none[] = { 0, 0 };
  SymValue *pads[] = { sym_value_new_ints (SYM_VALUE_LIST, ends, 2),
                       sym_value_new_ints (SYM_VALUE_LIST, none, 2) };

  x = sym_keras_raise_operation (self, FALSE, "Square", &x, 1, NULL);
  x = sym_keras_raise_reshape (self, FALSE, x, rows, 4, TRUE);
  x = sym_keras_raise_layer (self, FALSE, "ZeroPadding2D", x, "padding",
                             sym_value_new_list (pads, 2), "data_format", sym_keras_raise_first (),
                             NULL);
  x = sym_keras_raise_layer (
      self, FALSE, "AveragePooling2D", x, "pool_size", sym_value_new_ints (SYM_VALUE_LIST, pool, 2),
      "strides", sym_value_new_ints (SYM_VALUE_LIST, step, 2), "padding",
      sym_value_new_string ("valid"), "data_format", sym_keras_raise_first (), NULL);
  return sym_keras_raise_reshape (self, FALSE, x, shape.dims, shape.rank, TRUE);
}

static void
raise_local_norm (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 size = sym_raise_get_int (self, "size", 0);
  SymId x = sym_raise_operand (self, 0), y;
  gboolean is_known = shape.rank >= 3 && size > 0 && size <= G_MAXINT32;

  for (int i = 1; i < shape.rank; i++)
    is_known = is_known && shape.dims[i] > 0;
  if (!is_known)
    {
      sym_raise_fail (self, "the sizes of its data are not known");
      return;
    }
  y = put_mean (self, x, size);
  y = two (self, FALSE, "Multiply", y,
           sym_keras_raise_number (self, sym_raise_get_float (self, "alpha", 1e-4), FALSE));
  y = two (self, FALSE, "Add", y,
           sym_keras_raise_number (self, sym_raise_get_float (self, "bias", 1), FALSE));
  y = two (self, FALSE, "Power", y,
           sym_keras_raise_number (self, sym_raise_get_float (self, "beta", 0.75), FALSE));
  two (self, TRUE, "Divide", x, y);
}

/* ---- Fewer bits ---- */

/* Scales or zero points of operand @slot as floats that broadcast along @axis; SYM_NO_ID, and an
 * error, for what is not known. */
static SymId
take_scale (SymRaise *self, guint slot, gint64 axis)
{
  SymShape data = sym_raise_get_shape (self, 0), scales = sym_raise_get_shape (self, slot);
  SymShape shape = { .rank = 0 };
  gint64 n = scales.rank == 1 ? scales.dims[0] : scales.rank == 0 ? 1 : -1;
  g_autofree double *numbers = n < 1 || n > G_MAXINT16 ? NULL : g_new (double, n);

  if (numbers == NULL || !sym_keras_raise_get_numbers (self, slot, numbers, (guint) n))
    {
      sym_raise_fail (self, "its scales are not known beforehand");
      return SYM_NO_ID;
    }
  if (n > 1)
    {
      shape.rank = data.rank - (int) axis;
      for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i == 0 ? n : 1;
    }
  return sym_keras_raise_array (self, SYM_DTYPE_FLOAT32, &shape, numbers);
}

static gboolean
find_scale_axis (SymRaise *self, gint64 *axis)
{
  SymShape scales = sym_raise_get_shape (self, 1);

  *axis = 0;
  if (sym_raise_get_int (self, "block_size", 0) == 0 && scales.rank == 0)
    return TRUE;
  if (sym_raise_get_int (self, "block_size", 0) == 0)
    return sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 1), axis);
  sym_raise_fail (self, "its scales are those of blocks");
  return FALSE;
}

static void
raise_dequantize (SymRaise *self)
{
  SymDType dtype = sym_raise_get_dtype (self, 0);
  SymId x, scale;
  gint64 axis;

  if (!find_scale_axis (self, &axis))
    return;
  if (sym_dtype_get_bits (dtype) < 8 || sym_raise_get_result_dtype (self, 0) != SYM_DTYPE_FLOAT32)
    {
      sym_raise_fail (self, "Keras has no such dtype");
      return;
    }
  scale = take_scale (self, 1, axis);
  x = cast (self, FALSE, sym_raise_operand (self, 0), SYM_DTYPE_FLOAT32);
  if (sym_raise_has (self, 2))
    x = two (self, FALSE, "Subtract", x, take_scale (self, 2, axis));
  two (self, TRUE, "Multiply", x, scale);
}

static void
raise_quantize (SymRaise *self)
{
  SymDType dtype = sym_raise_get_result_dtype (self, 0);
  double bits = sym_dtype_get_bits (dtype);
  double most = dtype == SYM_DTYPE_INT8 ? 127 : dtype == SYM_DTYPE_UINT8 ? 255 : 0;
  double least = dtype == SYM_DTYPE_INT8 ? -128 : 0;
  SymId x, scale;
  gint64 axis;

  if (!find_scale_axis (self, &axis))
    return;
  if (bits != 8 || most == 0 || sym_raise_get_dtype (self, 0) != SYM_DTYPE_FLOAT32)
    {
      sym_raise_fail (self, "it makes no integers of 8 bits");
      return;
    }
  scale = take_scale (self, 1, axis);
  x = two (self, FALSE, "Divide", sym_raise_operand (self, 0), scale);
  x = sym_keras_raise_operation (self, FALSE, "Round", &x, 1, NULL);
  if (sym_raise_has (self, 2))
    x = two (self, FALSE, "Add", x, take_scale (self, 2, axis));
  x = sym_keras_raise_operation (self, FALSE, "Clip", &x, 1, "x_min", sym_value_new_float (least),
                                 "x_max", sym_value_new_float (most), NULL);
  cast (self, TRUE, x, dtype);
}

/* ---- Classes ---- */

#define MAX_CLASSES 65536

/* Places count from the end when they are below 0. */
static SymId
count_from_front (SymRaise *self, SymId x, double depth)
{
  gboolean is_whole = sym_dtype_is_integer (sym_raise_get_dtype (self, 0));
  SymId operands[3];

  operands[0] = two (self, FALSE, "Less", x, sym_keras_raise_number (self, 0, is_whole));
  operands[1] = two (self, FALSE, "Add", x, sym_keras_raise_number (self, depth, is_whole));
  operands[2] = x;
  return sym_keras_raise_operation (self, FALSE, "Where", operands, 3, NULL);
}

/* One of two numbers, where places are those of the classes along @axis. */
static void
put_classes (SymRaise *self, SymId x, gint64 depth, gint64 axis, const double *numbers)
{
  SymShape shape = { .rank = sym_raise_get_result_shape (self, 0).rank - (int) axis };
  SymDType dtype = sym_raise_get_dtype (self, 0), made = sym_raise_get_result_dtype (self, 0);
  SymShape one = { .rank = 1, .dims = { 1 } };
  g_autofree double *classes = g_new (double, depth);
  SymId operands[3];

  for (gint64 i = 0; i < depth; i++)
    classes[i] = (double) i;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = i == 0 ? depth : 1;
  x = sym_keras_raise_operation (self, FALSE, "ExpandDims", &x, 1, "axis", sym_value_new_int (axis),
                                 NULL);
  operands[0] = two (self, FALSE, "Equal", x, sym_keras_raise_array (self, dtype, &shape, classes));
  operands[1] = sym_keras_raise_array (self, made, &one, &numbers[1]);
  operands[2] = sym_keras_raise_array (self, made, &one, &numbers[0]);
  sym_keras_raise_operation (self, TRUE, "Where", operands, 3, NULL);
}

/* Keras' own takes no places below 0, and knows no numbers but 0 and 1. */
static void
raise_one_hot (SymRaise *self)
{
  int rank = sym_raise_get_result_shape (self, 0).rank;
  gint64 axis = sym_raise_get_int (self, "axis", -1);
  double depth = 0, numbers[2];

  axis += axis < 0 ? rank : 0;
  if (!sym_raise_get_number (self, NULL, 1, &depth) || depth < 1 || depth > MAX_CLASSES ||
      rank < 1 || axis < 0 || axis >= rank || !sym_keras_raise_get_numbers (self, 2, numbers, 2))
    sym_raise_fail (self, "its classes or numbers are not known beforehand");
  else
    put_classes (self, count_from_front (self, sym_raise_operand (self, 0), depth), (gint64) depth,
                 axis, numbers);
}

const SymRaiseRule sym_keras_raise_composed[] = {
  { "DequantizeLinear", 1, raise_dequantize },
  { "LRN", 1, raise_local_norm },
  { "OneHot", 1, raise_one_hot },
  { "QuantizeLinear", 1, raise_quantize },
  { NULL },
};
