/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-step-kernels-private.h"

/* Direct convolution with the channels last: each tile is a few pixels of the result times some
 * vectors of its channels.  A pixel needs the rows of the kernel that are inside the image, and of
 * each the columns that are; of these the channels lie one after the other, or, where groups or
 * dilations are between them, in a piece for each column.  Pixels that need the same of the kernel
 * are rectangles.  Small images are copied with their padding first: then they are one. */

typedef struct {
  gint64 first, n; /* of the result */
  gint64 tap, n_taps,
      from; /* of the kernel, and where in the input the first tap is for the first */
} Span;

/* Pixels of the result that need the same of the kernel. */
typedef struct {
  gsize row, column, n_rows, n_columns;
  gsize x; /* where the first one begins in the input */
  SymPiece *pieces;
  guint n_pieces;
  gsize piece;
} Rectangle;

typedef struct {
  SymStep step;
  SymKernels kernels;
  guint x, y, addend;
  gsize batch, height, width, channels; /* of the input, with its padding where that is copied */
  gsize rows, columns, outer;           /* of the result */
  gint64 kernel[2], strides[2], dilations[2], pads[4];
  gboolean is_padded;
  GArray *rectangles; /* of Rectangle */
  SymBounds bounds;
  SymActivation activation;
} Convolution;

/* ---- Rectangles ---- */

static gboolean
is_same_span (const Span *a, const Span *b)
{
  return a->tap == b->tap && a->n_taps == b->n_taps;
}

/* Rows (0) or columns (1) of the result by what they need of the kernel. */
static GArray *
find_spans (const Convolution *self, int axis)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (Span));
  gint64 size = (gint64) (axis == 0 ? self->height : self->width);
  gint64 n = (gint64) (axis == 0 ? self->rows : self->columns), dilation = self->dilations[axis];

  for (gint64 i = 0; i < n; i++)
    {
      gint64 begin = i * self->strides[axis] - self->pads[axis], room = size - begin;
      gint64 tap = begin >= 0 ? 0 : (dilation - 1 - begin) / dilation;
      gint64 end = room <= 0 ? 0 : MIN (self->kernel[axis], (room + dilation - 1) / dilation);
      Span span = { i, 1, tap, MAX (end - tap, 0), begin + tap * dilation };
      Span *last = spans->len == 0 ? NULL : &g_array_index (spans, Span, spans->len - 1);

      if (last != NULL && is_same_span (last, &span))
        last->n++;
      else
        g_array_append_val (spans, span);
    }
  return spans;
}

static void
add_rectangle (Convolution *self, const Span *down, const Span *across)
{
  gboolean is_joined = self->kernels.group_inner == self->channels && self->dilations[1] == 1;
  gint64 n_across = is_joined ? MIN (across->n_taps, 1) : across->n_taps;
  Rectangle rectangle = { (gsize) down->first, (gsize) across->first, (gsize) down->n,
                          (gsize) across->n };

  rectangle.n_pieces = (guint) (down->n_taps * n_across);
  rectangle.piece = self->kernels.group_inner * (gsize) (is_joined ? across->n_taps : 1);
  rectangle.pieces = g_new (SymPiece, rectangle.n_pieces + 1);
  if (rectangle.n_pieces > 0)
    rectangle.x = ((gsize) down->from * self->width + (gsize) across->from) * self->channels;
  for (gint64 i = 0; i < down->n_taps; i++)
    for (gint64 j = 0; j < n_across; j++)
      {
        gint64 tap = (down->tap + i) * self->kernel[1] + across->tap + j;
        gint64 column = i * self->dilations[0] * (gint64) self->width + j * self->dilations[1];

        rectangle.pieces[i * n_across + j] =
            (SymPiece){ (gsize) column * self->channels, (gsize) tap * self->kernels.group_inner };
      }
  g_array_append_val (self->rectangles, rectangle);
}

static void
clear_rectangle (gpointer rectangle)
{
  g_free (((Rectangle *) rectangle)->pieces);
}

static GArray *
new_rectangles (void)
{
  GArray *rectangles = g_array_new (FALSE, FALSE, sizeof (Rectangle));

  g_array_set_clear_func (rectangles, clear_rectangle);
  return rectangles;
}

/* So many are worth their memory; more come from kernels that are mostly outside. */
#define MAX_RECTANGLES 256

/* FALSE, with none, where there would be too many. */
static gboolean
find_rectangles (Convolution *self)
{
  g_autoptr (GArray) down = find_spans (self, 0), across = find_spans (self, 1);

  if ((guint64) down->len * across->len > MAX_RECTANGLES)
    return FALSE;
  for (guint i = 0; i < down->len; i++)
    for (guint j = 0; j < across->len; j++)
      add_rectangle (self, &g_array_index (down, Span, i), &g_array_index (across, Span, j));
  return TRUE;
}

/* Cycles of one image for a vector's worth of channels: sums that wait for themselves take 4. */
static double
estimate (const Convolution *self, guint n_rows, guint n_vectors)
{
  double sum = 0;

  for (guint i = 0; i < self->rectangles->len; i++)
    {
      const Rectangle *rectangle = &g_array_index (self->rectangles, Rectangle, i);
      gsize n = rectangle->n_rows * rectangle->n_columns, n_tiles = (n + n_rows - 1) / n_rows;
      double rows = (double) n / (double) n_tiles;
      double each = MAX (rows * n_vectors / 2, MAX (4, (rows + n_vectors) / 2.5));

      sum += (double) n_tiles * (40 + (double) (rectangle->n_pieces * rectangle->piece) * each);
    }
  return sum / n_vectors;
}

/* ---- Running ---- */

static gsize
count_tiles (const Rectangle *rectangle, const SymKernelBlock *block)
{
  return (rectangle->n_rows * rectangle->n_columns + block->of.n_rows - 1) / block->of.n_rows;
}

/* Tile @i of @n_tiles, which are as even as they can be. */
static void
run_tile (const Convolution *self,
          SymTile *tile,
          const SymKernelBlock *block,
          const Rectangle *rectangle,
          const float *image,
          gsize place,
          gsize i,
          gsize n_tiles)
{
  gsize n = rectangle->n_rows * rectangle->n_columns;
  gsize first = i * n / n_tiles, end = (i + 1) * n / n_tiles;
  gsize row = first / rectangle->n_columns, column = first % rectangle->n_columns;
  gsize down = (gsize) self->strides[0] * self->width * self->channels;
  gsize across = (gsize) self->strides[1] * self->channels;

  image += rectangle->x + block->group * self->kernels.group_inner;
  place += (rectangle->row * self->columns + rectangle->column) * self->outer;
  for (gsize r = 0; r < end - first; r++)
    {
      tile->rows[r] = image + row * down + column * across;
      tile->places[r] = place + (row * self->columns + column) * self->outer;
      if (++column < rectangle->n_columns)
        continue;
      column = 0;
      row++;
    }
  sym_kernels_multiply (&self->kernels, block, tile, end - first);
}

/* Weights of a block, which all tiles pass one part after the other. */
typedef struct {
  gsize i, n;
} Part;

/* Bytes of a part, and those of a block that stays near as a whole while the next one comes. */
#define PART_BYTES 400e3
#define NEAR_BYTES 800e3

/* Parts are rows of the kernel. */
static gsize
count_parts (const Convolution *self, const SymKernelBlock *block)
{
  double n_bytes = (double) (sym_kernels_get_n_weights (&self->kernels, block) * sizeof (float));

  return n_bytes <= NEAR_BYTES
             ? 1
             : (gsize) fmin ((double) self->kernel[0], ceil (n_bytes / PART_BYTES));
}

/* Where the weights of a part begin, in rows of them. */
static gsize
find_part (const Convolution *self, gsize i, gsize n)
{
  return i * (gsize) self->kernel[0] / n * (gsize) self->kernel[1] * self->kernels.group_inner;
}

static void
set_pieces (const Convolution *self, SymTile *tile, const Rectangle *rectangle, Part part)
{
  gsize from = find_part (self, part.i, part.n), to = find_part (self, part.i + 1, part.n);
  guint first = 0, end;

  while (first < rectangle->n_pieces && rectangle->pieces[first].weights < from)
    first++;
  for (end = first; end < rectangle->n_pieces && rectangle->pieces[end].weights < to;)
    end++;
  tile->pieces = rectangle->pieces + first;
  tile->n_pieces = end - first;
  tile->piece = rectangle->piece;
}

/* Tiles of one image from @first to before @end, counted over its rectangles. */
static void
run_part (const Convolution *self,
          SymTile *tile,
          const SymKernelBlock *block,
          const float *x,
          gsize place,
          gsize first,
          gsize end,
          Part part)
{
  gsize begin = 0;

  for (guint i = 0; i < self->rectangles->len && begin < end; i++)
    {
      const Rectangle *rectangle = &g_array_index (self->rectangles, Rectangle, i);
      gsize n = count_tiles (rectangle, block);

      set_pieces (self, tile, rectangle, part);
      for (gsize t = MAX (first, begin); t < MIN (end, begin + n); t++)
        run_tile (self, tile, block, rectangle, x, place, t - begin, n);
      begin += n;
    }
}

/* All but the first part add to what the ones before have made.  Each asks for the next one. */
static void
run_parts (const Convolution *self,
           const SymTile *whole,
           const SymKernelBlock *block,
           const float *x,
           gsize place,
           gsize first,
           gsize end,
           gsize n_parts)
{
  static const float nothing[SYM_TILE_VECTORS * 16];
  gsize width = block->of.n_vectors * self->kernels.processor->width;

  for (gsize i = 0; i < n_parts; i++)
    {
      gboolean is_last = i + 1 == n_parts;
      gsize next = find_part (self, i + 1, n_parts), then = find_part (self, i + 2, n_parts);
      SymTile tile = *whole;

      if (i > 0)
        {
          tile.addend = tile.y;
          tile.bias = nothing;
        }
      if (is_last)
        tile.ahead.n = (tile.ahead.n + n_parts - 1) / n_parts;
      else
        {
          tile.ahead = (SymAhead){ whole->weights + next * width,
                                   (then - next) * width / (end - first) + 1 };
          tile.bounds.is_bounded = FALSE;
          tile.activation.function = NULL;
        }
      run_part (self, &tile, block, x, place, first, end, (Part){ i, n_parts });
    }
}

typedef struct {
  const Convolution *self;
  const float *x;
} Images;

static void
run_image (gconstpointer data,
           SymTile *tile,
           const SymKernelBlock *block,
           gsize image,
           gsize first,
           gsize end)
{
  const Convolution *self = ((const Images *) data)->self;
  const float *x = ((const Images *) data)->x + image * self->height * self->width * self->channels;
  gsize place = image * self->rows * self->columns * self->outer + block->of.first;
  gsize n_parts = count_parts (self, block);

  if (n_parts == 1)
    run_part (self, tile, block, x, place, first, end, (Part){ 0, 1 });
  else
    run_parts (self, tile, block, x, place, first, end, n_parts);
}

/* @x with zeros around. */
static const float *
copy_padded (const Convolution *self, const float *x, float *to)
{
  gsize height = self->height - (gsize) (self->pads[0] + self->pads[2]);
  gsize line = self->width * self->channels;
  gsize inner = line - (gsize) (self->pads[1] + self->pads[3]) * self->channels;
  float *next = to + (gsize) self->pads[1] * self->channels;

  memset (to, 0, self->batch * self->height * line * sizeof *to);
  for (gsize image = 0; image < self->batch; image++)
    {
      next += (gsize) self->pads[0] * line;
      for (gsize row = 0; row < height; row++, next += line, x += inner)
        memcpy (next, x, inner * sizeof *to);
      next += (gsize) self->pads[2] * line;
    }
  return to;
}

static gboolean
run_convolution (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Convolution *self = (const Convolution *) step;
  Images images = { self, run->places[self->x] };
  SymTile tile = { .addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend],
                   .y = run->places[self->y],
                   .bounds = self->bounds,
                   .activation = self->activation };

  if (self->is_padded && !sym_kernels_is_packing (&self->kernels, run))
    images.x = copy_padded (self, images.x, run->scratch);
  sym_kernels_run (&self->kernels, step, run, slice, &tile, run_image, &images);
  return TRUE;
}

static void
free_convolution (SymStep *step)
{
  Convolution *self = (Convolution *) step;

  g_array_unref (self->rectangles);
  sym_kernels_clear (&self->kernels);
  g_free (self);
}

static const SymStepClass convolution_class = { run_convolution, free_convolution };

/* ---- Making ---- */

static void
set_sizes (Convolution *self, const SymPlanOp *op)
{
  self->batch = op->from.n;
  self->channels = op->from.channels;
  self->height = op->from.height;
  self->width = op->from.width;
  self->outer = op->to.channels;
  self->rows = op->to.height;
  self->columns = op->to.width;
  for (int i = 0; i < 2; i++)
    {
      self->kernel[i] = op->kernel[i];
      self->strides[i] = op->strides[i];
      self->dilations[i] = op->dilations[i];
    }
  memcpy (self->pads, op->pads, sizeof self->pads);
}

/* Chooses how edges are met; returns the cycles of all. */
static double
choose_edges (Convolution *self)
{
  const SymBlock *block = &g_array_index (self->kernels.blocks, SymKernelBlock, 0).of;
  double n_blocks = (double) self->outer / (double) self->kernels.processor->width;
  Convolution padded = *self;
  double split, whole;

  split = !find_rectangles (self) ? INFINITY
                                  : estimate (self, block->n_rows, block->n_vectors) * n_blocks;
  if (self->rectangles->len == 1)
    return split * (double) self->batch;
  padded.height += (gsize) (self->pads[0] + self->pads[2]);
  padded.width += (gsize) (self->pads[1] + self->pads[3]);
  memset (padded.pads, 0, sizeof padded.pads);
  padded.rectangles = new_rectangles ();
  find_rectangles (&padded);
  whole = estimate (&padded, block->n_rows, block->n_vectors) * n_blocks + 200 +
          (double) (padded.height * (40 + padded.width * padded.channels / 8));
  if (whole < split)
    {
      self->is_padded = TRUE;
      self->height = padded.height;
      self->width = padded.width;
      g_array_unref (g_steal_pointer (&self->rectangles));
      self->rectangles = g_array_ref (padded.rectangles);
      self->step.n_scratch =
          self->batch * self->height * self->width * self->channels * sizeof (float);
    }
  g_array_unref (padded.rectangles);
  return MIN (whole, split) * (double) self->batch;
}

static gsize
count_all (gconstpointer data, const SymKernelBlock *block)
{
  const Convolution *self = data;
  gsize n = 0;

  for (guint i = 0; i < self->rectangles->len; i++)
    n += count_tiles (&g_array_index (self->rectangles, Rectangle, i), block);
  return n;
}

SymStep *
sym_convolution_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Convolution *self = g_new0 (Convolution, 1);
  double n_cycles;

  self->step.class = &convolution_class;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  set_sizes (self, op);
  self->bounds = sym_step_get_bounds (op);
  self->activation = sym_step_get_activation (op);
  self->rectangles = new_rectangles ();
  sym_kernels_init (&self->kernels, op, (gsize) (op->kernel[0] * op->kernel[1]), self->batch,
                    options);
  n_cycles = choose_edges (self);
  sym_kernels_number_tiles (&self->kernels, self->height * self->width * self->channels, count_all,
                            self);
  sym_kernels_pack (&self->kernels, &self->step, op, options);
  /* Each slice copies the whole image where that is padded. */
  self->step.n_slices = sym_step_count_slices (
      options, n_cycles,
      self->is_padded ? MIN (self->kernels.n_tiles, options->n_threads) : self->kernels.n_tiles);
  return &self->step;
}
