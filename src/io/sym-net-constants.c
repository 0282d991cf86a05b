/* SPDX-License-Identifier: MIT */
#include "io/sym-net-constants.h"

#include <string.h>

#include "core/sym-datum.h"
#include "core/sym-element.h"
#include "ops/sym-op.h"
#include "store/sym-store-external.h"

#define MAX_NUMBERS 64

struct _SymNetConstants {
  GHashTable *values; /* key to SymValue */
};

SymNetConstants *
sym_net_constants_new (void)
{
  SymNetConstants *self = g_new0 (SymNetConstants, 1);

  self->values =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_value_unref);
  return self;
}

void
sym_net_constants_free (SymNetConstants *self)
{
  g_hash_table_unref (self->values);
  g_free (self);
}

void
sym_net_constants_add (SymNetConstants *self, const char *key, SymValue *take_value)
{
  if (take_value != NULL)
    g_hash_table_insert (self->values, g_strdup (key), take_value);
}

/* ---- Numbers ---- */

static SymValue *
make_value (const SymArray *array)
{
  gsize n = sym_array_get_n_elements (array);
  gint64 numbers[MAX_NUMBERS];

  if (array->dtype == SYM_DTYPE_BOOL && n == 1)
    return sym_value_new_bool (sym_element_get_int (array->dtype, array->data, 0) != 0);
  if (!sym_dtype_is_integer (array->dtype))
    return n == 1 && sym_dtype_is_floating (array->dtype)
               ? sym_value_new_float (sym_element_get_double (array->dtype, array->data, 0))
               : NULL;
  for (gsize i = 0; i < n; i++)
    numbers[i] = sym_element_get_int (array->dtype, array->data, i);
  return array->shape.rank == 0 ? sym_value_new_int (numbers[0])
                                : sym_value_new_ints (SYM_VALUE_LIST, numbers, (guint) n);
}

SymValue *
sym_net_read_small (SymTensor *tensor)
{
  SymDType dtype = sym_tensor_get_dtype (tensor);
  SymValue *value;
  SymDatum *datum;
  guint64 n;

  if (!sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) || n > MAX_NUMBERS ||
      dtype == SYM_DTYPE_STRING ||
      (dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64 &&
       (n != 1 || sym_dtype_is_integer (dtype))))
    return NULL;
  datum = sym_datum_new_read (tensor, NULL);
  if (datum == NULL)
    return NULL;
  value = make_value (sym_datum_get_array (datum));
  sym_datum_unref (datum);
  return value;
}

/* ---- Attributes ---- */

static const SymAttributeSpec *
find_spec (const SymOperator *op, const char *slot)
{
  for (const SymAttributeSpec *spec = op->attributes; spec != NULL && spec->name != NULL; spec++)
    if (g_ascii_strcasecmp (spec->name, slot) == 0)
      return spec;

  return NULL;
}

void
sym_net_constants_complete (const SymNetConstants *self,
                            const SymOperator *op,
                            const GPtrArray *keys,
                            SymAttributes *attributes)
{
  for (guint i = 0; op != NULL && i < keys->len; i++)
    {
      const char *key = g_ptr_array_index (keys, i);
      const SymSlotSpec *slot = sym_op_get_slot (op, i);
      const SymAttributeSpec *spec = slot == NULL ? NULL : find_spec (op, slot->name);
      SymValue *value =
          key == NULL || spec == NULL ? NULL : g_hash_table_lookup (self->values, key);

      if (value != NULL && sym_attributes_find (attributes, spec->name) == NULL)
        sym_attributes_set (attributes, spec->name, sym_value_ref (value), NULL);
    }
}

/* ---- Files ---- */

static SymBlob *
open_in_archive (const SymIoSource *source, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (source->entry);
  g_autofree char *full =
      g_strcmp0 (folder, ".") == 0 ? g_strdup (path) : g_strconcat (folder, "/", path, NULL);
  int entry = sym_store_archive_find (source->archive, full);

  if (entry >= 0)
    return sym_store_archive_open_entry (source->archive, (guint) entry, error);
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "it is not in the archive");
  return NULL;
}

SymBlob *
sym_net_open_file (const SymIoSource *source, const char *path, GError **error)
{
  g_autofree char *folder = NULL;

  if (source->archive != NULL)
    return open_in_archive (source, path, error);
  folder = source->path == NULL ? NULL : g_path_get_dirname (source->path);
  return sym_store_open_beside (folder, path, error);
}

char *
sym_net_dup_place (const SymIoSource *source)
{
  if (source->archive != NULL)
    return g_strdup (source->entry);
  return source->path == NULL ? NULL : g_canonicalize_filename (source->path, NULL);
}

char *
sym_net_dup_file_name (const SymIoSource *source)
{
  const char *own = source->archive != NULL ? source->entry : source->path;

  return own == NULL ? NULL : g_path_get_basename (own);
}

char *
sym_net_dup_name_beside (const SymIoSource *source, const char *suffix)
{
  g_autofree char *name = sym_net_dup_file_name (source);
  char *dot = name == NULL ? NULL : strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return name == NULL ? NULL : g_strconcat (name, suffix, NULL);
}

gboolean
sym_net_open_weights (const SymIoSource *source, const char *path, SymBlob **blob, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (source->weights == NULL)
    {
      *blob = sym_net_open_file (source, path, NULL);
      return TRUE;
    }
  *blob = sym_store_open_file (source->weights, &cause);
  if (*blob != NULL)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be read: %s",
               cause->message);
  return FALSE;
}
