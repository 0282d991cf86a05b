/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include <string.h>

/* A walk over all that hard links lead to.  Links to other files, and by name, are left alone: no
 * file but the one that was given is ever opened. */
typedef struct {
  hid_t file;
  GPtrArray *waiting; /* of Place: groups, the next one last */
  GHashTable *seen;   /* addresses of groups, which may lie in each other */
  GVariantBuilder arrays, attributes;
  gint64 left; /* bytes that the catalogue may still grow by */
} Walk;

typedef struct {
  guint64 address;
  char *path;
} Place;

static void
free_place (gpointer data)
{
  Place *place = data;

  g_free (place->path);
  g_free (place);
}

static void
push (Walk *self, haddr_t address, char *take_path)
{
  guint64 key = address;
  Place *place;

  if (g_hash_table_contains (self->seen, &key))
    {
      g_free (take_path);
      return;
    }
  g_hash_table_add (self->seen, g_memdup2 (&key, sizeof key));
  place = g_new (Place, 1);
  place->address = key;
  place->path = take_path;
  g_ptr_array_add (self->waiting, place);
}

/* ---- Arrays ---- */

static gboolean
has_filters (hid_t creation, char **problem)
{
  int n = H5Pget_nfilters (creation);

  for (int i = 0; i < n; i++)
    {
      unsigned flags = 0, configuration = 0;
      size_t n_values = 0;
      char name[64] = "";
      H5Z_filter_t filter = H5Pget_filter2 (creation, (unsigned) i, &flags, &n_values, NULL,
                                            sizeof name, name, &configuration);

      if (!*problem && (filter < 0 || H5Zfilter_avail (filter) <= 0))
        *problem = g_strdup_printf ("it is packed by filter %d, which is not known here", filter);
    }
  return n != 0;
}

/* Where the bytes lie as they are; NO_OFFSET when they have to be made. */
static guint64
find_offset (hid_t array, hid_t creation, hid_t type, const char *name, char **problem)
{
  H5D_layout_t layout = H5Pget_layout (creation);
  gboolean is_packed = has_filters (creation, problem);
  guint64 offset = SYM_HDF5_NO_OFFSET;
  hid_t memory;

  if (H5Pget_external_count (creation) != 0 || layout == H5D_VIRTUAL)
    {
      g_free (*problem);
      *problem = g_strdup ("its numbers lie in other files");
      return offset;
    }
  memory = sym_hdf5_make_type (name, type);
  if (layout == H5D_CONTIGUOUS && !is_packed && memory >= 0 && H5Tequal (memory, type) > 0)
    {
      haddr_t address = H5Dget_offset (array);

      if (address != HADDR_UNDEF)
        offset = address;
    }
  if (memory >= 0)
    H5Tclose (memory);
  return offset;
}

static gboolean
add_sizes (hid_t array, GVariantBuilder *sizes)
{
  hid_t space = H5Dget_space (array);
  int rank = H5Sget_simple_extent_ndims (space);
  hsize_t dims[SYM_HDF5_MAX_RANK];
  gboolean is_simple = rank >= 0 && rank <= SYM_HDF5_MAX_RANK &&
                       H5Sget_simple_extent_type (space) != H5S_NULL &&
                       H5Sget_simple_extent_dims (space, dims, NULL) >= 0;

  for (int i = 0; is_simple && i < rank; i++)
    g_variant_builder_add (sizes, "t", (guint64) dims[i]);
  H5Sclose (space);
  return is_simple;
}

static void
add_array (Walk *self, hid_t array, guint64 address, const char *path)
{
  hid_t type = H5Dget_type (array);
  hid_t creation = H5Dget_create_plist (array);
  const char *name = sym_hdf5_name_type (type);
  g_autofree char *problem = NULL;
  guint64 offset = find_offset (array, creation, type, name, &problem);
  GVariantBuilder sizes;

  g_variant_builder_init (&sizes, G_VARIANT_TYPE ("at"));
  if (!add_sizes (array, &sizes) && !problem)
    problem = g_strdup ("it has no sizes");
  if (*name == '\0' && !problem)
    problem = g_strdup ("it holds no numbers");
  g_variant_builder_add (&self->arrays, "(stsattts)", path, address, name, &sizes, offset,
                         (guint64) H5Dget_storage_size (array), problem ? problem : "");
  self->left -= (gint64) strlen (path) + 256;
  H5Pclose (creation);
  H5Tclose (type);
}

/* ---- Groups ---- */

static char *
join (const char *path, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  return *path == '\0' ? g_steal_pointer (&valid) : g_strconcat (path, "/", valid, NULL);
}

typedef struct {
  Walk *walk;
  const char *path;
} Visit;

static herr_t
visit_link (hid_t group, const char *name, const H5L_info_t *link, void *data)
{
  const Visit *visit = data;
  Walk *self = visit->walk;
  g_autofree char *path = NULL;
  H5I_type_t kind;
  hid_t object;

  if (link->type != H5L_TYPE_HARD)
    return 0;
  path = join (visit->path, name);
  object = strlen (path) > SYM_HDF5_MAX_PATH ? -1 : H5Oopen_by_addr (self->file, link->u.address);
  if (object < 0)
    return 0;
  kind = H5Iget_type (object);
  if (kind == H5I_DATASET)
    {
      add_array (self, object, link->u.address, path);
      sym_hdf5_add_attributes (object, path, &self->attributes, &self->left);
    }
  H5Oclose (object);
  self->left -= (gint64) strlen (path);
  if (kind == H5I_GROUP)
    push (self, link->u.address, g_steal_pointer (&path));
  return self->left < 0 ? -1 : 0;
}

static void
visit_group (Walk *self, const Place *place)
{
  Visit visit = { self, place->path };
  hid_t group = H5Oopen_by_addr (self->file, place->address);
  hsize_t from = 0;

  if (group < 0)
    return;
  if (sym_hdf5_add_attributes (group, place->path, &self->attributes, &self->left))
    H5Literate (group, H5_INDEX_NAME, H5_ITER_INC, &from, visit_link, &visit);
  else
    self->left = -1;
  H5Oclose (group);
}

GVariant *
sym_hdf5_list (hid_t file, guint64 file_size, char **message)
{
  Walk self = { .file = file, .left = (gint64) sym_hdf5_get_max_catalogue (file_size) };
  GVariant *catalogue;
  H5O_info_t info;

  if (H5Oget_info2 (file, &info, H5O_INFO_BASIC) < 0)
    {
      *message = sym_hdf5_explain ("its root cannot be read");
      return NULL;
    }
  self.waiting = g_ptr_array_new_with_free_func (free_place);
  self.seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_variant_builder_init (&self.arrays, G_VARIANT_TYPE ("a(stsattts)"));
  g_variant_builder_init (&self.attributes, G_VARIANT_TYPE ("a(ssas)"));
  push (&self, info.addr, g_strdup (""));
  while (self.waiting->len > 0 && self.left >= 0)
    {
      Place *place = g_ptr_array_steal_index (self.waiting, self.waiting->len - 1);

      visit_group (&self, place);
      free_place (place);
    }
  catalogue =
      g_variant_ref_sink (g_variant_new (SYM_HDF5_CATALOGUE_TYPE, &self.arrays, &self.attributes));
  g_ptr_array_unref (self.waiting);
  g_hash_table_unref (self.seen);
  if (self.left >= 0)
    return catalogue;
  g_variant_unref (catalogue);
  *message = g_strdup ("it names more than a file of its size should");
  return NULL;
}
