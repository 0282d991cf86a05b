/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-step-private.h"
#include "run/sym-vector-rows-private.h"

/* Pictures that are read at places of their own, the channels last: of each place the elements that
 * it is made of, and how much each counts, are the same for all channels. */

#define MAX_TAPS (SYM_OP_GRID_TAPS * SYM_OP_GRID_TAPS * SYM_OP_GRID_TAPS)

typedef struct {
  SymStep step;
  guint x, grid, y;
  gsize n_places, n_channels, plane; /* of each image */
  gsize n_images;
  int n; /* axes, the last ones of these */
  gint64 sizes[SYM_PLAN_AXES];
  float ends[SYM_PLAN_AXES]; /* the last elements; 0 of sizes that a float cannot tell */
  SymOpGrid method;
  gboolean is_flat; /* linear, over two axes */
} Sample;

/* Of one place where its elements begin, and their weights. */
typedef struct {
  const float *rows[MAX_TAPS];
  float weights[MAX_TAPS];
  guint n;
} Mixture;

/* Of one place along an axis: elements, those that are none left out, and their weights. */
typedef struct {
  gsize at[SYM_OP_GRID_TAPS];
  float weights[SYM_OP_GRID_TAPS];
  guint n;
} Taps;

static void
take_taps (const SymOpGridTaps *from, Taps *taps)
{
  taps->n = 0;
  for (int i = 0; i < from->n; i++)
    if (from->at[i] >= 0)
      {
        taps->at[taps->n] = (gsize) from->at[i];
        taps->weights[taps->n++] = (float) from->weight[i];
      }
}

/* Between two elements of the picture nothing needs to be asked. */
static inline void
find_taps (const Sample *self, float coordinate, int axis, Taps *taps)
{
  float place = sym_op_grid_find_place (&self->method, coordinate, self->sizes[axis]);
  SymOpGridTaps any;

  if (self->method.mode == SYM_OP_GRID_LINEAR && place >= 0 && place < self->ends[axis])
    {
      taps->at[0] = (gsize) (gint32) place;
      taps->at[1] = taps->at[0] + 1;
      taps->weights[1] = place - (float) (gint32) place;
      taps->weights[0] = 1 - taps->weights[1];
      taps->n = 2;
      return;
    }
  sym_op_grid_find_taps (&self->method, (double) place, self->sizes[axis], &any);
  take_taps (&any, taps);
}

/* The grid names the last axis first. */
static inline void
mix (const Sample *self, const float *image, const float *coordinates, Mixture *mixture)
{
  Taps taps[SYM_PLAN_AXES] = { { { 0 }, { 1 }, 1 }, { { 0 }, { 1 }, 1 }, { .n = 0 } };

  for (int i = 0; i < self->n; i++)
    find_taps (self, coordinates[i], SYM_PLAN_AXES - 1 - i, &taps[SYM_PLAN_AXES - 1 - i]);
  mixture->n = 0;
  for (guint i = 0; i < taps[0].n; i++)
    for (guint j = 0; j < taps[1].n; j++)
      {
        gsize line = taps[0].at[i] * (gsize) self->sizes[1] + taps[1].at[j];
        float weight = taps[0].weights[i] * taps[1].weights[j];

        for (guint k = 0; k < taps[2].n; k++)
          {
            gsize at = line * (gsize) self->sizes[2] + taps[2].at[k];

            mixture->rows[mixture->n] = image + at * self->n_channels;
            mixture->weights[mixture->n++] = weight * taps[2].weights[k];
          }
      }
}

/* So few channels take no vector. */
#define FEW_CHANNELS 8

static void
blend (const Sample *self, const Mixture *mixture, float *y)
{
  gsize n = self->n_channels;

  if (mixture->n == 0)
    memset (y, 0, n * sizeof *y);
  else if (mixture->n == 1 && self->method.mode == SYM_OP_GRID_NEAREST)
    memcpy (y, mixture->rows[0], n * sizeof *y);
  else if (n >= FEW_CHANNELS)
    sym_vector_blend_rows (y, mixture->rows, mixture->weights, mixture->n, n);
  else
    for (gsize c = 0; c < n; c++)
      {
        float sum = 0;

        for (guint i = 0; i < mixture->n; i++)
          sum += mixture->rows[i][c] * mixture->weights[i];
        y[c] = sum;
      }
}

/* Four elements around a place between them, of a picture that is read so. */
static inline gboolean
find_square (const Sample *self, const float *image, const float *coordinates, Mixture *mixture)
{
  float across = sym_op_grid_find_place (&self->method, coordinates[0], self->sizes[2]);
  float down = sym_op_grid_find_place (&self->method, coordinates[1], self->sizes[1]);
  gsize line = (gsize) self->sizes[2] * self->n_channels;
  float right, lower;

  if (!(across >= 0 && across < self->ends[2] && down >= 0 && down < self->ends[1]))
    return FALSE;
  right = across - (float) (gint32) across;
  lower = down - (float) (gint32) down;
  image += (gsize) (gint32) down * line + (gsize) (gint32) across * self->n_channels;
  mixture->rows[0] = image;
  mixture->rows[1] = image + self->n_channels;
  mixture->rows[2] = image + line;
  mixture->rows[3] = image + line + self->n_channels;
  mixture->weights[0] = (1 - lower) * (1 - right);
  mixture->weights[1] = (1 - lower) * right;
  mixture->weights[2] = lower * (1 - right);
  mixture->weights[3] = lower * right;
  mixture->n = 4;
  return TRUE;
}

static gboolean
run_sample (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Sample *self = (const Sample *) step;
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_images * self->n_places, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      const float *image =
          run->places[self->x] + i / self->n_places * self->plane * self->n_channels;
      const float *coordinates = run->places[self->grid] + i * (gsize) self->n;
      Mixture mixture;

      if (!self->is_flat || !find_square (self, image, coordinates, &mixture))
        mix (self, image, coordinates, &mixture);
      blend (self, &mixture, run->places[self->y] + i * self->n_channels);
    }
  return TRUE;
}

static void
free_sample (SymStep *step)
{
  g_free (step);
}

static const SymStepClass sample_class = { .run = run_sample, .free = free_sample };

/* Beyond that floats leave integers out. */
#define MOST_EXACT (1 << 24)

SymStep *
sym_sample_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options)
{
  Sample *self = g_new0 (Sample, 1);
  const SymShape *shape = &sym_plan_graph_get_tensor (graph, op->x)->shape;
  double n_taps = 1;

  self->step.class = &sample_class;
  self->x = op->x;
  self->grid = op->other;
  self->y = op->y;
  self->method = op->sampling;
  self->n = shape->rank - 2;
  self->is_flat = self->n == 2 && self->method.mode == SYM_OP_GRID_LINEAR;
  self->n_images = (gsize) shape->dims[0];
  self->n_channels = (gsize) shape->dims[1];
  self->plane = 1;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      int axis = shape->rank - SYM_PLAN_AXES + i;

      self->sizes[i] = axis < 2 ? 1 : shape->dims[axis];
      self->ends[i] = self->sizes[i] > MOST_EXACT ? 0 : (float) (self->sizes[i] - 1);
      self->plane *= (gsize) self->sizes[i];
      if (axis >= 2)
        n_taps *= self->method.mode == SYM_OP_GRID_NEAREST  ? 1
                  : self->method.mode == SYM_OP_GRID_LINEAR ? 2
                                                            : SYM_OP_GRID_TAPS;
    }
  self->n_places =
      sym_plan_graph_get_tensor (graph, op->other)->n / (self->n_images * (gsize) self->n);
  self->step.n_slices = sym_step_count_slices (options,
                                               (double) (self->n_images * self->n_places) *
                                                   (n_taps * (double) self->n_channels / 4 + 60),
                                               self->n_images * self->n_places);
  return &self->step;
}
