/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

/* One slope, or one per channel. */
static gboolean
infer_prelu (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gint64 n = sym_rule_get_int (rule, "num_parameters", 1);

  if (n != 1 && input.rank >= 2 &&
      !sym_rule_unify (rule, input.dims[1], n, "channels of the input, against num_parameters,",
                       error))
    return FALSE;
  return sym_op_torch_same (rule, error);
}

static gboolean
infer_softmax (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gint64 dim = sym_rule_get_int (rule, "dim", 0);
  int normal;

  if (input.rank > 0 && !sym_op_normalize_axis (dim, input.rank, &normal, error))
    return FALSE;
  return sym_op_torch_same (rule, error);
}

/* The first half of @dim, weighted by the sigmoid of the second. */
static gboolean
infer_glu (SymRule *rule, GError **error)
{
  SymShape output = sym_rule_get_input (rule, 0);
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (output.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "dim", -1), output.rank, &axis, error))
    return FALSE;
  if (output.dims[axis] >= 0 && output.dims[axis] % 2 != 0)
    return sym_rule_fail (
        error, "Halving dimension must be even, but dimension %d is size %" G_GINT64_FORMAT, axis,
        output.dims[axis]);
  output.dims[axis] = sym_terms_floor_divide (sym_rule_get_terms (rule), output.dims[axis], 2);
  return sym_rule_set_output (rule, 0, &output, error);
}

/* ---- In ONNX's layers ---- */

/* Slopes per channel stand at axis 1. */
static void
lower_prelu (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  const SymShape *weight = sym_op_lower_get_input_shape (self, 1);
  SymShape shape = { .rank = MAX (rank - 1, 1) };
  SymId slope = sym_op_lower_input (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = 1;
  if (weight->rank == 1)
    shape.dims[0] = weight->dims[0];
  if (rank > 1 && weight->rank == 1)
    slope = sym_op_lower_reshape (self, slope, &shape);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0), slope));
}

static void
lower_along (SymOpLower *self, const char *name, SymId x)
{
  gint64 dim = sym_op_lower_get_int (self, "dim", 0);

  if (sym_op_lower_get_input_shape (self, 0)->rank == 0)
    dim = -1;
  sym_op_lower_set_output (
      self, 0, sym_op_lower_call (self, name, SYM_IDS (x), "axis", sym_value_new_int (dim), NULL));
}

static void
lower_softmax (SymOpLower *self)
{
  lower_along (self, "Softmax", sym_op_lower_input (self, 0));
}

static void
lower_log_softmax (SymOpLower *self)
{
  lower_along (self, "LogSoftmax", sym_op_lower_input (self, 0));
}

static void
lower_softmin (SymOpLower *self)
{
  lower_along (self, "Softmax", sym_op_lower_unary (self, "Neg", sym_op_lower_input (self, 0)));
}

static void
lower_glu (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0), left, right;
  gint64 half;
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "dim", -1), shape->rank, &axis))
    return;
  half = shape->dims[axis] / 2;
  left = sym_op_lower_slice (self, x, axis, 0, half, 1);
  right = sym_op_lower_slice (self, x, axis, half, 2 * half, 1);
  right = sym_op_lower_unary (self, "Sigmoid", right);
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", left, right));
}

static void
lower_gelu (SymOpLower *self)
{
  const char *approximate = sym_op_lower_get_string (self, "approximate", "none");

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)),
                                              "approximate", sym_value_new_string (approximate),
                                              NULL));
}

static const SymAttributeSpec none[] = { { NULL } };

static const SymAttributeSpec slope[] = {
  { "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.01", "slope below zero" },
  { NULL },
};

static const SymAttributeSpec alpha[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "where it goes to far below zero, negated" },
  { NULL },
};

static const SymAttributeSpec prelu[] = {
  { "num_parameters", SYM_ATTRIBUTE_INT, "1", "one slope, or one per channel" },
  { NULL },
};

static const SymAttributeSpec dim[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the dimension along which it is computed" },
  { NULL },
};

static const SymAttributeSpec gelu[] = {
  { "approximate", SYM_ATTRIBUTE_STRING, "none", "none or tanh" },
  { NULL },
};

static const SymAttributeSpec softplus[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "sharpness" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "20.0", "above it the function is linear" },
  { NULL },
};

static const SymAttributeSpec range[] = {
  { "min_val", SYM_ATTRIBUTE_FLOAT, "-1.0", "least result" },
  { "max_val", SYM_ATTRIBUTE_FLOAT, "1.0", "greatest result" },
  { NULL },
};

static const SymAttributeSpec lambd[] = {
  { "lambd", SYM_ATTRIBUTE_FLOAT, "0.5", "half of the width that becomes zero" },
  { NULL },
};

static const SymAttributeSpec probability[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "0.5", "probability of an element to become zero" },
  { NULL },
};

static const SymSlotSpec prelu_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { NULL },
};

#define LAYER(name_, aliases_, category_, summary_, attributes_, slots_, infer_, ...)              \
  {                                                                                                \
    SYM_OP_TORCH, .name = name_, .aliases = aliases_, .summary = summary_,                         \
                  .reference = "torch 1.13 torch.nn." name_, .category = SYM_CATEGORY_##category_, \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, __VA_ARGS__         \
  }

#define ACTIVATION(name_, aliases_, summary_, attributes_, ...)                                   \
  LAYER (name_, aliases_, ACTIVATION, summary_, attributes_, sym_op_torch_one, sym_op_torch_same, \
         __VA_ARGS__)

const SymOperator sym_op_torch_activation[] = {
  ACTIVATION ("ReLU", "relu", "max (x, 0)", none, .formula = "Relu (a)"),
  ACTIVATION ("ReLU6", "relu6", "min (max (x, 0), 6)", none, .formula = "Min (Max (a, 0), 6)"),
  ACTIVATION ("LeakyReLU",
              "leaky_relu",
              "x, less steep below zero",
              slope,
              .formula = "Where (Less (a, 0), Mul (a, $negative_slope), a)"),
  ACTIVATION ("ELU",
              "elu",
              "x, below zero alpha * (exp (x) - 1)",
              alpha,
              .formula = "Where (Less (a, 0), Mul (Sub (Exp (a), 1), $alpha), a)"),
  ACTIVATION ("CELU",
              "celu",
              "x, below zero alpha * (exp (x / alpha) - 1)",
              alpha,
              .formula = "Where (Less (a, 0), Mul (Sub (Exp (Div (a, $alpha)), 1), $alpha), a)"),
  ACTIVATION ("SELU", "selu", "ELU that keeps mean and variance", none, .formula = "Selu (a)"),
  ACTIVATION ("GELU",
              "gelu",
              "x times the probability of a normal variable below it",
              gelu,
              .lower = lower_gelu),
  ACTIVATION ("SiLU", "silu", "x * sigmoid (x)", none, .formula = "Mul (a, Sigmoid (a))"),
  ACTIVATION ("Mish",
              "mish",
              "x * tanh (softplus (x))",
              none,
              .formula = "Mul (a, Tanh (Softplus (a)))"),
  ACTIVATION ("Hardswish",
              "hardswish",
              "x * relu6 (x + 3) / 6",
              none,
              .formula = "Mul (a, Div (Min (Max (Add (a, 3), 0), 6), 6))"),
  ACTIVATION ("Hardsigmoid",
              "hardsigmoid",
              "relu6 (x + 3) / 6",
              none,
              .formula = "Div (Min (Max (Add (a, 3), 0), 6), 6)"),
  ACTIVATION ("Hardtanh",
              "hardtanh",
              "x, cut to a range",
              range,
              .formula = "Min (Max (a, $min_val), $max_val)"),
  ACTIVATION ("Sigmoid", "sigmoid", "1 / (1 + exp (-x))", none, .formula = "Sigmoid (a)"),
  ACTIVATION ("LogSigmoid",
              "logsigmoid",
              "log (sigmoid (x))",
              none,
              .formula = "Neg (Softplus (Neg (a)))"),
  ACTIVATION ("Tanh", "tanh", "Hyperbolic tangent", none, .formula = "Tanh (a)"),
  ACTIVATION ("Tanhshrink", "tanhshrink", "x - tanh (x)", none, .formula = "Sub (a, Tanh (a))"),
  ACTIVATION ("Softplus",
              "softplus",
              "log (1 + exp (beta * x)) / beta",
              softplus,
              .formula = "Where (Greater (Mul (a, $beta), $threshold), a, Div (Softplus (Mul (a, "
                         "$beta)), $beta))"),
  ACTIVATION ("Softsign", "softsign", "x / (1 + |x|)", none, .formula = "Softsign (a)"),
  ACTIVATION ("Softshrink",
              "softshrink",
              "x moved towards zero by lambd",
              lambd,
              .formula = "Where (Greater (a, $lambd), Sub (a, $lambd), Where (Less (a, Neg "
                         "($lambd)), Add (a, $lambd), Mul (a, 0)))"),
  ACTIVATION (
      "Hardshrink",
      "hardshrink",
      "x, zero where closer to it than lambd",
      lambd,
      .formula =
          "Where (And (LessOrEqual (a, $lambd), GreaterOrEqual (a, Neg ($lambd))), Mul (a, 0), a)"),
  LAYER ("PReLU",
         NULL,
         ACTIVATION,
         "x, below zero times a trained slope",
         prelu,
         prelu_slots,
         infer_prelu,
         .lower = lower_prelu),
  LAYER ("GLU",
         "glu",
         ACTIVATION,
         "One half weighted by the sigmoid of the other",
         dim,
         sym_op_torch_one,
         infer_glu,
         .lower = lower_glu),
  LAYER ("Softmax",
         "softmax",
         ACTIVATION,
         "Exponentials that add up to 1",
         dim,
         sym_op_torch_one,
         infer_softmax,
         .lower = lower_softmax),
  LAYER ("LogSoftmax",
         "log_softmax",
         ACTIVATION,
         "log (softmax (x))",
         dim,
         sym_op_torch_one,
         infer_softmax,
         .lower = lower_log_softmax),
  LAYER ("Softmin",
         "softmin",
         ACTIVATION,
         "softmax (-x)",
         dim,
         sym_op_torch_one,
         infer_softmax,
         .lower = lower_softmin),
  LAYER ("Identity",
         NULL,
         OTHER,
         "x",
         none,
         sym_op_torch_one,
         sym_op_torch_same,
         .formula = "Identity (a)"),
  LAYER ("Dropout",
         "dropout",
         NORMALIZATION,
         "Zeroes elements at random, in training only",
         probability,
         sym_op_torch_one,
         sym_op_torch_same,
         .formula = "Identity (a)"),
  LAYER ("Dropout2d",
         NULL,
         NORMALIZATION,
         "Zeroes whole channels at random, in training only",
         probability,
         sym_op_torch_one,
         sym_op_torch_same,
         .formula = "Identity (a)"),
  { NULL },
};
