/* SPDX-License-Identifier: MIT */
#include "app/scope-place.h"

#include <math.h>

#include "scene/sym-scene-body.h"

/* The middle of an item: how far along the flow, and across it. */
static void
get_middle (const SymLayout *layout, guint item, double *along, double *across)
{
  const SymSceneItem *it = sym_scene_get_item (sym_layout_get_scene (layout), item);
  SymPoint corner = sym_layout_get_position (layout, item);
  double x = corner.x + it->width / 2, y = corner.y + it->height / 2;
  gboolean down = sym_layout_get_direction (layout) == SYM_DIRECTION_DOWN;

  *along = down ? y : x;
  *across = down ? x : y;
}

/* Half of an item's length along the flow. */
static double
get_half_length (const SymLayout *layout, guint item)
{
  const SymSceneItem *it = sym_scene_get_item (sym_layout_get_scene (layout), item);

  return (sym_layout_get_direction (layout) == SYM_DIRECTION_DOWN ? it->height : it->width) / 2;
}

static guint
step_along (const SymLayout *layout, guint item, gboolean to_child)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint n = sym_scene_get_n_edges (scene), best = G_MAXUINT;
  double along, across, least = G_MAXDOUBLE;

  get_middle (layout, item, &along, &across);
  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      guint here = to_child ? edge->from : edge->to, there = to_child ? edge->to : edge->from;
      double a, c;

      if (here != item || there == item)
        continue;
      get_middle (layout, there, &a, &c);
      double distance = fabs (a - along) + fabs (c - across);

      if (distance < least)
        {
          least = distance;
          best = there;
        }
    }
  return best;
}

/* The nearest item on that side whose length overlaps this one's. */
static guint
step_across (const SymLayout *layout, guint item, double sign)
{
  guint n = sym_scene_get_n_items (sym_layout_get_scene (layout)), best = G_MAXUINT;
  double along, across, least = G_MAXDOUBLE, half = get_half_length (layout, item);

  get_middle (layout, item, &along, &across);
  for (guint i = 0; i < n; i++)
    {
      double a, c;

      get_middle (layout, i, &a, &c);
      double ahead = (c - across) * sign;

      if (i == item || ahead <= 0 || fabs (a - along) >= half + get_half_length (layout, i))
        continue;
      if (ahead < least)
        {
          least = ahead;
          best = i;
        }
    }
  return best;
}

/* The box of a value, or else the first one of the item. */
static SymRect
get_box (const SymLayout *layout, guint index, SymId value)
{
  const SymSceneItem *item = sym_scene_get_item (sym_layout_get_scene (layout), index);
  SymPoint corner = sym_layout_get_position (layout, index);
  SymRect inner = { 0, 0, item->width, item->height };

  for (guint i = item->n_boxes; i-- > 0;)
    {
      const SymBox *box = &item->boxes[i];

      if (box->value == value || (box->value == SYM_NO_ID && i == 0))
        {
          inner = box->rect;
          break;
        }
    }
  return (SymRect){ corner.x + inner.x, corner.y + inner.y, inner.width, inner.height };
}

gboolean
scope_place_find (const SymLayout *layout, SymId value, SymId call, SymRect *rect)
{
  guint index = scope_place_find_item (layout, value, call);

  if (index == G_MAXUINT)
    return FALSE;
  *rect = get_box (layout, index, value);
  return TRUE;
}

/* With the value at @box instead of the first. */
static ScopeNode
get_node (const SymScene *scene, guint index, guint box)
{
  const SymSceneItem *item = sym_scene_get_item (scene, index);
  ScopeNode node = scope_node_get (item->value, item->value == SYM_NO_ID ? item->call : SYM_NO_ID);

  if (box < item->n_boxes)
    node = item->boxes[box].value != SYM_NO_ID ? scope_node_get (item->boxes[box].value, SYM_NO_ID)
           : item->call != SYM_NO_ID           ? scope_node_get (SYM_NO_ID, item->call)
                                               : node;
  if (item->group != SYM_NO_GROUP && node.value == SYM_NO_ID)
    node.call =
        sym_groups_get_calls (sym_folding_get_groups (sym_scene_get_folding (scene)), item->group)
            .ids[0];
  if (item->body > 0)
    {
      node.inner_value = node.value;
      node.inner_call = node.call;
      node.body = g_intern_string (sym_scene_get_body (scene, item->body)->path);
      node.value = SYM_NO_ID;
      node.call = sym_scene_get_call_around (scene, index);
    }
  return node;
}

gboolean
scope_place_pick (const SymLayout *layout, double x, double y, double reach, ScopeNode *node)
{
  guint box, index = sym_layout_pick (layout, x, y, &box);

  if (index == G_MAXUINT && reach > 0)
    index = sym_layout_pick_near (layout, x, y, reach, &box);

  *node = scope_node_get_none ();
  if (index == G_MAXUINT)
    return FALSE;
  *node = get_node (sym_layout_get_scene (layout), index, box != G_MAXUINT ? box : 0);
  return TRUE;
}

ScopeNode
scope_place_get_node (const SymScene *scene, guint index)
{
  return get_node (scene, index, G_MAXUINT);
}

guint
scope_place_step (const SymLayout *layout, guint item, ScopeStep step)
{
  g_return_val_if_fail (item < sym_scene_get_n_items (sym_layout_get_scene (layout)), G_MAXUINT);

  switch (step)
    {
    case SCOPE_STEP_PARENT:
      return step_along (layout, item, FALSE);
    case SCOPE_STEP_CHILD:
      return step_along (layout, item, TRUE);
    case SCOPE_STEP_PREVIOUS:
      return step_across (layout, item, -1);
    case SCOPE_STEP_NEXT:
      return step_across (layout, item, 1);
    default:
      g_assert_not_reached ();
    }
}

void
scope_place_collect_edges (const SymLayout *layout, guint item, GArray *edges)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint n = sym_scene_get_n_edges (scene);

  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      if (edge->from == item || edge->to == item)
        g_array_append_val (edges, i);
    }
}

guint
scope_place_find_item (const SymLayout *layout, SymId value, SymId call)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint item = value != SYM_NO_ID ? sym_scene_find_value (scene, value) : G_MAXUINT;

  if (item == G_MAXUINT && call != SYM_NO_ID)
    item = sym_scene_find_call (scene, call);
  return item;
}

/* Where its ids are looked up; G_MAXUINT when that is not drawn. */
static guint
find_body (const SymScene *scene, const ScopeNode *node)
{
  return node->body != NULL ? sym_scene_find_body (scene, node->body) : G_MAXUINT;
}

guint
scope_place_find_node_item (const SymLayout *layout, const ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint body = find_body (scene, node), item = G_MAXUINT;

  if (body == G_MAXUINT)
    return scope_place_find_item (layout, node->value, node->call);
  if (node->inner_value != SYM_NO_ID)
    item = sym_scene_find_value_in (scene, body, node->inner_value);
  if (item == G_MAXUINT && node->inner_call != SYM_NO_ID)
    item = sym_scene_find_call_in (scene, body, node->inner_call);
  return item;
}

gboolean
scope_place_find_node (const SymLayout *layout, const ScopeNode *node, SymRect *rect)
{
  guint index = scope_place_find_node_item (layout, node);
  gboolean is_inner = find_body (sym_layout_get_scene (layout), node) != G_MAXUINT;

  if (index == G_MAXUINT)
    return FALSE;
  *rect = get_box (layout, index, is_inner ? node->inner_value : node->value);
  return TRUE;
}

/* Whether the line of a body that a node is, if it is one, is there. */
static gboolean
has_line (const SymModel *model, const ScopeNode *node)
{
  SymIds consumers = sym_model_get_consumers (model, node->inner_value);

  for (guint i = 0; i < consumers.n; i++)
    if (consumers.ids[i] == node->to)
      return TRUE;
  return node->to == SYM_NO_ID;
}

/* What a composite layer is made of may be made anew, for other shapes. */
static gboolean
is_in (const SymModel *model, const ScopeNode *node)
{
  return (node->inner_value == SYM_NO_ID || sym_model_has_value (model, node->inner_value)) &&
         (node->inner_call == SYM_NO_ID || sym_model_has_call (model, node->inner_call)) &&
         (node->to == SYM_NO_ID || has_line (model, node));
}

SymInference *
scope_place_get_inference (const SymLayout *layout, const ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint body = find_body (scene, node);
  SymInference *inference = body != G_MAXUINT ? sym_scene_get_body (scene, body)->inference : NULL;

  return inference != NULL && is_in (sym_inference_get_model (inference), node) ? inference : NULL;
}

gboolean
scope_place_is_made (const SymLayout *layout, const ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint body = find_body (scene, node);

  return body != G_MAXUINT && sym_scene_get_body (scene, body)->is_made;
}

gboolean
scope_place_is_hidden (const SymLayout *layout, const ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint body = find_body (scene, node);

  return body != G_MAXUINT && sym_scene_is_hidden (scene, body, node->inner_value);
}

/* ---- Lines ---- */

/* The item of @body that an item is, or is somewhere in; G_MAXUINT for none. */
static guint
climb (const SymScene *scene, guint item, guint body)
{
  guint own = sym_scene_get_item (scene, item)->body;

  while (own != body && own > 0)
    {
      item = sym_scene_get_item_around (scene, own);
      own = sym_scene_get_item (scene, item)->body;
    }
  return own == body ? item : G_MAXUINT;
}

/* The first use of the value that an item stands for: a closed group may have several. */
static SymId
find_use (const SymScene *scene, guint from, SymId value, guint item)
{
  guint body = sym_scene_get_item (scene, from)->body;
  SymIds consumers = sym_model_get_consumers (sym_scene_get_item_model (scene, from), value);

  for (guint i = 0; i < consumers.n; i++)
    if (sym_scene_find_call_in (scene, body, consumers.ids[i]) == item)
      return consumers.ids[i];
  return SYM_NO_ID;
}

gboolean
scope_place_get_line (const SymLayout *layout, guint edge, ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  const SymSceneEdge *line = sym_scene_get_edge (scene, edge);
  guint item = climb (scene, line->to, sym_scene_get_item (scene, line->from)->body);

  if (line->value == SYM_NO_ID || line->is_control || item == G_MAXUINT)
    return FALSE;
  SymId to = find_use (scene, line->from, line->value, item);

  if (to == SYM_NO_ID)
    return FALSE;
  *node = scope_place_get_node (scene, line->from);
  if (node->body != NULL)
    {
      node->inner_value = line->value;
      node->inner_call = SYM_NO_ID;
    }
  else
    {
      *node = scope_node_get (line->value, SYM_NO_ID);
    }
  node->to = to;
  return TRUE;
}

guint
scope_place_find_line (const SymLayout *layout, const ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint body = node->body != NULL ? find_body (scene, node) : 0;
  guint n = sym_scene_get_n_edges (scene);

  if (!scope_node_is_line (node) || body == G_MAXUINT)
    return G_MAXUINT;
  SymId value = node->body != NULL ? node->inner_value : node->value;
  guint from = sym_scene_find_value_in (scene, body, value);
  guint to = sym_scene_find_call_in (scene, body, node->to);

  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);

      if (edge->from == from && edge->value == value && !edge->is_control &&
          climb (scene, edge->to, body) == to)
        return i;
    }
  return G_MAXUINT;
}
