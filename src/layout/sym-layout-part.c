/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

SymBoxPlace
sym_layout_get_box_place (const SymSceneItem *item, guint box, SymDirection direction)
{
  const SymRect *rect = &item->boxes[MIN (box, item->n_boxes - 1)].rect;
  double x = rect->x - item->width / 2;
  double y = rect->y - item->height / 2;

  if (direction == SYM_DIRECTION_DOWN)
    return (SymBoxPlace){ x + rect->width / 2, y, y + rect->height };
  return (SymBoxPlace){ y + rect->height / 2, x, x + rect->width };
}

/* Letters of labels are taken to be this broad, in sizes of their font. */
#define LETTER 0.65
#define LABEL_HEIGHT 22.0
#define LABEL_ROOM 12.0
#define MAX_LABEL_WIDTH 180.0

/* Labels lie across a line that flows down, and along one that flows right. */
double
sym_layout_get_gap (const SymSceneEdge *edge, SymDirection direction)
{
  double width;

  if (!edge->label)
    return SYM_LAYOUT_RANK_GAP;
  if (direction == SYM_DIRECTION_DOWN)
    return SYM_LAYOUT_RANK_GAP + LABEL_HEIGHT;
  width = LETTER * sym_scene_get_edge_text_style ().size * (double) g_utf8_strlen (edge->label, -1);
  return SYM_LAYOUT_RANK_GAP + MIN (width + LABEL_ROOM, MAX_LABEL_WIDTH);
}

/* A closed group tells none of its results apart, and may have hundreds: those that leave one box
 * of it share a bus as if they were one.  Control edges do not carry a value, so they must not run
 * along its bus. */
guint
sym_layout_get_tail (const SymScene *scene, const SymSceneEdge *edge)
{
  if (edge->is_control)
    return SYM_NO_ID;
  return sym_scene_get_item (scene, edge->from)->group != SYM_NO_GROUP ? edge->from_box
                                                                       : edge->value;
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

/* The number of its part for each item, parts in order of their first items. */
static guint *
number_parts (const SymScene *scene, guint *n_parts)
{
  guint n_items = sym_scene_get_n_items (scene);
  guint n_edges = sym_scene_get_n_edges (scene);
  guint *parents = g_new (guint, MAX (n_items, 1));
  g_autofree guint *numbers = g_new (guint, MAX (n_items, 1));

  for (guint i = 0; i < n_items; i++)
    parents[i] = i;
  for (guint i = 0; i < n_edges; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      guint a = find_root (parents, edge->from);
      guint b = find_root (parents, edge->to);

      parents[MAX (a, b)] = MIN (a, b);
    }
  *n_parts = 0;
  for (guint i = 0; i < n_items; i++)
    {
      guint root = find_root (parents, i);

      /* A root is the first item of its part. */
      numbers[i] = root == i ? (*n_parts)++ : numbers[root];
    }
  g_free (parents);
  return g_steal_pointer (&numbers);
}

SymPart *
sym_part_new (guint n_items, guint n_links)
{
  SymPart *self = g_new0 (SymPart, 1);

  self->items = g_new (guint, n_items);
  self->breadths = g_new (double, n_items);
  self->lengths = g_new (double, n_items);
  self->x = g_new0 (double, n_items);
  self->y = g_new0 (double, n_items);
  self->ranks = g_new0 (guint, n_items);
  self->has_loop = g_new0 (guint8, n_items);
  self->links = g_new0 (SymLink, MAX (n_links, 1));
  return self;
}

void
sym_part_free (SymPart *self)
{
  g_free (self->items);
  g_free (self->breadths);
  g_free (self->lengths);
  g_free (self->has_loop);
  g_free (self->leans);
  g_free (self->pins);
  g_free (self->links);
  g_free (self->out_starts);
  g_free (self->outs);
  g_free (self->in_starts);
  g_free (self->ins);
  g_free (self->ranks);
  g_free (self->x);
  g_free (self->y);
  g_free (self->course_starts);
  g_free (self->course_points);
  g_free (self);
}

static GPtrArray *
allocate_parts (const SymScene *scene, const guint *numbers, guint n_parts)
{
  GPtrArray *parts = g_ptr_array_new_full (n_parts, (GDestroyNotify) sym_part_free);
  g_autofree guint *n_items = g_new0 (guint, MAX (n_parts, 1));
  g_autofree guint *n_links = g_new0 (guint, MAX (n_parts, 1));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    n_items[numbers[i]]++;
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    n_links[numbers[sym_scene_get_edge (scene, i)->from]]++;
  for (guint i = 0; i < n_parts; i++)
    g_ptr_array_add (parts, sym_part_new (n_items[i], n_links[i]));
  return parts;
}

/* Returns the index within its part for each item. */
static guint *
add_items (GPtrArray *parts, const SymScene *scene, const guint *numbers, SymDirection direction)
{
  guint n_items = sym_scene_get_n_items (scene);
  guint *locals = g_new (guint, MAX (n_items, 1));

  for (guint i = 0; i < n_items; i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPart *part = parts->pdata[numbers[i]];
      guint local = part->n_items++;

      locals[i] = local;
      part->items[local] = i;
      part->breadths[local] = direction == SYM_DIRECTION_DOWN ? item->width : item->height;
      part->lengths[local] = direction == SYM_DIRECTION_DOWN ? item->height : item->width;
    }
  return locals;
}

static void
add_link (SymPart *part,
          const SymScene *scene,
          guint index,
          const guint *locals,
          SymDirection direction)
{
  const SymSceneEdge *edge = sym_scene_get_edge (scene, index);
  guint from_box = edge->is_control ? 0 : edge->from_box;
  SymBoxPlace from =
      sym_layout_get_box_place (sym_scene_get_item (scene, edge->from), from_box, direction);
  SymBoxPlace to = sym_layout_get_box_place (sym_scene_get_item (scene, edge->to), 0, direction);
  SymLink *link = &part->links[part->n_links++];

  link->from = locals[edge->from];
  link->to = locals[edge->to];
  link->edge = index;
  link->tail = sym_layout_get_tail (scene, edge);
  link->from_port = from.middle;
  link->from_side = from.far;
  link->to_port = to.middle;
  link->to_side = to.near;
  link->gap = sym_layout_get_gap (edge, direction);
  link->is_back = edge->is_back || edge->from == edge->to;
  if (edge->from == edge->to && !part->has_loop[link->from])
    {
      part->has_loop[link->from] = 1;
      part->breadths[link->from] += 2 * SYM_LAYOUT_LOOP;
    }
}

GPtrArray *
sym_parts_new (const SymScene *scene, SymDirection direction)
{
  guint n_parts;
  g_autofree guint *numbers = number_parts (scene, &n_parts);
  GPtrArray *parts = allocate_parts (scene, numbers, n_parts);
  g_autofree guint *locals = add_items (parts, scene, numbers, direction);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      guint part = numbers[sym_scene_get_edge (scene, i)->from];

      add_link (parts->pdata[part], scene, i, locals, direction);
    }
  return parts;
}
