/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-matrices.h"

#include <math.h>
#include <string.h>

gboolean
sym_op_matrix_cholesky (double *a, gsize n)
{
  for (gsize j = 0; j < n; j++)
    for (gsize i = j; i < n; i++)
      {
        double sum = a[i * n + j];

        for (gsize k = 0; k < j; k++)
          sum -= a[i * n + k] * a[j * n + k];
        if (i == j && !(sum > 0))
          return FALSE;
        a[i * n + j] = i == j ? sqrt (sum) : sum / a[j * n + j];
        if (i != j)
          a[j * n + i] = 0;
      }
  return TRUE;
}

static void
swap_rows (double *a, gsize n, gsize i, gsize j)
{
  for (gsize k = 0; k < n && i != j; k++)
    {
      double swap = a[i * n + k];

      a[i * n + k] = a[j * n + k];
      a[j * n + k] = swap;
    }
}

int
sym_op_matrix_lu (double *a, gsize n, gsize *pivots)
{
  int sign = 1;

  for (gsize k = 0; k < n; k++)
    {
      gsize pivot = k;

      for (gsize i = k + 1; i < n; i++)
        if (fabs (a[i * n + k]) > fabs (a[pivot * n + k]))
          pivot = i;
      pivots[k] = pivot;
      swap_rows (a, n, k, pivot);
      sign = pivot == k ? sign : -sign;
      if (a[k * n + k] == 0)
        {
          sign = 0;
          continue;
        }
      for (gsize i = k + 1; i < n; i++)
        {
          double factor = a[i * n + k] /= a[k * n + k];

          for (gsize j = k + 1; j < n; j++)
            a[i * n + j] -= factor * a[k * n + j];
        }
    }
  return sign;
}

void
sym_op_matrix_solve (const double *lu, const gsize *pivots, gsize n, double *b, gsize k)
{
  for (gsize i = 0; i < n; i++)
    swap_rows (b, k, i, pivots[i]);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      for (gsize c = 0; c < k; c++)
        b[i * k + c] -= lu[i * n + j] * b[j * k + c];
  for (gsize i = n; i-- > 0;)
    for (gsize c = 0; c < k; c++)
      {
        for (gsize j = i + 1; j < n; j++)
          b[i * k + c] -= lu[i * n + j] * b[j * k + c];
        b[i * k + c] /= lu[i * n + i];
      }
}

/* ---- QR ---- */

/* Reflects all columns of @a [m, n] from @from on at the vector in @v, rows from @first on. */
static void
reflect (double *a, gsize m, gsize n, gsize from, const double *v, gsize first, double scale)
{
  for (gsize j = from; j < n; j++)
    {
      double dot = 0;

      for (gsize i = first; i < m; i++)
        dot += v[i] * a[i * n + j];
      for (gsize i = first; i < m; i++)
        a[i * n + j] -= scale * dot * v[i];
    }
}

/* Householder's reflections, the vectors of which lie in the rows of @work. */
void
sym_op_matrix_qr (double *a, gsize m, gsize n, double *q, double *work)
{
  gsize least = MIN (m, n);

  memset (work, 0, m * m * sizeof *work);
  for (gsize k = 0; k < least; k++)
    {
      double *v = work + k * m, norm = 0, squares = 0;

      for (gsize i = k; i < m; i++)
        {
          v[i] = a[i * n + k];
          squares += v[i] * v[i];
        }
      norm = sqrt (squares);
      if (k + 1 == m || squares == v[k] * v[k])
        memset (v, 0, m * sizeof *v);
      else
        {
          v[k] += copysign (norm, v[k]);
          reflect (a, m, n, k, v, k, 1 / (squares + fabs (a[k * n + k]) * norm));
        }
    }
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < least; j++)
      q[i * least + j] = i == j;
  for (gsize k = least; k-- > 0;)
    {
      const double *v = work + k * m;
      double squares = 0;

      for (gsize i = k; i < m; i++)
        squares += v[i] * v[i];
      if (squares > 0)
        reflect (q, m, least, 0, v, k, 2 / squares);
    }
  for (gsize i = 1; i < m; i++)
    for (gsize j = 0; j < MIN (i, n); j++)
      a[i * n + j] = 0;
}

/* ---- Eigenvalues ---- */

#define MAX_SWEEPS 60

/* Turns rows, or with @step n columns, p and q of a matrix. */
static void
turn (double *a, gsize n, gsize first, gsize second, gsize step, double c, double s)
{
  for (gsize k = 0; k < n; k++)
    {
      double x = a[first + k * step], y = a[second + k * step];

      a[first + k * step] = c * x - s * y;
      a[second + k * step] = s * x + c * y;
    }
}

/* The angle that makes the element between p and q of a symmetric matrix 0. */
static void
find_angle (double pp, double qq, double pq, double *c, double *s)
{
  double theta = (qq - pp) / (2 * pq);
  double t = copysign (1, theta) / (fabs (theta) + sqrt (theta * theta + 1));

  *c = 1 / sqrt (t * t + 1);
  *s = t * *c;
}

static void
sort_eigen (double *values, double *vectors, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      gsize least = i, greatest = 0;
      double swap;

      for (gsize j = i + 1; j < n; j++)
        if (values[j] < values[least])
          least = j;
      swap = values[i];
      values[i] = values[least];
      values[least] = swap;
      swap_rows (vectors, n, i, least);
      for (gsize j = 1; j < n; j++)
        if (fabs (vectors[i * n + j]) > fabs (vectors[i * n + greatest]))
          greatest = j;
      for (gsize j = 0, negative = vectors[i * n + greatest] < 0; negative && j < n; j++)
        vectors[i * n + j] = -vectors[i * n + j];
    }
}

/* Jacobi's method. */
void
sym_op_matrix_eigen (double *a, gsize n, double *values, double *vectors)
{
  double c, s;

  for (gsize i = 0; i < n * n; i++)
    vectors[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++)
    {
      gboolean done = TRUE;

      for (gsize p = 0; p < n; p++)
        for (gsize q = p + 1; q < n; q++)
          {
            double size = fabs (a[p * n + p]) + fabs (a[q * n + q]);

            if (fabs (a[p * n + q]) <= 1e-17 * size || a[p * n + q] == 0)
              continue;
            done = FALSE;
            find_angle (a[p * n + p], a[q * n + q], a[p * n + q], &c, &s);
            turn (a, n, p * n, q * n, 1, c, s);
            turn (a, n, p, q, n, c, s);
            turn (vectors, n, p * n, q * n, 1, c, s);
          }
      if (done)
        break;
    }
  for (gsize i = 0; i < n; i++)
    values[i] = a[i * n + i];
  sort_eigen (values, vectors, n);
}

/* ---- Singular values ---- */

static void
sort_singular (double *a, gsize m, gsize n, double *values, double *right)
{
  for (gsize i = 0; i < n; i++)
    {
      gsize greatest = i;
      double swap;

      for (gsize j = i + 1; j < n; j++)
        if (values[j] > values[greatest])
          greatest = j;
      swap = values[i];
      values[i] = values[greatest];
      values[greatest] = swap;
      swap_rows (right, n, i, greatest);
      for (gsize k = 0; k < m && greatest != i; k++)
        {
          swap = a[k * n + i];
          a[k * n + i] = a[k * n + greatest];
          a[k * n + greatest] = swap;
        }
    }
}

/* Jacobi's method from one side: columns are turned until they are orthogonal. */
void
sym_op_matrix_svd (double *a, gsize m, gsize n, double *values, double *right)
{
  double c, s;

  for (gsize i = 0; i < n * n; i++)
    right[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++)
    {
      gboolean done = TRUE;

      for (gsize p = 0; p < n; p++)
        for (gsize q = p + 1; q < n; q++)
          {
            double pp = 0, qq = 0, pq = 0;

            for (gsize k = 0; k < m; k++)
              {
                pp += a[k * n + p] * a[k * n + p];
                qq += a[k * n + q] * a[k * n + q];
                pq += a[k * n + p] * a[k * n + q];
              }
            if (fabs (pq) <= 1e-16 * sqrt (pp * qq) || pq == 0)
              continue;
            done = FALSE;
            find_angle (pp, qq, pq, &c, &s);
            turn (a, m, p, q, n, c, s);
            turn (right, n, p * n, q * n, 1, c, s);
          }
      if (done)
        break;
    }
  for (gsize j = 0; j < n; j++)
    {
      double squares = 0;

      for (gsize k = 0; k < m; k++)
        squares += a[k * n + j] * a[k * n + j];
      values[j] = sqrt (squares);
      for (gsize k = 0; k < m && squares > 0; k++)
        a[k * n + j] /= values[j];
    }
  sort_singular (a, m, n, values, right);
}
