/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

/* GELU by the error function, or by tanh. */
static void
lower_gelu (SymOpLower *self)
{
  gboolean is_tanh = sym_op_lower_has_string (self, "approximate", "tanh");

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                           sym_value_new_string (is_tanh ? "tanh" : "none"), NULL));
}

/* Beyond the threshold the sum under the logarithm is its argument. */
static void
lower_softplus (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double beta = sym_op_lower_get_float (self, "beta", 1);
  SymId x = sym_op_lower_input (self, 0), scaled, soft;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  scaled = sym_op_lower_binary (self, "Mul", x, sym_op_aten_number (self, dtype, beta));
  soft = sym_op_lower_binary (self, "Div", sym_op_lower_unary (self, "Softplus", scaled),
                              sym_op_aten_number (self, dtype, beta));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (
              sym_op_lower_binary (
                  self, "Greater", scaled,
                  sym_op_aten_number (self, dtype, sym_op_lower_get_float (self, "threshold", 20))),
              x, soft),
          NULL));
}

/* One slope for all channels, or one for each. */
static void
lower_prelu (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  SymShape shape = { .rank = rank };
  SymId slope = sym_op_lower_input (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < rank; i++)
    shape.dims[i] = i == 1 ? -1 : 1;
  if (rank >= 2)
    slope =
        sym_op_lower_binary (self, "Reshape", slope, sym_op_lower_ints (self, shape.dims, rank));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0), slope));
}

/* The first half of an axis, gated by the second. */
static void
lower_glu (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), first, gate;
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axis (self, "dim", -1, sym_op_lower_get_input_shape (self, 0)->rank, &axis))
    return;
  first = sym_op_lower_call (self, "Split", SYM_IDS (x), "axis", sym_value_new_int (axis),
                             "num_outputs", sym_value_new_int (2), NULL);
  gate = sym_op_lower_unary (self, "Sigmoid", sym_op_lower_get_result (self, first, 1));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", first, gate));
}

/* softmax and log_softmax may be told the dtype of their result. */
static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_strrstr (sym_op_lower_get_type (self), "log_softmax") != NULL;
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymDType given = sym_op_lower_get_input_dtype (self, 0);
  gboolean to_float = sym_op_lower_get_bool (self, "half_to_float", FALSE);
  SymDType dtype = sym_op_lower_get_dtype (
      self, "dtype", to_float ? SYM_DTYPE_FLOAT32 : sym_op_aten_to_float (given));
  SymId x = sym_op_aten_input_as (self, 0, dtype);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_aten_get_axis (self, "dim", -1, MAX (shape->rank, 1), &axis))
    return;
  if (shape->rank == 0)
    {
      x = sym_op_lower_binary (self, "Sub", x, x);
      sym_op_lower_set_output (self, 0, is_log ? x : sym_op_lower_unary (self, "Exp", x));
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, is_log ? "LogSoftmax" : "Softmax", SYM_IDS (x),
                                              "axis", sym_value_new_int (axis), NULL));
}

/* ELU with numbers of its own: scale * (x > 0 ? x : alpha * (exp (input_scale * x) - 1)). */
static const SymAttributeSpec elu_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor below 0" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1", "factor of the result" },
  { "input_scale", SYM_ATTRIBUTE_FLOAT, "1", "factor within the exponent" },
  { NULL },
};

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor below 0" },
  { NULL },
};

static const SymAttributeSpec slope_attributes[] = {
  { "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.01", "factor below 0" },
  { NULL },
};

static const SymAttributeSpec tanh_attributes[] = {
  { "min_val", SYM_ATTRIBUTE_FLOAT, "-1", "least result" },
  { "max_val", SYM_ATTRIBUTE_FLOAT, "1", "greatest result" },
  { NULL },
};

static const SymAttributeSpec shrink_attributes[] = {
  { "lambd", SYM_ATTRIBUTE_FLOAT, "0.5", "numbers nearer to 0 become 0" },
  { NULL },
};

static const SymAttributeSpec threshold_attributes[] = {
  { "threshold", SYM_ATTRIBUTE_FLOAT, NULL, "numbers above it stay" },
  { "value", SYM_ATTRIBUTE_FLOAT, NULL, "what the others become" },
  { NULL },
};

static const SymAttributeSpec softplus_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1", "how sharp the bend is" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "20", "beyond it the result is x" },
  { NULL },
};

static const SymAttributeSpec gelu_attributes[] = {
  { "approximate", SYM_ATTRIBUTE_STRING, "none", "how the error function is told", "none tanh" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis whose sum is 1" },
  { "half_to_float", SYM_ATTRIBUTE_BOOL, "False", "whether the result is float32" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec glu_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "-1", "the axis that is halved" },
  { NULL },
};

static const SymSlotSpec weighted[] = {
  { "self" },
  { "weight", SYM_SLOT_PARAMETER },
  { NULL },
};

#define ACTIVATION(name_, aliases_, summary_, attributes_)                         \
  SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,    \
               .reference = "PyTorch 2 ATen", .category = SYM_CATEGORY_ACTIVATION, \
               .attributes = attributes_

#define FORMULA(name_, aliases_, summary_, attributes_, formula_)                  \
  {                                                                                \
    ACTIVATION (name_, aliases_, summary_, attributes_),                           \
        .slots = sym_op_aten_self, .infer = sym_op_aten_same, .formula = formula_, \
  }

#define LOWERED(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)            \
  {                                                                                        \
    ACTIVATION (name_, aliases_, summary_, attributes_), .slots = slots_, .infer = infer_, \
                                                         .lower = lower_,                  \
  }

const SymOperator sym_op_aten_activation[] = {
  FORMULA ("celu",
           "aten.celu_",
           "Continuously differentiable ELU",
           alpha_attributes,
           "Where (Greater (a, 0), a, Mul ($alpha, Sub (Exp (Div (a, $alpha)), 1)))"),
  FORMULA ("elu",
           "aten.elu_",
           "Exponential linear unit",
           elu_attributes,
           "Mul ($scale, Where (Greater (a, 0), a, "
           "Mul ($alpha, Sub (Exp (Mul (a, $input_scale)), 1))))"),
  FORMULA ("hardshrink",
           NULL,
           "0 for numbers near 0",
           shrink_attributes,
           "Where (Greater (Abs (a), $lambd), a, 0)"),
  FORMULA ("hardsigmoid",
           "aten.hardsigmoid_",
           "A sigmoid of straight lines",
           NULL,
           "Div (Min (Max (Add (a, 3), 0), 6), 6)"),
  FORMULA ("hardswish",
           "aten.hardswish_",
           "x times a sigmoid of straight lines",
           NULL,
           "Div (Mul (a, Min (Max (Add (a, 3), 0), 6)), 6)"),
  FORMULA ("hardtanh",
           "aten.hardtanh_",
           "Cuts off what lies outside",
           tanh_attributes,
           "Min (Max (a, $min_val), $max_val)"),
  FORMULA ("leaky_relu",
           "aten.leaky_relu_",
           "a, but a fraction of it where a is below 0",
           slope_attributes,
           "Where (Greater (a, 0), a, Mul (a, $negative_slope))"),
  FORMULA ("log_sigmoid",
           "aten.log_sigmoid_forward",
           "Logarithm of the sigmoid",
           NULL,
           "Neg (Softplus (Neg (a)))"),
  FORMULA ("mish", "aten.mish_", "x tanh (softplus (x))", NULL, "Mul (a, Tanh (Softplus (a)))"),
  FORMULA ("relu", "aten.relu_", "a, but 0 where a is below 0", NULL, "Relu (a)"),
  FORMULA ("relu6", "aten.relu6_", "a, cut off at 0 and 6", NULL, "Min (Max (a, 0), 6)"),
  FORMULA ("selu", "aten.selu_", "Scaled exponential linear unit", NULL, "Selu (a)"),
  FORMULA ("silu", "aten.silu_", "x sigmoid (x)", NULL, "Mul (a, Sigmoid (a))"),
  FORMULA ("softshrink",
           NULL,
           "Numbers drawn to 0",
           shrink_attributes,
           "Where (Greater (a, $lambd), Sub (a, $lambd), "
           "Where (Less (a, Neg ($lambd)), Add (a, $lambd), 0))"),
  FORMULA ("softsign", NULL, "x / (1 + |x|)", NULL, "Div (a, Add (1, Abs (a)))"),
  FORMULA ("threshold",
           "aten.threshold_",
           "Another number for what is below",
           threshold_attributes,
           "Where (Greater (a, $threshold), a, $value)"),
  LOWERED ("gelu",
           "aten.gelu_",
           "Gaussian error linear unit",
           gelu_attributes,
           sym_op_aten_self,
           sym_op_aten_same,
           lower_gelu),
  LOWERED ("glu",
           NULL,
           "One half gated by the other",
           glu_attributes,
           sym_op_aten_self,
           sym_op_infer_lowered,
           lower_glu),
  LOWERED ("prelu",
           "aten._prelu_kernel",
           "a, but a learnt fraction of it where a is below 0",
           NULL,
           weighted,
           sym_op_aten_same,
           lower_prelu),
  LOWERED ("softmax.int",
           "aten._softmax aten._safe_softmax aten.softmax",
           "Exponentials whose sum is 1",
           softmax_attributes,
           sym_op_aten_self,
           sym_op_infer_lowered,
           lower_softmax),
  LOWERED ("log_softmax.int",
           "aten._log_softmax aten.log_softmax",
           "Logarithm of softmax",
           softmax_attributes,
           sym_op_aten_self,
           sym_op_infer_lowered,
           lower_softmax),
  LOWERED ("softplus",
           NULL,
           "log (1 + e^x)",
           softplus_attributes,
           sym_op_aten_self,
           sym_op_aten_same,
           lower_softplus),
  { NULL },
};
