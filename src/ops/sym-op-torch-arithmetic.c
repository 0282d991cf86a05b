/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

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

/* The dimensions before the matrices broadcast. */
static gboolean
broadcast_batch (const SymShape *a, const SymShape *b, SymShape *result)
{
  int n_a = MAX (a->rank - 2, 0), n_b = MAX (b->rank - 2, 0);
  int n = MAX (n_a, n_b);

  result->rank = n;
  for (int i = 0; i < n; i++)
    {
      SymDim left = i < n - n_a ? 1 : a->dims[i - (n - n_a)];
      SymDim right = i < n - n_b ? 1 : b->dims[i - (n - n_b)];

      if (left == 1 || left == right)
        result->dims[i] = right;
      else if (right == 1)
        result->dims[i] = left;
      else if (left >= 0 && right >= 0)
        return FALSE;
      else
        result->dims[i] = MAX (left, right) >= 0 ? MAX (left, right) : SYM_DIM_UNKNOWN;
    }
  return TRUE;
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
  if (!broadcast_batch (a, b, &result) ||
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

#define BINARY(name_, category_, summary_, infer_)                                                \
  {                                                                                               \
    SYM_OP_TORCH,                                                                                 \
        .name = name_, .summary = summary_, .reference = "PyTorch Symbolic useful_layers." name_, \
        .category = SYM_CATEGORY_##category_, .attributes = none, .slots = sym_op_torch_pair,     \
        .infer = infer_,                                                                          \
  }

const SymOperator sym_op_torch_arithmetic[] = {
  BINARY ("AddOpLayer", MERGE, "Sum of two tensors", infer_broadcast),
  BINARY ("SubOpLayer", MERGE, "Difference of two tensors", infer_broadcast),
  BINARY ("MulOpLayer", MERGE, "Product of two tensors, element by element", infer_broadcast),
  BINARY ("ModOpLayer", ELEMENTWISE, "Remainder with the sign of the divisor", infer_broadcast),
  BINARY ("MatmulOpLayer", MERGE, "Matrix product of two tensors", infer_matmul),
  {
      SYM_OP_TORCH,
      .name = "LambdaOpLayer",
      .summary = "An operator with a constant, or one that has no layer of its own",
      .reference = "PyTorch Symbolic useful_layers.LambdaOpLayer",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = lambda_attributes,
      .slots = lambda_slots,
      .infer = infer_lambda,
  },
  { NULL },
};
