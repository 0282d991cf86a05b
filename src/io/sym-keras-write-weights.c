/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"
#include "io/sym-keras-write-arrays.h"
#include "io/sym-keras-write-private.h"

#include <string.h>

/* A config of Keras 3 has STEM.weights.h5 beside it, as its load_weights() wants that.  Those of
 * Keras 1 and 2 have STEM_weights.h5 with groups by layer: since 2.12 Keras takes what ends in
 * `.weights.h5` for a file of the new kind. */

/* What an attribute may take, by Keras: HDF5 keeps no more than 64 KiB with an object. */
#define MAX_ATTRIBUTE 64512

/* Of the layout, when the config does not say which Keras 2 made it. */
#define KERAS_2 "2.15.0"

static gboolean
has_own_weights (const SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL &&
        sym_model_get_tensor (model, value) != NULL)
      return TRUE;
  return FALSE;
}

gboolean
sym_keras_has_weights (SymModel *model)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();

  g_ptr_array_add (waiting, model);
  for (guint i = 0; i < waiting->len; i++)
    {
      model = waiting->pdata[i];
      if (has_own_weights (model))
        return TRUE;
      for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
        {
          SymLayer *layer = sym_model_get_layer (model, call);

          for (guint k = 0; k < sym_layer_get_n_bodies (layer); k++)
            if (g_hash_table_add (seen, sym_layer_get_body (layer, k, NULL)))
              g_ptr_array_add (waiting, sym_layer_get_body (layer, k, NULL));
        }
    }
  return FALSE;
}

/* ---- Texts ---- */

static void
clear_text (gpointer data)
{
  SymStoreH5Text *text = data;

  g_free (text->path);
  g_free (text->name);
  g_strfreev (text->texts);
}

/* A copy of @n texts. */
static void
add_texts (GArray *all,
           const char *path,
           const char *name,
           SymStoreH5Kind kind,
           const char *const *texts,
           guint n)
{
  SymStoreH5Text text = { g_strdup (path), g_strdup (name), kind, g_new0 (char *, n + 1) };

  for (guint i = 0; i < n; i++)
    text.texts[i] = g_strdup (texts[i]);
  g_array_append_val (all, text);
}

/* A list that is too long is cut into name0, name1, ... */
static void
add_list (GArray *all, const char *path, const char *name, const char *const *texts, guint n)
{
  gsize longest = 1;
  guint n_fit;

  for (guint i = 0; i < n; i++)
    longest = MAX (longest, strlen (texts[i]));
  n_fit = (guint) MAX (MAX_ATTRIBUTE / longest, 1);
  if (n <= n_fit)
    add_texts (all, path, name, SYM_STORE_H5_TEXTS, texts, n);
  for (guint i = 0; n > n_fit && i < n; i += n_fit)
    {
      g_autofree char *numbered = g_strdup_printf ("%s%u", name, i / n_fit);

      add_texts (all, path, numbered, SYM_STORE_H5_TEXTS, texts + i, MIN (n - i, n_fit));
    }
}

static void
add_version (GArray *all, const SymKerasOrigin *origin)
{
  const char *found = sym_attributes_get_string (origin->root, "keras_version", "");
  const char *version = *found == '2' ? found : KERAS_2;
  const char *backend = "tensorflow";

  add_texts (all, "", "keras_version", SYM_STORE_H5_BYTES, &version, 1);
  add_texts (all, "", "backend", SYM_STORE_H5_BYTES, &backend, 1);
}

static const SymKerasGroup *
get_group (const SymKerasArrays *arrays, guint i)
{
  return &g_array_index (arrays->groups, SymKerasGroup, i);
}

/* Keras 3 says beside the variables of a layer what it is called. */
static void
add_names (GArray *all, const SymKerasArrays *arrays)
{
  for (guint i = 0; i < arrays->groups->len; i++)
    {
      const SymKerasGroup *group = get_group (arrays, i);
      const char *layer = group->layer;
      g_autofree char *path = g_strconcat (group->path, "/vars", NULL);

      add_texts (all, path, "name", SYM_STORE_H5_TEXT, &layer, 1);
    }
}

static void
add_lists (GArray *all, const SymKerasArrays *arrays)
{
  g_autoptr (GPtrArray) layers = g_ptr_array_new ();

  for (guint i = 0; i < arrays->groups->len; i++)
    {
      const SymKerasGroup *group = get_group (arrays, i);

      g_ptr_array_add (layers, group->layer);
      add_list (all, group->layer, "weight_names",
                (const char *const *) arrays->names->pdata + group->first, group->n);
    }
  add_list (all, "", "layer_names", (const char *const *) layers->pdata, layers->len);
}

/* ---- The file ---- */

static GPtrArray *
list_paths (const SymKerasArrays *arrays)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < arrays->groups->len; i++)
    {
      const SymKerasGroup *group = get_group (arrays, i);

      for (guint k = group->first; k < group->first + group->n; k++)
        {
          const char *name = arrays->names->pdata[k];

          g_ptr_array_add (paths, arrays->by_class ? g_strdup (name)
                                                   : g_strconcat (group->layer, "/", name, NULL));
        }
    }
  return paths;
}

static gboolean
fail (GError *take_cause, GError **error)
{
  if (g_error_matches (take_cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, take_cause);
      return FALSE;
    }
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be written: %s",
               take_cause->message);
  g_error_free (take_cause);
  return FALSE;
}

SymBlob *
sym_keras_arrays_make_file (const SymKerasArrays *self,
                            const SymKerasOrigin *origin,
                            const char *path,
                            GError **error)
{
  g_autoptr (GPtrArray) paths = list_paths (self);
  g_autoptr (GArray) texts = g_array_new (FALSE, FALSE, sizeof (SymStoreH5Text));
  GError *cause = NULL;
  SymBlob *made;

  g_array_set_clear_func (texts, clear_text);
  if (self->by_class)
    add_names (texts, self);
  else
    {
      add_version (texts, origin);
      add_lists (texts, self);
    }
  made = sym_store_make_h5 (path, (const char *const *) paths->pdata,
                            (SymTensor *const *) self->tensors->pdata, paths->len,
                            (const SymStoreH5Text *) (gpointer) texts->data, texts->len, &cause);
  if (made == NULL)
    fail (cause, error);
  return made;
}

static gboolean
write_file (const SymKerasArrays *arrays,
            const SymKerasOrigin *origin,
            const char *path,
            GError **error)
{
  g_autoptr (SymBlob) file = sym_keras_arrays_make_file (arrays, origin, path, error);
  GError *cause = NULL;

  if (file == NULL)
    return FALSE;
  return sym_store_write_blob (path, file, &cause) ? TRUE : fail (cause, error);
}

/* ---- What there is to tell ---- */

static void G_GNUC_PRINTF (3, 4)
    tell (SymProblems *notes, SymSeverity severity, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  if (notes == NULL)
    return;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  sym_problems_add (notes, severity, 0, SYM_NO_ID, SYM_NO_ID, "%s", message);
}

void
sym_keras_arrays_tell_lost (SymKerasArrays *self, SymProblems *notes)
{
  static const char *const reasons[] = {
    [SYM_KERAS_LOSS_MISSING] = "layers whose weights have no numbers are not among those written",
    [SYM_KERAS_LOSS_DTYPE] = "layers whose weights are of a dtype that HDF5 has not are not among "
                             "those written",
    [SYM_KERAS_LOSS_UNKNOWN] = "layers of classes that are not known here, and which may keep "
                               "weights in any way, are not among those written",
    [SYM_KERAS_LOSS_PART] =
        "vectors that SpectralNormalization keeps for training are not written, "
        "so that Keras loads the rest with skip_mismatch=True",
  };

  for (guint i = 0; i < SYM_KERAS_N_LOSSES; i++)
    sym_keras_names_tell (&self->lost[i], notes, reasons[i]);
}

/* The file that readers take before the one that is written, which is NULL for none. */
static void
tell_other (const char *path, const char *written, SymProblems *notes)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *file = g_path_get_basename (path);
  g_autoptr (GPtrArray) names = sym_keras_weights_list_names (file);

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *other = g_build_filename (folder, names->pdata[i], NULL);

      if (g_strcmp0 (names->pdata[i], written) == 0)
        return;
      if (!g_file_test (other, G_FILE_TEST_EXISTS))
        continue;
      tell (notes, SYM_SEVERITY_WARNING, "%s lies beside it and will be taken for its weights",
            other);
      return;
    }
}

static char *
make_name (const char *path, const SymKerasArrays *arrays)
{
  g_autofree char *file = g_path_get_basename (path);
  g_autoptr (GPtrArray) names = sym_keras_weights_list_names (file);

  for (guint i = 0; i < names->len; i++)
    if (g_str_has_suffix (names->pdata[i], arrays->by_class ? ".weights.h5" : "_weights.h5"))
      return g_strdup (names->pdata[i]);
  return NULL;
}

static gboolean
write_beside (SymKerasArrays *arrays,
              const SymKerasOrigin *origin,
              const char *path,
              SymProblems *notes,
              GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = make_name (path, arrays);
  g_autofree char *target = g_build_filename (folder, name, NULL);

  if (!write_file (arrays, origin, target, error))
    return FALSE;
  tell_other (path, name, notes);
  if (origin != NULL && origin->major < 2)
    tell (notes, SYM_SEVERITY_NOTE, "the weights are written as Keras 2 has them");
  return TRUE;
}

gboolean
sym_keras_write_weights (SymModel *model,
                         const SymKerasOrigin *origin,
                         const char *path,
                         SymProblems *notes,
                         GError **error)
{
  gboolean is_standard_output = g_str_equal (path, "-");
  g_autoptr (SymKerasArrays) arrays = NULL;

  if (sym_keras_has_weights (model))
    arrays = sym_keras_arrays_new (model, origin == NULL ? 3 : origin->major);
  if (is_standard_output)
    {
      sym_io_note_tensors (arrays == NULL ? 0 : arrays->names->len, notes);
      return TRUE;
    }
  if (arrays == NULL || arrays->names->len == 0)
    tell_other (path, NULL, notes);
  else if (!write_beside (arrays, origin, path, notes, error))
    return FALSE;
  if (arrays != NULL)
    sym_keras_arrays_tell_lost (arrays, notes);
  return TRUE;
}
