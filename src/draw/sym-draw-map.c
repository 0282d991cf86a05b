/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-map.h"

#include <math.h>

#include "core/sym-element.h"
#include "draw/sym-rgb.h"

#define NOT_A_NUMBER 0xc061cb /* a purple that neither scale has */
#define BELOW 0x1c71d8
#define ABOVE 0xe66100

/* ---- Which maps there are ---- */

static gboolean
guess_channels_last (const SymShape *shape)
{
  const SymDim *last = shape->dims + shape->rank - 3;

  return shape->rank >= 4 && last[0] == last[1] && last[1] != last[2];
}

gboolean
sym_maps_init (SymMaps *self, const SymShape *shape, int channels_last)
{
  int row;

  if (shape->rank < 2 || !sym_shape_is_known (shape))
    return FALSE;
  *self = (SymMaps){ .shape = *shape, .n_maps = 1 };
  if (shape->rank > 2)
    self->channels_last = channels_last < 0 ? guess_channels_last (shape) : channels_last > 0;
  row = shape->rank - (self->channels_last ? 3 : 2);
  self->height = (guint64) shape->dims[row];
  self->width = (guint64) shape->dims[row + 1];
  for (int i = 0; i < shape->rank; i++)
    if (i != row && i != row + 1)
      self->n_maps *= (guint64) shape->dims[i];
  return self->n_maps > 0 && self->width > 1 && self->height > 1;
}

/* ---- Colours ---- */

guint32
sym_map_get_color (SymMapColors colors, SymTheme theme, double number, double low, double high)
{
  double reach = MAX (fabs (low), fabs (high));
  double part;

  if (!isfinite (number))
    return NOT_A_NUMBER;
  if (colors == SYM_MAP_GREY)
    {
      /* Halves, as the width of all doubles is no double. */
      part = high > low ? (number / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
      return sym_rgb_mix (0x000000, 0xffffff, CLAMP (part, 0, 1));
    }
  part = reach > 0 ? CLAMP (number / reach, -1, 1) : 0;
  return sym_rgb_mix (sym_theme_is_dark (theme) ? 0x1f1f23 : 0xf6f5f4, part < 0 ? BELOW : ABOVE,
                      fabs (part));
}

/* ---- Painting ---- */

typedef struct {
  const SymMaps *maps;
  const SymArray *array;
  guint64 first, row_step, column_step; /* elements */
  guint width, height;                  /* of the picture */
} Painting;

static double
get_number (const Painting *self, guint64 row, guint64 column)
{
  return sym_element_get_double (
      self->array->dtype, self->array->data,
      (gsize) (self->first + row * self->row_step + column * self->column_step));
}

/* The mean of what lies under a pixel; of anything that is no number among it nothing hides. */
static double
get_mean (const Painting *self, guint x, guint y)
{
  guint64 top = self->maps->height * y / self->height;
  guint64 bottom = self->maps->height * (y + 1) / self->height;
  guint64 left = self->maps->width * x / self->width;
  guint64 right = self->maps->width * (x + 1) / self->width;
  double sum = 0;

  for (guint64 row = top; row < bottom; row++)
    for (guint64 column = left; column < right; column++)
      sum += get_number (self, row, column) / (double) ((bottom - top) * (right - left));
  return sum;
}

static void
set_place (Painting *self, guint64 map)
{
  const SymMaps *maps = self->maps;
  guint64 n_channels = maps->channels_last ? (guint64) maps->shape.dims[maps->shape.rank - 1] : 1;

  self->column_step = n_channels;
  self->row_step = maps->width * n_channels;
  self->first = map / n_channels * maps->height * self->row_step + map % n_channels;
}

static gboolean
paint (const Painting *self,
       const SymMapOptions *options,
       cairo_surface_t *surface,
       GCancellable *cancellable,
       GError **error)
{
  guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (guint y = 0; y < self->height; y++)
    {
      guint32 *row = (guint32 *) (gpointer) (data + (gsize) y * (gsize) stride);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint x = 0; x < self->width; x++)
        row[x] = sym_map_get_color (options->colors, options->theme, get_mean (self, x, y),
                                    options->low, options->high);
    }
  return TRUE;
}

cairo_surface_t *
sym_maps_paint (const SymMaps *self,
                const SymArray *array,
                guint64 map,
                const SymMapOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  Painting painting = { .maps = self, .array = array };
  cairo_surface_t *surface;

  g_return_val_if_fail (map < self->n_maps && sym_dtype_is_numeric (array->dtype), NULL);
  g_return_val_if_fail (sym_shape_equal (&self->shape, &array->shape), NULL);
  g_return_val_if_fail (options->max_side > 0, NULL);

  painting.width = (guint) MIN (self->width, options->max_side);
  painting.height = (guint) MIN (self->height, options->max_side);
  set_place (&painting, map);
  surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) painting.width, (int) painting.height);
  cairo_surface_flush (surface);
  if (!paint (&painting, options, surface, cancellable, error))
    g_clear_pointer (&surface, cairo_surface_destroy);
  else
    cairo_surface_mark_dirty (surface);
  return surface;
}
