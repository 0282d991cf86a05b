/* SPDX-License-Identifier: MIT */
#include "weight.h"

#include <adwaita.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

double
weight_tell (guint n_tabs)
{
  struct mallinfo2 info = mallinfo2 ();
  double in_use = (double) (info.uordblks + info.hblkhd) / 1e6;
  g_autofree char *text = NULL;
  gint64 pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) && strchr (text, ' ') != NULL)
    pages = g_ascii_strtoll (strchr (text, ' '), NULL, 10);
  g_print ("memory: %.0f MB resident, %.0f MB in use, %u tabs\n",
           (double) pages * (double) sysconf (_SC_PAGESIZE) / 1e6, in_use, n_tabs);
  return in_use;
}

static gpointer
tell_thread (gpointer n_tabs)
{
  weight_tell (GPOINTER_TO_UINT (n_tabs));
  return NULL;
}

void
weight_tell_later (guint n_tabs)
{
  g_thread_unref (g_thread_new ("weight", tell_thread, GUINT_TO_POINTER (n_tabs)));
}

/* ---- Pages ---- */

static guint n_pages, n_living;

static void
gone_cb (gpointer data, GObject *page)
{
  n_living--;
}

/* Those that move from window to window are attached again. */
static gboolean
attached_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  AdwTabPage *tab = g_value_get_object (&values[1]);
  GtkWidget *page = adw_tab_page_get_child (tab);

  if (g_object_get_data (G_OBJECT (page), "weight-counted") != NULL)
    return TRUE;
  g_object_set_data (G_OBJECT (page), "weight-counted", page);
  g_object_weak_ref (G_OBJECT (page), gone_cb, NULL);
  n_pages++;
  n_living++;
  return TRUE;
}

void
weight_count_pages (void)
{
  g_type_class_unref (g_type_class_ref (ADW_TYPE_TAB_VIEW));
  g_signal_add_emission_hook (g_signal_lookup ("page-attached", ADW_TYPE_TAB_VIEW), 0, attached_cb,
                              NULL, NULL);
}

guint
weight_tell_pages (void)
{
  g_print ("%u of %u pages live\n", n_living, n_pages);
  return n_living;
}
