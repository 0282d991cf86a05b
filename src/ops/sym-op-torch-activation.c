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

#define LAYER(name_, aliases_, category_, summary_, attributes_, slots_, infer_)                   \
  {                                                                                                \
    SYM_OP_TORCH, .name = name_, .aliases = aliases_, .summary = summary_,                         \
                  .reference = "torch 1.13 torch.nn." name_, .category = SYM_CATEGORY_##category_, \
                  .attributes = attributes_, .slots = slots_, .infer = infer_,                     \
  }

#define ACTIVATION(name_, aliases_, summary_, attributes_) \
  LAYER (name_, aliases_, ACTIVATION, summary_, attributes_, sym_op_torch_one, sym_op_torch_same)

const SymOperator sym_op_torch_activation[] = {
  ACTIVATION ("ReLU", "relu", "max (x, 0)", none),
  ACTIVATION ("ReLU6", "relu6", "min (max (x, 0), 6)", none),
  ACTIVATION ("LeakyReLU", "leaky_relu", "x, less steep below zero", slope),
  ACTIVATION ("ELU", "elu", "x, below zero alpha * (exp (x) - 1)", alpha),
  ACTIVATION ("CELU", "celu", "x, below zero alpha * (exp (x / alpha) - 1)", alpha),
  ACTIVATION ("SELU", "selu", "ELU that keeps mean and variance", none),
  ACTIVATION ("GELU", "gelu", "x times the probability of a normal variable below it", gelu),
  ACTIVATION ("SiLU", "silu", "x * sigmoid (x)", none),
  ACTIVATION ("Mish", "mish", "x * tanh (softplus (x))", none),
  ACTIVATION ("Hardswish", "hardswish", "x * relu6 (x + 3) / 6", none),
  ACTIVATION ("Hardsigmoid", "hardsigmoid", "relu6 (x + 3) / 6", none),
  ACTIVATION ("Hardtanh", "hardtanh", "x, cut to a range", range),
  ACTIVATION ("Sigmoid", "sigmoid", "1 / (1 + exp (-x))", none),
  ACTIVATION ("LogSigmoid", "logsigmoid", "log (sigmoid (x))", none),
  ACTIVATION ("Tanh", "tanh", "Hyperbolic tangent", none),
  ACTIVATION ("Tanhshrink", "tanhshrink", "x - tanh (x)", none),
  ACTIVATION ("Softplus", "softplus", "log (1 + exp (beta * x)) / beta", softplus),
  ACTIVATION ("Softsign", "softsign", "x / (1 + |x|)", none),
  ACTIVATION ("Softshrink", "softshrink", "x moved towards zero by lambd", lambd),
  ACTIVATION ("Hardshrink", "hardshrink", "x, zero where closer to it than lambd", lambd),
  LAYER ("PReLU",
         NULL,
         ACTIVATION,
         "x, below zero times a trained slope",
         prelu,
         prelu_slots,
         infer_prelu),
  LAYER ("GLU",
         "glu",
         ACTIVATION,
         "One half weighted by the sigmoid of the other",
         dim,
         sym_op_torch_one,
         infer_glu),
  LAYER ("Softmax",
         "softmax",
         ACTIVATION,
         "Exponentials that add up to 1",
         dim,
         sym_op_torch_one,
         infer_softmax),
  LAYER ("LogSoftmax",
         "log_softmax",
         ACTIVATION,
         "log (softmax (x))",
         dim,
         sym_op_torch_one,
         infer_softmax),
  LAYER ("Softmin", "softmin", ACTIVATION, "softmax (-x)", dim, sym_op_torch_one, infer_softmax),
  LAYER ("Identity", NULL, OTHER, "x", none, sym_op_torch_one, sym_op_torch_same),
  LAYER ("Dropout",
         "dropout",
         NORMALIZATION,
         "Zeroes elements at random, in training only",
         probability,
         sym_op_torch_one,
         sym_op_torch_same),
  LAYER ("Dropout2d",
         NULL,
         NORMALIZATION,
         "Zeroes whole channels at random, in training only",
         probability,
         sym_op_torch_one,
         sym_op_torch_same),
  { NULL },
};
