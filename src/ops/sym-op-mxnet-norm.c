/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet-lower.h"
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

/* ---- Lowering ---- */

/* What has mean 0 and deviation 1 over axes. */
typedef struct {
  SymId result, mean, deviation;
} Normal;

static Normal
lower_moments (SymOpLower *self, SymId x, const gint64 *axes, int n)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId eps = sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "eps", 1e-5));
  Normal normal;
  SymId variance;

  normal.mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, n, TRUE);
  x = sym_op_lower_binary (self, "Sub", x, normal.mean);
  variance = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), axes,
                                  n, TRUE);
  normal.deviation =
      sym_op_lower_unary (self, "Sqrt", sym_op_lower_binary (self, "Add", variance, eps));
  normal.result = sym_op_lower_binary (self, "Div", x, normal.deviation);
  return normal;
}

/* gamma and beta lie along an axis. */
static SymId
lower_scale (SymOpLower *self, SymId x, int axis, int rank)
{
  x = sym_op_lower_binary (self, "Mul", x, sym_op_mxnet_lower_along (self, 1, axis, rank));
  return sym_op_lower_binary (self, "Add", x, sym_op_mxnet_lower_along (self, 2, axis, rank));
}

static void
set_moments (SymOpLower *self, const Normal *normal)
{
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_reshape (self, normal->mean, sym_op_lower_get_output_shape (self, 1)));
  if (sym_op_lower_get_n_outputs (self) > 2)
    sym_op_lower_set_output (
        self, 2,
        sym_op_lower_reshape (self, normal->deviation, sym_op_lower_get_output_shape (self, 2)));
}

/* Whether there are data, gamma and beta, and the shape rule admits them. */
static gboolean
has_all (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
         sym_op_lower_need_tensor (self, 2) && sym_op_lower_get_output_shape (self, 0)->rank > 0 &&
         !sym_op_lower_has_failed (self);
}

static void
lower_layer_norm (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  SymId x = sym_op_lower_input (self, 0);
  gint64 axes[1];
  Normal normal;

  if (!has_all (self) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), rank, &axis))
    return;
  if (axis == rank - 1 && sym_op_lower_get_n_outputs (self) == 1)
    {
      x = sym_op_lower_call (
          self, "LayerNormalization",
          SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)), "axis",
          sym_value_new_int (-1), "epsilon",
          sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL);
      sym_op_lower_set_output (self, 0, x);
      return;
    }
  axes[0] = axis;
  normal = lower_moments (self, x, axes, 1);
  sym_op_lower_set_output (self, 0, lower_scale (self, normal.result, axis, rank));
  set_moments (self, &normal);
}

/* Gamma and beta are those of groups, or of channels. */
static void
lower_group_norm (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 groups = sym_op_lower_get_int (self, "num_groups", 1), axes[1] = { 2 };
  gboolean by_channel;
  guint64 n;
  Normal normal;
  SymId x;

  if (!has_all (self) || !sym_shape_get_n_elements (data, &n) || n == 0)
    return;
  by_channel =
      sym_op_lower_get_input_shape (self, 1)->dims[0] == data->dims[1] && data->dims[1] != groups;
  x = sym_op_lower_reshape (
      self, sym_op_lower_input (self, 0),
      &SYM_SHAPE (data->dims[0], groups, (gint64) n / data->dims[0] / groups));
  normal = lower_moments (self, x, axes, 1);
  x = normal.result;
  if (!by_channel)
    x = lower_scale (self, x, 1, 3);
  x = sym_op_lower_reshape (self, x, data);
  sym_op_lower_set_output (self, 0, by_channel ? lower_scale (self, x, 1, data->rank) : x);
  set_moments (self, &normal);
}

/* The hidden outputs are mean and variance. */
static void
lower_instance_norm (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 axes[SYM_MAX_RANK];
  Normal normal;

  if (!has_all (self))
    return;
  for (int i = 2; i < rank; i++)
    axes[i - 2] = i;
  if (rank > 2 && sym_op_lower_get_n_outputs (self) == 1)
    {
      sym_op_lower_set_output (
          self, 0,
          sym_op_lower_call (
              self, "InstanceNormalization",
              SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                       sym_op_lower_input (self, 2)),
              "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-3)), NULL));
      return;
    }
  if (sym_op_lower_get_n_outputs (self) > 1)
    {
      sym_op_lower_refuse (self, "InstanceNorm: its hidden results are not lowered");
      return;
    }
  normal = lower_moments (self, sym_op_lower_input (self, 0), axes, rank - 2);
  sym_op_lower_set_output (self, 0, lower_scale (self, normal.result, 1, rank));
}

static void
lower_l2_normalization (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "instance");
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, n = 0;
  int first = strcmp (mode, "spatial") == 0 ? 2 : 1, last = rank;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0), norm;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 1)
    return;
  if (strcmp (mode, "channel") == 0)
    last = 2;
  for (int i = first; i < last; i++)
    axes[n++] = i;
  norm = sym_op_lower_reduce (self, "ReduceSumSquare", x, axes, n, TRUE);
  norm = sym_op_lower_binary (
      self, "Add", norm,
      sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "eps", 1e-10)));
  norm = sym_op_lower_unary (self, "Sqrt", norm);
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Div", x, norm));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_lower_reshape (self, norm, sym_op_lower_get_output_shape (self, 1)));
}

static void
lower_lrn (SymOpLower *self)
{
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LRN", SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                         sym_value_new_float (sym_op_lower_get_float (self, "alpha", 1e-4)), "beta",
                         sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.75)), "bias",
                         sym_value_new_float (sym_op_lower_get_float (self, "knorm", 2)), "size",
                         sym_value_new_int (sym_op_lower_get_int (self, "nsize", 5)), NULL));
}

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
      .lower = lower_layer_norm,
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
      .lower = lower_group_norm,
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
      .lower = lower_instance_norm,
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
      .lower = lower_l2_normalization,
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
      .lower = lower_lrn,
  },
  { NULL },
};
