/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <math.h>
#include <string.h>

/* Arithmetic of sizes: numbers without axes that a program computes of its tensors' shapes.  What
 * is known of them, as numbers or as names of dimensions, goes on to the sizes of views. */

/* ---- sym_size, sym_numel ---- */

static gboolean
infer_size (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 none = 0;
  int axis;

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT64, error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "dim", none), shape.rank, &axis, error))
    return FALSE;
  sym_rule_set_output_values (rule, 0, &shape.dims[axis], 1);
  return TRUE;
}

static void
lower_size (SymOpLower *self)
{
  int axis;

  if (sym_op_lower_need_tensor (self, 0) &&
      sym_op_aten_get_axis (self, "dim", 0, sym_op_lower_get_input_shape (self, 0)->rank, &axis))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Gather", sym_op_aten_shape (self, sym_op_lower_input (self, 0)),
                             sym_op_lower_number (self, SYM_DTYPE_INT64, axis)));
}

static gboolean
infer_count (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim all;

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT64, error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  all = sym_terms_product (sym_rule_get_terms (rule), shape.dims, shape.rank);
  sym_rule_set_output_values (rule, 0, &all, 1);
  return TRUE;
}

static void
lower_count (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_unary (self, "Size", sym_op_lower_input (self, 0)));
}

/* ---- Arithmetic ---- */

typedef enum {
  ADD,
  SUBTRACT,
  MULTIPLY,
  FLOOR_DIVIDE,
  OTHER,
} Operation;

static const char *
get_last_part (const char *type)
{
  const char *dot = strrchr (type, '.');

  return dot == NULL ? type : dot + 1;
}

static Operation
get_operation (const char *type)
{
  static const char *const names[] = {
    [ADD] = "add", [SUBTRACT] = "sub", [MULTIPLY] = "mul", [FLOOR_DIVIDE] = "floordiv"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (get_last_part (type), names[i]) == 0)
      return (Operation) i;
  return OTHER;
}

/* Operand "a" or "b": what is known of it, as a dimension or as any integer. */
static gboolean
get_dim (SymRule *rule, guint slot, const char *name, SymDim *dim)
{
  if (sym_rule_has_input (rule, slot))
    return sym_rule_get_input_values (rule, slot, dim, 1) == 1;
  *dim = sym_rule_get_int (rule, name, -1);
  return *dim >= 0;
}

static gboolean
get_integer (SymRule *rule, guint slot, const char *name, gint64 *number)
{
  const SymValue *value = sym_attributes_find (sym_rule_get_attributes (rule), name);

  if (sym_rule_has_input (rule, slot))
    return sym_rule_get_input_ints (rule, slot, number, 1) == 1;
  return value != NULL && sym_value_get_int (value, number);
}

static gint64
divide_down (gint64 a, gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static gboolean
fold (Operation operation, gint64 a, gint64 b, gint64 *result)
{
  switch (operation)
    {
    case ADD:
      return !__builtin_add_overflow (a, b, result);
    case SUBTRACT:
      return !__builtin_sub_overflow (a, b, result);
    case MULTIPLY:
      return !__builtin_mul_overflow (a, b, result);
    case FLOOR_DIVIDE:
      if (b == 0 || (a == G_MININT64 && b == -1))
        return FALSE;
      *result = divide_down (a, b);
      return TRUE;
    case OTHER:
    default:
      return FALSE;
    }
}

static SymDim
combine (SymTerms *terms, Operation operation, SymDim a, SymDim b)
{
  switch (operation)
    {
    case ADD:
      return sym_terms_add (terms, a, b);
    case SUBTRACT:
      return sym_terms_subtract (terms, a, b);
    case MULTIPLY:
      return sym_terms_multiply (terms, a, b);
    case FLOOR_DIVIDE:
      return b > 0 ? sym_terms_floor_divide (terms, a, b) : SYM_DIM_UNKNOWN;
    case OTHER:
    default:
      return SYM_DIM_UNKNOWN;
    }
}

static void
tell_values (SymRule *rule, Operation operation)
{
  gint64 x, y, number;
  SymDim a, b, dim;

  if (get_integer (rule, 0, "a", &x) && get_integer (rule, 1, "b", &y))
    {
      if (fold (operation, x, y, &number))
        sym_rule_set_output_ints (rule, 0, &number, 1);
      return;
    }
  if (!get_dim (rule, 0, "a", &a) || !get_dim (rule, 1, "b", &b))
    return;
  dim = combine (sym_rule_get_terms (rule), operation, a, b);
  if (dim != SYM_DIM_UNKNOWN)
    sym_rule_set_output_values (rule, 0, &dim, 1);
}

/* Of two integers an integer; a number that is none makes a float of it. */
static SymDType
get_rule_dtype (SymRule *rule)
{
  SymOpAtenKind kinds[] = { sym_op_aten_rule_kind (rule, 0, "a"),
                            sym_op_aten_rule_kind (rule, 1, "b") };
  SymDType dtype = sym_op_aten_promote (kinds, 2);

  return dtype == SYM_DTYPE_BOOL ? SYM_DTYPE_INT64 : dtype;
}

static gboolean
infer_arithmetic (SymRule *rule, GError **error)
{
  if (!sym_op_set_output (rule, 0, SYM_SHAPE (), get_rule_dtype (rule), error))
    return FALSE;
  tell_values (rule, get_operation (sym_rule_get_type (rule)));
  return TRUE;
}

static gboolean
infer_comparison (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_BOOL, error);
}

static gboolean
infer_float (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_FLOAT64, error);
}

/* What is rounded is an integer again. */
static gboolean
infer_integer (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT64, error);
}

/* ---- Lowering ---- */

typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  SymId a, b;
} Numbers;

/* A number of the program counts as wide as Python's. */
static SymDType
get_dtype (SymOpLower *self)
{
  SymOpAtenKind kinds[] = { sym_op_aten_kind (self, 0, "a"), sym_op_aten_kind (self, 1, "b") };
  SymDType dtype = sym_op_aten_promote (kinds, 2);

  return dtype == SYM_DTYPE_BOOL      ? SYM_DTYPE_INT64
         : dtype == SYM_DTYPE_FLOAT32 ? SYM_DTYPE_FLOAT64
                                      : dtype;
}

static gboolean
read_numbers (Numbers *self, SymOpLower *lower, SymDType dtype)
{
  self->lower = lower;
  self->dtype = dtype;
  self->a = sym_op_aten_operand (lower, 0, "a", dtype);
  self->b = sym_op_aten_operand (lower, 1, "b", dtype);
  if (self->a != SYM_NO_ID && self->b != SYM_NO_ID)
    return TRUE;
  sym_op_lower_fail (lower, "%s: it needs two numbers", sym_op_lower_get_type (lower));
  return FALSE;
}

static SymId
apply (const Numbers *self, const char *name)
{
  return sym_op_lower_binary (self->lower, name, self->a, self->b);
}

static SymId
take_remainder (const Numbers *self)
{
  SymId quotient;

  if (!sym_dtype_is_floating (self->dtype))
    return apply (self, "Mod");
  quotient = sym_op_lower_unary (self->lower, "Floor", apply (self, "Div"));
  return sym_op_lower_binary (self->lower, "Sub", self->a,
                              sym_op_lower_binary (self->lower, "Mul", quotient, self->b));
}

static SymId
divide_evenly (const Numbers *self)
{
  SymId left = sym_op_lower_binary (self->lower, "Sub", self->a, take_remainder (self));

  return sym_op_lower_binary (self->lower, "Div", left, self->b);
}

static void
lower_arithmetic (SymOpLower *lower)
{
  static const struct {
    const char *name, *onnx;
  } table[] = { { "add", "Add" },     { "sub", "Sub" },         { "mul", "Mul" },
                { "pow", "Pow" },     { "and_", "BitwiseAnd" }, { "or_", "BitwiseOr" },
                { "sym_max", "Max" }, { "sym_min", "Min" },     { "max", "Max" },
                { "min", "Min" } };
  const char *name = get_last_part (sym_op_lower_get_type (lower));
  Numbers self;

  if (!read_numbers (&self, lower, get_dtype (lower)))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (name, table[i].name) == 0)
      {
        sym_op_lower_set_output (lower, 0, apply (&self, table[i].onnx));
        return;
      }
  sym_op_lower_set_output (
      lower, 0, strcmp (name, "mod") == 0 ? take_remainder (&self) : divide_evenly (&self));
}

static void
lower_comparison (SymOpLower *lower)
{
  static const struct {
    const char *name, *onnx;
  } table[] = { { "ge", "GreaterOrEqual" }, { "gt", "Greater" }, { "le", "LessOrEqual" },
                { "lt", "Less" },           { "eq", "Equal" },   { "ne", "Equal" } };
  const char *name = get_last_part (sym_op_lower_get_type (lower));
  Numbers self;
  SymId y = SYM_NO_ID;

  if (!read_numbers (&self, lower, get_dtype (lower)))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (name, table[i].name) == 0)
      y = apply (&self, table[i].onnx);
  sym_op_lower_set_output (lower, 0,
                           strcmp (name, "ne") == 0 ? sym_op_lower_unary (lower, "Not", y) : y);
}

static void
lower_quotient (SymOpLower *lower)
{
  Numbers self;

  if (read_numbers (&self, lower, SYM_DTYPE_FLOAT64))
    sym_op_lower_set_output (lower, 0, apply (&self, "Div"));
}

/* What its only operand is called. */
static const char *
get_only (SymOpLower *lower)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (lower))->slots[0].name;
}

static void
lower_rounding (SymOpLower *lower)
{
  const char *name = get_last_part (sym_op_lower_get_type (lower));
  SymId x = sym_op_aten_operand (lower, 0, get_only (lower), SYM_DTYPE_FLOAT64);

  if (x == SYM_NO_ID)
    {
      sym_op_lower_fail (lower, "%s: it needs a number", sym_op_lower_get_type (lower));
      return;
    }
  if (strcmp (name, "ceil") == 0 || strcmp (name, "floor") == 0 || strcmp (name, "round") == 0)
    x = sym_op_lower_unary (lower,
                            strcmp (name, "ceil") == 0    ? "Ceil"
                            : strcmp (name, "floor") == 0 ? "Floor"
                                                          : "Round",
                            x);
  sym_op_lower_set_output (lower, 0, sym_op_lower_cast (lower, x, SYM_DTYPE_INT64));
}

static void
lower_function (SymOpLower *lower)
{
  const char *name = get_last_part (sym_op_lower_get_type (lower));
  SymId x = sym_op_aten_operand (lower, 0, get_only (lower), SYM_DTYPE_FLOAT64);

  if (x == SYM_NO_ID)
    sym_op_lower_fail (lower, "%s: it needs a number", sym_op_lower_get_type (lower));
  else
    sym_op_lower_set_output (lower, 0,
                             strstr (name, "sqrt") != NULL
                                 ? sym_op_lower_unary (lower, "Sqrt", x)
                                 : sym_op_lower_unary (lower, "Identity", x));
}

static gboolean
infer_negative (SymRule *rule, GError **error)
{
  gint64 number;

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (), sym_rule_get_input_dtype (rule, 0), error))
    return FALSE;
  if (get_integer (rule, 0, "a", &number) && number != G_MININT64)
    {
      number = -number;
      sym_rule_set_output_ints (rule, 0, &number, 1);
    }
  return TRUE;
}

static void
lower_negative (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_unary (self, "Neg", sym_op_lower_input (self, 0)));
}

/* The number of a tensor that has only one. */
static gboolean
infer_item (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (), sym_rule_get_input_dtype (rule, 0), error);
}

static void
lower_item (SymOpLower *self)
{
  gint64 none = 0;

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, &none, 0)));
}

static const SymSlotSpec pair[] = {
  { "a", SYM_SLOT_DATA, TRUE },
  { "b", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec only_a[] = { { "a", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec only_x[] = { { "x", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec only_number[] = { { "number", SYM_SLOT_DATA, TRUE }, { NULL } };

static const SymAttributeSpec dim_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, NULL, "the axis" },
  { NULL },
};

#define SYMBOL(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_ATEN, .name = name_, .aliases = aliases_, .summary = summary_,                      \
                 .reference = "PyTorch 2 torch.export", .category = SYM_CATEGORY_SHAPE,        \
                 .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_symbol[] = {
  SYMBOL ("aten.sym_size.int",
          "aten.size.int",
          "The size of an axis",
          dim_attributes,
          sym_op_aten_self,
          infer_size,
          lower_size),
  SYMBOL ("aten.sym_numel",
          "aten.numel",
          "How many elements there are",
          NULL,
          sym_op_aten_self,
          infer_count,
          lower_count),
  SYMBOL ("aten.item",
          "aten._local_scalar_dense",
          "The only number of a tensor",
          NULL,
          sym_op_aten_self,
          infer_item,
          lower_item),
  SYMBOL ("_operator.add",
          "_operator.sub _operator.mul _operator.floordiv _operator.mod _operator.pow "
          "_operator.and_ _operator.or_ torch.sym_max torch.sym_min math.max math.min",
          "Arithmetic of sizes",
          NULL,
          pair,
          infer_arithmetic,
          lower_arithmetic),
  SYMBOL ("_operator.eq",
          "_operator.ne _operator.ge _operator.gt _operator.le _operator.lt",
          "Compares sizes",
          NULL,
          pair,
          infer_comparison,
          lower_comparison),
  SYMBOL ("_operator.truediv", NULL, "Quotient of sizes", NULL, pair, infer_float, lower_quotient),
  SYMBOL ("_operator.neg", NULL, "-x", NULL, only_a, infer_negative, lower_negative),
  SYMBOL ("math.trunc",
          "math.ceil math.floor",
          "A number without what is behind the point",
          NULL,
          only_x,
          infer_integer,
          lower_rounding),
  SYMBOL ("torch.sym_int",
          NULL,
          "A number without what is behind the point",
          NULL,
          only_a,
          infer_integer,
          lower_rounding),
  SYMBOL ("builtins.round",
          NULL,
          "The nearest integer",
          NULL,
          only_number,
          infer_integer,
          lower_rounding),
  SYMBOL ("math.sqrt", NULL, "Square root of a size", NULL, only_x, infer_float, lower_function),
  SYMBOL ("torch.sym_float",
          "torch._sym_sqrt",
          "A size as a float",
          NULL,
          only_a,
          infer_float,
          lower_function),
  { NULL },
};
