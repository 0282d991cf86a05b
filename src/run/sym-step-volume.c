/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-kernels-private.h"
#include "run/sym-step-span-private.h"

/* Convolutions over three axes, and transposed ones over up to three, with the channels last: each
 * tile is a few elements of the result times some vectors of its channels.  Along an axis, elements
 * that need the same taps of the kernel are a span: those in the middle, and some at the ends.  Of
 * transposed convolutions each stride-th element is like the one before, so that there are as many
 * spans more.  Elements of one span of each axis are a box, all of them computed in the same way.
 */

typedef struct {
  SymStep step;
  SymKernels kernels;
  guint x, y, addend;
  SymPlanAxis axes[SYM_PLAN_AXES];
  GArray *spans[SYM_PLAN_AXES]; /* of SymSpan */
  gsize n_boxes;
  SymBounds bounds;
} Volume;

/* ---- Boxes ---- */

static gsize
count_elements (const SymBox *box)
{
  return (gsize) (box->spans[0]->n * box->spans[1]->n * box->spans[2]->n);
}

static gsize
count_taps (const SymBox *box)
{
  return (gsize) (box->spans[0]->n_taps * box->spans[1]->n_taps * box->spans[2]->n_taps);
}

static gsize
count_tiles (const SymBox *box, const SymKernelBlock *block)
{
  return (count_elements (box) + block->of.n_rows - 1) / block->of.n_rows;
}

/* Of all axes the place of an element of x, or of the result. */
static gsize
find_place (const Volume *self, gboolean is_result, gint64 i, gint64 j, gint64 k)
{
  const SymPlanAxis *axes = self->axes;
  gint64 height = is_result ? axes[1].to : axes[1].from;
  gint64 width = is_result ? axes[2].to : axes[2].from;

  return (gsize) ((i * height + j) * width + k) *
         (is_result ? self->kernels.outer : self->kernels.inner);
}

/* What one element of the box needs, and where the first one begins. */
static void
find_pieces (const Volume *self, const SymBox *box, SymPiece *pieces, SymTile *tile)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  gboolean is_joined =
      self->kernels.group_inner == self->kernels.inner && c->tap_step == 1 && c->x_tap_step == 1;
  gint64 n_across = is_joined ? MIN (c->n_taps, 1) : c->n_taps;

  tile->n_pieces = 0;
  tile->piece = self->kernels.group_inner * (gsize) (is_joined ? c->n_taps : 1);
  tile->pieces = pieces;
  for (gint64 i = 0; i < a->n_taps; i++)
    for (gint64 j = 0; j < b->n_taps; j++)
      for (gint64 k = 0; k < n_across; k++)
        {
          gint64 row = (a->tap + i * a->tap_step) * self->axes[1].kernel + b->tap + j * b->tap_step;
          gint64 tap = row * self->axes[2].kernel + c->tap + k * c->tap_step;

          pieces[tile->n_pieces++] = (SymPiece){ find_place (self, FALSE, i * a->x_tap_step,
                                                             j * b->x_tap_step, k * c->x_tap_step),
                                                 (gsize) tap * self->kernels.group_inner };
        }
}

/* ---- Running ---- */

/* Elements of a box from @first to before @end; @x and @place are the first one's. */
static void
run_tile (const Volume *self,
          SymTile *tile,
          const SymKernelBlock *block,
          const SymBox *box,
          const float *x,
          gsize place,
          gsize first,
          gsize end)
{
  const SymSpan *a = box->spans[0], *b = box->spans[1], *c = box->spans[2];
  gint64 k = (gint64) first % c->n, j = (gint64) first / c->n % b->n,
         i = (gint64) first / c->n / b->n;

  for (gsize r = 0; r < end - first; r++)
    {
      tile->rows[r] = x + find_place (self, FALSE, i * a->x_step, j * b->x_step, k * c->x_step);
      tile->places[r] = place + find_place (self, TRUE, i * a->step, j * b->step, k * c->step);
      if (++k < c->n)
        continue;
      k = 0;
      if (++j < b->n)
        continue;
      j = 0;
      i++;
    }
  sym_kernels_multiply (&self->kernels, block, tile, end - first);
}

/* Tiles from @first to before @end of the @n of a box, which are as even as they can be. */
static void
run_box (const Volume *self,
         SymTile *tile,
         const SymKernelBlock *block,
         const SymBox *box,
         const float *x,
         gsize image,
         gsize first,
         gsize end,
         gsize n)
{
  const SymSpan *const *spans = box->spans;
  gsize n_elements = count_elements (box);
  gsize place = image * find_place (self, TRUE, self->axes[0].to, 0, 0) +
                find_place (self, TRUE, spans[0]->first, spans[1]->first, spans[2]->first) +
                block->of.first;

  x += image * find_place (self, FALSE, self->axes[0].from, 0, 0) +
       find_place (self, FALSE, spans[0]->from, spans[1]->from, spans[2]->from) +
       block->group * self->kernels.group_inner;
  for (gsize i = first; i < end; i++)
    run_tile (self, tile, block, box, x, place, i * n_elements / n, (i + 1) * n_elements / n);
}

typedef struct {
  const Volume *self;
  const float *x;
  SymPiece *pieces;
} Images;

/* Tiles of one image from @first to before @end, counted over its boxes. */
static void
run_image (gconstpointer data,
           SymTile *tile,
           const SymKernelBlock *block,
           gsize image,
           gsize first,
           gsize end)
{
  const Images *images = data;
  const Volume *self = images->self;
  gsize begin = 0;

  for (gsize i = 0; i < self->n_boxes && begin < end; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);
      gsize n = count_tiles (&box, block);

      if (first < begin + n)
        {
          find_pieces (self, &box, images->pieces, tile);
          run_box (self, tile, block, &box, images->x, image, MAX (first, begin) - begin,
                   MIN (end - begin, n), n);
        }
      begin += n;
    }
}

static gboolean
run_volume (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Volume *self = (const Volume *) step;
  Images images = { self, run->places[self->x], run->scratch };
  SymTile tile = { .addend = self->addend == SYM_PLAN_NONE ? NULL : run->places[self->addend],
                   .y = run->places[self->y],
                   .bounds = self->bounds };

  sym_kernels_run (&self->kernels, step, run, slice, &tile, run_image, &images);
  return TRUE;
}

static void
free_volume (SymStep *step)
{
  Volume *self = (Volume *) step;

  for (int i = 0; i < SYM_PLAN_AXES; i++)
    g_array_unref (self->spans[i]);
  sym_kernels_clear (&self->kernels);
  g_free (self);
}

static const SymStepClass volume_class = { run_volume, free_volume };

/* ---- Making ---- */

static gsize
count_kernel (const Volume *self)
{
  return (gsize) (self->axes[0].kernel * self->axes[1].kernel * self->axes[2].kernel);
}

static gsize
count_all (gconstpointer data, const SymKernelBlock *block)
{
  const Volume *self = data;
  gsize n = 0;

  for (gsize i = 0; i < self->n_boxes; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);

      n += count_tiles (&box, block);
    }
  return n;
}

/* The products of one number and one vector. */
static double
count_products (const Volume *self)
{
  double sum = 0, n_vectors = 0;

  for (guint i = 0; i < self->kernels.blocks->len; i++)
    n_vectors += g_array_index (self->kernels.blocks, SymKernelBlock, i).of.n_vectors;
  for (gsize i = 0; i < self->n_boxes; i++)
    {
      SymBox box = sym_step_get_box (self->spans, i);

      sum += (double) count_elements (&box) * (double) count_taps (&box);
    }
  return sum * n_vectors * (double) (self->kernels.group_inner * self->kernels.n_images);
}

SymStep *
sym_volume_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Volume *self = g_new0 (Volume, 1);

  self->step.class = &volume_class;
  self->x = op->x;
  self->y = op->y;
  self->addend = op->addend;
  memcpy (self->axes, op->axes, sizeof self->axes);
  self->bounds = sym_step_get_bounds (op);
  self->n_boxes = sym_step_find_spans (op, self->spans);
  sym_kernels_init (&self->kernels, op, count_kernel (self), op->from.n, options);
  sym_kernels_number_tiles (&self->kernels, find_place (self, FALSE, self->axes[0].from, 0, 0),
                            count_all, self);
  sym_kernels_pack (&self->kernels, &self->step, op, options);
  self->step.n_slices =
      sym_step_count_slices (options, count_products (self) / 2, self->kernels.n_tiles);
  self->step.n_scratch = self->kernels.n_taps * sizeof (SymPiece);
  return &self->step;
}
