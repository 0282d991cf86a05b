/* SPDX-License-Identifier: MIT */
#include "io/sym-paddlejs-weights.h"

#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-net-constants.h"
#include "store/sym-store-blobs.h"

#define MAX_CHUNKS 10000
#define CHUNK "chunk_"

struct _SymPaddlejsWeights {
  GHashTable *tensors; /* name to SymTensor */
  GHashTable *lacks;   /* name to why there is none, interned */
};

void
sym_paddlejs_weights_free (SymPaddlejsWeights *self)
{
  g_hash_table_unref (self->tensors);
  g_hash_table_unref (self->lacks);
  g_free (self);
}

SymTensor *
sym_paddlejs_weights_get (const SymPaddlejsWeights *self, const char *name)
{
  return g_hash_table_lookup (self->tensors, name);
}

const char *
sym_paddlejs_weights_get_lack (const SymPaddlejsWeights *self, const char *name)
{
  return g_hash_table_lookup (self->lacks, name);
}

static void
set_lack (SymPaddlejsWeights *self, const char *name, const char *why)
{
  if (!g_hash_table_contains (self->lacks, name))
    g_hash_table_insert (self->lacks, g_strdup (name), g_ref_string_new_intern (why));
}

/* ---- Variables ---- */

char *
sym_paddlejs_dup_name (const SymJson *json, guint key, guint variable)
{
  char *own = sym_json_dup_string (json, sym_json_get_member (json, variable, "name"));

  return own != NULL || key == SYM_JSON_NONE ? own : sym_json_dup_string (json, key);
}

/* true, or 1. */
static gboolean
is_persistable (const SymJson *json, guint variable)
{
  guint token = sym_json_get_member (json, variable, "persistable");
  gboolean is_true = FALSE;
  gint64 number = 0;

  return (sym_json_get_bool (json, token, &is_true) && is_true) ||
         (sym_json_get_int (json, token, &number) && number != 0);
}

/* Paddle's names of weights: "conv2d_0.w_0", "batch_norm_3.b_0". */
static gboolean
is_weight_name (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL && (g_str_has_prefix (dot, ".w_") || g_str_has_prefix (dot, ".b_"));
}

gboolean
sym_paddlejs_is_weight (const SymJson *json, guint variable, const char *name)
{
  return is_persistable (json, variable) || is_weight_name (name);
}

static SymShape
read_shape (SymNet *net, guint variable)
{
  return sym_net_read_shape (net, sym_json_get_member (sym_net_get_json (net), variable, "shape"));
}

/* ---- Numbers within ---- */

static SymBlob *
read_numbers (const SymJson *json, guint data)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GBytes) bytes = NULL;
  gsize n;

  for (SymJsonIter i = sym_json_iterate (json, data); sym_json_iter_next (json, &i);)
    {
      double number;
      float narrow;
      guint32 bits;

      if (!sym_json_get_double (json, i.value, &number))
        return NULL;
      narrow = (float) number;
      memcpy (&bits, &narrow, sizeof bits);
      bits = GUINT32_TO_LE (bits);
      g_array_append_val (numbers, bits);
    }
  n = numbers->len * sizeof (guint32);
  bytes = g_bytes_new_take (g_array_free (g_steal_pointer (&numbers), FALSE), n);
  return sym_blob_new_bytes (bytes);
}

/* FALSE where the numbers are not within the list. */
static gboolean
take_inline (SymPaddlejsWeights *self, SymNet *net, guint variable, const char *name)
{
  const SymJson *json = sym_net_get_json (net);
  guint data = sym_json_get_member (json, variable, "data");
  SymShape shape = read_shape (net, variable);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = NULL;
  SymTensor *tensor;

  if (sym_json_count (json, data) == 0)
    return FALSE;
  blob = read_numbers (json, data);
  tensor = blob == NULL || !sym_shape_is_known (&shape)
               ? NULL
               : sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, &error);
  if (tensor == NULL)
    {
      g_autofree char *why = g_strdup_printf (
          "the numbers of '%s' are not used: %s", name,
          error == NULL ? "it has no shape, or they are no numbers" : error->message);

      sym_net_warn_of_lack (net, data, "%s", why);
      set_lack (self, name, why);
    }
  else
    g_hash_table_insert (self->tensors, g_strdup (name), tensor);
  return TRUE;
}

/* ---- Numbers beside ---- */

static guint
count_chunks (const SymJson *json)
{
  guint64 n = 0;

  return sym_json_get_uint (json, sym_json_get_member (json, 0, "chunkNum"), &n)
             ? (guint) MIN (n, MAX_CHUNKS)
             : 1;
}

/* "chunk_12.dat", which is one of several; another file has all numbers. */
static gboolean
is_chunk (const char *path)
{
  g_autofree char *file = g_path_get_basename (path);
  const char *at = file + strlen (CHUNK);

  if (!g_str_has_prefix (file, CHUNK) || !g_ascii_isdigit (*at))
    return FALSE;
  while (g_ascii_isdigit (*at))
    at++;
  return strcmp (at, ".dat") == 0;
}

/* The folder of the files that the user chose; NULL where those beside the graph are read. */
static char *
dup_folder (const SymIoSource *source)
{
  if (source->weights == NULL)
    return NULL;
  return g_file_test (source->weights, G_FILE_TEST_IS_DIR) ? g_strdup (source->weights)
                                                           : g_path_get_dirname (source->weights);
}

static SymBlob *
open_chosen_chunk (const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GError *cause = NULL;
  SymBlob *blob = sym_store_open_file (path, &cause);

  if (blob != NULL)
    return blob;
  sym_io_take_file_error (error, path, cause);
  g_prefix_error (error, "'%s' of the chosen weights: ", name);
  return NULL;
}

static char *
tell_lack (SymNet *net, const char *name, const char *place)
{
  SymProblems *problems = sym_model_builder_get_problems (sym_net_get_builder (net));
  char *why = g_strdup_printf ("weights are missing: '%s' is not beside %s", name, place);

  sym_problems_add_lack (problems, SYM_SEVERITY_NOTE, 0, "%s", why);
  return why;
}

/* The files up to the first that is missing: where the rest would begin nobody knows.  NULL with an
 * error when the user chose them and there is none.  *@why tells what is missing, here or since the
 * graph itself says that it has no files. */
static SymBlob *
open_chunks (SymNet *net, const SymIoSource *source, char **why, GError **error)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_blob_unref);
  g_autofree char *folder = dup_folder (source);
  guint n = count_chunks (sym_net_get_json (net));

  if (n == 0 && folder == NULL)
    *why = g_strdup ("the graph says that it has no files of weights");
  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *name = g_strdup_printf (CHUNK "%u.dat", i);
      SymBlob *part = folder == NULL ? sym_net_open_file (source, name, NULL)
                                     : open_chosen_chunk (folder, name, i == 1 ? error : NULL);

      if (part == NULL && folder != NULL && i == 1)
        return NULL;
      if (part == NULL)
        {
          *why = tell_lack (net, name, folder == NULL ? "the graph" : "the others");
          break;
        }
      g_ptr_array_add (parts, part);
    }
  return sym_store_join_blobs ((SymBlob *const *) parts->pdata, parts->len);
}

static SymBlob *
open_numbers (SymNet *net, const SymIoSource *source, char **why, GError **error)
{
  GError *cause = NULL;
  SymBlob *blob;

  if (source->weights == NULL || is_chunk (source->weights) ||
      g_file_test (source->weights, G_FILE_TEST_IS_DIR))
    return open_chunks (net, source, why, error);
  blob = sym_store_open_file (source->weights, &cause);
  if (blob == NULL)
    {
      sym_io_take_file_error (error, source->weights, cause);
      g_prefix_error (error, "the weights cannot be read: ");
    }
  return blob;
}

/* The next persistable variable of the files; FALSE when the places of what follows are not known,
 * and why. */
static gboolean
take_next (SymPaddlejsWeights *self,
           SymNet *net,
           SymBlob *all,
           guint64 *at,
           guint variable,
           const char *name,
           char **why)
{
  SymShape shape = read_shape (net, variable);
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = NULL;

  if (sym_shape_is_known (&shape))
    tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, all, *at, &error);
  if (tensor == NULL)
    {
      g_autofree char *own =
          error == NULL
              ? g_strdup_printf ("'%s' has no shape: its numbers and what follows are not read",
                                 name)
              : g_strdup_printf ("the numbers of '%s' and of what follows are missing: %s", name,
                                 error->message);

      sym_net_warn_of_lack (net, variable, "%s", own);
      if (*why == NULL)
        *why = g_steal_pointer (&own);
      return FALSE;
    }
  *at += sym_tensor_get_n_bytes (tensor);
  g_hash_table_insert (self->tensors, g_strdup (name), tensor);
  return TRUE;
}

static gboolean
take_files (SymPaddlejsWeights *self,
            SymNet *net,
            guint variables,
            const SymIoSource *source,
            GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *why = NULL;
  g_autoptr (SymBlob) all = open_numbers (net, source, &why, error);
  gboolean goes_on = TRUE;
  guint64 at = 0;

  if (all == NULL)
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, variables); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_paddlejs_dup_name (json, i.key, i.value);

      if (name == NULL || !is_persistable (json, i.value))
        continue;
      goes_on = goes_on && !(why != NULL && at == all->size) &&
                take_next (self, net, all, &at, i.value, name, &why);
      if (!goes_on)
        set_lack (self, name, why);
    }
  if (goes_on && at < all->size)
    sym_net_warn (net, SYM_JSON_NONE, "the files of the weights are longer than the weights");
  return TRUE;
}

SymPaddlejsWeights *
sym_paddlejs_weights_new (SymNet *net, guint variables, const SymIoSource *source, GError **error)
{
  g_autoptr (SymPaddlejsWeights) self = g_new0 (SymPaddlejsWeights, 1);
  const SymJson *json = sym_net_get_json (net);
  gboolean has_files = FALSE;

  self->tensors =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_tensor_unref);
  self->lacks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_ref_string_release);
  for (SymJsonIter i = sym_json_iterate (json, variables); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_paddlejs_dup_name (json, i.key, i.value);

      if (name != NULL && sym_paddlejs_is_weight (json, i.value, name) &&
          !take_inline (self, net, i.value, name))
        has_files = has_files || (is_persistable (json, i.value) &&
                                  sym_json_get_member (json, i.value, "data") == SYM_JSON_NONE);
    }
  if (has_files && !take_files (self, net, variables, source, error))
    return NULL;
  if (!has_files && source->weights != NULL)
    sym_net_warn (net, SYM_JSON_NONE,
                  "the chosen weights are not used: no variable of the graph "
                  "has its numbers in a file");
  return g_steal_pointer (&self);
}
