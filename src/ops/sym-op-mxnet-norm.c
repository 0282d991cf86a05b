/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet.h"

static const SymSlotSpec scaled_slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { NULL },
};

static const char *const moment_names[] = { "output", "mean", "std", NULL };

/* The output is like the data, gamma and beta are @parameters, the hidden outputs @moments. */
static gboolean
set_scaled (SymRule *rule, SymShape parameters, SymShape moments, GError **error)
{
  return sym_op_set_input (rule, 1, parameters, error) &&
         sym_op_set_input (rule, 2, parameters, error) &&
         sym_rule_set_output (rule, 1, &moments, error) &&
         sym_rule_set_output (rule, 2, &moments, error);
}

/* The data, tied to output 0; FALSE also when nothing can be said yet, with *@ok TRUE. */
static gboolean
start (SymRule *rule, int min_rank, SymShape *data, gboolean *ok, GError **error)
{
  *ok = sym_op_mxnet_tie_all_dtypes (rule, error) && sym_op_pass_shape (rule, 0, 0, error);
  if (!*ok)
    return FALSE;
  *data = sym_rule_get_input (rule, 0);
  if (data->rank >= 0 && data->rank < min_rank)
    *ok =
        sym_rule_fail (error, "data has %d axes; it should have at least %d", data->rank, min_rank);
  return *ok && data->rank >= 0;
}

/* ---- LayerNorm ---- */

static const SymAttributeSpec layer_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis that is normalized" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "output_mean_var", SYM_ATTRIBUTE_BOOL, "False", "whether mean and deviation are outputs" },
  { NULL },
};

static gboolean
infer_layer_norm (SymRule *rule, GError **error)
{
  SymShape data, moments;
  gboolean ok;
  int axis;

  if (!start (rule, 1, &data, &ok, error))
    return ok;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), data.rank, &axis, error))
    return FALSE;
  moments = data;
  moments.dims[axis] = 1;
  return set_scaled (rule, SYM_SHAPE (data.dims[axis]), moments, error);
}

/* ---- GroupNorm ---- */

static const SymAttributeSpec group_attributes[] = {
  { "num_groups", SYM_ATTRIBUTE_INT, "1", "number of groups of channels" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "output_mean_var", SYM_ATTRIBUTE_BOOL, "False", "whether mean and deviation are outputs" },
  { NULL },
};

/* Gamma and beta have an element for each group; since MXNet 2 one for each channel, which is taken
 * when the file says so. */
static gboolean
infer_group_norm (SymRule *rule, GError **error)
{
  gint64 groups = sym_rule_get_int (rule, "num_groups", 1);
  SymShape data, gamma = sym_rule_get_input (rule, 1);
  SymDim n;
  gboolean ok;

  if (!start (rule, 3, &data, &ok, error))
    return ok;
  if (groups < 1 || (data.dims[1] >= 0 && data.dims[1] % groups != 0))
    return sym_rule_fail (error, "# of channels must be divisible by # of groups");
  n = gamma.rank == 1 && gamma.dims[0] == data.dims[1] ? data.dims[1] : groups;
  return set_scaled (rule, SYM_SHAPE (n), SYM_SHAPE (data.dims[0], groups), error);
}

/* ---- InstanceNorm ---- */

static const SymAttributeSpec instance_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.001", "added to the variance" },
  { NULL },
};

static int
get_n_hidden_moments (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 3;
}

static gboolean
infer_instance_norm (SymRule *rule, GError **error)
{
  SymShape data;
  gboolean ok;

  if (!start (rule, 2, &data, &ok, error))
    return ok;
  return set_scaled (rule, SYM_SHAPE (data.dims[1]), SYM_SHAPE (data.dims[0], data.dims[1]), error);
}

/* ---- L2Normalization ---- */

static const SymAttributeSpec l2_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-10", "added to the norm" },
  { "mode", SYM_ATTRIBUTE_STRING, "instance", "channel, instance or spatial: what has norm 1",
    "instance spatial channel" },
  { NULL },
};

static gboolean
infer_l2_normalization (SymRule *rule, GError **error)
{
  const char *mode = sym_rule_get_string (rule, "mode", "instance");
  gboolean whole = strcmp (mode, "instance") == 0, ok;
  SymShape data, norm;

  ok = sym_op_pass (rule, 0, 0, error) && sym_op_pass_dtype (rule, 0, 1, error);
  data = sym_rule_get_input (rule, 0);
  if (!ok || data.rank < 0)
    return ok;
  if (data.rank < (whole ? 1 : 3))
    return sym_rule_fail (error, "At least 3 dimensions required in %s mode", mode);
  norm = data;
  if (whole)
    norm = SYM_SHAPE (data.dims[0]);
  else if (strcmp (mode, "channel") == 0)
    norm.dims[1] = 1;
  else
    norm.rank = 2;
  return sym_rule_set_output (rule, 1, &norm, error);
}

/* ---- LRN ---- */

static const SymAttributeSpec lrn_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "how much the neighbours count" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent" },
  { "knorm", SYM_ATTRIBUTE_FLOAT, "2.0", "added to the sum of squares" },
  { "nsize", SYM_ATTRIBUTE_INT, NULL, "number of neighbouring channels" },
  { NULL },
};

const SymOperator sym_op_mxnet_norm[] = {
  {
      SYM_OP_MXNET,
      .name = "LayerNorm",
      .aliases = "_npx_layer_norm",
      .summary = "scales along one axis to mean 0 and variance 1, then by gamma and beta",
      .reference = "MXNet 1.9.1 LayerNorm",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = layer_attributes,
      .slots = scaled_slots,
      .get_n_outputs = sym_op_mxnet_get_mean_var_outputs,
      .output_names = moment_names,
      .infer = infer_layer_norm,
  },
  {
      SYM_OP_MXNET,
      .name = "GroupNorm",
      .aliases = "_npx_group_norm",
      .summary = "scales groups of channels to mean 0 and variance 1",
      .reference = "MXNet 1.9.1 GroupNorm",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = group_attributes,
      .slots = scaled_slots,
      .get_n_outputs = sym_op_mxnet_get_mean_var_outputs,
      .output_names = moment_names,
      .infer = infer_group_norm,
  },
  {
      SYM_OP_MXNET,
      .name = "InstanceNorm",
      .aliases = "_npx_instance_norm",
      .summary = "scales each channel of each sample to mean 0 and variance 1",
      .reference = "MXNet 1.9.1 InstanceNorm",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = instance_attributes,
      .slots = scaled_slots,
      .get_n_outputs = get_n_hidden_moments,
      .output_names = (const char *const[]){ "output", "mean", "var", NULL },
      .infer = infer_instance_norm,
  },
  {
      SYM_OP_MXNET,
      .name = "L2Normalization",
      .summary = "scales to Euclidean norm 1",
      .reference = "MXNet 1.9.1 L2Normalization",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = l2_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "norm", NULL },
      .infer = infer_l2_normalization,
  },
  {
      SYM_OP_MXNET,
      .name = "LRN",
      .summary = "damps elements whose neighbouring channels are strong",
      .reference = "MXNet 1.9.1 LRN",
      .category = SYM_CATEGORY_NORMALIZATION,
      .attributes = lrn_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "tmp_norm", NULL },
      .infer = sym_op_infer_elementwise,
  },
  { NULL },
};
