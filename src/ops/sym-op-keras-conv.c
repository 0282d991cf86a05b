/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

typedef enum { PLAIN, DEPTHWISE, SEPARABLE } Kind;

typedef struct {
  Kind kind;
  SymOpKerasWindow window;
  gint64 groups;     /* of a plain one */
  gint64 filters;    /* of the result; 0 where it goes by the data */
  gint64 multiplier; /* of the others: results of each channel */
} Convolution;

/* The last digit of the type: DepthwiseConv2D, AtrousConvolution1D. */
static int
count_axes (const char *type)
{
  for (const char *c = type; *c != '\0'; c++)
    if (c[0] >= '1' && c[0] <= '3' && c[1] == 'D')
      return *c - '0';
  return 2;
}

static gboolean
read_convolution (const SymAttributes *attributes,
                  const char *type,
                  Convolution *self,
                  GError **error)
{
  SymOpKerasWindow *window = &self->window;

  self->kind = strstr (type, "Separable") != NULL   ? SEPARABLE
               : strstr (type, "Depthwise") != NULL ? DEPTHWISE
                                                    : PLAIN;
  window->n = count_axes (type);
  window->channels_first = sym_op_keras_is_channels_first (attributes);
  window->padding = sym_op_keras_get_string (attributes, "padding", "valid");
  self->groups = sym_op_keras_get_int (attributes, "groups", 1);
  self->filters = sym_op_keras_get_int (attributes, "filters", 0);
  self->multiplier = sym_op_keras_get_int (attributes, "depth_multiplier", 1);
  if (self->groups < 1 || self->groups > G_MAXINT16 || self->multiplier < 1 ||
      self->multiplier > G_MAXINT16 || self->filters > G_MAXINT32 ||
      (self->kind != DEPTHWISE && self->filters < 1))
    return sym_rule_fail (error, "filters, groups and depth_multiplier must be at least 1");
  if (!sym_op_keras_get_ints (attributes, "kernel_size", window->n, 0, window->kernel, error) ||
      !sym_op_keras_get_ints (attributes, "strides", window->n, 1, window->stride, error) ||
      !sym_op_keras_get_ints (attributes, "dilation_rate", window->n, 1, window->dilation, error))
    return FALSE;
  for (int i = 0; i < window->n; i++)
    if (window->kernel[i] < 1 || window->stride[i] < 1 || window->dilation[i] < 1)
      return sym_rule_fail (error, "kernel_size, strides and dilation_rate must be at least 1");
  return TRUE;
}

static SymDim
divide (SymDim dim, gint64 by)
{
  return by == 1 ? dim : dim < 0 ? SYM_DIM_UNKNOWN : dim / by;
}

/* [window..., a, b] */
static SymShape
make_kernel (const SymOpKerasWindow *window, gboolean is_pointwise, SymDim a, SymDim b)
{
  SymShape shape = { .rank = window->n + 2 };

  for (int i = 0; i < window->n; i++)
    shape.dims[i] = is_pointwise ? 1 : window->kernel[i];
  shape.dims[window->n] = a;
  shape.dims[window->n + 1] = b;
  return shape;
}

static gboolean
set_weights (SymRule *rule, const Convolution *self, SymDim channels, SymDim *out, GError **error)
{
  SymDim wide = sym_terms_multiply (sym_rule_get_terms (rule), channels, self->multiplier);
  guint bias = self->kind == SEPARABLE ? 3 : 2;

  *out = self->kind == DEPTHWISE ? wide : self->filters;
  if (self->kind == PLAIN && channels >= 0 && channels % self->groups != 0)
    return sym_rule_fail (
        error, "%" G_GINT64_FORMAT " channels are not divisible into %" G_GINT64_FORMAT " groups",
        channels, self->groups);
  if (self->kind == PLAIN)
    {
      if (!sym_op_set_input (
              rule, 1,
              make_kernel (&self->window, FALSE, divide (channels, self->groups), self->filters),
              error))
        return FALSE;
    }
  else if (!sym_op_set_input (
               rule, 1, make_kernel (&self->window, FALSE, channels, self->multiplier), error))
    return FALSE;
  if (self->kind == SEPARABLE &&
      !sym_op_set_input (rule, 2, make_kernel (&self->window, TRUE, wide, self->filters), error))
    return FALSE;
  return sym_op_set_input (rule, bias, SYM_SHAPE (*out), error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim channels = SYM_DIM_UNKNOWN, out;
  Convolution self;
  gboolean known;

  if (!read_convolution (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.window.n + 2, &known, error))
    return FALSE;
  if (known)
    channels = shape.dims[sym_op_keras_window_channels (&self.window)];
  if (!set_weights (rule, &self, channels, &out, error))
    return FALSE;
  if (!known)
    return sym_op_keras_set (rule, SYM_SHAPE_UNKNOWN, error);
  shape.dims[sym_op_keras_window_channels (&self.window)] = out;
  for (int i = 0; i < self.window.n; i++)
    {
      int axis = sym_op_keras_window_axis (&self.window, i);

      if (!sym_op_keras_slide (rule, &self.window, i, shape.dims[axis], &shape.dims[axis], error))
        return FALSE;
    }
  return sym_op_keras_set (rule, shape, error);
}

/* ---- In ONNX's layers ---- */

/* [window..., in, out] to [out, in, window...]; of each channel, [window..., in, out] to
 * [in * out, 1, window...]. */
static SymId
turn_kernel (SymOpLower *self, const Convolution *convolution, SymId kernel, gboolean per_channel)
{
  int n = convolution->window.n;
  gint64 axes[5] = { n + 1, n };
  gint64 sizes[5] = { -1, 1 };

  for (int i = 0; i < n; i++)
    axes[i + 2] = i;
  if (!per_channel)
    return sym_op_lower_permute (self, kernel, axes, n + 2);
  axes[0] = n;
  axes[1] = n + 1;
  for (int i = 0; i < n; i++)
    sizes[i + 2] = convolution->window.kernel[i];
  return sym_op_lower_call (self, "Reshape",
                            SYM_IDS (sym_op_lower_permute (self, kernel, axes, n + 2),
                                     sym_op_lower_ints (self, sizes, n + 2)),
                            NULL);
}

static SymValue *
list_pads (SymOpLower *self, const SymOpKerasWindow *window)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 pads[6];

  for (int i = 0; i < window->n; i++)
    sym_op_keras_pads (window, i, shape->dims[sym_op_keras_window_axis (window, i)], &pads[i],
                       &pads[i + window->n]);
  return sym_op_lower_list (pads, 2 * window->n);
}

static void
lower (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_keras_input (self, 0), bias, inner;
  g_autoptr (GError) error = NULL;
  Convolution conv;
  gint64 groups;
  int n;

  if (!read_convolution (attributes, sym_op_lower_get_type (self), &conv, &error) ||
      shape->rank != conv.window.n + 2)
    {
      sym_op_lower_fail (self, "%s", error == NULL ? "the data has other axes" : error->message);
      return;
    }
  n = conv.window.n;
  bias = sym_op_keras_input (self, conv.kind == SEPARABLE ? 3 : 2);
  inner = conv.kind == SEPARABLE ? SYM_NO_ID : bias;
  groups =
      conv.kind == PLAIN ? conv.groups : shape->dims[sym_op_keras_window_channels (&conv.window)];
  if (!conv.window.channels_first)
    x = sym_op_keras_channels_first (self, x, n);
  x = sym_op_lower_call (
      self, "Conv",
      SYM_IDS (x, turn_kernel (self, &conv, sym_op_keras_input (self, 1), conv.kind != PLAIN),
               inner),
      "group", sym_value_new_int (groups), "strides", sym_op_lower_list (conv.window.stride, n),
      "dilations", sym_op_lower_list (conv.window.dilation, n), "pads",
      list_pads (self, &conv.window), NULL);
  if (conv.kind == SEPARABLE)
    x = sym_op_lower_call (
        self, "Conv",
        SYM_IDS (x, turn_kernel (self, &conv, sym_op_keras_input (self, 2), FALSE), bias), NULL);
  if (!conv.window.channels_first)
    x = sym_op_keras_channels_last (self, x, n);
  sym_op_lower_set_output (self, 0, sym_op_keras_activate (self, "activation", x));
}

/* ---- Tables ---- */

const SymSlotSpec sym_op_keras_weighted[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

const SymSlotSpec sym_op_keras_depthwise[] = {
  { "input" },
  { "depthwise_kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

const SymSlotSpec sym_op_keras_separable[] = {
  { "input" },
  { "depthwise_kernel", SYM_SLOT_PARAMETER },
  { "pointwise_kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, "None", "channels of the output" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "padding", SYM_ATTRIBUTE_STRING, "valid", "what is added around the data",
    "valid same causal full" },
  { "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are",
    "channels_first channels_last" },
  { "dilation_rate", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "depth_multiplier", SYM_ATTRIBUTE_INT, "1", "results of each channel" },
  { "activation", SYM_ATTRIBUTE_ANY, "None", "a function of the result" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

#define CONVOLUTION_AS(name_, aliases_, summary_, slots_, is_composite_)                     \
  {                                                                                          \
    SYM_OP_KERAS, .name = name_, .aliases = aliases_, .summary = summary_,                   \
                  .reference = "keras.layers." name_, .category = SYM_CATEGORY_WEIGHTS,      \
                  .attributes = attributes, .slots = slots_, .infer = infer, .lower = lower, \
                  .is_composite = is_composite_                                              \
  }
#define CONVOLUTION(name_, aliases_, summary_, slots_) \
  CONVOLUTION_AS (name_, aliases_, summary_, slots_, FALSE)
#define SEPARABLE(name_, aliases_, summary_) \
  CONVOLUTION_AS (name_, aliases_, summary_, sym_op_keras_separable, TRUE)

const SymOperator sym_op_keras_conv[] = {
  CONVOLUTION ("Conv1D",
               "Convolution1D AtrousConvolution1D",
               "Convolution over one dimension",
               sym_op_keras_weighted),
  CONVOLUTION ("Conv2D",
               "Convolution2D AtrousConvolution2D",
               "Convolution over images",
               sym_op_keras_weighted),
  CONVOLUTION ("Conv3D", "Convolution3D", "Convolution over volumes", sym_op_keras_weighted),
  CONVOLUTION ("DepthwiseConv1D",
               NULL,
               "Convolution of each channel over one dimension",
               sym_op_keras_depthwise),
  CONVOLUTION ("DepthwiseConv2D",
               "DepthwiseConvolution2D",
               "Convolution of each channel of images",
               sym_op_keras_depthwise),
  SEPARABLE ("SeparableConv1D",
             "SeparableConvolution1D",
             "Convolution of each channel, then across channels, over one dimension"),
  SEPARABLE ("SeparableConv2D",
             "SeparableConvolution2D",
             "Convolution of each channel, then across channels, of images"),
  { NULL },
};
