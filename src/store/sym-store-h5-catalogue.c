/* SPDX-License-Identifier: MIT */
#include "store/sym-store-h5-private.h"

#include <string.h>

static void
clear_array (gpointer data)
{
  SymStoreH5Array *array = data;

  g_free (array->path);
  g_free (array->problem);
}

void
sym_store_h5_catalogue_free (SymStoreH5Catalogue *self)
{
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->attributes);
  g_array_unref (self->arrays);
  g_free (self);
}

/* ---- Attributes ---- */

static void
add_attributes (SymStoreH5Catalogue *self, GVariant *list)
{
  const char *path, *name;
  char **values;
  GVariantIter iter;

  g_variant_iter_init (&iter, list);
  while (g_variant_iter_next (&iter, "(&s&s^as)", &path, &name, &values))
    g_hash_table_insert (self->attributes, g_strconcat (path, "\n", name, NULL), values);
}

/* ---- Arrays ---- */

static const struct {
  const char *name;
  SymDType dtype;
} types[] = {
  { "b1", SYM_DTYPE_BOOL },    { "bf16", SYM_DTYPE_BFLOAT16 }, { "f2", SYM_DTYPE_FLOAT16 },
  { "f4", SYM_DTYPE_FLOAT32 }, { "f8", SYM_DTYPE_FLOAT64 },    { "i1", SYM_DTYPE_INT8 },
  { "i2", SYM_DTYPE_INT16 },   { "i4", SYM_DTYPE_INT32 },      { "i8", SYM_DTYPE_INT64 },
  { "u1", SYM_DTYPE_UINT8 },   { "u2", SYM_DTYPE_UINT16 },     { "u4", SYM_DTYPE_UINT32 },
  { "u8", SYM_DTYPE_UINT64 },
};

/* Keras keeps a bfloat16 as two bytes, and says in an attribute what they are. */
const char *
sym_store_h5_name_type (SymDType dtype)
{
  if (dtype == SYM_DTYPE_BFLOAT16)
    return "V2";
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].dtype == dtype)
      return types[i].name;
  return NULL;
}

static SymDType
parse_type (const SymStoreH5Catalogue *self, const SymStoreH5Array *array)
{
  g_autofree char *key = g_strconcat (array->path, "\ndtype", NULL);
  char **named = g_hash_table_lookup (self->attributes, key);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].name, array->type) == 0)
      return types[i].dtype;
  return strcmp (array->type, "V2") == 0 && named != NULL && g_strcmp0 (named[0], "bfloat16") == 0
             ? SYM_DTYPE_BFLOAT16
             : SYM_DTYPE_UNKNOWN;
}

static gboolean
read_shape (GVariant *sizes, SymShape *shape)
{
  gsize rank = g_variant_n_children (sizes);

  *shape = (SymShape){ .rank = (int) MIN (rank, SYM_MAX_RANK) };
  for (int i = 0; i < shape->rank; i++)
    {
      guint64 size;

      g_variant_get_child (sizes, (gsize) i, "t", &size);
      if (size > G_MAXINT64)
        return FALSE;
      shape->dims[i] = (SymDim) size;
    }
  return rank <= SYM_MAX_RANK;
}

/* Why the numbers cannot be had, NULL when they can.  Nothing that is said is taken for granted. */
static char *
find_fault (SymStoreH5Array *array, GVariant *sizes, guint64 stored, guint64 file_size)
{
  guint64 n = 0;

  if (!read_shape (sizes, &array->shape))
    return g_strdup_printf ("it has more than %d axes, or one beyond 2^63", SYM_MAX_RANK);
  if (array->dtype == SYM_DTYPE_UNKNOWN)
    return g_strdup_printf ("its type is not known here (“%s”)", array->type);
  if (!sym_shape_get_n_elements (&array->shape, &n) ||
      !sym_dtype_get_size (array->dtype, n, &array->n_bytes))
    return g_strdup ("it claims more than 2^64 bytes");
  if (array->offset != SYM_HDF5_NO_OFFSET)
    return array->offset > file_size || array->n_bytes > file_size - array->offset
               ? g_strdup_printf ("it claims %" G_GUINT64_FORMAT " bytes at byte %" G_GUINT64_FORMAT
                                  " of a file of %" G_GUINT64_FORMAT,
                                  array->n_bytes, array->offset, file_size)
               : NULL;
  stored = MIN (stored, file_size);
  return sym_hdf5_is_justified (array->n_bytes, stored)
             ? NULL
             : g_strdup_printf ("it claims %" G_GUINT64_FORMAT
                                " bytes, of which the file has %" G_GUINT64_FORMAT,
                                array->n_bytes, stored);
}

static void
add_array (SymStoreH5Catalogue *self, GVariant *child, guint64 file_size)
{
  SymStoreH5Array array = { .offset = 0 };
  const char *path, *type, *problem;
  g_autoptr (GVariant) sizes = NULL;
  guint64 stored;

  g_variant_get (child, "(&st&s@attt&s)", &path, &array.address, &type, &sizes, &array.offset,
                 &stored, &problem);
  array.path = g_strdup (path);
  g_strlcpy (array.type, type, sizeof array.type);
  array.dtype = parse_type (self, &array);
  array.problem =
      *problem != '\0' ? g_strdup (problem) : find_fault (&array, sizes, stored, file_size);
  g_array_append_val (self->arrays, array);
}

static void
add_arrays (SymStoreH5Catalogue *self, GVariant *list, guint64 file_size)
{
  gsize n = g_variant_n_children (list);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

      add_array (self, child, file_size);
    }
  for (guint i = 0; i < self->arrays->len; i++)
    g_hash_table_insert (self->places, g_array_index (self->arrays, SymStoreH5Array, i).path,
                         GUINT_TO_POINTER (i + 1));
}

static void
free_strings (gpointer strings)
{
  g_strfreev (strings);
}

SymStoreH5Catalogue *
sym_store_h5_catalogue_parse (GBytes *bytes, guint64 file_size)
{
  g_autoptr (GVariant) all = g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (SYM_HDF5_CATALOGUE_TYPE), bytes, FALSE));
  g_autoptr (GVariant) arrays = NULL;
  g_autoptr (GVariant) attributes = NULL;
  SymStoreH5Catalogue *self;

  if (g_bytes_get_size (bytes) > sym_hdf5_get_max_catalogue (file_size) ||
      !g_variant_is_normal_form (all))
    return NULL;
  self = g_new0 (SymStoreH5Catalogue, 1);
  self->arrays = g_array_new (FALSE, FALSE, sizeof (SymStoreH5Array));
  g_array_set_clear_func (self->arrays, clear_array);
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  self->attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_strings);
  arrays = g_variant_get_child_value (all, 0);
  attributes = g_variant_get_child_value (all, 1);
  add_attributes (self, attributes);
  add_arrays (self, arrays, file_size);
  return self;
}

gboolean
sym_store_h5_catalogue_needs_process (const SymStoreH5Catalogue *self)
{
  for (guint i = 0; i < self->arrays->len; i++)
    {
      const SymStoreH5Array *array = &g_array_index (self->arrays, SymStoreH5Array, i);

      if (array->problem == NULL && array->offset == SYM_HDF5_NO_OFFSET)
        return TRUE;
    }
  return FALSE;
}
