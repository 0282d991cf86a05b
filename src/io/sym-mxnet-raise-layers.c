/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <math.h>
#include <string.h>

/* ---- One element each ---- */

static const struct {
  const char *onnx;
  const char *mxnet;
  const char *attribute;
  const char *value;
} elements[] = {
  { "Abs", "abs" },
  { "Acos", "arccos" },
  { "Acosh", "arccosh" },
  { "Asin", "arcsin" },
  { "Asinh", "arcsinh" },
  { "Atan", "arctan" },
  { "Atanh", "arctanh" },
  { "Ceil", "ceil" },
  { "Cos", "cos" },
  { "Cosh", "cosh" },
  { "Erf", "erf" },
  { "Exp", "exp" },
  { "Floor", "floor" },
  { "Identity", "identity" },
  { "Log", "log" },
  { "Neg", "negative" },
  { "Reciprocal", "reciprocal" },
  { "Relu", "Activation", "act_type", "relu" },
  { "Sigmoid", "Activation", "act_type", "sigmoid" },
  { "Sign", "sign" },
  { "Sin", "sin" },
  { "Sinh", "sinh" },
  { "Softplus", "Activation", "act_type", "softrelu" },
  { "Softsign", "Activation", "act_type", "softsign" },
  { "Sqrt", "sqrt" },
  { "Tan", "tan" },
  { "Tanh", "Activation", "act_type", "tanh" },
};

static void
raise_element (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    if (strcmp (elements[i].onnx, sym_raise_get_type (self)) == 0)
      sym_mxnet_raise_finish (
          self, elements[i].mxnet, &x, 1, elements[i].attribute,
          elements[i].attribute == NULL ? NULL : sym_value_new_string (elements[i].value), NULL);
}

static void
raise_dropout (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  double trains = 0;

  if ((sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &trains)) || trains != 0 ||
      !sym_raise_has_one_result (self))
    sym_raise_fail (self, "it trains, or tells its mask");
  else
    sym_raise_set_result (self, 0, sym_mxnet_raise_call (self, "identity", &x, 1, NULL));
}

static void
raise_leaky (SymRaise *self)
{
  gboolean is_elu = strcmp (sym_raise_get_type (self), "Elu") == 0;
  SymId x = sym_raise_operand (self, 0);

  sym_mxnet_raise_finish (
      self, "LeakyReLU", &x, 1, "act_type", sym_value_new_string (is_elu ? "elu" : "leaky"),
      "slope", sym_value_new_float (sym_raise_get_float (self, "alpha", is_elu ? 1 : 0.01)), NULL);
}

/* Before operator set 7 one for each channel. */
static SymId
take_slopes (SymRaise *self)
{
  int rank = sym_raise_get_shape (self, 0).rank;
  SymShape slopes = sym_raise_get_shape (self, 1);
  SymShape wide = { .rank = 0 };
  SymId x = sym_raise_operand (self, 1);

  if (sym_raise_get_version (self) >= 7 || slopes.rank != 1 || rank < 2)
    return sym_mxnet_raise_widen (self, 1, rank);
  for (int i = 0; i < rank; i++)
    wide.dims[wide.rank++] = i == 1 ? -1 : 1;
  return sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape",
                               sym_raise_tuple (wide.dims, wide.rank), NULL);
}

/* max (x, 0) - slope max (-x, 0): that of MXNet has its slopes along the channels alone. */
static void
raise_prelu (SymRaise *self)
{
  SymId above = sym_raise_operand (self, 0), pair[2];

  pair[0] = sym_mxnet_raise_call (self, "negative", &above, 1, NULL);
  pair[0] = sym_mxnet_raise_call (self, "Activation", &pair[0], 1, "act_type",
                                  sym_value_new_string ("relu"), NULL);
  pair[1] = take_slopes (self);
  pair[1] = sym_mxnet_raise_call (self, "broadcast_mul", pair, 2, NULL);
  pair[0] = sym_mxnet_raise_call (self, "Activation", &above, 1, "act_type",
                                  sym_value_new_string ("relu"), NULL);
  sym_mxnet_raise_finish (self, "broadcast_sub", pair, 2, NULL);
}

static void
raise_selu (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  if (fabs (sym_raise_get_float (self, "alpha", 1.67326) - 1.67326) > 1e-5 ||
      fabs (sym_raise_get_float (self, "gamma", 1.0507) - 1.0507) > 1e-5)
    sym_raise_fail (self, "MXNet's has fixed numbers");
  else
    sym_mxnet_raise_finish (self, "LeakyReLU", &x, 1, "act_type", sym_value_new_string ("selu"),
                            NULL);
}

static void
raise_hard_sigmoid (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  sym_mxnet_raise_finish (self, "hard_sigmoid", &x, 1, "alpha",
                          sym_value_new_float (sym_raise_get_float (self, "alpha", 0.2)), "beta",
                          sym_value_new_float (sym_raise_get_float (self, "beta", 0.5)), NULL);
}

static void
raise_clip (SymRaise *self)
{
  double least = -3.402823466e38, most = 3.402823466e38;
  SymId x = sym_raise_operand (self, 0);

  if ((sym_raise_has (self, 1) && !sym_raise_get_number (self, NULL, 1, &least)) ||
      (sym_raise_has (self, 2) && !sym_raise_get_number (self, NULL, 2, &most)))
    {
      sym_raise_fail (self, "its bounds are not known beforehand");
      return;
    }
  sym_mxnet_raise_finish (self, "clip", &x, 1, "a_min",
                          sym_value_new_float (sym_raise_get_float (self, "min", least)), "a_max",
                          sym_value_new_float (sym_raise_get_float (self, "max", most)), NULL);
}

/* ---- Softmax ---- */

/* Before operator set 13 all axes from `axis` on were one. */
static void
raise_softmax (SymRaise *self)
{
  gboolean is_log = strcmp (sym_raise_get_type (self), "LogSoftmax") == 0;
  gboolean is_old = sym_raise_get_version (self) < 13;
  SymId x = sym_raise_operand (self, 0);
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", is_old ? 1 : -1), &axis))
    return;
  if (is_old && axis != sym_raise_get_shape (self, 0).rank - 1)
    sym_raise_fail (self, "MXNet has no sum over several axes here");
  else
    sym_mxnet_raise_finish (self, is_log ? "log_softmax" : "softmax", &x, 1, "axis",
                            sym_value_new_int (axis), NULL);
}

/* ---- Tables ---- */

#define ELEMENT(name_)      \
  {                         \
    name_, 1, raise_element \
  }

const SymRaiseRule sym_mxnet_raise_layers[] = {
  ELEMENT ("Abs"),
  ELEMENT ("Acos"),
  ELEMENT ("Acosh"),
  ELEMENT ("Asin"),
  ELEMENT ("Asinh"),
  ELEMENT ("Atan"),
  ELEMENT ("Atanh"),
  ELEMENT ("Ceil"),
  { "Clip", 1, raise_clip },
  ELEMENT ("Cos"),
  ELEMENT ("Cosh"),
  { "Dropout", 1, raise_dropout },
  { "Elu", 1, raise_leaky },
  ELEMENT ("Erf"),
  ELEMENT ("Exp"),
  ELEMENT ("Floor"),
  { "HardSigmoid", 1, raise_hard_sigmoid },
  ELEMENT ("Identity"),
  { "LeakyRelu", 1, raise_leaky },
  ELEMENT ("Log"),
  { "LogSoftmax", 1, raise_softmax },
  ELEMENT ("Neg"),
  { "PRelu", G_MAXUINT, raise_prelu },
  ELEMENT ("Reciprocal"),
  ELEMENT ("Relu"),
  { "Selu", 1, raise_selu },
  ELEMENT ("Sigmoid"),
  ELEMENT ("Sign"),
  ELEMENT ("Sin"),
  ELEMENT ("Sinh"),
  { "Softmax", 1, raise_softmax },
  ELEMENT ("Softplus"),
  ELEMENT ("Softsign"),
  ELEMENT ("Sqrt"),
  ELEMENT ("Tan"),
  ELEMENT ("Tanh"),
  { NULL },
};
