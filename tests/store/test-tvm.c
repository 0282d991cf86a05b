/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store.h"

/* Parameters of TVM: tests/fixtures/tvm-params. */

static GBytes *
load (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "tvm-params", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, length);
}

static SymStoreTensors *
read_bytes (GBytes *bytes, GError **error)
{
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_store_read_tvm (blob, "x.params", error);
}

static void
test_reads_all_types (void)
{
  g_autoptr (GBytes) bytes = load ("types.params");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = read_bytes (bytes, &error);
  gint64 numbers[2];
  SymTensor *tensor;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 4);
  tensor = sym_store_tensors_find (tensors, "i");
  g_assert_cmpint (sym_tensor_get_dtype (tensor), ==, SYM_DTYPE_INT64);
  g_assert_true (sym_tensor_read (tensor, 0, sizeof numbers, numbers, NULL));
  g_assert_cmpint (numbers[0], ==, 1);
  g_assert_cmpint (numbers[1], ==, -2);
  g_assert_cmpint (sym_tensor_get_dtype (sym_store_tensors_find (tensors, "flag")), ==,
                   SYM_DTYPE_BOOL);
  g_assert_cmpint (sym_tensor_get_shape (sym_store_tensors_find (tensors, "half"))->rank, ==, 0);
  g_assert_cmpint (sym_tensor_get_n_bytes (sym_store_tensors_find (tensors, "none")), ==, 0);
  g_assert_cmpstr (sym_store_tensors_get_skipped (tensors)[0], ==,
                   "“odd” has elements of a type that is not known");
}

static void
test_reads_an_empty_list (void)
{
  g_autoptr (GBytes) bytes = load ("empty.params");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = read_bytes (bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 0);
}

/* Wherever it is cut off, that is told, and nothing is read beyond. */
static void
test_refuses_what_is_cut (void)
{
  g_autoptr (GBytes) whole = load ("types.params");

  for (gsize n = 0; n < g_bytes_get_size (whole); n++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (whole, 0, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = read_bytes (cut, &error);

      g_assert_null (tensors);
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_true (g_str_has_prefix (error->message, "x.params: "));
    }
}

/* One byte of a small list is another one. */
static void
test_refuses_what_is_wrong (void)
{
  static const struct {
    gsize at;
    guint8 byte;
    const char *message;
  } cases[] = {
    { 0, 0, "should begin at byte 0" },
    { 23, 1, "more than the file has room for" }, /* names */
    { 16, 2, "more than the file has room for" }, /* the array's magic for a name's length */
    { 24, 2, "the number of arrays" },            /* a name longer by one */
    { 33, 0, "1 names for 0 arrays" },
    { 41, 0, "an array should begin at byte 41" },
    { 65, 13, "has 13 dimensions" },
    { 80, 0x80, "is negative" },
    { 73, 3, "does not fit its shape" },
  };
  /* A list of one array "w", float32 [2]. */
  static const guint8 list[] = {
    0xb7, 0x9c, 0x04, 0x05, 0x4f, 0x8d, 0xe5, 0xf7, 0,   0, 0, 0, 0, 0,  0, 0, /* 0 */
    1,    0,    0,    0,    0,    0,    0,    0,                               /* 16 */
    1,    0,    0,    0,    0,    0,    0,    0,    'w',                       /* 24 */
    1,    0,    0,    0,    0,    0,    0,    0,                               /* 33 */
    0x3f, 0xa1, 0xb4, 0x96, 0xf0, 0x40, 0x5e, 0xdd, 0,   0, 0, 0, 0, 0,  0, 0, /* 41 */
    1,    0,    0,    0,    0,    0,    0,    0,    1,   0, 0, 0, 2, 32, 1, 0, /* 57 */
    2,    0,    0,    0,    0,    0,    0,    0,                               /* 73 */
    8,    0,    0,    0,    0,    0,    0,    0,                               /* 81 */
    0,    0,    0x80, 0x3f, 0,    0,    0,    0x40,                            /* 89 */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree guint8 *copy = g_memdup2 (list, sizeof list);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = NULL;

      copy[cases[i].at] = cases[i].byte;
      bytes = g_bytes_new (copy, sizeof list);
      tensors = read_bytes (bytes, &error);
      g_assert_null (tensors);
      g_assert_nonnull (error);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("case %u: “%s” should have “%s”", i, error->message, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/tvm/reads-all-types", test_reads_all_types);
  g_test_add_func ("/store/tvm/reads-an-empty-list", test_reads_an_empty_list);
  g_test_add_func ("/store/tvm/refuses-what-is-cut", test_refuses_what_is_cut);
  g_test_add_func ("/store/tvm/refuses-what-is-wrong", test_refuses_what_is_wrong);
  return g_test_run ();
}
