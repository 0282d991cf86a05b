/* SPDX-License-Identifier: MIT */
#include "io/sym-tensorflow-restore.h"

#include <string.h>

#include "io/sym-tfjs-private.h"

/* RestoreV2 (prefix, names, slices) makes tensors, which Assign (variable, tensor) or
 * AssignVariableOp give to variables.  In TensorFlow 1 that is a part of the graph; in 2 it is a
 * function, and what the graph calls it with are the variables. */

#define MAX_STEPS 8

/* A list of nodes: of the graph, or of a function. */
typedef struct {
  const SymJson *json;
  GHashTable *nodes; /* name to token + 1 */
  GHashTable *lists; /* token + 1 of a constant to its strings */
} Scope;

/* "node:output:1" and "node:1" are @node and 1. */
static char *
split_use (const SymJson *json, guint token, guint64 *output)
{
  char *use = sym_json_dup_string (json, token);
  char *colon = use == NULL ? NULL : strchr (use, ':');

  *output = 0;
  if (colon == NULL)
    return use;
  g_ascii_string_to_unsigned (strrchr (use, ':') + 1, 10, 0, G_MAXUINT32, output, NULL);
  *colon = '\0';
  return use;
}

static guint
get_input (const SymJson *json, guint node, guint i)
{
  return sym_json_get_element (json, sym_json_get_member (json, node, "input"), i);
}

static gboolean
is_op (const SymJson *json, guint node, const char *op)
{
  return sym_json_string_equals (json, sym_json_get_member (json, node, "op"), op);
}

/* SYM_JSON_NONE for what no node of the scope makes. */
static guint
find_node (const Scope *self, guint use, guint64 *output)
{
  g_autofree char *name = split_use (self->json, use, output);
  guint found = name == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, name));

  return found == 0 ? SYM_JSON_NONE : found - 1;
}

/* The strings of a Const; NULL for none. */
static const GPtrArray *
get_strings (const Scope *self, guint use)
{
  guint64 output;
  guint node = find_node (self, use, &output);
  GPtrArray *strings = g_hash_table_lookup (self->lists, GUINT_TO_POINTER (node + 1));
  guint value, list;

  if (node == SYM_JSON_NONE || strings != NULL)
    return strings;
  strings = g_ptr_array_new_with_free_func (g_free);
  value = sym_json_get_member (self->json, sym_json_get_member (self->json, node, "attr"), "value");
  list = sym_json_get_member (self->json, sym_json_get_member (self->json, value, "tensor"),
                              "stringVal");
  for (SymJsonIter i = sym_json_iterate (self->json, list); sym_json_iter_next (self->json, &i);)
    {
      gsize size;
      g_autofree char *bytes = sym_tfjs_dup_bytes (self->json, i.value, &size);

      g_ptr_array_add (strings, g_strndup (bytes, size));
    }
  g_hash_table_insert (self->lists, GUINT_TO_POINTER (node + 1), strings);
  return strings;
}

static void
free_restored (gpointer data)
{
  SymTensorflowRestored *restored = data;

  if (restored == NULL)
    return;
  g_free (restored->key);
  g_free (restored->part);
  g_free (restored);
}

static SymTensorflowRestored *
new_restored (const char *key, const char *part)
{
  SymTensorflowRestored *restored = g_new (SymTensorflowRestored, 1);

  *restored = (SymTensorflowRestored){ g_strdup (key), g_strdup (part) };
  return restored;
}

/* One of the strings, and the one beside it that says which part is meant. */
static SymTensorflowRestored *
get_restored (const Scope *self, guint restore, guint64 output)
{
  const GPtrArray *keys = get_strings (self, get_input (self->json, restore, 1));
  const GPtrArray *slices = get_strings (self, get_input (self->json, restore, 2));

  if (keys == NULL || output >= keys->len)
    return NULL;
  return new_restored (keys->pdata[output],
                       slices != NULL && output < slices->len ? slices->pdata[output] : "");
}

/* What is given to a variable; NULL for nothing that is known. */
static SymTensorflowRestored *
follow (const Scope *self, guint use)
{
  guint64 output;
  guint node = find_node (self, use, &output);

  for (guint i = 0; i < MAX_STEPS && node != SYM_JSON_NONE && is_op (self->json, node, "Identity");
       i++)
    node = find_node (self, get_input (self->json, node, 0), &output);
  return node != SYM_JSON_NONE && is_op (self->json, node, "RestoreV2")
             ? get_restored (self, node, output)
             : NULL;
}

static gboolean
restores (const SymJson *json, guint nodes)
{
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    if (is_op (json, i.value, "RestoreV2"))
      return TRUE;
  return FALSE;
}

static GHashTable *
index_nodes (const SymJson *json, guint nodes)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      char *name = sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));

      if (name != NULL)
        g_hash_table_insert (table, name, GUINT_TO_POINTER (i.value + 1));
    }
  return table;
}

/* What each variable of the nodes gets, by its name there. */
static GHashTable *
list_assigned (const SymJson *json, guint nodes)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_restored);
  g_autoptr (GHashTable) index = NULL;
  g_autoptr (GHashTable) lists =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Scope scope = { json, NULL, lists };

  if (!restores (json, nodes))
    return keys;
  scope.nodes = index = index_nodes (json, nodes);
  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      guint64 output;
      g_autofree char *variable = NULL;
      SymTensorflowRestored *restored;

      if (!is_op (json, i.value, "Assign") && !is_op (json, i.value, "AssignVariableOp"))
        continue;
      variable = split_use (json, get_input (json, i.value, 0), &output);
      restored = follow (&scope, get_input (json, i.value, 1));
      if (variable != NULL && restored != NULL)
        g_hash_table_insert (keys, g_steal_pointer (&variable), restored);
      else
        free_restored (restored);
    }
  return keys;
}

/* ---- Functions ---- */

/* Names of functions that restore to what their arguments get, NULL for others. */
static GHashTable *
list_functions (const SymJson *json, guint graph)
{
  guint library = sym_json_get_member (json, graph, "library");
  GHashTable *functions =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, library, "function"));
       sym_json_iter_next (json, &i);)
    {
      guint signature = sym_json_get_member (json, i.value, "signature");
      char *name = sym_json_dup_string (json, sym_json_get_member (json, signature, "name"));
      g_autoptr (GHashTable) assigned =
          list_assigned (json, sym_json_get_member (json, i.value, "nodeDef"));
      GPtrArray *arguments;

      if (name == NULL || g_hash_table_size (assigned) == 0)
        {
          g_free (name);
          continue;
        }
      arguments = g_ptr_array_new_with_free_func (free_restored);
      for (SymJsonIter j =
               sym_json_iterate (json, sym_json_get_member (json, signature, "inputArg"));
           sym_json_iter_next (json, &j);)
        {
          g_autofree char *argument =
              sym_json_dup_string (json, sym_json_get_member (json, j.value, "name"));
          const SymTensorflowRestored *restored =
              argument == NULL ? NULL : g_hash_table_lookup (assigned, argument);

          g_ptr_array_add (arguments,
                           restored == NULL ? NULL : new_restored (restored->key, restored->part));
        }
      g_hash_table_insert (functions, name, arguments);
    }
  return functions;
}

static const GPtrArray *
get_called (const SymJson *json, guint node, GHashTable *functions)
{
  guint f = sym_json_get_member (json, sym_json_get_member (json, node, "attr"), "f");
  g_autofree char *name = sym_json_dup_string (
      json, sym_json_get_member (json, sym_json_get_member (json, f, "func"), "name"));

  return name == NULL ? NULL : g_hash_table_lookup (functions, name);
}

static void
add_call (const SymJson *json, guint node, const GPtrArray *arguments, GHashTable *keys)
{
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, node, "input"));
       n < arguments->len && sym_json_iter_next (json, &i); n++)
    {
      guint64 output;
      const SymTensorflowRestored *restored = arguments->pdata[n];
      char *variable = restored == NULL ? NULL : split_use (json, i.value, &output);

      if (variable != NULL)
        g_hash_table_insert (keys, variable, new_restored (restored->key, restored->part));
    }
}

GHashTable *
sym_tensorflow_list_restored (const SymJson *json, guint graph)
{
  guint nodes = sym_json_get_member (json, graph, "node");
  g_autoptr (GHashTable) functions = list_functions (json, graph);
  GHashTable *keys = list_assigned (json, nodes);

  for (SymJsonIter i = sym_json_iterate (json, nodes);
       g_hash_table_size (functions) > 0 && sym_json_iter_next (json, &i);)
    {
      const GPtrArray *arguments = get_called (json, i.value, functions);

      if (arguments != NULL)
        add_call (json, i.value, arguments, keys);
    }
  return keys;
}
