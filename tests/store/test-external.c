/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store-external.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* In the model's folder lie 100 bytes that count up from 0. */
static char *
put_data (Scratch *self)
{
  char *path = g_build_filename (self->folder, "weights.bin", NULL);
  char bytes[100];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (char) i;
  g_assert_true (g_file_set_contents (path, bytes, sizeof bytes, NULL));
  return path;
}

static void
test_reads_at_its_offset (Scratch *self, gconstpointer data)
{
  g_autofree char *path = put_data (self);
  g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
  SymShape shape = SYM_SHAPE (2, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_store_external_get (external, "./weights.bin", "08", "8",
                                                         SYM_DTYPE_INT16, &shape, &error);
  g_autoptr (SymTensor) first = sym_store_external_get (external, "./weights.bin", NULL, NULL,
                                                        SYM_DTYPE_INT16, &shape, &error);
  guint8 bytes[2];

  g_assert_no_error (error);
  g_assert_true (sym_tensor_read (tensor, 6, 2, bytes, &error));
  g_assert_cmpmem (bytes, 2, "\16\17", 2);
  g_assert_true (sym_tensor_read (first, 0, 2, bytes, &error));
  g_assert_cmpmem (bytes, 2, "\0\1", 2);
  g_remove (path);
}

static void
test_refuses_what_lies_elsewhere (Scratch *self, gconstpointer data)
{
  static const char *const locations[] = {
    "", "/etc/passwd", "../weights.bin", "a/../../weights.bin", "..", "link",
  };
  g_autofree char *path = put_data (self);
  g_autofree char *link = g_build_filename (self->folder, "link", NULL);
  SymShape shape = SYM_SHAPE (1);

  g_assert_cmpint (symlink ("/etc/passwd", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (locations); i++)
    {
      g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", locations[i]);
      g_assert_null (sym_store_external_get (external, locations[i], NULL, NULL, SYM_DTYPE_INT8,
                                             &shape, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
    }
  g_remove (link);
  g_remove (path);
}

static void
test_a_link_within_the_folder_is_followed (Scratch *self, gconstpointer data)
{
  g_autofree char *path = put_data (self);
  g_autofree char *link = g_build_filename (self->folder, "link", NULL);
  g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
  SymShape shape = SYM_SHAPE (1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = NULL;

  g_assert_cmpint (symlink ("weights.bin", link), ==, 0);
  tensor = sym_store_external_get (external, "link", NULL, NULL, SYM_DTYPE_INT8, &shape, &error);
  g_assert_no_error (error);
  g_assert_nonnull (tensor);
  g_remove (link);
  g_remove (path);
}

static void
test_refuses_wrong_numbers (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *offset, *length, *message;
  } cases[] = {
    { "-1", NULL, "“-1”" },
    { "+1", NULL, "“+1”" },
    { " 1", NULL, "“ 1”" },
    { "0x1", NULL, "“0x1”" },
    { "", NULL, "“”" },
    { "18446744073709551616", NULL, "below 2^64" },
    { "18446744073709551615", NULL, "100 bytes in all" },
    { "97", NULL, "takes 4 bytes from byte 97 on" },
    { "0", "3", "length 3, but dtype and shape take 4 bytes" },
    { "0", "five", "“five”" },
  };
  g_autofree char *path = put_data (self);
  g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
  SymShape shape = SYM_SHAPE (1);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_store_external_get (external, "weights.bin", cases[i].offset,
                                             cases[i].length, SYM_DTYPE_FLOAT32, &shape, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_nonnull (strstr (error->message, "its external data"));
    }
  g_remove (path);
}

static void
test_a_missing_file_is_named (Scratch *self, gconstpointer data)
{
  g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
  g_autoptr (SymStoreExternal) input = sym_store_open_external (NULL);
  SymShape shape = SYM_SHAPE (1);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_store_external_get (external, "weights.bin", NULL, NULL, SYM_DTYPE_INT8,
                                             &shape, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
      g_assert_nonnull (strstr (error->message, "weights.bin"));
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (
        sym_store_external_get (input, "weights.bin", NULL, NULL, SYM_DTYPE_INT8, &shape, &error));
    g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
  }
}

static SymTensor *
make_tensor (gsize size, guint8 first)
{
  g_autofree guint8 *bytes = g_malloc (size);
  g_autoptr (GBytes) contents = NULL;
  g_autoptr (SymBlob) blob = NULL;
  SymShape shape = SYM_SHAPE ((SymDim) size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) (first + i * 7);
  contents = g_bytes_new_take (g_steal_pointer (&bytes), size);
  blob = sym_blob_new_bytes (contents);
  return sym_tensor_new (SYM_DTYPE_UINT8, &shape, blob, 0, NULL);
}

static void
test_what_is_written_comes_back (Scratch *self, gconstpointer data)
{
  const gsize sizes[] = { 5, 1 << 20, 0, 3 };
  const guint64 wanted[] = { 0, 4096, 4096 + (1 << 20), 4096 + (1 << 20) };
  g_autofree char *path = g_strdup (self->path);
  g_autoptr (SymStoreExternal) external = sym_store_open_external (self->folder);
  g_autoptr (GError) error = NULL;
  SymTensor *tensors[G_N_ELEMENTS (sizes)];
  guint64 offsets[G_N_ELEMENTS (sizes)];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    tensors[i] = make_tensor (sizes[i], (guint8) i);
  g_assert_true (sym_store_write_external (path, tensors, G_N_ELEMENTS (sizes), offsets, &error));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *offset = g_strdup_printf ("%" G_GUINT64_FORMAT, offsets[i]);
      g_autoptr (SymTensor) tensor = NULL;

      g_assert_cmpuint (offsets[i], ==, wanted[i]);
      tensor = sym_store_external_get (external, "model.onnx.data", offset, NULL, SYM_DTYPE_UINT8,
                                       sym_tensor_get_shape (tensors[i]), &error);
      g_assert_no_error (error);
      g_assert_true (sym_tensor_equal (tensor, tensors[i]));
      sym_tensor_unref (tensors[i]);
    }
  g_remove (path);
}

#define ADD(path, test) \
  g_test_add (path, Scratch, "model.onnx.data", scratch_set_up, test, scratch_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/external/reads-at-its-offset", test_reads_at_its_offset);
  ADD ("/store/external/refuses-what-lies-elsewhere", test_refuses_what_lies_elsewhere);
  ADD ("/store/external/a-link-within-the-folder-is-followed",
       test_a_link_within_the_folder_is_followed);
  ADD ("/store/external/refuses-wrong-numbers", test_refuses_wrong_numbers);
  ADD ("/store/external/a-missing-file-is-named", test_a_missing_file_is_named);
  ADD ("/store/external/what-is-written-comes-back", test_what_is_written_comes_back);
  return g_test_run ();
}
