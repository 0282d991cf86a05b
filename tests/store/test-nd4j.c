/* SPDX-License-Identifier: MIT */
#include "store/sym-store-nd4j.h"

#include <string.h>

/* Arrays of ND4J: tests/fixtures/nd4j. */

static SymStoreNd4j *
open_fixture (const char *name, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "nd4j", name, NULL);
  g_autoptr (SymBlob) blob = sym_store_open_file (path, NULL);

  g_assert_nonnull (blob);
  return sym_store_nd4j_open (blob, name, error);
}

static void
test_reads_old_and_new (void)
{
  static const char *const names[] = { "float.bin", "old-float.bin" };
  const float rows[] = { 1, -2, 0.5f, 4, 0, 8 }, columns[] = { 1, 0.5f, 0, -2, 4, 8 };
  SymShape shape = SYM_SHAPE (2, 3);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreNd4j) array = open_fixture (names[i / 2], &error);
      g_autoptr (SymTensor) tensor = NULL;
      float numbers[6];

      g_assert_no_error (error);
      g_assert_cmpuint (sym_store_nd4j_get_n (array), ==, 6);
      tensor = sym_store_nd4j_get (array, 0, &shape, i % 2 == 1, &error);
      g_assert_no_error (error);
      g_assert_true (sym_tensor_read (tensor, 0, sizeof numbers, numbers, NULL));
      for (guint k = 0; k < 6; k++)
        g_assert_cmpfloat (numbers[k], ==, i % 2 == 1 ? columns[k] : rows[k]);
    }
}

static void
test_reads_doubles_from_a_place (void)
{
  g_autoptr (SymStoreNd4j) array = open_fixture ("double.bin", NULL);
  g_autoptr (SymTensor) tensor = sym_store_nd4j_get (array, 2, &SYM_SHAPE (2), FALSE, NULL);
  double numbers[2];

  g_assert_cmpint (sym_store_nd4j_get_dtype (array), ==, SYM_DTYPE_FLOAT64);
  g_assert_true (sym_tensor_read (tensor, 0, sizeof numbers, numbers, NULL));
  g_assert_cmpfloat (numbers[0], ==, 0.5);
  g_assert_cmpfloat (numbers[1], ==, 4);
}

static void
test_refuses_more_than_there_is (void)
{
  g_autoptr (SymStoreNd4j) array = open_fixture ("float.bin", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_store_nd4j_get (array, 4, &SYM_SHAPE (3), FALSE, &error));
  g_assert_cmpstr (error->message, ==, "float.bin: it has only 6 numbers");
}

static void
test_refuses_what_lies (void)
{
  static const struct {
    const char *name, *message;
  } cases[] = {
    { "cut.bin", "6 numbers are told at byte 123, and only 21 bytes are left" },
    { "crash-count.bin", "4611686018427387904 numbers are told" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_fixture (cases[i].name, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("\"%s\" does not tell \"%s\"", error->message, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nd4j/reads-old-and-new", test_reads_old_and_new);
  g_test_add_func ("/nd4j/reads-doubles-from-a-place", test_reads_doubles_from_a_place);
  g_test_add_func ("/nd4j/refuses-more-than-there-is", test_refuses_more_than_there_is);
  g_test_add_func ("/nd4j/refuses-what-lies", test_refuses_what_lies);
  return g_test_run ();
}
