/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"
#include "app/scope-place.h"
#include "scene/sym-scene-body.h"

/* Opening and closing groups and layers by pointer and keys.  A closed group is selected as its
 * first call. */

#define SIGN_SCALE 0.45 /* pixels per point; below, no sign is drawn */

/* While others are being opened, what is selected is not what is seen. */
static gboolean
shows_what_is_open (ScopeCanvas *self, SymLayout *layout)
{
  SymScene *scene = layout != NULL ? sym_layout_get_scene (layout) : NULL;

  return scene != NULL &&
         sym_scene_get_open_bodies (scene) == scope_document_get_open_bodies (self->document) &&
         (sym_scene_get_folding (scene) == NULL ||
          sym_scene_get_folding (scene) == scope_document_get_folding (self->document));
}

gboolean
scope_canvas_open_selected (ScopeCanvas *self)
{
  guint group = scope_document_get_selected_group (self->document);
  SymLayout *layout = scope_canvas_get_layout (self);

  if (scope_canvas_step_from_line (self, SCOPE_STEP_CHILD)) /* one follows a line to its end */
    return TRUE;
  if (!shows_what_is_open (self, layout))
    return FALSE;
  if (group == SYM_NO_GROUP)
    return scope_document_open_selected_layer (self->document);
  scope_document_open_group (self->document, group);
  return TRUE;
}

static void
use_item (ScopeCanvas *self, const SymScene *scene, guint index)
{
  const SymSceneItem *item = sym_scene_get_item (scene, index);
  g_autofree char *path = sym_scene_get_call_path (scene, index);

  if (path == NULL)
    scope_document_open_group (self->document, item->group);
  else if (item->first_body > 0)
    scope_document_close_layer (self->document, path);
  else
    scope_document_open_layer (self->document, path);
}

gboolean
scope_canvas_use_sign_at (ScopeCanvas *self, double px, double py)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  double x, y;
  guint item;

  if (picture == NULL || scope_viewport_get_scale (self->viewport) < SIGN_SCALE)
    return FALSE;
  scope_viewport_to_content (self->viewport, px, py, &x, &y);
  item = sym_picture_pick_sign (picture, x, y);
  if (item == G_MAXUINT)
    return FALSE;
  use_item (self, sym_layout_get_scene (sym_picture_get_layout (picture)), item);
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
  SymScene *scene = sym_layout_get_scene (layout);
  const SymSceneFrame *what = sym_scene_get_frame (scene, frame);

  self->selects_here = TRUE;
  if (what->body > 0)
    {
      ScopeNode node = scope_place_get_node (scene, sym_scene_get_item_around (scene, what->body));

      scope_document_select_node (self->document, &node);
    }
  else
    {
      scope_document_select_frame (self->document, what->group);
    }
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
  SymScene *scene = sym_layout_get_scene (layout);
  const SymSceneFrame *what = sym_scene_get_frame (scene, frame);

  if (what->body > 0)
    {
      g_autofree char *path = sym_path_leave_body (sym_scene_get_body (scene, what->body)->path);

      scope_document_close_layer (self->document, path);
    }
  else
    {
      scope_document_close_group (self->document, what->group);
    }
  return TRUE;
}

gboolean
scope_canvas_keep_folded (ScopeCanvas *self, SymLayout *layout, const SymRect *extent)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);
  guint group = scope_document_get_folded_group (self->document);
  const char *layer = scope_document_get_folded_layer (self->document);
  double dx, dy;

  if (self->shown_layout == NULL)
    return FALSE;
  SymScene *before = sym_layout_get_scene (self->shown_layout),
           *after = sym_layout_get_scene (layout);

  if (group != SYM_NO_GROUP && sym_scene_get_folding (before) != sym_scene_get_folding (after))
    {
      if (!scope_anchor_find_group (self->shown_layout, layout, group, &visible, &dx, &dy))
        return FALSE;
    }
  else if (layer != NULL && sym_scene_get_open_bodies (before) != sym_scene_get_open_bodies (after))
    {
      ScopeGaze gaze = scope_canvas_get_gaze (self);

      if (!scope_anchor_find_layer (self->shown_layout, layout, layer, &gaze, &dx, &dy))
        return FALSE;
    }
  else
    {
      return FALSE;
    }
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

/* Where there is nothing to close, a minus zooms as well. */
static gboolean
minus_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  if (!scope_document_close_around (SCOPE_CANVAS (widget)->document))
    gtk_widget_activate_action (widget, "win.zoom-out", NULL);
  return TRUE;
}

/* Where there is nothing to open, a plus zooms. */
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
