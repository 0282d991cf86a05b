/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

/* Products of matrices. */

static gboolean
is_same_batch (SymRaise *self, int n)
{
  for (int i = 0; i < n; i++)
    for (guint slot = 0; slot < 2; slot++)
      if (!sym_raise_is_same_size_of (self, slot, i, i))
        return FALSE;
  return TRUE;
}

/* Zeros of the size of all axes but the last two, of which one element is left. */
static SymId
take_batch (SymRaise *self, SymId x)
{
  for (int axis = -2; axis < 0; axis++)
    x = sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (axis), "begin",
                              sym_value_new_int (0), "end", sym_value_new_int (1), NULL);
  return sym_mxnet_raise_call (self, "zeros_like", &x, 1, NULL);
}

/* MXNet multiplies as many matrices by as many others: they are repeated. */
static void
multiply_batches (SymRaise *self, int rank)
{
  gboolean is_same = sym_raise_get_shape (self, 0).rank == sym_raise_get_shape (self, 1).rank &&
                     is_same_batch (self, rank - 2);
  SymId operands[2], zeros;

  for (guint i = 0; i < 2; i++)
    operands[i] = sym_mxnet_raise_widen (self, i, rank);
  if (!is_same)
    {
      zeros = sym_mxnet_raise_join (self, "broadcast_add", take_batch (self, operands[0]),
                                    take_batch (self, operands[1]));
      for (guint i = 0; i < 2; i++)
        operands[i] = sym_mxnet_raise_join (self, "broadcast_add", operands[i], zeros);
    }
  sym_mxnet_raise_finish (self, rank == 3 ? "batch_dot" : "_linalg_gemm2", operands, 2, NULL);
}

static void
raise_matmul (SymRaise *self)
{
  SymShape a = sym_raise_get_shape (self, 0), b = sym_raise_get_shape (self, 1);
  SymId operands[] = { sym_raise_operand (self, 0), sym_raise_operand (self, 1) };

  if ((a.rank >= 2 && (b.rank == 1 || b.rank == 2)) || (a.rank == 1 && b.rank == 2))
    sym_mxnet_raise_finish (self, "dot", operands, 2, NULL);
  else if (a.rank >= 2 && b.rank >= 2)
    multiply_batches (self, MAX (a.rank, b.rank));
  else
    sym_raise_fail (self, a.rank < 0 || b.rank < 0 ? "the axes of its data are not known"
                                                   : "MXNet has no product of so few axes");
}

/* ---- Gemm ---- */

static gboolean
is_fully_connected (SymRaise *self)
{
  SymShape bias = sym_raise_get_shape (self, 2);
  SymShape result = sym_raise_get_result_shape (self, 0);
  gboolean has_bias = sym_raise_has (self, 2);

  return sym_raise_get_float (self, "alpha", 1) == 1 &&
         (!has_bias || sym_raise_get_float (self, "beta", 1) == 1) &&
         sym_raise_get_int (self, "transA", 0) == 0 && result.rank == 2 && result.dims[1] >= 0 &&
         (!has_bias || (bias.rank == 1 && bias.dims[0] == result.dims[1]));
}

static void
finish_fully_connected (SymRaise *self)
{
  gboolean has_bias = sym_raise_has (self, 2), turned = sym_raise_get_int (self, "transB", 0) != 0;
  SymShape result = sym_raise_get_result_shape (self, 0);
  gint64 axes[] = { 1, 0 };
  SymId operands[3];

  for (guint i = 0; i < 2u + has_bias; i++)
    operands[i] = sym_raise_operand (self, i);
  if (!turned)
    operands[1] = sym_mxnet_raise_call (self, "transpose", &operands[1], 1, "axes",
                                        sym_raise_tuple (axes, 2), NULL);
  sym_mxnet_raise_finish (self, "FullyConnected", operands, 2 + has_bias, "num_hidden",
                          sym_value_new_int (result.dims[1]), "no_bias",
                          sym_value_new_bool (!has_bias), NULL);
}

static SymId
scale (SymRaise *self, SymId x, const char *attribute)
{
  double factor = sym_raise_get_float (self, attribute, 1);

  return factor == 1 ? x : sym_mxnet_raise_by_number (self, "_mul_scalar", x, factor);
}

/* alpha a b + beta c */
static void
raise_gemm (SymRaise *self)
{
  SymId pair[2];

  if (is_fully_connected (self))
    {
      finish_fully_connected (self);
      return;
    }
  if (sym_raise_get_shape (self, 0).rank != 2 || sym_raise_get_shape (self, 1).rank != 2 ||
      (sym_raise_has (self, 2) && sym_raise_get_shape (self, 2).rank < 0))
    {
      sym_raise_fail (self, "the axes of its data are not known");
      return;
    }
  for (guint i = 0; i < 2; i++)
    pair[i] = sym_raise_operand (self, i);
  pair[0] = sym_mxnet_raise_call (
      self, "dot", pair, 2, "transpose_a",
      sym_value_new_bool (sym_raise_get_int (self, "transA", 0) != 0), "transpose_b",
      sym_value_new_bool (sym_raise_get_int (self, "transB", 0) != 0), NULL);
  pair[0] = scale (self, pair[0], "alpha");
  if (!sym_raise_has (self, 2))
    {
      sym_raise_set_result (self, 0, pair[0]);
      return;
    }
  pair[1] = scale (self, sym_mxnet_raise_widen (self, 2, 2), "beta");
  sym_mxnet_raise_finish (self, "broadcast_add", pair, 2, NULL);
}

const SymRaiseRule sym_mxnet_raise_products[] = {
  { "Gemm", 3, raise_gemm },
  { "MatMul", 2, raise_matmul },
  { NULL },
};
