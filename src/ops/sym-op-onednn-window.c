/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onednn.h"

#include <string.h>

#define MAX_NDIMS 12
G_STATIC_ASSERT (MAX_NDIMS <= SYM_MAX_RANK);

/* ---- Windows ---- */

static gboolean
read_window (SymOpLower *self, SymOpForeignWindow *window)
{
  const char *pad = sym_op_lower_get_string (self, "auto_pad", "None");

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  sym_op_foreign_ints (self, "strides", window->n, 1, window->stride);
  sym_op_foreign_ints (self, "dilations", window->n, 1, window->dilation);
  sym_op_foreign_ints (self, "pads_begin", window->n, 0, window->before);
  sym_op_foreign_ints (self, "pads_end", window->n, 0, window->after);
  sym_op_foreign_ints (self, "kernel", window->n, 1, window->kernel);
  window->groups = sym_op_lower_get_int (self, "groups", 1);
  window->channels_last = sym_op_onednn_is_channels_last (self);
  window->up = sym_op_lower_has_string (self, "rounding_type", "ceil");
  window->counts_pads = !sym_op_lower_get_bool (self, "exclude_pad", TRUE);
  if (strcmp (pad, "SAME_UPPER") == 0 || strcmp (pad, "SAME_LOWER") == 0 ||
      strcmp (pad, "VALID") == 0)
    window->auto_pad = pad;
  return !sym_op_lower_has_failed (self);
}

/* XIO, [window..., in, out], to OIX; XOI, [window..., out, in], to IOX. */
static SymId
turn_weights (SymOpLower *self, int n)
{
  const char *format = sym_op_lower_get_string (self, "weights_format", "XIO");
  gint64 axes[5] = { n + 1, n };

  if (format[0] != 'X')
    return sym_op_lower_input (self, 1);
  for (int i = 0; i < n; i++)
    axes[i + 2] = i;
  return sym_op_lower_permute (self, sym_op_lower_input (self, 1), axes, n + 2);
}

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_onednn_set (self, sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0),
                                                turn_weights (self, window.n),
                                                sym_op_lower_input (self, 2)));
}

/* oneDNN's own writer tells as many numbers as a tensor may have axes (DNNL_MAX_NDIMS), of which
 * the first are meant. */
static void
read_output_padding (SymOpLower *self, int n, gint64 *extra)
{
  gint64 given[SYM_MAX_RANK];

  if (sym_op_foreign_list (self, "output_padding", given) == MAX_NDIMS)
    memcpy (extra, given, (gsize) n * sizeof *extra);
  else
    sym_op_foreign_ints (self, "output_padding", n, 0, extra);
}

static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3];

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  read_output_padding (self, window.n, extra);
  sym_op_onednn_set (self, sym_op_foreign_conv_transpose (
                               self, &window, sym_op_lower_input (self, 0),
                               turn_weights (self, window.n), sym_op_lower_input (self, 2), extra));
}

/* The data without what no window reaches: pads below zero. */
static SymId
cut_pads (SymOpLower *self, SymOpForeignWindow *window)
{
  gint64 starts[3], stops[3], axes[3];
  SymId x = sym_op_lower_input (self, 0);
  int n = 0;

  for (int i = 0; i < window->n; i++)
    {
      if (MIN (window->before[i], window->after[i]) >= 0)
        continue;
      starts[n] = -MIN (window->before[i], 0);
      stops[n] = window->after[i] < 0 ? window->after[i] : G_MAXINT32;
      axes[n++] = i + (window->channels_last ? 1 : 2);
      window->before[i] = MAX (window->before[i], 0);
      window->after[i] = MAX (window->after[i], 0);
    }
  return n == 0 ? x : sym_op_foreign_slice (self, x, starts, stops, axes, NULL, n);
}

static void
lower_pool (SymOpLower *self)
{
  gboolean is_max = g_str_equal (sym_op_lower_get_type (self), "MaxPool");
  SymOpForeignWindow window;
  SymId x;

  if (!read_window (self, &window))
    return;
  x = cut_pads (self, &window);
  sym_op_onednn_set (self,
                     sym_op_foreign_pool (self, &window, is_max ? "MaxPool" : "AveragePool", x));
}

static void
lower_interpolate (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *list = sym_attributes_find (attributes, "scales");
  gboolean is_nearest = sym_op_lower_has_string (self, "mode", "nearest");
  const char *coordinates =
      sym_op_lower_get_string (self, "coordinate_transformation_mode", "half_pixel");
  int rank = sym_op_foreign_rank (self, 0), n;
  gint64 sizes[SYM_MAX_RANK];
  double scales[3];

  if (rank < 3 || rank > 5)
    {
      sym_op_lower_fail (self, "%s: images have 3 to 5 axes, not %d", sym_op_lower_get_type (self),
                         rank);
      return;
    }
  n = sym_op_foreign_list (self, "sizes", sizes);
  for (int i = 0; n < 1 && i < rank - 2; i++)
    if (list == NULL || sym_value_get_n_children (list) != (guint) (rank - 2) ||
        !sym_value_get_float (sym_value_get_child (list, (guint) i), &scales[i]))
      sym_op_lower_refuse (self, "%s: neither sizes nor scales are constant",
                           sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self) || (n >= 1 && n != rank - 2))
    {
      sym_op_lower_fail (self, "%s: %d sizes for %d axes", sym_op_lower_get_type (self), n,
                         rank - 2);
      return;
    }
  sym_op_onednn_set (self, sym_op_foreign_resize (self, sym_op_lower_input (self, 0),
                                                  sym_op_lower_get_input_shape (self, 0),
                                                  sym_op_onednn_is_channels_last (self), sizes,
                                                  n < 1 ? scales : NULL,
                                                  is_nearest ? "nearest" : "linear", coordinates));
}

/* ---- Normalization ---- */

static SymId
as_channels (SymOpLower *self, guint i, int rank)
{
  gint64 sizes[SYM_MAX_RANK];

  for (int k = 0; k < rank; k++)
    sizes[k] = k == (sym_op_onednn_is_channels_last (self) ? rank - 1 : 1) ? -1 : 1;
  return sym_op_foreign_reshape (self, sym_op_lower_input (self, i), sizes, rank, FALSE);
}

static void
lower_bias (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);

  if (sym_op_lower_need_tensor (self, 1))
    sym_op_onednn_set (self, sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 0),
                                                  as_channels (self, 1, rank)));
}

static void
lower_batch_norm (SymOpLower *self)
{
  gboolean is_last = sym_op_onednn_is_channels_last (self);
  int rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  for (guint i = 1; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (is_last)
    x = sym_op_foreign_channels_first (self, x, rank);
  x = sym_op_lower_call (
      self, "BatchNormalization",
      SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2),
               sym_op_lower_input (self, 3), sym_op_lower_input (self, 4)),
      "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  sym_op_onednn_set (self, is_last ? sym_op_foreign_channels_last (self, x, rank) : x);
}

/* Mean and variance of the axes from @axis on. */
static SymId
set_moments (SymOpLower *self, int rank, int axis)
{
  gint64 axes[SYM_MAX_RANK];
  SymId x = sym_op_lower_input (self, 0), mean, deviation, variance;

  for (int i = axis; i < rank; i++)
    axes[i - axis] = i;
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, rank - axis, TRUE);
  deviation = sym_op_lower_binary (self, "Sub", x, mean);
  variance = sym_op_lower_reduce (self, "ReduceMean",
                                  sym_op_lower_binary (self, "Mul", deviation, deviation), axes,
                                  rank - axis, TRUE);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, sym_op_foreign_squeeze (self, mean, axes, rank - axis));
  if (sym_op_lower_get_n_outputs (self) > 2)
    sym_op_lower_set_output (self, 2, sym_op_foreign_squeeze (self, variance, axes, rank - axis));
  variance =
      sym_op_lower_binary (self, "Add", variance,
                           sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                                sym_op_lower_get_float (self, "epsilon", 1e-5)));
  return sym_op_lower_binary (self, "Div", deviation, sym_op_lower_unary (self, "Sqrt", variance));
}

static SymId
get_weight (SymOpLower *self, guint i)
{
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_lower_get_input_dtype (self, 0));
}

static void
lower_layer_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  int axis = sym_op_foreign_axis (self, "begin_norm_axis", -1, rank);
  SymId x;

  if (sym_op_lower_has_failed (self))
    return;
  x = set_moments (self, rank, axis);
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_binary (self, "Mul", x, get_weight (self, 1));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, get_weight (self, 2));
  sym_op_onednn_set (self, x);
}

static void
lower_rms_norm (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n;
  int axis = sym_op_foreign_axis (self, "begin_norm_axis", -1, rank);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0), mean;
  gint64 axes[SYM_MAX_RANK];

  if (sym_op_lower_has_failed (self))
    return;
  for (n = 0; n < rank - axis; n++)
    axes[n] = axis + n;
  mean = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), axes, n,
                              TRUE);
  mean = sym_op_lower_binary (
      self, "Add", mean,
      sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "epsilon", 1e-5)));
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", mean));
  if (sym_op_lower_has_input (self, 1))
    x = sym_op_lower_binary (self, "Mul", x, get_weight (self, 1));
  sym_op_onednn_set (self, x);
}

static void
lower_group_norm (SymOpLower *self)
{
  gboolean is_last = sym_op_onednn_is_channels_last (self);
  int rank = sym_op_foreign_rank (self, 0);
  gint64 channels = sym_op_foreign_size (self, 0, is_last ? rank - 1 : 1);
  SymShape shape = SYM_SHAPE (channels);
  SymId x = sym_op_lower_input (self, 0), weights[2];

  for (guint i = 0; i < 2; i++)
    weights[i] =
        sym_op_lower_has_input (self, i + 1)
            ? get_weight (self, i + 1)
            : sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), &shape, i == 0);
  if (is_last)
    x = sym_op_foreign_channels_first (self, x, rank);
  x = sym_op_lower_call (
      self, "GroupNormalization", SYM_IDS (x, weights[0], weights[1]), "num_groups",
      sym_value_new_int (sym_op_lower_get_int (self, "groups", 1)), "epsilon",
      sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 1e-5)), NULL);
  sym_op_onednn_set (self, is_last ? sym_op_foreign_channels_last (self, x, rank) : x);
}

/* ---- Tables ---- */

static const SymSlotSpec conv_slots[] = {
  { "src" },
  { "weights", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec bias_slots[] = { { "src" }, { "bias", SYM_SLOT_PARAMETER }, { NULL } };

static const SymSlotSpec norm_slots[] = {
  { "src" },
  { "gamma", SYM_SLOT_PARAMETER, TRUE },
  { "beta", SYM_SLOT_PARAMETER, TRUE },
  { "mean", SYM_SLOT_AUXILIARY, TRUE },
  { "variance", SYM_SLOT_AUXILIARY, TRUE },
  { NULL },
};

#define FORMAT                                                                      \
  {                                                                                 \
    "data_format", SYM_ATTRIBUTE_STRING, "NXC", "where the channels are", "NXC NCX" \
  }

static const SymAttributeSpec window_attributes[] = {
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "pads_begin", SYM_ATTRIBUTE_INTS, "0", "added before each axis" },
  { "pads_end", SYM_ATTRIBUTE_INTS, "0", "added behind it" },
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "auto_pad", SYM_ATTRIBUTE_STRING, "None", "how what is added is found" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "weights_format", SYM_ATTRIBUTE_STRING, "XIO", "order of the weights' axes" },
  { "kernel", SYM_ATTRIBUTE_INTS, "None", "size of the window of a pooling" },
  { "exclude_pad", SYM_ATTRIBUTE_BOOL, "True", "whether what is added is left out of means" },
  { "rounding_type", SYM_ATTRIBUTE_STRING, "floor", "whether a partly filled window counts" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "nearest", "how it is read between elements" },
  { "sizes", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { "scales", SYM_ATTRIBUTE_FLOATS, "None", "factors" },
  { "coordinate_transformation_mode", SYM_ATTRIBUTE_STRING, "half_pixel", "where elements lie" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { "begin_norm_axis", SYM_ATTRIBUTE_INT, "-1", "first axis that is normalized" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec format_attributes[] = { FORMAT, { NULL } };

const SymOperator sym_op_onednn_window[] = {
  ONEDNN_LOWERED ("Convolution", "Convolution", WEIGHTS, conv_slots, window_attributes, lower_conv),
  ONEDNN_LOWERED ("ConvTranspose",
                  "Transposed convolution",
                  WEIGHTS,
                  conv_slots,
                  window_attributes,
                  lower_conv_transpose),
  ONEDNN_LOWERED ("MaxPool",
                  "Greatest element of each window",
                  POOLING,
                  sym_op_foreign_one,
                  window_attributes,
                  lower_pool),
  ONEDNN_LOWERED ("AvgPool",
                  "Mean of each window",
                  POOLING,
                  sym_op_foreign_one,
                  window_attributes,
                  lower_pool),
  ONEDNN_LOWERED ("Interpolate",
                  "Another size",
                  SHAPE,
                  sym_op_foreign_two,
                  resize_attributes,
                  lower_interpolate),
  ONEDNN_LOWERED ("BiasAdd",
                  "A number added to each channel",
                  ELEMENTWISE,
                  bias_slots,
                  format_attributes,
                  lower_bias),
  ONEDNN_LOWERED ("BatchNormInference",
                  "Normalization by running statistics",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_batch_norm),
  ONEDNN_LOWERED ("LayerNorm",
                  "Normalization over the last axes",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_layer_norm),
  ONEDNN_LOWERED ("RMSNorm",
                  "Division by the root of the mean square",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_rms_norm),
  ONEDNN_LOWERED ("GroupNorm",
                  "Normalization over groups of channels",
                  NORMALIZATION,
                  norm_slots,
                  norm_attributes,
                  lower_group_norm),
  { NULL },
};
