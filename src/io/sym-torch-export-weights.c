/* SPDX-License-Identifier: MIT */
#include "io/sym-torch-export-private.h"

#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-json-private.h"
#include "io/sym-net-constants.h"
#include "store/sym-store-external.h"
#include "store/sym-store-strided.h"
#include "store/sym-store-torch.h"

#define STATE_DICT "serialized_state_dict.pt"

/* ---- Types ---- */

SymDType
sym_torch_export_read_dtype (const SymJson *json, guint token)
{
  static const SymDType table[] = {
    [1] = SYM_DTYPE_UINT8,           [2] = SYM_DTYPE_INT8,
    [3] = SYM_DTYPE_INT16,           [4] = SYM_DTYPE_INT32,
    [5] = SYM_DTYPE_INT64,           [6] = SYM_DTYPE_FLOAT16,
    [7] = SYM_DTYPE_FLOAT32,         [8] = SYM_DTYPE_FLOAT64,
    [10] = SYM_DTYPE_COMPLEX64,      [11] = SYM_DTYPE_COMPLEX128,
    [12] = SYM_DTYPE_BOOL,           [13] = SYM_DTYPE_BFLOAT16,
    [28] = SYM_DTYPE_UINT16,         [29] = SYM_DTYPE_FLOAT8E4M3FN,
    [30] = SYM_DTYPE_FLOAT8E5M2,     [31] = SYM_DTYPE_FLOAT8E4M3FNUZ,
    [32] = SYM_DTYPE_FLOAT8E5M2FNUZ,
  };
  gint64 number = -1;

  sym_json_get_int (json, token, &number);
  return number >= 0 && number < (gint64) G_N_ELEMENTS (table) ? table[number] : SYM_DTYPE_UNKNOWN;
}

/* A size: {"as_int": 3}, {"as_expr": {"expr_str": "s0"}} or "as_sym". */
static SymDim
read_dim (const SymJson *json, guint token, SymTerms *terms)
{
  guint expression = sym_json_get_member (json, token, "as_expr");
  g_autofree char *text =
      sym_json_dup_string (json, sym_json_get_member (json, expression, "expr_str"));
  gint64 number = -1;
  SymDim dim;

  if (text == NULL)
    text = sym_json_dup_string (json, sym_json_get_member (json, token, "as_sym"));
  if (sym_json_get_int (json, sym_json_get_member (json, token, "as_int"), &number) && number >= 0)
    return number;
  if (text != NULL && terms != NULL && sym_terms_parse (terms, text, &dim))
    return dim;
  return SYM_DIM_UNKNOWN;
}

SymType
sym_torch_export_read_type (const SymJson *json, guint meta, SymTerms *terms)
{
  guint sizes = sym_json_get_member (json, meta, "sizes");
  SymShape shape = { .rank = 0 };

  for (SymJsonIter i = sym_json_iterate (json, sizes); sym_json_iter_next (json, &i);)
    {
      if (shape.rank == SYM_MAX_RANK)
        {
          shape = SYM_SHAPE_UNKNOWN;
          break;
        }
      shape.dims[shape.rank++] = read_dim (json, i.value, terms);
    }
  if (sym_json_get_kind (json, sizes) != SYM_JSON_ARRAY)
    shape = SYM_SHAPE_UNKNOWN;
  return sym_type_tensor (
      sym_torch_export_read_dtype (json, sym_json_get_member (json, meta, "dtype")), shape);
}

/* ---- Files ---- */

static SymBlob *
open_file (const SymTorchWeights *self, const char *path, GError **error)
{
  g_autofree char *full = NULL;
  int entry;

  if (self->archive == NULL)
    return sym_store_open_beside (self->folder, path, error);
  full = self->folder[0] == '\0' ? g_strdup (path) : g_strconcat (self->folder, "/", path, NULL);
  entry = sym_store_archive_find (self->archive, full);
  if (entry >= 0)
    return sym_store_archive_open_entry (self->archive, (guint) entry, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "'%s' is not in the archive", full);
  return NULL;
}

static void
warn_of_lack (SymProblems *problems, const char *message)
{
  sym_problems_add_lack (problems, SYM_SEVERITY_WARNING, 0, "%s", message);
}

static char *
explain (const char *name, const char *reason)
{
  return g_strdup_printf ("the numbers of '%s' cannot be read: %s", name, reason);
}

/* Every tensor has a file of its own: without that folder, all of them are. */
static gboolean
is_missing (const GError *cause)
{
  return cause->domain == SYM_STORE_ERROR ||
         g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
}

static gboolean
read_number (const SymJson *json, guint token, gint64 *number)
{
  return sym_json_get_int (json, sym_json_get_member (json, token, "as_int"), number);
}

/* Of axes of one element, and of tensors of none, they do not matter. */
static gboolean
read_strides (const SymJson *json, guint meta, const SymShape *shape, gint64 *strides)
{
  guint list = sym_json_get_member (json, meta, "strides");

  for (int i = 0; i < shape->rank; i++)
    {
      strides[i] = 0;
      if (!read_number (json, sym_json_get_element (json, list, (guint) i), &strides[i]) &&
          shape->dims[i] > 1)
        return FALSE;
    }
  return TRUE;
}

/* {"path_name": "weight_0", "use_pickle": false, "tensor_meta": {...}} */
static SymTensor *
read_tensor (const SymTorchWeights *self,
             const SymJson *json,
             guint entry,
             const char *folder,
             GError **error)
{
  guint meta = sym_json_get_member (json, entry, "tensor_meta");
  g_autofree char *file =
      sym_json_dup_string (json, sym_json_get_member (json, entry, "path_name"));
  g_autofree char *path = file == NULL ? NULL : g_strconcat (folder, "/", file, NULL);
  SymType type = sym_torch_export_read_type (json, meta, NULL);
  gint64 strides[SYM_MAX_RANK], offset = 0;
  g_autoptr (SymBlob) blob = NULL;
  gboolean is_pickle = FALSE;

  sym_json_get_bool (json, sym_json_get_member (json, entry, "use_pickle"), &is_pickle);
  read_number (json, sym_json_get_member (json, meta, "storage_offset"), &offset);
  if (path == NULL || is_pickle || type.dtype == SYM_DTYPE_UNKNOWN ||
      !sym_shape_is_known (&type.shape) || !read_strides (json, meta, &type.shape, strides))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED, "%s",
                   is_pickle ? "they are a pickle"
                             : "their file, dtype, sizes or strides are not known");
      return NULL;
    }
  blob = open_file (self, path, error);
  return blob == NULL
             ? NULL
             : sym_store_open_strided (type.dtype, &type.shape, strides, offset, blob, error);
}

static SymJson *
read_json (SymBlob *blob, const SymIoSource *source, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) all = NULL;

  if (blob->size > (16 << 20))
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT, "it has more than 16 MiB");
      return NULL;
    }
  bytes = g_malloc ((gsize) blob->size + 1);
  if (!sym_blob_read (blob, 0, blob->size, bytes, error))
    return NULL;
  all = g_bytes_new_take (g_steal_pointer (&bytes), (gsize) blob->size);
  return sym_json_parse_bounded (all, SYM_JSON_MAX_VALUES, NULL, source->cancellable, error);
}

static void
add_tensors (SymTorchWeights *self, const SymJson *json, const char *folder)
{
  guint n_missing = 0;

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, 0, "config"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      g_autoptr (GError) cause = NULL;
      SymTensor *tensor = name == NULL ? NULL : read_tensor (self, json, i.value, folder, &cause);

      if (tensor != NULL)
        g_hash_table_insert (self->tensors, g_steal_pointer (&name), tensor);
      else if (name != NULL)
        {
          char *lack = explain (name, cause->message);

          if (!is_missing (cause) || n_missing++ == 0)
            warn_of_lack (self->source->problems, lack);
          g_hash_table_insert (self->lacks, g_steal_pointer (&name), lack);
        }
    }
  if (n_missing > 1)
    sym_problems_add (self->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "%u more files of numbers are missing, too", n_missing - 1);
}

/* Which way round the bytes are, where an archive tells it. */
static gboolean
check_order (const SymTorchWeights *self, GError **error)
{
  g_autoptr (SymBlob) blob = open_file (self, "byteorder", NULL);
  char order[4] = "";

  if (blob == NULL || !sym_blob_read (blob, 0, MIN (blob->size, sizeof order - 1), order, NULL) ||
      strcmp (order, "big") != 0)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "its numbers are big-endian, which is not read");
  return FALSE;
}

/* Of a graph alone nobody expects weights. */
static gboolean
expects_list (const SymTorchWeights *self, const char *what)
{
  g_autofree char *folder = g_build_filename (self->folder, "data", what, NULL);

  return strcmp (what, "weights") == 0 &&
         (self->archive != NULL || g_file_test (folder, G_FILE_TEST_IS_DIR));
}

gboolean
sym_torch_weights_add_listed (SymTorchWeights *self, const char *what, GError **error)
{
  g_autofree char *folder = g_strconcat ("data/", what, NULL);
  g_autofree char *path = g_strdup_printf ("%s/%s_%s_config.json", folder, self->stem, what);
  g_autoptr (GError) absence = NULL;
  g_autoptr (SymBlob) blob = open_file (self, path, &absence);
  g_autoptr (SymJson) json = NULL;

  if (blob == NULL && self->no_list == NULL && expects_list (self, what))
    self->no_list = g_strdup (absence->message);
  if (blob == NULL)
    return TRUE;
  if (!check_order (self, error))
    return FALSE;
  json = read_json (blob, self->source, error);
  if (json == NULL)
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  add_tensors (self, json, folder);
  if (self->list == NULL && strcmp (what, "weights") == 0)
    {
      self->list = g_path_get_basename (path);
      self->not_listed = g_strdup_printf ("there is none of that name in '%s'", self->list);
    }
  return TRUE;
}

/* "linear/models/model.json" is within linear, and its stem is model. */
gboolean
sym_torch_weights_find_place (SymTorchWeights *self)
{
  g_autofree char *path = sym_net_dup_place (self->source);
  g_autofree char *models = path == NULL ? NULL : g_path_get_dirname (path);
  g_autofree char *folder = models == NULL ? NULL : g_path_get_basename (models);
  g_autofree char *file = path == NULL ? NULL : g_path_get_basename (path);

  if (path == NULL || strcmp (folder, "models") != 0 || !g_str_has_suffix (file, ".json"))
    return FALSE;
  self->stem = g_strndup (file, strlen (file) - strlen (".json"));
  self->folder = g_path_get_dirname (models);
  if (self->source->archive != NULL && strcmp (self->folder, ".") == 0)
    self->folder[0] = '\0';
  if (self->source->archive != NULL)
    self->archive = sym_store_archive_ref (self->source->archive);
  return TRUE;
}

/* ---- Older archives ---- */

void
sym_torch_weights_add_named (SymTorchWeights *self, const SymStoreTensors *tensors)
{
  const char *const *skipped = sym_store_tensors_get_skipped (tensors);

  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    g_hash_table_replace (self->tensors, g_strdup (sym_store_tensors_get_name (tensors, i)),
                          sym_tensor_ref (sym_store_tensors_get (tensors, i)));
  for (guint i = 0; skipped[i] != NULL; i++)
    sym_problems_add (self->source->problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID, "%s",
                      skipped[i]);
}

gboolean
sym_torch_weights_has_pickle (const SymStoreArchive *archive)
{
  return sym_store_archive_find (archive, STATE_DICT) >= 0;
}

static gboolean
add_saved (SymTorchWeights *self, SymStoreArchive *archive, const char *name, GError **error)
{
  int entry = sym_store_archive_find (archive, name);
  g_autoptr (SymBlob) blob =
      entry < 0 ? NULL : sym_store_archive_open_entry (archive, (guint) entry, error);
  g_autoptr (SymStoreArchive) saved =
      blob == NULL ? NULL : sym_store_archive_open (blob, name, self->source->cancellable, error);
  g_autoptr (SymStoreTensors) tensors =
      saved == NULL ? NULL : sym_store_read_torch (saved, name, self->source->cancellable, error);

  if (tensors != NULL)
    sym_torch_weights_add_named (self, tensors);
  return tensors != NULL;
}

/* The constants are often none, which is no dictionary of tensors. */
gboolean
sym_torch_weights_add_pickle (SymTorchWeights *self, SymStoreArchive *archive, GError **error)
{
  if (!add_saved (self, archive, STATE_DICT, error))
    return FALSE;
  add_saved (self, archive, "serialized_constants.pt", NULL);
  return TRUE;
}

static void
open_around (SymTorchWeights *self)
{
  static const char *const what[] = { "weights", "constants" };
  SymStoreArchive *archive = self->source->archive;
  g_autoptr (GError) cause = NULL;

  if (sym_torch_weights_find_place (self))
    for (guint i = 0; i < G_N_ELEMENTS (what); i++)
      {
        g_autoptr (GError) error = NULL;

        if (!sym_torch_weights_add_listed (self, what[i], &error))
          {
            g_autofree char *message = explain (what[i], error->message);

            warn_of_lack (self->source->problems, message);
          }
      }
  else if (archive != NULL && sym_torch_weights_has_pickle (archive) &&
           !sym_torch_weights_add_pickle (self, archive, &cause))
    {
      g_autofree char *message = g_strdup_printf ("the weights cannot be read: %s", cause->message);

      warn_of_lack (self->source->problems, message);
    }
}

SymTorchWeights *
sym_torch_weights_open (const SymIoSource *source, GError **error)
{
  g_autoptr (SymTorchWeights) self = g_new0 (SymTorchWeights, 1);

  self->source = source;
  self->tensors =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_tensor_unref);
  self->lacks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (source->weights != NULL)
    {
      g_autofree char *file = g_path_get_basename (source->weights);

      self->not_chosen = g_strdup_printf ("there is none of that name in '%s'", file);
    }
  if (source->weights == NULL)
    open_around (self);
  else if (!sym_torch_weights_choose (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
sym_torch_weights_free (SymTorchWeights *self)
{
  g_hash_table_unref (self->tensors);
  g_hash_table_unref (self->lacks);
  g_free (self->not_chosen);
  g_clear_pointer (&self->archive, sym_store_archive_unref);
  g_free (self->folder);
  g_free (self->stem);
  g_free (self->missing);
  g_free (self->no_list);
  g_free (self->list);
  g_free (self->not_listed);
  g_free (self);
}

SymTensor *
sym_torch_weights_find (SymTorchWeights *self, const char *name)
{
  SymTensor *tensor = g_hash_table_lookup (self->tensors, name);

  if (tensor == NULL && !g_hash_table_contains (self->lacks, name) && self->n_missing++ == 0)
    self->missing = g_strdup (name);
  return tensor;
}

const char *
sym_torch_weights_get_lack (const SymTorchWeights *self, const char *name)
{
  const char *own = g_hash_table_lookup (self->lacks, name);

  if (g_hash_table_contains (self->tensors, name))
    return NULL;
  if (own != NULL || self->not_chosen != NULL)
    return own != NULL ? own : self->not_chosen;
  return self->no_list != NULL ? self->no_list : self->not_listed;
}

static char *
name_missing (const SymTorchWeights *self)
{
  return self->n_missing == 1 ? g_strdup_printf ("the numbers of '%s' are", self->missing)
                              : g_strdup_printf ("the numbers of '%s' and %u more are",
                                                 self->missing, self->n_missing - 1);
}

void
sym_torch_weights_tell_missing (const SymTorchWeights *self, SymProblems *problems)
{
  g_autofree char *file =
      self->source->weights == NULL ? NULL : g_path_get_basename (self->source->weights);
  g_autofree char *names = self->n_missing == 0 ? NULL : name_missing (self);
  g_autofree char *message = NULL;

  if (names == NULL || (file == NULL && self->no_list == NULL && self->list == NULL))
    return;
  if (file != NULL || self->no_list == NULL)
    message = g_strdup_printf ("%s not in '%s'", names, file != NULL ? file : self->list);
  else
    message = g_strdup_printf ("%s missing: %s", names, self->no_list);
  warn_of_lack (problems, message);
}
