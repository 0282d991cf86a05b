/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-piece-private.h"

struct _SymGroupTokens {
  const SymGroupDraft *draft;
  guint *child_starts; /* by group, and one more for the top: its children within @children */
  guint *children;
  guint *labels; /* by group */
  guint n_lists;
  guint *listed; /* by label: the last list that has it, from 1 */
};

/* The top comes after all groups. */
static guint
get_index (const SymGroupTokens *self, guint group)
{
  return group == SYM_NO_GROUP ? self->draft->ranges->len : group;
}

static const SymGroupRange *
get_range (const SymGroupTokens *self, guint group)
{
  return &g_array_index (self->draft->ranges, SymGroupRange, group);
}

static guint *
find_parents (const SymGroupTokens *self)
{
  guint n = self->draft->ranges->len;
  guint *parents = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    {
      guint parent = i > 0 ? i - 1 : SYM_NO_GROUP;

      while (parent != SYM_NO_GROUP && get_range (self, parent)->end <= get_range (self, i)->start)
        parent = parents[parent];
      parents[i] = parent;
    }
  return parents;
}

static void
list_children (SymGroupTokens *self)
{
  guint n = self->draft->ranges->len;
  g_autofree guint *parents = find_parents (self);
  g_autofree guint *next = g_new (guint, n + 2);

  self->child_starts = g_new0 (guint, n + 2);
  self->children = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->child_starts[get_index (self, parents[i]) + 1]++;
  for (guint i = 0; i <= n; i++)
    self->child_starts[i + 1] += self->child_starts[i];
  for (guint i = 0; i <= n; i++)
    next[i] = self->child_starts[i];
  for (guint i = 0; i < n; i++)
    self->children[next[get_index (self, parents[i])]++] = i;
}

static guint
hash_labels (gconstpointer key)
{
  const GArray *labels = key;
  guint hash = labels->len;

  for (guint i = 0; i < labels->len; i++)
    hash = hash * 31 + g_array_index (labels, guint, i);
  return hash;
}

static gboolean
has_equal_labels (gconstpointer a, gconstpointer b)
{
  const GArray *first = a;
  const GArray *second = b;

  if (first->len != second->len)
    return FALSE;
  for (guint i = 0; i < first->len; i++)
    if (g_array_index (first, guint, i) != g_array_index (second, guint, i))
      return FALSE;
  return TRUE;
}

/* A group's label is numbered by those of its tokens.  Groups within a group come after it. */
static void
label_groups (SymGroupTokens *self)
{
  g_autoptr (GHashTable) table =
      g_hash_table_new_full (hash_labels, has_equal_labels, (GDestroyNotify) g_array_unref, NULL);

  self->labels = g_new (guint, self->draft->ranges->len + 1);
  for (guint i = self->draft->ranges->len; i-- > 0;)
    {
      g_autoptr (GArray) tokens = sym_group_tokens_list (self, i);
      GArray *labels = g_array_sized_new (FALSE, FALSE, sizeof (guint), tokens->len);
      gpointer found;

      for (guint k = 0; k < tokens->len; k++)
        g_array_append_val (labels, g_array_index (tokens, SymGroupToken, k).label);
      found = g_hash_table_lookup (table, labels);
      if (found)
        g_array_unref (labels);
      else
        {
          found = GUINT_TO_POINTER (g_hash_table_size (table) + 1);
          g_hash_table_insert (table, labels, found);
        }
      self->labels[i] = self->draft->n + GPOINTER_TO_UINT (found);
    }
}

SymGroupTokens *
sym_group_tokens_new (const SymGroupDraft *draft)
{
  SymGroupTokens *self = g_new0 (SymGroupTokens, 1);

  self->draft = draft;
  self->listed = g_new0 (guint, draft->n + draft->ranges->len + 2);
  list_children (self);
  label_groups (self);
  return self;
}

void
sym_group_tokens_free (SymGroupTokens *self)
{
  g_free (self->child_starts);
  g_free (self->children);
  g_free (self->labels);
  g_free (self->listed);
  g_free (self);
}

GArray *
sym_group_tokens_list (SymGroupTokens *self, guint group)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (SymGroupToken));
  guint child = self->child_starts[get_index (self, group)];
  guint last = self->child_starts[get_index (self, group) + 1];
  guint position = group == SYM_NO_GROUP ? 0 : get_range (self, group)->start;
  guint end = group == SYM_NO_GROUP ? self->draft->n : get_range (self, group)->end;

  self->n_lists++;
  while (position < end)
    {
      SymGroupToken token = { position, 1, self->draft->classes[position], SYM_NO_GROUP, FALSE };

      if (child < last && get_range (self, self->children[child])->start == position)
        {
          token.group = self->children[child++];
          token.n_calls = get_range (self, token.group)->end - position;
          token.label = self->labels[token.group];
        }
      token.is_new = self->listed[token.label] != self->n_lists;
      self->listed[token.label] = self->n_lists;
      position += token.n_calls;
      g_array_append_val (tokens, token);
    }
  return tokens;
}
