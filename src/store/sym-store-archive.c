/* SPDX-License-Identifier: MIT */
#include "store/sym-store-archive-private.h"

#include <string.h>

#include "store/sym-store-zip-private.h"

/* One file inside: where it is depends on the kind of archive. */
typedef struct {
  char *name;
  guint number;   /* in a zip */
  guint64 offset; /* in @contents */
  guint64 size;
} Entry;

struct _SymStoreArchive {
  gatomicrefcount ref_count;
  const char *title;
  GArray *entries;
  GHashTable *by_name; /* borrowed name to index + 1 of the first; only read once it is open */
  guint n_refused;
  SymStoreZip *zip;  /* or */
  SymBlob *contents; /* a tar, or the one file that gzip has */
};

/* ---- Parts of blobs ---- */

typedef struct {
  SymBlob parent;
  SymBlob *whole;
  guint64 offset;
} PartBlob;

static gboolean
part_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  PartBlob *self = (PartBlob *) blob;

  return sym_blob_read (self->whole, self->offset + offset, size, buffer, error);
}

static void
part_free (SymBlob *blob)
{
  PartBlob *self = (PartBlob *) blob;

  sym_blob_unref (self->whole);
  g_free (self);
}

SymBlob *
sym_store_blob_new_part (SymBlob *whole, guint64 offset, guint64 size)
{
  static const SymBlobClass klass = { part_read, part_free };
  PartBlob *self = g_new0 (PartBlob, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = size;
  self->whole = sym_blob_ref (whole);
  self->offset = offset;
  return &self->parent;
}

/* ---- Archives ---- */

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->name);
}

static SymStoreArchive *
new_archive (const char *title)
{
  SymStoreArchive *self = g_new0 (SymStoreArchive, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->title = title;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

SymStoreArchive *
sym_store_archive_ref (SymStoreArchive *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_store_archive_unref (SymStoreArchive *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->by_name);
  g_array_unref (self->entries);
  g_clear_pointer (&self->zip, sym_store_zip_unref);
  g_clear_pointer (&self->contents, sym_blob_unref);
  g_free (self);
}

/* A path that stays where it is put: relative, without "..". */
static gboolean
is_tame (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  return name[0] != '\0' && name[0] != '/' && strchr (name, '\\') == NULL &&
         g_utf8_validate (name, -1, NULL) && !g_strv_contains ((const char *const *) parts, "..");
}

/* Folders end with a slash. */
static void
add_entry (SymStoreArchive *self, const char *name, guint number, guint64 offset, guint64 size)
{
  Entry entry = { NULL, number, offset, size };

  if (g_str_has_suffix (name, "/"))
    return;
  if (g_str_has_prefix (name, "./"))
    name += 2;
  if (!is_tame (name))
    {
      self->n_refused++;
      return;
    }
  entry.name = g_strdup (name);
  g_array_append_val (self->entries, entry);
  if (!g_hash_table_contains (self->by_name, entry.name))
    g_hash_table_insert (self->by_name, entry.name, GUINT_TO_POINTER (self->entries->len));
}

static SymStoreArchive *
open_zip (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (SymStoreArchive) self = new_archive ("a zip archive");

  self->zip = sym_store_zip_open (blob, path, error);
  if (self->zip == NULL)
    return NULL;
  for (guint i = 0; i < sym_store_zip_get_n (self->zip); i++)
    add_entry (self, sym_store_zip_get_name (self->zip, i), i, 0, 0);
  return g_steal_pointer (&self);
}

static SymStoreArchive *
open_tar (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (SymStoreArchive) self = new_archive ("a tar archive");
  g_autoptr (GArray) files = sym_store_list_tar (blob, path, error);

  if (files == NULL)
    return NULL;
  self->contents = sym_blob_ref (blob);
  for (guint i = 0; i < files->len; i++)
    {
      const SymStoreTarFile *file = &g_array_index (files, SymStoreTarFile, i);

      add_entry (self, file->name, i, file->offset, file->size);
    }
  return g_steal_pointer (&self);
}

/* The file in it is called like the archive, without what gzip adds. */
static char *
make_inner_name (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  if (g_str_has_suffix (name, ".gz"))
    name[strlen (name) - 3] = '\0';
  return name[0] == '\0' ? g_strdup ("contents") : g_steal_pointer (&name);
}

static SymStoreArchive *
open_gzip (SymBlob *blob, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) bytes = sym_store_gunzip (blob, path, cancellable, error);
  g_autoptr (SymStoreArchive) self = NULL;
  g_autofree char *name = make_inner_name (path);
  gsize size;
  const guint8 *start;

  if (bytes == NULL)
    return NULL;
  start = g_bytes_get_data (bytes, &size);
  self = new_archive ("a gzip file");
  self->contents = sym_blob_new_bytes (bytes);
  if (sym_store_is_tar (start, size))
    return open_tar (self->contents, path, error);
  add_entry (self, name, 0, 0, size);
  return g_steal_pointer (&self);
}

static gboolean
is_zip (const guint8 *start, gsize n)
{
  return n >= 4 && memcmp (start, "PK\3\4", 4) == 0;
}

gboolean
sym_store_is_archive (const guint8 *start, gsize n)
{
  return is_zip (start, n) || sym_store_is_gzip (start, n) || sym_store_is_tar (start, n);
}

SymStoreArchive *
sym_store_archive_open (SymBlob *blob, const char *path, GCancellable *cancellable, GError **error)
{
  guint8 start[512];
  gsize n = (gsize) MIN (sizeof start, blob->size);

  if (!sym_blob_read (blob, 0, n, start, error))
    return NULL;
  if (is_zip (start, n))
    return open_zip (blob, path, error);
  if (sym_store_is_gzip (start, n))
    return open_gzip (blob, path, cancellable, error);
  if (sym_store_is_tar (start, n))
    return open_tar (blob, path, error);
  sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, path, "this is neither zip, gzip nor tar");
  return NULL;
}

/* ---- What is inside ---- */

const char *
sym_store_archive_get_title (const SymStoreArchive *self)
{
  return self->title;
}

guint
sym_store_archive_get_n (const SymStoreArchive *self)
{
  return self->entries->len;
}

guint
sym_store_archive_get_n_refused (const SymStoreArchive *self)
{
  return self->n_refused;
}

const char *
sym_store_archive_get_name (const SymStoreArchive *self, guint i)
{
  return g_array_index (self->entries, Entry, i).name;
}

int
sym_store_archive_find (const SymStoreArchive *self, const char *name)
{
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name)) - 1;
}

SymBlob *
sym_store_archive_open_entry (SymStoreArchive *self, guint i, GError **error)
{
  const Entry *entry = &g_array_index (self->entries, Entry, i);

  return self->zip != NULL ? sym_store_zip_open_entry (self->zip, entry->number, error)
                           : sym_store_blob_new_part (self->contents, entry->offset, entry->size);
}
