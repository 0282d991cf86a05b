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

/* ---- Single numbers ---- */

static gboolean
read_number (const SymArray *array, guint slot, double *number, GError **error)
{
  if (sym_array_get_n_elements (array) != 1 || !sym_dtype_is_numeric (array->dtype))
    return sym_kernel_fail (error, "operand %u must be one number", slot);
  *number = sym_element_get_double (array->dtype, array->data, 0);
  return TRUE;
}

gboolean
sym_op_get_number (SymKernel *kernel, guint slot, double *number, GError **error)
{
  const SymArray *array = sym_kernel_get_input (kernel, slot);

  return array == NULL || read_number (array, slot, number, error);
}

gboolean
sym_op_need_number (SymKernel *kernel, guint slot, double *number, GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, slot, error);

  return array != NULL && read_number (array, slot, number, error);
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

/* ---- Elementwise ---- */

/* Elements between two questions whether the run was cancelled: a few milliseconds of the slowest
 * functions.  As many of less than a byte fill whole bytes. */
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
  if (!sym_op_move_strided (kernel, y, first, 0, strides, error))
    return NULL;
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
  gsize n = sym_array_get_n_elements (array), from = sym_dtype_get_bits (array->dtype);
  gsize to = sym_dtype_get_bits (dtype);
  guint8 *copy;

  if (array->dtype == dtype)
    return array->data;
  copy = sym_kernel_get_scratch (kernel, n, to / 8, error);
  for (gsize i = 0; i < n && copy != NULL; i += PIECE)
    {
      if (sym_kernel_is_cancelled (kernel, error))
        return NULL;
      sym_convert_elements (array->dtype, (const guint8 *) array->data + i / 8 * from, dtype,
                            copy + i / 8 * to, MIN (n - i, PIECE));
    }
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

SymArray *
sym_op_new_place (SymKernel *kernel, guint i, SymDType dtype, const SymShape *shape, GError **error)
{
  SymArray *array;

  if (i < sym_kernel_get_n_outputs (kernel))
    return sym_kernel_new_output (kernel, i, dtype, shape, error);
  array = sym_kernel_get_scratch (kernel, 1, sizeof *array, error);
  if (array == NULL)
    return NULL;
  *array = (SymArray){ dtype, *shape, NULL };
  array->data = sym_kernel_get_scratch (kernel, MAX (sym_array_get_n_bytes (array), 1), 1, error);
  return array->data == NULL ? NULL : array;
}

static gboolean
count_to (SymKernel *kernel, gsize *done, gsize n, gsize most, GError **error)
{
  *done += n;
  if (*done < most)
    return TRUE;
  *done = 0;
  return !sym_kernel_is_cancelled (kernel, error);
}

gboolean
sym_op_go_on (SymKernel *kernel, gsize *done, gsize n_elements, GError **error)
{
  return count_to (kernel, done, n_elements, PIECE, error);
}

/* Multiplications of a millisecond or two. */
#define PRODUCTS ((gsize) 1 << 22)

gboolean
sym_op_go_on_multiplying (SymKernel *kernel, gsize *done, gsize n_products, GError **error)
{
  return count_to (kernel, done, n_products, PRODUCTS, error);
}
