/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-regions.h"
#include "ops/sym-op-table.h"

/* What operators of regions have in common, and MaxRoiPool. */

gboolean
sym_op_regions_infer (SymRule *rule, int n_numbers, gint64 height, gint64 width, GError **error)
{
  SymShape x = sym_shape_new_unknown (4), y;
  SymShape rois = SYM_SHAPE (SYM_DIM_UNKNOWN, n_numbers);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_rule_set_input (rule, 0, &x, error) ||
      !sym_rule_set_input (rule, 1, &rois, error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  rois = sym_rule_get_input (rule, 1);
  y = SYM_SHAPE (rois.dims[0], x.dims[1], height, width);
  return sym_rule_set_output (rule, 0, &y, error);
}

double
sym_op_regions_round (const SymOpRegions *self, double number)
{
  return self->is_wide ? number : (double) (float) number;
}

gboolean
sym_op_regions_begin (SymOpRegions *self, SymKernel *kernel, gsize n_numbers, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *rois;
  SymShape to;

  self->kernel = kernel;
  if (x == NULL || (rois = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (x->shape.rank != 4 || rois->shape.rank != 2 || rois->shape.dims[1] != (gint64) n_numbers ||
      rois->dtype != x->dtype)
    {
      g_autofree char *left = sym_op_format_shape (&x->shape);
      g_autofree char *right = sym_op_format_shape (&rois->shape);

      return sym_kernel_fail (error, "regions %s%s do not fit X, %s%s",
                              sym_dtype_to_string (rois->dtype), right,
                              sym_dtype_to_string (x->dtype), left);
    }
  if (self->bins[0] < 0 || self->bins[1] < 0)
    return sym_kernel_fail (error, "there are no bins of a negative size");
  self->n_regions = (gsize) rois->shape.dims[0];
  self->n_numbers = n_numbers;
  self->n_examples = x->shape.dims[0];
  self->channels = (gsize) x->shape.dims[1];
  self->height = x->shape.dims[2];
  self->width = x->shape.dims[3];
  self->is_wide = x->dtype == SYM_DTYPE_FLOAT64;
  self->scale = sym_op_regions_round (self, sym_kernel_get_float (kernel, "spatial_scale", 1));
  to = SYM_SHAPE (rois->shape.dims[0], x->shape.dims[1], self->bins[0], self->bins[1]);
  self->y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (self->y == NULL)
    return FALSE;
  self->rois = sym_op_read_as (kernel, rois, SYM_DTYPE_FLOAT64, error);
  return self->rois != NULL;
}

gboolean
sym_op_regions_widen (SymOpRegions *self, GError **error)
{
  const SymArray *x = sym_kernel_get_input (self->kernel, 0);

  self->x = sym_op_read_as (self->kernel, x, SYM_DTYPE_FLOAT64, error);
  if (self->x == NULL)
    return FALSE;
  self->to = sym_op_place_as (self->kernel, self->y, SYM_DTYPE_FLOAT64, error);
  return self->to != NULL;
}

gsize
sym_op_regions_count (const SymOpRegions *self)
{
  return self->channels * (gsize) (self->height * self->width);
}

gboolean
sym_op_regions_check_example (const SymOpRegions *self, gint64 i, gsize region, GError **error)
{
  return (i >= 0 && i < self->n_examples) ||
         sym_kernel_fail (error,
                          "region %" G_GSIZE_FORMAT " lies in example %" G_GINT64_FORMAT
                          " of %" G_GINT64_FORMAT,
                          region, i, self->n_examples);
}

gboolean
sym_op_regions_check_corners (const double *corners, gsize region, GError **error)
{
  for (int i = 0; i < 4; i++)
    if (!isfinite (corners[i]) || fabs (corners[i]) > 0x1p31)
      return sym_kernel_fail (error, "region %" G_GSIZE_FORMAT " has a corner at %g", region,
                              corners[i]);
  return TRUE;
}

/* ---- MaxRoiPool ---- */

static const SymAttributeSpec pool_attributes[] = {
  { "pooled_shape", SYM_ATTRIBUTE_INTS, NULL, "bins in a column and in a row" },
  SYM_OP_REGIONS_SCALE,
  { NULL },
};

static const SymSlotSpec slots[] = { { "X" }, { "rois" }, { NULL } };

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  gint64 bins[2];
  int n = sym_rule_get_ints (rule, "pooled_shape", bins, 2);

  if (n != 2 || bins[0] < 0 || bins[1] < 0)
    return sym_rule_fail (error, "pooled_shape must be two sizes");
  return sym_op_regions_infer (rule, 5, bins[0], bins[1], error);
}

static double
as (const SymOpRegions *self, double number)
{
  return sym_op_regions_round (self, number);
}

/* The elements [@first, @behind) of bin @i along an axis of @size: whole elements, of which
 * neighbouring bins may share some. */
static void
find_bin (const SymOpRegions *self,
          double start,
          double end,
          gint64 n_bins,
          gint64 i,
          gint64 size,
          gint64 *first,
          gint64 *behind)
{
  double from = round (as (self, start * self->scale)), to = round (as (self, end * self->scale));
  double bin = as (self, MAX (to - from + 1, 1) / (double) n_bins);

  *first = (gint64) CLAMP (floor (as (self, (double) i * bin)) + from, 0, (double) size);
  *behind = (gint64) CLAMP (ceil (as (self, (double) (i + 1) * bin)) + from, 0, (double) size);
}

static gboolean
pool_bin (SymOpRegions *self,
          const double *x,
          const double *corners,
          gint64 row,
          gint64 column,
          double *to,
          gsize step,
          GError **error)
{
  gint64 top, bottom, left, right;

  find_bin (self, corners[1], corners[3], self->bins[0], row, self->height, &top, &bottom);
  find_bin (self, corners[0], corners[2], self->bins[1], column, self->width, &left, &right);
  for (gsize c = 0; c < self->channels; c++, x += self->height * self->width)
    {
      /* An empty bin gives 0. */
      double greatest = bottom <= top || right <= left ? 0 : -INFINITY;

      for (gint64 i = top; i < bottom; i++)
        for (gint64 j = left; j < right; j++)
          greatest = MAX (greatest, x[i * self->width + j]);
      to[c * step] = greatest;
      if (!sym_op_go_on (self->kernel, &self->asked,
                         (gsize) (MAX (bottom - top, 0) * MAX (right - left, 0) + 1), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
pool_region (SymOpRegions *self, gsize region, GError **error)
{
  const double *numbers = self->rois + region * 5;
  gint64 example = sym_op_truncate (numbers[0]);
  gsize step = (gsize) (self->bins[0] * self->bins[1]);
  double *to = self->to + region * self->channels * step;

  const double *x;

  if (!sym_op_regions_check_example (self, example, region, error) ||
      !sym_op_regions_check_corners (numbers + 1, region, error))
    return FALSE;
  x = self->x + (gsize) example * sym_op_regions_count (self);
  for (gint64 i = 0; i < self->bins[0]; i++)
    for (gint64 j = 0; j < self->bins[1]; j++)
      if (!pool_bin (self, x, numbers + 1, i, j, to++, step, error))
        return FALSE;
  return TRUE;
}

static gboolean
run_pool (SymKernel *kernel, GError **error)
{
  SymOpRegions self = { .kernel = kernel };

  if (sym_kernel_get_ints (kernel, "pooled_shape", self.bins, 2) != 2)
    return sym_kernel_fail (error, "pooled_shape must be two sizes");
  if (!sym_op_regions_begin (&self, kernel, 5, error) || !sym_op_regions_widen (&self, error))
    return FALSE;
  if (sym_array_get_n_elements (self.y) == 0)
    return TRUE;
  for (gsize i = 0; i < self.n_regions; i++)
    if (!pool_region (&self, i, error))
      return FALSE;
  sym_op_write_as (self.y, SYM_DTYPE_FLOAT64, self.to);
  return TRUE;
}

const SymOperator sym_op_onnx_regions[] = {
  { SYM_OP_ONNX ("MaxRoiPool", 1), .summary = "the greatest elements of regions",
    .category = SYM_CATEGORY_POOLING, .attributes = pool_attributes, .slots = slots,
    .infer = infer_pool, .run = run_pool, .half_as_float = TRUE },
  { 0 },
};
