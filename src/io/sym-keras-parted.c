/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include "io/sym-net-constants.h"

#include <string.h>

/* Weights that Keras 3 parts among several files. */

#define MAX_INDEX (64 << 20)
#define MAX_SHARDS 10000

static SymJson *
read_index (const SymIoSource *source, const char *name, gboolean *exists, GError **error)
{
  g_autoptr (SymBlob) blob = sym_keras_weights_find_blob (source, name, exists, error);
  g_autoptr (GBytes) bytes = NULL;
  guint8 *text;

  if (blob == NULL)
    return NULL;
  if (blob->size > MAX_INDEX)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "it is larger than any list of files");
      return NULL;
    }
  text = g_malloc ((gsize) blob->size + 1);
  bytes = g_bytes_new_take (text, (gsize) blob->size);
  return sym_blob_read (blob, 0, blob->size, text, error) ? sym_json_parse (bytes, NULL, error)
                                                          : NULL;
}

/* {"weight_map": {"/layers/dense/vars": "model_00000.weights.h5", "/layers/conv/vars": [...]}} */
static GPtrArray *
list_shards (const SymJson *json)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, 0, "weight_map"));
       sym_json_iter_next (json, &i);)
    {
      guint n = MAX (sym_json_count (json, i.value), 1);

      for (guint k = 0; k < n && names->len < MAX_SHARDS; k++)
        {
          gboolean is_list = sym_json_get_kind (json, i.value) == SYM_JSON_ARRAY;
          char *name = sym_json_dup_string (json, is_list ? sym_json_get_element (json, i.value, k)
                                                          : i.value);

          if (name == NULL || strchr (name, '/') != NULL || !g_hash_table_add (seen, name))
            g_free (name);
          else
            g_ptr_array_add (names, name);
        }
    }
  return names;
}

/* ---- What is in files that are missing ---- */

typedef struct {
  char *path; /* "layers/dense/vars" */
  GRefString *why;
} Lost;

static void
clear_lost (gpointer data)
{
  Lost *self = data;

  g_free (self->path);
  g_ref_string_release (self->why);
}

static int
compare_lost (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Lost *) a)->path, ((const Lost *) b)->path);
}

static const char *
find_missing (const SymJson *json, guint files, GHashTable *missing)
{
  gboolean is_list = sym_json_get_kind (json, files) == SYM_JSON_ARRAY;
  guint n = is_list ? sym_json_count (json, files) : 1;
  const char *why = NULL;

  for (guint i = 0; why == NULL && i < n; i++)
    {
      g_autofree char *name =
          sym_json_dup_string (json, is_list ? sym_json_get_element (json, files, i) : files);

      why = name == NULL ? NULL : g_hash_table_lookup (missing, name);
    }
  return why;
}

/* @missing are names of files, and why each cannot be read. */
static void
list_lost (SymKerasWeights *self, const SymJson *json, GHashTable *missing)
{
  self->lost = g_array_new (FALSE, FALSE, sizeof (Lost));
  g_array_set_clear_func (self->lost, clear_lost);
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, 0, "weight_map"));
       sym_json_iter_next (json, &i);)
    {
      const char *why = find_missing (json, i.value, missing);
      g_autofree char *path = why == NULL ? NULL : sym_json_dup_string (json, i.key);
      Lost lost;

      if (path == NULL)
        continue;
      lost.path = g_strdup (path + (*path == '/'));
      lost.why = g_ref_string_new_intern (why);
      g_array_append_val (self->lost, lost);
    }
  g_array_sort (self->lost, compare_lost);
}

const char *
sym_keras_weights_get_lost (const SymKerasWeights *self, const char *group)
{
  g_autofree char *prefix = self->lost == NULL ? NULL : g_strconcat (group, "/", NULL);
  guint low = 0, high = self->lost == NULL ? 0 : self->lost->len;
  const Lost *first;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (strcmp (g_array_index (self->lost, Lost, middle).path, prefix) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (self->lost == NULL || low == self->lost->len)
    return NULL;
  first = &g_array_index (self->lost, Lost, low);
  return g_str_has_prefix (first->path, prefix) ? first->why : NULL;
}

void
sym_keras_weights_free_lost (SymKerasWeights *self)
{
  g_clear_pointer (&self->lost, g_array_unref);
}

/* ---- Files ---- */

/* One that is missing is told: the layers whose arrays it has are then without. */
static SymKerasWeights *
open_shards (const SymIoSource *source, const SymJson *json)
{
  g_autoptr (GPtrArray) names = list_shards (json);
  g_autoptr (GHashTable) missing = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  SymKerasWeights *self = NULL;

  for (guint i = 0; i < names->len; i++)
    {
      gboolean exists = FALSE;
      g_autoptr (GError) error = NULL;
      SymStoreH5 *file = sym_keras_weights_open_file (source, names->pdata[i], &exists, &error);

      if (file == NULL)
        g_hash_table_insert (
            missing, names->pdata[i],
            sym_keras_weights_tell_file (source, names->pdata[i],
                                         error == NULL ? "there is no such file" : error->message));
      else if (self == NULL)
        self = sym_keras_weights_take (file, source);
      else
        {
          g_ptr_array_add (self->shards, file);
          sym_keras_weights_add_file (self, file);
        }
    }
  if (self == NULL && names->len > 0)
    self = sym_keras_weights_new (SYM_KERAS_BY_CLASS, source, "");
  if (g_hash_table_size (missing) > 0)
    list_lost (self, json, missing);
  return self;
}

static SymKerasWeights *
find_shards (const SymIoSource *source, const char *stem)
{
  g_autofree char *name = g_strconcat (stem, ".weights.json", NULL);
  gboolean exists = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymJson) json = read_index (source, name, &exists, &error);
  SymKerasWeights *self = json == NULL ? NULL : open_shards (source, json);

  if (exists && json == NULL)
    g_free (
        sym_keras_weights_tell_file (source, name, error == NULL ? "it has gone" : error->message));
  if (self == NULL)
    return NULL;
  g_free (self->title);
  self->title = g_strdup_printf ("'%s'", name);
  return self;
}

/* Those of STEM.json are STEM.weights.json, those of config.json model.weights.json. */
SymKerasWeights *
sym_keras_weights_find_parted (const SymIoSource *source)
{
  g_autofree char *stem = sym_net_dup_file_name (source);
  char *dot = stem == NULL ? NULL : strrchr (stem, '.');

  if (dot == NULL)
    return NULL;
  *dot = '\0';
  if (g_str_has_suffix (stem, ".keras"))
    stem[strlen (stem) - strlen (".keras")] = '\0';
  return find_shards (source, strcmp (stem, "config") == 0 ? "model" : stem);
}
