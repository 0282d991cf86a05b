/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <math.h>
#include <string.h>

/* Layers with windows, and those that normalise. */

#define MAX_WINDOW 3

typedef struct {
  int n;
  gint64 kernel[MAX_WINDOW], stride[MAX_WINDOW], dilation[MAX_WINDOW], pads[2 * MAX_WINDOW];
} Window;

/* FALSE for a list of another length; @fallback where there is none. */
static gboolean
read_list (SymMxnetRaise *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  int found = sym_mxnet_raise_get_ints (self, name, 0, values, n);

  for (int i = 0; found < 0 && i < n; i++)
    values[i] = fallback;
  return found == n ||
         (found < 0 && sym_attributes_find (sym_mxnet_raise_get_attributes (self), name) == NULL);
}

/* `auto_pad` in numbers. */
static gboolean
read_same (Window *self, const SymShape *shape, gboolean is_upper)
{
  for (int i = 0; i < self->n; i++)
    {
      gint64 size = shape->dims[i + 2], reach = (self->kernel[i] - 1) * self->dilation[i] + 1;
      gint64 all = ((size + self->stride[i] - 1) / self->stride[i] - 1) * self->stride[i];

      if (size < 0)
        return FALSE;
      all = MAX (all + reach - size, 0);
      self->pads[i] = is_upper ? all / 2 : all - all / 2;
      self->pads[i + self->n] = all - self->pads[i];
    }
  return TRUE;
}

/* The window slides over all axes behind the channels; of a convolution its size may be told by the
 * weights alone. */
static gboolean
read_window (SymMxnetRaise *self, gboolean has_weights, Window *window)
{
  SymShape shape = sym_mxnet_raise_get_shape (self, 0),
           weight = sym_mxnet_raise_get_shape (self, 1);
  const char *same =
      sym_attributes_get_string (sym_mxnet_raise_get_attributes (self), "auto_pad", "NOTSET");
  gboolean done;

  window->n = shape.rank - 2;
  if (window->n < 1 || window->n > MAX_WINDOW)
    {
      sym_mxnet_raise_fail (self, "the data must have 3 to 5 axes");
      return FALSE;
    }
  done = read_list (self, "kernel_shape", window->n, 0, window->kernel) &&
         read_list (self, "strides", window->n, 1, window->stride) &&
         read_list (self, "dilations", window->n, 1, window->dilation) &&
         read_list (self, "pads", 2 * window->n, 0, window->pads);
  for (int i = 0; done && i < window->n && has_weights && weight.rank == shape.rank; i++)
    window->kernel[i] = weight.dims[i + 2];
  for (int i = 0; done && i < window->n; i++)
    done = window->kernel[i] > 0 && window->stride[i] > 0;
  if (done && g_str_has_prefix (same, "SAME"))
    done = read_same (window, &shape, strcmp (same, "SAME_UPPER") == 0);
  if (!done)
    sym_mxnet_raise_fail (self, "its window is not known beforehand");
  return done;
}

static gboolean
is_even (const Window *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->pads[i] != self->pads[i + self->n] || self->pads[i] < 0)
      return FALSE;
  return TRUE;
}

/* The data with @number around it, where there is more at one end than at the other, which a window
 * of MXNet cannot say. */
static SymId
pad_apart (SymMxnetRaise *self, Window *window, double number)
{
  SymId x = sym_mxnet_raise_operand (self, 0);
  gint64 widths[2 * (MAX_WINDOW + 2)] = { 0 };

  if (is_even (window))
    return x;
  if (window->n < 2)
    sym_mxnet_raise_fail (self, "MXNet adds as much at both ends");
  for (int i = 0; i < window->n; i++)
    {
      if (window->pads[i] < 0 || window->pads[i + window->n] < 0)
        sym_mxnet_raise_fail (self, "MXNet cuts nothing off");
      widths[2 * (i + 2)] = window->pads[i];
      widths[2 * (i + 2) + 1] = window->pads[i + window->n];
      window->pads[i] = window->pads[i + window->n] = 0;
    }
  return sym_mxnet_raise_call (self, "Pad", &x, 1, "mode", sym_value_new_string ("constant"),
                               "pad_width", sym_mxnet_raise_tuple (widths, 2 * (window->n + 2)),
                               "constant_value", sym_value_new_float (number), NULL);
}

static void
raise_conv (SymMxnetRaise *self)
{
  SymShape weight = sym_mxnet_raise_get_shape (self, 1);
  gboolean has_bias = sym_mxnet_raise_has (self, 2);
  SymId operands[3];
  Window window;

  if (!read_window (self, TRUE, &window))
    return;
  if (weight.rank != window.n + 2 || weight.dims[0] < 0)
    {
      sym_mxnet_raise_fail (self, "the shape of its weights is not known");
      return;
    }
  operands[0] = pad_apart (self, &window, 0);
  for (guint i = 1; i < 2u + has_bias; i++)
    operands[i] = sym_mxnet_raise_operand (self, i);
  sym_mxnet_raise_finish (self, "Convolution", operands, 2 + has_bias, "kernel",
                          sym_mxnet_raise_tuple (window.kernel, window.n), "stride",
                          sym_mxnet_raise_tuple (window.stride, window.n), "dilate",
                          sym_mxnet_raise_tuple (window.dilation, window.n), "pad",
                          sym_mxnet_raise_tuple (window.pads, window.n), "num_filter",
                          sym_value_new_int (weight.dims[0]), "num_group",
                          sym_value_new_int (sym_mxnet_raise_get_int (self, "group", 1)), "no_bias",
                          sym_value_new_bool (!has_bias), NULL);
}

static void
raise_transposed (SymMxnetRaise *self)
{
  SymShape weight = sym_mxnet_raise_get_shape (self, 1);
  gboolean has_bias = sym_mxnet_raise_has (self, 2);
  gint64 groups = sym_mxnet_raise_get_int (self, "group", 1), extra[MAX_WINDOW];
  const SymAttributes *attributes = sym_mxnet_raise_get_attributes (self);
  SymId operands[3];
  Window window;

  if (!read_window (self, TRUE, &window))
    return;
  if (weight.rank != window.n + 2 || weight.dims[1] < 0 || !is_even (&window) ||
      !read_list (self, "output_padding", window.n, 0, extra) ||
      sym_attributes_find (attributes, "output_shape") != NULL ||
      strcmp (sym_attributes_get_string (attributes, "auto_pad", "NOTSET"), "NOTSET") != 0)
    {
      sym_mxnet_raise_fail (self, "MXNet cuts as much off at both ends");
      return;
    }
  for (guint i = 0; i < 2u + has_bias; i++)
    operands[i] = sym_mxnet_raise_operand (self, i);
  sym_mxnet_raise_finish (
      self, "Deconvolution", operands, 2 + has_bias, "kernel",
      sym_mxnet_raise_tuple (window.kernel, window.n), "stride",
      sym_mxnet_raise_tuple (window.stride, window.n), "dilate",
      sym_mxnet_raise_tuple (window.dilation, window.n), "pad",
      sym_mxnet_raise_tuple (window.pads, window.n), "adj", sym_mxnet_raise_tuple (extra, window.n),
      "num_filter", sym_value_new_int (weight.dims[1] * groups), "num_group",
      sym_value_new_int (groups), "no_bias", sym_value_new_bool (!has_bias), NULL);
}

static void
raise_pool (SymMxnetRaise *self)
{
  gboolean is_max = strcmp (sym_mxnet_raise_get_type (self), "MaxPool") == 0;
  gboolean counts = sym_mxnet_raise_get_int (self, "count_include_pad", 0) != 0;
  SymId x;
  Window window;

  if (!read_window (self, FALSE, &window))
    return;
  for (int i = 0; i < window.n; i++)
    if (window.dilation[i] != 1)
      sym_mxnet_raise_fail (self, "MXNet has no holes in windows");
  if ((!is_max && !counts && !is_even (&window)) ||
      (!is_even (&window) && sym_mxnet_raise_get_int (self, "ceil_mode", 0) != 0) ||
      sym_mxnet_raise_count_results (self) > 1)
    sym_mxnet_raise_fail (self, "MXNet adds as much at both ends, and tells no places");
  x = pad_apart (self, &window, is_max ? -3.402823466e38 : 0);
  sym_mxnet_raise_finish (
      self, "Pooling", &x, 1, "kernel", sym_mxnet_raise_tuple (window.kernel, window.n),
      "pool_type", sym_value_new_string (is_max ? "max" : "avg"), "stride",
      sym_mxnet_raise_tuple (window.stride, window.n), "pad",
      sym_mxnet_raise_tuple (window.pads, window.n), "pooling_convention",
      sym_value_new_string (sym_mxnet_raise_get_int (self, "ceil_mode", 0) != 0 ? "full" : "valid"),
      is_max ? NULL : "count_include_pad", is_max ? NULL : sym_value_new_bool (counts), NULL);
}

static void
raise_global (SymMxnetRaise *self)
{
  gboolean is_max = strcmp (sym_mxnet_raise_get_type (self), "GlobalMaxPool") == 0;
  gint64 ones[MAX_WINDOW] = { 1, 1, 1 };
  int n = sym_mxnet_raise_get_shape (self, 0).rank - 2;
  SymId x = sym_mxnet_raise_operand (self, 0);

  if (n < 1 || n > MAX_WINDOW)
    sym_mxnet_raise_fail (self, "the data must have 3 to 5 axes");
  else
    sym_mxnet_raise_finish (self, "Pooling", &x, 1, "kernel", sym_mxnet_raise_tuple (ones, n),
                            "pool_type", sym_value_new_string (is_max ? "max" : "avg"),
                            "global_pool", sym_value_new_bool (TRUE), NULL);
}

static void
raise_pad (SymMxnetRaise *self)
{
  const char *mode =
      sym_attributes_get_string (sym_mxnet_raise_get_attributes (self), "mode", "constant");
  int rank = sym_mxnet_raise_get_shape (self, 0).rank;
  gint64 pads[2 * (MAX_WINDOW + 2)], widths[2 * (MAX_WINDOW + 2)];
  double number = 0;
  SymId x = sym_mxnet_raise_operand (self, 0);

  if (rank < 4 || rank > 5 || strcmp (mode, "wrap") == 0 || sym_mxnet_raise_has (self, 3) ||
      sym_mxnet_raise_get_ints (self, "pads", 1, pads, 2 * rank) != 2 * rank ||
      (sym_mxnet_raise_has (self, 2) && !sym_mxnet_raise_get_number (self, NULL, 2, &number)))
    {
      sym_mxnet_raise_fail (self, "MXNet pads data of 4 or 5 axes, as much as is told beforehand");
      return;
    }
  for (int i = 0; i < rank; i++)
    for (int k = 0; k < 2; k++)
      {
        widths[2 * i + k] = pads[i + k * rank];
        if (i < 2 ? widths[2 * i + k] != 0 : widths[2 * i + k] < 0)
          sym_mxnet_raise_fail (self, "MXNet adds to the axes behind the channels alone");
      }
  sym_mxnet_raise_finish (self, "Pad", &x, 1, "mode", sym_value_new_string (mode), "pad_width",
                          sym_mxnet_raise_tuple (widths, 2 * rank), "constant_value",
                          sym_value_new_float (sym_mxnet_raise_get_float (self, "value", number)),
                          NULL);
}

/* ---- Normalization ---- */

static void
raise_batch_norm (SymMxnetRaise *self)
{
  SymId operands[5];

  if (sym_mxnet_raise_get_int (self, "training_mode", 0) != 0 ||
      sym_mxnet_raise_get_int (self, "spatial", 1) == 0 || sym_mxnet_raise_count_results (self) > 1)
    {
      sym_mxnet_raise_fail (self, "it trains");
      return;
    }
  for (guint i = 0; i < 5; i++)
    operands[i] = i < 3 ? sym_mxnet_raise_operand (self, i) : sym_mxnet_raise_auxiliary (self, i);
  sym_mxnet_raise_finish (self, "BatchNorm", operands, 5, "eps",
                          sym_value_new_float (sym_mxnet_raise_get_float (self, "epsilon", 1e-5)),
                          "fix_gamma", sym_value_new_bool (FALSE), "use_global_stats",
                          sym_value_new_bool (TRUE), NULL);
}

static void
raise_sample_norm (SymMxnetRaise *self)
{
  gboolean is_layer = strcmp (sym_mxnet_raise_get_type (self), "LayerNormalization") == 0;
  int rank = sym_mxnet_raise_get_shape (self, 0).rank;
  gint64 axis = sym_mxnet_raise_get_int (self, "axis", -1);
  SymId operands[3];

  if (sym_mxnet_raise_count_results (self) > 1 || !sym_mxnet_raise_has (self, 2) ||
      (is_layer && axis != -1 && axis != rank - 1))
    {
      sym_mxnet_raise_fail (self, "MXNet's takes one axis, with a factor and a summand");
      return;
    }
  for (guint i = 0; i < 3; i++)
    operands[i] = sym_mxnet_raise_operand (self, i);
  sym_mxnet_raise_finish (self, is_layer ? "LayerNorm" : "InstanceNorm", operands, 3, "eps",
                          sym_value_new_float (sym_mxnet_raise_get_float (self, "epsilon", 1e-5)),
                          NULL);
}

static void
raise_local_norm (SymMxnetRaise *self)
{
  SymId x = sym_mxnet_raise_operand (self, 0);

  sym_mxnet_raise_finish (
      self, "LRN", &x, 1, "nsize", sym_value_new_int (sym_mxnet_raise_get_int (self, "size", 1)),
      "alpha", sym_value_new_float (sym_mxnet_raise_get_float (self, "alpha", 1e-4)), "beta",
      sym_value_new_float (sym_mxnet_raise_get_float (self, "beta", 0.75)), "knorm",
      sym_value_new_float (sym_mxnet_raise_get_float (self, "bias", 1)), NULL);
}

const SymMxnetRaiseRule sym_mxnet_raise_windows[] = {
  { "AveragePool", 1, raise_pool },
  { "BatchNormalization", 5, raise_batch_norm },
  { "Conv", 3, raise_conv },
  { "ConvTranspose", 3, raise_transposed },
  { "GlobalAveragePool", 1, raise_global },
  { "GlobalMaxPool", 1, raise_global },
  { "InstanceNormalization", 3, raise_sample_norm },
  { "LRN", 1, raise_local_norm },
  { "LayerNormalization", 3, raise_sample_norm },
  { "MaxPool", 1, raise_pool },
  { "Pad", 1, raise_pad },
  { NULL },
};
