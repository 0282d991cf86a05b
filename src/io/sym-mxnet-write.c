/* SPDX-License-Identifier: MIT */
#include "io/sym-io-lost.h"
#include "io/sym-mxnet-raise-private.h"
#include "io/sym-mxnet-write-private.h"

#include <string.h>

#include "ops/sym-op.h"

static const SymMxnetOrigin *
get_origin (const SymModel *model)
{
  return g_strcmp0 (sym_model_get_format (model), "mxnet") == 0 ? sym_model_get_origin (model)
                                                                : NULL;
}

/* ---- Numbering ---- */

static void
clear_writer (SymMxnetWriter *writer)
{
  g_clear_pointer (&writer->nodes, g_array_unref);
  g_free (writer->value_nodes);
  g_free (writer->call_nodes);
  g_free (writer->mutations);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymMxnetWriter, clear_writer)

static guint
find_place (const SymMxnetWriter *writer, SymEntry entry)
{
  if (writer->origin == NULL)
    return SYM_JSON_NONE;
  return sym_mxnet_origin_find (
      writer->origin, entry.is_call ? sym_model_get_call_attributes (writer->model, entry.id)
                                    : sym_model_get_value_attributes (writer->model, entry.id));
}

static void
add_node (SymMxnetWriter *writer, SymEntry entry)
{
  SymMxnetWriteNode node = { entry.is_call, entry.id, find_place (writer, entry) };
  guint index = writer->nodes->len;
  SymIds results;

  if (node.place == SYM_MXNET_IMPLIED ||
      (writer->is_legacy && node.place == SYM_JSON_NONE && !entry.is_call &&
       sym_model_get_role (writer->model, entry.id) == SYM_ROLE_AUXILIARY))
    return;
  g_array_append_val (writer->nodes, node);
  if (!entry.is_call)
    {
      writer->value_nodes[entry.id] = index;
      return;
    }
  writer->call_nodes[entry.id] = index;
  results = sym_model_get_results (writer->model, entry.id);
  for (guint i = 0; i < results.n; i++)
    writer->value_nodes[results.ids[i]] = index;
}

static gboolean
is_whole (const SymMxnetWriter *writer)
{
  if (writer->origin == NULL || writer->origin->graph->nodes->len != writer->nodes->len)
    return FALSE;
  for (guint i = 0; i < writer->nodes->len; i++)
    if (g_array_index (writer->nodes, SymMxnetWriteNode, i).place != i)
      return FALSE;

  return TRUE;
}

static void
number_nodes (SymMxnetWriter *writer)
{
  guint n_values = sym_model_get_n_values (writer->model);
  guint n_calls = sym_model_get_n_calls (writer->model);

  writer->nodes = g_array_new (FALSE, FALSE, sizeof (SymMxnetWriteNode));
  writer->value_nodes = g_new (guint, n_values + 1);
  writer->call_nodes = g_new (guint, n_calls + 1);
  memset (writer->value_nodes, 0xff, sizeof (guint) * (n_values + 1));
  memset (writer->call_nodes, 0xff, sizeof (guint) * (n_calls + 1));
  for (guint i = 0; i < sym_model_get_n_entries (writer->model); i++)
    add_node (writer, sym_model_get_entry (writer->model, i));
  writer->mutations = g_new0 (guint, writer->nodes->len + 1);
  writer->is_whole = is_whole (writer);
}

/* ---- What can be said ---- */

static gboolean
check_call (const SymMxnetWriter *writer, SymId call, GError **error)
{
  SymLayer *layer = sym_model_get_layer (writer->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  gboolean is_mxnet = op != NULL ? strcmp (op->domain, "mxnet") == 0
                                 : sym_model_get_dialect (writer->model) == SYM_DIALECT_MXNET;

  if (is_mxnet && sym_model_get_arguments (writer->model, call) == NULL)
    return TRUE;

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "the layer '%s' is a %s, which MXNet has no operator for",
               sym_model_get_call_name (writer->model, call), sym_layer_get_type (layer));
  return FALSE;
}

/* Names of results are MXNet's to give. */
static void
note_result_names (const SymMxnetWriter *writer, SymId call)
{
  SymIds results = sym_model_get_results (writer->model, call);
  const char *name = sym_model_get_call_name (writer->model, call);

  for (guint i = 0; writer->notes != NULL && i < results.n; i++)
    {
      const char *result = sym_model_get_value_name (writer->model, results.ids[i]);

      if (!g_str_has_prefix (result, name) || result[strlen (name)] != '_')
        sym_problems_add (writer->notes, SYM_SEVERITY_NOTE, 0, results.ids[i], call,
                          "the name '%s' is not kept: MXNet names the outputs of '%s' after it",
                          result, name);
    }
}

static gboolean
check_nodes (const SymMxnetWriter *writer, GError **error)
{
  for (guint i = 0; i < writer->nodes->len; i++)
    {
      const SymMxnetWriteNode *node = &g_array_index (writer->nodes, SymMxnetWriteNode, i);

      if (!node->is_call)
        continue;
      if (!check_call (writer, node->id, error))
        return FALSE;
      note_result_names (writer, node->id);
    }
  return TRUE;
}

/* ---- Tables ---- */

static gboolean
write_nodes (SymMxnetWriter *writer, guint depth, GError **error)
{
  sym_mxnet_layout_key (writer->layout, "nodes");
  sym_mxnet_layout_begin (writer->layout, '[', TRUE);
  for (guint i = 0; i < writer->nodes->len; i++)
    if (!sym_mxnet_write_node (writer, i, depth, error))
      return FALSE;
  sym_mxnet_layout_end (writer->layout, ']');
  return TRUE;
}

static void
write_numbers (SymMxnetWriter *writer, const char *key, const GArray *numbers)
{
  sym_mxnet_layout_key (writer->layout, key);
  sym_mxnet_layout_begin (writer->layout, '[', numbers->len > SYM_MXNET_SHORT_ARRAY);
  for (guint i = 0; i < numbers->len; i++)
    {
      sym_mxnet_layout_item (writer->layout);
      sym_mxnet_layout_int (writer->layout, g_array_index (numbers, guint, i));
    }
  sym_mxnet_layout_end (writer->layout, ']');
}

static void
write_arguments (SymMxnetWriter *writer)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < writer->nodes->len; i++)
    if (!g_array_index (writer->nodes, SymMxnetWriteNode, i).is_call)
      g_array_append_val (numbers, i);
  write_numbers (writer, "arg_nodes", numbers);
}

/* How many outputs a node has, hidden ones included. */
static guint
count_outputs (const SymMxnetWriter *writer, const SymMxnetWriteNode *node)
{
  const SymMxnetNode *old = node->place == SYM_JSON_NONE
                                ? NULL
                                : sym_mxnet_graph_get_node (writer->origin->graph, node->place);
  SymLayer *layer = node->is_call ? sym_model_get_layer (writer->model, node->id) : NULL;
  const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
  guint n_results = node->is_call ? sym_model_get_results (writer->model, node->id).n : 1;
  int n = op == NULL ? 1 : sym_op_get_n_outputs (op, sym_layer_get_attributes (layer), NULL);

  if (old != NULL && old->n_outputs > 0)
    return old->n_outputs;
  return MAX (MAX (n, 1), (int) MIN (n_results, G_MAXINT));
}

static void
write_rows (SymMxnetWriter *writer)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  guint sum = 0;

  g_array_append_val (numbers, sum);
  for (guint i = 0; i < writer->nodes->len; i++)
    {
      sum += count_outputs (writer, &g_array_index (writer->nodes, SymMxnetWriteNode, i));
      g_array_append_val (numbers, sum);
    }
  write_numbers (writer, "node_row_ptr", numbers);
}

/* ---- Heads ---- */

typedef struct {
  guint node, output;
} Head;

static GArray *
collect_heads (const SymMxnetWriter *writer)
{
  SymIds outputs = sym_model_get_outputs (writer->model);
  GArray *heads = g_array_new (FALSE, FALSE, sizeof (Head));

  for (guint i = 0; i < outputs.n; i++)
    {
      Head head = { writer->value_nodes[outputs.ids[i]],
                    sym_model_get_output_index (writer->model, outputs.ids[i]) };

      if (head.node != SYM_JSON_NONE)
        g_array_append_val (heads, head);
    }
  return heads;
}

/* Whether the heads that lead somewhere are still those of the file. */
static gboolean
are_heads_as_read (const SymMxnetWriter *writer, const GArray *heads)
{
  const SymMxnetGraph *graph = writer->origin->graph;
  guint n = 0;

  for (guint i = 0; i < graph->heads->len; i++)
    {
      const SymMxnetEntry *old = &g_array_index (graph->heads, SymMxnetEntry, i);
      const Head *head = n < heads->len ? &g_array_index (heads, Head, n) : NULL;

      if (head != NULL && head->node == old->node && head->output == old->output)
        n++;
      else if (old->node < writer->nodes->len && old->output == 0)
        return FALSE;
    }
  return n == heads->len;
}

/* Whether the outputs are what reading takes for them where a file has no heads. */
static gboolean
are_heads_unused_results (const SymMxnetWriter *writer, const GArray *heads)
{
  guint n = 0;

  for (guint i = 0; i < writer->nodes->len; i++)
    {
      const SymMxnetWriteNode *node = &g_array_index (writer->nodes, SymMxnetWriteNode, i);
      SymIds results =
          node->is_call ? sym_model_get_results (writer->model, node->id) : (SymIds){ 0 };
      guint n_uses = 0;

      for (guint k = 0; k < results.n; k++)
        n_uses += sym_model_get_consumers (writer->model, results.ids[k]).n;
      if (results.n == 0 || n_uses > 0)
        continue;
      if (n == heads->len || g_array_index (heads, Head, n).node != i ||
          g_array_index (heads, Head, n).output != 0)
        return FALSE;
      n++;
    }
  return n == heads->len;
}

static void
write_heads (SymMxnetWriter *writer, const GArray *heads)
{
  SymMxnetLayout *layout = writer->layout;

  sym_mxnet_layout_key (layout, "heads");
  sym_mxnet_layout_begin (layout, '[', heads->len > SYM_MXNET_SHORT_ARRAY);
  for (guint i = 0; i < heads->len; i++)
    {
      const Head *head = &g_array_index (heads, Head, i);

      sym_mxnet_layout_item (layout);
      sym_mxnet_layout_begin (layout, '[', FALSE);
      sym_mxnet_layout_item (layout);
      sym_mxnet_layout_int (layout, head->node);
      sym_mxnet_layout_item (layout);
      sym_mxnet_layout_int (layout, head->output);
      if (writer->has_versions)
        {
          sym_mxnet_layout_item (layout);
          sym_mxnet_layout_int (layout, 0);
        }
      sym_mxnet_layout_end (layout, ']');
    }
  sym_mxnet_layout_end (layout, ']');
}

/* ---- The graph ---- */

static void
write_graph_int (SymMxnetLayout *layout, const char *key, gint64 value)
{
  sym_mxnet_layout_key (layout, key);
  sym_mxnet_layout_begin (layout, '[', FALSE);
  sym_mxnet_layout_item (layout);
  sym_mxnet_layout_string (layout, "int");
  sym_mxnet_layout_item (layout);
  sym_mxnet_layout_int (layout, value);
  sym_mxnet_layout_end (layout, ']');
}

static void
write_graph_attributes (SymMxnetWriter *writer)
{
  sym_mxnet_layout_key (writer->layout, "attrs");
  sym_mxnet_layout_begin (writer->layout, '{', writer->is_np_shape);
  write_graph_int (writer->layout, "mxnet_version", SYM_MXNET_WRITTEN);
  if (writer->is_np_shape)
    write_graph_int (writer->layout, "is_np_shape", 1);
  sym_mxnet_layout_end (writer->layout, '}');
}

static gboolean
write_new (SymMxnetWriter *writer, guint depth, GError **error)
{
  g_autoptr (GArray) heads = collect_heads (writer);

  if (!write_nodes (writer, depth, error))
    return FALSE;
  write_arguments (writer);
  write_rows (writer);
  write_heads (writer, heads);
  write_graph_attributes (writer);
  return TRUE;
}

/* The members of the file's graph in their order: tables that still hold word by word, the others
 * made anew, and what is not known as it was. */
static gboolean
write_member (SymMxnetWriter *writer,
              const SymJsonIter *member,
              const GArray *heads,
              guint depth,
              GError **error)
{
  const SymMxnetGraph *graph = writer->origin->graph;
  g_autofree char *key = NULL;

  if (sym_json_string_equals (graph->json, member->key, "nodes"))
    return write_nodes (writer, depth, error);
  if (member->value == graph->arguments_token && !writer->is_whole)
    write_arguments (writer);
  else if (member->value == graph->rows_token && !writer->is_whole)
    write_rows (writer);
  else if (member->value == graph->heads_token &&
           !(writer->is_whole && are_heads_as_read (writer, heads)))
    write_heads (writer, heads);
  else
    {
      key = sym_json_dup_string (graph->json, member->key);
      sym_mxnet_layout_key (writer->layout, key);
      sym_mxnet_layout_value (writer->layout, graph->json, member->value);
    }
  return TRUE;
}

static gboolean
write_old (SymMxnetWriter *writer, guint depth, GError **error)
{
  const SymMxnetGraph *graph = writer->origin->graph;
  g_autoptr (GArray) heads = collect_heads (writer);

  for (SymJsonIter i = sym_json_iterate (graph->json, graph->root);
       sym_json_iter_next (graph->json, &i);)
    if (!write_member (writer, &i, heads, depth, error))
      return FALSE;

  if (graph->arguments_token == SYM_JSON_NONE && !writer->is_whole)
    write_arguments (writer);
  if (graph->heads_token == SYM_JSON_NONE &&
      !(writer->is_whole && are_heads_unused_results (writer, heads)))
    write_heads (writer, heads);
  return TRUE;
}

gboolean
sym_mxnet_write_graph (const SymModel *model,
                       const SymInference *inference,
                       SymMxnetLayout *layout,
                       SymProblems *notes,
                       guint depth,
                       GError **error)
{
  const SymMxnetOrigin *origin = get_origin (model);
  g_auto (SymMxnetWriter) writer = {
    .model = model,
    .inference = inference,
    .origin = origin,
    .layout = layout,
    .notes = notes,
    .attributes_key = origin == NULL ? "attrs" : origin->graph->attributes_key,
    .has_versions = origin == NULL || origin->graph->has_versions,
  };
  gboolean is_good;

  if (depth > SYM_MXNET_MAX_BODIES)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "bodies are nested deeper than %d",
                   SYM_MXNET_MAX_BODIES);
      return FALSE;
    }
  writer.is_legacy = strcmp (writer.attributes_key, "param") == 0;
  number_nodes (&writer);
  writer.is_np_shape =
      origin == NULL ? sym_mxnet_needs_np_shape (&writer) : origin->graph->is_np_shape;
  if (!check_nodes (&writer, error))
    return FALSE;

  sym_mxnet_layout_begin (layout, '{', TRUE);
  is_good = origin == NULL ? write_new (&writer, depth, error) : write_old (&writer, depth, error);
  sym_mxnet_layout_end (layout, '}');
  return is_good;
}

static gboolean
write_symbol (SymModel *model,
              const SymInference *inference,
              const char *path,
              SymProblems *notes,
              GError **error)
{
  g_autoptr (SymMxnetLayout) layout = sym_mxnet_layout_new ();
  const SymMxnetOrigin *origin = get_origin (model);
  const GString *text;

  if (inference != NULL && sym_inference_get_model (inference) != model)
    inference = NULL;
  if (!sym_mxnet_write_graph (model, inference, layout, notes, 0, error))
    return FALSE;
  if (origin != NULL && origin->ends_with_newline)
    sym_mxnet_layout_end_line (layout);
  if (!sym_mxnet_write_weights (model, path, origin == NULL ? 0 : origin->epoch, notes, error))
    return FALSE;

  text = sym_mxnet_layout_get_text (layout);
  return sym_io_write_text (path, text->str, text->len, error);
}

gboolean
sym_mxnet_write (SymModel *model,
                 const SymInference *inference,
                 const char *path,
                 SymProblems *notes,
                 GError **error)
{
  g_autoptr (SymModel) raised = NULL;

  sym_io_note_sizes (model, "MXNet", notes);
  if (!sym_raise_is_needed (model, &sym_mxnet_raise_target))
    return write_symbol (model, inference, path, notes, error);
  raised = sym_raise_model (model, inference, &sym_mxnet_raise_target, NULL, notes, error);
  return raised != NULL && write_symbol (raised, NULL, path, notes, error);
}
