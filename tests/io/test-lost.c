/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "io/sym-io.h"

#define OPENED "<ir_version: 8, opset_import: [\"\": 13]>\n"

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Writes what @text says as @format, and asserts that @message is told. */
static void
assert_told (const char *text, const char *format, const char *message)
{
  g_autofree char *folder = g_dir_make_tmp ("lost-XXXXXX", NULL);
  g_autofree char *source = g_build_filename (folder, "net.onnxtxt", NULL);
  g_autofree char *path = g_build_filename (folder, "net-symbol.json", NULL);
  g_autoptr (SymProblems) notes = sym_problems_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  gboolean told = FALSE;

  g_assert_true (g_file_set_contents (source, text, -1, NULL));
  model = sym_io_read (source, NULL, &error);
  g_assert_no_error (error);
  sym_io_write (sym_io_find_format (format), model, NULL, path, notes, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < sym_problems_get_n (notes); i++)
    told = told || strcmp (sym_problems_get (notes, i)->message, message) == 0;
  g_assert_true (told);
  remove_folder (folder);
}

static void
test_names_of_sizes (void)
{
  static const char text[] =
      OPENED "net (float[batch, 4] x) => (float[batch, 4] y) { y = Relu (x) }\n";

  assert_told (text, "keras", "Keras has no names of sizes, so these are lost: batch");
  assert_told (text, "mxnet", "MXNet has no names of sizes, so these are lost: batch");
}

/* Of a model that is raised as it is, and of one that is lowered before. */
static void
test_unused_parameters (void)
{
  static const char plain[] =
      OPENED "net (float[1, 4] x) => (float[1, 4] y)\n"
             "  <float[2] tracked = {1, 2}, float[1] other = {3}, float[4] used = {1, 2, 3, 4}>\n"
             "{ y = Add (x, used) }\n";
  static const char lowered[] =
      "<ir_version: 8, opset_import: [\"\": 13, \"com.microsoft\": 1]>\n"
      "net (float[1, 4] x) => (float[1, 4] y)\n"
      "  <float[2] tracked = {1, 2}, float[1] other = {3}, float[4] used = {1, 2, 3, 4}>\n"
      "{ y = com.microsoft.BiasGelu (x, used) }\n";
  static const char message[] = "parameters that no layer uses are left out: “tracked”, “other”";

  assert_told (plain, "keras", message);
  assert_told (plain, "mxnet", message);
  assert_told (lowered, "keras", message);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/lost/names-of-sizes-are-told", test_names_of_sizes);
  g_test_add_func ("/io/lost/unused-parameters-are-told", test_unused_parameters);
  return g_test_run ();
}
