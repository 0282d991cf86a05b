/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-piece-private.h"

/* How many ways to cut are tried in full. */
#define MAX_PHASES 4

/* How many periods a piece may have: the layers of an unrolled recurrent net, of equal cells. */
#define MAX_MULTIPLE 8

/* What is worth folding: so many calls in all, and three pieces of this few calls. */
#define MIN_CALLS 8
#define FEW_CALLS 4

/* One way to cut: where the first piece begins, and how many whole ones there are. */
typedef struct {
  guint offset;
  guint n;
  double cost;   /* values that cross a cut, on average */
  double weight; /* uses that do */
  gboolean is_new;
} Phase;

typedef struct {
  const SymGroupDraft *draft;
  SymGroupMatcher *matcher;
  const SymGroupToken *tokens;
  guint start, end, period;
} Cutter;

/* ---- Where to cut ---- */

/* A block begins and ends where few values cross: behind a residual sum, not between its operands.
 * Of these places the best is where a value is used more than once, as the input of a residual
 * block is. A cut that loses a piece must save a value.  In a plain chain pieces begin where it
 * changes. */
static Phase
weigh (const Cutter *self, guint offset, guint most)
{
  Phase phase = { offset, (self->end - self->start - offset) / self->period, 0, 0,
                  self->tokens[self->start + offset].is_new };

  for (guint i = 1; i < phase.n; i++)
    {
      guint position = self->tokens[self->start + offset + i * self->period].start;

      phase.cost += self->draft->n_crossing_values[position];
      phase.weight += self->draft->n_crossing_uses[position];
    }
  if (phase.n > 1)
    {
      phase.cost = phase.cost / (phase.n - 1) + (most - phase.n);
      phase.weight /= phase.n - 1;
    }
  return phase;
}

static gboolean
is_better (const Phase *a, const Phase *b)
{
  if (a->cost < b->cost || a->cost > b->cost)
    return a->cost < b->cost;
  if (a->weight < b->weight || a->weight > b->weight)
    return a->weight > b->weight;
  return a->n != b->n ? a->n > b->n : a->is_new && !b->is_new;
}

/* Fills in the best phases, best first, and returns how many there are. */
static guint
find_phases (const Cutter *self, Phase *phases)
{
  guint most = (self->end - self->start) / self->period;
  guint n = 0;

  for (guint i = 0; i < self->period && (self->end - self->start - i) / self->period >= 2; i++)
    {
      Phase phase = weigh (self, i, most);
      guint k = n;

      while (k > 0 && is_better (&phase, &phases[k - 1]))
        k--;
      if (k == MAX_PHASES)
        continue;
      n = MIN (n + 1, MAX_PHASES);
      for (guint m = n - 1; m > k; m--)
        phases[m] = phases[m - 1];
      phases[k] = phase;
    }
  return n;
}

/* ---- What is a run ---- */

static gboolean
is_worth (const SymGroupPieces *pieces, gboolean is_scope)
{
  if (pieces->kind == SYM_GROUP_BRANCH)
    return pieces->n >= 3;
  if (is_scope)
    return pieces->n >= 2;
  return pieces->n_calls >= 2 && pieces->n >= (pieces->n_calls > FEW_CALLS ? 2 : 3) &&
         pieces->n * pieces->n_calls >= MIN_CALLS;
}

/* How the piece at @next comes after the one at @last, if it does and equals the one at @first. */
static gboolean
find_kind (const Cutter *self, guint first, guint last, guint next, guint n, SymGroupKind *kind)
{
  if (!sym_group_matcher_is_equal (self->matcher, first, next, n))
    return FALSE;
  *kind = SYM_GROUP_PIECE;
  if (sym_group_matcher_follows (self->matcher, last, next, n))
    return TRUE;
  *kind = SYM_GROUP_BRANCH;
  return sym_group_matcher_is_beside (self->matcher, first, next, n);
}

/* Lists runs of pieces that are equal to the first of them and come after each other in one way. */
static GArray *
list_runs (const Cutter *self, const Phase *phase)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (SymGroupPieces));
  const SymGroupToken *tokens = &self->tokens[self->start + phase->offset];
  guint n_calls = tokens[self->period].start - tokens[0].start;
  gboolean is_scope = self->period == 1 && tokens[0].group != SYM_NO_GROUP;

  for (guint i = 0; i < phase->n;)
    {
      guint first = tokens[i * self->period].start;
      SymGroupPieces run = { self->start + phase->offset + i * self->period, self->period, 1,
                             n_calls, SYM_GROUP_PIECE };

      if (is_scope || sym_group_matcher_is_connected (self->matcher, first, n_calls))
        for (; i + run.n < phase->n; run.n++)
          {
            guint next = tokens[(i + run.n) * self->period].start;
            SymGroupKind kind;

            if (!find_kind (self, first, next - n_calls, next, n_calls, &kind) ||
                (run.n > 1 && kind != run.kind))
              break;
            run.kind = kind;
          }
      if (is_worth (&run, is_scope))
        g_array_append_val (runs, run);
      i += run.n;
    }
  return runs;
}

static guint
count_calls (const GArray *runs)
{
  guint n = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const SymGroupPieces *run = &g_array_index (runs, SymGroupPieces, i);

      n += run->n * run->n_calls;
    }
  return n;
}

/* Whether @a is better than @b: more is in runs, by far, or about as much in fewer. */
static gboolean
has_better_runs (const GArray *a, const GArray *b)
{
  guint64 of_a = count_calls (a);
  guint64 of_b = count_calls (b);

  if (of_a * 10 < of_b * 9 || of_b * 10 < of_a * 9)
    return of_a > of_b;
  return a->len != b->len ? a->len < b->len : of_a > of_b;
}

static void
keep_better (GArray **best, GArray *take_runs)
{
  if (*best && !has_better_runs (take_runs, *best))
    {
      g_array_unref (take_runs);
      return;
    }
  g_clear_pointer (best, g_array_unref);
  *best = take_runs;
}

GArray *
sym_group_find_pieces (const SymGroupDraft *draft,
                       SymGroupMatcher *matcher,
                       const SymGroupToken *tokens,
                       guint start,
                       guint end,
                       guint period)
{
  Cutter self = { draft, matcher, tokens, start, end, period };
  guint n_calls = tokens[end - 1].start + tokens[end - 1].n_calls - tokens[start].start;
  GArray *best = NULL;

  for (guint i = 1; i <= MAX_MULTIPLE && end - start >= 2 * i * period; i++)
    {
      Phase phases[MAX_PHASES];
      guint n;

      if (best && best->len > 0 && g_array_index (best, SymGroupPieces, 0).kind == SYM_GROUP_BRANCH)
        break;
      self.period = i * period;
      n = find_phases (&self, phases);
      for (guint k = 0; k < n; k++)
        {
          keep_better (&best, list_runs (&self, &phases[k]));
          if (best->len == 1 && count_calls (best) > n_calls - n_calls / phases[k].n)
            return best;
        }
    }
  return best;
}
