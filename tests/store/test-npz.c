/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store-npy-private.h"
#include "store/sym-store-zip-private.h"

#include <string.h>

static SymTensor *
make_tensor (SymDType dtype, SymShape shape, guint factor)
{
  guint64 n = 0, size = 0;
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) contents = NULL;
  g_autoptr (SymBlob) blob = NULL;

  sym_shape_get_n_elements (&shape, &n);
  g_assert_true (sym_dtype_get_size (dtype, n, &size));
  bytes = g_malloc (size + 1);
  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) (i * factor % 251);
  contents = g_bytes_new (bytes, size);
  blob = sym_blob_new_bytes (contents);
  return sym_tensor_new (dtype, &shape, blob, 0, NULL);
}

static SymStoreTensors *
open_fixture (const char *name, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "npz", name, NULL);

  return sym_store_open_npz (path, error);
}

static void
check_counts_up (SymTensor *tensor, guint n)
{
  g_autofree gint32 *numbers = g_new (gint32, n);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, n * sizeof *numbers);
  /* Not from front to back: the second half, the first, then all. */
  g_assert_true (sym_tensor_read (tensor, n / 2 * 4, n / 2 * 4, numbers + n / 2, &error));
  g_assert_true (sym_tensor_read (tensor, 0, n / 2 * 4, numbers, &error));
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (numbers[i], ==, i);
  g_assert_true (sym_tensor_read (tensor, 0, n * 4, numbers, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (numbers[i], ==, i);
}

/* Written by Python's zipfile: "a.npy" and "b" (no suffix), int32 that count up, 6 and 5,000 of
 * them, "text.npy" with strings, "note.txt" and a folder. */
static void
test_reads_stored_and_deflated (void)
{
  static const char *const names[] = { "stored.npz", "deflated.npz", "zip64.npz" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = open_fixture (names[i], &error);
      const char *const *skipped;

      g_test_message ("%s", names[i]);
      g_assert_no_error (error);
      g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 3);
      check_counts_up (sym_store_tensors_find (tensors, "a"), 6);
      check_counts_up (sym_store_tensors_find (tensors, "b"), i == 1 ? 5000 : 10);
      g_assert_cmpstr (sym_tensor_get_string (sym_store_tensors_find (tensors, "text"), 0, NULL),
                       ==, "hé");
      skipped = sym_store_tensors_get_skipped (tensors);
      g_assert_nonnull (skipped[0]);
      g_assert_nonnull (strstr (skipped[0], "“note.txt” is not read"));
      g_assert_null (skipped[1]);
    }
}

/* The same archive with a few bytes changed: sizes in the directory, contents, methods. */
static void
test_lies_are_found (void)
{
  static const struct {
    const char *name, *message;
  } cases[] = {
    { "bomb.npz", "claims a size that its bytes cannot have" },
    { "longer-than-the-archive.npz", "claims" },
    { "encrypted.npz", "is encrypted" },
    { "bzip2.npz", "neither stored nor deflated" },
    { "huge-header.npz", "ends too early" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = open_fixture (cases[i].name, &error);
      const char *text =
          tensors == NULL ? error->message : sym_store_tensors_get_skipped (tensors)[0];

      g_test_message ("%s: %s", cases[i].name, text);
      g_assert_nonnull (text);
      g_assert_nonnull (strstr (text, cases[i].message));
    }
}

static void
test_damage_is_found_by_reading (void)
{
  static const char *const names[] = { "bad-crc.npz", "short-deflate.npz" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymStoreTensors) tensors = open_fixture (names[i], &error);
      SymTensor *tensor;
      g_autofree guint8 *bytes = NULL;
      guint64 size;

      g_test_message ("%s", names[i]);
      g_assert_no_error (error);
      g_assert_cmpuint (sym_store_tensors_get_n (tensors), ==, 1);
      tensor = sym_store_tensors_get (tensors, 0);
      size = sym_tensor_get_n_bytes (tensor);
      bytes = g_malloc (size);
      g_assert_false (sym_tensor_read (tensor, 0, size, bytes, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "“a.npy”"));
    }
}

static void
test_what_is_written_comes_back (Scratch *self, gconstpointer data)
{
  static const char *const names[] = { "weight", "a/b", "é", "none", "scalar", "words" };
  const char *const words[] = { "é", "long word" };
  SymShape pair = SYM_SHAPE (2);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) again = NULL;
  SymTensor *tensors[G_N_ELEMENTS (names)] = {
    make_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (300, 1000), 7),
    make_tensor (SYM_DTYPE_INT64, SYM_SHAPE (2, 1), 3),
    make_tensor (SYM_DTYPE_BOOL, SYM_SHAPE (4), 0),
    make_tensor (SYM_DTYPE_FLOAT16, SYM_SHAPE (0, 3), 1),
    make_tensor (SYM_DTYPE_COMPLEX64, SYM_SHAPE (), 1),
    sym_tensor_new_strings (&pair, words, NULL, NULL),
  };

  g_assert_true (sym_store_write_npz (self->path, names, tensors, G_N_ELEMENTS (names), &error));
  again = sym_store_open_npz (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (again), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_cmpstr (sym_store_tensors_get_name (again, i), ==, names[i]);
      g_assert_true (sym_tensor_equal (sym_store_tensors_get (again, i), tensors[i]));
      sym_tensor_unref (tensors[i]);
    }
}

static void
test_many_and_none_come_back (Scratch *self, gconstpointer data)
{
  const guint n = 70000; /* more than the directory of a plain zip can count */
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_INT8, SYM_SHAPE (1), 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree SymTensor **tensors = g_new (SymTensor *, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) empty = NULL;
  g_autoptr (SymStoreTensors) many = NULL;

  g_assert_true (sym_store_write_npz (self->path, NULL, NULL, 0, &error));
  empty = sym_store_open_npz (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (empty), ==, 0);

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (names, g_strdup_printf ("%u", i));
      tensors[i] = tensor;
    }
  g_assert_true (
      sym_store_write_npz (self->path, (const char *const *) names->pdata, tensors, n, &error));
  many = sym_store_open_npz (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (many), ==, n);
  g_assert_true (sym_tensor_equal (sym_store_tensors_find (many, "69999"), tensor));
}

static void
test_refuses_bad_names (Scratch *self, gconstpointer data)
{
  static const char *const twice[] = { "a", "a" }, *const empty[] = { "", "b" },
                           *const invalid[] = { "\xff", "b" };
  static const char *const *const cases[] = { twice, empty, invalid };
  g_autoptr (SymTensor) tensor = make_tensor (SYM_DTYPE_INT8, SYM_SHAPE (1), 0);
  SymTensor *tensors[] = { tensor, tensor };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (sym_store_write_npz (self->path, cases[i], tensors, 2, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
    }
}

static void
test_a_dtype_of_no_numpy_leaves_no_file (Scratch *self, gconstpointer data)
{
  static const char *const names[] = { "a", "b" };
  g_autoptr (SymTensor) good = make_tensor (SYM_DTYPE_INT8, SYM_SHAPE (1), 0);
  g_autoptr (SymTensor) bad = make_tensor (SYM_DTYPE_BFLOAT16, SYM_SHAPE (1), 0);
  SymTensor *tensors[] = { good, bad };
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_store_write_npz (self->path, names, tensors, 2, &error));
  g_assert_nonnull (strstr (error->message, "bfloat16"));
  g_assert_false (g_file_test (self->path, G_FILE_TEST_EXISTS));
}

static void
test_refuses_what_is_no_zip (Scratch *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (
      self->path, "PK\3\4 is the start of a zip, but there is no end", -1, NULL));
  g_assert_null (sym_store_open_npz (self->path, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (self->path, "", 0, NULL));
  g_assert_null (sym_store_open_npz (self->path, &error));
  g_assert_nonnull (error);
}

static gpointer
read_often (gpointer data)
{
  SymTensor *tensor = data;

  for (guint i = 0; i < 20; i++)
    {
      gint32 number = -1;
      guint64 at = (i * 7919u) % 5000;

      g_assert_true (sym_tensor_read (tensor, at * 4, 4, &number, NULL));
      g_assert_cmpint (number, ==, at);
    }
  return NULL;
}

static void
test_threads_may_share_an_archive (void)
{
  g_autoptr (SymStoreTensors) tensors = open_fixture ("deflated.npz", NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, read_often, sym_store_tensors_find (tensors, "b"));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
read_whole_archive (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTensors) tensors = sym_store_open_npz (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_tensors_get_n (tensors), >, 0);
  for (guint i = 0; i < sym_store_tensors_get_n (tensors); i++)
    {
      SymTensor *tensor = sym_store_tensors_get (tensors, i);
      guint64 size = sym_tensor_get_n_bytes (tensor);
      g_autofree guint8 *bytes = g_malloc (size + 1);

      g_assert_true (sym_tensor_get_dtype (tensor) == SYM_DTYPE_STRING ||
                     sym_tensor_read (tensor, 0, size, bytes, &error));
      g_assert_no_error (error);
    }
}

/* NumPy wrote these: inputs and outputs beside the models of the corpus. */
static void
test_reads_those_of_the_corpus (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *folder = g_build_filename (corpus != NULL ? corpus : "", "onnx", "models", NULL);
  g_autoptr (GDir) models = g_dir_open (folder, 0, NULL);
  guint n = 0;

  for (const char *name; models != NULL && (name = g_dir_read_name (models)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, "io.npz", NULL);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      g_test_message ("%s", name);
      read_whole_archive (path);
      n++;
    }
  if (n == 0)
    g_test_skip ("there is no corpus");
}

#define ADD(path, test) g_test_add (path, Scratch, "x.npz", scratch_set_up, test, scratch_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/npz/reads-stored-and-deflated", test_reads_stored_and_deflated);
  g_test_add_func ("/store/npz/lies-are-found", test_lies_are_found);
  g_test_add_func ("/store/npz/damage-is-found-by-reading", test_damage_is_found_by_reading);
  ADD ("/store/npz/what-is-written-comes-back", test_what_is_written_comes_back);
  ADD ("/store/npz/many-and-none-come-back", test_many_and_none_come_back);
  ADD ("/store/npz/refuses-bad-names", test_refuses_bad_names);
  ADD ("/store/npz/a-dtype-of-no-numpy-leaves-no-file", test_a_dtype_of_no_numpy_leaves_no_file);
  ADD ("/store/npz/refuses-what-is-no-zip", test_refuses_what_is_no_zip);
  g_test_add_func ("/store/npz/threads-may-share-an-archive", test_threads_may_share_an_archive);
  g_test_add_func ("/store/npz/reads-those-of-the-corpus", test_reads_those_of_the_corpus);
  return g_test_run ();
}
