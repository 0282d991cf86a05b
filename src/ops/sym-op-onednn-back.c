/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onednn.h"

#include <string.h>

/* Gradients of oneDNN's graph API: operand 0, a, is what went in, or what came out where `use_dst`
 * says so; operand 1, b, is the gradient of the result. */

static void
lower_formula (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));

  sym_op_onednn_set (self, sym_op_lower_formula (self, op->formula));
}

static void
lower_elu (SymOpLower *self)
{
  gboolean by_result = sym_op_lower_get_bool (self, "use_dst", TRUE);

  sym_op_onednn_set (
      self, sym_op_lower_formula (
                self, by_result ? "Where (Greater (a, 0), b, Mul (b, Add (a, $alpha)))"
                                : "Where (Greater (a, 0), b, Mul (Mul (b, $alpha), Exp (a)))"));
}

/* b (Phi (x) + x phi (x)), or the same of the formula by tanh. */
static void
lower_gelu (SymOpLower *self)
{
  gboolean is_near = sym_op_lower_has_string (self, "mode", "gelu_tanh");
  SymId t;

  if (!is_near)
    {
      sym_op_onednn_set (
          self, sym_op_lower_formula (
                    self, "Mul (b, Add (Mul (0.5, Add (1, Erf (Mul (a, 0.7071067811865475)))), "
                          "Mul (Mul (a, 0.3989422804014327), Exp (Mul (-0.5, Mul (a, a))))))"));
      return;
    }
  t = sym_op_lower_formula (
      self, "Tanh (Mul (0.7978845608028654, Add (a, Mul (0.044715, Mul (a, Mul (a, a))))))");
  t = sym_op_lower_binary (
      self, "Add", t,
      sym_op_lower_binary (
          self, "Mul",
          sym_op_lower_formula (
              self, "Mul (Mul (a, 0.7978845608028654), Add (1, Mul (0.134145, Mul (a, a))))"),
          sym_op_lower_binary (
              self, "Sub", sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 1),
              sym_op_lower_binary (self, "Mul", t, t))));
  t = sym_op_lower_binary (self, "Mul", t, sym_op_lower_formula (self, "Mul (0.5, b)"));
  sym_op_onednn_set (
      self, sym_op_lower_binary (self, "Add", t, sym_op_lower_formula (self, "Mul (0.5, b)")));
}

/* The sum over all axes but the channels. */
static void
lower_bias (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n = 0;
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    if (i != (sym_op_onednn_is_channels_last (self) ? rank - 1 : 1))
      axes[n++] = i;
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_onednn_set (self, sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_input (self, 0),
                                                  axes, n, FALSE));
}

/* ---- Tables ---- */

static const SymSlotSpec back_slots[] = { { "src" }, { "diff_dst" }, { NULL } };
static const SymSlotSpec bias_slots[] = { { "diff_dst" }, { NULL } };

static const SymAttributeSpec elu_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "scale below zero" },
  { "use_dst", SYM_ATTRIBUTE_BOOL, "True", "whether operand 0 is what came out" },
  { NULL },
};

static const SymAttributeSpec clamp_attributes[] = {
  { "min", SYM_ATTRIBUTE_FLOAT, "0.0", "the least that comes out" },
  { "max", SYM_ATTRIBUTE_FLOAT, "0.0", "the most that comes out" },
  { "use_dst", SYM_ATTRIBUTE_BOOL, "True", "whether operand 0 is what came out" },
  { NULL },
};

static const SymAttributeSpec sigmoid_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.2", "slope" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "added" },
  { NULL },
};

static const SymAttributeSpec beta_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor" },
  { NULL },
};

static const SymAttributeSpec gelu_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "gelu_erf", "how it is computed", "gelu_erf gelu_tanh" },
  { NULL },
};

static const SymAttributeSpec format_attributes[] = {
  { "data_format", SYM_ATTRIBUTE_STRING, "NXC", "where the channels are", "NXC NCX" },
  { NULL },
};

#define BACK_BY(name_, summary_, attributes_, formula_)                                        \
  {                                                                                            \
    ONEDNN (name_, NULL, summary_, ACTIVATION),                                                \
        .slots = back_slots, .attributes = attributes_, .get_n_outputs = sym_op_foreign_first, \
        .infer = sym_op_infer_lowered, .lower = lower_formula, .formula = formula_             \
  }

const SymOperator sym_op_onednn_back[] = {
  { ONEDNN ("BiasAddBackward", "BiasAddBackprop", "Gradient of an added bias", WEIGHTS),
    .slots = bias_slots, .attributes = format_attributes, .get_n_outputs = sym_op_foreign_first,
    .infer = sym_op_infer_lowered, .lower = lower_bias },
  BACK_BY ("ClampBackward",
           "Gradient of what is cut off at two bounds",
           clamp_attributes,
           "Where (Greater (a, $min), Where (Less (a, $max), b, 0), 0)"),
  ONEDNN_LOWERED ("EluBackward",
                  "Gradient of the exponential linear unit",
                  ACTIVATION,
                  back_slots,
                  elu_attributes,
                  lower_elu),
  ONEDNN_LOWERED ("GELUBackward",
                  "Gradient of the Gaussian error linear unit",
                  ACTIVATION,
                  back_slots,
                  gelu_attributes,
                  lower_gelu),
  BACK_BY ("HardSigmoidBackward",
           "Gradient of the hard sigmoid",
           sigmoid_attributes,
           "Where (Greater (Add (Mul (a, $alpha), $beta), 0), "
           "Where (Less (Add (Mul (a, $alpha), $beta), 1), Mul (b, $alpha), 0), 0)"),
  BACK_BY ("HardSwishBackward",
           "Gradient of the hard swish",
           NULL,
           "Where (Greater (a, -3), "
           "Where (Less (a, 3), Mul (b, Add (Div (a, 3), 0.5)), b), 0)"),
  BACK_BY ("MishBackward",
           "Gradient of Mish",
           NULL,
           "Mul (b, Add (Tanh (Softplus (a)), Mul (Mul (a, Sigmoid (a)), "
           "Sub (1, Mul (Tanh (Softplus (a)), Tanh (Softplus (a)))))))"),
  BACK_BY ("SoftPlusBackward",
           "Gradient of the soft rectifier",
           beta_attributes,
           "Mul (b, Sigmoid (Mul (a, $beta)))"),
  { NULL },
};
