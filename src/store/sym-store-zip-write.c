/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <zlib.h>

#include "store/sym-store-zip-private.h"

/* The format is PKWARE's APPNOTE 6.3: each file after its header, then the directory of all, then
 * its end.  Sizes stand in zip64 fields always, as NumPy has them, offsets and counts where they
 * need it; the date is the first one there is, so that the same files make the same archive. */
#define LOCAL_HEADER 0x04034b50
#define CENTRAL_HEADER 0x02014b50
#define END_64 0x06064b50
#define END_64_LOCATOR 0x07064b50
#define END 0x06054b50
#define EXTRA_ZIP64 1
#define VERSION_ZIP64 45
#define MADE_ON_UNIX (3 << 8)
#define FLAG_UTF8 0x0800
#define FIRST_DATE 0x0021
#define MODE_FILE (0100644u << 16)
#define BEYOND_32 0xffffffffu
#define BEYOND_16 0xffffu
#define END_64_BYTES 56

struct _SymStoreZipWriter {
  SymStoreWriter *writer; /* borrowed */
  GByteArray *directory;
  guint64 at; /* in the archive */
  guint64 n_files;
  /* Of the file that is being written. */
  guint64 n_left;
  guint32 crc, crc_wanted;
};

SymStoreZipWriter *
sym_store_zip_writer_new (SymStoreWriter *writer)
{
  SymStoreZipWriter *self = g_new0 (SymStoreZipWriter, 1);

  self->writer = writer;
  self->directory = g_byte_array_new ();
  return self;
}

void
sym_store_zip_writer_free (SymStoreZipWriter *self)
{
  g_byte_array_unref (self->directory);
  g_free (self);
}

static void
put (GByteArray *bytes, guint64 value, guint n_bytes)
{
  guint64 raw = GUINT64_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &raw, n_bytes);
}

/* What local and central header have in common: from the version on to the CRC. */
static void
put_description (GByteArray *bytes, const char *name, guint32 crc)
{
  put (bytes, VERSION_ZIP64, 2);
  put (bytes, g_str_is_ascii (name) ? 0 : FLAG_UTF8, 2);
  put (bytes, 0, 2); /* stored */
  put (bytes, 0, 2); /* midnight */
  put (bytes, FIRST_DATE, 2);
  put (bytes, crc, 4);
}

static void
put_local_header (GByteArray *bytes, const char *name, guint64 size, guint32 crc)
{
  size_t n_name = strlen (name);

  put (bytes, LOCAL_HEADER, 4);
  put_description (bytes, name, crc);
  put (bytes, BEYOND_32, 4);
  put (bytes, BEYOND_32, 4);
  put (bytes, n_name, 2);
  put (bytes, 4 + 16, 2);
  g_byte_array_append (bytes, (const guint8 *) name, (guint) n_name);
  put (bytes, EXTRA_ZIP64, 2);
  put (bytes, 16, 2);
  put (bytes, size, 8);
  put (bytes, size, 8);
}

static void
put_central_header (GByteArray *bytes, const char *name, guint64 size, guint32 crc, guint64 offset)
{
  size_t n_name = strlen (name);

  put (bytes, CENTRAL_HEADER, 4);
  put (bytes, MADE_ON_UNIX | VERSION_ZIP64, 2);
  put_description (bytes, name, crc);
  put (bytes, BEYOND_32, 4);
  put (bytes, BEYOND_32, 4);
  put (bytes, n_name, 2);
  put (bytes, 4 + 24, 2);
  put (bytes, 0, 2); /* no comment */
  put (bytes, 0, 2); /* the first disk */
  put (bytes, 0, 2); /* binary */
  put (bytes, MODE_FILE, 4);
  put (bytes, BEYOND_32, 4);
  g_byte_array_append (bytes, (const guint8 *) name, (guint) n_name);
  put (bytes, EXTRA_ZIP64, 2);
  put (bytes, 24, 2);
  put (bytes, size, 8);
  put (bytes, size, 8);
  put (bytes, offset, 8);
}

static gboolean
write_bytes (SymStoreZipWriter *self, const void *bytes, gsize size, GError **error)
{
  self->at += size;
  return sym_store_writer_write (self->writer, bytes, size, error);
}

gboolean
sym_store_zip_writer_begin (SymStoreZipWriter *self,
                            const char *name,
                            guint64 size,
                            guint32 crc,
                            GError **error)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();

  g_return_val_if_fail (self->n_left == 0 && strlen (name) <= G_MAXUINT16, FALSE);

  put_central_header (self->directory, name, size, crc, self->at);
  put_local_header (header, name, size, crc);
  self->n_files++;
  self->n_left = size;
  self->crc = 0;
  self->crc_wanted = crc;
  return write_bytes (self, header->data, header->len, error);
}

gboolean
sym_store_zip_writer_write (SymStoreZipWriter *self, const void *bytes, gsize size, GError **error)
{
  g_return_val_if_fail (size <= self->n_left, FALSE);

  self->crc = (guint32) crc32_z (self->crc, bytes, size);
  self->n_left -= size;
  if (self->n_left == 0 && self->crc != self->crc_wanted)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_CHANGED,
                   "the numbers have changed while they were written");
      return FALSE;
    }
  return write_bytes (self, bytes, size, error);
}

gboolean
sym_store_zip_writer_finish (SymStoreZipWriter *self, GError **error)
{
  guint64 begin = self->at, size = self->directory->len;
  GByteArray *bytes = self->directory;
  gboolean is_small = self->n_files < BEYOND_16 && begin < BEYOND_32 && size < BEYOND_32;

  g_return_val_if_fail (self->n_left == 0, FALSE);

  if (!is_small)
    {
      put (bytes, END_64, 4);
      put (bytes, END_64_BYTES - 12, 8);
      put (bytes, MADE_ON_UNIX | VERSION_ZIP64, 2);
      put (bytes, VERSION_ZIP64, 2);
      put (bytes, 0, 4);
      put (bytes, 0, 4);
      put (bytes, self->n_files, 8);
      put (bytes, self->n_files, 8);
      put (bytes, size, 8);
      put (bytes, begin, 8);
      put (bytes, END_64_LOCATOR, 4);
      put (bytes, 0, 4);
      put (bytes, begin + size, 8);
      put (bytes, 1, 4);
    }
  put (bytes, END, 4);
  put (bytes, 0, 2);
  put (bytes, 0, 2);
  put (bytes, MIN (self->n_files, BEYOND_16), 2);
  put (bytes, MIN (self->n_files, BEYOND_16), 2);
  put (bytes, MIN (size, BEYOND_32), 4);
  put (bytes, MIN (begin, BEYOND_32), 4);
  put (bytes, 0, 2);
  return write_bytes (self, bytes->data, bytes->len, error);
}
