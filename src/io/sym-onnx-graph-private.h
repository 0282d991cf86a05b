/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-onnx-private.h"

G_BEGIN_DECLS

/* A node of the graph, and what became of it. */
typedef struct {
  const SymProtoMessage *message;
  SymId call;     /* SYM_NO_ID for a Constant that became a value */
  SymId constant; /* that value */
  guint captured; /* first of the names that its bodies take from outside */
  guint n_captured;
} SymOnnxNode;

/* A graph or function in the making. */
typedef struct {
  SymOnnxReader *reader;
  const SymProtoMessage *graph;
  const SymOnnxContext *context;
  SymModelBuilder *builder;
  SymProblems *problems;
  GArray *nodes;          /* of SymOnnxNode */
  GPtrArray *taken;       /* names that bodies of nodes take */
  GHashTable *first;      /* names to the first value called so, plus one */
  GHashTable *current;    /* names to the value called so at the node at hand, plus one */
  GHashTable *outputs;    /* names of the graph's outputs */
  GHashTable *attributes; /* values to their SymAttributes, borrowed */
  GHashTable *weights;    /* values to the SymTensor of initializers, or NULL; no roles yet */
  GPtrArray *captured;    /* names that it takes itself; NULL when it may not */
  guint64 n_calls;        /* all that run when it runs */
  guint n_forward;        /* operands that come later in the file */
} SymOnnxGraph;

/* The place of a value, made when first asked for. */
SymOnnxPlace *sym_onnx_graph_get_place (SymOnnxGraph *self, SymId value);

/* Sets an attribute of the value. */
void sym_onnx_graph_describe (SymOnnxGraph *self, SymId value, const char *name, const char *text);

/* ---- sym-onnx-values.c: inputs, weights, declared types ---- */

void sym_onnx_graph_add_values (SymOnnxGraph *self);
void sym_onnx_graph_declare_values (SymOnnxGraph *self);
void sym_onnx_graph_assign_weights (SymOnnxGraph *self);

/* Whether a node is a Constant that can be a value: then it becomes one. */
gboolean sym_onnx_graph_add_constant (SymOnnxGraph *self, SymOnnxNode *node);

/* A Constant that is a call, for being an output, has the type of its tensor even if that cannot be
 * read. */
void sym_onnx_graph_declare_constant (SymOnnxGraph *self, const SymOnnxNode *node);

void sym_onnx_graph_define (SymOnnxGraph *self, const char *name, SymId value);

G_END_DECLS
