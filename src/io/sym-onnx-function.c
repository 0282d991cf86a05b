/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-private.h"

static char *
make_key (const SymProtoMessage *message, guint domain, guint name, guint overload)
{
  const char *texts[] = {
    sym_onnx_normalize_domain (sym_proto_get_text (message, domain)),
    sym_proto_get_text (message, name),
    sym_proto_get_text (message, overload),
  };

  return g_strdup_printf ("%s\n%s\n%s", texts[0], texts[1] == NULL ? "" : texts[1],
                          texts[2] == NULL ? "" : texts[2]);
}

static void
list_functions (SymOnnxReader *reader)
{
  const SymProtoEntry *entry;

  for (guint at = 0;
       (entry = sym_proto_next (reader->file->model, ONNX_MODEL_FUNCTIONS, &at)) != NULL;)
    {
      char *key = make_key (entry->message, ONNX_FUNCTION_DOMAIN, ONNX_FUNCTION_NAME,
                            ONNX_FUNCTION_OVERLOAD);

      if (g_hash_table_contains (reader->functions, key))
        sym_problems_add (reader->problems, SYM_SEVERITY_ERROR, entry->message->line, SYM_NO_ID,
                          SYM_NO_ID, "there are two functions %s",
                          sym_proto_get_text (entry->message, ONNX_FUNCTION_NAME));
      g_hash_table_insert (reader->functions, key, entry->message);
    }
}

const SymProtoMessage *
sym_onnx_find_function (SymOnnxReader *reader, const SymProtoMessage *node)
{
  g_autofree char *key = NULL;

  if (reader->functions == NULL)
    {
      reader->functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      list_functions (reader);
    }
  if (g_hash_table_size (reader->functions) == 0)
    return NULL;
  key = make_key (node, ONNX_NODE_DOMAIN, ONNX_NODE_OP_TYPE, ONNX_NODE_OVERLOAD);
  return g_hash_table_lookup (reader->functions, key);
}

/* ---- Attributes of a call ---- */

static const SymProtoMessage *
find_attribute (const SymProtoMessage *node, const SymOnnxContext *context, const char *name)
{
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (node, ONNX_NODE_ATTRIBUTE, &at)) != NULL;)
    if (g_strcmp0 (sym_proto_get_text (entry->message, ONNX_ATTRIBUTE_NAME), name) == 0)
      return sym_onnx_resolve_attribute (context, entry->message);

  return NULL;
}

static void
bind (GHashTable *bound, const char *name, const SymProtoMessage *attribute)
{
  if (name != NULL && attribute != NULL)
    g_hash_table_insert (bound, (gpointer) name, (gpointer) attribute);
}

/* What the names of the function's attributes stand for in this call: values of the call, else the
 * function's own. */
static GHashTable *
bind_attributes (const SymProtoMessage *function,
                 const SymProtoMessage *node,
                 const SymOnnxContext *context)
{
  GHashTable *bound = g_hash_table_new (g_str_hash, g_str_equal);
  const SymProtoEntry *entry;

  for (guint at = 0; (entry = sym_proto_next (function, ONNX_FUNCTION_ATTRIBUTE, &at)) != NULL;)
    {
      const char *name = sym_proto_entry_get_text (function, entry);

      bind (bound, name, name == NULL ? NULL : find_attribute (node, context, name));
    }
  for (guint at = 0;
       (entry = sym_proto_next (function, ONNX_FUNCTION_ATTRIBUTE_PROTO, &at)) != NULL;)
    {
      const char *name = sym_proto_get_text (entry->message, ONNX_ATTRIBUTE_NAME);
      const SymProtoMessage *given = name == NULL ? NULL : find_attribute (node, context, name);

      bind (bound, name, given == NULL ? entry->message : given);
    }
  return bound;
}

static gboolean
append_hex (gpointer out, const void *bytes, gsize size, GError **error)
{
  for (gsize i = 0; i < size; i++)
    g_string_append_printf (out, "%02x", ((const guint8 *) bytes)[i]);
  return TRUE;
}

/* Small values are the same by content, tensors and graphs by identity. */
static gboolean
append_bound (GString *key, const SymProtoMessage *attribute, GError **error)
{
  for (guint i = 0; i < attribute->n; i++)
    if (attribute->entries[i].held == SYM_PROTO_CHILD)
      {
        g_string_append_printf (key, "%p", (gconstpointer) attribute);
        return TRUE;
      }
  return sym_proto_write (attribute, append_hex, key, error);
}

static char *
make_unfolded_key (const SymProtoMessage *function, GHashTable *bound, GError **error)
{
  g_autoptr (GString) key = g_string_new (NULL);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (bound), (GCompareFunc) g_strcmp0);

  g_string_append_printf (key, "%p", (gconstpointer) function);
  for (GList *name = names; name != NULL; name = name->next)
    {
      g_string_append_printf (key, "\n%s=", (const char *) name->data);
      if (!append_bound (key, g_hash_table_lookup (bound, name->data), error))
        return NULL;
    }
  return g_string_free (g_steal_pointer (&key), FALSE);
}

/* ---- Bodies ---- */

static SymModel *
unfold (SymOnnxReader *reader, const SymProtoMessage *function, GHashTable *bound, GError **error)
{
  SymOnnxContext context = { function, bound, TRUE };
  const char *name = sym_proto_get_text (function, ONNX_FUNCTION_NAME);
  SymModel *body;

  g_hash_table_add (reader->open, (gpointer) function);
  body = sym_onnx_build_graph (reader, function, name == NULL ? "" : name, &context, NULL, error);
  g_hash_table_remove (reader->open, function);
  if (body == NULL)
    return NULL;
  reader->n_unfolded += sym_model_get_n_calls (body) + 16;
  if (reader->n_unfolded <= SYM_ONNX_MAX_UNFOLDED)
    return body;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
               "the functions of the model unfold to more than %d calls, one time for each set of "
               "attributes that they are called with",
               SYM_ONNX_MAX_UNFOLDED);
  sym_model_unref (body);
  return NULL;
}

SymModel *
sym_onnx_unfold_function (SymOnnxReader *reader,
                          const SymProtoMessage *function,
                          const SymProtoMessage *node,
                          const SymOnnxContext *context,
                          GError **error)
{
  g_autoptr (GHashTable) bound = NULL;
  g_autofree char *key = NULL;
  SymModel *body;

  if (g_hash_table_contains (reader->open, function))
    return NULL;
  bound = bind_attributes (function, node, context);
  key = make_unfolded_key (function, bound, error);
  if (key == NULL)
    return NULL;
  body = g_hash_table_lookup (reader->unfolded, key);
  if (body != NULL)
    return body;
  body = unfold (reader, function, bound, error);
  if (body != NULL)
    g_hash_table_insert (reader->unfolded, g_steal_pointer (&key), body);
  return body;
}
