/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "store/sym-store.h"

/* Every tensor that a list is said to hold lies within it and can be read. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (input);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = sym_store_read_tvm (blob, "fuzz", &error);

  g_assert_true ((tensors == NULL) == (error != NULL));
  for (guint i = 0; tensors != NULL && i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 n = sym_tensor_get_n_bytes (tensor);
      g_autofree guint8 *numbers = g_malloc (n + 1);

      g_assert_cmpuint (n, <=, size);
      g_assert_true (sym_tensor_read (tensor, 0, n, numbers, NULL));
    }
  return 0;
}
