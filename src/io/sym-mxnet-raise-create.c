/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <math.h>

#include "core/sym-element.h"

/* Layers that make numbers of sizes alone. */

static SymValue *
name_dtype (SymDType dtype)
{
  return sym_value_new_string (sym_dtype_to_string (sym_mxnet_raise_get_kept (dtype)));
}

/* Whether the result is of known sizes, none of which is 0, and of a dtype that MXNet has. */
static gboolean
is_result_known (SymRaise *self, SymShape *shape)
{
  gboolean is_known;

  *shape = sym_raise_get_result_shape (self, 0);
  is_known =
      shape->rank > 0 && sym_shape_is_known (shape) &&
      sym_mxnet_raise_has_dtype (sym_mxnet_raise_get_kept (sym_raise_get_result_dtype (self, 0)));
  for (int i = 0; is_known && i < shape->rank; i++)
    is_known = shape->dims[i] > 0;
  if (!is_known)
    sym_raise_fail (self, "its sizes are not known beforehand, or are none");
  return is_known;
}

/* FALSE for a number that MXNet's attribute, a double, does not hold. */
static gboolean
read_fill (SymRaise *self, double *number)
{
  const SymValue *value = sym_attributes_find (sym_raise_get_attributes (self), "value");
  SymTensor *tensor = value == NULL ? NULL : sym_value_get_tensor (value);
  guint8 bytes[8];

  *number = 0;
  if (value == NULL)
    return TRUE;
  if (tensor == NULL || sym_dtype_get_bits (sym_tensor_get_dtype (tensor)) < 8 ||
      sym_tensor_get_n_bytes (tensor) > sizeof bytes ||
      !sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return FALSE;
  *number = sym_element_get_double (sym_tensor_get_dtype (tensor), bytes, 0);
  return isfinite (*number) &&
         (sym_dtype_is_floating (sym_tensor_get_dtype (tensor)) || fabs (*number) < 0x1p53);
}

static void
raise_fill (SymRaise *self)
{
  SymShape shape;
  double number;

  if (!is_result_known (self, &shape))
    return;
  if (!read_fill (self, &number))
    sym_raise_fail (self, "MXNet cannot say its number");
  else
    sym_mxnet_raise_finish (self, "_full", NULL, 0, "shape",
                            sym_raise_tuple (shape.dims, shape.rank), "dtype",
                            name_dtype (sym_raise_get_result_dtype (self, 0)), "value",
                            sym_value_new_float (number), NULL);
}

/* Numbers stop half a step behind the last one, so that no rounding makes one more or less. */
static SymId
count (SymRaise *self, double start, double step, gint64 n, SymDType dtype)
{
  return sym_mxnet_raise_call (self, "_arange", NULL, 0, "start", sym_value_new_float (start),
                               "stop", sym_value_new_float (start + ((double) n - 0.5) * step),
                               "step", sym_value_new_float (step), "dtype", name_dtype (dtype),
                               NULL);
}

/* How many numbers there are; FALSE where a rounding would decide, and where there are none. */
static gboolean
find_count (const double numbers[3], gint64 *n)
{
  double steps = (numbers[1] - numbers[0]) / numbers[2];

  if (!(steps > 0 && steps < 0x1p31) ||
      (steps != round (steps) && fabs (steps - round (steps)) < 1e-5))
    return FALSE;
  *n = (gint64) ceil (steps);
  return TRUE;
}

static void
raise_range (SymRaise *self)
{
  SymDType dtype = sym_raise_get_result_dtype (self, 0);
  double numbers[3];
  gint64 n;

  for (guint i = 0; i < 3; i++)
    if (!sym_raise_get_number (self, NULL, i, &numbers[i]))
      {
        sym_raise_fail (self, "its numbers are not known beforehand");
        return;
      }
  if (!sym_mxnet_raise_has_dtype (dtype) || !find_count (numbers, &n))
    sym_raise_fail (self, "it is not clear how many numbers there are, or there are none");
  else
    sym_raise_set_result (self, 0, count (self, numbers[0], numbers[2], n, dtype));
}

static void
raise_eye (SymRaise *self)
{
  SymShape shape;

  if (is_result_known (self, &shape))
    sym_mxnet_raise_finish (self, "_eye", NULL, 0, "N", sym_value_new_int (shape.dims[0]), "M",
                            sym_value_new_int (shape.dims[1]), "k",
                            sym_value_new_int (sym_raise_get_int (self, "k", 0)), "dtype",
                            name_dtype (sym_raise_get_result_dtype (self, 0)), NULL);
}

/* Sizes that are known are numbers; those that are not come with the data. */
static void
raise_shape (SymRaise *self)
{
  gint64 rank = sym_raise_get_shape (self, 0).rank;
  gint64 start = sym_raise_get_int (self, "start", 0), end = sym_raise_get_int (self, "end", rank);
  SymId x = sym_raise_operand (self, 0);

  start = CLAMP (start + (start < 0 ? rank : 0), 0, MAX (rank, 0));
  end = CLAMP (end + (end < 0 ? rank : 0), 0, MAX (rank, 0));
  if (rank < 1 || start >= end)
    {
      sym_raise_fail (self, "the axes of its data are not known, or are none");
      return;
    }
  x = sym_mxnet_raise_call (self, "shape_array", &x, 1, NULL);
  if (start > 0 || end < rank)
    x = sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (0), "begin",
                              sym_value_new_int (start), "end", sym_value_new_int (end), NULL);
  sym_raise_set_result (self, 0, x);
}

/* ---- Triangles ---- */

/* 1 where a place is within the triangle, in axes of one but for the last two. */
static SymId
make_triangle (SymRaise *self, const SymShape *shape, gint64 k, gboolean is_upper)
{
  int rank = shape->rank;
  gint64 sizes[SYM_MAX_RANK];
  SymId row = count (self, (double) k, 1, shape->dims[rank - 2], SYM_DTYPE_FLOAT32);
  SymId column = count (self, 0, 1, shape->dims[rank - 1], SYM_DTYPE_FLOAT32);

  for (int i = 0; i < rank; i++)
    sizes[i] = i == rank - 2 ? -1 : 1;
  row =
      sym_mxnet_raise_call (self, "Reshape", &row, 1, "shape", sym_raise_tuple (sizes, rank), NULL);
  sizes[rank - 2] = 1;
  sizes[rank - 1] = -1;
  column = sym_mxnet_raise_call (self, "Reshape", &column, 1, "shape",
                                 sym_raise_tuple (sizes, rank), NULL);
  return sym_mxnet_raise_join (
      self, is_upper ? "broadcast_greater_equal" : "broadcast_lesser_equal", column, row);
}

static void
raise_triangle (SymRaise *self)
{
  gboolean is_upper = sym_raise_get_int (self, "upper", 1) != 0;
  SymShape shape = sym_raise_get_shape (self, 0);
  SymId x = sym_raise_operand (self, 0), operands[3];
  double k = 0;

  if (shape.rank < 2 || shape.dims[shape.rank - 1] < 1 || shape.dims[shape.rank - 2] < 1 ||
      (sym_raise_has (self, 1) && !sym_raise_get_number (self, NULL, 1, &k)))
    {
      sym_raise_fail (self, "the sizes of its matrices, or its diagonal, are not known");
      return;
    }
  k = CLAMP (k, -0x1p20, 0x1p20);
  operands[0] = make_triangle (self, &shape, (gint64) k, is_upper);
  operands[0] = sym_mxnet_raise_join (self, "broadcast_like", operands[0], x);
  operands[1] = x;
  operands[2] = sym_mxnet_raise_call (self, "zeros_like", &x, 1, NULL);
  sym_mxnet_raise_finish (self, "where", operands, 3, NULL);
}

const SymRaiseRule sym_mxnet_raise_create[] = {
  { "ConstantOfShape", 0, raise_fill }, { "EyeLike", 0, raise_eye },    { "Range", 0, raise_range },
  { "Shape", 1, raise_shape },          { "Trilu", 1, raise_triangle }, { NULL },
};
