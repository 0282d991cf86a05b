/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-table.h"

#include <string.h>

#include "ops/sym-op.h"

#define SYM_OP_ENTRY(name) sym_op_##name,

static const SymOperator *const files[] = { SYM_OP_FILES (SYM_OP_ENTRY) };

/* A name or alias and its operator; entries are sorted by domain, name, version. */
typedef struct
{
  const char *name;
  const SymOperator *op;
} Entry;

typedef struct
{
  GPtrArray *operators;
  GArray *entries;
} Index;

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;
  int order = strcmp (left->op->domain, right->op->domain);

  if (order == 0)
    order = strcmp (left->name, right->name);
  return order != 0 ? order : left->op->since_version - right->op->since_version;
}

static int
compare_operators (gconstpointer a, gconstpointer b)
{
  const SymOperator *left = *(const SymOperator *const *) a;
  const SymOperator *right = *(const SymOperator *const *) b;

  return compare_entries (&(Entry){ left->name, left }, &(Entry){ right->name, right });
}

static void
add_names (Index *self, const SymOperator *op)
{
  g_auto (GStrv) aliases = g_strsplit (op->aliases != NULL ? op->aliases : "", " ", -1);
  Entry entry = { op->name, op };

  g_array_append_val (self->entries, entry);
  for (guint i = 0; aliases[i] != NULL; i++)
    {
      entry.name = g_intern_string (aliases[i]);
      g_array_append_val (self->entries, entry);
    }
}

static const Index *
get_index (void)
{
  static Index *index;

  if (g_once_init_enter (&index))
    {
      Index *new_index = g_new0 (Index, 1);

      new_index->operators = g_ptr_array_new ();
      new_index->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        {
          for (const SymOperator *op = files[i]; op->name != NULL; op++)
            {
              g_ptr_array_add (new_index->operators, (gpointer) op);
              add_names (new_index, op);
            }
        }
      g_ptr_array_sort (new_index->operators, compare_operators);
      g_array_sort (new_index->entries, compare_entries);
      g_once_init_leave (&index, new_index);
    }
  return index;
}

/* The first entry that does not come before (domain, name). */
static guint
find_first (const Index *self, const char *domain, const char *name)
{
  guint low = 0, high = self->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Entry *entry = &g_array_index (self->entries, Entry, middle);
      int order = strcmp (entry->op->domain, domain);

      if (order == 0)
        order = strcmp (entry->name, name);
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const SymOperator *
sym_op_find (const char *domain, const char *name, int version)
{
  const Index *self = get_index ();
  const SymOperator *found = NULL;

  for (guint i = find_first (self, domain, name); i < self->entries->len; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      if (strcmp (entry->op->domain, domain) != 0 || strcmp (entry->name, name) != 0 ||
          (version > 0 && entry->op->since_version > version))
        break;
      found = entry->op;
    }
  return found;
}

guint
sym_op_get_n (void)
{
  return get_index ()->operators->len;
}

const SymOperator *
sym_op_get (guint i)
{
  g_return_val_if_fail (i < sym_op_get_n (), NULL);
  return g_ptr_array_index (get_index ()->operators, i);
}
