/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "store/sym-store-npy-private.h"

/* Whatever a header says, the tensor has no more numbers than there are bytes; they can all be
 * read, at once and one by one, and are the same both times. */
static void
read_twice (SymTensor *tensor, gsize size)
{
  guint64 n = sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *whole = g_malloc (n + 1);

  g_assert_cmpuint (n, <=, size);
  g_assert_true (sym_tensor_read (tensor, 0, n, whole, NULL));
  for (guint64 at = 0; at < n; at += 1 + n / 64)
    {
      guint8 byte;

      g_assert_true (sym_tensor_read (tensor, at, 1, &byte, NULL));
      g_assert_cmpuint (byte, ==, whole[at]);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) contents = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (contents);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_store_npy_read (blob, "fuzz", &error);

  g_assert_true ((tensor == NULL) == (error != NULL));
  if (tensor != NULL && sym_tensor_get_dtype (tensor) != SYM_DTYPE_STRING)
    read_twice (tensor, size);
  return 0;
}
