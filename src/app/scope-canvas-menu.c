/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <glib/gi18n.h>

#include "app/scope-menu.h"
#include "app/scope-popup.h"
#include "app/scope-text.h"

/* ---- Which menu ---- */

static gboolean
is_group (ScopeCanvas *self)
{
  g_autofree char *text =
      scope_text_group (self->document, scope_document_get_selected_value (self->document),
                        scope_document_get_selected_call (self->document));

  return scope_document_get_selected_frame (self->document) != SYM_NO_GROUP || text != NULL;
}

/* Of what is selected. */
static const char *
get_name (ScopeCanvas *self)
{
  const ScopeNode *node = scope_document_get_selected (self->document);

  if (scope_node_is_line (node))
    return "line_menu";
  if (is_group (self))
    return "group_menu";
  return scope_node_is_none (node) ? "canvas_menu" : "node_menu";
}

/* That of an empty place has all of how the graph is drawn as well. */
static GMenu *
create_canvas_menu (gconstpointer data)
{
  GMenuModel *own = scope_menu_get ("canvas_menu");
  g_autoptr (GMenu) drawing = g_menu_new ();
  GMenu *menu = g_menu_new ();

  g_menu_append_submenu (drawing, _ ("_View"), scope_menu_get ("view_menu"));
  for (int i = 0; i < g_menu_model_get_n_items (own); i++)
    {
      g_autoptr (GMenuItem) section = g_menu_item_new_from_model (own, i);

      g_menu_append_item (menu, section);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (drawing));
  return menu;
}

static GMenuModel *
get_menu (const char *name)
{
  if (g_str_equal (name, "canvas_menu"))
    return scope_menu_keep ("canvas", create_canvas_menu, NULL);
  return scope_menu_get (name);
}

static gboolean
can_open (ScopeCanvas *self)
{
  g_autofree char *path = scope_document_get_selected_layer (self->document);

  if (path != NULL)
    return !sym_open_bodies_has (scope_document_get_open_bodies (self->document), path);
  return scope_document_get_selected_frame (self->document) == SYM_NO_GROUP && is_group (self);
}

void
scope_canvas_popup_menu (ScopeCanvas *self, double x, double y)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "canvas.open", can_open (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "canvas.close",
                                 scope_document_can_close_around (self->document));
  scope_popup_menu (GTK_WIDGET (self), get_menu (get_name (self)), x, y);
}

/* ---- By keys ---- */

/* Where the selection is drawn: a box, or the title of a frame. */
static gboolean
find_selection (ScopeCanvas *self, SymRect *rect)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  guint group = scope_document_get_selected_frame (self->document);
  guint frame = layout != NULL && group != SYM_NO_GROUP
                    ? sym_scene_find_frame (sym_layout_get_scene (layout), group)
                    : SYM_NO_FRAME;

  if (frame != SYM_NO_FRAME)
    {
      *rect = sym_layout_get_frame_title_rect (layout, frame);
      return TRUE;
    }
  return layout != NULL &&
         scope_place_find_node (layout, scope_document_get_selected (self->document), rect);
}

/* Below the selection, else in the middle. */
static gboolean
menu_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  ScopeCanvas *self = SCOPE_CANVAS (widget);
  double x = gtk_widget_get_width (widget) / 2.0, y = gtk_widget_get_height (widget) / 2.0;
  SymRect rect;

  if (find_selection (self, &rect))
    {
      scope_canvas_reveal_selection (self);
      scope_viewport_to_widget (self->viewport, rect.x, rect.y + rect.height, &x, &y);
    }
  scope_canvas_popup_menu (self, CLAMP (x, 0, gtk_widget_get_width (widget)),
                           CLAMP (y, 0, gtk_widget_get_height (widget)));
  return TRUE;
}

/* ---- What only the drawing can do ---- */

static void
open_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_canvas_open_selected (SCOPE_CANVAS (widget));
}

static void
close_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_document_close_around (SCOPE_CANVAS (widget)->document);
}

static void
source_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_canvas_step_from_line (SCOPE_CANVAS (widget), SCOPE_STEP_PARENT);
}

static void
target_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_canvas_step_from_line (SCOPE_CANVAS (widget), SCOPE_STEP_CHILD);
}

static void
next_line_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  scope_canvas_step_from_line (SCOPE_CANVAS (widget), SCOPE_STEP_NEXT);
}

void
scope_canvas_add_menu_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "canvas.open", NULL, open_cb);
  gtk_widget_class_install_action (klass, "canvas.close", NULL, close_cb);
  gtk_widget_class_install_action (klass, "canvas.line-source", NULL, source_cb);
  gtk_widget_class_install_action (klass, "canvas.line-target", NULL, target_cb);
  gtk_widget_class_install_action (klass, "canvas.next-line", NULL, next_line_cb);
  gtk_widget_class_add_binding (klass, GDK_KEY_Menu, 0, menu_cb, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_F10, GDK_SHIFT_MASK, menu_cb, NULL);
}
