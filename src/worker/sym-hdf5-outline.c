/* SPDX-License-Identifier: MIT */
#include "worker/sym-hdf5.h"

#include "worker/sym-worker-stream.h"

#include <string.h>

/* Arrays lie in the file as they are, one stretch of bytes each, which are left to the client: so
 * no number of it has to come here, nor to be held in memory. */

typedef struct {
  guint64 offset, n_bytes;
} Place;

typedef struct {
  hid_t file;
  hid_t links;    /* makes the groups that lie around what is made */
  hid_t creation; /* of arrays */
  GArray *places; /* of Place, by array */
  char *message;  /* why it cannot be made */
} Outline;

static gboolean
refuse (Outline *self, const char *path, const char *what)
{
  g_autofree char *cause = sym_hdf5_explain (what);

  if (!self->message)
    self->message = g_strdup_printf ("“%s” %s", path, cause);
  return FALSE;
}

/* ---- Arrays ---- */

/* Bytes of the file are taken at once, and nothing is written to them. */
static hid_t
make_creation (void)
{
  hid_t creation = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_layout (creation, H5D_CONTIGUOUS);
  H5Pset_alloc_time (creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time (creation, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times (creation, FALSE);
  return creation;
}

static hid_t
make_links (void)
{
  hid_t links = H5Pcreate (H5P_LINK_CREATE);

  H5Pset_create_intermediate_group (links, 1);
  H5Pset_char_encoding (links, H5T_CSET_UTF8);
  return links;
}

static hid_t
make_space (GVariant *sizes)
{
  hsize_t dims[SYM_HDF5_MAX_RANK];
  gsize rank = g_variant_n_children (sizes);

  if (rank > SYM_HDF5_MAX_RANK)
    return -1;
  for (gsize i = 0; i < rank; i++)
    {
      guint64 size;

      g_variant_get_child (sizes, i, "t", &size);
      dims[i] = size;
    }
  return rank == 0 ? H5Screate (H5S_SCALAR) : H5Screate_simple ((int) rank, dims, NULL);
}

static gboolean
add_array (Outline *self, const char *path, const char *name, GVariant *sizes)
{
  hid_t type = sym_hdf5_make_stored (name);
  hid_t space = type < 0 ? -1 : make_space (sizes);
  hid_t array = space < 0 ? -1
                          : H5Dcreate2 (self->file, path, type, space, self->links, self->creation,
                                        H5P_DEFAULT);
  Place place = { SYM_HDF5_NO_OFFSET, 0 };

  if (array >= 0)
    {
      place.n_bytes = (guint64) H5Sget_simple_extent_npoints (space) * H5Tget_size (type);
      if (place.n_bytes > 0)
        place.offset = H5Dget_offset (array);
      H5Dclose (array);
    }
  if (space >= 0)
    H5Sclose (space);
  if (type >= 0)
    H5Tclose (type);
  g_array_append_val (self->places, place);
  return array >= 0 && (place.n_bytes == 0 || place.offset != HADDR_UNDEF)
             ? TRUE
             : refuse (self, path, "cannot be made");
}

static gboolean
add_arrays (Outline *self, GVariant *arrays)
{
  gsize n = g_variant_n_children (arrays);
  gboolean done = TRUE;

  for (gsize i = 0; i < n && done; i++)
    {
      g_autoptr (GVariant) sizes = NULL;
      const char *path, *type;

      g_variant_get_child (arrays, i, "(&s&s@at)", &path, &type, &sizes);
      done = add_array (self, path, type, sizes);
    }
  return done;
}

/* ---- Attributes ---- */

/* Strings of one length, the longest one's, one after the other. */
static char *
join_texts (char **texts, guint n, gsize *size)
{
  char *all;

  *size = 1;
  for (guint i = 0; i < n; i++)
    *size = MAX (*size, strlen (texts[i]));
  all = g_malloc0 (n * *size + 1);
  for (guint i = 0; i < n; i++)
    memcpy (all + i * *size, texts[i], strlen (texts[i]));
  return all;
}

static hid_t
make_text_type (gsize size)
{
  hid_t type = H5Tcopy (H5T_C_S1);

  H5Tset_size (type, size);
  H5Tset_strpad (type, size == H5T_VARIABLE ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
  H5Tset_cset (type, size == H5T_VARIABLE ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  return type;
}

static gboolean
write_texts (hid_t object, const char *name, SymHdf5Text kind, char **texts)
{
  guint n = g_strv_length (texts);
  hsize_t dims[1] = { n };
  gsize size;
  g_autofree char *all = join_texts (texts, n, &size);
  hid_t type = make_text_type (kind == SYM_HDF5_TEXT ? H5T_VARIABLE : size);
  hid_t space = kind == SYM_HDF5_TEXTS ? H5Screate_simple (1, dims, NULL) : H5Screate (H5S_SCALAR);
  hid_t attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const void *bytes = kind == SYM_HDF5_TEXT ? (const void *) texts : all;
  gboolean done = attribute >= 0 && H5Awrite (attribute, type, bytes) >= 0;

  if (attribute >= 0)
    H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
  return done;
}

/* A group that no array has made is made. */
static hid_t
open_object (Outline *self, const char *path)
{
  hid_t object;

  if (*path == '\0')
    return H5Gopen2 (self->file, "/", H5P_DEFAULT);
  object = H5Oopen (self->file, path, H5P_DEFAULT);
  return object >= 0 ? object
                     : H5Gcreate2 (self->file, path, self->links, H5P_DEFAULT, H5P_DEFAULT);
}

static gboolean
add_attribute (Outline *self, const char *path, const char *name, SymHdf5Text kind, char **texts)
{
  hid_t object = texts[0] == NULL ? -1 : open_object (self, path);
  gboolean done = object >= 0 && write_texts (object, name, kind, texts);

  if (object >= 0)
    H5Oclose (object);
  return done ? TRUE : refuse (self, path, "cannot have its attributes");
}

static gboolean
add_attributes (Outline *self, GVariant *attributes)
{
  gsize n = g_variant_n_children (attributes);
  gboolean done = TRUE;

  for (gsize i = 0; i < n && done; i++)
    {
      g_auto (GStrv) texts = NULL;
      const char *path, *name;
      guint8 kind;

      g_variant_get_child (attributes, i, "(&s&sy^as)", &path, &name, &kind, &texts);
      done = add_attribute (self, path, name, kind, texts);
    }
  return done;
}

/* ---- The image ---- */

static int
compare_places (gconstpointer a, gconstpointer b)
{
  guint64 x = (*(const Place *const *) a)->offset, y = (*(const Place *const *) b)->offset;

  return x < y ? -1 : x > y;
}

/* In the order of the file, those without bytes left out. */
static GPtrArray *
sort_places (const Outline *self)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < self->places->len; i++)
    if (g_array_index (self->places, Place, i).n_bytes > 0)
      g_ptr_array_add (sorted, &g_array_index (self->places, Place, i));
  g_ptr_array_sort (sorted, compare_places);
  return sorted;
}

/* What lies around the arrays; NULL when there is too much of it. */
static GBytes *
copy_rest (const Outline *self, const SymHdf5Image *image)
{
  g_autoptr (GPtrArray) sorted = sort_places (self);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 size = sym_hdf5_image_get_size (image), at = 0, n_rest = size;

  for (guint i = 0; i < sorted->len; i++)
    n_rest -= ((const Place *) sorted->pdata[i])->n_bytes;
  if (n_rest > SYM_HDF5_MAX_IMAGE)
    return NULL;
  for (guint i = 0; i < sorted->len; i++)
    {
      const Place *place = sorted->pdata[i];

      sym_hdf5_image_copy (image, at, place->offset, bytes);
      at = place->offset + place->n_bytes;
    }
  sym_hdf5_image_copy (image, at, size, bytes);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static gboolean
send_image (const Outline *self, const SymHdf5Image *image)
{
  g_autoptr (GBytes) rest = copy_rest (self, image);
  g_autoptr (GVariant) answer = NULL;
  GVariantBuilder offsets;

  if (!rest)
    return sym_worker_fail ("it names more than one file should");
  g_variant_builder_init (&offsets, G_VARIANT_TYPE ("at"));
  for (guint i = 0; i < self->places->len; i++)
    g_variant_builder_add (&offsets, "t", g_array_index (self->places, Place, i).offset);
  answer = g_variant_ref_sink (
      g_variant_new ("(tat@ay)", sym_hdf5_image_get_size (image), &offsets,
                     g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, rest, TRUE)));
  return sym_worker_answer (SYM_HDF5_IMAGE, g_variant_get_data (answer),
                            g_variant_get_size (answer));
}

static gboolean
fill (Outline *self, GVariant *request)
{
  g_autoptr (GVariant) arrays = g_variant_get_child_value (request, 0);
  g_autoptr (GVariant) attributes = g_variant_get_child_value (request, 1);

  return add_arrays (self, arrays) && add_attributes (self, attributes);
}

/* The library has written all when the file is closed. */
static void
make_file (Outline *self, SymHdf5Image *image, GVariant *request)
{
  self->file = sym_hdf5_image_create (image);
  if (self->file < 0)
    {
      self->message = sym_hdf5_explain ("no file can be made");
      return;
    }
  self->links = make_links ();
  self->creation = make_creation ();
  fill (self, request);
  H5Pclose (self->links);
  H5Pclose (self->creation);
  if (H5Fclose (self->file) < 0 && !self->message)
    self->message = sym_hdf5_explain ("it cannot be finished");
}

gboolean
sym_hdf5_send_image (GVariant *outline)
{
  SymHdf5Image *image = sym_hdf5_image_new ();
  Outline self = { .places = g_array_new (FALSE, FALSE, sizeof (Place)) };
  gboolean done;

  make_file (&self, image, outline);
  done = self.message ? sym_worker_fail ("%s", self.message) : send_image (&self, image);
  g_free (self.message);
  g_array_unref (self.places);
  sym_hdf5_image_free (image);
  return done;
}
