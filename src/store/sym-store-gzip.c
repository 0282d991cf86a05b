/* SPDX-License-Identifier: MIT */
#include "store/sym-store-archive-private.h"

#define PIECE (64 << 10)
#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 30)

/* Up to so many bytes any ratio is harmless; above, no graph is packed this well. */
#define FREE_BYTES (16 << 20)
#define MAX_RATIO 250

gboolean
sym_store_is_gzip (const guint8 *start, gsize n)
{
  return n >= 3 && start[0] == 0x1f && start[1] == 0x8b && start[2] == 8;
}

static gboolean
check_size (guint64 unpacked, guint64 packed, const char *path, GError **error)
{
  if (unpacked <= FREE_BYTES || (unpacked <= MAX_BYTES && unpacked / MAX_RATIO <= packed))
    return TRUE;
  if (unpacked > MAX_BYTES)
    return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                           "what is packed in it is longer than 1 GiB");
  return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                         "%" G_GUINT64_FORMAT
                         " bytes unpack to more than %d times as many: this is "
                         "no graph",
                         packed, MAX_RATIO);
}

typedef struct {
  SymBlob *blob;
  const char *path;
  GConverter *converter;
  guint64 at;       /* bytes of the blob that were read */
  gsize start, end; /* of what is left in @input */
  guint8 *input;
  GByteArray *output;
} Unpacking;

/* At least two bytes are left, as the next member is known by, unless there are no more. */
static gboolean
refill (Unpacking *self, GError **error)
{
  gsize left = self->end - self->start;
  gsize n = (gsize) MIN (PIECE - left, self->blob->size - self->at);

  if (left > 1 || n == 0)
    return TRUE;
  if (left > 0)
    self->input[0] = self->input[self->start];
  if (!sym_blob_read (self->blob, self->at, n, self->input + left, error))
    return FALSE;
  self->at += n;
  self->start = 0;
  self->end = left + n;
  return TRUE;
}

/* Another member may follow the one that ended. */
static gboolean
begin_next (Unpacking *self, gboolean *ended, GError **error)
{
  if (!refill (self, error))
    return FALSE;
  *ended = self->end - self->start < 2 || self->input[self->start] != 0x1f ||
           self->input[self->start + 1] != 0x8b;
  if (!*ended)
    g_converter_reset (self->converter);
  return TRUE;
}

/* One piece of output; FALSE with an error, else whether it was the last in *@ended. */
static gboolean
unpack_piece (Unpacking *self, gboolean *ended, GError **error)
{
  gsize length = self->output->len, n_read = 0, n_written = 0;
  gboolean is_last;
  GError *cause = NULL;
  GConverterResult result;

  if (!refill (self, error))
    return FALSE;
  is_last = self->at == self->blob->size;
  g_byte_array_set_size (self->output, (guint) (length + PIECE));
  result = g_converter_convert (self->converter, self->input + self->start, self->end - self->start,
                                self->output->data + length, PIECE,
                                is_last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &n_read,
                                &n_written, &cause);
  g_byte_array_set_size (self->output, (guint) (length + n_written));
  self->start += n_read;
  if (result == G_CONVERTER_ERROR)
    {
      sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, self->path,
                           "the gzip data is damaged or cut off at byte %" G_GUINT64_FORMAT " (%s)",
                           self->at - (self->end - self->start), cause->message);
      g_error_free (cause);
      return FALSE;
    }
  return check_size (self->output->len, self->at, self->path, error) &&
         (result != G_CONVERTER_FINISHED || begin_next (self, ended, error));
}

GBytes *
sym_store_gunzip (SymBlob *blob, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GZlibDecompressor) decompressor =
      g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autofree guint8 *input = g_malloc (PIECE);
  g_autoptr (GByteArray) output = g_byte_array_new ();
  Unpacking unpacking = { blob, path, G_CONVERTER (decompressor), 0, 0, 0, input, output };
  gboolean ended = FALSE;

  while (!ended)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !unpack_piece (&unpacking, &ended, error))
      return NULL;

  return g_byte_array_free_to_bytes (g_steal_pointer (&output));
}
