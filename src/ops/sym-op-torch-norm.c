/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

/* The channels of a norm, whose weights have one element per channel. */
static gboolean
match_channels (SymRule *rule, int channel_axis, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gint64 n = sym_rule_get_int (rule, "num_features", sym_rule_get_int (rule, "num_channels", -1));

  if (n < 0 || input.rank <= channel_axis || input.dims[channel_axis] == SYM_DIM_UNKNOWN)
    return TRUE;
  if (input.dims[channel_axis] >= 0 && input.dims[channel_axis] != n)
    return sym_rule_fail (
        error, "the input has %" G_GINT64_FORMAT " channels, the layer %" G_GINT64_FORMAT,
        input.dims[channel_axis], n);
  return sym_rule_unify (rule, input.dims[channel_axis], n, "channels of the input", error);
}

static gboolean
normalize (SymRule *rule, int least, int most, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);

  return sym_op_torch_check_rank (rule, least, most, error) &&
         match_channels (rule, MIN (1, MAX (input.rank - 1, 0)), error) &&
         sym_op_torch_same (rule, error);
}

static gboolean
infer_batch_norm1d (SymRule *rule, GError **error)
{
  return normalize (rule, 2, 3, error);
}

static gboolean
infer_norm2d (SymRule *rule, GError **error)
{
  return normalize (rule, 4, 4, error);
}

static gboolean
infer_norm3d (SymRule *rule, GError **error)
{
  return normalize (rule, 5, 5, error);
}

static gboolean
infer_group_norm (SymRule *rule, GError **error)
{
  gint64 channels = sym_rule_get_int (rule, "num_channels", 1);
  gint64 groups = sym_rule_get_int (rule, "num_groups", 1);

  if (groups < 1 || channels % groups != 0)
    return sym_rule_fail (error,
                          "num_channels must be divisible by num_groups, got %" G_GINT64_FORMAT
                          " and %" G_GINT64_FORMAT,
                          channels, groups);
  return normalize (rule, 2, SYM_MAX_RANK, error);
}

/* The last dimensions are normalized_shape. */
static gboolean
infer_layer_norm (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "normalized_shape", sizes, SYM_MAX_RANK);

  if (n < 1 || n > SYM_MAX_RANK)
    return sym_rule_fail (error, "normalized_shape must have at least one size");
  if (!sym_op_torch_check_rank (rule, n, SYM_MAX_RANK, error))
    return FALSE;
  for (int i = 0; i < n && input.rank >= n; i++)
    if (!sym_rule_unify (rule, input.dims[input.rank - n + i], sizes[i],
                         "a size of the input, against normalized_shape,", error))
      return FALSE;
  return sym_op_torch_same (rule, error);
}

static const SymAttributeSpec batch_attributes[] = {
  { "num_features", SYM_ATTRIBUTE_INT, NULL, "channels of the input" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.1", "weight of a new batch in the running statistics" },
  { "affine", SYM_ATTRIBUTE_BOOL, "True", "whether there are a weight and a bias" },
  { "track_running_stats", SYM_ATTRIBUTE_BOOL, "True", "whether mean and variance are tracked" },
  { NULL },
};

static const SymAttributeSpec layer_attributes[] = {
  { "normalized_shape", SYM_ATTRIBUTE_INTS, NULL, "sizes of the dimensions that are normalized" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "elementwise_affine", SYM_ATTRIBUTE_BOOL, "True", "whether there are a weight and a bias" },
  { NULL },
};

static const SymAttributeSpec group_attributes[] = {
  { "num_groups", SYM_ATTRIBUTE_INT, NULL, "groups of channels" },
  { "num_channels", SYM_ATTRIBUTE_INT, NULL, "channels of the input" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "affine", SYM_ATTRIBUTE_BOOL, "True", "whether there are a weight and a bias" },
  { NULL },
};

static const SymSlotSpec batch_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { "running_mean", SYM_SLOT_AUXILIARY, TRUE },
  { "running_var", SYM_SLOT_AUXILIARY, TRUE },
  { NULL },
};

static const SymSlotSpec affine_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

#define NORM(name_, summary_, attributes_, slots_, infer_)                                       \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_NORMALIZATION, .attributes = attributes_,             \
                  .slots = slots_, .infer = infer_,                                              \
  }

const SymOperator sym_op_torch_norm[] = {
  NORM ("BatchNorm1d",
        "Normalizes each feature over the batch",
        batch_attributes,
        batch_slots,
        infer_batch_norm1d),
  NORM ("BatchNorm2d",
        "Normalizes each channel of images over the batch",
        batch_attributes,
        batch_slots,
        infer_norm2d),
  NORM ("BatchNorm3d",
        "Normalizes each channel of volumes over the batch",
        batch_attributes,
        batch_slots,
        infer_norm3d),
  NORM ("InstanceNorm2d",
        "Normalizes each channel of each image",
        batch_attributes,
        batch_slots,
        infer_norm2d),
  NORM ("GroupNorm",
        "Normalizes groups of channels of each sample",
        group_attributes,
        affine_slots,
        infer_group_norm),
  NORM ("LayerNorm",
        "Normalizes the last dimensions",
        layer_attributes,
        affine_slots,
        infer_layer_norm),
  { NULL },
};
