/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* ---- sum, mean, ... ---- */

static const SymAttributeSpec reduce_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None or empty" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { "exclude", SYM_ATTRIBUTE_BOOL, "False", "whether all other axes go instead" },
  { NULL },
};

/* Shapes only. */
static gboolean
reduce_shape (SymRule *rule, guint output, GError **error)
{
  gboolean keep = sym_rule_get_bool (rule, "keepdims", FALSE);
  gboolean exclude = sym_rule_get_bool (rule, "exclude", FALSE);
  SymShape data = sym_rule_get_input (rule, 0), out;
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axis", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    axes[i] = n <= 0 || axes[i] != exclude;
  out = sym_op_mxnet_finish_shape (rule, sym_op_reduce_shape (&data, axes, keep));
  return sym_rule_set_output (rule, output, &out, error);
}

static gboolean
infer_reduce (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && reduce_shape (rule, 0, error);
}

/* ---- norm ---- */

static const SymAttributeSpec norm_attributes[] = {
  { "ord", SYM_ATTRIBUTE_INT, "2", "1 or 2: which norm" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None or empty" },
  { "out_dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { NULL },
};

static gboolean
infer_norm (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "out_dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN && !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 0, dtype, error) && reduce_shape (rule, 0, error);
}

/* ---- argmax ---- */

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis that goes; all when None" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether the axis stays with size 1" },
  { NULL },
};

static gboolean
infer_argmax_channel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 2)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_remove_axis (&data, 1), SYM_DTYPE_UNKNOWN, error);
}

/* ---- moments ---- */

static const SymAttributeSpec moments_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { NULL },
};

static int
get_n_moments (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static gboolean
infer_moments (SymRule *rule, GError **error)
{
  gboolean keep = sym_rule_get_bool (rule, "keepdims", FALSE), axes[SYM_MAX_RANK];
  SymShape data = sym_rule_get_input (rule, 0), out;
  int n;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axes", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    axes[i] = n <= 0 || axes[i];
  out = sym_op_reduce_shape (&data, axes, keep);
  if (out.rank == 0)
    out = SYM_SHAPE (1);
  return sym_rule_set_output (rule, 0, &out, error) && sym_rule_set_output (rule, 1, &out, error);
}

/* ---- shape_array, size_array ---- */

static gboolean
infer_shape_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (data.rank >= 0 ? data.rank : SYM_DIM_UNKNOWN),
                          SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank >= 0)
    sym_rule_set_output_values (rule, 0, data.dims, data.rank);
  return TRUE;
}

static gboolean
infer_size_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim size;

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  size = sym_terms_product (sym_rule_get_terms (rule), data.dims, data.rank);
  sym_rule_set_output_values (rule, 0, &size, 1);
  return TRUE;
}

#define REDUCE(name_, aliases_, summary_, attributes_, infer_)                       \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,             \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_POOLING, \
                .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_

const SymOperator sym_op_mxnet_reduce[] = {
  { REDUCE ("sum", "sum_axis", "sum over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("mean", NULL, "mean over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("prod", NULL, "product over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("nansum", NULL, "sum over axes, NaN as 0", reduce_attributes, infer_reduce) },
  { REDUCE ("nanprod", NULL, "product over axes, NaN as 1", reduce_attributes, infer_reduce) },
  { REDUCE ("max", "max_axis", "greatest element over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("min", "min_axis", "least element over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("_square_sum", NULL, "sum of squares over axes", reduce_attributes, infer_reduce) },
  { REDUCE ("norm", "_npx_norm", "norm over axes", norm_attributes, infer_norm) },
  { REDUCE ("argmax", NULL, "index of the greatest element", arg_attributes, infer_reduce) },
  { REDUCE ("argmin", NULL, "index of the least element", arg_attributes, infer_reduce) },
  { REDUCE ("argmax_channel",
            NULL,
            "index of the greatest element along axis 1",
            NULL,
            infer_argmax_channel) },
  {
      REDUCE ("moments", NULL, "mean and variance over axes", moments_attributes, infer_moments),
      .get_n_outputs = get_n_moments,
      .output_names = (const char *const[]){ "mean", "var", NULL },
  },
  { REDUCE ("shape_array", "_npx_shape_array", "the shape as a tensor", NULL, infer_shape_array) },
  { REDUCE ("size_array", NULL, "the number of elements as a tensor", NULL, infer_size_array) },
  { NULL },
};
