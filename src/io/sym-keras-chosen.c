/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "store/sym-store-archive.h"
#include "store/sym-store-numpy.h"

#define MAX_NAMED 5

/* Strings are no weights, whatever they are called. */
static gboolean
is_number (const SymStoreTensors *tensors, guint i)
{
  return sym_dtype_get_bits (sym_tensor_get_dtype (sym_store_tensors_get (tensors, i))) > 0;
}

static void
add_numbers (SymKerasWeights *self, const SymStoreTensors *tensors)
{
  g_autoptr (GString) others = g_string_new (NULL);
  guint n_others = 0;

  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    {
      const char *name = sym_store_tensors_get_name (tensors, i);

      if (is_number (tensors, i))
        sym_keras_weights_add (self, name, SYM_JSON_NONE, NULL, (int) i);
      else if (n_others++ < MAX_NAMED)
        g_string_append_printf (others, "%s“%s”", others->len == 0 ? "" : ", ", name);
    }
  if (n_others > MAX_NAMED)
    g_string_append_printf (others, " and %u more", n_others - MAX_NAMED);
  if (n_others > 0)
    sym_problems_add (self->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "arrays of strings in %s are no weights, and left out: %s", self->title,
                      others->str);
}

/* What is in an `.npz` or in safetensors is called like the weights of Keras, "dense/kernel" or
 * "dense/kernel:0".  What Keras 3 saves without h5py are pickled dictionaries, of which none is an
 * array. */
static SymKerasWeights *
take_named (const SymIoSource *source,
            const char *title,
            SymStoreTensors *take_tensors,
            GError **error)
{
  g_autoptr (SymStoreTensors) tensors = take_tensors;
  SymKerasWeights *self;

  if (tensors == NULL)
    return NULL;
  if (sym_store_tensors_get_n (tensors) == 0)
    {
      const char *skipped = sym_store_tensors_get_skipped (tensors)[0];

      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it has no arrays%s%s",
                   skipped == NULL ? "" : ": ", skipped == NULL ? "" : skipped);
      return NULL;
    }
  self = sym_keras_weights_new (SYM_KERAS_BY_NAME, source, title);
  add_numbers (self, tensors);
  self->tensors = g_steal_pointer (&tensors);
  return self;
}

static SymKerasWeights *
open_h5 (const SymIoSource *source,
         const SymIoSource *around,
         SymBlob *blob,
         gboolean is_packed,
         const char *title,
         GError **error)
{
  SymStoreH5 *file = sym_keras_weights_open_h5 (around, blob, source->weights, is_packed, error);
  SymKerasWeights *self = file == NULL ? NULL : sym_keras_weights_take (file, source);

  if (self == NULL)
    return NULL;
  g_free (self->title);
  self->title = g_strdup (title);
  return self;
}

static gboolean
is_zip (SymBlob *blob)
{
  guint8 start[2] = { 0 };

  return blob->size >= sizeof start && sym_blob_read (blob, 0, sizeof start, start, NULL) &&
         start[0] == 'P' && start[1] == 'K';
}

static gboolean
is_h5 (SymBlob *blob)
{
  guint8 start[8] = { 0 };

  return blob->size >= sizeof start && sym_blob_read (blob, 0, sizeof start, start, NULL) &&
         sym_store_is_h5 (start, sizeof start);
}

/* The size of a header of JSON, and that. */
static gboolean
is_safetensors (SymBlob *blob)
{
  guint8 start[9] = { 0 };
  guint64 size = 0;

  if (blob->size < sizeof start || !sym_blob_read (blob, 0, sizeof start, start, NULL))
    return FALSE;
  for (guint i = 8; i-- > 0;)
    size = size << 8 | start[i];
  return start[8] == '{' && size > 1 && size <= blob->size - 8;
}

/* What Keras 3 saves has its weights in a file of its own beside the config. */
static SymKerasWeights *
open_packed (const SymIoSource *source,
             SymBlob *blob,
             SymStoreArchive *archive,
             guint entry,
             const char *title,
             GError **error)
{
  g_autoptr (SymBlob) file = sym_store_archive_open_entry (archive, entry, error);
  SymIoSource within = *source;

  within.archive_size = blob->size;
  return file == NULL ? NULL : open_h5 (source, &within, file, TRUE, title, error);
}

static SymKerasWeights *
open_zip (const SymIoSource *source, SymBlob *blob, const char *title, GError **error)
{
  g_autoptr (SymStoreArchive) archive =
      sym_store_archive_open (blob, source->weights, source->cancellable, error);
  int entry;

  if (archive == NULL)
    return NULL;
  entry = sym_store_archive_find (archive, "model.weights.h5");
  if (entry >= 0)
    return open_packed (source, blob, archive, (guint) entry, title, error);
  if (sym_store_archive_find (archive, "config.json") >= 0)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                   "it is an archive of Keras without a model.weights.h5");
      return NULL;
    }
  return take_named (source, title, sym_store_open_npz (source->weights, error), error);
}

static SymKerasWeights *
open_blob (const SymIoSource *source, SymBlob *blob, const char *title, GError **error)
{
  if (is_zip (blob))
    return open_zip (source, blob, title, error);
  if (is_safetensors (blob))
    return take_named (source, title, sym_store_open_safetensors (source->weights, error), error);
  if (is_h5 (blob))
    return open_h5 (source, source, blob, FALSE, title, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
               "it is no HDF5 file, no .keras, no .npz and no safetensors");
  return NULL;
}

gboolean
sym_keras_weights_is_own_file (const SymIoSource *source)
{
  g_autoptr (SymBlob) blob = sym_store_open_file (source->weights, NULL);

  return blob != NULL && (is_zip (blob) || is_h5 (blob) || is_safetensors (blob));
}

SymKerasWeights *
sym_keras_weights_open_chosen (const SymIoSource *source, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymBlob) blob = sym_store_open_file (source->weights, &cause);
  g_autofree char *name = g_path_get_basename (source->weights);
  g_autofree char *title = g_strdup_printf ("'%s'", name);
  SymKerasWeights *self = blob == NULL ? NULL : open_blob (source, blob, title, &cause);

  if (self == NULL)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights in '%s' cannot be read: %s",
                 name, sym_keras_skip_path (cause->message, source->weights));
  return self;
}
