/* SPDX-License-Identifier: MIT */
#include "app/scope-bookmarks.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define PRIVATE_FOLDER 0700
#define MAX_BYTES (16 << 20) /* a longer file is not ours */

typedef struct {
  char *uri, *name;
  ScopeMemory *memory;
} Bookmark;

struct _ScopeBookmarks {
  GObject parent_instance;

  char *path;
  GPtrArray *all; /* of Bookmark; NULL until somebody asks */
  gboolean is_writing, is_outdated;
  gboolean is_foreign; /* what is in the file could not be read: it is kept beside */
};

G_DEFINE_FINAL_TYPE (ScopeBookmarks, scope_bookmarks, G_TYPE_OBJECT)

enum { CHANGED, FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
bookmark_free (gpointer data)
{
  Bookmark *self = data;

  g_free (self->uri);
  g_free (self->name);
  scope_memory_unref (self->memory);
  g_free (self);
}

static Bookmark *
bookmark_new (const char *uri, const char *name, ScopeMemory *memory)
{
  Bookmark *self = g_new0 (Bookmark, 1);

  self->uri = g_strdup (uri);
  self->name = g_strdup (name);
  self->memory = scope_memory_ref (memory);
  return self;
}

/* ---- The file ---- */

static void
load_group (ScopeBookmarks *self, GKeyFile *file, const char *group)
{
  g_autofree char *uri = g_key_file_get_string (file, group, "uri", NULL);
  g_autofree char *name = g_key_file_get_string (file, group, "name", NULL);

  if (uri == NULL || name == NULL)
    return;
  g_autoptr (ScopeMemory) memory = scope_memory_load (file, group);

  g_ptr_array_add (self->all, bookmark_new (uri, name, memory));
}

static gboolean
load_file (GKeyFile *file, const char *path, GError **error)
{
  GStatBuf info;

  if (g_stat (path, &info) == 0 && info.st_size > MAX_BYTES)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("%s is no list of bookmarks"),
                   path);
      return FALSE;
    }
  return g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, error);
}

/* What cannot be read is left alone until a bookmark is added, and a copy of it then. */
static GPtrArray *
get_all (ScopeBookmarks *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  if (self->all != NULL)
    return self->all;
  self->all = g_ptr_array_new_with_free_func (bookmark_free);
  if (load_file (file, self->path, &error))
    {
      gsize n;
      g_auto (GStrv) groups = g_key_file_get_groups (file, &n);

      for (gsize i = 0; i < MIN (n, SCOPE_BOOKMARKS_MAX); i++)
        load_group (self, file, groups[i]);
    }
  else if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      self->is_foreign = TRUE;
      g_signal_emit (self, signals[FAILED], 0, error);
    }
  return self->all;
}

static GBytes *
format (ScopeBookmarks *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  gsize length;

  for (guint i = 0; i < self->all->len; i++)
    {
      const Bookmark *bookmark = self->all->pdata[i];
      g_autofree char *group = g_strdup_printf ("bookmark %u", i);

      g_key_file_set_string (file, group, "uri", bookmark->uri);
      g_key_file_set_string (file, group, "name", bookmark->name);
      scope_memory_save (bookmark->memory, file, group);
    }
  char *text = g_key_file_to_data (file, &length, NULL);

  return g_bytes_new_take (text, length);
}

static gboolean
make_folder (ScopeBookmarks *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (folder, PRIVATE_FOLDER) == 0)
    return TRUE;
  int code = errno;

  g_set_error (&error, G_FILE_ERROR, (int) g_file_error_from_errno (code), "%s: %s", folder,
               g_strerror (code));
  g_signal_emit (self, signals[FAILED], 0, error);
  return FALSE;
}

static void begin_writing (ScopeBookmarks *self);

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeBookmarks) self = user_data;
  g_autoptr (GError) error = NULL;

  self->is_writing = FALSE;
  if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    g_signal_emit (self, signals[FAILED], 0, error);
  if (self->is_outdated)
    begin_writing (self);
}

static void
begin_writing (ScopeBookmarks *self)
{
  self->is_outdated = self->is_writing;
  if (self->is_writing || !make_folder (self))
    return;
  g_autoptr (GBytes) bytes = format (self);
  g_autoptr (GFile) file = g_file_new_for_path (self->path);

  self->is_writing = TRUE;
  g_file_replace_contents_bytes_async (file, bytes, NULL, self->is_foreign, G_FILE_CREATE_PRIVATE,
                                       NULL, written_cb, g_object_ref (self));
  self->is_foreign = FALSE;
}

static void
change (ScopeBookmarks *self)
{
  begin_writing (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- The list ---- */

/* The place among all of the @nth of a file; their number when it has not so many. */
static guint
find_nth (ScopeBookmarks *self, const char *uri, guint nth)
{
  GPtrArray *all = get_all (self);

  for (guint i = 0; i < all->len; i++)
    {
      const Bookmark *bookmark = all->pdata[i];

      if (g_str_equal (bookmark->uri, uri) && nth-- == 0)
        return i;
    }
  return all->len;
}

static Bookmark *
get_nth (ScopeBookmarks *self, const char *uri, guint nth)
{
  guint i = find_nth (self, uri, nth);

  g_assert (i < self->all->len);
  return self->all->pdata[i];
}

static gboolean
has_name (ScopeBookmarks *self, const char *uri, const char *name)
{
  GPtrArray *all = get_all (self);

  for (guint i = 0; i < all->len; i++)
    {
      const Bookmark *bookmark = all->pdata[i];

      if (g_str_equal (bookmark->uri, uri) && g_str_equal (bookmark->name, name))
        return TRUE;
    }
  return FALSE;
}

guint
scope_bookmarks_get_n (ScopeBookmarks *self, const char *uri)
{
  g_return_val_if_fail (SCOPE_IS_BOOKMARKS (self) && uri != NULL, 0);

  GPtrArray *all = get_all (self);
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    n += g_str_equal (((const Bookmark *) all->pdata[i])->uri, uri) ? 1 : 0;
  return n;
}

const char *
scope_bookmarks_get_name (ScopeBookmarks *self, const char *uri, guint nth)
{
  g_return_val_if_fail (nth < scope_bookmarks_get_n (self, uri), NULL);

  return get_nth (self, uri, nth)->name;
}

ScopeMemory *
scope_bookmarks_get_memory (ScopeBookmarks *self, const char *uri, guint nth)
{
  g_return_val_if_fail (nth < scope_bookmarks_get_n (self, uri), NULL);

  return get_nth (self, uri, nth)->memory;
}

char *
scope_bookmarks_suggest (ScopeBookmarks *self, const char *uri, const char *name)
{
  g_return_val_if_fail (SCOPE_IS_BOOKMARKS (self) && uri != NULL && name != NULL, NULL);

  char *free_name = g_strdup (name);

  for (guint i = 2; has_name (self, uri, free_name); i++)
    {
      g_free (free_name);
      free_name = g_strdup_printf ("%s (%u)", name, i);
    }
  return free_name;
}

void
scope_bookmarks_insert (ScopeBookmarks *self,
                        const char *uri,
                        guint nth,
                        const char *name,
                        ScopeMemory *memory)
{
  g_return_if_fail (SCOPE_IS_BOOKMARKS (self) && uri != NULL && name != NULL && memory != NULL);

  if (get_all (self)->len >= SCOPE_BOOKMARKS_MAX)
    g_ptr_array_remove_index (self->all, 0);
  g_ptr_array_insert (self->all, (int) find_nth (self, uri, nth), bookmark_new (uri, name, memory));
  change (self);
}

void
scope_bookmarks_remove (ScopeBookmarks *self, const char *uri, guint nth)
{
  g_return_if_fail (nth < scope_bookmarks_get_n (self, uri));

  g_ptr_array_remove_index (self->all, find_nth (self, uri, nth));
  change (self);
}

gboolean
scope_bookmarks_rename (ScopeBookmarks *self,
                        const char *uri,
                        guint nth,
                        const char *name,
                        GError **error)
{
  g_return_val_if_fail (nth < scope_bookmarks_get_n (self, uri) && name != NULL, FALSE);

  Bookmark *bookmark = get_nth (self, uri, nth);
  g_autofree char *bare = g_strstrip (g_strdup (name));

  if (g_str_equal (bare, bookmark->name))
    return TRUE;
  if (*bare == '\0')
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("a bookmark needs a name"));
      return FALSE;
    }
  if (has_name (self, uri, bare))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _ ("another bookmark is called “%s”"),
                   bare);
      return FALSE;
    }
  g_free (bookmark->name);
  bookmark->name = g_steal_pointer (&bare);
  change (self);
  return TRUE;
}

void
scope_bookmarks_finish (ScopeBookmarks *self)
{
  g_return_if_fail (SCOPE_IS_BOOKMARKS (self));

  while (self->is_writing)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- Class ---- */

static void
scope_bookmarks_finalize (GObject *object)
{
  ScopeBookmarks *self = SCOPE_BOOKMARKS (object);

  g_free (self->path);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  G_OBJECT_CLASS (scope_bookmarks_parent_class)->finalize (object);
}

static void
scope_bookmarks_class_init (ScopeBookmarksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_bookmarks_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
scope_bookmarks_init (ScopeBookmarks *self)
{
}

ScopeBookmarks *
scope_bookmarks_new (const char *path)
{
  ScopeBookmarks *self = g_object_new (SCOPE_TYPE_BOOKMARKS, NULL);

  self->path = path != NULL
                   ? g_strdup (path)
                   : g_build_filename (g_get_user_state_dir (), "symscope", "bookmarks.ini", NULL);
  return self;
}
