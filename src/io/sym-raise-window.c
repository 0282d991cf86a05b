/* SPDX-License-Identifier: MIT */
#include "io/sym-raise.h"

#include <string.h>

gboolean
sym_raise_read_list (SymRaise *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  int found = sym_raise_get_ints (self, name, 0, values, n);

  for (int i = 0; found < 0 && i < n; i++)
    values[i] = fallback;
  return found == n ||
         (found < 0 && sym_attributes_find (sym_raise_get_attributes (self), name) == NULL);
}

/* Sums of such are numbers, too. */
static gboolean
is_small (gint64 number)
{
  return number == SYM_DIM_UNKNOWN || (number >= -G_MAXINT32 && number <= G_MAXINT32);
}

gboolean
sym_raise_read_window (SymRaise *self, gboolean has_weights, SymRaiseWindow *window)
{
  SymShape shape = sym_raise_get_shape (self, 0), weight = sym_raise_get_shape (self, 1);
  gboolean done;

  window->n = shape.rank - 2;
  if (window->n < 1 || window->n > SYM_RAISE_MAX_WINDOW)
    {
      sym_raise_fail (self, "the data must have 3 to 5 axes");
      return FALSE;
    }
  done = sym_raise_read_list (self, "kernel_shape", window->n, 0, window->kernel) &&
         sym_raise_read_list (self, "strides", window->n, 1, window->stride) &&
         sym_raise_read_list (self, "dilations", window->n, 1, window->dilation) &&
         sym_raise_read_list (self, "pads", 2 * window->n, 0, window->pads);
  for (int i = 0; done && i < window->n && has_weights && weight.rank == shape.rank; i++)
    window->kernel[i] = weight.dims[i + 2];
  for (int i = 0; done && i < 2 * window->n; i++)
    done = is_small (window->pads[i]) && is_small (shape.dims[2 + i % window->n]);
  for (int i = 0; done && i < window->n; i++)
    done = window->kernel[i] > 0 && window->stride[i] > 0 && window->dilation[i] > 0 &&
           MAX (window->kernel[i], MAX (window->stride[i], window->dilation[i])) <= G_MAXINT32;
  if (!done)
    sym_raise_fail (self, "its window is not known beforehand");
  return done;
}

gboolean
sym_raise_get_same (const SymRaiseWindow *self,
                    int i,
                    SymDim size,
                    gboolean is_upper,
                    gint64 pads[2])
{
  gint64 reach = (self->kernel[i] - 1) * self->dilation[i] + 1, stride = self->stride[i];
  gint64 all;

  if (size < 0 && stride > 1)
    return FALSE;
  all = stride == 1 ? reach - 1 : ((size + stride - 1) / stride - 1) * stride + reach - size;
  all = MAX (all, 0);
  pads[0] = is_upper ? all / 2 : all - all / 2;
  pads[1] = all - pads[0];
  return TRUE;
}

gboolean
sym_raise_settle_pads (SymRaise *self, SymRaiseWindow *window)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  const char *same = sym_raise_get_string (self, "auto_pad", "NOTSET");
  gint64 pads[2];

  for (int i = 0; i < window->n && g_str_has_prefix (same, "SAME"); i++)
    {
      if (!sym_raise_get_same (window, i, shape.dims[i + 2], strcmp (same, "SAME_UPPER") == 0,
                               pads))
        {
          sym_raise_fail (self, "its window is not known beforehand");
          return FALSE;
        }
      window->pads[i] = pads[0];
      window->pads[i + window->n] = pads[1];
    }
  return TRUE;
}

gboolean
sym_raise_is_even (const SymRaiseWindow *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->pads[i] != self->pads[i + self->n] || self->pads[i] < 0)
      return FALSE;
  return TRUE;
}
