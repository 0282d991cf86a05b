/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-arrays.h"
#include "io/sym-keras-write-private.h"

#include <string.h>

/* A model as Keras 3 saves it, and keras.saving.load_model takes it: a zip of the config, of what
 * made it, and of the weights.  It is read as what is in it. */

#define KERAS_3 "3.0.0"

extern const SymIoFormat sym_keras_archive_format;

static SymBlob *
make_blob (const char *text, gsize n)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, n);

  return sym_blob_new_bytes (bytes);
}

/* Without a date: the same model makes the same file. */
static SymBlob *
make_metadata (const SymKerasOrigin *origin)
{
  const char *found =
      origin == NULL ? "" : sym_attributes_get_string (origin->root, "keras_version", "");
  g_autoptr (GString) text = g_string_new ("{\"keras_version\": ");

  sym_json_append_string (text, *found == '3' ? found : KERAS_3);
  g_string_append_c (text, '}');
  return make_blob (text->str, text->len);
}

static gboolean
pack (SymModel *model,
      const SymKerasOrigin *origin,
      const GString *config,
      const char *path,
      SymProblems *notes,
      GError **error)
{
  static const char *const names[] = { "metadata.json", "config.json", "model.weights.h5" };
  g_autoptr (SymKerasArrays) arrays = sym_keras_arrays_new (model, 3);
  g_autoptr (SymBlob) weights = sym_keras_arrays_make_file (arrays, origin, path, error);
  g_autoptr (SymBlob) metadata = NULL;
  g_autoptr (SymBlob) text = NULL;
  GError *cause = NULL;

  if (weights == NULL)
    return FALSE;
  metadata = make_metadata (origin);
  text = make_blob (config->str, config->len);
  if (!sym_store_write_zip (path, names, (SymBlob *const[]){ metadata, text, weights },
                            G_N_ELEMENTS (names), &cause))
    {
      sym_io_take_file_error (error, path, cause);
      return FALSE;
    }
  sym_keras_arrays_tell_lost (arrays, notes);
  return TRUE;
}

static gboolean
finish (SymModel *model,
        const SymKerasOrigin *origin,
        const GString *config,
        const char *path,
        SymProblems *notes,
        GError **error)
{
  if (origin == NULL || origin->major >= 3)
    return pack (model, origin, config, path, notes, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "the model is one of Keras %d, and only Keras 3 has such archives: write it as JSON",
               origin->major);
  return FALSE;
}

static gboolean
write_archive (SymModel *model,
               const SymInference *inference,
               const char *path,
               SymProblems *notes,
               GError **error)
{
  return sym_keras_write_with (model, inference, path, notes, finish, error);
}

const SymIoFormat sym_keras_archive_format = {
  .name = "keras-archive",
  .title = "Keras archive",
  .versions = "3",
  .limits = "read as the Keras JSON that it holds; models of Keras 1 and 2 are not written into it",
  .suffix = ".keras",
  .is_archive = TRUE,
  .write = write_archive,
};
