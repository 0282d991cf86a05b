/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"

G_BEGIN_DECLS

/* Stacked recurrent layers as PyTorch has them, in ONNX's: for its modules and for ATen's
 * functions. */

typedef struct {
  const char *name; /* the same in both */
  int n_gates;
  int order[4]; /* where ONNX's gates stand among torch's */
  gboolean has_cell;
} SymOpTorchCell;

extern const SymOpTorchCell sym_op_torch_lstm, sym_op_torch_gru, sym_op_torch_rnn;

/* Operands from @first on are weight_ih, weight_hh and, with biases, bias_ih, bias_hh of one
 * direction, then those of the other, then those of the next layer; or all biases come behind all
 * weights. */
typedef struct {
  SymOpLower *lower;
  const SymOpTorchCell *cell;
  gint64 hidden, n_layers;
  int n_directions;
  gboolean has_bias;
  guint first;
  SymId initial[2];     /* states [layers * directions, batch, hidden]; SYM_NO_ID for zeros */
  const char *function; /* of RNN's state; NULL for tanh */
  gboolean biases_last;
} SymOpTorchStack;

/* @x, [length, batch, features] of @shape, becomes [length, batch, directions * hidden]; the last
 * states of each layer go to @hidden and, of those that have one, @cells. */
SymId sym_op_torch_lower_stack (const SymOpTorchStack *self,
                                SymId x,
                                const SymShape *shape,
                                SymId *hidden,
                                SymId *cells);

G_END_DECLS
