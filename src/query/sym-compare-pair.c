/* SPDX-License-Identifier: MIT */
#include "query/sym-compare.h"

/* ---- What is left to be told by its name: results of layers that only one of both has ---- */

static GHashTable *
index_removed (const SymCompare *compare, const SymModel *before)
{
  GHashTable *values = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < sym_compare_get_n (compare); i++)
    {
      SymCompareEntry entry = sym_compare_get (compare, i);

      if (entry.kind != SYM_COMPARE_REMOVED)
        continue;
      SymIds results = sym_model_get_results (before, entry.before);

      for (guint k = 0; k < results.n; k++)
        {
          const char *name = sym_model_get_value_name (before, results.ids[k]);

          if (name != NULL && *name != '\0')
            g_hash_table_insert (values, (gpointer) name,
                                 GSIZE_TO_POINTER ((gsize) results.ids[k] + 1));
        }
    }
  return values;
}

static SymId
take_removed (GHashTable *values, const char *name)
{
  gpointer value = name != NULL ? g_hash_table_lookup (values, name) : NULL;

  if (value == NULL)
    return SYM_NO_ID;
  g_hash_table_remove (values, name);
  return (SymId) (GPOINTER_TO_SIZE (value) - 1);
}

/* ---- All of them ---- */

static void
add_pair (GArray *pairs, SymId before, SymId after)
{
  SymComparePair pair = { before, after };

  if (before != SYM_NO_ID && after != SYM_NO_ID)
    g_array_append_val (pairs, pair);
}

static void
add_results (GArray *pairs,
             GHashTable *removed,
             const SymModel *after,
             SymIds before,
             SymIds results)
{
  for (guint i = 0; i < results.n; i++)
    if (i < before.n)
      add_pair (pairs, before.ids[i], results.ids[i]);
    else if (before.n == 0 && results.ids[i] != SYM_NO_ID)
      add_pair (pairs, take_removed (removed, sym_model_get_value_name (after, results.ids[i])),
                results.ids[i]);
}

GArray *
sym_compare_pair_values (const SymCompare *self, const SymModel *before, const SymModel *after)
{
  g_return_val_if_fail (self != NULL && before != NULL && after != NULL, NULL);

  g_autoptr (GHashTable) removed = index_removed (self, before);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (SymComparePair));

  for (guint i = 0; i < sym_compare_get_n (self); i++)
    {
      SymCompareEntry entry = sym_compare_get (self, i);

      if (entry.after == SYM_NO_ID)
        continue;
      add_results (pairs, removed, after,
                   entry.before != SYM_NO_ID ? sym_model_get_results (before, entry.before)
                                             : (SymIds){ NULL, 0 },
                   sym_model_get_results (after, entry.after));
    }
  return pairs;
}
