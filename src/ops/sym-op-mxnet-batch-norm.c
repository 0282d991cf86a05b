/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
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

/* 1 / sqrt (moving_var + eps): what the third output has. */
static SymId
lower_scale (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 4);
  SymId eps = sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "eps", 1e-3));
  SymId sum = sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 4), eps);

  return sym_op_lower_unary (self, "Reciprocal", sym_op_lower_unary (self, "Sqrt", sum));
}

static SymId
lower_gamma (SymOpLower *self)
{
  if (!sym_op_lower_get_bool (self, "fix_gamma", TRUE))
    return sym_op_lower_input (self, 1);
  return sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 1),
                            sym_op_lower_get_input_shape (self, 1), 1);
}

/* By the moving mean and variance, as in inference.  ONNX's channels are axis 1. */
static SymId
lower_normal (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  gint64 axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0);

  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i) ||
        (i > 0 && sym_op_lower_get_input_shape (self, i)->rank != 1))
      {
        sym_op_lower_fail (self, "%s: parameter %u must have one axis",
                           sym_op_lower_get_type (self), i);
        return SYM_NO_ID;
      }
  if (!sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 1), rank, &axis))
    return SYM_NO_ID;
  for (int i = 0; i < rank; i++)
    axes[i] = i;
  axes[axis] = 1;
  axes[1 % rank] = axis;
  if (rank == 1)
    x = sym_op_lower_reshape (self, x,
                              &SYM_SHAPE (1, sym_op_lower_get_input_shape (self, 0)->dims[0]));
  else if (axis != 1)
    x = sym_op_lower_permute (self, x, axes, rank);
  x = sym_op_lower_call (self, "BatchNormalization",
                         SYM_IDS (x, lower_gamma (self), sym_op_lower_input (self, 2),
                                  sym_op_lower_input (self, 3), sym_op_lower_input (self, 4)),
                         "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-3)), NULL);
  if (rank == 1)
    return sym_op_lower_reshape (self, x, sym_op_lower_get_input_shape (self, 0));
  return axis == 1 ? x : sym_op_lower_permute (self, x, axes, rank);
}

static void
lower_batch_norm (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, lower_normal (self));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_lower_input (self, 3));
  if (sym_op_lower_get_n_outputs (self) > 2)
    sym_op_lower_set_output (self, 2, lower_scale (self));
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

/* The mask is only looked at by gradients. */
static void
lower_with_relu (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Relu", lower_normal (self)));
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
      .lower = lower_batch_norm,
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
      .lower = lower_with_relu,
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
      .lower = lower_batch_norm,
  },
  { NULL },
};
