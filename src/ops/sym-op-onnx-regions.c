/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* RoiAlign and MaxRoiPool: regions of pictures, each divided into as many bins, of which one number
 * comes. */

#define SCALE                                                                          \
  {                                                                                    \
    "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "size of X divided by that of the "   \
                                                 "picture that the regions lie in"     \
  }
#define BINS                                                                           \
  {                                                                                    \
    "mode", SYM_ATTRIBUTE_STRING, "avg", "what comes of the samples of a bin", "avg max" \
  },                                                                                   \
      { "output_height", SYM_ATTRIBUTE_INT, "1", "bins in a column" },                 \
      { "output_width", SYM_ATTRIBUTE_INT, "1", "bins in a row" },                     \
      { "sampling_ratio", SYM_ATTRIBUTE_INT, "0",                                      \
        "samples along each axis of a bin; 0 for one in each element" }

static const SymAttributeSpec align_attributes_10[] = { BINS, SCALE, { NULL } };
static const SymAttributeSpec align_attributes_16[] = {
  { "coordinate_transformation_mode", SYM_ATTRIBUTE_STRING, "half_pixel",
    "whether regions are moved by half an element", "half_pixel output_half_pixel" },
  BINS,
  SCALE,
  { NULL },
};
static const SymAttributeSpec pool_attributes[] = {
  { "pooled_shape", SYM_ATTRIBUTE_INTS, NULL, "bins in a column and in a row" },
  SCALE,
  { NULL },
};

static const SymSlotSpec align_slots[] = { { "X" }, { "rois" }, { "batch_indices" }, { NULL } };
static const SymSlotSpec pool_slots[] = { { "X" }, { "rois" }, { NULL } };

/* ---- Rules ---- */

/* X [N, C, H, W], rois [n, @n_numbers]: Y [n, C, @height, @width]. */
static gboolean
infer_regions (SymRule *rule, int n_numbers, gint64 height, gint64 width, GError **error)
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

static gboolean
infer_align (SymRule *rule, GError **error)
{
  SymShape rois, indices = sym_shape_new_unknown (1);
  gint64 height = sym_rule_get_int (rule, "output_height", 1);
  gint64 width = sym_rule_get_int (rule, "output_width", 1);

  if (height < 0 || width < 0)
    return sym_rule_fail (error, "there are no bins of a negative size");
  if (!infer_regions (rule, 4, height, width, error) ||
      !sym_rule_set_input (rule, 2, &indices, error))
    return FALSE;
  rois = sym_rule_get_input (rule, 1);
  indices = sym_rule_get_input (rule, 2);
  return sym_rule_unify (rule, rois.dims[0], indices.dims[0], "regions and indices", error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  gint64 bins[2];
  int n = sym_rule_get_ints (rule, "pooled_shape", bins, 2);

  if (n != 2 || bins[0] < 0 || bins[1] < 0)
    return sym_rule_fail (error, "pooled_shape must be two sizes");
  return infer_regions (rule, 5, bins[0], bins[1], error);
}

/* ---- What both have ---- */

typedef struct {
  SymKernel *kernel;
  const double *x, *rois;
  SymArray *y;
  double *to; /* the numbers of y */
  gsize n_regions, n_numbers, channels;
  gint64 n_examples, height, width; /* of X */
  gint64 bins[2];                   /* in a column, in a row */
  double scale;
  gboolean is_wide;                 /* float64 */
  gsize asked;
} Regions;

/* The edges of bins are found in float32 unless X is of float64, as elsewhere: where they lie
 * between elements hangs on the last bit. */
static double
as (const Regions *self, double number)
{
  return self->is_wide ? number : (double) (float) number;
}

static gboolean
begin (Regions *self, SymKernel *kernel, gsize n_numbers, GError **error)
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
  self->scale = as (self, sym_kernel_get_float (kernel, "spatial_scale", 1));
  to = SYM_SHAPE (rois->shape.dims[0], x->shape.dims[1], self->bins[0], self->bins[1]);
  self->y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (self->y == NULL)
    return FALSE;
  self->x = sym_op_read_as (kernel, x, SYM_DTYPE_FLOAT64, error);
  if (self->x == NULL)
    return FALSE;
  self->rois = sym_op_read_as (kernel, rois, SYM_DTYPE_FLOAT64, error);
  if (self->rois == NULL)
    return FALSE;
  self->to = sym_op_place_as (kernel, self->y, SYM_DTYPE_FLOAT64, error);
  return self->to != NULL;
}

/* Where the numbers of example @i begin in @x. */
static const double *
find_example (const Regions *self, const double *x, gint64 i, gsize region, GError **error)
{
  if (i >= 0 && i < self->n_examples)
    return x + (gsize) i * self->channels * (gsize) (self->height * self->width);
  sym_kernel_fail (error,
                   "region %" G_GSIZE_FORMAT " lies in example %" G_GINT64_FORMAT
                   " of %" G_GINT64_FORMAT,
                   region, i, self->n_examples);
  return NULL;
}

static gboolean
check_finite (const double *corners, gsize region, GError **error)
{
  for (int i = 0; i < 4; i++)
    if (!isfinite (corners[i]) || fabs (corners[i]) > 0x1p31)
      return sym_kernel_fail (error, "region %" G_GSIZE_FORMAT " has a corner at %g", region,
                              corners[i]);
  return TRUE;
}

/* ---- RoiAlign ---- */

typedef struct {
  Regions regions;
  gboolean is_shifted, is_max;
  gint64 ratio;
  double *x;   /* [N, H, W, C]: all channels of an element are looked at together */
  double *bin; /* [C] of the bin that is made */
} Align;

/* Pixels and channels that are turned around together. */
#define TILE ((gsize) 16)

static void
turn_tile (const double *from, gsize n_pixels, double *to, gsize n_channels, gsize rows, gsize n)
{
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < rows; j++)
      to[i * n_channels + j] = from[j * n_pixels + i];
}

static gboolean
put_channels_last (Align *self, GError **error)
{
  Regions *regions = &self->regions;
  gsize plane = (gsize) (regions->height * regions->width), n = regions->channels;
  gsize size = (gsize) regions->n_examples * plane * n;

  self->x = sym_kernel_get_scratch (regions->kernel, MAX (size, 1), sizeof (double), error);
  if (self->x == NULL)
    return FALSE;
  self->bin = sym_kernel_get_scratch (regions->kernel, MAX (n, 1), sizeof (double), error);
  if (self->bin == NULL)
    return FALSE;
  for (gsize example = 0; example < (gsize) regions->n_examples; example++)
    for (gsize i = 0; i < plane; i += TILE)
      {
        for (gsize c = 0; c < n; c += TILE)
          turn_tile (regions->x + (example * n + c) * plane + i, plane,
                     self->x + (example * plane + i) * n + c, n, MIN (n - c, TILE),
                     MIN (plane - i, TILE));
        if (!sym_op_go_on (regions->kernel, &regions->asked, n * TILE, error))
          return FALSE;
      }
  return TRUE;
}

/* The four elements around a sample, and what each weighs. */
typedef struct {
  gsize at[4];
  double weight[4];
} Sample;

/* FALSE for a sample that lies outside. */
static gboolean
find_sample (const Regions *self, double y, double x, Sample *sample)
{
  const double place[2] = { y, x };
  const gint64 size[2] = { self->height, self->width };
  gint64 low[2], high[2];
  double rest[2];

  for (int i = 0; i < 2; i++)
    {
      double at = MAX (place[i], 0);

      if (!(place[i] >= -1 && place[i] <= (double) size[i]))
        return FALSE;
      low[i] = MIN ((gint64) at, size[i] - 1);
      high[i] = MIN (low[i] + 1, size[i] - 1);
      rest[i] = low[i] == size[i] - 1 ? 0 : at - (double) low[i];
    }
  for (int k = 0; k < 4; k++)
    {
      gint64 row = k < 2 ? low[0] : high[0], column = k % 2 == 0 ? low[1] : high[1];

      sample->at[k] = (gsize) (row * self->width + column);
      sample->weight[k] =
          (k < 2 ? 1 - rest[0] : rest[0]) * (k % 2 == 0 ? 1 - rest[1] : rest[1]);
    }
  return TRUE;
}

SYM_OP_CLONES static void
add_sum (const double *const x[4], const double weight[4], double *restrict to, gsize n)
{
  const double *a = x[0], *b = x[1], *c = x[2], *d = x[3];
  gsize i = 0;

  /* So many at a time are turned into vector instructions. */
  for (; i + 8 <= n; i += 8)
    for (int j = 0; j < 8; j++)
      to[i + (gsize) j] += weight[0] * a[i + (gsize) j] + weight[1] * b[i + (gsize) j] +
                           weight[2] * c[i + (gsize) j] + weight[3] * d[i + (gsize) j];
  for (; i < n; i++)
    to[i] += weight[0] * a[i] + weight[1] * b[i] + weight[2] * c[i] + weight[3] * d[i];
}

/* With "max" ONNX's definition does not sum the four weighted elements, but takes the greatest of
 * them. */
static void
add_greatest (const double *const x[4],
              const double weight[4],
              gboolean is_first,
              double *to,
              gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double greatest = weight[0] * x[0][i];

      for (int k = 1; k < 4; k++)
        greatest = MAX (greatest, weight[k] * x[k][i]);
      if (is_first || greatest > to[i])
        to[i] = greatest;
    }
}

/* Adds a sample to what a bin has of each channel. */
static void
add_sample (const Align *self, const double *x, const Sample *sample, gboolean is_first)
{
  gsize n = self->regions.channels;
  const double *at[4];

  for (int k = 0; k < 4; k++)
    at[k] = x + sample->at[k] * n;
  if (self->is_max)
    add_greatest (at, sample->weight, is_first, self->bin, n);
  else
    add_sum (at, sample->weight, self->bin, n);
}

/* Samples outside count as 0. */
static const Sample outside = { { 0 }, { 0 } };

/* Where a region begins, and the size of its bins and their samples, along one axis. */
typedef struct {
  double start, bin;
  gint64 n_samples;
} Span;

static Span
find_span (const Align *self, double start, double end, gint64 n_bins)
{
  const Regions *regions = &self->regions;
  double shift = self->is_shifted ? 0.5 : 0, size;
  Span span = { .start = as (regions, as (regions, start * regions->scale) - shift) };

  size = as (regions, as (regions, as (regions, end * regions->scale) - shift) - span.start);
  /* Without the shift a region is at least one element wide. */
  if (!self->is_shifted)
    size = MAX (size, 1);
  span.bin = as (regions, size / (double) n_bins);
  span.n_samples = self->ratio > 0 ? self->ratio : (gint64) ceil (span.bin);
  return span;
}

static gboolean
align_bin (Align *self, const double *x, const Span spans[2], gint64 row, gint64 column,
           double *to, gsize step, GError **error)
{
  const Regions *regions = &self->regions;
  gboolean is_first = TRUE;
  gint64 n_y = spans[0].n_samples, n_x = spans[1].n_samples;

  memset (self->bin, 0, regions->channels * sizeof *self->bin);
  for (gint64 i = 0; i < n_y; i++)
    for (gint64 j = 0; j < n_x; j++, is_first = FALSE)
      {
        Sample sample = outside;
        double y = spans[0].start + (double) row * spans[0].bin +
                   ((double) i + 0.5) * spans[0].bin / (double) n_y;
        double at = spans[1].start + (double) column * spans[1].bin +
                    ((double) j + 0.5) * spans[1].bin / (double) n_x;

        if (!sym_op_go_on (regions->kernel, &self->regions.asked, regions->channels * 8, error))
          return FALSE;
        if (find_sample (regions, y, at, &sample) || self->is_max)
          add_sample (self, x, &sample, is_first);
      }
  for (gsize c = 0; c < regions->channels; c++)
    to[c * step] =
        self->is_max ? self->bin[c] : self->bin[c] / MAX ((double) n_y * (double) n_x, 1);
  return TRUE;
}

static gboolean
align_region (Align *self, gsize region, gint64 example, GError **error)
{
  Regions *regions = &self->regions;
  const double *corners = regions->rois + region * 4;
  const double *x = find_example (regions, self->x, example, region, error);
  gsize step = (gsize) (regions->bins[0] * regions->bins[1]);
  double *to = regions->to + region * regions->channels * step;
  Span spans[2];

  if (x == NULL || !check_finite (corners, region, error))
    return FALSE;
  spans[0] = find_span (self, corners[1], corners[3], regions->bins[0]);
  spans[1] = find_span (self, corners[0], corners[2], regions->bins[1]);
  for (gint64 i = 0; i < regions->bins[0]; i++)
    for (gint64 j = 0; j < regions->bins[1]; j++)
      if (!align_bin (self, x, spans, i, j, to++, step, error))
        return FALSE;
  return TRUE;
}

static gboolean
read_align (Align *self, SymKernel *kernel, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "mode", "avg");
  const char *shift =
      sym_kernel_get_string (kernel, "coordinate_transformation_mode",
                             sym_kernel_get_version (kernel) < 16 ? "output_half_pixel"
                                                                  : "half_pixel");

  self->is_max = g_str_equal (mode, "max");
  if (!self->is_max && !g_str_equal (mode, "avg"))
    return sym_kernel_fail (error, "there is no mode \"%s\"", mode);
  self->is_shifted = g_str_equal (shift, "half_pixel");
  if (!self->is_shifted && !g_str_equal (shift, "output_half_pixel"))
    return sym_kernel_fail (error, "there is no coordinate_transformation_mode \"%s\"", shift);
  self->ratio = sym_kernel_get_int (kernel, "sampling_ratio", 0);
  self->regions.bins[0] = sym_kernel_get_int (kernel, "output_height", 1);
  self->regions.bins[1] = sym_kernel_get_int (kernel, "output_width", 1);
  return begin (&self->regions, kernel, 4, error);
}

static gboolean
run_align (SymKernel *kernel, GError **error)
{
  const SymArray *indices = sym_kernel_need_input (kernel, 2, error);
  Align self = { .is_max = FALSE };
  const gint64 *examples;

  if (indices == NULL || !read_align (&self, kernel, error))
    return FALSE;
  if (!sym_dtype_is_integer (indices->dtype) || indices->shape.rank != 1 ||
      indices->shape.dims[0] != (gint64) self.regions.n_regions)
    return sym_kernel_fail (error,
                            "there must be one index for each of %" G_GSIZE_FORMAT " regions",
                            self.regions.n_regions);
  examples = sym_op_read_as (kernel, indices, SYM_DTYPE_INT64, error);
  if (examples == NULL)
    return FALSE;
  if (sym_array_get_n_elements (self.regions.y) == 0)
    return TRUE;
  if (self.regions.height == 0 || self.regions.width == 0)
    return sym_kernel_fail (error, "there are no elements to read");
  if (!put_channels_last (&self, error))
    return FALSE;
  for (gsize i = 0; i < self.regions.n_regions; i++)
    if (!align_region (&self, i, examples[i], error))
      return FALSE;
  sym_op_write_as (self.regions.y, SYM_DTYPE_FLOAT64, self.regions.to);
  return TRUE;
}

/* ---- MaxRoiPool ---- */

/* The elements [@first, @behind) of bin @i along an axis of @size: whole elements, of which
 * neighbouring bins may share some. */
static void
find_bin (const Regions *self, double start, double end, gint64 n_bins, gint64 i, gint64 size,
          gint64 *first, gint64 *behind)
{
  double from = round (as (self, start * self->scale)), to = round (as (self, end * self->scale));
  double bin = as (self, MAX (to - from + 1, 1) / (double) n_bins);

  *first = (gint64) CLAMP (floor (as (self, (double) i * bin)) + from, 0, (double) size);
  *behind = (gint64) CLAMP (ceil (as (self, (double) (i + 1) * bin)) + from, 0, (double) size);
}

static gboolean
pool_bin (Regions *self, const double *x, const double *corners, gint64 row, gint64 column,
          double *to, gsize step, GError **error)
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
pool_region (Regions *self, gsize region, GError **error)
{
  const double *numbers = self->rois + region * 5, *x;
  gsize step = (gsize) (self->bins[0] * self->bins[1]);
  double *to = self->to + region * self->channels * step;

  x = find_example (self, self->x, sym_op_truncate (numbers[0]), region, error);
  if (x == NULL || !check_finite (numbers + 1, region, error))
    return FALSE;
  for (gint64 i = 0; i < self->bins[0]; i++)
    for (gint64 j = 0; j < self->bins[1]; j++)
      if (!pool_bin (self, x, numbers + 1, i, j, to++, step, error))
        return FALSE;
  return TRUE;
}

static gboolean
run_pool (SymKernel *kernel, GError **error)
{
  Regions self = { .kernel = kernel };

  if (sym_kernel_get_ints (kernel, "pooled_shape", self.bins, 2) != 2)
    return sym_kernel_fail (error, "pooled_shape must be two sizes");
  if (!begin (&self, kernel, 5, error))
    return FALSE;
  if (sym_array_get_n_elements (self.y) == 0)
    return TRUE;
  for (gsize i = 0; i < self.n_regions; i++)
    if (!pool_region (&self, i, error))
      return FALSE;
  sym_op_write_as (self.y, SYM_DTYPE_FLOAT64, self.to);
  return TRUE;
}

#define ENTRY(name_, version_, summary_, attributes_, slots_, infer_, run_)                      \
  {                                                                                              \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_POOLING,        \
                                   .attributes = attributes_, .slots = slots_, .infer = infer_,  \
                                   .run = run_, .half_as_float = TRUE                            \
  }

const SymOperator sym_op_onnx_regions[] = {
  ENTRY ("RoiAlign", 10, "samples of regions, between elements", align_attributes_10, align_slots,
         infer_align, run_align),
  ENTRY ("RoiAlign", 16, "samples of regions, between elements", align_attributes_16, align_slots,
         infer_align, run_align),
  ENTRY ("MaxRoiPool", 1, "the greatest elements of regions", pool_attributes, pool_slots,
         infer_pool, run_pool),
  { 0 },
};
