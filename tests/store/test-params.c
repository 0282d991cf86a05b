/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store-numpy.h"

#include <string.h>

/* T-M24: {"arg:w": [[1, 2], [3, 4]]} in float32. */
static const char tutorial[] =
    "1201000000000000 0000000000000000 0100000000000000 c9fa93f9 00000000 02000000"
    "0200000000000000 0200000000000000 01000000 00000000 00000000 0000803f 00000040"
    "00004040 00008040 0100000000000000 0500000000000000 6172673a77";

static gboolean
has_shape (SymTensor *tensor, SymShape shape)
{
  return sym_shape_equal (sym_tensor_get_shape (tensor), &shape);
}

static SymTensor *
make_tensor (SymDType dtype, SymShape shape, const void *contents, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (contents, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_tensor_new (dtype, &shape, blob, 0, NULL);
}

static GByteArray *
parse_hex (const char *hex)
{
  GByteArray *bytes = g_byte_array_new ();

  for (const char *c = hex; *c != '\0'; c++)
    if (g_ascii_isxdigit (*c))
      {
        guint8 byte = (guint8) (g_ascii_xdigit_value (c[0]) * 16 + g_ascii_xdigit_value (c[1]));

        g_byte_array_append (bytes, &byte, 1);
        c++;
      }
  return bytes;
}

static void
write_bytes (Scratch *self, const GByteArray *bytes, gsize size)
{
  g_assert_true (g_file_set_contents (self->path, (const char *) bytes->data, (gssize) size, NULL));
}

static void
write_hex (Scratch *self, const char *hex)
{
  g_autoptr (GByteArray) bytes = parse_hex (hex);

  write_bytes (self, bytes, bytes->len);
}

static void
assert_floats (SymTensor *tensor, const float *expected, guint n)
{
  g_autofree float *values = g_new (float, n);

  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof (float));
  g_assert_true (sym_tensor_read (tensor, 0, n * sizeof (float), values, NULL));
  g_assert_cmpmem (values, n * sizeof (float), expected, n * sizeof (float));
}

static void
test_reads_the_bytes_of_the_tutorial (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;
  SymTensor *tensor;

  write_hex (self, tutorial);
  tensors = sym_store_open_params (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 1);
  g_assert_cmpstr (sym_store_tensors_get_name (tensors, 0), ==, "arg:w");
  g_assert_null (sym_store_tensors_get_skipped (tensors)[0]);
  g_assert_null (sym_store_tensors_find (tensors, "arg:v"));
  tensor = sym_store_tensors_find (tensors, "arg:w");
  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_FLOAT32);
  g_assert_true (has_shape (tensor, SYM_SHAPE (2, 2)));
  assert_floats (tensor, (const float[]){ 1, 2, 3, 4 }, 4);
}

static void
test_writes_the_bytes_of_the_tutorial (Scratch *self, gconstpointer data)
{
  static const float values[] = { 1, 2, 3, 4 };
  g_autoptr (SymTensor) tensor =
      make_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 2), values, sizeof values);
  g_autoptr (GByteArray) expected = parse_hex (tutorial);
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize size;

  g_assert_true (
      sym_store_write_params (self->path, (const char *const[]){ "arg:w" }, &tensor, 1, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
  g_assert_cmpmem (contents, size, expected->data, expected->len);
}

typedef struct {
  const char *what;
  const char *array; /* hex of the array alone */
  int rank;          /* -1: skipped */
} Era;

static const Era eras[] = {
  { "V0", "01000000 02000000 01000000 00000000 00000000 0000803f 00000040", 1 },
  { "V0 empty", "00000000", -1 },
  { "V1", "c8fa93f9 01000000 0200000000000000 02000000 01000000 00000000 0000803f 00000040", 1 },
  { "V1 empty", "c8fa93f9 00000000", -1 },
  { "V2",
    "c9fa93f9 00000000 02000000 0200000000000000 0100000000000000 01000000 00000000"
    "00000000 0000803f 00000040",
    2 },
  { "V2 empty", "c9fa93f9 00000000 00000000", -1 },
  { "V2 without elements",
    "c9fa93f9 00000000 01000000 0000000000000000 01000000 00000000"
    "00000000",
    1 },
  { "V3 scalar", "cafa93f9 00000000 00000000 01000000 00000000 00000000 0000803f", 0 },
  { "V3 without a shape", "cafa93f9 00000000 ffffffff", -1 },
  { "row_sparse",
    "c9fa93f9 01000000 02000000 0100000000000000 0200000000000000" /* stored */
    "02000000 0300000000000000 0200000000000000"                   /* shape */
    "01000000 00000000 00000000"                                   /* device, dtype */
    "06000000 01000000 0100000000000000"                           /* index: int64 (1) */
    "0000803f 00000040 0000000000000000",
    2 },
  { "csr",
    "c9fa93f9 02000000 01000000 0100000000000000"
    "02000000 0200000000000000 0200000000000000"
    "01000000 00000000 00000000"
    "06000000 01000000 0300000000000000 06000000 01000000 0100000000000000"
    "0000803f 0000000000000000 0100000000000000 0100000000000000 0000000000000000",
    2 },
};

static char *
wrap_era (const char *array)
{
  return g_strconcat ("1201000000000000 0000000000000000 0100000000000000", array,
                      "0100000000000000 0100000000000000 77", NULL);
}

static void
test_reads_every_era (Scratch *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (eras); i++)
    {
      g_autofree char *hex = wrap_era (eras[i].array);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = NULL;

      g_test_message ("%s", eras[i].what);
      write_hex (self, hex);
      tensors = sym_store_open_params (self->path, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, eras[i].rank < 0 ? 0 : 1);
      if (eras[i].rank < 0)
        g_assert_true (g_str_has_prefix (sym_store_tensors_get_skipped (tensors)[0], "“w” is "));
      else
        g_assert_cmpint (sym_tensor_get_shape (sym_store_tensors_get (tensors, 0))->rank, ==,
                         eras[i].rank);
    }
}

/* An array of [4, 3] in which row 1 is 1 2 3 and row 3 is 4 5 6. */
#define ROWS(shape, stored, index_shape, indices)                                          \
  "c9fa93f9 01000000 02000000" stored "0300000000000000 02000000" shape "0300000000000000" \
  "01000000 00000000 00000000 06000000 01000000" index_shape                               \
  "0000803f 00000040 00004040 00008040 0000a040 0000c040" indices
#define ONE "0100000000000000"
#define TWO "0200000000000000"
#define THREE "0300000000000000"
#define FOUR "0400000000000000"

/* An array of [3, 4]: 1 at [0, 1], 2 at [0, 3], nothing in row 1, 3 at [2, 0]. */
#define CSR(begins, columns)                                                            \
  "c9fa93f9 02000000 01000000" THREE "02000000" THREE FOUR "01000000 00000000 00000000" \
  "06000000 01000000" FOUR "04000000 01000000" THREE "0000803f 00000040 00004040" begins columns

static void
test_sparse_arrays_are_dense_when_read (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *array;
    float dense[12];
  } cases[] = {
    { ROWS (FOUR, TWO, TWO, ONE THREE), { 0, 0, 0, 1, 2, 3, 0, 0, 0, 4, 5, 6 } },
    { CSR ("0000000000000000" TWO TWO THREE, "01000000 03000000 00000000"),
      { 0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *hex = wrap_era (cases[i].array);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = NULL;
      SymTensor *tensor;

      write_hex (self, hex);
      tensors = sym_store_open_params (self->path, &error);
      g_assert_no_error (error);
      tensor = sym_store_tensors_find (tensors, "w");
      assert_floats (tensor, cases[i].dense, 12);
      for (guint first = 0; first < 48; first++)
        for (guint n = 0; n <= 48 - first; n++)
          {
            guint8 bytes[48];

            g_assert_true (sym_tensor_read (tensor, first, n, bytes, &error));
            g_assert_cmpmem (bytes, n, (const guint8 *) cases[i].dense + first, n);
          }
    }
}

static void
test_bad_indices_are_refused (Scratch *self, gconstpointer data)
{
  static const struct {
    const char *array, *message;
  } cases[] = {
    { ROWS (FOUR, TWO, TWO, THREE ONE), "out of order" },
    { ROWS (FOUR, TWO, TWO, ONE ONE), "out of order" },
    { ROWS (FOUR, TWO, TWO, ONE FOUR), "beyond its shape" },
    { ROWS (FOUR, TWO, TWO, "ffffffffffffffff" ONE), "beyond its shape" },
    { ROWS (FOUR, TWO, ONE, ONE), "do not go with its shape" },
    { CSR ("0000000000000000" TWO ONE THREE, "01000000 03000000 00000000"), "out of order" },
    { CSR (ONE TWO TWO THREE, "01000000 03000000 00000000"), "do not hold all" },
    { CSR ("0000000000000000" TWO TWO TWO, "01000000 03000000 00000000"), "do not hold all" },
    { CSR ("0000000000000000" TWO TWO THREE, "01000000 04000000 00000000"), "beyond its shape" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *hex = wrap_era (cases[i].array);
      g_autoptr (GError) error = NULL;

      write_hex (self, hex);
      g_assert_null (sym_store_open_params (self->path, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* Its few bytes do not justify that someone allocates 2^40 rows. */
static void
test_a_sparse_array_out_of_proportion_is_skipped (Scratch *self, gconstpointer data)
{
  g_autofree char *hex = wrap_era (ROWS ("0000000000010000", TWO, TWO, ONE THREE));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;

  write_hex (self, hex);
  tensors = sym_store_open_params (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 0);
  g_assert_nonnull (strstr (sym_store_tensors_get_skipped (tensors)[0], "“w” is sparse, and more"));
}

static void
test_every_truncation_is_refused (Scratch *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (eras); i++)
    {
      g_autofree char *hex = wrap_era (eras[i].array);
      g_autoptr (GByteArray) bytes = parse_hex (hex);

      for (guint size = 0; size < bytes->len; size++)
        {
          g_autoptr (GError) error = NULL;

          write_bytes (self, bytes, size);
          g_assert_null (sym_store_open_params (self->path, &error));
          g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
          g_assert_nonnull (strstr (error->message, "byte"));
        }
    }
}

static void
test_hostile_counts_are_refused (Scratch *self, gconstpointer data)
{
  static const struct {
    guint at, size; /* bytes of the tutorial's file that are set to 0xff... */
    guint8 byte;
    const char *message;
  } cases[] = {
    { 0, 1, 0xff, "is not MXNet's: it starts with 0x1ff, not with 0x112" },
    { 16, 8, 0xff, "18446744073709551615 arrays do not fit" },
    { 24, 4, 0x7f, "has 2139062143 dimensions; 0 to 12 are possible" },
    { 28, 4, 0xff, "the storage type at byte 28 is -1" },
    { 32, 4, 0xff, "has -1 dimensions" },
    { 36, 8, 0xff, "dimension 0 of the shape at byte 36 is negative" },
    { 36, 8, 0x7f, "has too many elements" },
    { 36, 4, 0x7f, "an array at byte 64 needs" },
    { 60, 1, 0x0d, "the dtype at byte 60 is 13; known are 0 to 12" },
    { 80, 1, 0x02, "has 2 names at byte 80 for 1 arrays" },
    { 80, 1, 0x00, "should end at byte 88, but 13 bytes follow" },
    { 88, 8, 0xff, "a name at byte 96 needs 18446744073709551615 bytes" },
    { 88, 1, 0x04, "should end at byte 100, but 1 bytes follow" },
    { 96, 1, 0xff, "the name at byte 88 is not UTF-8" },
    { 96, 1, 0x00, "the name at byte 88 is not UTF-8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) bytes = parse_hex (tutorial);
      g_autoptr (GError) error = NULL;

      memset (bytes->data + cases[i].at, cases[i].byte, cases[i].size);
      write_bytes (self, bytes, bytes->len);
      g_assert_null (sym_store_open_params (self->path, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("“%s” lacks “%s”", error->message, cases[i].message);
    }
}

static void
test_trailing_bytes_are_refused (Scratch *self, gconstpointer data)
{
  g_autofree char *hex = g_strconcat (tutorial, "00", NULL);
  g_autoptr (GError) error = NULL;

  write_hex (self, hex);
  g_assert_null (sym_store_open_params (self->path, &error));
  g_assert_nonnull (strstr (error->message, "should end at byte 101, but 1 bytes follow"));
}

static void
test_a_list_without_names_is_numbered (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;

  write_hex (self, "1201000000000000 0000000000000000 0200000000000000"
                   "01000000 01000000 01000000 00000000 00000000 0000803f"
                   "01000000 01000000 01000000 00000000 00000000 00000040"
                   "0000000000000000");
  tensors = sym_store_open_params (self->path, &error);
  g_assert_no_error (error);
  assert_floats (sym_store_tensors_find (tensors, "1"), (const float[]){ 2 }, 1);
}

/* More arrays than fit into the reader's window, of every dtype, read back as they were written. */
static void
test_what_is_written_is_read_back (Scratch *self, gconstpointer data)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) written =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 500; i++)
    {
      gsize size = 8 * (1 + i % 7);
      SymDType dtype = i % 2 == 0 ? SYM_DTYPE_INT64 : SYM_DTYPE_FLOAT64;
      char contents[56];

      memset (contents, (int) i, size);
      g_ptr_array_add (written, make_tensor (dtype, SYM_SHAPE (1 + i % 7), contents, size));
      g_ptr_array_add (names, g_strdup_printf ("arg:fc%u_weight", i));
    }
  g_assert_true (sym_store_write_params (self->path, (const char *const *) names->pdata,
                                         (SymTensor *const *) written->pdata, 500, &error));
  tensors = sym_store_open_params (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 500);
  for (guint i = 0; i < 500; i++)
    {
      SymTensor *tensor = sym_store_tensors_find (tensors, names->pdata[i]);
      char buffer[56], expected[56];
      gsize size = 8 * (1 + i % 7);

      memset (expected, (int) i, size);
      g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, size);
      g_assert_true (sym_tensor_read (tensor, 0, size, buffer, NULL));
      g_assert_cmpmem (buffer, size, expected, size);
    }
}

static void
test_a_dtype_that_mxnet_has_not_is_refused (Scratch *self, gconstpointer data)
{
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_COMPLEX64, SYM_SHAPE (1), "1234567", 8);
  g_autoptr (GError) error = NULL;

  g_assert_false (
      sym_store_write_params (self->path, (const char *const[]){ "w" }, &tensor, 1, &error));
  g_assert_nonnull (strstr (error->message, "MXNet has no dtype complex64, which “w” has"));
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

/* Its own source as target: the old bytes are read while the new file grows beside it. */
static void
test_a_file_can_be_written_over_itself (Scratch *self, gconstpointer data)
{
  g_autoptr (GByteArray) expected = parse_hex (tutorial);
  g_autoptr (SymStoreTensors) tensors = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  SymTensor *tensor;
  gsize size;

  write_bytes (self, expected, expected->len);
  tensors = sym_store_open_params (self->path, &error);
  tensor = sym_store_tensors_get (tensors, 0);
  g_assert_true (
      sym_store_write_params (self->path, (const char *const[]){ "arg:w" }, &tensor, 1, &error));
  g_assert_true (g_file_get_contents (self->path, &contents, &size, NULL));
  g_assert_cmpmem (contents, size, expected->data, expected->len);
  /* What was open stays readable: a document is saved, and goes on. */
  assert_floats (tensor, (const float[]){ 1, 2, 3, 4 }, 4);
}

static void
test_reads_what_mxnet_2_writes (Scratch *self, gconstpointer data)
{
  const float numbers[] = { 1, 2, 3 };
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, sizeof numbers);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  SymShape shape = SYM_SHAPE (3);
  SymTensor *tensor = sym_tensor_new (SYM_DTYPE_FLOAT32, &shape, blob, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = NULL;

  g_assert_true (
      sym_store_write_npz (self->path, (const char *const[]){ "arg:w" }, &tensor, 1, &error));
  tensors = sym_store_open_params (self->path, &error);
  g_assert_no_error (error);
  assert_floats (sym_store_tensors_find (tensors, "arg:w"), numbers, 3);
  sym_tensor_unref (tensor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function)                                                         \
  g_test_add ("/store/params/" path, Scratch, "x.params", scratch_set_up, function, \
              scratch_tear_down)
  ADD ("reads-the-bytes-of-the-tutorial", test_reads_the_bytes_of_the_tutorial);
  ADD ("writes-the-bytes-of-the-tutorial", test_writes_the_bytes_of_the_tutorial);
  ADD ("reads-every-era", test_reads_every_era);
  ADD ("sparse-arrays-are-dense-when-read", test_sparse_arrays_are_dense_when_read);
  ADD ("bad-indices-are-refused", test_bad_indices_are_refused);
  ADD ("a-sparse-array-out-of-proportion-is-skipped",
       test_a_sparse_array_out_of_proportion_is_skipped);
  ADD ("every-truncation-is-refused", test_every_truncation_is_refused);
  ADD ("hostile-counts-are-refused", test_hostile_counts_are_refused);
  ADD ("trailing-bytes-are-refused", test_trailing_bytes_are_refused);
  ADD ("a-list-without-names-is-numbered", test_a_list_without_names_is_numbered);
  ADD ("what-is-written-is-read-back", test_what_is_written_is_read_back);
  ADD ("a-dtype-that-mxnet-has-not-is-refused", test_a_dtype_that_mxnet_has_not_is_refused);
  ADD ("a-file-can-be-written-over-itself", test_a_file_can_be_written_over_itself);
  ADD ("reads-what-mxnet-2-writes", test_reads_what_mxnet_2_writes);
#undef ADD
  return g_test_run ();
}
