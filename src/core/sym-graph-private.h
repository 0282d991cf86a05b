/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-graph-live.h"

G_BEGIN_DECLS

/* One application of a layer.  Its nodes are made together and know each other as siblings. */
typedef struct {
  SymLayer *layer;
  char *name;          /* custom name; NULL for none */
  SymValue *arguments; /* tree of a host function; NULL for none */
  guint n_operands;
  SymNode **operands;
  guint n_results;
  SymNode **results;
  gboolean unpacks; /* an UnpackLayer, whose results that nobody uses are left out of models */
} SymGraphCall;

struct _SymNode {
  SymGraph *graph;
  SymGraphCall *call; /* NULL for inputs */
  guint result;
  guint index;
  guint depth;
  gboolean batch_size_known;
  double min_value, max_value; /* of inputs */
  SymType type;                /* terms are the graph's; tuples' elements live in its arena */
  SymType trace;               /* the same with trace sizes in place of unknown ones */
  SymDatum *value;             /* what it is traced with; NULL when that is not known */
  gboolean typed_by_value;     /* nothing but its value tells its type */
  char *variable;
  GPtrArray *children; /* of SymNode, one entry per use; NULL for none */
};

struct _SymGraph {
  gatomicrefcount ref_count;
  SymTerms *terms;
  GPtrArray *nodes;  /* in order of creation */
  GPtrArray *calls;  /* in order of creation */
  GPtrArray *layers; /* kept ones */
  GPtrArray *arena;  /* elements of tuples */
  SymGraphLive live; /* who computes values; nobody: NULLs */
  gpointer token;    /* tells models of this graph from those of others, also after it is gone */
};

/* What a call would make of its operands. */
typedef struct {
  guint n;
  SymType *types;
  SymType *traces;
} SymGraphResults;

/* Runs the layer's rule on the operands' types, twice: with trace sizes, for that is what people
 * know their shapes by and what messages show, and with unknown sizes.  FALSE with SYM_ERROR_SHAPE;
 * the graph does not change either way.  The types' elements go to the arena. */
gboolean sym_graph_infer_results (SymGraph *self,
                                  SymLayer *layer,
                                  const SymValue *arguments,
                                  SymNode *const *operands,
                                  guint n_operands,
                                  SymGraphResults *results,
                                  GError **error);
void sym_graph_results_clear (SymGraphResults *self);

/* What a call would make of its operands' values: data in @values, or NULLs when that cannot be
 * told. FALSE when it fails. */
gboolean sym_graph_evaluate (SymGraph *self,
                             SymLayer *layer,
                             const SymValue *arguments,
                             SymNode *const *operands,
                             guint n_operands,
                             SymDatum **values,
                             guint n_values,
                             GError **error);

/* Gives a node its value, and the type of that when it has none. */
void sym_graph_attach_value (SymNode *node, SymDatum *take_value);

/* Draws the value of an input that was just made. */
gboolean sym_graph_draw_value (SymNode *input, GError **error);

/* P60: lets go of a value that can be computed again. */
void sym_graph_let_go (SymNode *node);

/* Checks, infers and adds; what sym_graph_call() and all others end in. */
SymNode *sym_graph_add_call (SymGraph *self,
                             SymLayer *layer,
                             SymValue *arguments,
                             SymNode *const *operands,
                             guint n_operands,
                             const char *name,
                             GError **error);

/* The node becomes the first positional argument. */
void sym_arguments_prepend_node (SymArguments *self, SymNode *node);

/* Whether the node is an attribute that can be called: made by GetAttr. */
gboolean sym_node_is_callable (const SymNode *self);

/* A new node without children, the next in order. */
SymNode *sym_graph_add_node (SymGraph *self, const SymType *type, const SymType *trace);

G_END_DECLS
