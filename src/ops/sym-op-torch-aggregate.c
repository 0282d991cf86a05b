/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

static SymDType
get_result_dtype (SymRule *rule, const char *op)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (g_str_has_prefix (op, "arg"))
    return SYM_DTYPE_INT64;
  if (strcmp (op, "sum") == 0 && (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL))
    return SYM_DTYPE_INT64;
  return dtype;
}

/* Without dim everything is reduced, and keepdim is not looked at. */
static gboolean
get_result_shape (SymRule *rule, SymShape *result, gboolean *has_dim, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK];
  int n;

  *result = SYM_SHAPE_UNKNOWN;
  *has_dim = sym_rule_get_ints (rule, "dim", NULL, 0) > 0;
  if (!*has_dim)
    *result = SYM_SHAPE ();
  if (!*has_dim || input.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "dim", input.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < input.rank; i++)
    n -= axes[i];
  if (n > 0)
    return sym_rule_fail (error, "a dim appears multiple times in the list of dims");
  *result = sym_op_reduce_shape (&input, axes, sym_rule_get_bool (rule, "keepdim", FALSE));
  return TRUE;
}

/* The median along a dimension comes with its indices. */
static void
set_pair (SymRule *rule, SymDType dtype, const SymShape *shape)
{
  SymType parts[] = { sym_type_tensor (dtype, *shape), sym_type_tensor (SYM_DTYPE_INT64, *shape) };
  SymType tuple = { .kind = SYM_KIND_TUPLE, .elements = parts, .n_elements = 2 };

  tuple.shape.rank = -1;
  sym_rule_set_output_type (rule, 0, &tuple);
}

static gboolean
infer_aggregate (SymRule *rule, GError **error)
{
  const char *op = sym_rule_get_string (rule, "op", "mean");
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape shape;
  gboolean has_dim;

  if (strcmp (op, "mean") == 0 && (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL))
    return sym_rule_fail (error, "mean(): input dtype must be floating point, got %s",
                          sym_dtype_to_string (dtype));
  if (!get_result_shape (rule, &shape, &has_dim, error))
    return FALSE;
  if (has_dim && strcmp (op, "median") == 0)
    {
      set_pair (rule, dtype, &shape);
      return TRUE;
    }
  return sym_op_set_output (rule, 0, shape, get_result_dtype (rule, op), error);
}

static const SymAttributeSpec attributes[] = {
  { "op", SYM_ATTRIBUTE_STRING, NULL, "mean, sum, median, argmax or argmin" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "dimensions that are reduced; None for all" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether they stay, with size 1" },
  { NULL },
};

const SymOperator sym_op_torch_aggregate[] = {
  {
      SYM_OP_TORCH,
      .name = "AggregateLayer",
      .summary = "Mean, sum, median, or place of the largest or least element",
      .reference = "PyTorch Symbolic useful_layers.AggregateLayer",
      .category = SYM_CATEGORY_POOLING,
      .attributes = attributes,
      .slots = sym_op_torch_one,
      .infer = infer_aggregate,
  },
  { NULL },
};
