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
#include "paws.h"
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

gulong
monkey_get_xid (GtkNative *native)
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
    hand_use (&self->hand, "windowfocus %lu", monkey_get_xid (GTK_NATIVE (window)));
  self->window = window;
  return window;
}

/* ---- A step ---- */

/* One of both tables. */
static const Trick *
pick_trick (Monkey *self)
{
  guint n_others, n, all = 0, chosen;
  const Trick *tricks = paws_get_tricks (&n);
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
