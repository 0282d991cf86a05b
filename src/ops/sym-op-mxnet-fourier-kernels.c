/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-fourier.h"
#include "ops/sym-op-mxnet-fourier.h"

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

/* Operand 0 as rows of its last axis, *@width wide. */
static const SymArray *
read_rows (SymKernel *kernel, gsize *n_rows, gsize *width, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);

  if (x == NULL)
    return NULL;
  if (x->shape.rank < 1 || !sym_dtype_is_floating (x->dtype))
    {
      sym_kernel_set_error (error, "data of %s with %d axes has no rows of floats",
                            sym_dtype_to_string (x->dtype), x->shape.rank);
      return NULL;
    }
  *width = (gsize) x->shape.dims[x->shape.rank - 1];
  *n_rows = *width == 0 ? 0 : sym_array_get_n_elements (x) / *width;
  return x;
}

/* Real and imaginary parts lie side by side.  As cuFFT has it, the inverse is not divided by n. */
static gboolean
transform (SymKernel *kernel, gboolean inverse, GError **error)
{
  gsize n_rows, width, n, asked = 0;
  const SymArray *x = read_rows (kernel, &n_rows, &width, error);
  SymOpFourier *fourier;
  double *row;
  SymShape shape;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  n = inverse ? width / 2 : width;
  if (n == 0 || (inverse && width % 2 != 0))
    return sym_kernel_fail (error, "rows of %" G_GSIZE_FORMAT " numbers are not transformed",
                            width);
  shape = x->shape;
  shape.dims[shape.rank - 1] = (gint64) (inverse ? n : 2 * n);
  fourier = sym_op_fourier_new (kernel, n, error);
  row = fourier == NULL ? NULL : sym_kernel_get_scratch (kernel, 2 * n, sizeof *row, error);
  y = row == NULL ? NULL : sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
  for (gsize i = 0; y != NULL && i < n_rows; i++)
    {
      for (gsize k = 0; k < 2 * n; k++)
        row[k] = inverse ? get (x, i * width + k) : k % 2 == 0 ? get (x, i * width + k / 2) : 0;
      if (!sym_op_fourier_run (fourier, row, inverse, error))
        return FALSE;
      for (gsize k = 0; k < (inverse ? n : 2 * n); k++)
        sym_element_set_double (y->dtype, y->data, i * (inverse ? n : 2 * n) + k,
                                inverse ? row[2 * k] * (double) n : row[k]);
      if (!sym_op_go_on (kernel, &asked, 4 * n, error))
        return FALSE;
    }
  return y != NULL;
}

gboolean
sym_op_mxnet_run_fft (SymKernel *kernel, GError **error)
{
  return transform (kernel, FALSE, error);
}

gboolean
sym_op_mxnet_run_ifft (SymKernel *kernel, GError **error)
{
  return transform (kernel, TRUE, error);
}

/* Number i is added at place h[i], times s[i]. */
gboolean
sym_op_mxnet_run_sketch (SymKernel *kernel, GError **error)
{
  gint64 size = sym_kernel_get_int (kernel, "out_dim", 0);
  gsize n_rows, width, asked = 0;
  const SymArray *x = read_rows (kernel, &n_rows, &width, error), *h, *s;
  SymShape shape;
  SymArray *y;

  if (x == NULL || (h = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (s = sym_kernel_need_input (kernel, 2, error)) == NULL)
    return FALSE;
  if (size < 1 || sym_array_get_n_elements (h) != width || sym_array_get_n_elements (s) != width ||
      !sym_dtype_is_numeric (h->dtype) || !sym_dtype_is_numeric (s->dtype))
    return sym_kernel_fail (error, "places and signs are needed for %" G_GSIZE_FORMAT " numbers",
                            width);
  shape = x->shape;
  shape.dims[shape.rank - 1] = size;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
  if (y == NULL || !sym_op_clear (kernel, y, error))
    return FALSE;
  for (gsize i = 0; i < n_rows * width; i++)
    {
      double place = get (h, i % width);
      gsize at = i / width * (gsize) size + (place >= 0 ? (gsize) place : 0);

      if (!(place >= 0 && place < (double) size))
        return sym_kernel_fail (error, "place %g is none of %" G_GINT64_FORMAT, place, size);
      sym_element_set_double (y->dtype, y->data, at, get (y, at) + get (s, i % width) * get (x, i));
      if (!sym_op_go_on (kernel, &asked, 2, error))
        return FALSE;
    }
  return TRUE;
}
