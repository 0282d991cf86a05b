/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, "()", "size of the window: (w), (h, w) or (d, h, w)" },
  { "pool_type", SYM_ATTRIBUTE_STRING, "max", "avg, lp, max or sum", "max avg sum lp" },
  { "global_pool", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole picture" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "pooling_convention", SYM_ATTRIBUTE_STRING, "valid", "valid rounds down, full up; same",
    "full valid same" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "what is put around the data; 0 when empty" },
  { "p_value", SYM_ATTRIBUTE_INT, "None", "1 or 2: the norm of lp pooling" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "None", "whether an average counts the padding" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCW, NCHW, NCDHW, NWC, NHWC or NDHWC",
    "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

static gboolean
has_convention (SymRule *rule, const char *convention)
{
  return strcmp (sym_rule_get_string (rule, "pooling_convention", "valid"), convention) == 0;
}

/* One place for each sample and channel. */
static gboolean
infer_global (SymRule *rule, GError **error)
{
  const char *layout = sym_rule_get_string (rule, "layout", "");
  SymShape data = sym_rule_get_input (rule, 0), out;
  int channels;

  if (data.rank < 0)
    return TRUE;
  if (data.rank < 3 || data.rank > 5)
    return sym_rule_fail (error, "Pooling: Input data should be 3D, 4D or 5D, but has %d axes",
                          data.rank);
  channels = g_str_has_suffix (layout, "C") ? data.rank - 1 : 1;
  out = data;
  for (int i = 1; i < data.rank; i++)
    if (i != channels)
      out.dims[i] = 1;
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_windows (SymRule *rule, GError **error)
{
  SymOpMxnetWindows windows;
  const SymDim *spatial;
  SymDim sizes[3];
  SymShape data, out;

  if (!sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_mxnet_set_window_rank (rule, &windows, &data, error))
    return FALSE;
  spatial = sym_op_mxnet_get_spatial (&windows, &data);
  for (int i = 0; i < windows.n; i++)
    {
      SymOpWindow *window = &windows.windows[i];

      window->up = has_convention (rule, "full");
      if (has_convention (rule, "same") && window->stride >= 1)
        sizes[i] = sym_terms_ceil_divide (sym_rule_get_terms (rule), spatial[i], window->stride);
      else if (!sym_op_slide (rule, spatial[i], window, &sizes[i], error))
        return FALSE;
    }
  out = sym_op_mxnet_arrange (&windows, data.dims[0], sym_op_mxnet_get_channels (&windows, &data),
                              sizes);
  return sym_rule_set_output (rule, 0, &out, error);
}

gboolean
sym_op_mxnet_infer_pooling (SymRule *rule, GError **error)
{
  return sym_rule_get_bool (rule, "global_pool", FALSE) ? infer_global (rule, error)
                                                        : infer_windows (rule, error);
}

static gboolean
infer_pooling (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_mxnet_infer_pooling (rule, error);
}

/* ---- Adaptive pooling ---- */

static const SymAttributeSpec adaptive_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_INTS, "()", "(h, w) of the result, or one size for both" },
  { NULL },
};

static gboolean
infer_adaptive (SymRule *rule, GError **error)
{
  SymShape data;
  gint64 size[2];
  int n = sym_rule_get_ints (rule, "output_size", size, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  if (n <= 0)
    size[0] = size[1] = 1;
  else if (n == 1)
    size[1] = size[0];
  else if (n > 2)
    return sym_rule_fail (error, "output_size has %d sizes; it should have 1 or 2", n);
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_output (
      rule, 0, SYM_SHAPE (data.dims[0], data.dims[1], MAX (size[0], 1), MAX (size[1], 1)),
      SYM_DTYPE_UNKNOWN, error);
}

const SymOperator sym_op_mxnet_pooling[] = {
  {
      SYM_OP_MXNET,
      .name = "Pooling",
      .aliases = "Pooling_v1 _npx_pooling",
      .summary = "takes the greatest element or the mean of each window",
      .reference = "MXNet 1.9.1 Pooling",
      .category = SYM_CATEGORY_POOLING,
      .attributes = attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_pooling,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_AdaptiveAvgPooling2D",
      .summary = "averages windows so that the result has a given size",
      .reference = "MXNet 1.9.1 _contrib_AdaptiveAvgPooling2D",
      .category = SYM_CATEGORY_POOLING,
      .attributes = adaptive_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_adaptive,
  },
  { NULL },
};
