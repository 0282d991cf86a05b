/* SPDX-License-Identifier: MIT */
#include "store/sym-store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256 << 10)
#define MAX_LINKS 40
#define MAX_ATTEMPTS 100

/* Everything is written to a temporary file first, one without a name where that is possible.  A
 * regular target is then replaced by rename(); standard output, a pipe or a device gets a copy, so
 * that these too see all or nothing. */
struct _SymStoreWriter {
  char *path;      /* as given, for messages */
  char *target;    /* with symbolic links followed; NULL: copy to @copy_fd */
  char *temporary; /* NULL: has no name, or none yet */
  int copy_fd;     /* -1: replace @target */
  int fd;
  gboolean replaces;
  struct stat replaced; /* the file that is there, when @replaces */
  char *buffer;
  gsize n_buffered;
};

/* The file that @path finally leads to, which need not exist.  NULL for a loop of links. */
static char *
follow_links (const char *path)
{
  g_autofree char *target = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      g_autofree char *link = g_file_read_link (target, NULL);
      g_autofree char *folder = NULL;

      if (link == NULL)
        return g_steal_pointer (&target);

      folder = g_path_get_dirname (target);
      g_free (target);
      target = g_path_is_absolute (link) ? g_strdup (link) : g_build_filename (folder, link, NULL);
    }
  return NULL;
}

/* A new file gets its permissions here, since the umask cannot be asked for without changing it;
 * one that replaces another is closed to others until it has that one's. */
static mode_t
choose_mode (const SymStoreWriter *self)
{
  return self->target == NULL || self->replaces ? 0600 : 0666;
}

/* A file without a name is gone with its writer, even if that is killed.  It can get a name only by
 * way of /proc; not every file system has such files. */
static gboolean
open_nameless (SymStoreWriter *self, const char *folder)
{
#ifdef O_TMPFILE
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, choose_mode (self));
  g_autofree char *handle = g_strdup_printf ("/proc/self/fd/%d", fd);

  if (fd >= 0 && access (handle, F_OK) == 0)
    self->fd = fd;
  else if (fd >= 0)
    close (fd);
#endif
  return self->fd >= 0;
}

static gboolean
open_named (SymStoreWriter *self, const char *path)
{
  self->fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, choose_mode (self));
  return self->fd >= 0;
}

static gboolean
give_name (SymStoreWriter *self, const char *path)
{
  g_autofree char *handle = g_strdup_printf ("/proc/self/fd/%d", self->fd);

  return linkat (AT_FDCWD, handle, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* Lets @make make a file whose name nobody else has. */
static gboolean
make_temporary (SymStoreWriter *self,
                const char *folder,
                gboolean (*make) (SymStoreWriter *self, const char *path),
                GError **error)
{
  for (guint i = 0; i < MAX_ATTEMPTS; i++)
    {
      g_autofree char *name =
          g_strdup_printf (".symscope-%08x%08x", g_random_int (), g_random_int ());
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (make (self, path))
        {
          self->temporary = g_steal_pointer (&path);
          return TRUE;
        }
      if (errno != EEXIST)
        break;
    }
  return sym_store_fail_errno (error, self->path, "cannot be written", errno);
}

static gboolean
create_temporary (SymStoreWriter *self, const char *folder, GError **error)
{
  return open_nameless (self, folder) || make_temporary (self, folder, open_named, error);
}

static gboolean
begin_copy (SymStoreWriter *self, int copy_fd, GError **error)
{
  self->copy_fd = copy_fd;
  if (copy_fd < 0)
    return sym_store_fail_errno (error, self->path, "cannot be written", errno);
  if (!create_temporary (self, g_get_tmp_dir (), error))
    return FALSE;

  if (self->temporary != NULL)
    unlink (self->temporary);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

static gboolean
begin_replace (SymStoreWriter *self, GError **error)
{
  g_autofree char *folder = NULL;

  self->target = follow_links (self->path);
  if (self->target == NULL)
    return sym_store_fail_errno (error, self->path, "cannot be written", ELOOP);

  /* rename() would replace even a file that is write-protected. */
  self->replaces = stat (self->target, &self->replaced) == 0;
  if (self->replaces && access (self->target, W_OK) != 0)
    return sym_store_fail_errno (error, self->path, "cannot be written", errno);

  folder = g_path_get_dirname (self->target);
  return create_temporary (self, folder, error);
}

static gboolean
begin (SymStoreWriter *self, GError **error)
{
  struct stat info;

  if (g_str_equal (self->path, "-"))
    return begin_copy (self, dup (STDOUT_FILENO), error);
  if (stat (self->path, &info) != 0 || S_ISREG (info.st_mode))
    return begin_replace (self, error);
  if (S_ISDIR (info.st_mode))
    return sym_store_fail_errno (error, self->path, "cannot be written", EISDIR);

  return begin_copy (self, open (self->path, O_WRONLY | O_CLOEXEC), error);
}

SymStoreWriter *
sym_store_writer_new (const char *path, GError **error)
{
  g_autoptr (SymStoreWriter) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (SymStoreWriter, 1);
  self->path = g_strdup (path);
  self->fd = -1;
  self->copy_fd = -1;
  if (!begin (self, error))
    return NULL;

  self->buffer = g_malloc (BUFFER_BYTES);
  return g_steal_pointer (&self);
}

static gboolean
write_fully (SymStoreWriter *self, int fd, const char *bytes, gsize size, GError **error)
{
  while (size > 0)
    {
      ssize_t n = write (fd, bytes, MIN (size, G_MAXINT32));

      if (n < 0 && errno != EINTR)
        return sym_store_fail_errno (error, self->path, "cannot be written", errno);
      if (n > 0)
        {
          bytes += n;
          size -= (gsize) n;
        }
    }
  return TRUE;
}

static gboolean
flush (SymStoreWriter *self, GError **error)
{
  gsize n = self->n_buffered;

  self->n_buffered = 0;
  return write_fully (self, self->fd, self->buffer, n, error);
}

gboolean
sym_store_writer_write (SymStoreWriter *self, const void *bytes, gsize size, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (size > BUFFER_BYTES - self->n_buffered && !flush (self, error))
    return FALSE;
  if (size > BUFFER_BYTES)
    return write_fully (self, self->fd, bytes, size, error);

  if (size > 0)
    memcpy (self->buffer + self->n_buffered, bytes, size);
  self->n_buffered += size;
  return TRUE;
}

gboolean
sym_store_writer_write_tensor (SymStoreWriter *self, SymTensor *tensor, GError **error)
{
  guint64 size = sym_tensor_get_n_bytes (tensor);
  g_autofree char *piece = g_malloc (BUFFER_BYTES);

  for (guint64 done = 0; done < size;)
    {
      gsize n = (gsize) MIN (size - done, BUFFER_BYTES);

      if (g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error) ||
          !sym_tensor_read (tensor, done, n, piece, error) ||
          !sym_store_writer_write (self, piece, n, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

gboolean
sym_store_stream_blob (SymBlob *blob, SymStoreTake take, gpointer data, GError **error)
{
  g_autofree char *piece = g_malloc (BUFFER_BYTES);

  for (guint64 done = 0; done < blob->size;)
    {
      gsize n = (gsize) MIN (blob->size - done, BUFFER_BYTES);

      if (g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error) ||
          !sym_blob_read (blob, done, n, piece, error) || !take (data, piece, n, error))
        return FALSE;
      done += n;
    }
  return TRUE;
}

static gboolean
take_bytes (gpointer writer, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (writer, bytes, size, error);
}

static gboolean
commit_copy (SymStoreWriter *self, GError **error)
{
  for (off_t offset = 0;;)
    {
      ssize_t n = pread (self->fd, self->buffer, BUFFER_BYTES, offset);

      if (n == 0)
        return TRUE;
      if (n < 0 && errno != EINTR)
        return sym_store_fail_errno (error, self->path, "cannot be written", errno);
      if (n > 0 && !write_fully (self, self->copy_fd, self->buffer, (gsize) n, error))
        return FALSE;
      offset += MAX (n, 0);
    }
}

/* Makes the new name itself survive a crash; some file systems cannot, which is no error. */
static void
sync_folder (const char *target)
{
  g_autofree char *folder = g_path_get_dirname (target);
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* Only root can give a file to its old owner; for all others the attempt fails and does no harm. */
static gboolean
keep_permissions (SymStoreWriter *self)
{
  const struct stat *old = &self->replaced;
  gboolean is_given = old->st_uid == geteuid () && old->st_gid == getegid ();

  is_given = is_given || fchown (self->fd, old->st_uid, old->st_gid) == 0;
  return fchmod (self->fd, old->st_mode & (is_given ? 07777 : 0777)) == 0;
}

/* A name can only be taken from a file by one that has a name already. */
static gboolean
rename_to_target (SymStoreWriter *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->target);

  if (self->temporary == NULL && !make_temporary (self, folder, give_name, error))
    return FALSE;
  if (rename (self->temporary, self->target) != 0)
    return sym_store_fail_errno (error, self->path, "cannot be written", errno);
  return TRUE;
}

static gboolean
commit_replace (SymStoreWriter *self, GError **error)
{
  if ((self->replaces && !keep_permissions (self)) || fsync (self->fd) != 0)
    return sym_store_fail_errno (error, self->path, "cannot be written", errno);
  if (!rename_to_target (self, error))
    return FALSE;

  g_clear_pointer (&self->temporary, g_free);
  if (self->replaces)
    sym_store_note_replaced (&self->replaced);
  sync_folder (self->target);
  return TRUE;
}

gboolean
sym_store_writer_commit (SymStoreWriter *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!flush (self, error))
    return FALSE;
  return self->target == NULL ? commit_copy (self, error) : commit_replace (self, error);
}

gboolean
sym_store_write_blob (const char *path, SymBlob *blob, GError **error)
{
  g_autoptr (SymStoreWriter) writer = sym_store_writer_new (path, error);

  return writer != NULL && sym_store_stream_blob (blob, take_bytes, writer, error) &&
         sym_store_writer_commit (writer, error);
}

void
sym_store_writer_free (SymStoreWriter *self)
{
  if (self->temporary != NULL)
    unlink (self->temporary);
  if (self->fd >= 0)
    close (self->fd);
  if (self->copy_fd >= 0)
    close (self->copy_fd);
  g_free (self->path);
  g_free (self->target);
  g_free (self->temporary);
  g_free (self->buffer);
  g_free (self);
}
