/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph.h"

G_BEGIN_DECLS

/* Live values: what the nodes of a graph are for the values that it is traced with.  A graph has
 * none until somebody can compute them: see run/sym-live.h.  From then on each call is computed as
 * it is made (P24, P45), once, if all of its operands have values; what goes wrong is an error at
 * the line that makes it, and leaves the graph as it was.  Where inference does not know the type
 * of a result (a host function), its value tells.  A layer that cannot be computed (no kernel, no
 * weights yet) makes nodes without values. */
typedef struct {
  /* Fills @results with data to unref, or leaves them NULL and says why in *@obstacle when this
   * layer cannot be computed at all.  FALSE with an error when it failed. */
  gboolean (*evaluate) (SymLayer *layer,
                        const SymValue *arguments,
                        SymDatum *const *operands,
                        guint n_operands,
                        SymDatum **results,
                        guint n_results,
                        char **obstacle,
                        gpointer user_data,
                        GError **error);

  /* P1: a value for input @index, drawn from [min, max). */
  SymDatum *(*draw) (const SymType *type,
                     double min,
                     double max,
                     guint index,
                     gpointer user_data,
                     GError **error);
  gpointer user_data;
  GDestroyNotify destroy; /* of @user_data, which the graph takes over; may be NULL */
} SymGraphLive;

/* NULL ends it: nodes keep the values that they have, and no further ones are made. */
void sym_graph_set_live (SymGraph *self, const SymGraphLive *live);

/* P3, CustomInput: a root of any value, known with its batch.  Its type is that of @value, which is
 * referenced; models take other values of that kind, and tensors of that dtype and shape. */
SymNode *sym_graph_add_value (SymGraph *self, SymDatum *value, GError **error);

/* What an input is traced with from now on; values of other nodes are as they were computed.
 * SYM_ERROR_SHAPE when it is not of the input's type. */
gboolean sym_node_set_value (SymNode *self, SymDatum *value, GError **error);

/* P7: the value, borrowed.  Computed again where it was let go (P60: a model lets go of the values
 * of its inner nodes, but for results of host functions, which would be called again).  NULL with
 * SYM_ERROR_UNDECIDED, and the reason, when there is none. */
SymDatum *sym_node_get_value (SymNode *self, GError **error);

/* P13: len (node).  That of a tensor or a tuple follows from its type, others need a value. */
gboolean sym_node_get_length (SymNode *self, gint64 *length, GError **error);

G_END_DECLS
