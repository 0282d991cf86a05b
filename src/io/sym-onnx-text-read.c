/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

static SymProtoMessage *
add (SymOnnxText *self, const SymProtoType *type)
{
  SymProtoMessage *message = sym_proto_add (self->document, type);

  sym_onnx_text_peek (self);
  message->line = sym_onnx_text_get_line (self);
  return message;
}

static gboolean
read_name (SymOnnxText *self, SymProtoMessage *message, guint number, GError **error)
{
  g_autoptr (GString) name = sym_onnx_text_expect_name (self, error);

  if (name != NULL)
    sym_proto_append_bytes (message, number, name->str, name->len);
  return name != NULL;
}

/* Names with commas between them, perhaps none. */
static gboolean
read_names (SymOnnxText *self, SymProtoMessage *message, guint number, GError **error)
{
  if (!sym_onnx_text_is_name_next (self))
    return TRUE;
  do
    if (!sym_onnx_text_is_name_next (self))
      break;
    else if (!read_name (self, message, number, error))
      return FALSE;
  while (sym_onnx_text_take (self, ','));
  return TRUE;
}

static SymProtoMessage *
read_value_info (SymOnnxText *self, GError **error)
{
  SymProtoMessage *info = add (self, &sym_onnx_value_type);
  SymProtoMessage *type = NULL;

  if (sym_onnx_text_is_type_next (self))
    {
      type = sym_onnx_text_read_type (self, error);
      if (type == NULL)
        return NULL;
    }
  if (!read_name (self, info, ONNX_VALUE_NAME, error))
    return NULL;
  if (type != NULL)
    sym_proto_append_message (info, ONNX_VALUE_TYPE, type);
  return info;
}

/* ---- Nodes ---- */

static gboolean
read_attributes (SymOnnxText *self, SymProtoMessage *node, GError **error)
{
  if (!sym_onnx_text_take (self, '<'))
    return TRUE;
  do
    {
      SymProtoMessage *attribute = add (self, &sym_onnx_attribute_type);

      if (!read_name (self, attribute, ONNX_ATTRIBUTE_NAME, error) ||
          !sym_onnx_text_read_attribute (self, attribute, error))
        return FALSE;
      sym_proto_append_message (node, ONNX_NODE_ATTRIBUTE, attribute);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, '>', error);
}

/* domain.of.Operator:overload */
static gboolean
read_operator (SymOnnxText *self, SymProtoMessage *node, GError **error)
{
  g_autoptr (GString) domain = g_string_new (NULL);
  g_autofree char *id = sym_onnx_text_expect_id (self, error);

  while (id != NULL && sym_onnx_text_take (self, '.'))
    {
      g_string_append_printf (domain, "%s%s", domain->len > 0 ? "." : "", id);
      g_free (id);
      id = sym_onnx_text_expect_id (self, error);
    }
  if (id == NULL)
    return FALSE;
  sym_proto_append_string (node, ONNX_NODE_OP_TYPE, id);
  if (domain->len > 0)
    sym_proto_append_string (node, ONNX_NODE_DOMAIN, domain->str);
  return !sym_onnx_text_take (self, ':') || read_name (self, node, ONNX_NODE_OVERLOAD, error);
}

static SymProtoMessage *
read_node (SymOnnxText *self, GError **error)
{
  SymProtoMessage *node = add (self, &sym_onnx_node_type);

  if (sym_onnx_text_take (self, '['))
    if ((sym_onnx_text_peek (self) != ']' && !read_name (self, node, ONNX_NODE_NAME, error)) ||
        !sym_onnx_text_expect (self, ']', error))
      return NULL;
  if (!read_names (self, node, ONNX_NODE_OUTPUT, error) ||
      !sym_onnx_text_expect (self, '=', error) || !read_operator (self, node, error) ||
      !read_attributes (self, node, error) || !sym_onnx_text_expect (self, '(', error) ||
      !read_names (self, node, ONNX_NODE_INPUT, error) || !sym_onnx_text_expect (self, ')', error))
    return NULL;
  if (sym_proto_count (node, ONNX_NODE_ATTRIBUTE) == 0 && !read_attributes (self, node, error))
    return NULL;
  return node;
}

static gboolean
read_nodes (SymOnnxText *self, SymProtoMessage *owner, guint number, GError **error)
{
  if (!sym_onnx_text_expect (self, '{', error))
    return FALSE;
  while (!sym_onnx_text_take (self, '}'))
    {
      SymProtoMessage *node = read_node (self, error);

      if (node == NULL)
        return FALSE;
      sym_proto_append_message (owner, number, node);
    }
  return TRUE;
}

/* ---- Graphs ---- */

/* The numbers behind a value make it an initializer; *@is_one tells. */
static gboolean
read_initializer (SymOnnxText *self,
                  SymProtoMessage *graph,
                  const SymProtoMessage *info,
                  gboolean *is_one,
                  GError **error)
{
  const SymProtoEntry *name = sym_proto_find (info, ONNX_VALUE_NAME);
  SymProtoMessage *tensor;

  *is_one = sym_onnx_text_take (self, '=');
  if (!*is_one)
    return TRUE;
  tensor = add (self, &sym_onnx_tensor_type);
  if (!sym_onnx_text_read_tensor (self, sym_proto_get_message (info, ONNX_VALUE_TYPE), tensor,
                                  error))
    return FALSE;
  sym_proto_append_bytes (tensor, ONNX_TENSOR_NAME, name->bytes, name->size);
  sym_proto_append_message (graph, ONNX_GRAPH_INITIALIZER, tensor);
  return TRUE;
}

/* Values up to @close.  Those with numbers are initializers, and in @number as well if
 * @keep_both. */
static gboolean
read_infos (SymOnnxText *self,
            SymProtoMessage *graph,
            guint number,
            gboolean keep_both,
            char close,
            GError **error)
{
  if (sym_onnx_text_take (self, close))
    return TRUE;
  do
    {
      SymProtoMessage *info = read_value_info (self, error);
      gboolean is_initializer = FALSE;

      if (info == NULL || (graph->type == &sym_onnx_graph_type &&
                           !read_initializer (self, graph, info, &is_initializer, error)))
        return FALSE;
      if (!is_initializer || keep_both)
        sym_proto_append_message (graph, number, info);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, close, error);
}

static gboolean
expect_arrow (SymOnnxText *self, GError **error)
{
  return sym_onnx_text_expect (self, '=', error) && sym_onnx_text_expect (self, '>', error);
}

static gboolean
read_graph_parts (SymOnnxText *self, SymProtoMessage *graph, GError **error)
{
  return read_name (self, graph, ONNX_GRAPH_NAME, error) &&
         sym_onnx_text_expect (self, '(', error) &&
         read_infos (self, graph, ONNX_GRAPH_INPUT, TRUE, ')', error) &&
         expect_arrow (self, error) && sym_onnx_text_expect (self, '(', error) &&
         read_infos (self, graph, ONNX_GRAPH_OUTPUT, TRUE, ')', error) &&
         (!sym_onnx_text_take (self, '<') ||
          read_infos (self, graph, ONNX_GRAPH_VALUE_INFO, FALSE, '>', error)) &&
         read_nodes (self, graph, ONNX_GRAPH_NODE, error);
}

/* Graphs are nested no deeper than SYM_ONNX_TEXT_MAX_DEPTH. */
SymProtoMessage *
sym_onnx_text_read_graph (SymOnnxText *self, GError **error)
{
  SymProtoMessage *graph = add (self, &sym_onnx_graph_type);
  gboolean good;

  if (self->depth == SYM_ONNX_TEXT_MAX_DEPTH)
    {
      sym_onnx_text_fail (self, error, "this is nested deeper than %d", SYM_ONNX_TEXT_MAX_DEPTH);
      return NULL;
    }
  self->depth++;
  good = read_graph_parts (self, graph, error);
  self->depth--;
  return good ? graph : NULL;
}

/* ---- Heads ---- */

static gboolean
read_opsets (SymOnnxText *self, SymProtoMessage *owner, guint number, GError **error)
{
  if (!sym_onnx_text_expect (self, '[', error))
    return FALSE;
  if (sym_onnx_text_take (self, ']'))
    return TRUE;
  do
    {
      SymProtoMessage *opset = add (self, &sym_onnx_opset_type);
      g_autoptr (GString) domain = sym_onnx_text_expect_string (self, error);
      gint64 version;

      if (domain == NULL || !sym_onnx_text_expect (self, ':', error) ||
          !sym_onnx_text_expect_int (self, &version, error))
        return FALSE;
      sym_proto_append_bytes (opset, ONNX_OPSET_DOMAIN, domain->str, domain->len);
      sym_proto_append_int (opset, ONNX_OPSET_VERSION, version);
      sym_proto_append_message (owner, number, opset);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, ']', error);
}

/* The value of a key that is a field of the message. */
static gboolean
read_head_value (SymOnnxText *self,
                 SymProtoMessage *owner,
                 const SymProtoField *field,
                 GError **error)
{
  g_autoptr (GString) string = NULL;
  gint64 number;

  if (field->type == &sym_onnx_opset_type)
    return read_opsets (self, owner, field->number, error);
  if (field->type == &sym_onnx_entry_type)
    return sym_onnx_text_expect (self, '[', error) &&
           sym_onnx_text_read_pairs (self, owner, field->number, ']', error);
  if (field->kind == SYM_PROTO_INT64)
    {
      if (!sym_onnx_text_expect_int (self, &number, error))
        return FALSE;
      sym_proto_append_int (owner, field->number, number);
      return TRUE;
    }
  string = sym_onnx_text_expect_string (self, error);
  if (string != NULL)
    sym_proto_append_bytes (owner, field->number, string->str, string->len);
  return string != NULL;
}

/* Keys of a head: texts, numbers, opsets and pairs. */
static const SymProtoField *
find_head_field (const SymProtoMessage *owner, const char *key)
{
  for (const SymProtoField *field = owner->type->fields; field->number != 0; field++)
    if (g_str_equal (field->name, key))
      {
        gboolean is_list = (field->flags & SYM_PROTO_REPEATED) != 0;

        return field->type == &sym_onnx_opset_type || field->type == &sym_onnx_entry_type ||
                       (field->type == NULL && !is_list)
                   ? field
                   : NULL;
      }
  return NULL;
}

/* <ir_version: 8, opset_import: ["": 17]> */
static gboolean
read_head (SymOnnxText *self, SymProtoMessage *owner, GError **error)
{
  if (!sym_onnx_text_take (self, '<'))
    return TRUE;
  do
    {
      g_autofree char *key = sym_onnx_text_expect_id (self, error);
      const SymProtoField *field = key == NULL ? NULL : find_head_field (owner, key);

      if (key == NULL)
        return FALSE;
      if (field == NULL)
        return sym_onnx_text_fail (self, error, "“%s” is nothing that a %s has", key,
                                   owner->type == &sym_onnx_model_type ? "model" : "function");
      if (!sym_onnx_text_expect (self, ':', error) || !read_head_value (self, owner, field, error))
        return FALSE;
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, '>', error);
}

/* ---- Functions ---- */

/* Names of attributes, and attributes with a default. */
static gboolean
read_parameters (SymOnnxText *self, SymProtoMessage *function, GError **error)
{
  if (!sym_onnx_text_take (self, '<'))
    return TRUE;
  do
    {
      g_autoptr (GString) name = sym_onnx_text_expect_name (self, error);
      SymProtoMessage *attribute;
      char next;

      if (name == NULL)
        return FALSE;
      next = sym_onnx_text_peek (self);
      if (next != ':' && next != '=')
        {
          sym_proto_append_bytes (function, ONNX_FUNCTION_ATTRIBUTE, name->str, name->len);
          continue;
        }
      attribute = add (self, &sym_onnx_attribute_type);
      sym_proto_append_bytes (attribute, ONNX_ATTRIBUTE_NAME, name->str, name->len);
      if (!sym_onnx_text_read_attribute (self, attribute, error))
        return FALSE;
      sym_proto_append_message (function, ONNX_FUNCTION_ATTRIBUTE_PROTO, attribute);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, '>', error);
}

/* Names, perhaps with types, which are declared then. */
static gboolean
read_operands (SymOnnxText *self, SymProtoMessage *function, guint number, GError **error)
{
  if (!sym_onnx_text_expect (self, '(', error))
    return FALSE;
  if (sym_onnx_text_take (self, ')'))
    return TRUE;
  do
    {
      SymProtoMessage *info = read_value_info (self, error);
      const SymProtoEntry *name;

      if (info == NULL)
        return FALSE;
      name = sym_proto_find (info, ONNX_VALUE_NAME);
      sym_proto_append_bytes (function, number, name->bytes, name->size);
      if (sym_proto_get_message (info, ONNX_VALUE_TYPE) != NULL)
        sym_proto_append_message (function, ONNX_FUNCTION_VALUE_INFO, info);
    }
  while (sym_onnx_text_take (self, ','));
  return sym_onnx_text_expect (self, ')', error);
}

static SymProtoMessage *
read_function (SymOnnxText *self, GError **error)
{
  SymProtoMessage *function = add (self, &sym_onnx_function_type);

  if (!read_head (self, function, error) ||
      !read_name (self, function, ONNX_FUNCTION_NAME, error) ||
      !read_parameters (self, function, error) ||
      !read_operands (self, function, ONNX_FUNCTION_INPUT, error) || !expect_arrow (self, error) ||
      !read_operands (self, function, ONNX_FUNCTION_OUTPUT, error) ||
      (sym_onnx_text_take (self, '<') &&
       !read_infos (self, function, ONNX_FUNCTION_VALUE_INFO, TRUE, '>', error)) ||
      !read_nodes (self, function, ONNX_FUNCTION_NODE, error))
    return NULL;
  return function;
}

/* ---- The model ---- */

SymProtoMessage *
sym_onnx_text_read_model (SymOnnxText *self, GError **error)
{
  SymProtoMessage *model = add (self, &sym_onnx_model_type);
  SymProtoMessage *graph;

  if (!read_head (self, model, error))
    return NULL;
  graph = sym_onnx_text_read_graph (self, error);
  if (graph == NULL)
    return NULL;
  sym_proto_append_message (model, ONNX_MODEL_GRAPH, graph);
  while (sym_onnx_text_peek (self) != 0 || self->at < self->end)
    {
      SymProtoMessage *function = read_function (self, error);

      if (function == NULL)
        return NULL;
      sym_proto_append_message (model, ONNX_MODEL_FUNCTIONS, function);
    }
  return model;
}
