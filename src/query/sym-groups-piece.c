/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-piece-private.h"

/* Equal pieces are looked for in sequences of tokens: the calls and groups that lie directly in one
 * container, by their order.  Parts that repeat are candidates, the largest first; each is cut
 * where it is natural and held to what makes pieces equal.  What is found in one copy holds in the
 * others. */

/* A candidate whose good part is smaller than this, in percent, waits for others. */
#define MIN_YIELD 75

/* Tokens of one container, or of one of several equal pieces.  @deltas (of guint) are the
 * distances, in calls, from it to all of its copies, itself first. */
typedef struct {
  GArray *tokens;
  guint from, to;
  GArray *deltas;
} Region;

typedef struct {
  SymGroupDraft *draft;
  SymGroupMatcher *matcher;
  SymGroupTokens *tokens;
  GArray *regions; /* still to be searched */
} Finder;

typedef struct {
  guint start, end, period;
  guint n_calls;
  gboolean is_late;
} Candidate;

static void
push (Finder *self, GArray *tokens, guint from, guint to, GArray *deltas)
{
  Region region = { g_array_ref (tokens), from, to, g_array_ref (deltas) };

  g_array_append_val (self->regions, region);
}

static void
push_group (Finder *self, guint group, GArray *deltas)
{
  g_autoptr (GArray) tokens = sym_group_tokens_list (self->tokens, group);

  push (self, tokens, 0, tokens->len, deltas);
}

/* ---- Candidates ---- */

static int
compare_candidates (gconstpointer first, gconstpointer second)
{
  const Candidate *a = first;
  const Candidate *b = second;

  if (a->n_calls != b->n_calls)
    return a->n_calls > b->n_calls ? -1 : 1;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return a->period < b->period ? -1 : a->period > b->period;
}

static guint
count_calls (const SymGroupToken *tokens, guint start, guint end)
{
  return end == start ? 0 : tokens[end - 1].start + tokens[end - 1].n_calls - tokens[start].start;
}

static GArray *
list_candidates (const SymGroupToken *tokens, guint n)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autofree guint *labels = g_new (guint, n + 1);
  g_autoptr (GArray) repeats = NULL;

  for (guint i = 0; i < n; i++)
    labels[i] = tokens[i].label;
  repeats = sym_find_repeats (labels, n);
  for (guint i = 0; i < repeats->len; i++)
    {
      const SymRepeat *repeat = &g_array_index (repeats, SymRepeat, i);
      Candidate candidate = { repeat->start, repeat->end, repeat->period,
                              count_calls (tokens, repeat->start, repeat->end), FALSE };

      g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

/* Makes it the longest part that is still free. */
static void
clip (Candidate *self, const guint8 *is_taken)
{
  guint start = self->start;
  guint best_start = start;
  guint best_end = start;

  for (guint i = self->start; i <= self->end; i++)
    {
      if (i < self->end && !is_taken[i])
        continue;
      if (i - start > best_end - best_start)
        {
          best_start = start;
          best_end = i;
        }
      start = i + 1;
    }
  self->start = best_start;
  self->end = best_end;
}

/* ---- Runs ---- */

static GArray *
extend_deltas (const GArray *deltas, guint step, guint n)
{
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (guint), deltas->len * n);

  for (guint i = 0; i < deltas->len; i++)
    for (guint k = 0; k < n; k++)
      {
        guint delta = g_array_index (deltas, guint, i) + k * step;

        g_array_append_val (all, delta);
      }
  return all;
}

static void
add_run (Finder *self, const Region *region, const SymGroupPieces *pieces)
{
  const SymGroupToken *first = &g_array_index (region->tokens, SymGroupToken, pieces->token);
  g_autoptr (GArray) deltas = NULL;

  for (guint i = 0; i < region->deltas->len; i++)
    {
      guint start = first->start + g_array_index (region->deltas, guint, i);

      for (guint k = 0; k < pieces->n; k++, start += pieces->n_calls)
        sym_group_draft_add (self->draft, start, start + pieces->n_calls, pieces->kind, NULL,
                             self->draft->n_runs);
      self->draft->n_runs++;
    }
  if (pieces->n_calls < 2)
    return;
  deltas = extend_deltas (region->deltas, pieces->n_calls, pieces->n);
  if (pieces->period == 1)
    push_group (self, first->group, deltas);
  else
    push (self, region->tokens, pieces->token, pieces->token + pieces->period, deltas);
}

/* Takes what is good of a candidate; FALSE when that is so little that others should come first. */
static gboolean
take (Finder *self, const Region *region, Candidate *candidate, guint8 *is_taken)
{
  const SymGroupToken *tokens = &g_array_index (region->tokens, SymGroupToken, region->from);
  g_autoptr (GArray) found = NULL;
  guint n_calls = 0;

  clip (candidate, is_taken);
  if (candidate->end - candidate->start < 2 * candidate->period)
    return TRUE;
  found = sym_group_find_pieces (self->draft, self->matcher, tokens, candidate->start,
                                 candidate->end, candidate->period);
  for (guint i = 0; i < found->len; i++)
    {
      const SymGroupPieces *pieces = &g_array_index (found, SymGroupPieces, i);

      n_calls += pieces->n * pieces->n_calls;
    }
  if (!candidate->is_late && 100 * (guint64) n_calls < MIN_YIELD * (guint64) candidate->n_calls)
    {
      candidate->n_calls = n_calls;
      return n_calls == 0;
    }
  for (guint i = 0; i < found->len; i++)
    {
      SymGroupPieces pieces = g_array_index (found, SymGroupPieces, i);

      for (guint k = 0; k < pieces.n * pieces.period; k++)
        is_taken[pieces.token + k] = 1;
      pieces.token += region->from;
      add_run (self, region, &pieces);
    }
  return TRUE;
}

static void
search (Finder *self, const Region *region)
{
  const SymGroupToken *tokens = &g_array_index (region->tokens, SymGroupToken, region->from);
  guint n = region->to - region->from;
  g_autofree guint8 *is_taken = g_new0 (guint8, n + 1);
  g_autoptr (GArray) candidates = list_candidates (tokens, n);
  g_autoptr (GArray) late = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < candidates->len; i++)
    {
      Candidate *candidate = &g_array_index (candidates, Candidate, i);

      if (!take (self, region, candidate, is_taken))
        {
          candidate->is_late = TRUE;
          g_array_append_val (late, *candidate);
        }
    }
  g_array_sort (late, compare_candidates);
  for (guint i = 0; i < late->len; i++)
    take (self, region, &g_array_index (late, Candidate, i), is_taken);
  for (guint i = 0; i < n; i++)
    if (!is_taken[i] && tokens[i].group != SYM_NO_GROUP)
      push_group (self, tokens[i].group, region->deltas);
}

void
sym_group_draft_find_pieces (SymGroupDraft *draft)
{
  g_autoptr (SymGroupMatcher) matcher = sym_group_matcher_new (draft);
  g_autoptr (SymGroupTokens) tokens = sym_group_tokens_new (draft);
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (Region));
  g_autoptr (GArray) itself = g_array_new (FALSE, TRUE, sizeof (guint));
  Finder finder = { draft, matcher, tokens, regions };

  g_array_set_size (itself, 1);
  push_group (&finder, SYM_NO_GROUP, itself);
  while (regions->len > 0)
    {
      Region region = g_array_index (regions, Region, regions->len - 1);

      g_array_set_size (regions, regions->len - 1);
      if (region.to > region.from && !g_cancellable_is_cancelled (draft->cancellable))
        search (&finder, &region);
      g_array_unref (region.tokens);
      g_array_unref (region.deltas);
    }
}
