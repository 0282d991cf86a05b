/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "store/sym-store-npy-private.h"

#define MAX_RATIO 1032 /* of deflate */

/* A file that lies fails when it is read; one that does not claims no more than its bytes justify.
 */
static void
read_all (SymStoreTensors *tensors, gsize size)
{
  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 n = sym_tensor_get_n_bytes (tensor);
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *numbers = NULL;

      g_assert_cmpuint (n, <=, (guint64) (size + 1) * MAX_RATIO);
      if (sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING)
        continue;
      numbers = g_malloc (n + 1);
      g_assert_true (sym_tensor_read (tensor, 0, n, numbers, &error) == (error == NULL));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) contents = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (contents);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = sym_store_npz_read (blob, "fuzz", &error);

  g_assert_true ((tensors == NULL) == (error != NULL));
  if (tensors != NULL)
    read_all (tensors, size);
  return 0;
}
