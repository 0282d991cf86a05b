/* SPDX-License-Identifier: MIT */
#include "app/scope-save-kind.h"

#include <string.h>

/* A filter for each kind, which knows the suffix and what it stands for. */

void
scope_save_kind_add (GtkFileChooser *chooser,
                     const char *title,
                     const char *suffix,
                     gconstpointer kind,
                     gboolean is_chosen)
{
  g_return_if_fail (GTK_IS_FILE_CHOOSER (chooser) && title != NULL && suffix != NULL);

  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autofree char *name = g_strdup_printf ("%s (%s)", title, suffix);
  g_autofree char *pattern = g_strconcat ("*", suffix, NULL);

  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_pattern (filter, pattern);
  g_object_set_data_full (G_OBJECT (filter), "suffix", g_strdup (suffix), g_free);
  g_object_set_data (G_OBJECT (filter), "kind", (gpointer) kind);
  gtk_file_chooser_add_filter (chooser, filter);
  if (is_chosen)
    gtk_file_chooser_set_filter (chooser, filter);
}

static const char *
get_suffix (GtkFileChooser *chooser)
{
  GtkFileFilter *filter = gtk_file_chooser_get_filter (chooser);

  return filter != NULL ? g_object_get_data (G_OBJECT (filter), "suffix") : NULL;
}

/* The filter with the longest suffix of all that the name has; NULL for none. */
static GObject *
find_named (GtkFileChooser *chooser, const char *name)
{
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);
  g_autofree char *lower = g_ascii_strdown (name, -1);
  g_autoptr (GObject) found = NULL;
  gsize longest = 0;

  for (guint i = 0; i < g_list_model_get_n_items (filters); i++)
    {
      g_autoptr (GObject) filter = g_list_model_get_item (filters, i);
      const char *suffix = g_object_get_data (filter, "suffix");

      if (suffix == NULL || strlen (suffix) <= longest || !g_str_has_suffix (lower, suffix))
        continue;
      longest = strlen (suffix);
      g_set_object (&found, filter);
    }
  return g_steal_pointer (&found);
}

/* How long the name is without the longest suffix that any of the filters knows. */
static gsize
get_stem_length (GtkFileChooser *chooser, const char *name)
{
  g_autoptr (GObject) named = find_named (chooser, name);

  return strlen (name) - (named != NULL ? strlen (g_object_get_data (named, "suffix")) : 0);
}

gpointer
scope_save_kind_get (GtkFileChooser *chooser, GFile *file)
{
  GtkFileFilter *chosen = gtk_file_chooser_get_filter (chooser);
  g_autofree char *name = file != NULL ? g_file_get_basename (file) : NULL;
  g_autoptr (GObject) named = name != NULL ? find_named (chooser, name) : NULL;

  if (named != NULL)
    return g_object_get_data (named, "kind");
  return chosen != NULL ? g_object_get_data (G_OBJECT (chosen), "kind") : NULL;
}

/* Another kind was chosen: the name that is suggested follows. */
static void
kind_changed_cb (GtkFileChooser *chooser)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);
  const char *suffix = get_suffix (chooser);

  if (name == NULL || *name == '\0' || suffix == NULL || g_str_has_suffix (name, suffix))
    return;
  name[get_stem_length (chooser, name)] = '\0';
  g_autofree char *other = g_strconcat (name, suffix, NULL);

  gtk_file_chooser_set_current_name (chooser, other);
}

/* GTK keeps its own dialog to itself and does not pass on what is chosen in it; only a portal's has
 * no window here, and there the name stays as the user leaves it. */
static void
visible_cb (GtkNativeDialog *chooser)
{
  GtkWindow *parent = gtk_native_dialog_get_transient_for (chooser);
  GListModel *windows = gtk_window_get_toplevels ();

  if (!gtk_native_dialog_get_visible (chooser))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (!GTK_IS_FILE_CHOOSER (window) || gtk_window_get_transient_for (window) != parent)
        continue;
      g_signal_connect (window, "notify::filter", G_CALLBACK (kind_changed_cb), NULL);
    }
}

void
scope_save_kind_follow (GtkFileChooserNative *chooser)
{
  g_signal_connect (chooser, "notify::visible", G_CALLBACK (visible_cb), NULL);
}

/* One without the suffix of any kind gets that of the chosen one. */
GFile *
scope_save_kind_add_suffix (GtkFileChooser *chooser, GFile *chosen, gboolean *is_other)
{
  g_autofree char *name = g_file_get_basename (chosen);
  const char *suffix = get_suffix (chooser);

  *is_other = suffix != NULL && get_stem_length (chooser, name) == strlen (name);
  if (!*is_other)
    return g_object_ref (chosen);
  g_autoptr (GFile) folder = g_file_get_parent (chosen);
  g_autofree char *longer = g_strconcat (name, suffix, NULL);

  return g_file_get_child (folder, longer);
}
