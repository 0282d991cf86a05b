/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After alignment, blocks (nodes that straight lines join) may stand farther from their neighbours
 * than their ranks ask for: the mean of four packings keeps half of the room that one of them left.
 * Each block in turn moves to the median of what it is joined to, as far as it has room. */

#define N_PASSES 6
#define MAX_PUSHES 200
#define WORTHWHILE 0.999 /* less of what there was, and it was not worth it */
#define STRAIGHT 0.01

typedef struct {
  SymLayering *layers;
  guint *blocks; /* by node */
  guint n_blocks;
  guint *starts; /* by block, and one more; indices into members */
  guint *members;
  guint *order;    /* of blocks, from left to right */
  double *wishes;  /* room for the edges of any block */
  double *targets; /* by block */
} Tightener;

static double
get_upper_x (const SymLayering *layers, const SymLayerEdge *edge)
{
  return layers->x[edge->upper] + edge->port * layers->breadths[edge->upper];
}

static guint
find_root (guint *parents, guint i)
{
  while (parents[i] != i)
    {
      parents[i] = parents[parents[i]];
      i = parents[i];
    }
  return i;
}

static void
find_blocks (Tightener *self)
{
  const SymLayering *layers = self->layers;
  g_autofree guint *parents = g_new (guint, layers->n_nodes);

  for (guint i = 0; i < layers->n_nodes; i++)
    parents[i] = i;
  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      guint a;
      guint b;

      if (fabs (layers->x[edge->upper] - layers->x[edge->lower]) > STRAIGHT)
        continue;
      a = find_root (parents, edge->upper);
      b = find_root (parents, edge->lower);
      parents[MAX (a, b)] = MIN (a, b);
    }
  self->n_blocks = 0;
  for (guint i = 0; i < layers->n_nodes; i++)
    {
      guint root = find_root (parents, i);

      self->blocks[i] = root == i ? self->n_blocks++ : self->blocks[root];
    }
}

static void
index_members (Tightener *self)
{
  guint n_nodes = self->layers->n_nodes;
  g_autofree guint *n_added = g_new0 (guint, self->n_blocks);

  for (guint i = 0; i < n_nodes; i++)
    self->starts[self->blocks[i] + 1]++;
  for (guint i = 0; i < self->n_blocks; i++)
    self->starts[i + 1] += self->starts[i];
  for (guint i = 0; i < n_nodes; i++)
    {
      guint block = self->blocks[i];

      self->members[self->starts[block] + n_added[block]++] = i;
    }
}

static int
compare_blocks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Tightener *self = user_data;
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;
  double x = self->layers->x[self->members[self->starts[i]]];
  double y = self->layers->x[self->members[self->starts[j]]];

  if (x < y)
    return -1;
  if (x > y)
    return 1;
  return i < j ? -1 : i > j;
}

static void
get_room (const Tightener *self, guint block, double *min, double *max)
{
  const SymLayering *layers = self->layers;

  *min = -G_MAXDOUBLE;
  *max = G_MAXDOUBLE;
  for (guint i = self->starts[block]; i < self->starts[block + 1]; i++)
    {
      guint node = self->members[i];
      guint rank = layers->ranks[node];
      guint place = layers->rank_starts[rank] + layers->positions[node];

      if (place > layers->rank_starts[rank])
        {
          guint left = layers->order[place - 1];

          *min = MAX (*min, layers->x[left] + sym_layering_get_distance (layers, left, node));
        }
      if (place + 1 < layers->rank_starts[rank + 1])
        {
          guint right = layers->order[place + 1];

          *max = MIN (*max, layers->x[right] - sym_layering_get_distance (layers, node, right));
        }
    }
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* How far the block would like to move: the median over its lines to other blocks. */
static guint
collect_wishes (Tightener *self, guint block)
{
  const SymLayering *layers = self->layers;
  guint n = 0;

  for (guint i = self->starts[block]; i < self->starts[block + 1]; i++)
    {
      guint node = self->members[i];

      for (guint k = layers->up_starts[node]; k < layers->up_starts[node + 1]; k++)
        {
          const SymLayerEdge *edge = &layers->edges[layers->ups[k]];

          if (self->blocks[edge->upper] != block)
            self->wishes[n++] = get_upper_x (layers, edge) - layers->x[node];
        }
      for (guint k = layers->down_starts[node]; k < layers->down_starts[node + 1]; k++)
        {
          const SymLayerEdge *edge = &layers->edges[layers->downs[k]];

          if (self->blocks[edge->lower] != block)
            self->wishes[n++] = layers->x[edge->lower] - get_upper_x (layers, edge);
        }
    }
  qsort (self->wishes, n, sizeof *self->wishes, compare_doubles);
  return n;
}

static void
tighten_block (Tightener *self, guint block)
{
  SymLayering *layers = self->layers;
  guint n = collect_wishes (self, block);
  double x = layers->x[self->members[self->starts[block]]];
  double min;
  double max;
  double wish;

  if (n == 0)
    return;
  wish = x + (self->wishes[(n - 1) / 2] + self->wishes[n / 2]) / 2;
  get_room (self, block, &min, &max);
  if (min > max)
    return;
  wish = CLAMP (wish, min, max);
  for (guint i = self->starts[block]; i < self->starts[block + 1]; i++)
    layers->x[self->members[i]] = wish;
}

/* The block that the others gather at. */
static guint
find_largest (const Tightener *self)
{
  guint largest = 0;

  for (guint i = 1; i < self->n_blocks; i++)
    if (self->starts[i + 1] - self->starts[i] > self->starts[largest + 1] - self->starts[largest])
      largest = i;
  return largest;
}

/* Where the block would like to be, with half of the way there: all move at once, and two that wish
 * for each other's place should meet. */
static double
get_target (Tightener *self, guint block)
{
  double x = self->layers->x[self->members[self->starts[block]]];
  guint n = collect_wishes (self, block);

  return n ? x + (self->wishes[(n - 1) / 2] + self->wishes[n / 2]) / 4 : x;
}

/* The place nearest to the block's target that its neighbours on one side, which are at @placed,
 * leave it. */
static double
get_nearest (const Tightener *self, guint block, gboolean from_left, const double *placed)
{
  const SymLayering *layers = self->layers;
  double x = self->targets[block];

  for (guint i = self->starts[block]; i < self->starts[block + 1]; i++)
    {
      guint node = self->members[i];
      guint rank = layers->ranks[node];
      guint place = layers->rank_starts[rank] + layers->positions[node];

      if (from_left && place > layers->rank_starts[rank])
        {
          guint left = layers->order[place - 1];

          x = MAX (x, placed[self->blocks[left]] + sym_layering_get_distance (layers, left, node));
        }
      else if (!from_left && place + 1 < layers->rank_starts[rank + 1])
        {
          guint right = layers->order[place + 1];

          x = MIN (x,
                   placed[self->blocks[right]] - sym_layering_get_distance (layers, node, right));
        }
    }
  return x;
}

/* Moves all blocks towards their targets at once.  Pushed from left to right, and from right to
 * left, they keep their distances; so they do half way between the two. */
static void
push (Tightener *self, double *lefts, double *rights)
{
  SymLayering *layers = self->layers;

  for (guint i = 0; i < self->n_blocks; i++)
    self->targets[i] = get_target (self, i);
  for (guint i = 0; i < self->n_blocks; i++)
    lefts[self->order[i]] = get_nearest (self, self->order[i], TRUE, lefts);
  for (guint i = self->n_blocks; i-- > 0;)
    rights[self->order[i]] = get_nearest (self, self->order[i], FALSE, rights);
  for (guint i = 0; i < layers->n_nodes; i++)
    layers->x[i] = (lefts[self->blocks[i]] + rights[self->blocks[i]]) / 2;
}

/* A block alone moves only into room that there is.  Together they move into room that others make.
 */
static void
gather (Tightener *self)
{
  SymLayering *layers = self->layers;
  g_autofree double *lefts = g_new (double, self->n_blocks);
  g_autofree double *rights = g_new (double, self->n_blocks);
  g_autofree double *best = g_memdup2 (layers->x, layers->n_nodes * sizeof (double));
  double least = sym_layering_measure_length (layers);

  for (guint pass = 0; pass < MAX_PUSHES; pass++)
    {
      double length;

      push (self, lefts, rights);
      length = sym_layering_measure_length (layers);
      if (length >= least * WORTHWHILE)
        break;
      least = length;
      memcpy (best, layers->x, layers->n_nodes * sizeof (double));
    }
  memcpy (layers->x, best, layers->n_nodes * sizeof (double));
}

static void
run_pass (Tightener *self, gboolean from_left, guint fixed)
{
  for (guint i = 0; i < self->n_blocks; i++)
    {
      guint block = self->order[from_left ? i : self->n_blocks - 1 - i];

      if (block != fixed)
        tighten_block (self, block);
    }
}

void
sym_layering_tighten (SymLayering *self)
{
  Tightener tightener = { .layers = self };
  guint fixed;

  tightener.blocks = g_new (guint, self->n_nodes);
  find_blocks (&tightener);
  tightener.starts = g_new0 (guint, tightener.n_blocks + 1);
  tightener.members = g_new (guint, self->n_nodes);
  index_members (&tightener);
  tightener.order = g_new (guint, tightener.n_blocks);
  tightener.wishes = g_new (double, 2 * (gsize) self->n_edges + 1);
  tightener.targets = g_new (double, tightener.n_blocks);
  for (guint i = 0; i < tightener.n_blocks; i++)
    tightener.order[i] = i;
  g_qsort_with_data (tightener.order, (int) tightener.n_blocks, sizeof (guint), compare_blocks,
                     &tightener);
  gather (&tightener);
  fixed = find_largest (&tightener);
  for (guint pass = 0; pass < N_PASSES; pass++)
    run_pass (&tightener, pass % 2 == 0, fixed);
  g_free (tightener.blocks);
  g_free (tightener.starts);
  g_free (tightener.members);
  g_free (tightener.order);
  g_free (tightener.wishes);
  g_free (tightener.targets);
}
