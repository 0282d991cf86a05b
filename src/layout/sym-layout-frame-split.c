/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-frame.h"

#include <string.h>

/* Edges are cut value by value, so that what was made for a value is known by the number of the
 * value: each node has at most one link of a value leading into it (another one when that leads
 * back), and each frame at most one port by which a value enters, one by which it leaves. */
typedef struct {
  SymFrameSplit *split;
  GArray *links;       /* SymFrameLink, as they are made */
  GArray *chains;      /* guint: links */
  GArray *ports;       /* guint: frames */
  GArray *port_pins;   /* guint8 */
  guint *links_in[2];  /* by item and frame: the link into it, forward and back */
  guint *stamps_in[2]; /* the value that the link was made for */
  guint *ports_in;     /* by frame */
  guint *stamps_ports;
  guint *links_out; /* by frame: the link to the port by which the value leaves */
  guint *stamps_out;
  guint value; /* numbered from 1 */
} Cutter;

static guint
get_home (const SymFrameSplit *self, guint node)
{
  guint frame = node < self->n_items
                    ? sym_scene_get_item (self->scene, node)->frame
                    : sym_scene_get_frame (self->scene, node - self->n_items)->parent;

  return frame == SYM_NO_FRAME ? self->n_frames : frame;
}

static guint
add_port (Cutter *self, guint frame, SymPin pin)
{
  guint8 what = (guint8) pin;

  g_array_append_val (self->ports, frame);
  g_array_append_val (self->port_pins, what);
  return self->split->n_items + self->split->n_frames + self->ports->len - 1;
}

static guint
add_link (Cutter *self, const SymFrameLink *link)
{
  g_array_append_val (self->links, *link);
  return self->links->len - 1;
}

/* The port by which the value enters a node that is a frame. */
static guint
find_port_in (Cutter *self, guint node)
{
  guint frame = node - self->split->n_items;

  if (node < self->split->n_items)
    return G_MAXUINT;
  if (self->stamps_ports[frame] != self->value)
    {
      self->stamps_ports[frame] = self->value;
      self->ports_in[frame] = add_port (self, frame, SYM_PIN_FIRST);
    }
  return self->ports_in[frame];
}

static guint
find_link_in (Cutter *self, SymFrameLink link)
{
  guint which = link.is_back ? 1 : 0;

  if (self->stamps_in[which][link.to] != self->value)
    {
      self->stamps_in[which][link.to] = self->value;
      link.to_port = find_port_in (self, link.to);
      self->links_in[which][link.to] = add_link (self, &link);
    }
  return self->links_in[which][link.to];
}

/* Leads the value out of the frame that @node is in. */
static guint
find_link_out (Cutter *self, SymFrameLink link, guint frame)
{
  if (self->stamps_out[frame] != self->value)
    {
      self->stamps_out[frame] = self->value;
      link.to = add_port (self, frame, SYM_PIN_LAST);
      link.to_port = G_MAXUINT;
      link.is_back = FALSE;
      self->links_out[frame] = add_link (self, &link);
    }
  return self->links_out[frame];
}

static void
add_to_chain (Cutter *self, guint link)
{
  g_array_append_val (self->chains, link);
}

static void
lead_in (Cutter *self, SymFrameLink link, guint item)
{
  g_autoptr (GArray) way = NULL;
  const SymFrameSplit *split = self->split;

  if (link.to == item)
    return;
  way = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint node = item; node != link.to; node = split->n_items + get_home (split, node))
    g_array_append_val (way, node);
  link.is_back = FALSE;
  for (guint i = way->len; i-- > 0;)
    {
      link.from = find_port_in (self, link.to);
      link.from_port = G_MAXUINT;
      link.to = g_array_index (way, guint, i);
      add_to_chain (self, find_link_in (self, link));
    }
}

static void
cut_edge (Cutter *self, guint index)
{
  const SymFrameSplit *split = self->split;
  const SymSceneEdge *edge = sym_scene_get_edge (split->scene, index);
  SymFrameLink link = {
    .from = edge->from, .from_port = G_MAXUINT, .edge = index, .tail = self->value
  };
  guint from;
  guint to;

  sym_scene_get_ends (split->scene, index, &from, &to);
  while (link.from != from)
    {
      guint frame = get_home (split, link.from);
      guint out = find_link_out (self, link, frame);

      add_to_chain (self, out);
      link.from = split->n_items + frame;
      link.from_port = g_array_index (self->links, SymFrameLink, out).to;
    }
  link.to = to;
  link.is_back = edge->is_back || edge->from == edge->to;
  add_to_chain (self, find_link_in (self, link));
  lead_in (self, link, edge->to);
}

static guint
get_tail (const SymScene *scene, guint edge)
{
  return sym_layout_get_tail (scene, sym_scene_get_edge (scene, edge));
}

static int
compare_values (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint i = *(const guint *) a;
  guint j = *(const guint *) b;
  guint x = get_tail (user_data, i);
  guint y = get_tail (user_data, j);

  if (x != y)
    return x < y ? -1 : 1;
  return i < j ? -1 : i > j;
}

static gboolean
is_same_value (const SymScene *scene, guint a, guint b)
{
  const SymSceneEdge *x = sym_scene_get_edge (scene, a);
  const SymSceneEdge *y = sym_scene_get_edge (scene, b);

  return x->from == y->from && get_tail (scene, a) == get_tail (scene, b);
}

/* The edges of the scene by where they begin, those of a value together. */
static guint *
sort_edges (const SymScene *scene)
{
  guint n_items = sym_scene_get_n_items (scene);
  guint n_edges = sym_scene_get_n_edges (scene);
  guint *sorted = g_new (guint, n_edges + 1);
  g_autofree guint *starts = g_new0 (guint, n_items + 2);

  for (guint i = 0; i < n_edges; i++)
    starts[sym_scene_get_edge (scene, i)->from + 2]++;
  for (guint i = 1; i <= n_items; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < n_edges; i++)
    sorted[starts[sym_scene_get_edge (scene, i)->from + 1]++] = i;
  for (guint i = 0; i < n_items; i++)
    if (starts[i + 1] - starts[i] > 1)
      g_qsort_with_data (sorted + starts[i], (int) (starts[i + 1] - starts[i]), sizeof (guint),
                         compare_values, (gpointer) scene);
  return sorted;
}

static void
cut_edges (Cutter *self)
{
  SymFrameSplit *split = self->split;
  guint n_edges = sym_scene_get_n_edges (split->scene);
  g_autofree guint *sorted = sort_edges (split->scene);
  g_autofree guint *firsts = g_new (guint, n_edges + 1);
  guint n = 0;

  split->chain_starts = g_new0 (guint, n_edges + 1);
  for (guint i = 0; i < n_edges; i++)
    {
      if (i == 0 || !is_same_value (split->scene, sorted[i - 1], sorted[i]))
        self->value++;
      firsts[sorted[i]] = self->chains->len;
      cut_edge (self, sorted[i]);
      split->chain_starts[sorted[i] + 1] = self->chains->len - firsts[sorted[i]];
    }
  for (guint i = 0; i < n_edges; i++)
    split->chain_starts[i + 1] += split->chain_starts[i];
  split->chains = g_new (guint, self->chains->len + 1);
  for (guint i = 0; i < n_edges; i++)
    for (guint k = firsts[i]; n < split->chain_starts[i + 1]; k++)
      split->chains[n++] = g_array_index (self->chains, guint, k);
}

/* Ports that lead in come first in their container, those that lead out last; a frame stands where
 * the first of its items would. */
static void
add_node (SymFrameSplit *self, guint node, guint *n_added)
{
  guint home = self->homes[node];

  self->locals[node] = n_added[home]++;
  self->nodes[self->node_starts[home] + self->locals[node]] = node;
}

static void
add_item (SymFrameSplit *self, guint item, guint8 *is_added, guint *n_added)
{
  guint node = item;

  while (!is_added[node])
    {
      is_added[node] = 1;
      add_node (self, node, n_added);
      if (self->homes[node] == self->n_frames)
        return;
      node = self->n_items + self->homes[node];
    }
}

static void
sort_nodes (SymFrameSplit *self)
{
  g_autofree guint *n_added = g_new0 (guint, self->n_frames + 1);
  g_autofree guint8 *is_added = g_new0 (guint8, self->n_items + self->n_frames + 1);

  self->node_starts = g_new0 (guint, self->n_frames + 2);
  self->nodes = g_new (guint, self->n_nodes + 1);
  self->locals = g_new (guint, self->n_nodes + 1);
  for (guint i = 0; i < self->n_nodes; i++)
    self->node_starts[self->homes[i] + 1]++;
  for (guint i = 0; i <= self->n_frames; i++)
    self->node_starts[i + 1] += self->node_starts[i];
  for (guint i = 0; i < self->n_nodes; i++)
    if (self->pins[i] == SYM_PIN_FIRST)
      add_node (self, i, n_added);
  for (guint i = 0; i < self->n_items; i++)
    add_item (self, i, is_added, n_added);
  for (guint i = 0; i < self->n_nodes; i++)
    if (self->pins[i] == SYM_PIN_LAST)
      add_node (self, i, n_added);
}

static void
settle_nodes (Cutter *self)
{
  SymFrameSplit *split = self->split;
  guint n = split->n_items + split->n_frames;

  split->n_nodes = n + self->ports->len;
  split->homes = g_new (guint, split->n_nodes + 1);
  split->pins = g_new0 (guint8, split->n_nodes + 1);
  for (guint i = 0; i < n; i++)
    split->homes[i] = get_home (split, i);
  for (guint i = 0; i < self->ports->len; i++)
    {
      split->homes[n + i] = g_array_index (self->ports, guint, i);
      split->pins[n + i] = g_array_index (self->port_pins, guint8, i);
    }
  sort_nodes (split);
}

/* Sorts the links by container, and numbers the values in each. */
static void
settle_links (Cutter *self)
{
  SymFrameSplit *split = self->split;
  const SymFrameLink *links = (gpointer) self->links->data;
  g_autofree guint *places = g_new (guint, self->links->len + 1);
  g_autofree guint *n_added = g_new0 (guint, split->n_frames + 1);
  g_autofree guint *values = g_new0 (guint, split->n_frames + 1);
  g_autofree guint *n_values = g_new0 (guint, split->n_frames + 1);

  split->n_links = self->links->len;
  split->links = g_new (SymFrameLink, split->n_links + 1);
  split->link_starts = g_new0 (guint, split->n_frames + 2);
  for (guint i = 0; i < split->n_links; i++)
    split->link_starts[split->homes[links[i].from] + 1]++;
  for (guint i = 0; i <= split->n_frames; i++)
    split->link_starts[i + 1] += split->link_starts[i];
  for (guint i = 0; i < split->n_links; i++)
    {
      guint home = split->homes[links[i].from];

      if (values[home] != links[i].tail)
        {
          values[home] = links[i].tail;
          n_values[home]++;
        }
      places[i] = split->link_starts[home] + n_added[home]++;
      split->links[places[i]] = links[i];
      split->links[places[i]].tail = n_values[home];
    }
  for (guint i = 0; i < split->chain_starts[sym_scene_get_n_edges (split->scene)]; i++)
    split->chains[i] = places[split->chains[i]];
}

static void
cut (SymFrameSplit *split)
{
  guint n = split->n_items + split->n_frames;
  g_autofree guint *room = g_new0 (guint, 4 * (gsize) n + 4 * (gsize) split->n_frames + 1);
  guint *frames = room + 4 * (gsize) n;
  Cutter cutter = { .split = split,
                    .links_in = { room, room + n },
                    .stamps_in = { room + 2 * (gsize) n, room + 3 * (gsize) n },
                    .ports_in = frames,
                    .stamps_ports = frames + split->n_frames,
                    .links_out = frames + 2 * (gsize) split->n_frames,
                    .stamps_out = frames + 3 * (gsize) split->n_frames };

  cutter.links = g_array_new (FALSE, FALSE, sizeof (SymFrameLink));
  cutter.chains = g_array_new (FALSE, FALSE, sizeof (guint));
  cutter.ports = g_array_new (FALSE, FALSE, sizeof (guint));
  cutter.port_pins = g_array_new (FALSE, FALSE, sizeof (guint8));
  cut_edges (&cutter);
  settle_nodes (&cutter);
  settle_links (&cutter);
  g_array_unref (cutter.links);
  g_array_unref (cutter.chains);
  g_array_unref (cutter.ports);
  g_array_unref (cutter.port_pins);
}

SymFrameSplit *
sym_frame_split_new (const SymScene *scene)
{
  SymFrameSplit *self = g_new0 (SymFrameSplit, 1);

  self->scene = scene;
  self->n_items = sym_scene_get_n_items (scene);
  self->n_frames = sym_scene_get_n_frames (scene);
  cut (self);
  return self;
}

void
sym_frame_split_free (SymFrameSplit *self)
{
  if (!self)
    return;
  g_free (self->homes);
  g_free (self->pins);
  g_free (self->node_starts);
  g_free (self->nodes);
  g_free (self->locals);
  g_free (self->links);
  g_free (self->link_starts);
  g_free (self->chain_starts);
  g_free (self->chains);
  g_free (self);
}
