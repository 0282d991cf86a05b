/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-npy-private.h"

#define PIECE_BYTES (64 << 10)
#define MAX_STRINGS (1 << 26) /* each takes some bytes more in memory than it needs in the file */

/* ---- Strings ---- */

/* Of a field of fixed size, without the NULs at its end. */
static gboolean
append_bytes (GString *text, const guint8 *field, gsize n_bytes)
{
  while (n_bytes > 0 && field[n_bytes - 1] == 0)
    n_bytes--;
  g_string_append_len (text, (const char *) field, (gssize) n_bytes);
  return TRUE;
}

/* FALSE when a code is no character. */
static gboolean
append_utf32 (GString *text, const guint8 *field, gsize n_bytes)
{
  gsize n = n_bytes / sizeof (gunichar);
  guint32 code;

  for (; n > 0; n--)
    {
      memcpy (&code, field + (n - 1) * sizeof code, sizeof code);
      if (code != 0)
        break;
    }
  for (gsize i = 0; i < n; i++)
    {
      memcpy (&code, field + i * sizeof code, sizeof code);
      code = GUINT32_FROM_LE (code);
      if (!g_unichar_validate (code))
        return FALSE;
      g_string_append_unichar (text, code);
    }
  return TRUE;
}

static SymTensor *
make_strings (const SymShape *shape,
              const GString *text,
              const gsize *lengths,
              gsize n,
              GError **error)
{
  g_autofree const char **strings = g_new (const char *, n + 1);
  const char *at = text->str;

  for (gsize i = 0; i < n; i++)
    {
      strings[i] = at;
      at += lengths[i];
    }
  return sym_tensor_new_strings (shape, strings, lengths, error);
}

static SymTensor *
read_strings (SymBlob *elements, const char *path, const SymStoreNpyHeader *header, GError **error)
{
  gsize field = (gsize) header->element_bytes;
  gsize n = (gsize) header->n_elements;
  g_autoptr (GString) text = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autofree gsize *lengths = NULL;

  if (header->n_elements <= MAX_STRINGS)
    bytes = g_try_malloc (elements->size + 1);
  if (bytes == NULL)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FILE, path,
                      "has %" G_GUINT64_FORMAT " strings, more than memory can hold",
                      header->n_elements);
      return NULL;
    }
  if (!sym_blob_read (elements, 0, elements->size, bytes, error))
    return NULL;

  text = g_string_new (NULL);
  lengths = g_new (gsize, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      gsize before = text->len;

      if (!(header->is_utf32 ? append_utf32 : append_bytes) (text, bytes + i * field, field))
        {
          sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                          "string %" G_GSIZE_FORMAT " has a code that is no character", i);
          return NULL;
        }
      lengths[i] = text->len - before;
    }
  return make_strings (&header->shape, text, lengths, n, error);
}

/* ---- Reading ---- */

SymTensor *
sym_store_npy_read (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (SymBlob) elements = NULL;
  SymStoreNpyHeader header;

  if (!sym_store_npy_read_header (blob, path, &header, error))
    return NULL;
  if (header.dtype != SYM_DTYPE_STRING && !header.is_big_endian && !header.is_fortran)
    return sym_tensor_new (header.dtype, &header.shape, blob, header.start, error);

  elements = sym_store_npy_blob_new (blob, &header, SYM_STORE_NPY_BAND_BYTES);
  if (header.dtype == SYM_DTYPE_STRING)
    return read_strings (elements, path, &header, error);
  return sym_tensor_new (header.dtype, &header.shape, elements, 0, error);
}

SymTensor *
sym_store_open_npy (const char *path, GError **error)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (path, error);

  return blob == NULL ? NULL : sym_store_npy_read (blob, path, error);
}

/* ---- Writing ---- */

/* All in fields of the size of the longest one. */
static gboolean
write_strings (SymTensor *tensor,
               gsize field,
               SymStoreNpyWrite write,
               gpointer data,
               GError **error)
{
  g_autofree guint32 *codes = g_malloc0 (field + 1);
  guint64 n = 0;

  sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n);
  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *text = sym_tensor_get_string (tensor, i, &length);
      gsize n_codes = 0;

      memset (codes, 0, field);
      for (const char *at = text; at < text + length; at = g_utf8_next_char (at))
        codes[n_codes++] = GUINT32_TO_LE (g_utf8_get_char (at));
      if (!write (data, codes, field, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_elements (SymTensor *tensor, SymStoreNpyWrite write, gpointer data, GError **error)
{
  guint64 size = sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *piece = g_malloc (PIECE_BYTES);

  for (guint64 at = 0; at < size; at += PIECE_BYTES)
    {
      gsize n = (gsize) MIN (size - at, PIECE_BYTES);

      if (!sym_tensor_read (tensor, at, n, piece, error) || !write (data, piece, n, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_store_npy_write (SymTensor *tensor,
                     const char *path,
                     SymStoreNpyWrite write,
                     gpointer data,
                     GError **error)
{
  g_autoptr (GBytes) header = NULL;
  guint64 field = 0;

  header = sym_store_npy_format_header (tensor, path, &field, error);
  if (header == NULL ||
      !write (data, g_bytes_get_data (header, NULL), g_bytes_get_size (header), error))
    return FALSE;
  return sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING
             ? write_strings (tensor, (gsize) field, write, data, error)
             : write_elements (tensor, write, data, error);
}

static gboolean
write_to_file (gpointer data, const void *bytes, gsize size, GError **error)
{
  return sym_store_writer_write (data, bytes, size, error);
}

gboolean
sym_store_write_npy (const char *path, SymTensor *tensor, GError **error)
{
  g_autoptr (SymStoreWriter) writer = NULL;

  g_return_val_if_fail (path != NULL && tensor != NULL, FALSE);

  writer = sym_store_writer_new (path, error);
  return writer != NULL && sym_store_npy_write (tensor, path, write_to_file, writer, error) &&
         sym_store_writer_commit (writer, error);
}
