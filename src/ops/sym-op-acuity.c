/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

#include <string.h>

/* Acuity's layers by their names in its files (2, 5 and 6).  Images have their channels last,
 * whatever framework they come from: what is made of ONNX has a `permute` before each window. */

#define ACUITY(name_, aliases_, summary_, category_) \
  SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, category_), .reference = "Acuity 6 " name_

/* ---- Windows ---- */

/* top, bottom, left, right; older files have one number for both sides. */
static gboolean
read_margins (SymRule *rule, SymOpEngineWindow *window, GError **error)
{
  gint64 given[4];
  int n = sym_rule_get_ints (rule, "pad", given, 4);

  if (!sym_op_engine_read (rule, "pad_h", 0, 0, &window->before[0], error) ||
      !sym_op_engine_read (rule, "pad_w", 0, 0, &window->before[1], error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      window->after[i] = window->before[i];
      if (n != 4)
        continue;
      if (MIN (given[2 * i], given[2 * i + 1]) < 0 ||
          MAX (given[2 * i], given[2 * i + 1]) > G_MAXINT32)
        return sym_rule_fail (error, "pad makes no sense");
      window->before[i] = given[2 * i];
      window->after[i] = given[2 * i + 1];
    }
  return TRUE;
}

/* A number, or one for each axis of the data or of the window. */
static gboolean
read_dilation (SymRule *rule, SymOpEngineWindow *window, GError **error)
{
  gint64 given[4];
  int n = sym_rule_get_ints (rule, "dilation", given, 4);

  for (int i = 0; i < 2; i++)
    {
      gint64 dilation = n == 1 ? given[0] : n == 2 ? given[i] : n == 4 ? given[1 + i] : 1;

      if (dilation > G_MAXINT32)
        return sym_rule_fail (error, "dilation makes no sense");
      window->dilation[i] = MAX (dilation, 1);
    }
  return TRUE;
}

static gboolean
read_window (SymRule *rule, SymOpEngineWindow *window, GError **error)
{
  static const char *const names[2][2] = { { "ksize_h", "stride_h" }, { "ksize_w", "stride_w" } };

  *window = (SymOpEngineWindow){ .channels_last = TRUE };
  for (int i = 0; i < 2; i++)
    if (!sym_op_engine_read (rule, names[i][0], 1, 1, &window->kernel[i], error) ||
        !sym_op_engine_read (rule, names[i][1], 1, 1, &window->stride[i], error))
      return FALSE;
  window->is_same = g_strcmp0 (sym_rule_get_string (rule, "padding", NULL), "SAME") == 0;
  window->up = strstr (sym_rule_get_type (rule), "pool") != NULL &&
               strcmp (sym_rule_get_string (rule, "round_type", "ceil"), "ceil") == 0;
  return read_dilation (rule, window, error) && read_margins (rule, window, error);
}

static SymDim
get_count (SymRule *rule)
{
  gint64 n = sym_rule_get_int (rule, "weights", 0);

  return n > 0 && n <= G_MAXINT32 ? n : SYM_DIM_UNKNOWN;
}

/* weight [h, w, in / groups, out] */
static gboolean
set_weights (SymRule *rule, const SymOpEngineWindow *window, SymDim in, SymDim out, GError **error)
{
  gint64 groups;

  if (!sym_op_engine_read (rule, "group_number", 1, 0, &groups, error))
    return FALSE;
  if (groups > 1)
    in = in >= 0 && in % groups == 0 ? in / groups : SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (window->kernel[0], window->kernel[1], in, out),
                           error) &&
         (out < 0 || sym_op_set_input (rule, 2, SYM_SHAPE (out), error));
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymDim out = get_count (rule), in = sym_op_engine_get_channels (rule, TRUE);
  SymOpEngineWindow window;

  return read_window (rule, &window, error) && set_weights (rule, &window, in, out, error) &&
         sym_op_engine_slide (rule, &window, out, error);
}

/* weight [h, w, C, M]: M results of each channel. */
static gboolean
infer_depthwise (SymRule *rule, GError **error)
{
  SymDim in = sym_op_engine_get_channels (rule, TRUE), out;
  SymOpEngineWindow window;
  gint64 factor;

  if (!sym_op_engine_read (rule, "multiplier", 1, 1, &factor, error) ||
      !read_window (rule, &window, error))
    return FALSE;
  out = sym_terms_multiply (sym_rule_get_terms (rule), in, factor);
  return sym_op_set_input (rule, 1, SYM_SHAPE (window.kernel[0], window.kernel[1], in, factor),
                           error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) &&
         sym_op_engine_slide (rule, &window, out, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymOpEngineWindow window;

  if (!sym_rule_get_bool (rule, "global_pooling", FALSE))
    return read_window (rule, &window, error) &&
           sym_op_engine_slide (rule, &window, SYM_DIM_UNKNOWN, error);
  if (data.rank == 4)
    data.dims[1] = data.dims[2] = 1;
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         (data.rank != 4 || sym_rule_set_output (rule, 0, &data, error));
}

/* And where in its window each number was. */
static gboolean
infer_pool_indices (SymRule *rule, GError **error)
{
  SymShape result;

  if (!infer_pool (rule, error))
    return FALSE;
  result = sym_rule_get_output (rule, 0);
  return sym_rule_get_n_outputs (rule) < 2 || sym_rule_set_output (rule, 1, &result, error);
}

/* weight [h, w, out / groups, in].  Most files tell the result; 0 is the size of the data. */
static gboolean
infer_transpose_conv (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = SYM_SHAPE_UNKNOWN;
  int n = sym_rule_get_ints (rule, "output_shape", out.dims, SYM_MAX_RANK);
  const gint64 extra[2] = { 0 };
  SymOpEngineWindow window;

  if (n != 4)
    return read_window (rule, &window, error) &&
           sym_op_engine_unslide (rule, &window, extra, get_count (rule), error);
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  out.rank = n;
  for (int i = 0; i < n; i++)
    out.dims[i] = out.dims[i] > 0                      ? out.dims[i]
                  : out.dims[i] == 0 && data.rank == n ? data.dims[i]
                                                       : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* The places that a pool with their indices came from; the file tells how many there are. */
static gboolean
infer_unpool (SymRule *rule, GError **error)
{
  static const char *const names[] = { "upsample_h", "upsample_w" };
  SymShape data = sym_rule_get_input (rule, 0);

  for (int i = 0; i < 2 && data.rank == 4; i++)
    {
      gint64 size = sym_rule_get_int (rule, names[i], 0),
             scale = sym_rule_get_int (rule, "scale", 0);

      if (size > 0 && size <= G_MAXINT32)
        data.dims[1 + i] = size;
      else
        data.dims[1 + i] =
            scale < 1 || scale > G_MAXINT32
                ? SYM_DIM_UNKNOWN
                : sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1 + i], scale);
    }
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         (data.rank != 4 || sym_rule_set_output (rule, 0, &data, error));
}

/* Parts of images, as many as regions, which are a multiple of nothing. */
static gboolean
infer_regions (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 rows, columns;

  if (!sym_op_engine_read (rule, "pooled_h", 1, 1, &rows, error) ||
      !sym_op_engine_read (rule, "pooled_w", 1, 1, &columns, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return data.rank != 4 ||
         sym_rule_set_output (rule, 0, &SYM_SHAPE (SYM_DIM_UNKNOWN, rows, columns, data.dims[3]),
                              error);
}

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 given[2], factor = sym_rule_get_int (rule, "factor", 0);
  int n = sym_rule_get_ints (rule, "new_size", given, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4 ||
      (n != 2 && (factor < 1 || factor > G_MAXINT32)))
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 0; i < 2; i++)
    data.dims[1 + i] =
        n == 2 && given[i] > 0
            ? given[i]
            : sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1 + i], MAX (factor, 1));
  return sym_rule_set_output (rule, 0, &data, error);
}

/* Channels become squares of `block_size` by `block_size` places, or the other way round. */
static gboolean
infer_block (SymRule *rule, const char *name, gboolean to_space, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 given[2];
  int n = sym_rule_get_ints (rule, name, given, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4 || n < 1)
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 0; i < 2; i++)
    {
      gint64 size = given[n == 2 ? i : 0];
      int shrinks = to_space ? 3 : 1 + i, grows = to_space ? 1 + i : 3;

      if (size < 1 || size > G_MAXINT32)
        return sym_rule_fail (error, "%s of %" G_GINT64_FORMAT " makes no sense", name, size);
      data.dims[grows] = sym_terms_multiply (terms, data.dims[grows], size);
      if (data.dims[shrinks] >= 0 && data.dims[shrinks] % size != 0)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " do not make blocks of %" G_GINT64_FORMAT,
                              (gint64) data.dims[shrinks], size);
      data.dims[shrinks] = data.dims[shrinks] < 0 ? SYM_DIM_UNKNOWN : data.dims[shrinks] / size;
    }
  return sym_rule_set_output (rule, 0, &data, error);
}

static gboolean
infer_depth_to_space (SymRule *rule, GError **error)
{
  return infer_block (rule, "block_size", TRUE, error);
}

static gboolean
infer_space_to_depth (SymRule *rule, GError **error)
{
  return infer_block (rule, "block_size", FALSE, error);
}

static gboolean
infer_reorg (SymRule *rule, GError **error)
{
  return infer_block (rule, "stride", FALSE, error);
}

/* weight [in, out]; the axes from `axis` on are one. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), result;
  gint64 axis = sym_rule_get_int (rule, "axis", 1);
  SymDim out = get_count (rule), in;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank < 1)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (axis < 0)
    axis += data.rank;
  if (axis < 0 || axis >= data.rank)
    return sym_rule_fail (error, "axis %" G_GINT64_FORMAT " is none of the data's %d", axis,
                          data.rank);
  in = sym_terms_product (sym_rule_get_terms (rule), data.dims + axis, data.rank - (int) axis);
  result = data;
  result.rank = (int) axis + 1;
  result.dims[axis] = out;
  return sym_op_set_input (rule, 1, SYM_SHAPE (in, out), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) &&
         sym_rule_set_output (rule, 0, &result, error);
}

/* ---- Elements ---- */

/* Numbers for each channel, which are the last axis. */
static gboolean
infer_same (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim channels = data.rank < 2 ? SYM_DIM_UNKNOWN : data.dims[data.rank - 1];

  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (channels != SYM_DIM_UNKNOWN && !sym_op_set_input (rule, i, SYM_SHAPE (channels), error))
      return FALSE;
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
infer_truth (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* Numbers of another dtype, which may be told by its name; what its number means is not known. */
static gboolean
infer_cast (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_rule_get_dtype (rule, "out_data_type", SYM_DTYPE_UNKNOWN), error);
}

/* Mean and variance are numbers beside the file, or operands of any shape that broadcasts. */
static gboolean
infer_batchnorm_single (SymRule *rule, GError **error)
{
  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (sym_rule_get_input (rule, i).rank < 0)
      return infer_same (rule, error);
  return infer_pair (rule, error);
}

/* ---- Tables ---- */

static const SymSlotSpec channel_slots[] = { { "input" },
                                             { "weight", SYM_SLOT_PARAMETER },
                                             { NULL } };

static const SymAttributeSpec window_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "ksize_h", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "ksize_w", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "zeros around: top, bottom, left, right" },
  { "pad_h", SYM_ATTRIBUTE_INT, "0", "zeros above and below" },
  { "pad_w", SYM_ATTRIBUTE_INT, "0", "zeros to the left and right" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "SAME: as many as places need" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "group_number", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "multiplier", SYM_ATTRIBUTE_INT, "1", "results of each channel" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "the shape of what is spread" },
  { NULL },
};

static const SymAttributeSpec block_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of a block" },
  { NULL },
};

static const SymAttributeSpec reorg_attributes[] = {
  { "stride", SYM_ATTRIBUTE_INT, "None", "rows and columns of a block" },
  { NULL },
};

static const SymAttributeSpec region_attributes[] = {
  { "pooled_h", SYM_ATTRIBUTE_INT, "1", "rows of a result" },
  { "pooled_w", SYM_ATTRIBUTE_INT, "1", "columns of a result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "what regions are multiplied by" },
  { NULL },
};

static const SymAttributeSpec unpool_attributes[] = {
  { "upsample_h", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "upsample_w", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "scale", SYM_ATTRIBUTE_INT, "0", "how many times the places, where neither is told" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "out_data_type", SYM_ATTRIBUTE_ANY, "None", "of the result" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "features of the result" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "the first axis of the features" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { NULL },
};

#define RULE(name_, aliases_, summary_, category_, slots_, attributes_, infer_)                \
  {                                                                                            \
    ACUITY (name_, aliases_, summary_, category_), .slots = slots_, .attributes = attributes_, \
                                                   .get_n_operands = sym_op_foreign_any,       \
                                                   .infer = infer_                             \
  }
const SymOperator sym_op_acuity[] = {
  RULE ("convolution",
        NULL,
        "Slides filters over images",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        infer_conv),
  RULE ("depthwise_convolution",
        NULL,
        "Slides filters over each channel",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        infer_depthwise),
  RULE ("deconvolution",
        NULL,
        "Spreads each element over a window",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        infer_transpose_conv),
  RULE ("pooling",
        "l2pooling",
        "One number of each window",
        POOLING,
        sym_op_foreign_one,
        window_attributes,
        infer_pool),
  { ACUITY ("poolwithargmax", NULL, "The greatest number of each window, and its place", POOLING),
    .slots = sym_op_foreign_one, .attributes = window_attributes,
    .get_n_outputs = sym_op_foreign_first, .infer = infer_pool_indices },
  RULE ("roipooling",
        NULL,
        "One number of each window of a region",
        POOLING,
        sym_op_foreign_many,
        region_attributes,
        infer_regions),
  RULE ("upsample",
        NULL,
        "Numbers back at the places that a pool found them at",
        SHAPE,
        sym_op_foreign_many,
        unpool_attributes,
        infer_unpool),
  RULE ("upsampling",
        "image_resize resizebilinear_image resizenearest_image",
        "Images of another size",
        SHAPE,
        sym_op_foreign_one,
        window_attributes,
        infer_resize),
  RULE ("depth2space",
        NULL,
        "Channels become places",
        SHAPE,
        sym_op_foreign_one,
        block_attributes,
        infer_depth_to_space),
  RULE ("space2depth",
        NULL,
        "Places become channels",
        SHAPE,
        sym_op_foreign_one,
        block_attributes,
        infer_space_to_depth),
  RULE ("reorg",
        NULL,
        "Places become channels, as in Darknet",
        SHAPE,
        sym_op_foreign_one,
        reorg_attributes,
        infer_reorg),
  RULE ("fullconnect",
        NULL,
        "Fully connected layer",
        WEIGHTS,
        sym_op_engine_weighted,
        dense_attributes,
        infer_dense),
  RULE ("batchnormalize",
        "a_times_b_plus_c prelu",
        "Each channel by numbers of its own",
        NORMALIZATION,
        channel_slots,
        NULL,
        infer_same),
  RULE ("batchnorm_single",
        NULL,
        "Each element by its mean and variance",
        NORMALIZATION,
        sym_op_foreign_many,
        NULL,
        infer_batchnorm_single),
  RULE ("relu",
        "relu_keras relun leakyrelu sigmoid hard_sigmoid tanh elu selu celu swish hard_swish mish "
        "gelu softrelu inverse_sigmoid softmax log_softmax",
        "An activation",
        ACTIVATION,
        sym_op_foreign_one,
        NULL,
        infer_same),
  RULE ("abs",
        "ceil clipbyvalue cos cumsum erf exp floor log neg noop round rsqrt sign sin sqrt square "
        "tan atan atanh acosh logical_not quantize dequantize reverse mat_inverse "
        "minimum_with_clip squashing zeros_like activity_regularization",
        "A function of each element",
        ELEMENTWISE,
        sym_op_foreign_one,
        NULL,
        infer_same),
  RULE ("cast",
        "dtype_converter",
        "Another dtype",
        SHAPE,
        sym_op_foreign_one,
        cast_attributes,
        infer_cast),
  RULE ("dropout",
        "dropout2 alpha_dropout LocalResponseNormalization localresponsenormalization l2normalize "
        "LocalResponseNormalization_tf localresponsenormalization_tf l2normalizescale "
        "layernormalize instancenormalize groupnormalize rmsnormalize l1_layernormalize "
        "norm_with_channel_mean norm_with_min_max norm_with_scale",
        "Numbers of the shape of the data",
        NORMALIZATION,
        sym_op_foreign_one,
        NULL,
        infer_same),
  RULE ("add",
        "addn subtract multiply divide real_div floor_div floor_mod minimum maximum pow eltwise "
        "squared_difference average mod atan2 bitwise_and bitwise_or bitwise_xor Subtract Divide",
        "Arithmetic of tensors",
        ELEMENTWISE,
        sym_op_foreign_many,
        NULL,
        infer_pair),
  RULE ("equal",
        "not_equal greater greater_equal less less_equal logical_and logical_or logical_xor",
        "Comparison of tensors",
        ELEMENTWISE,
        sym_op_foreign_many,
        NULL,
        infer_truth),
  { NULL },
};
