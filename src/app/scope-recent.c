/* SPDX-License-Identifier: MIT */
#include "app/scope-recent.h"

#include "app/scope-file-name.h"
#include "app/scope-release.h"

#define OWN_NAME "Symscope" /* in every language */
#define PRIVATE_FOLDER 0700 /* of the owner, as the desktop's other folders are */

void
scope_recent_file_free (ScopeRecentFile *self)
{
  g_free (self->uri);
  g_free (self->name);
  g_free (self->folder);
  g_free (self);
}

/* Shorter where it lies in the home of the user. */
static char *
name_folder (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) home = g_file_new_for_path (g_get_home_dir ());

  if (folder == NULL)
    return g_strdup ("/");
  if (g_file_equal (folder, home))
    return g_strdup ("~");
  g_autofree char *inside = g_file_get_relative_path (home, folder);

  if (inside == NULL)
    return scope_file_address (folder);
  g_autofree char *name = g_filename_display_name (inside);

  return g_build_filename ("~", name, NULL);
}

static ScopeRecentFile *
create_file (const char *uri, gboolean is_pinned)
{
  ScopeRecentFile *self = g_new0 (ScopeRecentFile, 1);
  g_autoptr (GFile) file = g_file_new_for_uri (uri);

  self->uri = g_strdup (uri);
  self->name = scope_file_name (file);
  self->folder = name_folder (file);
  self->is_pinned = is_pinned;
  return self;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

/* What this program opened, the last one first. */
static GList *
list_infos (void)
{
  GList *all = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  for (GList *l = all, *next; l != NULL; l = next)
    {
      next = l->next;
      if (gtk_recent_info_has_application (l->data, OWN_NAME))
        continue;
      gtk_recent_info_unref (l->data);
      all = g_list_delete_link (all, l);
    }
  return g_list_sort (all, compare_times);
}

static void
free_infos (GList *infos)
{
  g_list_free_full (infos, (GDestroyNotify) gtk_recent_info_unref);
}

GPtrArray *
scope_recent_list (ScopeSettings *settings, guint max)
{
  GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify) scope_recent_file_free);
  const char *const *pinned = scope_settings_get_pinned (settings);
  GList *infos = list_infos ();

  for (guint i = 0; pinned[i] != NULL && files->len < max; i++)
    g_ptr_array_add (files, create_file (pinned[i], TRUE));
  for (GList *l = infos; l != NULL && files->len < max; l = l->next)
    {
      const char *uri = gtk_recent_info_get_uri (l->data);

      if (!g_strv_contains (pinned, uri))
        g_ptr_array_add (files, create_file (uri, FALSE));
    }
  free_infos (infos);
  return files;
}

/* ---- Adding: GTK would wait for the disk while the window waits for GTK.  It sees by itself that
 * its file has changed. ---- */

static char *
find_mime_type (const char *uri)
{
  g_autofree char *content_type = g_content_type_guess (uri, NULL, 0, NULL);
  char *mime_type = g_content_type_get_mime_type (content_type);

  return mime_type != NULL ? mime_type : g_strdup ("application/octet-stream");
}

/* In a thread, one after the other.  A list that cannot be read is begun anew, as GTK does.  The
 * first program that a new user starts finds no folder for it; if that cannot be made, writing
 * tells why. */
static void
write_uri (gpointer data)
{
  g_autofree char *uri = data;
  g_autofree char *path = g_build_filename (g_get_user_data_dir (), "recently-used.xbel", NULL);
  g_autofree char *mime_type = find_mime_type (uri);
  g_autoptr (GBookmarkFile) list = g_bookmark_file_new ();
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (g_get_user_data_dir (), PRIVATE_FOLDER);
  g_bookmark_file_load_from_file (list, path, NULL);
  g_bookmark_file_set_mime_type (list, uri, mime_type);
  g_bookmark_file_add_application (list, uri, OWN_NAME, "symscope-window %u");
  if (!g_bookmark_file_to_file (list, path, &error))
    g_message ("%s is not among the recent files: %s", uri, error->message);
}

void
scope_recent_add (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (name != NULL && !g_file_has_uri_scheme (file, "resource"))
    scope_release (g_file_get_uri (file), write_uri);
}

gboolean
scope_recent_forget (ScopeSettings *settings, const char *uri, GError **error)
{
  gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
  return scope_settings_set_pinned (settings, uri, FALSE, error);
}

void
scope_recent_clear (ScopeSettings *settings)
{
  const char *const *pinned = scope_settings_get_pinned (settings);
  GList *infos = list_infos ();

  for (GList *l = infos; l != NULL; l = l->next)
    {
      const char *uri = gtk_recent_info_get_uri (l->data);

      if (!g_strv_contains (pinned, uri))
        gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
    }
  free_infos (infos);
}
