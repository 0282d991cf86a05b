/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "store/sym-store-pickle-private.h"
#include "store/sym-store-torch.h"

/* The bytes are an archive, and a pickle by themselves.  No tensor claims more than there is. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) contents = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (contents);
  g_autoptr (GError) cause = NULL, error = NULL;
  g_autoptr (SymPickle) pickle = sym_pickle_read (bytes, size, "fuzz", &cause);
  g_autoptr (SymStoreArchive) archive = sym_store_archive_open (blob, "fuzz", NULL, NULL);
  g_autoptr (SymStoreTensors) tensors = NULL;

  g_assert_true ((pickle == NULL) == (cause != NULL));
  if (archive == NULL)
    return 0;
  tensors = sym_store_read_torch (archive, "fuzz", NULL, &error);
  g_assert_true ((tensors == NULL) == (error != NULL));
  for (guint i = 0; tensors != NULL && i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 n = MIN (sym_tensor_get_n_bytes (tensor), 1 << 20);
      g_autofree guint8 *numbers = g_malloc (n + 1);

      sym_tensor_read (tensor, 0, n, numbers, NULL);
    }
  return 0;
}
