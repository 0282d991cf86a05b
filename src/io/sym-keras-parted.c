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

/* One that is missing is told: the layers whose arrays it has are then without. */
static SymKerasWeights *
open_shards (const SymIoSource *source, const SymJson *json)
{
  g_autoptr (GPtrArray) names = list_shards (json);
  SymKerasWeights *self = NULL;

  for (guint i = 0; i < names->len; i++)
    {
      gboolean exists = FALSE;
      g_autoptr (GError) error = NULL;
      SymStoreH5 *file = sym_keras_weights_open_file (source, names->pdata[i], &exists, &error);

      if (file == NULL)
        sym_keras_weights_warn_of_file (source, names->pdata[i],
                                        error == NULL ? "there is no such file" : error->message);
      else if (self == NULL)
        self = sym_keras_weights_take (file, source);
      else
        {
          g_ptr_array_add (self->shards, file);
          sym_keras_weights_add_file (self, file);
        }
    }
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
    sym_keras_weights_warn_of_file (source, name, error == NULL ? "it has gone" : error->message);
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
