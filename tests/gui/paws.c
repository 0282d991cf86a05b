/* SPDX-License-Identifier: MIT */
#include "paws.h"

#include <adwaita.h>

#include "crowd.h"
#include "robot.h"

/* ---- Widgets and places ---- */

static GtkWidget *
pick_widget (Monkey *self, GtkWindow *window)
{
  g_autoptr (GPtrArray) widgets = crowd_list_widgets (GTK_WIDGET (window), FALSE);

  return widgets->len > 0 ? widgets->pdata[monkey_pick (self, widgets->len)] : NULL;
}

/* The command that moves the pointer to a place in a widget, given in parts of its size. */
static char *
format_move (GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double left, top, wx, wy;

  if (!gtk_widget_translate_coordinates (widget, GTK_WIDGET (native),
                                         x * gtk_widget_get_width (widget),
                                         y * gtk_widget_get_height (widget), &wx, &wy))
    return NULL;
  gtk_native_get_surface_transform (native, &left, &top);
  return g_strdup_printf ("mousemove --window %lu %d %d", monkey_get_xid (native),
                          (int) (wx + left), (int) (wy + top));
}

static char *
format_move_anywhere (Monkey *self, GtkWidget *widget)
{
  double x = g_rand_double (self->random);

  return format_move (widget, x, g_rand_double (self->random));
}

/* ---- Tricks with the pointer ---- */

static const char *const clicks[] = {
  "click 1",
  "click 1",
  "click 1",
  "click 1",
  "click --repeat 2 --delay 20 1",
  "click 3",
  "keydown ctrl click 1 keyup ctrl",
  "keydown shift click 1 keyup shift",
  "keydown alt click 1 keyup alt",
  "click 8",
  "click 9",
  "sleep 0.05",
  NULL,
};

static gboolean
has_chooser (void)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();

  for (guint i = 0; i < windows->len; i++)
    if (GTK_IS_FILE_CHOOSER (windows->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Who clicks at random in a chooser of files could remove or replace what is not the test's; and it
 * may lie over the window that is meant: GTK 4.8 does not live through a menu that it is asked for
 * and closed. */
static gboolean
begin_pointing (Monkey *self, GtkWindow **window)
{
  *window = monkey_focus (self);
  return *window != NULL && !has_chooser ();
}

static void
click_widget (Monkey *self)
{
  const char *click = monkey_pick_word (self, clicks);
  g_autofree char *move = NULL;
  GtkWindow *window;
  GtkWidget *widget;

  if (!begin_pointing (self, &window) || (widget = pick_widget (self, window)) == NULL)
    return;
  monkey_tell (self, "%s at %s", click, G_OBJECT_TYPE_NAME (widget));
  move = format_move (widget, 0.5, 0.5);
  if (move != NULL)
    hand_use (&self->hand, "%s %s", move, click);
}

static void
click_anywhere (Monkey *self)
{
  const char *click = monkey_pick_word (self, clicks);
  g_autofree char *move = NULL;
  GtkWindow *window;

  if (!begin_pointing (self, &window))
    return;
  monkey_tell (self, "%s anywhere in %s", click, G_OBJECT_TYPE_NAME (window));
  move = format_move_anywhere (self, GTK_WIDGET (window));
  if (move != NULL)
    hand_use (&self->hand, "%s %s", move, click);
}

/* Whether the title of a window is there, or its edge.  Without a window manager GTK moves a window
 * itself, off the screen too, where no menu opens; one that was moved by mistake goes back. */
static gboolean
is_title (GtkWidget *widget, double x, double y)
{
  GtkWidget *native = GTK_WIDGET (gtk_widget_get_native (widget)), *there;
  double wx, wy;

  if (!gtk_widget_translate_coordinates (widget, native, x, y, &wx, &wy))
    return TRUE;
  there = gtk_widget_pick (native, wx, wy, GTK_PICK_DEFAULT);
  return there == NULL || GTK_IS_WINDOW (there) ||
         gtk_widget_get_ancestor (there, GTK_TYPE_WINDOW_HANDLE) != NULL;
}

/* What is dragged may be of another window than was meant, one that lies above it. */
static char *
format_homecoming (void)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < windows->len; i++)
    g_string_append_printf (text, " windowmove %lu 0 0", monkey_get_xid (windows->pdata[i]));
  return g_string_free (text, FALSE);
}

static void
drag (Monkey *self)
{
  g_autofree char *home = format_homecoming ();
  double x = g_rand_double (self->random), y = g_rand_double (self->random);
  g_autofree char *from = NULL, *to = NULL;
  GtkWindow *window;
  GtkWidget *widget;

  if (!begin_pointing (self, &window) || (widget = pick_widget (self, window)) == NULL ||
      is_title (widget, x * gtk_widget_get_width (widget), y * gtk_widget_get_height (widget)))
    return;
  monkey_tell (self, "drag from %s", G_OBJECT_TYPE_NAME (widget));
  from = format_move (widget, x, y);
  to = format_move_anywhere (self, GTK_WIDGET (window));
  if (from != NULL && to != NULL)
    hand_use (&self->hand,
              "%s mousedown 1 sleep 0.02 mousemove_relative 12 9 sleep 0.02 %s sleep 0.02 "
              "mouseup 1%s",
              from, to, home);
}

/* Past others, out of its bar and into another window. */
static void
drag_tab (Monkey *self)
{
  g_autofree char *home = format_homecoming ();
  GtkWindow *window;
  GtkWidget *tab;
  g_autofree char *from = NULL, *aside = NULL, *to = NULL;

  if (!begin_pointing (self, &window) ||
      (tab = robot_find (GTK_WIDGET (window), g_type_from_name ("AdwTab"), NULL)) == NULL)
    return;
  monkey_tell (self, "drag a tab");
  from = format_move (tab, 0.3, 0.5);
  aside = format_move_anywhere (self, gtk_widget_get_ancestor (tab, ADW_TYPE_TAB_BAR));
  to = format_move_anywhere (self, GTK_WIDGET (window));
  if (from != NULL && aside != NULL && to != NULL)
    hand_use (&self->hand, "%s mousedown 1 sleep 0.02 %s sleep 0.03 %s sleep 0.03 mouseup 1%s",
              from, aside, to, home);
}

static void
scroll (Monkey *self)
{
  static const char *const ways[] = {
    "click --repeat 4 --delay 10 4",
    "click --repeat 4 --delay 10 5",
    "click --repeat 15 --delay 5 5",
    "click --repeat 3 --delay 10 6",
    "click --repeat 3 --delay 10 7",
    "keydown ctrl click --repeat 5 --delay 10 4 keyup ctrl",
    "keydown ctrl click --repeat 5 --delay 10 5 keyup ctrl",
    "keydown shift click --repeat 3 --delay 10 5 keyup shift",
    NULL,
  };
  const char *way = monkey_pick_word (self, ways);
  g_autofree char *move = NULL;
  GtkWindow *window;

  if (!begin_pointing (self, &window))
    return;
  monkey_tell (self, "scroll: %s", way);
  move = format_move_anywhere (self, GTK_WIDGET (window));
  if (move != NULL)
    hand_use (&self->hand, "%s %s", move, way);
}

/* ---- Tricks with keys ---- */

static void
press_key (Monkey *self)
{
  static const char *const keys[] = {
    "Tab",        "Tab",        "shift+Tab",   "Return",   "space",  "Escape",    "Up",
    "Down",       "Left",       "Right",       "Home",     "End",    "Prior",     "Next",
    "Delete",     "BackSpace",  "F2",          "F10",      "Menu",   "F6",        "plus",
    "minus",      "shift+F10",  "ctrl+a",      "Up",       "Down",   "ctrl+Home", "ctrl+End",
    "ctrl+Tab",   "shift+Down", "ctrl+Return", "alt+Down", "ctrl+c", "ctrl+v",    "ctrl+x",
    "ctrl+space", NULL,
  };
  static const char *const safe_keys[] = { "Escape", "Escape", "Tab", "Return", NULL };
  GtkWindow *window = monkey_focus (self);

  if (window != NULL)
    {
      const char *key = monkey_pick_word (self, GTK_IS_FILE_CHOOSER (window) ? safe_keys : keys);

      monkey_tell (self, "key %s in %s", key, G_OBJECT_TYPE_NAME (window));
      hand_use (&self->hand, "key --repeat %u %s",
                GTK_IS_FILE_CHOOSER (window) ? 1 : 1 + monkey_pick (self, 4), key);
    }
}

static void
press_shortcut (Monkey *self)
{
  g_auto (GStrv) actions =
      gtk_application_list_action_descriptions (GTK_APPLICATION (self->application));
  const char *action = monkey_pick_word (self, (const char *const *) actions);
  g_auto (GStrv) accels =
      gtk_application_get_accels_for_action (GTK_APPLICATION (self->application), action);
  GtkWindow *window = monkey_focus (self);
  guint keyval;
  GdkModifierType modifiers;

  if (window == NULL || GTK_IS_FILE_CHOOSER (window) || accels[0] == NULL ||
      !gtk_accelerator_parse (accels[0], &keyval, &modifiers))
    return;
  monkey_tell (self, "shortcut %s", action);
  hand_use (&self->hand, "key %s%s%s%s", modifiers & GDK_CONTROL_MASK ? "ctrl+" : "",
            modifiers & GDK_ALT_MASK ? "alt+" : "", modifiers & GDK_SHIFT_MASK ? "shift+" : "",
            gdk_keyval_name (keyval));
}

static void
type_text (Monkey *self)
{
  static const char *const texts[] = {
    "relu",
    "type:Conv",
    "params>1k",
    "1,3,224,224",
    "0",
    "-1",
    "9999999999999",
    "shape:*x64*",
    "(unclosed",
    "parent:data",
    "[a-",
    "unused:yes",
    "batch,3",
    "name with spaces",
    "1e308",
    "nan",
    "*",
    "type:clip name:1",
    NULL,
  };
  const char *text = monkey_pick_word (self, texts);
  GtkWindow *window = monkey_focus (self);

  if (window == NULL || GTK_IS_FILE_CHOOSER (window))
    return;
  monkey_tell (self, "type %s", text);
  hand_use (&self->hand, "type --delay 5 \"%s\"", text);
}

/* ---- The whole ---- */

static const Trick tricks[] = {
  { "click-widget", 26, click_widget },
  { "click-anywhere", 8, click_anywhere },
  { "drag", 6, drag },
  { "drag-tab", 2, drag_tab },
  { "scroll", 9, scroll },
  { "press-key", 18, press_key },
  { "press-shortcut", 12, press_shortcut },
  { "type-text", 6, type_text },
};

const Trick *
paws_get_tricks (guint *n)
{
  *n = G_N_ELEMENTS (tricks);
  return tricks;
}
