/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-heads.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

/* Numbers that are rounded at once. */
#define PIECE ((gsize) 512)

static gsize
get_size (SymDType dtype)
{
  return sym_dtype_get_bits (dtype) / 8;
}

/* ---- Loading ---- */

static gboolean
fail_shape (const SymArray *array, const char *what, GError **error)
{
  g_autofree char *text = sym_op_format_shape (&array->shape);

  return sym_kernel_fail (error, "an operand of shape %s %s", text, what);
}

/* The sizes that @array tells. */
static gboolean
read_sizes (SymOpHeads *self, const SymArray *array, gint64 n_heads, GError **error)
{
  const gint64 *dims = array->shape.dims;

  if (array->shape.rank == 4)
    {
      self->n_heads = (gsize) dims[1];
      self->n_rows = (gsize) dims[2];
      self->size = (gsize) dims[3];
    }
  else if (array->shape.rank == 3)
    {
      if (n_heads < 1 || dims[2] % n_heads != 0)
        return sym_kernel_fail (
            error, "%" G_GINT64_FORMAT " features cannot be parted into %" G_GINT64_FORMAT " heads",
            dims[2], n_heads);
      self->n_heads = (gsize) n_heads;
      self->n_rows = (gsize) dims[1];
      self->size = (gsize) (dims[2] / n_heads);
    }
  else
    return fail_shape (array, "should have 3 or 4 axes", error);
  self->n_batch = (gsize) dims[0];
  return TRUE;
}

static gboolean
add_past (SymOpHeads *self, const SymArray *past, GError **error)
{
  if (past->shape.rank != 4 || past->shape.dims[0] != (gint64) self->n_batch ||
      past->shape.dims[1] != (gint64) self->n_heads || past->shape.dims[3] != (gint64) self->size)
    return fail_shape (past, "is no past of the other", error);
  self->n_rows += (gsize) past->shape.dims[2];
  return TRUE;
}

/* Rows of @from, whose batch has @n_heads heads, behind the first @skip rows. */
static void
copy_rows (SymOpHeads *self, const SymArray *from, gsize n_rows, gsize skip)
{
  gboolean by_rows = from->shape.rank == 3;
  gsize size = get_size (from->dtype), n = self->size;

  if (sym_array_get_n_elements (from) == 0)
    return;
  for (gsize i = 0; i < self->n_batch * self->n_heads; i++)
    for (gsize row = 0; row < n_rows; row++)
      {
        gsize batch = i / self->n_heads, head = i % self->n_heads;
        gsize place = by_rows ? (batch * n_rows + row) * self->n_heads + head : i * n_rows + row;
        guint8 *to = (guint8 *) sym_op_heads_get (self, batch, head);

        sym_convert_elements (from->dtype, (const guint8 *) from->data + place * n * size,
                              self->work, to + (skip + row) * n * get_size (self->work), n);
      }
}

gboolean
sym_op_heads_load (SymOpHeads *self,
                   SymKernel *kernel,
                   SymDType work,
                   const SymArray *past,
                   const SymArray *array,
                   gint64 n_heads,
                   GError **error)
{
  gsize n_past, n = 0;

  *self = (SymOpHeads){ .kernel = kernel, .dtype = array->dtype, .work = work };
  if (!read_sizes (self, array, n_heads, error) || (past != NULL && !add_past (self, past, error)))
    return FALSE;
  n_past = past == NULL ? 0 : (gsize) past->shape.dims[2];
  n = sym_array_get_n_elements (array);
  if (past != NULL && !g_size_checked_add (&n, n, sym_array_get_n_elements (past)))
    return sym_kernel_fail (error, "past and present together are too large");
  self->data = sym_kernel_get_scratch (kernel, n, get_size (work), error);
  if (self->data == NULL)
    return FALSE;
  if (past != NULL)
    copy_rows (self, past, n_past, 0);
  copy_rows (self, array, self->n_rows - n_past, n_past);
  return TRUE;
}

void *
sym_op_heads_get (const SymOpHeads *self, gsize batch, gsize head)
{
  return (guint8 *) self->data +
         (batch * self->n_heads + head) * self->n_rows * self->size * get_size (self->work);
}

/* ---- Rounding ---- */

void
sym_op_round (SymDType dtype, SymDType work, void *numbers, gsize n)
{
  double place[PIECE];

  if (dtype == work || dtype == SYM_DTYPE_FLOAT64)
    return;
  for (gsize i = 0; i < n; i += PIECE)
    {
      guint8 *from = (guint8 *) numbers + i * get_size (work);

      sym_convert_elements (work, from, dtype, place, MIN (n - i, PIECE));
      sym_convert_elements (dtype, place, work, from, MIN (n - i, PIECE));
    }
}

#define SCALE(dtype, type)                                  \
  static void scale_##dtype (type *x, gsize n, type factor) \
  {                                                         \
    for (gsize i = 0; i < n; i++)                           \
      x[i] *= factor;                                       \
  }

SYM_OP_FLOATS (SCALE)

void
sym_op_heads_scale (SymOpHeads *self, double factor)
{
  gsize n = self->n_batch * self->n_heads * self->n_rows * self->size;

  sym_op_round (self->dtype, SYM_DTYPE_FLOAT64, &factor, 1);
  if (self->work == SYM_DTYPE_FLOAT32)
    scale_FLOAT32 (self->data, n, (float) factor);
  else
    scale_FLOAT64 (self->data, n, factor);
  sym_op_round (self->dtype, self->work, self->data, n);
}

void
sym_op_heads_store (const SymOpHeads *self, SymArray *y)
{
  sym_convert_elements (self->work, self->data, y->dtype, y->data, sym_array_get_n_elements (y));
}

/* ---- Softmax ---- */

#define SOFTMAX(dtype, type, exponential)                             \
  static void softmax_##dtype (type *x, gsize n, gboolean is_guarded) \
  {                                                                   \
    type greatest = -INFINITY;                                        \
    double sum = 0;                                                   \
                                                                      \
    for (gsize i = 0; i < n; i++)                                     \
      greatest = x[i] > greatest ? x[i] : greatest;                   \
    if (is_guarded && greatest == -INFINITY)                          \
      greatest = 0;                                                   \
    for (gsize i = 0; i < n; i++)                                     \
      sum += x[i] = exponential (x[i] - greatest);                    \
    sum = is_guarded && sum == 0 ? 0 : 1 / sum;                       \
    for (gsize i = 0; i < n; i++)                                     \
      x[i] = (type) (x[i] * sum);                                     \
  }

SOFTMAX (FLOAT32, float, expf)
SOFTMAX (FLOAT64, double, exp)

void
sym_op_softmax_row (SymDType work, void *row, gsize n, gboolean is_guarded)
{
  if (work == SYM_DTYPE_FLOAT32)
    softmax_FLOAT32 (row, n, is_guarded);
  else
    softmax_FLOAT64 (row, n, is_guarded);
}
