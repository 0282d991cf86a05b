/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store-npy-private.h"

#include <string.h>

/* A file of that version and header, and @n_data bytes that count up from 0. */
static GByteArray *
make_file (guint version, const char *header, guint n_data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 preamble[12] = "\x93NUMPY";
  gsize size = strlen (header);

  preamble[6] = (guint8) version;
  preamble[8] = (guint8) size;
  preamble[9] = (guint8) (size >> 8);
  g_byte_array_append (bytes, preamble, version == 1 ? 10 : 12);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) size);
  for (guint i = 0; i < n_data; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) i }, 1);
  return bytes;
}

static SymTensor *
open_bytes (Scratch *self, const GByteArray *bytes, gsize size, GError **error)
{
  g_assert_true (g_file_set_contents (self->path, (const char *) bytes->data, (gssize) size, NULL));
  return sym_store_open_npy (self->path, error);
}

static SymTensor *
open_header (Scratch *self, guint version, const char *header, guint n_data, GError **error)
{
  g_autoptr (GByteArray) bytes = make_file (version, header, n_data);

  return open_bytes (self, bytes, bytes->len, error);
}

static void
test_reads_every_dtype (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *descr;
    SymDType dtype;
    guint n_bytes;
  } cases[] = {
    { "<f4", SYM_DTYPE_FLOAT32, 4 },     { "<f8", SYM_DTYPE_FLOAT64, 8 },
    { "<f2", SYM_DTYPE_FLOAT16, 2 },     { "|i1", SYM_DTYPE_INT8, 1 },
    { "<i2", SYM_DTYPE_INT16, 2 },       { "=i4", SYM_DTYPE_INT32, 4 },
    { "<i8", SYM_DTYPE_INT64, 8 },       { "|u1", SYM_DTYPE_UINT8, 1 },
    { "<u2", SYM_DTYPE_UINT16, 2 },      { "<u4", SYM_DTYPE_UINT32, 4 },
    { "<u8", SYM_DTYPE_UINT64, 8 },      { "|b1", SYM_DTYPE_BOOL, 1 },
    { "<c8", SYM_DTYPE_COMPLEX64, 8 },   { "<c16", SYM_DTYPE_COMPLEX128, 16 },
    { "float32", SYM_DTYPE_FLOAT32, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *header = g_strdup_printf (
          "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }  \n", cases[i].descr);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymTensor) tensor =
          open_header (self, 1 + i % 3, header, 6 * cases[i].n_bytes, &error);
      SymShape shape = SYM_SHAPE (2, 3);
      guint8 last;

      g_assert_no_error (error);
      g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, cases[i].dtype);
      g_assert_true (sym_shape_equal (sym_tensor_get_shape (tensor), &shape));
      g_assert_true (sym_tensor_read (tensor, 6 * cases[i].n_bytes - 1, 1, &last, &error));
      g_assert_cmpuint (last, ==, 6 * cases[i].n_bytes - 1);
    }
}

static void
test_turns_big_endian (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *descr;
    guint unit, n_bytes;
  } cases[] = {
    { ">f4", 4, 4 }, { ">i8", 8, 8 }, { ">u2", 2, 2 }, { ">c8", 4, 8 }, { ">c16", 8, 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *header = g_strdup_printf (
          "{'descr': '%s', 'fortran_order': False, 'shape': (5,)}", cases[i].descr);
      guint size = 5 * cases[i].n_bytes;
      g_autoptr (GError) error = NULL;
      g_autoptr (SymTensor) tensor = open_header (self, 1, header, size, &error);

      g_assert_no_error (error);
      for (guint first = 0; first < size; first++)
        for (guint n = 1; n <= size - first; n++)
          {
            guint8 bytes[80];

            g_assert_true (sym_tensor_read (tensor, first, n, bytes, &error));
            for (guint k = 0; k < n; k++)
              {
                guint at = first + k;
                guint unit = cases[i].unit;

                g_assert_cmpuint (bytes[k], ==, at / unit * unit + unit - 1 - at % unit);
              }
          }
    }
}

/* Element [i, j, k] of a Fortran array lies at i + I * (j + J * k). */
static void
fill_wanted (const SymShape *shape, guint32 *wanted)
{
  guint n = 0;

  for (guint i = 0; i < (guint) shape->dims[0]; i++)
    for (guint j = 0; j < (guint) shape->dims[1]; j++)
      for (guint k = 0; k < (guint) shape->dims[2]; k++)
        wanted[n++] = i + (guint) shape->dims[0] * (j + (guint) shape->dims[1] * k);
}

static void
test_turns_fortran_order (void)
{
  static const SymShape shapes[] = {
    SYM_SHAPE (3, 4, 5),  SYM_SHAPE (1, 4, 5),  SYM_SHAPE (60, 1, 1),
    SYM_SHAPE (2, 1, 30), SYM_SHAPE (40, 2, 1), SYM_SHAPE (64, 3, 2),
  };
  static const guint64 bands[] = { 1, 100, 500, 1 << 20 };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint b = 0; b < G_N_ELEMENTS (bands); b++)
      {
        guint n = (guint) (shapes[s].dims[0] * shapes[s].dims[1] * shapes[s].dims[2]);
        g_autofree guint32 *numbers = g_new (guint32, n + 3);
        g_autofree guint32 *wanted = g_new (guint32, n);
        g_autofree guint8 *read = g_malloc (n * 4);
        g_autoptr (GBytes) bytes = NULL;
        g_autoptr (SymBlob) source = NULL;
        g_autoptr (SymBlob) turned = NULL;
        SymStoreNpyHeader header = { .dtype = SYM_DTYPE_UINT32,
                                     .is_fortran = TRUE,
                                     .shape = shapes[s],
                                     .n_elements = n,
                                     .element_bytes = 4,
                                     .start = 12 };

        for (guint i = 0; i < n; i++)
          numbers[3 + i] = i;
        fill_wanted (&shapes[s], wanted);
        bytes = g_bytes_new (numbers, (n + 3) * 4);
        source = sym_blob_new_bytes (bytes);
        turned = sym_store_npy_blob_new (source, &header, bands[b]);
        g_assert_cmpuint (turned->size, ==, n * 4);
        for (guint i = 0; i < 300; i++)
          {
            guint first = (guint) g_test_rand_int_range (0, (gint32) n * 4);
            guint size = (guint) g_test_rand_int_range (0, (gint32) (n * 4 - first) + 1);

            if (i == 0)
              first = 0, size = n * 4;
            g_assert_true (sym_blob_read (turned, first, size, read, NULL));
            g_assert_cmpmem (read, size, (guint8 *) wanted + first, size);
          }
      }
}

static void
check_string (SymTensor *tensor, guint i, const char *wanted, gsize n_wanted)
{
  gsize length;
  const char *string = sym_tensor_get_string (tensor, i, &length);

  g_assert_cmpmem (string, length, wanted, n_wanted);
}

static void
test_reads_strings (Scratch *self, gconstpointer data)
{
  g_autoptr (GByteArray) narrow =
      make_file (1, "{'descr': '|S3', 'fortran_order': False, 'shape': (3,), }\n", 0);
  g_autoptr (GByteArray) wide =
      make_file (3, "{'descr': '>U2', 'fortran_order': True, 'shape': (2, 2), }\n", 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) bytes = NULL;
  g_autoptr (SymTensor) texts = NULL;

  g_byte_array_append (narrow, (const guint8 *) "abc\0\0\0a\0b", 9);
  bytes = open_bytes (self, narrow, narrow->len, &error);
  g_assert_no_error (error);
  check_string (bytes, 0, "abc", 3);
  check_string (bytes, 1, "", 0);
  check_string (bytes, 2, "a\0b", 3);

  g_byte_array_append (wide, (const guint8 *) "\0\0\0a\0\0\0b\0\0\0\xe9\0\0\0\0", 16);
  g_byte_array_append (wide, (const guint8 *) "\0\1\xf6\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  texts = open_bytes (self, wide, wide->len, &error);
  g_assert_no_error (error);
  check_string (texts, 0, "ab", 2);
  check_string (texts, 1, "\xf0\x9f\x98\x80", 4);
  check_string (texts, 2, "é", 2);
  check_string (texts, 3, "", 0);
}

static void
test_refuses_by_name (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *header, *message;
  } cases[] = {
    { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "Python objects" },
    { "{'descr': [('a', '<f4'), ('b', '<i2')], 'fortran_order': False, 'shape': ()}",
      "structured: it has 2 fields" },
    { "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,)}", "'<M8[ns]': dates" },
    { "{'descr': '<m8[s]', 'fortran_order': False, 'shape': (1,)}", "spans of time" },
    { "{'descr': '|V2', 'fortran_order': False, 'shape': (1,)}", "raw bytes" },
    { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "only some machines" },
    { "{'descr': '<i3', 'fortran_order': False, 'shape': (1,)}", "no such dtype" },
    { "{'descr': '', 'fortran_order': False, 'shape': (1,)}", "no such dtype" },
    { "{'descr': '<', 'fortran_order': False, 'shape': (1,)}", "no such dtype" },
    { "{'descr': 'bfloat16', 'fortran_order': False, 'shape': (1,)}", "no such dtype" },
    { "{'descr': '<U0', 'fortran_order': False, 'shape': (99999999,)}", "must have a length" },
    { "{'descr': '<f-4', 'fortran_order': False, 'shape': (1,)}", "" },
    { "{'descr': 4, 'fortran_order': False, 'shape': (1,)}", "'descr' is 4" },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True or False" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': 4}", "must be a tuple" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1, -1)}", "dimension 1" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (None,)}", "dimension 0" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", "dimension 0" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1)}",
      "at most 12" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (100,)}", "400 bytes of elements" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", "too many" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "has 'x'" },
    { "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "once each" },
    { "{'descr': '<f4', 'shape': (1,)}", "must have" },
    { "['descr']", "no Python dict" },
    { "", "no Python dict" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "no Python dict" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_header (self, 1, cases[i].header, 64, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_nonnull (strstr (error->message, "x.npy"));
    }
}

static void
test_refuses_other_versions_and_codes (Scratch *self, gconstpointer data)
{
  const char *header = "{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}";
  g_autoptr (GByteArray) code = make_file (1, header, 0);
  g_autoptr (GError) error = NULL;

  g_assert_null (open_header (self, 4, header, 64, &error));
  g_assert_nonnull (strstr (error->message, "version 4.0"));
  g_clear_error (&error);
  g_byte_array_append (code, (const guint8 *) "\0\xd8\0\0", 4);
  g_assert_null (open_bytes (self, code, code->len, &error));
  g_assert_nonnull (strstr (error->message, "string 0"));
}

static void
test_every_truncation_is_refused (Scratch *self, gconstpointer data)
{
  g_autoptr (GByteArray) bytes =
      make_file (2, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2)}\n", 8);

  for (guint size = 0; size < bytes->len; size++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (self, bytes, size, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
    }
}

static SymTensor *
make_tensor (SymDType dtype, const SymShape *shape)
{
  guint64 n = 0, size = 0;
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) contents = NULL;
  g_autoptr (SymBlob) blob = NULL;

  sym_shape_get_n_elements (shape, &n);
  g_assert_true (sym_dtype_get_size (dtype, n, &size));
  bytes = g_malloc (size + 1);
  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) (i * 7 % 251);
  contents = g_bytes_new (bytes, size);
  blob = sym_blob_new_bytes (contents);
  return sym_tensor_new (dtype, shape, blob, 0, NULL);
}

/* The bytes are those of NumPy 1.26. */
static void
test_writes_what_numpy_writes (Scratch *self, gconstpointer data)
{
  static const struct {
    SymDType dtype;
    SymShape shape;
    const char *dict;
  } cases[] = {
    { SYM_DTYPE_FLOAT32, SYM_SHAPE (3, 4),
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" },
    { SYM_DTYPE_INT8, SYM_SHAPE (5), "{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }" },
    { SYM_DTYPE_BOOL, SYM_SHAPE (), "{'descr': '|b1', 'fortran_order': False, 'shape': (), }" },
    { SYM_DTYPE_COMPLEX128, SYM_SHAPE (0, 2),
      "{'descr': '<c16', 'fortran_order': False, 'shape': (0, 2), }" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymTensor) tensor = make_tensor (cases[i].dtype, &cases[i].shape);
      g_autoptr (GError) error = NULL;
      g_autofree char *wanted = NULL;
      g_autofree char *contents = NULL;
      gsize size = 0;

      g_assert_true (sym_store_write_npy (self->path, tensor, &error));
      g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
      wanted = g_strdup_printf ("%-117s\n", cases[i].dict);
      g_assert_cmpmem (contents, 10, "\x93NUMPY\1\0v\0", 10);
      g_assert_cmpmem (contents + 10, 118, wanted, 118);
      g_assert_cmpuint (size, ==, 128 + sym_tensor_get_n_bytes (tensor));
    }
}

static void
test_what_is_written_comes_back (Scratch *self, gconstpointer data)
{
  SymShape shape = SYM_SHAPE (7, 1, 3000);
  guint n_written = 0;

  for (guint i = SYM_DTYPE_FLOAT32; i < SYM_N_DTYPES; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymTensor) tensor = NULL;
      g_autoptr (SymTensor) again = NULL;

      if (i == SYM_DTYPE_STRING)
        continue;
      tensor = make_tensor ((SymDType) i, &shape);
      if (!sym_store_write_npy (self->path, tensor, &error))
        {
          g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
          g_assert_nonnull (strstr (error->message, sym_dtype_to_string ((SymDType) i)));
          continue;
        }
      again = sym_store_open_npy (self->path, &error);
      g_assert_no_error (error);
      g_assert_true (sym_tensor_equal (tensor, again));
      n_written++;
    }
  g_assert_cmpuint (n_written, ==, 14);
}

static void
test_strings_come_back (Scratch *self, gconstpointer data)
{
  const char *const texts[] = { "é😀", "", "plain", "x" };
  const char *const bytes[] = { "\xff" };
  SymShape shape = SYM_SHAPE (2, 2), one = SYM_SHAPE (1), none = SYM_SHAPE (0);
  g_autoptr (SymTensor) tensor = sym_tensor_new_strings (&shape, texts, NULL, NULL);
  g_autoptr (SymTensor) invalid = sym_tensor_new_strings (&one, bytes, NULL, NULL);
  g_autoptr (SymTensor) empty = sym_tensor_new_strings (&none, NULL, NULL, NULL);
  g_autoptr (SymTensor) again = NULL;
  g_autoptr (SymTensor) empty_again = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_store_write_npy (self->path, tensor, &error));
  again = sym_store_open_npy (self->path, &error);
  g_assert_no_error (error);
  g_assert_true (sym_tensor_equal (tensor, again));
  g_assert_true (sym_store_write_npy (self->path, empty, &error));
  empty_again = sym_store_open_npy (self->path, &error);
  g_assert_no_error (error);
  g_assert_true (sym_tensor_equal (empty, empty_again));
  g_assert_false (sym_store_write_npy (self->path, invalid, &error));
  g_assert_nonnull (strstr (error->message, "not UTF-8"));
}

#define ADD(path, test) g_test_add (path, Scratch, "x.npy", scratch_set_up, test, scratch_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/store/npy/reads-every-dtype", test_reads_every_dtype);
  ADD ("/store/npy/turns-big-endian", test_turns_big_endian);
  g_test_add_func ("/store/npy/turns-fortran-order", test_turns_fortran_order);
  ADD ("/store/npy/reads-strings", test_reads_strings);
  ADD ("/store/npy/refuses-by-name", test_refuses_by_name);
  ADD ("/store/npy/refuses-other-versions-and-codes", test_refuses_other_versions_and_codes);
  ADD ("/store/npy/every-truncation-is-refused", test_every_truncation_is_refused);
  ADD ("/store/npy/writes-what-numpy-writes", test_writes_what_numpy_writes);
  ADD ("/store/npy/what-is-written-comes-back", test_what_is_written_comes_back);
  ADD ("/store/npy/strings-come-back", test_strings_come_back);
  return g_test_run ();
}
