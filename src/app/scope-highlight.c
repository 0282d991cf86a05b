/* SPDX-License-Identifier: MIT */
#include "app/scope-highlight.h"

#include <math.h>

#include "app/scope-place.h"
#include "draw/sym-draw-grid.h"

#define LONG 3 /* spots */

ScopeHighlight *
scope_highlight_new (void)
{
  ScopeHighlight *self = g_new0 (ScopeHighlight, 1);

  self->rects = g_array_new (FALSE, FALSE, sizeof (SymRect));
  self->edges = g_array_new (FALSE, FALSE, sizeof (guint));
  self->stems = g_array_new (FALSE, FALSE, sizeof (ScopeStem));
  return self;
}

void
scope_highlight_free (ScopeHighlight *self)
{
  g_array_unref (self->rects);
  g_array_unref (self->edges);
  g_array_unref (self->stems);
  g_free (self);
}

void
scope_highlight_clear (ScopeHighlight *self)
{
  g_array_set_size (self->rects, 0);
  g_array_set_size (self->edges, 0);
  g_array_set_size (self->stems, 0);
}

/* Neighbours that are drawn as one closed group share its box: painted for each of 100,000, it
 * would take as long as all of them. */
static void
add_rect (ScopeHighlight *self, const SymRect *rect)
{
  const SymRect *last =
      self->rects->len > 0 ? &g_array_index (self->rects, SymRect, self->rects->len - 1) : NULL;

  if (last == NULL || last->x != rect->x || last->y != rect->y || last->width != rect->width ||
      last->height != rect->height)
    g_array_append_vals (self->rects, rect, 1);
}

void
scope_highlight_add (ScopeHighlight *self, const SymLayout *layout, SymId value, SymId call)
{
  ScopeNode node = scope_node_get (value, call);

  scope_highlight_add_node (self, layout, &node);
}

void
scope_highlight_add_node (ScopeHighlight *self, const SymLayout *layout, const ScopeNode *node)
{
  SymRect rect;
  guint line = scope_place_find_line (layout, node);

  if (line != G_MAXUINT)
    g_array_append_val (self->edges, line);
  if (!scope_node_is_line (node) && scope_place_find_node (layout, node, &rect))
    add_rect (self, &rect);
}

void
scope_highlight_add_lines (ScopeHighlight *self, const SymLayout *layout, const ScopeNode *node)
{
  guint index = scope_place_find_node_item (layout, node);

  if (index == G_MAXUINT || scope_node_is_line (node))
    return;
  const SymSceneItem *item = sym_scene_get_item (sym_layout_get_scene (layout), index);

  scope_place_collect_edges (layout, index, self->edges);
  for (guint box = 1; box < item->n_boxes; box++)
    if (item->boxes[box].value != SYM_NO_ID)
      g_array_append_vals (self->stems, &(ScopeStem){ index, box }, 1);
}

static gboolean
has_traced (const SymScene *scene, guint item, const SymTrace *trace, GArray *calls)
{
  SymId value = sym_scene_get_item (scene, item)->value;

  g_array_set_size (calls, 0);
  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    if (sym_trace_has_call (trace, g_array_index (calls, SymId, i)))
      return TRUE;
  return calls->len == 0 && value != SYM_NO_ID && sym_trace_has_value (trace, value);
}

/* By item. */
static guint8 *
list_traced (const SymScene *scene, const SymTrace *trace)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  guint n = sym_scene_get_n_items (scene);
  guint8 *traced = g_new0 (guint8, n + 1);

  for (guint i = 0; i < n; i++)
    traced[i] = has_traced (scene, i, trace, calls);
  return traced;
}

static void
add_stems (ScopeHighlight *self, const SymScene *scene, const guint8 *traced, const SymTrace *trace)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      for (guint box = 1; traced[i] && box < item->n_boxes; box++)
        if (item->boxes[box].value != SYM_NO_ID &&
            sym_trace_has_value (trace, item->boxes[box].value))
          g_array_append_vals (self->stems, &(ScopeStem){ i, box }, 1);
    }
}

void
scope_highlight_add_trace (ScopeHighlight *self,
                           const SymLayout *layout,
                           const SymTrace *trace,
                           guint most)
{
  SymScene *scene = sym_layout_get_scene (layout);
  g_autofree guint8 *traced = list_traced (scene, trace);
  guint n = sym_scene_get_n_edges (scene);
  guint n_before = self->edges->len, n_stems = self->stems->len;

  for (guint i = 0; i < n; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      gboolean is_value =
          edge->value != SYM_NO_ID && sym_scene_get_item (scene, edge->from)->body == 0;

      /* A trace may begin at a value without the layer that makes it; bodies belong to their
       * layers. */
      if (traced[edge->to] &&
          (is_value ? sym_trace_has_value (trace, edge->value) : traced[edge->from]))
        g_array_append_val (self->edges, i);
    }
  add_stems (self, scene, traced, trace);
  if (self->edges->len - n_before > most)
    {
      g_array_set_size (self->edges, n_before);
      g_array_set_size (self->stems, n_stems);
    }
}

/* Whether a box is the first of those whose middles lie in the same square. */
typedef struct {
  double size, left, top;
  int n_columns, n_rows;
  guint8 *is_taken;
} Squares;

static void
lay_squares (Squares *self, const SymRect *visible, double size)
{
  self->size = size;
  self->n_columns = (int) ceil (visible->width / size) + 1;
  self->n_rows = (int) ceil (visible->height / size) + 1;
  self->left = floor (visible->x / size);
  self->top = floor (visible->y / size);
  self->is_taken = g_new0 (guint8, (gsize) self->n_columns * (gsize) self->n_rows);
}

static gboolean
take_square (Squares *self, const SymRect *rect, SymRect *square)
{
  double x = floor ((rect->x + rect->width / 2) / self->size) - self->left;
  double y = floor ((rect->y + rect->height / 2) / self->size) - self->top;
  int column = CLAMP ((int) x, 0, self->n_columns - 1);
  int row = CLAMP ((int) y, 0, self->n_rows - 1);
  guint8 *is_taken = &self->is_taken[row * self->n_columns + column];

  if (*is_taken)
    return FALSE;
  *is_taken = TRUE;
  *square = (SymRect){ (self->left + column) * self->size, (self->top + row) * self->size,
                       self->size, self->size };
  return TRUE;
}

static void
collect (const ScopeHighlight *self,
         const SymRect *visible,
         double size,
         gboolean collects_boxes,
         GArray *rects)
{
  Squares squares;

  lay_squares (&squares, visible, size);
  for (guint i = 0; i < self->rects->len; i++)
    {
      const SymRect *rect = &g_array_index (self->rects, SymRect, i);
      SymRect square;

      if (sym_draw_rect_meets (rect, visible) && take_square (&squares, rect, &square))
        g_array_append_vals (rects, collects_boxes ? rect : &square, 1);
    }
  g_free (squares.is_taken);
}

gboolean
scope_highlight_is_spot (const SymRect *box, double size)
{
  return MIN (box->width, box->height) < size && MAX (box->width, box->height) < LONG * size;
}

void
scope_highlight_collect_spots (const ScopeHighlight *self,
                               const SymRect *visible,
                               double size,
                               GArray *spots)
{
  collect (self, visible, size, FALSE, spots);
}

void
scope_highlight_collect_apart (const ScopeHighlight *self,
                               const SymRect *visible,
                               double size,
                               GArray *rects)
{
  collect (self, visible, size, TRUE, rects);
}
