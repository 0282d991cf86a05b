/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* ---- Linear, Embedding ---- */

typedef struct {
  gboolean no_bias;
  const char *name;
} SymLinearOptions;

/* [..., in] -> [..., n] */
#define sym_linear(input, n, error, ...) \
  sym_linear_with ((input), (n), &(const SymLinearOptions){ __VA_ARGS__ }, (error))
#define sym_nn_linear(graph, in, out, error, ...) \
  sym_nn_linear_with ((graph), (in), (out), &(const SymLinearOptions){ __VA_ARGS__ }, (error))

SymNode *sym_linear_with (SymNode *input,
                          gint64 n_features,
                          const SymLinearOptions *options,
                          GError **error);
SymLayer *sym_nn_linear_with (SymGraph *graph,
                              gint64 in_features,
                              gint64 out_features,
                              const SymLinearOptions *options,
                              GError **error);

/* Indices [...] -> [..., size]; the input must be of an integer dtype. */
SymNode *sym_embedding (SymNode *input, gint64 n_embeddings, gint64 size, GError **error);
SymLayer *sym_nn_embedding (SymGraph *graph, gint64 n_embeddings, gint64 size, GError **error);

/* ---- Convolutions ---- */

/* Plural fields are per axis and win over the one before them.  0 stands for PyTorch's default. */
typedef struct {
  gint64 kernels[3];
  gint64 stride, strides[3];
  gint64 padding, paddings[3];
  gint64 dilation, dilations[3];
  gint64 output_padding, output_paddings[3]; /* of transposed ones */
  gint64 groups;
  gboolean no_bias;
  const char *name;
} SymConvOptions;

typedef enum {
  SYM_CONV_1D = 1,
  SYM_CONV_2D,
  SYM_CONV_3D,
  SYM_CONV_TRANSPOSE_1D,
  SYM_CONV_TRANSPOSE_2D,
  SYM_CONV_TRANSPOSE_3D,
} SymConvKind;

/* [batch, in, sizes...] -> [batch, n, sizes...] */
#define SYM_CONV(kind, input, n, kernel, error, ...) \
  sym_conv_with ((input), kind, (n), (kernel), &(const SymConvOptions){ __VA_ARGS__ }, (error))
#define SYM_NN_CONV(kind, graph, in, out, kernel, error, ...)                                     \
  sym_nn_conv_with ((graph), kind, (in), (out), (kernel), &(const SymConvOptions){ __VA_ARGS__ }, \
                    (error))

#define sym_conv1d(...) SYM_CONV (SYM_CONV_1D, __VA_ARGS__)
#define sym_conv2d(...) SYM_CONV (SYM_CONV_2D, __VA_ARGS__)
#define sym_conv3d(...) SYM_CONV (SYM_CONV_3D, __VA_ARGS__)
#define sym_conv_transpose1d(...) SYM_CONV (SYM_CONV_TRANSPOSE_1D, __VA_ARGS__)
#define sym_conv_transpose2d(...) SYM_CONV (SYM_CONV_TRANSPOSE_2D, __VA_ARGS__)
#define sym_conv_transpose3d(...) SYM_CONV (SYM_CONV_TRANSPOSE_3D, __VA_ARGS__)
#define sym_nn_conv1d(...) SYM_NN_CONV (SYM_CONV_1D, __VA_ARGS__)
#define sym_nn_conv2d(...) SYM_NN_CONV (SYM_CONV_2D, __VA_ARGS__)
#define sym_nn_conv3d(...) SYM_NN_CONV (SYM_CONV_3D, __VA_ARGS__)
#define sym_nn_conv_transpose1d(...) SYM_NN_CONV (SYM_CONV_TRANSPOSE_1D, __VA_ARGS__)
#define sym_nn_conv_transpose2d(...) SYM_NN_CONV (SYM_CONV_TRANSPOSE_2D, __VA_ARGS__)
#define sym_nn_conv_transpose3d(...) SYM_NN_CONV (SYM_CONV_TRANSPOSE_3D, __VA_ARGS__)

SymNode *sym_conv_with (SymNode *input,
                        SymConvKind kind,
                        gint64 n_channels,
                        gint64 kernel,
                        const SymConvOptions *options,
                        GError **error);
SymLayer *sym_nn_conv_with (SymGraph *graph,
                            SymConvKind kind,
                            gint64 in_channels,
                            gint64 out_channels,
                            gint64 kernel,
                            const SymConvOptions *options,
                            GError **error);

/* ---- Recurrent ---- */

typedef struct {
  gint64 n_layers; /* 0 counts as 1 */
  gboolean batch_first, bidirectional, no_bias;
  double dropout;
  const char *name;
} SymRecurrentOptions;

/* One node, a tuple: (output, (state, cell)) of an LSTM, (output, state) of a GRU and an RNN, to be
 * taken apart by sym_node_unpack(). */
#define sym_lstm(input, size, error, ...) \
  sym_recurrent_with ((input), "LSTM", (size), &(const SymRecurrentOptions){ __VA_ARGS__ }, (error))
#define sym_gru(input, size, error, ...) \
  sym_recurrent_with ((input), "GRU", (size), &(const SymRecurrentOptions){ __VA_ARGS__ }, (error))
#define sym_rnn(input, size, error, ...) \
  sym_recurrent_with ((input), "RNN", (size), &(const SymRecurrentOptions){ __VA_ARGS__ }, (error))
#define sym_nn_lstm(graph, in, size, error, ...)        \
  sym_nn_recurrent_with ((graph), "LSTM", (in), (size), \
                         &(const SymRecurrentOptions){ __VA_ARGS__ }, (error))
#define sym_nn_gru(graph, in, size, error, ...)        \
  sym_nn_recurrent_with ((graph), "GRU", (in), (size), \
                         &(const SymRecurrentOptions){ __VA_ARGS__ }, (error))

SymNode *sym_recurrent_with (SymNode *input,
                             const char *type,
                             gint64 hidden_size,
                             const SymRecurrentOptions *options,
                             GError **error);
SymLayer *sym_nn_recurrent_with (SymGraph *graph,
                                 const char *type,
                                 gint64 input_size,
                                 gint64 hidden_size,
                                 const SymRecurrentOptions *options,
                                 GError **error);

G_END_DECLS
