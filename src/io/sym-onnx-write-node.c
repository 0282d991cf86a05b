/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-write-private.h"

#include <string.h>

const SymOnnxPlace *
sym_onnx_draft_find_place (const SymOnnxDraft *draft, SymId value)
{
  return draft->writer->file == NULL
             ? NULL
             : sym_onnx_file_find_place (draft->writer->file,
                                         sym_model_get_value_attributes (draft->model, value));
}

static const SymOnnxPlace *
find_call_place (const SymOnnxDraft *draft, SymId call)
{
  return draft->writer->file == NULL
             ? NULL
             : sym_onnx_file_find_place (draft->writer->file,
                                         sym_model_get_call_attributes (draft->model, call));
}

/* The message to be changed: a copy of @old, made once. */
static SymProtoMessage *
edit (SymOnnxDraft *draft, const SymProtoMessage *old, SymProtoMessage **copy)
{
  if (*copy == NULL)
    *copy = old == NULL ? sym_proto_add (draft->writer->document, &sym_onnx_node_type)
                        : sym_proto_copy (draft->writer->document, old);
  return *copy;
}

/* ---- Operands and results ---- */

static const char *
get_name (const SymOnnxDraft *draft, SymId value)
{
  return value == SYM_NO_ID ? "" : draft->names[value];
}

/* Whether the names of a field are those of @ids; at the end it may have empty ones. */
static gboolean
has_names (const SymOnnxDraft *draft, const SymProtoMessage *old, guint field, SymIds ids)
{
  const SymProtoEntry *entry;
  guint i = 0;

  for (guint at = 0; (entry = sym_proto_next (old, field, &at)) != NULL; i++)
    {
      const char *name = sym_proto_entry_get_text (old, entry);

      if (g_strcmp0 (name == NULL ? "" : name, i < ids.n ? get_name (draft, ids.ids[i]) : "") != 0)
        return FALSE;
    }
  return i >= ids.n;
}

static void
write_names (SymOnnxDraft *draft,
             const SymProtoMessage *old,
             guint field,
             SymIds ids,
             SymProtoMessage **copy)
{
  g_autoptr (GArray) entries = NULL;
  SymProtoMessage *scratch;

  if (old != NULL && has_names (draft, old, field, ids))
    return;
  scratch = sym_proto_add (draft->writer->document, &sym_onnx_node_type);
  while (ids.n > 0 && *get_name (draft, ids.ids[ids.n - 1]) == '\0')
    ids.n--;
  for (guint i = 0; i < ids.n; i++)
    sym_proto_append_string (scratch, field, get_name (draft, ids.ids[i]));
  entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  if (scratch->n > 0)
    g_array_append_vals (entries, scratch->entries, scratch->n);
  sym_proto_replace (edit (draft, old, copy), field, entries);
}

/* ---- Attributes ---- */

static void
append_attribute (GArray *entries, const SymProtoMessage *attribute)
{
  SymProtoEntry entry = { .number = ONNX_NODE_ATTRIBUTE, .held = SYM_PROTO_CHILD, .wire = 2 };

  entry.message = (SymProtoMessage *) attribute;
  g_array_append_val (entries, entry);
}

static gboolean
is_graph_attribute (const SymProtoMessage *attribute)
{
  guint kind = sym_onnx_get_attribute_kind (attribute);

  return kind == ONNX_GRAPH || kind == ONNX_GRAPHS;
}

/* What each value was read of. */
static GHashTable *
index_messages (const SymOnnxPlace *place)
{
  GHashTable *messages = g_hash_table_new (NULL, NULL);

  for (guint i = 0; place != NULL && i < place->n_read; i++)
    g_hash_table_insert (messages, (gpointer) place->read[i].value,
                         (gpointer) place->read[i].message);
  return messages;
}

/* Attributes of the layer, each the message of its file as long as it has the value of that;
 * graphs where they were. */
static gboolean
write_attributes (SymOnnxDraft *draft,
                  SymId call,
                  const SymOnnxPlace *place,
                  SymProtoMessage **copy,
                  GError **error)
{
  const SymAttributes *attributes =
      sym_layer_get_attributes (sym_model_get_layer (draft->model, call));
  const SymProtoMessage *old = place == NULL ? NULL : place->node;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));
  g_autoptr (GHashTable) messages = NULL;
  const SymProtoEntry *entry;

  if (place != NULL && attributes == place->attributes)
    return TRUE;
  messages = index_messages (place);
  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    {
      const SymValue *value = sym_attributes_get_value (attributes, i);
      const SymProtoMessage *attribute = g_hash_table_lookup (messages, value);

      if (attribute == NULL)
        attribute = sym_onnx_make_attribute (draft->writer->document,
                                             sym_attributes_get_name (attributes, i), value, error);
      if (attribute == NULL)
        return FALSE;
      append_attribute (entries, attribute);
    }
  for (guint at = 0; (entry = sym_proto_next (old, ONNX_NODE_ATTRIBUTE, &at)) != NULL;)
    if (is_graph_attribute (entry->message))
      append_attribute (entries, entry->message);
  sym_proto_replace (edit (draft, old, copy), ONNX_NODE_ATTRIBUTE, entries);
  return TRUE;
}

/* ---- Bodies ---- */

/* What the values are called here that body @i takes from outside; the same names as in the body
 * when *@is_same. */
static const char **
list_captured (const SymOnnxDraft *draft, SymId call, guint i, gboolean *is_same)
{
  const SymLayer *layer = sym_model_get_layer (draft->model, call);
  SymIds operands = sym_model_get_operands (draft->model, call);
  SymModel *body = sym_layer_get_body (layer, i, NULL);
  SymIds inputs = sym_model_get_inputs (body);
  guint n = MIN (sym_layer_get_body_captures (layer, i), inputs.n);
  guint first = operands.n - MIN (sym_layer_get_n_captures (layer), operands.n);
  const char **names = g_new0 (const char *, n + 1);

  for (guint k = 0; k < i; k++)
    first += sym_layer_get_body_captures (layer, k);
  *is_same = TRUE;
  for (guint k = 0; k < n; k++)
    {
      names[k] = first + k < operands.n ? get_name (draft, operands.ids[first + k]) : "";
      if (!g_str_equal (names[k], sym_model_get_value_name (body, inputs.ids[inputs.n - n + k])))
        *is_same = FALSE;
    }
  return names;
}

/* The GraphProto of body @i when it is not as in its file; NULL without an error when it is. */
static const SymProtoMessage *
make_body (SymOnnxDraft *draft, SymId call, guint i, gboolean is_new, GError **error)
{
  const SymLayer *layer = sym_model_get_layer (draft->model, call);
  SymModel *body = sym_layer_get_body (layer, i, NULL);
  guint n_captures = sym_layer_get_body_captures (layer, i);
  guint n_inputs = sym_model_get_inputs (body).n;
  gboolean is_same;
  g_autofree const char **names = list_captured (draft, call, i, &is_same);

  if (is_same && !is_new)
    return NULL;
  return sym_onnx_make_graph (draft->writer, body, FALSE, n_inputs - MIN (n_captures, n_inputs),
                              names, error);
}

static SymProtoMessage *
make_graph_attribute (SymOnnxDraft *draft, const char *name, const SymProtoMessage *graph)
{
  SymProtoMessage *attribute = sym_proto_add (draft->writer->document, &sym_onnx_attribute_type);

  sym_proto_append_string (attribute, ONNX_ATTRIBUTE_NAME, name);
  sym_proto_append_message (attribute, ONNX_ATTRIBUTE_G, graph);
  sym_proto_append_int (attribute, ONNX_ATTRIBUTE_TYPE, ONNX_GRAPH);
  return attribute;
}

/* Puts a body in the place of the graph that @name is the attribute of. */
static void
replace_body (SymOnnxDraft *draft,
              SymProtoMessage *node,
              const char *name,
              const SymProtoMessage *graph)
{
  for (guint i = 0; i < node->n; i++)
    {
      const SymProtoMessage *attribute = node->entries[i].message;
      SymProtoMessage *copy;

      if (node->entries[i].number != ONNX_NODE_ATTRIBUTE ||
          g_strcmp0 (sym_proto_get_text (attribute, ONNX_ATTRIBUTE_NAME), name) != 0)
        continue;
      copy = sym_proto_copy (draft->writer->document, attribute);
      sym_proto_remove (copy, ONNX_ATTRIBUTE_G);
      sym_proto_append_message (copy, ONNX_ATTRIBUTE_G, graph);
      node->entries[i].message = copy;
      return;
    }
  sym_proto_append_message (node, ONNX_NODE_ATTRIBUTE, make_graph_attribute (draft, name, graph));
}

static gboolean
write_bodies (SymOnnxDraft *draft,
              SymId call,
              const SymProtoMessage *old,
              SymProtoMessage **copy,
              GError **error)
{
  const SymLayer *layer = sym_model_get_layer (draft->model, call);

  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      g_autoptr (GError) cause = NULL;
      const SymProtoMessage *graph;
      const char *name;

      sym_layer_get_body (layer, i, &name);
      if (sym_layer_get_body_runs (layer, i)) /* a function, which stands apart */
        continue;
      graph = make_body (draft, call, i, old == NULL, &cause);
      if (cause != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return FALSE;
        }
      if (graph != NULL)
        replace_body (draft, edit (draft, old, copy), name, graph);
    }
  return TRUE;
}

/* ---- The node ---- */

static void
write_name (SymOnnxDraft *draft, SymId call, const SymProtoMessage *old, SymProtoMessage **copy)
{
  const char *name = sym_model_get_call_name (draft->model, call);
  const char *was = sym_proto_get_text (old, ONNX_NODE_NAME);
  SymProtoMessage *node;

  if (g_str_equal (name, was == NULL ? "" : was))
    return;
  node = edit (draft, old, copy);
  sym_proto_remove (node, ONNX_NODE_NAME);
  if (*name != '\0')
    {
      SymProtoMessage *scratch = sym_proto_add (draft->writer->document, &sym_onnx_node_type);
      g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (SymProtoEntry));

      sym_proto_append_string (scratch, ONNX_NODE_NAME, name);
      g_array_append_vals (entries, scratch->entries, 1);
      sym_proto_replace (node, ONNX_NODE_NAME, entries);
    }
}

static gboolean
write_operator (SymOnnxDraft *draft, SymId call, SymProtoMessage *node, GError **error)
{
  const SymLayer *layer = sym_model_get_layer (draft->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  const char *name = sym_model_get_call_name (draft->model, call);

  if (op != NULL && (*op->domain == '\0' || g_str_has_prefix (op->domain, "ai.onnx")))
    {
      sym_proto_append_string (node, ONNX_NODE_OP_TYPE, op->name);
      if (*op->domain != '\0')
        sym_proto_append_string (node, ONNX_NODE_DOMAIN, op->domain);
      return TRUE;
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "the layer “%s” of type %s has no counterpart in ONNX that is known here", name,
               sym_layer_get_type (layer));
  return FALSE;
}

const SymProtoMessage *
sym_onnx_make_node (SymOnnxDraft *draft, SymId call, GError **error)
{
  const SymOnnxPlace *place = find_call_place (draft, call);
  const SymProtoMessage *old = place == NULL ? NULL : place->node;
  SymIds operands = sym_model_get_operands (draft->model, call);
  guint n_captures = sym_layer_get_n_captures (sym_model_get_layer (draft->model, call));
  SymProtoMessage *copy = NULL;

  operands.n -= MIN (n_captures, operands.n);
  write_names (draft, old, ONNX_NODE_INPUT, operands, &copy);
  write_names (draft, old, ONNX_NODE_OUTPUT, sym_model_get_results (draft->model, call), &copy);
  write_name (draft, call, old, &copy);
  if (old == NULL && !write_operator (draft, call, edit (draft, old, &copy), error))
    return NULL;
  if (!write_attributes (draft, call, place, &copy, error) ||
      !write_bodies (draft, call, old, &copy, error))
    {
      g_prefix_error (error, "the layer “%s”: ", sym_model_get_call_name (draft->model, call));
      return NULL;
    }
  return copy == NULL ? old : copy;
}

const SymProtoMessage *
sym_onnx_make_constant (SymOnnxDraft *draft, SymId value)
{
  const SymOnnxPlace *place = sym_onnx_draft_find_place (draft, value);
  const SymProtoMessage *old;
  SymProtoMessage *copy = NULL;

  g_assert (place != NULL);

  old = place->node;
  write_names (draft, old, ONNX_NODE_OUTPUT, (SymIds){ &value, 1 }, &copy);
  return copy == NULL ? old : copy;
}
