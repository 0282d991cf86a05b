/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-window.h"

#include <string.h>

/* ---- Attributes ---- */

static gboolean
get_ints (const SymAttributes *attributes,
          const char *name,
          int n,
          gint64 least,
          gint64 fallback,
          gint64 *values,
          GError **error)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  int count = value == NULL ? -1 : sym_value_get_ints (value, values, n);

  if (count <= 0)
    for (int i = 0; i < n; i++)
      values[i] = fallback;
  else if (count != n)
    return sym_kernel_fail (error, "%s has %d numbers, not %d", name, count, n);
  for (int i = 0; i < n; i++)
    if (values[i] < least || values[i] > G_MAXINT32)
      return sym_kernel_fail (error, "%s %" G_GINT64_FORMAT " should be at least %" G_GINT64_FORMAT,
                              name, values[i], least);
  return TRUE;
}

static gboolean
read_kernel (SymOpOnnxWindows *self,
             const SymAttributes *attributes,
             const gint64 *kernel,
             GError **error)
{
  if (!get_ints (attributes, "kernel_shape", self->n, 1, G_MAXINT32, self->kernel, error))
    return FALSE;
  for (int i = 0; i < self->n; i++)
    {
      gboolean is_told = self->kernel[i] != G_MAXINT32;
      gint64 size = kernel == NULL ? SYM_DIM_UNKNOWN : kernel[i];

      if (is_told && size >= 0 && size != self->kernel[i])
        return sym_kernel_fail (error,
                                "kernel_shape tells %" G_GINT64_FORMAT
                                " along axis %d, the weight %" G_GINT64_FORMAT,
                                self->kernel[i], i, size);
      if (!is_told && kernel == NULL)
        return sym_kernel_fail (error, "kernel_shape is missing");
      if (!is_told)
        self->kernel[i] = size;
      if (self->kernel[i] == 0 || self->kernel[i] > G_MAXINT32)
        return sym_kernel_fail (error, "a kernel of %" G_GINT64_FORMAT " elements cannot be",
                                self->kernel[i]);
    }
  return TRUE;
}

gboolean
sym_op_onnx_windows_init (SymOpOnnxWindows *self,
                          const SymAttributes *attributes,
                          int n,
                          const gint64 *kernel,
                          GError **error)
{
  const char *auto_pad = sym_attributes_get_string (attributes, "auto_pad", "NOTSET");
  gint64 pads[2 * SYM_MAX_RANK];

  *self = (SymOpOnnxWindows){ .n = n, .auto_pad = auto_pad };
  self->up = sym_op_get_int (attributes, "ceil_mode", 0) != 0;
  if (n < 0)
    return sym_kernel_fail (error, "the data must have an axis of examples and one of channels");
  if (!read_kernel (self, attributes, kernel, error) ||
      !get_ints (attributes, "strides", n, 1, 1, self->stride, error) ||
      !get_ints (attributes, "dilations", n, 1, 1, self->dilate, error) ||
      !get_ints (attributes, "pads", 2 * n, 0, 0, pads, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      gboolean is_told = g_str_equal (self->auto_pad, "NOTSET");

      self->before[i] = is_told ? pads[i] : 0;
      self->after[i] = is_told ? pads[n + i] : 0;
    }
  return TRUE;
}

gint64
sym_op_onnx_windows_get_extent (const SymOpOnnxWindows *self, int axis)
{
  return self->dilate[axis] * (self->kernel[axis] - 1) + 1;
}

static gboolean
is_same (const SymOpOnnxWindows *self)
{
  return g_str_has_prefix (self->auto_pad, "SAME");
}

/* ---- Sizes ---- */

/* As many places as the axis has steps, the padding that this needs on both sides. */
static void
place_same (SymOpOnnxWindows *self, int i)
{
  gint64 size = self->size[i], needed;

  self->places[i] = size / self->stride[i] + (size % self->stride[i] != 0);
  needed = (self->places[i] - 1) * self->stride[i] - size;
  needed += sym_op_onnx_windows_get_extent (self, i);
  needed = self->places[i] == 0 ? 0 : MAX (needed, 0);
  self->before[i] = g_str_equal (self->auto_pad, "SAME_LOWER") ? needed - needed / 2 : needed / 2;
  self->after[i] = needed - self->before[i];
}

/* A place that is only half filled counts with ceil_mode, unless it lies behind all data. */
static gboolean
place_told (SymOpOnnxWindows *self, int i, GError **error)
{
  gint64 size = self->size[i], stride = self->stride[i], room;

  if (size > G_MAXINT64 / 2)
    return sym_kernel_fail (error, "an axis of %" G_GINT64_FORMAT " is too long", size);
  room = size + self->before[i] + self->after[i] - sym_op_onnx_windows_get_extent (self, i);
  if (room < 0)
    return sym_kernel_fail (
        error,
        "a window of %" G_GINT64_FORMAT " elements is larger than the axis: %" G_GINT64_FORMAT
        ", padded to %" G_GINT64_FORMAT,
        sym_op_onnx_windows_get_extent (self, i), size, size + self->before[i] + self->after[i]);
  self->places[i] = room / stride + 1;
  if (self->up && room % stride != 0 && self->places[i] * stride < size + self->before[i])
    self->places[i]++;
  return TRUE;
}

gboolean
sym_op_onnx_windows_place (SymOpOnnxWindows *self, const gint64 *sizes, GError **error)
{
  for (int i = 0; i < self->n; i++)
    {
      self->size[i] = sizes[i];
      if (is_same (self))
        place_same (self, i);
      else if (!place_told (self, i, error))
        return FALSE;
    }
  return TRUE;
}

/* One axis of a result, whatever is known of the data. */
static gboolean
infer_axis (const SymOpOnnxWindows *self, SymRule *rule, int i, SymDim *size, GError **error)
{
  SymOpOnnxWindows known = *self;
  SymOpWindow window = { self->kernel[i], self->stride[i], self->dilate[i],
                         self->before[i], self->after[i],  self->up };

  if (is_same (self))
    *size = sym_terms_ceil_divide (sym_rule_get_terms (rule), *size, self->stride[i]);
  else if (self->kernel[i] < 0)
    *size = SYM_DIM_UNKNOWN;
  else if (*size < 0)
    return sym_op_slide (rule, *size, &window, size, error);
  else
    {
      known.size[i] = *size;
      if (!place_told (&known, i, error))
        return FALSE;
      *size = known.places[i];
    }
  return TRUE;
}

gboolean
sym_op_onnx_windows_infer (const SymOpOnnxWindows *self,
                           SymRule *rule,
                           SymShape *shape,
                           GError **error)
{
  for (int i = 0; i < self->n; i++)
    if (!infer_axis (self, rule, i, &shape->dims[2 + i], error))
      return FALSE;
  return TRUE;
}

gsize
sym_op_onnx_multiply (const gint64 *numbers, int n)
{
  gsize product = 1;

  for (int i = 0; i < n; i++)
    product *= (gsize) numbers[i];
  return product;
}

/* ---- Unfolding ---- */

/* Element @tap of the window along the last axis, for @n places from @place on. */
#define UNFOLD_ROW(type)                                  \
  do                                                      \
    {                                                     \
      const type *from = row;                             \
      type *to = columns, filler = *(const type *) blank; \
                                                          \
      for (gsize k = 0; k < n; k++, at += stride)         \
        to[k] = at >= 0 && at < size ? from[at] : filler; \
    }                                                     \
  while (0)

static void
unfold_row (const void *row,
            gint64 at,
            gint64 stride,
            gint64 size,
            gsize n,
            gsize n_bytes,
            const void *blank,
            void *columns)
{
  if (n_bytes == 1)
    UNFOLD_ROW (guint8);
  else if (n_bytes == 2)
    UNFOLD_ROW (guint16);
  else if (n_bytes == 4)
    UNFOLD_ROW (guint32);
  else
    UNFOLD_ROW (guint64);
}

/* One row of the matrix: tap @tap of the windows on one plane. */
static void
unfold_tap (const SymOpOnnxWindows *self,
            const guint8 *plane,
            const gint64 *tap,
            gsize n_bytes,
            gsize first,
            gsize n,
            const void *blank,
            guint8 *columns)
{
  int last = self->n - 1;

  for (gsize done = 0; done < n;)
    {
      gsize place = (first + done) / (gsize) self->places[last];
      gsize column = (first + done) % (gsize) self->places[last];
      gsize count = MIN (n - done, (gsize) self->places[last] - column), row = 0, step = 1;
      gboolean is_inside = TRUE;

      for (int i = last; i-- > 0;)
        {
          gint64 at = (gint64) (place % (gsize) self->places[i]) * self->stride[i] -
                      self->before[i] + tap[i] * self->dilate[i];

          place /= (gsize) self->places[i];
          is_inside &= at >= 0 && at < self->size[i];
          row += is_inside ? (gsize) at * step : 0;
          step *= (gsize) self->size[i];
        }
      unfold_row (plane + row * (gsize) self->size[last] * n_bytes,
                  (gint64) column * self->stride[last] - self->before[last] +
                      tap[last] * self->dilate[last],
                  self->stride[last], is_inside ? self->size[last] : 0, count, n_bytes, blank,
                  columns + done * n_bytes);
      done += count;
    }
}

gboolean
sym_op_onnx_windows_unfold (const SymOpOnnxWindows *self,
                            SymKernel *kernel,
                            const void *x,
                            gsize n_channels,
                            gsize size,
                            gsize first,
                            gsize n,
                            const void *blank,
                            void *columns,
                            GError **error)
{
  gsize plane = sym_op_onnx_multiply (self->size, self->n), row = 0, asked = 0;
  gsize n_taps = sym_op_onnx_multiply (self->kernel, self->n);

  for (gsize c = 0; c < n_channels; c++)
    {
      gint64 tap[SYM_MAX_RANK] = { 0 };

      for (gsize k = 0; k < n_taps; k++, row++)
        {
          if (!sym_op_go_on (kernel, &asked, n, error))
            return FALSE;
          unfold_tap (self, (const guint8 *) x + c * plane * size, tap, size, first, n, blank,
                      (guint8 *) columns + row * n * size);
          for (int i = self->n; i-- > 0;)
            {
              if (++tap[i] < self->kernel[i])
                break;
              tap[i] = 0;
            }
        }
    }
  return TRUE;
}
