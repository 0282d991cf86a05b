/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "store/sym-store-nd4j.h"

/* All numbers that an array is said to have lie within it and can be read, in either order. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (input);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreNd4j) array = sym_store_nd4j_open (blob, "fuzz", &error);

  g_assert_true ((array == NULL) == (error != NULL));
  for (guint i = 0; array != NULL && i < 2; i++)
    {
      SymShape shape = SYM_SHAPE (2, (gint64) (sym_store_nd4j_get_n (array) / 2));
      g_autoptr (SymTensor) tensor = sym_store_nd4j_get (array, 0, &shape, i == 1, NULL);
      guint64 n = tensor == NULL ? 0 : sym_tensor_get_n_bytes (tensor);
      g_autofree guint8 *numbers = g_malloc (n + 1);

      g_assert_nonnull (tensor);
      g_assert_cmpuint (n, <=, size);
      g_assert_true (sym_tensor_read (tensor, 0, n, numbers, NULL));
    }
  return 0;
}
