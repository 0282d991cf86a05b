/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-keras.h"

G_BEGIN_DECLS

/* A recurrent layer of Keras: gates side by side in the kernels, data [batch, time, features]. */
typedef struct {
  const char *onnx;     /* the same in ONNX */
  const char *function; /* what `activation` is without one */
  const char *gate_function;
  int n_gates;
  int order[4]; /* where ONNX's gates stand among Keras' */
  guint n_states;
  guint mask; /* its slot, after those of the states */
} SymOpKerasCell;

/* The cell of a layer's type: "LSTM", "CuDNNGRU", ... */
const SymOpKerasCell *sym_op_keras_find_cell (const char *type);

/* Whether the biases of GRU's states stand apart from those of its data. */
gboolean sym_op_keras_resets_after (const SymAttributes *attributes, const char *type);

void sym_op_keras_lower_recurrent (SymOpLower *self);

#define SYM_OP_KERAS_KERNEL 1
#define SYM_OP_KERAS_RECURRENT 2
#define SYM_OP_KERAS_BIAS 3
#define SYM_OP_KERAS_STATES 4

G_END_DECLS
