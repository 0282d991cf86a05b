/* SPDX-License-Identifier: MIT */
#include "app/scope-queries.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define PRIVATE_FOLDER 0700
#define MAX_BYTES 65536 /* a longer file is not ours */

static char *
get_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "symscope", "searches", NULL);
}

char **
scope_queries_list (void)
{
  g_autofree char *path = get_path ();
  g_autofree char *text = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GStatBuf info;
  gsize length;

  if (g_stat (path, &info) != 0 || info.st_size > MAX_BYTES ||
      !g_file_get_contents (path, &text, &length, NULL) ||
      !g_utf8_validate_len (text, length, NULL))
    return g_new0 (char *, 1);
  g_auto (GStrv) lines = g_strsplit (text, "\n", SCOPE_QUERIES_MAX + 1);

  for (guint i = 0; i < SCOPE_QUERIES_MAX && lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_strv_builder_add (builder, lines[i]);
  return g_strv_builder_end (builder);
}

static gboolean
write_lines (const char *text, GError **error)
{
  g_autofree char *path = get_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, PRIVATE_FOLDER) != 0)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (code), "%s: %s", folder,
                   g_strerror (code));
      return FALSE;
    }
  return g_file_set_contents (path, text, -1, error);
}

gboolean
scope_queries_add (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, FALSE);

  g_autofree char *line = g_strstrip (g_strdup (text));
  g_auto (GStrv) before = scope_queries_list ();
  g_autoptr (GString) lines = g_string_new (line);
  guint n = 1;

  if (*line == '\0' || strchr (line, '\n') != NULL || g_strcmp0 (before[0], line) == 0)
    return TRUE;
  g_string_append_c (lines, '\n');
  for (guint i = 0; before[i] != NULL && n < SCOPE_QUERIES_MAX; i++)
    if (!g_str_equal (before[i], line))
      {
        g_string_append_printf (lines, "%s\n", before[i]);
        n++;
      }
  return write_lines (lines->str, error);
}

/* ---- In a thread ---- */

/* Whoever adds one reads the others first. */
static GMutex adding;

static void
list_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, scope_queries_list (), (GDestroyNotify) g_strfreev);
}

void
scope_queries_list_async (GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_queries_list_async);
  g_task_run_in_thread (task, list_thread);
}

char **
scope_queries_list_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
add_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  gboolean is_added;

  g_mutex_lock (&adding);
  is_added = scope_queries_add (task_data, &error);
  g_mutex_unlock (&adding);
  if (is_added)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
scope_queries_add_async (const char *text, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (text != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, scope_queries_add_async);
  g_task_set_task_data (task, g_strdup (text), g_free);
  g_task_run_in_thread (task, add_thread);
}

gboolean
scope_queries_add_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
