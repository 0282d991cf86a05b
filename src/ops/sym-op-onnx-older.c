/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"
#include "ops/sym-op-table.h"

/* Operators that came into ONNX after operator set 17, by those of that set: what is written of
 * other frameworks' layers is for tools that know no newer ones, too.  Meanings are ONNX's own, of
 * the operators of the same names. */

static void
lower_gelu (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_formula (
          self, g_str_equal (sym_op_lower_get_string (self, "approximate", "none"), "tanh")
                    ? "Mul (Mul (a, 0.5), Add (Tanh (Mul (Add (a, Mul (Mul (Mul (a, a), a), "
                      "0.044715)), 0.7978845608028654)), 1))"
                    : "Mul (Mul (a, 0.5), Add (Erf (Div (a, 1.4142135623730951)), 1))"));
}

/* A number of each channel, for [batch, channels, ...]. */
static SymId
get_per_channel (SymOpLower *self, guint slot, int rank)
{
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank - 2; i++)
    axes[i] = i + 1;
  return rank < 3
             ? sym_op_lower_input (self, slot)
             : sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, slot), axes, rank - 2);
}

/* [batch, groups, rest] with a mean of 0 and a variance of 1, as it was. */
static void
lower_group_norm (SymOpLower *self)
{
  gint64 groups = sym_op_lower_get_int (self, "num_groups", 1), parted[] = { 0, groups, -1 };
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymShape each = SYM_SHAPE (groups);
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (shape->rank < 2 || groups < 1)
    {
      sym_op_lower_fail (self, "%s: there are no groups", sym_op_lower_get_type (self));
      return;
    }
  x = sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), parted, 3, TRUE);
  x = sym_op_lower_call (
      self, "InstanceNormalization",
      SYM_IDS (x, sym_op_lower_fill (self, dtype, &each, 1),
               sym_op_lower_fill (self, dtype, &each, 0)),
      "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  x = sym_op_lower_reshape (self, x, shape);
  x = sym_op_lower_binary (self, "Mul", x, get_per_channel (self, 1, shape->rank));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Add", x, get_per_channel (self, 2, shape->rank)));
}

static const SymAttributeSpec gelu_attributes[] = {
  { "approximate", SYM_ATTRIBUTE_STRING, "none", "none or tanh", .values = "none tanh" },
  { NULL },
};
static const SymAttributeSpec group_attributes[] = {
  { "num_groups", SYM_ATTRIBUTE_INT, "None", "groups of channels" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "stash_type", SYM_ATTRIBUTE_INT, "1", "in which dtype it is computed" },
  { NULL },
};
static const SymSlotSpec group_slots[] = { { "X" },
                                           { "scale", SYM_SLOT_PARAMETER },
                                           { "bias", SYM_SLOT_PARAMETER },
                                           { NULL } };

#define OLDER(name_, version_, summary_, category_, slots_, attributes_, ...)                \
  {                                                                                          \
    SYM_OP_FOREIGN (SYM_OP_ONNX_OLDER, name_, NULL, summary_, category_),                    \
        .reference = "ONNX " name_ "-" version_, .slots = slots_, .attributes = attributes_, \
        __VA_ARGS__                                                                          \
  }

const SymOperator sym_op_onnx_older[] = {
  OLDER ("Gelu",
         "20",
         "x times the normal distribution at x, by the error function",
         ACTIVATION,
         sym_op_foreign_one,
         gelu_attributes,
         .infer = sym_op_infer_lowered,
         .lower = lower_gelu),
  OLDER ("GroupNormalization",
         "21",
         "groups of channels with a mean of 0 and a variance of 1, as instances",
         NORMALIZATION,
         group_slots,
         group_attributes,
         .infer = sym_op_infer_lowered,
         .lower = lower_group_norm),
  OLDER ("Mish",
         "18",
         "x * tanh (log (1 + exp (x))), by Softplus",
         ACTIVATION,
         sym_op_foreign_one,
         NULL,
         .infer = sym_op_infer_elementwise,
         .formula = "Mul (a, Tanh (Softplus (a)))"),
  { NULL },
};
