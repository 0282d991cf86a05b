/* SPDX-License-Identifier: MIT */
#include "io/sym-raise.h"

#include <string.h>

/* What frameworks ask of a Resize or Upsample of ONNX before they say it in their own way. */

gboolean
sym_raise_read_scales (SymRaise *self, int rank, double *scales)
{
  SymShape before = sym_raise_get_shape (self, 0), after = sym_raise_get_result_shape (self, 0);
  gboolean is_upsample = strcmp (sym_raise_get_type (self), "Upsample") == 0;
  guint slot = is_upsample || sym_raise_get_version (self) < 11 ? 1 : 2;
  const SymValue *given = sym_attributes_find (sym_raise_get_attributes (self), "scales");
  SymTensor *told = sym_raise_has (self, slot)
                        ? sym_raise_find_tensor (self, sym_raise_get_value (self, slot))
                        : NULL;
  float numbers[SYM_MAX_RANK] = { 0 };
  gboolean is_told = told != NULL && sym_tensor_get_dtype (told) == SYM_DTYPE_FLOAT32 &&
                     sym_tensor_get_n_bytes (told) == (gsize) rank * sizeof *numbers &&
                     sym_tensor_read (told, 0, (gsize) rank * sizeof *numbers, numbers, NULL);

  for (int i = 0; i < rank; i++)
    if (before.dims[i] > 0 && after.rank == rank && after.dims[i] > 0)
      scales[i] = (double) after.dims[i] / (double) before.dims[i];
    else if (given != NULL && sym_value_get_n_children (given) == (guint) rank)
      sym_value_get_float (sym_value_get_child (given, (guint) i), &scales[i]);
    else if (is_told)
      scales[i] = numbers[i];
    else
      return FALSE;
  return TRUE;
}

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

gboolean
sym_raise_has_half_pixels (SymRaise *self)
{
  return strcmp (sym_raise_get_type (self), "Upsample") != 0 &&
         sym_raise_get_version (self) >= 11 &&
         g_str_has_suffix (
             sym_raise_get_string (self, "coordinate_transformation_mode", "half_pixel"),
             "half_pixel") &&
         sym_raise_get_int (self, "antialias", 0) == 0;
}
