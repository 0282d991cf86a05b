/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-panels.h"

#include "ops/sym-op-clones.h"

/* Columns of a panel, rows that are multiplied together, and products that are summed before the
 * sum is added to the others. */
#define WIDTH 32
#define ROWS 2
#define DEPTH 256

gboolean
sym_op_panels_init (SymOpPanels *self,
                    SymKernel *kernel,
                    SymDType dtype,
                    gsize k,
                    gsize n,
                    GError **error)
{
  gsize size;

  *self = (SymOpPanels){ .kernel = kernel, .dtype = dtype, .k = k, .n = n };
  if (n > G_MAXSSIZE - WIDTH || !g_size_checked_mul (&size, (n + WIDTH - 1) / WIDTH * WIDTH, k))
    return sym_kernel_fail (error, "a product of matrices is too large");
  self->data = sym_kernel_get_scratch (kernel, size, sym_dtype_get_bits (dtype) / 8, error);
  return self->data != NULL;
}

/* The panel of the columns from @first on. */
#define LOAD(dtype, type)                                                                       \
  static void load_##dtype (SymOpPanels *self, gsize first, const type *from, gsize row_stride, \
                            gsize column_stride)                                                \
  {                                                                                             \
    type *panel = (type *) self->data + first * self->k;                                        \
    gsize n = MIN (self->n - first, WIDTH);                                                     \
                                                                                                \
    for (gsize j = 0; j < WIDTH; j++)                                                           \
      for (gsize i = 0; i < self->k; i++)                                                       \
        panel[i * WIDTH + j] = j < n ? from[i * row_stride + (first + j) * column_stride] : 0;  \
  }

SYM_OP_FLOATS (LOAD)

gboolean
sym_op_panels_load (SymOpPanels *self,
                    const void *matrix,
                    gsize row_stride,
                    gsize column_stride,
                    GError **error)
{
  gsize done = 0;

  for (gsize first = 0; first < self->n; first += WIDTH)
    {
      if (self->dtype == SYM_DTYPE_FLOAT32)
        load_FLOAT32 (self, first, matrix, row_stride, column_stride);
      else
        load_FLOAT64 (self, first, matrix, row_stride, column_stride);
      if (!sym_op_go_on (self->kernel, &done, self->k * WIDTH, error))
        return FALSE;
    }
  return TRUE;
}

/* @n_rows rows [k], at most ROWS and at most DEPTH numbers of each, by a panel [k, WIDTH]: added to
 * @sums.  A missing row is the last one again. */
#define SUM(dtype, type)                                                                           \
  SYM_OP_CLONES static void sum_##dtype (const type *const rows[ROWS], const type *panel, gsize k, \
                                         type sums[ROWS][WIDTH])                                   \
  {                                                                                                \
    type piece[ROWS][WIDTH] = { { 0 } };                                                           \
                                                                                                   \
    for (gsize i = 0; i < k; i++)                                                                  \
      for (int row = 0; row < ROWS; row++)                                                         \
        for (int j = 0; j < WIDTH; j++)                                                            \
          piece[row][j] += rows[row][i] * panel[i * WIDTH + (gsize) j];                            \
    for (int row = 0; row < ROWS; row++)                                                           \
      for (int j = 0; j < WIDTH; j++)                                                              \
        sums[row][j] += piece[row][j];                                                             \
  }                                                                                                \
                                                                                                   \
  static void multiply_##dtype (const SymOpPanels *self, const type *panel, const type *x,         \
                                gsize stride, gsize n_rows, type sums[ROWS][WIDTH])                \
  {                                                                                                \
    for (gsize i = 0; i < self->k; i += DEPTH)                                                     \
      {                                                                                            \
        const type *rows[ROWS];                                                                    \
                                                                                                   \
        for (gsize row = 0; row < ROWS; row++)                                                     \
          rows[row] = x + MIN (row, n_rows - 1) * stride + i;                                      \
        sum_##dtype (rows, panel + i * WIDTH, MIN (self->k - i, DEPTH), sums);                     \
      }                                                                                            \
  }                                                                                                \
                                                                                                   \
  /* The columns from @first on, of @n_rows rows. */                                               \
  static void fill_##dtype (const SymOpPanels *self, gsize first, const void *from,                \
                            gsize row_stride, gsize n_rows, void *to, gsize to_stride,             \
                            gboolean adds)                                                         \
  {                                                                                                \
    gsize n = MIN (self->n - first, WIDTH);                                                        \
                                                                                                   \
    for (gsize row = 0; row < n_rows; row += ROWS)                                                 \
      {                                                                                            \
        type sums[ROWS][WIDTH] = { { 0 } };                                                        \
        gsize n_now = MIN (n_rows - row, ROWS);                                                    \
                                                                                                   \
        multiply_##dtype (self, (const type *) self->data + first * self->k,                       \
                          (const type *) from + row * row_stride, row_stride, n_now, sums);        \
        for (gsize i = 0; i < n_now; i++)                                                          \
          {                                                                                        \
            type *y = (type *) to + (row + i) * to_stride + first;                                 \
                                                                                                   \
            for (gsize j = 0; j < n; j++)                                                          \
              y[j] = adds ? y[j] + sums[i][j] : sums[i][j];                                        \
          }                                                                                        \
      }                                                                                            \
  }

SYM_OP_FLOATS (SUM)

/* Rows that are multiplied by a panel while it is near. */
#define BLOCK ((gsize) 64)

gboolean
sym_op_panels_multiply (const SymOpPanels *self,
                        const void *rows,
                        gsize row_stride,
                        gsize m,
                        void *to,
                        gsize to_stride,
                        gboolean adds,
                        GError **error)
{
  gsize size = sym_dtype_get_bits (self->dtype) / 8, work = 0;

  for (gsize i = 0; i < m; i += BLOCK)
    for (gsize first = 0; first < self->n; first += WIDTH)
      {
        gsize n_rows = MIN (m - i, BLOCK);
        const guint8 *from = (const guint8 *) rows + i * row_stride * size;
        guint8 *y = (guint8 *) to + i * to_stride * size;

        if (self->dtype == SYM_DTYPE_FLOAT32)
          fill_FLOAT32 (self, first, from, row_stride, n_rows, y, to_stride, adds);
        else
          fill_FLOAT64 (self, first, from, row_stride, n_rows, y, to_stride, adds);
        if (!sym_op_go_on_multiplying (self->kernel, &work, n_rows * self->k * WIDTH, error))
          return FALSE;
      }
  return TRUE;
}
