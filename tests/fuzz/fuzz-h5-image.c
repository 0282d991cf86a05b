/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "store/sym-store-h5-private.h"

/* What the process that lays out HDF5 files says of one with three arrays, without the process: a
 * file that is made of it has as many bytes as the arrays and what was said, reads the same in any
 * pieces, and has each array where the process put it. */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz";

static const struct {
  SymDType dtype;
  SymShape shape;
  gsize n_bytes;
} arrays[] = {
  { SYM_DTYPE_FLOAT32, { 2, { 2, 3 } }, 24 },
  { SYM_DTYPE_INT64, { 1, { 0 } }, 0 },
  { SYM_DTYPE_UINT8, { 1, { 5 } }, 5 },
};

#define N_BYTES 29

static SymTensor *
make_tensor (guint i)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (letters + i, arrays[i].n_bytes);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_tensor_new (arrays[i].dtype, &arrays[i].shape, blob, 0, NULL);
}

static void
check_pieces (SymBlob *file, const char *whole)
{
  char piece[7];

  for (guint64 at = 0; at < file->size; at += 3)
    {
      guint64 n = MIN (sizeof piece, file->size - at);

      g_assert_true (sym_blob_read (file, at, n, piece, NULL));
      g_assert_cmpint (memcmp (piece, whole + at, n), ==, 0);
    }
}

static void
check_file (SymBlob *file, GBytes *said)
{
  g_autofree char *whole = g_malloc (file->size);
  g_autoptr (GVariant) image = g_variant_ref_sink (
      g_variant_new_from_bytes (G_VARIANT_TYPE (SYM_HDF5_IMAGE_TYPE), said, FALSE));
  g_autoptr (GVariant) offsets = g_variant_get_child_value (image, 1);

  g_assert_cmpuint (file->size, <=, g_bytes_get_size (said) + N_BYTES);
  g_assert_true (sym_blob_read (file, 0, file->size, whole, NULL));
  check_pieces (file, whole);
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      guint64 offset;

      g_variant_get_child (offsets, i, "t", &offset);
      if (arrays[i].n_bytes > 0)
        g_assert_cmpint (memcmp (whole + offset, letters + i, arrays[i].n_bytes), ==, 0);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) said = g_bytes_new (bytes, size);
  SymTensor *tensors[G_N_ELEMENTS (arrays)];
  g_autoptr (SymBlob) file = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    tensors[i] = make_tensor (i);
  file = sym_store_h5_image_parse (said, tensors, G_N_ELEMENTS (arrays));
  if (file != NULL)
    check_file (file, said);
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    sym_tensor_unref (tensors[i]);
  return 0;
}
