/* SPDX-License-Identifier: MIT */
#include "app/scope-log.h"

#include <gtk/gtk.h>
#include <string.h>

static const struct {
  const char *domain, *beginning;
  const char *inside; /* what the widget lies in whose address comes next; NULL: any message */
} noises[] = {
  { "Gtk", "Broken accounting of active state for widget" },
  { "Gtk", "GtkText - unexpected blinking selection" },
  { "Gtk", "no pages to print" }, /* of a range of pages that is typed in GTK's own dialog */
  /* gtkpathbar.c, gtk_path_bar_size_allocate(): its arrows are allocated, and only then shown. */
  { "Gtk", "Trying to snapshot GtkButton 0x", "GtkPathBar" },
  /* adw-about-window.ui: its stack of headers, once the window was made wider in the middle of one
   * header giving way to another.  All that lies in that window is libadwaita's. */
  { "Gtk", "Trying to snapshot GtkStack 0x", "AdwAboutWindow" },
  /* A tab is dropped on the desktop, and gets a window of its own: libadwaita offers it so. */
  { "Gdk", "Drops for GDK_DRAG_PROTO_ROOTWIN must be handled internally" },
  { "", "Couldn't connect to D-Bus system bus, avahi printers will not be available" },
};

static gboolean
is_below (GtkWidget *root, gconstpointer sought, GType type)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if ((child == sought && gtk_widget_get_ancestor (child, type) != NULL) ||
        is_below (child, sought, type))
      return TRUE;
  return FALSE;
}

/* GTK names widgets by their addresses, which are compared with those of the widgets there are. */
static gboolean
lies_inside (const char *address, const char *type_name)
{
  gconstpointer sought = GSIZE_TO_POINTER (g_ascii_strtoull (address, NULL, 16));
  GType type = g_type_from_name (type_name);
  GListModel *windows = type == 0 ? NULL : gtk_window_get_toplevels ();

  for (guint i = 0; windows != NULL && i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (is_below (window, sought, type))
        return TRUE;
    }
  return FALSE;
}

static const char *
get_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, key) && fields[i].length < 0)
      return fields[i].value;
  return "";
}

gboolean
scope_log_is_noise (const GLogField *fields, gsize n_fields)
{
  const char *domain = get_field (fields, n_fields, "GLIB_DOMAIN");
  const char *message = get_field (fields, n_fields, "MESSAGE");

  for (guint i = 0; i < G_N_ELEMENTS (noises); i++)
    if (g_str_equal (domain, noises[i].domain) && g_str_has_prefix (message, noises[i].beginning) &&
        (noises[i].inside == NULL ||
         lies_inside (message + strlen (noises[i].beginning), noises[i].inside)))
      return TRUE;
  return FALSE;
}

static GLogWriterOutput
write_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  if (scope_log_is_noise (fields, n_fields))
    return G_LOG_WRITER_HANDLED;
  return g_log_writer_default (level, fields, n_fields, user_data);
}

void
scope_log_begin (void)
{
  g_log_set_writer_func (write_cb, NULL, NULL);
}
