/* SPDX-License-Identifier: MIT */
#include "app/scope-anchor.h"
#include "app/scope-canvas-private.h"

/* Opening and closing groups by pointer and keys.  A closed group is selected as its first call. */

#define SIGN_SCALE 0.45 /* pixels per point; below, no sign is drawn */

gboolean
scope_canvas_open_selected (ScopeCanvas *self)
{
  guint group = scope_document_get_selected_group (self->document);
  SymLayout *layout = scope_canvas_get_layout (self);

  /* While other groups are being opened, what is selected is not what is seen. */
  if (group == SYM_NO_GROUP || layout == NULL ||
      sym_scene_get_folding (sym_layout_get_scene (layout)) !=
          scope_document_get_folding (self->document))
    return FALSE;
  scope_document_open_group (self->document, group);
  return TRUE;
}

gboolean
scope_canvas_open_sign_at (ScopeCanvas *self, double px, double py)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  double x, y;
  guint item, group;

  if (picture == NULL || scope_viewport_get_scale (self->viewport) < SIGN_SCALE)
    return FALSE;
  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  item = sym_picture_pick_sign (picture, x, y);
  if (item == G_MAXUINT)
    return FALSE;
  group = sym_scene_get_item (sym_layout_get_scene (sym_picture_get_layout (picture)), item)->group;
  if (group == SYM_NO_GROUP)
    return FALSE;
  scope_document_open_group (self->document, group);
  return TRUE;
}

gboolean
scope_canvas_select_frame_at (ScopeCanvas *self, double px, double py)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  gboolean on_title = FALSE;
  guint frame;
  double x, y;

  if (layout == NULL)
    return FALSE;
  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  frame = sym_layout_pick_frame (layout, x, y, &on_title);
  if (frame == SYM_NO_FRAME)
    return FALSE;
  self->selects_here = TRUE;
  scope_document_select_frame (self->document,
                               sym_scene_get_frame (sym_layout_get_scene (layout), frame)->group);
  self->selects_here = FALSE;
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

gboolean
scope_canvas_keep_group (ScopeCanvas *self, SymLayout *layout, const SymRect *extent)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  guint group = scope_document_get_folded_group (self->document);
  double dx, dy;

  if (self->shown_layout == NULL || group == SYM_NO_GROUP ||
      sym_scene_get_folding (sym_layout_get_scene (self->shown_layout)) ==
          sym_scene_get_folding (sym_layout_get_scene (layout)) ||
      !scope_anchor_find_group (self->shown_layout, layout, group, &visible, &dx, &dy))
    return FALSE;
  scope_viewport_change_extent (self->viewport, extent, dx, dy);
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

/* Where there is no group to close, a minus zooms as well. */
static gboolean
minus_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  if (!scope_document_close_around (SCOPE_CANVAS (widget)->document))
    gtk_widget_activate_action (widget, "win.zoom-out", NULL);
  return TRUE;
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
  gtk_widget_class_add_binding (klass, GDK_KEY_minus, 0, minus_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Subtract, 0, minus_cb, NULL);
}
