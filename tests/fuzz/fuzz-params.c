/* SPDX-License-Identifier: MIT */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "store/sym-store.h"

/* Every tensor that a file is said to hold lies within it and can be read; but one of a zip archive
 * may turn out to be damaged only then. */
static void
read_all (SymStoreTensors *tensors, gboolean is_zip)
{
  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 size = tensor == NULL ? 0 : sym_tensor_get_n_bytes (tensor);
      g_autofree guint8 *numbers = g_malloc (size + 1);

      g_assert_nonnull (sym_store_tensors_get_name (tensors, i));
      if (tensor != NULL)
        g_assert_true (sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING ||
                       sym_tensor_read (tensor, 0, size, numbers, NULL) || is_zip);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  int file = memfd_create ("params", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", file);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (write (file, bytes, size), ==, size);
  tensors = sym_store_open_params (path, &error);
  g_assert_true ((tensors == NULL) == (error != NULL));
  if (tensors != NULL)
    read_all (tensors, bytes[0] == 'P');
  close (file);
  return 0;
}
