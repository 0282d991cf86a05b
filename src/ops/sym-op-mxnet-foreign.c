/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Operators whose meaning lies elsewhere: in the program that made the file, in an engine that it
 * was compiled for, or in what a graph of theirs holds.  Nothing is told of their outputs, not even
 * how many there are. */

static int
get_any_number (const SymAttributes *attributes)
{
  return -1;
}

/* ---- Custom ---- */

static const SymAttributeSpec custom_attributes[] = {
  { "op_type", SYM_ATTRIBUTE_STRING, NULL, "name of the operator in the program" },
  { NULL },
};

static int
get_as_used (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

/* ---- edge_id ---- */

static const SymSlotSpec edge_slots[] = { { "data" }, { "u" }, { "v" }, { NULL } };

/* The edges from u[i] to v[i] of a graph: both are vectors of one length, as is the result. */
static gboolean
infer_edges (SymRule *rule, GError **error)
{
  SymShape vector = SYM_SHAPE (SYM_DIM_UNKNOWN);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_rule_set_output (rule, 0, &vector, error))
    return FALSE;
  return sym_op_pass_shape (rule, 1, 0, error) && sym_op_pass_shape (rule, 2, 0, error) &&
         sym_op_pass_shape (rule, 1, 0, error);
}

/* Helpers of _FusedOp stay in memory: MXNet never writes them to a file. */
static int
get_no_operands (const SymAttributes *attributes)
{
  return 0;
}

#define FOREIGN(name_, summary_, attributes_)                                          \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
                .category = SYM_CATEGORY_CONTROL, .attributes = attributes_,           \
                .slots = sym_op_mxnet_many, .get_n_operands = get_any_number,          \
                .get_n_outputs = get_as_used

const SymOperator sym_op_mxnet_foreign[] = {
  { FOREIGN ("Custom", "an operator of the program that made the file", custom_attributes),
    .aliases = "_npi_Custom" },
  { FOREIGN ("_Native", "an operator of the program that made the file", NULL) },
  { FOREIGN ("_NDArray", "an operator of the program that made the file", NULL) },
  { FOREIGN ("_TensorRT", "part of the graph as an engine of TensorRT", NULL) },
  { FOREIGN ("_FusedOp", "part of the graph compiled while it ran", NULL) },
  { FOREIGN ("_contrib_dgl_adjacency", "a graph with 1 at each edge", NULL) },
  { FOREIGN ("_contrib_dgl_subgraph", "parts of a graph, told by their nodes", NULL) },
  { FOREIGN ("_contrib_dgl_graph_compact", "graphs without rows that are empty", NULL) },
  { FOREIGN ("_contrib_dgl_csr_neighbor_uniform_sample", "neighbours drawn from a graph", NULL) },
  { FOREIGN ("_contrib_dgl_csr_neighbor_non_uniform_sample",
             "neighbours drawn from a graph by probabilities",
             NULL) },
  {
      SYM_OP_MXNET,
      .name = "_FusedOpHelper",
      .aliases = "_FusedOpOutHelper",
      .summary = "where a compiled part of the graph keeps its shapes; no value",
      .reference = "MXNet 1.9.1 _FusedOpHelper",
      .category = SYM_CATEGORY_CONTROL,
      .slots = sym_op_mxnet_none,
      .get_n_operands = get_no_operands,
      .get_n_outputs = get_as_used,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_edge_id",
      .summary = "numbers of the edges between nodes of a graph",
      .reference = "MXNet 1.9.1 _contrib_edge_id",
      .category = SYM_CATEGORY_OTHER,
      .slots = edge_slots,
      .infer = infer_edges,
  },
  { NULL },
};
