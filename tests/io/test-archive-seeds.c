/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"

/* The files of tests/fixtures/archive, with which fuzz-archive.c begins, are what they are called:
 * a graph that is packed once or twice, or one that is not looked for. */

static const struct {
  const char *file, *format, *problem; /* "" for none; without a format, the error */
} cases[] = {
  { "a-symbol.json.gz", "mxnet", "" },
  { "gzip-in-gzip.json.gz", "onednn", "" },
  { "gzip-in-tar.tar", "onednn", "" },
  { "long-name.tar", "mxnet", "1 files are left out: their names lead out of the archive" },
  { "marks-in-zip.tar", "openvino", "" },
  { "marks.zip", "acuity", "a zip archive has 2 graphs; the first, 'net.json', is shown" },
  { "net.tar", "mxnet", "1 files are left out: their names lead out of the archive" },
  { "net.tar.gz", "mxnet", "1 files are left out: their names lead out of the archive" },
  { "net.zip", "mxnet", "1 files are left out: their names lead out of the archive" },
  { "nine-zips.zip", NULL,
    "0.zip: this is no saved graph that can be opened: it looks like a zip archive, in which "
    "'a.txt' is a single JSON value, without a graph; of 9 archives in it only the first 8 are "
    "looked into" },
  { "pax.tar", "mxnet", "1 files are left out: their names lead out of the archive" },
  { "tar-in-gzip-in-zip.zip", "onednn", "" },
  { "zip-in-tar-in-gzip.tar.gz", "onednn", "" },
  { "zip-in-zip-in-zip.zip", NULL,
    "outer.zip: this is no saved graph that can be opened: it looks like a zip archive, in which "
    "'inner.zip' is a zip archive" },
  { "zip-in-zip.zip", "onednn", "" },
};

static SymModel *
read_fixture (const char *file, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "archive", file, NULL);

  return sym_io_read (path, NULL, error);
}

static void
test_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = read_fixture (cases[i].file, &error);
      const SymProblems *problems = model == NULL ? NULL : sym_model_get_problems (model);
      gboolean is_told = problems != NULL && sym_problems_get_n (problems) > 0;

      g_test_message ("%s", cases[i].file);
      g_assert_cmpstr (model == NULL ? NULL : sym_model_get_format (model), ==, cases[i].format);
      g_assert_cmpstr (model == NULL ? error->message
                       : is_told     ? sym_problems_get (problems, 0)->message
                                     : "",
                       ==, cases[i].problem);
    }
}

/* No file is without a line above. */
static void
test_table_is_whole (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "archive", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    n += !g_str_has_prefix (name, "crash-");
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (cases));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/archive-seeds/files", test_files);
  g_test_add_func ("/io/archive-seeds/table-is-whole", test_table_is_whole);
  return g_test_run ();
}
