/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* Weights of layers that were made in C.  A layer is made without numbers; it gets them here, by
 * name or at random, before or after models are built of it: all models of a graph share the
 * weights of its layers.  None of this may go on while another thread reads such a model. */

/* Gives every parameter that has no numbers yet those that PyTorch's layers begin with (torch 1.13,
 * reset_parameters), by another generator: Linear, convolutions: U(-1/sqrt(fan_in),
 * 1/sqrt(fan_in)), weight and bias; Embedding: N(0, 1), zeros at padding_idx; recurrent layers:
 * U(-1/sqrt(hidden), ...); norms: weight and variance 1, bias and mean 0; PReLU: 0.25.  The same
 * @seed gives the same numbers on every machine.  SYM_ERROR_UNSUPPORTED for layers of which nobody
 * knows what they begin with. */
gboolean sym_layer_initialise (SymLayer *self, guint64 seed, GError **error);

/* All layers of a model that bring parameters along, in order of execution, each with a seed of its
 * own made of @seed; nested models included. */
gboolean sym_model_initialise (SymModel *self, guint64 seed, GError **error);

/* The numbers of a layer's parameter: "weight", "bias", "running_mean"; NULL when it has none yet,
 * or there is no such parameter.  Borrowed. */
SymTensor *sym_layer_get_weight (const SymLayer *self, const char *name);

/* References @tensor.  SYM_ERROR_NOT_FOUND with the names that there are, SYM_ERROR_SHAPE with both
 * shapes. */
gboolean sym_layer_set_weight (SymLayer *self, const char *name, SymTensor *tensor, GError **error);

/* The same by the names that a model has: "Linear_1.weight".  What is set is set for all models
 * that share the parameter; SYM_ERROR_UNSUPPORTED for numbers that lie in the model's own file,
 * which only an edit changes. */
SymTensor *sym_model_get_weight (const SymModel *self, const char *name);
gboolean sym_model_set_weight (SymModel *self, const char *name, SymTensor *tensor, GError **error);

G_END_DECLS
