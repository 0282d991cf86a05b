/* SPDX-License-Identifier: MIT */
#include "io/sym-raise.h"

#include <math.h>
#include <string.h>

/* What frameworks ask of a Resize or Upsample of ONNX before they say it in their own way. */

/* ---- Scales ---- */

/* The axes that scales or sizes are of; all of them unless the layer names some. */
static int
list_axes (SymRaise *self, int rank, gint64 *axes)
{
  int n = sym_raise_get_version (self) < 18
              ? -1
              : sym_raise_get_ints (self, "axes", 0, axes, SYM_MAX_RANK);

  for (int i = 0; i < n; i++)
    if (!sym_raise_find_axis (self, axes[i], &axes[i]))
      return 0;
  for (int i = 0; i < rank && n < 0; i++)
    axes[i] = i;
  return n < 0 ? rank : n;
}

/* Those of Upsample before version 9. */
static int
read_attributes (SymRaise *self, float *told)
{
  const SymValue *given = sym_attributes_find (sym_raise_get_attributes (self), "scales");
  guint n = given == NULL ? 0 : sym_value_get_n_children (given);
  double number;

  if (sym_raise_get_version (self) < 7)
    {
      told[0] = told[1] = 1;
      told[2] = (float) sym_raise_get_float (self, "height_scale", 0);
      told[3] = (float) sym_raise_get_float (self, "width_scale", 0);
      return 4;
    }
  for (guint i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    {
      if (!sym_value_get_float (sym_value_get_child (given, i), &number))
        return -1;
      told[i] = (float) number;
    }
  return n == 0 || n > SYM_MAX_RANK ? -1 : (int) n;
}

/* How many scales the layer tells: 0 where it tells sizes, -1 where they are not known. */
static int
read_told (SymRaise *self, float *told)
{
  gboolean is_upsample = strcmp (sym_raise_get_type (self), "Upsample") == 0;
  guint slot = is_upsample || sym_raise_get_version (self) < 11 ? 1 : 2;
  SymShape shape = sym_raise_get_shape (self, slot);
  SymTensor *tensor;
  guint64 size;

  if (is_upsample && sym_raise_get_version (self) < 9)
    return read_attributes (self, told);
  if (!sym_raise_has (self, slot) || (shape.rank == 1 && shape.dims[0] == 0))
    return 0;
  tensor = sym_raise_find_tensor (self, sym_raise_get_value (self, slot));
  size = tensor == NULL ? 0 : sym_tensor_get_n_bytes (tensor);
  return tensor != NULL && sym_tensor_get_dtype (tensor) == SYM_DTYPE_FLOAT32 &&
                 size <= SYM_MAX_RANK * sizeof *told &&
                 sym_tensor_read (tensor, 0, size, told, NULL)
             ? (int) (size / sizeof *told)
             : -1;
}

/* How many times axis @i becomes larger, by its sizes; 0 when they are not known. */
static double
divide_sizes (SymRaise *self, int rank, gint64 i)
{
  SymShape before = sym_raise_get_shape (self, 0), after = sym_raise_get_result_shape (self, 0);

  return after.rank == rank && before.dims[i] > 0 && after.dims[i] > 0
             ? (double) after.dims[i] / (double) before.dims[i]
             : 0;
}

gboolean
sym_raise_read_scales (SymRaise *self, int rank, double *scales)
{
  gboolean keeps =
      strcmp (sym_raise_get_string (self, "keep_aspect_ratio_policy", "stretch"), "stretch") != 0;
  float told[SYM_MAX_RANK] = { 0 };
  gint64 axes[SYM_MAX_RANK];
  int n = list_axes (self, rank, axes), n_told = read_told (self, told);

  if (n_told != 0 && n_told != n)
    sym_raise_fail (self, "its scales are not known beforehand");
  for (int i = 0; i < rank; i++)
    scales[i] = 1;
  for (int k = 0; k < n && !sym_raise_has_failed (self); k++)
    {
      double ratio = divide_sizes (self, rank, axes[k]), scale = n_told > 0 ? told[k] : ratio;

      scales[axes[k]] = ratio > 0 ? ratio : scale;
      if (scale <= 0 || (ratio <= 0 && scale != floor (scale)))
        sym_raise_fail (self, "its sizes are not known beforehand");
      else if ((float) scales[axes[k]] != (float) scale ||
               (keeps && n_told == 0 && scales[axes[k]] != scales[axes[0]]))
        sym_raise_fail (self,
                        "its scales, by which pixels are placed, are not the ratios of its sizes");
    }
  return !sym_raise_has_failed (self);
}

/* ---- Places ---- */

gboolean
sym_raise_repeats (SymRaise *self, const gint64 *size, int n)
{
  const char *places = sym_raise_get_string (self, "coordinate_transformation_mode", "half_pixel");
  const char *rounding = sym_raise_get_string (self, "nearest_mode", "round_prefer_floor");
  gboolean is_two = TRUE;

  if (strcmp (sym_raise_get_type (self), "Upsample") == 0 || sym_raise_get_version (self) < 11)
    return TRUE;
  for (int i = 0; i < n; i++)
    is_two = is_two && size[i] <= 2;
  if (strcmp (places, "asymmetric") == 0)
    return strcmp (rounding, "floor") == 0 ||
           (is_two && strcmp (rounding, "round_prefer_floor") == 0);
  if (strcmp (places, "tf_half_pixel_for_nn") == 0)
    return strcmp (rounding, "floor") == 0;
  return g_str_has_suffix (places, "half_pixel") && g_str_has_prefix (rounding, "round_prefer");
}

/* One pixel is the first one by “pytorch_half_pixel”, and not that in the middle. */
static gboolean
takes_first (SymRaise *self, const char *places)
{
  SymShape before = sym_raise_get_shape (self, 0), after = sym_raise_get_result_shape (self, 0);
  gboolean is_one = FALSE;

  for (int i = 0; i < MIN (before.rank, after.rank); i++)
    is_one = is_one || (after.dims[i] == 1 && before.dims[i] != 1);
  return is_one && strcmp (places, "pytorch_half_pixel") == 0;
}

gboolean
sym_raise_has_half_pixels (SymRaise *self)
{
  const char *places = sym_raise_get_string (self, "coordinate_transformation_mode", "half_pixel");

  return strcmp (sym_raise_get_type (self), "Upsample") != 0 &&
         sym_raise_get_version (self) >= 11 && g_str_has_suffix (places, "half_pixel") &&
         !takes_first (self, places) && sym_raise_get_int (self, "antialias", 0) == 0;
}
