/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"

/* Pixels at the usual size of text; larger text needs more. */
/* Narrower, and table and inspector leave no room for the graph.  Above what these take at least,
 * or a window that has them could not be drawn smaller. */
#define NARROW 1010
#define LEAST 640 /* narrower, and the header has no room for all tools */
#define TOLD 1120 /* narrower, and how the graph is drawn leaves its size no room in the header */
#define SPACING 6
#define SMALL_SPACING 2
#define USUAL_DPI (96 * 1024) /* as the setting counts */

#define SIDE_PANELS (SCOPE_PANEL_SUMMARY | SCOPE_PANEL_INSPECTOR)

/* How much larger than usual text is. */
static double
get_text_scale (ScopeWindow *self)
{
  int dpi = 0;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? (double) dpi / USUAL_DPI : 1;
}

static double
find_width (ScopeWindow *self)
{
  int width = 0, height = 0;

  if (gtk_window_is_maximized (GTK_WINDOW (self)))
    return G_MAXDOUBLE;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  return width / get_text_scale (self);
}

static ScopeRoom
find_room (ScopeWindow *self)
{
  double width = find_width (self);

  if (width >= NARROW)
    return SCOPE_ROOM_WIDE;
  return width >= LEAST ? SCOPE_ROOM_NARROW : SCOPE_ROOM_LEAST;
}

/* ---- Tools ---- */

static void
move_to_bottom (ScopeWindow *self)
{
  GtkActionBar *bar = GTK_ACTION_BAR (self->bottom_bar);

  adw_header_bar_remove (ADW_HEADER_BAR (self->header), self->left_tools);
  adw_header_bar_remove (ADW_HEADER_BAR (self->header), self->right_tools);
  gtk_action_bar_pack_start (bar, self->left_tools);
  gtk_action_bar_pack_end (bar, self->right_tools);
}

static void
move_to_header (ScopeWindow *self)
{
  AdwHeaderBar *header = ADW_HEADER_BAR (self->header);

  gtk_action_bar_remove (GTK_ACTION_BAR (self->bottom_bar), self->left_tools);
  gtk_action_bar_remove (GTK_ACTION_BAR (self->bottom_bar), self->right_tools);
  adw_header_bar_pack_start (header, self->left_tools);
  adw_header_bar_pack_end (header, self->right_tools);
}

/* Menus open away from the edge that they are at: towards it, on a screen that has room for them in
 * neither direction, little would be left of them, or less than nothing. */
static void
place_tools (ScopeWindow *self)
{
  gboolean is_below =
      gtk_widget_get_ancestor (self->left_tools, GTK_TYPE_ACTION_BAR) == self->bottom_bar;
  gboolean belongs_below = self->room == SCOPE_ROOM_LEAST;

  if (is_below == belongs_below)
    return;
  g_object_ref (self->left_tools);
  g_object_ref (self->right_tools);
  if (belongs_below)
    move_to_bottom (self);
  else
    move_to_header (self);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->view_button),
                                 belongs_below ? GTK_ARROW_UP : GTK_ARROW_DOWN);
  g_object_unref (self->left_tools);
  g_object_unref (self->right_tools);
}

/* What has the keyboard is the button within: its name is its own with that of the text in it, or
 * that of the one around it where it has a picture only. */
static void
name_view_button (ScopeWindow *self, const char *drawing, gboolean has_icon)
{
  GtkWidget *inner = gtk_widget_get_first_child (self->view_button);
  g_autofree char *name = g_strdup_printf ("%s %s", _ ("View"), drawing);

  scope_access_name (self->view_button, name);
  if (has_icon)
    gtk_accessible_reset_property (GTK_ACCESSIBLE (inner), GTK_ACCESSIBLE_PROPERTY_LABEL);
  else
    scope_access_name (inner, _ ("View"));
}

void
scope_window_show_view (ScopeWindow *self)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (self->view_button);
  const ScopeView *view =
      self->document != NULL ? scope_document_get_view (self->document) : &self->view;
  double width = find_width (self);
  gboolean is_short = width < TOLD && width >= LEAST;
  gboolean has_graph =
      self->document != NULL && scope_document_get_inference (self->document) != NULL;

  gtk_widget_set_sensitive (self->view_button, has_graph); /* as all of what it offers */
  gtk_menu_button_set_always_show_arrow (button, !is_short);
  gtk_box_set_spacing (GTK_BOX (self->right_tools), is_short ? SMALL_SPACING : SPACING);
  const char *drawing = view->drawing == SYM_DRAWING_LAYERS ? _ ("Layer Nodes") : _ ("Data Nodes");

  if (is_short)
    gtk_menu_button_set_icon_name (button, "view-reveal-symbolic");
  else
    gtk_menu_button_set_label (button, drawing);
  name_view_button (self, drawing, is_short);
}

void
scope_window_show_tools (ScopeWindow *self)
{
  gboolean has_document = scope_window_get_page (self) != NULL;
  gboolean is_wide = self->room == SCOPE_ROOM_WIDE;

  place_tools (self);
  gtk_widget_set_visible (self->left_tools, has_document);
  gtk_widget_set_visible (self->right_tools, has_document);
  gtk_widget_set_visible (self->undo_button, is_wide);
  gtk_widget_set_visible (self->redo_button, is_wide);
  gtk_widget_set_visible (self->export_button, is_wide);
  gtk_action_bar_set_revealed (GTK_ACTION_BAR (self->bottom_bar),
                               has_document && self->room == SCOPE_ROOM_LEAST);
}

/* ---- Panels ---- */

ScopePanels
scope_window_make_room (ScopeWindow *self, ScopePanels panel)
{
  if (self->room == SCOPE_ROOM_WIDE || (panel & SIDE_PANELS) == 0)
    return self->panels | panel;
  return (self->panels & ~SIDE_PANELS) | panel;
}

/* In all tabs: those behind also count in how narrow the window can be. */
void
scope_window_show_panels (ScopeWindow *self)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page == NULL)
        continue;
      scope_page_set_room (page, self->room);
      scope_page_show_panels (page, self->panels);
    }
}

/* ---- Changes ---- */

static void
leave_wide (ScopeWindow *self)
{
  self->wide_panels = self->panels & SIDE_PANELS;
  self->panels &= ~SIDE_PANELS;
}

static void
room_changed_cb (ScopeWindow *self)
{
  ScopeRoom room = find_room (self);
  gboolean was_wide = self->room == SCOPE_ROOM_WIDE;

  scope_window_show_view (self);
  if (room == self->room)
    return;
  self->room = room;
  if (room == SCOPE_ROOM_WIDE)
    self->panels = (self->panels & ~SIDE_PANELS) | self->wide_panels;
  else if (was_wide)
    leave_wide (self);
  scope_window_show_tools (self);
  scope_window_show_panels (self);
  scope_window_update_actions (self);
}

void
scope_window_watch_room (ScopeWindow *self)
{
  g_signal_connect (self, "notify::default-width", G_CALLBACK (room_changed_cb), NULL);
  g_signal_connect (self, "notify::maximized", G_CALLBACK (room_changed_cb), NULL);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (self)), "notify::gtk-xft-dpi",
                           G_CALLBACK (room_changed_cb), self, G_CONNECT_SWAPPED);
}
