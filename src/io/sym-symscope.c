/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include <string.h>

const char *const sym_symscope_root_keys[] = { "format", "version", "weights", "parameters",
                                               "layers", "models",  NULL };
const char *const sym_symscope_model_keys[] = { "name",   "dialect", "nodes",
                                                "inputs", "outputs", NULL };
const char *const sym_symscope_layer_keys[] = {
  "type",     "name",   "domain",     "operator",         "since", "attributes",
  "function", "bodies", "parameters", "hides_parameters", NULL
};
const char *const sym_symscope_value_keys[] = { "value",      "name",      "variable",  "role",
                                                "type",       "parameter", "trainable", "tensor",
                                                "attributes", NULL };
const char *const sym_symscope_call_keys[] = { "call",      "name",       "layer",
                                               "operands",  "results",    "controls",
                                               "arguments", "attributes", NULL };

/* ---- Origin ---- */

static void
free_origin (gpointer data)
{
  SymSymscopeOrigin *self = data;

  sym_json_unref (self->json);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->calls);
  g_hash_table_unref (self->layers);
  g_hash_table_unref (self->layer_keys);
  g_free (self->key);
  g_free (self);
}

SymSymscopeOrigin *
sym_symscope_origin_new (SymModelBuilder *builder, SymJson *json, guint model)
{
  SymSymscopeOrigin *self = g_new0 (SymSymscopeOrigin, 1);

  self->json = sym_json_ref (json);
  self->model = model;
  self->values = g_hash_table_new (NULL, NULL);
  self->calls = g_hash_table_new (NULL, NULL);
  self->layers = g_hash_table_new (NULL, NULL);
  self->layer_keys = g_hash_table_new (NULL, NULL);
  sym_model_builder_set_origin (builder, sym_symscope_format.name, self, free_origin);
  return self;
}

const SymSymscopeOrigin *
sym_symscope_get_origin (const SymModel *model)
{
  gboolean is_ours = g_strcmp0 (sym_model_get_format (model), sym_symscope_format.name) == 0;

  return is_ours ? sym_model_get_origin (model) : NULL;
}

void
sym_symscope_origin_keep (GHashTable *table, guint id, guint object)
{
  g_hash_table_insert (table, GUINT_TO_POINTER (id + 1), GUINT_TO_POINTER (object + 1));
}

guint
sym_symscope_origin_find (GHashTable *table, guint id)
{
  gpointer found = g_hash_table_lookup (table, GUINT_TO_POINTER (id + 1));

  return found == NULL ? SYM_JSON_NONE : GPOINTER_TO_UINT (found) - 1;
}

char *
sym_symscope_origin_dup_text (const SymSymscopeOrigin *self,
                              GHashTable *table,
                              guint id,
                              const char *name)
{
  guint object = sym_symscope_origin_find (table, id);

  return sym_json_dup_string (self->json, sym_json_get_member (self->json, object, name));
}

/* ---- Members that are not known ---- */

static gboolean
is_known (const SymJson *json, guint key, const char *const *known)
{
  for (guint i = 0; known[i] != NULL; i++)
    if (sym_json_string_equals (json, key, known[i]))
      return TRUE;

  return FALSE;
}

gboolean
sym_symscope_has_unknown (const SymJson *json, guint object, const char *const *known)
{
  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    if (!is_known (json, i.key, known))
      return TRUE;

  return FALSE;
}

void
sym_symscope_append_unknown (GString *out,
                             const SymJson *json,
                             guint object,
                             const char *const *known,
                             const char *separator)
{
  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      gsize key_length, value_length;
      const char *key = sym_json_get_text (json, i.key, &key_length);
      const char *value = sym_json_get_text (json, i.value, &value_length);

      if (is_known (json, i.key, known))
        continue;
      g_string_append (out, separator);
      g_string_append_len (out, key, (gssize) key_length);
      g_string_append (out, ": ");
      g_string_append_len (out, value, (gssize) value_length);
    }
}

/* ---- The format ---- */

static int
score (const SymJson *json)
{
  return sym_json_string_equals (json, sym_json_get_member (json, 0, "format"), "symscope") ? 100
                                                                                            : 0;
}

const SymIoFormat sym_symscope_format = {
  .name = "symscope",
  .title = "Symscope JSON",
  .versions = "1",
  .limits = "none of its own",
  .suffix = ".symscope.json",
  .score = score,
  .read = sym_symscope_read,
  .write = sym_symscope_write,
};
