/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <string.h>

#include "core/sym-decimal.h"

/* How many types a name tells, and of a stage as many as fit into so many letters, or one. */
#define MAX_TYPES 3
#define MAX_LETTERS 30

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

/* What stages have is counted by classes of equal layers, which are numbers, and few. */
typedef struct {
  guint *counts;  /* by class; 0 between stages */
  GArray *firsts; /* of classes that have been met, by the position of the first */
} ClassCounts;

/* The types that most calls have, those that come first of as many. */
static GArray *
count_types (const SymGroupDraft *self, const SymGroupRange *range, ClassCounts *classes)
{
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (TypeCount));
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);

  g_array_set_size (classes->firsts, 0);
  for (guint i = range->start; i < range->end; i++)
    if (classes->counts[self->classes[i]]++ == 0)
      g_array_append_val (classes->firsts, i);
  for (guint i = 0; i < classes->firsts->len; i++)
    {
      guint position = g_array_index (classes->firsts, guint, i);
      const char *type =
          sym_layer_get_type (sym_model_get_layer (self->model, self->order[position]));
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (indices, type));

      if (index == 0)
        {
          g_array_append_val (counts, ((TypeCount){ type, 0, counts->len }));
          index = counts->len;
          g_hash_table_insert (indices, (gpointer) type, GUINT_TO_POINTER (index));
        }
      g_array_index (counts, TypeCount, index - 1).n += classes->counts[self->classes[position]];
      classes->counts[self->classes[position]] = 0;
    }
  g_array_sort (counts, compare_counts);
  return counts;
}

/* Stages hold much the same: the number first tells them apart, where it is not left out of a line.
 */
static char *
name_stage (const SymGroupDraft *self,
            const SymGroupRange *range,
            const char *number,
            ClassCounts *classes)
{
  g_autoptr (GArray) counts = count_types (self, range, classes);
  GString *text = g_string_new (NULL);
  guint i;

  g_string_printf (text, "Part %s:", number);
  for (i = 0; i < MIN (counts->len, MAX_TYPES); i++)
    {
      const TypeCount *count = &g_array_index (counts, TypeCount, i);
      gsize length = text->len;

      g_string_append (text, i > 0 ? ", " : " ");
      sym_decimal_append_grouped (text, count->n);
      g_string_append_printf (text, " %s", count->type);
      if (i > 0 && g_utf8_strlen (text->str, -1) > MAX_LETTERS)
        {
          g_string_truncate (text, length);
          break;
        }
    }
  if (i < counts->len)
    g_string_append (text, " …");
  return g_string_free (text, FALSE);
}

static char *
make_name (const SymGroupDraft *self, const SymGroupRange *range, gsize n_around)
{
  char *text = NULL;

  if (range->end - range->start > 1)
    text = find_prefix (self, range, n_around);
  return text ? text : list_types (self, range);
}

/* What the names so far follow from; by group, the top being behind the last. */
typedef struct {
  const SymGroupDraft *draft;
  GArray *around;  /* the groups that are open, outermost first */
  gsize *shared;   /* how many letters all names within have in common; G_MAXSIZE: not counted */
  guint *n_stages; /* so far */
  const char **numbers; /* of stages: "2", and "2.3" within it; NULL for others */
  ClassCounts classes;
} Namer;

/* The innermost group that the one beginning at @start is in. */
static guint
find_around (Namer *self, guint start)
{
  while (self->around->len > 0)
    {
      guint group = g_array_index (self->around, guint, self->around->len - 1);

      if (g_array_index (self->draft->ranges, SymGroupRange, group).end > start)
        return group;
      g_array_set_size (self->around, self->around->len - 1);
    }
  return self->draft->ranges->len;
}

/* Counts the letters that are shared all around, once for the groups within one. */
static gsize
get_shared (Namer *self, guint group)
{
  if (self->shared[group] == G_MAXSIZE)
    {
      const SymGroupRange *range = &g_array_index (self->draft->ranges, SymGroupRange, group);

      self->shared[group] = count_shared (self->draft, range->start, range->end);
    }
  return self->shared[group];
}

static const char *
number_stage (Namer *self, guint around)
{
  const char *outer = self->numbers[around];
  g_autofree char *text =
      g_strdup_printf ("%s%s%u", outer ? outer : "", outer ? "." : "", ++self->n_stages[around]);

  return g_string_chunk_insert_const (self->draft->names, text);
}

static void
name_group (Namer *self, guint group, const char **names_of_runs)
{
  SymGroupRange *range = &g_array_index (self->draft->ranges, SymGroupRange, group);
  guint around = find_around (self, range->start);

  if (range->kind == SYM_GROUP_STAGE)
    self->numbers[group] = number_stage (self, around);
  if (!range->name && range->run != SYM_NO_GROUP)
    range->name = names_of_runs[range->run];
  if (!range->name)
    {
      g_autofree char *text =
          range->kind == SYM_GROUP_STAGE
              ? name_stage (self->draft, range, self->numbers[group], &self->classes)
              : make_name (self->draft, range, get_shared (self, around));

      range->name = g_string_chunk_insert_const (self->draft->names, text);
    }
  if (range->run != SYM_NO_GROUP)
    names_of_runs[range->run] = range->name;
  g_array_append_val (self->around, group);
}

/* Equal groups are named by the first of them. */
void
sym_group_draft_name (SymGroupDraft *self)
{
  guint n = self->ranges->len;
  g_autofree const char **names_of_runs = g_new0 (const char *, self->n_runs + 1);
  g_autofree gsize *shared = g_new (gsize, n + 1);
  g_autofree guint *n_stages = g_new0 (guint, n + 1);
  g_autofree const char **numbers = g_new0 (const char *, n + 1);
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *class_counts = g_new0 (guint, self->n + 1);
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint));
  Namer namer = { self, around, shared, n_stages, numbers, { class_counts, firsts } };

  for (guint i = 0; i < n; i++)
    shared[i] = G_MAXSIZE;
  shared[n] = self->n > 0 ? count_shared (self, 0, self->n) : 0;
  for (guint i = 0; i < n; i++)
    name_group (&namer, i, names_of_runs);
}
