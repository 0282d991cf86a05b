/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-frame.h"

#include <math.h>

/* Between the border of a frame and what is in it, and for its title. */
#define PADDING 16.0
#define PADDING_AT_PORTS 6.0 /* these have a rank of their own, and so room */
#define PORT_BREADTH 2.0
#define TITLE_STEP 32.0 /* titles may differ by a letter where frames should not */
#define TITLE_GAP 12.0

typedef struct {
  SymFrameTree *tree;
  const SymFrameSplit *split;
  SymDirection direction;
  guint *parts;  /* by node: the part it is in, when a container has several */
  guint *places; /* by node: its number there */
} Maker;

static double
get_trunk (const SymFrameSize *size)
{
  return size->across + size->inside->trunk;
}

static void
measure_item (const Maker *self, SymPart *part, guint local, guint node)
{
  const SymSceneItem *item = sym_scene_get_item (self->split->scene, node);
  gboolean down = self->direction == SYM_DIRECTION_DOWN;

  part->breadths[local] = down ? item->width : item->height;
  part->lengths[local] = down ? item->height : item->width;
}

static void
add_node (const Maker *self, SymPart *part, guint node)
{
  guint local = part->n_items++;
  guint n = self->split->n_items;

  self->places[node] = local;
  part->items[local] = node;
  part->pins[local] = self->split->pins[node];
  part->breadths[local] = PORT_BREADTH;
  part->lengths[local] = part->leans[local] = 0;
  if (node < n)
    {
      measure_item (self, part, local, node);
    }
  else if (node < n + self->split->n_frames)
    {
      const SymFrameSize *size = &self->tree->sizes[node - n];

      part->breadths[local] = size->breadth;
      part->lengths[local] = size->length;
      part->leans[local] = size->breadth / 2 - get_trunk (size);
    }
}

/* Where a link meets a node, from the node's x and from its middle along the flow. */
static void
get_end (const Maker *self,
         guint node,
         guint port,
         gboolean is_from,
         const SymSceneEdge *edge,
         double *across,
         double *along)
{
  guint n = self->split->n_items;

  *across = *along = 0;
  if (node < n)
    {
      guint box = is_from && !edge->is_control ? edge->from_box : 0;
      SymBoxPlace place = sym_layout_get_box_place (sym_scene_get_item (self->split->scene, node),
                                                    box, self->direction);

      *across = place.middle;
      *along = is_from ? place.far : place.near;
    }
  else if (port != G_MAXUINT)
    {
      const SymFrameSize *size = &self->tree->sizes[node - n];

      *across = size->inside->x[self->split->locals[port]] - size->inside->trunk;
      *along = is_from ? size->length / 2 : -size->length / 2;
    }
}

static void
add_link (const Maker *self, SymPart *part, guint index)
{
  const SymFrameLink *what = &self->split->links[index];
  const SymSceneEdge *edge = sym_scene_get_edge (self->split->scene, what->edge);
  SymLink *link = &part->links[part->n_links++];

  link->from = self->places[what->from];
  link->to = self->places[what->to];
  link->edge = index;
  link->tail = what->tail;
  link->is_back = what->is_back;
  /* A line has its label where it begins. */
  link->gap = what->from < self->split->n_items ? sym_layout_get_gap (edge, self->direction)
                                                : SYM_LAYOUT_RANK_GAP;
  get_end (self, what->from, what->from_port, TRUE, edge, &link->from_port, &link->from_side);
  get_end (self, what->to, what->to_port, FALSE, edge, &link->to_port, &link->to_side);
  if (what->from == what->to && !part->has_loop[link->from])
    {
      part->has_loop[link->from] = 1;
      part->breadths[link->from] += 2 * SYM_LAYOUT_LOOP;
    }
}

static SymPart *
part_new (guint n_items, guint n_links)
{
  SymPart *part = sym_part_new (n_items, n_links);

  part->leans = g_new0 (double, n_items + 1);
  part->pins = g_new0 (guint8, n_items + 1);
  return part;
}

static SymPart *
make_part (const Maker *self, guint container)
{
  const SymFrameSplit *split = self->split;
  guint first = split->node_starts[container];
  guint end = split->node_starts[container + 1];
  guint first_link = split->link_starts[container];
  guint end_link = split->link_starts[container + 1];
  SymPart *part = part_new (end - first, end_link - first_link);
  gboolean leans = FALSE;

  for (guint i = first; i < end; i++)
    {
      add_node (self, part, split->nodes[i]);
      leans = leans || part->leans[i - first] < 0 || part->leans[i - first] > 0;
    }
  for (guint i = first_link; i < end_link; i++)
    add_link (self, part, i);
  if (!leans)
    g_clear_pointer (&part->leans, g_free);
  return part;
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

/* Numbers the connected parts of the outermost container, in the order of their first nodes. */
static guint
number_parts (Maker *self)
{
  const SymFrameSplit *split = self->split;
  guint top = split->n_frames;
  g_autofree guint *parents = g_new (guint, split->n_nodes + 1);
  g_autofree guint *firsts = g_new (guint, split->n_nodes + 1);
  guint n = 0;

  for (guint i = 0; i < split->n_nodes; i++)
    {
      parents[i] = i;
      firsts[i] = G_MAXUINT;
    }
  for (guint i = split->link_starts[top]; i < split->link_starts[top + 1]; i++)
    parents[find_root (parents, split->links[i].from)] = find_root (parents, split->links[i].to);
  for (guint i = split->node_starts[top]; i < split->node_starts[top + 1]; i++)
    {
      guint root = find_root (parents, split->nodes[i]);

      if (firsts[root] == G_MAXUINT)
        firsts[root] = n++;
      self->parts[split->nodes[i]] = firsts[root];
    }
  return n;
}

static void
make_top_parts (Maker *self)
{
  const SymFrameSplit *split = self->split;
  guint top = split->n_frames;
  guint n = number_parts (self);
  g_autofree guint *n_nodes = g_new0 (guint, n + 1);
  g_autofree guint *n_links = g_new0 (guint, n + 1);
  GPtrArray *parts = self->tree->parts;

  for (guint i = split->node_starts[top]; i < split->node_starts[top + 1]; i++)
    n_nodes[self->parts[split->nodes[i]]]++;
  for (guint i = split->link_starts[top]; i < split->link_starts[top + 1]; i++)
    n_links[self->parts[split->links[i].from]]++;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (parts, part_new (n_nodes[i], n_links[i]));
  for (guint i = split->node_starts[top]; i < split->node_starts[top + 1]; i++)
    add_node (self, parts->pdata[self->parts[split->nodes[i]]], split->nodes[i]);
  for (guint i = split->link_starts[top]; i < split->link_starts[top + 1]; i++)
    add_link (self, parts->pdata[self->parts[split->links[i].from]], i);
}

/* The leftmost place where a line crosses the upper border; the right side when none does. */
static double
find_first_port (const Maker *self, guint frame, const SymFrameInside *inside)
{
  const SymFrameSplit *split = self->split;
  double first = inside->width;

  for (guint i = split->node_starts[frame]; i < split->node_starts[frame + 1]; i++)
    if (split->pins[split->nodes[i]] == SYM_PIN_FIRST)
      first = MIN (first, inside->x[i - split->node_starts[frame]]);
  return first;
}

static gboolean
has_ports (const Maker *self, guint frame, SymPin pin)
{
  const SymFrameSplit *split = self->split;
  gboolean result = FALSE;

  for (guint i = split->node_starts[frame]; i < split->node_starts[frame + 1]; i++)
    result = result || split->pins[split->nodes[i]] == pin;
  return result;
}

/* No line runs through the title: the lines that enter a frame from above do so right of it, and in
 * a drawing that flows right it has the upper side for itself. */
static void
measure_frame (const Maker *self, guint frame)
{
  SymFrameSize *size = &self->tree->sizes[frame];
  const SymFrameInside *inside = size->inside;
  double width = sym_scene_get_frame (self->split->scene, frame)->title_width;
  double before = has_ports (self, frame, SYM_PIN_FIRST) ? PADDING_AT_PORTS : PADDING;
  double after = has_ports (self, frame, SYM_PIN_LAST) ? PADDING_AT_PORTS : PADDING;
  double title = SYM_LAYOUT_TITLE_LEFT + ceil (width / TITLE_STEP) * TITLE_STEP + TITLE_GAP;

  if (self->direction == SYM_DIRECTION_DOWN)
    {
      size->across = MAX (PADDING, title - find_first_port (self, frame, inside));
      size->along = SYM_LAYOUT_TITLE_HEIGHT + before;
      size->breadth = size->across + inside->width + PADDING;
      size->length = size->along + inside->height + after;
    }
  else
    {
      size->across = SYM_LAYOUT_TITLE_HEIGHT + PADDING / 2;
      size->along = before;
      size->breadth = size->across + inside->width + PADDING;
      size->length = MAX (size->along + inside->height + after, title);
    }
}

/* Frames within come before those around them. */
static gboolean
lay_out_frames (Maker *self,
                double rank_gap,
                SymFrameCache *cache,
                SymLayoutEngine *engine,
                GCancellable *cancellable)
{
  for (guint i = self->split->n_frames; i-- > 0;)
    {
      SymPart *part = make_part (self, i);

      self->tree->sizes[i].inside =
          sym_frame_cache_look_up (cache, part, rank_gap, engine, cancellable);
      sym_part_free (part);
      if (!self->tree->sizes[i].inside)
        return FALSE;
      measure_frame (self, i);
    }
  make_top_parts (self);
  for (guint i = 0; i < self->tree->parts->len; i++)
    if (!sym_layout_engine_run (engine, self->tree->parts->pdata[i], rank_gap, cancellable))
      return FALSE;
  return TRUE;
}

SymFrameTree *
sym_frame_tree_new (const SymScene *scene,
                    SymDirection direction,
                    double rank_gap,
                    SymFrameCache *cache,
                    SymLayoutEngine *engine,
                    GCancellable *cancellable)
{
  g_autoptr (SymFrameTree) self = g_new0 (SymFrameTree, 1);
  g_autofree guint *room = NULL;
  Maker maker = { .tree = self, .direction = direction };

  self->split = sym_frame_split_new (scene);
  self->sizes = g_new0 (SymFrameSize, self->split->n_frames + 1);
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_part_free);
  room = g_new (guint, 2 * (gsize) self->split->n_nodes + 1);
  maker.split = self->split;
  sym_layout_engine_expect (engine, self->split->node_starts[self->split->n_frames + 1],
                            self->split->link_starts[self->split->n_frames + 1]);
  maker.parts = room;
  maker.places = room + self->split->n_nodes;
  if (!lay_out_frames (&maker, rank_gap, cache, engine, cancellable))
    return NULL;
  return g_steal_pointer (&self);
}

void
sym_frame_tree_free (SymFrameTree *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->split->n_frames; i++)
    sym_frame_inside_unref (self->sizes[i].inside);
  g_free (self->sizes);
  sym_frame_split_free (self->split);
  g_ptr_array_unref (self->parts);
  g_free (self);
}
