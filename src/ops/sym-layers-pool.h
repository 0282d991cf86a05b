/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* Plural fields are per axis and win over the one before them.  0 stands for PyTorch's default: a
 * stride as large as the kernel. */
typedef struct {
  gint64 kernels[3];
  gint64 stride, strides[3];
  gint64 padding, paddings[3];
  gint64 dilation, dilations[3]; /* of maxima only */
  gboolean ceil_mode;
  gboolean exclude_padding; /* of means only */
  const char *name;
} SymPoolOptions;

#define SYM_POOL(type, input, kernel, error, ...) \
  sym_pool_with ((input), type, (kernel), &(const SymPoolOptions){ __VA_ARGS__ }, (error))
#define SYM_NN_POOL(type, graph, kernel, error, ...) \
  sym_nn_pool_with ((graph), type, (kernel), &(const SymPoolOptions){ __VA_ARGS__ }, (error))

#define sym_max_pool1d(...) SYM_POOL ("MaxPool1d", __VA_ARGS__)
#define sym_max_pool2d(...) SYM_POOL ("MaxPool2d", __VA_ARGS__)
#define sym_max_pool3d(...) SYM_POOL ("MaxPool3d", __VA_ARGS__)
#define sym_avg_pool1d(...) SYM_POOL ("AvgPool1d", __VA_ARGS__)
#define sym_avg_pool2d(...) SYM_POOL ("AvgPool2d", __VA_ARGS__)
#define sym_avg_pool3d(...) SYM_POOL ("AvgPool3d", __VA_ARGS__)
#define sym_nn_max_pool1d(...) SYM_NN_POOL ("MaxPool1d", __VA_ARGS__)
#define sym_nn_max_pool2d(...) SYM_NN_POOL ("MaxPool2d", __VA_ARGS__)
#define sym_nn_max_pool3d(...) SYM_NN_POOL ("MaxPool3d", __VA_ARGS__)
#define sym_nn_avg_pool1d(...) SYM_NN_POOL ("AvgPool1d", __VA_ARGS__)
#define sym_nn_avg_pool2d(...) SYM_NN_POOL ("AvgPool2d", __VA_ARGS__)
#define sym_nn_avg_pool3d(...) SYM_NN_POOL ("AvgPool3d", __VA_ARGS__)

SymNode *sym_pool_with (SymNode *input,
                        const char *type,
                        gint64 kernel,
                        const SymPoolOptions *options,
                        GError **error);
SymLayer *sym_nn_pool_with (SymGraph *graph,
                            const char *type,
                            gint64 kernel,
                            const SymPoolOptions *options,
                            GError **error);

/* [batch, channels, height, width] -> [batch, channels, height, width] of the given size; -1 leaves
 * one as it is. */
SymNode *sym_adaptive_avg_pool2d (SymNode *input, gint64 height, gint64 width, GError **error);
SymLayer *sym_nn_adaptive_avg_pool2d (SymGraph *graph, gint64 height, gint64 width, GError **error);

G_END_DECLS
