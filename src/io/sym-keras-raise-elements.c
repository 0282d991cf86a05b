/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <math.h>
#include <string.h>

/* What is done to each element by itself. */

/* ---- One operand ---- */

static const struct {
  const char *onnx;
  const char *keras;
  gboolean is_activation; /* else an operation */
} elements[] = {
  { "Abs", "Absolute", FALSE },     { "Acos", "Arccos", FALSE },
  { "Acosh", "Arccosh", FALSE },    { "Asin", "Arcsin", FALSE },
  { "Asinh", "Arcsinh", FALSE },    { "Atan", "Arctan", FALSE },
  { "Atanh", "Arctanh", FALSE },    { "Ceil", "Ceil", FALSE },
  { "Cos", "Cos", FALSE },          { "Cosh", "Cosh", FALSE },
  { "Erf", "Erf", FALSE },          { "Exp", "Exp", FALSE },
  { "Floor", "Floor", FALSE },      { "HardSwish", "hard_silu", TRUE },
  { "IsNaN", "Isnan", FALSE },      { "Log", "Log", FALSE },
  { "Mish", "mish", TRUE },         { "Neg", "Negative", FALSE },
  { "Not", "LogicalNot", FALSE },   { "Reciprocal", "Reciprocal", FALSE },
  { "Relu", "relu", TRUE },         { "Round", "Round", FALSE },
  { "Sigmoid", "sigmoid", TRUE },   { "Sign", "Sign", FALSE },
  { "Sin", "Sin", FALSE },          { "Sinh", "Sinh", FALSE },
  { "Softplus", "softplus", TRUE }, { "Softsign", "softsign", TRUE },
  { "Sqrt", "Sqrt", FALSE },        { "Tan", "Tan", FALSE },
  { "Tanh", "tanh", TRUE },
};

static void
activate (SymRaise *self, const char *function)
{
  sym_keras_raise_layer (self, TRUE, "Activation", sym_raise_operand (self, 0), "activation",
                         sym_value_new_string (function), NULL);
}

static void
raise_element (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].onnx, sym_raise_get_type (self)) != 0)
      continue;
    else if (elements[i].is_activation && sym_dtype_is_floating (sym_raise_get_dtype (self, 0)))
      activate (self, elements[i].keras);
    else if (strcmp (elements[i].onnx, "Relu") == 0)
      sym_keras_raise_operation (self, TRUE, "Relu", &x, 1, NULL);
    else
      sym_keras_raise_operation (self, TRUE, elements[i].keras, &x, 1, NULL);
}

static void
raise_identity (SymRaise *self)
{
  sym_keras_raise_layer (self, TRUE, "Identity", sym_raise_operand (self, 0), NULL);
}

static void
raise_dropout (SymRaise *self)
{
  double trains = 0, rate = 0.5;

  if ((sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &trains)) || trains != 0 ||
      !sym_raise_has_one_result (self))
    {
      sym_raise_fail (self, "it trains, or tells its mask");
      return;
    }
  sym_raise_get_number (self, "ratio", 1, &rate);
  sym_keras_raise_layer (self, TRUE, "Dropout", sym_raise_operand (self, 0), "rate",
                         sym_value_new_float (rate), NULL);
}

static void
raise_leaky (SymRaise *self)
{
  sym_keras_raise_layer (self, TRUE, "LeakyReLU", sym_raise_operand (self, 0), "negative_slope",
                         sym_value_new_float (sym_raise_get_float (self, "alpha", 0.01)), NULL);
}

static void
raise_elu (SymRaise *self)
{
  sym_keras_raise_layer (self, TRUE, "ELU", sym_raise_operand (self, 0), "alpha",
                         sym_value_new_float (sym_raise_get_float (self, "alpha", 1)), NULL);
}

static void
raise_selu (SymRaise *self)
{
  if (fabs (sym_raise_get_float (self, "alpha", 1.67326) - 1.67326) > 1e-5 ||
      fabs (sym_raise_get_float (self, "gamma", 1.0507) - 1.0507) > 1e-5)
    sym_raise_fail (self, "the numbers of Keras' own are fixed");
  else
    activate (self, "selu");
}

static void
raise_celu (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  sym_keras_raise_operation (self, TRUE, "Celu", &x, 1, "alpha",
                             sym_value_new_float (sym_raise_get_float (self, "alpha", 1)), NULL);
}

static void
raise_swish (SymRaise *self)
{
  if (sym_raise_get_float (self, "alpha", 1) != 1)
    sym_raise_fail (self, "Keras' own has no factor");
  else
    activate (self, "silu");
}

static void
raise_gelu (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  gboolean is_near = strcmp (sym_raise_get_string (self, "approximate", "none"), "tanh") == 0;

  if (is_near)
    sym_keras_raise_operation (self, TRUE, "Gelu", &x, 1, "approximate", sym_value_new_bool (TRUE),
                               NULL);
  else
    activate (self, "gelu");
}

/* max (0, min (1, alpha x + beta)): Keras 3 has one of a sixth and a half. */
static void
raise_hard_sigmoid (SymRaise *self)
{
  double alpha = sym_raise_get_float (self, "alpha", 0.2);
  double beta = sym_raise_get_float (self, "beta", 0.5);
  SymId operands[2] = { sym_raise_operand (self, 0) };

  if (fabs (alpha - 1.0 / 6) < 1e-6 && beta == 0.5)
    {
      sym_keras_raise_layer (self, TRUE, "Activation", operands[0], "activation",
                             sym_value_new_string ("hard_sigmoid"), "keras_version",
                             sym_value_new_int (3), NULL);
      return;
    }
  operands[1] = sym_keras_raise_number (self, alpha, FALSE);
  operands[0] = sym_keras_raise_operation (self, FALSE, "Multiply", operands, 2, NULL);
  operands[1] = sym_keras_raise_number (self, beta, FALSE);
  operands[0] = sym_keras_raise_operation (self, FALSE, "Add", operands, 2, NULL);
  sym_keras_raise_operation (self, TRUE, "Clip", operands, 1, "x_min", sym_value_new_float (0),
                             "x_max", sym_value_new_float (1), NULL);
}

static void
raise_clip (SymRaise *self)
{
  gboolean is_float = sym_dtype_is_floating (sym_raise_get_dtype (self, 0));
  double least = -3.402823466e38, most = 3.402823466e38;
  SymId x = sym_raise_operand (self, 0);

  if ((sym_raise_has (self, 1) && !sym_raise_get_number (self, NULL, 1, &least)) ||
      (sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &most)))
    {
      sym_raise_fail (self, "its bounds are not known beforehand");
      return;
    }
  least = sym_raise_get_float (self, "min", least);
  most = sym_raise_get_float (self, "max", most);
  if (is_float && least == 0 && most > 3e38)
    activate (self, "relu");
  else if (is_float && least == 0 && most > 0)
    sym_keras_raise_layer (self, TRUE, "ReLU", x, "max_value", sym_value_new_float (most), NULL);
  else if (is_float)
    sym_keras_raise_operation (self, TRUE, "Clip", &x, 1, "x_min", sym_value_new_float (least),
                               "x_max", sym_value_new_float (most), NULL);
  else if (fabs (least) <= G_MAXINT32 && fabs (most) <= G_MAXINT32)
    sym_keras_raise_operation (self, TRUE, "Clip", &x, 1, "x_min",
                               sym_value_new_int ((gint64) least), "x_max",
                               sym_value_new_int ((gint64) most), NULL);
  else
    sym_raise_fail (self, "its bounds are no integers of 32 bits");
}

static void
raise_cast (SymRaise *self)
{
  SymDType dtype = sym_raise_get_result_dtype (self, 0);
  SymId x = sym_raise_operand (self, 0);

  if (sym_keras_raise_target.has_dtype (dtype))
    sym_keras_raise_operation (self, TRUE, "Cast", &x, 1, "dtype",
                               sym_value_new_string (sym_dtype_to_string (dtype)), NULL);
  else
    sym_raise_fail (self, "Keras has no such dtype");
}

/* Before operator set 7 slopes of one axis were those of the channels. */
static int
find_gap (SymRaise *self, const SymShape *data, const SymShape *slope)
{
  return sym_raise_get_version (self) < 7 && slope->rank == 1 ? 1 : data->rank - slope->rank;
}

/* A slope for each element, or one for all along some axes. */
static void
raise_prelu (SymRaise *self)
{
  SymShape data = sym_raise_get_shape (self, 0), wide = { .rank = data.rank - 1 };
  g_auto (SymKerasWeight) slope = { 0 };
  SymKerasWeight *weights[] = { &slope };
  gint64 shared[SYM_MAX_RANK];
  int n_shared = 0, gap;

  if (!sym_keras_raise_find_weight (self, 1, &slope) || data.rank < 2 ||
      slope.shape.rank > data.rank || (slope.shape.rank == data.rank && slope.shape.dims[0] != 1))
    {
      sym_raise_fail (self, "its slopes are no weights of a layer");
      return;
    }
  gap = find_gap (self, &data, &slope.shape);
  for (int i = 1; i < data.rank; i++)
    {
      wide.dims[i - 1] = i < gap || i - gap >= slope.shape.rank ? 1 : slope.shape.dims[i - gap];
      if (wide.dims[i - 1] == 1)
        shared[n_shared++] = i;
    }
  sym_keras_weight_reshape (&slope, &wide);
  sym_keras_raise_weighted (
      self, TRUE, "PReLU", sym_raise_operand (self, 0), weights, 1,
      n_shared == 0 ? NULL : "shared_axes",
      n_shared == 0 ? NULL : sym_value_new_ints (SYM_VALUE_LIST, shared, (guint) n_shared), NULL);
}

/* ---- Two and more ---- */

static const struct {
  const char *onnx;
  const char *operation;
  const char *layer; /* that joins data of one shape; NULL for none */
  gboolean is_whole; /* of integers as well */
} pairs[] = {
  { "Add", "Add", "Add", TRUE },           { "And", "LogicalAnd", NULL, TRUE },
  { "Div", "Divide", NULL, FALSE },        { "Equal", "Equal", NULL, TRUE },
  { "Greater", "Greater", NULL, TRUE },    { "GreaterOrEqual", "GreaterEqual", NULL, TRUE },
  { "Less", "Less", NULL, TRUE },          { "LessOrEqual", "LessEqual", NULL, TRUE },
  { "Max", "Maximum", "Maximum", TRUE },   { "Mean", "Add", "Average", FALSE },
  { "Min", "Minimum", "Minimum", TRUE },   { "Mul", "Multiply", "Multiply", TRUE },
  { "Or", "LogicalOr", NULL, TRUE },       { "Pow", "Power", NULL, TRUE },
  { "Sub", "Subtract", "Subtract", TRUE }, { "Sum", "Add", "Add", TRUE },
  { "Xor", "LogicalXor", NULL, TRUE },
};

/* Whether all are data of one shape, with axes behind the batch: layers that join take these. */
static gboolean
is_alike (SymRaise *self, guint n)
{
  SymShape first = sym_raise_get_shape (self, 0);

  for (guint i = 0; i < n; i++)
    {
      SymShape shape = sym_raise_get_shape (self, i);

      if (sym_raise_find_tensor (self, sym_raise_get_value (self, i)) != NULL || shape.rank < 2 ||
          !sym_dtype_is_floating (sym_raise_get_dtype (self, i)) ||
          !sym_shape_equal (&shape, &first))
        return FALSE;
    }
  return n >= 2;
}

/* An operand; a single number that says nothing of the result's shape and dtype as Python has it.
 */
static SymId
take (SymRaise *self, guint slot)
{
  SymShape shape = sym_raise_get_shape (self, slot);
  SymDType dtype = sym_raise_get_dtype (self, slot);
  gboolean is_short = dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_FLOAT16 ||
                      (sym_dtype_is_integer (dtype) && dtype != SYM_DTYPE_UINT64);
  int rank = -1;
  double number;

  for (guint i = 0; i < sym_raise_count_operands (self); i++)
    if (i != slot && sym_raise_has (self, i) &&
        sym_raise_find_tensor (self, sym_raise_get_value (self, i)) == NULL)
      rank = MAX (rank, sym_raise_get_shape (self, i).rank);
  if (is_short && shape.rank <= rank && sym_raise_get_number (self, NULL, slot, &number) &&
      isfinite (number) && (sym_dtype_is_floating (dtype) || fabs (number) < G_MAXINT32))
    return sym_keras_raise_number (self, number, sym_dtype_is_integer (dtype));
  return sym_raise_operand (self, slot);
}

static void
join (SymRaise *self, const char *operation, guint n)
{
  SymId operands[2] = { take (self, 0) };

  if (n == 1)
    {
      raise_identity (self);
      return;
    }
  for (guint i = 1; i < n; i++)
    {
      operands[1] = take (self, i);
      operands[0] = sym_keras_raise_operation (self, i + 1 == n, operation, operands, 2, NULL);
    }
}

/* Operand 1 with axes of one behind its own, so that it meets the axes that it is for. */
static SymId
spread_behind (SymRaise *self, int before)
{
  SymShape shape = sym_raise_get_shape (self, 1);
  int rank = sym_raise_get_shape (self, 0).rank;
  g_auto (SymKerasWeight) weight = { 0 };

  for (int i = shape.rank; i < rank - before; i++)
    shape.dims[shape.rank++] = 1;
  if (!sym_keras_raise_find_weight (self, 1, &weight))
    return sym_keras_raise_reshape (self, FALSE, sym_raise_operand (self, 1), shape.dims,
                                    shape.rank, FALSE);
  sym_keras_weight_reshape (&weight, &shape);
  return sym_keras_raise_tensor (self, sym_raise_get_value (self, 1), weight.tensor);
}

static gboolean
join_behind (SymRaise *self, const char *operation)
{
  int before, gap = sym_raise_get_shape (self, 0).rank - sym_raise_get_shape (self, 1).rank;
  SymId operands[2];

  if (!sym_raise_find_alignment (self, &before))
    return TRUE;
  if (before == gap)
    return FALSE;
  operands[0] = sym_raise_operand (self, 0);
  operands[1] = spread_behind (self, before);
  sym_keras_raise_operation (self, TRUE, operation, operands, 2, NULL);
  return TRUE;
}

static void
raise_pair (SymRaise *self)
{
  guint n = sym_raise_count_operands (self), i = 0;
  gboolean is_float = sym_dtype_is_floating (sym_raise_get_dtype (self, 0));
  g_autofree SymId *operands = g_new (SymId, n + 1);

  while (strcmp (pairs[i].onnx, sym_raise_get_type (self)) != 0)
    i++;
  for (guint k = 0; k < n; k++)
    if (strcmp (pairs[i].onnx, "Pow") != 0 &&
        sym_raise_get_dtype (self, k) != sym_raise_get_dtype (self, 0))
      {
        sym_raise_fail (self, "its operands are not of one dtype");
        return;
      }
  if (!is_float && !pairs[i].is_whole)
    sym_raise_fail (self, "Keras divides integers as fractions");
  else if (!is_float && n == 2 && sym_dtype_is_floating (sym_raise_get_dtype (self, 1)))
    sym_raise_fail (self, "Keras makes a fraction of it");
  else if (n == 2 && join_behind (self, pairs[i].operation))
    return;
  else if (pairs[i].layer != NULL && is_alike (self, n))
    {
      for (guint k = 0; k < n; k++)
        operands[k] = sym_raise_operand (self, k);
      sym_keras_raise_merge (self, TRUE, pairs[i].layer, operands, n, NULL);
    }
  else if (strcmp (pairs[i].onnx, "Mean") == 0 && n > 1)
    sym_raise_fail (self, "its operands are not of one shape");
  else
    join (self, pairs[i].operation, n);
}

/* The sign of the divisor, as Python has it. */
static void
raise_mod (SymRaise *self)
{
  if (sym_raise_get_int (self, "fmod", 0) != 0 ||
      sym_raise_get_dtype (self, 0) != sym_raise_get_dtype (self, 1))
    sym_raise_fail (self, "its rest has the sign of what is divided");
  else
    join (self, "Mod", 2);
}

static void
raise_where (SymRaise *self)
{
  SymId operands[3];

  for (guint i = 0; i < 3; i++)
    operands[i] = i == 0 ? sym_raise_operand (self, i) : take (self, i);
  sym_keras_raise_operation (self, TRUE, "Where", operands, 3, NULL);
}

/* ---- Table ---- */

#define ELEMENT(name_)      \
  {                         \
    name_, 1, raise_element \
  }
#define PAIR(name_)              \
  {                              \
    name_, G_MAXUINT, raise_pair \
  }

const SymRaiseRule sym_keras_raise_elements[] = {
  ELEMENT ("Abs"),
  ELEMENT ("Acos"),
  ELEMENT ("Acosh"),
  PAIR ("Add"),
  PAIR ("And"),
  ELEMENT ("Asin"),
  ELEMENT ("Asinh"),
  ELEMENT ("Atan"),
  ELEMENT ("Atanh"),
  { "Cast", 1, raise_cast },
  { "CastLike", 1, raise_cast },
  ELEMENT ("Ceil"),
  { "Celu", 1, raise_celu },
  { "Clip", 1, raise_clip },
  ELEMENT ("Cos"),
  ELEMENT ("Cosh"),
  PAIR ("Div"),
  { "Dropout", 1, raise_dropout },
  { "Elu", 1, raise_elu },
  PAIR ("Equal"),
  ELEMENT ("Erf"),
  ELEMENT ("Exp"),
  ELEMENT ("Floor"),
  { "Gelu", 1, raise_gelu },
  PAIR ("Greater"),
  PAIR ("GreaterOrEqual"),
  { "HardSigmoid", 1, raise_hard_sigmoid },
  ELEMENT ("HardSwish"),
  { "Identity", 1, raise_identity },
  ELEMENT ("IsNaN"),
  { "LeakyRelu", 1, raise_leaky },
  PAIR ("Less"),
  PAIR ("LessOrEqual"),
  ELEMENT ("Log"),
  PAIR ("Max"),
  PAIR ("Mean"),
  PAIR ("Min"),
  { "Mod", G_MAXUINT, raise_mod },
  ELEMENT ("Mish"),
  PAIR ("Mul"),
  ELEMENT ("Neg"),
  ELEMENT ("Not"),
  PAIR ("Or"),
  { "PRelu", 1, raise_prelu },
  PAIR ("Pow"),
  ELEMENT ("Reciprocal"),
  ELEMENT ("Relu"),
  ELEMENT ("Round"),
  { "Selu", 1, raise_selu },
  ELEMENT ("Sigmoid"),
  ELEMENT ("Sign"),
  ELEMENT ("Sin"),
  ELEMENT ("Sinh"),
  ELEMENT ("Softplus"),
  ELEMENT ("Softsign"),
  ELEMENT ("Sqrt"),
  PAIR ("Sub"),
  PAIR ("Sum"),
  { "Swish", 1, raise_swish },
  ELEMENT ("Tan"),
  ELEMENT ("Tanh"),
  { "Where", 3, raise_where },
  PAIR ("Xor"),
  { NULL },
};
