/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include "app/scope-text.h"

#define POINTER_SIZE 24 /* pixels: what a pointer hides beside it */

static void
place_tooltip_of_line (ScopeCanvas *self, GtkTooltip *tooltip)
{
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ (int) self->pointer_x - POINTER_SIZE / 2,
                                                      (int) self->pointer_y - POINTER_SIZE / 2,
                                                      POINTER_SIZE, POINTER_SIZE });
}

/* Beside the box that is pointed at, not over it. */
static void
place_tooltip (ScopeCanvas *self, GtkTooltip *tooltip)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  double left, top, right, bottom;
  SymRect rect;

  if (layout == NULL || !scope_place_find_node (layout, &self->hovered, &rect))
    return;
  scope_viewport_to_widget (self->viewport, rect.x, rect.y, &left, &top);
  scope_viewport_to_widget (self->viewport, rect.x + rect.width, rect.y + rect.height, &right,
                            &bottom);
  left = MAX (left, 0);
  top = MAX (top, 0);
  right = MIN (right, gtk_widget_get_width (GTK_WIDGET (self)));
  bottom = MIN (bottom, gtk_widget_get_height (GTK_WIDGET (self)));
  if (left < right && top < bottom)
    gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle){ (int) left, (int) top, (int) (right - left),
                                                        (int) (bottom - top) });
}

/* What others found out of the layer, and what differs. */
static char *
describe_more (ScopeCanvas *self)
{
  g_autofree char *overlaid = scope_text_overlay (self->document, self->hovered.call);
  g_autofree char *change = scope_document_describe_change (self->document, self->hovered.call);

  if (overlaid == NULL || change == NULL)
    return overlaid != NULL ? g_steal_pointer (&overlaid) : g_steal_pointer (&change);
  return g_strconcat (overlaid, "\n", change, NULL);
}

static gboolean
query_tooltip_cb (ScopeCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (keyboard || scope_node_is_none (&self->hovered))
    return FALSE;
  gboolean is_inner = self->hovered.body != NULL || scope_node_is_line (&self->hovered);
  g_autofree char *text = scope_text_describe_node (self->document, &self->hovered);
  g_autofree char *more = is_inner ? NULL : describe_more (self);
  g_autofree char *both =
      more != NULL && text != NULL ? g_strconcat (text, "\n", more, NULL) : NULL;

  gtk_tooltip_set_text (tooltip, both != NULL ? both : text);
  if (scope_node_is_line (&self->hovered))
    place_tooltip_of_line (self, tooltip);
  else
    place_tooltip (self, tooltip);
  return text != NULL;
}

void
scope_canvas_add_tooltip (ScopeCanvas *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
}
