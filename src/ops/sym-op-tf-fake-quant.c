/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Floats rounded to those that whole numbers of a few bits can stand for, 0 among them. */

static gboolean
infer_fake (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean by_channel = strstr (sym_rule_get_type (rule), "PerChannel") != NULL;
  SymShape bounds = by_channel ? sym_shape_new_unknown (1) : SYM_SHAPE ();

  if (by_channel && shape.rank > 0)
    bounds.dims[0] = shape.dims[shape.rank - 1];
  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, bounds, error))
      return FALSE;
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

static SymId
number (SymOpLower *self, double value)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, value);
}

/* A bound: operand @i, or the attribute where there is none. */
static SymId
get_bound (SymOpLower *self, guint i, const char *name, double fallback)
{
  return sym_op_lower_has_input (self, i)
             ? sym_op_lower_input (self, i)
             : number (self, sym_op_lower_get_float (self, name, fallback));
}

static SymId
clip (SymOpLower *self, SymId x, SymId low, SymId high)
{
  return sym_op_lower_binary (self, "Min", sym_op_lower_binary (self, "Max", x, low), high);
}

static SymId
round_half_up (SymOpLower *self, SymId x)
{
  return sym_op_lower_unary (self, "Floor",
                             sym_op_lower_binary (self, "Add", x, number (self, 0.5)));
}

/* The whole numbers go from @least to @most; the bounds are moved until 0 is one of them.  Bounds
 * that are the same leave nothing but 0. */
static void
lower_fake (SymOpLower *self)
{
  gint64 bits = sym_op_lower_get_int (self, "num_bits", 8);
  double least = sym_op_lower_get_bool (self, "narrow_range", FALSE) ? 1 : 0, most;
  SymId low = get_bound (self, 1, "min", -6), high = get_bound (self, 2, "max", 6);
  SymId step, zero, first, last, y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (bits < 2 || bits > 16)
    {
      sym_op_lower_fail (self, "%s: num_bits must be 2 to 16, not %" G_GINT64_FORMAT,
                         sym_op_lower_get_type (self), bits);
      return;
    }
  most = (double) ((1 << bits) - 1);
  step = sym_op_lower_binary (self, "Div", sym_op_lower_binary (self, "Sub", high, low),
                              number (self, most - least));
  zero = sym_op_lower_binary (self, "Sub", number (self, least),
                              sym_op_lower_binary (self, "Div", low, step));
  zero = clip (self, round_half_up (self, zero), number (self, least), number (self, most));
  first = sym_op_lower_binary (self, "Mul",
                               sym_op_lower_binary (self, "Sub", number (self, least), zero), step);
  last = sym_op_lower_binary (self, "Mul",
                              sym_op_lower_binary (self, "Sub", number (self, most), zero), step);
  y = clip (self, sym_op_lower_input (self, 0), first, last);
  y = sym_op_lower_binary (self, "Div", sym_op_lower_binary (self, "Sub", y, first), step);
  y = sym_op_lower_binary (self, "Mul", round_half_up (self, y), step);
  y = sym_op_lower_binary (self, "Add", y, first);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (sym_op_lower_binary (self, "Greater", step, number (self, 0)), y,
                                  number (self, 0)),
                         NULL));
}

#define BITS                                                                         \
  { "num_bits", SYM_ATTRIBUTE_INT, "8", "of the whole numbers, 2 to 16" },           \
  {                                                                                  \
    "narrow_range", SYM_ATTRIBUTE_BOOL, "False", "whether the least one is left out" \
  }

static const SymAttributeSpec bound_attributes[] = {
  { "min", SYM_ATTRIBUTE_FLOAT, "-6", "the least float" },
  { "max", SYM_ATTRIBUTE_FLOAT, "6", "the greatest float" },
  BITS,
  { NULL },
};
static const SymAttributeSpec attributes[] = { BITS, { NULL } };

static const SymSlotSpec slots[] = { { "inputs" }, { "min" }, { "max" }, { NULL } };

#define FAKE(name_, summary_, attributes_, slots_)                                      \
  {                                                                                     \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE,       \
                       .attributes = attributes_, .slots = slots_, .infer = infer_fake, \
                       .lower = lower_fake                                              \
  }

const SymOperator sym_op_tf_fake_quant[] = {
  FAKE ("FakeQuantWithMinMaxArgs",
        "floats rounded as quantization would",
        bound_attributes,
        sym_op_tf_one),
  FAKE ("FakeQuantWithMinMaxVars", "floats rounded as quantization would", attributes, slots),
  FAKE ("FakeQuantWithMinMaxVarsPerChannel",
        "floats rounded as quantization of each channel would",
        attributes,
        slots),
  { NULL },
};
