/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-indices.h"

#include "core/sym-element.h"
#include "ops/sym-op-clones.h"
#include "ops/sym-op-kernel.h"

/* Numbers of one type, counted from the front; whether all of them are places. */
#define READ(name, type)                                                                         \
  SYM_OP_CLONES static gboolean read_##name (const type *from, gsize n, gint64 size, gint64 *to) \
  {                                                                                              \
    gboolean are_places = TRUE;                                                                  \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      {                                                                                          \
        gint64 given = from[i];                                                                  \
                                                                                                 \
        are_places &= (given >= -size) & (given < size);                                         \
        to[i] = given < 0 ? given + size : given;                                                \
      }                                                                                          \
    return are_places;                                                                           \
  }

READ (narrow, gint32)
READ (wide, gint64)

static gboolean
read_any (const SymArray *indices, gsize first, gsize n, gint64 size, gint64 *to)
{
  if (indices->dtype == SYM_DTYPE_INT64)
    return read_wide ((const gint64 *) indices->data + first, n, size, to);
  if (indices->dtype == SYM_DTYPE_INT32)
    return read_narrow ((const gint32 *) indices->data + first, n, size, to);
  for (gsize i = 0; i < n; i++)
    to[i] = sym_element_get_int (indices->dtype, indices->data, first + i);
  return read_wide (to, n, size, to);
}

gboolean
sym_op_read_indices (const SymArray *indices,
                     gsize first,
                     gsize n,
                     gint64 size,
                     gint64 *to,
                     GError **error)
{
  gint64 given = 0;

  g_assert (n <= SYM_OP_MAX_INDICES);

  if (read_any (indices, first, n, size, to))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    {
      given = sym_element_get_int (indices->dtype, indices->data, first + i);
      if (given < -size || given >= size)
        break;
    }
  return sym_kernel_fail (error,
                          "index %" G_GINT64_FORMAT " is out of range for an axis of "
                          "%" G_GINT64_FORMAT,
                          given, size);
}

/* FALSE when an index is of no place. */
static inline gboolean
add_up (const gint64 *tuples,
        gsize n,
        gsize depth,
        const gint64 *sizes,
        const gint64 *strides,
        gint64 *to)
{
  gboolean is_inside = TRUE;

  for (gsize i = 0; i < n; i++)
    {
      gint64 place = 0;

      for (gsize k = 0; k < depth; k++)
        {
          gint64 index = tuples[i * depth + k];

          index += index < 0 ? sizes[k] : 0;
          is_inside &= (guint64) index < (guint64) sizes[k];
          place += (gint64) ((guint64) index * (guint64) strides[k]);
        }
      to[i] = place;
    }
  return is_inside;
}

/* Depths that are usual are known where the loop is. */
static gboolean
add_up_wide (const gint64 *tuples,
             gsize n,
             gsize depth,
             const gint64 *sizes,
             const gint64 *strides,
             gint64 *to)
{
  return depth == 1   ? add_up (tuples, n, 1, sizes, strides, to)
         : depth == 2 ? add_up (tuples, n, 2, sizes, strides, to)
         : depth == 3 ? add_up (tuples, n, 3, sizes, strides, to)
                      : add_up (tuples, n, depth, sizes, strides, to);
}

gboolean
sym_op_read_tuples (const SymArray *indices,
                    gsize first,
                    gsize n,
                    gsize depth,
                    const gint64 *sizes,
                    const gint64 *strides,
                    gint64 *to,
                    GError **error)
{
  if (indices->dtype == SYM_DTYPE_INT64 &&
      add_up_wide ((const gint64 *) indices->data + first * depth, n, depth, sizes, strides, to))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    {
      to[i] = 0;
      for (gsize k = 0; k < depth; k++)
        {
          gint64 index;

          if (!sym_op_read_indices (indices, (first + i) * depth + k, 1, sizes[k], &index, error))
            return FALSE;
          to[i] += index * strides[k];
        }
    }
  return TRUE;
}

void
sym_op_indexed_init (SymOpIndexed *self, const SymArray *data, const SymArray *indices, int axis)
{
  self->indices = indices;
  self->axis = axis;
  self->size = data->shape.dims[axis];
  self->place = 0;
  self->next = self->first = self->n = 0;
  for (int i = 0; i < SYM_MAX_RANK; i++)
    self->index[i] = 0;
  sym_op_get_strides (&data->shape, self->strides);
}

/* @n on along the last axis, and from its end to where the next row begins. */
static void
go_on (SymOpIndexed *self, gsize n)
{
  const SymShape *shape = &self->indices->shape;
  gint64 steps = (gint64) n;

  for (int k = shape->rank; k-- > 0; steps = 1)
    {
      gint64 stride = k == self->axis ? 0 : self->strides[k];

      self->place += steps * stride;
      self->index[k] += steps;
      if (self->index[k] < shape->dims[k])
        return;
      self->place -= self->index[k] * stride;
      self->index[k] = 0;
    }
}

/* From places along the axis to those in the data: neighbours are @step apart along the other ones.
 */
SYM_OP_CLONES static void
find_places (gint64 *places, gsize n, gint64 place, gint64 stride, gint64 step)
{
  for (gsize i = 0; i < n; i++)
    places[i] = place + places[i] * stride + (gint64) i * step;
}

gboolean
sym_op_indexed_next (SymOpIndexed *self, GError **error)
{
  const SymShape *shape = &self->indices->shape;
  int last = shape->rank - 1;
  gint64 step = last == self->axis ? 0 : self->strides[last];
  gint64 stride = self->strides[self->axis];

  self->first = self->next;
  self->n = MIN (sym_array_get_n_elements (self->indices) - self->next, SYM_OP_MAX_INDICES);
  self->next += self->n;
  if (!sym_op_read_indices (self->indices, self->first, self->n, self->size, self->places, error))
    return FALSE;
  for (gsize done = 0, n; done < self->n; done += n)
    {
      gint64 *places = self->places + done;

      n = MIN (self->n - done, (gsize) (shape->dims[last] - self->index[last]));
      find_places (places, n, self->place, stride, step);
      go_on (self, n);
    }
  return TRUE;
}
