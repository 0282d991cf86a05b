/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include "core/sym-progress.h"

#include <string.h>

/* The work of ordering, counted in visits of edges; a sweep visits each a few times. */
#define WORK 12000000
#define MIN_SWEEPS 4
#define MAX_SWEEPS 48
#define MAX_STALLED 12

/* Exchanging neighbours compares their edges pairwise, which is for small stars only. */
#define MAX_PAIRS 256
#define MIN_HUB 6
#define MAX_EXCHANGE_ROUNDS 3

typedef struct {
  double key;
  guint position;
  guint node;
} Ranked;

typedef struct {
  SymLayering *layers;
  Ranked *ranked;  /* room for the widest rank */
  double *places;  /* room for the edges of any node */
  guint64 *counts; /* crossings below each rank, or UNKNOWN since an order has changed */
  guint *best;     /* the best order so far */
  guint64 n_best;
} Sorter;

#define UNKNOWN G_MAXUINT64

static void
set_positions (SymLayering *self, guint rank)
{
  for (guint i = self->rank_starts[rank]; i < self->rank_starts[rank + 1]; i++)
    self->positions[self->order[i]] = i - self->rank_starts[rank];
}

/* Puts what the node leads to on the stack, the first on top.  The bus of a node with many users
 * comes before these: rows of such users, one below the other, then all stand right of it. */
static gsize
push_lower (const SymLayering *self, guint node, const guint8 *is_placed, guint *stack, gsize n)
{
  guint start = self->down_starts[node];
  guint end = self->down_starts[node + 1];
  gboolean is_hub = end - start >= MIN_HUB;

  for (guint pass = 0; pass < 2; pass++)
    for (guint k = end; k-- > start;)
      {
        guint lower = self->edges[self->downs[k]].lower;
        gboolean is_late = is_hub && lower >= self->n_items;

        if (!is_placed[lower] && is_late == (pass == 1))
          stack[n++] = lower;
      }
  return n;
}

static guint64
get_crossings (Sorter *self, guint rank)
{
  if (rank + 1 >= self->layers->n_ranks)
    return 0;
  if (self->counts[rank] == UNKNOWN)
    self->counts[rank] = sym_layering_count_crossings (self->layers, rank);
  return self->counts[rank];
}

/* The order of the rank has changed. */
static void
forget_crossings (Sorter *self, guint rank)
{
  self->counts[rank] = UNKNOWN;
  if (rank > 0)
    self->counts[rank - 1] = UNKNOWN;
}

/* A start without surprises: depth first from the first item, over lines down and then up, so that
 * what belongs together stands together, trunks left of the buses beside them. */
static void
set_first_order (SymLayering *self)
{
  g_autofree guint *stack = g_new (guint, self->n_nodes + 2 * (gsize) self->n_edges);
  g_autofree guint8 *is_placed = g_new0 (guint8, self->n_nodes);
  g_autofree guint *n_placed = g_new0 (guint, self->n_ranks);

  for (guint i = 0; i < self->n_nodes; i++)
    {
      gsize n = 0;

      stack[n++] = i;
      while (n > 0)
        {
          guint node = stack[--n];
          guint rank = self->ranks[node];

          if (is_placed[node])
            continue;
          is_placed[node] = 1;
          self->order[self->rank_starts[rank] + n_placed[rank]++] = node;
          for (guint k = self->up_starts[node + 1]; k-- > self->up_starts[node];)
            if (!is_placed[self->edges[self->ups[k]].upper])
              stack[n++] = self->edges[self->ups[k]].upper;
          n = push_lower (self, node, is_placed, stack, n);
        }
    }
  for (guint rank = 0; rank < self->n_ranks; rank++)
    set_positions (self, rank);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Where the node's neighbours stand in the rank above, or below, sorted. */
static guint
collect_places (const SymLayering *self, guint node, gboolean above, double *places)
{
  const guint *starts = above ? self->up_starts : self->down_starts;
  guint n = 0;

  for (guint k = starts[node]; k < starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &self->edges[above ? self->ups[k] : self->downs[k]];

      places[n++] =
          above ? self->positions[edge->upper] + (double) edge->port : self->positions[edge->lower];
    }
  if (n == 2 && places[0] > places[1])
    {
      double swap = places[0];

      places[0] = places[1];
      places[1] = swap;
    }
  else if (n > 2)
    {
      qsort (places, n, sizeof *places, compare_doubles);
    }
  return n;
}

/* The median, weighed towards the side where the others stand closer together (Gansner et al., "A
 * technique for drawing directed graphs", 1993). */
static double
get_median (const double *places, guint n)
{
  guint middle = n / 2;
  double left;
  double right;

  if (n % 2 == 1)
    return places[middle];
  if (n == 2)
    return (places[0] + places[1]) / 2;
  left = places[middle - 1] - places[0];
  right = places[n - 1] - places[middle];
  if (left + right <= 0)
    return (places[middle - 1] + places[middle]) / 2;
  return (places[middle - 1] * right + places[middle] * left) / (left + right);
}

static double
get_mean (const double *places, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += places[i];
  return sum / n;
}

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a;
  const Ranked *y = b;

  if (x->key < y->key)
    return -1;
  if (x->key > y->key)
    return 1;
  return x->position < y->position ? -1 : x->position > y->position;
}

/* As compare_ranked, but equals change places, which lets a later sweep escape from a tie. */
static int
compare_ranked_flipped (const void *a, const void *b)
{
  const Ranked *x = a;
  const Ranked *y = b;

  if (x->key < y->key)
    return -1;
  if (x->key > y->key)
    return 1;
  return x->position > y->position ? -1 : x->position < y->position;
}

/* Sorts a rank by medians.  Nodes without neighbours on that side keep their positions. */
static void
sort_rank (Sorter *self, guint rank, gboolean above, gboolean flip, gboolean by_mean)
{
  SymLayering *layers = self->layers;
  guint start = layers->rank_starts[rank];
  guint end = layers->rank_starts[rank + 1];
  guint n = 0;
  guint next = 0;
  gboolean changed = FALSE;

  for (guint i = start; i < end; i++)
    {
      guint node = layers->order[i];
      guint n_places = collect_places (layers, node, above, self->places);

      if (n_places > 0)
        self->ranked[n++] = (Ranked){ by_mean ? get_mean (self->places, n_places)
                                              : get_median (self->places, n_places),
                                      i, node };
    }
  qsort (self->ranked, n, sizeof *self->ranked, flip ? compare_ranked_flipped : compare_ranked);
  for (guint i = start; i < end; i++)
    {
      const guint *starts = above ? layers->up_starts : layers->down_starts;
      guint node = layers->order[i];

      if (starts[node + 1] > starts[node])
        layers->order[i] = self->ranked[next++].node;
      changed = changed || layers->order[i] != node;
    }
  if (!changed)
    return;
  set_positions (layers, rank);
  forget_crossings (self, rank);
}

/* By how much crossings would drop if the two neighbours changed places, on one side. */
static gint64
get_gain (Sorter *self, guint left, guint right, gboolean above)
{
  const SymLayering *layers = self->layers;
  const guint *starts = above ? layers->up_starts : layers->down_starts;
  guint n_left = starts[left + 1] - starts[left];
  guint n_right = starts[right + 1] - starts[right];
  gint64 gain = 0;

  if ((guint64) n_left * n_right > MAX_PAIRS)
    return 0;
  collect_places (layers, left, above, self->places);
  collect_places (layers, right, above, self->places + n_left);
  for (guint i = 0; i < n_left; i++)
    for (guint k = 0; k < n_right; k++)
      gain += (self->places[i] > self->places[n_left + k]) -
              (self->places[i] < self->places[n_left + k]);
  return gain;
}

static void
exchange_neighbours (Sorter *self, guint rank)
{
  SymLayering *layers = self->layers;
  gboolean changed = TRUE;

  /* Where nothing crosses there is nothing to gain. */
  if (get_crossings (self, rank) == 0 && (rank == 0 || get_crossings (self, rank - 1) == 0))
    return;
  for (guint round = 0; changed && round < MAX_EXCHANGE_ROUNDS; round++)
    {
      changed = FALSE;
      for (guint i = layers->rank_starts[rank]; i + 1 < layers->rank_starts[rank + 1]; i++)
        {
          guint left = layers->order[i];
          guint right = layers->order[i + 1];

          if (get_gain (self, left, right, TRUE) + get_gain (self, left, right, FALSE) <= 0)
            continue;
          layers->order[i] = right;
          layers->order[i + 1] = left;
          layers->positions[right]--;
          layers->positions[left]++;
          changed = TRUE;
        }
      if (changed)
        forget_crossings (self, rank);
    }
}

static void
sweep (Sorter *self, gboolean down, gboolean flip, gboolean by_mean)
{
  guint n_ranks = self->layers->n_ranks;

  for (guint i = 1; i < n_ranks; i++)
    sort_rank (self, down ? i : n_ranks - 1 - i, down, flip, by_mean);
  for (guint rank = 0; rank < n_ranks; rank++)
    exchange_neighbours (self, rank);
}

static guint64
count_all_crossings (Sorter *self)
{
  guint64 sum = 0;

  for (guint rank = 0; rank + 1 < self->layers->n_ranks; rank++)
    sum += get_crossings (self, rank);
  return sum;
}

/* Returns whether the order is better than the best so far. */
static gboolean
keep_if_better (Sorter *self)
{
  guint64 n = count_all_crossings (self);

  if (n >= self->n_best)
    return FALSE;
  self->n_best = n;
  memcpy (self->best, self->layers->order, self->layers->n_nodes * sizeof (guint));
  return TRUE;
}

static gboolean
run_sweeps (Sorter *self, guint n_sweeps, GCancellable *cancellable)
{
  guint n_stalled = 0;

  for (guint i = 0; i < n_sweeps && n_stalled < MAX_STALLED && self->n_best > 0; i++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      sym_progress_tell (cancellable, i, n_sweeps);
      sweep (self, i % 2 == 0, i % 4 >= 2, i % 8 >= 4);
      n_stalled = keep_if_better (self) ? 0 : n_stalled + 1;
    }
  return TRUE;
}

static guint
get_widest (const SymLayering *self)
{
  guint widest = 0;

  for (guint rank = 0; rank < self->n_ranks; rank++)
    widest = MAX (widest, self->rank_starts[rank + 1] - self->rank_starts[rank]);
  return widest;
}

gboolean
sym_layering_sort (SymLayering *self, GCancellable *cancellable)
{
  guint n_sweeps = CLAMP (WORK / (8 * (self->n_edges + 1)), MIN_SWEEPS, MAX_SWEEPS);
  Sorter sorter = { .layers = self, .n_best = G_MAXUINT64 };
  gboolean done;

  set_first_order (self);
  sorter.ranked = g_new (Ranked, get_widest (self));
  sorter.places = g_new (double, 2 * (gsize) self->n_edges + 1);
  sorter.best = g_new (guint, self->n_nodes);
  sorter.counts = g_new (guint64, self->n_ranks);
  for (guint rank = 0; rank < self->n_ranks; rank++)
    sorter.counts[rank] = UNKNOWN;
  keep_if_better (&sorter);
  done = run_sweeps (&sorter, n_sweeps, cancellable);
  memcpy (self->order, sorter.best, self->n_nodes * sizeof (guint));
  for (guint rank = 0; rank < self->n_ranks; rank++)
    set_positions (self, rank);
  g_free (sorter.ranked);
  g_free (sorter.places);
  g_free (sorter.counts);
  g_free (sorter.best);
  return done;
}
