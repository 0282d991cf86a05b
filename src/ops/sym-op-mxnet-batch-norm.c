/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.001", "added to the variance" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "how much of the old mean a step keeps" },
  { "fix_gamma", SYM_ATTRIBUTE_BOOL, "True", "whether gamma counts as 1" },
  { "use_global_stats", SYM_ATTRIBUTE_BOOL, "False",
    "whether the moving mean is used in training" },
  { "output_mean_var", SYM_ATTRIBUTE_BOOL, "False", "whether mean and variance are outputs" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

static const SymAttributeSpec sync_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.001", "added to the variance" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "how much of the old mean a step keeps" },
  { "fix_gamma", SYM_ATTRIBUTE_BOOL, "True", "whether gamma counts as 1" },
  { "use_global_stats", SYM_ATTRIBUTE_BOOL, "False",
    "whether the moving mean is used in training" },
  { "output_mean_var", SYM_ATTRIBUTE_BOOL, "False", "whether mean and variance are outputs" },
  { "ndev", SYM_ATTRIBUTE_INT, "1", "number of devices whose batches are one" },
  { "key", SYM_ATTRIBUTE_STRING, "", "what the devices know each other by" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "moving_mean", SYM_SLOT_AUXILIARY },
  { "moving_var", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const char *const output_names[] = { "output", "mean", "var", NULL };

/* Half-precision data keeps parameters of single precision. */
static gboolean
set_dtypes (SymRule *rule, GError **error)
{
  SymDType dtype;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  dtype = sym_rule_get_input_dtype (rule, 0);
  if (dtype == SYM_DTYPE_FLOAT16 || dtype == SYM_DTYPE_BFLOAT16)
    dtype = SYM_DTYPE_FLOAT32;
  for (guint i = 1; i < 5; i++)
    if (!sym_rule_set_input_dtype (rule, i, dtype, error))
      return FALSE;
  return sym_rule_set_output_dtype (rule, 1, dtype, error) &&
         sym_rule_set_output_dtype (rule, 2, dtype, error);
}

/* gamma, beta, both means and variances [C]. */
static gboolean
infer_batch_norm (SymRule *rule, GError **error)
{
  SymShape data, channels;
  int axis;

  if (!set_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 1), data.rank, &axis, error))
    return FALSE;
  channels = SYM_SHAPE (data.dims[axis]);
  for (guint i = 1; i < 5; i++)
    if (!sym_rule_set_input (rule, i, &channels, error))
      return FALSE;
  return sym_rule_set_output (rule, 1, &channels, error) &&
         sym_rule_set_output (rule, 2, &channels, error);
}

/* ---- with a rectifier ---- */

static const char *const relu_names[] = { "output", "mean", "var", "mask", NULL };

static int
get_relu_outputs (const SymAttributes *given, int *n_visible)
{
  sym_op_mxnet_get_mean_var_outputs (given, n_visible);
  return 4;
}

/* A hidden output beyond mean and variance keeps which elements passed the rectifier; its dtype is
 * that of the parameters. */
static gboolean
infer_with_relu (SymRule *rule, GError **error)
{
  return infer_batch_norm (rule, error) && sym_op_pass_shape (rule, 0, 3, error) &&
         sym_rule_set_output_dtype (rule, 3, sym_rule_get_input_dtype (rule, 1), error);
}

const SymOperator sym_op_mxnet_batch_norm[] = {
  {
      SYM_OP_MXNET,
      .name = "BatchNorm",
      .aliases = "BatchNorm_v1 CuDNNBatchNorm _npx_batch_norm",
      .summary = "scales each channel to mean 0 and variance 1, then by gamma and beta",
      .reference = "MXNet 1.9.1 BatchNorm",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = attributes,
      .slots = slots,
      .get_n_outputs = sym_op_mxnet_get_mean_var_outputs,
      .output_names = output_names,
      .infer = infer_batch_norm,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_BatchNormWithReLU",
      .aliases = "_sg_onednn_batch_norm",
      .summary = "batch normalization, then the greatest of the element and 0",
      .reference = "MXNet 1.9.1 _contrib_BatchNormWithReLU",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = attributes,
      .slots = slots,
      .get_n_outputs = get_relu_outputs,
      .output_names = relu_names,
      .infer = infer_with_relu,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_SyncBatchNorm",
      .aliases = "SyncBatchNorm _npx_sync_batch_norm",
      .summary = "batch normalization over the batches of several devices",
      .reference = "MXNet 1.9.1 _contrib_SyncBatchNorm",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = sync_attributes,
      .slots = slots,
      .get_n_outputs = sym_op_mxnet_get_mean_var_outputs,
      .output_names = output_names,
      .infer = infer_batch_norm,
  },
  { NULL },
};
