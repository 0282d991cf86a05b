/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-pool.h"

#include "ops/sym-layers-private.h"

/* The number of axes is the digit in the name of the type. */
static int
get_n_axes (const char *type)
{
  const char *digit = type;

  while (!g_ascii_isdigit (*digit))
    digit++;
  return g_ascii_digit_value (*digit);
}

static SymLayer *
make_pool (const char *type, gint64 kernel, const SymPoolOptions *options, GError **error)
{
  int n = get_n_axes (type);
  gint64 kernels[3], sizes[3];
  SymAttributes *attributes;

  sym_torch_spread (kernel, options->kernels, 0, n, kernels);
  for (int i = 0; i < n; i++)
    if (!sym_torch_check_size (type, "kernel_size", kernels[i], error))
      return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_ints (attributes, "kernel_size", kernels, n);
  for (int i = 0; i < n; i++)
    sizes[i] = kernels[i];
  if (options->stride != 0 || options->strides[0] != 0)
    sym_torch_spread (options->stride, options->strides, 1, n, sizes);
  sym_torch_set_ints (attributes, "stride", sizes, n);
  sym_torch_spread (options->padding, options->paddings, 0, n, sizes);
  sym_torch_set_ints (attributes, "padding", sizes, n);
  if (type[0] == 'M')
    {
      sym_torch_spread (options->dilation, options->dilations, 1, n, sizes);
      sym_torch_set_ints (attributes, "dilation", sizes, n);
    }
  sym_torch_set_bool (attributes, "ceil_mode", options->ceil_mode);
  if (type[0] == 'A')
    sym_torch_set_bool (attributes, "count_include_pad", !options->exclude_padding);
  return sym_torch_new (type, attributes);
}

SymNode *
sym_pool_with (SymNode *input,
               const char *type,
               gint64 kernel,
               const SymPoolOptions *options,
               GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_pool (type, kernel, options, error), options->name, error);
}

SymLayer *
sym_nn_pool_with (SymGraph *graph,
                  const char *type,
                  gint64 kernel,
                  const SymPoolOptions *options,
                  GError **error)
{
  return sym_graph_keep_layer (graph, make_pool (type, kernel, options, error), options->name);
}

static SymLayer *
make_adaptive (gint64 height, gint64 width, GError **error)
{
  SymValue *sizes[] = {
    height == -1 ? sym_value_new_none () : sym_value_new_int (height),
    width == -1 ? sym_value_new_none () : sym_value_new_int (width),
  };
  g_autoptr (SymValue) size = sym_value_new_tuple (sizes, 2);
  SymAttributes *attributes;

  if ((height != -1 && !sym_torch_check_size ("AdaptiveAvgPool2d", "height", height, error)) ||
      (width != -1 && !sym_torch_check_size ("AdaptiveAvgPool2d", "width", width, error)))
    return NULL;

  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "output_size", g_steal_pointer (&size), NULL);
  return sym_torch_new ("AdaptiveAvgPool2d", attributes);
}

SymNode *
sym_adaptive_avg_pool2d (SymNode *input, gint64 height, gint64 width, GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_adaptive (height, width, error), NULL, error);
}

SymLayer *
sym_nn_adaptive_avg_pool2d (SymGraph *graph, gint64 height, gint64 width, GError **error)
{
  return sym_graph_keep_layer (graph, make_adaptive (height, width, error), NULL);
}
