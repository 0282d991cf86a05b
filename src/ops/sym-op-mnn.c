/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* MNN's operators by their names in its schema (MNN 1 to 3), with the members of `common` among the
 * attributes.  Images have their channels behind the batch.  What flatc leaves out is 0, or the
 * schema's default. */

#define MNN(name_, aliases_, summary_, category_) \
  SYM_OP_FOREIGN ("mnn", name_, aliases_, summary_, category_), .reference = "MNN 3.0 " name_

/* ---- Windows ---- */

static gboolean
has_mode (SymRule *rule, const char *name, const char *mode)
{
  return g_strcmp0 (sym_rule_get_string (rule, name, NULL), mode) == 0;
}

/* top, left, bottom, right; or one number for both sides of an axis. */
static gboolean
read_margins (SymRule *rule, SymOpEngineWindow *window, GError **error)
{
  gint64 given[4];
  int n = sym_rule_get_ints (rule, "pads", given, 4);

  if (!sym_op_engine_read (rule, "padY", 0, 0, &window->before[0], error) ||
      !sym_op_engine_read (rule, "padX", 0, 0, &window->before[1], error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      window->after[i] = window->before[i];
      if (n != 4)
        continue;
      if (MIN (given[i], given[2 + i]) < 0 || MAX (given[i], given[2 + i]) > G_MAXINT32)
        return sym_rule_fail (error, "pads make no sense");
      window->before[i] = given[i];
      window->after[i] = given[2 + i];
    }
  return TRUE;
}

/* Readers tell where channels are last. */
static gboolean
is_last (SymRule *rule)
{
  return has_mode (rule, "layout", "NHWC");
}

static gboolean
read_window (SymRule *rule, const char *mode, SymOpEngineWindow *window, GError **error)
{
  static const char *const names[2][3] = { { "kernelY", "strideY", "dilateY" },
                                           { "kernelX", "strideX", "dilateX" } };

  *window = (SymOpEngineWindow){ .channels_last = is_last (rule),
                                 .is_same = has_mode (rule, mode, "SAME") };
  for (int i = 0; i < 2; i++)
    if (!sym_op_engine_read (rule, names[i][0], 1, 1, &window->kernel[i], error) ||
        !sym_op_engine_read (rule, names[i][1], 1, 1, &window->stride[i], error) ||
        !sym_op_engine_read (rule, names[i][2], 1, 1, &window->dilation[i], error))
      return FALSE;
  return has_mode (rule, mode, "VALID") || window->is_same || read_margins (rule, window, error);
}

/* Whether it has a filter for each channel alone. */
static gboolean
is_depthwise (SymRule *rule)
{
  return g_str_has_suffix (sym_rule_get_type (rule), "Depthwise");
}

/* weight [out, in / groups, h, w]; that of a transposed one [in, out / groups, h, w]. */
static gboolean
set_weights (SymRule *rule,
             const SymOpEngineWindow *window,
             SymDim out,
             gboolean transposed,
             GError **error)
{
  SymDim in = sym_op_engine_get_channels (rule, is_last (rule));
  SymDim first = transposed ? in : out, second = transposed ? out : in;
  gint64 groups;

  if (!sym_op_engine_read (rule, "group", 1, 0, &groups, error))
    return FALSE;
  if (is_depthwise (rule))
    second = 1;
  else if (groups > 1)
    second = second >= 0 && second % groups == 0 ? second / groups : SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (first, second, window->kernel[0], window->kernel[1]),
                           error) &&
         (out < 0 || sym_op_set_input (rule, 2, SYM_SHAPE (out), error));
}

static SymDim
get_count (SymRule *rule)
{
  gint64 n = sym_rule_get_int (rule, "outputCount", 0);

  return n > 0 && n <= G_MAXINT32 ? n
         : is_depthwise (rule)    ? sym_op_engine_get_channels (rule, is_last (rule))
                                  : SYM_DIM_UNKNOWN;
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymDim channels = get_count (rule);
  SymOpEngineWindow window;
  SymShape data = sym_rule_get_input (rule, 0), out;

  if (!read_window (rule, "padMode", &window, error) ||
      !set_weights (rule, &window, channels, FALSE, error))
    return FALSE;
  if (channels != SYM_DIM_UNKNOWN || data.rank < 0)
    return sym_op_engine_slide (rule, &window, channels, error);
  out = SYM_SHAPE (data.dims[0], SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN);
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_conv_transpose (SymRule *rule, GError **error)
{
  const gint64 none[2] = { 0, 0 };
  gint64 extra[2];
  int n = sym_rule_get_ints (rule, "outPads", extra, 2);
  SymOpEngineWindow window;

  return read_window (rule, "padMode", &window, error) &&
         set_weights (rule, &window, get_count (rule), TRUE, error) &&
         sym_op_engine_unslide (rule, &window, n == 2 ? extra : none, get_count (rule), error);
}

/* Windows are no larger than what they slide over. */
static void
shrink (const SymShape *data, SymOpEngineWindow *window)
{
  for (int i = 0; i < 2; i++)
    {
      SymDim size =
          data->rank != 4 ? SYM_DIM_UNKNOWN : data->dims[(window->channels_last ? 1 : 2) + i];

      if (size >= 0)
        window->kernel[i] =
            CLAMP (size + window->before[i] + window->after[i], 1, window->kernel[i]);
    }
}

/* Where the greatest ones were, which a second result tells. */
static gboolean
set_places (SymRule *rule, GError **error)
{
  SymShape out = sym_rule_get_output (rule, 0);

  return sym_rule_get_n_outputs (rule) < 2 ||
         (sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_INT32, error) &&
          (out.rank < 0 || sym_rule_set_output (rule, 1, &out, error)));
}

/* A last, partly filled place counts unless ceilModel says otherwise. */
static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymOpEngineWindow window;

  if (sym_rule_get_bool (rule, "isGlobal", FALSE))
    {
      int first = is_last (rule) ? 1 : 2;

      data.dims[first] = data.dims[first + 1] = 1;
      return sym_op_pass_dtype (rule, 0, 0, error) &&
             (data.rank != 4 || sym_rule_set_output (rule, 0, &data, error)) &&
             set_places (rule, error);
    }
  if (!read_window (rule, "padType", &window, error))
    return FALSE;
  if (!window.is_same)
    shrink (&data, &window);
  window.up = !has_mode (rule, "padType", "VALID") && sym_rule_get_bool (rule, "ceilModel", TRUE);
  return sym_op_engine_slide (rule, &window, SYM_DIM_UNKNOWN, error) && set_places (rule, error);
}

/* Sizes are cut off. */
static SymDim
scale_size (SymDim size, double scale)
{
  double made = (double) size * scale;

  return size >= 0 && made >= 1 && made <= G_MAXINT32 ? (gint64) made : SYM_DIM_UNKNOWN;
}

/* Sizes of all axes, or of rows and columns. */
static gboolean
set_size (SymRule *rule, SymShape *data, const gint64 *sizes, int n, GError **error)
{
  int first = n == data->rank ? 0 : is_last (rule) ? 1 : 2;

  if (n != data->rank && n != 2)
    return sym_rule_fail (error, "size has %d numbers", n);
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] < 1 || sizes[i] > G_MAXINT32)
        return sym_rule_fail (error, "size makes no sense");
      data->dims[first + i] = sizes[i];
    }
  return sym_rule_set_output (rule, 0, data, error);
}

/* To a size, or by a scale. */
static gboolean
infer_resize (SymRule *rule, GError **error)
{
  static const char *const names[3][2] = { { "outputDepth", "depthScale" },
                                           { "outputHeight", "heightScale" },
                                           { "outputWidth", "widthScale" } };
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "size", sizes, SYM_MAX_RANK), n_axes = data.rank - 2;
  gboolean is_by_scale = FALSE;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if ((data.rank != 4 && data.rank != 5) || n > SYM_MAX_RANK)
    return TRUE;
  if (n >= 0)
    return set_size (rule, &data, sizes, n, error);
  if (sym_rule_has_input (rule, 1))
    return TRUE;
  for (int i = 0; i < n_axes; i++)
    is_by_scale = is_by_scale || sym_rule_get_int (rule, names[3 - n_axes + i][0], 0) == 0;
  for (int i = 0; i < n_axes; i++)
    {
      const char *const *name = names[3 - n_axes + i];
      SymDim *dim = &data.dims[(is_last (rule) ? 1 : 2) + i];
      gint64 size = sym_rule_get_int (rule, name[0], 0);

      *dim = is_by_scale ? scale_size (*dim, sym_rule_get_float (rule, name[1], 0))
                         : CLAMP (size, 1, G_MAXINT32);
    }
  return sym_rule_set_output (rule, 0, &data, error);
}

static gboolean
infer_scale (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4)
    return sym_op_pass_dtype (rule, 0, 0, error);
  data.dims[2] = scale_size (data.dims[2], sym_rule_get_float (rule, "yScale", 0));
  data.dims[3] = scale_size (data.dims[3], sym_rule_get_float (rule, "xScale", 0));
  return sym_rule_set_output (rule, 0, &data, error);
}

/* ---- Other weights ---- */

/* weight [out, in]; all axes from `axis` on are one. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim in, out = get_count (rule);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank < 2)
    return sym_op_pass_dtype (rule, 0, 0, error);
  in = sym_terms_product (sym_rule_get_terms (rule), data.dims + 1, data.rank - 1);
  return sym_op_set_input (rule, 1, SYM_SHAPE (out, in), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (data.dims[0], out), SYM_DTYPE_UNKNOWN, error);
}

/* Numbers for each channel. */
static gboolean
infer_channels (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass (rule, 0, 0, error) || data.rank < 2)
    return sym_op_pass (rule, 0, 0, error);
  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (data.dims[1]), error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* Channels from behind the places to before them, or back; other layouts differ in memory alone. */
static gboolean
infer_convert (SymRule *rule, GError **error)
{
  gboolean from = has_mode (rule, "source", "NHWC"), to = has_mode (rule, "dest", "NHWC");
  SymShape data = sym_rule_get_input (rule, 0), out = data;

  if (from == to || data.rank < 3)
    return from == to ? sym_op_pass (rule, 0, 0, error) : sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 1; i < data.rank; i++)
    out.dims[from ? (i == data.rank - 1 ? 1 : i + 1) : (i == 1 ? data.rank - 1 : i - 1)] =
        data.dims[i];
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &out, error);
}

/* Comparisons make integers. */
static gboolean
compares (SymRule *rule)
{
  static const gint64 numbers[] = { 10, 11, 12, 15, 16, 22 };
  static const char *const names[] = { "GREATER",    "GREATER_EQUAL", "LESS", "EQUAL",
                                       "LESS_EQUAL", "NOTEQUAL",      NULL };
  const char *name = sym_rule_get_string (rule, "opType", NULL);
  gint64 operation = sym_rule_get_int (rule, "opType", 0);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i] == operation)
      return TRUE;
  return name != NULL && g_strv_contains (names, name);
}

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  if (!sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error))
    return FALSE;
  return compares (rule) ? sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error)
                         : sym_op_pass_dtype (rule, 0, 0, error);
}

/* ---- Tables ---- */

static const SymSlotSpec channel_slots[] = { { "input" },
                                             { "weight", SYM_SLOT_PARAMETER },
                                             { NULL } };

static const SymSlotSpec size_slots[] = { { "input" }, { "size", SYM_SLOT_DATA, TRUE }, { NULL } };

static const SymAttributeSpec size_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of the result, or sizes of all axes" },
  { "outputHeight", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "outputWidth", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "heightScale", SYM_ATTRIBUTE_FLOAT, "0.0", "the factor of rows, where there is no size" },
  { "widthScale", SYM_ATTRIBUTE_FLOAT, "0.0", "the factor of columns, where there is no size" },
  { NULL },
};

static const SymAttributeSpec window_attributes[] = {
  { "outputCount", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "inputCount", SYM_ATTRIBUTE_INT, "0", "channels of the data" },
  { "kernelX", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "kernelY", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "strideX", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "strideY", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "dilateX", SYM_ATTRIBUTE_INT, "1", "distance of the columns in a window" },
  { "dilateY", SYM_ATTRIBUTE_INT, "1", "distance of the rows in a window" },
  { "padX", SYM_ATTRIBUTE_INT, "0", "zeros to the left and right" },
  { "padY", SYM_ATTRIBUTE_INT, "0", "zeros above and below" },
  { "pads", SYM_ATTRIBUTE_INTS, "None", "zeros around: top, left, bottom, right" },
  { "padMode", SYM_ATTRIBUTE_STRING, "CAFFE", "what says how many zeros there are" },
  { "padType", SYM_ATTRIBUTE_STRING, "CAFFE", "the same, of pooling" },
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NHWC where channels are last" },
  { "ceilModel", SYM_ATTRIBUTE_BOOL, "True", "whether a last, partly filled place counts" },
  { "isGlobal", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole image" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "outputCount", SYM_ATTRIBUTE_INT, "0", "features of the result" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "the first axis of the features" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

#define RULE(name_, aliases_, summary_, category_, slots_, attributes_, infer_)           \
  {                                                                                       \
    MNN (name_, aliases_, summary_, category_),                                           \
        .slots = slots_, .attributes = attributes_, .get_n_operands = sym_op_foreign_any, \
        .get_n_outputs = sym_op_foreign_first, .infer = infer_                            \
  }
const SymOperator sym_op_mnn[] = {
  RULE ("Convolution",
        "ConvolutionDepthwise ConvInt8 DepthwiseConvInt8",
        "Slides filters over images",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        infer_conv),
  RULE ("Deconvolution",
        "DeconvolutionDepthwise",
        "Spreads each element over a window",
        WEIGHTS,
        sym_op_engine_weighted,
        window_attributes,
        infer_conv_transpose),
  RULE ("Pooling",
        "PoolInt8",
        "One number of each window",
        POOLING,
        sym_op_foreign_one,
        window_attributes,
        infer_pool),
  RULE ("Interp",
        "Interp3D",
        "Images of another size",
        SHAPE,
        size_slots,
        size_attributes,
        infer_resize),
  RULE ("Resize", NULL, "Images by a factor", SHAPE, sym_op_foreign_one, NULL, infer_scale),
  RULE ("ConvertTensor",
        NULL,
        "Axes in another order",
        SHAPE,
        sym_op_foreign_one,
        NULL,
        infer_convert),
  RULE ("InnerProduct",
        NULL,
        "Fully connected layer",
        WEIGHTS,
        sym_op_engine_weighted,
        dense_attributes,
        infer_dense),
  RULE ("BatchNorm",
        "Scale",
        "Each channel by numbers of its own",
        NORMALIZATION,
        channel_slots,
        NULL,
        infer_channels),
  RULE ("ReLU",
        "ReLU6 ELU Selu TanH Sigmoid PReLU Bnll Threshold",
        "An activation",
        ACTIVATION,
        sym_op_foreign_one,
        NULL,
        infer_same),
  RULE ("UnaryOp",
        "AbsVal Exp Log Power MatrixBandPart ReverseSequence CumProd EyeLike",
        "A function of each element",
        ELEMENTWISE,
        sym_op_foreign_one,
        NULL,
        infer_same),
  RULE ("Softmax",
        "LRN Normalize InstanceNorm Dropout Identity FloatToInt8 Int8ToFloat LayerNorm ZerosLike "
        "Reverse CumSum MVN GroupNorm RoPE Attention",
        "Numbers of the shape of the data",
        ACTIVATION,
        sym_op_foreign_one,
        axis_attributes,
        infer_same),
  RULE ("BinaryOp",
        "Eltwise EltwiseInt8",
        "Arithmetic of tensors",
        ELEMENTWISE,
        sym_op_foreign_many,
        NULL,
        infer_pair),
  { NULL },
};
