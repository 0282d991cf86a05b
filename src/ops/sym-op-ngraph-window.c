/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-ngraph.h"

/* Attributes of backward layers say "forward" behind their names. */
static void
read_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  g_autofree char *longer = g_strconcat (name, "_forward", NULL);

  sym_op_foreign_ints (self, sym_op_foreign_choose (self, name, longer, NULL), n, fallback, values);
}

static gboolean
read_window (SymOpLower *self, guint i, SymOpForeignWindow *window)
{
  gint64 spread[3];

  if (!sym_op_foreign_begin (self, i, window))
    return FALSE;
  read_ints (self, "window_movement_strides", window->n, 1, window->stride);
  read_ints (self, "window_dilation_strides", window->n, 1, window->dilation);
  read_ints (self, "data_dilation_strides", window->n, 1, spread);
  read_ints (self, "padding_below", window->n, 0, window->before);
  read_ints (self, "padding_above", window->n, 0, window->after);
  sym_op_foreign_ints (self, "window_shape", window->n, 1, window->kernel);
  window->groups = sym_op_lower_get_int (self, "groups", 1);
  window->up = sym_op_lower_get_bool (self, "ceil_mode", FALSE);
  window->counts_pads = sym_op_lower_get_bool (self, "include_padding_in_avg_computation", FALSE);
  for (int k = 0; k < window->n; k++)
    if (spread[k] != 1)
      sym_op_lower_refuse (self, "%s: data with holes is not lowered",
                           sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

/* ---- Convolution ---- */

/* Less than nothing may be added: the data is cut then. */
static SymId
cut (SymOpLower *self, SymOpForeignWindow *window, SymId x)
{
  gint64 pads[10] = { 0 };
  gboolean is_cut = FALSE;

  for (int i = 0; i < window->n; i++)
    {
      pads[i + 2] = MIN (window->before[i], 0);
      pads[i + 4 + window->n] = MIN (window->after[i], 0);
      is_cut = is_cut || window->before[i] < 0 || window->after[i] < 0;
      window->before[i] = MAX (window->before[i], 0);
      window->after[i] = MAX (window->after[i], 0);
    }
  return is_cut ? sym_op_lower_binary (self, "Pad", x,
                                       sym_op_lower_ints (self, pads, 2 * window->n + 4))
                : x;
}

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId x, y;

  if (!read_window (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  x = cut (self, &window, sym_op_lower_input (self, 0));
  y = sym_op_foreign_conv (self, &window, x, sym_op_lower_input (self, 1),
                           sym_op_lower_input (self, 2));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_get_bool (self, "with_relu", FALSE) ? sym_op_lower_unary (self, "Relu", y) : y);
}

/* What the window leaves over of the sizes that are told. */
static void
find_extra (SymOpLower *self,
            const SymOpForeignWindow *window,
            guint data,
            const gint64 *kernel,
            const gint64 *sizes,
            gint64 *extra)
{
  for (int i = 0; i < window->n; i++)
    {
      gint64 size = sym_op_foreign_size (self, data, i + 2);

      extra[i] =
          sizes[i + 2] - ((size - 1) * window->stride[i] + window->dilation[i] * (kernel[i] - 1) +
                          1 - window->before[i] - window->after[i]);
      if (extra[i] < 0 && !sym_op_lower_has_failed (self))
        sym_op_lower_fail (self, "%s: the data cannot have size %" G_GINT64_FORMAT,
                           sym_op_lower_get_type (self), sizes[i + 2]);
    }
}

/* Of filters [out, in, window...] and a gradient [n, out, ...] that of the data. */
static void
lower_conv_data (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK], kernel[3], extra[3];
  SymOpForeignWindow window;

  if (!read_window (self, 1, &window) || !sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_foreign_list (self, "data_batch_shape", sizes) != window.n + 2)
    {
      sym_op_lower_fail (self, "%s: data_batch_shape should have %d sizes",
                         sym_op_lower_get_type (self), window.n + 2);
      return;
    }
  for (int i = 0; i < window.n; i++)
    kernel[i] = sym_op_foreign_size (self, 0, i + 2);
  find_extra (self, &window, 1, kernel, sizes, extra);
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_conv_transpose (self, &window, sym_op_lower_input (self, 1),
                                     sym_op_lower_input (self, 0), SYM_NO_ID, extra));
}

/* Data and its gradient with batch and channels exchanged, where a step is a dilation; what is
 * beyond the filters is cut off. */
static void
lower_conv_filters (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK], axes[SYM_MAX_RANK] = { 1, 0 }, zeros[3] = { 0 }, along[3];
  SymOpForeignWindow window;
  SymId y;

  if (!read_window (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_foreign_list (self, "filters_shape", sizes) != window.n + 2)
    {
      sym_op_lower_fail (self, "%s: filters_shape should have %d sizes",
                         sym_op_lower_get_type (self), window.n + 2);
      return;
    }
  for (int i = 0; i < window.n; i++)
    {
      gint64 step = window.stride[i];

      window.stride[i] = window.dilation[i];
      window.dilation[i] = step;
      axes[i + 2] = along[i] = i + 2;
    }
  y = sym_op_foreign_conv (
      self, &window, sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, window.n + 2),
      sym_op_lower_permute (self, sym_op_lower_input (self, 1), axes, window.n + 2), SYM_NO_ID);
  y = sym_op_lower_permute (self, y, axes, window.n + 2);
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_slice (self, y, zeros, sizes + 2, along, NULL, window.n));
}

/* ---- Pooling ---- */

static void
lower_max_pool (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (read_window (self, 0, &window))
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_pool (self, &window, "MaxPool", sym_op_lower_input (self, 0)));
}

static void
lower_avg_pool (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (read_window (self, 0, &window))
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_pool (self, &window, "AveragePool", sym_op_lower_input (self, 0)));
}

static gboolean
has_pads (const SymOpForeignWindow *window)
{
  for (int i = 0; i < window->n; i++)
    if (window->before[i] != 0 || window->after[i] != 0)
      return TRUE;
  return FALSE;
}

/* Each element is spread evenly over its window, channel by channel. */
static void
lower_avg_pool_back (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK], flat[SYM_MAX_RANK], extra[3];
  SymOpForeignWindow window;
  SymShape kernel;
  double share = 1;
  SymId y;

  if (!read_window (self, 0, &window))
    return;
  if (has_pads (&window) && !window.counts_pads)
    sym_op_lower_refuse (self, "%s: means without what is added are not lowered",
                         sym_op_lower_get_type (self));
  if (sym_op_foreign_list (self, "forward_arg_shape", sizes) != window.n + 2)
    sym_op_lower_fail (self, "%s: forward_arg_shape should have %d sizes",
                       sym_op_lower_get_type (self), window.n + 2);
  kernel = (SymShape){ .rank = window.n + 2, .dims = { 1, 1 } };
  flat[0] = -1;
  flat[1] = 1;
  for (int i = 0; i < window.n; i++)
    {
      kernel.dims[i + 2] = window.kernel[i];
      share /= (double) MAX (window.kernel[i], 1);
      flat[i + 2] = sym_op_foreign_size (self, 0, i + 2);
    }
  if (sym_op_lower_has_failed (self))
    return;
  find_extra (self, &window, 0, window.kernel, sizes, extra);
  y = sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), flat, window.n + 2, FALSE);
  y = sym_op_foreign_conv_transpose (
      self, &window, y,
      sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), &kernel, share), SYM_NO_ID,
      extra);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, y, sizes, window.n + 2, FALSE));
}

/* Each element goes where the greatest one of its window was; windows that overlap would add up. */
static void
lower_max_pool_back (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId x = sym_op_lower_input (self, 0), greatest, unpooled[3];
  gboolean overlaps = FALSE;

  if (!read_window (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < window.n; i++)
    overlaps = overlaps || window.stride[i] < window.kernel[i];
  if (sym_op_lower_is_rule (self))
    {
      sym_op_lower_set_output (self, 0, x);
      return;
    }
  if (overlaps)
    sym_op_lower_refuse (self, "%s: windows that overlap are not lowered",
                         sym_op_lower_get_type (self));
  greatest = sym_op_foreign_pool (self, &window, "MaxPool", x);
  unpooled[0] = sym_op_lower_input (self, 1);
  unpooled[1] = sym_op_lower_get_result (self, greatest, 1);
  unpooled[2] = sym_op_lower_unary (self, "Shape", x);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "MaxUnpool", (SymIds){ unpooled, 3 }, "kernel_shape",
                         sym_op_lower_list (window.kernel, window.n), "strides",
                         sym_op_lower_list (window.stride, window.n), NULL));
}

/* ---- Normalization ---- */

static void
lower_batch_norm (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "eps", "epsilon", NULL);

  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "BatchNormalization",
                         SYM_IDS (sym_op_lower_input (self, 2), sym_op_lower_input (self, 0),
                                  sym_op_lower_input (self, 1), sym_op_lower_input (self, 3),
                                  sym_op_lower_input (self, 4)),
                         "epsilon", sym_value_new_float (sym_op_lower_get_float (self, name, 1e-5)),
                         NULL));
}

/* [channels] as the second axis of @rank. */
static SymId
as_channels (SymOpLower *self, SymId x, int rank)
{
  gint64 sizes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    sizes[i] = i == 1 ? -1 : 1;
  return sym_op_foreign_reshape (self, x, sizes, rank, FALSE);
}

static void
lower_batch_norm_training (SymOpLower *self)
{
  double epsilon =
      sym_op_lower_get_float (self, sym_op_foreign_choose (self, "eps", "epsilon", NULL), 1e-5);
  int rank = sym_op_foreign_rank (self, 2);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 2);
  gint64 axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 2), mean, variance, y;

  if (rank < 2 || !sym_op_lower_need_tensor (self, 1))
    {
      sym_op_lower_fail (self, "%s: there are no channels", sym_op_lower_get_type (self));
      return;
    }
  for (int i = 0; i < rank - 1; i++)
    axes[i] = i == 0 ? 0 : i + 1;
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, rank - 1, FALSE);
  y = sym_op_lower_binary (self, "Sub", x, as_channels (self, mean, rank));
  variance = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", y, y), axes,
                                  rank - 1, FALSE);
  sym_op_lower_set_output (self, 1, mean);
  sym_op_lower_set_output (self, 2, variance);
  variance =
      sym_op_lower_binary (self, "Add", variance, sym_op_lower_number (self, dtype, epsilon));
  y = sym_op_lower_binary (self, "Div", y,
                           as_channels (self, sym_op_lower_unary (self, "Sqrt", variance), rank));
  y = sym_op_lower_binary (self, "Mul", y, as_channels (self, sym_op_lower_input (self, 0), rank));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Add", y, as_channels (self, sym_op_lower_input (self, 1), rank)));
}

/* nGraph's alpha is of all neighbours, as ONNX's. */
static void
lower_lrn (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LRN", SYM_IDS (sym_op_lower_input (self, 0)), "size",
                         sym_value_new_int (sym_op_lower_get_int (
                             self, sym_op_foreign_choose (self, "nsize", "size", NULL), 5)),
                         "alpha", sym_value_new_float (sym_op_lower_get_float (self, "alpha", 1)),
                         "beta", sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.5)),
                         "bias", sym_value_new_float (sym_op_lower_get_float (self, "bias", 1)),
                         NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec conv_slots[] = {
  { "data" },
  { "filters", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec back_slots[] = { { "filters" }, { "delta" }, { NULL } };
static const SymSlotSpec filters_slots[] = { { "data" }, { "delta" }, { NULL } };
static const SymSlotSpec delta_slots[] = { { "delta" }, { NULL } };

static const SymSlotSpec max_slots[] = {
  { "data" },
  { "delta" },
  { "result", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec norm_slots[] = {
  { "gamma", SYM_SLOT_PARAMETER }, { "beta", SYM_SLOT_PARAMETER },     { "data" },
  { "mean", SYM_SLOT_AUXILIARY },  { "variance", SYM_SLOT_AUXILIARY }, { NULL },
};

static const SymSlotSpec training_slots[] = {
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "data" },
  { NULL },
};

static const SymAttributeSpec window_attributes[] = {
  { "window_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window of a pooling" },
  { "window_movement_strides", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "window_dilation_strides", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "padding_below", SYM_ATTRIBUTE_INTS, "0", "added before each axis" },
  { "padding_above", SYM_ATTRIBUTE_INTS, "0", "added behind it" },
  { "data_dilation_strides", SYM_ATTRIBUTE_INTS, "1", "distance between the data's elements" },
  { "include_padding_in_avg_computation", SYM_ATTRIBUTE_BOOL, "False", "what is added counts" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec lrn_attributes[] = {
  { "nsize", SYM_ATTRIBUTE_INT, "5", "neighbouring channels" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the sum" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "exponent" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the sum" },
  { NULL },
};

const SymOperator sym_op_ngraph_window[] = {
  NGRAPH_LOWERED ("Convolution",
                  "GroupConvolution ConvolutionBias ConvolutionRelu",
                  "Convolution",
                  WEIGHTS,
                  conv_slots,
                  window_attributes,
                  lower_conv),
  NGRAPH_LOWERED ("ConvolutionBackpropData",
                  NULL,
                  "Gradient of a convolution's data",
                  WEIGHTS,
                  back_slots,
                  window_attributes,
                  lower_conv_data),
  NGRAPH_LOWERED ("ConvolutionBackpropFilters",
                  NULL,
                  "Gradient of a convolution's filters",
                  WEIGHTS,
                  filters_slots,
                  window_attributes,
                  lower_conv_filters),
  NGRAPH_LOWERED ("MaxPool",
                  NULL,
                  "Greatest element of each window",
                  POOLING,
                  sym_op_foreign_one,
                  window_attributes,
                  lower_max_pool),
  NGRAPH_LOWERED ("AvgPool",
                  NULL,
                  "Mean of each window",
                  POOLING,
                  sym_op_foreign_one,
                  window_attributes,
                  lower_avg_pool),
  NGRAPH_LOWERED ("AvgPoolBackprop",
                  NULL,
                  "Gradient of means of windows",
                  POOLING,
                  delta_slots,
                  window_attributes,
                  lower_avg_pool_back),
  NGRAPH_LOWERED ("MaxPoolBackprop",
                  NULL,
                  "Gradient of the greatest elements of windows",
                  POOLING,
                  max_slots,
                  window_attributes,
                  lower_max_pool_back),
  NGRAPH_LOWERED ("BatchNormInference",
                  NULL,
                  "Normalization by running statistics",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_batch_norm),
  NGRAPH_LOWERED ("BatchNormTraining",
                  "BatchNorm",
                  "Normalization by the batch, with its statistics",
                  NORMALIZATION,
                  training_slots,
                  norm_attributes,
                  lower_batch_norm_training),
  NGRAPH_LOWERED ("LRN",
                  NULL,
                  "Normalization by neighbouring channels",
                  NORMALIZATION,
                  sym_op_foreign_one,
                  lrn_attributes,
                  lower_lrn),
  { NULL },
};
