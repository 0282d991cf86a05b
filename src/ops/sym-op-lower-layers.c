/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>

#include "core/sym-element.h"
#include "ops/sym-op-lower.h"

/* A constant of more elements is made by the body when it runs. */
#define MAX_CONSTANT 65536

/* ---- Constants ---- */

SymId
sym_op_lower_ints (SymOpLower *self, const gint64 *values, int n)
{
  SymArray array = { SYM_DTYPE_INT64, SYM_SHAPE (n), (void *) values };

  return sym_op_lower_array (self, &array);
}

/* The nearest that there is. */
static gint64
to_integer (double number)
{
  return isnan (number) ? 0 : (gint64) CLAMP (number, -0x1p63, 0x1.fffffffffffffp62);
}

static void
set_number (SymDType dtype, void *place, gsize i, double number)
{
  if (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL)
    sym_element_set_int (dtype, place, i, to_integer (number));
  else
    sym_element_set_double (dtype, place, i, number);
}

static SymId
repeat (SymOpLower *self, SymDType dtype, const SymShape *shape, double number, gsize n)
{
  g_autofree guint64 *place = g_new0 (guint64, 2 * n + 2);
  SymArray array = { dtype, *shape, place };

  for (gsize i = 0; i < n; i++)
    set_number (dtype, place, i, number);
  return sym_op_lower_array (self, &array);
}

/* The dtype of an operand that is missing is not known, and texts are no numbers. */
static gboolean
check_dtype (SymOpLower *self, SymDType dtype)
{
  if (dtype == SYM_DTYPE_UNKNOWN || dtype == SYM_DTYPE_STRING)
    sym_op_lower_fail (self, "%s: an operand is no tensor of numbers",
                       sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

SymId
sym_op_lower_fill (SymOpLower *self, SymDType dtype, const SymShape *shape, double number)
{
  SymId one;
  guint64 n;

  if (!check_dtype (self, dtype))
    return SYM_NO_ID;
  if (sym_shape_get_n_elements (shape, &n) && n <= MAX_CONSTANT)
    return repeat (self, dtype, shape, number, (gsize) n);
  one = sym_op_lower_number (self, dtype, number);
  return sym_op_lower_call (
      self, "Expand", SYM_IDS (one, sym_op_lower_ints (self, shape->dims, shape->rank)), NULL);
}

SymId
sym_op_lower_number (SymOpLower *self, SymDType dtype, double number)
{
  guint64 place[2] = { 0 };
  SymArray array = { dtype, SYM_SHAPE (), place };

  if (!check_dtype (self, dtype))
    return SYM_NO_ID;
  set_number (dtype, place, 0, number);
  return sym_op_lower_array (self, &array);
}

/* ---- Layers ---- */

SymValue *
sym_op_lower_list (const gint64 *values, int n)
{
  return sym_value_new_ints (SYM_VALUE_LIST, values, (guint) n);
}

SymId
sym_op_lower_unary (SymOpLower *self, const char *name, SymId x)
{
  return sym_op_lower_call (self, name, SYM_IDS (x), NULL);
}

SymId
sym_op_lower_binary (SymOpLower *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_call (self, name, SYM_IDS (a, b), NULL);
}

SymId
sym_op_lower_reshape (SymOpLower *self, SymId x, const SymShape *shape)
{
  SymId sizes = sym_op_lower_ints (self, shape->dims, shape->rank);

  return sym_op_lower_call (self, "Reshape", SYM_IDS (x, sizes), "allowzero", sym_value_new_int (1),
                            NULL);
}

SymId
sym_op_lower_permute (SymOpLower *self, SymId x, const gint64 *axes, int n)
{
  return sym_op_lower_call (self, "Transpose", SYM_IDS (x), "perm", sym_op_lower_list (axes, n),
                            NULL);
}

SymId
sym_op_lower_transpose (SymOpLower *self, SymId x, int n, ...)
{
  gint64 axes[SYM_MAX_RANK];
  va_list arguments;

  g_return_val_if_fail (n <= SYM_MAX_RANK, SYM_NO_ID);

  va_start (arguments, n);
  for (int i = 0; i < n; i++)
    axes[i] = va_arg (arguments, int);
  va_end (arguments);
  return sym_op_lower_permute (self, x, axes, n);
}

SymId
sym_op_lower_exchange (SymOpLower *self, SymId x, int rank)
{
  gint64 axes[SYM_MAX_RANK];

  if (rank < 2)
    return x;
  for (int i = 0; i < rank; i++)
    axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
  return sym_op_lower_permute (self, x, axes, rank);
}

SymId
sym_op_lower_exchange_if (SymOpLower *self, SymId x, int rank, const char *attribute)
{
  return sym_op_lower_get_bool (self, attribute, FALSE) ? sym_op_lower_exchange (self, x, rank) : x;
}

SymId
sym_op_lower_cast (SymOpLower *self, SymId x, SymDType dtype)
{
  return sym_op_lower_call (self, "Cast", SYM_IDS (x), "to", sym_value_new_dtype (dtype), NULL);
}

SymId
sym_op_lower_cast_from (SymOpLower *self, SymId x, SymDType from, SymDType dtype)
{
  return from == dtype || dtype == SYM_DTYPE_UNKNOWN ? x : sym_op_lower_cast (self, x, dtype);
}

void
sym_op_lower_finish (SymOpLower *self, SymId x)
{
  const SymShape *shape = sym_op_lower_get_output_shape (self, 0);

  if (shape->rank < 0 || !sym_shape_is_known (shape))
    sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                         sym_op_lower_get_type (self));
  else
    sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, x, shape));
}

gboolean
sym_op_lower_find_axis (SymOpLower *self, gint64 axis, int rank, int *normal)
{
  *normal = 0;
  if (axis < -rank || axis >= rank)
    {
      sym_op_lower_fail (self, "%s: there is no axis %" G_GINT64_FORMAT " among %d",
                         sym_op_lower_get_type (self), axis, rank);
      return FALSE;
    }
  *normal = (int) (axis < 0 ? axis + rank : axis);
  return TRUE;
}

SymId
sym_op_lower_slice (SymOpLower *self, SymId x, int axis, gint64 start, gint64 stop, gint64 step)
{
  gint64 along = axis;

  return sym_op_lower_call (
      self, "Slice",
      SYM_IDS (x, sym_op_lower_ints (self, &start, 1), sym_op_lower_ints (self, &stop, 1),
               sym_op_lower_ints (self, &along, 1), sym_op_lower_ints (self, &step, 1)),
      NULL);
}

/* Whether @size is so many times @from, or a half, a quarter, ... of it. */
static gboolean
find_scale (gint64 from, gint64 size, float *scale)
{
  gint64 part = size > 0 && from % size == 0 ? from / size : 0;

  if (from < 1 || size < 1 || (size % from != 0 && (part == 0 || (part & (part - 1)) != 0)))
    return FALSE;
  *scale = (float) size / (float) from;
  return TRUE;
}

void
sym_op_lower_resize (SymOpLower *self,
                     SymId x,
                     const SymShape *shape,
                     const gint64 *sizes,
                     SymId operands[4])
{
  float scales[SYM_MAX_RANK];
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (shape->rank), scales };
  gboolean is_exact = TRUE;

  for (int i = 0; i < shape->rank; i++)
    is_exact = is_exact && find_scale (shape->dims[i], sizes[i], &scales[i]);
  operands[0] = x;
  operands[1] = SYM_NO_ID;
  operands[2] = is_exact ? sym_op_lower_array (self, &array) : SYM_NO_ID;
  operands[3] = is_exact ? SYM_NO_ID : sym_op_lower_ints (self, sizes, shape->rank);
}

SymId
sym_op_lower_roll (SymOpLower *self, SymId x, int axis, gint64 size, gint64 shift)
{
  gint64 n_last = size > 0 ? (shift % size + size) % size : 0;
  SymId parts[2];

  if (n_last == 0)
    return x;
  parts[0] = sym_op_lower_slice (self, x, axis, -n_last, G_MAXINT64, 1);
  parts[1] = sym_op_lower_slice (self, x, axis, 0, -n_last, 1);
  return sym_op_lower_call (self, "Concat", (SymIds){ parts, 2 }, "axis", sym_value_new_int (axis),
                            NULL);
}

SymId
sym_op_lower_reduce (SymOpLower *self,
                     const char *name,
                     SymId x,
                     const gint64 *axes,
                     int n,
                     gboolean keep)
{
  SymId list = sym_op_lower_ints (self, axes, n);

  return sym_op_lower_call (self, name, SYM_IDS (x, list), "keepdims",
                            sym_value_new_int (keep ? 1 : 0), "noop_with_empty_axes",
                            sym_value_new_int (1), NULL);
}

SymId
sym_op_lower_count (SymOpLower *self, gint64 n)
{
  return sym_op_lower_call (self, "Range",
                            SYM_IDS (sym_op_lower_number (self, SYM_DTYPE_INT64, 0),
                                     sym_op_lower_number (self, SYM_DTYPE_INT64, (double) n),
                                     sym_op_lower_number (self, SYM_DTYPE_INT64, 1)),
                            NULL);
}

/* ---- What is known beforehand ---- */

void
sym_op_known_read (SymOpKnown *self, const SymArray *array)
{
  gsize n = array == NULL ? 0 : sym_array_get_n_elements (array);

  self->n = -1;
  self->has_number = array != NULL && array->dtype == SYM_DTYPE_FLOAT32 && n == 1;
  if (self->has_number)
    self->number = (double) *(const float *) array->data;
  if (array == NULL || array->shape.rank > 2 || n > SYM_OP_MAX_KNOWN ||
      (array->dtype != SYM_DTYPE_INT32 && array->dtype != SYM_DTYPE_INT64))
    return;
  self->n = (int) n;
  for (gsize i = 0; i < n; i++)
    self->values[i] = array->dtype == SYM_DTYPE_INT32 ? ((const gint32 *) array->data)[i]
                                                      : ((const gint64 *) array->data)[i];
}
