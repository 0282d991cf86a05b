/* SPDX-License-Identifier: MIT */
#include "io/sym-numbers-private.h"

#include <string.h>

#include "core/sym-datum.h"
#include "io/sym-io-private.h"
#include "io/sym-json-private.h"
#include "store/sym-store.h"

/* ---- Numbers of a node ---- */

/* The elements of all of @lists, which must be as many each; FALSE when they are not. */
static gboolean
descend (const SymJson *json, GArray **lists, guint *n_each)
{
  g_autoptr (GArray) inner = g_array_new (FALSE, FALSE, sizeof (guint));

  *n_each = sym_json_count (json, g_array_index (*lists, guint, 0));
  for (guint i = 0; i < (*lists)->len; i++)
    {
      guint list = g_array_index (*lists, guint, i);

      if (sym_json_get_kind (json, list) != SYM_JSON_ARRAY ||
          sym_json_count (json, list) != *n_each)
        return FALSE;
      for (SymJsonIter k = sym_json_iterate (json, list); sym_json_iter_next (json, &k);)
        g_array_append_val (inner, k.value);
    }
  g_array_unref (*lists);
  *lists = g_steal_pointer (&inner);
  return TRUE;
}

/* All numbers in order, and their shape; NULL when it is something else. */
static GArray *
list_numbers (const SymJson *json, guint value, SymShape *shape)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  guint n;

  *shape = SYM_SHAPE ();
  g_array_append_val (items, value);
  while (items->len > 0 &&
         sym_json_get_kind (json, g_array_index (items, guint, 0)) == SYM_JSON_ARRAY)
    {
      if (shape->rank == SYM_MAX_RANK || !descend (json, &items, &n))
        return NULL;
      shape->dims[shape->rank++] = n;
    }
  for (guint i = 0; i < items->len; i++)
    {
      double number;

      if (!sym_json_get_double (json, g_array_index (items, guint, i), &number))
        return NULL;
      g_array_append_val (numbers, number);
    }
  return g_steal_pointer (&numbers);
}

static gboolean
add_node (SymNumbers *self, const SymJson *json, const char *name, guint value, GError **error)
{
  SymShape shape;
  g_autoptr (GArray) numbers = list_numbers (json, value, &shape);

  if (numbers == NULL)
    {
      sym_numbers_skip (self, "“%s” has no numbers in lists of the same length", name);
      return TRUE;
    }
  SymArray array = { SYM_DTYPE_FLOAT64, shape, numbers->data };
  SymTensor *tensor = sym_tensor_new_copy (&array, error);

  if (tensor == NULL)
    return FALSE;
  sym_numbers_add (self, name, tensor);
  return TRUE;
}

/* ---- Node data ---- */

static gboolean
read_results (SymNumbers *self, const SymJson *json, guint results, GError **error)
{
  for (SymJsonIter i = sym_json_iterate (json, results); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);

      if (name != NULL &&
          !add_node (self, json, name, sym_json_get_member (json, i.value, "value"), error))
        return FALSE;
    }
  return TRUE;
}

/* The results at the top, or of each graph; @is_any tells whether there are such. */
static gboolean
read_node_data (SymNumbers *self, const SymJson *json, gboolean *is_any, GError **error)
{
  guint results = sym_json_get_member (json, 0, "results");

  self->has_dtypes = FALSE;
  *is_any = sym_json_get_kind (json, results) == SYM_JSON_OBJECT;
  if (*is_any)
    return read_results (self, json, results, error);
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      results = sym_json_get_member (json, i.value, "results");
      if (sym_json_get_kind (json, results) != SYM_JSON_OBJECT)
        continue;
      *is_any = TRUE;
      if (!read_results (self, json, results, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Manifests ---- */

/* A file beside the manifest, never one elsewhere; NULL when it is none. */
static char *
find_beside (const SymJson *json, guint value, const char *manifest)
{
  g_autofree char *file = sym_json_dup_string (json, value);
  g_autofree char *folder = g_path_get_dirname (manifest);

  return file != NULL && g_str_has_suffix (file, ".npy") && strchr (file, '/') == NULL
             ? g_build_filename (folder, file, NULL)
             : NULL;
}

static gboolean
is_manifest (const SymJson *json, const char *path)
{
  gboolean is_any = FALSE;

  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      g_autofree char *file = find_beside (json, i.value, path);

      if (file == NULL && sym_json_get_kind (json, i.value) != SYM_JSON_ARRAY)
        return FALSE;
      is_any |= file != NULL;
    }
  return is_any;
}

static gboolean
read_manifest (SymNumbers *self,
               const SymJson *json,
               const char *path,
               GCancellable *cancellable,
               GError **error)
{
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.key);
      g_autofree char *file = find_beside (json, i.value, path);

      if (file == NULL)
        sym_numbers_skip (self, "“%s” is a list of arrays", name);
      else if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
               !sym_numbers_add_npy (self, name, file, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- The whole ---- */

/* Most JSON is a graph, and large: what has none of these words is not parsed. */
static gboolean
may_be (GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  return text != NULL && (memmem (text, size, "\"results\"", 9) != NULL ||
                          memmem (text, size, ".npy\"", 5) != NULL);
}

static gboolean
read_document (SymNumbers *self,
               const SymJson *json,
               const char *path,
               GCancellable *cancellable,
               GError **error)
{
  gboolean is_any;

  if (sym_json_get_kind (json, 0) != SYM_JSON_OBJECT)
    return sym_numbers_refuse (path, error);
  if (is_manifest (json, path))
    return read_manifest (self, json, path, cancellable, error);
  if (!read_node_data (self, json, &is_any, error))
    return FALSE;
  return is_any || sym_numbers_refuse (path, error);
}

/* Nothing else is worth reading, and it may be a model of many gigabytes. */
static gboolean
look_for_object (const guint8 *start, gsize size, GError **error)
{
  gsize i = 0;

  while (i < size && g_ascii_isspace (start[i]))
    i++;
  if (i < size && start[i] == '{')
    return TRUE;
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED, "no object of JSON");
  return FALSE;
}

/* NULL without an error for what is none of ours. */
static SymJson *
read_json (const char *path, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;
  g_autoptr (GBytes) bytes =
      sym_store_read_all (path, SYM_IO_MAX_GRAPH_SIZE, look_for_object, cancellable, &cause);
  SymJson *json = NULL;

  if (bytes != NULL && may_be (bytes))
    json = sym_json_parse_bounded (bytes, SYM_JSON_MAX_VALUES, NULL, cancellable, &cause);
  if (g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED) ||
      g_error_matches (cause, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX))
    g_clear_error (&cause); /* the reader of graphs tells of it */
  if (cause != NULL)
    g_propagate_error (error, cause);
  return json;
}

gboolean
sym_numbers_read_json (SymNumbers *self,
                       const char *path,
                       GCancellable *cancellable,
                       GError **error)
{
  GError *cause = NULL;
  g_autoptr (SymJson) json = read_json (path, cancellable, &cause);

  if (cause != NULL)
    {
      g_propagate_error (error, cause);
      return FALSE;
    }
  return json != NULL ? read_document (self, json, path, cancellable, error)
                      : sym_numbers_refuse (path, error);
}
