/* SPDX-License-Identifier: MIT */
#include "app/scope-log.h"

static const struct {
  const char *domain, *beginning;
} noises[] = {
  { "Gtk", "Broken accounting of active state for widget" },
  { "Gtk", "GtkText - unexpected blinking selection" },
  { "Gtk", "no pages to print" }, /* of a range of pages that is typed in GTK's own dialog */
  /* A tab is dropped on the desktop, and gets a window of its own: libadwaita offers it so. */
  { "Gdk", "Drops for GDK_DRAG_PROTO_ROOTWIN must be handled internally" },
  { "", "Couldn't connect to D-Bus system bus, avahi printers will not be available" },
};

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
    if (g_str_equal (domain, noises[i].domain) && g_str_has_prefix (message, noises[i].beginning))
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
