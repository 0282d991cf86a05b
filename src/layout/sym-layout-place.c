/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <string.h>

/* How far apart the places may be that the nodes of a straight line would like to have. */
#define MAX_LEAN 100.0
#define MAX_TRUNK_LEAN 200.0

/* Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (2001): nodes are aligned in
 * straight blocks with their median neighbours, four times, from each corner; each time the blocks
 * are packed; a node's place is the mean of its middle two.  All four keep the order and the
 * distances of every rank, hence so does the result.  Two things are done otherwise.  Blocks are
 * packed by longest paths in the graph of blocks, since the classes of the paper can overlap (its
 * erratum of 2020).  And an item is aligned with items above before buses, which keeps the trunk
 * straight where a shortcut ends.
 *
 * A view looks at the layers from a corner: ranks from the top or the bottom, nodes from the left
 * or the right. */
typedef struct {
  double min, max;
} Range;

typedef struct {
  const SymLayering *layers;
  gboolean from_below;
  gboolean from_right;
  guint8 *is_barred; /* edges that no block may follow */
  guint *roots;      /* the first node of a node's block */
  guint *nexts;      /* the next node of its block, the last's is the root */
  double *x;         /* by root while packing, then by node */

  const guint *lefts; /* by node: its neighbours in its rank; G_MAXUINT for none */
  const guint *rights;

  /* For places near others: these as the view sees them, and those of a block's nodes, by root. */
  const double *targets;
  Range *ranges;
} View;

static guint
get_node (const View *self, guint rank, guint position)
{
  const SymLayering *layers = self->layers;
  guint start = layers->rank_starts[rank];
  guint end = layers->rank_starts[rank + 1];

  return self->from_right ? layers->order[end - 1 - position] : layers->order[start + position];
}

static guint
get_position (const View *self, guint node)
{
  const SymLayering *layers = self->layers;
  guint rank = layers->ranks[node];
  guint n = layers->rank_starts[rank + 1] - layers->rank_starts[rank];

  return self->from_right ? n - 1 - layers->positions[node] : layers->positions[node];
}

/* How much an edge should be straight: pieces of buses, and before these trunks. */
typedef enum {
  LEVEL_ANY,
  LEVEL_BUS,
  LEVEL_TRUNK,
} Level;

static Level
get_level (const SymLayering *layers, const SymLayerEdge *edge)
{
  if (edge->is_trunk)
    return LEVEL_TRUNK;
  if (edge->upper >= layers->n_items && layers->buses[edge->upper] == layers->buses[edge->lower])
    return LEVEL_BUS;
  return LEVEL_ANY;
}

/* Where the edge of @level into the node leaves above; G_MAXUINT when it has none. */
static guint
find_level (const SymLayering *layers, guint node, Level level, const guint8 *is_barred)
{
  for (guint k = layers->up_starts[node]; k < layers->up_starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[layers->ups[k]];

      if (!is_barred[layers->ups[k]] && get_level (layers, edge) == level)
        return layers->positions[edge->upper];
    }
  return G_MAXUINT;
}

/* Bars edges of lower levels into the node that leave above outside of [left, right]. */
static void
bar_outside (const SymLayering *layers,
             guint node,
             guint left,
             guint right,
             Level level,
             guint8 *is_barred)
{
  for (guint k = layers->up_starts[node]; k < layers->up_starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[layers->ups[k]];
      guint position = layers->positions[edge->upper];

      if ((position < left || position > right) && get_level (layers, edge) < level)
        is_barred[layers->ups[k]] = 1;
    }
}

/* Bars what crosses an edge of @level, in one scan of the rank: between two such edges, only what
 * lies between their upper ends as well does not cross them. */
static void
bar_crossings (const SymLayering *layers, guint rank, Level level, guint8 *is_barred)
{
  const guint *nodes = layers->order + layers->rank_starts[rank];
  guint n = layers->rank_starts[rank + 1] - layers->rank_starts[rank];
  guint left = 0;
  guint next = 0;

  for (guint i = 0; i < n; i++)
    {
      guint right = find_level (layers, nodes[i], level, is_barred);

      if (right == G_MAXUINT && i + 1 < n)
        continue;
      for (; next <= i; next++)
        bar_outside (layers, nodes[next], left, right, level, is_barred);
      left = right;
    }
}

/* Bars edges that share an end with one of a higher level, which would else be left out whenever
 * its neighbour comes first. */
static void
bar_branches (const SymLayering *layers, guint8 *is_barred)
{
  g_autofree guint8 *downs = g_new0 (guint8, layers->n_nodes);
  g_autofree guint8 *ups = g_new0 (guint8, layers->n_nodes);

  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      guint8 level = is_barred[i] ? LEVEL_ANY : (guint8) get_level (layers, edge);

      downs[edge->upper] = MAX (downs[edge->upper], level);
      ups[edge->lower] = MAX (ups[edge->lower], level);
    }
  for (guint i = 0; i < layers->n_edges; i++)
    {
      const SymLayerEdge *edge = &layers->edges[i];
      Level level = get_level (layers, edge);

      if (level < downs[edge->upper] || level < ups[edge->lower])
        is_barred[i] = 1;
    }
}

/* An edge that may be followed to the node's neighbour in the rank before, with its position there.
 */
typedef struct {
  guint position;
  guint neighbour;
  Level level;
  gboolean is_barred;
} Candidate;

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a;
  const Candidate *y = b;

  return x->position < y->position ? -1 : x->position > y->position;
}

/* Trunks count before pieces of buses, these before other lines between items, and lines of buses
 * to items last.  Returns how many neighbours count, sorted by position. */
static guint
collect_candidates (const View *self, guint node, Candidate *candidates)
{
  const SymLayering *layers = self->layers;
  const guint *starts = self->from_below ? layers->down_starts : layers->up_starts;
  const guint *edges = self->from_below ? layers->downs : layers->ups;
  guint n = 0;
  guint best = 0;

  for (guint k = starts[node]; k < starts[node + 1]; k++)
    {
      const SymLayerEdge *edge = &layers->edges[edges[k]];
      guint neighbour = self->from_below ? edge->lower : edge->upper;
      Level level = get_level (layers, edge);
      guint class = 2 * level + (neighbour < layers->n_items);

      if (class < best)
        continue;
      if (class > best)
        n = 0;
      best = class;
      candidates[n++] = (Candidate){ get_position (self, neighbour), neighbour, level,
                                     self->is_barred[edges[k]] };
    }
  if (n > 1)
    qsort (candidates, n, sizeof *candidates, compare_candidates);
  return n;
}

/* Whether the node may join the block: lines that should lean by far are not made straight. */
static gboolean
fits (const View *self, guint node, const Candidate *candidate)
{
  const Range *range;

  if (!self->targets)
    return TRUE;
  range = &self->ranges[self->roots[candidate->neighbour]];
  return MAX (range->max, self->targets[node]) - MIN (range->min, self->targets[node]) <=
         (candidate->level == LEVEL_TRUNK ? MAX_TRUNK_LEAN : MAX_LEAN);
}

static void
join (View *self, guint node, guint neighbour)
{
  guint root = self->roots[neighbour];

  self->nexts[neighbour] = node;
  self->roots[node] = root;
  self->nexts[node] = root;
  if (self->targets)
    {
      self->ranges[root].min = MIN (self->ranges[root].min, self->targets[node]);
      self->ranges[root].max = MAX (self->ranges[root].max, self->targets[node]);
    }
}

static void
align_rank (View *self, guint rank, Candidate *candidates)
{
  const SymLayering *layers = self->layers;
  guint n_nodes = layers->rank_starts[rank + 1] - layers->rank_starts[rank];
  guint free_from = 0; /* positions of the rank before that are still to be had */

  for (guint i = 0; i < n_nodes; i++)
    {
      guint node = get_node (self, rank, i);
      guint n = collect_candidates (self, node, candidates);

      if (n == 0)
        continue;
      for (guint k = (n - 1) / 2; k <= n / 2; k++)
        {
          const Candidate *candidate = &candidates[k];

          if (candidate->is_barred || candidate->position < free_from ||
              !fits (self, node, candidate))
            continue;
          join (self, node, candidate->neighbour);
          free_from = candidate->position + 1;
          break;
        }
    }
}

static void
align (View *self, Candidate *candidates)
{
  guint n_ranks = self->layers->n_ranks;

  for (guint i = 0; i < self->layers->n_nodes; i++)
    self->roots[i] = self->nexts[i] = i;
  for (guint i = 0; self->targets && i < self->layers->n_nodes; i++)
    self->ranges[i] = (Range){ self->targets[i], self->targets[i] };
  for (guint i = 1; i < n_ranks; i++)
    align_rank (self, self->from_below ? n_ranks - 1 - i : i, candidates);
}

/* Of neighbours, as the view sees them. */
static double
get_distance (const View *self, guint left, guint right)
{
  return self->from_right ? sym_layering_get_distance (self->layers, right, left)
                          : sym_layering_get_distance (self->layers, left, right);
}

/* The neighbour to the left (as the view sees it) of a node in its rank; G_MAXUINT for none. */
static guint
get_left (const View *self, guint node)
{
  return self->lefts[node];
}

static guint
get_right (const View *self, guint node)
{
  return self->rights[node];
}

/* Blocks in an order in which each comes after all that stand left of it.  There is one: aligned
 * edges do not cross, so blocks are never left of each other both ways. */
static guint
sort_blocks (const View *self, guint *sorted)
{
  guint n_nodes = self->layers->n_nodes;
  g_autofree guint *n_lefts = g_new0 (guint, n_nodes);
  guint n = 0;

  for (guint i = 0; i < n_nodes; i++)
    if (get_left (self, i) != G_MAXUINT)
      n_lefts[self->roots[i]]++;
  for (guint i = 0; i < n_nodes; i++)
    if (self->roots[i] == i && n_lefts[i] == 0)
      sorted[n++] = i;
  for (guint i = 0; i < n; i++)
    {
      guint node = sorted[i];

      do
        {
          guint right = get_right (self, node);

          if (right != G_MAXUINT && --n_lefts[self->roots[right]] == 0)
            sorted[n++] = self->roots[right];
          node = self->nexts[node];
        }
      while (node != sorted[i]);
    }
  return n;
}

/* The first place that the blocks on the left leave the block; -G_MAXDOUBLE when there are none. */
static double
get_first (const View *self, guint root, const double *x)
{
  double first = -G_MAXDOUBLE;
  guint node = root;

  do
    {
      guint left = get_left (self, node);

      if (left != G_MAXUINT)
        first = MAX (first, x[self->roots[left]] + get_distance (self, left, node));
      node = self->nexts[node];
    }
  while (node != root);
  return first;
}

/* The last place that the blocks on the right leave the block; G_MAXDOUBLE when there are none. */
static double
get_last (const View *self, guint root, const double *x)
{
  double last = G_MAXDOUBLE;
  guint node = root;

  do
    {
      guint right = get_right (self, node);

      if (right != G_MAXUINT)
        last = MIN (last, x[self->roots[right]] - get_distance (self, node, right));
      node = self->nexts[node];
    }
  while (node != root);
  return last;
}

/* As far left as they can, then to the next block on the right. */
static void
pack_close (View *self, const guint *sorted, guint n)
{
  for (guint i = 0; i < n; i++)
    self->x[sorted[i]] = MAX (0, get_first (self, sorted[i], self->x));
  for (guint i = n; i-- > 0;)
    {
      double last = get_last (self, sorted[i], self->x);

      if (last < G_MAXDOUBLE)
        self->x[sorted[i]] = MAX (self->x[sorted[i]], last);
    }
}

/* To the middles of what they want, pushing each other to the right, and to the left; half way
 * between the two they keep their distances as well. */
static void
pack_near (View *self, const guint *sorted, guint n)
{
  g_autofree double *lefts = g_new (double, self->layers->n_nodes);

  for (guint i = 0; i < n; i++)
    {
      const Range *range = &self->ranges[sorted[i]];

      lefts[sorted[i]] = MAX ((range->min + range->max) / 2, get_first (self, sorted[i], lefts));
    }
  for (guint i = n; i-- > 0;)
    {
      const Range *range = &self->ranges[sorted[i]];

      self->x[sorted[i]] = MIN ((range->min + range->max) / 2, get_last (self, sorted[i], self->x));
    }
  for (guint i = 0; i < n; i++)
    self->x[sorted[i]] = (self->x[sorted[i]] + lefts[sorted[i]]) / 2;
}

static void
pack (View *self)
{
  guint n_nodes = self->layers->n_nodes;
  g_autofree guint *sorted = g_new (guint, n_nodes);
  guint n = sort_blocks (self, sorted);

  if (self->targets)
    pack_near (self, sorted, n);
  else
    pack_close (self, sorted, n);
  for (guint i = 0; i < n_nodes; i++)
    self->x[i] = self->x[self->roots[i]];
  if (self->from_right)
    for (guint i = 0; i < n_nodes; i++)
      self->x[i] = -self->x[i];
}

static void
get_range (const double *x, guint n, double *min, double *max)
{
  *min = G_MAXDOUBLE;
  *max = -G_MAXDOUBLE;
  for (guint i = 0; i < n; i++)
    {
      *min = MIN (*min, x[i]);
      *max = MAX (*max, x[i]);
    }
}

/* Moves the four results over each other: left sides meet that of the narrowest, right sides its
 * right side. */
static void
superpose (double *const results[4], guint n)
{
  double mins[4];
  double maxs[4];
  guint narrowest = 0;

  for (guint i = 0; i < 4; i++)
    {
      get_range (results[i], n, &mins[i], &maxs[i]);
      if (maxs[i] - mins[i] < maxs[narrowest] - mins[narrowest])
        narrowest = i;
    }
  for (guint i = 0; i < 4; i++)
    {
      gboolean from_right = i % 2 == 1;
      double shift = from_right ? maxs[narrowest] - maxs[i] : mins[narrowest] - mins[i];

      for (guint k = 0; k < n; k++)
        results[i][k] += shift;
    }
}

static double
get_middle (double a, double b, double c, double d)
{
  double low = MIN (MIN (a, b), MIN (c, d));
  double high = MAX (MAX (a, b), MAX (c, d));

  return (a + b + c + d - low - high) / 2;
}

/* What stands right of the nodes in their ranks, or left of them. */
static guint *
find_neighbours (const SymLayering *layers, gboolean on_right)
{
  guint *neighbours = g_new (guint, layers->n_nodes);

  for (guint rank = 0; rank < layers->n_ranks; rank++)
    {
      guint start = layers->rank_starts[rank];
      guint end = layers->rank_starts[rank + 1];

      for (guint i = start; i < end; i++)
        if (on_right)
          neighbours[layers->order[i]] = i + 1 < end ? layers->order[i + 1] : G_MAXUINT;
        else
          neighbours[layers->order[i]] = i > start ? layers->order[i - 1] : G_MAXUINT;
    }
  return neighbours;
}

/* The four results, each to be freed. */
static void
look_four_ways (const SymLayering *layers,
                guint8 *is_barred,
                const double *targets,
                double **results)
{
  g_autofree guint *roots = g_new (guint, layers->n_nodes);
  g_autofree guint *nexts = g_new (guint, layers->n_nodes);
  g_autofree Candidate *candidates = g_new (Candidate, layers->n_edges + 1);
  g_autofree Range *ranges = targets ? g_new (Range, layers->n_nodes) : NULL;
  g_autofree guint *lefts = find_neighbours (layers, FALSE);
  g_autofree guint *rights = find_neighbours (layers, TRUE);
  g_autofree double *mirrored = targets ? g_new (double, layers->n_nodes) : NULL;

  for (guint i = 0; targets && i < layers->n_nodes; i++)
    mirrored[i] = -targets[i];
  for (guint i = 0; i < 4; i++)
    {
      gboolean from_right = i % 2 == 1;
      View view = { .layers = layers,
                    .from_below = i >= 2,
                    .from_right = from_right,
                    .is_barred = is_barred,
                    .roots = roots,
                    .nexts = nexts,
                    .lefts = from_right ? rights : lefts,
                    .rights = from_right ? lefts : rights,
                    .targets = from_right ? mirrored : targets,
                    .ranges = ranges };

      view.x = results[i] = g_new0 (double, layers->n_nodes);
      align (&view, candidates);
      pack (&view);
    }
}

static void
place (SymLayering *self, const double *targets)
{
  g_autofree guint8 *is_barred = g_new0 (guint8, self->n_edges + 1);
  double *results[4];

  for (guint rank = 1; rank < self->n_ranks; rank++)
    {
      bar_crossings (self, rank, LEVEL_TRUNK, is_barred);
      bar_crossings (self, rank, LEVEL_BUS, is_barred);
    }
  bar_branches (self, is_barred);
  look_four_ways (self, is_barred, targets, results);
  if (!targets)
    superpose (results, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    self->x[i] = get_middle (results[0][i], results[1][i], results[2][i], results[3][i]);
  for (guint i = 0; i < 4; i++)
    g_free (results[i]);
}

void
sym_layering_place (SymLayering *self)
{
  place (self, NULL);
}

void
sym_layering_place_near (SymLayering *self, const double *targets)
{
  place (self, targets);
}
