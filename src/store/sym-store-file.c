/* SPDX-License-Identifier: MIT */
#include "store/sym-store-private.h"

#include "core/sym-progress.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES (1 << 20)
#define LOOK_BYTES (64 << 10)

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
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
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
  if ((stat (self->absolute, &now) != 0 || !is_same_file (&now, &self->opened)) &&
      !was_replaced_here (&self->opened))
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

int
sym_store_file_dup (SymBlob *blob)
{
  return blob->klass == &file_blob_class ? fcntl (((FileBlob *) blob)->fd, F_DUPFD_CLOEXEC, 0) : -1;
}

static gboolean
is_pointer (int fd, const struct stat *info)
{
  char start[sizeof SYM_STORE_LFS - 1];

  return info->st_size < 1024 && pread (fd, start, sizeof start, 0) == (ssize_t) sizeof start &&
         memcmp (start, SYM_STORE_LFS, sizeof start) == 0;
}

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

  if (is_pointer (fd, &info))
    {
      sym_store_fail (
          error, SYM_STORE_ERROR_FORMAT, path,
          "is a pointer of Git LFS and not the file itself: “git lfs pull” fetches that");
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
  int fd;
  const char *path;
  guint64 max_size;
  SymStoreLook look; /* NULL when it was asked */
  char *data;
  gsize size, capacity;
  gboolean is_regular;
} Reading;

/* An allocation of the size that a file claims may fail: that is no bug. */
static gboolean
reserve (Reading *self, gsize capacity, GError **error)
{
  char *data = g_try_realloc (self->data, capacity);

  if (data == NULL)
    return sym_store_fail (error, SYM_STORE_ERROR_FILE, self->path,
                           "cannot be read: there is no memory for %" G_GSIZE_FORMAT " bytes",
                           capacity);
  self->data = data;
  self->capacity = capacity;
  return TRUE;
}

static gboolean
ask_look (Reading *self, GError **error)
{
  SymStoreLook look = self->look;

  self->look = NULL;
  return look == NULL || look ((const guint8 *) self->data, self->size, error);
}

/* A regular file has one byte less than there is room for; of another the size is not known. */
static void
tell_size (const Reading *self, GCancellable *cancellable)
{
  if (self->is_regular && self->size < self->capacity)
    sym_progress_tell (cancellable, self->size, self->capacity - 1);
  else
    sym_progress_tell_unknown (cancellable);
}

/* A pipe may keep its reader waiting for ever: until something comes, or its end, or nobody wants
 * it. */
static gboolean
await_bytes (const Reading *self, GCancellable *cancellable, GError **error)
{
  GPollFD fds[2] = { { .fd = self->fd, .events = G_IO_IN } };
  gboolean can_cancel = g_cancellable_make_pollfd (cancellable, &fds[1]);

  while (g_poll (fds, can_cancel ? 2 : 1, -1) < 0 && errno == EINTR)
    ;
  if (can_cancel)
    g_cancellable_release_fd (cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gboolean
read_to_end (Reading *self, GCancellable *cancellable, GError **error)
{
  for (;;)
    {
      ssize_t n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          (!self->is_regular && !await_bytes (self, cancellable, error)))
        return FALSE;
      if (self->size > self->max_size)
        return sym_store_fail (error, SYM_STORE_ERROR_FILE, self->path,
                               "is larger than %" G_GUINT64_FORMAT
                               " bytes, the most that is read at once",
                               self->max_size);
      if (self->size == self->capacity &&
          !reserve (self, self->capacity + MAX (self->capacity / 2, CHUNK_BYTES), error))
        return FALSE;
      n = read (self->fd, self->data + self->size, MIN (self->capacity - self->size, CHUNK_BYTES));
      if (n == 0)
        return ask_look (self, error);
      if (n < 0 && errno != EINTR && errno != EAGAIN)
        return sym_store_fail_errno (error, self->path, "cannot be read", errno);
      self->size += n > 0 ? (gsize) n : 0;
      tell_size (self, cancellable);
      if (self->size >= LOOK_BYTES && !ask_look (self, error))
        return FALSE;
    }
}

/* One byte more than a regular file has is reserved, so that its end is seen. */
static gboolean
read_whole (Reading *self, GCancellable *cancellable, GError **error)
{
  struct stat before, after;
  gboolean is_regular = fstat (self->fd, &before) == 0 && S_ISREG (before.st_mode);

  self->is_regular = is_regular;
  if (is_regular && (guint64) before.st_size > self->max_size)
    return sym_store_fail (error, SYM_STORE_ERROR_FILE, self->path,
                           "has %" G_GUINT64_FORMAT " bytes; at most %" G_GUINT64_FORMAT
                           " are read at once",
                           (guint64) before.st_size, self->max_size);
  if (is_regular && !reserve (self, (gsize) before.st_size + 1, error))
    return FALSE;
  if (!read_to_end (self, cancellable, error))
    return FALSE;
  if (is_regular && fstat (self->fd, &after) == 0 && !is_same_file (&before, &after))
    return sym_store_fail (error, SYM_STORE_ERROR_CHANGED, self->path,
                           "has been written to while it was read; open it again");
  return TRUE;
}

static GBytes *
read_all_fd (Reading reading, GCancellable *cancellable, GError **error)
{
  if (read_whole (&reading, cancellable, error))
    return g_bytes_new_take (reading.data, reading.size);

  g_free (reading.data);
  return NULL;
}

GBytes *
sym_store_read_all (const char *path,
                    guint64 max_size,
                    SymStoreLook look,
                    GCancellable *cancellable,
                    GError **error)
{
  Reading reading = { .path = path, .max_size = max_size, .look = look };
  GBytes *bytes;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_str_equal (path, "-"))
    {
      reading.fd = STDIN_FILENO;
      return read_all_fd (reading, cancellable, error);
    }

  reading.fd = sym_store_open_fd (path, error);
  if (reading.fd < 0)
    return NULL;
  bytes = read_all_fd (reading, cancellable, error);
  close (reading.fd);
  return bytes;
}
