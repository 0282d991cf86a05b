/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-step-bytes-private.h"
#include "run/sym-step-matrix-private.h"

/* Codes of rows: of numbers that have them as floats, by a scale that is told, or by the range of
 * all of x, which is looked for in a round before. */

/* About as long as so many operations of a product. */
#define OPERATIONS 12

typedef struct {
  SymStep step;
  guint x, y, zero;
  SymPlanBytes bytes;
  float low, high;
} Quantize;

gsize
sym_code_rows_get_n_floats (gsize rows, gsize inner)
{
  gsize n_bytes = sizeof (SymCodesHead) + (rows + 15) / 16 * 16 * sizeof (gint32) +
                  rows * sym_bytes_get_stride (inner);

  return (n_bytes + sizeof (float) - 1) / sizeof (float);
}

static gint32
sum_codes (const guint8 *codes, gsize n)
{
  gint32 sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += codes[i];
  return sum;
}

/* Rows from @first to before @end. */
static void
make_codes (const Quantize *self,
            const SymStepRun *run,
            float scale,
            float zero,
            gsize first,
            gsize end)
{
  gsize inner = self->bytes.inner, stride = sym_bytes_get_stride (inner);
  const float *x = run->places[self->x];
  guint8 *codes = sym_code_rows_get_codes (run->places[self->y], self->bytes.rows);
  gint32 *sums = sym_code_rows_get_sums (run->places[self->y]);
  gsize n = stride == inner ? end - first : 1;

  for (gsize i = first; i < end; i += n)
    {
      SymBytesCodes part = { x + i * inner, codes + i * stride, n * inner, scale,
                             zero,          self->low,          self->high };

      sym_bytes_quantize (&part);
      for (gsize j = inner; j < stride; j++)
        codes[i * stride + j] = 0;
    }
  for (gsize i = first; i < end && self->bytes.needs_sums; i++)
    sums[i] = sum_codes (codes + i * stride, inner);
}

/* As DynamicQuantizeLinear does it.  The scale of what is 0 everywhere divides nothing. */
static void
find_scale (SymCodesHead *head, guint n_slices, float *scale, float *zero)
{
  float least = 0, greatest = 0;

  for (guint i = 0; i < n_slices; i++)
    {
      least = MIN (least, head->ranges[2 * i]);
      greatest = MAX (greatest, head->ranges[2 * i + 1]);
    }
  *scale = (greatest - least) / 255;
  *zero = *scale > 0 ? nearbyintf (CLAMP (-least / *scale, 0, 255)) : 0;
}

static void
find_range (const Quantize *self, const SymStepRun *run, guint slice, gsize first, gsize end)
{
  SymCodesHead *head = sym_code_rows_get_head (run->places[self->y]);

  sym_bytes_find_range (run->places[self->x] + first * self->bytes.inner,
                        (end - first) * self->bytes.inner, &head->ranges[2 * slice],
                        &head->ranges[2 * slice + 1]);
}

static gboolean
run_quantize (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Quantize *self = (const Quantize *) step;
  SymCodesHead *head = sym_code_rows_get_head (run->places[self->y]);
  float scale = 1, zero = self->bytes.is_signed ? 128 : 0;
  float own_zero = self->zero == SYM_PLAN_NONE ? 0 : *run->places[self->zero];
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->bytes.rows, &first, &end);
  if (self->bytes.is_dynamic && (step->n_slices == 1 || run->round == 0))
    find_range (self, run, slice, first, end);
  if (self->bytes.is_dynamic && step->n_slices > 1 && run->round == 0)
    return TRUE;
  if (self->bytes.is_dynamic)
    {
      find_scale (head, step->n_slices, &scale, &own_zero);
      zero = own_zero;
    }
  if (self->bytes.makes_codes)
    make_codes (self, run, self->bytes.codes.scale, self->bytes.codes.zero, first, end);
  else
    make_codes (self, run, scale > 0 ? scale : 1, zero, first, end);
  if (slice == 0)
    {
      head->scale = scale;
      head->zero = (gint32) own_zero + (self->bytes.is_signed ? 128 : 0);
    }
  return TRUE;
}

static void
free_quantize (SymStep *step)
{
  g_free (step);
}

static const SymStepClass class = { .run = run_quantize, .free = free_quantize };

SymStep *
sym_quantize_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Quantize *self = g_new0 (Quantize, 1);

  self->x = op->x;
  self->y = op->y;
  self->zero = op->other;
  self->bytes = *op->bytes;
  self->low = self->bytes.makes_codes ? self->bytes.codes.low : 0;
  self->high = self->bytes.makes_codes ? self->bytes.codes.high : 255;
  self->step.class = &class;
  self->step.n_slices = sym_step_count_matrix_slices (graph, self->bytes.rows,
                                                      OPERATIONS * (double) self->bytes.inner);
  if (self->bytes.is_dynamic)
    self->step.n_slices = MIN (self->step.n_slices, SYM_CODES_MOST_SLICES);
  self->step.n_rounds = self->bytes.is_dynamic && self->step.n_slices > 1 ? 2 : 0;
  return &self->step;
}
