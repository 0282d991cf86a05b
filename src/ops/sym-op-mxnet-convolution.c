/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window: (w), (h, w) or (d, h, w)" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "zeros put around the data; 0 when empty" },
  { "num_filter", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "num_group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "workspace", SYM_ATTRIBUTE_INT, "1024", "scratch memory allowed, in MB" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "cudnn_tune", SYM_ATTRIBUTE_STRING, "None", "off, limited_workspace or fastest",
    "off limited_workspace fastest" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCW, NCHW, NCDHW, NWC, NHWC or NDHWC",
    "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

/* data [N, C, ...], weight [F, C/g, kernel...], bias [F]; channels last: weight [F, kernel...,
 * C/g]. */
static gboolean
infer_convolution (SymRule *rule, GError **error)
{
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  SymOpMxnetWindows windows;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_mxnet_convolve (rule, &windows, error) ||
      !sym_op_mxnet_set_filters (rule, &windows, filters, error))
    return FALSE;
  return filters < 1 || sym_op_set_input (rule, 2, SYM_SHAPE (filters), error);
}

/* Only the data has its channels last when they are; the weight keeps the order of the data. */
static void
lower_convolution (SymOpLower *self)
{
  SymOpMxnetLowerWindows windows;
  gint64 pads[6];
  SymId x, weight;

  if (!sym_op_mxnet_lower_windows (self, &windows) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < windows.n; i++)
    pads[i] = pads[windows.n + i] = windows.pad[i];
  x = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 0));
  weight = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 1));
  x = sym_op_lower_call (self, "Conv", SYM_IDS (x, weight, sym_op_lower_input (self, 2)),
                         "kernel_shape", sym_op_lower_list (windows.kernel, windows.n), "strides",
                         sym_op_lower_list (windows.stride, windows.n), "dilations",
                         sym_op_lower_list (windows.dilate, windows.n), "pads",
                         sym_op_lower_list (pads, 2 * windows.n), "group",
                         sym_value_new_int (sym_op_lower_get_int (self, "num_group", 1)), NULL);
  sym_op_lower_set_output (self, 0, sym_op_mxnet_lower_last (self, &windows, x));
}

const SymOperator sym_op_mxnet_convolution[] = {
  {
      SYM_OP_MXNET,
      .name = "Convolution",
      .aliases = "Convolution_v1 _npx_convolution",
      .summary = "slides filters over the last axes and sums what they see",
      .reference = "MXNet 1.9.1 Convolution",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = sym_op_mxnet_weighted,
      .get_n_operands = sym_op_mxnet_get_n_with_bias,
      .infer = infer_convolution,
      .lower = lower_convolution,
  },
  { NULL },
};
