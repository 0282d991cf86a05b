/* SPDX-License-Identifier: MIT */
#include "core/sym-naming.h"

#include <string.h>

struct _SymNaming {
  const SymNamingStrategy *strategy;
  char *prefix;
  GHashTable *taken;    /* set of names, owned */
  GHashTable *counters; /* base to how many numbers of it are used */
};

const SymNamingStrategy sym_naming_symbolic = { 1, "_", TRUE };
const SymNamingStrategy sym_naming_mxnet = { 0, "", FALSE };

SymNaming *
sym_naming_new (const SymNamingStrategy *strategy)
{
  SymNaming *self = g_new0 (SymNaming, 1);

  self->strategy = strategy;
  self->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->counters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
sym_naming_free (SymNaming *self)
{
  g_free (self->prefix);
  g_hash_table_unref (self->taken);
  g_hash_table_unref (self->counters);
  g_free (self);
}

void
sym_naming_set_prefix (SymNaming *self, const char *prefix)
{
  g_free (self->prefix);
  self->prefix = g_strdup (prefix);
}

void
sym_naming_reserve (SymNaming *self, const char *name)
{
  g_hash_table_add (self->taken, g_strdup (name));
}

/* Takes the name unless it is taken already; returns NULL then. */
static const char *
try_name (SymNaming *self, char *take_name)
{
  if (g_hash_table_contains (self->taken, take_name))
    {
      g_free (take_name);
      return NULL;
    }
  g_hash_table_add (self->taken, take_name);
  return take_name;
}

static guint
count_up (SymNaming *self, const char *base)
{
  guint used = GPOINTER_TO_UINT (g_hash_table_lookup (self->counters, base));

  g_hash_table_insert (self->counters, g_strdup (base), GUINT_TO_POINTER (used + 1));
  return self->strategy->first + used;
}

const char *
sym_naming_take (SymNaming *self, const char *base, const char *custom)
{
  const char *prefix = self->prefix == NULL ? "" : self->prefix;
  g_autofree char *full = g_strconcat (prefix, custom == NULL ? base : custom, NULL);
  const char *name = NULL;

  if (custom != NULL && !self->strategy->custom_has_counter)
    {
      sym_naming_reserve (self, full);
      return g_hash_table_lookup_extended (self->taken, full, (gpointer *) &name, NULL) ? name
                                                                                        : NULL;
    }

  while (name == NULL)
    {
      guint number = count_up (self, full);

      if (custom != NULL && number == self->strategy->first)
        name = try_name (self, g_strdup (full));
      else
        name = try_name (self, g_strdup_printf ("%s%s%u", full, self->strategy->separator, number));
    }
  return name;
}

gboolean
sym_naming_check (const char *name, GError **error)
{
  if (*name == '\0')
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_NAME,
                           "module name can't be empty string \"\"");
      return FALSE;
    }
  if (strchr (name, '.') != NULL)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NAME, "module name can't contain \".\", got: %s",
                   name);
      return FALSE;
    }
  return TRUE;
}

#define SEPARATOR ";"

char *
sym_naming_shorten (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  const char *first = NULL;
  guint n = 0;

  /* In "&lt;x&gt;" it parts nothing. */
  if (strstr (name, SEPARATOR) == NULL || strchr (name, '&') != NULL)
    return g_strdup (name);
  g_auto (GStrv) parts = g_strsplit (name, SEPARATOR, -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && n++ == 0)
      first = parts[i];
  return n > 1 ? g_strdup_printf ("%s +%u", first, n - 1) : g_strdup (name);
}
