/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

#include "core/sym-element.h"

static gboolean
infer_broadcast (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_torch_promote (rule, 0, 1), error);
}

/* ---- Matrix product ---- */

static gboolean
fail_product (SymRule *rule, const SymShape *a, const SymShape *b, GError **error)
{
  g_autofree char *left = sym_op_torch_format (rule, a, "x");
  g_autofree char *right = sym_op_torch_format (rule, b, "x");

  return sym_rule_fail (error, "mat1 and mat2 shapes cannot be multiplied (%s and %s)", left,
                        right);
}

/* numpy's and torch's matmul: vectors are rows on the left and columns on the right. */
static gboolean
multiply (SymRule *rule, const SymShape *a, const SymShape *b, GError **error)
{
  SymShape result;
  SymDim inner;

  if (a->rank < 0 || b->rank < 0)
    return TRUE;
  if (a->rank == 0 || b->rank == 0)
    return sym_rule_fail (
        error, "both arguments to matmul need to be at least 1D, but they are %dD and %dD", a->rank,
        b->rank);

  inner = b->dims[b->rank == 1 ? 0 : b->rank - 2];
  if (!sym_op_broadcast_batch (a, b, &result) ||
      !sym_rule_unify (rule, a->dims[a->rank - 1], inner, "inner sizes", NULL))
    return fail_product (rule, a, b, error);
  if (a->rank > 1)
    result.dims[result.rank++] = a->dims[a->rank - 2];
  if (b->rank > 1)
    result.dims[result.rank++] = b->dims[b->rank - 1];
  return sym_rule_set_output (rule, 0, &result, error);
}

static gboolean
infer_matmul (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);

  return multiply (rule, &a, &b, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_torch_promote (rule, 0, 1), error);
}

/* ---- LambdaOpLayer ---- */

/* The shape of a constant made of nested lists; rank -1 when they are ragged or too deep. */
static SymShape
get_constant_shape (const SymValue *constant)
{
  SymShape shape = { .rank = 0 };

  while (sym_value_get_kind (constant) == SYM_VALUE_LIST ||
         sym_value_get_kind (constant) == SYM_VALUE_TUPLE)
    {
      guint n = sym_value_get_n_children (constant);

      if (shape.rank == SYM_MAX_RANK)
        return SYM_SHAPE_UNKNOWN;
      shape.dims[shape.rank++] = n;
      if (n == 0)
        break;
      constant = sym_value_get_child (constant, 0);
    }
  return shape;
}

static gboolean
is_float (const SymValue *constant)
{
  while (sym_value_get_n_children (constant) > 0)
    constant = sym_value_get_child (constant, 0);
  return sym_value_get_kind (constant) == SYM_VALUE_FLOAT;
}

/* A number does not widen the dtype of a tensor, but for a float beside integers; a true division
 * of integers is a float. */
static SymDType
promote_constant (SymRule *rule, const SymValue *constant, const char *op)
{
  SymDType dtype = sym_op_torch_promote (rule, 0, sym_rule_get_n_inputs (rule) - 1);
  gboolean makes_float = (constant != NULL && is_float (constant)) || strcmp (op, "truediv") == 0;

  if (dtype != SYM_DTYPE_UNKNOWN && makes_float &&
      (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL))
    return SYM_DTYPE_FLOAT32;
  if (dtype == SYM_DTYPE_BOOL && constant != NULL)
    return SYM_DTYPE_INT64;
  return dtype;
}

static gboolean
broadcast_constant (SymRule *rule, const SymShape *constant, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0);
  SymShape result = { .rank = MAX (a.rank, constant->rank) };

  if (a.rank < 0 || constant->rank < 0)
    return TRUE;
  for (int i = 0; i < result.rank; i++)
    {
      int own = i - (result.rank - a.rank), other = i - (result.rank - constant->rank);
      SymDim left = own < 0 ? 1 : a.dims[own];
      SymDim right = other < 0 ? 1 : constant->dims[other];

      if (left >= 0 && left != 1 && right != 1 && left != right)
        return sym_rule_fail (error,
                              "The size of tensor a (%" G_GINT64_FORMAT ") must match the size of "
                              "tensor b (%" G_GINT64_FORMAT ") at dimension %d",
                              left, right, i);
      result.dims[i] = right == 1 ? left : right;
    }
  return sym_rule_set_output (rule, 0, &result, error);
}

static gboolean
transpose (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank > 2)
    return sym_rule_fail (error, "t() expects a tensor with <= 2 dimensions, but self is %dD",
                          shape.rank);
  if (shape.rank == 2)
    shape = SYM_SHAPE (shape.dims[1], shape.dims[0]);
  return sym_rule_set_output (rule, 0, &shape, error);
}

static gboolean
infer_lambda (SymRule *rule, GError **error)
{
  const char *op = sym_rule_get_string (rule, "op", "");
  const SymValue *constant = sym_attributes_find (sym_rule_get_attributes (rule), "constant");
  SymShape a = sym_rule_get_input (rule, 0);
  SymShape b = constant == NULL ? SYM_SHAPE () : get_constant_shape (constant);

  if (!sym_rule_set_output_dtype (rule, 0, promote_constant (rule, constant, op), error))
    return FALSE;
  if (strcmp (op, "t") == 0)
    return transpose (rule, error);
  if (strcmp (op, "matmul") == 0 && sym_rule_get_bool (rule, "reflected", FALSE))
    return multiply (rule, &b, &a, error);
  if (strcmp (op, "matmul") == 0)
    return multiply (rule, &a, &b, error);
  if (sym_rule_get_n_inputs (rule) > 1)
    return sym_op_broadcast_shapes (rule, 0, 1, error);
  return broadcast_constant (rule, &b, error);
}

/* ---- In ONNX's layers ---- */

/* Python's remainder, which has the divisor's sign: ONNX's of integers has, of floats it has not.
 */
static SymId
lower_remainder (SymOpLower *self, SymId a, SymId b, SymDType dtype)
{
  SymId quotient;

  if (!sym_dtype_is_floating (dtype))
    return sym_op_lower_binary (self, "Mod", a, b);
  quotient = sym_op_lower_unary (self, "Floor", sym_op_lower_binary (self, "Div", a, b));
  return sym_op_lower_binary (self, "Sub", a, sym_op_lower_binary (self, "Mul", quotient, b));
}

static SymId
lower_floor (SymOpLower *self, SymId a, SymId b, SymDType dtype)
{
  if (sym_dtype_is_floating (dtype))
    return sym_op_lower_unary (self, "Floor", sym_op_lower_binary (self, "Div", a, b));
  a = sym_op_lower_binary (self, "Sub", a, sym_op_lower_binary (self, "Mod", a, b));
  return sym_op_lower_binary (self, "Div", a, b);
}

static void
lower_binary (SymOpLower *self, const char *op, SymId a, SymId b)
{
  static const char *const names[][2] = { { "add", "Add" }, { "sub", "Sub" },
                                          { "mul", "Mul" }, { "truediv", "Div" },
                                          { "pow", "Pow" }, { "matmul", "MatMul" } };
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], op) == 0)
      {
        sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, names[i][1], a, b));
        return;
      }
  if (strcmp (op, "mod") == 0)
    sym_op_lower_set_output (self, 0, lower_remainder (self, a, b, dtype));
  else if (strcmp (op, "floordiv") == 0)
    sym_op_lower_set_output (self, 0, lower_floor (self, a, b, dtype));
  else
    sym_op_lower_refuse (self, "%s: the operator %s is not lowered", sym_op_lower_get_type (self),
                         op);
}

/* An operand in the dtype of the result. */
static SymId
take_operand (SymOpLower *self, guint i)
{
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_lower_get_output_dtype (self, 0));
}

/* Nested lists of numbers, level by level from the outside; FALSE when they are ragged. */
static gboolean
fill_constant (const SymValue *constant, const SymShape *shape, SymArray *array)
{
  g_autoptr (GPtrArray) level = g_ptr_array_new ();
  double number;

  g_ptr_array_add (level, (gpointer) constant);
  for (int i = 0; i < shape->rank; i++)
    {
      g_autoptr (GPtrArray) next = g_ptr_array_new ();

      for (guint j = 0; j < level->len; j++)
        {
          const SymValue *list = level->pdata[j];

          if (sym_value_get_n_children (list) != shape->dims[i])
            return FALSE;
          for (guint k = 0; k < sym_value_get_n_children (list); k++)
            g_ptr_array_add (next, (gpointer) sym_value_get_child (list, k));
        }
      g_ptr_array_unref (level);
      level = g_steal_pointer (&next);
    }
  for (guint i = 0; i < level->len; i++)
    {
      if (!sym_value_get_float (level->pdata[i], &number))
        return FALSE;
      sym_element_set_double (array->dtype, array->data, i, number);
    }
  return TRUE;
}

static SymId
take_constant (SymOpLower *self, const SymValue *constant)
{
  SymShape shape = get_constant_shape (constant);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum =
      shape.rank < 0 ? NULL
                     : sym_datum_new (sym_op_lower_get_output_dtype (self, 0), &shape, &error);

  if (datum != NULL && fill_constant (constant, &shape, (SymArray *) sym_datum_get_array (datum)))
    return sym_op_lower_array (self, sym_datum_get_array (datum));
  sym_op_lower_fail (self, "LambdaOpLayer: %s",
                     error == NULL ? "the constant is no number, and no even list of numbers"
                                   : error->message);
  return SYM_NO_ID;
}

static void
lower_unary (SymOpLower *self, const char *op)
{
  SymId x = sym_op_lower_input (self, 0);

  if (strcmp (op, "neg") == 0 || strcmp (op, "abs") == 0)
    x = sym_op_lower_unary (self, *op == 'n' ? "Neg" : "Abs", x);
  else if (strcmp (op, "t") != 0)
    sym_op_lower_refuse (self, "LambdaOpLayer: the operator %s is not lowered", op);
  else if (sym_op_lower_get_input_shape (self, 0)->rank == 2)
    x = sym_op_lower_transpose (self, x, 2, 1, 0);
  else
    x = sym_op_lower_unary (self, "Identity", x);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_lambda (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *constant = sym_attributes_find (attributes, "constant");
  const char *op = sym_op_lower_get_string (self, "op", "");
  SymId other;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_has_input (self, 1))
    other = take_operand (self, 1);
  else if (constant != NULL)
    other = take_constant (self, constant);
  else
    {
      lower_unary (self, op);
      return;
    }
  if (sym_op_lower_get_bool (self, "reflected", FALSE))
    lower_binary (self, op, other, take_operand (self, 0));
  else
    lower_binary (self, op, take_operand (self, 0), other);
}

static void
lower_mod (SymOpLower *self)
{
  lower_binary (self, "mod", take_operand (self, 0), take_operand (self, 1));
}

static const SymAttributeSpec none[] = { { NULL } };

static const SymAttributeSpec lambda_attributes[] = {
  { "op", SYM_ATTRIBUTE_STRING, NULL,
    "add, sub, mul, truediv, floordiv, mod, pow, matmul, neg, abs, t" },
  { "constant", SYM_ATTRIBUTE_ANY, "None", "the other side, a number or nested lists of numbers" },
  { "reflected", SYM_ATTRIBUTE_BOOL, "False", "whether the constant is on the left" },
  { NULL },
};

static const SymSlotSpec lambda_slots[] = {
  { "input" },
  { "other", SYM_SLOT_DATA, TRUE },
  { NULL },
};

#define BINARY(name_, category_, summary_, infer_, ...)                                           \
  {                                                                                               \
    SYM_OP_TORCH,                                                                                 \
        .name = name_, .summary = summary_, .reference = "PyTorch Symbolic useful_layers." name_, \
        .category = SYM_CATEGORY_##category_, .attributes = none, .slots = sym_op_torch_pair,     \
        .infer = infer_, __VA_ARGS__                                                              \
  }

const SymOperator sym_op_torch_arithmetic[] = {
  BINARY ("AddOpLayer", MERGE, "Sum of two tensors", infer_broadcast, .formula = "Add (A, B)"),
  BINARY ("SubOpLayer",
          MERGE,
          "Difference of two tensors",
          infer_broadcast,
          .formula = "Sub (A, B)"),
  BINARY ("MulOpLayer",
          MERGE,
          "Product of two tensors, element by element",
          infer_broadcast,
          .formula = "Mul (A, B)"),
  BINARY ("ModOpLayer",
          ELEMENTWISE,
          "Remainder with the sign of the divisor",
          infer_broadcast,
          .lower = lower_mod),
  BINARY ("MatmulOpLayer",
          MERGE,
          "Matrix product of two tensors",
          infer_matmul,
          .formula = "MatMul (A, B)"),
  {
      SYM_OP_TORCH,
      .name = "LambdaOpLayer",
      .summary = "An operator with a constant, or one that has no layer of its own",
      .reference = "PyTorch Symbolic useful_layers.LambdaOpLayer",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = lambda_attributes,
      .slots = lambda_slots,
      .infer = infer_lambda,
      .lower = lower_lambda,
  },
  { NULL },
};
