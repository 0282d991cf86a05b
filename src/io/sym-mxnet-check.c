/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-private.h"

#include <string.h>

#include "core/sym-text.h"
#include "io/sym-json-private.h"
#include "ops/sym-op.h"

static const char *
get_name (const SymMxnetDraft *draft, guint node)
{
  return sym_mxnet_graph_get_node (draft->graph, node)->name;
}

static SymId
get_call (const SymMxnetDraft *draft, guint node)
{
  return node < draft->graph->nodes->len ? draft->calls[node] : SYM_NO_ID;
}

/* ---- Entries ---- */

/* How many outputs a node of the file has. */
static guint
get_n_outputs (const SymMxnetDraft *draft, guint node)
{
  return draft->calls[node] == SYM_NO_ID ? 1 : draft->n_results[node];
}

static gboolean
leads_somewhere (const SymMxnetDraft *draft, const SymMxnetEntry *entry)
{
  return entry->node < draft->graph->nodes->len &&
         entry->output < get_n_outputs (draft, entry->node);
}

/* Tells what is wrong with an input of @node, or a head (@node beyond the last). */
static void
report_entry (const SymMxnetDraft *draft, const SymMxnetEntry *entry, const char *what, guint node)
{
  guint line = sym_json_get_line (draft->graph->json, entry->token);
  guint n_nodes = draft->graph->nodes->len;
  SymId call = get_call (draft, node);
  g_autofree char *text = sym_json_dup_excerpt (draft->graph->json, entry->token);

  if (entry->node >= n_nodes)
    sym_problems_add (draft->problems, SYM_SEVERITY_ERROR, line, SYM_NO_ID, call,
                      "%s is %s, but there is no such node: there are %u", what, text, n_nodes);
  else if (draft->calls[entry->node] == SYM_NO_ID)
    sym_problems_add (draft->problems, SYM_SEVERITY_ERROR, line, SYM_NO_ID, call,
                      "%s is %s, but '%s' is a variable, which has only output 0", what, text,
                      get_name (draft, entry->node));
  else
    sym_problems_add (draft->problems, SYM_SEVERITY_ERROR, line, SYM_NO_ID, call,
                      "%s is %s, but '%s' (%s) has no output beyond %u", what, text,
                      get_name (draft, entry->node),
                      sym_mxnet_graph_get_node (draft->graph, entry->node)->op,
                      get_n_outputs (draft, entry->node) - 1);
}

static void
report_input (const SymMxnetDraft *draft, guint node, guint i)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  g_autofree char *what = g_strdup_printf ("input %u of '%s' (%s)", i, row->name, row->op);

  report_entry (draft, sym_mxnet_graph_get_input (draft->graph, node, i), what, node);
}

static void
check_inputs (const SymMxnetDraft *draft, guint node)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  gboolean is_forward = FALSE;

  for (guint i = 0; i < row->n_inputs; i++)
    {
      const SymMxnetEntry *entry = sym_mxnet_graph_get_input (draft->graph, node, i);

      is_forward = is_forward || (entry->node > node && entry->node < draft->graph->nodes->len);
      if (!leads_somewhere (draft, entry))
        report_input (draft, node, i);
    }
  if (is_forward)
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                      sym_mxnet_graph_get_line (draft->graph, node), SYM_NO_ID, draft->calls[node],
                      "'%s' (%s) uses nodes that come after it in the file", row->name, row->op);
}

/* How many inputs the operator needs at least; what an era leaves out has been added. */
static void
check_operand_count (const SymMxnetDraft *draft, guint node, const SymAttributes *layer)
{
  const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);
  const SymOperator *op = draft->operators[node];
  int needed = sym_op_get_n_operands (op, layer);
  guint n = row->n_inputs + sym_mxnet_count_implied (draft, node, layer);

  if (needed < 0 || n == (guint) needed)
    return;
  sym_problems_add (draft->problems, SYM_SEVERITY_ERROR,
                    sym_mxnet_graph_get_line (draft->graph, node), SYM_NO_ID, draft->calls[node],
                    "'%s' (%s) has %u input%s, but takes %d", row->name, row->op, n,
                    n == 1 ? "" : "s", needed);
}

static void
check_heads (const SymMxnetDraft *draft)
{
  const SymMxnetGraph *graph = draft->graph;

  if (graph->heads_token == SYM_JSON_NONE)
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "'heads' is missing: what nothing uses is taken for the outputs");
  for (guint i = 0; i < graph->heads->len; i++)
    {
      const SymMxnetEntry *head = &g_array_index (graph->heads, SymMxnetEntry, i);
      g_autofree char *what = NULL;

      if (leads_somewhere (draft, head))
        continue;
      what = g_strdup_printf ("head %u", i);
      report_entry (draft, head, what, graph->nodes->len);
    }
}

/* ---- Tables beside the nodes ---- */

static void
report_argument (const SymMxnetDraft *draft, guint token)
{
  const SymJson *json = draft->graph->json;
  guint line = sym_json_get_line (json, token);
  g_autofree char *text = sym_json_dup_excerpt (json, token);
  gint64 node;

  if (!sym_json_get_int (json, token, &node) || node < 0 || node >= draft->graph->nodes->len)
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, SYM_NO_ID,
                      "'arg_nodes' lists %s, but there are %u nodes", text,
                      draft->graph->nodes->len);
  else
    sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, line, SYM_NO_ID, SYM_NO_ID,
                      "'arg_nodes' lists node %s, '%s', which is no variable", text,
                      get_name (draft, (guint) node));
}

static void
check_argument (const SymMxnetDraft *draft, guint token, guint8 *listed)
{
  gint64 node;

  if (sym_json_get_int (draft->graph->json, token, &node) && node >= 0 &&
      node < draft->graph->nodes->len && draft->calls[node] == SYM_NO_ID)
    listed[node] = 1;
  else
    report_argument (draft, token);
}

static void
check_arguments (const SymMxnetDraft *draft)
{
  const SymMxnetGraph *graph = draft->graph;
  g_autofree guint8 *listed = g_new0 (guint8, graph->nodes->len + 1);

  if (graph->arguments_token == SYM_JSON_NONE)
    {
      sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                        "'arg_nodes' is missing; MXNet does not load such a file");
      return;
    }
  for (SymJsonIter i = sym_json_begin (graph->json, graph->arguments_token);
       sym_json_step (graph->json, &i);)
    check_argument (draft, i.value, listed);
  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    if (draft->values[node] != SYM_NO_ID && !listed[node])
      sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                        sym_mxnet_graph_get_line (graph, node), draft->values[node], SYM_NO_ID,
                        "'arg_nodes' does not list the variable '%s', node %u",
                        get_name (draft, node), node);
}

/* A node by the hash of its name: a name is only looked at where another has the same one. */
typedef struct {
  guint hash;
  guint node; /* counted from 1; 0 for a free row */
} NameRow;

/* The row of the name, or the free one that it would get. */
static NameRow *
find_name (const SymMxnetDraft *draft, NameRow *rows, guint mask, guint hash, const char *name)
{
  guint i = hash & mask;

  while (rows[i].node != 0 &&
         (rows[i].hash != hash || strcmp (get_name (draft, rows[i].node - 1), name) != 0))
    i = (i + 1) & mask;
  return &rows[i];
}

static void
check_names (const SymMxnetDraft *draft)
{
  guint n_rows = 2u << g_bit_storage (draft->graph->nodes->len);
  g_autofree NameRow *rows = g_new0 (NameRow, n_rows);

  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      const char *name = get_name (draft, node);
      guint hash = sym_text_hash (0, name, strlen (name));
      NameRow *row = find_name (draft, rows, n_rows - 1, hash, name);

      if (row->node == 0)
        *row = (NameRow){ hash, node + 1 };
      else
        sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                          sym_mxnet_graph_get_line (draft->graph, node), draft->values[node],
                          draft->calls[node], "node %u has the name of node %u (line %u) too: '%s'",
                          node, row->node - 1,
                          sym_mxnet_graph_get_line (draft->graph, row->node - 1), name);
    }
}

/* One message for each operator that is not known, at its first node. */
static void
check_operators (const SymMxnetDraft *draft)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      const char *op = sym_mxnet_graph_get_node (draft->graph, node)->op;

      if (op != NULL && draft->operators[node] == NULL)
        g_hash_table_insert (
            counts, (gpointer) op,
            GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, op)) + 1));
    }
  if (g_hash_table_size (counts) == 0)
    return;
  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      const char *op = sym_mxnet_graph_get_node (draft->graph, node)->op;
      guint n;

      if (op == NULL || draft->operators[node] != NULL)
        continue;
      n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, op));
      if (n == 0)
        continue;
      g_hash_table_insert (counts, (gpointer) op, NULL);
      sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                        sym_mxnet_graph_get_line (draft->graph, node), SYM_NO_ID,
                        draft->calls[node],
                        "the operator '%s' is not known: its %u %s shown, but not inferred or run",
                        op, n, n == 1 ? "layer is" : "layers are");
    }
}

static void
check_nodes (const SymMxnetDraft *draft)
{
  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      const SymMxnetNode *row = sym_mxnet_graph_get_node (draft->graph, node);

      if (row->op != NULL)
        check_inputs (draft, node);
      else if (row->n_inputs > 0)
        sym_problems_add (draft->problems, SYM_SEVERITY_WARNING,
                          sym_mxnet_graph_get_line (draft->graph, node), draft->values[node],
                          SYM_NO_ID, "the variable '%s' has inputs, which are left out", row->name);
    }
}

void
sym_mxnet_check_graph (const SymMxnetDraft *draft)
{
  check_nodes (draft);
  check_operators (draft);
  check_names (draft);
  check_arguments (draft);
  check_heads (draft);
}

/* ---- The finished model ---- */

static void
check_call (const SymMxnetDraft *draft, const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);
  SymIds results = sym_model_get_results (model, call);
  const char *name = sym_model_get_call_name (model, call);
  guint line = sym_model_get_call_line (model, call);
  gboolean is_live = FALSE;

  for (guint i = 0; sym_model_has_cycle (model) && i < operands.n; i++)
    if (sym_model_is_back_edge (model, call, i))
      sym_problems_add (draft->problems, SYM_SEVERITY_ERROR, line, SYM_NO_ID, call,
                        "'%s' depends on itself: its input %u, '%s', closes a cycle", name, i,
                        sym_model_get_value_name (model, operands.ids[i]));
  for (guint i = 0; i < results.n; i++)
    is_live = is_live || sym_model_is_live (model, results.ids[i]);
  if (!is_live)
    sym_problems_add (draft->problems, SYM_SEVERITY_NOTE, line, SYM_NO_ID, call,
                      "'%s' (%s) leads to no output", name,
                      sym_layer_get_type (sym_model_get_layer (model, call)));
}

/* MXNet stops at such a text, too.  "()" and "None" are shapes that nobody has told. */
static void
check_declared_shape (const SymMxnetDraft *draft, const SymModel *model, SymId value)
{
  const SymAttributes *attributes = sym_model_get_value_attributes (model, value);
  const SymValue *said =
      sym_attributes_get_n (attributes) == 0 ? NULL : sym_attributes_find (attributes, "__shape__");
  SymDim dims[SYM_MAX_RANK];
  int rank = said != NULL ? sym_value_get_ints (said, dims, SYM_MAX_RANK) : 0;

  if (rank >= 0 && rank <= SYM_MAX_RANK)
    return;
  g_autofree char *text = sym_value_to_string (said);

  if (g_str_equal (text, "None"))
    return;
  sym_problems_add (draft->problems, SYM_SEVERITY_WARNING, sym_model_get_value_line (model, value),
                    value, SYM_NO_ID,
                    "'__shape__' of the variable '%s' is no shape of at most %d dimensions: %s",
                    sym_model_get_value_name (model, value), SYM_MAX_RANK, text);
}

void
sym_mxnet_check_model (const SymMxnetDraft *draft, const SymModel *model)
{
  for (guint node = 0; sym_mxnet_goes_on_to (draft, node); node++)
    {
      SymId call = draft->calls[node], value = draft->values[node];

      if (call != SYM_NO_ID)
        {
          check_call (draft, model, call);
          if (draft->operators[node] != NULL)
            check_operand_count (draft, node,
                                 sym_layer_get_attributes (sym_model_get_layer (model, call)));
        }
      else
        {
          check_declared_shape (draft, model, value);
          if (sym_model_is_live (model, value))
            continue;
          sym_problems_add (draft->problems, SYM_SEVERITY_NOTE,
                            sym_model_get_value_line (model, value), value, SYM_NO_ID,
                            "the variable '%s' leads to no output", get_name (draft, node));
        }
    }
}
