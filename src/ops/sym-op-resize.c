/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-resize.h"

#include <math.h>

double
sym_op_resize_find_place (const char *name, const SymOpResizeAxis *axis, gint64 i)
{
  double x = (double) i, size = axis->size, scale = axis->scale, length = size * scale;
  double start = axis->start, end = axis->end, length_int = axis->to;

  if (g_str_equal (name, "asymmetric"))
    return x / scale;
  if (g_str_equal (name, "align_corners"))
    return length == 1 ? 0 : x * (size - 1) / (length - 1);
  if (g_str_equal (name, "tf_half_pixel_for_nn"))
    return (x + 0.5) / scale;
  if (g_str_equal (name, "pytorch_half_pixel"))
    return length_int <= 1 ? 0 : (x + 0.5) / scale - 0.5;
  if (g_str_equal (name, "half_pixel_symmetric"))
    return size / 2 * (1 - length_int / length) + (x + 0.5) / scale - 0.5;
  if (g_str_equal (name, "tf_crop_and_resize"))
    return length_int > 1 ? start * (size - 1) + x * (end - start) * (size - 1) / (length_int - 1)
                          : 0.5 * (start + end) * (size - 1);
  return (x + 0.5) / scale - 0.5;
}

double
sym_op_resize_round (const char *mode, double x)
{
  if (g_str_equal (mode, "floor"))
    return floor (x);
  if (g_str_equal (mode, "ceil"))
    return ceil (x);
  if (g_str_equal (mode, "round_prefer_ceil"))
    return floor (x + 0.5);
  return ceil (x - 0.5);
}

double
sym_op_resize_weigh (gboolean is_cubic, double a, double x)
{
  x = fabs (x);
  if (!is_cubic)
    return x < 1 ? 1 - x : 0;
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}
