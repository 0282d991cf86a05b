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

static guint n_pages;
static GHashTable *living; /* of pages */

static void
gone_cb (gpointer data, GObject *page)
{
  g_hash_table_remove (living, page);
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
  g_hash_table_add (living, page);
  return TRUE;
}

void
weight_count_pages (void)
{
  living = g_hash_table_new (NULL, NULL);
  g_type_class_unref (g_type_class_ref (ADW_TYPE_TAB_VIEW));
  g_signal_add_emission_hook (g_signal_lookup ("page-attached", ADW_TYPE_TAB_VIEW), 0, attached_cb,
                              NULL, NULL);
}

/* Who may hold it: a parent, what has the focus in it, or what nobody knows of. */
static void
tell_of_page (GtkWidget *page)
{
  GtkWidget *parent = gtk_widget_get_parent (page), *focus = gtk_widget_get_focus_child (page);
  GtkRoot *root = gtk_widget_get_root (page);
  GtkWidget *tabs = gtk_widget_get_ancestor (page, ADW_TYPE_TAB_VIEW);

  g_print ("  %s of %u references in %s of %s%s%s, focus in %s\n", G_OBJECT_TYPE_NAME (page),
           G_OBJECT (page)->ref_count, parent != NULL ? G_OBJECT_TYPE_NAME (parent) : "none",
           root != NULL ? G_OBJECT_TYPE_NAME (root) : "none",
           root != NULL && !gtk_widget_get_visible (GTK_WIDGET (root)) ? ", hidden" : "",
           tabs != NULL && adw_tab_view_get_is_transferring_page (ADW_TAB_VIEW (tabs))
               ? ", a tab being dragged"
               : "",
           focus != NULL ? G_OBJECT_TYPE_NAME (focus) : "none");
}

guint
weight_tell_pages (void)
{
  guint n = g_hash_table_size (living);
  GHashTableIter i;
  gpointer page;

  g_print ("%u of %u pages live\n", n, n_pages);
  g_hash_table_iter_init (&i, living);
  while (g_hash_table_iter_next (&i, &page, NULL))
    tell_of_page (page);
  return n;
}
