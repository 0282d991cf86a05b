/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Det: determinants of square matrices, by elimination with the greatest pivot of each column. */

/* X [..., n, n]: [...]. */
static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (x.rank < 0)
    return TRUE;
  if (x.rank < 2)
    return sym_rule_fail (error, "a matrix must have 2 axes, not %d", x.rank);
  if (!sym_rule_unify (rule, x.dims[x.rank - 2], x.dims[x.rank - 1], "rows and columns", error))
    return FALSE;
  x = sym_rule_get_input (rule, 0);
  x.rank -= 2;
  return sym_rule_set_output (rule, 0, &x, error);
}

/* Destroys the matrix [n, n] at @a. */
static gboolean
find_determinant (SymKernel *kernel,
                  double *a,
                  gsize n,
                  double *result,
                  gsize *asked,
                  GError **error)
{
  double product = 1;

  for (gsize k = 0; k < n && product != 0; k++)
    {
      gsize pivot = k;

      for (gsize i = k + 1; i < n; i++)
        if (fabs (a[i * n + k]) > fabs (a[pivot * n + k]))
          pivot = i;
      if (pivot != k)
        product = -product;
      for (gsize j = k; j < n && pivot != k; j++)
        {
          double swap = a[k * n + j];

          a[k * n + j] = a[pivot * n + j];
          a[pivot * n + j] = swap;
        }
      product *= a[k * n + k];
      for (gsize i = k + 1; i < n && product != 0; i++)
        {
          double factor = a[i * n + k] / a[k * n + k];

          if (!sym_op_go_on (kernel, asked, n - k, error))
            return FALSE;
          for (gsize j = k + 1; j < n; j++)
            a[i * n + j] -= factor * a[k * n + j];
        }
    }
  *result = product;
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const double *from;
  double *to, *work;
  gsize n, size, asked = 0;
  SymShape shape;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->dtype != SYM_DTYPE_FLOAT32 && x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  shape = x->shape;
  if (shape.rank < 2 || shape.dims[shape.rank - 1] != shape.dims[shape.rank - 2])
    {
      g_autofree char *text = sym_op_format_shape (&shape);

      return sym_kernel_fail (error, "there are no square matrices of shape %s", text);
    }
  size = (gsize) shape.dims[shape.rank - 1];
  shape.rank -= 2;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  from = sym_op_read_as (kernel, x, SYM_DTYPE_FLOAT64, error);
  if (from == NULL)
    return FALSE;
  to = sym_op_place_as (kernel, y, SYM_DTYPE_FLOAT64, error);
  work = to == NULL ? NULL : sym_kernel_get_scratch (kernel, size, size * sizeof (double), error);
  if (work == NULL)
    return FALSE;
  n = sym_array_get_n_elements (y);
  for (gsize i = 0; i < n; i++)
    {
      if (size > 0)
        memcpy (work, from + i * size * size, size * size * sizeof (double));
      if (!sym_op_go_on (kernel, &asked, size * size + 1, error) ||
          !find_determinant (kernel, work, size, &to[i], &asked, error))
        return FALSE;
    }
  sym_op_write_as (y, SYM_DTYPE_FLOAT64, to);
  return TRUE;
}

const SymOperator sym_op_onnx_det[] = {
  { SYM_OP_ONNX ("Det", 11), .summary = "determinants of matrices", .category = SYM_CATEGORY_OTHER,
    .slots = sym_op_onnx_x, .infer = infer, .run = run, .half_as_float = TRUE },
  { 0 },
};
