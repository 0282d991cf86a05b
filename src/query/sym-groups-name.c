/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <string.h>

/* How many types a name tells. */
#define MAX_TYPES 3

static gsize
count_common (const char *a, const char *b, gsize n)
{
  gsize i = 0;

  while (i < n && a[i] && a[i] == b[i])
    i++;
  return i;
}

/* How many letters all names of the calls in a range begin with. */
static gsize
count_shared (const SymGroupDraft *self, guint start, guint end)
{
  const char *first = sym_model_get_call_name (self->model, self->order[start]);
  gsize n = first ? strlen (first) : 0;

  for (guint i = start + 1; n > 0 && i < end; i++)
    {
      const char *name = sym_model_get_call_name (self->model, self->order[i]);

      n = name ? count_common (first, name, n) : 0;
    }
  return n;
}

/* What all names of the calls begin with beyond the first @n letters, which say nothing as all
 * around have them, and without what only counts; NULL when that is too little. */
static char *
find_prefix (const SymGroupDraft *self, const SymGroupRange *range, gsize n)
{
  const char *first = sym_model_get_call_name (self->model, self->order[range->start]);
  gsize end = count_shared (self, range->start, range->end);

  while (end > n && (strchr ("/._-", first[end - 1]) || g_ascii_isdigit (first[end - 1])))
    end--;
  while (end > n && strchr ("/._-", first[n]))
    n++;
  return end < n + 3 ? NULL : g_strndup (first + n, end - n);
}

/* The first types, in order, each once. */
static char *
list_types (const SymGroupDraft *self, const SymGroupRange *range)
{
  const char *types[MAX_TYPES];
  guint n = 0;
  GString *text = g_string_new (NULL);

  for (guint i = range->start; i < range->end; i++)
    {
      const char *type = sym_layer_get_type (sym_model_get_layer (self->model, self->order[i]));
      guint k = 0;

      while (k < n && !g_str_equal (types[k], type))
        k++;
      if (k < n)
        continue;
      if (n == MAX_TYPES)
        {
          g_string_append (text, " …");
          break;
        }
      types[n++] = type;
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", type);
    }
  return g_string_free (text, FALSE);
}

typedef struct {
  const char *type;
  guint n, index;
} TypeCount;

static int
compare_counts (gconstpointer first, gconstpointer second)
{
  const TypeCount *a = first;
  const TypeCount *b = second;

  if (a->n != b->n)
    return a->n > b->n ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* The types that most calls have, those that come first of as many. */
static char *
count_types (const SymGroupDraft *self, const SymGroupRange *range)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (TypeCount));
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  GString *text = g_string_new (NULL);

  for (guint i = range->start; i < range->end; i++)
    {
      const char *type = sym_layer_get_type (sym_model_get_layer (self->model, self->order[i]));
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (indices, type));

      if (index == 0)
        {
          g_array_append_val (counts, ((TypeCount){ type, 0, counts->len }));
          index = counts->len;
          g_hash_table_insert (indices, (gpointer) type, GUINT_TO_POINTER (index));
        }
      g_array_index (counts, TypeCount, index - 1).n++;
    }
  g_array_sort (counts, compare_counts);
  for (guint i = 0; i < MIN (counts->len, MAX_TYPES); i++)
    {
      const TypeCount *count = &g_array_index (counts, TypeCount, i);

      g_string_append_printf (text, "%s%u %s", i > 0 ? ", " : "", count->n, count->type);
    }
  if (counts->len > MAX_TYPES)
    g_string_append (text, " …");
  return g_string_free (text, FALSE);
}

static char *
make_name (const SymGroupDraft *self, const SymGroupRange *range, gsize n_around)
{
  char *text = NULL;

  if (range->kind == SYM_GROUP_STAGE)
    return count_types (self, range);
  if (range->end - range->start > 1)
    text = find_prefix (self, range, n_around);
  return text ? text : list_types (self, range);
}

/* Counts the letters that are shared all around, once for the groups within one. */
static gsize
find_shared_around (const SymGroupDraft *self, GArray *around, gsize *shared, guint start)
{
  guint group = SYM_NO_GROUP;

  while (around->len > 0)
    {
      group = g_array_index (around, guint, around->len - 1);
      if (g_array_index (self->ranges, SymGroupRange, group).end > start)
        break;
      g_array_set_size (around, around->len - 1);
    }
  if (around->len == 0)
    return shared[self->ranges->len];
  if (shared[group] == G_MAXSIZE)
    {
      const SymGroupRange *range = &g_array_index (self->ranges, SymGroupRange, group);

      shared[group] = count_shared (self, range->start, range->end);
    }
  return shared[group];
}

/* Equal groups are named by the first of them. */
void
sym_group_draft_name (SymGroupDraft *self)
{
  guint n = self->ranges->len;
  g_autofree const char **names = g_new0 (const char *, self->n_runs + 1);
  g_autofree gsize *shared = g_new (gsize, n + 1);
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n; i++)
    shared[i] = G_MAXSIZE;
  shared[n] = self->n > 0 ? count_shared (self, 0, self->n) : 0;
  for (guint i = 0; i < n; i++)
    {
      SymGroupRange *range = &g_array_index (self->ranges, SymGroupRange, i);
      gsize n_around = find_shared_around (self, around, shared, range->start);

      if (!range->name && range->run != SYM_NO_GROUP)
        range->name = names[range->run];
      if (!range->name)
        {
          g_autofree char *text = make_name (self, range, n_around);

          range->name = g_string_chunk_insert_const (self->names, text);
        }
      if (range->run != SYM_NO_GROUP)
        names[range->run] = range->name;
      g_array_append_val (around, i);
    }
}
