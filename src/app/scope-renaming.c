/* SPDX-License-Identifier: MIT */
#include "app/scope-renaming.h"

#include "core/sym-edit.h"

static const char *
get_name (SymModel *model, gboolean is_call, SymId id)
{
  return is_call ? sym_model_get_call_name (model, id) : sym_model_get_value_name (model, id);
}

static gboolean
give_name (SymEdit *edit, gboolean is_call, SymId id, const char *name)
{
  return is_call ? sym_edit_rename_call (edit, id, name, NULL)
                 : sym_edit_rename_value (edit, id, name, NULL);
}

/* The names that stay, whatever is renamed. */
static GHashTable *
collect_kept (SymModel *model, gboolean is_call, const ScopeRenaming *renamings, guint n)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) leaving = g_hash_table_new (NULL, NULL);
  guint n_ids = is_call ? sym_model_get_n_calls (model) : sym_model_get_n_values (model);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (leaving, GSIZE_TO_POINTER ((gsize) renamings[i].id + 1));
  for (SymId id = 0; id < n_ids; id++)
    if ((is_call ? sym_model_has_call (model, id) : sym_model_has_value (model, id)) &&
        !g_hash_table_contains (leaving, GSIZE_TO_POINTER ((gsize) id + 1)))
      g_hash_table_add (names, (gpointer) get_name (model, is_call, id));
  return names;
}

/* Who cannot get a name keeps the one he has, which may be what another should get.  Returns those
 * that can be given, by their new names. */
static GHashTable *
find_possible (SymModel *model, gboolean is_call, ScopeRenaming *renamings, guint n)
{
  GHashTable *wanted = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) kept = collect_kept (model, is_call, renamings, n);
  g_autoptr (GPtrArray) lost = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      ScopeRenaming *one = &renamings[i];

      one->is_lost = *one->name == '\0' || !g_utf8_validate (one->name, -1, NULL) ||
                     g_hash_table_contains (kept, one->name) ||
                     g_hash_table_contains (wanted, one->name);
      if (one->is_lost)
        g_ptr_array_add (lost, one);
      else
        g_hash_table_insert (wanted, (gpointer) one->name, one);
    }
  while (lost->len > 0)
    {
      const ScopeRenaming *one = g_ptr_array_steal_index_fast (lost, lost->len - 1);
      const char *stays = get_name (model, is_call, one->id);
      ScopeRenaming *other = g_hash_table_lookup (wanted, stays);

      if (other == NULL)
        continue;
      other->is_lost = TRUE;
      g_hash_table_remove (wanted, stays);
      g_ptr_array_add (lost, other);
    }
  return wanted;
}

/* Gives one whose name another gets a name that nobody has, for the time being. */
static void
step_aside (SymEdit *edit, gboolean is_call, SymId id, GHashTable *wanted, guint *n_tried)
{
  gboolean is_aside = FALSE;

  while (!is_aside)
    {
      g_autofree char *aside = g_strdup_printf ("aside %u", ++*n_tried);

      is_aside = !g_hash_table_contains (wanted, aside) && give_name (edit, is_call, id, aside);
    }
}

SymModel *
scope_renaming_do_all (SymModel *model, gboolean is_call, ScopeRenaming *renamings, guint n)
{
  g_return_val_if_fail (model != NULL, NULL);

  if (n == 0)
    return sym_model_ref (model);
  g_autoptr (GHashTable) wanted = find_possible (model, is_call, renamings, n);
  SymEdit *edit = sym_edit_new (model);
  guint n_tried = 0;

  for (guint i = 0; i < n; i++)
    if (!renamings[i].is_lost &&
        g_hash_table_contains (wanted, get_name (model, is_call, renamings[i].id)))
      step_aside (edit, is_call, renamings[i].id, wanted, &n_tried);
  for (guint i = 0; i < n; i++)
    if (!renamings[i].is_lost)
      renamings[i].is_lost = !give_name (edit, is_call, renamings[i].id, renamings[i].name);
  return sym_edit_end (edit);
}
