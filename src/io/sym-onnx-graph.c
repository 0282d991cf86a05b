/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-graph-private.h"

#include "ops/sym-op.h"

static void
unref_weight (gpointer data)
{
  if (data != NULL)
    sym_tensor_unref (data);
}

static void
clear_graph (SymOnnxGraph *self)
{
  GHashTableIter iter;
  gpointer tensor;

  g_hash_table_iter_init (&iter, self->weights);
  while (g_hash_table_iter_next (&iter, NULL, &tensor))
    unref_weight (tensor);
  g_hash_table_unref (self->weights);
  g_hash_table_unref (self->first);
  g_hash_table_unref (self->current);
  g_hash_table_unref (self->outputs);
  g_hash_table_unref (self->attributes);
  g_array_unref (self->nodes);
  g_ptr_array_unref (self->taken);
  sym_problems_unref (self->problems);
  g_clear_pointer (&self->builder, sym_model_builder_free);
}

static gboolean
is_function (const SymOnnxGraph *self)
{
  return self->graph->type == &sym_onnx_function_type;
}

/* The name at @entry of the graph's list of outputs. */
static const char *
get_output_name (const SymOnnxGraph *self, const SymProtoEntry *entry)
{
  const char *name = is_function (self) ? sym_proto_entry_get_text (self->graph, entry)
                                        : sym_proto_get_text (entry->message, ONNX_VALUE_NAME);

  return name == NULL ? "" : name;
}

static void
list_outputs (SymOnnxGraph *self)
{
  guint field = is_function (self) ? ONNX_FUNCTION_OUTPUT : ONNX_GRAPH_OUTPUT;
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (self->graph, field, &at)) != NULL;)
    g_hash_table_add (self->outputs, (gpointer) get_output_name (self, entry));
}

static void
free_origin (gpointer data)
{
  SymOnnxOrigin *self = data;

  sym_onnx_file_unref (self->file);
  g_free (self);
}

/* Before IR version 4 weights are inputs as well. */
static gboolean
is_named_input (gconstpointer data, const SymModel *model, SymId value)
{
  const SymOnnxFile *file = ((const SymOnnxOrigin *) data)->file;
  const SymOnnxPlace *place =
      sym_onnx_file_find_place (file, sym_model_get_value_attributes (model, value));

  return sym_proto_get_int (file->model, ONNX_MODEL_IR_VERSION, 4) < 4 && place != NULL &&
         place->initializer != NULL && place->input != NULL;
}

static void
init_graph (SymOnnxGraph *self, const char *name, GPtrArray *captured)
{
  SymOnnxOrigin *origin = g_new0 (SymOnnxOrigin, 1);

  self->builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  self->problems = sym_problems_ref (sym_model_builder_get_problems (self->builder));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (SymOnnxNode));
  self->taken = g_ptr_array_new ();
  self->first = g_hash_table_new (g_str_hash, g_str_equal);
  self->current = g_hash_table_new (g_str_hash, g_str_equal);
  self->outputs = g_hash_table_new (g_str_hash, g_str_equal);
  self->attributes = g_hash_table_new (NULL, NULL);
  self->weights = g_hash_table_new (NULL, NULL);
  self->captured = captured;
  origin->file = sym_onnx_file_ref (self->reader->file);
  origin->graph = self->graph;
  sym_model_builder_set_origin (self->builder, sym_onnx_form_get_format (self->reader->file->form),
                                origin, free_origin);
  sym_model_builder_set_named_inputs (self->builder, is_named_input);
  sym_model_builder_set_name (self->builder, name);
  list_outputs (self);
}

/* ---- Nodes ---- */

/* Outputs at the end that have no name are left out; those before others hold their places. */
static guint
count_results (const SymProtoMessage *node)
{
  const SymProtoEntry *entry;
  guint n = 0, i = 0;

  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_OUTPUT, &at)) != NULL;)
    {
      i++;
      if (entry->size > 0)
        n = i;
    }
  return n;
}

static void
name_results (SymOnnxGraph *self, const SymOnnxNode *node)
{
  guint n = count_results (node->message);
  const SymProtoEntry *entry;
  guint i = 0;

  for (guint at = 0;
       i < n && (entry = sym_proto_next (node->message, ONNX_NODE_OUTPUT, &at)) != NULL; i++)
    {
      const char *name = sym_proto_entry_get_text (node->message, entry);
      SymId value = sym_model_builder_get_result (self->builder, node->call, i);

      sym_model_builder_set_value_name (self->builder, value, name == NULL ? "" : name);
      if (name != NULL && *name != '\0')
        sym_onnx_graph_define (self, name, value);
      else
        sym_model_builder_set_role (self->builder, value, SYM_ROLE_ABSENT);
    }
}

/* Of the call: what people wrote about it, and where it came from. */
static SymAttributes *
make_call_attributes (const SymProtoMessage *node)
{
  SymAttributes *attributes = sym_attributes_new ();
  const char *text = sym_proto_get_text (node, ONNX_NODE_DOC_STRING);
  const SymProtoEntry *entry;

  if (text != NULL && *text != '\0')
    sym_attributes_set (attributes, "doc_string", sym_value_new_string (text), NULL);
  text = sym_proto_get_text (node, ONNX_NODE_OVERLOAD);
  if (text != NULL && *text != '\0')
    sym_attributes_set (attributes, "overload", sym_value_new_string (text), NULL);
  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_METADATA_PROPS, &at)) != NULL;)
    {
      const char *key = sym_proto_get_text (entry->message, ONNX_ENTRY_KEY);
      const char *value = sym_proto_get_text (entry->message, ONNX_ENTRY_VALUE);

      if (key != NULL && *key != '\0')
        sym_attributes_set (attributes, key, sym_value_new_string (value == NULL ? "" : value),
                            NULL);
    }
  return attributes;
}

static gboolean
count_bodies (SymOnnxGraph *self, const SymLayer *layer, GError **error)
{
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const guint64 *n =
          g_hash_table_lookup (self->reader->n_calls, sym_layer_get_body (layer, i, NULL));

      self->n_calls += n == NULL ? 0 : *n;
    }
  if (++self->n_calls <= SYM_ONNX_MAX_CALLS)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
               "more than %d calls run when the model runs once, those of functions counted each "
               "time",
               SYM_ONNX_MAX_CALLS);
  return FALSE;
}

static gboolean
add_call (SymOnnxGraph *self, SymOnnxNode *node, guint id, GError **error)
{
  const char *name = sym_proto_get_text (node->message, ONNX_NODE_NAME);
  guint n_operands = sym_proto_count (node->message, ONNX_NODE_INPUT);
  SymAttributes *attributes = make_call_attributes (node->message);
  SymOnnxPlace *place = sym_onnx_file_add_place (self->reader->file, attributes);
  g_autoptr (SymLayer) layer = NULL;
  g_autofree SymId *operands = g_new (SymId, n_operands + 1);

  place->node = node->message;
  node->captured = self->taken->len;
  layer = sym_onnx_make_layer (self->reader, node->message, self->context, self->problems, id,
                               self->taken, place, error);
  if (layer == NULL || !count_bodies (self, layer, error))
    {
      sym_attributes_unref (attributes);
      return FALSE;
    }
  node->n_captured = self->taken->len - node->captured;
  for (guint i = 0; i < n_operands; i++)
    operands[i] = SYM_NO_ID;
  node->call = sym_model_builder_add_call (self->builder, name == NULL ? "" : name, layer, operands,
                                           n_operands, count_results (node->message));
  sym_model_builder_set_call_attributes (self->builder, node->call, attributes);
  sym_model_builder_set_call_line (self->builder, node->call, node->message->line);
  name_results (self, node);
  return TRUE;
}

static gboolean
add_nodes (SymOnnxGraph *self, GError **error)
{
  guint field = is_function (self) ? ONNX_FUNCTION_NODE : ONNX_GRAPH_NODE;
  const SymProtoEntry *entry;
  guint n = 0;

  for (guint at = 0; (entry = sym_proto_next (self->graph, field, &at)) != NULL;)
    {
      SymOnnxNode node = { entry->message, SYM_NO_ID, SYM_NO_ID, 0, 0 };

      if (entry->held != SYM_PROTO_CHILD)
        continue;
      if (!sym_onnx_graph_add_constant (self, &node))
        {
          if (!add_call (self, &node, n++, error))
            return FALSE;
          sym_onnx_graph_declare_constant (self, &node);
        }
      g_array_append_val (self->nodes, node);
      if ((self->nodes->len & 0xff) == 0 &&
          g_cancellable_set_error_if_cancelled (self->reader->source->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Connecting ---- */

static void
make_current (SymOnnxGraph *self, const char *name, SymId value)
{
  g_hash_table_insert (self->current, (gpointer) name, GUINT_TO_POINTER (value + 1));
}

/* A name that nothing in the graph has: of a graph around it, or of nothing at all. */
static SymId
add_outer (SymOnnxGraph *self, const char *name, SymId call)
{
  SymId value;

  if (self->captured == NULL)
    {
      value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INTERMEDIATE, NULL);
      sym_problems_add (self->problems, SYM_SEVERITY_ERROR, 0, value, call,
                        "nothing makes '%s', which is used", name);
    }
  else
    {
      value = sym_model_builder_add_value (self->builder, name, SYM_ROLE_INPUT, NULL);
      sym_model_builder_add_input (self->builder, value);
      g_ptr_array_add (self->captured, (gpointer) name);
    }
  g_hash_table_insert (self->first, (gpointer) name, GUINT_TO_POINTER (value + 1));
  make_current (self, name, value);
  return value;
}

static SymId
find_value (SymOnnxGraph *self, const char *name, SymId call)
{
  gpointer id = g_hash_table_lookup (self->current, name);

  if (id == NULL)
    {
      id = g_hash_table_lookup (self->first, name);
      self->n_forward += id != NULL;
    }
  return id != NULL ? GPOINTER_TO_UINT (id) - 1 : add_outer (self, name, call);
}

/* Factors of sizes are no weights, though they are floats. */
static gboolean
is_setting (const SymOperator *op, guint slot)
{
  return slot > 0 && (g_str_equal (op->name, "Resize") || g_str_equal (op->name, "Upsample"));
}

/* A slot of auxiliary states makes a weight one, and a slot of settings a constant. */
static void
settle_role (SymOnnxGraph *self, const SymOperator *op, guint slot, SymId value)
{
  const SymSlotSpec *spec = op == NULL ? NULL : sym_op_get_slot (op, slot);

  if (spec == NULL || sym_model_builder_get_role (self->builder, value) != SYM_ROLE_PARAMETER)
    return;
  if (spec->kind == SYM_SLOT_AUXILIARY)
    sym_model_builder_set_role (self->builder, value, SYM_ROLE_AUXILIARY);
  else if (is_setting (op, slot))
    sym_model_builder_set_role (self->builder, value, SYM_ROLE_CONSTANT);
}

static const SymOperator *
find_operator (SymOnnxGraph *self, const SymOnnxNode *node)
{
  const char *domain =
      sym_onnx_normalize_domain (sym_proto_get_text (node->message, ONNX_NODE_DOMAIN));
  const char *type = sym_proto_get_text (node->message, ONNX_NODE_OP_TYPE);

  return type == NULL ? NULL : sym_op_find (domain, type, 0);
}

static void
connect_node (SymOnnxGraph *self, const SymOnnxNode *node)
{
  const SymOperator *op = find_operator (self, node);
  const SymProtoEntry *entry;
  guint slot = 0;

  for (guint at = 0; (entry = sym_proto_next (node->message, ONNX_NODE_INPUT, &at)) != NULL; slot++)
    {
      const char *name = sym_proto_entry_get_text (node->message, entry);
      SymId value;

      if (name == NULL || *name == '\0')
        continue;
      value = find_value (self, name, node->call);
      sym_model_builder_set_operand (self->builder, node->call, slot, value);
      settle_role (self, op, slot, value);
    }
  for (guint i = 0; i < node->n_captured; i++)
    sym_model_builder_append_operand (
        self->builder, node->call,
        find_value (self, g_ptr_array_index (self->taken, node->captured + i), node->call));
}

/* A name that is given twice means what was called so last. */
static void
make_results_current (SymOnnxGraph *self, const SymOnnxNode *node)
{
  guint n = count_results (node->message);
  const SymProtoEntry *entry;
  guint i = 0;

  for (guint at = 0;
       i < n && (entry = sym_proto_next (node->message, ONNX_NODE_OUTPUT, &at)) != NULL; i++)
    if (entry->size > 0)
      make_current (self, sym_proto_entry_get_text (node->message, entry),
                    node->call == SYM_NO_ID
                        ? node->constant
                        : sym_model_builder_get_result (self->builder, node->call, i));
}

static void
connect_nodes (SymOnnxGraph *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const SymOnnxNode *node = &g_array_index (self->nodes, SymOnnxNode, i);

      if (node->call != SYM_NO_ID)
        connect_node (self, node);
      make_results_current (self, node);
    }
}

static void
connect_outputs (SymOnnxGraph *self)
{
  guint field = is_function (self) ? ONNX_FUNCTION_OUTPUT : ONNX_GRAPH_OUTPUT;
  const SymProtoEntry *entry;
  guint n = 0;

  for (guint at = 0; (entry = sym_proto_next (self->graph, field, &at)) != NULL; n++)
    {
      const char *name = get_output_name (self, entry);

      if (*name != '\0')
        sym_model_builder_add_output (self->builder, find_value (self, name, SYM_NO_ID));
      else
        sym_problems_add (self->problems, SYM_SEVERITY_ERROR, 0, SYM_NO_ID, SYM_NO_ID,
                          "output %u of the graph has no name, by which it could be found", n + 1);
    }
}

/* ---- The whole ---- */

static void
copy_entry (gpointer key, gpointer value, gpointer table)
{
  g_hash_table_insert (table, key, value);
}

static void
check_order (SymOnnxGraph *self, const SymModel *model)
{
  if (sym_model_has_cycle (model))
    sym_problems_add (self->problems, SYM_SEVERITY_ERROR, 0, SYM_NO_ID, SYM_NO_ID,
                      "the graph has a cycle: some nodes need what follows from them");
  else if (self->n_forward > 0)
    sym_problems_add (self->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u inputs of nodes are made by nodes that come later in the file; ONNX asks "
                      "for an order of execution",
                      self->n_forward);
}

static SymModel *
end_graph (SymOnnxGraph *self)
{
  guint64 *n_calls = g_memdup2 (&self->n_calls, sizeof self->n_calls);
  SymModel *model;

  sym_onnx_graph_assign_weights (self);
  model = sym_model_builder_end (g_steal_pointer (&self->builder));
  check_order (self, model);
  g_hash_table_insert (self->reader->n_calls, model, n_calls);
  return model;
}

static SymModel *
build (SymOnnxGraph *self, const char *name, GPtrArray *captured, GError **error)
{
  init_graph (self, name, captured);
  if (!self->context->is_body)
    sym_problems_append (self->problems, self->reader->source->problems);
  sym_onnx_graph_add_values (self);
  g_hash_table_foreach (self->first, copy_entry, self->current);
  if (!add_nodes (self, error))
    return NULL;
  connect_nodes (self);
  connect_outputs (self);
  sym_onnx_graph_declare_values (self);
  return end_graph (self);
}

SymModel *
sym_onnx_build_graph (SymOnnxReader *reader,
                      const SymProtoMessage *graph,
                      const char *name,
                      const SymOnnxContext *context,
                      GPtrArray *captured,
                      GError **error)
{
  SymOnnxGraph draft = { .reader = reader, .graph = graph, .context = context };
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  SymModel *model;

  if (reader->depth == SYM_ONNX_MAX_BODIES)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "graphs within nodes, and functions, are nested deeper than %d",
                   SYM_ONNX_MAX_BODIES);
      return NULL;
    }
  reader->depth++;
  model = build (&draft, name, captured == NULL ? NULL : own, error);
  clear_graph (&draft);
  reader->depth--;
  for (guint i = 0; captured != NULL && i < own->len; i++)
    g_ptr_array_add (captured, g_ptr_array_index (own, i));
  return model;
}
