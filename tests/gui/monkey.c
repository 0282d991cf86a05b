/* SPDX-License-Identifier: MIT */
#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

#include "app/scope-window.h"
#include "complaints.h"
#include "crowd.h"
#include "ear.h"
#include "mischief.h"
#include "monkey.h"
#include "robot.h"
#include "stderr-filter.h"
#include "watchdog.h"
#include "weight.h"
#include "zoo.h"

/* usage: monkey [--seed N] [--seconds N] [--limit MILLISECONDS]
 *
 * Plays with the window: opens files, clicks, drags, scrolls, types and presses keys at random,
 * in a home of its own.  Fails when the program ends by itself, when anything is written to
 * standard error, when the window does not answer for longer than the limit, and when graphs or
 * pages stay in memory; gaps of TOLD_MS are told.  What is done is told on standard output; the
 * same seed does the same, as far as the program is as fast. */
#define STEP_MS 30
#define TELL_SECONDS 30 /* of memory */
#define TOLD_MS 100.0
#define N_OF_CORPUS 8
#define MAX_TABS 7
#define MAX_BLOCKED 10 /* times the limit */
#define MAX_WINDOWS 3
#define MAX_DIALOGS 3
#define MOST_MB 200 /* in use when all windows have gone; each of the large graphs takes more */

/* ---- Chance ---- */

guint
monkey_pick (Monkey *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (int) MAX (n, 1));
}

const char *
monkey_pick_word (Monkey *self, const char *const *words)
{
  return words[monkey_pick (self, g_strv_length ((char **) words))];
}

void
monkey_tell (Monkey *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *what = g_strdup_printf ("step %u: %s", self->n_steps, text);

  g_print ("# %s\n", what);
  watchdog_set_what (what);
}

/* ---- Windows and widgets ---- */

static gulong
get_xid (GtkNative *native)
{
  return gdk_x11_surface_get_xid (gtk_native_get_surface (native));
}

/* A window that asks something keeps the others waiting. */
static GtkWindow *
pick_window (Monkey *self)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();

  for (guint i = 0; i < windows->len; i++)
    if (gtk_window_get_modal (windows->pdata[i]))
      return windows->pdata[i];
  return windows->len > 0 ? windows->pdata[monkey_pick (self, windows->len)] : NULL;
}

/* Keys go to the window that was last pointed at; there is no window manager. */
GtkWindow *
monkey_focus (Monkey *self)
{
  GtkWindow *window = pick_window (self);

  if (window == NULL)
    return NULL;
  if (window != self->window || monkey_pick (self, 10) == 0)
    hand_use (&self->hand, "windowfocus %lu", get_xid (GTK_NATIVE (window)));
  self->window = window;
  return window;
}

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
  return g_strdup_printf ("mousemove --window %lu %d %d", get_xid (native), (int) (wx + left),
                          (int) (wy + top));
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
    g_string_append_printf (text, " windowmove %lu 0 0", get_xid (windows->pdata[i]));
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

/* ---- A step ---- */

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

/* One of both tables. */
static const Trick *
pick_trick (Monkey *self)
{
  guint n_others, n = G_N_ELEMENTS (tricks), all = 0, chosen;
  const Trick *others = mischief_get_tricks (&n_others);

  for (guint i = 0; i < n + n_others; i++)
    all += (i < n ? &tricks[i] : &others[i - n])->weight;
  chosen = monkey_pick (self, all);
  for (guint i = 0; i < n + n_others; i++)
    {
      const Trick *trick = i < n ? &tricks[i] : &others[i - n];

      if (chosen < trick->weight)
        return trick;
      chosen -= trick->weight;
    }
  g_assert_not_reached ();
}

static int
count_tabs (GtkWindow *window)
{
  GtkWidget *tabs = robot_find (GTK_WIDGET (window), ADW_TYPE_TAB_VIEW, NULL);

  return tabs != NULL ? adw_tab_view_get_n_pages (ADW_TAB_VIEW (tabs)) : 0;
}

/* Old tabs and windows go, so that the last are as new as the first.  A dialog goes with its
 * window. */
static void
tidy_up (Monkey *self)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();
  guint n_main = 0, n_other = 0;

  for (guint i = 0; i < windows->len; i++)
    g_object_ref (windows->pdata[i]);
  g_ptr_array_set_free_func (windows, g_object_unref);
  for (guint i = 0; i < windows->len; i++)
    {
      GtkWindow *window = windows->pdata[i];
      gboolean is_main = SCOPE_IS_WINDOW (window);
      guint *n = is_main ? &n_main : &n_other;

      if (!gtk_widget_get_mapped (GTK_WIDGET (window)))
        continue;
      if (++*n > (is_main ? MAX_WINDOWS : MAX_DIALOGS))
        {
          monkey_tell (self, "close %s", G_OBJECT_TYPE_NAME (window));
          gtk_window_close (window);
        }
      else if (is_main && count_tabs (window) > MAX_TABS)
        gtk_widget_activate_action (GTK_WIDGET (window), "win.close-tab", NULL);
    }
  if (n_main == 0)
    g_application_activate (G_APPLICATION (self->application));
}

static gboolean
step_cb (gpointer user_data)
{
  Monkey *self = user_data;

  self->n_steps++;
  if (self->n_steps % 16 == 0)
    tidy_up (self);
  pick_trick (self)->act (self);
  return G_SOURCE_CONTINUE;
}

/* ---- Whole ---- */

static void
live_in (const char *folder)
{
  static const char *const variables[] = {
    "HOME",           "XDG_CACHE_HOME",  "XDG_CONFIG_HOME",  "XDG_DATA_HOME",
    "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_DOCUMENTS_DIR"
  };

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], folder, TRUE);
  g_assert_no_errno (g_chdir (folder));
}

/* FALSE when one was too long.  Being blocked counts less, as a busy X server is slow to answer. */
static guint
count_all_tabs (void)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();
  int n = 0;

  for (guint i = 0; i < windows->len; i++)
    if (SCOPE_IS_WINDOW (windows->pdata[i]))
      n += count_tabs (windows->pdata[i]);
  return (guint) n;
}

static gboolean
tell_memory_cb (gpointer user_data)
{
  weight_tell_later (count_all_tabs ());
  return G_SOURCE_CONTINUE;
}

static gboolean
over_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* So long by the clock, however busy the machine is. */
static void
play_for (Monkey *self, guint n_seconds)
{
  gboolean is_over = FALSE;
  guint steps = g_timeout_add (STEP_MS, step_cb, self);
  guint telling = g_timeout_add_seconds (TELL_SECONDS, tell_memory_cb, NULL);

  g_timeout_add_seconds (n_seconds, over_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (steps);
  g_source_remove (telling);
}

static gboolean
judge_gaps (GPtrArray *gaps, double limit_ms)
{
  gboolean is_good = TRUE;

  for (guint i = 0; i < gaps->len; i++)
    {
      const WatchdogGap *gap = gaps->pdata[i];

      is_good = is_good && gap->cpu_ms < limit_ms && gap->own_ms < MAX_BLOCKED * limit_ms;
      g_print ("gap of %.0f ms (%.0f computed, %.0f by the clock) at %s\n%s\n", gap->own_ms,
               gap->cpu_ms, gap->wall_ms, gap->what, gap->stacks);
    }
  g_print ("%u gaps of %.0f ms or more\n", gaps->len, TOLD_MS);
  return is_good;
}

static void
stop_playing (Monkey *self)
{
  g_autoptr (GList) windows =
      g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self->application)));

  hand_drop (&self->hand);
  for (GList *l = windows; l != NULL; l = l->next)
    if (SCOPE_IS_WINDOW (l->data))
      gtk_window_destroy (l->data);
  robot_idle (3000);
}

static gboolean
play (guint32 seed, guint n_seconds, double limit_ms, const char *folder)
{
  Monkey self = { .random = g_rand_new_with_seed (seed) };
  g_autoptr (GPtrArray) gaps = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_good;

  self.paths = zoo_fill (folder, self.random, N_OF_CORPUS);
  self.application = scope_application_new (G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (self.application), NULL, &error);
  g_assert_no_error (error);
  weight_count_pages ();
  g_application_activate (G_APPLICATION (self.application));
  robot_idle (1000);
  watchdog_start (MIN (limit_ms, TOLD_MS));
  play_for (&self, n_seconds);
  double longest = watchdog_get_longest ();
  gaps = watchdog_stop ();
  stop_playing (&self);
  is_good = weight_tell (0) < MOST_MB;
  is_good = weight_tell_pages () == 0 && is_good;
  g_print ("%u steps; the longest gap took %.0f ms\n", self.n_steps, longest);
  g_clear_object (&self.application);
  g_ptr_array_unref (self.paths);
  g_rand_free (self.random);
  return judge_gaps (gaps, limit_ms) && is_good;
}

int
main (int argc, char **argv)
{
  int seed = 0, seconds = 30, limit = 100, status;
  gboolean stays = FALSE;
  const GOptionEntry options[] = {
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "What chance begins with; 0: another each time", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "How long to play", "N" },
    { "limit", 0, 0, G_OPTION_ARG_INT, &limit, "Longest gap allowed", "MILLISECONDS" },
    { "one-process", 0, 0, G_OPTION_ARG_NONE, &stays, "For a debugger", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("monkey: %s\n", error->message);
      return 2;
    }
  if (!robot_is_possible ())
    return 77;
  if (!stays && (status = ear_split_off ()) >= 0)
    return status;
  signal (SIGPIPE, SIG_IGN);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (seed == 0)
    seed = (int) (g_random_int () >> 1);
  g_print ("seed %d, %d seconds\n", seed, seconds);
  g_autofree char *folder = g_dir_make_tmp ("symscope-monkey-XXXXXX", &error);

  g_assert_no_error (error);
  live_in (folder);
  stderr_filter_begin (complaints_leave_out);
  complaints_begin ();
  gtk_init ();
  gboolean is_good = play ((guint32) seed, (guint) seconds, limit, folder);

  stderr_filter_end ();
  zoo_remove (folder);
  return is_good ? 0 : 1;
}
