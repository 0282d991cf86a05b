/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Elementwise operators of three: choices, limits and sums of products. */

static const char *
get_name (SymOpLower *self, guint i)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (self))->slots[i].name;
}

/* Operands [@first, @last], tensors or numbers, in their common dtype.  An absent one is SYM_NO_ID.
 */
static SymDType
read_operands (SymOpLower *self, guint first, guint last, SymId *values)
{
  SymOpAtenKind kinds[4];
  SymDType dtype;

  for (guint i = first; i <= last; i++)
    kinds[i - first] = sym_op_aten_kind (self, i, get_name (self, i));
  dtype = sym_op_aten_promote (kinds, last - first + 1);
  for (guint i = first; i <= last; i++)
    values[i - first] = sym_op_aten_operand (self, i, get_name (self, i), dtype);
  return dtype;
}

static SymId
choose (SymOpLower *self, SymId condition, SymId yes, SymId no)
{
  return sym_op_lower_call (self, "Where", SYM_IDS (condition, yes, no), NULL);
}

static void
lower_where (SymOpLower *self)
{
  SymId values[2];

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  read_operands (self, 1, 2, values);
  sym_op_lower_set_output (
      self, 0, choose (self, sym_op_aten_input_as (self, 0, SYM_DTYPE_BOOL), values[0], values[1]));
}

/* The result has the dtype of what is filled. */
static void
lower_masked_fill (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             choose (self, sym_op_aten_input_as (self, 1, SYM_DTYPE_BOOL),
                                     sym_op_aten_operand (self, 2, "value", dtype),
                                     sym_op_lower_input (self, 0)));
}

/* Either limit may be missing. */
static void
lower_clamp (SymOpLower *self)
{
  SymId values[3], y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  read_operands (self, 0, 2, values);
  y = values[0];
  if (values[1] != SYM_NO_ID)
    y = sym_op_lower_binary (self, "Max", y, values[1]);
  if (values[2] != SYM_NO_ID)
    y = sym_op_lower_binary (self, "Min", y, values[2]);
  sym_op_lower_set_output (self, 0, y);
}

/* One limit: clamp_min, clamp_max. */
static void
lower_clamp_one (SymOpLower *self)
{
  gboolean is_least = g_str_has_prefix (sym_op_lower_get_type (self), "aten.clamp_min");
  const char *name = is_least ? "min" : "max";
  SymOpAtenKind kinds[] = { sym_op_aten_kind (self, 0, NULL), sym_op_aten_kind (self, 1, name) };
  SymDType dtype = sym_op_aten_promote (kinds, 2);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, is_least ? "Max" : "Min",
                                                  sym_op_aten_input_as (self, 0, dtype),
                                                  sym_op_aten_operand (self, 1, name, dtype)));
}

/* Limits that are numbers leave shape and, of the same class, dtype alone. */
static gboolean
infer_clamp (SymRule *rule, GError **error)
{
  SymOpAtenKind kinds[] = { sym_op_aten_rule_kind (rule, 0, NULL),
                            sym_op_aten_rule_kind (rule, 1, "min"),
                            sym_op_aten_rule_kind (rule, 2, "max") };

  if (sym_rule_has_input (rule, 1) || sym_rule_has_input (rule, 2))
    return sym_op_infer_lowered (rule, error);
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_aten_promote (kinds, 3), error);
}

/* self + value * tensor1 * tensor2, or / tensor2. */
static void
lower_addc (SymOpLower *self)
{
  gboolean divides = g_str_has_prefix (sym_op_lower_get_type (self), "aten.addcdiv");
  double value = sym_op_lower_get_float (self, "value", 1);
  SymId values[3], y;
  SymDType dtype;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  dtype = read_operands (self, 0, 2, values);
  y = sym_op_lower_binary (self, divides ? "Div" : "Mul", values[1], values[2]);
  if (value != 1)
    y = sym_op_lower_binary (self, "Mul", y, sym_op_aten_number (self, dtype, value));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", values[0], y));
}

/* self + weight * (end - self) */
static void
lower_lerp (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0), y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  y = sym_op_lower_binary (self, "Sub", sym_op_aten_input_as (self, 1, dtype), x);
  y = sym_op_lower_binary (self, "Mul", y, sym_op_aten_operand (self, 2, "weight", dtype));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Add", x, y));
}

static const SymSlotSpec where_slots[] = {
  { "condition" },
  { "self", SYM_SLOT_DATA, TRUE },
  { "other", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec mask_slots[] = {
  { "self" },
  { "mask" },
  { "value", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec clamp_slots[] = {
  { "self" },
  { "min", SYM_SLOT_DATA, TRUE },
  { "max", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec least_slots[] = {
  { "self" },
  { "min", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec most_slots[] = {
  { "self" },
  { "max", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec products[] = { { "self" }, { "tensor1" }, { "tensor2" }, { NULL } };

static const SymSlotSpec lerp_slots[] = {
  { "self" },
  { "end" },
  { "weight", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec clamp_attributes[] = {
  { "min", SYM_ATTRIBUTE_ANY, "None", "the least that is left" },
  { "max", SYM_ATTRIBUTE_ANY, "None", "the most that is left" },
  { NULL },
};

static const SymAttributeSpec value_attributes[] = {
  { "value", SYM_ATTRIBUTE_ANY, "None", "the number, where it is no tensor" },
  { NULL },
};

static const SymAttributeSpec factor_attributes[] = {
  { "value", SYM_ATTRIBUTE_FLOAT, "1", "factor of the product" },
  { NULL },
};

static const SymAttributeSpec lerp_attributes[] = {
  { "weight", SYM_ATTRIBUTE_ANY, "None", "how far it is from self to end" },
  { NULL },
};

#define CHOICE(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,              \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_ELEMENTWISE,  \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_choose[] = {
  CHOICE ("where.self",
          "aten.where.ScalarOther aten.where.ScalarSelf aten.where.Scalar",
          "One of two, by a condition",
          NULL,
          where_slots,
          sym_op_infer_lowered,
          lower_where),
  CHOICE ("masked_fill.Scalar",
          "aten.masked_fill.Tensor aten.masked_fill_.Scalar aten.masked_fill_.Tensor",
          "A number where a mask is true",
          value_attributes,
          mask_slots,
          sym_op_infer_lowered,
          lower_masked_fill),
  CHOICE ("clamp",
          "aten.clamp.Tensor aten.clamp_ aten.clamp_.Tensor aten.clip aten.clip.Tensor aten.clip_",
          "Cuts off what lies outside",
          clamp_attributes,
          clamp_slots,
          infer_clamp,
          lower_clamp),
  CHOICE ("clamp_min",
          "aten.clamp_min.Tensor aten.clamp_min_",
          "Cuts off what lies below",
          clamp_attributes,
          least_slots,
          sym_op_infer_lowered,
          lower_clamp_one),
  CHOICE ("clamp_max",
          "aten.clamp_max.Tensor aten.clamp_max_",
          "Cuts off what lies above",
          clamp_attributes,
          most_slots,
          sym_op_infer_lowered,
          lower_clamp_one),
  CHOICE ("addcmul",
          "aten.addcmul_",
          "Adds a product",
          factor_attributes,
          products,
          sym_op_infer_lowered,
          lower_addc),
  CHOICE ("addcdiv",
          "aten.addcdiv_",
          "Adds a quotient",
          factor_attributes,
          products,
          sym_op_infer_lowered,
          lower_addc),
  CHOICE ("lerp.Scalar",
          "aten.lerp.Tensor",
          "A place between two",
          lerp_attributes,
          lerp_slots,
          sym_op_infer_lowered,
          lower_lerp),
  { NULL },
};
