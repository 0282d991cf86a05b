/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store.h"

#include <string.h>

/* A file with that header and as many bytes of data, counting up from 0. */
static GByteArray *
make_file (const char *header, guint n_data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64 size = GUINT64_TO_LE ((guint64) strlen (header));

  g_byte_array_append (bytes, (const guint8 *) &size, sizeof size);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) strlen (header));
  for (guint i = 0; i < n_data; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) i }, 1);
  return bytes;
}

static SymStoreTensors *
open_bytes (Scratch *self, const GByteArray *bytes, gsize size, GError **error)
{
  g_assert_true (g_file_set_contents (self->path, (const char *) bytes->data, (gssize) size, NULL));
  return sym_store_open_safetensors (self->path, error);
}

static const char two_tensors[] =
    "{\"__metadata__\":{\"format\":\"pt\"},"
    "\"b\":{\"dtype\":\"I16\",\"shape\":[2],\"data_offsets\":[4,8]},"
    " \"a \\u00e9\\n\" : {\"shape\":[],\"data_offsets\":[0,4],\"dtype\":\"F32\"},"
    "\"none\":{\"dtype\":\"F64\",\"shape\":[0,3],\"data_offsets\":[4,4]}}   ";

static void
test_reads_tensors (Scratch *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = make_file (two_tensors, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = open_bytes (self, bytes, bytes->len, &error);
  char buffer[4];

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 3);
  g_assert_cmpstr (sym_store_tensors_get_name (tensors, 0), ==, "b");
  g_assert_cmpint (sym_tensor_get_dtype (sym_store_tensors_get (tensors, 0)), ==, SYM_DTYPE_INT16);
  g_assert_true (sym_tensor_read (sym_store_tensors_get (tensors, 0), 0, 4, buffer, &error));
  g_assert_cmpmem (buffer, 4, "\4\5\6\7", 4);
  g_assert_cmpstr (sym_store_tensors_get_name (tensors, 1), ==, "a é\n");
  g_assert_cmpint (sym_tensor_get_shape (sym_store_tensors_get (tensors, 1))->rank, ==, 0);
  g_assert_cmpuint (sym_tensor_get_n_bytes (sym_store_tensors_find (tensors, "none")), ==, 0);
}

static void
test_every_truncation_is_refused (Scratch *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes = make_file (two_tensors, 8);

  for (guint size = 0; size < bytes->len; size++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (self, bytes, size, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
    }
}

/* Also when the size of the header is right for what is left of it. */
static void
test_every_truncated_header_is_refused (Scratch *self, gconstpointer data)
{
  gsize size = strlen (two_tensors) - 3;

  for (gsize n = 0; n < size; n++)
    {
      g_autofree char *header = g_strndup (two_tensors, n);
      g_autoptr (GByteArray) bytes = make_file (header, 8);
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (self, bytes, bytes->len, &error));
      g_assert_nonnull (strstr (error->message, "the header is broken at byte"));
    }
}

#define A "\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}"

static void
test_bad_headers_are_refused (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *header;
    const char *message;
  } cases[] = {
    { "[]", "byte 8: expected '{'" },
    { "{} x", "byte 11: expected only spaces after the last '}'" },
    { "{" A "," A "}", "expected a name that has not been used before" },
    { "{" A ",}", "expected '\"'" },
    { "{" A " \"b\"", "expected ',' or '}'" },
    { "{\"a\":{}}", "expected '\"'" },
    { "{\"a\":{\"dtype\":\"U8\"}}", "expected dtype, shape and data_offsets before it" },
    { "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", "once each" },
    { "{\"a\":{\"size\":3}}", "once each" },
    { "{\"a\":{\"dtype\":\"F33\"}}", "byte 22: expected a known dtype" },
    { "{\"a\":{\"shape\":[-1]}}", "expected a whole number" },
    { "{\"a\":{\"shape\":[1.5]}}", "expected ',' or ']'" },
    { "{\"a\":{\"shape\":[01]}}", "expected a whole number" },
    { "{\"a\":{\"shape\":[9223372036854775808]}}", "expected a number below 2^63" },
    { "{\"a\":{\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1]}}", "expected at most 12 dimensions" },
    { "{\"a\":{\"data_offsets\":[0]}}", "expected ','" },
    { "{\"a\\q\":{}}", "after a backslash" },
    { "{\"a\\u12\":{}}", "expected four hexadecimal digits" },
    { "{\"a\\ud800\":{}}", "expected a character" },
    { "{\"a\\ud800\\u0041\":{}}", "expected a pair of surrogates" },
    { "{\"a\\u0000\":{}}", "expected a character" },
    { "{\"a\n\":{}}", "that ends a text" },
    { "{\"a\xff\":{}}", "byte 11: expected UTF-8 text" },
    { "{\"__metadata__\":{\"a\":1}}", "expected '\"'" },
    { "{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,2]}}",
      "“a” takes 3 bytes by its shape, but its offsets are [0, 2]" },
    { "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,0]}}", "offsets are [2, 0]" },
    { "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,2]}}",
      "3 elements of 4 bits, which do not fill" },
    { "{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[2],\"data_offsets\":[0,2]}}",
      "2 elements of 6 bits, which do not fill" },
    { "{\"a\":{\"dtype\":\"F64\",\"shape\":[9223372036854775807,2],\"data_offsets\":[0,2]}}",
      "“a” has too many elements" },
    { "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
      "“a” begins at byte 1 of the data and leaves a hole; byte 0 was expected" },
    { "{" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
      "“b” begins at byte 1 of the data and overlaps another tensor; byte 2 was expected" },
    { "{}", "has 2 bytes of data, but its tensors take 0" },
    { "{" A ",\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}",
      "has 2 bytes of data, but its tensors take 3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) bytes = make_file (cases[i].header, 2);
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (self, bytes, bytes->len, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("“%s” lacks “%s”", error->message, cases[i].message);
    }
}

static SymTensor *
make_tensor (SymDType dtype, SymShape shape, const char *contents, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (contents, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_tensor_new (dtype, &shape, blob, 0, NULL);
}

static void
test_writes_aligned_and_in_order (Scratch *self, gconstpointer data)
{
  g_autoptr (SymTensor) bytes = make_tensor (SYM_DTYPE_UINT8, SYM_SHAPE (3), "abc", 3);
  g_autoptr (SymTensor) wide = make_tensor (SYM_DTYPE_INT64, SYM_SHAPE (), "01234567", 8);
  g_autoptr (SymTensor) half = make_tensor (SYM_DTYPE_FLOAT16, SYM_SHAPE (1, 1), "hi", 2);
  SymTensor *const written[] = { bytes, wide, half };
  static const char *const names[] = { "z", "a\"\\", "é\n" };
  static const char expected[] =
      "{\"z\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[10,13]},"
      "\"a\\\"\\\\\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
      "\"é\\u000a\":{\"dtype\":\"F16\",\"shape\":[1,1],\"data_offsets\":[8,10]}}";
  g_autofree char *contents = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (sym_store_write_safetensors (self->path, names, written, 3, &error));
  g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
  g_assert_cmpint (strncmp (contents + 8, expected, strlen (expected)), ==, 0);
  g_assert_cmpuint ((size - 13) % 8, ==, 0);
  g_assert_cmpmem (contents + size - 13, 13, "01234567hiabc", 13);

  tensors = sym_store_open_safetensors (self->path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpstr (sym_store_tensors_get_name (tensors, i), ==, names[i]);
      g_assert_true (sym_shape_equal (sym_tensor_get_shape (sym_store_tensors_get (tensors, i)),
                                      sym_tensor_get_shape (written[i])));
    }
}

static void
test_writes_nothing_as_an_empty_file (Scratch *self, gconstpointer data)
{
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_store_write_safetensors (self->path, NULL, NULL, 0, &error));
  tensors = sym_store_open_safetensors (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 0);
}

/* All dtypes of the format, by its names (safetensors 0.7). */
static void
test_every_dtype_comes_back (Scratch *self, gconstpointer data)
{
  static const char *const names[] = {
    "BOOL",    "F4",          "F6_E2M3",     "F6_E3M2", "U8",  "I8",  "F8_E5M2", "F8_E4M3",
    "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I16",     "U16", "F16", "BF16",    "I32",
    "U32",     "F32",         "C64",         "F64",     "I64", "U64",
  };
  guint n = 0;

  for (guint i = SYM_DTYPE_FLOAT32; i < SYM_N_DTYPES; i++)
    {
      SymDType dtype = (SymDType) i;
      g_autoptr (SymTensor) tensor = NULL;
      g_autoptr (SymStoreTensors) again = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *contents = NULL;

      if (dtype == SYM_DTYPE_STRING)
        continue;
      tensor = make_tensor (dtype, SYM_SHAPE (4),
                            "0123456789abcdef0123456789abcdef"
                            "0123456789abcdef0123456789abcdef",
                            64);
      if (!sym_store_safetensors_takes (tensor))
        {
          g_assert_false (sym_store_write_safetensors (self->path, (const char *const[]){ "w" },
                                                       &tensor, 1, &error));
          continue;
        }
      g_assert_true (sym_store_write_safetensors (self->path, (const char *const[]){ "w" }, &tensor,
                                                  1, &error));
      again = sym_store_open_safetensors (self->path, &error);
      g_assert_no_error (error);
      g_assert_true (sym_tensor_equal (sym_store_tensors_find (again, "w"), tensor));
      g_assert_true (g_file_get_contents (self->path, &contents, NULL, NULL));
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          g_autofree char *wanted = g_strdup_printf ("\"dtype\":\"%s\"", names[k]);

          n += strstr (contents + 8, wanted) != NULL;
        }
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
}

static void
test_refuses_to_write_parts_of_bytes (Scratch *self, gconstpointer data)
{
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_FLOAT4E2M1, SYM_SHAPE (3), "12", 2);
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_store_safetensors_takes (tensor));
  g_assert_false (
      sym_store_write_safetensors (self->path, (const char *const[]){ "w" }, &tensor, 1, &error));
  g_assert_nonnull (strstr (error->message, "of 4 bits, do not fill"));
}

static void
test_refuses_to_write_a_name_twice (Scratch *self, gconstpointer data)
{
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_UINT8, SYM_SHAPE (1), "a", 1);
  SymTensor *const written[] = { tensor, tensor };
  static const char *const names[] = { "w", "w" };
  static const char *const reserved[] = { "v", "__metadata__" };
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_store_write_safetensors (self->path, names, written, 2, &error));
  g_assert_nonnull (strstr (error->message, "the name “w” is taken"));
  g_clear_error (&error);
  g_assert_false (sym_store_write_safetensors (self->path, reserved, written, 2, &error));
  g_assert_nonnull (strstr (error->message, "the name “__metadata__” is taken"));
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

static void
test_a_stopped_one_leaves_no_file (Scratch *self, gconstpointer data)
{
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_UINT8, SYM_SHAPE (1), "a", 1);
  SymTensor *const written[] = { tensor };
  static const char *const names[] = { "w" };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_cancellable_push_current (cancellable);
  g_assert_false (sym_store_write_safetensors (self->path, names, written, 1, &error));
  g_cancellable_pop_current (cancellable);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

static void
test_a_source_that_changed_leaves_no_file (Scratch *self, gconstpointer data)
{
  g_autofree char *target = g_build_filename (self->folder, "copy", NULL);
  g_autoptr (GByteArray) bytes = make_file (two_tensors, 8);
  g_autoptr (SymStoreTensors) tensors = open_bytes (self, bytes, bytes->len, NULL);
  SymTensor *tensor = sym_store_tensors_get (tensors, 0);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (self->path, "", 0, NULL));
  g_assert_false (
      sym_store_write_safetensors (target, (const char *const[]){ "b" }, &tensor, 1, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_CHANGED);
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                                   \
  g_test_add ("/store/safetensors/" path, Scratch, "x.safetensors", scratch_set_up, function, \
              scratch_tear_down)
  ADD ("reads-tensors", test_reads_tensors);
  ADD ("every-truncation-is-refused", test_every_truncation_is_refused);
  ADD ("every-truncated-header-is-refused", test_every_truncated_header_is_refused);
  ADD ("bad-headers-are-refused", test_bad_headers_are_refused);
  ADD ("writes-aligned-and-in-order", test_writes_aligned_and_in_order);
  ADD ("writes-nothing-as-an-empty-file", test_writes_nothing_as_an_empty_file);
  ADD ("every-dtype-comes-back", test_every_dtype_comes_back);
  ADD ("refuses-to-write-parts-of-bytes", test_refuses_to_write_parts_of_bytes);
  ADD ("refuses-to-write-a-name-twice", test_refuses_to_write_a_name_twice);
  ADD ("a-stopped-one-leaves-no-file", test_a_stopped_one_leaves_no_file);
  ADD ("a-source-that-changed-leaves-no-file", test_a_source_that_changed_leaves_no_file);
#undef ADD
  return g_test_run ();
}
