/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* nn.Flatten(): all but the batch; and .flatten(start, end). */
SymNode *sym_flatten (SymNode *input, GError **error);
SymNode *sym_flatten_dims (SymNode *input, gint64 start, gint64 end, GError **error);
SymLayer *sym_nn_flatten (SymGraph *graph);

/* .reshape(...), .view(...): @shape counts the batch; -1 for what is left over.  The layers of the
 * nn kind keep the batch and do not count it. */
SymNode *sym_reshape (SymNode *input, SymShape shape, GError **error);
SymNode *sym_view (SymNode *input, SymShape shape, GError **error);
SymLayer *sym_nn_reshape (SymGraph *graph, SymShape shape);
SymLayer *sym_nn_view_copy (SymGraph *graph, SymShape shape);

/* .t(), .T: a matrix turned round; .permute(...), which is one node here: its sizes are inferred.
 * Other methods are two, as in PyTorch Symbolic: sym_node_get_attribute() and sym_node_call(). */
SymNode *sym_transpose (SymNode *input, GError **error);
SymNode *sym_permute (SymNode *input, SymShape order, GError **error);

/* @dim counts the batch: 1 for channels.  y = sym_concat (1, &error, a, b, c) */
#define SYM_NODES(...) ((SymNode *const[]){ __VA_ARGS__ })
#define SYM_N_NODES(...) ((guint) (sizeof SYM_NODES (__VA_ARGS__) / sizeof (SymNode *)))
#define sym_concat(dim, error, ...) \
  sym_concat_all ((dim), SYM_NODES (__VA_ARGS__), SYM_N_NODES (__VA_ARGS__), (error))
#define sym_stack(dim, error, ...) \
  sym_stack_all ((dim), SYM_NODES (__VA_ARGS__), SYM_N_NODES (__VA_ARGS__), (error))

SymNode *sym_concat_all (gint64 dim, SymNode *const *nodes, guint n, GError **error);
SymNode *sym_stack_all (gint64 dim, SymNode *const *nodes, guint n, GError **error);
SymLayer *sym_nn_concat (SymGraph *graph, gint64 dim);
SymLayer *sym_nn_stack (SymGraph *graph, gint64 dim);

/* Applies a layer to several nodes: z = sym_call (layer, &error, x, y) */
#define sym_call(layer, error, ...) \
  sym_layer_call_all ((layer), NULL, SYM_NODES (__VA_ARGS__), SYM_N_NODES (__VA_ARGS__), (error))

/* nn.Upsample: by a factor, or to a size of rank 0 for none. */
SymNode *sym_upsample (SymNode *input, gint64 factor, const char *mode, GError **error);
SymNode *sym_upsample_to (SymNode *input, SymShape size, const char *mode, GError **error);
SymLayer *sym_nn_upsample (SymGraph *graph, gint64 factor, const char *mode);

/* What Python writes between the brackets: sym_slice (x, ":, 1:-1, None, ...", &error).  NULL with
 * SYM_ERROR_ARGUMENT when @index is no such thing.  sym_slice_by() indexes by another node. */
SymNode *sym_slice (SymNode *input, const char *index, GError **error);
SymNode *sym_slice_value (SymNode *input, SymValue *take_index, GError **error);
SymNode *sym_slice_by (SymNode *input, SymNode *index, GError **error);

/* One size of the result for each dimension not in @dim; all are reduced when @dim has rank 0. */
typedef struct {
  SymShape dim;
  gboolean keepdim;
  const char *name;
} SymAggregateOptions;

#define SYM_AGGREGATE(op, input, error, ...) \
  sym_aggregate_with ((input), op, &(const SymAggregateOptions){ __VA_ARGS__ }, (error))
#define sym_mean(...) SYM_AGGREGATE ("mean", __VA_ARGS__)
#define sym_sum(...) SYM_AGGREGATE ("sum", __VA_ARGS__)
#define sym_median(...) SYM_AGGREGATE ("median", __VA_ARGS__)
#define sym_argmax(...) SYM_AGGREGATE ("argmax", __VA_ARGS__)
#define sym_argmin(...) SYM_AGGREGATE ("argmin", __VA_ARGS__)

SymNode *sym_aggregate_with (SymNode *input,
                             const char *op,
                             const SymAggregateOptions *options,
                             GError **error);

G_END_DECLS
