/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

/* Where an edge of the rank leaves above and arrives below. */
typedef struct {
  double from;
  guint to;
} Crossing;

static int
compare_crossings (const void *a, const void *b)
{
  const Crossing *x = a;
  const Crossing *y = b;

  if (x->from < y->from)
    return -1;
  if (x->from > y->from)
    return 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static guint
count_edges (const SymLayering *self, guint rank)
{
  guint n = 0;

  for (guint i = self->rank_starts[rank]; i < self->rank_starts[rank + 1]; i++)
    n += self->down_starts[self->order[i] + 1] - self->down_starts[self->order[i]];
  return n;
}

static void
collect (const SymLayering *self, guint rank, Crossing *crossings)
{
  guint n = 0;

  for (guint i = self->rank_starts[rank]; i < self->rank_starts[rank + 1]; i++)
    {
      guint node = self->order[i];
      guint first = n;

      for (guint k = self->down_starts[node]; k < self->down_starts[node + 1]; k++)
        {
          const SymLayerEdge *edge = &self->edges[self->downs[k]];

          crossings[n++] = (Crossing){ self->positions[node] + (double) edge->port,
                                       self->positions[edge->lower] };
        }
      if (n - first > 1)
        qsort (crossings + first, n - first, sizeof *crossings, compare_crossings);
    }
}

/* Counts inversions with a tree of sums over the positions below (Barth, Mutzel and Jünger, "Simple
 * and efficient bilayer cross counting", 2004): n log n for n edges. */
guint64
sym_layering_count_crossings (const SymLayering *self, guint rank)
{
  guint n_edges = count_edges (self, rank);
  guint n_below = self->rank_starts[rank + 2] - self->rank_starts[rank + 1];
  g_autofree Crossing *crossings = NULL;
  g_autofree guint *sums = NULL;
  guint64 n = 0;

  if (n_edges < 2 || n_below < 2)
    return 0;
  crossings = g_new (Crossing, n_edges);
  sums = g_new0 (guint, n_below + 1);
  collect (self, rank, crossings);
  for (guint i = 0; i < n_edges; i++)
    {
      guint before = 0;

      /* Edges so far that arrive at or left of this one; the others cross it. */
      for (guint k = crossings[i].to + 1; k > 0; k -= k & -k)
        before += sums[k];
      n += i - before;
      for (guint k = crossings[i].to + 1; k <= n_below; k += k & -k)
        sums[k]++;
    }
  return n;
}
