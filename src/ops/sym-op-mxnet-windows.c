/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

gboolean
sym_op_mxnet_get_windows (SymRule *rule, SymOpMxnetWindows *windows, GError **error)
{
  gint64 kernel[3], stride[3], dilate[3], pad[3];
  int n = sym_rule_get_ints (rule, "kernel", kernel, 3);
  const char *layout = sym_rule_get_string (rule, "layout", "");

  if (n < 1 || n > 3)
    return sym_rule_fail (error, "kernel has %d sizes; it should have 1, 2 or 3", MAX (n, 0));
  if (!sym_op_get_ints (rule, "stride", n, 1, stride, error) ||
      !sym_op_get_ints (rule, "dilate", n, 1, dilate, error) ||
      !sym_op_get_ints (rule, "pad", n, 0, pad, error))
    return FALSE;
  *windows = (SymOpMxnetWindows){ .n = n, .channels_last = g_str_has_suffix (layout, "C") };
  for (int i = 0; i < n; i++)
    windows->windows[i] = (SymOpWindow){
      .kernel = kernel[i],
      .stride = stride[i],
      .dilate = dilate[i],
      .before = pad[i],
      .after = pad[i],
    };
  return TRUE;
}

SymShape
sym_op_mxnet_arrange (const SymOpMxnetWindows *windows,
                      SymDim first,
                      SymDim channels,
                      const SymDim *spatial)
{
  SymShape shape = { .rank = windows->n + 2 };

  shape.dims[0] = first;
  shape.dims[windows->channels_last ? windows->n + 1 : 1] = channels;
  for (int i = 0; i < windows->n; i++)
    shape.dims[i + (windows->channels_last ? 1 : 2)] = spatial[i];
  return shape;
}

SymDim
sym_op_mxnet_get_channels (const SymOpMxnetWindows *windows, const SymShape *shape)
{
  return shape->dims[windows->channels_last ? windows->n + 1 : 1];
}

const SymDim *
sym_op_mxnet_get_spatial (const SymOpMxnetWindows *windows, const SymShape *shape)
{
  return shape->dims + (windows->channels_last ? 1 : 2);
}

gboolean
sym_op_mxnet_set_window_rank (SymRule *rule,
                              const SymOpMxnetWindows *windows,
                              SymShape *data,
                              GError **error)
{
  static const char *const orders[] = { "x", "y-x", "depth-y-x" };
  SymShape known = sym_rule_get_input (rule, 0);

  if (known.rank >= 0 && known.rank != windows->n + 2)
    {
      g_autofree char *text = sym_rule_format_shape (rule, &known);

      return sym_rule_fail (error, "Input data should be %dD in batch-num_filter-%s, but is %s",
                            windows->n + 2, orders[windows->n - 1], text);
    }
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (windows->n + 2), error))
    return FALSE;
  *data = sym_rule_get_input (rule, 0);
  return TRUE;
}

/* Room for the window at each place, on terms: forwards always, backwards where the stride is 1. */
gboolean
sym_op_mxnet_convolve (SymRule *rule, const SymOpMxnetWindows *windows, GError **error)
{
  gint64 filters = sym_rule_get_int (rule, "num_filter", 0);
  const SymDim *spatial;
  SymDim sizes[3];
  SymShape data, out;

  if (!sym_op_mxnet_set_window_rank (rule, windows, &data, error))
    return FALSE;
  spatial = sym_op_mxnet_get_spatial (windows, &data);
  for (int i = 0; i < windows->n; i++)
    if (!sym_op_slide (rule, spatial[i], &windows->windows[i], &sizes[i], error))
      return FALSE;
  out =
      sym_op_mxnet_arrange (windows, data.dims[0], filters > 0 ? filters : SYM_DIM_UNKNOWN, sizes);
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
check_groups (gint64 filters, gint64 groups, SymDim channels, GError **error)
{
  if (groups < 1 || (filters > 0 && filters % groups != 0))
    return sym_rule_fail (error,
                          "output num_filter must divide group size: %" G_GINT64_FORMAT
                          " filters in %" G_GINT64_FORMAT " groups",
                          filters, groups);
  if (channels >= 0 && channels % groups != 0)
    return sym_rule_fail (error,
                          "input num_filter must divide group size: %" G_GINT64_FORMAT
                          " channels in %" G_GINT64_FORMAT " groups",
                          channels, groups);
  return TRUE;
}

gboolean
sym_op_mxnet_set_filters (SymRule *rule,
                          const SymOpMxnetWindows *windows,
                          gint64 filters,
                          GError **error)
{
  gint64 groups = sym_rule_get_int (rule, "num_group", 1);
  SymShape data = sym_rule_get_input (rule, 0), weight;
  SymDim channels = sym_op_mxnet_get_channels (windows, &data), kernel[3], product;

  if (!check_groups (filters, groups, channels, error))
    return FALSE;
  for (int i = 0; i < windows->n; i++)
    kernel[i] = windows->windows[i].kernel;
  weight = sym_op_mxnet_arrange (windows, filters > 0 ? filters : SYM_DIM_UNKNOWN,
                                 channels >= 0 ? channels / groups : SYM_DIM_UNKNOWN, kernel);
  if (!sym_rule_set_input (rule, 1, &weight, error))
    return FALSE;
  weight = sym_rule_get_input (rule, 1);
  if (weight.rank < 0)
    return TRUE;
  product = sym_terms_multiply (sym_rule_get_terms (rule),
                                sym_op_mxnet_get_channels (windows, &weight), groups);
  return sym_rule_unify (rule, channels, product, "channels of data", error);
}
