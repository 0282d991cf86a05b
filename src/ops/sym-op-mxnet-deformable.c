/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, NULL, "size of the window: (h, w)" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "dilate", SYM_ATTRIBUTE_INTS, "()", "distance of the places in a window; 1 when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "zeros put around the data; 0 when empty" },
  { "num_filter", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "num_group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "num_deformable_group", SYM_ATTRIBUTE_INT, "1", "groups of channels moved together" },
  { "workspace", SYM_ATTRIBUTE_INT, "1024", "scratch memory allowed, in MB" },
  { "no_bias", SYM_ATTRIBUTE_BOOL, "False", "whether there is no bias" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCHW", "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { "im2col_step", SYM_ATTRIBUTE_INT, "64", "samples that are unrolled at once" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "data" }, { "offset" }, { "weight", SYM_SLOT_PARAMETER }, { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec modulated_slots[] = {
  { "data" },
  { "offset" },
  { "mask" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static int
get_n_operands (const SymAttributes *given)
{
  return 1 + sym_op_mxnet_get_n_with_bias (given);
}

static int
get_n_modulated (const SymAttributes *given)
{
  return 2 + sym_op_mxnet_get_n_with_bias (given);
}

/* Operand @i has @each numbers for each place of the window and deformable group:
 * [N, each * places * groups, H, W]. */
static gboolean
set_places (SymRule *rule, guint i, gint64 each, const SymOpMxnetWindows *windows, GError **error)
{
  gint64 groups = MAX (sym_rule_get_int (rule, "num_deformable_group", 1), 1);
  SymShape offset = sym_rule_get_output (rule, 0);

  offset.dims[1] = sym_terms_product (
      sym_rule_get_terms (rule),
      (SymDim[]){ each, groups, windows->windows[0].kernel, windows->windows[1].kernel }, 4);
  return sym_rule_set_input (rule, i, &offset, error);
}

/* Operands from @weight on are weight and bias. */
static gboolean
infer_windows (SymRule *rule, guint weight, GError **error)
{
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  gint64 groups = sym_rule_get_int (rule, "num_group", 1);
  SymOpMxnetWindows windows;
  SymDim channels;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_mxnet_get_windows (rule, &windows, error))
    return FALSE;
  if (windows.n != 2 || groups < 1)
    return sym_rule_fail (error, "kernel should have 2 sizes and num_group be at least 1");
  if (!sym_op_mxnet_convolve (rule, &windows, error) || !set_places (rule, 1, 2, &windows, error) ||
      (weight == 3 && !set_places (rule, 2, 1, &windows, error)))
    return FALSE;
  if (!sym_terms_divide_exactly (sym_rule_get_terms (rule), sym_rule_get_input (rule, 0).dims[1],
                                 groups, &channels))
    channels = SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, weight,
                           SYM_SHAPE (filters > 0 ? filters : SYM_DIM_UNKNOWN, channels,
                                      windows.windows[0].kernel, windows.windows[1].kernel),
                           error) &&
         (filters < 1 || sym_op_set_input (rule, weight + 1, SYM_SHAPE (filters), error));
}

static gboolean
infer_deformable (SymRule *rule, GError **error)
{
  return infer_windows (rule, 2, error);
}

/* A mask weighs each place of the window. */
static gboolean
infer_modulated (SymRule *rule, GError **error)
{
  return infer_windows (rule, 3, error);
}

/* data, offsets, perhaps a mask, then weight and bias. */
static void
lower_windows (SymOpLower *self, guint weight)
{
  SymOpMxnetLowerWindows windows;
  gint64 pads[6];
  SymId y;

  if (!sym_op_mxnet_lower_windows (self, &windows))
    return;
  for (guint i = 1; i <= weight; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  for (int i = 0; i < windows.n; i++)
    pads[i] = pads[windows.n + i] = windows.pad[i];
  y = sym_op_lower_call (
      self, "DeformConv",
      SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, weight),
               sym_op_lower_input (self, 1), sym_op_lower_input (self, weight + 1),
               weight == 3 ? sym_op_lower_input (self, 2) : SYM_NO_ID),
      "kernel_shape", sym_op_lower_list (windows.kernel, windows.n), "strides",
      sym_op_lower_list (windows.stride, windows.n), "dilations",
      sym_op_lower_list (windows.dilate, windows.n), "pads",
      sym_op_lower_list (pads, 2 * windows.n), "group",
      sym_value_new_int (sym_op_lower_get_int (self, "num_group", 1)), "offset_group",
      sym_value_new_int (sym_op_lower_get_int (self, "num_deformable_group", 1)), NULL);
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_deformable (SymOpLower *self)
{
  lower_windows (self, 2);
}

static void
lower_modulated (SymOpLower *self)
{
  lower_windows (self, 3);
}

const SymOperator sym_op_mxnet_deformable[] = {
  {
      SYM_OP_MXNET,
      .name = "_contrib_DeformableConvolution",
      .aliases = "DeformableConvolution _npx_deformable_convolution",
      .summary = "convolution whose window bends as an operand says",
      .reference = "MXNet 1.9.1 _contrib_DeformableConvolution",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = slots,
      .get_n_operands = get_n_operands,
      .infer = infer_deformable,
      .lower = lower_deformable,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_ModulatedDeformableConvolution",
      .aliases = "ModulatedDeformableConvolution _npx_modulated_deformable_convolution",
      .summary = "convolution whose window bends and is weighed as operands say",
      .reference = "MXNet 1.9.1 _contrib_ModulatedDeformableConvolution",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = modulated_slots,
      .get_n_operands = get_n_modulated,
      .infer = infer_modulated,
      .lower = lower_modulated,
  },
  { NULL },
};
