/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-regions.h"

/* Correlation of the patches of two pictures [n, channels, height, width] that lie up to a distance
 * apart: each distance is a channel of the result. */
typedef struct {
  const SymArray *a, *b;
  gint64 kernel, furthest, first, second, pad;
  gint64 channels, height, width, across, out[2];
  gboolean products;
} Correlation;

static double
get (const Correlation *self, const SymArray *x, gint64 n, gint64 c, gint64 h, gint64 w)
{
  h -= self->pad;
  w -= self->pad;
  if (h < 0 || w < 0 || h >= self->height || w >= self->width)
    return 0;
  return sym_element_get_double (
      x->dtype, x->data, (gsize) (((n * self->channels + c) * self->height + h) * self->width + w));
}

static double
compare (const Correlation *self, gint64 n, const gint64 place[2], const gint64 by[2])
{
  double sum = 0;

  for (gint64 i = 0; i < self->kernel; i++)
    for (gint64 j = 0; j < self->kernel; j++)
      for (gint64 c = 0; c < self->channels; c++)
        {
          double a = get (self, self->a, n, c, place[0] + i, place[1] + j);
          double b = get (self, self->b, n, c, place[0] + by[0] + i, place[1] + by[1] + j);

          sum += self->products ? a * b : fabs (a - b);
        }
  return sum / (double) (self->kernel * self->kernel * MAX (self->channels, 1));
}

static gboolean
read_all (Correlation *self, SymKernel *kernel, GError **error)
{
  gint64 border, size[2];

  *self = (Correlation){ .kernel = sym_kernel_get_int (kernel, "kernel_size", 1),
                         .furthest = sym_kernel_get_int (kernel, "max_displacement", 1),
                         .first = sym_kernel_get_int (kernel, "stride1", 1),
                         .second = sym_kernel_get_int (kernel, "stride2", 1),
                         .pad = sym_kernel_get_int (kernel, "pad_size", 0),
                         .products = sym_kernel_get_bool (kernel, "is_multiply", TRUE) };
  self->a = sym_kernel_need_input (kernel, 0, error);
  self->b = self->a == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->b == NULL)
    return FALSE;
  if (self->a->shape.rank != 4 || !sym_shape_equal (&self->a->shape, &self->b->shape) ||
      !sym_dtype_is_floating (self->a->dtype) || self->a->dtype != self->b->dtype)
    return sym_kernel_fail (error, "both must be floats [N, C, H, W] of one shape");
  if (self->kernel < 1 || self->kernel % 2 == 0 || self->kernel > G_MAXINT16 ||
      self->furthest < 0 || self->furthest > G_MAXINT16 || self->first < 1 || self->second < 1 ||
      self->pad < 0 || self->pad > G_MAXINT16)
    return sym_kernel_fail (error, "kernel_size must be odd, and strides at least 1");
  self->channels = self->a->shape.dims[1];
  self->height = self->a->shape.dims[2];
  self->width = self->a->shape.dims[3];
  self->across = self->furthest / self->second * 2 + 1;
  border = self->furthest + (self->kernel - 1) / 2;
  size[0] = self->height + 2 * self->pad - 2 * border;
  size[1] = self->width + 2 * self->pad - 2 * border;
  for (int i = 0; i < 2; i++)
    {
      if (size[i] < 1)
        return sym_kernel_fail (error, "the pictures are smaller than the distances");
      self->out[i] = (size[i] + self->first - 1) / self->first;
    }
  return TRUE;
}

gboolean
sym_op_mxnet_run_correlation (SymKernel *kernel, GError **error)
{
  gsize asked = 0, i = 0;
  Correlation self;
  SymArray *y;

  if (!read_all (&self, kernel, error))
    return FALSE;
  for (guint k = 1; k < sym_kernel_get_n_outputs (kernel); k++)
    if (sym_kernel_wants_output (kernel, k))
      return sym_kernel_fail (error, "output %u, memory of MXNet's own, is not computed", k);
  y = sym_kernel_new_output (
      kernel, 0, self.a->dtype,
      &SYM_SHAPE (self.a->shape.dims[0], self.across * self.across, self.out[0], self.out[1]),
      error);
  for (gint64 n = 0; y != NULL && n < self.a->shape.dims[0]; n++)
    for (gint64 c = 0; c < self.across * self.across; c++)
      for (gint64 place = 0; place < self.out[0] * self.out[1]; place++, i++)
        {
          const gint64 by[2] = { (c / self.across - self.across / 2) * self.second,
                                 (c % self.across - self.across / 2) * self.second };
          const gint64 at[2] = { place / self.out[1] * self.first + self.furthest,
                                 place % self.out[1] * self.first + self.furthest };

          sym_element_set_double (y->dtype, y->data, i, compare (&self, n, at, by));
          if (!sym_op_go_on (kernel, &asked, (gsize) (self.kernel * self.kernel * self.channels),
                             error))
            return FALSE;
        }
  return y != NULL;
}
