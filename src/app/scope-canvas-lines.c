/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#define REACH 6.0        /* pixels from a line that count as at it */
#define LEAST_SCALE 0.25 /* pixels per point; below, lines lie too close together */

/* The title of a frame is there to be clicked, whatever runs below it. */
static gboolean
is_at_title (const SymLayout *layout, double x, double y)
{
  gboolean on_title = FALSE;

  sym_layout_pick_frame (layout, x, y, &on_title);
  return on_title;
}

gboolean
scope_canvas_pick_line (ScopeCanvas *self, double px, double py, ScopeNode *node)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  double scale = scope_viewport_get_scale (self->viewport), x, y;

  if (picture == NULL || scale < LEAST_SCALE)
    return FALSE;
  SymLayout *layout = sym_picture_get_layout (picture);

  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  guint edge = sym_picture_pick_line (picture, x, y, REACH / scale);

  return edge != G_MAXUINT && !is_at_title (layout, x, y) &&
         scope_place_get_line (layout, edge, node);
}

/* ---- From line to line ---- */

static void
go_to (ScopeCanvas *self, const ScopeNode *node)
{
  scope_canvas_select_here (self, node);
  scope_canvas_reveal_selection (self);
}

/* The next line that leaves @from, or arrives at @to, after one of them (G_MAXUINT: the first),
 * around the end.  Items that are G_MAXUINT do not count. */
static gboolean
find_next_line (const SymLayout *layout,
                guint from,
                guint to,
                guint after,
                gboolean forward,
                ScopeNode *node)
{
  SymScene *scene = sym_layout_get_scene (layout);
  guint n = sym_scene_get_n_edges (scene);
  guint at = after != G_MAXUINT ? after : forward ? n - 1 : 0;

  for (guint i = 0; i < n; i++)
    {
      at = (at + (forward ? 1 : n - 1)) % n;
      const SymSceneEdge *edge = sym_scene_get_edge (scene, at);

      if ((from == G_MAXUINT || edge->from == from) && (to == G_MAXUINT || edge->to == to) &&
          scope_place_get_line (layout, at, node))
        return TRUE;
    }
  return FALSE;
}

/* The first line that leaves, or arrives at, the selected node; when a line is selected, the one
 * beside it at that end. */
static gboolean
line_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  SymLayout *layout = scope_canvas_get_layout (self);
  const ScopeNode *selected = scope_document_get_selected (self->document);
  gboolean arrives = g_variant_get_boolean (args);
  ScopeNode node;

  if (layout == NULL || scope_node_is_none (selected))
    return FALSE;
  SymScene *scene = sym_layout_get_scene (layout);
  guint line = scope_place_find_line (layout, selected);
  guint item = scope_place_find_node_item (layout, selected);

  if (line != G_MAXUINT)
    item = arrives ? sym_scene_get_edge (scene, line)->to : sym_scene_get_edge (scene, line)->from;
  if (item != G_MAXUINT && find_next_line (layout, arrives ? G_MAXUINT : item,
                                           arrives ? item : G_MAXUINT, line, TRUE, &node))
    go_to (self, &node);
  return TRUE;
}

gboolean
scope_canvas_step_from_line (ScopeCanvas *self, ScopeStep step)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  guint line = layout != NULL
                   ? scope_place_find_line (layout, scope_document_get_selected (self->document))
                   : G_MAXUINT;

  if (line == G_MAXUINT)
    return FALSE;
  SymScene *scene = sym_layout_get_scene (layout);
  const SymSceneEdge *edge = sym_scene_get_edge (scene, line);
  ScopeNode node;

  if (step == SCOPE_STEP_PARENT || step == SCOPE_STEP_CHILD)
    node = scope_place_get_node (scene, step == SCOPE_STEP_CHILD ? edge->to : edge->from);
  else if (!find_next_line (layout, edge->from, G_MAXUINT, line, step == SCOPE_STEP_NEXT, &node))
    return TRUE;
  go_to (self, &node);
  return TRUE;
}

void
scope_canvas_add_line_bindings (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding (klass, GDK_KEY_e, 0, line_cb, "b", FALSE);
  gtk_widget_class_add_binding (klass, GDK_KEY_E, GDK_SHIFT_MASK, line_cb, "b", TRUE);
}
