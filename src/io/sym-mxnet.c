/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include <string.h>

#include "io/sym-tvm-private.h"

/* Whether a node looks like one of nnvm's: a name, an operator, inputs in pairs or threes. */
static gboolean
is_node (const SymJson *json, guint node)
{
  guint inputs = sym_json_get_member (json, node, "inputs");
  guint first = sym_json_get_element (json, inputs, 0);

  return sym_json_get_kind (json, sym_json_get_member (json, node, "op")) == SYM_JSON_STRING &&
         sym_json_get_kind (json, sym_json_get_member (json, node, "name")) == SYM_JSON_STRING &&
         sym_json_get_kind (json, inputs) == SYM_JSON_ARRAY &&
         (first == SYM_JSON_NONE || sym_json_get_kind (json, first) == SYM_JSON_ARRAY);
}

int
sym_mxnet_score (const SymJson *json)
{
  guint nodes = sym_json_get_member (json, 0, "nodes");
  guint first = sym_json_get_element (json, nodes, 0);
  guint version =
      sym_json_get_member (json, sym_json_get_member (json, 0, "attrs"), "mxnet_version");
  gboolean is_list = sym_json_get_kind (json, nodes) == SYM_JSON_ARRAY;
  int marks = 0;

  /* In a dictionary "nodes" is a number, a list of numbers, or anything else, and so is "heads". */
  if (nodes == SYM_JSON_NONE || (version == SYM_JSON_NONE && !is_list) ||
      sym_tvm_has_operators (json, nodes))
    return 0;
  if (version != SYM_JSON_NONE)
    return 100;

  marks += sym_json_get_member (json, 0, "arg_nodes") != SYM_JSON_NONE;
  marks += sym_json_get_member (json, 0, "heads") != SYM_JSON_NONE;
  marks += sym_json_get_member (json, 0, "node_row_ptr") != SYM_JSON_NONE;
  if (is_node (json, first))
    return 70 + marks * 10;
  if (first != SYM_JSON_NONE && sym_json_get_kind (json, first) != SYM_JSON_OBJECT && marks < 2)
    return 0;
  return marks > 0 ? 40 + marks * 10 : 0;
}

/* Those of NNVM's compiler are of a format of their own. */
static int
score (const SymJson *json)
{
  int marks = sym_mxnet_score (json);

  return marks > 0 && sym_nnvm_has_operators (json) ? 0 : marks;
}

/* Those that the user chose, else those beside the graph. */
static gboolean
open_weights (const SymIoSource *source, SymStoreTensors **weights, guint *epoch, GError **error)
{
  GError *cause = NULL;

  if (source->weights == NULL)
    {
      *weights = source->path == NULL
                     ? NULL
                     : sym_mxnet_open_weights (source->path, epoch, source->problems);
      return TRUE;
    }
  *weights = sym_store_open_params (source->weights, &cause);
  if (*weights != NULL)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be read: %s",
               cause->message);
  g_error_free (cause);
  return FALSE;
}

static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymProblems) found = sym_problems_new ();
  g_autoptr (SymMxnetGraph) graph = sym_mxnet_graph_new (json, 0, found, error);
  g_autoptr (SymStoreTensors) weights = NULL;
  guint epoch = 0;

  if (graph == NULL)
    return NULL;

  sym_problems_append (source->problems, found);
  if (!open_weights (source, &weights, &epoch, error))
    return NULL;
  return sym_mxnet_build (graph, source, NULL, 0, weights, epoch, error);
}

const SymIoFormat sym_mxnet_format = {
  .name = "mxnet",
  .title = "MXNet symbol JSON",
  .versions = "0.5 to 1.9 (static graphs, NNVM, subgraphs)",
  .limits = "unknown operators do not run",
  .suffix = "-symbol.json",
  .takes_weights = TRUE,
  .score = score,
  .read = read_graph,
  .write = sym_mxnet_write,
  .tell = sym_mxnet_tell,
};
