/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

#include <string.h>

/* Padding: SAME is number 0, which files leave out. */
static gboolean
read_plain_window (SymOpLower *self, guint i, SymOpForeignWindow *window)
{
  static const char *const members[] = { "SAME", "VALID", NULL };
  static const char *const names[][2] = {
    { "stride_h", "stride_w" },
    { "dilation_h_factor", "dilation_w_factor" },
    { "filter_height", "filter_width" },
  };

  if (!sym_op_foreign_begin (self, i, window))
    return FALSE;
  if (window->n != 2)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
      return FALSE;
    }
  for (int k = 0; k < 2; k++)
    {
      window->stride[k] = sym_op_lower_get_int (self, names[0][k], 1);
      window->dilation[k] = sym_op_lower_get_int (self, names[1][k], 1);
      window->kernel[k] = sym_op_lower_get_int (self, names[2][k], 1);
      if (MAX (window->stride[k], window->dilation[k]) > G_MAXINT32)
        sym_op_lower_fail (self, "%s: its steps make no sense", sym_op_lower_get_type (self));
    }
  window->channels_last = TRUE;
  window->auto_pad =
      sym_op_tflite_get_enum (self, "padding", members) == 0 ? "SAME_UPPER" : "VALID";
  return !sym_op_lower_has_failed (self);
}

/* The same, and FALSE, for a layer that is lowered as quantised. */
static gboolean
read_window (SymOpLower *self, guint i, SymOpForeignWindow *window)
{
  return !sym_op_tflite_quantized (self) && read_plain_window (self, i, window);
}

/* [out, height, width, in] */
static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId weight;

  if (!read_window (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_shape (self, 0)->dims[3] >= 0 && sym_op_foreign_rank (self, 1) == 4 &&
      sym_op_foreign_size (self, 1, 3) > 0)
    window.groups = MAX (sym_op_foreign_size (self, 0, 3) / sym_op_foreign_size (self, 1, 3), 1);
  weight = sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 4, 0, 3, 1, 2);
  sym_op_tflite_set (self, sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0), weight,
                                                sym_op_lower_input (self, 2)));
}

/* [1, height, width, in multiplier] */
static void
lower_depthwise (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId weight;

  if (!read_window (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  window.groups = sym_op_foreign_size (self, 0, 3);
  weight = sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 4, 3, 0, 1, 2);
  sym_op_tflite_set (self, sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0), weight,
                                                sym_op_lower_input (self, 2)));
}

/* Operands are the shape of the result, weights [out, height, width, in], data and a bias. */
static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 sizes[SYM_MAX_RANK], extra[3];
  int n;

  if (!read_window (self, 2, &window) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_foreign_read (self, "output_shape", sizes, &n))
    return;
  for (int i = 0; i < n; i++)
    sizes[i] = CLAMP (sizes[i], 0, G_MAXINT32);
  if (n != 4)
    sym_op_lower_fail (self, "%s: output_shape has %d sizes", sym_op_lower_get_type (self), n);
  for (int i = 0; i < 2 && !sym_op_lower_has_failed (self); i++)
    {
      gint64 kernel = sym_op_foreign_size (self, 1, i + 1),
             size = sym_op_foreign_size (self, 2, i + 1);
      gint64 whole = (size - 1) * window.stride[i] + window.dilation[i] * (kernel - 1) + 1;
      gint64 pads = g_str_equal (window.auto_pad, "VALID") ? 0 : MAX (whole - sizes[i + 1], 0);

      window.before[i] = pads / 2;
      window.after[i] = pads - pads / 2;
      extra[i] = sizes[i + 1] - whole + pads;
      if (extra[i] < 0)
        sym_op_lower_fail (self, "%s: output_shape is too small", sym_op_lower_get_type (self));
    }
  window.auto_pad = NULL;
  if (!sym_op_lower_has_failed (self))
    sym_op_tflite_set (
        self, sym_op_foreign_conv_transpose (
                  self, &window, sym_op_lower_input (self, 2),
                  sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 4, 3, 0, 1, 2),
                  sym_op_lower_input (self, 3), extra));
}

/* Means of integers, where halves go away from zero, not to even as elsewhere. */
static void
lower_mean_of_integers (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymOpForeignWindow window;
  SymId mean, size, half;

  if (!read_plain_window (self, 0, &window))
    return;
  mean = sym_op_foreign_pool (
      self, &window, "AveragePool",
      sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32));
  half = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0.5);
  size = sym_op_lower_binary (self, "Add", sym_op_lower_unary (self, "Abs", mean), half);
  size = sym_op_lower_unary (self, "Floor", size);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (
          self, sym_op_lower_binary (self, "Mul", sym_op_lower_unary (self, "Sign", mean), size),
          dtype));
}

static void
lower_pool (SymOpLower *self)
{
  static const char *const members[] = { "NONE",     "RELU", "RELU_N1_TO_1", "RELU6", "TANH",
                                         "SIGN_BIT", NULL };
  gboolean is_max = g_str_equal (sym_op_lower_get_type (self), "MAX_POOL_2D");
  SymOpForeignWindow window;

  if (!is_max && sym_op_tflite_keeps_scale (self) &&
      sym_op_tflite_get_enum (self, "fused_activation_function", members) == 0)
    lower_mean_of_integers (self);
  else if (read_window (self, 0, &window))
    sym_op_tflite_set (self, sym_op_foreign_pool (self, &window, is_max ? "MaxPool" : "AveragePool",
                                                  sym_op_lower_input (self, 0)));
}

/* ---- Products ---- */

/* Weights are [out, in]; the data is a matrix of rows of that size unless its axes are kept. */
static void
lower_fully_connected (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), y;
  gint64 rows[] = { -1, 0 };

  if (sym_op_tflite_quantized (self))
    return;
  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  rows[1] = sym_op_foreign_size (self, 1, 1);
  if (!sym_op_lower_get_bool (self, "keep_num_dims", FALSE) && sym_op_foreign_rank (self, 0) != 2)
    x = sym_op_foreign_reshape (self, x, rows, 2, FALSE);
  y = sym_op_lower_binary (self, "MatMul", x,
                           sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 2, 1, 0));
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 2));
  sym_op_tflite_set (self, y);
}

static void
lower_matmul (SymOpLower *self)
{
  if (sym_op_tflite_quantized (self))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (
          self, "MatMul",
          sym_op_foreign_turn (self, 0, sym_op_foreign_choose (self, "adjoint_lhs", "adj_x", NULL)),
          sym_op_foreign_turn (self, 1,
                               sym_op_foreign_choose (self, "adjoint_rhs", "adj_y", NULL))));
}

/* ---- Normalization ---- */

static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "LOG_SOFTMAX");
  double beta = sym_op_lower_get_float (self, "beta", 1);
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_tflite_quantized (self))
    return;
  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (beta != 1 && !is_log)
    x = sym_op_lower_binary (
        self, "Mul", x, sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), beta));
  sym_op_lower_set_output (
      self, 0, sym_op_foreign_with (self, is_log ? "LogSoftmax" : "Softmax", x, "axis", -1));
}

static void
lower_normalize (SymOpLower *self)
{
  gint64 last = sym_op_foreign_rank (self, 0) - 1;
  SymId x = sym_op_lower_input (self, 0), length;

  if (sym_op_tflite_quantized (self))
    return;
  length = sym_op_lower_reduce (self, "ReduceL2", x, &last, 1, TRUE);
  length = sym_op_lower_binary (
      self, "Max", length,
      sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 1e-6));
  sym_op_tflite_set (self, sym_op_lower_binary (self, "Div", x, length));
}

/* ---- Resizing ---- */

static void
lower_resize (SymOpLower *self)
{
  gboolean is_nearest = g_str_equal (sym_op_lower_get_type (self), "RESIZE_NEAREST_NEIGHBOR");
  gboolean corners = sym_op_lower_get_bool (self, "align_corners", FALSE);
  gboolean middles = sym_op_lower_get_bool (self, "half_pixel_centers", FALSE);
  gint64 sizes[SYM_MAX_RANK], axes[] = { 1, 2 };
  int n;

  if (sym_op_tflite_quantized (self))
    return;
  if (!sym_op_foreign_read (self, "size", sizes, &n))
    return;
  if (n != 2)
    sym_op_lower_fail (self, "%s: %d sizes", sym_op_lower_get_type (self), n);
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "Resize",
                           SYM_IDS (sym_op_lower_input (self, 0), SYM_NO_ID, SYM_NO_ID,
                                    sym_op_lower_ints (self, sizes, 2)),
                           "axes", sym_op_lower_list (axes, 2), "mode",
                           sym_value_new_string (is_nearest ? "nearest" : "linear"),
                           "coordinate_transformation_mode",
                           sym_value_new_string (corners                 ? "align_corners"
                                                 : middles && is_nearest ? "tf_half_pixel_for_nn"
                                                 : middles               ? "half_pixel"
                                                                         : "asymmetric"),
                           "nearest_mode",
                           sym_value_new_string (corners ? "round_prefer_ceil" : "floor"), NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec conv_slots[] = {
  { "input" },
  { "weights", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec transpose_slots[] = {
  { "output_shape" }, { "weights", SYM_SLOT_PARAMETER },
  { "input" },        { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec size_slots[] = { { "images" }, { "size" }, { NULL } };

#define FUSED                                                                            \
  {                                                                                      \
    "fused_activation_function", SYM_ATTRIBUTE_ANY, "'NONE'", "a function of the result" \
  }

static const SymAttributeSpec window_attributes[] = {
  { "padding", SYM_ATTRIBUTE_ANY, "'SAME'", "whether the window may reach out" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step of the window down" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step of the window to the right" },
  { "dilation_h_factor", SYM_ATTRIBUTE_INT, "1", "distance between the window's elements" },
  { "dilation_w_factor", SYM_ATTRIBUTE_INT, "1", "the same to the right" },
  { "filter_height", SYM_ATTRIBUTE_INT, "1", "height of the window of a pooling" },
  { "filter_width", SYM_ATTRIBUTE_INT, "1", "its width" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "shape of a transposed one's result" },
  FUSED,
  { NULL },
};

static const SymAttributeSpec connected_attributes[] = {
  { "keep_num_dims", SYM_ATTRIBUTE_BOOL, "False", "whether the axes before the last stay" },
  FUSED,
  { NULL },
};

static const SymAttributeSpec matmul_attributes[] = {
  { "adj_x", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "adj_y", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor before it" },
  FUSED,
  { NULL },
};

static const SymAttributeSpec resize_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "None", "height and width of the result" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the middles of the corners meet" },
  { "half_pixel_centers", SYM_ATTRIBUTE_BOOL, "False", "whether elements have their middles" },
  { NULL },
};

const SymOperator sym_op_tflite_window[] = {
  TFLITE_LOWERED ("CONV_2D",
                  NULL,
                  "Convolution over images",
                  WEIGHTS,
                  conv_slots,
                  window_attributes,
                  lower_conv),
  TFLITE_LOWERED ("DEPTHWISE_CONV_2D",
                  NULL,
                  "Convolution of each channel of images",
                  WEIGHTS,
                  conv_slots,
                  window_attributes,
                  lower_depthwise),
  TFLITE_LOWERED ("TRANSPOSE_CONV",
                  NULL,
                  "Transposed convolution",
                  WEIGHTS,
                  transpose_slots,
                  window_attributes,
                  lower_conv_transpose),
  TFLITE_LOWERED ("MAX_POOL_2D",
                  "AVERAGE_POOL_2D",
                  "Greatest element or mean of each window",
                  POOLING,
                  sym_op_foreign_one,
                  window_attributes,
                  lower_pool),
  TFLITE_LOWERED ("FULLY_CONNECTED",
                  NULL,
                  "Fully connected layer",
                  WEIGHTS,
                  conv_slots,
                  connected_attributes,
                  lower_fully_connected),
  TFLITE_LOWERED ("BATCH_MATMUL",
                  NULL,
                  "Product of matrices",
                  WEIGHTS,
                  sym_op_foreign_two,
                  matmul_attributes,
                  lower_matmul),
  TFLITE_LOWERED ("SOFTMAX",
                  "LOG_SOFTMAX",
                  "Numbers along the last axis that sum to 1",
                  ACTIVATION,
                  sym_op_foreign_one,
                  softmax_attributes,
                  lower_softmax),
  TFLITE_LOWERED ("L2_NORMALIZATION",
                  NULL,
                  "Vectors of length 1",
                  NORMALIZATION,
                  sym_op_foreign_one,
                  softmax_attributes,
                  lower_normalize),
  TFLITE_LOWERED ("RESIZE_BILINEAR",
                  "RESIZE_NEAREST_NEIGHBOR",
                  "Another size",
                  SHAPE,
                  size_slots,
                  resize_attributes,
                  lower_resize),
  { NULL },
};
