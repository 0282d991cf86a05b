/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-regions.h"
#include "ops/sym-op-table.h"

/* RoiAlign: of each bin of a region the mean, or the greatest, of samples between elements. */

#define BINS                                                                                \
  { "mode", SYM_ATTRIBUTE_STRING, "avg", "what comes of the samples of a bin", "avg max" }, \
      { "output_height", SYM_ATTRIBUTE_INT, "1", "bins in a column" },                      \
      { "output_width", SYM_ATTRIBUTE_INT, "1", "bins in a row" },                          \
  {                                                                                         \
    "sampling_ratio", SYM_ATTRIBUTE_INT, "0",                                               \
        "samples along each axis of a bin; 0 for one in each element"                       \
  }

static const SymAttributeSpec align_attributes_10[] = { BINS, SYM_OP_REGIONS_SCALE, { NULL } };
static const SymAttributeSpec align_attributes_16[] = {
  { "coordinate_transformation_mode", SYM_ATTRIBUTE_STRING, "half_pixel",
    "whether regions are moved by half an element", "half_pixel output_half_pixel" },
  BINS,
  SYM_OP_REGIONS_SCALE,
  { NULL },
};

static const SymSlotSpec slots[] = { { "X" }, { "rois" }, { "batch_indices" }, { NULL } };

static gboolean
infer_align (SymRule *rule, GError **error)
{
  SymShape rois, indices = sym_shape_new_unknown (1);
  gint64 height = sym_rule_get_int (rule, "output_height", 1);
  gint64 width = sym_rule_get_int (rule, "output_width", 1);

  if (height < 0 || width < 0)
    return sym_rule_fail (error, "there are no bins of a negative size");
  if (!sym_op_regions_infer (rule, 4, height, width, error) ||
      !sym_rule_set_input (rule, 2, &indices, error))
    return FALSE;
  rois = sym_rule_get_input (rule, 1);
  indices = sym_rule_get_input (rule, 2);
  return sym_rule_unify (rule, rois.dims[0], indices.dims[0], "regions and indices", error);
}

/* A sample is a blend of the four elements around it: of two rows and two columns, which are found
 * once for all samples of a region. */
typedef struct {
  gsize at[2]; /* row or column */
  double weight[2];
  gboolean is_outside;
} Place;

/* Where a region begins, and the size of its bins and their samples, along one axis. */
typedef struct {
  double start, bin;
  gint64 n_samples;
} Span;

typedef struct {
  SymOpRegions regions;
  gboolean is_shifted, is_max;
  gint64 ratio;
  double *wide;   /* [N, H, W, C]: all channels of an element are looked at together; of float64 */
  float *narrow;  /* the same of float32 */
  double *bin;    /* [C] of the bin that is made, of float64 */
  float *bins;    /* [bins, C] of the region that is made, of float32 */
  Place *columns; /* of all samples of a row of its bins, unless these are too many; likewise */
} Align;

/* The sample at @place of an axis of @size. */
static Place
find_place (double place, gint64 size)
{
  double at = MAX (place, 0), rest;
  gint64 low, high;

  if (!(place >= -1 && place <= (double) size))
    return (Place){ .is_outside = TRUE };
  low = MIN ((gint64) at, size - 1);
  high = MIN (low + 1, size - 1);
  rest = low == size - 1 ? 0 : at - (double) low;
  return (Place){ { (gsize) low, (gsize) high }, { 1 - rest, rest }, FALSE };
}

/* Sample @i of bin @bin. */
static Place
find_sample (const Span *span, gint64 bin, gint64 i, gint64 size)
{
  return find_place (span->start + (double) bin * span->bin +
                         ((double) i + 0.5) * span->bin / (double) span->n_samples,
                     size);
}

static double
as (const SymOpRegions *self, double number)
{
  return sym_op_regions_round (self, number);
}

static Span
find_span (const Align *self, double start, double end, gint64 n_bins)
{
  const SymOpRegions *regions = &self->regions;
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

/* Pixels and channels that are turned around together. */
#define TILE ((gsize) 16)

#define TURN(name, type)                                                               \
  SYM_OP_CLONES static void name (const type *from, gsize n_pixels, type *restrict to, \
                                  gsize n_channels, gsize rows, gsize n)               \
  {                                                                                    \
    if (rows == TILE && n == TILE)                                                     \
      for (gsize i = 0; i < TILE; i++)                                                 \
        for (gsize j = 0; j < TILE; j++)                                               \
          to[i * n_channels + j] = from[j * n_pixels + i];                             \
    else                                                                               \
      for (gsize i = 0; i < n; i++)                                                    \
        for (gsize j = 0; j < rows; j++)                                               \
          to[i * n_channels + j] = from[j * n_pixels + i];                             \
  }

TURN (turn_wide, double)
TURN (turn_narrow, float)

static gboolean
put_channels_last (Align *self, GError **error)
{
  SymOpRegions *regions = &self->regions;
  const SymArray *given = sym_kernel_get_input (regions->kernel, 0);
  gsize plane = (gsize) (regions->height * regions->width), n = regions->channels;

  for (gsize example = 0; example < (gsize) regions->n_examples; example++)
    for (gsize i = 0; i < plane; i += TILE)
      {
        for (gsize c = 0; c < n; c += TILE)
          {
            gsize from = (example * n + c) * plane + i, to = (example * plane + i) * n + c;

            if (self->narrow != NULL)
              turn_narrow ((const float *) given->data + from, plane, self->narrow + to, n,
                           MIN (n - c, TILE), MIN (plane - i, TILE));
            else
              turn_wide (regions->x + from, plane, self->wide + to, n, MIN (n - c, TILE),
                         MIN (plane - i, TILE));
          }
        if (!sym_op_go_on (regions->kernel, &regions->asked, n * TILE, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- Of float64, and the greatest ---- */

/* The four elements around a sample, and what each weighs. */
typedef struct {
  gsize at[4];
  double weight[4];
} Sample;

static Sample
join (const SymOpRegions *self, const Place *row, const Place *column)
{
  Sample sample = { { 0 }, { 0 } };

  /* Samples outside count as 0. */
  for (int k = 0; k < 4 && !row->is_outside && !column->is_outside; k++)
    {
      sample.at[k] = row->at[k / 2] * (gsize) self->width + column->at[k % 2];
      sample.weight[k] = row->weight[k / 2] * column->weight[k % 2];
    }
  return sample;
}

static void
add_sum (const double *const x[4], const double weight[4], double *restrict to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    to[i] += weight[0] * x[0][i] + weight[1] * x[1][i] + weight[2] * x[2][i] + weight[3] * x[3][i];
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

static gboolean
align_wide_bin (Align *self,
                const double *x,
                const Span spans[2],
                gint64 row,
                gint64 column,
                double *to,
                gsize step,
                GError **error)
{
  SymOpRegions *regions = &self->regions;
  gboolean is_first = TRUE;
  gint64 n_y = spans[0].n_samples, n_x = spans[1].n_samples;

  memset (self->bin, 0, regions->channels * sizeof *self->bin);
  for (gint64 i = 0; i < n_y; i++)
    for (gint64 j = 0; j < n_x; j++, is_first = FALSE)
      {
        Place y = find_sample (&spans[0], row, i, regions->height);
        Place at = find_sample (&spans[1], column, j, regions->width);
        Sample sample = join (regions, &y, &at);

        if (!sym_op_go_on (regions->kernel, &regions->asked, regions->channels * 8, error))
          return FALSE;
        if (self->is_max || (!y.is_outside && !at.is_outside))
          add_sample (self, x, &sample, is_first);
      }
  for (gsize c = 0; c < regions->channels; c++)
    to[c * step] =
        self->is_max ? self->bin[c] : self->bin[c] / MAX ((double) n_y * (double) n_x, 1);
  return TRUE;
}

static gboolean
align_wide (Align *self, gsize region, gint64 example, const Span spans[2], GError **error)
{
  SymOpRegions *regions = &self->regions;
  const double *x = self->wide + (gsize) example * sym_op_regions_count (regions);
  gsize step = (gsize) (regions->bins[0] * regions->bins[1]);
  double *to = regions->to + region * regions->channels * step;

  for (gint64 i = 0; i < regions->bins[0]; i++)
    for (gint64 j = 0; j < regions->bins[1]; j++)
      if (!align_wide_bin (self, x, spans, i, j, to++, step, error))
        return FALSE;
  return TRUE;
}

/* ---- Means of float32 ---- */

/* Samples of a row whose places are found once. */
#define MOST_PLACES 512

static gboolean
has_places (const Align *self, const Span *span)
{
  return (double) self->regions.bins[1] * (double) span->n_samples <= MOST_PLACES;
}

static void
find_columns (Align *self, const Span *span)
{
  if (!has_places (self, span))
    return;
  for (gint64 i = 0; i < self->regions.bins[1]; i++)
    for (gint64 j = 0; j < span->n_samples; j++)
      self->columns[i * span->n_samples + j] = find_sample (span, i, j, self->regions.width);
}

static Place
get_column (const Align *self, const Span *span, gint64 bin, gint64 i)
{
  return has_places (self, span) ? self->columns[bin * span->n_samples + i]
                                 : find_sample (span, bin, i, self->regions.width);
}

/* Elements whose weighted sum is taken in one go. */
#define MOST_TERMS 64

typedef struct {
  const float *x[MOST_TERMS];
  float weights[MOST_TERMS];
  guint n;
} Terms;

#define LANES ((gsize) 32)

SYM_OP_CLONES static void
add_terms (const Terms *self, float *restrict to, gsize n)
{
  gsize i = 0;

  for (; i + LANES <= n; i += LANES)
    {
      float sums[LANES];

      for (gsize j = 0; j < LANES; j++)
        sums[j] = to[i + j];
      for (guint k = 0; k < self->n; k++)
        {
          const float *x = self->x[k] + i;
          float weight = self->weights[k];

          for (gsize j = 0; j < LANES; j++)
            sums[j] += weight * x[j];
        }
      for (gsize j = 0; j < LANES; j++)
        to[i + j] = sums[j];
    }
  for (; i < n; i++)
    for (guint k = 0; k < self->n; k++)
      to[i] += self->weights[k] * self->x[k][i];
}

static gboolean
flush (Align *self, Terms *terms, float *to, GError **error)
{
  SymOpRegions *regions = &self->regions;
  gboolean goes_on = sym_op_go_on (regions->kernel, &regions->asked,
                                   regions->channels * (terms->n + 1) / 8 + 1, error);

  add_terms (terms, to, regions->channels);
  terms->n = 0;
  return goes_on;
}

static gboolean
align_narrow_bin (Align *self,
                  const float *x,
                  const Span spans[2],
                  gint64 row,
                  gint64 column,
                  float *to,
                  GError **error)
{
  const SymOpRegions *regions = &self->regions;
  Terms terms = { .n = 0 };

  memset (to, 0, regions->channels * sizeof *to);
  for (gint64 i = 0; i < spans[0].n_samples; i++)
    {
      Place y = find_sample (&spans[0], row, i, regions->height);

      for (gint64 j = 0; j < spans[1].n_samples; j++)
        {
          Place at = get_column (self, &spans[1], column, j);
          gboolean is_there = !y.is_outside && !at.is_outside;

          for (int k = 0; k < 4 && is_there; k++)
            {
              terms.x[terms.n] =
                  x + (y.at[k / 2] * (gsize) regions->width + at.at[k % 2]) * regions->channels;
              terms.weights[terms.n++] = (float) (y.weight[k / 2] * at.weight[k % 2]);
            }
          if (terms.n + 4 > MOST_TERMS && !flush (self, &terms, to, error))
            return FALSE;
        }
    }
  return flush (self, &terms, to, error);
}

/* From [bins, channels] to [channels, bins]. */
static void
leave_bins (const Align *self, float *to, gsize n, float count)
{
  const SymOpRegions *regions = &self->regions;
  gsize channels = regions->channels;

  for (gsize c = 0; c < channels; c += TILE)
    for (gsize i = 0; i < n; i += TILE)
      turn_narrow (self->bins + i * channels + c, channels, to + c * n + i, n, MIN (n - i, TILE),
                   MIN (channels - c, TILE));
  for (gsize i = 0; i < channels * n; i++)
    to[i] /= count;
}

static gboolean
align_narrow (Align *self, gsize region, gint64 example, const Span spans[2], GError **error)
{
  SymOpRegions *regions = &self->regions;
  const float *x = self->narrow + (gsize) example * sym_op_regions_count (regions);
  gsize n = (gsize) (regions->bins[0] * regions->bins[1]);
  double count = (double) spans[0].n_samples * (double) spans[1].n_samples;
  float *bin = self->bins;

  find_columns (self, &spans[1]);
  for (gint64 i = 0; i < regions->bins[0]; i++)
    for (gint64 j = 0; j < regions->bins[1]; j++, bin += regions->channels)
      if (!align_narrow_bin (self, x, spans, i, j, bin, error))
        return FALSE;
  leave_bins (self, (float *) regions->y->data + region * regions->channels * n, n,
              (float) MAX (count, 1));
  return TRUE;
}

/* ---- Both ---- */

static gboolean
align_region (Align *self, gsize region, gint64 example, GError **error)
{
  const SymOpRegions *regions = &self->regions;
  const double *corners = regions->rois + region * 4;
  Span spans[2];

  if (!sym_op_regions_check_example (regions, example, region, error) ||
      !sym_op_regions_check_corners (corners, region, error))
    return FALSE;
  spans[0] = find_span (self, corners[1], corners[3], regions->bins[0]);
  spans[1] = find_span (self, corners[0], corners[2], regions->bins[1]);
  return self->narrow != NULL ? align_narrow (self, region, example, spans, error)
                              : align_wide (self, region, example, spans, error);
}

static gboolean
read_align (Align *self, SymKernel *kernel, GError **error)
{
  const char *mode = sym_kernel_get_string (kernel, "mode", "avg");
  const char *shift = sym_kernel_get_string (
      kernel, "coordinate_transformation_mode",
      sym_kernel_get_version (kernel) < 16 ? "output_half_pixel" : "half_pixel");

  self->is_max = g_str_equal (mode, "max");
  if (!self->is_max && !g_str_equal (mode, "avg"))
    return sym_kernel_fail (error, "there is no mode \"%s\"", mode);
  self->is_shifted = g_str_equal (shift, "half_pixel");
  if (!self->is_shifted && !g_str_equal (shift, "output_half_pixel"))
    return sym_kernel_fail (error, "there is no coordinate_transformation_mode \"%s\"", shift);
  self->ratio = sym_kernel_get_int (kernel, "sampling_ratio", 0);
  self->regions.bins[0] = sym_kernel_get_int (kernel, "output_height", 1);
  self->regions.bins[1] = sym_kernel_get_int (kernel, "output_width", 1);
  return sym_op_regions_begin (&self->regions, kernel, 4, error);
}

/* Room for what is worked with; there is at least one element of each. */
static gboolean
make_room (Align *self, GError **error)
{
  SymOpRegions *regions = &self->regions;
  gsize size = (gsize) regions->n_examples * sym_op_regions_count (regions);

  if (!regions->is_wide && !self->is_max)
    {
      gsize n = sym_array_get_n_elements (regions->y) / regions->n_regions;

      self->narrow = sym_kernel_get_scratch (regions->kernel, MAX (size, 1), sizeof (float), error);
      if (self->narrow == NULL)
        return FALSE;
      self->bins = sym_kernel_get_scratch (regions->kernel, n, sizeof (float), error);
      if (self->bins == NULL)
        return FALSE;
      self->columns = sym_kernel_get_scratch (regions->kernel, MOST_PLACES, sizeof (Place), error);
      return self->columns != NULL;
    }
  if (!sym_op_regions_widen (regions, error))
    return FALSE;
  self->wide = sym_kernel_get_scratch (regions->kernel, MAX (size, 1), sizeof (double), error);
  if (self->wide == NULL)
    return FALSE;
  self->bin = sym_kernel_get_scratch (regions->kernel, regions->channels, sizeof (double), error);
  return self->bin != NULL;
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
  if (!make_room (&self, error) || !put_channels_last (&self, error))
    return FALSE;
  for (gsize i = 0; i < self.regions.n_regions; i++)
    if (!align_region (&self, i, examples[i], error))
      return FALSE;
  if (self.narrow == NULL)
    sym_op_write_as (self.regions.y, SYM_DTYPE_FLOAT64, self.regions.to);
  return TRUE;
}

#define ENTRY(version_, attributes_)                                                         \
  {                                                                                          \
    SYM_OP_ONNX ("RoiAlign", version_),                                                      \
        .summary = "samples of regions, between elements", .category = SYM_CATEGORY_POOLING, \
        .attributes = attributes_, .slots = slots, .infer = infer_align, .run = run_align,   \
        .half_as_float = TRUE                                                                \
  }

const SymOperator sym_op_onnx_align[] = {
  ENTRY (10, align_attributes_10),
  ENTRY (16, align_attributes_16),
  { 0 },
};
