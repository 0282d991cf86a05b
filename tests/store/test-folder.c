/* SPDX-License-Identifier: MIT */
#include "scratch.h"
#include "store/sym-store-folder.h"
#include "store/sym-store-numpy.h"

#include <glib/gstdio.h>
#include <string.h>

static SymDatum *
new_numbers (float first)
{
  float numbers[] = { first, first + 1 };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };

  return sym_datum_new_copy (&array, NULL);
}

static SymStoreFolder *
make (Scratch *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (self->folder, "a", "b", NULL);
  SymStoreFolder *folder = sym_store_folder_new (path, &error);

  g_assert_no_error (error);
  return folder;
}

static void
add (SymStoreFolder *folder, const char *name, float first)
{
  g_autoptr (SymDatum) datum = new_numbers (first);
  g_autoptr (GError) error = NULL;

  sym_store_folder_add (folder, name, datum, &error);
  g_assert_no_error (error);
}

static void
assert_first (Scratch *self, const char *file, float expected)
{
  g_autofree char *path = g_build_filename (self->folder, "a", "b", file, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymTensor) tensor = sym_store_open_npy (path, &error);
  g_autoptr (SymDatum) datum = NULL;

  g_assert_no_error (error);
  datum = sym_datum_new_read (tensor, NULL);
  g_assert_cmpfloat (*(const float *) sym_datum_get_array (datum)->data, ==, expected);
  g_unlink (path);
}

static void
assert_manifest (Scratch *self, const char *expected)
{
  g_autofree char *path = g_build_filename (self->folder, "a", "b", "manifest.json", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
  g_unlink (path);
}

static void
tear_down (Scratch *self, gconstpointer data)
{
  g_autofree char *inner = g_build_filename (self->folder, "a", "b", NULL);
  g_autofree char *outer = g_build_filename (self->folder, "a", NULL);

  g_rmdir (inner);
  g_rmdir (outer);
  scratch_tear_down (self, data);
}

/* What a file cannot be called is written otherwise, and no two become one. */
static void
test_escapes_names (Scratch *self, gconstpointer data)
{
  g_autoptr (SymStoreFolder) folder = make (self);

  add (folder, "plain_0.x-1", 1);
  add (folder, "/a/b:0", 2);
  add (folder, "%2Fa", 3);
  add (folder, "é\"\\\n", 4);
  add (folder, "..", 5);
  g_assert_true (sym_store_folder_end (folder, NULL));
  assert_manifest (self, "{\"plain_0.x-1\": \"plain_0.x-1.npy\",\n"
                         " \"/a/b:0\": \"%2Fa%2Fb%3A0.npy\",\n"
                         " \"%2Fa\": \"%252Fa.npy\",\n"
                         " \"é\\\"\\\\\\u000a\": \"%C3%A9%22%5C%0A.npy\",\n"
                         " \"..\": \"...npy\"}\n");
  assert_first (self, "plain_0.x-1.npy", 1);
  assert_first (self, "%2Fa%2Fb%3A0.npy", 2);
  assert_first (self, "%252Fa.npy", 3);
  assert_first (self, "%C3%A9%22%5C%0A.npy", 4);
  assert_first (self, "...npy", 5);
}

static void
test_cuts_long_names (Scratch *self, gconstpointer data)
{
  g_autoptr (SymStoreFolder) folder = make (self);
  g_autofree char *same = g_strnfill (300, 'a');
  g_autofree char *one = g_strconcat (same, "1", NULL), *other = g_strconcat (same, "2", NULL);
  g_autofree char *cut = g_strndup (same, 200);
  g_autofree char *first = g_strconcat (cut, "~1.npy", NULL);
  g_autofree char *second = g_strconcat (cut, "~2.npy", NULL);
  g_autofree char *manifest =
      g_strdup_printf ("{\"%s\": \"%s\",\n \"%s\": \"%s\"}\n", one, first, other, second);

  add (folder, one, 1);
  add (folder, other, 2);
  g_assert_true (sym_store_folder_end (folder, NULL));
  assert_first (self, first, 1);
  assert_first (self, second, 2);
  assert_manifest (self, manifest);
}

static void
test_lists_what_a_sequence_holds (Scratch *self, gconstpointer data)
{
  g_autoptr (SymStoreFolder) folder = make (self);
  g_autoptr (SymDatum) a = new_numbers (1), b = new_numbers (2);
  g_autoptr (SymDatum) both = sym_datum_new_sequence (SYM_DTYPE_FLOAT32, (SymDatum *[]){ a, b }, 2);
  g_autoptr (SymDatum) none = sym_datum_new_sequence (SYM_DTYPE_FLOAT32, NULL, 0);

  g_assert_true (sym_store_folder_add (folder, "s", both, NULL));
  g_assert_true (sym_store_folder_add (folder, "e", none, NULL));
  g_assert_true (sym_store_folder_end (folder, NULL));
  assert_manifest (self, "{\"s\": [\"s.0.npy\", \"s.1.npy\"],\n \"e\": []}\n");
  assert_first (self, "s.0.npy", 1);
  assert_first (self, "s.1.npy", 2);
}

/* What NumPy has no dtype for is told; the rest goes on. */
static void
test_goes_on_after_what_cannot_be_written (Scratch *self, gconstpointer data)
{
  guint16 numbers[] = { 0x3f80 };
  SymArray array = { SYM_DTYPE_BFLOAT16, SYM_SHAPE (1), numbers };
  g_autoptr (SymDatum) datum = sym_datum_new_copy (&array, NULL);
  g_autoptr (SymStoreFolder) folder = make (self);
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_store_folder_add (folder, "b", datum, &error));
  g_assert_nonnull (error);
  add (folder, "c", 1);
  g_assert_true (sym_store_folder_end (folder, NULL));
  assert_manifest (self, "{\"c\": \"c.npy\"}\n");
  assert_first (self, "c.npy", 1);
}

static void
test_refuses_a_file_in_its_place (Scratch *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->path, "b", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (self->path, "x", 1, NULL));
  g_assert_null (sym_store_folder_new (path, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FILE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) \
  g_test_add ("/store/folder/" path, Scratch, "file", scratch_set_up, function, tear_down)
  ADD ("escapes-names", test_escapes_names);
  ADD ("cuts-long-names", test_cuts_long_names);
  ADD ("lists-what-a-sequence-holds", test_lists_what_a_sequence_holds);
  ADD ("goes-on-after-what-cannot-be-written", test_goes_on_after_what_cannot_be_written);
  ADD ("refuses-a-file-in-its-place", test_refuses_a_file_in_its_place);
#undef ADD
  return g_test_run ();
}
