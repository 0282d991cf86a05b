/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-ranges.h"
#include "ops/sym-op-mxnet.h"

/* Layers on integers of 8 bits.  Each tensor operand is followed, after all of them, by its least
 * and greatest value; so is the output. */

static const char *const range_names[] = { "output", "min_output", "max_output", NULL };

/* ---- quantized_conv, quantized_fully_connected ---- */

static const SymAttributeSpec conv_attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window: (h, w) or (d, h, w)" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "zeros put around the data; 0 when empty" },
  { "num_filter", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "num_group", SYM_ATTRIBUTE_INT, "1", "1" },
  { "workspace", SYM_ATTRIBUTE_INT, "1024", "scratch memory allowed, in MB" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "cudnn_tune", SYM_ATTRIBUTE_STRING, "None", "off, limited_workspace or fastest",
    "off limited_workspace fastest" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCHW or NCDHW", "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "num_hidden", SYM_ATTRIBUTE_INT, NULL, "number of outputs of each sample" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "flatten", SYM_ATTRIBUTE_BOOL, "True", "whether all axes but the batch are one" },
  { NULL },
};

static const SymSlotSpec weighted_slots[] = {
  { "data" }, { "weight", SYM_SLOT_PARAMETER }, { "bias", SYM_SLOT_PARAMETER, TRUE }, { "range" },
  { NULL },
};

static int
get_n_weighted (const SymAttributes *attributes)
{
  return 3 * sym_op_mxnet_get_n_with_bias (attributes);
}

/* The dtypes of what is multiplied and summed, and the ranges. */
static gboolean
set_weighted (SymRule *rule, guint n, GError **error)
{
  for (guint i = 1; i < n; i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_INT8, error))
      return FALSE;
  return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error) &&
         sym_op_mxnet_set_ranges (rule, n, 1, error);
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  guint n = (guint) sym_op_mxnet_get_n_with_bias (sym_rule_get_attributes (rule));
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  SymOpMxnetWindows windows;

  return sym_op_mxnet_get_windows (rule, &windows, error) &&
         sym_op_mxnet_convolve (rule, &windows, error) &&
         sym_op_mxnet_set_filters (rule, &windows, filters, error) &&
         (n < 3 || filters < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (filters), error)) &&
         set_weighted (rule, n, error);
}

/* As without quantisation, but that operand 2 is a range when there is no bias. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  guint n = (guint) sym_op_mxnet_get_n_with_bias (sym_rule_get_attributes (rule));

  return sym_op_mxnet_infer_dense (rule, error) && set_weighted (rule, n, error);
}

/* ---- quantized_pooling, _act, _flatten ---- */

static const SymAttributeSpec pooling_attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, "()", "size of the window: (h, w) or (d, h, w)" },
  { "pool_type", SYM_ATTRIBUTE_STRING, "max", "avg or max", "max avg sum lp" },
  { "global_pool", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole picture" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "pooling_convention", SYM_ATTRIBUTE_STRING, "valid", "valid rounds down, full up",
    "full valid same" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "what is put around the data; 0 when empty" },
  { "p_value", SYM_ATTRIBUTE_INT, "None", "not used" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "None", "whether an average counts the padding" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCHW or NCDHW", "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

static const SymAttributeSpec act_attributes[] = {
  { "act_type", SYM_ATTRIBUTE_STRING, NULL, "relu",
    "relu sigmoid tanh softrelu softsign log_sigmoid mish" },
  { NULL },
};

static const SymSlotSpec ranged_slots[] = { { "data" }, { "min_data" }, { "max_data" }, { NULL } };

static gboolean
infer_pooling (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_mxnet_infer_pooling (rule, error) &&
         sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_act (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error) && sym_op_mxnet_set_ranges (rule, 1, 1, error);
}

static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_mxnet_set_ranges (rule, 1, 1, error) &&
         (data.rank < 1 ||
          sym_op_reshape (rule, SYM_SHAPE (data.dims[0], SYM_DIM_UNKNOWN), 1, error));
}

/* ---- quantized_concat ---- */

static const SymAttributeSpec concat_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of tensors" },
  { "dim", SYM_ATTRIBUTE_INT, "1", "axis along which they are laid" },
  { NULL },
};

static int
get_n_concat (const SymAttributes *attributes)
{
  int n = sym_op_mxnet_get_num_args (attributes);

  return n >= 0 && n <= G_MAXINT16 ? 3 * n : -1;
}

/* The first third of the operands is what is laid together. */
static gboolean
infer_concat (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  guint n = sym_rule_get_n_inputs (rule) / 3;
  SymShape out = sym_rule_get_input (rule, 0);
  SymDim sum = 0;
  int axis;

  if (!sym_op_mxnet_set_ranges (rule, n, 1, error))
    return FALSE;
  if (n == 0 || out.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "dim", 1), out.rank, &axis, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      SymShape own;

      out.dims[axis] = SYM_DIM_UNKNOWN;
      if (!sym_rule_set_input (rule, i, &out, error))
        return FALSE;
      own = sym_rule_get_input (rule, i);
      sum = sym_terms_add (terms, sum, own.rank == out.rank ? own.dims[axis] : SYM_DIM_UNKNOWN);
    }
  out.dims[axis] = sum;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- quantized_elemwise_add, _mul ---- */

static const SymAttributeSpec add_attributes[] = {
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

static const SymAttributeSpec mul_attributes[] = {
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { "enable_float_output", SYM_ATTRIBUTE_BOOL, "False", "whether the result is float32" },
  { NULL },
};

static const SymSlotSpec pair_slots[] = { { "lhs" },     { "rhs" },     { "lhs_min" },
                                          { "lhs_max" }, { "rhs_min" }, { "rhs_max" },
                                          { NULL } };

static int
get_n_pair_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = sym_op_get_bool (attributes, "enable_float_output", FALSE) ? 1 : 3;
  return *n_visible;
}

static gboolean
is_calibrated (SymRule *rule)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);

  for (guint i = 0; i < 2; i++)
    {
      const char *name = i == 0 ? "min_calib_range" : "max_calib_range";
      const SymValue *value = sym_attributes_find (attributes, name);

      if (value == NULL || sym_value_get_kind (value) == SYM_VALUE_NONE)
        return FALSE;
    }
  return TRUE;
}

/* Operands of one shape. */
static gboolean
tie_pair (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) && sym_op_pass_shape (rule, 1, 0, error) &&
         sym_op_pass_shape (rule, 0, 0, error) && sym_op_mxnet_set_ranges (rule, 2, 1, error);
}

/* A calibrated sum of two of one dtype has it too; of int8 and uint8 it is int8. */
static gboolean
set_sum (SymRule *rule, GError **error)
{
  SymDType a = sym_rule_get_input_dtype (rule, 0), b = sym_rule_get_input_dtype (rule, 1);

  if (!is_calibrated (rule))
    return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error);
  if (a == SYM_DTYPE_UNKNOWN || b == SYM_DTYPE_UNKNOWN)
    return TRUE;
  return sym_rule_set_output_dtype (rule, 0, a == b ? a : SYM_DTYPE_INT8, error);
}

static gboolean
infer_add (SymRule *rule, GError **error)
{
  return tie_pair (rule, error) && set_sum (rule, error);
}

static gboolean
infer_broadcast_add (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) && set_sum (rule, error) &&
         sym_op_mxnet_set_ranges (rule, 2, 1, error);
}

static gboolean
infer_mul (SymRule *rule, GError **error)
{
  SymDType dtype = is_calibrated (rule) ? SYM_DTYPE_INT8 : SYM_DTYPE_INT32;

  if (sym_rule_get_bool (rule, "enable_float_output", FALSE))
    dtype = SYM_DTYPE_FLOAT32;
  return tie_pair (rule, error) && sym_rule_set_output_dtype (rule, 0, dtype, error);
}

/* ---- quantized_batch_norm ---- */

static const SymAttributeSpec norm_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.001", "added to the variance" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "how much of the old mean a step keeps" },
  { "fix_gamma", SYM_ATTRIBUTE_BOOL, "True", "whether gamma counts as 1" },
  { "use_global_stats", SYM_ATTRIBUTE_BOOL, "False", "whether the moving mean is used" },
  { "output_mean_var", SYM_ATTRIBUTE_BOOL, "False", "not used" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },
  { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" },
  { NULL },
};

static const SymSlotSpec norm_slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "moving_mean", SYM_SLOT_AUXILIARY },
  { "moving_var", SYM_SLOT_AUXILIARY },
  { "min_data" },
  { "max_data" },
  { NULL },
};

static gboolean
infer_norm (SymRule *rule, GError **error)
{
  SymShape data;
  int axis;

  if (!sym_op_pass_shape (rule, 0, 0, error) ||
      !sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT8, error) ||
      !sym_op_mxnet_set_ranges (rule, 5, 1, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 1), data.rank, &axis, error))
    return FALSE;
  for (guint i = 1; i < 5; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (data.dims[axis]), error) ||
        !sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

/* ---- quantized_embedding ---- */

static const SymAttributeSpec embedding_attributes[] = {
  { "input_dim", SYM_ATTRIBUTE_INT, NULL, "number of vectors" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "size of each vector" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "not used" },
  { "sparse_grad", SYM_ATTRIBUTE_BOOL, "False", "not used" },
  { NULL },
};

static const SymSlotSpec embedding_slots[] = {
  { "data" }, { "weight", SYM_SLOT_PARAMETER }, { "min_weight" }, { "max_weight" }, { NULL },
};

static gboolean
infer_embedding (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "input_dim", 0),
         size = sym_rule_get_int (rule, "output_dim", 0);
  SymDim width = size > 0 ? size : SYM_DIM_UNKNOWN;
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_set_input (rule, 1, SYM_SHAPE (n > 0 ? n : SYM_DIM_UNKNOWN, width), error) ||
      !sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_INT8, error) ||
      !sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT8, error) ||
      !sym_op_mxnet_set_ranges (rule, 2, 1, error))
    return FALSE;
  if (data.rank < 0 || data.rank == SYM_MAX_RANK)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&data, data.rank, width),
                            SYM_DTYPE_UNKNOWN, error);
}

#define QUANTIZED(name_, category_, summary_, attributes_, slots_, infer_)                        \
  SYM_OP_MXNET, .name = "_contrib_quantized_" name_, .summary = summary_,                         \
                .reference = "MXNet 1.9.1, 2.0 _contrib_quantized_" name_,                        \
                .category = SYM_CATEGORY_##category_, .attributes = attributes_, .slots = slots_, \
                .output_names = range_names, .infer = infer_

const SymOperator sym_op_mxnet_quantized[] = {
  {
      QUANTIZED ("conv",
                 WEIGHTS,
                 "convolution of integers",
                 conv_attributes,
                 weighted_slots,
                 infer_conv),
      .lower = sym_op_mxnet_lower_quantized_conv,
      .aliases = "_npx_quantized_conv",
      .get_n_operands = get_n_weighted,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("fully_connected",
                 WEIGHTS,
                 "fully connected layer on integers",
                 dense_attributes,
                 weighted_slots,
                 infer_dense),
      .lower = sym_op_mxnet_lower_quantized_dense,
      .aliases = "_npx_quantized_fully_connected",
      .get_n_operands = get_n_weighted,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("pooling",
                 POOLING,
                 "pooling of integers",
                 pooling_attributes,
                 ranged_slots,
                 infer_pooling),
      .lower = sym_op_mxnet_lower_quantized_pooling,
      .aliases = "_npx_quantized_pooling",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("act",
                 ACTIVATION,
                 "activation of integers",
                 act_attributes,
                 ranged_slots,
                 infer_act),
      .lower = sym_op_mxnet_lower_quantized_act,
      .aliases = "_npx_quantized_act",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("flatten",
                 SHAPE,
                 "all axes but the first become one",
                 NULL,
                 ranged_slots,
                 infer_flatten),
      .lower = sym_op_mxnet_lower_quantized_move,
      .aliases = "_npx_quantized_flatten",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("concat",
                 MERGE,
                 "lays integers one after the other along an axis",
                 concat_attributes,
                 sym_op_mxnet_many,
                 infer_concat),
      .lower = sym_op_mxnet_lower_quantized_concat,
      .get_n_operands = get_n_concat,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("elemwise_add",
                 ELEMENTWISE,
                 "sum of integers",
                 add_attributes,
                 pair_slots,
                 infer_add),
      .lower = sym_op_mxnet_lower_quantized_add,
      .aliases = "_npx_quantized_elemwise_add",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("npi_add",
                 ELEMENTWISE,
                 "sum of integers that broadcast",
                 add_attributes,
                 pair_slots,
                 infer_broadcast_add),
      .lower = sym_op_mxnet_lower_quantized_add,
      .aliases = "_npx_quantized_npi_add",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("elemwise_mul",
                 ELEMENTWISE,
                 "product of integers",
                 mul_attributes,
                 pair_slots,
                 infer_mul),
      .lower = sym_op_mxnet_lower_quantized_mul,
      .aliases = "_npx_quantized_elemwise_mul",
      .get_n_outputs = get_n_pair_outputs,
  },
  {
      QUANTIZED ("embedding",
                 WEIGHTS,
                 "vectors of integers for indices",
                 embedding_attributes,
                 embedding_slots,
                 infer_embedding),
      .lower = sym_op_mxnet_lower_quantized_embedding,
      .aliases = "_npx_quantized_embedding",
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("batch_norm",
                 NORMALIZATION,
                 "batch normalization of integers",
                 norm_attributes,
                 norm_slots,
                 infer_norm),
      .lower = sym_op_mxnet_lower_quantized_norm,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  {
      QUANTIZED ("batch_norm_relu",
                 NORMALIZATION,
                 "batch normalization of integers, then the greatest of the element and 0",
                 norm_attributes,
                 norm_slots,
                 infer_norm),
      .lower = sym_op_mxnet_lower_quantized_norm,
      .get_n_outputs = sym_op_mxnet_get_ranged_outputs,
  },
  { NULL },
};
