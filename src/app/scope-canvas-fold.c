/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

/* Opening and closing groups by pointer and keys.  A closed group is selected as its first call. */

gboolean
scope_canvas_open_selected (ScopeCanvas *self)
{
  guint group = scope_document_get_selected_group (self->document);

  if (group == SYM_NO_GROUP)
    return FALSE;
  scope_document_open_group (self->document, group);
  return TRUE;
}

gboolean
scope_canvas_close_title_at (ScopeCanvas *self, double px, double py)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  gboolean on_title = FALSE;
  guint frame;
  double x, y;

  if (layout == NULL)
    return FALSE;
  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  frame = sym_layout_pick_frame (layout, x, y, &on_title);
  if (!on_title)
    return FALSE;
  scope_document_close_group (self->document,
                              sym_scene_get_frame (sym_layout_get_scene (layout), frame)->group);
  return TRUE;
}

static gboolean
open_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return scope_canvas_open_selected (SCOPE_CANVAS (widget));
}

static gboolean
close_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  return scope_document_close_around (SCOPE_CANVAS (widget)->document);
}

/* Where there is no group to open, a plus zooms. */
static gboolean
plus_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  if (!scope_canvas_open_selected (SCOPE_CANVAS (widget)))
    gtk_widget_activate_action (widget, "win.zoom-in", NULL);
  return TRUE;
}

void
scope_canvas_add_fold_bindings (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, 0, open_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Enter, 0, open_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_BackSpace, 0, close_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_plus, 0, plus_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Add, 0, plus_cb, NULL);
}
