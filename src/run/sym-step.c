/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-step-private.h"

/* Handing a slice over takes about 1 microsecond; what takes less than a few is not worth it.  Long
 * steps have so many that a run can be stopped between them. */
#define SMALL_SLICE 8e3
#define LARGE_SLICE 2e7
#define SLICES_OF_THREAD 4

/* From so many small ones on all threads have as many. */
#define WORTH_SHARING 1.5

guint
sym_step_count_slices (const SymStepOptions *options, double n_cycles, gsize max)
{
  double most = n_cycles / SMALL_SLICE, least = n_cycles / LARGE_SLICE;
  double n =
      options->n_threads > 1 ? MIN (most, (double) options->n_threads * SLICES_OF_THREAD) : 1;

  n = MAX (n, least);
  if (options->n_threads > 1 && n >= WORTH_SHARING)
    n = ceil (n / options->n_threads) * options->n_threads;
  return (guint) CLAMP (MIN (n, (double) max), 1, 1e6);
}

void
sym_step_get_slice (guint slice, guint n_slices, gsize n, gsize *first, gsize *end)
{
  *first = n / n_slices * slice + n % n_slices * slice / n_slices;
  *end = n / n_slices * (slice + 1) + n % n_slices * (slice + 1) / n_slices;
}

SymBounds
sym_step_get_bounds (const SymPlanOp *op)
{
  if (op->activation == SYM_PLAN_LINEAR || op->activation == SYM_PLAN_FUNCTION)
    return (SymBounds){ FALSE, 0, 0 };
  if (op->activation == SYM_PLAN_RELU)
    return (SymBounds){ TRUE, 0, INFINITY };
  return (SymBounds){ TRUE, op->p, op->q };
}

SymStep *
sym_step_new_image (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  if (op->kind == SYM_PLAN_CONVOLUTION && sym_pointwise_fits (op))
    return sym_pointwise_new (graph, op, options);
  if (op->kind == SYM_PLAN_CONVOLUTION && sym_winograd_is_better (graph, op, options))
    return sym_winograd_new (graph, op, options);
  if (op->kind == SYM_PLAN_CONVOLUTION && !sym_plan_op_is_depthwise (op))
    return sym_convolution_new (graph, op, options);
  return sym_window_new (graph, op, options);
}

SymActivation
sym_step_get_activation (const SymPlanOp *op)
{
  if (op->activation != SYM_PLAN_FUNCTION)
    return (SymActivation){ NULL, 0, 0 };
  return (SymActivation){ op->function, op->p, op->q };
}

void
sym_step_activate (const SymActivation *self, float *y, gsize n)
{
  gsize rest = n % SYM_VECTOR_UNIT;
  float last[SYM_VECTOR_UNIT] = { 0 };

  if (self->function == NULL)
    return;
  self->function (y, y, NULL, n - rest, self->p, self->q);
  if (rest == 0)
    return;
  memcpy (last, y + n - rest, rest * sizeof *y);
  self->function (last, last, NULL, SYM_VECTOR_UNIT, self->p, self->q);
  memcpy (y + n - rest, last, rest * sizeof *y);
}

static guint
find_most_vectors (const SymProcessor *processor)
{
  guint most = SYM_TILE_VECTORS;

  while (processor->n_rows[most] == 0)
    most--;
  return most;
}

GArray *
sym_step_new_blocks (const SymProcessor *processor, gsize n)
{
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (SymBlock));
  gsize most = find_most_vectors (processor), width = processor->width;
  gsize n_vectors = (n + width - 1) / width, n_blocks = (n_vectors + most - 1) / most;

  for (gsize i = 0; i < n_blocks; i++)
    {
      /* The larger ones first. */
      gsize end = n_vectors - (n_blocks - 1 - i) * n_vectors / n_blocks;
      gsize begin = n_vectors - (n_blocks - i) * n_vectors / n_blocks;
      SymBlock block = { begin * width, MIN (end * width, n) - begin * width, (guint) (end - begin),
                         processor->n_rows[end - begin] };

      g_array_append_val (blocks, block);
    }
  return blocks;
}
