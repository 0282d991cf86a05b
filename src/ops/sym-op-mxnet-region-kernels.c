/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-regions.h"

/* Data [n, channels, height, width] and regions [regions, width of a region], the first number of
 * each being the picture that it lies on. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x, *rois;
  gsize n, channels, n_rois, roi_width;
  gint64 height, width;
  double scale;
  gsize asked;
} Regions;

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

static void
set (SymArray *array, gsize i, double value)
{
  sym_element_set_double (array->dtype, array->data, i, value);
}

static gboolean
regions_init (Regions *self, SymKernel *kernel, gsize roi_width, GError **error)
{
  *self = (Regions){ .kernel = kernel, .roi_width = roi_width };
  self->x = sym_kernel_need_input (kernel, 0, error);
  self->rois = self->x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->rois == NULL)
    return FALSE;
  if (self->x->shape.rank != 4 || self->rois->shape.rank != 2 ||
      self->rois->shape.dims[1] != (gint64) roi_width || !sym_dtype_is_floating (self->x->dtype) ||
      !sym_dtype_is_floating (self->rois->dtype))
    return sym_kernel_fail (
        error, "the data must have 4 axes, and rois be [regions, %" G_GSIZE_FORMAT "], of floats",
        roi_width);
  self->n = (gsize) self->x->shape.dims[0];
  self->channels = (gsize) self->x->shape.dims[1];
  self->height = self->x->shape.dims[2];
  self->width = self->x->shape.dims[3];
  self->n_rois = (gsize) self->rois->shape.dims[0];
  self->scale = sym_kernel_get_float (kernel, "spatial_scale", 1);
  return TRUE;
}

static double
get_roi (const Regions *self, gsize roi, gsize i)
{
  return get (self->rois, roi * self->roi_width + i);
}

/* The picture of a region; FALSE for one that is on none, whose result is 0. */
static gboolean
find_picture (const Regions *self, gsize roi, gsize *picture, gboolean *there, GError **error)
{
  double number = get_roi (self, roi, 0);

  *there = number >= 0;
  if (*there && !(number < (double) self->n))
    return sym_kernel_fail (
        error, "region %" G_GSIZE_FORMAT " lies on picture %g; there are %" G_GSIZE_FORMAT, roi,
        number, self->n);
  *picture = *there ? (gsize) number : 0;
  return TRUE;
}

static gsize
place_of (const Regions *self, gsize picture, gsize channel, gint64 h, gint64 w)
{
  return ((picture * self->channels + channel) * (gsize) self->height + (gsize) h) *
             (gsize) self->width +
         (gsize) w;
}

static gint64
cut (double place, gint64 size)
{
  return (gint64) CLAMP (place, 0, (double) size);
}

/* (h, w) of each region in the result. */
static gboolean
read_size (Regions *self, gint64 size[2], GError **error)
{
  int n = sym_kernel_get_ints (self->kernel, "pooled_size", size, 2);

  if (n == 1)
    size[1] = size[0];
  if (n < 1 || n > 2 || size[0] < 1 || size[1] < 1 || size[0] > G_MAXINT16 || size[1] > G_MAXINT16)
    return sym_kernel_fail (error, "pooled_size must be a height and a width");
  return TRUE;
}

static SymArray *
new_output (Regions *self, guint i, gsize channels, const gint64 size[2], GError **error)
{
  return sym_op_new_place (self->kernel, i, self->x->dtype,
                           &SYM_SHAPE ((gint64) self->n_rois, (gint64) channels, size[0], size[1]),
                           error);
}

/* ---- ROIPooling ---- */

/* The bounds of cell @cell of @n along an axis of @size: whole places. */
static void
bound (gint64 start, double step, gint64 cell, gint64 size, gint64 *first, gint64 *last)
{
  *first = cut (floor ((double) cell * step) + (double) start, size);
  *last = cut (ceil ((double) (cell + 1) * step) + (double) start, size);
}

typedef struct {
  gint64 start[2], size[2];
  double step[2];
} Grid;

static Grid
find_grid (const Regions *self, gsize roi, const gint64 size[2])
{
  Grid grid;

  for (int i = 0; i < 2; i++)
    {
      /* x comes before y. */
      double first = round (get_roi (self, roi, 2 - (gsize) i) * self->scale);
      double last = round (get_roi (self, roi, 4 - (gsize) i) * self->scale);

      grid.start[i] = sym_op_truncate (first);
      grid.step[i] = MAX (last - first + 1, 1) / (double) size[i];
    }
  return grid;
}

/* The greatest element and its place; 0 and -1 of nothing. */
static void
take_greatest (const Regions *self,
               gsize picture,
               gsize channel,
               const gint64 from[2],
               const gint64 to[2],
               double *value,
               double *place)
{
  *place = -1;
  *value = 0;
  for (gint64 h = from[0]; h < to[0]; h++)
    for (gint64 w = from[1]; w < to[1]; w++)
      {
        double x = get (self->x, place_of (self, picture, channel, h, w));

        if (*place >= 0 && x <= *value)
          continue;
        *value = x;
        *place = (double) (h * self->width + w);
      }
}

gboolean
sym_op_mxnet_run_roi_pooling (SymKernel *kernel, GError **error)
{
  gint64 size[2], from[2], to[2];
  gboolean there;
  SymArray *y, *places;
  gsize picture, i = 0;
  Regions self;

  if (!regions_init (&self, kernel, 5, error) || !read_size (&self, size, error))
    return FALSE;
  y = new_output (&self, 0, self.channels, size, error);
  places = y == NULL ? NULL : new_output (&self, 1, self.channels, size, error);
  if (places == NULL)
    return FALSE;
  for (gsize roi = 0; roi < self.n_rois; roi++)
    {
      Grid grid = find_grid (&self, roi, size);

      if (!find_picture (&self, roi, &picture, &there, error))
        return FALSE;
      for (gsize c = 0; c < self.channels; c++)
        for (gint64 cell = 0; cell < size[0] * size[1]; cell++, i++)
          {
            double value = 0, place = -1;

            bound (grid.start[0], grid.step[0], cell / size[1], self.height, &from[0], &to[0]);
            bound (grid.start[1], grid.step[1], cell % size[1], self.width, &from[1], &to[1]);
            if (there)
              take_greatest (&self, picture, c, from, to, &value, &place);
            set (y, i, value);
            set (places, i, place);
            if (!sym_op_go_on (kernel, &self.asked,
                               1 + (gsize) (MAX (to[0] - from[0], 0) * MAX (to[1] - from[1], 0)),
                               error))
              return FALSE;
          }
    }
  return TRUE;
}

/* ---- Between places ---- */

/* The data at (@h, @w), between its places; beyond them it goes on for @reach. */
static double
sample (const Regions *self, gsize picture, gsize channel, double h, double w, double reach)
{
  gint64 h0, w0, h1, w1;
  double dh, dw;

  if (h < -reach || w < -reach || h > (double) self->height - 1 + reach ||
      w > (double) self->width - 1 + reach || self->height < 1 || self->width < 1)
    return 0;
  h = CLAMP (h, 0, (double) (self->height - 1));
  w = CLAMP (w, 0, (double) (self->width - 1));
  h0 = (gint64) h;
  w0 = (gint64) w;
  h1 = MIN (h0 + 1, self->height - 1);
  w1 = MIN (w0 + 1, self->width - 1);
  dh = h - (double) h0;
  dw = w - (double) w0;
  return (1 - dh) * (1 - dw) * get (self->x, place_of (self, picture, channel, h0, w0)) +
         (1 - dh) * dw * get (self->x, place_of (self, picture, channel, h0, w1)) +
         dh * (1 - dw) * get (self->x, place_of (self, picture, channel, h1, w0)) +
         dh * dw * get (self->x, place_of (self, picture, channel, h1, w1));
}

/* ---- RROIAlign ---- */

/* A region turned around its centre: (centre x, centre y, width, height, degrees). */
typedef struct {
  double x, y, size[2], cosine, sine;
  gint64 samples[2];
} Turned;

static Turned
find_turned (const Regions *self, gsize roi, const gint64 size[2], gint64 ratio)
{
  double angle = get_roi (self, roi, 5) * G_PI / 180;
  Turned turned = { .x = get_roi (self, roi, 1) * self->scale,
                    .y = get_roi (self, roi, 2) * self->scale,
                    .size = { MAX (get_roi (self, roi, 4) * self->scale, 1),
                              MAX (get_roi (self, roi, 3) * self->scale, 1) },
                    .cosine = cos (angle),
                    .sine = sin (angle) };

  for (int i = 0; i < 2; i++)
    turned.samples[i] =
        ratio > 0 ? ratio
                  : (gint64) CLAMP (ceil (turned.size[i] / (double) size[i]), 1, G_MAXINT16);
  return turned;
}

static double
average_turned (const Regions *self,
                const Turned *turned,
                gsize picture,
                gsize channel,
                const gint64 cell[2],
                const gint64 size[2])
{
  double sum = 0, step[2];

  for (int i = 0; i < 2; i++)
    step[i] = turned->size[i] / (double) size[i];
  for (gint64 i = 0; i < turned->samples[0]; i++)
    for (gint64 j = 0; j < turned->samples[1]; j++)
      {
        double y = -turned->size[0] / 2 +
                   ((double) cell[0] + ((double) i + 0.5) / (double) turned->samples[0]) * step[0];
        double x = -turned->size[1] / 2 +
                   ((double) cell[1] + ((double) j + 0.5) / (double) turned->samples[1]) * step[1];

        sum += sample (self, picture, channel, y * turned->cosine - x * turned->sine + turned->y,
                       x * turned->cosine + y * turned->sine + turned->x, 1);
      }
  return sum / (double) (turned->samples[0] * turned->samples[1]);
}

gboolean
sym_op_mxnet_run_turned_regions (SymKernel *kernel, GError **error)
{
  gint64 ratio = sym_kernel_get_int (kernel, "sampling_ratio", -1), size[2];
  gsize picture, i = 0;
  gboolean there;
  Regions self;
  SymArray *y;

  if (!regions_init (&self, kernel, 6, error) || !read_size (&self, size, error))
    return FALSE;
  if (ratio > G_MAXINT16)
    return sym_kernel_fail (error, "sampling_ratio is %" G_GINT64_FORMAT, ratio);
  y = new_output (&self, 0, self.channels, size, error);
  for (gsize roi = 0; y != NULL && roi < self.n_rois; roi++)
    {
      Turned turned = find_turned (&self, roi, size, ratio);

      if (!find_picture (&self, roi, &picture, &there, error))
        return FALSE;
      for (gsize c = 0; c < self.channels; c++)
        for (gint64 cell = 0; cell < size[0] * size[1]; cell++, i++)
          {
            const gint64 at[2] = { cell / size[1], cell % size[1] };

            set (y, i, there ? average_turned (&self, &turned, picture, c, at, size) : 0);
            if (!sym_op_go_on (kernel, &self.asked,
                               4 * (gsize) (turned.samples[0] * turned.samples[1]), error))
              return FALSE;
          }
    }
  return y != NULL;
}

/* ---- PSROIPooling ---- */

typedef struct {
  gint64 out, pooled, group;
} Parts;

static gboolean
read_parts (Regions *self, Parts *parts, GError **error)
{
  parts->out = sym_kernel_get_int (self->kernel, "output_dim", 0);
  parts->pooled = sym_kernel_get_int (self->kernel, "pooled_size", 0);
  parts->group = sym_kernel_get_int (self->kernel, "group_size", 0);
  if (parts->group == 0)
    parts->group = parts->pooled;
  if (parts->out < 1 || parts->pooled < 1 || parts->group < 1 || parts->out > G_MAXINT32 ||
      parts->pooled > G_MAXINT16 || parts->group > G_MAXINT16 ||
      (gint64) self->channels != parts->out * parts->group * parts->group)
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " channels are not output_dim %" G_GINT64_FORMAT
                            " times the square of group_size %" G_GINT64_FORMAT,
                            self->channels, parts->out, parts->group);
  return TRUE;
}

/* The channel that cell @cell of output channel @channel looks at. */
static gsize
find_channel (const Parts *parts, gint64 channel, const gint64 cell[2])
{
  gint64 h = CLAMP (cell[0] * parts->group / parts->pooled, 0, parts->group - 1);
  gint64 w = CLAMP (cell[1] * parts->group / parts->pooled, 0, parts->group - 1);

  return (gsize) ((channel * parts->group + h) * parts->group + w);
}

static double
average (Regions *self, gsize picture, gsize channel, const gint64 from[2], const gint64 to[2])
{
  double sum = 0, n = (double) ((to[0] - from[0]) * (to[1] - from[1]));

  if (to[0] <= from[0] || to[1] <= from[1])
    return 0;
  for (gint64 h = from[0]; h < to[0]; h++)
    for (gint64 w = from[1]; w < to[1]; w++)
      sum += get (self->x, place_of (self, picture, channel, h, w));
  self->asked += (gsize) n;
  return sum / n;
}

gboolean
sym_op_mxnet_run_psroi (SymKernel *kernel, GError **error)
{
  gint64 from[2], to[2], sizes[2];
  gsize picture, i = 0;
  gboolean there;
  Regions self;
  Parts parts;
  SymArray *y;

  if (!regions_init (&self, kernel, 5, error) || !read_parts (&self, &parts, error))
    return FALSE;
  sizes[0] = self.height;
  sizes[1] = self.width;
  y = new_output (&self, 0, (gsize) parts.out, (gint64[]){ parts.pooled, parts.pooled }, error);
  for (gsize roi = 0; y != NULL && roi < self.n_rois; roi++)
    {
      if (!find_picture (&self, roi, &picture, &there, error))
        return FALSE;
      for (gint64 cell = 0; cell < parts.out * parts.pooled * parts.pooled; cell++, i++)
        {
          const gint64 at[2] = { cell / parts.pooled % parts.pooled, cell % parts.pooled };

          for (int k = 0; k < 2; k++)
            {
              double start = round (get_roi (&self, roi, 2 - (gsize) k)) * self.scale;
              double end = (round (get_roi (&self, roi, 4 - (gsize) k)) + 1) * self.scale;
              double step = MAX (end - start, 0.1) / (double) parts.pooled;

              from[k] = cut (floor ((double) at[k] * step + start), sizes[k]);
              to[k] = cut (ceil ((double) (at[k] + 1) * step + start), sizes[k]);
            }
          set (y, i,
               there ? average (&self, picture,
                                find_channel (&parts, cell / (parts.pooled * parts.pooled), at),
                                from, to)
                     : 0);
          if (!sym_op_go_on (kernel, &self.asked, 1, error))
            return FALSE;
        }
    }
  return y != NULL;
}

/* ---- DeformablePSROIPooling ---- */

typedef struct {
  const SymArray *moves; /* [regions, 2 classes, parts, parts]; NULL for none */
  gint64 part, samples, n_classes;
  double factor;
} Moves;

static gboolean
read_moves (Regions *self, Moves *moves, const Parts *parts, GError **error)
{
  const SymShape *shape;

  *moves = (Moves){ .part = sym_kernel_get_int (self->kernel, "part_size", 0),
                    .samples = sym_kernel_get_int (self->kernel, "sample_per_part", 1),
                    .factor = sym_kernel_get_float (self->kernel, "trans_std", 0),
                    .n_classes = 1 };
  if (moves->part == 0)
    moves->part = parts->pooled;
  if (moves->part < 1 || moves->samples < 1 || moves->samples > G_MAXINT16)
    return sym_kernel_fail (error, "part_size and sample_per_part must be at least 1");
  if (sym_kernel_get_bool (self->kernel, "no_trans", FALSE))
    return TRUE;
  moves->moves = sym_kernel_need_input (self->kernel, 2, error);
  if (moves->moves == NULL)
    return FALSE;
  shape = &moves->moves->shape;
  moves->n_classes = shape->rank == 4 ? shape->dims[1] / 2 : 0;
  if (moves->n_classes < 1 || shape->dims[0] != (gint64) self->n_rois ||
      shape->dims[2] != moves->part || shape->dims[3] != moves->part ||
      parts->out % moves->n_classes != 0)
    return sym_kernel_fail (error, "trans must be [regions, 2 classes, part_size, part_size]");
  return TRUE;
}

/* How far the part of cell @at is moved, along y and x, in sizes of the region. */
static double
get_move (const Moves *self, gsize roi, gint64 class, const gint64 at[2], const Parts *parts, int k)
{
  gint64 h = at[0] * self->part / parts->pooled, w = at[1] * self->part / parts->pooled;

  if (self->moves == NULL)
    return 0;
  return self->factor *
         get (self->moves,
              (((gsize) roi * (gsize) self->n_classes + (gsize) class) * 2 + (k == 0 ? 1 : 0)) *
                      (gsize) (self->part * self->part) +
                  (gsize) (h * self->part + w));
}

/* The mean of the samples of a cell that lie on the picture, and how many they are. */
static double
average_moved (const Regions *self,
               gsize picture,
               gsize channel,
               const double start[2],
               const double step[2],
               gint64 n,
               double *count)
{
  double sum = 0;

  *count = 0;
  for (gint64 i = 0; i < n; i++)
    for (gint64 j = 0; j < n; j++)
      {
        double h = start[0] + (double) i * step[0], w = start[1] + (double) j * step[1];

        if (h < -0.5 || w < -0.5 || h > (double) self->height - 0.5 ||
            w > (double) self->width - 0.5)
          continue;
        sum += sample (self, picture, channel, h, w, 0.5);
        *count += 1;
      }
  return *count == 0 ? 0 : sum / *count;
}

gboolean
sym_op_mxnet_run_deformable_psroi (SymKernel *kernel, GError **error)
{
  gsize picture, i = 0;
  SymArray *y, *counts;
  gboolean there;
  Regions self;
  Parts parts;
  Moves moves;
  gint64 size[2];

  if (!regions_init (&self, kernel, 5, error) || !read_parts (&self, &parts, error) ||
      !read_moves (&self, &moves, &parts, error))
    return FALSE;
  size[0] = size[1] = parts.pooled;
  y = new_output (&self, 0, (gsize) parts.out, size, error);
  counts = y == NULL ? NULL : new_output (&self, 1, (gsize) parts.out, size, error);
  for (gsize roi = 0; counts != NULL && roi < self.n_rois; roi++)
    {
      if (!find_picture (&self, roi, &picture, &there, error))
        return FALSE;
      for (gint64 cell = 0; cell < parts.out * parts.pooled * parts.pooled; cell++, i++)
        {
          const gint64 at[2] = { cell / parts.pooled % parts.pooled, cell % parts.pooled };
          gint64 channel = cell / (parts.pooled * parts.pooled);
          double start[2], step[2], count = 0, value = 0;

          for (int k = 0; k < 2; k++)
            {
              double first = round (get_roi (&self, roi, 2 - (gsize) k)) * self.scale - 0.5;
              double last = (round (get_roi (&self, roi, 4 - (gsize) k)) + 1) * self.scale - 0.5;
              double extent = MAX (last - first, 0.1), bin = extent / (double) parts.pooled;

              step[k] = bin / (double) moves.samples;
              start[k] = first + (double) at[k] * bin +
                         extent * get_move (&moves, roi, channel / (parts.out / moves.n_classes),
                                            at, &parts, k);
            }
          if (there)
            value = average_moved (&self, picture, find_channel (&parts, channel, at), start, step,
                                   moves.samples, &count);
          set (y, i, value);
          set (counts, i, count);
          if (!sym_op_go_on (kernel, &self.asked, (gsize) (moves.samples * moves.samples), error))
            return FALSE;
        }
    }
  return counts != NULL;
}
