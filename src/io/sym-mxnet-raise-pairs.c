/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <string.h>

/* Layers that join data element by element, which broadcast in MXNet when both have as many
 * axes. */

typedef struct {
  const char *onnx;
  const char *mxnet;
  const char *by_number;   /* with a number behind it */
  const char *from_number; /* with a number before it */
} Pair;

static const Pair pairs[] = {
  { "Add", "broadcast_add", "_plus_scalar", "_plus_scalar" },
  { "And", "broadcast_logical_and" },
  { "Div", "broadcast_div", "_div_scalar", "_rdiv_scalar" },
  { "Equal", "broadcast_equal", "_equal_scalar", "_equal_scalar" },
  { "Greater", "broadcast_greater", "_greater_scalar", "_lesser_scalar" },
  { "GreaterOrEqual", "broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar" },
  { "Less", "broadcast_lesser", "_lesser_scalar", "_greater_scalar" },
  { "LessOrEqual", "broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar" },
  { "Max", "broadcast_maximum", "_maximum_scalar", "_maximum_scalar" },
  { "Mean", "broadcast_add" },
  { "Min", "broadcast_minimum", "_minimum_scalar", "_minimum_scalar" },
  { "Mul", "broadcast_mul", "_mul_scalar", "_mul_scalar" },
  { "Or", "broadcast_logical_or" },
  { "Pow", "broadcast_power", "_power_scalar", "_rpower_scalar" },
  { "Sub", "broadcast_sub", "_minus_scalar", "_rminus_scalar" },
  { "Sum", "broadcast_add" },
  { "Xor", "broadcast_logical_xor" },
};

static const Pair *
find_pair (SymRaise *self)
{
  const Pair *pair = pairs;

  while (strcmp (pair->onnx, sym_raise_get_type (self)) != 0)
    pair++;
  return pair;
}

/* Operand 1 with axes of one around its own, so that it meets the axes that it is for. */
static SymId
spread_behind (SymRaise *self, int before)
{
  SymShape shape = sym_raise_get_shape (self, 1), wide = { .rank = 0 };
  int rank = sym_raise_get_shape (self, 0).rank;
  SymId x = sym_raise_operand (self, 1);

  if (!sym_shape_is_known (&shape))
    sym_raise_fail (self, "its sizes are not known beforehand");
  for (int i = 0; i < rank; i++)
    wide.dims[wide.rank++] = i < before || i - before >= shape.rank ? 1 : shape.dims[i - before];
  return sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape",
                               sym_raise_tuple (wide.dims, wide.rank), NULL);
}

/* The most axes that an operand has; FALSE, and an error, where they cannot be joined. */
static gboolean
find_rank (SymRaise *self, int *rank)
{
  guint n = sym_raise_count_operands (self);
  gboolean fits = n > 0;

  *rank = 0;
  for (guint i = 0; i < n; i++)
    {
      SymShape shape = sym_raise_get_shape (self, i);

      fits = fits && sym_raise_has (self, i) && shape.rank >= 0 &&
             sym_raise_get_dtype (self, i) == sym_raise_get_dtype (self, 0);
      *rank = MAX (*rank, shape.rank);
    }
  if (!fits)
    sym_raise_fail (self, "it needs operands of one dtype whose axes are known");
  return fits;
}

/* Ends with @op, whose numbers 0 and 1 are kept as truth where the layer makes bool. */
static void
finish_pair (SymRaise *self,
             const char *op,
             const SymId *operands,
             guint n,
             const char *attribute,
             double number)
{
  SymDType dtype = sym_mxnet_raise_get_kept (sym_raise_get_dtype (self, 0));
  SymValue *value = attribute == NULL ? NULL : sym_value_new_float (number);
  SymId x;

  if (sym_raise_get_result_dtype (self, 0) != SYM_DTYPE_BOOL)
    {
      sym_mxnet_raise_finish (self, op, operands, n, attribute, value, NULL);
      return;
    }
  x = sym_mxnet_raise_call (self, op, operands, n, attribute, value, NULL);
  sym_raise_set_result (self, 0, sym_mxnet_raise_truth (self, x, dtype));
}

/* Whether one of both is a number, which is an attribute then. */
static gboolean
join_number (SymRaise *self, const Pair *pair, int rank)
{
  double number;

  for (guint k = 0; k < 2 && pair->by_number != NULL; k++)
    if (sym_dtype_is_floating (sym_raise_get_dtype (self, 1 - k)) &&
        sym_raise_get_shape (self, 1 - k).rank == rank && rank > 0 &&
        sym_raise_get_number (self, NULL, k, &number))
      {
        SymId x = sym_raise_operand (self, 1 - k);

        finish_pair (self, k == 1 ? pair->by_number : pair->from_number, &x, 1, "scalar", number);
        return TRUE;
      }
  return FALSE;
}

static void
raise_pair (SymRaise *self)
{
  const Pair *pair = find_pair (self);
  int ranks[2], rank, before;
  SymId operands[2];

  for (guint k = 0; k < 2; k++)
    ranks[k] = sym_raise_get_shape (self, k).rank;
  if (!find_rank (self, &rank) || !sym_raise_find_alignment (self, &before))
    return;
  if (before == ranks[0] - ranks[1] && join_number (self, pair, rank))
    return;
  if (before != ranks[0] - ranks[1])
    {
      operands[0] = sym_raise_operand (self, 0);
      operands[1] = spread_behind (self, before);
    }
  else
    {
      for (guint k = 0; k < 2; k++)
        operands[k] = sym_mxnet_raise_widen (self, k, rank);
    }
  finish_pair (self, pair->mxnet, operands, 2, NULL, 0);
}

/* One after the other. */
static void
raise_many (SymRaise *self)
{
  const Pair *pair = find_pair (self);
  gboolean is_mean = strcmp (pair->onnx, "Mean") == 0;
  guint n = sym_raise_count_operands (self);
  SymId x;
  int rank;

  if (n == 2 && !is_mean)
    {
      raise_pair (self);
      return;
    }
  if (!find_rank (self, &rank))
    return;
  x = sym_mxnet_raise_widen (self, 0, rank);
  for (guint i = 1; i < n; i++)
    x = sym_mxnet_raise_join (self, pair->mxnet, x, sym_mxnet_raise_widen (self, i, rank));
  if (is_mean && n > 1)
    x = sym_mxnet_raise_by_number (self, "_div_scalar", x, n);
  sym_mxnet_raise_finish (self, "identity", &x, 1, NULL);
}

/* That of MXNet has the sign of the divisor: of what has none it is C's, apart from the sign. */
static void
raise_mod (SymRaise *self)
{
  gboolean is_c = sym_raise_get_int (self, "fmod", 0) != 0;
  SymId operands[2], sign;
  int rank;

  if (!find_rank (self, &rank))
    return;
  for (guint i = 0; i < 2; i++)
    operands[i] = sym_mxnet_raise_widen (self, i, rank);
  if (!is_c)
    {
      sym_mxnet_raise_finish (self, "broadcast_mod", operands, 2, NULL);
      return;
    }
  sign = sym_mxnet_raise_call (self, "sign", operands, 1, NULL);
  for (guint i = 0; i < 2; i++)
    operands[i] = sym_mxnet_raise_call (self, "abs", &operands[i], 1, NULL);
  operands[0] = sym_mxnet_raise_join (self, "broadcast_mod", operands[0], operands[1]);
  operands[1] = sign;
  sym_mxnet_raise_finish (self, "broadcast_mul", operands, 2, NULL);
}

/* ---- Truth ---- */

static void
raise_not (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  sym_mxnet_raise_finish (self, "logical_not", &x, 1, NULL);
}

/* Nothing but NaN differs from itself. */
static void
raise_is_nan (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  finish_pair (self, "_not_equal", (SymId[]){ x, x }, 2, NULL, 0);
}

/* Layers that ask for bool, or for numbers 0 and 1 of another dtype. */
static void
raise_cast (SymRaise *self)
{
  SymDType dtype = sym_raise_get_result_dtype (self, 0);
  SymId x = sym_raise_operand (self, 0);

  if (dtype == SYM_DTYPE_BOOL)
    finish_pair (self, "_not_equal_scalar", &x, 1, "scalar", 0);
  else if (sym_mxnet_raise_has_dtype (dtype))
    sym_mxnet_raise_finish (self, "Cast", &x, 1, "dtype",
                            sym_value_new_string (sym_dtype_to_string (dtype)), NULL);
  else
    sym_raise_fail (self, "MXNet has no such dtype");
}

/* ---- One of two ---- */

/* Zeros that are as large as all operands together. */
static SymId
make_zeros (SymRaise *self, const SymId *operands, guint n)
{
  SymId sum = SYM_NO_ID;

  for (guint i = 0; i < n; i++)
    {
      SymDType dtype = sym_mxnet_raise_get_kept (sym_raise_get_dtype (self, i));
      SymId zeros = sym_mxnet_raise_call (self, "zeros_like", &operands[i], 1, NULL);

      zeros = sym_mxnet_raise_truth (self, zeros, dtype);
      sum = i == 0 ? zeros : sym_mxnet_raise_join (self, "broadcast_add", sum, zeros);
    }
  return sum;
}

/* MXNet takes operands of one size alone. */
static void
spread_all (SymRaise *self, SymId *operands, guint n)
{
  SymShape result = sym_raise_get_result_shape (self, 0);
  gboolean is_known = sym_shape_is_known (&result);
  SymId like = is_known ? SYM_NO_ID : make_zeros (self, operands, n);

  for (guint i = 0; i < n; i++)
    {
      SymShape shape = sym_raise_get_shape (self, i);

      if (!is_known)
        operands[i] = sym_mxnet_raise_join (self, "broadcast_like", operands[i], like);
      else if (!sym_shape_equal (&shape, &result))
        operands[i] = sym_mxnet_raise_call (self, "broadcast_to", &operands[i], 1, "shape",
                                            sym_raise_tuple (result.dims, result.rank), NULL);
    }
}

static void
raise_where (SymRaise *self)
{
  int rank = sym_raise_get_result_shape (self, 0).rank;
  SymId operands[3];

  for (guint i = 0; i < 3; i++)
    rank = sym_raise_get_shape (self, i).rank < 0 ? -1 : rank;
  if (rank < 0)
    {
      sym_raise_fail (self, "the axes of its data are not known");
      return;
    }
  for (guint i = 0; i < 3; i++)
    operands[i] = sym_mxnet_raise_widen (self, i, rank);
  spread_all (self, operands, 3);
  sym_mxnet_raise_finish (self, "where", operands, 3, NULL);
}

/* ---- Table ---- */

#define PAIR(name_)      \
  {                      \
    name_, 2, raise_pair \
  }
#define MANY(name_)              \
  {                              \
    name_, G_MAXUINT, raise_many \
  }

const SymRaiseRule sym_mxnet_raise_pairs[] = {
  PAIR ("Add"),
  PAIR ("And"),
  { "Cast", 1, raise_cast },
  { "CastLike", 1, raise_cast },
  PAIR ("Div"),
  PAIR ("Equal"),
  PAIR ("Greater"),
  PAIR ("GreaterOrEqual"),
  { "IsNaN", 1, raise_is_nan },
  PAIR ("Less"),
  PAIR ("LessOrEqual"),
  MANY ("Max"),
  MANY ("Mean"),
  MANY ("Min"),
  { "Mod", 2, raise_mod },
  PAIR ("Mul"),
  { "Not", 1, raise_not },
  PAIR ("Or"),
  PAIR ("Pow"),
  PAIR ("Sub"),
  MANY ("Sum"),
  { "Where", 3, raise_where },
  PAIR ("Xor"),
  { NULL },
};
