/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include <string.h>

#define MAX_NAME 256

/* Strings of one length, which may fill it, or end before. */
static gboolean
read_fixed (hid_t attribute, hid_t type, guint64 n, GVariantBuilder *strings, gint64 *left)
{
  gsize size = H5Tget_size (type);
  g_autofree char *bytes = NULL;

  if (size == 0 || n > (guint64) *left / size)
    return FALSE;
  bytes = g_try_malloc (MAX (n * size, 1));
  if (!bytes || H5Aread (attribute, type, bytes) < 0)
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *text =
          g_utf8_make_valid (bytes + i * size, (gssize) strnlen (bytes + i * size, size));

      g_variant_builder_add (strings, "s", text);
      *left -= (gint64) strlen (text) + 8;
    }
  return TRUE;
}

/* Strings that lie elsewhere in the file, each with its own length. */
static gboolean
read_variable (hid_t attribute,
               hid_t type,
               hid_t space,
               guint64 n,
               GVariantBuilder *strings,
               gint64 *left)
{
  g_autofree char **texts = NULL;
  hid_t memory;

  if (n > (guint64) *left / sizeof *texts)
    return FALSE;
  texts = g_try_new0 (char *, MAX (n, 1));
  memory = H5Tcopy (H5T_C_S1);
  H5Tset_size (memory, H5T_VARIABLE);
  H5Tset_cset (memory, H5Tget_cset (type));
  if (!texts || H5Aread (attribute, memory, texts) < 0)
    {
      H5Tclose (memory);
      return FALSE;
    }
  for (guint64 i = 0; i < n && *left >= 0; i++)
    {
      gsize length = texts[i] ? strlen (texts[i]) : 0;

      *left -= (gint64) length + 8;
      if (*left >= 0)
        {
          g_autofree char *text = g_utf8_make_valid (texts[i] ? texts[i] : "", (gssize) length);

          g_variant_builder_add (strings, "s", text);
        }
    }
  H5Dvlen_reclaim (memory, space, H5P_DEFAULT, texts);
  H5Tclose (memory);
  return *left >= 0;
}

/* One string, or a list of them.  What is anything else is no text, and left out. */
static gboolean
add_strings (hid_t attribute,
             hid_t type,
             const char *path,
             const char *name,
             GVariantBuilder *builder,
             gint64 *left)
{
  hid_t space = H5Aget_space (attribute);
  int rank = H5Sget_simple_extent_ndims (space);
  hssize_t n = H5Sget_simple_extent_npoints (space);
  GVariantBuilder strings;
  gboolean fits = TRUE;

  g_variant_builder_init (&strings, G_VARIANT_TYPE ("as"));
  if (n >= 0 && (rank == 0 || rank == 1))
    {
      fits = H5Tis_variable_str (type) > 0
                 ? read_variable (attribute, type, space, (guint64) n, &strings, left)
                 : read_fixed (attribute, type, (guint64) n, &strings, left);
      *left -= (gint64) (strlen (path) + strlen (name) + 24);
    }
  if (fits && *left >= 0 && (rank == 0 || rank == 1))
    g_variant_builder_add (builder, "(ssas)", path, name, &strings);
  else
    g_variant_builder_clear (&strings);
  H5Sclose (space);
  return fits && *left >= 0;
}

static gboolean
add_attribute (hid_t attribute, const char *path, GVariantBuilder *builder, gint64 *left)
{
  hid_t type = H5Aget_type (attribute);
  char name[MAX_NAME];
  ssize_t length = H5Aget_name (attribute, sizeof name, name);
  gboolean fits = TRUE;

  if (length > 0 && length < MAX_NAME && H5Tget_class (type) == H5T_STRING)
    {
      g_autofree char *valid = g_utf8_make_valid (name, -1);

      fits = add_strings (attribute, type, path, valid, builder, left);
    }
  H5Tclose (type);
  return fits;
}

gboolean
sym_hdf5_add_attributes (hid_t object, const char *path, GVariantBuilder *builder, gint64 *left)
{
  H5O_info_t info;
  gboolean fits = TRUE;

  if (H5Oget_info2 (object, &info, H5O_INFO_NUM_ATTRS) < 0)
    return TRUE;
  for (hsize_t i = 0; i < info.num_attrs && fits; i++)
    {
      hid_t attribute =
          H5Aopen_by_idx (object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);

      if (attribute < 0)
        continue;
      fits = add_attribute (attribute, path, builder, left);
      H5Aclose (attribute);
    }
  return fits;
}
