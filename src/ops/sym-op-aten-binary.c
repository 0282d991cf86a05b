/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-aten.h"

/* Arithmetic of two: tensors, or a tensor and a number, which is attribute "other" (or "self",
 * where the number comes first). */

typedef enum {
  RESULT_COMMON, /* of the dtype that both are brought to */
  RESULT_FLOAT,  /* the same, and a float of integers */
  RESULT_BOOL,
} ResultKind;

/* ---- Rules ---- */

static gboolean
infer_shape (SymRule *rule, GError **error)
{
  gboolean has_first = sym_rule_has_input (rule, 0);
  gboolean has_second = sym_rule_has_input (rule, 1);

  if (has_first && has_second)
    return sym_op_broadcast_shapes (rule, 0, 1, error);
  return sym_op_pass_shape (rule, has_first ? 0 : 1, 0, error);
}

static gboolean
infer (SymRule *rule, const char *first, const char *second, ResultKind result, GError **error)
{
  SymOpAtenKind kinds[] = { sym_op_aten_rule_kind (rule, 0, first),
                            sym_op_aten_rule_kind (rule, 1, second) };
  SymDType dtype = sym_op_aten_promote (kinds, 2);

  if (result == RESULT_BOOL)
    dtype = SYM_DTYPE_BOOL;
  else if (result == RESULT_FLOAT)
    dtype = sym_op_aten_to_float (dtype);
  return infer_shape (rule, error) && sym_rule_set_output_dtype (rule, 0, dtype, error);
}

static gboolean
infer_common (SymRule *rule, GError **error)
{
  return infer (rule, "self", "other", RESULT_COMMON, error);
}

static gboolean
infer_float (SymRule *rule, GError **error)
{
  return infer (rule, "self", "other", RESULT_FLOAT, error);
}

static gboolean
infer_bool (SymRule *rule, GError **error)
{
  return infer (rule, "self", "other", RESULT_BOOL, error);
}

static gboolean
infer_power (SymRule *rule, GError **error)
{
  return infer (rule, "self", "exponent", RESULT_COMMON, error);
}

/* Only that of two tensors with a rounding mode stays among the integers. */
static gboolean
infer_division (SymRule *rule, GError **error)
{
  return sym_rule_get_string (rule, "rounding_mode", NULL) != NULL ? infer_common (rule, error)
                                                                   : infer_float (rule, error);
}

/* ---- Lowering ---- */

typedef struct {
  SymOpLower *lower;
  SymDType dtype; /* in which it is computed */
  SymId a, b;
} Pair;

static gboolean
read_pair (Pair *self, SymOpLower *lower, ResultKind result)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (lower));
  const char *first = op->slots[0].name, *second = op->slots[1].name;
  SymOpAtenKind kinds[] = { sym_op_aten_kind (lower, 0, first),
                            sym_op_aten_kind (lower, 1, second) };

  self->lower = lower;
  self->dtype = sym_op_aten_promote (kinds, 2);
  if (result == RESULT_FLOAT)
    self->dtype = sym_op_aten_to_float (self->dtype);
  self->a = sym_op_aten_operand (lower, 0, first, self->dtype);
  self->b = sym_op_aten_operand (lower, 1, second, self->dtype);
  if (self->a != SYM_NO_ID && self->b != SYM_NO_ID)
    return TRUE;
  sym_op_lower_fail (lower, "%s: it needs two operands", sym_op_lower_get_type (lower));
  return FALSE;
}

static SymId
apply (const Pair *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, name, a, b);
}

static SymId
scale (const Pair *self, const char *attribute, SymId x)
{
  double factor = sym_op_lower_get_float (self->lower, attribute, 1);

  return factor == 1
             ? x
             : apply (self, "Mul", x, sym_op_aten_number (self->lower, self->dtype, factor));
}

static gboolean
starts (SymOpLower *self, const char *prefix)
{
  return g_str_has_prefix (sym_op_lower_get_type (self) + strlen ("aten."), prefix);
}

/* Sums of bools are bools: or. */
static void
lower_sum (SymOpLower *lower)
{
  gboolean is_add = starts (lower, "add"), turned = starts (lower, "rsub");
  Pair self;
  SymId y;

  if (!read_pair (&self, lower, RESULT_COMMON))
    return;
  if (self.dtype == SYM_DTYPE_BOOL)
    y = apply (&self, is_add ? "Or" : "Xor", self.a, self.b);
  else if (turned)
    y = apply (&self, "Sub", self.b, scale (&self, "alpha", self.a));
  else
    y = apply (&self, is_add ? "Add" : "Sub", self.a, scale (&self, "alpha", self.b));
  sym_op_lower_set_output (lower, 0, y);
}

static void
lower_product (SymOpLower *lower)
{
  Pair self;

  if (read_pair (&self, lower, RESULT_COMMON))
    sym_op_lower_set_output (
        lower, 0, apply (&self, self.dtype == SYM_DTYPE_BOOL ? "And" : "Mul", self.a, self.b));
}

/* The sign of the result is that of the divisor, as in Python. */
static SymId
take_remainder (const Pair *self)
{
  SymId quotient;

  if (!sym_dtype_is_floating (self->dtype))
    return apply (self, "Mod", self->a, self->b);
  quotient = sym_op_lower_unary (self->lower, "Floor", apply (self, "Div", self->a, self->b));
  return apply (self, "Sub", self->a, apply (self, "Mul", quotient, self->b));
}

static SymId
divide_down (const Pair *self)
{
  SymId left = self->a;

  if (sym_dtype_is_floating (self->dtype))
    return sym_op_lower_unary (self->lower, "Floor", apply (self, "Div", left, self->b));
  return apply (self, "Div", apply (self, "Sub", left, take_remainder (self)), self->b);
}

/* ONNX cuts quotients of integers off towards 0. */
static SymId
divide_to_zero (const Pair *self)
{
  SymId quotient = apply (self, "Div", self->a, self->b);

  if (!sym_dtype_is_floating (self->dtype))
    return quotient;
  return apply (
      self, "Mul", sym_op_lower_unary (self->lower, "Sign", quotient),
      sym_op_lower_unary (self->lower, "Floor", sym_op_lower_unary (self->lower, "Abs", quotient)));
}

static void
lower_division (SymOpLower *lower)
{
  const char *mode = sym_op_lower_get_string (lower, "rounding_mode", NULL);
  gboolean down = starts (lower, "floor_divide") || g_strcmp0 (mode, "floor") == 0;
  gboolean to_zero = g_strcmp0 (mode, "trunc") == 0;
  Pair self;

  if (!read_pair (&self, lower, down || to_zero ? RESULT_COMMON : RESULT_FLOAT))
    return;
  sym_op_lower_set_output (lower, 0,
                           down      ? divide_down (&self)
                           : to_zero ? divide_to_zero (&self)
                                     : apply (&self, "Div", self.a, self.b));
}

static void
lower_remainder (SymOpLower *lower)
{
  gboolean like_c = starts (lower, "fmod");
  Pair self;

  if (!read_pair (&self, lower, RESULT_COMMON))
    return;
  sym_op_lower_set_output (lower, 0,
                           like_c ? sym_op_lower_call (lower, "Mod", SYM_IDS (self.a, self.b),
                                                       "fmod", sym_value_new_int (1), NULL)
                                  : take_remainder (&self));
}

static void
lower_power (SymOpLower *lower)
{
  Pair self;

  if (read_pair (&self, lower, RESULT_COMMON))
    sym_op_lower_set_output (lower, 0, apply (&self, "Pow", self.a, self.b));
}

/* Of operators that ONNX has, by the beginnings of their names. */
static const struct {
  const char *prefix, *name;
} direct[] = {
  { "less_equal", "LessOrEqual" },
  { "less", "Less" },
  { "__and__", "BitwiseAnd" },
  { "__or__", "BitwiseOr" },
  { "__xor__", "BitwiseXor" },
  { "bitwise_and", "BitwiseAnd" },
  { "bitwise_or", "BitwiseOr" },
  { "bitwise_xor", "BitwiseXor" },
  { "eq", "Equal" },
  { "fmax", "Max" },
  { "fmin", "Min" },
  { "greater_equal", "GreaterOrEqual" },
  { "greater", "Greater" },
  { "ge", "GreaterOrEqual" },
  { "gt", "Greater" },
  { "le", "LessOrEqual" },
  { "logical_and", "And" },
  { "logical_or", "Or" },
  { "logical_xor", "Xor" },
  { "lt", "Less" },
  { "max", "Max" },
  { "min", "Min" },
  { "n", "Equal" }, /* ne, not_equal */
};

static const char *
find_direct (SymOpLower *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (direct); i++)
    if (starts (self, direct[i].prefix))
      return direct[i].name;
  g_assert_not_reached ();
}

/* Two that ONNX compares or takes together as they are. */
static void
lower_direct (SymOpLower *lower)
{
  const char *name = find_direct (lower);
  Pair self;
  SymId y;

  if (!read_pair (&self, lower, RESULT_COMMON))
    return;
  if (self.dtype == SYM_DTYPE_BOOL && g_str_has_prefix (name, "Bitwise"))
    name += strlen ("Bitwise");
  else if (self.dtype == SYM_DTYPE_BOOL && !g_str_equal (name, "Equal") &&
           strlen (name) > strlen ("Xor"))
    {
      self.a = sym_op_lower_cast (lower, self.a, SYM_DTYPE_INT32);
      self.b = sym_op_lower_cast (lower, self.b, SYM_DTYPE_INT32);
    }
  else if (self.dtype == SYM_DTYPE_BOOL && name[0] == 'M')
    name = name[1] == 'a' ? "Or" : "And";
  y = apply (&self, name, self.a, self.b);
  sym_op_lower_set_output (lower, 0,
                           starts (lower, "ne") || starts (lower, "not_equal")
                               ? sym_op_lower_unary (lower, "Not", y)
                               : y);
}

static SymId
to_bool (const Pair *self, SymId x)
{
  return self->dtype == SYM_DTYPE_BOOL ? x : sym_op_lower_cast (self->lower, x, SYM_DTYPE_BOOL);
}

static void
lower_logical (SymOpLower *lower)
{
  Pair self;

  if (read_pair (&self, lower, RESULT_COMMON))
    sym_op_lower_set_output (
        lower, 0,
        apply (&self, find_direct (lower), to_bool (&self, self.a), to_bool (&self, self.b)));
}

static void
lower_shift (SymOpLower *lower)
{
  gboolean left = starts (lower, "bitwise_left") || starts (lower, "__lshift__");
  Pair self;
  SymId factor;

  if (!read_pair (&self, lower, RESULT_COMMON))
    return;
  factor = apply (&self, "Pow", sym_op_aten_number (lower, self.dtype, 2), self.b);
  self.b = factor;
  sym_op_lower_set_output (lower, 0,
                           left ? apply (&self, "Mul", self.a, factor) : divide_down (&self));
}

static SymId
choose (const Pair *self, SymId condition, SymId yes, SymId no)
{
  return sym_op_lower_call (self->lower, "Where", SYM_IDS (condition, yes, no), NULL);
}

static SymId
number (const Pair *self, double value)
{
  return sym_op_aten_number (self->lower, self->dtype, value);
}

/* The angle of (x, y): that of y / x, turned by pi to the side of y where x is negative. */
static void
lower_atan2 (SymOpLower *lower)
{
  Pair self;
  SymId angle, turn, zero;

  if (!read_pair (&self, lower, RESULT_FLOAT))
    return;
  zero = number (&self, 0);
  angle = sym_op_lower_unary (lower, "Atan", apply (&self, "Div", self.a, self.b));
  turn = choose (&self, apply (&self, "Less", self.a, zero), number (&self, -G_PI),
                 number (&self, G_PI));
  angle =
      choose (&self, apply (&self, "Less", self.b, zero), apply (&self, "Add", angle, turn), angle);
  sym_op_lower_set_output (lower, 0,
                           choose (&self,
                                   apply (&self, "And", apply (&self, "Equal", self.a, zero),
                                          apply (&self, "Equal", self.b, zero)),
                                   self.a, angle));
}

static void
lower_hypot (SymOpLower *lower)
{
  Pair self;

  if (read_pair (&self, lower, RESULT_COMMON))
    sym_op_lower_set_output (
        lower, 0,
        sym_op_lower_unary (lower, "Sqrt",
                            apply (&self, "Add", apply (&self, "Mul", self.a, self.a),
                                   apply (&self, "Mul", self.b, self.b))));
}

/* The greater one, and what the lesser adds to it. */
static void
lower_logaddexp (SymOpLower *lower)
{
  Pair self;
  SymId most, less;

  if (!read_pair (&self, lower, RESULT_FLOAT))
    return;
  most = apply (&self, "Max", self.a, self.b);
  less = sym_op_lower_unary (
      lower, "Neg", sym_op_lower_unary (lower, "Abs", apply (&self, "Sub", self.a, self.b)));
  sym_op_lower_set_output (
      lower, 0, apply (&self, "Add", most, sym_op_lower_unary (lower, "Softplus", less)));
}

static void
lower_xlogy (SymOpLower *lower)
{
  Pair self;
  SymId zero;

  if (!read_pair (&self, lower, RESULT_FLOAT))
    return;
  zero = number (&self, 0);
  sym_op_lower_set_output (
      lower, 0,
      choose (&self, apply (&self, "Equal", self.a, zero), zero,
              apply (&self, "Mul", self.a, sym_op_lower_unary (lower, "Log", self.b))));
}

static const SymSlotSpec power_slots[] = {
  { "self", SYM_SLOT_DATA, TRUE },
  { "exponent", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec sum_attributes[] = {
  { "other", SYM_ATTRIBUTE_ANY, "None", "the number, where there is no second tensor" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor of the second operand" },
  { NULL },
};

static const SymAttributeSpec division_attributes[] = {
  { "other", SYM_ATTRIBUTE_ANY, "None", "the number, where there is no second tensor" },
  { "rounding_mode", SYM_ATTRIBUTE_STRING, "None", "how the quotient is rounded", "floor trunc" },
  { NULL },
};

static const SymAttributeSpec other_attributes[] = {
  { "self", SYM_ATTRIBUTE_ANY, "None", "the number, where there is no first tensor" },
  { "other", SYM_ATTRIBUTE_ANY, "None", "the number, where there is no second tensor" },
  { "exponent", SYM_ATTRIBUTE_ANY, "None", "the same of a power" },
  { NULL },
};

/* The variants that ATen has of one function, and those in place. */
#define VARIANTS(name) "aten." name ".Scalar aten." name "_.Tensor aten." name "_.Scalar"

#define BINARY(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,              \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_ELEMENTWISE,  \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

#define COMPARISON(name_, old_, summary_)                                                 \
  BINARY (name_ ".Tensor", VARIANTS (name_) " aten." old_ ".Tensor aten." old_ ".Scalar", \
          summary_, other_attributes, sym_op_aten_pair, infer_bool, lower_direct)

#define BITWISE(name_, old_, summary_)                                                     \
  BINARY (name_ ".Tensor",                                                                 \
          VARIANTS (name_) " aten." name_ ".Scalar_Tensor aten." old_ ".Tensor aten." old_ \
                           ".Scalar",                                                      \
          summary_, other_attributes, sym_op_aten_pair, infer_common, lower_direct)

const SymOperator sym_op_aten_binary[] = {
  BINARY ("add.Tensor",
          VARIANTS ("add"),
          "Sum",
          sum_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_sum),
  BINARY ("sub.Tensor",
          VARIANTS ("sub") " aten.subtract.Tensor",
          "Difference",
          sum_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_sum),
  BINARY ("rsub.Tensor",
          "aten.rsub.Scalar",
          "Difference, turned round",
          sum_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_sum),
  BINARY ("mul.Tensor",
          VARIANTS ("mul") " aten.multiply.Tensor",
          "Product",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_product),
  BINARY ("div.Tensor",
          VARIANTS ("div") " aten.div.Tensor_mode aten.div.Scalar_mode aten.div_.Tensor_mode "
                           "aten.true_divide.Tensor aten.divide.Tensor",
          "Quotient",
          division_attributes,
          sym_op_aten_pair,
          infer_division,
          lower_division),
  BINARY ("floor_divide",
          "aten.floor_divide.Scalar aten.floor_divide_",
          "Quotient, rounded down",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_division),
  BINARY ("remainder.Tensor",
          VARIANTS ("remainder") " aten.remainder.Scalar_Tensor",
          "What a division leaves, of the divisor's sign",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_remainder),
  BINARY ("fmod.Tensor",
          VARIANTS ("fmod"),
          "What a division leaves, of the dividend's sign",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_remainder),
  BINARY ("pow.Tensor_Tensor",
          "aten.pow.Tensor_Scalar aten.pow.Scalar aten.pow_.Tensor aten.pow_.Scalar",
          "Power",
          other_attributes,
          power_slots,
          infer_power,
          lower_power),
  BINARY ("maximum",
          "aten.max.other aten.fmax",
          "The greater of two",
          NULL,
          sym_op_aten_pair,
          infer_common,
          lower_direct),
  BINARY ("minimum",
          "aten.min.other aten.fmin",
          "The lesser of two",
          NULL,
          sym_op_aten_pair,
          infer_common,
          lower_direct),
  BINARY ("atan2",
          "aten.arctan2 aten.atan2_",
          "Angle of a point",
          NULL,
          sym_op_aten_pair,
          infer_float,
          lower_atan2),
  BINARY ("hypot",
          "aten.hypot_",
          "Distance of a point",
          NULL,
          sym_op_aten_pair,
          infer_common,
          lower_hypot),
  BINARY ("logaddexp",
          NULL,
          "Logarithm of a sum of exponentials",
          NULL,
          sym_op_aten_pair,
          infer_float,
          lower_logaddexp),
  BINARY ("xlogy.Tensor",
          "aten.xlogy.Scalar_Other aten.special_xlogy",
          "x log (y)",
          other_attributes,
          sym_op_aten_pair,
          infer_float,
          lower_xlogy),
  COMPARISON ("eq", "equal", "Whether two are equal"),
  COMPARISON ("ge", "greater_equal", "Whether the first is not less"),
  COMPARISON ("gt", "greater", "Whether the first is greater"),
  COMPARISON ("le", "less_equal", "Whether the first is not greater"),
  COMPARISON ("lt", "less", "Whether the first is less"),
  COMPARISON ("ne", "not_equal", "Whether two differ"),
  BINARY ("logical_and",
          "aten.logical_and_",
          "Whether neither is 0",
          NULL,
          sym_op_aten_pair,
          infer_bool,
          lower_logical),
  BINARY ("logical_or",
          "aten.logical_or_",
          "Whether one of two is not 0",
          NULL,
          sym_op_aten_pair,
          infer_bool,
          lower_logical),
  BINARY ("logical_xor",
          "aten.logical_xor_",
          "Whether just one is not 0",
          NULL,
          sym_op_aten_pair,
          infer_bool,
          lower_logical),
  BITWISE ("bitwise_and", "__and__", "Bits that both have"),
  BITWISE ("bitwise_or", "__or__", "Bits that one has"),
  BITWISE ("bitwise_xor", "__xor__", "Bits that just one has"),
  BINARY ("bitwise_left_shift.Tensor",
          "aten.bitwise_left_shift.Tensor_Scalar aten.__lshift__.Scalar aten.__lshift__.Tensor",
          "Bits moved up",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_shift),
  BINARY ("bitwise_right_shift.Tensor",
          "aten.bitwise_right_shift.Tensor_Scalar aten.__rshift__.Scalar aten.__rshift__.Tensor",
          "Bits moved down",
          other_attributes,
          sym_op_aten_pair,
          infer_common,
          lower_shift),
  { NULL },
};
