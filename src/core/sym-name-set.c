/* SPDX-License-Identifier: MIT */
#include "core/sym-name-set.h"

struct _SymNameSet {
  GHashTable *names; /* each with the number to be tried next for those that want it, or 0 */
};

SymNameSet *
sym_name_set_new (void)
{
  SymNameSet *self = g_new0 (SymNameSet, 1);

  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
sym_name_set_free (SymNameSet *self)
{
  g_hash_table_unref (self->names);
  g_free (self);
}

void
sym_name_set_clear (SymNameSet *self)
{
  g_hash_table_remove_all (self->names);
}

gboolean
sym_name_set_contains (const SymNameSet *self, const char *name)
{
  return g_hash_table_contains (self->names, name);
}

void
sym_name_set_add (SymNameSet *self, const char *name)
{
  if (!sym_name_set_contains (self, name))
    g_hash_table_insert (self->names, g_strdup (name), NULL);
}

const char *
sym_name_set_choose (SymNameSet *self, const char *wanted, guint first)
{
  gpointer next;
  char *name;
  guint number;

  if (!g_hash_table_lookup_extended (self->names, wanted, NULL, &next))
    name = g_strdup (wanted);
  else
    {
      number = MAX (first, GPOINTER_TO_UINT (next));
      name = g_strdup_printf ("%s_%u", wanted, number++);
      while (sym_name_set_contains (self, name))
        {
          g_free (name);
          name = g_strdup_printf ("%s_%u", wanted, number++);
        }
      g_hash_table_insert (self->names, g_strdup (wanted), GUINT_TO_POINTER (number));
    }
  g_hash_table_insert (self->names, name, NULL);
  return name;
}
