/* SPDX-License-Identifier: MIT */
#include "run/sym-run-picture.h"

#include <math.h>

#include "core/sym-element.h"

#define MAX_COLORS 4

/* Of ImageNet's training pictures, as every network trained on them is told. */
static const double imagenet_mean[] = { 0.485, 0.456, 0.406 };
static const double imagenet_std[] = { 0.229, 0.224, 0.225 };

/* Which pixels, from the first one on, a place of the result takes, each how much. */
typedef struct {
  guint first, n;
  double *weights;
} Taps;

static gboolean
is_color_count (SymDim dim)
{
  return dim == 1 || dim == 3 || dim == 4;
}

gboolean
sym_run_picture_fits (const SymShape *shape, SymPictureAxes *axes)
{
  int first = shape->rank - 3;

  if (shape->rank == 2)
    {
      *axes = (SymPictureAxes){ -1, 0, 1 };
      return TRUE;
    }
  if (shape->rank != 3 && shape->rank != 4)
    return FALSE;
  if (is_color_count (shape->dims[first]))
    *axes = (SymPictureAxes){ first, first + 1, first + 2 };
  else if (is_color_count (shape->dims[first + 2]))
    *axes = (SymPictureAxes){ first + 2, first, first + 1 };
  else
    return FALSE;
  return TRUE;
}

/* ---- Scaling: along one axis what a pixel of the result is made of ---- */

/* A triangle as wide as two pixels of the result, or of the picture where that is made larger:
 * between neighbours it is a straight line, and of a picture made smaller no pixel is left out. */
static void
set_taps (Taps *self, guint i, guint n_to, guint n_from)
{
  double scale = (double) n_from / n_to;
  double reach = MAX (scale, 1);
  double middle = (i + 0.5) * scale - 0.5;
  double first = MAX (ceil (middle - reach), 0);
  double last = MIN (floor (middle + reach), n_from - 1.0);
  double sum = 0;

  self->first = (guint) first;
  self->n = (guint) (last - first) + 1;
  self->weights = g_new (double, self->n);
  for (guint k = 0; k < self->n; k++)
    {
      self->weights[k] = MAX (1 - fabs (first + k - middle) / reach, 0);
      sum += self->weights[k];
    }
  for (guint k = 0; k < self->n; k++)
    self->weights[k] /= sum;
}

static Taps *
create_taps (guint n_to, guint n_from)
{
  Taps *self = g_new0 (Taps, n_to + 1);

  for (guint i = 0; i < n_to; i++)
    set_taps (&self[i], i, n_to, n_from);
  return self;
}

static void
free_taps (Taps *self, guint n)
{
  for (guint i = 0; i < n; i++)
    g_free (self[i].weights);
  g_free (self);
}

/* ---- Numbers ---- */

/* Rec. 601, as every grey picture is made. */
static double
get_byte (const SymPixels *pixels, guint x, guint y, guint color, guint n_colors)
{
  const guint8 *pixel = pixels->data + (gsize) y * pixels->stride + (gsize) x * pixels->n_channels;

  if (n_colors == 1)
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
  return color < pixels->n_channels ? pixel[color] : 255;
}

static double
convert (double byte, SymPictureRange range, guint color, guint n_colors)
{
  guint i = n_colors == 1 ? 1 : MIN (color, 2);

  switch (range)
    {
    case SYM_PICTURE_BYTE:
      return byte;
    case SYM_PICTURE_SIGNED:
      return byte / 127.5 - 1;
    case SYM_PICTURE_IMAGENET:
      return (byte / 255 - imagenet_mean[i]) / imagenet_std[i];
    case SYM_PICTURE_UNIT:
    default:
      return byte / 255;
    }
}

typedef struct {
  const SymPixels *pixels;
  SymPictureRange range;
  SymPictureAxes axes;
  SymArray *array;
  guint n_colors, n_rows, n_columns;
  gsize steps[SYM_MAX_RANK];   /* elements from one place of an axis to the next */
  gsize n_repeat, repeat_step; /* of a batch */
} Filling;

static void
set_everywhere (const Filling *self, gsize at, double number)
{
  SymDType dtype = self->array->dtype;

  for (gsize i = 0; i < self->n_repeat; i++)
    if (sym_dtype_is_floating (dtype))
      sym_element_set_double (dtype, self->array->data, at + i * self->repeat_step, number);
    else
      sym_element_set_int (dtype, self->array->data, at + i * self->repeat_step,
                           (gint64) (number + 0.5));
}

/* One row of the picture's height after the other, made as narrow as the result first. */
static void
squeeze_row (const Filling *self, guint y, guint color, const Taps *columns, double *row)
{
  for (guint x = 0; x < self->n_columns; x++)
    {
      row[x] = 0;
      for (guint k = 0; k < columns[x].n; k++)
        row[x] += columns[x].weights[k] *
                  get_byte (self->pixels, columns[x].first + k, y, color, self->n_colors);
    }
}

static void
fill_color (const Filling *self, guint color, const Taps *rows, const Taps *columns)
{
  g_autofree double *squeezed = g_new (double, (gsize) self->pixels->height * self->n_columns + 1);
  gsize base = self->axes.channel >= 0 ? color * self->steps[self->axes.channel] : 0;

  for (guint y = 0; y < self->pixels->height; y++)
    squeeze_row (self, y, color, columns, squeezed + (gsize) y * self->n_columns);
  for (guint y = 0; y < self->n_rows; y++)
    for (guint x = 0; x < self->n_columns; x++)
      {
        double sum = 0;

        for (guint k = 0; k < rows[y].n; k++)
          sum += rows[y].weights[k] * squeezed[(gsize) (rows[y].first + k) * self->n_columns + x];
        set_everywhere (self,
                        base + y * self->steps[self->axes.row] + x * self->steps[self->axes.column],
                        convert (sum, self->range, color, self->n_colors));
      }
}

static void
fill (Filling *self)
{
  const SymShape *shape = &self->array->shape;
  Taps *rows, *columns;
  gsize step = 1;

  for (int i = shape->rank; i-- > 0;)
    {
      self->steps[i] = step;
      step *= (gsize) shape->dims[i];
    }
  self->n_repeat = shape->rank == 4 ? (gsize) shape->dims[0] : 1;
  self->repeat_step = shape->rank == 4 ? self->steps[0] : 0;
  self->n_rows = (guint) shape->dims[self->axes.row];
  self->n_columns = (guint) shape->dims[self->axes.column];
  self->n_colors = self->axes.channel >= 0 ? (guint) shape->dims[self->axes.channel] : 1;
  rows = create_taps (self->n_rows, self->pixels->height);
  columns = create_taps (self->n_columns, self->pixels->width);
  for (guint color = 0; color < self->n_colors; color++)
    fill_color (self, color, rows, columns);
  free_taps (rows, self->n_rows);
  free_taps (columns, self->n_columns);
}

SymDatum *
sym_run_fill_picture (const SymPixels *pixels,
                      SymPictureRange range,
                      SymDType dtype,
                      const SymShape *shape,
                      GError **error)
{
  Filling filling = { .pixels = pixels, .range = range };
  SymDatum *self;

  g_return_val_if_fail (pixels->width > 0 && pixels->height > 0 && pixels->n_channels >= 3, NULL);

  if (!sym_shape_is_known (shape) || !sym_run_picture_fits (shape, &filling.axes))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "a picture needs an input of 2 to 4 axes with 1, 3 or 4 colours first or last");
      return NULL;
    }
  if (!sym_dtype_is_floating (dtype) && range != SYM_PICTURE_BYTE)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "an input of %s takes a picture with numbers from 0 to 255 only",
                   sym_dtype_to_string (dtype));
      return NULL;
    }
  self = sym_datum_new (dtype, shape, error);
  if (self == NULL)
    return NULL;
  filling.array = (SymArray *) sym_datum_get_array (self);
  if (sym_array_get_n_elements (filling.array) > 0)
    fill (&filling);
  return self;
}
