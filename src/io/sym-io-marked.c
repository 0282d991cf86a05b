/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

#include "io/sym-json-private.h"
#include "store/sym-store-blobs.h"

/* Text in other encodings than UTF-8, and such as begins with a byte order mark: what
 * "program > file" makes in PowerShell, and Notepad. */

#define N_MARK 3
static const char mark[] = "\xef\xbb\xbf";

static const char *
find_marked_encoding (const guint8 *start, gsize n)
{
  if (n < 4)
    return NULL;
  if (memcmp (start, mark, N_MARK) == 0)
    return "UTF-8";
  return start[0] >= 0xfe || memcmp (start, "\0\0\xfe\xff", 4) == 0
             ? sym_json_find_wide_encoding (start, n)
             : NULL;
}

gboolean
sym_io_is_marked (const guint8 *start, gsize n)
{
  return find_marked_encoding (start, n) != NULL;
}

GBytes *
sym_io_recode (const char *text, gsize size, const char *encoding, GError **error)
{
  gsize n_read, n_written;
  g_autoptr (GError) cause = NULL;
  g_autofree char *recoded =
      g_convert (text, (gssize) size, "UTF-8", encoding, &n_read, &n_written, &cause);

  if (recoded != NULL && n_read == size)
    {
      gsize at = g_str_has_prefix (recoded, mark) ? N_MARK : 0;
      g_autoptr (GBytes) whole = g_bytes_new_take (g_steal_pointer (&recoded), n_written);

      return g_bytes_new_from_bytes (whole, at, n_written - at);
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "byte %" G_GSIZE_FORMAT ": the text is %s, of which this is no character", n_read,
               encoding);
  return NULL;
}

static SymBlob *
decode (SymBlob *blob, const char *encoding, GError **error)
{
  g_autofree char *text = sym_io_read_text (blob, error);
  g_autoptr (GBytes) plain =
      text == NULL ? NULL : sym_io_recode (text, (gsize) blob->size, encoding, error);

  return plain == NULL ? NULL : sym_blob_new_bytes (plain);
}

SymBlob *
sym_io_unmark (SymBlob *blob, guint8 *start, gsize *n, GError **error)
{
  const char *encoding = find_marked_encoding (start, *n);
  g_autoptr (SymBlob) text = NULL;

  g_return_val_if_fail (encoding != NULL, NULL);

  text = strcmp (encoding, "UTF-8") == 0
             ? sym_store_blob_new_part (blob, N_MARK, blob->size - N_MARK)
             : decode (blob, encoding, error);
  if (text == NULL)
    return NULL;
  *n = (gsize) MIN (text->size, SYM_IO_LOOK_BYTES);
  return sym_blob_read (text, 0, *n, start, error) ? g_steal_pointer (&text) : NULL;
}
