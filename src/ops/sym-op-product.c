/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-product.h"

#include <string.h>

#include "ops/sym-op-clones.h"

/* Rows of the left matrix that are widened at once, and columns of the right one. */
#define ROWS 64
#define COLUMNS 16

/* Rows that are multiplied at once. */
#define TOGETHER 4

/* ---- Widening ---- */

/* @n elements, @stride apart, @step apart in the result, each less @zero. */
typedef void (*Load) (const void *from,
                      gint64 place,
                      gint64 stride,
                      gsize n,
                      void *to,
                      gsize step,
                      gint64 zero);

#define LOAD_FLOAT(dtype, type)                                                               \
  static void load_##dtype (const void *from, gint64 place, gint64 stride, gsize n, void *to, \
                            gsize step, gint64 zero)                                          \
  {                                                                                           \
    const type *x = (const type *) from + place;                                              \
    double *y = to;                                                                           \
                                                                                              \
    for (gsize i = 0; i < n; i++)                                                             \
      y[i * step] = x[(gint64) i * stride];                                                   \
  }

#define LOAD_INTEGER(dtype, type)                                                             \
  static void load_##dtype (const void *from, gint64 place, gint64 stride, gsize n, void *to, \
                            gsize step, gint64 zero)                                          \
  {                                                                                           \
    const type *x = (const type *) from + place;                                              \
    guint64 *y = to;                                                                          \
                                                                                              \
    for (gsize i = 0; i < n; i++)                                                             \
      y[i * step] = (guint64) x[(gint64) i * stride] - (guint64) zero;                        \
  }

#define STORE(dtype, type, wide)                                  \
  static void store_##dtype (const void *sums, void *to, gsize n) \
  {                                                               \
    const wide *x = sums;                                         \
    type *y = to;                                                 \
                                                                  \
    for (gsize i = 0; i < n; i++)                                 \
      y[i] = (type) x[i];                                         \
  }
#define STORE_FLOAT(dtype, type) STORE (dtype, type, double)
#define STORE_INTEGER(dtype, type) STORE (dtype, type, guint64)

SYM_OP_FLOATS (LOAD_FLOAT)
SYM_OP_INTEGERS (LOAD_INTEGER)
SYM_OP_FLOATS (STORE_FLOAT)
SYM_OP_INTEGERS (STORE_INTEGER)

#define LOAD_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = load_##dtype,
#define STORE_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = store_##dtype,

static const Load loads[SYM_N_DTYPES] = { SYM_OP_NUMBERS (LOAD_ENTRY) };
static void (*const stores[SYM_N_DTYPES]) (const void *,
                                           void *,
                                           gsize) = { SYM_OP_NUMBERS (STORE_ENTRY) };

gboolean
sym_op_can_multiply (SymDType dtype)
{
  return loads[dtype] != NULL;
}

void
sym_op_store_sums (const void *sums, SymDType dtype, void *to, gsize n)
{
  stores[dtype](sums, to, n);
}

/* ---- Multiplying ---- */

/* Half a row of a block, in one register or in several. */
#define HALF (COLUMNS / 2)

typedef double FloatHalf __attribute__ ((vector_size (8 * HALF)));
typedef guint64 IntegerHalf __attribute__ ((vector_size (8 * HALF)));

/* The same anywhere in memory. */
typedef double LooseFloatHalf __attribute__ ((vector_size (8 * HALF), may_alias, aligned (8)));
typedef guint64 LooseIntegerHalf __attribute__ ((vector_size (8 * HALF), may_alias, aligned (8)));

/* Rows [k], one after the other, by a block [k, COLUMNS] of the right matrix: several at a time, as
 * each number of the block is then looked at once for all of them. */
#define SUM_ROWS(name, wide, Half)                                                                \
  static inline __attribute__ ((always_inline)) void add_rows_##name (                            \
      const wide *rows, gsize step, const int n_rows, const wide *block, gsize k,                 \
      wide sums[TOGETHER][COLUMNS])                                                               \
  {                                                                                               \
    Half own[TOGETHER][2];                                                                        \
                                                                                                  \
    for (int row = 0; row < n_rows; row++)                                                        \
      own[row][0] = own[row][1] = (Half){ 0 };                                                    \
    for (gsize i = 0; i < k; i++, block += COLUMNS)                                               \
      {                                                                                           \
        Half left = *(const Loose##Half *) block;                                                 \
        Half right = *(const Loose##Half *) (block + HALF);                                       \
                                                                                                  \
        _Pragma ("GCC unroll 4") for (int row = 0; row < n_rows; row++)                           \
        {                                                                                         \
          own[row][0] += left * rows[(gsize) row * step + i];                                     \
          own[row][1] += right * rows[(gsize) row * step + i];                                    \
        }                                                                                         \
      }                                                                                           \
    for (int row = 0; row < n_rows; row++)                                                        \
      {                                                                                           \
        *(Loose##Half *) sums[row] = own[row][0];                                                 \
        *(Loose##Half *) (sums[row] + HALF) = own[row][1];                                        \
      }                                                                                           \
  }                                                                                               \
                                                                                                  \
  SYM_OP_CLONES static void sum_##name (const wide *rows, gsize step, const wide *block, gsize k, \
                                        wide sums[TOGETHER][COLUMNS])                             \
  {                                                                                               \
    add_rows_##name (rows, step, TOGETHER, block, k, sums);                                       \
  }                                                                                               \
                                                                                                  \
  SYM_OP_CLONES static void sum_one_##name (const wide *row, const wide *block, gsize k,          \
                                            wide sums[TOGETHER][COLUMNS])                         \
  {                                                                                               \
    add_rows_##name (row, 0, 1, block, k, sums);                                                  \
  }                                                                                               \
                                                                                                  \
  static void multiply_##name (const wide *rows, gsize step, gsize n_rows, const wide *block,     \
                               gsize k, wide *to, gsize stride, gsize column_stride, gsize n)     \
  {                                                                                               \
    wide sums[TOGETHER][COLUMNS];                                                                 \
                                                                                                  \
    if (n_rows == TOGETHER)                                                                       \
      sum_##name (rows, step, block, k, sums);                                                    \
    for (gsize i = 0; i < n_rows; i++)                                                            \
      {                                                                                           \
        if (n_rows != TOGETHER)                                                                   \
          sum_one_##name (rows + i * step, block, k, sums);                                       \
        for (gsize j = 0; j < n; j++)                                                             \
          to[i * stride + j * column_stride] = sums[n_rows == TOGETHER ? i : 0][j];               \
      }                                                                                           \
  }

SUM_ROWS (floats, double, FloatHalf)
SUM_ROWS (integers, guint64, IntegerHalf)

/* ---- A few rows ---- */

/* Where rows are few, bringing the other matrix into order takes longer than multiplying by it as
 * it lies. */
#define FEW 3

/* One row by TOGETHER columns, each of numbers side by side, @step apart. */
SYM_OP_CLONES static void
sum_columns (const double *row, const double *columns, gsize step, gsize k, double *to)
{
  FloatHalf own[TOGETHER];
  gsize i = 0;

  for (int j = 0; j < TOGETHER; j++)
    own[j] = (FloatHalf){ 0 };
  for (; i + HALF <= k; i += HALF)
    {
      FloatHalf x = *(const LooseFloatHalf *) (row + i);

      _Pragma ("GCC unroll 4") for (int j = 0; j < TOGETHER; j++) own[j] +=
          x * *(const LooseFloatHalf *) (columns + (gsize) j * step + i);
    }
  for (int j = 0; j < TOGETHER; j++)
    {
      double sum = 0;

      for (int lane = 0; lane < HALF; lane++)
        sum += own[j][lane];
      for (gsize at = i; at < k; at++)
        sum += row[at] * columns[(gsize) j * step + at];
      to[j] = sum;
    }
}

/* TOGETHER numbers of one row by as many rows, @step apart, of the right matrix, added to @to. */
SYM_OP_CLONES static void
add_multiples (const double *row, const double *rows, gsize step, double *to, gsize n)
{
  gsize i = 0;

  for (; i + HALF <= n; i += HALF)
    {
      FloatHalf sum = *(const LooseFloatHalf *) (to + i);

      _Pragma ("GCC unroll 4") for (int j = 0; j < TOGETHER; j++) sum +=
          row[j] * *(const LooseFloatHalf *) (rows + (gsize) j * step + i);
      *(LooseFloatHalf *) (to + i) = sum;
    }
  for (; i < n; i++)
    for (int j = 0; j < TOGETHER; j++)
      to[i] += row[j] * rows[(gsize) j * step + i];
}

static gboolean
is_walked (const SymOpProduct *self, const SymOpMatrix *left, const SymOpMatrix *right)
{
  return self->m <= FEW && left->dtype == SYM_DTYPE_FLOAT64 && right->dtype == SYM_DTYPE_FLOAT64 &&
         (left->column_stride == 1 || self->k == 1) &&
         (right->column_stride == 1 || right->row_stride == 1);
}

static void
walk_columns (const SymOpProduct *self, const double *row, const SymOpMatrix *right, double *to)
{
  gsize step = (gsize) right->column_stride, j = 0;
  const double *columns = right->data;

  for (; j + TOGETHER <= self->n; j += TOGETHER)
    sum_columns (row, columns + j * step, step, self->k, to + j);
  for (; j < self->n; j++)
    {
      to[j] = 0;
      for (gsize i = 0; i < self->k; i++)
        to[j] += row[i] * columns[j * step + i];
    }
}

/* So many columns at a time that their sums stay near. */
static void
walk_rows (const SymOpProduct *self, const double *row, const SymOpMatrix *right, double *to)
{
  gsize step = (gsize) right->row_stride, most = 1024, n;

  memset (to, 0, self->n * sizeof *to);
  for (gsize j = 0; j < self->n; j += n)
    {
      const double *rows = (const double *) right->data + j;
      gsize i = 0;

      n = MIN (self->n - j, most);
      for (; i + TOGETHER <= self->k; i += TOGETHER)
        add_multiples (row + i, rows + i * step, step, to + j, n);
      for (; i < self->k; i++)
        for (gsize at = 0; at < n; at++)
          to[j + at] += row[i] * rows[i * step + at];
    }
}

static gboolean
walk (SymOpProduct *self, const SymOpMatrix *left, const SymOpMatrix *right, GError **error)
{
  for (gsize i = 0; i < self->m; i++)
    {
      const double *row = (const double *) left->data + (gint64) i * left->row_stride;
      double *to = (double *) self->sums + i * self->n;

      if (right->row_stride == 1)
        walk_columns (self, row, right, to);
      else
        walk_rows (self, row, right, to);
      if (sym_kernel_is_cancelled (self->kernel, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_op_product_init (SymOpProduct *self,
                     SymKernel *kernel,
                     gsize m,
                     gsize n,
                     gsize k,
                     GError **error)
{
  gsize n_sums;

  *self = (SymOpProduct){ .kernel = kernel, .m = m, .n = n, .k = k };
  if (!g_size_checked_mul (&n_sums, m, n) || k > G_MAXSSIZE / (8 * ROWS))
    return sym_kernel_fail (error, "a product of matrices is too large");
  self->left = sym_kernel_get_scratch (kernel, k, 8 * MIN (m, ROWS), error);
  if (self->left == NULL)
    return FALSE;
  self->right = sym_kernel_get_scratch (kernel, k, 8 * COLUMNS, error);
  if (self->right == NULL)
    return FALSE;
  self->sums = sym_kernel_get_scratch (kernel, n_sums, 8, error);
  return self->sums != NULL;
}

static void
load_rows (const SymOpProduct *self, const SymOpMatrix *left, gsize first, gsize n)
{
  for (gsize i = 0; i < n; i++)
    loads[left->dtype](left->data, (gint64) (first + i) * left->row_stride, left->column_stride,
                       self->k, (guint64 *) self->left + i * self->k, 1,
                       left->zeros == NULL ? 0 : left->zeros[(first + i) * left->zero_step]);
}

/* Columns of float64 that lie side by side or whose numbers do: half a block at a time, as lines of
 * memory that are a power of two apart drive one another out. */
static void
load_doubles (const SymOpProduct *self, const SymOpMatrix *right, gsize first, gsize n)
{
  const double *from = (const double *) right->data + (gint64) first * right->column_stride;
  gsize step = (gsize) right->column_stride, row_step = (gsize) right->row_stride;

  for (gsize start = 0; start < n; start += HALF)
    {
      gsize end = MIN (start + HALF, n);
      double *to = self->right;

      for (gsize i = 0; i < self->k; i++, to += COLUMNS)
        if (end - start == HALF)
          for (gsize j = 0; j < HALF; j++)
            to[start + j] = from[i * row_step + (start + j) * step];
        else
          for (gsize j = start; j < end; j++)
            to[j] = from[i * row_step + j * step];
    }
}

/* Columns beyond the last one are left as they are: nobody looks at their sums. */
static void
load_columns (const SymOpProduct *self, const SymOpMatrix *right, gsize first, gsize n)
{
  if (right->dtype == SYM_DTYPE_FLOAT64)
    {
      load_doubles (self, right, first, n);
      return;
    }
  for (gsize j = 0; j < n; j++)
    loads[right->dtype](right->data, (gint64) (first + j) * right->column_stride, right->row_stride,
                        self->k, (guint64 *) self->right + j, COLUMNS,
                        right->zeros == NULL ? 0 : right->zeros[(first + j) * right->zero_step]);
}

static gboolean
multiply_block (SymOpProduct *self,
                gboolean floats,
                gsize row,
                gsize n_rows,
                gsize column,
                gsize *work,
                GError **error)
{
  gsize n = MIN (self->n - column, COLUMNS);

  for (gsize i = 0; i < n_rows; i += TOGETHER)
    {
      gsize n_now = MIN (n_rows - i, TOGETHER), place = (row + i) * self->n + column;

      if (floats)
        multiply_floats ((const double *) self->left + i * self->k, self->k, n_now, self->right,
                         self->k, (double *) self->sums + place, self->n, 1, n);
      else
        multiply_integers ((const guint64 *) self->left + i * self->k, self->k, n_now, self->right,
                           self->k, (guint64 *) self->sums + place, self->n, 1, n);
      if (!sym_op_go_on_multiplying (self->kernel, work, n_now * self->k * COLUMNS, error))
        return FALSE;
    }
  return TRUE;
}

/* Where both matrices have the numbers that are multiplied side by side, the smaller one is brought
 * into blocks, and the other one read as it lies: the right one's columns are the rows then. */
static gboolean
is_turned (const SymOpProduct *self, const SymOpMatrix *left, const SymOpMatrix *right)
{
  return self->m < self->n && left->dtype == SYM_DTYPE_FLOAT64 &&
         right->dtype == SYM_DTYPE_FLOAT64 && left->column_stride == 1 && right->row_stride == 1;
}

static gboolean
run_turned (SymOpProduct *self, const SymOpMatrix *left, const SymOpMatrix *right, GError **error)
{
  const SymOpMatrix columns = { .dtype = SYM_DTYPE_FLOAT64,
                                .data = left->data,
                                .row_stride = 1,
                                .column_stride = left->row_stride };
  gsize step = (gsize) right->column_stride, work = 0;

  for (gsize first = 0; first < self->m; first += COLUMNS)
    {
      gsize n = MIN (self->m - first, COLUMNS);

      load_doubles (self, &columns, first, n);
      for (gsize i = 0; i < self->n; i += TOGETHER)
        {
          gsize n_now = MIN (self->n - i, TOGETHER);

          multiply_floats ((const double *) right->data + i * step, step, n_now, self->right,
                           self->k, (double *) self->sums + first * self->n + i, 1, self->n, n);
          if (!sym_op_go_on_multiplying (self->kernel, &work, n_now * self->k * COLUMNS, error))
            return FALSE;
        }
    }
  return TRUE;
}

gboolean
sym_op_product_run (SymOpProduct *self,
                    const SymOpMatrix *left,
                    const SymOpMatrix *right,
                    GError **error)
{
  gboolean floats = sym_dtype_is_floating (left->dtype);
  gsize work = 0;

  g_assert (floats == sym_dtype_is_floating (right->dtype));

  if (is_walked (self, left, right))
    return walk (self, left, right, error);
  if (is_turned (self, left, right))
    return run_turned (self, left, right, error);
  for (gsize i = 0; i < self->m; i += ROWS)
    {
      gsize n_rows = MIN (self->m - i, ROWS);

      load_rows (self, left, i, n_rows);
      for (gsize j = 0; j < self->n; j += COLUMNS)
        {
          load_columns (self, right, j, MIN (self->n - j, COLUMNS));
          if (!multiply_block (self, floats, i, n_rows, j, &work, error))
            return FALSE;
        }
    }
  return TRUE;
}
