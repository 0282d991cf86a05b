/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "core/sym-problem-lack.h"
#include "io/sym-net-constants.h"
#include "io/sym-tfjs-weights.h"
#include "store/sym-store-external.h"

#include <string.h>

/* Parts of a file of Keras 3 that are no weights of layers. */
static const char *const others[] = { "optimizer", "_optimizer", "seed_generator",
                                      "_seed_generator", NULL };

static void
free_array (gpointer data)
{
  SymKerasArray *array = data;

  g_clear_pointer (&array->lack, g_ref_string_release);
  g_free (array->name);
  g_free (array);
}

SymKerasWeights *
sym_keras_weights_new (SymKerasOrder order, const SymIoSource *source, const char *title)
{
  SymKerasWeights *self = g_new0 (SymKerasWeights, 1);

  self->order = order;
  self->source = source;
  self->title = g_strdup (title);
  self->prefix = g_strdup ("");
  self->major = 2;
  self->arrays = g_ptr_array_new_with_free_func (free_array);
  self->shards = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_store_h5_unref);
  self->bare = g_string_new (NULL);
  return self;
}

void
sym_keras_weights_add (SymKerasWeights *self,
                       const char *name,
                       guint token,
                       SymStoreH5 *file,
                       int place)
{
  SymKerasArray *array = g_new0 (SymKerasArray, 1);

  array->name = g_strdup (name);
  array->token = token;
  array->file = file;
  array->place = place;
  g_ptr_array_add (self->arrays, array);
}

static void G_GNUC_PRINTF (2, 3) warn (const SymIoSource *source, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  sym_problems_add (source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID, "%s", message);
}

/* What leaves weights without numbers. */
static void
warn_of_lack (const SymIoSource *source, const char *message)
{
  sym_problems_add_lack (source->problems, SYM_SEVERITY_WARNING, 0, "%s", message);
}

const char *
sym_keras_skip_path (const char *message, const char *path)
{
  gsize n = strlen (path);

  return g_str_has_prefix (message, path) && g_str_has_prefix (message + n, ": ") ? message + n + 2
                                                                                  : message;
}

char *
sym_keras_weights_tell_file (const SymIoSource *source, const char *name, const char *why)
{
  char *message = g_strdup_printf ("the weights in '%s' cannot be read: %s", name,
                                   sym_keras_skip_path (why, name));

  warn_of_lack (source, message);
  return message;
}

/* ---- What a file of HDF5 holds ---- */

static int
compare_arrays (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(SymKerasArray *const *) a)->name, (*(SymKerasArray *const *) b)->name);
}

static char *
join_path (const char *a, const char *b)
{
  return *a == '\0' ? g_strdup (b) : g_strconcat (a, "/", b, NULL);
}

static const char *
get_text (SymKerasWeights *self, const char *name)
{
  const char *const *texts = sym_store_h5_get_attribute (self->file, self->prefix, name);

  if (texts == NULL)
    texts = sym_store_h5_get_attribute (self->file, "", name);
  return texts == NULL ? NULL : texts[0];
}

static void
read_origin (SymKerasWeights *self)
{
  const char *version = get_text (self, "keras_version");

  self->major = version != NULL && *version >= '1' && *version <= '3' ? *version - '0' : 1;
  self->is_theano = g_strcmp0 (get_text (self, "backend"), "theano") == 0;
}

/* Keras 1 and 2 list the layers; long lists are cut into numbered ones. */
static gboolean
lists_layers (SymStoreH5 *file, const char *prefix)
{
  return sym_store_h5_get_attribute (file, prefix, "layer_names") != NULL ||
         sym_store_h5_get_attribute (file, prefix, "layer_names0") != NULL;
}

void
sym_keras_weights_add_file (SymKerasWeights *self, SymStoreH5 *file)
{
  for (guint i = 0; i < sym_store_h5_get_n (file); i++)
    {
      g_autofree char *path = g_strdup (sym_store_h5_get_path (file, i));

      /* The first of Keras 3 on Windows wrote "layers\dense/vars/0". */
      if (self->order == SYM_KERAS_BY_CLASS)
        g_strdelimit (path, "\\", '/');
      sym_keras_weights_add (self, path, SYM_JSON_NONE, file, (int) i);
    }
  g_ptr_array_sort (self->arrays, compare_arrays);
}

SymKerasWeights *
sym_keras_weights_take (SymStoreH5 *take_file, const SymIoSource *source)
{
  const char *prefix = lists_layers (take_file, "") ? "" : "model_weights";
  gboolean by_layer = lists_layers (take_file, prefix);
  SymKerasWeights *self = sym_keras_weights_new (by_layer ? SYM_KERAS_BY_LAYER : SYM_KERAS_BY_CLASS,
                                                 source, "the file");

  self->file = take_file;
  if (by_layer)
    {
      g_free (self->prefix);
      self->prefix = g_strdup (prefix);
      read_origin (self);
    }
  sym_keras_weights_add_file (self, take_file);
  return self;
}

/* ---- Where it is ---- */

/* What people and Keras call the weights of STEM.json; those of config.json are model.weights.h5.
 */
GPtrArray *
sym_keras_weights_list_names (const char *file)
{
  static const char *const endings[] = { ".weights.h5", ".h5",           "_weights.h5",
                                         ".hdf5",       "_weights.hdf5", NULL };
  const char *dot = strrchr (file, '.');
  g_autofree char *stem = dot == NULL ? g_strdup (file) : g_strndup (file, (gsize) (dot - file));
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (g_str_has_suffix (stem, ".keras"))
    stem[strlen (stem) - strlen (".keras")] = '\0';
  for (guint i = 0; endings[i] != NULL; i++)
    g_ptr_array_add (names, g_strconcat (stem, endings[i], NULL));
  if (strcmp (stem, "config") == 0)
    g_ptr_array_add (names, g_strdup ("model.weights.h5"));
  return names;
}

static SymBlob *
open_in_archive (const SymIoSource *source, const char *name, gboolean *exists, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (source->entry);
  g_autofree char *path = strcmp (folder, ".") == 0 ? g_strdup (name) : join_path (folder, name);
  int entry = sym_store_archive_find (source->archive, path);

  *exists = entry >= 0;
  return entry < 0 ? NULL : sym_store_archive_open_entry (source->archive, (guint) entry, error);
}

static SymBlob *
open_beside (const SymIoSource *source, const char *name, gboolean *exists, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (source->path);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  *exists = g_file_test (path, G_FILE_TEST_EXISTS);
  return *exists ? sym_store_open_beside (folder, name, error) : NULL;
}

SymStoreH5 *
sym_keras_weights_open_h5 (const SymIoSource *source,
                           SymBlob *blob,
                           const char *name,
                           gboolean is_packed,
                           GError **error)
{
  guint8 start[8] = { 0 };

  if (!sym_blob_read (blob, 0, MIN (blob->size, sizeof start), start, error))
    return NULL;
  if (blob->size < sizeof start || !sym_store_is_h5 (start, sizeof start))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT, "it is no HDF5 file");
      return NULL;
    }
  return sym_store_open_h5 (blob, is_packed ? source->archive_size : G_MAXUINT64, name,
                            source->cancellable, error);
}

SymBlob *
sym_keras_weights_find_blob (const SymIoSource *source,
                             const char *name,
                             gboolean *exists,
                             GError **error)
{
  return source->archive != NULL ? open_in_archive (source, name, exists, error)
                                 : open_beside (source, name, exists, error);
}

SymStoreH5 *
sym_keras_weights_open_file (const SymIoSource *source,
                             const char *name,
                             gboolean *exists,
                             GError **error)
{
  g_autoptr (SymBlob) blob = sym_keras_weights_find_blob (source, name, exists, error);

  return blob == NULL
             ? NULL
             : sym_keras_weights_open_h5 (source, blob, name, source->archive != NULL, error);
}

/* Where there is no h5py, Keras 3 saves dictionaries of arrays as pickled objects. */
static void
tell_pickled (const SymIoSource *source, const char *file)
{
  const char *dot = strrchr (file, '.');
  g_autofree char *stem = dot == NULL ? g_strdup (file) : g_strndup (file, (gsize) (dot - file));
  g_autofree char *name =
      g_strconcat (strcmp (stem, "config") == 0 ? "model" : stem, ".weights.npz", NULL);
  g_autoptr (SymBlob) blob = NULL;
  gboolean exists = FALSE;

  blob = sym_keras_weights_find_blob (source, name, &exists, NULL);
  if (exists)
    sym_problems_add_lack (
        source->problems, SYM_SEVERITY_WARNING, 0,
        "the weights in '%s' cannot be read: they are pickled objects of Python, not arrays; "
        "Keras with h5py saves '%.*s.h5'",
        name, (int) (strlen (name) - strlen (".npz")), name);
}

static SymKerasWeights *
find_file (const SymIoSource *source)
{
  g_autofree char *file = sym_net_dup_file_name (source);
  g_autoptr (GPtrArray) names =
      file == NULL ? g_ptr_array_new () : sym_keras_weights_list_names (file);

  for (guint i = 0; i < names->len; i++)
    {
      gboolean exists = FALSE;
      g_autoptr (GError) error = NULL;
      SymStoreH5 *found = sym_keras_weights_open_file (source, names->pdata[i], &exists, &error);
      SymKerasWeights *self = found == NULL ? NULL : sym_keras_weights_take (found, source);

      if (self != NULL)
        {
          g_free (self->title);
          self->title = g_strdup_printf ("'%s'", (char *) names->pdata[i]);
          return self;
        }
      if (exists)
        {
          g_free (sym_keras_weights_tell_file (source, names->pdata[i],
                                               error == NULL ? "it has gone" : error->message));
          return NULL;
        }
    }
  if (file != NULL)
    tell_pickled (source, file);
  return NULL;
}

/* ---- TensorFlow.js ---- */

static SymKerasWeights *
read_manifest (const SymJson *json, guint manifest, const SymIoSource *source)
{
  SymKerasWeights *self = sym_keras_weights_new (SYM_KERAS_BY_NAME, source, "the weightsManifest");

  self->manifest = sym_tfjs_weights_new (json, manifest, source);
  for (SymJsonIter i = sym_json_iterate (json, manifest); sym_json_iter_next (json, &i);)
    for (SymJsonIter k = sym_json_iterate (json, sym_json_get_member (json, i.value, "weights"));
         sym_json_iter_next (json, &k);)
      {
        g_autofree char *name =
            sym_json_dup_string (json, sym_json_get_member (json, k.value, "name"));

        if (name != NULL)
          sym_keras_weights_add (self, name, k.value, NULL, -1);
      }
  return self;
}

gboolean
sym_keras_weights_find (const SymJson *json,
                        const SymIoSource *source,
                        SymKerasWeights **weights,
                        GError **error)
{
  guint manifest = sym_json_get_member (json, 0, "weightsManifest");
  gboolean has_manifest = sym_json_get_kind (json, manifest) == SYM_JSON_ARRAY;

  if (source->weights != NULL && (!has_manifest || sym_keras_weights_is_own_file (source)))
    *weights = sym_keras_weights_open_chosen (source, error);
  else if (has_manifest)
    *weights =
        sym_tfjs_weights_check (source, error) ? read_manifest (json, manifest, source) : NULL;
  else
    {
      *weights = find_file (source);
      if (*weights == NULL)
        *weights = sym_keras_weights_find_parted (source);
    }
  return source->weights == NULL || *weights != NULL;
}

/* ---- Arrays ---- */

static void
set_lack (SymKerasArray *array, const char *why)
{
  g_clear_pointer (&array->lack, g_ref_string_release);
  array->lack = why == NULL ? NULL : g_ref_string_new_intern (why);
}

SymTensor *
sym_keras_weights_open (SymKerasWeights *self, SymKerasArray *array)
{
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = NULL;
  const char *lack = NULL;
  SymType type;

  if (self->tensors != NULL)
    return sym_tensor_ref (sym_store_tensors_get (self->tensors, (guint) array->place));
  if (array->file == NULL)
    {
      sym_tfjs_weights_find (self->manifest, array->name, &type, &tensor, &lack);
      set_lack (array, lack);
      return tensor == NULL ? NULL : sym_tensor_ref (tensor);
    }
  tensor = sym_store_h5_open_tensor (array->file, (guint) array->place, &error);
  if (tensor == NULL)
    {
      warn_of_lack (self->source, error->message);
      set_lack (array, error->message);
    }
  return tensor;
}

/* The first array that is not before @path. */
static guint
find_first (const SymKerasWeights *self, const char *path)
{
  guint low = 0, high = self->arrays->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (strcmp (((SymKerasArray *) self->arrays->pdata[middle])->name, path) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

SymKerasArray *
sym_keras_weights_lookup (SymKerasWeights *self, const char *path)
{
  guint i = find_first (self, path);
  SymKerasArray *array = i < self->arrays->len ? self->arrays->pdata[i] : NULL;

  return array != NULL && strcmp (array->name, path) == 0 ? array : NULL;
}

GPtrArray *
sym_keras_weights_list (SymKerasWeights *self, const char *group)
{
  g_autofree char *prefix = g_strconcat (group, "/", NULL);
  GPtrArray *found = NULL;

  for (guint i = find_first (self, prefix); i < self->arrays->len; i++)
    {
      SymKerasArray *array = self->arrays->pdata[i];

      if (!g_str_has_prefix (array->name, prefix))
        break;
      if (found == NULL)
        found = g_ptr_array_new ();
      g_ptr_array_add (found, array);
    }
  return found;
}

/* ---- The end ---- */

static gboolean
belongs_to_layers (const SymKerasWeights *self, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  const char *top = parts[0] == NULL ? "" : parts[0];
  gsize n = strlen (self->prefix);

  for (guint i = 0; others[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) parts, others[i]))
      return FALSE;
  if (self->order == SYM_KERAS_BY_CLASS)
    return strcmp (top, "layers") == 0 || strcmp (top, "_layer_checkpoint_dependencies") == 0;
  return (n == 0 || (strncmp (name, self->prefix, n) == 0 && name[n] == '/')) &&
         !g_strv_contains ((const char *const *) parts, "top_level_model_weights") &&
         strcmp (top, "optimizer_weights") != 0;
}

static void
tell_unused (const SymKerasWeights *self)
{
  const char *first = NULL;
  guint n = 0;

  for (guint i = 0; i < self->arrays->len; i++)
    {
      const SymKerasArray *array = self->arrays->pdata[i];

      if (array->is_used || !belongs_to_layers (self, array->name))
        continue;
      if (n++ == 0)
        first = array->name;
    }
  if (n == 1)
    warn (self->source, "“%s” of %s belongs to no layer that is known here", first, self->title);
  else if (n > 1)
    warn (self->source, "“%s” and %u more arrays of %s belong to no layer that is known here",
          first, n - 1, self->title);
}

static void
tell_bare (const SymKerasWeights *self)
{
  if (self->n_bare == 1)
    warn (self->source, "%s has no weights of the layer %s", self->title, self->bare->str);
  else if (self->n_bare > 1)
    warn (self->source, "%s has no weights of %u layers: %s%s", self->title, self->n_bare,
          self->bare->str, self->n_bare > 5 ? ", ..." : "");
}

void
sym_keras_weights_end (SymKerasWeights *self)
{
  if (self == NULL)
    return;
  tell_bare (self);
  tell_unused (self);
  g_ptr_array_unref (self->arrays);
  g_clear_pointer (&self->file, sym_store_h5_unref);
  g_ptr_array_unref (self->shards);
  sym_keras_weights_free_lost (self);
  g_clear_pointer (&self->manifest, sym_tfjs_weights_free);
  g_clear_pointer (&self->tensors, sym_store_tensors_unref);
  g_string_free (self->bare, TRUE);
  g_free (self->title);
  g_free (self->prefix);
  g_free (self);
}
