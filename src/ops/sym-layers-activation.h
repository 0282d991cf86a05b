/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* A field that is 0 stands for PyTorch's default; a layer takes the fields that it knows. */
typedef struct {
  double negative_slope;   /* LeakyReLU: 0.01 */
  double alpha;            /* ELU, CELU: 1 */
  double beta, threshold;  /* Softplus: 1, 20 */
  double min_val, max_val; /* Hardtanh: -1, 1 */
  const char *approximate; /* GELU: "none", or "tanh" */
  gint64 num_parameters;   /* PReLU: 1, or one per channel */
  const char *name;
} SymActivationOptions;

#define SYM_ACTIVATION(type, input, error, ...) \
  sym_activation_with ((input), type, &(const SymActivationOptions){ __VA_ARGS__ }, (error))
#define SYM_NN_ACTIVATION(type, graph, ...) \
  sym_nn_activation_with ((graph), type, &(const SymActivationOptions){ __VA_ARGS__ })

/* x = sym_relu (x, &error) */
#define sym_relu(...) SYM_ACTIVATION ("ReLU", __VA_ARGS__)
#define sym_relu6(...) SYM_ACTIVATION ("ReLU6", __VA_ARGS__)
#define sym_leaky_relu(...) SYM_ACTIVATION ("LeakyReLU", __VA_ARGS__)
#define sym_prelu(...) SYM_ACTIVATION ("PReLU", __VA_ARGS__)
#define sym_elu(...) SYM_ACTIVATION ("ELU", __VA_ARGS__)
#define sym_celu(...) SYM_ACTIVATION ("CELU", __VA_ARGS__)
#define sym_selu(...) SYM_ACTIVATION ("SELU", __VA_ARGS__)
#define sym_gelu(...) SYM_ACTIVATION ("GELU", __VA_ARGS__)
#define sym_silu(...) SYM_ACTIVATION ("SiLU", __VA_ARGS__)
#define sym_mish(...) SYM_ACTIVATION ("Mish", __VA_ARGS__)
#define sym_hardswish(...) SYM_ACTIVATION ("Hardswish", __VA_ARGS__)
#define sym_hardsigmoid(...) SYM_ACTIVATION ("Hardsigmoid", __VA_ARGS__)
#define sym_hardtanh(...) SYM_ACTIVATION ("Hardtanh", __VA_ARGS__)
#define sym_sigmoid(...) SYM_ACTIVATION ("Sigmoid", __VA_ARGS__)
#define sym_log_sigmoid(...) SYM_ACTIVATION ("LogSigmoid", __VA_ARGS__)
#define sym_tanh(...) SYM_ACTIVATION ("Tanh", __VA_ARGS__)
#define sym_softplus(...) SYM_ACTIVATION ("Softplus", __VA_ARGS__)
#define sym_softsign(...) SYM_ACTIVATION ("Softsign", __VA_ARGS__)
#define sym_dropout2d(...) SYM_ACTIVATION ("Dropout2d", __VA_ARGS__)
#define sym_identity(...) SYM_ACTIVATION ("Identity", __VA_ARGS__)

/* layer = sym_nn_relu (graph) */
#define sym_nn_relu(...) SYM_NN_ACTIVATION ("ReLU", __VA_ARGS__)
#define sym_nn_relu6(...) SYM_NN_ACTIVATION ("ReLU6", __VA_ARGS__)
#define sym_nn_leaky_relu(...) SYM_NN_ACTIVATION ("LeakyReLU", __VA_ARGS__)
#define sym_nn_prelu(...) SYM_NN_ACTIVATION ("PReLU", __VA_ARGS__)
#define sym_nn_elu(...) SYM_NN_ACTIVATION ("ELU", __VA_ARGS__)
#define sym_nn_celu(...) SYM_NN_ACTIVATION ("CELU", __VA_ARGS__)
#define sym_nn_selu(...) SYM_NN_ACTIVATION ("SELU", __VA_ARGS__)
#define sym_nn_gelu(...) SYM_NN_ACTIVATION ("GELU", __VA_ARGS__)
#define sym_nn_silu(...) SYM_NN_ACTIVATION ("SiLU", __VA_ARGS__)
#define sym_nn_mish(...) SYM_NN_ACTIVATION ("Mish", __VA_ARGS__)
#define sym_nn_hardswish(...) SYM_NN_ACTIVATION ("Hardswish", __VA_ARGS__)
#define sym_nn_hardsigmoid(...) SYM_NN_ACTIVATION ("Hardsigmoid", __VA_ARGS__)
#define sym_nn_hardtanh(...) SYM_NN_ACTIVATION ("Hardtanh", __VA_ARGS__)
#define sym_nn_sigmoid(...) SYM_NN_ACTIVATION ("Sigmoid", __VA_ARGS__)
#define sym_nn_log_sigmoid(...) SYM_NN_ACTIVATION ("LogSigmoid", __VA_ARGS__)
#define sym_nn_tanh(...) SYM_NN_ACTIVATION ("Tanh", __VA_ARGS__)
#define sym_nn_softplus(...) SYM_NN_ACTIVATION ("Softplus", __VA_ARGS__)
#define sym_nn_softsign(...) SYM_NN_ACTIVATION ("Softsign", __VA_ARGS__)
#define sym_nn_dropout2d(...) SYM_NN_ACTIVATION ("Dropout2d", __VA_ARGS__)
#define sym_nn_identity(...) SYM_NN_ACTIVATION ("Identity", __VA_ARGS__)

SymNode *sym_activation_with (SymNode *input,
                              const char *type,
                              const SymActivationOptions *options,
                              GError **error);
SymLayer *
sym_nn_activation_with (SymGraph *graph, const char *type, const SymActivationOptions *options);

/* Along @dim, which may count from the end. */
SymNode *sym_softmax (SymNode *input, gint64 dim, GError **error);
SymNode *sym_log_softmax (SymNode *input, gint64 dim, GError **error);
SymNode *sym_glu (SymNode *input, gint64 dim, GError **error);
SymLayer *sym_nn_softmax (SymGraph *graph, gint64 dim);
SymLayer *sym_nn_log_softmax (SymGraph *graph, gint64 dim);

/* @p: the probability of an element to become zero, from 0 to 1. */
SymNode *sym_dropout (SymNode *input, double p, GError **error);
SymLayer *sym_nn_dropout (SymGraph *graph, double p, GError **error);

G_END_DECLS
