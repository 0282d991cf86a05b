/* SPDX-License-Identifier: MIT */
#include "complaints.h"

#include <execinfo.h>
#include <gtk/gtk.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/scope-log.h"
#include "crowd.h"

#define WIDE 100000
#define MAX_PARTS 400

/* Type, names of style, size and text; and whether it does not know how high it wants to be. */
static void
tell_of_one (GtkWidget *widget, const char *what)
{
  g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
  g_autofree char *style = g_strjoinv (".", classes);

  int least, least_when_wide;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, WIDE, &least_when_wide, NULL, NULL, NULL);
  g_print ("  %s %s .%s %d x %d%s %s\n", what, G_OBJECT_TYPE_NAME (widget), style,
           gtk_widget_get_width (widget), gtk_widget_get_height (widget),
           least < least_when_wide ? ", higher when wide" : "",
           GTK_IS_LABEL (widget) ? gtk_label_get_label (GTK_LABEL (widget)) : "");
}

static void
tell_of_widget (GtkWidget *widget)
{
  g_autoptr (GPtrArray) parts = crowd_list_widgets (widget, FALSE);

  for (GtkWidget *w = widget; w != NULL; w = gtk_widget_get_parent (w))
    tell_of_one (w, "in");
  for (guint i = 0; i < MIN (parts->len, MAX_PARTS); i++)
    tell_of_one (parts->pdata[i], "with");
}

/* GTK names widgets by their addresses. */
static GtkWidget *
find_widget (const char *address)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();
  gpointer sought = GSIZE_TO_POINTER (g_ascii_strtoull (address, NULL, 16));

  for (guint i = 0; i < windows->len; i++)
    {
      g_autoptr (GPtrArray) widgets = crowd_list_widgets (windows->pdata[i], TRUE);

      if (g_ptr_array_find (widgets, sought, NULL))
        return sought;
    }
  return NULL;
}

/* What GTK 4.8 and libadwaita 1.2 say of their own widgets, and nobody else can mend. */
static const char *const known[] = {
  /* gtkfilechooserwidget.c, gtk_file_chooser_widget_should_respond(): whether what has the focus
   * lies in the entry is asked of a chooser in which nothing has it. */
  "gtk_widget_is_ancestor: assertion 'GTK_IS_WIDGET (widget)' failed",
  /* gtkscrolledwindow.c, start_scroll_deceleration_cb(): 50 ms after the wheel went beyond an end,
   * whether the window is still there or not. */
  "gdk_frame_clock_get_frame_time: assertion 'GDK_IS_FRAME_CLOCK (frame_clock)' failed",
};

/* gdksurface-x11.c, gdk_x11_surface_layout_popup(): a menu of a window that is beside the screen,
 * where a window manager would put none, is on no monitor.  It has one pixel of room then, less
 * than its own shadow: so long after it is told, that is known, too. */
#define NO_MONITOR "gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR (monitor)' failed"
#define NO_MONITOR_MS 1000

static int no_monitor_ms = -NO_MONITOR_MS; /* when that was told last; atomic */

static int
now_ms (void)
{
  return (int) (g_get_monotonic_time () / 1000 % G_MAXINT);
}

static gboolean
was_beside_screen (void)
{
  return now_ms () - g_atomic_int_get (&no_monitor_ms) < NO_MONITOR_MS;
}

static gboolean
is_beside_screen (const char *text)
{
  if (strstr (text, NO_MONITOR) != NULL)
    {
      g_atomic_int_set (&no_monitor_ms, now_ms ());
      return TRUE;
    }
  return (strstr (text, "attempt to allocate GtkPopoverContent contents") != NULL ||
          strstr (text, "attempt to allocate GtkScrolledWindow scrolledwindow") != NULL) &&
         was_beside_screen ();
}

/* pixman.c, _pixman_log_error(): a menu without room has a shadow of a negative size. */
gboolean
complaints_leave_out (const char *line)
{
  static const char *const parts[] = {
    "*** BUG ***",
    "In pixman_region32_init_rect: Invalid rectangle passed",
    "Set a breakpoint on '_pixman_log_error' to debug",
  };
  static gboolean was_left_out;
  gboolean is_known = *line == '\0' && was_left_out;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    is_known = is_known || g_str_equal (line, parts[i]);
  was_left_out = is_known && was_beside_screen ();
  if (was_left_out && *line != '\0')
    g_print ("# GTK's own: %s\n", line);
  return was_left_out;
}

static gboolean
is_of_others (const char *text)
{
  if (is_beside_screen (text))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (text, known[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
tell_of_stack (void)
{
  void *frames[60];
  int n = backtrace (frames, G_N_ELEMENTS (frames));
  char **names = backtrace_symbols (frames, n);

  for (int i = 0; i < n; i++)
    g_print ("  by %s\n", names[i]);
  free (names);
}

static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if (scope_log_is_noise (fields, n_fields))
    return G_LOG_WRITER_HANDLED;
  g_autofree char *text = g_log_writer_format_fields (level, fields, n_fields, FALSE);
  const char *address = strstr (text, " 0x");
  GtkWidget *widget = address != NULL ? find_widget (address + 1) : NULL;

  if (is_of_others (text))
    {
      g_print ("# GTK's own: %s\n", g_strdelimit (g_strstrip (text), "\n", ' '));
      return G_LOG_WRITER_HANDLED;
    }
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    tell_of_stack ();
  if (widget != NULL)
    tell_of_widget (widget);
  return g_log_writer_default (level, fields, n_fields, user_data);
}

/* Where the program fell, before it does. */
static void
fallen_cb (int number)
{
  void *frames[80];
  int n = backtrace (frames, G_N_ELEMENTS (frames));

  backtrace_symbols_fd (frames, n, STDOUT_FILENO);
  signal (number, SIG_DFL);
  raise (number);
}

void
complaints_begin (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGTRAP };
  void *first[1];

  backtrace (first, 1); /* loads what it needs, which a handler must not */
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    signal (numbers[i], fallen_cb);
  g_log_set_writer_func (log_cb, NULL, NULL);
}
