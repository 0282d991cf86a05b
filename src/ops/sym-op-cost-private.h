/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-cost.h"

G_BEGIN_DECLS

/* One call whose multiply-adds are counted.  FALSE of a count: the sizes that it takes are not
 * known, or it does not fit 64 bits. */
typedef struct {
  const SymLayer *layer;
  const SymType *inputs;
  guint n_inputs;
  const SymType *outputs;
  guint n_outputs;
} SymOpWork;

/* NULL unless it is a tensor of which every size is a number. */
const SymShape *sym_op_work_get_input (const SymOpWork *self, guint i);
const SymShape *sym_op_work_get_output (const SymOpWork *self);

gint64 sym_op_work_get_int (const SymOpWork *self, const char *name, gint64 fallback);
gboolean sym_op_work_multiply (guint64 *n, gint64 factor);

/* ---- sym-op-cost-sequence.c ---- */

/* RNN, GRU, LSTM: every step of every sequence multiplies all weights, once for what comes in and
 * once for the state.  ONNX tells the weights, [directions, gates * hidden, ...]; MXNet and PyTorch
 * stack layers told by attributes. */
gboolean sym_op_count_recurrent_weights (const SymOpWork *self, guint64 *n);
gboolean sym_op_count_recurrent_layers (const SymOpWork *self, guint64 *n);

/* The same of TensorFlow's cells, whose kernels are [features, gates * hidden] and each is followed
 * by its bias; features are the data's and the state's. */
gboolean sym_op_count_kernels (const SymOpWork *self, guint64 *n);

/* Queries times keys and scores times values, past ones included; masks save nothing. */
gboolean sym_op_count_attention (const SymOpWork *self, guint64 *n);

/* Each token changes a matrix for each head of keys and is answered by one for each of queries; the
 * delta rules ask it once more before they change it. */
gboolean sym_op_count_linear_attention (const SymOpWork *self, guint64 *n);

/* As many products for each choice of indices as there are operands after the first; 0 when no
 * index is summed over, as that is arithmetic by elements. */
gboolean sym_op_count_einsum (const SymOpWork *self, guint64 *n);

G_END_DECLS
