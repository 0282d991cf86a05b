/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>
#include <string.h>

/* Where everything crosses everything, long straight lines push the rest far apart: one may have to
 * stand right of what is left of another, farther up, and so on.  A drawing of lines that lean is
 * much narrower then.  This finds places without regard to straightness, close to the least sum of
 * squares of the ways sideways: rank after rank, each node goes to the mean of what it is joined
 * to, in order and at their distances. */

#define N_SWEEPS 32

/* All are drawn a little to the middle of the drawing, against drifting. */
#define CENTRE_WEIGHT 2.0

/* Trunks and buses should stay nearly straight here, too, and not give way to the many lines of a
 * row beside them, or rows would form a staircase. */
#define LINE_WEIGHT 6.0

/* Drawings broader than this many times their broadest rank are to lean. */
#define TOO_BROAD 2.0

/* Rows of branches that stand below each other are broad because of what stands beside them: lines
 * that lean would bend from row to row.  So many times may bends grow by more than the drawing
 * shrinks. */
#define MAX_BENT 2.0
#define BEND 0.5

/* Neighbours that stand side by side, as one. */
typedef struct {
  double sum; /* of weights times wishes */
  double weight;
  guint n;
} Pool;

static double
get_weight (const SymLayering *layers, const SymLayerEdge *edge)
{
  gboolean is_bus = edge->upper >= layers->n_items && edge->lower >= layers->n_items;
  guint n_downs = layers->down_starts[edge->upper + 1] - layers->down_starts[edge->upper];
  guint n_ups = layers->up_starts[edge->lower + 1] - layers->up_starts[edge->lower];

  return edge->is_trunk || is_bus ? LINE_WEIGHT * MAX (n_downs, n_ups) : 1;
}

/* Adds what the node's lines on one side wish, as a distance from @offset. */
static void
add_wishes (const SymLayering *layers, guint node, gboolean above, double offset, Pool *pool)
{
  const guint *starts = above ? layers->up_starts : layers->down_starts;
  const guint *edges = above ? layers->ups : layers->downs;

  for (guint k = starts[node]; k < starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[edges[k]];
      double weight = get_weight (layers, edge);
      double port = edge->port * layers->breadths[edge->upper];
      double wish = above ? layers->x[edge->upper] + port : layers->x[edge->lower] - port;

      pool->sum += weight * (wish - offset);
      pool->weight += weight;
    }
}

static gboolean
is_left_of (const Pool *left, const Pool *right)
{
  return left->sum * right->weight <= right->sum * left->weight;
}

/* The least squares under the order of the rank: neighbours that would overlap are pooled. */
static void
settle_rank (SymLayering *layers, guint rank, Pool *pools, double *offsets)
{
  const guint *nodes = layers->order + layers->rank_starts[rank];
  guint n = layers->rank_starts[rank + 1] - layers->rank_starts[rank];
  guint n_pools = 0;
  guint next = 0;

  for (guint i = 0; i < n; i++)
    {
      Pool pool = { .n = 1 };

      offsets[i] =
          i > 0 ? offsets[i - 1] + sym_layering_get_distance (layers, nodes[i - 1], nodes[i]) : 0;
      add_wishes (layers, nodes[i], TRUE, offsets[i], &pool);
      add_wishes (layers, nodes[i], FALSE, offsets[i], &pool);
      pool.sum -= CENTRE_WEIGHT * offsets[i];
      pool.weight += CENTRE_WEIGHT;
      for (; n_pools > 0 && !is_left_of (&pools[n_pools - 1], &pool); n_pools--)
        {
          pool.sum += pools[n_pools - 1].sum;
          pool.weight += pools[n_pools - 1].weight;
          pool.n += pools[n_pools - 1].n;
        }
      pools[n_pools++] = pool;
    }
  for (guint i = 0; i < n_pools; i++)
    for (guint k = 0; k < pools[i].n; k++, next++)
      layers->x[nodes[next]] = pools[i].sum / pools[i].weight + offsets[next];
}

static double
get_broadest (const SymLayering *layers)
{
  double broadest = 0;

  for (guint rank = 0; rank < layers->n_ranks; rank++)
    {
      double breadth = 0;

      for (guint i = layers->rank_starts[rank] + 1; i < layers->rank_starts[rank + 1]; i++)
        breadth += sym_layering_get_distance (layers, layers->order[i - 1], layers->order[i]);
      broadest = MAX (broadest, breadth);
    }
  return broadest;
}

static double
get_breadth (const SymLayering *layers)
{
  double min = G_MAXDOUBLE;
  double max = -G_MAXDOUBLE;

  for (guint i = 0; i < layers->n_nodes; i++)
    {
      min = MIN (min, layers->x[i]);
      max = MAX (max, layers->x[i]);
    }
  return max - min;
}

/* Moves everything so that the mean is at 0. */
static void
centre (SymLayering *layers)
{
  double mean = 0;

  for (guint i = 0; i < layers->n_nodes; i++)
    mean += layers->x[i] / layers->n_nodes;
  for (guint i = 0; i < layers->n_nodes; i++)
    layers->x[i] -= mean;
}

gboolean
sym_layering_is_too_broad (const SymLayering *self)
{
  return get_breadth (self) > TOO_BROAD * get_broadest (self);
}

static guint
is_bent (const SymLayering *layers, guint index)
{
  const SymLayerEdge *edge = &layers->edges[index];
  double port = edge->port * layers->breadths[edge->upper];

  return fabs (layers->x[edge->upper] + port - layers->x[edge->lower]) > BEND;
}

/* How often the courses of links bend, all together: those of one bus all bend where it does. */
static guint64
count_bends (const SymLayering *layers, const SymPart *part)
{
  guint n = layers->n_nodes - layers->n_items;
  g_autofree guint *before = g_new0 (guint, n + 1); /* by place in the chains: bends up to it */
  guint64 sum = 0;

  for (guint i = 1; i < n; i++)
    {
      guint node = layers->chains[i], last = layers->chains[i - 1];

      before[i] = before[i - 1] + (layers->buses[node] == layers->buses[last] &&
                                   fabs (layers->x[node] - layers->x[last]) > BEND);
    }
  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];

      if (link->is_outer)
        continue;
      sum += is_bent (layers, link->first_edge);
      if (link->n_path > 0)
        sum += before[link->path + link->n_path - 1] - before[link->path] +
               is_bent (layers, link->last_edge);
    }
  return sum;
}

void
sym_layering_lean (SymLayering *self, const SymPart *part)
{
  g_autofree double *straight = g_memdup2 (self->x, self->n_nodes * sizeof (double));
  double bends = 1 + (double) count_bends (self, part), breadth = get_breadth (self);
  g_autofree Pool *pools = g_new (Pool, self->n_nodes);
  g_autofree double *offsets = g_new (double, self->n_nodes);
  g_autofree double *targets = NULL;

  centre (self);
  for (guint sweep = 0; sweep < N_SWEEPS; sweep++)
    for (guint i = 0; i < self->n_ranks; i++)
      settle_rank (self, sweep % 2 == 0 ? i : self->n_ranks - 1 - i, pools, offsets);
  targets = g_memdup2 (self->x, self->n_nodes * sizeof (double));
  sym_layering_place_near (self, targets);
  if ((double) count_bends (self, part) * get_breadth (self) > MAX_BENT * bends * breadth)
    memcpy (self->x, straight, self->n_nodes * sizeof (double));
}
