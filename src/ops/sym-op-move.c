/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-move.h"

#include <string.h>

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-rules.h"

/* Elements between two questions whether the run was cancelled.  As many of less than a byte fill
 * whole bytes. */
#define PIECE ((gsize) 1 << 16)

/* Elements of 1, 2 or 4 bits, one at a time. */
static void
move_bits (SymArray *to, gsize i, const SymArray *from, gsize j, gsize n, guint bits)
{
  guint8 *target = to->data;
  const guint8 *source = from->data;
  guint8 mask = (guint8) ((1u << bits) - 1);

  for (gsize k = 0; k < n; k++)
    {
      gsize a = (i + k) * bits, b = (j + k) * bits;
      guint8 element = (guint8) ((source[b / 8] >> (b % 8)) & mask);

      target[a / 8] = (guint8) ((target[a / 8] & ~(mask << (a % 8))) | (element << (a % 8)));
    }
}

void
sym_op_move (SymArray *to, gsize i, const SymArray *from, gsize j, gsize n)
{
  guint bits = sym_dtype_get_bits (to->dtype);

  g_assert (to->dtype == from->dtype);

  if (to->dtype == SYM_DTYPE_STRING)
    for (gsize k = 0; k < n; k++)
      sym_array_set_string (to, i + k, ((GBytes *const *) from->data)[j + k]);
  else if (bits < 8)
    move_bits (to, i, from, j, n, bits);
  else if (n > 0)
    memcpy ((guint8 *) to->data + i * (bits / 8), (const guint8 *) from->data + j * (bits / 8),
            n * (bits / 8));
}

gboolean
sym_op_move_on (SymKernel *kernel,
                gsize *done,
                SymArray *to,
                gsize i,
                const SymArray *from,
                gsize j,
                gsize n,
                GError **error)
{
  for (gsize k = 0; k < n; k += PIECE)
    {
      gsize count = MIN (n - k, PIECE);

      if (!sym_op_go_on (kernel, done, count, error))
        return FALSE;
      sym_op_move (to, i + k, from, j + k, count);
    }
  return TRUE;
}

gboolean
sym_op_clear (SymKernel *kernel, SymArray *to, GError **error)
{
  gsize n = sym_array_get_n_elements (to), bits = sym_dtype_get_bits (to->dtype), done = 0;
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);

  for (gsize i = 0; i < n; i += PIECE)
    {
      gsize count = MIN (n - i, PIECE);

      if (!sym_op_go_on (kernel, &done, count, error))
        return FALSE;
      for (gsize k = 0; k < count && to->dtype == SYM_DTYPE_STRING; k++)
        sym_array_set_string (to, i + k, empty);
      if (bits > 0)
        memset ((guint8 *) to->data + i / 8 * bits, 0, (count * bits + 7) / 8);
    }
  return TRUE;
}

#define MOVE_ROW(type)                                    \
  do                                                      \
    {                                                     \
      type *row = (type *) to->data + i;                  \
      const type *source = (const type *) from->data + j; \
      for (gsize k = 0; k < n; k++)                       \
        row[k] = source[(gint64) k * stride];             \
    }                                                     \
  while (0)

static void
move_row (SymArray *to, gsize i, const SymArray *from, gint64 j, gint64 stride, gsize n)
{
  guint bits = sym_dtype_get_bits (to->dtype);

  if (stride == 1)
    sym_op_move (to, i, from, (gsize) j, n);
  else if (bits == 8)
    MOVE_ROW (guint8);
  else if (bits == 16)
    MOVE_ROW (guint16);
  else if (bits == 32)
    MOVE_ROW (guint32);
  else if (bits == 64)
    MOVE_ROW (guint64);
  else
    for (gsize k = 0; k < n; k++)
      sym_op_move (to, i + k, from, (gsize) (j + (gint64) k * stride), 1);
}

gboolean
sym_op_move_strided (SymKernel *kernel,
                     SymArray *to,
                     const SymArray *from,
                     gint64 offset,
                     const gint64 *strides,
                     GError **error)
{
  int rank = to->shape.rank;
  gsize total = sym_array_get_n_elements (to), done = 0;
  gsize row = rank == 0 ? 1 : (gsize) to->shape.dims[rank - 1];
  gint64 index[SYM_MAX_RANK] = { 0 }, place = offset, step = rank == 0 ? 1 : strides[rank - 1];

  for (gsize i = 0; i < total; i += row)
    {
      for (gsize k = 0; k < row; k += PIECE)
        {
          gsize count = MIN (row - k, PIECE);

          if (!sym_op_go_on (kernel, &done, count, error))
            return FALSE;
          move_row (to, i + k, from, place + (gint64) k * step, step, count);
        }
      for (int axis = rank - 1; axis-- > 0;)
        {
          place += strides[axis];
          if (++index[axis] < to->shape.dims[axis])
            break;
          place -= strides[axis] * to->shape.dims[axis];
          index[axis] = 0;
        }
    }
  return TRUE;
}

/* ---- Data ---- */

static void
free_datum (gpointer datum)
{
  if (datum != NULL)
    sym_datum_unref (datum);
}

GPtrArray *
sym_op_new_data (guint n)
{
  GPtrArray *self = g_ptr_array_new_with_free_func (free_datum);

  g_ptr_array_set_size (self, (int) n);
  return self;
}

/* The tensor that is part @i, like the first one but along @axis (-1: everywhere). */
static const SymArray *
get_part (const GPtrArray *parts, guint i, int axis, GError **error)
{
  const SymArray *first = sym_datum_get_array (parts->pdata[0]);
  const SymArray *part = sym_datum_get_array (parts->pdata[i]);
  SymShape shape;

  if (part == NULL || first == NULL)
    {
      sym_kernel_fail (error, "only tensors can be put together, and item %u is none",
                       part == NULL ? i : 0);
      return NULL;
    }
  shape = part->shape;
  if (axis >= 0 && axis < shape.rank && axis < first->shape.rank)
    shape.dims[axis] = first->shape.dims[axis];
  if (part->dtype != first->dtype || !sym_shape_equal (&shape, &first->shape))
    {
      g_autofree char *left = sym_op_format_shape (&first->shape);
      g_autofree char *right = sym_op_format_shape (&part->shape);

      sym_kernel_fail (error, "item 0 is %s%s, item %u is %s%s", sym_dtype_to_string (first->dtype),
                       left, i, sym_dtype_to_string (part->dtype), right);
      return NULL;
    }
  return part;
}

gboolean
sym_op_stack (SymKernel *kernel, guint i, const GPtrArray *parts, int axis, GError **error)
{
  const SymArray *first = get_part (parts, 0, -1, error);
  gsize outer = 1, inner = 1, done = 0;
  SymShape shape;
  SymArray *y;

  if (first == NULL)
    return FALSE;
  if (first->shape.rank >= SYM_MAX_RANK || axis < 0 || axis > first->shape.rank)
    return sym_kernel_fail (error, "items of rank %d cannot be put together along axis %d",
                            first->shape.rank, axis);
  shape = sym_op_insert_axis (&first->shape, axis, parts->len);
  for (int j = 0; j < first->shape.rank; j++)
    *(j < axis ? &outer : &inner) *= (gsize) first->shape.dims[j];
  y = sym_kernel_new_output (kernel, i, first->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  for (guint part = 0; part < parts->len; part++)
    {
      const SymArray *x = get_part (parts, part, -1, error);

      if (x == NULL)
        return FALSE;
      for (gsize j = 0; j < outer; j++)
        if (!sym_op_move_on (kernel, &done, y, (j * parts->len + part) * inner, x, j * inner, inner,
                             error))
          return FALSE;
    }
  return TRUE;
}

gboolean
sym_op_join (SymKernel *kernel, guint i, const GPtrArray *parts, int axis, GError **error)
{
  const SymArray *first = get_part (parts, 0, -1, error);
  SymShape shape;
  SymArray *y;
  SymOpAxis whole;
  gsize start = 0, done = 0;

  if (first == NULL)
    return FALSE;
  shape = first->shape;
  shape.dims[axis] = 0;
  for (guint part = 0; part < parts->len; part++)
    {
      const SymArray *x = get_part (parts, part, axis, error);

      if (x == NULL)
        return FALSE;
      if (!g_size_checked_add ((gsize *) &shape.dims[axis], (gsize) shape.dims[axis],
                               (gsize) x->shape.dims[axis]))
        return sym_kernel_fail (error, "all together is too large");
    }
  y = sym_kernel_new_output (kernel, i, first->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  whole = sym_op_split_axis (&shape, axis);
  for (guint part = 0; part < parts->len; part++)
    {
      const SymArray *x = sym_datum_get_array (parts->pdata[part]);
      gsize length = (gsize) x->shape.dims[axis] * whole.inner;

      for (gsize j = 0; j < whole.outer; j++)
        if (!sym_op_move_on (kernel, &done, y, j * whole.size * whole.inner + start, x, j * length,
                             length, error))
          return FALSE;
      start += length;
    }
  return TRUE;
}
