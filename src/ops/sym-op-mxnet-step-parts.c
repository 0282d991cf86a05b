/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-step-methods.h"
#include "ops/sym-op-mxnet-steps.h"

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

/* ---- Parts of steps ---- */

static gboolean
need_floats (SymKernel *kernel, const SymArray **arrays, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      arrays[i] = sym_kernel_need_input (kernel, i, error);
      if (arrays[i] == NULL)
        return FALSE;
      if (!sym_dtype_is_floating (arrays[i]->dtype))
        return sym_op_refuse_dtype (kernel, arrays[i]->dtype, error);
    }
  return TRUE;
}

/* weight, grad, and a history of each row's mean square. */
gboolean
sym_op_mxnet_run_row_adagrad (SymKernel *kernel, GError **error)
{
  SymOpMxnetStep step = sym_op_mxnet_step_read (kernel);
  const SymArray *arrays[3];
  gsize n_rows, width, asked = 0;
  SymArray *y;

  if (!need_floats (kernel, arrays, 3, error))
    return FALSE;
  step.epsilon = sym_kernel_get_float (kernel, "epsilon", 1e-5);
  n_rows = arrays[0]->shape.rank < 1 ? 1 : (gsize) arrays[0]->shape.dims[0];
  width = n_rows == 0 ? 0 : sym_array_get_n_elements (arrays[0]) / n_rows;
  if (!sym_shape_equal (&arrays[0]->shape, &arrays[1]->shape) ||
      sym_array_get_n_elements (arrays[2]) != n_rows)
    return sym_kernel_fail (error, "the gradient, or the history of rows, does not fit");
  y = sym_kernel_new_output (kernel, 0, arrays[0]->dtype, &arrays[0]->shape, error);
  for (gsize row = 0; y != NULL && row < n_rows; row++)
    {
      double sum = 0, root;

      for (gsize i = row * width; i < (row + 1) * width; i++)
        sum += pow (sym_op_mxnet_step_scale (&step, get (arrays[1], i)), 2);
      root = sqrt (get (arrays[2], row) + sum / (double) MAX (width, 1) + step.epsilon);
      for (gsize i = row * width; i < (row + 1) * width; i++)
        sym_element_set_double (y->dtype, y->data, i,
                                get (arrays[0], i) -
                                    step.lr * sym_op_mxnet_step_scale (&step, get (arrays[1], i)) /
                                        root);
      if (!sym_op_go_on (kernel, &asked, 2 * width, error))
        return FALSE;
    }
  return y != NULL;
}

/* weight, grad, mean, var and perhaps the weight in full precision. */
gboolean
sym_op_mxnet_run_lamb_direction (SymKernel *kernel, GError **error)
{
  guint n = MIN (sym_kernel_get_n_inputs (kernel), 5);
  SymOpMxnetStep step = sym_op_mxnet_step_read (kernel);
  const SymArray *arrays[5];
  gsize asked = 0;
  SymArray *y;

  if (n < 4)
    return sym_kernel_fail (error, "there are %u operands; 4 are needed", n);
  if (!need_floats (kernel, arrays, n, error))
    return FALSE;
  step.epsilon = sym_kernel_get_float (kernel, "epsilon", 1e-6);
  for (guint i = 1; i < n; i++)
    if (!sym_shape_equal (&arrays[i]->shape, &arrays[0]->shape))
      return sym_kernel_fail (error, "operand %u is not of the weight's shape", i);
  y = sym_kernel_new_output (kernel, 0, n == 5 ? SYM_DTYPE_FLOAT32 : arrays[0]->dtype,
                             &arrays[0]->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      const double states[] = { get (arrays[2], i), get (arrays[3], i) };

      sym_element_set_double (y->dtype, y->data, i,
                              sym_op_mxnet_step_direct (&step, get (arrays[n == 5 ? 4 : 0], i),
                                                        get (arrays[1], i), states));
      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
    }
  return y != NULL;
}

/* weight, direction, the norms of both, and perhaps the weight in full precision. */
gboolean
sym_op_mxnet_run_lamb_step (SymKernel *kernel, GError **error)
{
  guint n = MIN (sym_kernel_get_n_inputs (kernel), 5);
  SymOpMxnetStep step = sym_op_mxnet_step_read (kernel);
  const SymArray *arrays[5];
  double weight, direction, ratio;
  gsize asked = 0;
  SymArray *y;

  if (n < 4)
    return sym_kernel_fail (error, "there are %u operands; 4 are needed", n);
  if (!need_floats (kernel, arrays, n, error) ||
      !sym_op_mxnet_step_read_number (kernel, 2, 0, &weight, error) ||
      !sym_op_mxnet_step_read_number (kernel, 3, 0, &direction, error))
    return FALSE;
  if (!sym_shape_equal (&arrays[1]->shape, &arrays[0]->shape) ||
      !sym_shape_equal (&arrays[n == 5 ? 4 : 0]->shape, &arrays[0]->shape))
    return sym_kernel_fail (error, "weight and direction are not of one shape");
  ratio = sym_op_mxnet_step_compare (&step, weight, direction);
  y = sym_kernel_new_output (kernel, 0, arrays[0]->dtype, &arrays[0]->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      sym_element_set_double (y->dtype, y->data, i,
                              get (arrays[n == 5 ? 4 : 0], i) -
                                  step.lr * ratio * get (arrays[1], i));
      if (!sym_op_go_on (kernel, &asked, 2, error))
        return FALSE;
    }
  return y != NULL;
}

/* Rates by the norms of weights and gradients, whose squares are given. */
gboolean
sym_op_mxnet_run_lars (SymKernel *kernel, GError **error)
{
  double eta = sym_kernel_get_float (kernel, "eta", 1);
  double epsilon = sym_kernel_get_float (kernel, "eps", 0);
  double rescale = sym_kernel_get_float (kernel, "rescale_grad", 1);
  const SymArray *arrays[4];
  SymArray *y;

  if (!need_floats (kernel, arrays, 4, error))
    return FALSE;
  for (guint i = 1; i < 4; i++)
    if (!sym_shape_equal (&arrays[i]->shape, &arrays[0]->shape))
      return sym_kernel_fail (error, "operands are not of one shape");
  y = sym_kernel_new_output (kernel, 0, arrays[0]->dtype, &arrays[0]->shape, error);
  for (gsize i = 0; y != NULL && i < sym_array_get_n_elements (y); i++)
    {
      double weight = sqrt (get (arrays[1], i)), gradient = sqrt (get (arrays[2], i)) * rescale;
      double ratio = weight > 0 && gradient > 0
                         ? eta * weight / (gradient + get (arrays[3], i) * weight + epsilon)
                         : 1;

      sym_element_set_double (y->dtype, y->data, i, get (arrays[0], i) * ratio);
    }
  return y != NULL;
}

/* ---- All operands together ---- */

/* Adds up @each of all elements of operand @i. */
static gboolean
add_up (SymKernel *kernel, guint i, double (*each) (double x), double *sum, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, i, error);
  gsize asked = 0;

  *sum = 0;
  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_numeric (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  for (gsize k = 0; k < sym_array_get_n_elements (x); k++)
    {
      *sum += each (get (x, k));
      if (!sym_op_go_on (kernel, &asked, 1, error))
        return FALSE;
    }
  return TRUE;
}

static double
is_odd (double x)
{
  return isfinite (x) ? 0 : 1;
}

static double
get_square (double x)
{
  return x * x;
}

gboolean
sym_op_mxnet_run_all_finite (SymKernel *kernel, GError **error)
{
  SymArray *y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &SYM_SHAPE (1), error);
  double sum, all = 0;

  for (guint i = 0; y != NULL && i < sym_kernel_get_n_inputs (kernel); i++)
    {
      if (!add_up (kernel, i, is_odd, &sum, error))
        return FALSE;
      all += sum;
    }
  if (y != NULL)
    *(float *) y->data = all == 0 ? 1 : 0;
  return y != NULL;
}

gboolean
sym_op_mxnet_run_sums_of_squares (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel);
  SymArray *y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &SYM_SHAPE (n), error);
  double sum;

  for (guint i = 0; y != NULL && i < n; i++)
    {
      if (!add_up (kernel, i, get_square, &sum, error))
        return FALSE;
      ((float *) y->data)[i] = (float) sum;
    }
  return y != NULL;
}
