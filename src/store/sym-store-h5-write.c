/* SPDX-License-Identifier: MIT */
#include "store/sym-store-h5-private.h"

#include <string.h>

/* The process is told what there is to be, and says where each array begins and what lies around
 * them; the numbers go from their tensors to the file. */

typedef struct {
  SymTensor *tensor;
  guint64 offset;
  guint64 n_before; /* bytes of arrays before this one */
} Place;

gboolean
sym_store_h5_takes (SymDType dtype)
{
  return sym_store_h5_name_type (dtype) != NULL;
}

/* ---- What there is to be ---- */

static void
add_text (GVariantBuilder *builder,
          const char *path,
          const char *name,
          SymStoreH5Kind kind,
          const char *const *texts)
{
  static const SymHdf5Text kinds[] = {
    [SYM_STORE_H5_TEXT] = SYM_HDF5_TEXT,
    [SYM_STORE_H5_BYTES] = SYM_HDF5_BYTES,
    [SYM_STORE_H5_TEXTS] = SYM_HDF5_TEXTS,
  };

  g_variant_builder_add (builder, "(ssy^as)", path, name, (guint8) kinds[kind], texts);
}

static void
add_array (GVariantBuilder *arrays, GVariantBuilder *texts, const char *name, SymTensor *tensor)
{
  static const char *const brain[] = { "bfloat16", NULL };
  const SymShape *shape = sym_tensor_get_shape (tensor);
  SymDType dtype = sym_tensor_get_dtype (tensor);
  GVariantBuilder sizes;

  g_variant_builder_init (&sizes, G_VARIANT_TYPE ("at"));
  for (int i = 0; i < shape->rank; i++)
    g_variant_builder_add (&sizes, "t", (guint64) shape->dims[i]);
  g_variant_builder_add (arrays, "(ssat)", name, sym_store_h5_name_type (dtype), &sizes);
  if (dtype == SYM_DTYPE_BFLOAT16)
    add_text (texts, name, "dtype", SYM_STORE_H5_TEXT, brain);
}

static GVariant *
make_outline (const char *const *names,
              SymTensor *const *tensors,
              guint n,
              const SymStoreH5Text *texts,
              guint n_texts)
{
  GVariantBuilder arrays, attributes;

  g_variant_builder_init (&arrays, G_VARIANT_TYPE ("a(ssat)"));
  g_variant_builder_init (&attributes, G_VARIANT_TYPE ("a(ssyas)"));
  for (guint i = 0; i < n; i++)
    add_array (&arrays, &attributes, names[i], tensors[i]);
  for (guint i = 0; i < n_texts; i++)
    add_text (&attributes, texts[i].path, texts[i].name, texts[i].kind,
              (const char *const *) texts[i].texts);
  return g_variant_ref_sink (g_variant_new (SYM_HDF5_OUTLINE_TYPE, &arrays, &attributes));
}

static gboolean
check_arrays (const char *path,
              const char *const *names,
              SymTensor *const *tensors,
              guint n,
              GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      SymDType dtype = sym_tensor_get_dtype (tensors[i]);

      if (!sym_store_h5_takes (dtype))
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: HDF5 has no dtype %s, which “%s” has",
                               sym_dtype_to_string (dtype), names[i]);
      if (strlen (names[i]) > SYM_HDF5_MAX_PATH)
        return sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                               "cannot be written: “%.64s...” is longer than any name here",
                               names[i]);
    }
  return TRUE;
}

/* ---- What the process says ---- */

static GBytes *
ask (const char *path, GVariant *outline, GError **error)
{
  GCancellable *cancellable = g_cancellable_get_current ();
  GError *cause = NULL;
  g_autoptr (SymChild) child = NULL;
  GBytes *image = NULL;

  if (g_variant_get_size (outline) > SYM_HDF5_MAX_OUTLINE)
    {
      sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                      "cannot be written: its names take more than %d bytes", SYM_HDF5_MAX_OUTLINE);
      return NULL;
    }
  child = sym_store_h5_start (-1, &cause);
  if (child != NULL)
    image = sym_store_h5_ask_image (child, outline, cancellable, &cause);
  if (image != NULL)
    return image;
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, cause);
      return NULL;
    }
  sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path, "cannot be written: %s", cause->message);
  g_error_free (cause);
  return NULL;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
clear_place (gpointer data)
{
  sym_tensor_unref (((Place *) data)->tensor);
}

/* Arrays with bytes in the order of the file. */
static GArray *
read_places (GVariant *offsets, SymTensor *const *tensors, guint n)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  guint64 n_before = 0;

  g_array_set_clear_func (places, clear_place);
  if (g_variant_n_children (offsets) != n)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      Place place = { .tensor = tensors[i] };

      g_variant_get_child (offsets, i, "t", &place.offset);
      if (sym_tensor_get_n_bytes (tensors[i]) == 0)
        continue;
      sym_tensor_ref (place.tensor);
      g_array_append_val (places, place);
    }
  g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    {
      Place *place = &g_array_index (places, Place, i);

      place->n_before = n_before;
      n_before += sym_tensor_get_n_bytes (place->tensor);
    }
  return g_steal_pointer (&places);
}

/* Whether they and @n_rest bytes are all that a file of @size bytes has. */
static gboolean
fills_file (const GArray *places, guint64 n_rest, guint64 size)
{
  guint64 at = 0, n_between = 0;

  for (guint i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);
      guint64 n_bytes = sym_tensor_get_n_bytes (place->tensor);

      if (place->offset < at || place->offset > size || n_bytes > size - place->offset)
        return FALSE;
      n_between += place->offset - at;
      at = place->offset + n_bytes;
    }
  return n_between + (size - at) == n_rest;
}

/* ---- The file ---- */

/* It is read as a whole, from its arrays and from what lies around them. */
typedef struct {
  SymBlob parent;
  GArray *places; /* of Place, in the order of the file */
  GVariant *rest;
} FileBlob;

static guint64
get_end (const Place *place)
{
  return place->offset + sym_tensor_get_n_bytes (place->tensor);
}

/* The first array that ends behind @offset. */
static guint
find_place (const GArray *places, guint64 offset)
{
  guint low = 0, high = places->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_end (&g_array_index (places, Place, middle)) <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Bytes of one array, or from between two, as many as there are up to @size: *@n. */
static gboolean
read_piece (const FileBlob *self,
            guint64 offset,
            guint64 size,
            void *buffer,
            guint64 *n,
            GError **error)
{
  guint i = find_place (self->places, offset);
  const Place *place = i < self->places->len ? &g_array_index (self->places, Place, i) : NULL;
  const Place *last = i > 0 ? &g_array_index (self->places, Place, i - 1) : NULL;
  const guint8 *rest = g_variant_get_data (self->rest);

  if (place != NULL && place->offset <= offset)
    {
      *n = MIN (size, get_end (place) - offset);
      return sym_tensor_read (place->tensor, offset - place->offset, *n, buffer, error);
    }
  if (last != NULL)
    rest -= last->n_before + sym_tensor_get_n_bytes (last->tensor);
  *n = MIN (size, (place == NULL ? self->parent.size : place->offset) - offset);
  memcpy (buffer, rest + offset, (gsize) *n);
  return TRUE;
}

static gboolean
file_blob_read (SymBlob *blob, guint64 offset, guint64 size, void *buffer, GError **error)
{
  for (guint64 done = 0, n = 0; done < size; done += n)
    if (!read_piece ((FileBlob *) blob, offset + done, size - done, (char *) buffer + done, &n,
                     error))
      return FALSE;
  return TRUE;
}

static void
file_blob_free (SymBlob *blob)
{
  FileBlob *self = (FileBlob *) blob;

  g_array_unref (self->places);
  g_variant_unref (self->rest);
  g_free (self);
}

static SymBlob *
make_blob (GArray *take_places, GVariant *take_rest, guint64 size)
{
  static const SymBlobClass klass = { file_blob_read, file_blob_free };
  FileBlob *self = g_new0 (FileBlob, 1);

  self->parent.klass = &klass;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.size = size;
  self->places = take_places;
  self->rest = take_rest;
  return &self->parent;
}

SymBlob *
sym_store_h5_image_parse (GBytes *bytes, SymTensor *const *tensors, guint n)
{
  g_autoptr (GVariant) image = g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (SYM_HDF5_IMAGE_TYPE), bytes, FALSE));
  g_autoptr (GVariant) offsets = NULL;
  g_autoptr (GVariant) rest = NULL;
  g_autoptr (GArray) places = NULL;
  guint64 size;

  if (!g_variant_is_normal_form (image))
    return NULL;
  g_variant_get (image, "(t@at@ay)", &size, &offsets, &rest);
  places = read_places (offsets, tensors, n);
  if (places == NULL || !fills_file (places, g_variant_get_size (rest), size))
    return NULL;
  return make_blob (g_steal_pointer (&places), g_steal_pointer (&rest), size);
}

SymBlob *
sym_store_make_h5 (const char *path,
                   const char *const *names,
                   SymTensor *const *tensors,
                   guint n,
                   const SymStoreH5Text *texts,
                   guint n_texts,
                   GError **error)
{
  g_autoptr (GVariant) outline = NULL;
  g_autoptr (GBytes) image = NULL;
  SymBlob *blob;

  if (!check_arrays (path, names, tensors, n, error))
    return NULL;
  outline = make_outline (names, tensors, n, texts, n_texts);
  image = ask (path, outline, error);
  if (image == NULL)
    return NULL;
  blob = sym_store_h5_image_parse (image, tensors, n);
  if (blob == NULL)
    sym_store_fail (error, SYM_STORE_ERROR_FORMAT, path,
                    "cannot be written: what lays out HDF5 files makes no sense");
  return blob;
}
