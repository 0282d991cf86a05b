/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "core/sym-datum.h"
#include "core/sym-element.h"
#include "io/sym-io.h"
#include "io/sym-numbers.h"
#include "store/sym-store-folder.h"
#include "store/sym-store-numpy.h"

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SymTensor *
new_tensor (float first)
{
  float numbers[] = { first, first + 1 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };
  g_autoptr (GError) error = NULL;
  SymTensor *tensor = sym_tensor_new_copy (&array, &error);

  g_assert_no_error (error);
  return tensor;
}

static SymNumbers *
read_well (const char *path, guint n)
{
  g_autoptr (GError) error = NULL;
  SymNumbers *numbers = sym_numbers_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_numbers_get_n (numbers), ==, n);
  return numbers;
}

/* Entry @i is called @name and has @shape, which begins with @first. */
static void
assert_entry (const SymNumbers *numbers, guint i, const char *name, SymShape shape, double first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum = sym_datum_new_read (sym_numbers_get_tensors (numbers)[i], &error);
  const SymArray *array = sym_datum_get_array (datum);

  g_assert_no_error (error);
  g_assert_cmpstr (sym_numbers_get_names (numbers)[i], ==, name);
  g_assert_true (sym_shape_equal (&array->shape, &shape));
  g_assert_cmpfloat (sym_element_get_double (array->dtype, array->data, 0), ==, first);
}

static void
assert_skipped (const SymNumbers *numbers, const char *text)
{
  const char *const *skipped = sym_numbers_get_skipped (numbers);

  g_assert_cmpstr (skipped[0], ==, text);
  g_assert_true (text == NULL || skipped[1] == NULL);
}

static void
test_npz (void)
{
  g_autofree char *path = get_path ("run.of-any-name");
  g_autoptr (SymTensor) one = new_tensor (1), two = new_tensor (3);
  g_autoptr (GError) error = NULL;

  sym_store_write_npz (path, (const char *const[]){ "a/b", "y" }, (SymTensor *const[]){ one, two },
                       2, &error);
  g_assert_no_error (error);
  g_autoptr (SymNumbers) numbers = read_well (path, 2);

  assert_entry (numbers, 0, "a/b", SYM_SHAPE (2), 1);
  assert_entry (numbers, 1, "y", SYM_SHAPE (2), 3);
  g_assert_true (sym_numbers_has_dtypes (numbers));
  assert_skipped (numbers, NULL);
  g_remove (path);
}

/* Without a manifest names are those of files; a single file is called like itself. */
static void
test_arrays_alone (void)
{
  g_autofree char *path = get_path ("a%2Fb.npy"), *other = get_path ("notes.txt");
  g_autoptr (SymTensor) tensor = new_tensor (5);
  g_autoptr (GError) error = NULL;

  sym_store_write_npy (path, tensor, &error);
  g_assert_no_error (error);
  g_file_set_contents (other, "nothing", -1, &error);
  g_assert_no_error (error);
  g_autoptr (SymNumbers) all = read_well (folder, 1), one = read_well (path, 1);

  assert_entry (all, 0, "a/b", SYM_SHAPE (2), 5);
  assert_entry (one, 0, "a/b", SYM_SHAPE (2), 5);
  g_remove (path);
  g_remove (other);
}

/* As a run leaves it, by the folder and by its manifest; lists are told, not read. */
static void
test_folder_of_a_run (void)
{
  g_autofree char *path = get_path ("run"), *manifest = get_path ("run/manifest.json");
  float numbers[] = { 7 };
  SymArray given = { SYM_DTYPE_FLOAT32, SYM_SHAPE (1), numbers };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&given, &error);
  g_autoptr (SymDatum) list = sym_datum_new_sequence (SYM_DTYPE_FLOAT32, &datum, 1);
  g_autoptr (SymStoreFolder) store = sym_store_folder_new (path, &error);

  g_assert_no_error (error);
  g_assert_true (sym_store_folder_add (store, "x y", datum, &error));
  g_assert_true (sym_store_folder_add (store, "s", list, &error));
  g_assert_true (sym_store_folder_end (store, &error));
  const char *paths[] = { path, manifest };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (SymNumbers) read = read_well (paths[i], 1);

      assert_entry (read, 0, "x y", SYM_SHAPE (1), 7);
      assert_skipped (read, "“s” is a list of arrays");
    }
  g_autoptr (GDir) entries = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_remove (file);
    }
  g_rmdir (path);
}

static void
test_node_data (void)
{
  g_autofree char *path = get_path ("data.json");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (
      path,
      "{\"g\": {\"results\": {\"a\": {\"value\": 2.5}, \"b\": {\"value\": [[1, 2, 3], "
      "[4, 5, 6]]}, \"c\": {\"value\": \"word\"}}}, \"h\": {\"results\": {\"d\": "
      "{\"value\": [[[]]]}}}}",
      -1, &error);
  g_assert_no_error (error);
  g_autoptr (SymNumbers) numbers = read_well (path, 3);

  assert_entry (numbers, 0, "a", SYM_SHAPE (), 2.5);
  assert_entry (numbers, 1, "b", SYM_SHAPE (2, 3), 1);
  g_assert_cmpint (sym_tensor_get_shape (sym_numbers_get_tensors (numbers)[2])->rank, ==, 3);
  g_assert_false (sym_numbers_has_dtypes (numbers));
  assert_skipped (numbers, "“c” has no numbers in lists of the same length");
  g_remove (path);
}

/* Graphs, broken files and files elsewhere are none. */
static void
test_others (void)
{
  static const char *const contents[] = {
    "",
    "{\"nodes\": []}",
    "{\"results\": [1]}",
    "[{\"results\": {}}, \"x.npy\"]",
    "{\"x\": \"../x.npy\"}",
    "{\"results\": {",
    "PK\003\004 and so on",
    "<ir_version: 8>",
  };
  g_autofree char *path = get_path ("other"), *missing = get_path ("missing");

  for (guint i = 0; i < G_N_ELEMENTS (contents) + 2; i++)
    {
      g_autoptr (GError) error = NULL;

      if (i < G_N_ELEMENTS (contents))
        g_assert_true (g_file_set_contents (path, contents[i], -1, NULL));
      else
        g_remove (path);
      g_assert_null (sym_numbers_read (i < G_N_ELEMENTS (contents)    ? path
                                       : i == G_N_ELEMENTS (contents) ? missing
                                                                      : folder,
                                       NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
    }
}

/* A manifest that names a file which is not there is one all the same. */
static void
test_missing_array (void)
{
  g_autofree char *path = get_path ("manifest.json");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{\"x\": \"x.npy\"}", -1, NULL));
  g_assert_null (sym_numbers_read (path, NULL, &error));
  g_assert_nonnull (error);
  g_assert_false (g_error_matches (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED));
  g_assert_nonnull (strstr (error->message, "x.npy"));
  g_remove (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("symscope-numbers-XXXXXX", NULL);
  g_test_add_func ("/io/numbers/npz", test_npz);
  g_test_add_func ("/io/numbers/arrays-alone", test_arrays_alone);
  g_test_add_func ("/io/numbers/folder-of-a-run", test_folder_of_a_run);
  g_test_add_func ("/io/numbers/node-data", test_node_data);
  g_test_add_func ("/io/numbers/others", test_others);
  g_test_add_func ("/io/numbers/missing-array", test_missing_array);
  status = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return status;
}
