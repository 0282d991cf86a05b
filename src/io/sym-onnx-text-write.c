/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

#include <string.h>

#define INDENT 3

static void
start_line (SymOnnxPrinter *self)
{
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->indent; i++)
    g_string_append_c (self->out, ' ');
}

/* Entries of fields that the text has no place for. */
static void
count_left_out (SymOnnxPrinter *self, const SymProtoMessage *message, const guint *fields)
{
  for (guint i = 0; i < message->n; i++)
    {
      gboolean is_known = FALSE;

      for (guint k = 0; fields[k] != 0; k++)
        is_known = is_known ||
                   (fields[k] == message->entries[i].number && !message->entries[i].is_unknown);
      self->n_left_out += !is_known;
    }
}

static void
print_names (SymOnnxPrinter *self, const SymProtoMessage *message, guint number)
{
  const SymProtoEntry *entry;
  const char *separator = "";

  for (guint at = 0; (entry = sym_proto_next (message, number, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      sym_onnx_text_print_name (self, sym_proto_entry_get_text (message, entry));
      separator = ", ";
    }
}

/* ---- Nodes ---- */

/* Operators and domains have no quotes. */
static gboolean
check_words (const char *text, gboolean has_dots)
{
  gboolean is_start = TRUE;

  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '.' && has_dots && !is_start)
        {
          is_start = TRUE;
          continue;
        }
      if (!g_ascii_isalpha (*at) && *at != '_' && (is_start || !g_ascii_isdigit (*at)))
        return FALSE;
      is_start = FALSE;
    }
  return !is_start;
}

static gboolean
print_operator (SymOnnxPrinter *self, const SymProtoMessage *node, GError **error)
{
  const char *type = sym_proto_get_text (node, ONNX_NODE_OP_TYPE);
  const char *domain = sym_proto_get_text (node, ONNX_NODE_DOMAIN);
  const char *overload = sym_proto_get_text (node, ONNX_NODE_OVERLOAD);
  gboolean has_domain = domain != NULL && *domain != '\0';

  if (type == NULL || !check_words (type, FALSE) || (has_domain && !check_words (domain, TRUE)))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                   "the operator “%s” of domain “%s” cannot be written as text, which has letters, "
                   "digits and underscores for it",
                   type == NULL ? "" : type, has_domain ? domain : "");
      return FALSE;
    }
  if (has_domain)
    g_string_append_printf (self->out, "%s.", domain);
  g_string_append (self->out, type);
  if (overload != NULL && *overload != '\0')
    {
      g_string_append_c (self->out, ':');
      sym_onnx_text_print_name (self, overload);
    }
  return TRUE;
}

static gboolean
print_attributes (SymOnnxPrinter *self, const SymProtoMessage *node, GError **error)
{
  const SymProtoEntry *entry;
  const char *separator = " <";

  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_ATTRIBUTE, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      if (!sym_onnx_text_print_attribute (self, entry->message, error))
        return FALSE;
      separator = ", ";
    }
  if (*separator != ' ' || separator[1] != '<')
    g_string_append_c (self->out, '>');
  return TRUE;
}

static gboolean
print_node (SymOnnxPrinter *self, const SymProtoMessage *node, GError **error)
{
  static const guint known[] = { ONNX_NODE_INPUT,     ONNX_NODE_OUTPUT,
                                 ONNX_NODE_NAME,      ONNX_NODE_OP_TYPE,
                                 ONNX_NODE_ATTRIBUTE, ONNX_NODE_DOMAIN,
                                 ONNX_NODE_OVERLOAD,  0 };
  const char *name = sym_proto_get_text (node, ONNX_NODE_NAME);

  count_left_out (self, node, known);
  start_line (self);
  if (name != NULL && *name != '\0')
    {
      g_string_append_c (self->out, '[');
      sym_onnx_text_print_name (self, name);
      g_string_append (self->out, "] ");
    }
  print_names (self, node, ONNX_NODE_OUTPUT);
  g_string_append (self->out, " = ");
  if (!print_operator (self, node, error))
    return FALSE;
  g_string_append (self->out, " (");
  print_names (self, node, ONNX_NODE_INPUT);
  g_string_append_c (self->out, ')');
  return print_attributes (self, node, error);
}

static gboolean
print_nodes (SymOnnxPrinter *self, const SymProtoMessage *owner, guint number, GError **error)
{
  const SymProtoEntry *entry;

  g_string_append_c (self->out, '{');
  self->indent += INDENT;
  for (guint at = 0; (entry = sym_proto_next (owner, number, &at)) != NULL;)
    if (!print_node (self, entry->message, error))
      return FALSE;
  self->indent -= INDENT;
  start_line (self);
  g_string_append_c (self->out, '}');
  return TRUE;
}

/* ---- Graphs ---- */

static void
print_info (SymOnnxPrinter *self, const SymProtoMessage *info)
{
  static const guint known[] = { ONNX_VALUE_NAME, ONNX_VALUE_TYPE, 0 };
  gsize before = self->out->len;

  count_left_out (self, info, known);
  sym_onnx_text_print_type (self, sym_proto_get_message (info, ONNX_VALUE_TYPE));
  if (self->out->len > before)
    g_string_append_c (self->out, ' ');
  sym_onnx_text_print_name (self, sym_proto_get_text (info, ONNX_VALUE_NAME));
}

static void
print_infos (SymOnnxPrinter *self, const SymProtoMessage *graph, guint number)
{
  const SymProtoEntry *entry;
  const char *separator = "(";

  for (guint at = 0; (entry = sym_proto_next (graph, number, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      print_info (self, entry->message);
      separator = ", ";
    }
  g_string_append (self->out, *separator == '(' ? "()" : ")");
}

static gboolean
print_values (SymOnnxPrinter *self, const SymProtoMessage *graph, GError **error)
{
  const SymProtoEntry *entry;
  const char *separator = "<";

  self->indent += INDENT;
  for (guint at = 0; (entry = sym_proto_next (graph, ONNX_GRAPH_INITIALIZER, &at)) != NULL;)
    {
      start_line (self);
      g_string_append (self->out, separator);
      if (!sym_onnx_text_print_tensor (self, entry->message, TRUE, error))
        return FALSE;
      separator = ", ";
    }
  for (guint at = 0; (entry = sym_proto_next (graph, ONNX_GRAPH_VALUE_INFO, &at)) != NULL;)
    {
      start_line (self);
      g_string_append (self->out, separator);
      print_info (self, entry->message);
      separator = ", ";
    }
  self->indent -= INDENT;
  if (*separator != '<')
    g_string_append_c (self->out, '>');
  return TRUE;
}

gboolean
sym_onnx_text_print_graph (SymOnnxPrinter *self, const SymProtoMessage *graph, GError **error)
{
  static const guint known[] = {
    ONNX_GRAPH_NODE,   ONNX_GRAPH_NAME,       ONNX_GRAPH_INITIALIZER,        ONNX_GRAPH_INPUT,
    ONNX_GRAPH_OUTPUT, ONNX_GRAPH_VALUE_INFO, ONNX_GRAPH_SPARSE_INITIALIZER, 0
  };

  if (sym_proto_count (graph, ONNX_GRAPH_SPARSE_INITIALIZER) > 0)
    {
      g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                           "the graph has sparse tensors, for which ONNX's text has no words");
      return FALSE;
    }
  count_left_out (self, graph, known);
  sym_onnx_text_print_name (self, sym_proto_get_text (graph, ONNX_GRAPH_NAME));
  g_string_append_c (self->out, ' ');
  print_infos (self, graph, ONNX_GRAPH_INPUT);
  g_string_append (self->out, " => ");
  print_infos (self, graph, ONNX_GRAPH_OUTPUT);
  if (!print_values (self, graph, error))
    return FALSE;
  start_line (self);
  return print_nodes (self, graph, ONNX_GRAPH_NODE, error);
}

/* ---- Heads ---- */

static void
print_opsets (SymOnnxPrinter *self, const SymProtoMessage *owner, guint number)
{
  const SymProtoEntry *entry;
  const char *separator = "";

  g_string_append_c (self->out, '[');
  for (guint at = 0; (entry = sym_proto_next (owner, number, &at)) != NULL;)
    {
      const char *domain = sym_proto_get_text (entry->message, ONNX_OPSET_DOMAIN);

      g_string_append (self->out, separator);
      sym_onnx_text_print_string (self, domain == NULL ? "" : domain,
                                  domain == NULL ? 0 : strlen (domain));
      g_string_append_printf (self->out, " : %" G_GINT64_FORMAT,
                              sym_proto_get_int (entry->message, ONNX_OPSET_VERSION, 0));
      separator = ", ";
    }
  g_string_append_c (self->out, ']');
}

/* @fields end with 0. */
static void
print_head (SymOnnxPrinter *self, const SymProtoMessage *owner, const guint *fields)
{
  const char *separator = "<";

  self->indent += INDENT;
  for (; *fields != 0; fields++)
    {
      const SymProtoField *field = sym_proto_type_find (owner->type, *fields);
      const SymProtoEntry *entry = sym_proto_find (owner, *fields);

      if (entry == NULL)
        continue;
      g_string_append (self->out, separator);
      separator = ",";
      start_line (self);
      g_string_append_printf (self->out, "%s: ", field->name);
      if (field->type == &sym_onnx_opset_type)
        print_opsets (self, owner, *fields);
      else if (field->type == &sym_onnx_entry_type)
        sym_onnx_text_print_pairs (self, owner, *fields);
      else if (field->kind == SYM_PROTO_INT64)
        g_string_append_printf (self->out, "%" G_GINT64_FORMAT,
                                sym_proto_get_int (owner, *fields, 0));
      else
        sym_onnx_text_print_string (self, entry->held == SYM_PROTO_TEXT ? entry->bytes : "",
                                    entry->held == SYM_PROTO_TEXT ? (gsize) entry->size : 0);
    }
  self->indent -= INDENT;
  if (*separator != '<')
    {
      start_line (self);
      g_string_append (self->out, ">\n");
    }
}

/* ---- Functions ---- */

static gboolean
print_parameters (SymOnnxPrinter *self, const SymProtoMessage *function, GError **error)
{
  const SymProtoEntry *entry;
  const char *separator = " <";

  for (guint at = 0; (entry = sym_proto_next (function, ONNX_FUNCTION_ATTRIBUTE, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      sym_onnx_text_print_name (self, sym_proto_entry_get_text (function, entry));
      separator = ", ";
    }
  for (guint at = 0;
       (entry = sym_proto_next (function, ONNX_FUNCTION_ATTRIBUTE_PROTO, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      if (!sym_onnx_text_print_attribute (self, entry->message, error))
        return FALSE;
      separator = ", ";
    }
  if (separator[0] == ',')
    g_string_append_c (self->out, '>');
  return TRUE;
}

static void
print_function_infos (SymOnnxPrinter *self, const SymProtoMessage *function)
{
  const SymProtoEntry *entry;
  const char *separator = " <";

  for (guint at = 0; (entry = sym_proto_next (function, ONNX_FUNCTION_VALUE_INFO, &at)) != NULL;)
    {
      g_string_append (self->out, separator);
      print_info (self, entry->message);
      separator = ", ";
    }
  if (separator[0] == ',')
    g_string_append_c (self->out, '>');
}

static gboolean
print_function (SymOnnxPrinter *self, const SymProtoMessage *function, GError **error)
{
  static const guint head[] = { ONNX_FUNCTION_DOMAIN, ONNX_FUNCTION_OVERLOAD,
                                ONNX_FUNCTION_OPSET_IMPORT, ONNX_FUNCTION_DOC_STRING, 0 };

  self->n_left_out += sym_proto_count (function, ONNX_FUNCTION_METADATA_PROPS);
  g_string_append_c (self->out, '\n');
  print_head (self, function, head);
  sym_onnx_text_print_name (self, sym_proto_get_text (function, ONNX_FUNCTION_NAME));
  if (!print_parameters (self, function, error))
    return FALSE;
  g_string_append (self->out, " (");
  print_names (self, function, ONNX_FUNCTION_INPUT);
  g_string_append (self->out, ") => (");
  print_names (self, function, ONNX_FUNCTION_OUTPUT);
  g_string_append_c (self->out, ')');
  print_function_infos (self, function);
  start_line (self);
  return print_nodes (self, function, ONNX_FUNCTION_NODE, error);
}

/* ---- The model ---- */

gboolean
sym_onnx_text_print_model (SymOnnxPrinter *self, const SymProtoMessage *model, GError **error)
{
  static const guint head[] = {
    ONNX_MODEL_IR_VERSION,       ONNX_MODEL_OPSET_IMPORT,   ONNX_MODEL_PRODUCER_NAME,
    ONNX_MODEL_PRODUCER_VERSION, ONNX_MODEL_DOMAIN,         ONNX_MODEL_MODEL_VERSION,
    ONNX_MODEL_DOC_STRING,       ONNX_MODEL_METADATA_PROPS, 0
  };
  static const guint known[] = { ONNX_MODEL_IR_VERSION,
                                 ONNX_MODEL_OPSET_IMPORT,
                                 ONNX_MODEL_PRODUCER_NAME,
                                 ONNX_MODEL_PRODUCER_VERSION,
                                 ONNX_MODEL_DOMAIN,
                                 ONNX_MODEL_MODEL_VERSION,
                                 ONNX_MODEL_DOC_STRING,
                                 ONNX_MODEL_METADATA_PROPS,
                                 ONNX_MODEL_GRAPH,
                                 ONNX_MODEL_FUNCTIONS,
                                 0 };
  const SymProtoEntry *entry;

  count_left_out (self, model, known);
  print_head (self, model, head);
  if (!sym_onnx_text_print_graph (self, sym_proto_get_message (model, ONNX_MODEL_GRAPH), error))
    return FALSE;
  g_string_append_c (self->out, '\n');
  for (guint at = 0; (entry = sym_proto_next (model, ONNX_MODEL_FUNCTIONS, &at)) != NULL;)
    {
      if (!print_function (self, entry->message, error))
        return FALSE;
      g_string_append_c (self->out, '\n');
    }
  return TRUE;
}
