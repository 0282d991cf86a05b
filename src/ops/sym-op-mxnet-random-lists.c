/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-random.h"
#include "ops/sym-op-random.h"

/* An integer from 0 up to @n, which never comes. */
static gsize
draw_below (SymOpRandom *random, gsize n)
{
  return (gsize) (sym_op_random_uniform (random) * (double) n);
}

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

/* ---- shuffle ---- */

/* Fisher and Yates. */
static void
permute (SymOpRandom *random, gsize *order, gsize n)
{
  for (gsize i = 0; i < n; i++)
    order[i] = i;
  for (gsize i = n; i > 1; i--)
    {
      gsize j = draw_below (random, i), last = order[i - 1];

      order[i - 1] = order[j];
      order[j] = last;
    }
}

gboolean
sym_op_mxnet_run_shuffle (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpRandom random = sym_op_random_new (kernel);
  gsize n, width, *order, asked = 0;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  n = x->shape.rank < 1 ? 1 : (gsize) x->shape.dims[0];
  width = n == 0 ? 0 : sym_array_get_n_elements (x) / n;
  order = sym_kernel_get_scratch (kernel, n + 1, sizeof *order, error);
  y = order == NULL ? NULL : sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  permute (&random, order, n);
  for (gsize i = 0; i < n; i++)
    if (!sym_op_move_on (kernel, &asked, y, i * width, x, order[i] * width, width, error))
      return FALSE;
  return TRUE;
}

/* ---- categories ---- */

/* The class that @u falls into among @n shares; the last one that has any where rounding leaves
 * none. */
static gsize
find_class (const SymArray *shares, gsize first, gsize n, double u)
{
  double sum = 0;
  gsize last = 0;

  for (gsize i = 0; i < n; i++)
    sum += get (shares, first + i);
  u *= sum;
  for (gsize i = 0; i < n; i++)
    {
      double share = get (shares, first + i);

      if (share > 0)
        last = i;
      if (share > 0 && u < share)
        return i;
      u -= share;
    }
  return last;
}

/* How many samples each row has, and the shape of them behind @rows. */
static gboolean
read_samples (SymKernel *kernel, SymShape *rows, gsize *n, GError **error)
{
  gint64 sizes[SYM_MAX_RANK];
  int rank = MAX (sym_kernel_get_ints (kernel, "shape", sizes, SYM_MAX_RANK), 0);

  if (rank + rows->rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "the samples have more than %d axes", SYM_MAX_RANK);
  *n = 1;
  for (int i = 0; i < rank; i++)
    {
      if (sizes[i] < 1 || !g_size_checked_mul (n, *n, (gsize) sizes[i]))
        return sym_kernel_fail (error, "shape has a size of %" G_GINT64_FORMAT, sizes[i]);
      rows->dims[rows->rank++] = sizes[i];
    }
  return TRUE;
}

/* Classes by the shares in the last axis, and the logarithms of these. */
static gboolean
draw_classes (SymKernel *kernel, const SymArray *x, GError **error)
{
  SymShape shape = sym_shape_new (x->shape.dims, MAX (x->shape.rank - 1, 0));
  SymOpRandom random = sym_op_random_new (kernel);
  gsize n, width, asked = 0;
  SymArray *y, *logarithms;

  if (x->shape.rank < 1 || x->shape.dims[x->shape.rank - 1] < 1)
    return sym_kernel_fail (error, "there is no class to draw");
  width = (gsize) x->shape.dims[x->shape.rank - 1];
  if (!read_samples (kernel, &shape, &n, error))
    return FALSE;
  if (shape.rank == 0 &&
      !g_str_has_prefix (sym_layer_get_type (sym_kernel_get_layer (kernel)), "_np"))
    shape = SYM_SHAPE (1);
  y = sym_kernel_new_output (kernel, 0, sym_kernel_get_dtype (kernel, "dtype", SYM_DTYPE_INT32),
                             &shape, error);
  logarithms = y == NULL ? NULL : sym_op_new_place (kernel, 1, x->dtype, &shape, error);
  for (gsize i = 0; logarithms != NULL && i < sym_array_get_n_elements (y); i++)
    {
      gsize first = i / n * width;
      gsize class = find_class (x, first, width, sym_op_random_uniform (&random));

      sym_element_set_double (y->dtype, y->data, i, (double) class);
      sym_element_set_double (logarithms->dtype, logarithms->data, i, log (get (x, first + class)));
      if (!sym_op_go_on (kernel, &asked, width, error))
        return FALSE;
    }
  return logarithms != NULL;
}

/* How often each class comes in so many draws. */
static gboolean
draw_counts (SymKernel *kernel, const SymArray *n_draws, const SymArray *shares, GError **error)
{
  SymShape shape = n_draws->shape;
  SymOpRandom random = sym_op_random_new (kernel);
  gsize n, width, asked = 0;
  SymArray *y;

  if (shares->shape.rank < 1 || shares->shape.dims[shares->shape.rank - 1] < 1)
    return sym_kernel_fail (error, "there is no class to draw");
  width = (gsize) shares->shape.dims[shares->shape.rank - 1];
  if (sym_array_get_n_elements (shares) != sym_array_get_n_elements (n_draws) * width)
    return sym_kernel_fail (error, "n and p are not of as many rows");
  if (!read_samples (kernel, &shape, &n, error))
    return FALSE;
  if (shape.rank == SYM_MAX_RANK)
    return sym_kernel_fail (error, "the samples have more than %d axes", SYM_MAX_RANK);
  shape.dims[shape.rank++] = (gint64) width;
  y = sym_kernel_new_output (kernel, 0, sym_kernel_get_dtype (kernel, "dtype", SYM_DTYPE_INT32),
                             &shape, error);
  if (y == NULL || !sym_op_clear (kernel, y, error))
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (y) / width; i++)
    for (double left = get (n_draws, i / n); left >= 1; left--)
      {
        gsize class =
            i * width + find_class (shares, i / n * width, width, sym_op_random_uniform (&random));

        sym_element_set_double (y->dtype, y->data, class, get (y, class) + 1);
        if (!sym_op_go_on (kernel, &asked, width, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
check_numbers (SymKernel *kernel, const SymArray *x, GError **error)
{
  return sym_dtype_is_numeric (x->dtype) || sym_op_refuse_dtype (kernel, x->dtype, error);
}

gboolean
sym_op_mxnet_run_categories (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymArray *p = sym_kernel_get_input (kernel, 1);

  if (x == NULL || !check_numbers (kernel, x, error) ||
      (p != NULL && !check_numbers (kernel, p, error)))
    return FALSE;
  return p != NULL ? draw_counts (kernel, x, p, error) : draw_classes (kernel, x, error);
}

/* ---- choice ---- */

typedef struct {
  const SymArray *from, *shares; /* NULL for the numbers below n, for even shares */
  gsize n;
} Choice;

static gboolean
read_choice (Choice *self, SymKernel *kernel, GError **error)
{
  gint64 n = sym_kernel_get_int (kernel, "a", -1);
  guint next = 0;

  *self = (Choice){ .n = (gsize) MAX (n, 0) };
  if (n < 0)
    {
      self->from = sym_kernel_need_input (kernel, next++, error);
      if (self->from == NULL)
        return FALSE;
      self->n = self->from->shape.rank < 1 ? 0 : (gsize) self->from->shape.dims[0];
    }
  if (sym_kernel_get_bool (kernel, "weighted", FALSE))
    {
      self->shares = sym_kernel_need_input (kernel, next, error);
      if (self->shares == NULL || !check_numbers (kernel, self->shares, error))
        return FALSE;
      if (sym_array_get_n_elements (self->shares) != self->n)
        return sym_kernel_fail (error, "there are not as many probabilities as numbers");
    }
  if (self->n == 0 || self->n > G_MAXINT32)
    return sym_kernel_fail (error, "there is nothing to choose from");
  return TRUE;
}

/* The place that @u falls into; what is chosen once has no share any more when all must differ. */
static gsize
choose (double *shares, gsize n, double u, gboolean again)
{
  double sum = 0;
  gsize found = 0;

  for (gsize i = 0; i < n; i++)
    sum += shares[i];
  u *= sum;
  for (gsize i = 0; i < n; i++)
    {
      if (shares[i] > 0)
        found = i;
      if (shares[i] > 0 && u < shares[i])
        break;
      u -= shares[i];
    }
  if (!again)
    shares[found] = 0;
  return found;
}

gboolean
sym_op_mxnet_run_choice (SymKernel *kernel, GError **error)
{
  gboolean again = sym_kernel_get_bool (kernel, "replace", TRUE);
  SymOpRandom random = sym_op_random_new (kernel);
  gsize n = 1, asked = 0;
  SymShape shape;
  double *shares;
  Choice self;
  SymArray *y;

  if (!read_choice (&self, kernel, error))
    return FALSE;
  shape.rank = MAX (sym_kernel_get_ints (kernel, "size", shape.dims, SYM_MAX_RANK), 0);
  for (int i = 0; i < shape.rank && shape.rank <= SYM_MAX_RANK; i++)
    if (shape.dims[i] < 0 || !g_size_checked_mul (&n, n, (gsize) shape.dims[i]))
      return sym_kernel_fail (error, "size has %" G_GINT64_FORMAT, shape.dims[i]);
  if (shape.rank > SYM_MAX_RANK || (!again && n > self.n))
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " different ones of %" G_GSIZE_FORMAT " cannot be chosen", n,
        self.n);
  shares = sym_kernel_get_scratch (kernel, self.n, sizeof *shares, error);
  y = shares == NULL
          ? NULL
          : sym_kernel_new_output (
                kernel, 0, self.from == NULL ? SYM_DTYPE_INT64 : self.from->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < self.n; i++)
    shares[i] = self.shares == NULL ? 1 : get (self.shares, i);
  for (gsize i = 0; i < n; i++)
    {
      gsize place = choose (shares, self.n, sym_op_random_uniform (&random), again);

      if (self.from == NULL)
        ((gint64 *) y->data)[i] = (gint64) place;
      else
        sym_op_move (y, i, self.from, place, 1);
      if (!sym_op_go_on (kernel, &asked, self.n, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Zipf ---- */

/* Different numbers of each row, k about as often as log ((k + 2) / (k + 1)), and how many were
 * drawn for that. */
gboolean
sym_op_mxnet_run_zipfian (SymKernel *kernel, GError **error)
{
  gint64 most = sym_kernel_get_int (kernel, "range_max", 0);
  SymOpRandom random = sym_op_random_new (kernel);
  SymArray *y, *tries;
  SymShape shape;
  gsize asked = 0;

  shape.rank = sym_kernel_get_ints (kernel, "shape", shape.dims, SYM_MAX_RANK);
  if (shape.rank != 2 || shape.dims[0] < 0 || shape.dims[1] < 0 || shape.dims[1] > most)
    return sym_kernel_fail (
        error, "shape must be [rows, samples], of at most %" G_GINT64_FORMAT " different samples",
        most);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &shape, error);
  tries = y == NULL
              ? NULL
              : sym_op_new_place (kernel, 1, SYM_DTYPE_INT64, &SYM_SHAPE (shape.dims[0]), error);
  for (gint64 row = 0; tries != NULL && row < shape.dims[0]; row++)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);
      gint64 *numbers = (gint64 *) y->data + row * shape.dims[1], n = 0, count = 0;

      while (n < shape.dims[1])
        {
          double u = sym_op_random_uniform (&random);

          numbers[n] = (gint64) floor (exp (u * log ((double) most + 1))) - 1;
          numbers[n] = CLAMP (numbers[n], 0, most - 1);
          count++;
          if (!g_hash_table_contains (seen, &numbers[n]))
            g_hash_table_add (seen, &numbers[n++]);
          if (!sym_op_go_on (kernel, &asked, 16, error))
            return FALSE;
        }
      ((gint64 *) tries->data)[row] = count;
    }
  return tries != NULL;
}
