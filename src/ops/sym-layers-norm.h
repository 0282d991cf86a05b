/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* 0 stands for PyTorch's default. */
typedef struct {
  double eps, momentum;
  gboolean no_affine;   /* without weight and bias */
  gboolean no_tracking; /* without running mean and variance */
  const char *name;
} SymNormOptions;

/* Channels are those of dimension 1.  Running means and variances are tracked, not trained: as in
 * PyTorch they do not count as parameters. */
#define SYM_BATCH_NORM(type, input, error, ...) \
  sym_batch_norm_with ((input), type, &(const SymNormOptions){ __VA_ARGS__ }, (error))
#define SYM_NN_BATCH_NORM(type, graph, n, error, ...) \
  sym_nn_batch_norm_with ((graph), type, (n), &(const SymNormOptions){ __VA_ARGS__ }, (error))

#define sym_batch_norm1d(...) SYM_BATCH_NORM ("BatchNorm1d", __VA_ARGS__)
#define sym_batch_norm2d(...) SYM_BATCH_NORM ("BatchNorm2d", __VA_ARGS__)
#define sym_batch_norm3d(...) SYM_BATCH_NORM ("BatchNorm3d", __VA_ARGS__)
#define sym_instance_norm2d(...) SYM_BATCH_NORM ("InstanceNorm2d", __VA_ARGS__)
#define sym_nn_batch_norm1d(...) SYM_NN_BATCH_NORM ("BatchNorm1d", __VA_ARGS__)
#define sym_nn_batch_norm2d(...) SYM_NN_BATCH_NORM ("BatchNorm2d", __VA_ARGS__)
#define sym_nn_batch_norm3d(...) SYM_NN_BATCH_NORM ("BatchNorm3d", __VA_ARGS__)
#define sym_nn_instance_norm2d(...) SYM_NN_BATCH_NORM ("InstanceNorm2d", __VA_ARGS__)

SymNode *sym_batch_norm_with (SymNode *input,
                              const char *type,
                              const SymNormOptions *options,
                              GError **error);
SymLayer *sym_nn_batch_norm_with (SymGraph *graph,
                                  const char *type,
                                  gint64 n_features,
                                  const SymNormOptions *options,
                                  GError **error);

#define sym_group_norm(input, groups, error, ...) \
  sym_group_norm_with ((input), (groups), &(const SymNormOptions){ __VA_ARGS__ }, (error))
#define sym_nn_group_norm(graph, groups, n, error, ...) \
  sym_nn_group_norm_with ((graph), (groups), (n), &(const SymNormOptions){ __VA_ARGS__ }, (error))

SymNode *sym_group_norm_with (SymNode *input,
                              gint64 n_groups,
                              const SymNormOptions *options,
                              GError **error);
SymLayer *sym_nn_group_norm_with (SymGraph *graph,
                                  gint64 n_groups,
                                  gint64 n_channels,
                                  const SymNormOptions *options,
                                  GError **error);

/* @shape: the sizes of the last dimensions, over which it normalizes. */
#define sym_layer_norm(input, shape, error, ...) \
  sym_layer_norm_with ((input), (shape), &(const SymNormOptions){ __VA_ARGS__ }, (error))
#define sym_nn_layer_norm(graph, shape, error, ...) \
  sym_nn_layer_norm_with ((graph), (shape), &(const SymNormOptions){ __VA_ARGS__ }, (error))

SymNode *
sym_layer_norm_with (SymNode *input, SymShape shape, const SymNormOptions *options, GError **error);
SymLayer *sym_nn_layer_norm_with (SymGraph *graph,
                                  SymShape shape,
                                  const SymNormOptions *options,
                                  GError **error);

G_END_DECLS
