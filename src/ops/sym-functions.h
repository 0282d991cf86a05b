/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* Layers and functions of the host program.  What they compute is theirs; the graph only needs to
 * know the types of their results, which one of these rules tells, or one of your own. */

/* The result is like the first operand; the operands broadcast; everything is reduced, but the
 * dimensions that the argument `dim` does not name, which `keepdim` leaves there with size 1
 * (torch.sum); the operands are laid one after the other along the argument `dim` (torch.cat). */
gboolean sym_infer_same (SymRule *rule, gpointer user_data, GError **error);
gboolean sym_infer_broadcast (SymRule *rule, gpointer user_data, GError **error);
gboolean sym_infer_reduced (SymRule *rule, gpointer user_data, GError **error);
gboolean sym_infer_concatenated (SymRule *rule, gpointer user_data, GError **error);

/* torch.sum, torch.mean, torch.cat, for sym_graph_call_with(). */
extern const SymFunction sym_function_sum;
extern const SymFunction sym_function_mean;
extern const SymFunction sym_function_cat;

/* A layer type of your own: class AddN(nn.Module).  Takes any number of operands. */
SymLayer *sym_nn_custom (SymGraph *graph,
                         const char *type,
                         gboolean (*infer) (SymRule *rule, gpointer user_data, GError **error),
                         gpointer user_data);

/* useful_layers: LambdaOpLayer, NamedLambdaOpLayer (which shows @name as its type), CallbackLayer
 * (which gives its argument back), MethodCall. */
SymLayer *sym_nn_lambda (SymGraph *graph, const SymFunction *function);
SymLayer *sym_nn_named_lambda (SymGraph *graph, const SymFunction *function, const char *name);
SymLayer *sym_nn_callback (SymGraph *graph, const SymFunction *function);
SymLayer *sym_nn_method_call (SymGraph *graph, const char *method, const SymType *result);

G_END_DECLS
