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

/* Whether data and outputs are [time, batch, features]. */
gboolean sym_op_keras_is_time_major (const SymAttributes *attributes);

void sym_op_keras_lower_recurrent (SymOpLower *self);

/* A call that is being lowered. */
typedef struct {
  SymOpLower *lower;
  const SymAttributes *attributes;
  const SymOpKerasCell *cell;
  SymDType dtype;
  gint64 batch, time, features, units;
  SymId mask; /* int64 [batch, time]; NO_ID without one */
} SymOpKerasRecurrence;

/* The layer step by step, over @x in the order that the steps go, for functions that ONNX's layers
 * do not have: [batch, time, units], and the states behind the last step, [batch, units].  A masked
 * step leaves the states alone and repeats the output before it. */
SymId sym_op_keras_unroll (const SymOpKerasRecurrence *self, SymId x, SymId *states);

#define SYM_OP_KERAS_KERNEL 1
#define SYM_OP_KERAS_RECURRENT 2
#define SYM_OP_KERAS_BIAS 3
#define SYM_OP_KERAS_STATES 4
#define SYM_OP_KERAS_MAX_STATES 2

G_END_DECLS
