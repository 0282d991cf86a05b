/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* ---- Running statistics ---- */

/* The further results are what only training looks at: the statistics as they are, and nothing. */
static void
set_statistics (SymOpLower *self)
{
  static const SymShape none = { .rank = 1, .dims = { 0 } };

  for (guint i = 1; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i,
                             i == 5 ? sym_op_lower_fill (self, SYM_DTYPE_UINT8, &none, 0)
                                    : sym_op_lower_input (self, i % 2 == 1 ? 1 : 2));
}

static void
lower_batch_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gboolean is_last = sym_op_paddle_is_channels_last (self) && rank > 2;
  SymId x = sym_op_lower_input (self, 0), y;

  for (guint i = 1; i < 5; i++)
    sym_op_lower_need_tensor (self, i);
  if (is_last)
    x = sym_op_foreign_channels_first (self, x, rank);
  y = sym_op_lower_call (
      self, "BatchNormalization",
      SYM_IDS (x, sym_op_lower_input (self, 3), sym_op_lower_input (self, 4),
               sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
      "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  if (is_last)
    y = sym_op_foreign_channels_last (self, y, rank);
  sym_op_lower_set_output (self, 0, sym_op_paddle_activate (self, y));
  set_statistics (self);
}

/* ---- Statistics of the data ---- */

/* Mean and variance of what is normalized together. */
static void
set_moments (SymOpLower *self, SymId x, int rank, int axis)
{
  gint64 axes[SYM_MAX_RANK];
  SymId mean, deviation, variance;

  for (int i = axis; i < rank; i++)
    axes[i - axis] = i;
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, rank - axis, TRUE);
  deviation = sym_op_lower_binary (self, "Sub", x, mean);
  variance = sym_op_lower_reduce (self, "ReduceMean",
                                  sym_op_lower_binary (self, "Mul", deviation, deviation), axes,
                                  rank - axis, FALSE);
  mean = sym_op_foreign_squeeze (self, mean, axes, rank - axis);
  sym_op_lower_set_output (self, 1, mean);
  sym_op_lower_set_output (self, 2, variance);
}

/* Scale and bias are [product of the normalized axes]. */
static SymId
shape_like_axes (SymOpLower *self, guint i, int rank, int axis)
{
  gint64 sizes[SYM_MAX_RANK];

  if (!sym_op_lower_has_input (self, i) || rank - axis == 1)
    return sym_op_lower_input (self, i);
  for (int k = axis; k < rank; k++)
    sizes[k - axis] = sym_op_foreign_size (self, 0, k);
  return sym_op_foreign_reshape (self, sym_op_lower_input (self, i), sizes, rank - axis, FALSE);
}

static SymId
get_scale (SymOpLower *self, int rank, int axis)
{
  SymShape ones = { .rank = rank - axis };

  if (sym_op_lower_has_input (self, 1))
    return shape_like_axes (self, 1, rank, axis);
  for (int k = axis; k < rank; k++)
    ones.dims[k - axis] = sym_op_foreign_size (self, 0, k);
  return sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), &ones, 1);
}

static void
lower_layer_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  int axis = sym_op_foreign_axis (self, "begin_norm_axis", 1, rank);
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_lower_has_failed (self))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "LayerNormalization",
          SYM_IDS (x, get_scale (self, rank, axis), shape_like_axes (self, 2, rank, axis)), "axis",
          sym_value_new_int (axis), "epsilon",
          sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL));
  if (sym_op_lower_get_n_outputs (self) > 1)
    set_moments (self, x, rank, axis);
}

static void
lower_group_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gboolean is_last = sym_op_paddle_is_channels_last (self);
  gint64 channels = sym_op_foreign_size (self, 0, is_last ? rank - 1 : 1);
  gboolean is_instance = g_str_equal (sym_op_lower_get_type (self), "instance_norm");
  SymShape shape = SYM_SHAPE (channels);
  SymId x = sym_op_lower_input (self, 0), y, weights[2];

  for (guint i = 0; i < 2; i++)
    weights[i] =
        sym_op_lower_has_input (self, i + 1)
            ? sym_op_lower_input (self, i + 1)
            : sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), &shape, i == 0);
  if (is_last)
    x = sym_op_foreign_channels_first (self, x, rank);
  if (is_instance)
    y = sym_op_lower_call (
        self, "InstanceNormalization", SYM_IDS (x, weights[0], weights[1]), "epsilon",
        sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  else
    y = sym_op_lower_call (
        self, "GroupNormalization", SYM_IDS (x, weights[0], weights[1]), "num_groups",
        sym_value_new_int (sym_op_lower_get_int (self, "groups", 1)), "epsilon",
        sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  sym_op_lower_set_output (self, 0, is_last ? sym_op_foreign_channels_last (self, y, rank) : y);
}

/* ---- Others ---- */

static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "log_softmax");
  int axis = sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0));

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_with (self, is_log ? "LogSoftmax" : "Softmax",
                                                sym_op_lower_input (self, 0), "axis", axis));
}

/* When a network is used nothing is dropped; the older way scales instead. */
static void
lower_dropout (SymOpLower *self)
{
  const char *mode = sym_op_foreign_choose (self, "mode", "dropout_implementation", NULL);
  gboolean scales = sym_op_lower_has_string (self, mode, "downgrade_in_infer");
  double p =
      sym_op_lower_get_float (self, sym_op_foreign_choose (self, "p", "dropout_prob", NULL), 0.5);
  SymId x = sym_op_lower_input (self, 0), keep;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  keep = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 1 - p);
  sym_op_lower_set_output (self, 0, scales ? sym_op_lower_binary (self, "Mul", x, keep) : x);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_call (self, "Expand",
                           SYM_IDS (sym_op_lower_number (self, SYM_DTYPE_UINT8, 1),
                                    sym_op_lower_unary (self, "Shape", x)),
                           NULL));
}

/* x / max (|x|, epsilon) along an axis. */
static void
lower_norm (SymOpLower *self)
{
  gint64 axis = sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0));
  double epsilon = sym_op_lower_get_float (self, "epsilon", 1e-10);
  SymId x = sym_op_lower_input (self, 0), sum;

  sum = sym_op_lower_reduce (self, "ReduceSumSquare", x, &axis, 1, TRUE);
  sum = sym_op_lower_binary (
      self, "Add", sum,
      sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), epsilon));
  sum = sym_op_lower_unary (self, "Sqrt", sum);
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Div", x, sum));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sum);
}

/* (sum |x|^p)^(1/p) */
static void
lower_p_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gboolean all = sym_op_lower_get_bool (self, "asvector", FALSE);
  gint64 axis = all ? 0 : sym_op_foreign_axis (self, "axis", -1, rank);
  double p = sym_op_lower_get_float (self, "porder", 2);

  if (p != 1 && p != 2)
    sym_op_lower_refuse (self, "%s: of order %g is not lowered", sym_op_lower_get_type (self), p);
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_reduce (self, p == 1 ? "ReduceL1" : "ReduceL2",
                                                  sym_op_lower_input (self, 0), rank, &axis,
                                                  all ? -1 : 1,
                                                  sym_op_lower_get_bool (self, "keepdim", FALSE)));
}

/* Paddle's alpha is of each neighbour, ONNX's of all. */
static void
lower_lrn (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "n", 5);
  double alpha = sym_op_lower_get_float (self, "alpha", 1e-4);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LRN", SYM_IDS (sym_op_lower_input (self, 0)), "size",
                         sym_value_new_int (n), "alpha", sym_value_new_float (alpha * (double) n),
                         "beta", sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.75)),
                         "bias", sym_value_new_float (sym_op_lower_get_float (self, "k", 1)),
                         NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec batch_norm_slots[] = {
  { "X" },
  { "Mean", SYM_SLOT_AUXILIARY },
  { "Variance", SYM_SLOT_AUXILIARY },
  { "Scale", SYM_SLOT_PARAMETER },
  { "Bias", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec norm_slots[] = {
  { "X" },
  { "Scale", SYM_SLOT_PARAMETER, TRUE },
  { "Bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec dropout_slots[] = {
  { "X" },
  { "Seed", SYM_SLOT_DATA, TRUE },
  { "p", SYM_SLOT_DATA, TRUE },
  { NULL },
};

#define EPSILON                                                      \
  {                                                                  \
    "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" \
  }

static const SymAttributeSpec norm_attributes[] = {
  EPSILON,
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that are normalized together" },
  { "begin_norm_axis", SYM_ATTRIBUTE_INT, "1", "first axis that is normalized" },
  { "data_layout", SYM_ATTRIBUTE_STRING, "NCHW", "where the channels are" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "along which it is normalized" },
  { NULL },
};

static const SymAttributeSpec dropout_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "0.5", "the probability of an element to become zero" },
  { "mode", SYM_ATTRIBUTE_STRING, "upscale_in_train", "when the data is scaled",
    "upscale_in_train downgrade_in_infer" },
  { NULL },
};

static const SymAttributeSpec lrn_attributes[] = {
  { "n", SYM_ATTRIBUTE_INT, "5", "neighbouring channels" },
  { "k", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the sum" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "factor of the sum" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "exponent" },
  { NULL },
};

const SymOperator sym_op_paddle_norm[] = {
  PADDLE_LOWERED ("batch_norm",
                  "sync_batch_norm batchnorm",
                  "Normalization by running statistics",
                  NORMALIZATION,
                  batch_norm_slots,
                  norm_attributes,
                  lower_batch_norm),
  PADDLE_LOWERED ("layer_norm",
                  NULL,
                  "Normalization over the last axes",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_layer_norm),
  PADDLE_LOWERED ("group_norm",
                  NULL,
                  "Normalization over groups of channels",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_group_norm),
  PADDLE_LOWERED ("instance_norm",
                  NULL,
                  "Normalization of each channel",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_group_norm),
  PADDLE_LOWERED ("softmax",
                  NULL,
                  "Numbers along an axis that sum to 1",
                  ACTIVATION,
                  sym_op_paddle_one,
                  axis_attributes,
                  lower_softmax),
  PADDLE_LOWERED ("log_softmax",
                  NULL,
                  "Logarithm of softmax",
                  ACTIVATION,
                  sym_op_paddle_one,
                  axis_attributes,
                  lower_softmax),
  PADDLE_LOWERED ("dropout",
                  NULL,
                  "Nothing, but in training",
                  NORMALIZATION,
                  dropout_slots,
                  dropout_attributes,
                  lower_dropout),
  PADDLE_LOWERED ("norm",
                  "l2_normalize",
                  "Vectors of length 1",
                  NORMALIZATION,
                  sym_op_paddle_one,
                  axis_attributes,
                  lower_norm),
  PADDLE_LOWERED ("p_norm",
                  NULL,
                  "Length of vectors",
                  POOLING,
                  sym_op_paddle_one,
                  axis_attributes,
                  lower_p_norm),
  PADDLE_LOWERED ("lrn",
                  NULL,
                  "Normalization by neighbouring channels",
                  NORMALIZATION,
                  sym_op_paddle_one,
                  lrn_attributes,
                  lower_lrn),
  { NULL },
};
