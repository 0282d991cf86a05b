/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* paddings: one for both sides of each axis, or one for each side. */
static void
read_pads (SymOpLower *self, SymOpForeignWindow *window)
{
  const char *algorithm = sym_op_lower_get_string (self, "padding_algorithm", "EXPLICIT");
  gint64 pads[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "paddings", pads);

  if (g_str_equal (algorithm, "SAME"))
    window->auto_pad = "SAME_UPPER";
  if (!g_str_equal (algorithm, "EXPLICIT") || n < 1)
    return;
  if (n != 1 && n != window->n && n != 2 * window->n)
    sym_op_lower_fail (self, "%s: paddings should have %d or %d numbers, not %d",
                       sym_op_lower_get_type (self), window->n, 2 * window->n, n);
  for (int i = 0; i < window->n && !sym_op_lower_has_failed (self); i++)
    {
      window->before[i] = n == 1 ? pads[0] : n == window->n ? pads[i] : pads[2 * i];
      window->after[i] = n == 2 * window->n ? pads[2 * i + 1] : window->before[i];
    }
}

static gboolean
read_window (SymOpLower *self, SymOpForeignWindow *window)
{
  if (!sym_op_foreign_begin (self, 0, window))
    return FALSE;
  window->channels_last = sym_op_paddle_is_channels_last (self);
  sym_op_foreign_ints (self, "strides", window->n, 1, window->stride);
  sym_op_foreign_ints (self, "dilations", window->n, 1, window->dilation);
  window->groups = sym_op_lower_get_int (self, "groups", 1);
  read_pads (self, window);
  return !sym_op_lower_has_failed (self);
}

/* ---- Convolution ---- */

/* The bias of a fused one is added behind, with whatever shape it has. */
static void
lower_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId y;

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  y = sym_op_foreign_conv (self, &window, sym_op_lower_input (self, 0),
                           sym_op_lower_input (self, 1), sym_op_lower_input (self, 2));
  if (sym_op_lower_has_input (self, 3))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 3));
  sym_op_lower_set_output (self, 0, sym_op_paddle_activate (self, y));
}

/* What is left of a size that is asked for, beyond what the window makes. */
static void
find_extra (SymOpLower *self, const SymOpForeignWindow *window, gint64 *extra)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "output_size", sizes);

  for (int i = 0; i < window->n && n == window->n; i++)
    {
      gint64 size = sym_op_foreign_size (self, 0, i + (window->channels_last ? 1 : 2));
      gint64 kernel = sym_op_foreign_size (self, 1, i + 2);

      extra[i] = CLAMP (sizes[i], 0, G_MAXINT32) -
                 ((size - 1) * window->stride[i] - window->before[i] - window->after[i] +
                  window->dilation[i] * (kernel - 1) + 1);
      if (extra[i] < 0 && !sym_op_lower_has_failed (self))
        sym_op_lower_fail (self, "%s: output_size %" G_GINT64_FORMAT " is too small",
                           sym_op_lower_get_type (self), sizes[i]);
    }
}

static void
lower_conv_transpose (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[3];
  SymId y;

  if (!read_window (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  sym_op_foreign_ints (self, "output_padding", window.n, 0, extra);
  find_extra (self, &window, extra);
  y = sym_op_foreign_conv_transpose (self, &window, sym_op_lower_input (self, 0),
                                     sym_op_lower_input (self, 1), sym_op_lower_input (self, 3),
                                     extra);
  sym_op_lower_set_output (self, 0, sym_op_paddle_activate (self, y));
}

/* ---- Pooling ---- */

static void
read_pool (SymOpLower *self, SymOpForeignWindow *window)
{
  const char *sizes = sym_op_foreign_choose (self, "kernel_size", "ksize", NULL);

  window->up = sym_op_lower_get_bool (self, "ceil_mode", FALSE);
  window->counts_pads = !sym_op_lower_get_bool (self, "exclusive", TRUE);
  if (!sym_op_lower_get_bool (self, "global_pooling", FALSE) &&
      sym_op_lower_get_ints (self, sizes, NULL, 0) < 1)
    sym_op_lower_refuse (self, "%s: the size of the window is not constant",
                         sym_op_lower_get_type (self));
  sym_op_foreign_ints (self, sizes, window->n, 1, window->kernel);
}

static SymId
pool (SymOpLower *self, const SymOpForeignWindow *window, gboolean is_max)
{
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_lower_get_bool (self, "global_pooling", FALSE))
    return sym_op_foreign_pool_all (self, window, is_max ? "ReduceMax" : "ReduceMean", x);
  if (sym_op_lower_get_bool (self, "adaptive", FALSE))
    return sym_op_foreign_pool_to (self, window, is_max, window->kernel, x);
  return sym_op_foreign_pool (self, window, is_max ? "MaxPool" : "AveragePool", x);
}

static void
lower_pool (SymOpLower *self)
{
  SymOpForeignWindow window;
  gboolean is_max = !sym_op_lower_has_string (self, "pooling_type", "avg");

  if (!read_window (self, &window))
    return;
  read_pool (self, &window);
  sym_op_lower_set_output (self, 0, pool (self, &window, is_max));
}

/* The places of the greatest elements, counted within each channel. */
static SymId
find_places (SymOpLower *self, const SymOpForeignWindow *window)
{
  gint64 flat[] = { 0, 0, -1 };
  const gint64 axes[] = { 3, 4 };
  SymId x = sym_op_lower_input (self, 0), y, places, per_channel;
  gint64 size = 1;

  for (int i = 0; i < window->n; i++)
    size = sym_op_foreign_multiply (self, size, sym_op_foreign_size (self, 0, i + 2));
  if (sym_op_lower_get_bool (self, "global_pooling", FALSE) ||
      (sym_op_lower_get_bool (self, "adaptive", FALSE) && window->kernel[0] == 1 &&
       window->kernel[window->n - 1] == 1))
    {
      x = sym_op_foreign_reshape (self, x, flat, 3, TRUE);
      y = sym_op_lower_call (self, "ArgMax", SYM_IDS (x), "axis", sym_value_new_int (2), "keepdims",
                             sym_value_new_int (1), NULL);
      return window->n == 1 ? y : sym_op_foreign_unsqueeze (self, y, axes, window->n - 1);
    }
  if (sym_op_lower_get_bool (self, "adaptive", FALSE))
    sym_op_lower_refuse (self, "%s: places of windows of several sizes are not lowered",
                         sym_op_lower_get_type (self));
  y = sym_op_foreign_pool (self, window, "MaxPool", x);
  places = sym_op_lower_get_result (self, y, 1);
  per_channel = sym_op_lower_number (self, SYM_DTYPE_INT64, (double) size);
  return sym_op_lower_binary (self, "Mod", places, per_channel);
}

static void
lower_pool_with_places (SymOpLower *self)
{
  SymOpForeignWindow window;

  if (!read_window (self, &window))
    return;
  read_pool (self, &window);
  sym_op_lower_set_output (self, 0, pool (self, &window, TRUE));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_lower_cast (self, find_places (self, &window), SYM_DTYPE_INT32));
}

/* ---- Tables ---- */

static const SymSlotSpec conv_slots[] = {
  { "Input" },
  { "Filter", SYM_SLOT_PARAMETER },
  { "Bias", SYM_SLOT_PARAMETER, TRUE },
  { "ResidualData", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec transpose_slots[] = {
  { "Input" },
  { "Filter", SYM_SLOT_PARAMETER },
  { "output_size", SYM_SLOT_DATA, TRUE },
  { "Bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec pool_slots[] = { { "X" }, { "ksize", SYM_SLOT_DATA, TRUE }, { NULL } };

#define WINDOW                                                                      \
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window" },                     \
      { "paddings", SYM_ATTRIBUTE_INTS, "0", "what is added around the data" },     \
      { "padding_algorithm", SYM_ATTRIBUTE_STRING, "EXPLICIT", "how that is found", \
        "EXPLICIT SAME VALID" },                                                    \
  {                                                                                 \
    "data_format", SYM_ATTRIBUTE_STRING, "NCHW", "where the channels are"           \
  }

static const SymAttributeSpec conv_attributes[] = {
  WINDOW,
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { NULL },
};

static const SymAttributeSpec transpose_attributes[] = {
  WINDOW,
  { "dilations", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "0", "what is added to the size" },
  { "output_size", SYM_ATTRIBUTE_INTS, "None", "size of the result" },
  { NULL },
};

static const SymAttributeSpec pool_attributes[] = {
  WINDOW,
  { "ksize", SYM_ATTRIBUTE_INTS, "None", "size of the window, or of the result when adaptive" },
  { "pooling_type", SYM_ATTRIBUTE_STRING, "max", "what is taken of each window", "max avg" },
  { "global_pooling", SYM_ATTRIBUTE_BOOL, "False", "one window over all" },
  { "adaptive", SYM_ATTRIBUTE_BOOL, "False", "windows that make a result of the size ksize" },
  { "ceil_mode", SYM_ATTRIBUTE_BOOL, "False", "whether a last, partly filled window counts" },
  { "exclusive", SYM_ATTRIBUTE_BOOL, "True", "whether what is added is left out of means" },
  { NULL },
};

const SymOperator sym_op_paddle_conv[] = {
  PADDLE_LOWERED ("conv2d",
                  "depthwise_conv2d",
                  "Convolution over images",
                  WEIGHTS,
                  conv_slots,
                  conv_attributes,
                  lower_conv),
  PADDLE_LOWERED ("conv3d",
                  NULL,
                  "Convolution over volumes",
                  WEIGHTS,
                  conv_slots,
                  conv_attributes,
                  lower_conv),
  PADDLE_LOWERED ("conv2d_transpose",
                  "depthwise_conv2d_transpose",
                  "Transposed convolution over images",
                  WEIGHTS,
                  transpose_slots,
                  transpose_attributes,
                  lower_conv_transpose),
  PADDLE_LOWERED ("conv3d_transpose",
                  NULL,
                  "Transposed convolution over volumes",
                  WEIGHTS,
                  transpose_slots,
                  transpose_attributes,
                  lower_conv_transpose),
  PADDLE_LOWERED ("pool2d",
                  NULL,
                  "Greatest element or mean of each window of images",
                  POOLING,
                  pool_slots,
                  pool_attributes,
                  lower_pool),
  PADDLE_LOWERED ("pool3d",
                  NULL,
                  "Greatest element or mean of each window of volumes",
                  POOLING,
                  pool_slots,
                  pool_attributes,
                  lower_pool),
  PADDLE_LOWERED ("max_pool2d_with_index",
                  "max_pool3d_with_index",
                  "Greatest element of each window, and its place",
                  POOLING,
                  pool_slots,
                  pool_attributes,
                  lower_pool_with_places),
  { NULL },
};
