/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Products of tensors as numpy has them. */

static gboolean
fail_product (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  g_autofree char *left = sym_rule_format_shape (rule, &a);
  g_autofree char *right = sym_rule_format_shape (rule, &b);

  return sym_rule_fail (error, "shapes %s and %s do not fit the product", left, right);
}

/* What is left of @a and @b without the axes that are summed, one after the other. */
static gboolean
set_remaining (SymRule *rule,
               const SymShape *a,
               const gboolean *a_summed,
               const SymShape *b,
               const gboolean *b_summed,
               GError **error)
{
  SymShape out = sym_op_reduce_shape (a, a_summed, FALSE);
  SymShape rest = sym_op_reduce_shape (b, b_summed, FALSE);

  if (out.rank + rest.rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "the product has more than %d axes", SYM_MAX_RANK);
  for (int i = 0; i < rest.rank; i++)
    out.dims[out.rank++] = rest.dims[i];
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- dot ---- */

/* Sums over the last axis of the first and the last but one of the second. */
static gboolean
infer_dot (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  gboolean a_summed[SYM_MAX_RANK] = { FALSE }, b_summed[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0)
    return sym_rule_set_output (rule, 0, a.rank == 0 ? &b : &a, error);
  a_summed[a.rank - 1] = TRUE;
  b_summed[MAX (b.rank - 2, 0)] = TRUE;
  if (!sym_rule_unify (rule, a.dims[a.rank - 1], b.dims[MAX (b.rank - 2, 0)], "dot", NULL))
    return fail_product (rule, error);
  return set_remaining (rule, &a, a_summed, &b, b_summed, error);
}

/* ---- matmul ---- */

/* The axes of batches broadcast: one that is not 1 decides. */
static gboolean
broadcast_batch (SymDim a, SymDim b, SymDim *result)
{
  if (a >= 0 && b >= 0 && a != b && a != 1 && b != 1)
    return FALSE;
  if (a == 1 || a == b)
    *result = b;
  else if (b == 1 || a > 1)
    *result = a;
  else
    *result = b > 1 ? b : SYM_DIM_UNKNOWN;
  return TRUE;
}

/* [..., m, k] and [..., k, n] -> [..., m, n]; a vector is a row before and a column behind. */
static gboolean
infer_matmul (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out;
  gboolean a_vector = a.rank == 1, b_vector = b.rank == 1;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0)
    return fail_product (rule, error);
  if (a_vector)
    a = sym_op_insert_axis (&a, 0, 1);
  if (b_vector)
    b = sym_op_insert_axis (&b, 1, 1);
  if (!sym_rule_unify (rule, a.dims[a.rank - 1], b.dims[b.rank - 2], "matmul", NULL))
    return fail_product (rule, error);
  out = sym_shape_new_unknown (MAX (a.rank, b.rank));
  for (int i = 0; i < out.rank - 2; i++)
    {
      int in_a = i - (out.rank - a.rank), in_b = i - (out.rank - b.rank);

      if (!broadcast_batch (in_a >= 0 ? a.dims[in_a] : 1, in_b >= 0 ? b.dims[in_b] : 1,
                            &out.dims[i]))
        return fail_product (rule, error);
    }
  out.dims[out.rank - 2] = a.dims[a.rank - 2];
  out.dims[out.rank - 1] = b.dims[b.rank - 1];
  if (b_vector)
    out = sym_op_remove_axis (&out, out.rank - 1);
  if (a_vector)
    out = sym_op_remove_axis (&out, out.rank - (b_vector ? 1 : 2));
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- tensordot ---- */

static const SymAttributeSpec tensordot_attributes[] = {
  { "a_axes_summed", SYM_ATTRIBUTE_INTS, NULL, "axes of the first that are summed" },
  { "b_axes_summed", SYM_ATTRIBUTE_INTS, NULL, "axes of the second, one for each of the first" },
  { NULL },
};

static const SymAttributeSpec int_axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INT, NULL, "last axes of the first and first of the second summed" },
  { NULL },
};

static const SymSlotSpec ab_slots[] = { { "a" }, { "b" }, { NULL } };

static gboolean
contract (SymRule *rule, const gint64 *a_axes, const gint64 *b_axes, int n, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  gboolean a_summed[SYM_MAX_RANK] = { FALSE }, b_summed[SYM_MAX_RANK] = { FALSE };

  for (int i = 0; i < n; i++)
    {
      int in_a, in_b;

      if (!sym_op_normalize_axis (a_axes[i], a.rank, &in_a, error) ||
          !sym_op_normalize_axis (b_axes[i], b.rank, &in_b, error))
        return FALSE;
      if (!sym_rule_unify (rule, a.dims[in_a], b.dims[in_b], "tensordot", NULL))
        return fail_product (rule, error);
      a_summed[in_a] = b_summed[in_b] = TRUE;
    }
  return set_remaining (rule, &a, a_summed, &b, b_summed, error);
}

static gboolean
infer_tensordot (SymRule *rule, GError **error)
{
  gint64 a_axes[SYM_MAX_RANK], b_axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "a_axes_summed", a_axes, SYM_MAX_RANK);
  int n_b = sym_rule_get_ints (rule, "b_axes_summed", b_axes, SYM_MAX_RANK);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (n != n_b || n < 0 || n > SYM_MAX_RANK)
    return sym_rule_fail (error, "a_axes_summed and b_axes_summed name %d and %d axes", n, n_b);
  if (sym_rule_get_input (rule, 0).rank < 0 || sym_rule_get_input (rule, 1).rank < 0)
    return TRUE;
  return contract (rule, a_axes, b_axes, n, error);
}

static gboolean
infer_int_axes (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "axes", 2), a_axes[SYM_MAX_RANK], b_axes[SYM_MAX_RANK];
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (n < 0 || n > a.rank || n > b.rank)
    return fail_product (rule, error);
  for (int i = 0; i < n; i++)
    {
      a_axes[i] = a.rank - n + i;
      b_axes[i] = i;
    }
  return contract (rule, a_axes, b_axes, (int) n, error);
}

/* ---- kron ---- */

/* The product of sizes along each axis; last axes meet. */
static gboolean
infer_kron (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  out = sym_shape_new_unknown (MAX (a.rank, b.rank));
  for (int i = 0; i < out.rank; i++)
    {
      int in_a = i - (out.rank - a.rank), in_b = i - (out.rank - b.rank);

      out.dims[i] = sym_terms_multiply (sym_rule_get_terms (rule), in_a >= 0 ? a.dims[in_a] : 1,
                                        in_b >= 0 ? b.dims[in_b] : 1);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

#define PRODUCT(name_, aliases_, summary_, attributes_, infer_, formula_, lower_)        \
  {                                                                                      \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,               \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                  .attributes = attributes_, .slots = ab_slots, .infer = infer_,         \
                  .formula = formula_, .lower = lower_                                   \
  }

const SymOperator sym_op_mxnet_numpy_matmul[] = {
  PRODUCT ("_npi_dot",
           "_np_dot",
           "product of tensors",
           NULL,
           infer_dot,
           NULL,
           sym_op_mxnet_lower_dot),
  PRODUCT ("_npi_matmul", NULL, "product of matrices", NULL, infer_matmul, "MatMul (a, b)", NULL),
  PRODUCT ("_npi_tensordot",
           NULL,
           "sum over pairs of axes",
           tensordot_attributes,
           infer_tensordot,
           NULL,
           sym_op_mxnet_lower_tensordot),
  PRODUCT ("_npi_tensordot_int_axes",
           NULL,
           "sum over the axes between two tensors",
           int_axes_attributes,
           infer_int_axes,
           NULL,
           sym_op_mxnet_lower_tensordot),
  PRODUCT ("_npi_kron",
           NULL,
           "product of each element with each",
           NULL,
           infer_kron,
           NULL,
           sym_op_mxnet_lower_kron),
  { NULL },
};
