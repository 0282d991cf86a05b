/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-kernel.h"

#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-rules.h"

gboolean
sym_op_refuse_dtype (SymKernel *kernel, SymDType dtype, GError **error)
{
  g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED, "%s has no kernel for %s",
               sym_layer_get_type (sym_kernel_get_layer (kernel)), sym_dtype_to_string (dtype));
  return FALSE;
}

char *
sym_op_format_shape (const SymShape *shape)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", shape->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* ---- Places ---- */

void
sym_op_get_strides (const SymShape *shape, gint64 strides[SYM_MAX_RANK])
{
  gint64 stride = 1;

  for (int i = shape->rank; i-- > 0;)
    {
      strides[i] = stride;
      stride *= shape->dims[i];
    }
}

void
sym_op_get_broadcast_strides (const SymShape *shape, int rank, gint64 strides[SYM_MAX_RANK])
{
  int lead = rank - shape->rank;
  gint64 stride = 1;

  for (int i = 0; i < lead; i++)
    strides[i] = 0;
  for (int i = shape->rank; i-- > 0;)
    {
      strides[lead + i] = shape->dims[i] == 1 ? 0 : stride;
      stride *= shape->dims[i];
    }
}

gboolean
sym_op_find_axis (gint64 axis, int rank, int *normal, GError **error)
{
  if (axis < -rank || axis >= rank)
    return sym_kernel_fail (error, "axis %" G_GINT64_FORMAT " is out of range for rank %d", axis,
                            rank);
  *normal = (int) (axis < 0 ? axis + rank : axis);
  return TRUE;
}

SymOpAxis
sym_op_split_axis (const SymShape *shape, int axis)
{
  SymOpAxis self = { 1, (gsize) shape->dims[axis], 1 };

  for (int i = 0; i < axis; i++)
    self.outer *= (gsize) shape->dims[i];
  for (int i = axis + 1; i < shape->rank; i++)
    self.inner *= (gsize) shape->dims[i];
  return self;
}

gboolean
sym_op_broadcast (SymShape *shape, const SymShape *other, GError **error)
{
  SymShape result = { .rank = MAX (shape->rank, other->rank) };

  for (int i = 1; i <= result.rank; i++)
    {
      gint64 a = i <= shape->rank ? shape->dims[shape->rank - i] : 1;
      gint64 b = i <= other->rank ? other->dims[other->rank - i] : 1;

      if (a != b && a != 1 && b != 1)
        {
          g_autofree char *left = sym_op_format_shape (shape);
          g_autofree char *right = sym_op_format_shape (other);

          return sym_kernel_fail (error, "shapes %s and %s do not broadcast", left, right);
        }
      result.dims[result.rank - i] = a == 1 ? b : a;
    }
  *shape = result;
  return TRUE;
}

/* ---- Moving ---- */

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

void
sym_op_clear (SymArray *to)
{
  gsize n = sym_array_get_n_elements (to);
  guint64 n_bytes;

  if (to->dtype == SYM_DTYPE_STRING)
    {
      g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);

      for (gsize i = 0; i < n; i++)
        sym_array_set_string (to, i, empty);
    }
  else if (sym_dtype_get_size (to->dtype, n, &n_bytes) && n_bytes > 0)
    memset (to->data, 0, n_bytes);
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

void
sym_op_move_strided (SymArray *to, const SymArray *from, gint64 offset, const gint64 *strides)
{
  int rank = to->shape.rank;
  gsize total = sym_array_get_n_elements (to),
        row = rank == 0 ? 1 : (gsize) to->shape.dims[rank - 1];
  gint64 index[SYM_MAX_RANK] = { 0 }, place = offset;

  for (gsize i = 0; i < total; i += row)
    {
      move_row (to, i, from, place, rank == 0 ? 1 : strides[rank - 1], row);
      for (int axis = rank - 1; axis-- > 0;)
        {
          place += strides[axis];
          if (++index[axis] < to->shape.dims[axis])
            break;
          place -= strides[axis] * to->shape.dims[axis];
          index[axis] = 0;
        }
    }
}

/* ---- Elementwise ---- */

/* Elements between two questions whether the run was cancelled: a few milliseconds of the slowest
 * functions. */
#define PIECE ((gsize) 1 << 16)

static gsize
get_size (SymDType dtype)
{
  return dtype == SYM_DTYPE_STRING ? sizeof (GBytes *) : sym_dtype_get_bits (dtype) / 8;
}

static gboolean
run_pieces (SymKernel *kernel,
            SymOpUnaryLoop loop,
            const SymArray *x,
            SymArray *y,
            const double *parameters,
            GError **error)
{
  gsize n = sym_array_get_n_elements (x), size_x = get_size (x->dtype),
        size_y = get_size (y->dtype);

  for (gsize i = 0; i < n; i += PIECE)
    {
      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      loop ((const guint8 *) x->data + i * size_x, (guint8 *) y->data + i * size_y,
            MIN (n - i, PIECE), parameters);
    }
  return TRUE;
}

gboolean
sym_op_run_unary (SymKernel *kernel,
                  const SymOpUnaryLoop loops[SYM_N_DTYPES],
                  SymDType dtype,
                  const double *parameters,
                  GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (loops[x->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, dtype == SYM_DTYPE_UNKNOWN ? x->dtype : dtype, &x->shape,
                             error);
  return y != NULL && run_pieces (kernel, loops[x->dtype], x, y, parameters, error);
}

/* A row of one or of both operands in pieces. */
static gboolean
run_row (SymKernel *kernel,
         SymOpBinaryLoop loop,
         const guint8 *a,
         gsize step_a,
         const guint8 *b,
         gsize step_b,
         guint8 *y,
         const gsize sizes[3],
         gsize n,
         GError **error)
{
  for (gsize i = 0; i < n; i += PIECE)
    {
      if (n > PIECE && sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      loop (a + i * step_a * sizes[0], step_a, b + i * step_b * sizes[1], step_b, y + i * sizes[2],
            MIN (n - i, PIECE));
    }
  return TRUE;
}

/* One row of the result after the other: the last axis, or all axes where neither operand repeats.
 */
gboolean
sym_op_combine (SymKernel *kernel,
                SymOpBinaryLoop loop,
                const SymArray *a,
                const SymArray *b,
                SymArray *y,
                GError **error)
{
  const gsize sizes[3] = { get_size (a->dtype), get_size (b->dtype), get_size (y->dtype) };
  gint64 strides_a[SYM_MAX_RANK], strides_b[SYM_MAX_RANK], index[SYM_MAX_RANK] = { 0 };
  int rank = y->shape.rank;
  gsize total = sym_array_get_n_elements (y), row, asked = 0;
  gint64 i = 0, j = 0;

  if (rank == 0 ||
      (sym_shape_equal (&a->shape, &y->shape) && sym_shape_equal (&b->shape, &y->shape)))
    return run_row (kernel, loop, a->data, 1, b->data, 1, y->data, sizes, total, error);
  sym_op_get_broadcast_strides (&a->shape, rank, strides_a);
  sym_op_get_broadcast_strides (&b->shape, rank, strides_b);
  row = (gsize) y->shape.dims[rank - 1];
  for (gsize done = 0; done < total; done += row)
    {
      if (done - asked >= PIECE)
        {
          asked = done;
          if (sym_kernel_is_cancelled (kernel, error))
            return FALSE;
        }
      if (!run_row (kernel, loop, (const guint8 *) a->data + (gsize) i * sizes[0],
                    (gsize) strides_a[rank - 1], (const guint8 *) b->data + (gsize) j * sizes[1],
                    (gsize) strides_b[rank - 1], (guint8 *) y->data + done * sizes[2], sizes, row,
                    error))
        return FALSE;
      for (int axis = rank - 1; axis-- > 0;)
        {
          i += strides_a[axis];
          j += strides_b[axis];
          if (++index[axis] < y->shape.dims[axis])
            break;
          i -= strides_a[axis] * y->shape.dims[axis];
          j -= strides_b[axis] * y->shape.dims[axis];
          index[axis] = 0;
        }
    }
  return TRUE;
}

static gboolean
same_dtype (SymKernel *kernel, guint i, const SymArray *a, const SymArray *b, GError **error)
{
  if (a->dtype == b->dtype)
    return TRUE;
  return sym_kernel_fail (error, "operand %u of %s is of %s, operand 0 of %s", i,
                          sym_layer_get_type (sym_kernel_get_layer (kernel)),
                          sym_dtype_to_string (b->dtype), sym_dtype_to_string (a->dtype));
}

gboolean
sym_op_run_arrays (SymKernel *kernel,
                   const SymOpBinaryLoop loops[SYM_N_DTYPES],
                   const SymArray *a,
                   const SymArray *b,
                   SymDType dtype,
                   GError **error)
{
  SymShape shape = a->shape;
  SymArray *y;

  if (!same_dtype (kernel, 1, a, b, error))
    return FALSE;
  if (loops[a->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, a->dtype, error);
  if (!sym_op_broadcast (&shape, &b->shape, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, dtype == SYM_DTYPE_UNKNOWN ? a->dtype : dtype, &shape,
                             error);
  return y != NULL && sym_op_combine (kernel, loops[a->dtype], a, b, y, error);
}

gboolean
sym_op_run_binary (SymKernel *kernel,
                   const SymOpBinaryLoop loops[SYM_N_DTYPES],
                   SymDType dtype,
                   GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  return sym_op_run_arrays (kernel, loops, a, b, dtype, error);
}

SymArray *
sym_op_combine_all (SymKernel *kernel, const SymOpBinaryLoop loops[SYM_N_DTYPES], GError **error)
{
  const SymArray *first = sym_kernel_need_input (kernel, 0, error);
  gint64 strides[SYM_MAX_RANK];
  SymShape shape;
  SymArray *y;

  if (first == NULL)
    return NULL;
  if (loops[first->dtype] == NULL)
    {
      sym_op_refuse_dtype (kernel, first->dtype, error);
      return NULL;
    }
  shape = first->shape;
  for (guint i = 1; i < sym_kernel_get_n_inputs (kernel); i++)
    {
      const SymArray *other = sym_kernel_need_input (kernel, i, error);

      if (other == NULL || !same_dtype (kernel, i, first, other, error) ||
          !sym_op_broadcast (&shape, &other->shape, error))
        return NULL;
    }
  y = sym_kernel_new_output (kernel, 0, first->dtype, &shape, error);
  if (y == NULL)
    return NULL;
  sym_op_get_broadcast_strides (&first->shape, shape.rank, strides);
  sym_op_move_strided (y, first, 0, strides);
  for (guint i = 1; i < sym_kernel_get_n_inputs (kernel); i++)
    if (!sym_op_combine (kernel, loops[first->dtype], y, sym_kernel_get_input (kernel, i), y,
                         error))
      return NULL;
  return y;
}

gboolean
sym_op_run_variadic (SymKernel *kernel, const SymOpBinaryLoop loops[SYM_N_DTYPES], GError **error)
{
  return sym_op_combine_all (kernel, loops, error) != NULL;
}

/* ---- Working in another dtype ---- */

SymDType
sym_op_find_work (SymKernel *kernel, const SymArray *const *arrays, guint n, GError **error)
{
  SymDType work = SYM_DTYPE_FLOAT32;

  for (guint i = 0; i < n; i++)
    {
      SymDType dtype = arrays[i] == NULL ? SYM_DTYPE_FLOAT32 : arrays[i]->dtype;

      if (dtype == SYM_DTYPE_FLOAT64)
        work = dtype;
      else if (dtype != SYM_DTYPE_FLOAT32 && dtype != SYM_DTYPE_FLOAT16 &&
               dtype != SYM_DTYPE_BFLOAT16)
        {
          sym_op_refuse_dtype (kernel, dtype, error);
          return SYM_DTYPE_UNKNOWN;
        }
    }
  return work;
}

const void *
sym_op_read_as (SymKernel *kernel, const SymArray *array, SymDType dtype, GError **error)
{
  gsize n = sym_array_get_n_elements (array);
  void *copy;

  if (array->dtype == dtype)
    return array->data;
  copy = sym_kernel_get_scratch (kernel, n, sym_dtype_get_bits (dtype) / 8, error);
  if (copy != NULL)
    sym_convert_elements (array->dtype, array->data, dtype, copy, n);
  return copy;
}

void *
sym_op_place_as (SymKernel *kernel, SymArray *y, SymDType dtype, GError **error)
{
  if (y->dtype == dtype)
    return y->data;
  return sym_kernel_get_scratch (kernel, sym_array_get_n_elements (y),
                                 sym_dtype_get_bits (dtype) / 8, error);
}

void
sym_op_write_as (SymArray *y, SymDType dtype, const void *data)
{
  if (data != y->data)
    sym_convert_elements (dtype, data, y->dtype, y->data, sym_array_get_n_elements (y));
}

gboolean
sym_op_go_on (SymKernel *kernel, gsize *done, gsize n_elements, GError **error)
{
  *done += n_elements;
  if (*done < PIECE)
    return TRUE;
  *done = 0;
  return !sym_kernel_is_cancelled (kernel, error);
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
  gsize outer = 1, inner = 1;
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
        sym_op_move (y, (j * parts->len + part) * inner, x, j * inner, inner);
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
  gsize start = 0;

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
        sym_op_move (y, j * whole.size * whole.inner + start, x, j * length, length);
      start += length;
    }
  return TRUE;
}
