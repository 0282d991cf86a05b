/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-weights.h"

#include "core/sym-error.h"
#include "ops/sym-layers-private.h"

#include <string.h>

/* ---- Linear, Embedding ---- */

static SymLayer *
make_linear (gint64 in, gint64 out, const SymLinearOptions *options, GError **error)
{
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size ("Linear", "in_features", in, error) ||
      !sym_torch_check_size ("Linear", "out_features", out, error))
    return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_int (attributes, "in_features", in);
  sym_torch_set_int (attributes, "out_features", out);
  sym_torch_set_bool (attributes, "bias", !options->no_bias);
  layer = sym_torch_new ("Linear", attributes);
  sym_torch_add_weight (layer, "weight", SYM_SHAPE (out, in), TRUE);
  if (!options->no_bias)
    sym_torch_add_weight (layer, "bias", SYM_SHAPE (out), TRUE);
  return layer;
}

SymNode *
sym_linear_with (SymNode *input, gint64 n_features, const SymLinearOptions *options, GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input,
                         make_linear (sym_torch_get_size (input, 1), n_features, options, error),
                         options->name, error);
}

SymLayer *
sym_nn_linear_with (SymGraph *graph,
                    gint64 in_features,
                    gint64 out_features,
                    const SymLinearOptions *options,
                    GError **error)
{
  return sym_graph_keep_layer (graph, make_linear (in_features, out_features, options, error),
                               options->name);
}

static SymLayer *
make_embedding (gint64 n_embeddings, gint64 size, GError **error)
{
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size ("Embedding", "num_embeddings", n_embeddings, error) ||
      !sym_torch_check_size ("Embedding", "embedding_dim", size, error))
    return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_int (attributes, "num_embeddings", n_embeddings);
  sym_torch_set_int (attributes, "embedding_dim", size);
  layer = sym_torch_new ("Embedding", attributes);
  sym_torch_add_weight (layer, "weight", SYM_SHAPE (n_embeddings, size), TRUE);
  return layer;
}

SymNode *
sym_embedding (SymNode *input, gint64 n_embeddings, gint64 size, GError **error)
{
  if (input == NULL)
    return NULL;
  return sym_torch_call (input, make_embedding (n_embeddings, size, error), NULL, error);
}

SymLayer *
sym_nn_embedding (SymGraph *graph, gint64 n_embeddings, gint64 size, GError **error)
{
  return sym_graph_keep_layer (graph, make_embedding (n_embeddings, size, error), NULL);
}

/* ---- Convolutions ---- */

typedef struct {
  const char *type;
  int n;
  gboolean is_transposed;
} ConvClass;

static const ConvClass conv_classes[] = {
  [SYM_CONV_1D] = { "Conv1d", 1, FALSE },
  [SYM_CONV_2D] = { "Conv2d", 2, FALSE },
  [SYM_CONV_3D] = { "Conv3d", 3, FALSE },
  [SYM_CONV_TRANSPOSE_1D] = { "ConvTranspose1d", 1, TRUE },
  [SYM_CONV_TRANSPOSE_2D] = { "ConvTranspose2d", 2, TRUE },
  [SYM_CONV_TRANSPOSE_3D] = { "ConvTranspose3d", 3, TRUE },
};

static gboolean
check_groups (const ConvClass *klass, gint64 in, gint64 out, gint64 groups, GError **error)
{
  if (groups >= 1 && in % groups == 0 && out % groups == 0)
    return TRUE;

  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "%s: %" G_GINT64_FORMAT " input and %" G_GINT64_FORMAT
               " output channels must be divisible by groups=%" G_GINT64_FORMAT,
               klass->type, in, out, groups);
  return FALSE;
}

static SymAttributes *
describe_conv (const ConvClass *klass,
               gint64 in,
               gint64 out,
               const gint64 *kernel,
               const SymConvOptions *options)
{
  SymAttributes *attributes = sym_attributes_new ();
  gint64 sizes[3];

  sym_torch_set_int (attributes, "in_channels", in);
  sym_torch_set_int (attributes, "out_channels", out);
  sym_torch_set_ints (attributes, "kernel_size", kernel, klass->n);
  sym_torch_spread (options->stride, options->strides, 1, klass->n, sizes);
  sym_torch_set_ints (attributes, "stride", sizes, klass->n);
  sym_torch_spread (options->padding, options->paddings, 0, klass->n, sizes);
  sym_torch_set_ints (attributes, "padding", sizes, klass->n);
  sym_torch_spread (options->dilation, options->dilations, 1, klass->n, sizes);
  sym_torch_set_ints (attributes, "dilation", sizes, klass->n);
  if (klass->is_transposed)
    {
      sym_torch_spread (options->output_padding, options->output_paddings, 0, klass->n, sizes);
      sym_torch_set_ints (attributes, "output_padding", sizes, klass->n);
    }
  sym_torch_set_int (attributes, "groups", MAX (options->groups, 1));
  sym_torch_set_bool (attributes, "bias", !options->no_bias);
  return attributes;
}

static SymLayer *
make_conv (SymConvKind kind,
           gint64 in,
           gint64 out,
           gint64 kernel,
           const SymConvOptions *options,
           GError **error)
{
  const ConvClass *klass = &conv_classes[kind];
  gint64 groups = MAX (options->groups, 1);
  SymShape weight = { .rank = klass->n + 2 };
  gint64 kernels[3];
  SymLayer *layer;

  if (!sym_torch_check_size (klass->type, "in_channels", in, error) ||
      !sym_torch_check_size (klass->type, "out_channels", out, error) ||
      !check_groups (klass, in, out, groups, error))
    return NULL;
  sym_torch_spread (kernel, options->kernels, 0, klass->n, kernels);
  weight.dims[0] = klass->is_transposed ? in : out;
  weight.dims[1] = (klass->is_transposed ? out : in) / groups;
  for (int i = 0; i < klass->n; i++)
    {
      if (!sym_torch_check_size (klass->type, "kernel_size", kernels[i], error))
        return NULL;
      weight.dims[i + 2] = kernels[i];
    }

  layer = sym_torch_new (klass->type, describe_conv (klass, in, out, kernels, options));
  sym_torch_add_weight (layer, "weight", weight, TRUE);
  if (!options->no_bias)
    sym_torch_add_weight (layer, "bias", SYM_SHAPE (out), TRUE);
  return layer;
}

/* Without a batch there is one dimension less. */
static gboolean
check_rank (const ConvClass *klass, SymNode *input, GError **error)
{
  SymShape shape = sym_node_get_shape (input);
  g_autofree char *text = NULL;

  if (error != NULL && *error != NULL)
    return FALSE;
  if (shape.rank == klass->n + 1 || shape.rank == klass->n + 2)
    return TRUE;

  text = sym_node_format_shape (input);
  g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
               "%s: expected %dD or %dD input, but its shape is %s", klass->type, klass->n + 1,
               klass->n + 2, text);
  return FALSE;
}

SymNode *
sym_conv_with (SymNode *input,
               SymConvKind kind,
               gint64 n_channels,
               gint64 kernel,
               const SymConvOptions *options,
               GError **error)
{
  gint64 in;

  g_return_val_if_fail (kind >= SYM_CONV_1D && kind <= SYM_CONV_TRANSPOSE_3D, NULL);

  if (input == NULL || !check_rank (&conv_classes[kind], input, error))
    return NULL;
  in = sym_torch_get_size (input, conv_classes[kind].n + 1);
  return sym_torch_call (input, make_conv (kind, in, n_channels, kernel, options, error),
                         options->name, error);
}

SymLayer *
sym_nn_conv_with (SymGraph *graph,
                  SymConvKind kind,
                  gint64 in_channels,
                  gint64 out_channels,
                  gint64 kernel,
                  const SymConvOptions *options,
                  GError **error)
{
  g_return_val_if_fail (kind >= SYM_CONV_1D && kind <= SYM_CONV_TRANSPOSE_3D, NULL);

  return sym_graph_keep_layer (
      graph, make_conv (kind, in_channels, out_channels, kernel, options, error), options->name);
}

/* ---- Recurrent ---- */

static void
add_recurrent_weights (SymLayer *layer,
                       gint64 n_gates,
                       gint64 in,
                       gint64 hidden,
                       gint64 n_layers,
                       const SymRecurrentOptions *options)
{
  int n_directions = options->bidirectional ? 2 : 1;

  for (gint64 i = 0; i < n_layers; i++)
    for (int k = 0; k < n_directions; k++)
      {
        g_autofree char *end =
            g_strdup_printf ("l%" G_GINT64_FORMAT "%s", i, k == 0 ? "" : "_reverse");
        g_autofree char *weight_ih = g_strconcat ("weight_ih_", end, NULL);
        g_autofree char *weight_hh = g_strconcat ("weight_hh_", end, NULL);
        g_autofree char *bias_ih = g_strconcat ("bias_ih_", end, NULL);
        g_autofree char *bias_hh = g_strconcat ("bias_hh_", end, NULL);
        gint64 size = i == 0 ? in : hidden * n_directions;

        sym_torch_add_weight (layer, weight_ih, SYM_SHAPE (n_gates * hidden, size), TRUE);
        sym_torch_add_weight (layer, weight_hh, SYM_SHAPE (n_gates * hidden, hidden), TRUE);
        if (options->no_bias)
          continue;
        sym_torch_add_weight (layer, bias_ih, SYM_SHAPE (n_gates * hidden), TRUE);
        sym_torch_add_weight (layer, bias_hh, SYM_SHAPE (n_gates * hidden), TRUE);
      }
}

static SymLayer *
make_recurrent (const char *type,
                gint64 in,
                gint64 hidden,
                const SymRecurrentOptions *options,
                GError **error)
{
  gint64 n_gates = strcmp (type, "LSTM") == 0 ? 4 : strcmp (type, "GRU") == 0 ? 3 : 1;
  gint64 n_layers = options->n_layers == 0 ? 1 : options->n_layers;
  SymAttributes *attributes;
  SymLayer *layer;

  if (!sym_torch_check_size (type, "input_size", in, error) ||
      !sym_torch_check_size (type, "hidden_size", hidden, error) ||
      !sym_torch_check_size (type, "num_layers", n_layers, error))
    return NULL;

  attributes = sym_attributes_new ();
  sym_torch_set_int (attributes, "input_size", in);
  sym_torch_set_int (attributes, "hidden_size", hidden);
  sym_torch_set_int (attributes, "num_layers", n_layers);
  sym_torch_set_bool (attributes, "bias", !options->no_bias);
  sym_torch_set_bool (attributes, "batch_first", options->batch_first);
  sym_torch_set_float (attributes, "dropout", options->dropout);
  sym_torch_set_bool (attributes, "bidirectional", options->bidirectional);
  layer = sym_torch_new (type, attributes);
  add_recurrent_weights (layer, n_gates, in, hidden, n_layers, options);
  return layer;
}

SymNode *
sym_recurrent_with (SymNode *input,
                    const char *type,
                    gint64 hidden_size,
                    const SymRecurrentOptions *options,
                    GError **error)
{
  gint64 in;

  if (input == NULL)
    return NULL;
  in = sym_torch_get_size (input, 1);
  return sym_torch_call (input, make_recurrent (type, in, hidden_size, options, error),
                         options->name, error);
}

SymLayer *
sym_nn_recurrent_with (SymGraph *graph,
                       const char *type,
                       gint64 input_size,
                       gint64 hidden_size,
                       const SymRecurrentOptions *options,
                       GError **error)
{
  return sym_graph_keep_layer (
      graph, make_recurrent (type, input_size, hidden_size, options, error), options->name);
}
