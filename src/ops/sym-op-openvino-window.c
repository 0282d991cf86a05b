/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* ---- Windows ---- */

static gboolean
read_window (SymOpLower *self, SymOpForeignWindow *window)
{
  const char *pad = sym_op_lower_get_string (self, "auto_pad", "explicit");
  const char *exclude = sym_op_foreign_choose (self, "exclude-pad", "exclude_pad", NULL);

  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  sym_op_foreign_ints (self, "strides", window->n, 1, window->stride);
  sym_op_foreign_ints (self, "dilations", window->n, 1, window->dilation);
  sym_op_foreign_ints (self, "pads_begin", window->n, 0, window->before);
  sym_op_foreign_ints (self, "pads_end", window->n, 0, window->after);
  sym_op_foreign_ints (self, "kernel", window->n, 1, window->kernel);
  window->up = g_str_has_prefix (sym_op_lower_get_string (self, "rounding_type", "floor"), "ceil");
  window->counts_pads = !sym_op_lower_get_bool (self, exclude, TRUE);
  window->auto_pad = strcmp (pad, "same_upper") == 0   ? "SAME_UPPER"
                     : strcmp (pad, "same_lower") == 0 ? "SAME_LOWER"
                     : strcmp (pad, "valid") == 0      ? "VALID"
                                                       : NULL;
  return !sym_op_lower_has_failed (self);
}

/* [groups, a, b, window...] as [groups a, b, window...]. */
static SymId
join_groups (SymOpLower *self, SymOpForeignWindow *window)
{
  int rank = sym_op_foreign_rank (self, 1);
  gint64 sizes[SYM_MAX_RANK];

  if (rank != window->n + 3)
    {
      sym_op_lower_fail (self, "%s: its filters should have %d axes, not %d",
                         sym_op_lower_get_type (self), window->n + 3, rank);
      return SYM_NO_ID;
    }
  window->groups = sym_op_foreign_size (self, 1, 0);
  sizes[0] = window->groups * sym_op_foreign_size (self, 1, 1);
  for (int i = 2; i < rank; i++)
    sizes[i - 1] = sym_op_foreign_size (self, 1, i);
  return sym_op_foreign_reshape (self, sym_op_lower_input (self, 1), sizes, rank - 1, FALSE);
}

static gboolean
is_grouped (SymOpLower *self)
{
  return g_str_has_prefix (sym_op_lower_get_type (self), "Group");
}

static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId filters;

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  filters = is_grouped (self) ? join_groups (self, &window) : sym_op_lower_input (self, 1);
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0), filters, SYM_NO_ID));
}

/* What is left over of a shape that is asked for; without pads of its own it is split in halves. */
static void
find_extra (SymOpLower *self, SymOpForeignWindow *window, gint64 *extra)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "output_shape", sizes);
  gboolean is_lower = g_strcmp0 (window->auto_pad, "SAME_LOWER") == 0;

  if (n < 0 && sym_op_lower_has_input (self, 2))
    sym_op_lower_refuse (self, "%s: output_shape is not constant", sym_op_lower_get_type (self));
  for (int i = 0; i < n; i++)
    sizes[i] = CLAMP (sizes[i], 0, G_MAXINT32);
  for (int i = 0; i < window->n && n == window->n; i++)
    {
      gint64 kernel = sym_op_foreign_size (self, 1, i + (is_grouped (self) ? 3 : 2));
      gint64 whole = (sym_op_foreign_size (self, 0, i + 2) - 1) * window->stride[i] +
                     window->dilation[i] * (kernel - 1) + 1;
      gint64 pads = MAX (whole + extra[i] - sizes[i], 0);

      if (window->auto_pad != NULL)
        {
          window->before[i] = is_lower ? pads - pads / 2 : pads / 2;
          window->after[i] = pads - window->before[i];
        }
      extra[i] = sizes[i] - whole + window->before[i] + window->after[i];
      if (extra[i] < 0 && !sym_op_lower_has_failed (self))
        sym_op_lower_fail (self, "%s: output_shape is too small", sym_op_lower_get_type (self));
    }
  if (n == window->n)
    window->auto_pad = NULL;
}

static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3];
  SymId filters;

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_foreign_ints (self, "output_padding", window.n, 0, extra);
  find_extra (self, &window, extra);
  filters = is_grouped (self) ? join_groups (self, &window) : sym_op_lower_input (self, 1);
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_conv_transpose (self, &window,
                                                          sym_op_lower_input (self, 0), filters,
                                                          SYM_NO_ID, extra));
}

static void
lower_pool (SymOpLower *self)
{
  gboolean is_max = g_str_equal (sym_op_lower_get_type (self), "MaxPool");
  SymOpForeignWindow window;
  SymId y;

  if (!read_window (self, &window))
    return;
  y = sym_op_foreign_pool (self, &window, is_max ? "MaxPool" : "AveragePool",
                           sym_op_lower_input (self, 0));
  sym_op_lower_set_output (self, 0, y);
  if (is_max && sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_cast_from (
            self, sym_op_lower_get_result (self, y, 1), SYM_DTYPE_INT64,
            sym_op_openvino_get_dtype (self, "index_element_type", SYM_DTYPE_INT64)));
}

/* ---- Resizing ---- */

/* What is told of the axes before those of @told, or behind: 1 of factors, and the sizes that they
 * have. */
static SymId
tell_rest (SymOpLower *self, int from, int to, gboolean by_scales)
{
  const SymShape ones = { .rank = 1, .dims = { to - from } };
  gint64 sizes[SYM_MAX_RANK];

  if (by_scales)
    return sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &ones, 1);
  for (int i = from; i < to; i++)
    sizes[i - from] = sym_op_foreign_size (self, 0, i);
  return sym_op_lower_ints (self, sizes, to - from);
}

/* What is told of @n @axes as it is told of all, which needs no operator set of ONNX after 17.
 * FALSE where they do not follow each other, or the sizes of others are not known. */
static gboolean
tell_all (SymOpLower *self, const gint64 *axes, int n, int rank, gboolean by_scales, SymId *told)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId parts[3];
  gsize n_parts = 0;

  for (int i = 0; i < n; i++)
    if (axes[i] != axes[0] + i || axes[i] < 0 || axes[i] >= rank)
      return FALSE;
  for (int i = 0; i < rank && !by_scales; i++)
    if ((i < axes[0] || i >= axes[0] + n) && shape->dims[i] < 0)
      return FALSE;
  if (n == rank)
    return TRUE;
  if (axes[0] > 0)
    parts[n_parts++] = tell_rest (self, 0, (int) axes[0], by_scales);
  parts[n_parts++] = *told;
  if (axes[0] + n < rank)
    parts[n_parts++] = tell_rest (self, (int) axes[0] + n, rank, by_scales);
  *told = sym_op_lower_call (self, "Concat", (SymIds){ parts, n_parts }, "axis",
                             sym_value_new_int (0), NULL);
  return TRUE;
}

/* Of what the operand tells, sizes or factors, for these axes. */
static void
lower_interpolate (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "nearest");
  const char *by = sym_op_lower_get_string (self, "shape_calculation_mode", "sizes");
  const char *coordinates =
      sym_op_lower_get_string (self, "coordinate_transformation_mode", "half_pixel");
  int rank = sym_op_foreign_rank (self, 0), n_axes;
  gboolean by_scales = strcmp (by, "scales") == 0;
  guint place = by_scales && sym_dtype_is_floating (sym_op_lower_get_input_dtype (self, 2)) ? 2 : 1;
  gint64 axes[SYM_MAX_RANK];
  gboolean is_whole;
  SymId told;

  n_axes = sym_op_foreign_list (self, "axes", axes);
  if (n_axes < 0 && sym_op_lower_has_input (self, 3))
    sym_op_lower_refuse (self, "%s: its axes are not constant", sym_op_lower_get_type (self));
  for (int i = 0; n_axes <= 0 && i < rank; i++)
    axes[i] = i;
  n_axes = n_axes <= 0 ? rank : n_axes;
  if (!sym_op_lower_need_tensor (self, place))
    return;
  told = by_scales ? sym_op_lower_cast_from (self, sym_op_lower_input (self, place),
                                             sym_op_lower_get_input_dtype (self, place),
                                             SYM_DTYPE_FLOAT32)
                   : sym_op_openvino_ints (self, place);
  is_whole = tell_all (self, axes, n_axes, rank, by_scales, &told);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Resize",
          SYM_IDS (sym_op_lower_input (self, 0), SYM_NO_ID, by_scales ? told : SYM_NO_ID,
                   by_scales ? SYM_NO_ID : told),
          "axes", is_whole ? sym_value_new_none () : sym_op_lower_list (axes, n_axes), "mode",
          sym_value_new_string (
              g_str_has_prefix (mode, "linear") || strstr (mode, "bilinear") != NULL ? "linear"
              : strstr (mode, "cubic") != NULL                                       ? "cubic"
                                                                                     : "nearest"),
          "coordinate_transformation_mode", sym_value_new_string (coordinates), "nearest_mode",
          sym_value_new_string (
              sym_op_lower_get_string (self, "nearest_mode", "round_prefer_floor")),
          "cubic_coeff_a", sym_value_new_float (sym_op_lower_get_float (self, "cube_coeff", -0.75)),
          NULL));
}

/* ---- Normalization ---- */

static void
lower_batch_norm (SymOpLower *self)
{
  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "BatchNormalization",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                  sym_op_lower_input (self, 2), sym_op_lower_input (self, 3),
                                  sym_op_lower_input (self, 4)),
                         "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (
                             self, sym_op_foreign_choose (self, "epsilon", "eps", NULL), 1e-5)),
                         NULL));
}

static SymId
make_epsilon (SymOpLower *self)
{
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                              sym_op_lower_get_float (self, "eps", 1e-6));
}

/* (x - mean) / sqrt (variance + eps), or / (sqrt (variance) + eps). */
static void
lower_mvn (SymOpLower *self)
{
  gboolean is_within =
      g_ascii_strcasecmp (sym_op_lower_get_string (self, "eps_mode", "inside_sqrt"),
                          "inside_sqrt") == 0;
  SymId x = sym_op_lower_input (self, 0), variance;
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_foreign_read (self, "axes", axes, &n))
    return;
  x = sym_op_lower_binary (self, "Sub", x,
                           sym_op_lower_reduce (self, "ReduceMean", x, axes, n, TRUE));
  if (sym_op_lower_get_bool (self, "normalize_variance", TRUE))
    {
      variance = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x),
                                      axes, n, TRUE);
      if (is_within)
        variance = sym_op_lower_binary (self, "Add", variance, make_epsilon (self));
      variance = sym_op_lower_unary (self, "Sqrt", variance);
      if (!is_within)
        variance = sym_op_lower_binary (self, "Add", variance, make_epsilon (self));
      x = sym_op_lower_binary (self, "Div", x, variance);
    }
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_normalize (SymOpLower *self)
{
  gboolean is_max = sym_op_lower_has_string (self, "eps_mode", "max");
  SymId x = sym_op_lower_input (self, 0), sum;
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_foreign_read (self, "axes", axes, &n))
    return;
  sum = sym_op_lower_reduce (self, "ReduceSumSquare", x, axes, n, TRUE);
  sum = sym_op_lower_binary (self, is_max ? "Max" : "Add", sum, make_epsilon (self));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", sum)));
}

static void
lower_lrn (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_foreign_read (self, "axes", axes, &n))
    return;
  if (n != 1 || axes[0] != 1)
    sym_op_lower_refuse (self, "%s: over other axes than the channels it is not lowered",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LRN", SYM_IDS (sym_op_lower_input (self, 0)), "size",
                         sym_value_new_int (sym_op_lower_get_int (self, "size", 5)), "alpha",
                         sym_value_new_float (sym_op_lower_get_float (self, "alpha", 1)), "beta",
                         sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.5)), "bias",
                         sym_value_new_float (sym_op_lower_get_float (self, "bias", 1)), NULL));
}

static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "LogSoftmax");
  int axis = sym_op_foreign_axis (self, "axis", is_log ? -1 : 1, sym_op_foreign_rank (self, 0));

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_with (self, is_log ? "LogSoftmax" : "Softmax",
                                                sym_op_lower_input (self, 0), "axis", axis));
}

/* ---- Tables ---- */

static const SymSlotSpec conv_slots[] = { { "data" }, { "filters", SYM_SLOT_PARAMETER }, { NULL } };

static const SymSlotSpec back_slots[] = {
  { "data" },
  { "filters", SYM_SLOT_PARAMETER },
  { "output_shape", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec axes_slots[] = { { "data" }, { "axes" }, { NULL } };

static const SymSlotSpec norm_slots[] = {
  { "data" },
  { "gamma", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "mean", SYM_SLOT_AUXILIARY },
  { "variance", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const SymSlotSpec resize_slots[] = {
  { "data" }, { "sizes" }, { "scales", SYM_SLOT_DATA, TRUE }, { "axes", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec window_attributes[] = {
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "pads_begin", SYM_ATTRIBUTE_INTS, "0", "added before each axis" },
  { "pads_end", SYM_ATTRIBUTE_INTS, "0", "added behind it" },
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "auto_pad", SYM_ATTRIBUTE_STRING, "explicit", "how what is added is found" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "0", "what is added to the size" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "size of the result" },
  { "kernel", SYM_ATTRIBUTE_INTS, "None", "size of the window of a pooling" },
  { "exclude-pad", SYM_ATTRIBUTE_BOOL, "True", "whether what is added is left out of means" },
  { "rounding_type", SYM_ATTRIBUTE_STRING, "floor", "whether a partly filled window counts" },
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "nearest", "how it is read between elements" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that change" },
  { "shape_calculation_mode", SYM_ATTRIBUTE_STRING, "sizes", "what tells the size" },
  { "coordinate_transformation_mode", SYM_ATTRIBUTE_STRING, "half_pixel", "where elements lie" },
  { "nearest_mode", SYM_ATTRIBUTE_STRING, "round_prefer_floor", "which of two is nearest" },
  { NULL },
};

static const SymAttributeSpec norm_attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to the variance" },
  { "eps_mode", SYM_ATTRIBUTE_STRING, "inside_sqrt", "where it is added" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that are normalized" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "the same of softmax" },
  { NULL },
};

const SymOperator sym_op_openvino_window[] = {
  OPENVINO_LOWERED ("Convolution",
                    "GroupConvolution",
                    "Convolution",
                    WEIGHTS,
                    conv_slots,
                    window_attributes,
                    lower_conv),
  OPENVINO_LOWERED ("ConvolutionBackpropData",
                    "GroupConvolutionBackpropData",
                    "Transposed convolution",
                    WEIGHTS,
                    back_slots,
                    window_attributes,
                    lower_conv_transpose),
  OPENVINO_LOWERED ("MaxPool",
                    NULL,
                    "Greatest element of each window",
                    POOLING,
                    sym_op_foreign_one,
                    window_attributes,
                    lower_pool),
  OPENVINO_LOWERED ("AvgPool",
                    NULL,
                    "Mean of each window",
                    POOLING,
                    sym_op_foreign_one,
                    window_attributes,
                    lower_pool),
  OPENVINO_LOWERED ("Interpolate",
                    NULL,
                    "Another size",
                    SHAPE,
                    resize_slots,
                    resize_attributes,
                    lower_interpolate),
  OPENVINO_LOWERED ("BatchNormInference",
                    NULL,
                    "Normalization by running statistics",
                    NORMALIZATION,
                    norm_slots,
                    norm_attributes,
                    lower_batch_norm),
  OPENVINO_LOWERED ("MVN",
                    NULL,
                    "Mean 0 and variance 1",
                    NORMALIZATION,
                    axes_slots,
                    norm_attributes,
                    lower_mvn),
  OPENVINO_LOWERED ("NormalizeL2",
                    NULL,
                    "Vectors of length 1",
                    NORMALIZATION,
                    axes_slots,
                    norm_attributes,
                    lower_normalize),
  OPENVINO_LOWERED ("LRN",
                    NULL,
                    "Normalization by neighbouring channels",
                    NORMALIZATION,
                    axes_slots,
                    norm_attributes,
                    lower_lrn),
  OPENVINO_LOWERED ("Softmax",
                    "SoftMax LogSoftmax",
                    "Numbers along an axis that sum to 1",
                    ACTIVATION,
                    sym_op_foreign_one,
                    norm_attributes,
                    lower_softmax),
  { NULL },
};
