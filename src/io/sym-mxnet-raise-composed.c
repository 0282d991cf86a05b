/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <float.h>
#include <string.h>

/* Layers of one element each that are several of MXNet's. */

static SymId
call (SymRaise *self, const char *op, SymId x)
{
  return sym_mxnet_raise_call (self, op, &x, 1, NULL);
}

static SymId
by_number (SymRaise *self, const char *op, SymId x, double number)
{
  return sym_mxnet_raise_by_number (self, op, x, number);
}

static SymId
sigmoid (SymRaise *self, SymId x)
{
  return sym_mxnet_raise_call (self, "Activation", &x, 1, "act_type",
                               sym_value_new_string ("sigmoid"), NULL);
}

static void
finish_join (SymRaise *self, const char *op, SymId a, SymId b)
{
  sym_mxnet_raise_finish (self, op, (SymId[]){ a, b }, 2, NULL);
}

/* x / 2 (1 + tanh (sqrt (2 / pi) (x + 0.044715 x^3))), or by the error function. */
static void
raise_gelu (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0), y;

  if (strcmp (sym_raise_get_string (self, "approximate", "none"), "tanh") != 0)
    {
      sym_mxnet_raise_finish (self, "LeakyReLU", &x, 1, "act_type", sym_value_new_string ("gelu"),
                              NULL);
      return;
    }
  y = sym_mxnet_raise_join (self, "broadcast_mul", call (self, "square", x), x);
  y = by_number (self, "_mul_scalar", y, 0.044715);
  y = sym_mxnet_raise_join (self, "broadcast_add", x, y);
  y = call (self, "tanh", by_number (self, "_mul_scalar", y, 0.7978845608028654));
  y = by_number (self, "_mul_scalar", by_number (self, "_plus_scalar", y, 1), 0.5);
  finish_join (self, "broadcast_mul", x, y);
}

static void
raise_hard_swish (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  SymId y =
      sym_mxnet_raise_call (self, "hard_sigmoid", &x, 1, "alpha", sym_value_new_float (1.0 / 6),
                            "beta", sym_value_new_float (0.5), NULL);

  finish_join (self, "broadcast_mul", x, y);
}

static void
raise_swish (SymRaise *self)
{
  double alpha = sym_raise_get_float (self, "alpha", 1);
  SymId x = sym_raise_operand (self, 0);
  SymId y = alpha == 1 ? x : by_number (self, "_mul_scalar", x, alpha);

  finish_join (self, "broadcast_mul", x, sigmoid (self, y));
}

static void
raise_mish (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  SymId y = sym_mxnet_raise_call (self, "Activation", &x, 1, "act_type",
                                  sym_value_new_string ("softrelu"), NULL);

  finish_join (self, "broadcast_mul", x, call (self, "tanh", y));
}

/* alpha elu (x / alpha) */
static void
raise_celu (SymRaise *self)
{
  double alpha = sym_raise_get_float (self, "alpha", 1);
  SymId x = sym_raise_operand (self, 0);

  x = by_number (self, "_div_scalar", x, alpha);
  x = sym_mxnet_raise_call (self, "LeakyReLU", &x, 1, "act_type", sym_value_new_string ("elu"),
                            "slope", sym_value_new_float (1), NULL);
  sym_raise_set_result (self, 0, by_number (self, "_mul_scalar", x, alpha));
}

static void
raise_thresholded (SymRaise *self)
{
  double alpha = sym_raise_get_float (self, "alpha", 1);
  SymId x = sym_raise_operand (self, 0);
  SymId operands[] = { by_number (self, "_greater_scalar", x, alpha), x,
                       call (self, "zeros_like", x) };

  sym_mxnet_raise_finish (self, "where", operands, 3, NULL);
}

/* What is within the bounds becomes 0, the rest comes nearer to it. */
static void
raise_shrink (SymRaise *self)
{
  double bound = sym_raise_get_float (self, "lambd", 0.5);
  double bias = sym_raise_get_float (self, "bias", 0);
  SymId x = sym_raise_operand (self, 0);
  SymId operands[] = { by_number (self, "_greater_scalar", x, bound),
                       by_number (self, "_minus_scalar", x, bias), call (self, "zeros_like", x) };

  operands[2] = sym_mxnet_raise_call (self, "where", operands, 3, NULL);
  operands[0] = by_number (self, "_lesser_scalar", x, -bound);
  operands[1] = by_number (self, "_plus_scalar", x, bias);
  sym_mxnet_raise_finish (self, "where", operands, 3, NULL);
}

/* MXNet's goes down from the middle between two integers: what that makes odd goes up. */
static void
raise_round (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  SymId down = call (self, "rint", x);
  SymId middle =
      by_number (self, "_equal_scalar", sym_mxnet_raise_join (self, "broadcast_sub", x, down), 0.5);
  SymId odd = by_number (self, "_mod_scalar", down, 2);

  finish_join (self, "broadcast_add", down,
               sym_mxnet_raise_join (self, "broadcast_logical_and", middle, odd));
}

/* Nothing but infinity is beyond the greatest number. */
static void
raise_is_infinite (SymRaise *self)
{
  gboolean above = sym_raise_get_int (self, "detect_positive", 1) != 0;
  gboolean below = sym_raise_get_int (self, "detect_negative", 1) != 0;
  SymDType dtype = sym_raise_get_dtype (self, 0);
  double most = dtype == SYM_DTYPE_FLOAT64   ? DBL_MAX
                : dtype == SYM_DTYPE_FLOAT32 ? (double) FLT_MAX
                                             : 65504;
  SymId x = sym_raise_operand (self, 0);

  if (!above && !below)
    {
      sym_raise_fail (self, "it looks for nothing");
      return;
    }
  if (above && below)
    x = call (self, "abs", x);
  x = above ? by_number (self, "_greater_scalar", x, most)
            : by_number (self, "_lesser_scalar", x, -most);
  sym_raise_set_result (self, 0, sym_mxnet_raise_truth (self, x, dtype));
}

const SymRaiseRule sym_mxnet_raise_composed[] = {
  { "Celu", 1, raise_celu },
  { "Gelu", 1, raise_gelu },
  { "HardSwish", 1, raise_hard_swish },
  { "IsInf", 1, raise_is_infinite },
  { "Mish", 1, raise_mish },
  { "Round", 1, raise_round },
  { "Shrink", 1, raise_shrink },
  { "Swish", 1, raise_swish },
  { "ThresholdedRelu", 1, raise_thresholded },
  { NULL },
};
