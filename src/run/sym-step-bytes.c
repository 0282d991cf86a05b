/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-bytes-private.h"
#include "run/sym-step-matrix-private.h"

/* So much quicker than products of floats are they. */
#define GAIN 4

/* A few rows wait for the weights as long as so many would take. */
#define LEAST_ROWS 6

/* Bytes of a slice while weights are packed. */
#define PACKED_BYTES (64 << 10)

typedef struct {
  SymStep step;
  guint x, y, addend;
  gsize rows, inner, outer;
  gint8 *panels;
  gint32 *sums;         /* of columns, less their zero points */
  gint32 *zeros;        /* NULL where all are 0 */
  float *scales, *bias; /* of columns, padded; bias NULL where all are 0 */
  SymBytesResult result;
} Product;

/* ---- Making ---- */

typedef struct {
  Product *self;
  const SymPlanOp *op;
  guint n_slices;
} Packing;

static gsize
count_panels (gsize outer)
{
  return (outer + SYM_BYTES_PANEL - 1) / SYM_BYTES_PANEL;
}

/* Packs the columns of a few panels. */
static void
pack_slice (gpointer data, guint slice)
{
  const Packing *packing = data;
  const Product *self = packing->self;
  const SymPlanOp *op = packing->op;
  SymBytesMatrix matrix = { .row_stride = op->is_transposed ? 1 : (gssize) op->outer,
                            .column_stride = op->is_transposed ? (gssize) op->inner : 1,
                            .flip = op->bytes->has_signed ? 0 : 128,
                            .inner = op->inner };
  gsize first, end;

  sym_step_get_slice (slice, packing->n_slices, count_panels (op->outer), &first, &end);
  first *= SYM_BYTES_PANEL;
  matrix.from = op->bytes->weights + (gssize) first * matrix.column_stride;
  matrix.outer = MIN (end * SYM_BYTES_PANEL, op->outer) - first;
  sym_bytes_pack (&matrix, self->panels + first * sym_bytes_get_stride (op->inner),
                  self->sums + first);
}

static void
pack (Product *self, const SymPlanOp *op, const SymStepOptions *options)
{
  gsize n_bytes = sym_bytes_get_n (op->inner, op->outer), n_panels = count_panels (op->outer);
  Packing packing = { self, op, (guint) CLAMP (n_bytes / PACKED_BYTES, 1, MIN (n_panels, 10000)) };

  self->panels = (gint8 *) sym_memory_pool_take (options->pool,
                                                 (n_bytes + sizeof (float) - 1) / sizeof (float));
  sym_packer_run (options->packer, pack_slice, &packing, packing.n_slices, n_bytes);
  for (gsize i = 0; i < op->outer && self->zeros != NULL; i++)
    self->sums[i] -= (gint32) op->inner * self->zeros[i];
  self->step.n_bytes = n_bytes;
}

/* Numbers of all columns, and 0 up to the end of the last panel. */
static void *
new_row (const Product *self, gconstpointer numbers, gsize size)
{
  void *row = g_malloc0_n (count_panels (self->outer) * SYM_BYTES_PANEL, size);

  if (numbers != NULL)
    memcpy (row, numbers, self->outer * size);
  return row;
}

static void
free_product (SymStep *step)
{
  Product *self = (Product *) step;

  g_free (self->sums);
  g_free (self->zeros);
  g_free (self->scales);
  g_free (self->bias);
  g_free (self);
}

/* ---- Running ---- */

/* Slices are of whole panels. */
static gboolean
run_product (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Product *self = (const Product *) step;
  const float *addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend];
  float *place = run->places[self->x];
  const SymCodesHead *head = sym_code_rows_get_head (place);
  SymBytesProduct product = { .x = sym_code_rows_get_codes (place, self->rows),
                              .x_stride = sym_bytes_get_stride (self->inner),
                              .rows = self->rows,
                              .inner = self->inner,
                              .zero = head->zero,
                              .scale = head->scale,
                              .y_stride = self->outer,
                              .low = self->result.low,
                              .high = self->result.high,
                              .to_zero = self->result.zero };
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, count_panels (self->outer), &first, &end);
  first *= SYM_BYTES_PANEL;
  product.outer = MIN (end * SYM_BYTES_PANEL, self->outer) - first;
  product.panels = self->panels + first * product.x_stride;
  product.column_sums = self->sums + first;
  product.scales = self->scales + first;
  product.bias = self->bias == NULL ? NULL : self->bias + first;
  product.addend = addend == NULL ? NULL : addend + first;
  if (self->result.makes_codes)
    {
      product.codes = sym_code_rows_get_codes (run->places[self->y], self->rows) + first;
      product.y_stride = sym_bytes_get_stride (self->outer);
      if (slice == 0)
        sym_bytes_result_tell (&self->result, run->places[self->y]);
    }
  else
    product.y = run->places[self->y] + first;
  if (self->zeros != NULL)
    {
      product.weights_zeros = self->zeros + first;
      product.row_sums = sym_code_rows_get_sums (place);
    }
  sym_bytes_multiply (&product);
  return TRUE;
}

static const SymStepClass class = { .run = run_product, .free = free_product };

SymStep *
sym_byte_product_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Product *self = g_new0 (Product, 1);
  gsize n_panels = count_panels (op->outer);

  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->rows = op->bytes->rows;
  self->inner = op->inner;
  self->outer = op->outer;
  self->result = sym_bytes_result_find (op);
  self->sums = new_row (self, NULL, sizeof *self->sums);
  self->zeros =
      op->bytes->zeros == NULL ? NULL : new_row (self, op->bytes->zeros, sizeof *self->zeros);
  self->scales =
      sym_bytes_result_new_row (&self->result, op->scales, op->outer, n_panels * SYM_BYTES_PANEL);
  for (gsize i = 0; i < op->outer && self->bias == NULL; i++)
    if (op->bias[i] != 0)
      self->bias =
          sym_bytes_result_new_row (&self->result, op->bias, op->outer, n_panels * SYM_BYTES_PANEL);
  self->step.class = &class;
  self->step.n_slices = sym_step_count_matrix_slices (
      graph, n_panels,
      2.0 / GAIN * SYM_BYTES_PANEL * (double) MAX (self->rows, LEAST_ROWS) * (double) self->inner);
  pack (self, op, options);
  self->step.n_bytes += n_panels * SYM_BYTES_PANEL * (sizeof *self->sums + sizeof *self->scales);
  return &self->step;
}
