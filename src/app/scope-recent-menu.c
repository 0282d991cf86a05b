/* SPDX-License-Identifier: MIT */
#include "app/scope-recent-menu.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-popup.h"
#include "app/scope-recent.h"

/* What a row's menu is about; the row's. */
typedef struct {
  GtkWidget *row; /* borrowed */
  ScopeSettings *settings;
  char *uri;
  gboolean is_pinned;
} Recent;

static void
recent_free (gpointer data)
{
  Recent *self = data;

  g_object_unref (self->settings);
  g_free (self->uri);
  g_free (self);
}

static void
tell_error (GtkWidget *row, const GError *error)
{
  gtk_widget_activate_action (row, "win.show-message", "s", error->message);
}

/* ---- What it does ---- */

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Recent *self = user_data;

  gtk_widget_activate_action (self->row, "win.open-uri", "s", self->uri);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Recent *self = user_data;
  g_autoptr (GFile) file = g_file_new_for_uri (self->uri);
  g_autofree char *path = scope_file_address (file);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->row), path);
}

/* These make the list anew, and this row with its menu goes: not before the menu has closed. */
static gboolean
toggle_pin_cb (gpointer data)
{
  GtkWidget *row = data;
  Recent *self = g_object_get_data (G_OBJECT (row), "recent");
  g_autofree char *uri = g_strdup (self->uri);
  g_autoptr (GError) error = NULL;

  if (gtk_widget_get_root (row) != NULL &&
      !scope_settings_set_pinned (self->settings, uri, !self->is_pinned, &error))
    tell_error (row, error);
  return G_SOURCE_REMOVE;
}

static gboolean
forget_row_cb (gpointer data)
{
  GtkWidget *row = data;
  Recent *self = g_object_get_data (G_OBJECT (row), "recent");
  g_autofree char *uri = g_strdup (self->uri);
  g_autoptr (GError) error = NULL;

  if (gtk_widget_get_root (row) != NULL && !scope_recent_forget (self->settings, uri, &error))
    tell_error (row, error);
  return G_SOURCE_REMOVE;
}

static void
pin_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Recent *self = user_data;

  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, toggle_pin_cb, g_object_ref (self->row),
                   g_object_unref);
}

static void
forget_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  Recent *self = user_data;

  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, forget_row_cb, g_object_ref (self->row),
                   g_object_unref);
}

/* ---- The menu ---- */

static void
open_menu (Recent *self, double x, double y)
{
  g_autoptr (GMenu) items = g_menu_new ();
  g_autoptr (GMenu) list = g_menu_new ();

  g_menu_append (items, _ ("_Open"), "recent.open");
  g_menu_append (items, _ ("_Copy Path"), "recent.copy-path");
  g_menu_append (list, self->is_pinned ? _ ("Do Not _Keep at the Top") : _ ("_Keep at the Top"),
                 "recent.pin");
  g_menu_append (list, _ ("_Remove from List"), "recent.forget");
  g_menu_append_section (items, NULL, G_MENU_MODEL (list));
  scope_popup_menu (self->row, G_MENU_MODEL (items), x, y);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, Recent *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (self, x, y);
}

static gboolean
key_cb (GtkWidget *row, GVariant *arguments, gpointer user_data)
{
  open_menu (user_data, gtk_widget_get_width (row) / 2.0, gtk_widget_get_height (row));
  return TRUE;
}

static void
add_controllers (Recent *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkShortcutTrigger *trigger = gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10");

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->row, GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (trigger, gtk_callback_action_new (key_cb, self, NULL)));
  gtk_widget_add_controller (self->row, keys);
}

void
scope_recent_menu_add (GtkWidget *row, ScopeSettings *settings, const char *uri, gboolean is_pinned)
{
  static const GActionEntry entries[] = {
    { "open", open_cb },
    { "copy-path", copy_cb },
    { "pin", pin_cb },
    { "forget", forget_cb },
  };

  g_return_if_fail (GTK_IS_WIDGET (row) && SCOPE_IS_SETTINGS (settings) && uri != NULL);

  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  Recent *self = g_new0 (Recent, 1);

  self->row = row;
  self->settings = g_object_ref (settings);
  self->uri = g_strdup (uri);
  self->is_pinned = is_pinned;
  g_object_set_data_full (G_OBJECT (row), "recent", self, recent_free);
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (row, "recent", G_ACTION_GROUP (actions));
  add_controllers (self);
}
