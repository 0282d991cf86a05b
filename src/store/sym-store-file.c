/* SPDX-License-Identifier: MIT */
#include "store/sym-store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES (1 << 20)

typedef struct {
  SymBlob parent;
  int fd;
  char *path;     /* as given, for messages */
  char *absolute; /* so that a change of the working folder does not look like a replaced file */
  struct stat opened; /* as it was when its headers were parsed */
} FileBlob;

int
sym_store_open_fd (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat info;

  if (fd < 0)
    {
      sym_store_fail_errno (error, path, "cannot be opened", errno);
      return -1;
    }
  if (fstat (fd, &info) == 0 && S_ISDIR (info.st_mode))
    {
      sym_store_fail_errno (error, path, "cannot be opened", EISDIR);
      close (fd);
      return -1;
    }
  return fd;
}

static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Files that this process itself has replaced, as they were then.  A document that is saved over
 * its own weights goes on reading the old ones through its descriptor.  The time is part of it,
 * since inodes are used again. */
static GMutex replaced_mutex;
static GHashTable *replaced_files;

static char *
identify (const struct stat *info)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT
                          ".%09" G_GINT64_FORMAT,
                          (guint64) info->st_dev, (guint64) info->st_ino,
                          (gint64) info->st_mtim.tv_sec, (gint64) info->st_mtim.tv_nsec);
}

void
sym_store_note_replaced (const struct stat *info)
{
  g_mutex_lock (&replaced_mutex);
  if (replaced_files == NULL)
    replaced_files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (replaced_files, identify (info));
  g_mutex_unlock (&replaced_mutex);
}

static gboolean
was_replaced_here (const struct stat *info)
{
  g_autofree char *id = identify (info);
  gboolean found;

  g_mutex_lock (&replaced_mutex);
  found = replaced_files != NULL && g_hash_table_contains (replaced_files, id);
  g_mutex_unlock (&replaced_mutex);
  return found;
}

/* The descriptor still shows what was opened when the path leads elsewhere, but then the weights on
 * disk are no longer those of the graph, which is as wrong as a change in place. */
static gboolean
check_unchanged (FileBlob *self, GError **error)
{
  struct stat now;

  if (fstat (self->fd, &now) != 0)
    return sym_store_fail_errno (error, self->path, "cannot be read", errno);
  if (now.st_size != self->opened.st_size)
    return sym_store_fail (error, SYM_STORE_ERROR_CHANGED, self->path,
                           "has changed while it was open: it had %" G_GUINT64_FORMAT
                           " bytes and now has %" G_GUINT64_FORMAT "; open it again",
                           (guint64) self->opened.st_size, (guint64) now.st_size);
  if (!is_same_file (&now, &self->opened))
    return sym_store_fail (error, SYM_STORE_ERROR_CHANGED, self->path,
                           "has been written to while it was open; open it again");
  if ((stat (self->absolute, &now) != 0 || !is_same_file (&now, &self->opened))
      && !was_replaced_here (&self->opened))
    return sym_store_fail (error, SYM_STORE_ERROR_CHANGED, self->path,
                           "has been replaced while it was open; open it again");
  return TRUE;
}

static gboolean
read_range (FileBlob *self, guint64 offset, guint64 size, char *buffer, GError **error)
{
  guint64 done = 0;

  while (done < size)
    {
      size_t wanted = (size_t) MIN (size - done, G_MAXINT32);
      ssize_t n = pread (self->fd, buffer + done, wanted, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return sym_store_fail_errno (error, self->path, "cannot be read", errno);
      if (n == 0)
        return sym_store_fail (error, SYM_STORE_ERROR_CHANGED, self->path,
                               "has shrunk while it was open: it ends at byte %" G_GUINT64_FORMAT,
                               offset + done);
      done += (guint64) n;
    }
  return TRUE;
}

/* Checked after the bytes are there, so that nothing changed in between goes unnoticed. */
static gboolean
file_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  FileBlob *self = (FileBlob *) blob;

  return read_range (self, offset, size, buffer, error) && check_unchanged (self, error);
}

static void
file_blob_free (SymBlob *blob)
{
  FileBlob *self = (FileBlob *) blob;

  close (self->fd);
  g_free (self->path);
  g_free (self->absolute);
  g_free (self);
}

static const SymBlobClass file_blob_class = {
  .read = file_blob_read,
  .free = file_blob_free,
};

SymBlob *
sym_store_open_file (const char *path, GError **error)
{
  FileBlob *self;
  struct stat info;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = sym_store_open_fd (path, error);
  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FILE, path,
                      "is not a regular file, so parts of it cannot be read on demand");
      close (fd);
      return NULL;
    }

  self = g_new0 (FileBlob, 1);
  self->parent.klass = &file_blob_class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = (guint64) info.st_size;
  self->fd = fd;
  self->path = g_strdup (path);
  self->absolute = g_canonicalize_filename (path, NULL);
  self->opened = info;
  return &self->parent;
}

typedef struct {
  char *data;
  gsize size, capacity;
} Buffer;

/* Reads until the end of @fd into @buffer, which is freed by the caller either way. */
static gboolean
read_to_end (int fd,
             const char *path,
             guint64 max_size,
             Buffer *buffer,
             GCancellable *cancellable,
             GError **error)
{
  for (;;)
    {
      ssize_t n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (buffer->size > max_size)
        return sym_store_fail (error, SYM_STORE_ERROR_FILE, path,
                               "is larger than %" G_GUINT64_FORMAT
                               " bytes, the most that is read at once",
                               max_size);
      if (buffer->size == buffer->capacity)
        {
          buffer->capacity = buffer->capacity + MAX (buffer->capacity / 2, CHUNK_BYTES);
          buffer->data = g_realloc (buffer->data, buffer->capacity);
        }
      n = read (fd, buffer->data + buffer->size,
                MIN (buffer->capacity - buffer->size, CHUNK_BYTES));
      if (n == 0)
        return TRUE;
      if (n < 0 && errno != EINTR)
        return sym_store_fail_errno (error, path, "cannot be read", errno);
      buffer->size += n > 0 ? (gsize) n : 0;
    }
}

static GBytes *
read_all_fd (int fd, const char *path, guint64 max_size, GCancellable *cancellable, GError **error)
{
  Buffer buffer = { NULL, 0, 0 };
  struct stat before, after;
  gboolean is_regular = fstat (fd, &before) == 0 && S_ISREG (before.st_mode);

  if (is_regular && (guint64) before.st_size > max_size)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FILE, path,
                      "has %" G_GUINT64_FORMAT " bytes; at most %" G_GUINT64_FORMAT
                      " are read at once",
                      (guint64) before.st_size, max_size);
      return NULL;
    }
  if (is_regular)
    {
      buffer.capacity = (gsize) before.st_size + 1; /* one more, so that the end is seen */
      buffer.data = g_malloc (buffer.capacity);
    }
  if (!read_to_end (fd, path, max_size, &buffer, cancellable, error))
    {
      g_free (buffer.data);
      return NULL;
    }
  if (is_regular && fstat (fd, &after) == 0 && !is_same_file (&before, &after))
    {
      sym_store_fail (error, SYM_STORE_ERROR_CHANGED, path,
                      "has been written to while it was read; open it again");
      g_free (buffer.data);
      return NULL;
    }
  return g_bytes_new_take (buffer.data, buffer.size);
}

GBytes *
sym_store_read_all (const char *path, guint64 max_size, GCancellable *cancellable, GError **error)
{
  GBytes *bytes;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_str_equal (path, "-"))
    return read_all_fd (STDIN_FILENO, "standard input", max_size, cancellable, error);

  fd = sym_store_open_fd (path, error);
  if (fd < 0)
    return NULL;
  bytes = read_all_fd (fd, path, max_size, cancellable, error);
  close (fd);
  return bytes;
}
