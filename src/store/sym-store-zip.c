/* SPDX-License-Identifier: MIT */
#include "store/sym-store-zip-private.h"

#include <string.h>

#include "store/sym-store-zip-library-private.h"

#define SKIP_BYTES (64 << 10)
#define MAX_RATIO 1032 /* deflate's best: 258 bytes from two bits */
#define MIN_BYTES 22   /* of an archive of nothing */

/* libzip, once the first archive was opened. */
static const SymStoreZipLibrary *library;

/* What libzip reads from. */
typedef struct {
  SymBlob *blob;
  guint64 at;
  zip_error_t error;
  GError *cause; /* of the last read that failed */
} Source;

struct _SymStoreZip {
  gatomicrefcount ref_count;
  GMutex mutex;   /* libzip is for one thread at a time */
  Source *source; /* the archive's */
  zip_t *archive;
  char *path;
  guint64 size;
};

typedef struct {
  SymBlob parent;
  SymStoreZip *zip;
  guint index;
  gboolean is_stored;
  zip_file_t *file; /* NULL: not begun, or read to its end */
  guint64 at;
} EntryBlob;

/* ---- The archive ---- */

static zip_int64_t
source_read (Source *self, void *buffer, guint64 size)
{
  guint64 n = MIN (size, self->blob->size - self->at);

  g_clear_error (&self->cause);
  if (!sym_blob_read (self->blob, self->at, n, buffer, &self->cause))
    {
      library->zip_error_set (&self->error, ZIP_ER_READ, 0);
      return -1;
    }
  self->at += n;
  return (zip_int64_t) n;
}

static zip_int64_t
source_seek (Source *self, void *data, guint64 size)
{
  zip_int64_t at = library->zip_source_seek_compute_offset (self->at, self->blob->size, data, size,
                                                            &self->error);

  if (at < 0)
    return -1;
  self->at = (guint64) at;
  return 0;
}

static zip_int64_t
source_stat (Source *self, void *data)
{
  zip_stat_t *stat = data;

  library->zip_stat_init (stat);
  stat->size = self->blob->size;
  stat->valid = ZIP_STAT_SIZE;
  return sizeof *stat;
}

static void
source_free (Source *self)
{
  library->zip_error_fini (&self->error);
  g_clear_error (&self->cause);
  sym_blob_unref (self->blob);
  g_free (self);
}

static zip_int64_t
handle_source (void *user_data, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
  Source *self = user_data;

  switch ((int) command)
    {
    case ZIP_SOURCE_OPEN:
      self->at = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return source_read (self, data, size);
    case ZIP_SOURCE_CLOSE:
      return 0;
    case ZIP_SOURCE_STAT:
      return source_stat (self, data);
    case ZIP_SOURCE_ERROR:
      return library->zip_error_to_data (&self->error, data, size);
    case ZIP_SOURCE_SEEK:
      return source_seek (self, data, size);
    case ZIP_SOURCE_TELL:
      return (zip_int64_t) self->at;
    case ZIP_SOURCE_SUPPORTS:
      return library->zip_source_make_command_bitmap (
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
          ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_FREE:
      source_free (self);
      return 0;
    default:
      library->zip_error_set (&self->error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
    }
}

SymStoreZip *
sym_store_zip_open (SymBlob *archive, const char *path, GError **error)
{
  g_autoptr (SymStoreZip) self = NULL;
  zip_error_t why;
  zip_source_t *source;

  /* To libzip, an empty file is an archive. */
  if (archive->size < MIN_BYTES)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "is no zip archive: it has %" G_GUINT64_FORMAT " bytes, and the end of one"
                      " takes %d",
                      archive->size, MIN_BYTES);
      return NULL;
    }

  g_atomic_pointer_set (&library, sym_store_zip_load (path, error));
  if (library == NULL)
    return NULL;

  self = g_new0 (SymStoreZip, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->path = g_strdup (path);
  self->size = archive->size;
  self->source = g_new0 (Source, 1);
  self->source->blob = sym_blob_ref (archive);
  library->zip_error_init (&self->source->error);

  library->zip_error_init (&why);
  source = library->zip_source_function_create (handle_source, self->source, &why);
  g_assert (source != NULL);
  self->archive = library->zip_open_from_source (source, ZIP_RDONLY, &why);
  if (self->archive == NULL)
    {
      if (self->source->cause != NULL)
        g_propagate_error (error, g_steal_pointer (&self->source->cause));
      else
        sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "is no zip archive, or damaged: %s",
                        library->zip_error_strerror (&why));
      library->zip_source_free (source);
    }
  library->zip_error_fini (&why);
  return self->archive == NULL ? NULL : g_steal_pointer (&self);
}

static SymStoreZip *
zip_ref (SymStoreZip *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_store_zip_unref (SymStoreZip *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->archive != NULL)
    library->zip_discard (self->archive);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

guint
sym_store_zip_get_n (const SymStoreZip *self)
{
  zip_int64_t n = library->zip_get_num_entries (self->archive, 0);

  return (guint) CLAMP (n, 0, G_MAXINT32);
}

const char *
sym_store_zip_get_name (const SymStoreZip *self, guint i)
{
  const char *name = library->zip_get_name (self->archive, i, ZIP_FL_ENC_GUESS);

  return name != NULL && g_utf8_validate (name, -1, NULL) ? name : "";
}

/* ---- Its files ---- */

static gboolean
fail_entry (EntryBlob *self, const char *what, GError **error)
{
  SymStoreZip *zip = self->zip;
  const char *name = sym_store_zip_get_name (zip, self->index);

  if (zip->source->cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&zip->source->cause));
      return FALSE;
    }
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, zip->path, "“%s” %s", name, what);
}

static void
close_file (EntryBlob *self)
{
  if (self->file != NULL)
    library->zip_fclose (self->file);
  self->file = NULL;
  self->at = 0;
}

static gboolean
read_next (EntryBlob *self, guint8 *buffer, guint64 size, GError **error)
{
  while (size > 0)
    {
      zip_int64_t n = library->zip_fread (self->file, buffer, size);

      if (n < 0)
        return fail_entry (
            self, library->zip_error_strerror (library->zip_file_get_error (self->file)), error);
      if (n == 0)
        return fail_entry (self, "ends before the size that the archive claims", error);
      buffer += n;
      size -= (guint64) n;
      self->at += (guint64) n;
    }
  return TRUE;
}

/* Begins the file again, unless it is open and can go to @offset from where it is. */
static gboolean
reach (EntryBlob *self, guint64 offset, GError **error)
{
  if (self->file != NULL && self->is_stored && self->at != offset &&
      library->zip_fseek (self->file, (zip_int64_t) offset, SEEK_SET) == 0)
    self->at = offset;
  if (self->file != NULL && (self->at > offset || (self->is_stored && self->at != offset)))
    close_file (self);
  if (self->file == NULL)
    self->file = library->zip_fopen_index (self->zip->archive, self->index, 0);
  return self->file != NULL || fail_entry (self, library->zip_strerror (self->zip->archive), error);
}

static gboolean
skip_to (EntryBlob *self, guint64 offset, GError **error)
{
  g_autofree guint8 *dropped = NULL;

  if (!reach (self, offset, error))
    return FALSE;
  if (self->at == offset)
    return TRUE;
  dropped = g_malloc (SKIP_BYTES);
  while (self->at < offset)
    if (!read_next (self, dropped, MIN (offset - self->at, SKIP_BYTES), error))
      return FALSE;
  return TRUE;
}

/* What has been read from front to back has been checked against the CRC when its end was seen. */
static gboolean
check_end (EntryBlob *self, GError **error)
{
  guint8 byte;
  zip_int64_t n;

  if (self->at < self->parent.size)
    return TRUE;
  n = library->zip_fread (self->file, &byte, 1);
  if (n < 0)
    return fail_entry (self, library->zip_error_strerror (library->zip_file_get_error (self->file)),
                       error);
  if (n > 0)
    return fail_entry (self, "is longer than the archive claims", error);
  close_file (self);
  return TRUE;
}

static gboolean
read_range (EntryBlob *self, guint64 offset, guint64 size, void *buffer, GError **error)
{
  return skip_to (self, offset, error) && read_next (self, buffer, size, error) &&
         check_end (self, error);
}

static gboolean
entry_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  EntryBlob *self = (EntryBlob *) blob;
  gboolean done;

  g_mutex_lock (&self->zip->mutex);
  done = read_range (self, offset, size, buffer, error);
  if (!done)
    close_file (self);
  g_mutex_unlock (&self->zip->mutex);
  return done;
}

static void
entry_blob_free (SymBlob *blob)
{
  EntryBlob *self = (EntryBlob *) blob;

  g_mutex_lock (&self->zip->mutex);
  close_file (self);
  g_mutex_unlock (&self->zip->mutex);
  sym_store_zip_unref (self->zip);
  g_free (self);
}

static const SymBlobClass entry_blob_class = {
  .read = entry_blob_read,
  .free = entry_blob_free,
};

/* Why file @stat cannot be read; NULL when it can. */
static const char *
find_fault (const SymStoreZip *self, const zip_stat_t *stat)
{
  const zip_uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;

  if ((stat->valid & needed) != needed)
    return "has no size";
  if ((stat->valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat->encryption_method != ZIP_EM_NONE)
    return "is encrypted";
  if (stat->comp_method != ZIP_CM_STORE && stat->comp_method != ZIP_CM_DEFLATE)
    return "is neither stored nor deflated";
  if (stat->comp_size > self->size)
    return "claims more bytes than the archive has";
  if (stat->comp_method == ZIP_CM_STORE ? stat->size != stat->comp_size
                                        : stat->size / MAX_RATIO > stat->comp_size)
    return "claims a size that its bytes cannot have";
  return NULL;
}

SymBlob *
sym_store_zip_open_entry (SymStoreZip *self, guint i, GError **error)
{
  const char *fault = "cannot be found";
  zip_stat_t stat;
  EntryBlob *blob;

  library->zip_stat_init (&stat);
  if (library->zip_stat_index (self->archive, i, 0, &stat) == 0)
    fault = find_fault (self, &stat);
  if (fault != NULL)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, self->path, "“%s” %s",
                      sym_store_zip_get_name (self, i), fault);
      return NULL;
    }

  blob = g_new0 (EntryBlob, 1);
  blob->parent.klass = &entry_blob_class;
  g_atomic_ref_count_init (&blob->parent.ref_count);
  blob->parent.size = stat.size;
  blob->zip = zip_ref (self);
  blob->index = i;
  blob->is_stored = stat.comp_method == ZIP_CM_STORE;
  return &blob->parent;
}
