/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-norm.h"

#include "core/sym-error.h"
#include "ops/sym-layers-private.h"

#include <string.h>

static double
get_eps (const SymNormOptions *options)
{
  return options->eps == 0 ? 1e-5 : options->eps;
}

static void
add_affine (SymLayer *layer, SymShape shape)
{
  sym_torch_add_weight (layer, "weight", shape, TRUE);
  sym_torch_add_weight (layer, "bias", shape, TRUE);
}

/* An InstanceNorm has neither weights nor statistics unless told; we follow PyTorch's default. */
static SymLayer *
make_batch_norm (const char *type, gint64 n, const SymNormOptions *options, GError **error)
{
  gboolean is_batch = g_str_has_prefix (type, "Batch");
  gboolean is_affine = is_batch && !options->no_affine;
  gboolean is_tracking = is_batch && !options->no_tracking;
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size (type, "num_features", n, error))
    return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_int (attributes, "num_features", n);
  sym_torch_set_float (attributes, "eps", get_eps (options));
  sym_torch_set_float (attributes, "momentum", options->momentum == 0 ? 0.1 : options->momentum);
  sym_torch_set_bool (attributes, "affine", is_affine);
  sym_torch_set_bool (attributes, "track_running_stats", is_tracking);
  layer = sym_torch_new (type, attributes);
  if (is_affine)
    add_affine (layer, SYM_SHAPE (n));
  if (is_tracking)
    {
      sym_torch_add_weight (layer, "running_mean", SYM_SHAPE (n), FALSE);
      sym_torch_add_weight (layer, "running_var", SYM_SHAPE (n), FALSE);
    }
  return layer;
}

static gint64
get_channels (SymNode *input)
{
  SymShape shape = sym_node_get_shape (input);

  return shape.rank < 2 || shape.dims[1] < 0 ? -1 : shape.dims[1];
}

SymNode *
sym_batch_norm_with (SymNode *input,
                     const char *type,
                     const SymNormOptions *options,
                     GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_batch_norm (type, get_channels (input), options, error),
                         options->name, error);
}

SymLayer *
sym_nn_batch_norm_with (SymGraph *graph,
                        const char *type,
                        gint64 n_features,
                        const SymNormOptions *options,
                        GError **error)
{
  return sym_graph_keep_layer (graph, make_batch_norm (type, n_features, options, error),
                               options->name);
}

static SymLayer *
make_group_norm (gint64 n_groups, gint64 n_channels, const SymNormOptions *options, GError **error)
{
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size ("GroupNorm", "num_groups", n_groups, error) ||
      !sym_torch_check_size ("GroupNorm", "num_channels", n_channels, error))
    return NULL;
  if (n_channels % n_groups != 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "GroupNorm: num_channels must be divisible by num_groups, got %" G_GINT64_FORMAT
                   " and %" G_GINT64_FORMAT,
                   n_channels, n_groups);
      return NULL;
    }

  attributes = sym_attributes_new ();
  sym_torch_set_int (attributes, "num_groups", n_groups);
  sym_torch_set_int (attributes, "num_channels", n_channels);
  sym_torch_set_float (attributes, "eps", get_eps (options));
  sym_torch_set_bool (attributes, "affine", !options->no_affine);
  layer = sym_torch_new ("GroupNorm", attributes);
  if (!options->no_affine)
    add_affine (layer, SYM_SHAPE (n_channels));
  return layer;
}

SymNode *
sym_group_norm_with (SymNode *input, gint64 n_groups, const SymNormOptions *options, GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_group_norm (n_groups, get_channels (input), options, error),
                         options->name, error);
}

SymLayer *
sym_nn_group_norm_with (SymGraph *graph,
                        gint64 n_groups,
                        gint64 n_channels,
                        const SymNormOptions *options,
                        GError **error)
{
  return sym_graph_keep_layer (graph, make_group_norm (n_groups, n_channels, options, error),
                               options->name);
}

static SymLayer *
make_layer_norm (SymShape shape, const SymNormOptions *options, GError **error)
{
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size ("LayerNorm", "the rank of normalized_shape", shape.rank, error))
    return NULL;
  for (int i = 0; i < shape.rank; i++)
    if (!sym_torch_check_size ("LayerNorm", "a size of normalized_shape", shape.dims[i], error))
      return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_ints (attributes, "normalized_shape", shape.dims, shape.rank);
  sym_torch_set_float (attributes, "eps", get_eps (options));
  sym_torch_set_bool (attributes, "elementwise_affine", !options->no_affine);
  layer = sym_torch_new ("LayerNorm", attributes);
  if (!options->no_affine)
    add_affine (layer, shape);
  return layer;
}

SymNode *
sym_layer_norm_with (SymNode *input, SymShape shape, const SymNormOptions *options, GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_layer_norm (shape, options, error), options->name, error);
}

SymLayer *
sym_nn_layer_norm_with (SymGraph *graph,
                        SymShape shape,
                        const SymNormOptions *options,
                        GError **error)
{
  return sym_graph_keep_layer (graph, make_layer_norm (shape, options, error), options->name);
}
