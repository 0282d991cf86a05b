/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <string.h>

#include "core/sym-element.h"

/* Layers that find elements, or choose them by their places. */

static SymId
turn (SymRaise *self, SymId x, gint64 axis)
{
  return sym_mxnet_raise_call (self, "reverse", &x, 1, "axis", sym_raise_tuple (&axis, 1), NULL);
}

/* ---- Places of the greatest and the least ---- */

/* The dtype of floats that hold all numbers of @dtype, as MXNet compares floats alone. */
static SymDType
widen_dtype (SymDType dtype)
{
  switch ((int) dtype)
    {
    case SYM_DTYPE_FLOAT16:
    case SYM_DTYPE_FLOAT32:
    case SYM_DTYPE_INT8:
    case SYM_DTYPE_UINT8:
    case SYM_DTYPE_BOOL:
      return SYM_DTYPE_FLOAT32;
    case SYM_DTYPE_FLOAT64:
    case SYM_DTYPE_INT32:
      return SYM_DTYPE_FLOAT64;
    default:
      return SYM_DTYPE_UNKNOWN;
    }
}

/* Operand 0 in floats in which MXNet tells places, too, as far as they hold them. */
static SymId
take_floats (SymRaise *self, gint64 axis)
{
  SymDim size = sym_raise_get_shape (self, 0).dims[axis];
  SymDType dtype = sym_mxnet_raise_get_kept (sym_raise_get_dtype (self, 0));
  SymDType wide = widen_dtype (dtype);
  SymId x = sym_raise_operand (self, 0);

  if (wide == SYM_DTYPE_FLOAT32 && size > 1 << 24)
    wide = SYM_DTYPE_FLOAT64;
  if (wide == SYM_DTYPE_UNKNOWN)
    sym_raise_fail (self, "MXNet finds no places among numbers of its dtype");
  return wide == dtype ? x : sym_mxnet_raise_cast (self, x, wide);
}

/* The last one of those that are equal is the first one from behind. */
static SymId
find_place (SymRaise *self, const char *op, SymId x, gint64 axis, gboolean keeps)
{
  gboolean is_last = sym_raise_get_int (self, "select_last_index", 0) != 0;
  SymDim size = sym_raise_get_shape (self, 0).dims[axis];

  if (is_last && size < 0)
    sym_raise_fail (self, "the size of its axis is not known");
  x = is_last ? turn (self, x, axis) : x;
  x = sym_mxnet_raise_call (self, op, &x, 1, "axis", sym_value_new_int (axis), "keepdims",
                            sym_value_new_bool (keeps), NULL);
  return is_last ? sym_mxnet_raise_by_number (self, "_rminus_scalar", x, (double) size - 1) : x;
}

static void
raise_arg (SymRaise *self)
{
  gboolean is_max = strcmp (sym_raise_get_type (self), "ArgMax") == 0;
  gboolean keeps = sym_raise_get_int (self, "keepdims", 1) != 0;
  gint64 axis;
  SymId x;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 0), &axis))
    return;
  x = find_place (self, is_max ? "argmax" : "argmin", take_floats (self, axis), axis, keeps);
  sym_mxnet_raise_finish (self, "Cast", &x, 1, "dtype", sym_value_new_string ("int64"), NULL);
}

/* ---- 1 at a place ---- */

/* The last axis becomes @axis. */
static SymId
move_last (SymRaise *self, SymId x, gint64 axis, int rank)
{
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    axes[i] = i < axis ? i : i == axis ? rank - 1 : i - 1;
  if (axis == rank - 1)
    return x;
  return sym_mxnet_raise_call (self, "transpose", &x, 1, "axes", sym_raise_tuple (axes, rank),
                               NULL);
}

static SymId
mark_place (SymRaise *self, SymId x, double depth, double on, double off, SymDType dtype)
{
  return sym_mxnet_raise_layer (self, "one_hot", &x, 1, "depth", sym_value_new_int ((gint64) depth),
                                "on_value", sym_value_new_float (on), "off_value",
                                sym_value_new_float (off), "dtype",
                                sym_value_new_string (sym_dtype_to_string (dtype)), NULL);
}

/* Off and on, numbers that are known beforehand. */
static gboolean
read_values (SymRaise *self, double values[2])
{
  SymTensor *tensor = sym_raise_find_tensor (self, sym_raise_get_value (self, 2));
  guint8 bytes[32];

  if (tensor == NULL || sym_dtype_get_bits (sym_tensor_get_dtype (tensor)) < 8 ||
      sym_tensor_get_n_bytes (tensor) != sym_dtype_get_bits (sym_tensor_get_dtype (tensor)) / 4 ||
      !sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return FALSE;
  for (gsize i = 0; i < 2; i++)
    values[i] = sym_element_get_double (sym_tensor_get_dtype (tensor), bytes, i);
  return TRUE;
}

/* Those less than 0 count from the end, which MXNet does not do here. */
static SymId
wrap_places (SymRaise *self, double depth)
{
  SymDType dtype = sym_mxnet_raise_get_kept (sym_raise_get_dtype (self, 0));
  SymId x = sym_raise_operand (self, 0), below;

  if (dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64)
    x = sym_mxnet_raise_cast (self, x, SYM_DTYPE_INT64);
  below = sym_mxnet_raise_by_number (self, "_lesser_scalar", x, 0);
  below = sym_mxnet_raise_by_number (self, "_mul_scalar", below, depth);
  return sym_mxnet_raise_join (self, "broadcast_add", x, below);
}

static void
raise_one_hot (SymRaise *self)
{
  SymDType dtype = sym_mxnet_raise_get_kept (sym_raise_get_result_dtype (self, 0));
  int rank = sym_raise_get_shape (self, 0).rank + 1;
  gint64 axis = sym_raise_get_int (self, "axis", -1);
  double depth, values[2];
  SymId x;

  axis += axis < 0 ? rank : 0;
  if (!sym_raise_get_number (self, NULL, 1, &depth) || depth < 1 || !read_values (self, values))
    sym_raise_fail (self, "its depth and values are not known beforehand");
  else if (rank < 2 || axis < 0 || axis >= rank)
    sym_raise_fail (self, "the axes of its data are not known");
  else if (!sym_mxnet_raise_has_dtype (dtype))
    sym_raise_fail (self, "MXNet has no such dtype");
  else
    {
      x = mark_place (self, wrap_places (self, depth), depth, values[1], values[0], dtype);
      sym_raise_set_result (self, 0, move_last (self, x, axis, rank));
    }
}

/* Before operator set 13 all axes from `axis` on were one. */
static void
raise_hardmax (SymRaise *self)
{
  gboolean is_old = sym_raise_get_version (self) < 13;
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 axis, flat = -1;
  SymId x;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", is_old ? 1 : -1), &axis))
    return;
  if ((is_old && axis != shape.rank - 1) || shape.dims[axis] < 1)
    {
      sym_raise_fail (self, "it is over several axes, or over one whose size is not known");
      return;
    }
  x = find_place (self, "argmax", take_floats (self, axis), axis, FALSE);
  x = mark_place (self, x, (double) shape.dims[axis], 1, 0, sym_raise_get_dtype (self, 0));
  if (shape.rank == 1)
    x = sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape", sym_raise_tuple (&flat, 1), NULL);
  sym_raise_set_result (self, 0, move_last (self, x, axis, shape.rank));
}

/* ---- Several ---- */

/* Where MXNet sorts all, the first ones of those that are equal come first; it does when they are
 * more than an eighth. */
static void
raise_top (SymRaise *self)
{
  gboolean is_least = sym_raise_get_int (self, "largest", 1) == 0, is_part;
  SymId x = sym_raise_operand (self, 0), results[2];
  double given;
  gint64 axis, k;
  SymDim size;

  if (!sym_raise_get_number (self, "k", 1, &given) || given < 1)
    {
      sym_raise_fail (self, "how many it takes is not known beforehand");
      return;
    }
  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", -1), &axis))
    return;
  k = (gint64) given;
  size = sym_raise_get_shape (self, 0).dims[axis];
  is_part = sym_raise_is_used (self, 1) && (size < 0 || k <= size / 8);
  sym_mxnet_raise_several (
      self, "topk", &x, 1, results, 2, "axis", sym_value_new_int (axis), "k",
      sym_value_new_int (is_part ? 0 : k), "ret_typ", sym_value_new_string ("both"), "is_ascend",
      sym_value_new_bool (is_least), "dtype", sym_value_new_string ("int64"), NULL);
  for (guint i = 0; i < 2; i++)
    sym_raise_set_result (self, i,
                          is_part ? sym_mxnet_raise_call (self, "slice_axis", &results[i], 1,
                                                          "axis", sym_value_new_int (axis), "begin",
                                                          sym_value_new_int (0), "end",
                                                          sym_value_new_int (k), NULL)
                                  : results[i]);
}

/* MXNet has the axis of the places first. */
static void
raise_gather_nd (SymRaise *self)
{
  SymId operands[] = { sym_raise_operand (self, 0), sym_raise_operand (self, 1) };
  int rank = sym_raise_get_shape (self, 1).rank;
  gint64 axes[SYM_MAX_RANK];

  if (sym_raise_get_int (self, "batch_dims", 0) != 0 || rank < 1 ||
      sym_raise_get_result_shape (self, 0).rank < 1)
    {
      sym_raise_fail (self, "it has batches, or gives one number, or its axes are not known");
      return;
    }
  for (int i = 0; i < rank; i++)
    axes[i] = (i + rank - 1) % rank;
  if (rank > 1)
    operands[1] = sym_mxnet_raise_call (self, "transpose", &operands[1], 1, "axes",
                                        sym_raise_tuple (axes, rank), NULL);
  sym_mxnet_raise_finish (self, "gather_nd", operands, 2, NULL);
}

const SymRaiseRule sym_mxnet_raise_choose[] = {
  { "ArgMax", 1, raise_arg },
  { "ArgMin", 1, raise_arg },
  { "GatherND", 2, raise_gather_nd },
  { "Hardmax", 1, raise_hardmax },
  { "OneHot", 1, raise_one_hot },
  { "TopK", 1, raise_top },
  { NULL },
};
