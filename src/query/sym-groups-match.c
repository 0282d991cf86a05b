/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

/* What stands for a value or call in one comparison; of another one when @turn is not the
 * matcher's. */
typedef struct {
  guint turn;
  guint other;
} Mark;

struct _SymGroupMatcher {
  const SymGroupDraft *draft;
  guint turn;
  Mark *forward;  /* by value: what the second range has in its place */
  Mark *backward; /* by value: what the first range has in its place */
  Mark *calls;    /* by call, and by value after these */
  guint *roots;   /* by position: a forest that joins connected calls */
};

SymGroupMatcher *
sym_group_matcher_new (const SymGroupDraft *draft)
{
  SymGroupMatcher *self = g_new0 (SymGroupMatcher, 1);
  guint n_values = sym_model_get_n_values (draft->model);

  self->draft = draft;
  self->forward = g_new0 (Mark, n_values + 1);
  self->backward = g_new0 (Mark, n_values + 1);
  self->calls = g_new0 (Mark, sym_model_get_n_calls (draft->model) + n_values + 1);
  self->roots = g_new0 (guint, draft->n + 1);
  return self;
}

void
sym_group_matcher_free (SymGroupMatcher *self)
{
  g_free (self->forward);
  g_free (self->backward);
  g_free (self->calls);
  g_free (self->roots);
  g_free (self);
}

static gboolean
is_within (guint position, guint start, guint n)
{
  return position >= start && position - start < n;
}

static gboolean
is_data (const SymGroupDraft *draft, const SymGroupUse *use)
{
  return use->source < draft->n || use->source == SYM_GROUP_USE_INPUT;
}

/* ---- Equality ---- */

/* Joins two values from outside, each of which may stand for one other only. */
static gboolean
join_values (SymGroupMatcher *self, SymId a, SymId b)
{
  Mark *forward = &self->forward[a];
  Mark *backward = &self->backward[b];

  if (forward->turn != self->turn && backward->turn != self->turn)
    {
      *forward = (Mark){ self->turn, b };
      *backward = (Mark){ self->turn, a };
      return TRUE;
    }
  return forward->turn == self->turn && forward->other == b && backward->turn == self->turn;
}

static gboolean
is_equal_inner (const SymGroupUse *a, guint start_a, const SymGroupUse *b, guint start_b)
{
  return a->source - start_a == b->source - start_b && a->output == b->output;
}

static gboolean
is_equal_use (SymGroupMatcher *self,
              const SymGroupUse *a,
              guint start_a,
              const SymGroupUse *b,
              guint start_b,
              guint n)
{
  gboolean inner = is_within (a->source, start_a, n);

  if (inner != is_within (b->source, start_b, n) ||
      is_data (self->draft, a) != is_data (self->draft, b))
    return FALSE;
  if (inner)
    return is_equal_inner (a, start_a, b, start_b);
  if (!is_data (self->draft, a))
    return a->source == b->source;
  return join_values (self, a->value, b->value);
}

/* Skips neighbouring operands from outside but for the last. */
static guint
skip_outside (const SymGroupDraft *draft, guint use, guint end, guint start, guint n)
{
  while (use + 1 < end && is_data (draft, &draft->uses[use]) &&
         is_data (draft, &draft->uses[use + 1]) && !is_within (draft->uses[use].source, start, n) &&
         !is_within (draft->uses[use + 1].source, start, n))
    use++;
  return use;
}

/* A call that takes any number of operands, as DenseNet's Concat, takes more of them from outside
 * in each copy: one then stands for all that are neighbours. */
static gboolean
has_equal_lists (SymGroupMatcher *self, guint a, guint start_a, guint b, guint start_b, guint n)
{
  const SymGroupDraft *draft = self->draft;
  guint i = draft->use_starts[a];
  guint k = draft->use_starts[b];

  for (; i < draft->use_starts[a + 1] && k < draft->use_starts[b + 1]; i++, k++)
    {
      const SymGroupUse *of_a, *of_b;

      i = skip_outside (draft, i, draft->use_starts[a + 1], start_a, n);
      k = skip_outside (draft, k, draft->use_starts[b + 1], start_b, n);
      of_a = &draft->uses[i];
      of_b = &draft->uses[k];
      if (is_data (draft, of_a) != is_data (draft, of_b) ||
          is_within (of_a->source, start_a, n) != is_within (of_b->source, start_b, n) ||
          (is_within (of_a->source, start_a, n) && !is_equal_inner (of_a, start_a, of_b, start_b)))
        return FALSE;
    }
  return i == draft->use_starts[a + 1] && k == draft->use_starts[b + 1];
}

static gboolean
has_equal_uses (SymGroupMatcher *self, guint a, guint start_a, guint b, guint start_b, guint n)
{
  const SymGroupDraft *draft = self->draft;
  guint first_a = draft->use_starts[a];
  guint first_b = draft->use_starts[b];
  guint n_uses = draft->use_starts[a + 1] - first_a;

  if (draft->is_variadic[a])
    return has_equal_lists (self, a, start_a, b, start_b, n);
  if (draft->use_starts[b + 1] - first_b != n_uses)
    return FALSE;
  for (guint i = 0; i < n_uses; i++)
    if (!is_equal_use (self, &draft->uses[first_a + i], start_a, &draft->uses[first_b + i], start_b,
                       n))
      return FALSE;
  return TRUE;
}

gboolean
sym_group_matcher_is_equal (SymGroupMatcher *self, guint a, guint b, guint n)
{
  self->turn++;
  for (guint i = 0; i < n; i++)
    if (self->draft->classes[a + i] != self->draft->classes[b + i] ||
        !has_equal_uses (self, a + i, a, b + i, b, n))
      return FALSE;
  return TRUE;
}

/* ---- What joins calls ---- */

static guint
find_root (guint *roots, guint i)
{
  while (roots[i] != i)
    {
      roots[i] = roots[roots[i]];
      i = roots[i];
    }
  return i;
}

gboolean
sym_group_matcher_is_connected (SymGroupMatcher *self, guint start, guint n)
{
  const SymGroupDraft *draft = self->draft;
  guint n_parts = n;

  for (guint i = start; i < start + n; i++)
    self->roots[i] = i;
  for (guint i = start; i < start + n; i++)
    for (guint k = draft->use_starts[i]; k < draft->use_starts[i + 1]; k++)
      {
        guint a, b;

        if (!is_within (draft->uses[k].source, start, n))
          continue;
        a = find_root (self->roots, i);
        b = find_root (self->roots, draft->uses[k].source);
        n_parts -= a != b;
        self->roots[a] = b;
      }
  return n_parts <= 1;
}

gboolean
sym_group_matcher_follows (const SymGroupMatcher *self, guint start, guint next, guint n)
{
  const SymGroupDraft *draft = self->draft;

  for (guint i = draft->use_starts[next]; i < draft->use_starts[next + n]; i++)
    if (is_within (draft->uses[i].source, start, n))
      return TRUE;
  return FALSE;
}

/* Calls that use results of a range from outside of it, one entry per use. */
static void
list_targets (const SymGroupDraft *draft, guint start, guint n, GArray *list)
{
  for (guint i = start; i < start + n; i++)
    {
      SymIds results = sym_model_get_results (draft->model, draft->order[i]);

      for (guint k = 0; k < results.n; k++)
        {
          SymIds users = sym_model_get_consumers (draft->model, results.ids[k]);

          for (guint u = 0; u < users.n; u++)
            if (!is_within (draft->positions[users.ids[u]], start, n))
              g_array_append_val (list, users.ids[u]);
        }
    }
}

/* What data comes from: calls, and inputs, which are numbered after all calls. */
static void
list_sources (const SymGroupDraft *draft, guint start, guint n, GArray *list)
{
  for (guint i = draft->use_starts[start]; i < draft->use_starts[start + n]; i++)
    {
      const SymGroupUse *use = &draft->uses[i];
      guint source = sym_model_get_n_calls (draft->model) + use->value;

      if (!is_data (draft, use) || is_within (use->source, start, n))
        continue;
      if (use->source < draft->n)
        source = draft->order[use->source];
      g_array_append_val (list, source);
    }
}

static gboolean
is_same_set (SymGroupMatcher *self, const GArray *a, const GArray *b)
{
  guint n_left = 0;

  self->turn++;
  for (guint i = 0; i < a->len; i++)
    {
      Mark *mark = &self->calls[g_array_index (a, guint, i)];

      n_left += mark->turn != self->turn;
      *mark = (Mark){ self->turn, 0 };
    }
  for (guint i = 0; i < b->len; i++)
    {
      Mark *mark = &self->calls[g_array_index (b, guint, i)];

      if (mark->turn != self->turn)
        return FALSE;
      n_left -= mark->other == 0;
      mark->other = 1;
    }
  return n_left == 0;
}

gboolean
sym_group_matcher_is_beside (SymGroupMatcher *self, guint a, guint b, guint n)
{
  g_autoptr (GArray) of_a = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) of_b = g_array_new (FALSE, FALSE, sizeof (guint));

  list_targets (self->draft, a, n, of_a);
  list_targets (self->draft, b, n, of_b);
  if (of_a->len > 0 || of_b->len > 0)
    return is_same_set (self, of_a, of_b);
  list_sources (self->draft, a, n, of_a);
  list_sources (self->draft, b, n, of_b);
  return of_a->len > 0 && is_same_set (self, of_a, of_b);
}
