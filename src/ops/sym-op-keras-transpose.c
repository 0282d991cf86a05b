/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

typedef struct {
  SymOpKerasWindow window;
  gint64 filters;
  gint64 extra[3]; /* output_padding; -1: by the rule below */
} Transposed;

static gboolean
read_transposed (const SymAttributes *attributes,
                 const char *type,
                 Transposed *self,
                 GError **error)
{
  SymOpKerasWindow *window = &self->window;

  window->n = strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
  window->channels_first = sym_op_keras_is_channels_first (attributes);
  window->padding = sym_op_keras_get_string (attributes, "padding", "valid");
  self->filters = sym_op_keras_get_int (attributes, "filters", 0);
  if (self->filters < 1 || self->filters > G_MAXINT32)
    return sym_rule_fail (error, "filters must be at least 1");
  if (strcmp (window->padding, "valid") != 0 && strcmp (window->padding, "same") != 0)
    return sym_rule_fail (error, "padding “%s” is not known", window->padding);
  for (int i = 0; i < window->n; i++)
    self->extra[i] = -1;
  if (!sym_op_keras_get_ints (attributes, "kernel_size", window->n, 0, window->kernel, error) ||
      !sym_op_keras_get_ints (attributes, "strides", window->n, 1, window->stride, error) ||
      !sym_op_keras_get_ints (attributes, "dilation_rate", window->n, 1, window->dilation, error) ||
      (sym_op_keras_find (attributes, "output_padding") != NULL &&
       !sym_op_keras_get_ints (attributes, "output_padding", window->n, 0, self->extra, error)))
    return FALSE;
  for (int i = 0; i < window->n; i++)
    if (window->kernel[i] < 1 || window->stride[i] < 1 || window->dilation[i] < 1)
      return sym_rule_fail (error, "kernel_size, strides and dilation_rate must be at least 1");
  return TRUE;
}

/* keras.utils deconv_output_length(): what is added to stride * size. */
static gint64
get_growth (const Transposed *self, int i)
{
  gint64 kernel = (self->window.kernel[i] - 1) * self->window.dilation[i] + 1;
  gint64 stride = self->window.stride[i];

  if (strcmp (self->window.padding, "same") == 0)
    return self->extra[i] < 0 ? 0 : kernel - stride - 2 * (kernel / 2) + self->extra[i];
  return self->extra[i] < 0 ? MAX (kernel - stride, 0) : kernel - stride + self->extra[i];
}

static SymShape
make_kernel (const Transposed *self, SymDim channels)
{
  SymShape shape = { .rank = self->window.n + 2 };

  for (int i = 0; i < self->window.n; i++)
    shape.dims[i] = self->window.kernel[i];
  shape.dims[self->window.n] = self->filters;
  shape.dims[self->window.n + 1] = channels;
  return shape;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape shape = sym_rule_get_input (rule, 0);
  Transposed self;
  gboolean known;
  int channels;

  if (!read_transposed (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &self, error) ||
      !sym_op_keras_check_rank (rule, self.window.n + 2, &known, error))
    return FALSE;
  channels = sym_op_keras_window_channels (&self.window);
  if (!sym_op_set_input (
          rule, 1, make_kernel (&self, known ? shape.dims[channels] : SYM_DIM_UNKNOWN), error) ||
      !sym_op_set_input (rule, 2, SYM_SHAPE (self.filters), error))
    return FALSE;
  if (known)
    shape.dims[channels] = self.filters;
  for (int i = 0; i < self.window.n && known; i++)
    {
      int axis = sym_op_keras_window_axis (&self.window, i);
      SymDim wide = sym_terms_multiply (terms, shape.dims[axis], self.window.stride[i]);
      gint64 growth = get_growth (&self, i);

      shape.dims[axis] = growth < 0 ? sym_terms_subtract (terms, wide, -growth)
                                    : sym_terms_add (terms, wide, growth);
    }
  return sym_op_keras_set (rule, shape, error);
}

/* ONNX's pads are what is cut off, its output padding what is added at the end. */
static void
get_pads (const Transposed *self, gint64 *pads, gint64 *extra)
{
  gboolean is_same = strcmp (self->window.padding, "same") == 0;

  for (int i = 0; i < self->window.n; i++)
    {
      gint64 reach = (self->window.kernel[i] - 1) * self->window.dilation[i] + 1;
      /* stride * (size - 1) + reach - cut = stride * size + growth */
      gint64 cut = reach - self->window.stride[i] - get_growth (self, i);

      extra[i] = MAX (-cut, 0);
      cut = MAX (cut, 0);
      pads[i] = is_same ? cut / 2 : 0;
      pads[i + self->window.n] = cut - pads[i];
    }
}

static void
lower (SymOpLower *self)
{
  SymId x = sym_op_keras_input (self, 0), kernel = sym_op_keras_input (self, 1);
  gint64 axes[5], pads[6], extra[3];
  g_autoptr (GError) error = NULL;
  Transposed read;
  int n;

  if (!read_transposed (sym_op_keras_attributes (self), sym_op_lower_get_type (self), &read,
                        &error))
    {
      sym_op_lower_fail (self, "%s", error->message);
      return;
    }
  n = read.window.n;
  get_pads (&read, pads, extra);
  if (!read.window.channels_first)
    x = sym_op_keras_channels_first (self, x, n);
  axes[0] = n + 1;
  axes[1] = n;
  for (int i = 0; i < n; i++)
    axes[i + 2] = i;
  x = sym_op_lower_call (
      self, "ConvTranspose",
      SYM_IDS (x, sym_op_lower_permute (self, kernel, axes, n + 2), sym_op_keras_input (self, 2)),
      "strides", sym_op_lower_list (read.window.stride, n), "dilations",
      sym_op_lower_list (read.window.dilation, n), "pads", sym_op_lower_list (pads, 2 * n),
      "output_padding", sym_op_lower_list (extra, n), NULL);
  if (!read.window.channels_first)
    x = sym_op_keras_channels_last (self, x, n);
  sym_op_lower_set_output (self, 0, sym_op_keras_activate (self, "activation", x));
}

static const SymSlotSpec slots[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, "None", "channels of the output" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, "None", "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "how much larger the output is" },
  { "padding", SYM_ATTRIBUTE_STRING, "valid", "what is cut off the output", "valid same" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "None", "what is added at the end of each axis" },
  { "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are",
    "channels_first channels_last" },
  { "dilation_rate", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "activation", SYM_ATTRIBUTE_ANY, "None", "a function of the result" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

#define TRANSPOSED(name_, aliases_, summary_)                                               \
  {                                                                                         \
    SYM_OP_KERAS, .name = name_, .aliases = aliases_, .summary = summary_,                  \
                  .reference = "keras.layers." name_, .category = SYM_CATEGORY_WEIGHTS,     \
                  .attributes = attributes, .slots = slots, .infer = infer, .lower = lower, \
  }

const SymOperator sym_op_keras_transpose[] = {
  TRANSPOSED ("Conv1DTranspose",
              "Convolution1DTranspose",
              "Transposed convolution over one dimension"),
  TRANSPOSED ("Conv2DTranspose",
              "Convolution2DTranspose Deconvolution2D Deconv2D",
              "Transposed convolution over images"),
  TRANSPOSED ("Conv3DTranspose",
              "Convolution3DTranspose Deconvolution3D Deconv3D",
              "Transposed convolution over volumes"),
  { NULL },
};
