/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-bytes-private.h"

/* Convolutions of codes as products: each pixel of the result is a row of what its window sees, tap
 * after tap with the channels last, gathered a few rows at a time. */

/* Bytes of rows that are gathered at a time, and how many they are at least and at most. */
#define NEAR_BYTES (96 << 10)
#define LEAST_ROWS 24
#define MOST_ROWS 192

/* Bytes of a slice while weights are packed. */
#define PACKED_BYTES (64 << 10)

/* Products of bytes in a cycle. */
#define PRODUCTS 100.0

typedef struct {
  SymStep step;
  guint x, y;
  gsize inner, outer, groups; /* channels of all groups */
  gsize pixel;                /* bytes from one pixel of x to the next */
  gsize tap, row;             /* bytes of a tap, and of all taps, of one group */
  gsize n_panels;             /* of one group */
  SymPlanImages from, to;
  gint64 kernel[2], strides[2], dilations[2], pads[2];
  gboolean is_direct;    /* rows of codes are what windows see */
  gsize n_rows, n_parts; /* rows of one unit of work; parts of columns */
  gint8 *panels;
  gint32 *sums, *zeros;
  float *scales, *bias;
  SymBytesResult result;
} Convolution;

/* ---- Making ---- */

typedef struct {
  Convolution *self;
  const SymPlanOp *op;
  guint n_slices;
} Packing;

/* The filters from @first to before @end, as rows of bytes that lie as those of pixels do, 0 where
 * a pixel has no channel. */
static guint8 *
turn_filters (const Convolution *self, const SymPlanOp *op, gsize first, gsize end)
{
  gsize taps = (gsize) (self->kernel[0] * self->kernel[1]), n = self->inner / self->groups;
  guint8 *filters = g_malloc0 ((end - first) * self->row + 1),
         flip = op->bytes->has_signed ? 0 : 128;

  for (gsize i = first; i < end && taps == 1; i++)
    for (gsize c = 0; c < n; c++)
      filters[(i - first) * self->row + c] = op->bytes->weights[i * n + c] + flip;
  for (gsize i = first; i < end && taps > 1; i++)
    for (gsize c = 0; c < n; c++)
      for (gsize tap = 0; tap < taps; tap++)
        filters[(i - first) * self->row + tap * self->tap + c] =
            op->bytes->weights[(i * n + c) * taps + tap] + flip;
  return filters;
}

/* Slices are of panels, counted over all groups. */
static void
pack_slice (gpointer data, guint slice)
{
  const Packing *packing = data;
  const Convolution *self = packing->self;
  gsize n = self->outer / self->groups, first, end;

  sym_step_get_slice (slice, packing->n_slices, self->groups * self->n_panels, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      gsize group = i / self->n_panels, column = i % self->n_panels * SYM_BYTES_PANEL;
      gsize begin = group * n + column, n_columns = MIN (n - column, SYM_BYTES_PANEL);
      g_autofree guint8 *filters = turn_filters (self, packing->op, begin, begin + n_columns);
      SymBytesMatrix matrix = { filters, 1, (gssize) self->row, 0, self->row, n_columns };

      sym_bytes_pack (&matrix, self->panels + i * SYM_BYTES_PANEL * self->row,
                      self->sums + i * SYM_BYTES_PANEL);
    }
}

/* Numbers of all columns in the places of their panels. */
static void *
spread (const Convolution *self, gconstpointer numbers, gsize size)
{
  gsize n = self->outer / self->groups, n_padded = self->n_panels * SYM_BYTES_PANEL;
  char *row = g_malloc0_n (self->groups * n_padded, size);

  for (gsize i = 0; i < self->groups; i++)
    memcpy (row + i * n_padded * size, (const char *) numbers + i * n * size, n * size);
  return row;
}

static void
pack (Convolution *self, const SymPlanOp *op, const SymStepOptions *options)
{
  gsize n_all = self->groups * self->n_panels, n_bytes = n_all * SYM_BYTES_PANEL * self->row;
  gsize n_real = self->inner / self->groups * (gsize) (self->kernel[0] * self->kernel[1]);
  Packing packing = { self, op, (guint) CLAMP (n_bytes / PACKED_BYTES, 1, MIN (n_all, 10000)) };
  g_autofree float *scales =
      sym_bytes_result_new_row (&self->result, op->scales, op->outer, op->outer);
  g_autofree float *bias = sym_bytes_result_new_row (&self->result, op->bias, op->outer, op->outer);

  self->panels = (gint8 *) sym_memory_pool_take (options->pool,
                                                 (n_bytes + sizeof (float) - 1) / sizeof (float));
  self->sums = g_new0 (gint32, n_all * SYM_BYTES_PANEL);
  sym_packer_run (options->packer, pack_slice, &packing, packing.n_slices, n_bytes);
  self->zeros = op->bytes->zeros == NULL ? NULL : spread (self, op->bytes->zeros, sizeof (gint32));
  for (gsize i = 0; self->zeros != NULL && i < n_all * SYM_BYTES_PANEL; i++)
    self->sums[i] -= (gint32) n_real * self->zeros[i];
  self->scales = spread (self, scales, sizeof (float));
  self->bias = spread (self, bias, sizeof (float));
  self->step.n_bytes = n_bytes + n_all * SYM_BYTES_PANEL * (sizeof (gint32) + 2 * sizeof (float));
}

static void
free_convolution (SymStep *step)
{
  Convolution *self = (Convolution *) step;

  g_free (self->sums);
  g_free (self->zeros);
  g_free (self->scales);
  g_free (self->bias);
  g_free (self);
}

/* ---- Running ---- */

/* The taps of a line of the kernel for a window that begins at column @left of the line. */
static void
gather_line (const Convolution *self, const guint8 *line, gint64 left, guint8 zero, guint8 *to)
{
  gint64 width = (gint64) self->from.width;

  if (left >= 0 && self->dilations[1] == 1 && left + self->kernel[1] <= width &&
      self->tap == self->pixel)
    {
      memcpy (to, line + (gsize) left * self->pixel, (gsize) self->kernel[1] * self->pixel);
      return;
    }
  for (gint64 i = 0; i < self->kernel[1]; i++, to += self->tap)
    {
      gint64 column = left + i * self->dilations[1];

      if (column < 0 || column >= width)
        memset (to, zero, self->tap);
      else
        memcpy (to, line + (gsize) column * self->pixel, self->tap);
    }
}

/* What the window of pixel @i of the result sees of the channels of a group. */
static void
gather (const Convolution *self, const guint8 *codes, gsize i, guint8 zero, guint8 *to)
{
  gsize column = i % self->to.width, line = i / self->to.width % self->to.height;
  gsize image = i / self->to.width / self->to.height;
  gint64 top = (gint64) line * self->strides[0] - self->pads[0];
  gint64 left = (gint64) column * self->strides[1] - self->pads[1];
  gsize n = (gsize) self->kernel[1] * self->tap;

  for (gint64 k = 0; k < self->kernel[0]; k++, to += n)
    {
      gint64 y = top + k * self->dilations[0];

      if (y < 0 || y >= (gint64) self->from.height)
        memset (to, zero, n);
      else
        gather_line (
            self, codes + (image * self->from.height + (gsize) y) * self->from.width * self->pixel,
            left, zero, to);
    }
}

/* Sums of the codes of rows; those of channels that are not there do not count. */
static void
sum_rows (const Convolution *self, const guint8 *rows, gsize n, gint32 *sums)
{
  gsize n_channels = self->inner / self->groups;

  for (gsize i = 0; i < n; i++, rows += self->row)
    {
      sums[i] = 0;
      for (gsize tap = 0; tap < self->row; tap += self->tap)
        for (gsize c = 0; c < n_channels; c++)
          sums[i] += rows[tap + c];
    }
}

/* Where columns from @column on of group @group and pixel @first are in the result. */
static void
set_result (const Convolution *self,
            const SymStepRun *run,
            gsize first,
            gsize column,
            SymBytesProduct *product)
{
  float *place = run->places[self->y];

  product->low = self->result.low;
  product->high = self->result.high;
  product->to_zero = self->result.zero;
  if (self->result.makes_codes)
    {
      product->y_stride = sym_bytes_get_stride (self->outer);
      product->codes =
          sym_code_rows_get_codes (place, self->to.n * self->to.height * self->to.width) +
          first * product->y_stride + column;
      return;
    }
  product->y_stride = self->outer;
  product->y = place + first * self->outer + column;
}

/* Of pixels from @first on and a part of the columns of a group. */
static void
multiply (const Convolution *self,
          const SymStepRun *run,
          gsize first,
          gsize n,
          gsize group,
          gsize part)
{
  float *place = run->places[self->x];
  const SymCodesHead *head = sym_code_rows_get_head (place);
  const guint8 *codes =
      sym_code_rows_get_codes (place, self->from.n * self->from.height * self->from.width);
  gsize n_columns = self->outer / self->groups, begin, end, at;
  guint8 *rows = (guint8 *) run->scratch + MOST_ROWS * sizeof (gint32);
  SymBytesProduct product = { .x = rows,
                              .x_stride = self->row,
                              .rows = n,
                              .inner = self->row,
                              .zero = head->zero,
                              .scale = head->scale };

  if (self->is_direct)
    product.x = codes + first * self->pixel;
  else
    for (gsize i = 0; i < n; i++)
      gather (self, codes + group * self->tap, first + i, (guint8) head->zero,
              rows + i * self->row);
  sym_step_get_slice ((guint) part, (guint) self->n_parts, self->n_panels, &begin, &end);
  at = (group * self->n_panels + begin) * SYM_BYTES_PANEL;
  product.outer = MIN (end * SYM_BYTES_PANEL, n_columns) - begin * SYM_BYTES_PANEL;
  product.panels = self->panels + at * self->row;
  product.column_sums = self->sums + at;
  product.scales = self->scales + at;
  product.bias = self->bias + at;
  if (self->zeros != NULL)
    {
      sum_rows (self, product.x, n, run->scratch);
      product.row_sums = run->scratch;
      product.weights_zeros = self->zeros + at;
    }
  set_result (self, run, first, group * n_columns + begin * SYM_BYTES_PANEL, &product);
  sym_bytes_multiply (&product);
}

static gsize
count_units (const Convolution *self)
{
  gsize n = self->to.n * self->to.height * self->to.width;

  return (n + self->n_rows - 1) / self->n_rows * self->n_parts;
}

static gboolean
run_convolution (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Convolution *self = (const Convolution *) step;
  gsize n = self->to.n * self->to.height * self->to.width, begin, end;

  if (slice == 0 && self->result.makes_codes)
    sym_bytes_result_tell (&self->result, run->places[self->y]);
  sym_step_get_slice (slice, step->n_slices, count_units (self), &begin, &end);
  for (gsize unit = begin; unit < end; unit++)
    {
      gsize first = unit / self->n_parts * self->n_rows;

      for (gsize group = 0; group < self->groups; group++)
        multiply (self, run, first, MIN (self->n_rows, n - first), group, unit % self->n_parts);
    }
  return TRUE;
}

static const SymStepClass class = { .run = run_convolution, .free = free_convolution };

/* So many rows that they stay near, and where these are few for all threads, parts of columns. */
static void
find_units (Convolution *self, const SymStepOptions *options)
{
  gsize n = self->to.n * self->to.height * self->to.width, n_blocks;
  gsize most = CLAMP (NEAR_BYTES / self->row, LEAST_ROWS, MOST_ROWS);

  n_blocks = (n + most - 1) / most;
  self->n_rows = (n + n_blocks - 1) / n_blocks;
  self->n_parts = 1;
  if (options->n_threads > 1 && n_blocks < 2 * options->n_threads)
    self->n_parts = MIN (self->n_panels, (2 * options->n_threads + n_blocks - 1) / n_blocks);
}

SymStep *
sym_byte_convolution_new (const SymPlanGraph *graph,
                          const SymPlanOp *op,
                          const SymStepOptions *options)
{
  Convolution *self = g_new0 (Convolution, 1);
  gboolean is_still = op->groups == 1;

  (void) graph;
  self->x = op->x;
  self->y = op->y;
  self->inner = op->inner;
  self->outer = op->outer;
  self->groups = (gsize) op->groups;
  self->from = op->from;
  self->to = op->to;
  for (int i = 0; i < 2; i++)
    {
      self->kernel[i] = op->kernel[i];
      self->strides[i] = op->strides[i];
      self->dilations[i] = op->dilations[i];
      self->pads[i] = op->pads[i];
      is_still = is_still && op->kernel[i] == 1 && op->strides[i] == 1 && op->pads[i] == 0 &&
                 op->pads[i + 2] == 0;
    }
  self->is_direct = is_still;
  self->pixel = sym_bytes_get_stride (self->inner);
  self->tap = sym_bytes_get_stride (self->inner / self->groups);
  self->row = (gsize) (self->kernel[0] * self->kernel[1]) * self->tap;
  self->n_panels = (self->outer / self->groups + SYM_BYTES_PANEL - 1) / SYM_BYTES_PANEL;
  self->result = sym_bytes_result_find (op);
  pack (self, op, options);
  find_units (self, options);
  self->step.class = &class;
  self->step.n_scratch =
      MOST_ROWS * sizeof (gint32) + (self->is_direct ? 0 : self->n_rows * self->row);
  self->step.n_slices =
      sym_step_count_slices (options,
                             (double) (self->to.n * self->to.height * self->to.width) *
                                 (double) self->row * (double) self->outer / PRODUCTS,
                             count_units (self));
  return &self->step;
}
