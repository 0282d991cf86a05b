/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window: (w), (h, w) or (d, h, w)" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "how far apart the places lie in the result" },
  { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "what is cut off around the result" },
  { "adj", SYM_ATTRIBUTE_INTS, "()", "what is added to the end of each axis" },
  { "target_shape", SYM_ATTRIBUTE_INTS, "()",
    "size of the result; takes the place of pad and adj" },
  { "num_filter", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "num_group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "workspace", SYM_ATTRIBUTE_INT, "512", "scratch memory allowed, in MB" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is no bias" },
  { "cudnn_tune", SYM_ATTRIBUTE_STRING, "None", "off, limited_workspace or fastest",
    "off limited_workspace fastest" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCW, NCHW, NCDHW, NWC, NHWC or NDHWC",
    "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

/* The sizes of the result: target_shape where it says something, else what slides to the data. */
static gboolean
get_sizes (SymRule *rule,
           const SymOpMxnetWindows *windows,
           const SymDim *spatial,
           SymDim *sizes,
           GError **error)
{
  gint64 adjust[3], target[3];

  if (!sym_op_get_ints (rule, "adj", windows->n, 0, adjust, error) ||
      !sym_op_get_ints (rule, "target_shape", windows->n, 0, target, error))
    return FALSE;
  for (int i = 0; i < windows->n; i++)
    {
      if (target[i] > 0)
        sizes[i] = target[i];
      else if (!sym_op_unslide (rule, spatial[i], &windows->windows[i], adjust[i], &sizes[i],
                                error))
        return FALSE;
    }
  return TRUE;
}

/* weight [C, F/g, kernel...]. */
static gboolean
set_weight (SymRule *rule, const SymOpMxnetWindows *windows, gint64 filters, GError **error)
{
  gint64 groups = sym_rule_get_int (rule, "num_group", 1);
  SymShape data = sym_rule_get_input (rule, 0), weight;
  SymDim kernel[3];

  if (groups < 1 || (filters > 0 && filters % groups != 0))
    return sym_rule_fail (error,
                          "num_filter %" G_GINT64_FORMAT
                          " should be a multiple of num_group %" G_GINT64_FORMAT,
                          filters, groups);
  for (int i = 0; i < windows->n; i++)
    kernel[i] = windows->windows[i].kernel;
  weight = sym_op_mxnet_arrange (windows, sym_op_mxnet_get_channels (windows, &data),
                                 filters > 0 ? filters / groups : SYM_DIM_UNKNOWN, kernel);
  return sym_rule_set_input (rule, 1, &weight, error);
}

static gboolean
infer_deconvolution (SymRule *rule, GError **error)
{
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  SymOpMxnetWindows windows;
  SymShape data, out;
  SymDim sizes[3];

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_mxnet_set_window_rank (rule, &windows, &data, error) ||
      !get_sizes (rule, &windows, sym_op_mxnet_get_spatial (&windows, &data), sizes, error))
    return FALSE;
  out =
      sym_op_mxnet_arrange (&windows, data.dims[0], filters > 0 ? filters : SYM_DIM_UNKNOWN, sizes);
  if (!sym_rule_set_output (rule, 0, &out, error) || !set_weight (rule, &windows, filters, error))
    return FALSE;
  return filters < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (filters), error);
}

/* Paddings that leave the size that the shape rule tells; ONNX's adjustment makes up for what the
 * last places are short of. */
static void
find_pads (SymOpLower *self,
           const SymOpMxnetLowerWindows *windows,
           gint64 pads[6],
           gint64 adjust[3])
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);

  for (int i = 0; i < windows->n; i++)
    {
      int axis = i + (windows->channels_last ? 1 : 2);
      gint64 reach = (windows->kernel[i] - 1) * windows->dilate[i] + 1;
      gint64 full = (data->dims[axis] - 1) * windows->stride[i] + reach;
      gint64 target[3] = { 0 };

      if (sym_op_lower_get_ints (self, "target_shape", target, 3) > i && target[i] > 0)
        pads[i] = MAX (full - target[i] + 1, 0) / 2;
      else
        pads[i] = windows->pad[i];
      pads[windows->n + i] = pads[i];
      adjust[i] = out->dims[axis] - (full - 2 * pads[i]);
      if (adjust[i] < 0)
        {
          pads[windows->n + i] -= adjust[i];
          adjust[i] = 0;
        }
    }
}

static void
lower_deconvolution (SymOpLower *self)
{
  SymOpMxnetLowerWindows windows;
  gint64 pads[6], adjust[3];
  SymId x, weight;

  if (!sym_op_mxnet_lower_windows (self, &windows) || !sym_op_lower_need_tensor (self, 1) ||
      sym_op_lower_get_output_shape (self, 0)->rank != windows.n + 2)
    return;
  find_pads (self, &windows, pads, adjust);
  x = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 0));
  weight = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 1));
  x = sym_op_lower_call (self, "ConvTranspose", SYM_IDS (x, weight, sym_op_lower_input (self, 2)),
                         "kernel_shape", sym_op_lower_list (windows.kernel, windows.n), "strides",
                         sym_op_lower_list (windows.stride, windows.n), "dilations",
                         sym_op_lower_list (windows.dilate, windows.n), "pads",
                         sym_op_lower_list (pads, 2 * windows.n), "output_padding",
                         sym_op_lower_list (adjust, windows.n), "group",
                         sym_value_new_int (sym_op_lower_get_int (self, "num_group", 1)), NULL);
  sym_op_lower_set_output (self, 0, sym_op_mxnet_lower_last (self, &windows, x));
}

const SymOperator sym_op_mxnet_deconvolution[] = {
  {
      SYM_OP_MXNET,
      .name = "Deconvolution",
      .aliases = "_npx_deconvolution",
      .summary = "spreads each element over a window of the result",
      .reference = "MXNet 1.9.1 Deconvolution",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = sym_op_mxnet_weighted,
      .get_n_operands = sym_op_mxnet_get_n_without_bias,
      .infer = infer_deconvolution,
      .lower = lower_deconvolution,
  },
  { NULL },
};
