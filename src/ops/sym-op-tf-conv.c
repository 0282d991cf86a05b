/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf-window.h"

#include <string.h>

/* Convolutions.  Kernels lie as [window..., in, out], those of each channel as
 * [window..., channels, results of each]. */

static int
count_axes (const char *type)
{
  return strstr (type, "3D") != NULL ? 3 : strstr (type, "1D") != NULL ? 1 : 2;
}

static gboolean
is_depthwise (const char *type)
{
  return strstr (type, "Depthwise") != NULL;
}

/* ---- Rules ---- */

/* The window's sizes from the kernel, as far as they are known. */
static gboolean
read_kernel (SymOpTfWindow *window, const SymShape *kernel, GError **error)
{
  for (int i = 0; i < window->n; i++)
    window->kernel[i] = kernel->rank < 0 ? SYM_DIM_UNKNOWN : kernel->dims[i];
  if (kernel->rank >= 0 && kernel->rank != window->n + 2)
    return sym_rule_fail (error, "the kernel has %d axes, not %d", kernel->rank, window->n + 2);
  for (int i = 0; i < window->n; i++)
    if (window->kernel[i] == 0 || window->kernel[i] > G_MAXINT32)
      return sym_rule_fail (error, "a kernel of size %" G_GINT64_FORMAT " makes no sense",
                            window->kernel[i]);
  return TRUE;
}

static gboolean
fail_channels (SymRule *rule, const SymShape *shape, const SymShape *kernel, GError **error)
{
  g_autofree char *left = sym_rule_format_shape (rule, shape);
  g_autofree char *right = sym_rule_format_shape (rule, kernel);

  return sym_rule_fail (error, "a kernel of %s does not fit to the channels of %s", right, left);
}

/* The channels of the result.  A kernel may have fewer than the data: it is for groups then. */
static gboolean
find_channels (SymRule *rule,
               const SymOpTfWindow *window,
               const SymShape *shape,
               const SymShape *kernel,
               SymDim *channels,
               GError **error)
{
  SymDim given =
      shape->rank < 0 ? SYM_DIM_UNKNOWN : shape->dims[sym_op_tf_window_channels (window)];
  SymDim taken;

  *channels = SYM_DIM_UNKNOWN;
  if (kernel->rank < 0)
    return TRUE;
  taken = kernel->dims[window->n];
  *channels = kernel->dims[window->n + 1];
  if (is_depthwise (sym_rule_get_type (rule)))
    {
      *channels = sym_terms_multiply (sym_rule_get_terms (rule), taken, *channels);
      return given == SYM_DIM_UNKNOWN ||
             sym_rule_unify (rule, given, taken, "channels of the kernel", NULL) ||
             fail_channels (rule, shape, kernel, error);
    }
  if (given >= 0 && taken >= 0)
    return (taken > 0 && given % taken == 0) || fail_channels (rule, shape, kernel, error);
  return given == SYM_DIM_UNKNOWN ||
         sym_rule_unify (rule, given, taken, "channels of the kernel", error);
}

static gboolean
infer_convolution (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), kernel = sym_rule_get_input (rule, 1);
  SymShape result = shape;
  SymOpTfWindow window;
  SymDim channels;

  if (!sym_op_tf_window_read (&window, sym_rule_get_attributes (rule),
                              count_axes (sym_rule_get_type (rule)), error) ||
      !read_kernel (&window, &kernel, error) || !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (shape.rank < 0)
    result = shape = sym_shape_new_unknown (window.n + 2);
  if (shape.rank != window.n + 2)
    return sym_rule_fail (error, "the data has %d axes, not %d", shape.rank, window.n + 2);
  if (!find_channels (rule, &window, &shape, &kernel, &channels, error))
    return FALSE;
  result.dims[sym_op_tf_window_channels (&window)] = channels;
  for (int i = 0; i < window.n; i++)
    {
      int axis = sym_op_tf_window_axis (&window, i);

      if (shape.dims[axis] == SYM_DIM_UNKNOWN)
        result.dims[axis] = SYM_DIM_UNKNOWN;
      else if (!sym_op_tf_window_slide (&window, rule, i, shape.dims[axis], &result.dims[axis],
                                        error))
        return FALSE;
    }
  return sym_rule_set_output (rule, 0, &result, error);
}

/* Operand 0 has the sizes of the result; the batch is that of the data where it does not say. */
static gboolean
infer_transposed (SymRule *rule, GError **error)
{
  SymShape kernel = sym_rule_get_input (rule, 1), data = sym_rule_get_input (rule, 2), result;
  int n = count_axes (sym_rule_get_type (rule)), open;
  SymOpTfWindow window;

  if (!sym_op_tf_window_read (&window, sym_rule_get_attributes (rule), n, error) ||
      !read_kernel (&window, &kernel, error) || !sym_op_pass_dtype (rule, 2, 0, error) ||
      !sym_op_tf_get_sizes (rule, 0, &result, &open, error))
    return FALSE;
  if (result.rank < 0)
    result = sym_shape_new_unknown (n + 2);
  if (result.rank != n + 2)
    return sym_rule_fail (error, "%d sizes are given; there must be %d", result.rank, n + 2);
  if (data.rank == n + 2 && result.dims[0] == SYM_DIM_UNKNOWN)
    result.dims[0] = data.dims[0];
  if (kernel.rank == n + 2 && result.dims[sym_op_tf_window_channels (&window)] == SYM_DIM_UNKNOWN)
    result.dims[sym_op_tf_window_channels (&window)] = kernel.dims[n];
  return sym_rule_set_output (rule, 0, &result, error);
}

/* ---- In ONNX's layers ---- */

/* [window..., in, out] to [out, in, window...]; of each channel, [window..., in, out] to
 * [in * out, 1, window...]. */
static SymId
turn_kernel (SymOpLower *self, const SymOpTfWindow *window, gboolean per_channel)
{
  SymId kernel = sym_op_lower_input (self, 1);
  gint64 axes[5] = { window->n + 1, window->n };
  gint64 sizes[5] = { -1, 1 };

  for (int i = 0; i < window->n; i++)
    axes[i + 2] = i;
  if (!per_channel)
    return sym_op_lower_permute (self, kernel, axes, window->n + 2);
  axes[0] = window->n;
  axes[1] = window->n + 1;
  for (int i = 0; i < window->n; i++)
    sizes[i + 2] = window->kernel[i];
  return sym_op_lower_call (self, "Reshape",
                            SYM_IDS (sym_op_lower_permute (self, kernel, axes, window->n + 2),
                                     sym_op_lower_ints (self, sizes, window->n + 2)),
                            NULL);
}

/* Data, kernel and window of the call; FALSE, and an error of the body, when they do not fit. */
static gboolean
read_call (SymOpLower *self, guint data, SymOpTfWindow *window)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  int n = count_axes (sym_op_lower_get_type (self));
  g_autoptr (GError) error = NULL;

  if (!sym_op_lower_need_tensor (self, data) || !sym_op_lower_need_tensor (self, 1))
    return FALSE;
  if (sym_op_lower_get_input_shape (self, data)->rank != n + 2 ||
      sym_op_lower_get_input_shape (self, 1)->rank != n + 2)
    sym_op_lower_fail (self, "%s: data and kernel must have %d axes", sym_op_lower_get_type (self),
                       n + 2);
  else if (!sym_op_tf_window_read (window, attributes, n, &error) ||
           !read_kernel (window, sym_op_lower_get_input_shape (self, 1), &error))
    sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self), error->message);
  return !sym_op_lower_has_failed (self);
}

/* A bias that is fused is the convolution's own. */
static gboolean
takes_bias (SymOpLower *self)
{
  const char *name =
      sym_op_tf_get_fused (sym_layer_get_attributes (sym_op_lower_get_layer (self)), 0);

  return g_strcmp0 (name, "BiasAdd") == 0 && sym_op_lower_get_input_shape (self, 2)->rank == 1;
}

static void
lower_convolution (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  const SymShape *kernel = sym_op_lower_get_input_shape (self, 1);
  gboolean per_channel = is_depthwise (sym_op_lower_get_type (self)), has_bias;
  gint64 channels, taken;
  SymOpTfWindow window;
  SymId x;

  if (!read_call (self, 0, &window))
    return;
  has_bias = takes_bias (self);
  channels = shape->dims[sym_op_tf_window_channels (&window)];
  taken = kernel->dims[window.n];
  if (taken < 1 || (per_channel ? channels != taken : channels % taken != 0))
    {
      sym_op_lower_fail (self, "%s: the kernel does not fit to the channels of the data",
                         sym_op_lower_get_type (self));
      return;
    }
  x = sym_op_tf_window_enter (&window, self, sym_op_lower_input (self, 0));
  x = sym_op_lower_call (self, "Conv",
                         SYM_IDS (x, turn_kernel (self, &window, per_channel),
                                  has_bias ? sym_op_lower_input (self, 2) : SYM_NO_ID),
                         "group", sym_value_new_int (per_channel ? channels : channels / taken),
                         "strides", sym_op_lower_list (window.stride, window.n), "dilations",
                         sym_op_lower_list (window.dilation, window.n), "pads",
                         sym_op_tf_window_list_pads (&window, shape), NULL);
  x = sym_op_tf_window_leave (&window, self, x);
  sym_op_lower_set_output (self, 0,
                           sym_op_tf_fuse (self, x, has_bias ? 3 : 2, has_bias ? 1 : 0,
                                           window.channels_first ? window.n + 2 : 0));
}

/* What the convolution from the result to the data adds around is cut off here. */
static void
lower_transposed (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 2);
  gint64 sizes[SYM_MAX_RANK], pads[6], more[3];
  SymOpTfWindow window;
  SymShape result;
  SymId x;

  if (!read_call (self, 2, &window) || sym_op_lower_read_ints (self, 0, sizes, SYM_MAX_RANK) < 0 ||
      !sym_op_tf_need_shape (self, 0, &result))
    return;
  for (int i = 0; i < window.n; i++)
    {
      int axis = sym_op_tf_window_axis (&window, i);
      gint64 reach = (window.kernel[i] - 1) * window.dilation[i] + 1;

      sym_op_tf_window_pads (&window, i, result.dims[axis], &pads[i], &pads[i + window.n]);
      more[i] = result.dims[axis] + pads[i] + pads[i + window.n] -
                ((data->dims[axis] - 1) * window.stride[i] + reach);
      if (more[i] < 0 || more[i] >= window.stride[i])
        sym_op_lower_fail (self,
                           "%s: size %" G_GINT64_FORMAT " is not what %" G_GINT64_FORMAT
                           " places of the window make",
                           sym_op_lower_get_type (self), result.dims[axis], data->dims[axis]);
    }
  x = sym_op_tf_window_enter (&window, self, sym_op_lower_input (self, 2));
  x = sym_op_lower_call (self, "ConvTranspose", SYM_IDS (x, turn_kernel (self, &window, FALSE)),
                         "strides", sym_op_lower_list (window.stride, window.n), "dilations",
                         sym_op_lower_list (window.dilation, window.n), "pads",
                         sym_op_lower_list (pads, 2 * window.n), "output_padding",
                         sym_op_lower_list (more, window.n), NULL);
  sym_op_lower_set_output (self, 0, sym_op_tf_window_leave (&window, self, x));
}

/* ---- Tables ---- */

#define WINDOW                                                                                     \
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window along every axis of the data" },       \
      { "padding", SYM_ATTRIBUTE_STRING, "VALID", "what is added around", "VALID SAME EXPLICIT" }, \
      { "explicit_paddings", SYM_ATTRIBUTE_INTS, "[]", "before and after every axis" },            \
      { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },          \
  {                                                                                                \
    "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are",                         \
        "NHWC NCHW NDHWC NCDHW NWC NCW"                                                            \
  }

static const SymAttributeSpec plain_attributes[] = { WINDOW, { NULL } };

static const SymAttributeSpec line_attributes[] = {
  WINDOW,
  { "stride", SYM_ATTRIBUTE_INTS, "1", "step of the window, where there are no strides" },
  { "dilation", SYM_ATTRIBUTE_INTS, "1",
    "distance between elements, where there are no dilations" },
  { NULL },
};

static const SymAttributeSpec fused_attributes[] = {
  WINDOW,
  { "num_args", SYM_ATTRIBUTE_INT, "0", "number of further operands" },
  { "fused_ops", SYM_ATTRIBUTE_ANY, "[]", "what is done with the result" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0001", "what is added to a fused variance" },
  { "leakyrelu_alpha", SYM_ATTRIBUTE_FLOAT, "0.2", "slope of what is negative" },
  { NULL },
};

static const SymSlotSpec plain_slots[] = { { "input" },
                                           { "filter", SYM_SLOT_PARAMETER },
                                           { NULL } };

static const SymSlotSpec fused_slots[] = {
  { "input" },
  { "filter", SYM_SLOT_PARAMETER },
  { "args", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec transposed_slots[] = {
  { "input_sizes" },
  { "filter", SYM_SLOT_PARAMETER },
  { "out_backprop" },
  { NULL },
};

#define CONVOLUTION(name_, attributes_, summary_)                             \
  {                                                                           \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_WEIGHTS, \
                       .attributes = attributes_, .slots = plain_slots,       \
                       .infer = infer_convolution, .lower = lower_convolution \
  }
#define FUSED(name_, summary_)                                                             \
  {                                                                                        \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_WEIGHTS,              \
                       .attributes = fused_attributes, .slots = fused_slots,               \
                       .get_n_operands = sym_op_tf_any_number, .infer = infer_convolution, \
                       .lower = lower_convolution, .is_composite = TRUE                    \
  }
#define TRANSPOSED(name_, aliases_, summary_)                                                      \
  {                                                                                                \
    SYM_OP_TF (name_), .aliases = aliases_, .summary = summary_, .category = SYM_CATEGORY_WEIGHTS, \
                       .attributes = plain_attributes, .slots = transposed_slots,                  \
                       .infer = infer_transposed, .lower = lower_transposed                        \
  }

const SymOperator sym_op_tf_conv[] = {
  CONVOLUTION ("Conv1D", line_attributes, "convolution over one dimension"),
  CONVOLUTION ("Conv2D", plain_attributes, "convolution over images"),
  TRANSPOSED ("Conv2DBackpropInput", NULL, "transposed convolution to images of a given size"),
  CONVOLUTION ("Conv3D", plain_attributes, "convolution over volumes"),
  TRANSPOSED ("Conv3DBackpropInputV2",
              "Conv3DBackpropInput",
              "transposed convolution to volumes of a given size"),
  CONVOLUTION ("DepthwiseConv2d", plain_attributes, "convolution of each channel of images"),
  CONVOLUTION ("DepthwiseConv2dNative", plain_attributes, "convolution of each channel of images"),
  FUSED ("FusedDepthwiseConv2dNative", "convolution of each channel, and what follows"),
  FUSED ("_FusedConv2D", "convolution over images, and what follows"),
  FUSED ("_FusedDepthwiseConv2dNative", "convolution of each channel, and what follows"),
  { NULL },
};
