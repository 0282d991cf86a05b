/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-matrices.h"
#include "ops/sym-op-mxnet-linalg-kernels.h"
#include "ops/sym-op-rules.h"

/* What singular values tell: ranks and pseudo-inverses.  A matrix [m, n] of fewer rows than columns
 * is transposed before, so that it is [tall, narrow]. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x, *limits; /* what counts as 0, for each matrix or for all; NULL for none */
  gsize n_batch, m, n, tall, narrow, asked;
  double *a, *values, *right;
} Singular;

static gboolean
singular_init (Singular *self, SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);

  *self = (Singular){ .kernel = kernel, .x = x, .limits = sym_kernel_get_input (kernel, 1) };
  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "matrices have at least 2 axes, not %d", x->shape.rank);
  self->m = (gsize) x->shape.dims[x->shape.rank - 2];
  self->n = (gsize) x->shape.dims[x->shape.rank - 1];
  self->tall = MAX (self->m, self->n);
  self->narrow = MIN (self->m, self->n);
  if (self->narrow == 0)
    return sym_kernel_fail (error, "a matrix without elements has no singular values");
  self->n_batch = sym_array_get_n_elements (x) / (self->m * self->n);
  if (self->limits != NULL && (!sym_dtype_is_floating (self->limits->dtype) ||
                               (sym_array_get_n_elements (self->limits) != 1 &&
                                sym_array_get_n_elements (self->limits) != self->n_batch)))
    return sym_kernel_fail (error, "there must be one limit for all matrices, or one for each");
  self->a = sym_kernel_get_scratch (kernel, self->m * self->n, sizeof (double), error);
  if (self->a == NULL)
    return FALSE;
  self->values = sym_kernel_get_scratch (kernel, self->narrow, sizeof (double), error);
  if (self->values == NULL)
    return FALSE;
  self->right =
      sym_kernel_get_scratch (kernel, self->narrow * self->narrow, sizeof (double), error);
  return self->right != NULL;
}

/* The singular values and vectors of matrix @i. */
static gboolean
decompose (Singular *self, gsize i, GError **error)
{
  for (gsize k = 0; k < self->m * self->n; k++)
    {
      gsize to = self->m < self->n ? k % self->n * self->m + k / self->n : k;

      self->a[to] =
          sym_element_get_double (self->x->dtype, self->x->data, i * self->m * self->n + k);
    }
  sym_op_matrix_svd (self->a, self->tall, self->narrow, self->values, self->right);
  return sym_op_go_on (self->kernel, &self->asked, self->m * self->n * self->narrow, error);
}

static double
get_limit (const Singular *self, gsize i, double fallback)
{
  if (self->limits == NULL)
    return fallback;
  return sym_element_get_double (self->limits->dtype, self->limits->data,
                                 sym_array_get_n_elements (self->limits) == 1 ? 0 : i);
}

/* How many singular values are above the limit: without one it is that of the precision. */
gboolean
sym_op_mxnet_run_rank (SymKernel *kernel, GError **error)
{
  Singular self;
  SymShape shape;
  SymArray *y;

  if (!singular_init (&self, kernel, error))
    return FALSE;
  shape = sym_shape_new (self.x->shape.dims, self.x->shape.rank - 2);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &shape, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      double epsilon = self.x->dtype == SYM_DTYPE_FLOAT64 ? DBL_EPSILON : (double) FLT_EPSILON;
      gint64 rank = 0;

      if (!decompose (&self, i, error))
        return FALSE;
      epsilon *= self.values[0] * (double) self.tall;
      for (gsize k = 0; k < self.narrow; k++)
        rank += self.values[k] > get_limit (&self, i, epsilon);
      ((gint64 *) y->data)[i] = rank;
    }
  return y != NULL;
}

/* V diag (1 / s) U^T, without what is small beside the greatest value. */
gboolean
sym_op_mxnet_run_pseudo_inverse (SymKernel *kernel, GError **error)
{
  double rcond = sym_kernel_get_float (kernel, "rcond", 1e-15);
  Singular self;
  SymShape shape;
  SymArray *y;

  if (!singular_init (&self, kernel, error))
    return FALSE;
  shape = self.x->shape;
  shape.dims[shape.rank - 2] = (gint64) self.n;
  shape.dims[shape.rank - 1] = (gint64) self.m;
  y = sym_kernel_new_output (kernel, 0, self.x->dtype, &shape, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      double limit = get_limit (&self, i, rcond);

      if (!decompose (&self, i, error))
        return FALSE;
      for (gsize k = 0; k < self.m * self.n; k++)
        {
          gsize row = k / self.m, column = k % self.m;
          gsize t = self.m < self.n ? row : column, w = self.m < self.n ? column : row;
          double sum = 0;

          for (gsize v = 0; v < self.narrow; v++)
            if (self.values[v] > limit * self.values[0])
              sum += self.right[v * self.narrow + w] * self.a[t * self.narrow + v] / self.values[v];
          sym_element_set_double (y->dtype, y->data, i * self.m * self.n + k, sum);
        }
    }
  return y != NULL;
}
