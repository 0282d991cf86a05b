/* SPDX-License-Identifier: MIT */
#include "mischief.h"

#include <gtk/gtk.h>
#include <unistd.h>

#include "app/scope-window.h"
#include "crowd.h"

/* ---- Files and actions ---- */

static void
open_file (Monkey *self)
{
  const char *path = self->paths->pdata[monkey_pick (self, self->paths->len)];
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = g_path_get_basename (path);

  monkey_tell (self, "open %s", name);
  g_application_open (G_APPLICATION (self->application), &file, 1, "");
}

static GVariant *
pick_target (Monkey *self, GActionGroup *group, const char *action)
{
  const GVariantType *type = g_action_group_get_action_parameter_type (group, action);
  static const char *const words[] = {
    "data", "layers", "down",  "right",    "category", "parameters", "bytes",
    "time", "csv",    "back",  "markdown", "text",     "forward",    "default",
    "dark", "light",  "keras", "dtype",    NULL,
  };

  if (type != NULL && g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    return g_variant_new_string (monkey_pick_word (self, words));
  return NULL;
}

/* What menus and buttons do; without opening them. */
static void
activate_action (Monkey *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self->application));

  if (!G_IS_ACTION_GROUP (window))
    return;
  g_auto (GStrv) actions = g_action_group_list_actions (G_ACTION_GROUP (window));
  const char *action = monkey_pick_word (self, (const char *const *) actions);
  const GVariantType *type =
      g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), action);
  GVariant *target = pick_target (self, G_ACTION_GROUP (window), action);

  if ((type != NULL) != (target != NULL) ||
      !g_action_group_get_action_enabled (G_ACTION_GROUP (window), action))
    return;
  monkey_tell (self, "action %s %s", action,
               target != NULL ? g_variant_get_string (target, NULL) : "");
  g_action_group_activate_action (G_ACTION_GROUP (window), action, target);
}

static void
change_color (Monkey *self)
{
  static const char *const colors[] = { "default", "light", "dark", NULL };
  const char *color = monkey_pick_word (self, colors);

  monkey_tell (self, "colors %s", color);
  g_action_group_activate_action (G_ACTION_GROUP (self->application), "colors",
                                  g_variant_new_string (color));
}

static void
resize (Monkey *self)
{
  static const int widths[] = { 360, 640, 800, 1000, 1400, 1500 };
  static const int heights[] = { 300, 480, 600, 900 };
  int width = widths[monkey_pick (self, G_N_ELEMENTS (widths))];
  int height = heights[monkey_pick (self, G_N_ELEMENTS (heights))];
  GtkWindow *window = monkey_focus (self);

  if (window == NULL)
    return;
  monkey_tell (self, "resize %s to %d x %d", G_OBJECT_TYPE_NAME (window), width, height);
  gtk_window_set_default_size (window, width, height);
}

/* Another program writes a file that may be open. */
static void
change_file (Monkey *self)
{
  const char *from = self->paths->pdata[monkey_pick (self, self->paths->len)];
  const char *to = self->paths->pdata[monkey_pick (self, self->paths->len)];
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  monkey_tell (self, "write %s", to);
  g_file_copy_async (source, target, G_FILE_COPY_OVERWRITE, G_PRIORITY_DEFAULT, NULL, NULL, NULL,
                     NULL, NULL);
}

static void
copy_something (Monkey *self)
{
  static const char *const texts[] = { "conv",
                                       "{\"nodes\": []}",
                                       "4,3",
                                       "\xc3\xa9t\xc3\xa9",
                                       "<ir_version: 7, opset_import: [\"\" : 13]> "
                                       "g (float[2] x) => (float[2] y) { y = Relu (x) }",
                                       NULL };
  const char *text = monkey_pick_word (self, texts);

  monkey_tell (self, "copy %s", text);
  gdk_clipboard_set_text (gdk_display_get_clipboard (gdk_display_get_default ()), text);
}

/* Half of it is there, or none. */
static void
spoil_file (Monkey *self)
{
  const char *path = self->paths->pdata[monkey_pick (self, self->paths->len)];
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = NULL;
  gsize length;

  if (monkey_pick (self, 2) == 0)
    {
      monkey_tell (self, "remove %s", path);
      g_file_delete (file, NULL, NULL);
    }
  else if (g_file_get_contents (path, &text, &length, NULL) && length > 1)
    {
      monkey_tell (self, "cut off %s", path);
      if (truncate (path, (off_t) (length / 2)) != 0)
        g_print ("# it cannot be\n");
    }
}

/* ---- Storms ---- */

static ScopeWindow *
pick_main_window (Monkey *self)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();

  for (guint i = windows->len; i-- > 0;)
    if (!SCOPE_IS_WINDOW (windows->pdata[i]))
      g_ptr_array_remove_index (windows, i);
  return windows->len > 0 ? windows->pdata[monkey_pick (self, windows->len)] : NULL;
}

static void
activate_often (Monkey *self, ScopeWindow *window, const char *action, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_action_group_get_action_enabled (G_ACTION_GROUP (window), action))
      g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
}

static void
undo_and_redo (Monkey *self)
{
  ScopeWindow *window = pick_main_window (self);
  guint n = 1 + monkey_pick (self, 9);

  if (window == NULL)
    return;
  monkey_tell (self, "undo and redo, %u times", n);
  activate_often (self, window, "mark-output", 1);
  activate_often (self, window, "undo", n);
  activate_often (self, window, "redo", monkey_pick (self, n + 1));
}

static void
close_window (Monkey *self)
{
  ScopeWindow *window = pick_main_window (self);

  if (window == NULL)
    return;
  monkey_tell (self, "close a window");
  gtk_window_close (GTK_WINDOW (window));
}

/* Runs what is in front, or saves it, or hands its file over: what a dialog offers. */
static void
take_offer (Monkey *self)
{
  static const char *const actions[] = { "run", "run", "export", "save-as", "extract", NULL };
  const char *action = monkey_pick_word (self, actions);
  ScopeWindow *window = pick_main_window (self);

  if (window == NULL)
    return;
  monkey_tell (self, "%s, and Return", action);
  activate_often (self, window, action, 1);
  if (monkey_focus (self) != NULL)
    hand_use (&self->hand, "sleep 0.4 key Return sleep 0.2 key Return");
}

/* Somewhere down a menu. */
static void
walk_menu (Monkey *self)
{
  static const char *const keys[] = { "F10", "Menu", "shift+F10", NULL };
  const char *key = monkey_pick_word (self, keys);
  GtkWindow *window = monkey_focus (self);

  if (window == NULL || GTK_IS_FILE_CHOOSER (window))
    return;
  monkey_tell (self, "a menu by %s", key);
  hand_use (&self->hand, "key %s sleep 0.1 key --repeat %u Down key %s sleep 0.05 key %s", key,
            1 + monkey_pick (self, 12), monkey_pick (self, 2) == 0 ? "Right" : "Return",
            monkey_pick (self, 2) == 0 ? "Escape" : "Return");
}

/* ---- All of them ---- */

const Trick *
mischief_get_tricks (guint *n)
{
  static const Trick tricks[] = {
    { "open-file", 5, open_file },           { "activate-action", 8, activate_action },
    { "change-color", 1, change_color },     { "resize", 2, resize },
    { "change-file", 1, change_file },       { "spoil-file", 1, spoil_file },
    { "copy-something", 1, copy_something }, { "undo-and-redo", 2, undo_and_redo },
    { "close-window", 1, close_window },     { "take-offer", 2, take_offer },
    { "walk-menu", 3, walk_menu },
  };

  *n = G_N_ELEMENTS (tricks);
  return tricks;
}
