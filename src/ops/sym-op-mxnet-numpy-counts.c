/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-numpy.h"

/* Counts, conditions and lines between points. */

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

/* ---- bincount ---- */

/* There are as many places as the greatest element says, which may be far more than there are
 * elements: beyond this it is taken for a mistake. */
#define MAX_COUNTS ((gint64) 1 << 26)

gboolean
sym_op_mxnet_run_bincount (SymKernel *kernel, GError **error)
{
  gint64 n = sym_kernel_get_int (kernel, "minlength", 0);
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymArray *weights = sym_kernel_get_input (kernel, 1);
  gsize n_elements, asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  n_elements = sym_array_get_n_elements (x);
  if (!sym_dtype_is_integer (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (weights != NULL &&
      (!sym_dtype_is_numeric (weights->dtype) || sym_array_get_n_elements (weights) != n_elements))
    return sym_kernel_fail (error, "there is not a weight for each element");
  for (gsize i = 0; i < n_elements; i++)
    {
      gint64 number = sym_element_get_int (x->dtype, x->data, i);

      if (number < 0 || number >= MAX_COUNTS)
        return sym_kernel_fail (error, "%" G_GINT64_FORMAT " is not counted", number);
      n = MAX (n, number + 1);
    }
  if (n < 0 || n > MAX_COUNTS)
    return sym_kernel_fail (error, "minlength is %" G_GINT64_FORMAT, n);
  y = sym_kernel_new_output (kernel, 0, weights == NULL ? x->dtype : weights->dtype, &SYM_SHAPE (n),
                             error);
  if (y == NULL || !sym_op_clear (kernel, y, error))
    return FALSE;
  for (gsize i = 0; i < n_elements; i++)
    {
      gsize place = (gsize) sym_element_get_int (x->dtype, x->data, i);

      sym_element_set_double (y->dtype, y->data, place,
                              get (y, place) + (weights == NULL ? 1 : get (weights, i)));
      if (!sym_op_go_on (kernel, &asked, 2, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- constraint_check ---- */

gboolean
sym_op_mxnet_run_check (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gsize asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  for (gsize i = 0; i < sym_array_get_n_elements (x); i++)
    {
      if (get (x, i) == 0)
        return sym_kernel_fail (error, "%s",
                                sym_kernel_get_string (kernel, "msg", "Constraint violated."));
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
    }
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_BOOL, &SYM_SHAPE (), error);
  if (y != NULL)
    sym_element_set_int (SYM_DTYPE_BOOL, y->data, 0, 1);
  return y != NULL;
}

/* ---- interp ---- */

typedef struct {
  const SymArray *places, *values;
  gsize n;
  double left, right;
} Points;

/* The line between the neighbours of @x among points that go up. */
static double
interpolate (const Points *self, double x)
{
  gsize low = 0, high = self->n - 1;
  double a, b;

  if (isnan (x) || x < get (self->places, 0))
    return isnan (x) ? x : self->left;
  if (x > get (self->places, high))
    return self->right;
  while (high - low > 1)
    {
      gsize middle = (low + high) / 2;

      *(get (self->places, middle) <= x ? &low : &high) = middle;
    }
  if (x == get (self->places, high))
    return get (self->values, high);
  a = get (self->places, low);
  b = get (self->places, high);
  return get (self->values, low) +
         (get (self->values, high) - get (self->values, low)) * (x - a) / (b - a);
}

static gboolean
read_points (Points *self, SymKernel *kernel, GError **error)
{
  self->places = sym_kernel_need_input (kernel, 0, error);
  self->values = self->places == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->values == NULL)
    return FALSE;
  self->n = sym_array_get_n_elements (self->places);
  if (!sym_dtype_is_numeric (self->places->dtype) || !sym_dtype_is_numeric (self->values->dtype) ||
      self->n == 0 || sym_array_get_n_elements (self->values) != self->n)
    return sym_kernel_fail (error, "there is not a value for each place");
  if (sym_kernel_get_float (kernel, "period", 0) != 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED, "interp: periods are not computed");
      return FALSE;
    }
  self->left = sym_kernel_get_float (kernel, "left", get (self->values, 0));
  self->right = sym_kernel_get_float (kernel, "right", get (self->values, self->n - 1));
  return TRUE;
}

gboolean
sym_op_mxnet_run_interp (SymKernel *kernel, GError **error)
{
  gboolean scalar = sym_kernel_get_bool (kernel, "x_is_scalar", FALSE);
  const SymArray *x = NULL;
  gsize asked = 0;
  Points points;
  SymArray *y;

  if (!read_points (&points, kernel, error) ||
      (!scalar && (x = sym_kernel_need_input (kernel, 2, error)) == NULL))
    return FALSE;
  if (x != NULL && !sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT64, scalar ? &SYM_SHAPE () : &x->shape,
                             error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      ((double *) y->data)[i] =
          interpolate (&points, scalar ? sym_kernel_get_float (kernel, "x_scalar", 0) : get (x, i));
      if (!sym_op_go_on (kernel, &asked, 16, error))
        return FALSE;
    }
  return y != NULL;
}
