/* SPDX-License-Identifier: MIT */
#include "io/sym-net-missing.h"

#define MAX_NAMED 3

typedef struct {
  GHashTable *keys; /* NULL until there is one: most graphs lack nothing */
  GString *names;   /* of the first */
  guint line;
  SymId call;
} Use;

struct _SymNetMissing {
  Use uses[SYM_NET_N_MISSING];
};

SymNetMissing *
sym_net_missing_new (void)
{
  return g_new0 (SymNetMissing, 1);
}

void
sym_net_missing_free (SymNetMissing *self)
{
  for (guint i = 0; i < SYM_NET_N_MISSING; i++)
    {
      if (self->uses[i].keys == NULL)
        continue;
      g_hash_table_unref (self->uses[i].keys);
      g_string_free (self->uses[i].names, TRUE);
    }
  g_free (self);
}

void
sym_net_missing_add (SymNetMissing *self,
                     SymNetMissingUse use,
                     const char *key,
                     guint line,
                     SymId call)
{
  Use *one = &self->uses[use];

  if (one->keys == NULL)
    {
      one->keys = g_hash_table_new (NULL, NULL);
      one->names = g_string_new (NULL);
    }
  if (!g_hash_table_add (one->keys, (gpointer) key))
    return;
  if (one->names->len == 0)
    {
      one->line = line;
      one->call = call;
    }
  if (g_hash_table_size (one->keys) <= MAX_NAMED)
    g_string_append_printf (one->names, "%s'%s'", one->names->len == 0 ? "" : ", ", key);
}

void
sym_net_missing_tell (const SymNetMissing *self, SymProblems *problems)
{
  static const char *const effects[SYM_NET_N_MISSING][2] = {
    [SYM_NET_MISSING_OPERAND] = { ": it is taken for an input", ": they are taken for inputs" },
    [SYM_NET_MISSING_CONTROL] = { ", which is to come before", ", which are to come before" },
    [SYM_NET_MISSING_OUTPUT] = { ", which is to be an output", ", which are to be outputs" },
  };

  for (guint i = 0; i < SYM_NET_N_MISSING; i++)
    {
      const Use *one = &self->uses[i];
      guint n = one->keys == NULL ? 0 : g_hash_table_size (one->keys);
      g_autofree char *more =
          n > MAX_NAMED ? g_strdup_printf (" and %u more", n - MAX_NAMED) : NULL;

      if (n > 0)
        sym_problems_add (problems, SYM_SEVERITY_WARNING, one->line, SYM_NO_ID, one->call,
                          "nothing in the file makes %s%s%s", one->names->str,
                          more == NULL ? "" : more, effects[i][n > 1]);
    }
}
