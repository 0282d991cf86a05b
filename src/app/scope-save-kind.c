/* SPDX-License-Identifier: MIT */
#include "app/scope-save-kind.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-file-name.h"

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

/* Another kind was chosen: the name that is suggested follows. */
static void
kind_changed_cb (GtkFileChooser *chooser)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);
  GtkFileFilter *filter = gtk_file_chooser_get_filter (chooser);
  const char *suffix = filter != NULL ? g_object_get_data (G_OBJECT (filter), "suffix") : NULL;

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

/* ---- What is meant ---- */

typedef struct {
  gconstpointer kind;
  GFile *file;
} Meant;

static void
free_meant (gpointer data)
{
  Meant *self = data;

  g_object_unref (self->file);
  g_free (self);
}

/* "model.json" will do for "-symbol.json". */
static gboolean
has_extension (const char *name, GtkFileFilter *filter)
{
  const char *extension = strrchr (g_object_get_data (G_OBJECT (filter), "suffix"), '.');
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return extension != NULL && g_str_has_suffix (lower, extension);
}

static GFile *
add_suffix (GFile *named, const char *suffix)
{
  g_autofree char *name = g_file_get_basename (named);
  g_autofree char *longer = g_strconcat (name, suffix, NULL);
  g_autoptr (GFile) folder = g_file_get_parent (named);

  return g_file_get_child (folder, longer);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);
  g_autofree char *shown = scope_file_name (G_FILE (source));

  if (info != NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_EXISTS, _ ("%s exists already"), shown);
  else
    g_task_return_boolean (task, TRUE);
}

void
scope_save_kind_settle_async (GtkFileChooser *chooser,
                              GFile *named,
                              gpointer what,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (GTK_IS_FILE_CHOOSER (chooser) && G_IS_FILE (named));

  g_autoptr (GTask) task = g_task_new (what, NULL, callback, user_data);
  g_autofree char *name = g_file_get_basename (named);
  g_autoptr (GObject) filter = find_named (chooser, name);
  GtkFileFilter *chosen = gtk_file_chooser_get_filter (chooser);
  gboolean is_longer = filter == NULL && chosen != NULL && !has_extension (name, chosen);
  Meant *self = g_new0 (Meant, 1);

  if (filter == NULL && chosen != NULL)
    filter = g_object_ref (G_OBJECT (chosen));
  self->kind = filter != NULL ? g_object_get_data (filter, "kind") : NULL;
  self->file =
      is_longer ? add_suffix (named, g_object_get_data (filter, "suffix")) : g_object_ref (named);
  g_task_set_source_tag (task, scope_save_kind_settle_async);
  g_task_set_task_data (task, self, free_meant);
  if (is_longer)
    g_file_query_info_async (self->file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                             G_PRIORITY_DEFAULT, NULL, looked_cb, g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

GFile *
scope_save_kind_settle_finish (GAsyncResult *result, gconstpointer *kind, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  const Meant *self = g_task_get_task_data (G_TASK (result));

  if (kind != NULL)
    *kind = self->kind;
  return g_task_propagate_boolean (G_TASK (result), error) ? g_object_ref (self->file) : NULL;
}
