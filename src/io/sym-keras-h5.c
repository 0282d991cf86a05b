/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include <string.h>

#include "io/sym-json-private.h"

/* Models that Keras 1, 2 and 3 save as HDF5: the JSON is an attribute of the file, the weights are
 * in a group of their own. */

/* A file that is weights alone has the JSON's mark as little as anything else of HDF5 has. */
#define SCORE 50

extern const SymIoFormat sym_keras_h5_format;

static int
score_bytes (const guint8 *start, gsize n, guint64 size)
{
  return sym_store_is_h5 (start, n) ? SCORE : 0;
}

static gboolean
has_group (SymStoreH5 *file, const char *prefix)
{
  for (guint i = 0; i < sym_store_h5_get_n (file); i++)
    if (g_str_has_prefix (sym_store_h5_get_path (file, i), prefix))
      return TRUE;
  return FALSE;
}

/* The archive of a model whose class the user wrote names that class, and has its weights. */
static const char *
describe (SymStoreH5 *file, const SymIoSource *source)
{
  if (source->archive != NULL && sym_store_archive_find (source->archive, "config.json") >= 0)
    return "a Keras model of a class of its own: its layers are in the program that made it, not "
           "in the file";
  if (sym_store_h5_get_attribute (file, "", "layer_names") != NULL ||
      sym_store_h5_get_attribute (file, "", "layer_names0") != NULL ||
      has_group (file, "layers/") || has_group (file, "_layer_checkpoint_dependencies/"))
    return "the weights of a Keras model; open the JSON or the .keras that they belong to";
  return "an HDF5 file without a Keras model";
}

static SymModel *
read_config (SymStoreH5 *take_file, const SymIoSource *source, GError **error)
{
  g_autoptr (SymStoreH5) file = take_file;
  const char *const *config = sym_store_h5_get_attribute (file, "", "model_config");
  g_autoptr (GBytes) text = NULL;
  g_autoptr (SymJson) json = NULL;

  if (config == NULL || config[0] == NULL)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
                   "this is no saved graph that can be opened: it looks like %s",
                   describe (file, source));
      return NULL;
    }
  text = g_bytes_new (config[0], strlen (config[0]));
  json = sym_json_parse_bounded (text, SYM_JSON_MAX_VALUES, source->problems, source->cancellable,
                                 error);
  if (json == NULL)
    {
      g_prefix_error (error, "its model_config: ");
      return NULL;
    }
  if (!sym_keras_is_document (json))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "its model_config is no Keras model");
      return NULL;
    }
  return sym_keras_read_document (json, source, sym_keras_h5_format.name,
                                  sym_keras_weights_take (g_steal_pointer (&file), source), error);
}

static SymModel *
read_h5 (SymBlob *blob, const SymIoSource *source, GError **error)
{
  const char *path = source->path == NULL ? source->name : source->path;
  guint64 n_packed = source->archive == NULL ? G_MAXUINT64 : source->archive_size;
  GError *cause = NULL;
  SymStoreH5 *file = sym_store_open_h5 (blob, n_packed, path, source->cancellable, &cause);

  if (file != NULL)
    return read_config (file, source, error);
  if (g_error_matches (cause, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED,
                   "this is no saved graph that can be opened: it looks like an HDF5 file, but %s",
                   sym_keras_skip_path (cause->message, path));
      g_error_free (cause);
    }
  else
    sym_io_take_file_error (error, path, cause);
  return NULL;
}

const SymIoFormat sym_keras_h5_format = {
  .name = "keras-h5",
  .title = "Keras model in HDF5",
  .versions = "1, 2 and 3, with its weights",
  .limits = "Lambda and layers of others do not run; optimizers are not read",
  .suffix = ".h5",
  .score_bytes = score_bytes,
  .read_bytes = read_h5,
  .tell = sym_keras_tell,
};
