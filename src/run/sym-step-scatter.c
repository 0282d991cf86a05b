/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-span-private.h"

/* Transposed convolutions to so few channels that these alone would fill but a part of a vector: of
 * each element of a line of x all taps along the line are computed together, summed over the taps
 * of the other axes, and then laid over the line of the result.  Long lines are cut into segments,
 * which compute again what reaches over their ends. */

typedef struct {
  SymStep step;
  const SymProcessor *processor;
  guint x, y, addend;
  gsize n_images, inner, outer;
  SymPlanAxis axes[SYM_PLAN_AXES];
  gsize n_columns;        /* taps along the line times channels of the result */
  GArray *blocks;         /* of SymBlock: columns */
  float *weights, *zeros; /* of each block after the other; instead of a bias */
  float *bias;
  gsize n_segment, n_segments; /* elements of the result, and how many segments a line has */
  SymBounds bounds;
} Scatter;

/* A part of a line of the result. */
typedef struct {
  SymSpan a, b;      /* the taps of the other two axes */
  gint64 begin, end; /* elements of the result */
  gint64 from, n;    /* those of x that reach them */
} Segment;

/* ---- Running ---- */

static gint64
divide_up (gint64 n, gint64 by)
{
  return n <= 0 ? 0 : (n + by - 1) / by;
}

static Segment
find_segment (const Scatter *self, gsize line, gsize i)
{
  const SymPlanAxis *axis = &self->axes[2];
  gint64 rows = self->axes[1].to, reach = (axis->kernel - 1) * axis->dilation, last;
  Segment segment = {
    .a = sym_step_find_transposed (&self->axes[0], (gint64) line / rows),
    .b = sym_step_find_transposed (&self->axes[1], (gint64) line % rows),
    .begin = (gint64) (i * self->n_segment),
    .end = MIN ((gint64) ((i + 1) * self->n_segment), axis->to),
  };

  segment.from = divide_up (segment.begin + axis->before - reach, axis->stride);
  last = MIN (axis->from - 1, (segment.end - 1 + axis->before) / axis->stride);
  segment.n = MAX (last - segment.from + 1, 0);
  return segment;
}

/* Of all taps of the other axes where they are in x, and their weights. */
static guint
find_pieces (const Scatter *self, const Segment *segment, SymPiece *pieces)
{
  const SymSpan *a = &segment->a, *b = &segment->b;
  gint64 height = self->axes[1].from, width = self->axes[2].from;
  guint n = 0;

  for (gint64 i = 0; i < a->n_taps; i++)
    for (gint64 j = 0; j < b->n_taps; j++)
      {
        gint64 line = i * a->x_tap_step * height + j * b->x_tap_step;
        gint64 tap = (a->tap + i * a->tap_step) * self->axes[1].kernel + b->tap + j * b->tap_step;

        pieces[n++] = (SymPiece){ (gsize) (line * width) * self->inner, (gsize) tap * self->inner };
      }
  return n;
}

/* What each element of x makes of each tap along the line: [elements, taps, channels]. */
static void
multiply (const Scatter *self, const Segment *segment, SymTile *tile, const float *x)
{
  gsize n = (gsize) segment->n;
  const float *weights = self->weights;
  gsize depth = (gsize) (self->axes[0].kernel * self->axes[1].kernel) * self->inner;

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const SymBlock *block = &g_array_index (self->blocks, SymBlock, i);

      tile->n = block->n;
      tile->weights = weights;
      for (gsize first = 0; first < n; first += block->n_rows)
        {
          gsize rows = MIN (block->n_rows, n - first);

          for (gsize r = 0; r < rows; r++)
            {
              tile->rows[r] = x + (first + r) * self->inner;
              tile->places[r] = (first + r) * self->n_columns + block->first;
            }
          self->processor->multiply[block->n_vectors][rows](tile);
        }
      weights += depth * block->n_vectors * self->processor->width;
    }
}

/* Lays what element @i of x makes over the line; taps lie one after the other where they are not
 * dilated. */
static void
lay (const Scatter *self, const Segment *segment, const float *made, gint64 i, float *line)
{
  const SymPlanAxis *axis = &self->axes[2];
  gint64 place = i * axis->stride - axis->before;

  for (gint64 tap = 0; tap < axis->kernel; tap++)
    {
      gint64 to = place + tap * axis->dilation;

      if (to >= segment->begin && to < segment->end)
        for (gsize c = 0; c < self->outer; c++)
          line[(gsize) to * self->outer + c] += made[(gsize) tap * self->outer + c];
    }
}

/* Bias and addend, which may be where the result is. */
static void
begin_line (const Scatter *self, const Segment *segment, const float *addend, float *line)
{
  for (gsize i = (gsize) segment->begin; i < (gsize) segment->end; i++)
    for (gsize c = 0; c < self->outer; c++)
      line[i * self->outer + c] =
          self->bias[c] + (addend == NULL ? 0 : addend[i * self->outer + c]);
}

/* What is not a number stays so. */
static void
bound_line (const Scatter *self, const Segment *segment, float *line)
{
  float low = self->bounds.low, high = self->bounds.high;

  for (gsize i = (gsize) segment->begin * self->outer; i < (gsize) segment->end * self->outer; i++)
    {
      float number = line[i] < low ? low : line[i];

      line[i] = number > high ? high : number;
    }
}

static void
run_segment (const Scatter *self, const SymStepRun *run, gsize image, gsize line, gsize i)
{
  const SymPlanAxis *axes = self->axes;
  Segment segment = find_segment (self, line, i);
  gsize n_lines = (gsize) (axes[0].to * axes[1].to);
  gsize place = (image * n_lines + line) * (gsize) axes[2].to * self->outer;
  gsize from = (image * (gsize) axes[0].from + (gsize) segment.a.from) * (gsize) axes[1].from +
               (gsize) segment.b.from;
  float *made = run->scratch, *y = run->places[self->y] + place;
  SymPiece *pieces = (SymPiece *) (gpointer) (made + self->step.n_scratch / sizeof (float)) -
                     axes[0].kernel * axes[1].kernel;
  SymTile tile = { .pieces = pieces, .piece = self->inner, .bias = self->zeros, .y = made };

  tile.n_pieces = find_pieces (self, &segment, pieces);
  begin_line (self, &segment,
              self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend] + place, y);
  if (tile.n_pieces > 0)
    {
      multiply (self, &segment, &tile,
                run->places[self->x] +
                    (from * (gsize) axes[2].from + (gsize) segment.from) * self->inner);
      for (gint64 j = 0; j < segment.n; j++)
        lay (self, &segment, made + (gsize) j * self->n_columns, segment.from + j, y);
    }
  if (self->bounds.is_bounded)
    bound_line (self, &segment, y);
}

static gboolean
run_scatter (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Scatter *self = (const Scatter *) step;
  gsize n_lines = (gsize) (self->axes[0].to * self->axes[1].to), first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_images * n_lines * self->n_segments, &first,
                      &end);
  for (gsize i = first; i < end; i++)
    run_segment (self, run, i / self->n_segments / n_lines, i / self->n_segments % n_lines,
                 i % self->n_segments);
  return TRUE;
}

static void
free_scatter (SymStep *step)
{
  Scatter *self = (Scatter *) step;

  g_array_unref (self->blocks);
  g_free (self);
}

static const SymStepClass scatter_class = { run_scatter, free_scatter };

/* ---- Making ---- */

static void
pack (Scatter *self, const SymPlanOp *op, SymMemoryPool *pool)
{
  gsize width = self->processor->width, outer = self->outer, n_weights = 0;
  gsize lines = (gsize) (self->axes[0].kernel * self->axes[1].kernel);
  gsize taps = (gsize) self->axes[2].kernel;
  float *to;

  for (guint i = 0; i < self->blocks->len; i++)
    n_weights += lines * self->inner * g_array_index (self->blocks, SymBlock, i).n_vectors * width;
  to = self->weights = sym_memory_pool_take (pool, n_weights);
  self->zeros = sym_memory_pool_take (pool, SYM_TILE_VECTORS * width);
  self->bias = sym_memory_pool_take (pool, outer);
  memcpy (self->bias, op->bias, outer * sizeof (float));
  self->step.n_bytes = (n_weights + outer) * sizeof (float);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const SymBlock *block = &g_array_index (self->blocks, SymBlock, i);

      for (gsize line = 0; line < lines; line++)
        for (gsize c = 0; c < self->inner; c++, to += block->n_vectors * width)
          for (gsize j = 0; j < block->n; j++)
            {
              gsize tap = (block->first + j) / outer, o = (block->first + j) % outer;

              to[j] = op->weights[((c * outer + o) * lines + line) * taps + tap] * op->scales[o];
            }
    }
}

/* As many elements of the result that what is computed twice is little. */
#define LEAST_SEGMENT 512

static void
cut_lines (Scatter *self)
{
  const SymPlanAxis *axis = &self->axes[2];
  gint64 reach = (axis->kernel - 1) * axis->dilation + 1, n = MAX (LEAST_SEGMENT, 8 * reach);
  gsize n_from;

  self->n_segments = (gsize) divide_up (axis->to, n);
  self->n_segment = (gsize) divide_up (axis->to, (gint64) self->n_segments);
  n_from = (gsize) MIN (axis->from, ((gint64) self->n_segment + reach) / axis->stride + 2);
  /* Pieces are at its end, where they are aligned. */
  self->step.n_scratch = n_from * self->n_columns * sizeof (float);
  self->step.n_scratch = (self->step.n_scratch + 63) / 64 * 64;
  self->step.n_scratch += (gsize) (self->axes[0].kernel * self->axes[1].kernel) * sizeof (SymPiece);
}

static gsize
count_vectors (gsize n, gsize width)
{
  return (n + width - 1) / width;
}

gboolean
sym_scatter_is_better (const SymPlanOp *op, const SymStepOptions *options)
{
  gsize width = options->processor->width, taps;

  if (!op->is_transposed || op->packs_weights || op->groups != 1)
    return FALSE;
  taps = (gsize) op->axes[2].kernel;
  return 2 * count_vectors (taps * op->outer, width) <= taps * count_vectors (op->outer, width);
}

SymStep *
sym_scatter_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Scatter *self = g_new0 (Scatter, 1);
  double n_lines;

  self->step.class = &scatter_class;
  self->processor = options->processor;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  self->n_images = op->from.n;
  self->inner = op->inner;
  self->outer = op->outer;
  memcpy (self->axes, op->axes, sizeof self->axes);
  self->n_columns = (gsize) op->axes[2].kernel * op->outer;
  self->bounds = sym_step_get_bounds (op);
  self->blocks = sym_step_new_blocks (self->processor, self->n_columns);
  cut_lines (self);
  n_lines = (double) (self->n_images * (gsize) (op->axes[0].from * op->axes[1].from)) *
            (double) (op->axes[0].kernel * op->axes[1].kernel);
  self->step.n_slices = sym_step_count_slices (
      options,
      n_lines * (double) op->axes[2].from * (double) (op->inner * self->n_columns) /
          (double) (2 * self->processor->width),
      self->n_images * (gsize) (op->axes[0].to * op->axes[1].to) * self->n_segments);
  pack (self, op, options->pool);
  return &self->step;
}
