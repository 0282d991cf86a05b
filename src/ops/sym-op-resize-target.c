/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-resize-target.h"

#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"

static gboolean
set_size (SymOpResizeTarget *self,
          const SymShape *from,
          int axis,
          double scale,
          gboolean by_size,
          GError **error)
{
  double size =
      floor ((double) from->dims[axis] * scale * (self->roi_end[axis] - self->roi_start[axis]));

  if (!(scale > 0))
    return sym_kernel_fail (error, "the scale of axis %d must be above 0, not %g", axis, scale);
  self->scale[axis] = scale;
  if (by_size)
    return TRUE;
  if (!(size >= 0 && size < 0x1p62))
    return sym_kernel_fail (error, "axis %d cannot become %g elements", axis, size);
  self->to.dims[axis] = (gint64) size;
  return TRUE;
}

double
sym_op_resize_find_common_scale (const SymShape *from,
                                 const gint64 *sizes,
                                 const int *axes,
                                 int n,
                                 const char *policy)
{
  double common = 0;

  for (int i = 0; i < n; i++)
    {
      double scale = (double) sizes[i] / (double) from->dims[axes[i]];

      if (i == 0 || (g_str_equal (policy, "not_larger") ? scale < common : scale > common))
        common = scale;
    }
  return common;
}

static gboolean
apply_sizes (SymOpResizeTarget *self,
             const SymShape *from,
             const gint64 *sizes,
             const int *axes,
             int n,
             const char *policy,
             GError **error)
{
  gboolean keeps = !g_str_equal (policy, "stretch");
  double common = 0;

  for (int i = 0; i < n; i++)
    if (sizes[i] < 1 || sizes[i] > G_MAXINT32 || from->dims[axes[i]] < 1)
      return sym_kernel_fail (error,
                              "axis %d of %" G_GINT64_FORMAT " cannot become %" G_GINT64_FORMAT,
                              axes[i], from->dims[axes[i]], sizes[i]);
  if (keeps)
    common = sym_op_resize_find_common_scale (from, sizes, axes, n, policy);
  for (int i = 0; i < n; i++)
    {
      int axis = axes[i];
      double size = (double) from->dims[axis];

      self->to.dims[axis] = keeps ? (gint64) floor (common * size + 0.5) : sizes[i];
      if (!set_size (self, from, axis, keeps ? common : (double) sizes[i] / size, TRUE, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_op_resize_read_floats (SymKernel *kernel,
                           guint slot,
                           const double **values,
                           int *n,
                           GError **error)
{
  const SymArray *array = sym_kernel_get_input (kernel, slot);

  *n = 0;
  *values = NULL;
  if (array == NULL)
    return TRUE;
  if (!sym_dtype_is_floating (array->dtype) || array->shape.rank > 1 ||
      sym_array_get_n_elements (array) > 2 * SYM_MAX_RANK)
    return sym_kernel_fail (error, "operand %u must be a short list of floats", slot);
  *n = (int) sym_array_get_n_elements (array);
  *values = sym_op_read_as (kernel, array, SYM_DTYPE_FLOAT64, error);
  return *values != NULL;
}

static gboolean
list_axes (SymKernel *kernel, int rank, int *axes, int *n, GError **error)
{
  gint64 given[SYM_MAX_RANK];
  gboolean seen[SYM_MAX_RANK] = { FALSE };

  *n = sym_kernel_get_version (kernel) < 18
           ? -1
           : sym_kernel_get_ints (kernel, "axes", given, SYM_MAX_RANK);
  if (*n > rank)
    return sym_kernel_fail (error, "axes has %d numbers for %d axes", *n, rank);
  for (int i = 0; i < *n; i++)
    {
      if (!sym_op_find_axis (given[i], rank, &axes[i], error))
        return FALSE;
      if (seen[axes[i]])
        return sym_kernel_fail (error, "axes names axis %d twice", axes[i]);
      seen[axes[i]] = TRUE;
    }
  if (*n >= 0)
    return TRUE;
  *n = rank;
  for (int i = 0; i < rank; i++)
    axes[i] = i;
  return TRUE;
}

gboolean
sym_op_resize_apply_scales (SymOpResizeTarget *self,
                            const SymShape *from,
                            const double *scales,
                            int n_scales,
                            const int *axes,
                            int n,
                            GError **error)
{
  if (n_scales != n)
    return sym_kernel_fail (error, "there are %d scales for %d axes", n_scales, n);
  for (int i = 0; i < n; i++)
    if (!set_size (self, from, axes[i], scales[i], FALSE, error))
      return FALSE;
  return TRUE;
}

void
sym_op_resize_begin (SymOpResizeTarget *self, const SymShape *from)
{
  *self = (SymOpResizeTarget){ .to = *from };
  for (int i = 0; i < from->rank; i++)
    self->scale[i] = self->roi_end[i] = 1;
}

gboolean
sym_op_resize_read (SymKernel *kernel,
                    const SymShape *from,
                    gboolean crops,
                    SymOpResizeTarget *self,
                    GError **error)
{
  int axes[SYM_MAX_RANK], n, n_roi, n_scales, n_sizes;
  const double *roi, *scales;
  gint64 sizes[SYM_MAX_RANK];

  sym_op_resize_begin (self, from);
  if (!list_axes (kernel, from->rank, axes, &n, error) ||
      !sym_op_resize_read_floats (kernel, 1, &roi, &n_roi, error) ||
      !sym_op_resize_read_floats (kernel, 2, &scales, &n_scales, error) ||
      !sym_kernel_read_ints (kernel, 3, sizes, SYM_MAX_RANK, &n_sizes, error))
    return FALSE;
  if (crops && n_roi != 2 * n)
    return sym_kernel_fail (error, "roi has %d numbers for %d axes", n_roi, n);
  for (int i = 0; i < n && crops; i++)
    {
      self->roi_start[axes[i]] = roi[i];
      self->roi_end[axes[i]] = roi[n + i];
    }
  if (n_scales > 0)
    return sym_op_resize_apply_scales (self, from, scales, n_scales, axes, n, error);
  if (n_sizes != n)
    return sym_kernel_fail (error, "there are neither scales nor sizes for %d axes", n);
  return apply_sizes (self, from, sizes, axes, n,
                      sym_kernel_get_string (kernel, "keep_aspect_ratio_policy", "stretch"), error);
}
