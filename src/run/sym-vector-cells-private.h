/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What recurrent layers do with the sums of their gates, of @n features: compiled for several kinds
 * of processor.  Sums of one gate are @stride behind those of the one before.  Places do not
 * overlap. */

/* ONNX LSTM: @gates are i, o, f and c; @cell becomes the next one, @state the next
 * state. */
void sym_vector_cell_long (float *state, float *cell, const float *gates, gsize stride, gsize n);

/* ONNX GRU with `linear_before_reset`: @gates are what comes of inputs and their biases for z, r
 * and h, @products the same of the state, @n apart; @state, the last one, becomes the next one. */
void sym_vector_cell_gated (float *state,
                            const float *gates,
                            gsize stride,
                            const float *products,
                            gsize n);

/* Without it: @gates are the sums z and r; @reset gets what is to be multiplied by the weights of
 * gate h.  Then @hidden are the sums of that one. */
void
sym_vector_cell_reset (float *reset, const float *state, const float *gates, gsize stride, gsize n);
void sym_vector_cell_blend (float *state, const float *gates, const float *hidden, gsize n);

/* ONNX RNN. */
void sym_vector_cell_tanh (float *state, const float *gates, gsize n);
void sym_vector_cell_relu (float *state, const float *gates, gsize n);

G_END_DECLS
