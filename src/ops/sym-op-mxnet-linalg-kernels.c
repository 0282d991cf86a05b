/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-linalg-kernels.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-matrices.h"
#include "ops/sym-op-rules.h"

/* Matrices [..., m, n], and room for one of them. */
typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  const char *name;
  gsize n_batch, m, n, asked;
  double *a;
} Matrices;

static const char *
get_name (SymKernel *kernel)
{
  return sym_layer_get_operator (sym_kernel_get_layer (kernel))->name;
}

static gboolean
matrices_init (Matrices *self, SymKernel *kernel, gboolean square, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  int rank = x == NULL ? 0 : x->shape.rank;

  *self = (Matrices){ .kernel = kernel, .x = x, .name = get_name (kernel) };
  if (x == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (x->dtype))
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  if (rank < 2 || (square && x->shape.dims[rank - 1] != x->shape.dims[rank - 2]))
    {
      g_autofree char *text = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error, "there are no %smatrices of shape %s", square ? "square " : "",
                              text);
    }
  self->m = (gsize) x->shape.dims[rank - 2];
  self->n = (gsize) x->shape.dims[rank - 1];
  self->n_batch = self->m * self->n == 0 ? 0 : sym_array_get_n_elements (x) / (self->m * self->n);
  self->a = sym_kernel_get_scratch (kernel, self->m * self->n + 1, sizeof (double), error);
  return self->a != NULL;
}

/* Matrix @i of @x, [rows, columns], into @to. */
static void
load (const SymArray *x, gsize i, gsize n, double *to)
{
  for (gsize k = 0; k < n; k++)
    to[k] = sym_element_get_double (x->dtype, x->data, i * n + k);
}

static void
store (SymArray *y, gsize i, gsize n, const double *from)
{
  for (gsize k = 0; k < n; k++)
    sym_element_set_double (y->dtype, y->data, i * n + k, from[k]);
}

static void
transpose (const double *a, gsize m, gsize n, double *to)
{
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < n; j++)
      to[j * m + i] = a[i * n + j];
}

static double *
get_room (Matrices *self, gsize n, GError **error)
{
  return sym_kernel_get_scratch (self->kernel, n + 1, sizeof (double), error);
}

/* The shape of the matrices with these last sizes; below 0 for none. */
static SymShape
get_shape (const Matrices *self, gint64 rows, gint64 columns)
{
  SymShape shape = sym_shape_new (self->x->shape.dims, self->x->shape.rank - 2);

  if (rows >= 0)
    shape.dims[shape.rank++] = rows;
  if (columns >= 0)
    shape.dims[shape.rank++] = columns;
  return shape;
}

static SymArray *
new_output (Matrices *self, guint i, gint64 rows, gint64 columns, GError **error)
{
  SymShape shape = get_shape (self, rows, columns);

  return i == 0 ? sym_kernel_new_output (self->kernel, i, self->x->dtype, &shape, error)
                : sym_op_new_place (self->kernel, i, self->x->dtype, &shape, error);
}

static gboolean
go_on (Matrices *self, GError **error)
{
  return sym_op_go_on (self->kernel, &self->asked, self->m * self->n * MIN (self->m, self->n),
                       error);
}

/* ---- Cholesky ---- */

gboolean
sym_op_mxnet_run_cholesky (SymKernel *kernel, GError **error)
{
  gboolean lower = sym_kernel_get_bool (kernel, "lower", TRUE);
  Matrices self;
  double *other;
  SymArray *y;

  if (!matrices_init (&self, kernel, TRUE, error))
    return FALSE;
  other = get_room (&self, self.n * self.n, error);
  y = other == NULL ? NULL : new_output (&self, 0, (gint64) self.n, (gint64) self.n, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, self.n * self.n, self.a);
      transpose (self.a, self.n, self.n, other);
      if (!sym_op_matrix_cholesky (lower ? self.a : other, self.n))
        return sym_kernel_fail (error, "matrix %" G_GSIZE_FORMAT " is not positive definite", i);
      if (!lower)
        transpose (other, self.n, self.n, self.a);
      store (y, i, self.n * self.n, self.a);
      if (!go_on (&self, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- Inverses ---- */

/* Solves A x = 1 in @to; FALSE, with an error, when A is singular. */
static gboolean
invert (Matrices *self, double *a, double *to, gsize *pivots, gsize i, GError **error)
{
  gsize n = self->n;

  if (sym_op_matrix_lu (a, n, pivots) == 0)
    return sym_kernel_fail (error, "matrix %" G_GSIZE_FORMAT " is singular", i);
  for (gsize k = 0; k < n * n; k++)
    to[k] = k % (n + 1) == 0;
  sym_op_matrix_solve (a, pivots, n, to, n);
  return TRUE;
}

/* (L L^T)^-1 of a triangle, that is L^-T L^-1. */
static void
square_inverse (const double *inverse, gsize n, gboolean lower, double *to)
{
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        to[i * n + j] = 0;
        for (gsize k = 0; k < n; k++)
          to[i * n + j] += lower ? inverse[k * n + i] * inverse[k * n + j]
                                 : inverse[i * n + k] * inverse[j * n + k];
      }
}

static void
cut_triangle (double *a, gsize n, gboolean lower)
{
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      if (lower ? j > i : j < i)
        a[i * n + j] = 0;
}

static gboolean
run_inverse (SymKernel *kernel, gboolean of_square, GError **error)
{
  gboolean lower = sym_kernel_get_bool (kernel, "lower", TRUE);
  double *inverse;
  Matrices self;
  gsize *pivots;
  SymArray *y;

  if (!matrices_init (&self, kernel, TRUE, error))
    return FALSE;
  inverse = get_room (&self, self.n * self.n, error);
  pivots =
      sym_kernel_get_scratch (kernel, self.n + 1, sizeof *pivots, inverse == NULL ? NULL : error);
  if (inverse == NULL || pivots == NULL)
    return FALSE;
  y = new_output (&self, 0, (gint64) self.n, (gint64) self.n, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, self.n * self.n, self.a);
      if (of_square)
        cut_triangle (self.a, self.n, lower);
      if (!invert (&self, self.a, inverse, pivots, i, error))
        return FALSE;
      if (of_square)
        square_inverse (inverse, self.n, lower, self.a);
      store (y, i, self.n * self.n, of_square ? self.a : inverse);
      if (!go_on (&self, error))
        return FALSE;
    }
  return y != NULL;
}

gboolean
sym_op_mxnet_run_inverse (SymKernel *kernel, GError **error)
{
  return run_inverse (kernel, FALSE, error);
}

gboolean
sym_op_mxnet_run_cholesky_inverse (SymKernel *kernel, GError **error)
{
  return run_inverse (kernel, TRUE, error);
}

/* A [..., n, n] and b [..., n, k], or [..., n]. */
gboolean
sym_op_mxnet_run_solve (SymKernel *kernel, GError **error)
{
  const SymArray *b;
  gsize k, *pivots;
  Matrices self;
  double *room;
  SymArray *y;

  if (!matrices_init (&self, kernel, TRUE, error))
    return FALSE;
  b = sym_kernel_need_input (kernel, 1, error);
  if (b == NULL)
    return FALSE;
  k = self.n_batch * self.n == 0 ? 0 : sym_array_get_n_elements (b) / (self.n_batch * self.n);
  if (!sym_dtype_is_floating (b->dtype) ||
      sym_array_get_n_elements (b) != self.n_batch * self.n * k ||
      (b->shape.rank != self.x->shape.rank && b->shape.rank != self.x->shape.rank - 1) ||
      b->shape.dims[self.x->shape.rank - 2] != (gint64) self.n)
    return sym_kernel_fail (error, "the right side does not fit to %" G_GSIZE_FORMAT " equations",
                            self.n);
  room = get_room (&self, self.n * k, error);
  pivots = sym_kernel_get_scratch (kernel, self.n + 1, sizeof *pivots, room == NULL ? NULL : error);
  if (room == NULL || pivots == NULL)
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, self.x->dtype, &b->shape, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, self.n * self.n, self.a);
      load (b, i, self.n * k, room);
      if (sym_op_matrix_lu (self.a, self.n, pivots) == 0)
        return sym_kernel_fail (error, "matrix %" G_GSIZE_FORMAT " is singular", i);
      sym_op_matrix_solve (self.a, pivots, self.n, room, k);
      store (y, i, self.n * k, room);
      if (!go_on (&self, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- Determinants ---- */

/* Numbers without axes are [1] where there are no scalars. */
static SymArray *
new_numbers (Matrices *self, guint i, GError **error)
{
  if (self->x->shape.rank == 2 &&
      !g_str_has_prefix (sym_layer_get_type (sym_kernel_get_layer (self->kernel)), "_np"))
    return i == 0 ? sym_kernel_new_output (self->kernel, i, self->x->dtype, &SYM_SHAPE (1), error)
                  : sym_op_new_place (self->kernel, i, self->x->dtype, &SYM_SHAPE (1), error);
  return new_output (self, i, -1, -1, error);
}

gboolean
sym_op_mxnet_run_determinant (SymKernel *kernel, GError **error)
{
  gboolean logarithm = g_str_has_suffix (get_name (kernel), "slogdet");
  guint n_shown = logarithm ? 2 : 1;
  SymArray *y, *logarithms;
  Matrices self;
  gsize *pivots;

  for (guint i = n_shown; i < sym_kernel_get_n_outputs (kernel); i++)
    if (sym_kernel_wants_output (kernel, i))
      return sym_kernel_fail (error, "output %u, which gradients need, is not computed", i);
  if (!matrices_init (&self, kernel, TRUE, error))
    return FALSE;
  pivots = sym_kernel_get_scratch (kernel, self.n + 1, sizeof *pivots, error);
  y = pivots == NULL ? NULL : new_numbers (&self, 0, error);
  logarithms = y == NULL || !logarithm ? y : new_numbers (&self, 1, error);
  for (gsize i = 0; logarithms != NULL && i < self.n_batch; i++)
    {
      double product = 1, sum = 0;
      int sign;

      load (self.x, i, self.n * self.n, self.a);
      sign = sym_op_matrix_lu (self.a, self.n, pivots);
      for (gsize k = 0; k < self.n; k++)
        {
          product *= self.a[k * (self.n + 1)];
          sum += log (fabs (self.a[k * (self.n + 1)]));
          sign = logarithm && self.a[k * (self.n + 1)] < 0 ? -sign : sign;
        }
      sym_element_set_double (y->dtype, y->data, i, logarithm ? sign : sign * product);
      if (logarithm)
        sym_element_set_double (y->dtype, logarithms->data, i, sign == 0 ? -INFINITY : sum);
      if (!go_on (&self, error))
        return FALSE;
    }
  return logarithms != NULL;
}

/* ---- Orthonormal factors ---- */

/* qr: A = Q R; gelqf: A = L Q, that is A^T = Q^T L^T. */
gboolean
sym_op_mxnet_run_orthonormal (SymKernel *kernel, GError **error)
{
  gboolean by_rows = g_str_has_suffix (get_name (kernel), "gelqf");
  double *q, *work, *turned;
  SymArray *factor, *triangle;
  gsize m, n, least;
  Matrices self;

  if (!matrices_init (&self, kernel, FALSE, error))
    return FALSE;
  m = by_rows ? self.n : self.m;
  n = by_rows ? self.m : self.n;
  least = MIN (m, n);
  if (by_rows && n > m)
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " rows of %" G_GSIZE_FORMAT " elements cannot be orthonormal", n,
        m);
  if ((q = get_room (&self, m * n, error)) == NULL ||
      (work = get_room (&self, m * m, error)) == NULL ||
      (turned = get_room (&self, m * n, error)) == NULL)
    return FALSE;
  factor =
      new_output (&self, 0, (gint64) (by_rows ? least : m), (gint64) (by_rows ? m : least), error);
  triangle = factor == NULL ? NULL
                            : new_output (&self, 1, (gint64) (by_rows ? n : least),
                                          (gint64) (by_rows ? least : n), error);
  for (gsize i = 0; triangle != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, m * n, by_rows ? turned : self.a);
      if (by_rows)
        transpose (turned, self.m, self.n, self.a);
      sym_op_matrix_qr (self.a, m, n, q, work);
      if (by_rows)
        {
          transpose (self.a, least, n, turned);
          store (triangle, i, least * n, turned);
          transpose (q, m, least, turned);
          store (factor, i, m * least, turned);
        }
      else
        {
          store (triangle, i, least * n, self.a);
          store (factor, i, m * least, q);
        }
      if (!go_on (&self, error))
        return FALSE;
    }
  return triangle != NULL;
}

/* ---- Eigenvalues, singular values ---- */

/* syevd: vectors as rows, then values; eigh: values, then vectors as columns; eigvalsh: values. */
gboolean
sym_op_mxnet_run_eigen (SymKernel *kernel, GError **error)
{
  gboolean rows = g_str_has_suffix (get_name (kernel), "syevd");
  gboolean upper = g_str_equal (sym_kernel_get_string (kernel, "UPLO", "L"), "U");
  double *values, *vectors, *other;
  SymArray *y, *numbers;
  Matrices self;
  gsize n;

  if (!matrices_init (&self, kernel, TRUE, error))
    return FALSE;
  n = self.n;
  if ((values = get_room (&self, n, error)) == NULL ||
      (vectors = get_room (&self, n * n, error)) == NULL ||
      (other = get_room (&self, n * n, error)) == NULL)
    return FALSE;
  numbers = new_output (&self, rows ? 1 : 0, (gint64) n, -1, error);
  y = numbers == NULL ? NULL : new_output (&self, rows ? 0 : 1, (gint64) n, (gint64) n, error);
  for (gsize i = 0; y != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, n * n, self.a);
      for (gsize k = 0; k < n * n; k++)
        if (upper ? k % n < k / n : k % n > k / n)
          self.a[k] = self.a[k % n * n + k / n];
      sym_op_matrix_eigen (self.a, n, values, vectors);
      transpose (vectors, n, n, other);
      store (numbers, i, n, values);
      store (y, i, n * n, rows ? vectors : other);
      if (!go_on (&self, error))
        return FALSE;
    }
  return y != NULL;
}

/* A [m, n] = U diag (s) V, m not above n: A^T = V^T diag (s) U^T. */
gboolean
sym_op_mxnet_run_singular (SymKernel *kernel, GError **error)
{
  double *values, *right, *turned;
  SymArray *u, *s, *v;
  Matrices self;
  gsize m, n;

  if (!matrices_init (&self, kernel, FALSE, error))
    return FALSE;
  m = self.m;
  n = self.n;
  if (m > n)
    return sym_kernel_fail (error, "matrices of more rows than columns are to be transposed first");
  if ((values = get_room (&self, m, error)) == NULL ||
      (right = get_room (&self, m * m, error)) == NULL ||
      (turned = get_room (&self, m * n, error)) == NULL)
    return FALSE;
  u = new_output (&self, 0, (gint64) m, (gint64) m, error);
  s = u == NULL ? NULL : new_output (&self, 1, (gint64) m, -1, error);
  v = s == NULL ? NULL : new_output (&self, 2, (gint64) m, (gint64) n, error);
  for (gsize i = 0; v != NULL && i < self.n_batch; i++)
    {
      load (self.x, i, m * n, self.a);
      transpose (self.a, m, n, turned);
      sym_op_matrix_svd (turned, n, m, values, right);
      store (s, i, m, values);
      transpose (turned, n, m, self.a);
      store (v, i, m * n, self.a);
      transpose (right, m, m, self.a);
      store (u, i, m * m, self.a);
      if (!go_on (&self, error))
        return FALSE;
    }
  return v != NULL;
}
