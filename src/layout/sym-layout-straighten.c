/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>
#include <stdlib.h>

/* A line that goes a little sideways looks like a mistake.  Where there is room, what hangs
 * together by straight lines (a block) moves by the little that makes one more line straight, and
 * so is part of what it has met from then on. */

#define STRAIGHT 0.01
#define MAX_STEP 40.0 /* of lines to or from items */
#define MAX_BUS_STEP 200.0
#define MAX_TRUNK_STEP 600.0
#define SMALL_STEP 8.0 /* up to which it does not matter what becomes longer */
#define WORK_PER_NODE 40

typedef struct {
  double step;
  guint edge;
} Crooked;

typedef struct {
  SymLayering *layers;
  guint *blocks; /* by node */
  guint *nexts;  /* the next node of its block; G_MAXUINT for none */
  guint *firsts; /* by block */
  guint *lasts;
  guint *sizes;
  guint64 work; /* that is left */
} Straightener;

/* The items of a trunk stand below each other, even where it leaves them at a side: it would drift.
 */
static double
get_step (const SymLayering *layers, const SymLayerEdge *edge)
{
  double port = edge->is_trunk ? 0 : edge->port * layers->breadths[edge->upper];

  return layers->x[edge->lower] - layers->x[edge->upper] - port;
}

/* The nodes of the smaller become some of the other's. */
static void
merge (Straightener *self, guint a, guint b)
{
  guint large = self->sizes[a] < self->sizes[b] ? b : a;
  guint small = large == a ? b : a;

  if (a == b)
    return;
  for (guint node = self->firsts[small]; node != G_MAXUINT; node = self->nexts[node])
    self->blocks[node] = large;
  self->nexts[self->lasts[large]] = self->firsts[small];
  self->lasts[large] = self->lasts[small];
  self->sizes[large] += self->sizes[small];
}

static double
get_max_step (const SymLayering *layers, const SymLayerEdge *edge)
{
  if (edge->is_trunk)
    return MAX_TRUNK_STEP;
  return edge->upper >= layers->n_items && edge->lower >= layers->n_items ? MAX_BUS_STEP : MAX_STEP;
}

static int
compare_crooked (const void *a, const void *b)
{
  const Crooked *x = a;
  const Crooked *y = b;

  if (x->step < y->step || x->step > y->step)
    return x->step < y->step ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Joins blocks; returns the edges that are not far from straight, the nearest first. */
static GArray *
find_crooked (Straightener *self)
{
  const SymLayering *layers = self->layers;
  GArray *crooked = g_array_new (FALSE, FALSE, sizeof (Crooked));

  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      Crooked what = { fabs (get_step (layers, edge)), i };

      if (what.step <= STRAIGHT)
        merge (self, self->blocks[edge->upper], self->blocks[edge->lower]);
      else if (what.step <= get_max_step (layers, edge))
        g_array_append_val (crooked, what);
    }
  g_array_sort (crooked, compare_crooked);
  return crooked;
}

/* Whether the node would keep its distance of what is not of its block. */
static gboolean
has_room (const Straightener *self, guint node, double by)
{
  const SymLayering *layers = self->layers;
  guint rank = layers->ranks[node];
  guint place = layers->rank_starts[rank] + layers->positions[node];
  guint other;
  double room;

  if (by < 0 ? place == layers->rank_starts[rank] : place + 1 == layers->rank_starts[rank + 1])
    return TRUE;
  other = layers->order[by < 0 ? place - 1 : place + 1];
  if (self->blocks[other] == self->blocks[node])
    return TRUE;
  room = fabs (layers->x[node] - layers->x[other]) -
         (by < 0 ? sym_layering_get_distance (layers, other, node)
                 : sym_layering_get_distance (layers, node, other));
  return room >= fabs (by) - STRAIGHT / 2;
}

/* How much longer the node's lines to other blocks get, sideways. */
static double
get_cost (const Straightener *self, guint node, double by)
{
  const SymLayering *layers = self->layers;
  double cost = 0;

  for (guint k = layers->up_starts[node]; k < layers->up_starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[layers->ups[k]];
      double step = get_step (layers, edge);

      if (self->blocks[edge->upper] != self->blocks[node])
        cost += fabs (step + by) - fabs (step);
    }
  for (guint k = layers->down_starts[node]; k < layers->down_starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[layers->downs[k]];
      double step = get_step (layers, edge);

      if (self->blocks[edge->lower] != self->blocks[node])
        cost += fabs (step - by) - fabs (step);
    }
  return cost;
}

static gboolean
move (Straightener *self, guint block, double by)
{
  SymLayering *layers = self->layers;
  double cost = 0;

  if (self->sizes[block] > self->work)
    return FALSE;
  self->work -= self->sizes[block];
  for (guint node = self->firsts[block]; node != G_MAXUINT; node = self->nexts[node])
    {
      if (!has_room (self, node, by))
        return FALSE;
      cost += get_cost (self, node, by);
    }
  if (fabs (by) > SMALL_STEP && cost > fabs (by))
    return FALSE;
  for (guint node = self->firsts[block]; node != G_MAXUINT; node = self->nexts[node])
    layers->x[node] += by;
  return TRUE;
}

static void
make_straight (Straightener *self, const SymLayerEdge *edge)
{
  guint upper = self->blocks[edge->upper];
  guint lower = self->blocks[edge->lower];
  double step = get_step (self->layers, edge);
  gboolean is_upper = self->sizes[upper] < self->sizes[lower];
  guint first = is_upper ? upper : lower;
  guint second = is_upper ? lower : upper;

  if (upper == lower || fabs (step) > get_max_step (self->layers, edge))
    return;
  if (fabs (step) <= STRAIGHT || move (self, first, is_upper ? step : -step) ||
      move (self, second, is_upper ? -step : step))
    merge (self, upper, lower);
}

void
sym_layering_straighten (SymLayering *self)
{
  guint n = self->n_nodes;
  g_autofree guint *room = g_new (guint, 5 * (gsize) n + 1);
  g_autoptr (GArray) crooked = NULL;
  Straightener straightener = { self,
                                room,
                                room + n,
                                room + 2 * (gsize) n,
                                room + 3 * (gsize) n,
                                room + 4 * (gsize) n,
                                WORK_PER_NODE * (guint64) n };

  for (guint i = 0; i < n; i++)
    {
      straightener.blocks[i] = straightener.firsts[i] = straightener.lasts[i] = i;
      straightener.nexts[i] = G_MAXUINT;
      straightener.sizes[i] = 1;
    }
  crooked = find_crooked (&straightener);
  for (guint i = 0; i < crooked->len; i++)
    make_straight (&straightener, &self->edges[g_array_index (crooked, Crooked, i).edge]);
}
