/* SPDX-License-Identifier: MIT */
#include "core/sym-edit-private.h"

#include <string.h>

static const SymNames *
get_names (SymEdit *self)
{
  return self->builder->names == NULL ? self->base->names : self->builder->names;
}

const char *
sym_edit_get_value_name (SymEdit *self, SymId value)
{
  return g_array_index (get_names (self)->values, const char *, value);
}

const char *
sym_edit_get_call_name (SymEdit *self, SymId call)
{
  return g_array_index (get_names (self)->calls, const char *, call);
}

/* ---- Which names are taken ---- */

static void
count (GHashTable *names, const char *name, int change)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (names, name)) + change;

  if (n > 0)
    g_hash_table_insert (names, g_strdup (name), GINT_TO_POINTER (n));
  else
    g_hash_table_remove (names, name);
}

static GHashTable *
ensure_names (SymEdit *self, gboolean is_call)
{
  GHashTable **table = is_call ? &self->call_names : &self->value_names;
  const SymRows *names = is_call ? get_names (self)->calls : get_names (self)->values;

  if (*table != NULL)
    return *table;

  *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < names->len; i++)
    if (is_call ? sym_model_builder_has_call (self->builder, i)
                : sym_model_builder_has_value (self->builder, i))
      count (*table, g_array_index (names, const char *, i), 1);
  return *table;
}

/* A table that was not asked for yet will see the change in the model itself. */
void
sym_edit_count_name (SymEdit *self, gboolean is_call, const char *name, int change)
{
  GHashTable *table = is_call ? self->call_names : self->value_names;

  if (table != NULL)
    count (table, name, change);
}

gboolean
sym_edit_check_name (SymEdit *self, gboolean is_call, const char *name, GError **error)
{
  const char *what = is_call ? "layer" : "value";

  if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NAME,
                   "the name of a %s must be UTF-8 text and not empty", what);
      return FALSE;
    }
  if (g_hash_table_contains (ensure_names (self, is_call), name))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NAME,
                   "“%s” is the name of another %s; names must differ", name, what);
      return FALSE;
    }
  return TRUE;
}

char *
sym_edit_make_call_name (SymEdit *self, const char *type)
{
  GHashTable *taken = ensure_names (self, TRUE);
  g_autofree char *base = g_utf8_strdown (*type == '\0' ? "layer" : type, -1);
  guint *next = NULL;

  if (!g_hash_table_contains (taken, base))
    return g_steal_pointer (&base);

  if (self->next_numbers == NULL)
    self->next_numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  next = g_hash_table_lookup (self->next_numbers, base);
  if (next == NULL)
    {
      next = g_new0 (guint, 1);
      g_hash_table_insert (self->next_numbers, g_strdup (base), next);
    }
  for (;;)
    {
      g_autofree char *name = g_strdup_printf ("%s%u", base, ++*next);

      if (!g_hash_table_contains (taken, name))
        return g_steal_pointer (&name);
    }
}

/* MXNet's "fc1_output", or "bn1_mean" where the operator has names for its results; elsewhere a
 * result is called as its call is. */
static char *
make_result_name (const char *call, const SymOperator *op, guint i, guint n)
{
  guint n_named =
      op == NULL || op->output_names == NULL ? 0 : g_strv_length ((char **) op->output_names);

  if (i < n_named)
    return g_strdup_printf ("%s_%s", call, op->output_names[i]);
  return n == 1 ? g_strdup_printf ("%s_output", call) : g_strdup_printf ("%s_output%u", call, i);
}

void
sym_edit_name_results (SymEdit *self, SymId call)
{
  SymIds results = sym_model_builder_get_results (self->builder, call);
  SymLayer *layer = sym_model_builder_get_layer (self->builder, call);
  const char *name = sym_edit_get_call_name (self, call);

  for (guint i = 0; i < results.n; i++)
    {
      if (sym_model_get_dialect (self->base) == SYM_DIALECT_MXNET)
        {
          g_autofree char *result =
              make_result_name (name, sym_layer_get_operator (layer), i, results.n);

          sym_model_builder_set_value_name (self->builder, results.ids[i], result);
        }
      sym_edit_count_name (self, FALSE, sym_edit_get_value_name (self, results.ids[i]), 1);
    }
}

/* ---- Renaming ---- */

gboolean
sym_edit_rename_value (SymEdit *self, SymId value, const char *name, GError **error)
{
  if (!sym_edit_check_value (self, value, error))
    return FALSE;
  if (g_strcmp0 (name, sym_edit_get_value_name (self, value)) == 0)
    return TRUE;
  if (!sym_edit_check_name (self, FALSE, name, error))
    return FALSE;

  sym_edit_count_name (self, FALSE, sym_edit_get_value_name (self, value), -1);
  sym_edit_count_name (self, FALSE, name, 1);
  sym_model_builder_set_value_name (self->builder, value, name);
  return TRUE;
}

/* A result that is called after its call, "fc1" or "fc1_output", keeps being so. */
char *
sym_edit_follow_name (const char *result, const char *old, const char *new)
{
  const char *rest;

  if (*old == '\0' || !g_str_has_prefix (result, old))
    return NULL;
  rest = result + strlen (old);
  return *rest == '\0' || *rest == '_' ? g_strconcat (new, rest, NULL) : NULL;
}

gboolean
sym_edit_rename_call (SymEdit *self, SymId call, const char *name, GError **error)
{
  g_autofree char *old = NULL;
  SymIds results;

  if (!sym_edit_check_call (self, call, error))
    return FALSE;
  old = g_strdup (sym_edit_get_call_name (self, call));
  if (g_strcmp0 (name, old) == 0)
    return TRUE;
  if (!sym_edit_check_name (self, TRUE, name, error))
    return FALSE;

  sym_edit_count_name (self, TRUE, old, -1);
  sym_edit_count_name (self, TRUE, name, 1);
  sym_model_builder_set_call_name (self->builder, call, name);
  sym_edit_rename_layer (self, call, old, name);
  results = sym_model_builder_get_results (self->builder, call);
  for (guint i = 0; i < results.n; i++)
    {
      const char *result = sym_edit_get_value_name (self, results.ids[i]);
      g_autofree char *followed = sym_edit_follow_name (result, old, name);

      if (followed == NULL)
        continue;
      sym_edit_count_name (self, FALSE, result, -1);
      sym_edit_count_name (self, FALSE, followed, 1);
      sym_model_builder_set_value_name (self->builder, results.ids[i], followed);
    }
  return TRUE;
}

gboolean
sym_edit_set_variable (SymEdit *self, SymId value, const char *variable, GError **error)
{
  if (!sym_edit_check_value (self, value, error))
    return FALSE;
  if (variable != NULL && (*variable == '\0' || !g_utf8_validate (variable, -1, NULL)))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NAME,
                   "the name of a variable must be UTF-8 text and not empty");
      return FALSE;
    }

  sym_model_builder_set_variable (self->builder, value, variable);
  return TRUE;
}
