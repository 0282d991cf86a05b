/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-step-bytes-private.h"
#include "run/sym-step-matrix-private.h"

/* What else is done with codes: they become floats, or those of a sum. */

/* About as long as so many operations of a product. */
#define OPERATIONS 6

SymBytesResult
sym_bytes_result_find (const SymPlanOp *op)
{
  const SymPlanCodes *codes = &op->bytes->codes;
  SymBounds bounds = sym_step_get_bounds (op);
  SymBytesResult self = { op->bytes->makes_codes, -INFINITY, INFINITY, 1, 0 };

  if (bounds.is_bounded)
    {
      self.low = bounds.low;
      self.high = bounds.high;
    }
  if (!self.makes_codes)
    return self;
  self.low = MAX (nearbyintf (self.low / codes->scale), codes->low - codes->zero);
  self.high =
      MAX (MIN (nearbyintf (self.high / codes->scale), codes->high - codes->zero), self.low);
  self.factor = 1 / codes->scale;
  self.zero = (gint32) codes->zero;
  return self;
}

float *
sym_bytes_result_new_row (const SymBytesResult *self, const float *numbers, gsize n, gsize n_padded)
{
  float *row = g_new0 (float, n_padded + 1);

  for (gsize i = 0; i < n; i++)
    row[i] = numbers[i] * self->factor;
  return row;
}

void
sym_bytes_result_tell (const SymBytesResult *self, float *place)
{
  SymCodesHead *head = sym_code_rows_get_head (place);

  head->scale = 1;
  head->zero = self->zero;
}

typedef struct {
  SymStep step;
  guint x, other, y;
  SymPlanBytes bytes;
} Codes;

static gboolean
run_expand (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Codes *self = (const Codes *) step;
  gsize inner = self->bytes.inner, stride = sym_bytes_get_stride (inner), first, end, n;
  const guint8 *codes = sym_code_rows_get_codes (run->places[self->x], self->bytes.rows);
  gint32 zero = self->bytes.is_signed ? 128 : 0;

  sym_step_get_slice (slice, step->n_slices, self->bytes.rows, &first, &end);
  n = stride == inner ? end - first : 1;
  for (gsize i = first; i < end; i += n)
    sym_bytes_expand (codes + i * stride, run->places[self->y] + i * inner, n * inner, zero);
  return TRUE;
}

static gboolean
run_sum (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Codes *self = (const Codes *) step;
  const SymPlanCodes *codes = &self->bytes.codes;
  gsize rows = self->bytes.rows, stride = sym_bytes_get_stride (self->bytes.inner), first, end;
  SymBytesSum sum = { .factors = { self->bytes.factors[0], self->bytes.factors[1] },
                      .term = self->bytes.term,
                      .zero = codes->zero,
                      .low = codes->low,
                      .high = codes->high };
  SymBytesResult result = { .zero = (gint32) codes->zero };

  sym_step_get_slice (slice, step->n_slices, rows, &first, &end);
  sum.a = sym_code_rows_get_codes (run->places[self->x], rows) + first * stride;
  sum.b = sym_code_rows_get_codes (run->places[self->other], rows) + first * stride;
  sum.codes = sym_code_rows_get_codes (run->places[self->y], rows) + first * stride;
  sum.n = (end - first) * stride;
  sym_bytes_add (&sum);
  if (slice == 0)
    sym_bytes_result_tell (&result, run->places[self->y]);
  return TRUE;
}

static void
free_codes (SymStep *step)
{
  g_free (step);
}

static const SymStepClass expand_class = { .run = run_expand, .free = free_codes };
static const SymStepClass sum_class = { .run = run_sum, .free = free_codes };

static SymStep *
new_codes (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepClass *class)
{
  Codes *self = g_new0 (Codes, 1);

  self->x = op->x;
  self->other = op->other;
  self->y = op->y;
  self->bytes = *op->bytes;
  self->step.class = class;
  self->step.n_slices = sym_step_count_matrix_slices (graph, self->bytes.rows,
                                                      OPERATIONS * (double) self->bytes.inner);
  return &self->step;
}

SymStep *
sym_expand_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  return new_codes (graph, op, &expand_class);
}

SymStep *
sym_code_sum_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  return new_codes (graph, op, &sum_class);
}
