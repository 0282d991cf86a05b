/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

/* ---- Names ---- */

/* Whether a value got its name from the file: of others it must be made sure that it has one of
 * its own. */
static gboolean
is_named_by_file (const SymOnnxDraft *draft, SymId value)
{
  SymId producer = sym_model_get_producer (draft->model, value);

  if (draft->writer->file == NULL)
    return FALSE;
  return producer == SYM_NO_ID ||
         sym_onnx_file_find_place (draft->writer->file,
                                   sym_model_get_call_attributes (draft->model, producer)) != NULL;
}

static gboolean
needs_name (const SymOnnxDraft *draft, SymId value)
{
  return sym_model_get_producer (draft->model, value) == SYM_NO_ID ||
         sym_model_get_consumers (draft->model, value).n > 0 ||
         sym_model_is_output (draft->model, value);
}

static const char *
make_name (SymOnnxDraft *draft, SymId value)
{
  const char *wish = sym_model_get_value_name (draft->model, value);

  return sym_name_set_choose (draft->used, *wish == '\0' ? "value" : wish, 2);
}

/* A result that is absent is written as the empty name. */
static gboolean
is_there (const SymOnnxDraft *draft, SymId value)
{
  return sym_model_has_value (draft->model, value) &&
         sym_model_get_role (draft->model, value) != SYM_ROLE_ABSENT;
}

static void
take_names_of_file (SymOnnxDraft *draft)
{
  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    {
      draft->names[value] = "";
      if (!is_there (draft, value) || !is_named_by_file (draft, value))
        continue;
      draft->names[value] = sym_model_get_value_name (draft->model, value);
      sym_name_set_add (draft->used, draft->names[value]);
    }
}

static gboolean
take_outer_names (SymOnnxDraft *draft, guint n_formal, const char *const *names, GError **error)
{
  SymIds inputs = sym_model_get_inputs (draft->model);

  for (guint i = n_formal; names != NULL && i < inputs.n; i++)
    {
      const char *name = names[i - n_formal];

      if (!g_str_equal (name, draft->names[inputs.ids[i]]) &&
          sym_name_set_contains (draft->used, name))
        {
          g_set_error (
              error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
              "the body “%s” takes “%s” from outside, but has a value of that name itself: "
              "rename the one outside",
              sym_model_get_name (draft->model), name);
          return FALSE;
        }
      draft->names[inputs.ids[i]] = name;
    }
  return TRUE;
}

static gboolean
name_values (SymOnnxDraft *draft, guint n_formal, const char *const *names, GError **error)
{
  take_names_of_file (draft);
  if (!take_outer_names (draft, n_formal, names, error))
    return FALSE;
  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    if (is_there (draft, value) && *draft->names[value] == '\0' &&
        (*sym_model_get_value_name (draft->model, value) != '\0' || needs_name (draft, value)))
      draft->names[value] = make_name (draft, value);
  return TRUE;
}

/* ---- Nodes ---- */

static gboolean
is_constant_node (const SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);

  return place != NULL && place->node != NULL &&
         sym_model_get_producer (draft->model, value) == SYM_NO_ID &&
         !sym_role_is_data (sym_model_get_role (draft->model, value));
}

static void
append_node (GArray *entries, const SymProtoMessage *node)
{
  SymProtoEntry entry = { .number = ONNX_GRAPH_NODE, .held = SYM_PROTO_CHILD, .wire = 2 };

  entry.message = (SymProtoMessage *) node;
  g_array_append_val (entries, entry);
}

static gboolean
append_call (SymOnnxDraft *draft, GArray *entries, SymId call, GError **error)
{
  const SymProtoMessage *node = sym_onnx_make_node (draft, call, error);

  if (node != NULL)
    append_node (entries, node);
  return node != NULL;
}

static gboolean
list_in_file_order (SymOnnxDraft *draft, GArray *entries, GError **error)
{
  for (guint i = 0; i < sym_model_get_n_entries (draft->model); i++)
    {
      SymEntry entry = sym_model_get_entry (draft->model, i);

      if (entry.is_call && !append_call (draft, entries, entry.id, error))
        return FALSE;
      if (!entry.is_call && is_constant_node (draft, entry.id))
        append_node (entries, sym_onnx_make_constant (draft, entry.id));
    }
  return TRUE;
}

static gboolean
list_in_order_of_execution (SymOnnxDraft *draft, GArray *entries, GError **error)
{
  SymIds order = sym_model_get_execution_order (draft->model);

  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    if (sym_model_has_value (draft->model, value) && is_constant_node (draft, value))
      append_node (entries, sym_onnx_make_constant (draft, value));
  for (guint i = 0; i < order.n; i++)
    if (!append_call (draft, entries, order.ids[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
has_old_nodes (const SymOnnxDraft *draft, const GArray *entries)
{
  const SymProtoEntry *entry;
  guint i = 0;

  for (guint at = 0; (entry = sym_proto_next (draft->graph, ONNX_GRAPH_NODE, &at)) != NULL; i++)
    if (i >= entries->len || g_array_index (entries, SymProtoEntry, i).message != entry->message)
      return FALSE;
  return i == entries->len;
}

/* Whether each call, and each Constant, comes before what uses it. */
static gboolean
is_sorted (const SymOnnxDraft *draft)
{
  guint n_calls = sym_model_get_n_calls (draft->model);
  guint n_values = sym_model_get_n_values (draft->model);
  g_autofree guint8 *done = g_new0 (guint8, n_calls + 1);
  g_autofree guint8 *seen = g_new0 (guint8, n_values + 1);

  for (guint i = 0; i < sym_model_get_n_entries (draft->model); i++)
    {
      SymEntry entry = sym_model_get_entry (draft->model, i);
      SymIds operands;

      if (!entry.is_call)
        {
          seen[entry.id] = TRUE;
          continue;
        }
      operands = sym_model_get_operands (draft->model, entry.id);
      for (guint k = 0; k < operands.n; k++)
        {
          SymId value = operands.ids[k];
          SymId producer =
              value == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (draft->model, value);

          if (producer != SYM_NO_ID
                  ? !done[producer]
                  : value != SYM_NO_ID && !seen[value] && is_constant_node (draft, value))
            return FALSE;
        }
      done[entry.id] = TRUE;
    }
  return TRUE;
}

/* A file that is as it was keeps its order, even one that ONNX's checker minds. */
static gboolean
write_nodes (SymOnnxDraft *draft, SymProtoMessage *graph, GError **error)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));

  if (!list_in_file_order (draft, entries, error))
    return FALSE;
  if (!has_old_nodes (draft, entries) && !is_sorted (draft))
    {
      g_array_set_size (entries, 0);
      if (!list_in_order_of_execution (draft, entries, error))
        return FALSE;
    }
  sym_proto_replace (graph, ONNX_GRAPH_NODE, entries);
  return TRUE;
}

/* ---- The graph ---- */

static void
add_info (SymOnnxDraft *draft, const SymProtoMessage *info, SymId value)
{
  if (info != NULL)
    g_hash_table_insert (draft->infos, (gpointer) info, GUINT_TO_POINTER (value + 1));
}

static void
list_infos (SymOnnxDraft *draft)
{
  SymIds inputs = sym_model_get_inputs (draft->model);

  for (SymId value = 0; value < sym_model_get_n_values (draft->model); value++)
    {
      const SymOnnxPlace *place = sym_model_has_value (draft->model, value)
                                      ? sym_onnx_draft_find_place (draft, value)
                                      : NULL;

      if (place == NULL)
        continue;
      add_info (draft, place->input, value);
      add_info (draft, place->value_info, value);
      add_info (draft, place->output, value);
    }
  for (guint i = 0; i < inputs.n; i++)
    g_hash_table_add (draft->inputs, GUINT_TO_POINTER (inputs.ids[i] + 1));
}

static SymProtoMessage *
start_graph (SymOnnxDraft *draft)
{
  const char *name = sym_model_get_name (draft->model);
  SymProtoMessage *graph;

  if (draft->graph != NULL)
    return sym_proto_copy (draft->writer->document, draft->graph);
  graph = sym_proto_add (draft->writer->document, &sym_onnx_graph_type);
  sym_proto_append_string (graph, ONNX_GRAPH_NAME, name == NULL || *name == '\0' ? "graph" : name);
  return graph;
}

const SymProtoMessage *
sym_onnx_make_graph (SymOnnxWriter *writer,
                     SymModel *model,
                     gboolean is_main,
                     guint n_formal,
                     const char *const *names,
                     GError **error)
{
  const SymOnnxOrigin *origin = sym_onnx_get_origin (model);
  g_autofree const char **own = g_new0 (const char *, sym_model_get_n_values (model) + 1);
  g_autoptr (SymNameSet) used = sym_name_set_new ();
  g_autoptr (GHashTable) inputs = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) infos = g_hash_table_new (NULL, NULL);
  SymOnnxDraft draft = { .writer = writer,
                         .model = model,
                         .names = own,
                         .used = used,
                         .inputs = inputs,
                         .infos = infos,
                         .is_main = is_main };
  SymProtoMessage *graph;

  if (origin != NULL && origin->file == writer->file && origin->graph->type == &sym_onnx_graph_type)
    draft.graph = origin->graph;
  if (!name_values (&draft, n_formal, names, error))
    return NULL;
  list_infos (&draft);
  graph = start_graph (&draft);
  if (!write_nodes (&draft, graph, error))
    return NULL;
  sym_onnx_write_values (&draft, graph, n_formal);
  return graph;
}
