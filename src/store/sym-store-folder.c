/* SPDX-License-Identifier: MIT */
#include "store/sym-store-folder.h"

#include "store/sym-store-numpy.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_NAME 200 /* bytes; file systems take 255, and items of sequences add to it */

struct _SymStoreFolder {
  char *path;
  GString *manifest;
  guint n_cut; /* names */
};

SymStoreFolder *
sym_store_folder_new (const char *path, GError **error)
{
  SymStoreFolder *self;

  g_return_val_if_fail (path != NULL, NULL);

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      g_set_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE, "cannot make the folder %s: %s",
                   path, g_strerror (errno));
      return NULL;
    }
  self = g_new0 (SymStoreFolder, 1);
  self->path = g_strdup (path);
  self->manifest = g_string_new ("{");
  return self;
}

void
sym_store_folder_free (SymStoreFolder *self)
{
  g_return_if_fail (self != NULL);

  g_string_free (self->manifest, TRUE);
  g_free (self->path);
  g_free (self);
}

/* ---- Names ---- */

static char *
choose_file (SymStoreFolder *self, const char *name)
{
  GString *text = g_string_new (NULL);

  for (const guchar *byte = (const guchar *) name; *byte != '\0'; byte++)
    if (g_ascii_isalnum (*byte) || *byte == '_' || *byte == '.' || *byte == '-')
      g_string_append_c (text, (char) *byte);
    else
      g_string_append_printf (text, "%%%02X", *byte);
  if (text->len > MAX_NAME)
    {
      g_string_truncate (text, MAX_NAME);
      g_string_append_printf (text, "~%u", ++self->n_cut);
    }
  return g_string_free (text, FALSE);
}

static void
append_quoted (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *byte = valid; *byte != '\0'; byte++)
    if ((guchar) *byte < 0x20)
      g_string_append_printf (json, "\\u%04x", (guchar) *byte);
    else
      {
        if (*byte == '"' || *byte == '\\')
          g_string_append_c (json, '\\');
        g_string_append_c (json, *byte);
      }
  g_string_append_c (json, '"');
}

/* ---- Values ---- */

static gboolean
write_array (SymStoreFolder *self, const char *name, const SymArray *array, GError **error)
{
  g_autofree char *file = g_strconcat (name, ".npy", NULL);
  g_autofree char *path = g_build_filename (self->path, file, NULL);
  g_autoptr (SymTensor) tensor = sym_tensor_new_copy (array, error);

  if (tensor == NULL || !sym_store_write_npy (path, tensor, error))
    return FALSE;
  append_quoted (self->manifest, file);
  return TRUE;
}

/* Of sequences there are no sequences, so this does not go deep. */
static gboolean
write_datum (SymStoreFolder *self, const char *name, const SymDatum *datum, GError **error)
{
  if (sym_datum_get_array (datum) != NULL)
    return write_array (self, name, sym_datum_get_array (datum), error);
  g_string_append_c (self->manifest, '[');
  for (guint i = 0; i < sym_datum_get_n_items (datum); i++)
    {
      g_autofree char *item = g_strdup_printf ("%s.%u", name, i);

      g_string_append (self->manifest, i > 0 ? ", " : "");
      if (!write_datum (self, item, sym_datum_get_item (datum, i), error))
        return FALSE;
    }
  g_string_append_c (self->manifest, ']');
  return TRUE;
}

gboolean
sym_store_folder_add (SymStoreFolder *self, const char *name, const SymDatum *datum, GError **error)
{
  g_autofree char *file = NULL;
  gsize length;

  g_return_val_if_fail (self != NULL && name != NULL && datum != NULL, FALSE);

  file = choose_file (self, name);
  length = self->manifest->len;
  g_string_append (self->manifest, length > 1 ? ",\n " : "");
  append_quoted (self->manifest, name);
  g_string_append (self->manifest, ": ");
  if (write_datum (self, file, datum, error))
    return TRUE;
  g_string_truncate (self->manifest, length);
  return FALSE;
}

gboolean
sym_store_folder_end (SymStoreFolder *self, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (SymStoreWriter) writer = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  path = g_build_filename (self->path, "manifest.json", NULL);
  writer = sym_store_writer_new (path, error);
  g_string_append (self->manifest, "}\n");
  return writer != NULL &&
         sym_store_writer_write (writer, self->manifest->str, self->manifest->len, error) &&
         sym_store_writer_commit (writer, error);
}
