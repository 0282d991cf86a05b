/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "store/sym-store-safetensors-private.h"

/* Every tensor that a file is said to hold can be read; together they are all its data. */
static guint64
read_all (SymStoreTensors *tensors)
{
  guint64 total = 0;

  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 size = sym_tensor_get_n_bytes (tensor);
      g_autofree guint8 *numbers = g_malloc (size + 1);

      g_assert_true (sym_tensor_read (tensor, 0, size, numbers, NULL));
      g_assert_true (g_utf8_validate (sym_store_tensors_get_name (tensors, i), -1, NULL));
      total += size;
    }
  return total;
}

/* The bytes are also taken for a header alone, so that it is found without its size. */
static void
parse_header (const uint8_t *bytes, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) entries =
      sym_store_safetensors_parse ((const char *) bytes, size, "fuzz", &error);

  g_assert_true ((entries == NULL) == (error != NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  int file = memfd_create ("safetensors", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", file);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;
  guint64 n_header;

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (write (file, bytes, size), ==, size);
  tensors = sym_store_open_safetensors (path, &error);
  g_assert_true ((tensors == NULL) == (error != NULL));
  if (tensors != NULL)
    {
      memcpy (&n_header, bytes, sizeof n_header);
      g_assert_cmpuint (read_all (tensors) + GUINT64_FROM_LE (n_header) + 8, ==, size);
    }
  close (file);
  parse_header (bytes, size);
  return 0;
}
