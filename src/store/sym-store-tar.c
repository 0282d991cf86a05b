/* SPDX-License-Identifier: MIT */
#include "store/sym-store-archive-private.h"

#include <string.h>

/* POSIX.1-2001 tar: records of 512 bytes, a header and then the contents of each file. */

#define RECORD 512
#define MAX_FILES 100000
#define MAX_NAME 4096

typedef struct {
  char name[100];
  char mode[8], uid[8], gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char kind;
  char link[100];
  char magic[6], version[2];
  char user[32], group[32], major[8], minor[8];
  char prefix[155];
  char padding[12];
} Header;

G_STATIC_ASSERT (sizeof (Header) == RECORD);

gboolean
sym_store_is_tar (const guint8 *start, gsize n)
{
  return n >= RECORD && memcmp (start + G_STRUCT_OFFSET (Header, magic), "ustar", 5) == 0;
}

static void
clear_file (gpointer data)
{
  g_free (((SymStoreTarFile *) data)->name);
}

/* Octal digits; of files beyond 8 GiB, which no graph is, GNU has another notation. */
static gboolean
parse_octal (const char *field, gsize n, guint64 *number)
{
  g_autofree char *text = g_strndup (field, n);

  g_strstrip (text);
  if (text[0] == '\0')
    {
      *number = 0;
      return TRUE;
    }
  return g_ascii_string_to_unsigned (text, 8, 0, G_GUINT64_CONSTANT (1) << 40, number, NULL);
}

static char *
make_name (const Header *header)
{
  g_autofree char *name = g_strndup (header->name, sizeof header->name);
  g_autofree char *prefix = g_strndup (header->prefix, sizeof header->prefix);

  return prefix[0] == '\0' || memcmp (header->magic, "ustar\0", 6) != 0
             ? g_steal_pointer (&name)
             : g_strconcat (prefix, "/", name, NULL);
}

/* The contents of a record that only tells the name of the next file: GNU's is the name itself,
 * pax' a list of "LENGTH key=value\n". */
static char *
read_long_name (SymBlob *blob, guint64 offset, guint64 size, gboolean is_pax, GError **error)
{
  gsize n = (gsize) MIN (size, MAX_NAME);
  g_autofree char *text = g_malloc0 (n + 1);
  const char *path;

  if (!sym_blob_read (blob, offset, n, text, error))
    return NULL;
  if (!is_pax)
    return g_steal_pointer (&text);
  path = strstr (text, " path=");
  return path == NULL ? g_strdup ("") : g_strndup (path + 6, strcspn (path + 6, "\n"));
}

/* A long name that was told for the file that follows. */
static char *
take_name (char **long_name, const Header *header)
{
  char *name = g_steal_pointer (long_name);

  if (name != NULL && name[0] != '\0')
    return name;
  g_free (name);
  return make_name (header);
}

GArray *
sym_store_list_tar (SymBlob *blob, const char *path, GError **error)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (SymStoreTarFile));
  g_autofree char *long_name = NULL;
  guint64 at = 0;

  g_array_set_clear_func (files, clear_file);
  while (at + RECORD <= blob->size && files->len < MAX_FILES)
    {
      Header header;
      guint64 size;

      if (!sym_blob_read (blob, at, RECORD, &header, error))
        return NULL;
      if (header.name[0] == '\0')
        break;
      at += RECORD;
      if (!parse_octal (header.size, sizeof header.size, &size) || size > blob->size - at)
        {
          sym_store_set_error (error, SYM_STORE_ERROR_FORMAT, path,
                               "the file at byte %" G_GUINT64_FORMAT
                               " of the tar archive does not lie within it",
                               at - RECORD);
          return NULL;
        }
      if (header.kind == 'L' || header.kind == 'x')
        {
          g_free (long_name);
          long_name = read_long_name (blob, at, size, header.kind == 'x', error);
          if (long_name == NULL)
            return NULL;
        }
      else
        {
          SymStoreTarFile file = { take_name (&long_name, &header), at, size };

          if (header.kind == '0' || header.kind == '\0')
            g_array_append_val (files, file);
          else
            g_free (file.name);
        }
      at += (size + RECORD - 1) / RECORD * RECORD;
    }
  return g_steal_pointer (&files);
}
