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

/* ---- In ONNX's layers ---- */

/* Operands of a norm; some may be missing, and those after them stand in their place. */
typedef struct {
  SymId x, weight, bias, mean, var;
  gint64 channels;
  SymDType dtype;
} Norm;

static SymId
take_next (SymOpLower *self, gboolean is_there, guint *next)
{
  if (!is_there || !sym_op_lower_has_input (self, *next))
    return SYM_NO_ID;
  *next += 1;
  return sym_op_lower_input (self, *next - 1);
}

static gboolean
read_norm (SymOpLower *self, gboolean affine, gboolean tracked, Norm *norm)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  guint next = 1;

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  norm->x = sym_op_lower_input (self, 0);
  norm->dtype = sym_op_lower_get_input_dtype (self, 0);
  norm->channels = shape->dims[MIN (1, MAX (shape->rank - 1, 0))];
  norm->weight = take_next (self, affine, &next);
  norm->bias = take_next (self, affine, &next);
  norm->mean = take_next (self, tracked, &next);
  norm->var = take_next (self, tracked, &next);
  return TRUE;
}

/* What is missing stands for ones and zeros. */
static SymId
give (SymOpLower *self, SymId value, const Norm *norm, const SymShape *shape, double number)
{
  return value != SYM_NO_ID ? value : sym_op_lower_fill (self, norm->dtype, shape, number);
}

/* By the statistics that were tracked, or without any by those of this very batch. */
static void
lower_batch_norm (SymOpLower *self)
{
  gboolean tracked = sym_op_lower_get_bool (self, "track_running_stats", TRUE);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 axes[SYM_MAX_RANK];
  SymShape channels;
  Norm norm;
  int n = 0;

  if (!read_norm (self, sym_op_lower_get_bool (self, "affine", TRUE), tracked, &norm))
    return;
  channels = SYM_SHAPE (norm.channels);
  for (int i = 0; i < shape->rank; i++)
    if (i != 1)
      axes[n++] = i;
  if (norm.mean == SYM_NO_ID || norm.var == SYM_NO_ID)
    {
      SymId centred;

      norm.mean = sym_op_lower_reduce (self, "ReduceMean", norm.x, axes, n, TRUE);
      centred = sym_op_lower_binary (self, "Sub", norm.x, norm.mean);
      norm.var = sym_op_lower_reduce (
          self, "ReduceMean", sym_op_lower_binary (self, "Mul", centred, centred), axes, n, FALSE);
      norm.mean = sym_op_lower_reshape (self, norm.mean, &channels);
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "BatchNormalization",
                         SYM_IDS (norm.x, give (self, norm.weight, &norm, &channels, 1),
                                  give (self, norm.bias, &norm, &channels, 0), norm.mean, norm.var),
                         "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL));
}

static SymId
normalize_instances (SymOpLower *self, SymId x, SymId weight, SymId bias)
{
  return sym_op_lower_call (self, "InstanceNormalization", SYM_IDS (x, weight, bias), "epsilon",
                            sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL);
}

static void
lower_instance_norm (SymOpLower *self)
{
  SymShape channels;
  Norm norm;

  if (sym_op_lower_get_bool (self, "track_running_stats", FALSE))
    {
      lower_batch_norm (self);
      return;
    }
  if (!read_norm (self, sym_op_lower_get_bool (self, "affine", FALSE), FALSE, &norm))
    return;
  channels = SYM_SHAPE (norm.channels);
  sym_op_lower_set_output (self, 0,
                           normalize_instances (self, norm.x,
                                                give (self, norm.weight, &norm, &channels, 1),
                                                give (self, norm.bias, &norm, &channels, 0)));
}

/* Each group is an instance of one channel; weights are per channel. */
static void
lower_group_norm (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 groups = sym_op_lower_get_int (self, "num_groups", 1), n = 1;
  SymShape channels = { .rank = shape->rank - 1 };
  SymShape one = SYM_SHAPE (groups);
  Norm norm;
  SymId x;

  if (!read_norm (self, sym_op_lower_get_bool (self, "affine", TRUE), FALSE, &norm))
    return;
  for (int i = 1; i < shape->rank; i++)
    {
      n *= shape->dims[i];
      channels.dims[i - 1] = i == 1 ? norm.channels : 1;
    }
  x = sym_op_lower_reshape (self, norm.x, &SYM_SHAPE (shape->dims[0], groups, n / groups));
  x = normalize_instances (self, x, sym_op_lower_fill (self, norm.dtype, &one, 1),
                           sym_op_lower_fill (self, norm.dtype, &one, 0));
  x = sym_op_lower_reshape (self, x, shape);
  if (norm.weight != SYM_NO_ID)
    x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_reshape (self, norm.weight, &channels));
  if (norm.bias != SYM_NO_ID)
    x = sym_op_lower_binary (self, "Add", x, sym_op_lower_reshape (self, norm.bias, &channels));
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_layer_norm (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "normalized_shape", sizes, SYM_MAX_RANK);
  SymShape shape = sym_shape_new (sizes, CLAMP (n, 0, SYM_MAX_RANK));
  Norm norm;

  if (!read_norm (self, sym_op_lower_get_bool (self, "elementwise_affine", TRUE), FALSE, &norm))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LayerNormalization",
                         SYM_IDS (norm.x, give (self, norm.weight, &norm, &shape, 1), norm.bias),
                         "axis", sym_value_new_int (-n), "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL));
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

#define NORM(name_, summary_, attributes_, slots_, infer_, lower_)                               \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_NORMALIZATION, .attributes = attributes_,             \
                  .slots = slots_, .infer = infer_, .lower = lower_,                             \
  }

const SymOperator sym_op_torch_norm[] = {
  NORM ("BatchNorm1d",
        "Normalizes each feature over the batch",
        batch_attributes,
        batch_slots,
        infer_batch_norm1d,
        lower_batch_norm),
  NORM ("BatchNorm2d",
        "Normalizes each channel of images over the batch",
        batch_attributes,
        batch_slots,
        infer_norm2d,
        lower_batch_norm),
  NORM ("BatchNorm3d",
        "Normalizes each channel of volumes over the batch",
        batch_attributes,
        batch_slots,
        infer_norm3d,
        lower_batch_norm),
  NORM ("InstanceNorm2d",
        "Normalizes each channel of each image",
        batch_attributes,
        batch_slots,
        infer_norm2d,
        lower_instance_norm),
  NORM ("GroupNorm",
        "Normalizes groups of channels of each sample",
        group_attributes,
        affine_slots,
        infer_group_norm,
        lower_group_norm),
  NORM ("LayerNorm",
        "Normalizes the last dimensions",
        layer_attributes,
        affine_slots,
        infer_layer_norm,
        lower_layer_norm),
  { NULL },
};
