/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

/* From this many far links on, those into one item are gathered in a bus of their own. */
#define MIN_GATHERED 6

/* Buses may have this many nodes in all, and so many per item; the longest of them run outside. */
#define MAX_BUS_NODES 300000
#define MAX_BUS_NODES_PER_ITEM 6

/* The links of a bus, those of one value, those gathered into one item or those of a rail, and the
 * ranks between. */
typedef struct {
  guint first_link; /* into the array of all links in buses */
  guint n_links;
  guint first_rank;
  guint last_rank;
} Bus;

typedef struct {
  SymPart *part;
  SymLayering *layers;
  guint n_nodes; /* of buses, so far */
  guint *nodes_ranks;
  guint *nodes_buses;
  guint n_edges;
  SymLayerEdge *edges;
  GArray *buses;       /* Bus */
  GArray *bus_links;   /* guint: links, bus after bus */
  guint8 *is_gathered; /* by link: on a rail, or in the bus of its target */
  guint *entered;      /* by item: the last link that entered a bus there, that left one */
  guint *left;
} Maker;

static guint
get_span (const SymPart *part, guint link)
{
  return part->ranks[part->links[link].to] - part->ranks[part->links[link].from];
}

/* Appends the far links into the item to the last bus. */
static void
append_far_links (Maker *self, guint item, Bus *bus)
{
  const SymPart *part = self->part;

  for (guint k = part->in_starts[item]; k < part->in_starts[item + 1]; k++)
    {
      guint link = part->ins[k];

      if (get_span (part, link) < 2)
        continue;
      self->is_gathered[link] = 1;
      bus->n_links++;
      bus->first_rank = MIN (bus->first_rank, part->ranks[part->links[link].from] + 1);
      bus->last_rank = MAX (bus->last_rank, part->ranks[item] - 1);
      g_array_append_val (self->bus_links, link);
    }
}

static void
add_rails (Maker *self)
{
  guint n = self->part->n_items;
  g_autofree guint *earlier = sym_part_find_rails (self->part);
  g_autofree guint8 *is_last = g_new0 (guint8, n);

  for (guint i = 0; i < n; i++)
    if (earlier[i] != G_MAXUINT)
      is_last[i] = 1;
  for (guint i = 0; i < n; i++)
    if (earlier[i] != G_MAXUINT)
      is_last[earlier[i]] = 0;
  for (guint i = 0; i < n; i++)
    {
      Bus bus = { .first_link = self->bus_links->len, .first_rank = G_MAXUINT };

      if (!is_last[i])
        continue;
      for (guint item = i; item != G_MAXUINT; item = earlier[item])
        append_far_links (self, item, &bus);
      g_array_append_val (self->buses, bus);
    }
}

/* A source with many uses keeps its own bus: it would be torn apart by gathering.  So does a trunk,
 * which has to be straight. */
static gboolean
may_gather (const Maker *self, guint link)
{
  const SymPart *part = self->part;
  guint from = part->links[link].from;
  guint to = part->links[link].to;
  guint n_outs = part->out_starts[from + 1] - part->out_starts[from];
  guint n_ins = part->in_starts[to + 1] - part->in_starts[to];

  return get_span (part, link) > 1 && n_outs < n_ins && !self->is_gathered[link] &&
         !part->links[link].is_trunk;
}

static void
gather (Maker *self, guint item)
{
  const SymPart *part = self->part;
  Bus bus = { .first_link = self->bus_links->len,
              .first_rank = G_MAXUINT,
              .last_rank = part->ranks[item] - 1 };

  for (guint k = part->in_starts[item]; k < part->in_starts[item + 1]; k++)
    bus.n_links += may_gather (self, part->ins[k]);
  if (bus.n_links < MIN_GATHERED)
    return;
  for (guint k = part->in_starts[item]; k < part->in_starts[item + 1]; k++)
    {
      guint link = part->ins[k];

      if (!may_gather (self, link))
        continue;
      self->is_gathered[link] = 1;
      bus.first_rank = MIN (bus.first_rank, part->ranks[part->links[link].from] + 1);
      g_array_append_val (self->bus_links, link);
    }
  g_array_append_val (self->buses, bus);
}

static int
compare_tails (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SymLink *links = user_data;
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;

  if (links[i].tail != links[j].tail)
    return links[i].tail < links[j].tail ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* One bus for each value of the item that is used far away. */
static void
add_source_buses (Maker *self, guint item)
{
  SymPart *part = self->part;
  guint first = self->bus_links->len;
  Bus bus = { .first_rank = part->ranks[item] + 1 };
  guint n;

  for (guint k = part->out_starts[item]; k < part->out_starts[item + 1]; k++)
    if (get_span (part, part->outs[k]) > 1 && !self->is_gathered[part->outs[k]])
      g_array_append_val (self->bus_links, part->outs[k]);
  n = self->bus_links->len - first;
  if (n == 0)
    return;
  g_qsort_with_data (&g_array_index (self->bus_links, guint, first), (int) n, sizeof (guint),
                     compare_tails, part->links);
  for (guint i = 0; i < n; i += bus.n_links)
    {
      const guint *links = &g_array_index (self->bus_links, guint, first + i);

      bus.first_link = first + i;
      bus.last_rank = 0;
      for (bus.n_links = 0; i + bus.n_links < n; bus.n_links++)
        {
          const SymLink *link = &part->links[links[bus.n_links]];

          if (link->tail != part->links[links[0]].tail)
            break;
          bus.last_rank = MAX (bus.last_rank, part->ranks[link->to] - 1);
        }
      g_array_append_val (self->buses, bus);
    }
}

static guint
get_length (const Bus *bus)
{
  return bus->last_rank - bus->first_rank + 1;
}

/* The length up to which buses fit in the budget. */
static guint
get_longest (const Maker *self)
{
  guint64 budget = MAX_BUS_NODES + MAX_BUS_NODES_PER_ITEM * (guint64) self->part->n_items;
  g_autofree guint64 *sums = g_new0 (guint64, self->part->n_ranks + 1);

  for (guint i = 0; i < self->buses->len; i++)
    {
      const Bus *bus = &g_array_index (self->buses, Bus, i);

      sums[get_length (bus)] += get_length (bus);
    }
  for (guint length = 0; length <= self->part->n_ranks; length++)
    {
      if (sums[length] > budget)
        return length - 1;
      budget -= sums[length];
    }
  return self->part->n_ranks;
}

static void
add_edge (Maker *self, guint upper, guint lower, double port, gboolean is_trunk)
{
  self->edges[self->n_edges++] = (SymLayerEdge){ upper, lower, (float) port, is_trunk };
}

static double
get_port_share (const Maker *self, const SymLink *link)
{
  return link->from_port / self->part->breadths[link->from];
}

/* Whether the bus is but a long piece of a trunk. */
static gboolean
is_trunk_alone (const Maker *self, const Bus *bus)
{
  guint link = g_array_index (self->bus_links, guint, bus->first_link);

  return bus->n_links == 1 && self->part->links[link].is_trunk;
}

/* Whether the link is on the bus. */
static gboolean
is_on_bus (const Maker *self, guint link, guint number)
{
  return link != G_MAXUINT && self->nodes_buses[self->part->links[link].path] == number;
}

static gboolean
is_same_port (double a, double b)
{
  return ABS (a - b) < 0.01;
}

/* A port of an item leads to a bus, and a bus to a port, once only. */
static void
add_bus_ends (Maker *self, guint index, guint number, gboolean is_trunk)
{
  SymLink *links = self->part->links;
  SymLink *link = &links[index];
  guint first = self->part->n_items + link->path;
  guint entered = self->entered[link->from];
  guint left = self->left[link->to];

  if (is_on_bus (self, entered, number) && is_same_port (links[entered].from_port, link->from_port))
    {
      link->first_edge = links[entered].first_edge;
    }
  else
    {
      link->first_edge = self->n_edges;
      add_edge (self, link->from, first, get_port_share (self, link), is_trunk);
    }
  if (is_on_bus (self, left, number) && is_same_port (links[left].to_port, link->to_port))
    {
      link->last_edge = links[left].last_edge;
    }
  else
    {
      link->last_edge = self->n_edges;
      add_edge (self, first + link->n_path - 1, link->to, 0, is_trunk);
    }
  self->entered[link->from] = self->left[link->to] = index;
}

static void
join_bus (Maker *self, const Bus *bus, guint number, guint first_node, guint index)
{
  guint i = g_array_index (self->bus_links, guint, bus->first_link + index);
  SymLink *link = &self->part->links[i];
  guint start = self->part->ranks[link->from] + 1;
  guint end = self->part->ranks[link->to] - 1;

  link->path = first_node - self->part->n_items + start - bus->first_rank;
  link->n_path = end - start + 1;
  add_bus_ends (self, i, number, is_trunk_alone (self, bus));
}

static void
add_bus (Maker *self, guint number)
{
  const Bus *bus = &g_array_index (self->buses, Bus, number);
  guint first_node = self->part->n_items + self->n_nodes;

  for (guint rank = bus->first_rank; rank <= bus->last_rank; rank++)
    {
      self->nodes_ranks[self->n_nodes] = rank;
      self->nodes_buses[self->n_nodes++] = number;
      if (rank > bus->first_rank)
        add_edge (self, first_node + rank - bus->first_rank - 1,
                  first_node + rank - bus->first_rank, 0, is_trunk_alone (self, bus));
    }
  for (guint i = 0; i < bus->n_links; i++)
    join_bus (self, bus, number, first_node, i);
}

/* Room for the nodes of buses up to that length, and for all edges: short links are one, and each
 * far one enters and leaves a bus once at most. */
static void
make_room (Maker *self, guint longest)
{
  gsize n = 0;

  for (guint i = 0; i < self->buses->len; i++)
    {
      const Bus *bus = &g_array_index (self->buses, Bus, i);

      n += get_length (bus) <= longest ? get_length (bus) : 0;
    }
  self->nodes_ranks = g_new (guint, n + 1);
  self->nodes_buses = g_new (guint, n + 1);
  self->edges = g_new (SymLayerEdge, n + 2 * (gsize) self->part->n_links + 1);
}

static void
add_buses (Maker *self, guint longest)
{
  for (guint i = 0; i < self->buses->len; i++)
    {
      const Bus *bus = &g_array_index (self->buses, Bus, i);

      if (get_length (bus) <= longest)
        {
          add_bus (self, i);
          continue;
        }
      for (guint k = 0; k < bus->n_links; k++)
        {
          guint link = g_array_index (self->bus_links, guint, bus->first_link + k);

          self->part->links[link].is_outer = TRUE;
        }
    }
}

static void
add_short_edge (Maker *self, SymLink *link)
{
  link->first_edge = link->last_edge = self->n_edges;
  add_edge (self, link->from, link->to, get_port_share (self, link), link->is_trunk);
}

static void
add_short_links (Maker *self)
{
  for (guint i = 0; i < self->part->n_links; i++)
    {
      SymLink *link = &self->part->links[i];

      if (link->is_back)
        link->is_outer = TRUE;
      else if (get_span (self->part, i) == 1)
        add_short_edge (self, link);
    }
}

static void
index_edges (SymLayering *self)
{
  g_autofree guint *n_downs = g_new0 (guint, self->n_nodes);
  g_autofree guint *n_ups = g_new0 (guint, self->n_nodes);

  self->down_starts = g_new0 (guint, self->n_nodes + 1);
  self->up_starts = g_new0 (guint, self->n_nodes + 1);
  self->downs = g_new (guint, self->n_edges + 1);
  self->ups = g_new (guint, self->n_edges + 1);
  for (guint i = 0; i < self->n_edges; i++)
    {
      self->down_starts[self->edges[i].upper + 1]++;
      self->up_starts[self->edges[i].lower + 1]++;
    }
  for (guint i = 0; i < self->n_nodes; i++)
    {
      self->down_starts[i + 1] += self->down_starts[i];
      self->up_starts[i + 1] += self->up_starts[i];
    }
  for (guint i = 0; i < self->n_edges; i++)
    {
      guint upper = self->edges[i].upper;
      guint lower = self->edges[i].lower;

      self->downs[self->down_starts[upper] + n_downs[upper]++] = i;
      self->ups[self->up_starts[lower] + n_ups[lower]++] = i;
    }
}

static void
index_ranks (SymLayering *self)
{
  self->rank_starts = g_new0 (guint, self->n_ranks + 1);
  self->order = g_new (guint, self->n_nodes);
  self->positions = g_new0 (guint, self->n_nodes);
  self->x = g_new0 (double, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    self->rank_starts[self->ranks[i] + 1]++;
  for (guint rank = 0; rank < self->n_ranks; rank++)
    self->rank_starts[rank + 1] += self->rank_starts[rank];
}

static void
set_sides (SymLayering *self)
{
  self->lefts = g_new (double, self->n_nodes);
  self->rights = g_new (double, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    {
      double lean = self->leans && i < self->n_items ? self->leans[i] : 0;

      self->lefts[i] = self->breadths[i] / 2 - lean;
      self->rights[i] = self->breadths[i] / 2 + lean;
    }
}

/* Numbers the nodes of buses rank by rank: all that is done later goes along ranks, and should find
 * in memory side by side what it visits one after the other. */
static void
number_chains (const Maker *self, SymLayering *layers)
{
  guint n = self->n_nodes;
  g_autofree guint *nexts = g_new0 (guint, layers->n_ranks + 1);

  for (guint i = 0; i < n; i++)
    nexts[self->nodes_ranks[i] + 1]++;
  for (guint rank = 0; rank < layers->n_ranks; rank++)
    nexts[rank + 1] += nexts[rank];
  layers->chains = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint rank = self->nodes_ranks[i];
      guint node = layers->n_items + nexts[rank]++;

      layers->chains[i] = node;
      layers->ranks[node] = rank;
      layers->buses[node] = self->nodes_buses[i];
    }
}

static guint
get_node (const SymLayering *layers, guint end)
{
  return end < layers->n_items ? end : layers->chains[end - layers->n_items];
}

/* The edges between the nodes as these are now numbered, rank by rank, else in their order. */
static void
take_edges (const Maker *self, SymLayering *layers)
{
  const SymLayerEdge *edges = self->edges;
  g_autofree guint *places = g_new (guint, self->n_edges + 1);
  g_autofree guint *nexts = g_new0 (guint, layers->n_ranks + 1);

  layers->n_edges = self->n_edges;
  layers->edges = g_new (SymLayerEdge, layers->n_edges + 1);
  for (guint i = 0; i < layers->n_edges; i++)
    nexts[layers->ranks[get_node (layers, edges[i].upper)] + 1]++;
  for (guint rank = 0; rank < layers->n_ranks; rank++)
    nexts[rank + 1] += nexts[rank];
  for (guint i = 0; i < layers->n_edges; i++)
    {
      guint upper = get_node (layers, edges[i].upper);
      SymLayerEdge *edge;

      places[i] = nexts[layers->ranks[upper]]++;
      edge = &layers->edges[places[i]];
      *edge = edges[i];
      edge->upper = upper;
      edge->lower = get_node (layers, edges[i].lower);
    }
  for (guint i = 0; i < self->part->n_links; i++)
    {
      SymLink *link = &self->part->links[i];

      if (link->is_outer)
        continue;
      link->first_edge = places[link->first_edge];
      link->last_edge = places[link->last_edge];
    }
}

static SymLayering *
settle (Maker *self)
{
  const SymPart *part = self->part;
  guint n_bus_nodes = self->n_nodes;
  SymLayering *layers = g_new0 (SymLayering, 1);

  layers->n_items = part->n_items;
  layers->n_nodes = part->n_items + n_bus_nodes;
  layers->n_ranks = part->n_ranks;
  layers->ranks = g_new (guint, layers->n_nodes);
  layers->buses = g_new (guint, layers->n_nodes);
  layers->breadths = g_new0 (double, layers->n_nodes);
  layers->leans = part->leans;
  for (guint i = 0; i < part->n_items; i++)
    {
      layers->ranks[i] = part->ranks[i];
      layers->buses[i] = G_MAXUINT;
      layers->breadths[i] = part->breadths[i];
    }
  number_chains (self, layers);
  set_sides (layers);
  take_edges (self, layers);
  index_edges (layers);
  index_ranks (layers);
  return layers;
}

SymLayering *
sym_layering_new (SymPart *part)
{
  Maker maker = { .part = part };
  SymLayering *layers;
  guint longest;

  maker.buses = g_array_new (FALSE, FALSE, sizeof (Bus));
  maker.bus_links = g_array_new (FALSE, FALSE, sizeof (guint));
  maker.is_gathered = g_new0 (guint8, part->n_links + 1);
  maker.entered = g_new (guint, part->n_items);
  maker.left = g_new (guint, part->n_items);
  for (guint i = 0; i < part->n_items; i++)
    maker.entered[i] = maker.left[i] = G_MAXUINT;
  add_rails (&maker);
  for (guint i = 0; i < part->n_items; i++)
    gather (&maker, i);
  for (guint i = 0; i < part->n_items; i++)
    add_source_buses (&maker, i);
  longest = get_longest (&maker);
  make_room (&maker, longest);
  /* Short links first: the order starts from what comes first, and trunks should lead. */
  add_short_links (&maker);
  add_buses (&maker, longest);
  layers = settle (&maker);
  g_free (maker.nodes_ranks);
  g_free (maker.nodes_buses);
  g_free (maker.edges);
  g_array_free (maker.buses, TRUE);
  g_array_free (maker.bus_links, TRUE);
  g_free (maker.is_gathered);
  g_free (maker.entered);
  g_free (maker.left);
  return layers;
}

void
sym_layering_free (SymLayering *self)
{
  if (!self)
    return;
  g_free (self->ranks);
  g_free (self->buses);
  g_free (self->chains);
  g_free (self->breadths);
  g_free (self->lefts);
  g_free (self->rights);
  g_free (self->edges);
  g_free (self->down_starts);
  g_free (self->downs);
  g_free (self->up_starts);
  g_free (self->ups);
  g_free (self->rank_starts);
  g_free (self->order);
  g_free (self->positions);
  g_free (self->x);
  g_free (self);
}

double
sym_layering_measure_length (const SymLayering *self)
{
  double sum = 0;

  for (guint i = 0; i < self->n_edges; i++)
    {
      const SymLayerEdge *edge = &self->edges[i];

      sum += fabs (self->x[edge->upper] - self->x[edge->lower]);
    }
  return sum;
}
