/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "store/sym-store-h5-private.h"

/* What the process that reads HDF5 files says of one of 1 MiB, without the process: an array whose
 * bytes lie in the file does so, and none is larger than the file justifies. */
#define FILE_SIZE (1 << 20)

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) said = g_bytes_new (bytes, size);
  g_autoptr (SymStoreH5Catalogue) catalogue = sym_store_h5_catalogue_parse (said, FILE_SIZE);

  for (guint i = 0; catalogue != NULL && i < catalogue->arrays->len; i++)
    {
      const SymStoreH5Array *array = &g_array_index (catalogue->arrays, SymStoreH5Array, i);
      gpointer place = g_hash_table_lookup (catalogue->places, array->path);
      guint64 n = 0;

      g_assert_true (g_utf8_validate (array->path, -1, NULL));
      g_assert_cmpuint (GPOINTER_TO_UINT (place), >=, i + 1);
      if (array->problem != NULL)
        continue;
      g_assert_true (sym_shape_get_n_elements (&array->shape, &n));
      g_assert_cmpuint (array->n_bytes, ==, n * sym_dtype_get_bits (array->dtype) / 8);
      if (array->offset != SYM_HDF5_NO_OFFSET)
        g_assert_cmpuint (array->offset + array->n_bytes, <=, FILE_SIZE);
      else
        g_assert_true (sym_hdf5_is_justified (array->n_bytes, FILE_SIZE));
    }
  if (catalogue != NULL)
    sym_store_h5_catalogue_needs_process (catalogue);
  return 0;
}
