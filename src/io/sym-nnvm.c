/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"
#include "io/sym-tvm-private.h"

/* The graphs of NNVM's compiler (TVM 0.1 to 0.5, before Relay): tables and variables as MXNet's,
 * operators of its own, and parameters as TVM saves them. */

static gboolean
has_operator (const char *domain, const char *name)
{
  return sym_op_find (domain, name, 0) != NULL;
}

gboolean
sym_nnvm_has_operators (const SymJson *json)
{
  guint attributes = sym_json_get_member (json, 0, "attrs");
  guint nodes = sym_json_get_member (json, 0, "nodes");

  if (sym_json_get_member (json, attributes, "mxnet_version") != SYM_JSON_NONE)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      g_autofree char *op = sym_json_dup_string (json, sym_json_get_member (json, i.value, "op"));
      gboolean is_own = op != NULL && has_operator ("nnvm", op);

      if (op != NULL && is_own != has_operator ("mxnet", op))
        return is_own;
    }
  return FALSE;
}

/* It is only asked for the operators, which are in all nodes, where there is more to tell. */
static int
score (const SymJson *json)
{
  int marks = sym_mxnet_score (json);

  return marks > 0 && sym_nnvm_has_operators (json) ? marks : 0;
}

/* What MXNet does to files of its older versions is not done to these. */
static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymProblems) found = sym_problems_new ();
  g_autoptr (SymMxnetGraph) graph = sym_mxnet_graph_new (json, 0, found, error);
  g_autoptr (SymStoreTensors) weights = NULL;

  if (graph == NULL)
    return NULL;
  graph->domain = "nnvm";
  graph->version = SYM_MXNET_WRITTEN;
  sym_problems_append (source->problems, found);
  if (!sym_tvm_open_weights (source, &weights, error))
    return NULL;
  return sym_mxnet_build (graph, source, NULL, 0, weights, 0, error);
}

const SymIoFormat sym_nnvm_format = {
  .name = "nnvm",
  .title = "NNVM graph",
  .versions = "TVM 0.1 to 0.5, before Relay",
  .limits = "unknown operators do not run, nor layouts that split the channels",
  .suffix = ".json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_graph,
  .tell = sym_mxnet_tell,
};
