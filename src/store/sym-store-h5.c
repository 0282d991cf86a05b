/* SPDX-License-Identifier: MIT */
#include "store/sym-store-h5-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Arrays that the process unpacked last are kept, up to so many bytes, since they are read in
 * pieces. */
#define KEPT_BYTES (64 << 20)
#define COPY_BYTES (1 << 20)

typedef struct {
  guint array;
  GBytes *bytes;
} Kept;

struct _SymStoreH5 {
  gatomicrefcount ref_count;
  SymBlob *blob;
  char *path;
  SymStoreH5Catalogue *catalogue;
  GMutex mutex; /* of what follows */
  int fd;       /* what the process reads; -1 once nothing has to be asked */
  SymChild *child;
  GQueue kept; /* of Kept, the one that was made last first */
  guint64 n_kept;
};

gboolean
sym_store_is_h5 (const guint8 *start, gsize n)
{
  return n >= 8 && memcmp (start, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static void
free_kept (gpointer data)
{
  Kept *kept = data;

  g_bytes_unref (kept->bytes);
  g_free (kept);
}

SymStoreH5 *
sym_store_h5_ref (SymStoreH5 *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_store_h5_unref (SymStoreH5 *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->child, sym_child_free);
  if (self->fd >= 0)
    close (self->fd);
  g_queue_clear_full (&self->kept, free_kept);
  g_mutex_clear (&self->mutex);
  g_clear_pointer (&self->catalogue, sym_store_h5_catalogue_free);
  sym_blob_unref (self->blob);
  g_free (self->path);
  g_free (self);
}

/* ---- The file ---- */

static gboolean
copy_bytes (SymBlob *blob, int fd, GCancellable *cancellable, GError **error)
{
  g_autofree char *buffer = g_malloc (COPY_BYTES);

  for (guint64 at = 0; at < blob->size;)
    {
      gsize n = (gsize) MIN (blob->size - at, COPY_BYTES);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !sym_blob_read (blob, at, n, buffer, error))
        return FALSE;
      for (gsize done = 0; done < n;)
        {
          gssize n_written = write (fd, buffer + done, n - done);

          if (n_written < 0 && errno != EINTR)
            return sym_store_fail_errno (error, g_get_tmp_dir (), "cannot be written to", errno);
          done += n_written > 0 ? (gsize) n_written : 0;
        }
      at += n;
    }
  return TRUE;
}

/* What is packed in an archive becomes a file that has no name and goes with its descriptor. */
static int
make_copy (SymStoreH5 *self, guint64 n_packed, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = NULL;
  GError *cause = NULL;
  int fd;

  if (!sym_hdf5_is_justified (self->blob->size, n_packed))
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                      "claims %" G_GUINT64_FORMAT " bytes in an archive of %" G_GUINT64_FORMAT,
                      self->blob->size, n_packed);
      return -1;
    }
  fd = g_file_open_tmp ("symscope-XXXXXX", &name, &cause);
  if (fd < 0)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FILE, self->path, "cannot be unpacked: %s",
                      cause->message);
      g_error_free (cause);
      return -1;
    }
  g_unlink (name);
  if (copy_bytes (self->blob, fd, cancellable, error))
    return fd;
  close (fd);
  return -1;
}

/* Messages of the process begin with the file, and all errors but a cancellation are of the store.
 */
static void
tell (SymStoreH5 *self, GError *take_cause, GError **error)
{
  if (g_error_matches (take_cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, take_cause);
      return;
    }
  sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "%s", take_cause->message);
  g_error_free (take_cause);
}

static gboolean
read_catalogue (SymStoreH5 *self, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;
  g_autoptr (SymChild) child = sym_store_h5_start (self->fd, &cause);
  g_autoptr (GBytes) bytes =
      child == NULL ? NULL
                    : sym_store_h5_ask_catalogue (child, self->blob->size, cancellable, &cause);

  if (bytes != NULL)
    self->catalogue = sym_store_h5_catalogue_parse (bytes, self->blob->size);
  if (bytes == NULL)
    tell (self, cause, error);
  else if (self->catalogue == NULL)
    sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path,
                    "the reader of HDF5 files makes no sense of it");
  return self->catalogue != NULL;
}

SymStoreH5 *
sym_store_open_h5 (SymBlob *blob,
                   guint64 n_packed,
                   const char *path,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (SymStoreH5) self = g_new0 (SymStoreH5, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->blob = sym_blob_ref (blob);
  self->path = g_strdup (path);
  self->fd = sym_store_file_dup (blob);
  if (self->fd < 0)
    self->fd = make_copy (self, n_packed, cancellable, error);
  if (self->fd < 0 || !read_catalogue (self, cancellable, error))
    return NULL;
  if (!sym_store_h5_catalogue_needs_process (self->catalogue))
    {
      close (self->fd);
      self->fd = -1;
    }
  return g_steal_pointer (&self);
}

/* ---- What there is ---- */

static const SymStoreH5Array *
get_array (const SymStoreH5 *self, guint i)
{
  return &g_array_index (self->catalogue->arrays, SymStoreH5Array, i);
}

guint
sym_store_h5_get_n (const SymStoreH5 *self)
{
  return self->catalogue->arrays->len;
}

const char *
sym_store_h5_get_path (const SymStoreH5 *self, guint i)
{
  return get_array (self, i)->path;
}

int
sym_store_h5_find (const SymStoreH5 *self, const char *path)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->catalogue->places, path)) - 1;
}

const char *const *
sym_store_h5_get_attribute (const SymStoreH5 *self, const char *path, const char *name)
{
  g_autofree char *key = g_strconcat (path, "\n", name, NULL);

  return g_hash_table_lookup (self->catalogue->attributes, key);
}

/* ---- Arrays that have to be asked for ---- */

typedef struct {
  SymBlob parent;
  SymStoreH5 *file;
  guint array;
} ArrayBlob;

/* The process is started when it is first needed, and again after it was lost. */
static GBytes *
ask (SymStoreH5 *self, guint i, GError **error)
{
  GCancellable *cancellable = g_cancellable_get_current ();
  GError *cause = NULL;
  GBytes *bytes = NULL;

  if (self->child == NULL)
    self->child = sym_store_h5_start (self->fd, &cause);
  if (self->child != NULL)
    bytes = sym_store_h5_ask_array (self->child, get_array (self, i), cancellable, &cause);
  if (bytes != NULL)
    return bytes;
  g_clear_pointer (&self->child, sym_child_free);
  g_prefix_error (&cause, "“%s”: ", get_array (self, i)->path);
  tell (self, cause, error);
  return NULL;
}

static void
keep (SymStoreH5 *self, guint i, GBytes *bytes)
{
  Kept *kept = g_new (Kept, 1);

  kept->array = i;
  kept->bytes = g_bytes_ref (bytes);
  g_queue_push_head (&self->kept, kept);
  self->n_kept += g_bytes_get_size (bytes);
  while (self->n_kept > KEPT_BYTES && self->kept.length > 1)
    {
      Kept *oldest = g_queue_pop_tail (&self->kept);

      self->n_kept -= g_bytes_get_size (oldest->bytes);
      free_kept (oldest);
    }
}

static GBytes *
get_bytes (SymStoreH5 *self, guint i, GError **error)
{
  GBytes *bytes;

  for (const GList *at = self->kept.head; at != NULL; at = at->next)
    if (((const Kept *) at->data)->array == i)
      return g_bytes_ref (((const Kept *) at->data)->bytes);
  bytes = ask (self, i, error);
  if (bytes != NULL)
    keep (self, i, bytes);
  return bytes;
}

/* A byte of the file is read as well, so that one that was written to since is noticed. */
static gboolean
array_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  ArrayBlob *self = (ArrayBlob *) blob;
  g_autoptr (GBytes) bytes = NULL;
  char first;

  g_mutex_lock (&self->file->mutex);
  bytes = get_bytes (self->file, self->array, error);
  g_mutex_unlock (&self->file->mutex);
  if (bytes == NULL || !sym_blob_read (self->file->blob, 0, 1, &first, error))
    return FALSE;
  memcpy (buffer, (const char *) g_bytes_get_data (bytes, NULL) + offset, (gsize) size);
  return TRUE;
}

static void
array_blob_free (SymBlob *blob)
{
  ArrayBlob *self = (ArrayBlob *) blob;

  sym_store_h5_unref (self->file);
  g_free (self);
}

static SymBlob *
make_blob (SymStoreH5 *self, guint i)
{
  static const SymBlobClass klass = { array_blob_read, array_blob_free };
  ArrayBlob *blob = g_new0 (ArrayBlob, 1);

  blob->parent.klass = &klass;
  g_atomic_ref_count_init (&blob->parent.ref_count);
  blob->parent.size = get_array (self, i)->n_bytes;
  blob->file = sym_store_h5_ref (self);
  blob->array = i;
  return &blob->parent;
}

SymTensor *
sym_store_h5_open_tensor (SymStoreH5 *self, guint i, GError **error)
{
  const SymStoreH5Array *array = get_array (self, i);
  gboolean is_direct = array->offset != SYM_HDF5_NO_OFFSET;
  g_autoptr (SymBlob) blob = NULL;

  if (array->problem != NULL)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "“%s” cannot be read: %s",
                      array->path, array->problem);
      return NULL;
    }
  blob = is_direct ? sym_blob_ref (self->blob) : make_blob (self, i);
  return sym_tensor_new (array->dtype, &array->shape, blob, is_direct ? array->offset : 0, error);
}
