/* SPDX-License-Identifier: MIT */
#include "../quick-folder.h"
#include "io/sym-io.h"

/* A folder in place of the graph that lies in it. */

#define GRAPH "digraph { a -> b }"

typedef struct {
  const char *name;
  const char *text;
} File;

static void
write_files (const char *folder, const File *files, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

      g_assert_true (g_file_set_contents (path, files[i].text, -1, NULL));
    }
}

static void
remove_files (const char *folder, const File *files, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static GBytes *
compress (GBytes *bytes)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  gsize size, n_read, n_written, room = g_bytes_get_size (bytes) + 1024;
  const void *plain = g_bytes_get_data (bytes, &size);
  guint8 *packed = g_malloc (room);

  g_assert_cmpint (g_converter_convert (G_CONVERTER (compressor), plain, size, packed, room,
                                        G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL),
                   ==, G_CONVERTER_FINISHED);
  return g_bytes_new_take (packed, n_written);
}

/* @found and @message, of which one is NULL, are what comes of it. */
static void
look (const File *files, guint n, const char *found, const char *message)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *expected = found == NULL ? NULL : g_build_filename (folder, found, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  write_files (folder, files, n);
  path = sym_io_find_in_folder (folder, NULL, &error);
  g_assert_cmpstr (path, ==, expected);
  g_assert_cmpstr (error == NULL ? NULL : error->message, ==, message);
  if (error != NULL)
    g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  remove_files (folder, files, n);
}

static void
test_finds_the_only_graph (void)
{
  static const File files[] = {
    { ".hidden.dot", GRAPH },
    { "README.md", "# A model\n" },
    { "graph.dot", GRAPH },
    { "package.json", "{\"name\": \"x\", \"version\": \"1\"}" },
    { "broken.json", "{\"nodes\": [" },
    { "empty", "" },
  };

  look (files, G_N_ELEMENTS (files), "graph.dot", NULL);
}

/* What opens by itself does so in a folder: an archive in an archive, text in other encodings. */
static void
test_finds_what_is_packed_twice (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "net.gz", NULL);
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (GRAPH, strlen (GRAPH));
  gsize size;
  const char *packed;

  for (guint i = 0; i < 2; i++)
    {
      GBytes *plain = bytes;

      bytes = compress (plain);
      g_bytes_unref (plain);
    }
  packed = g_bytes_get_data (bytes, &size);
  g_assert_true (g_file_set_contents (path, packed, (gssize) size, NULL));
  found = sym_io_find_in_folder (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, path);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_finds_text_with_a_mark (void)
{
  static const char *const texts[] = {
    GRAPH,
    "<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"11\"><layers/><edges/></net>",
    ("{\"nodes\": [{\"op\": \"null\", \"name\": \"x\", \"inputs\": []}], \"arg_nodes\": [0], "
     "\"heads\": [[0, 0]]}"),
    "some words",
  };
  static const char *const encodings[] = { "UTF-8", "UTF-16LE", "UTF-32BE" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (encodings); k++)
      {
        g_autofree char *folder = quick_folder_new ();
        g_autofree char *path = g_build_filename (folder, "net", NULL);
        g_autofree char *marked = g_strconcat ("\xef\xbb\xbf", texts[i], NULL);
        g_autofree char *found = NULL;
        gsize size;
        g_autofree char *text = g_convert (marked, -1, encodings[k], "UTF-8", NULL, &size, NULL);

        g_assert_true (g_file_set_contents (path, text, (gssize) size, NULL));
        found = sym_io_find_in_folder (folder, NULL, NULL);
        g_assert_cmpstr (found, ==, i < 3 ? path : NULL);
        g_assert_cmpint (g_unlink (path), ==, 0);
        g_assert_cmpint (g_rmdir (folder), ==, 0);
      }
}

static void
test_names_several (void)
{
  static const File files[] = { { "b.dot", GRAPH }, { "a.dot", GRAPH } };
  static const File many[] = { { "1.dot", GRAPH },
                               { "2.dot", GRAPH },
                               { "3.dot", GRAPH },
                               { "4.dot", GRAPH },
                               { "5.dot", GRAPH } };

  look (files, G_N_ELEMENTS (files), NULL,
        "it is a folder with several graphs ('a.dot', 'b.dot'); one of them can be opened");
  look (many, G_N_ELEMENTS (many), NULL,
        "it is a folder with several graphs ('1.dot', '2.dot', '3.dot', '4.dot', ...); one of "
        "them can be opened");
}

static void
test_tells_when_there_is_none (void)
{
  static const File files[] = { { "notes.txt", "nothing" } };

  look (NULL, 0, NULL, "it is a folder without files");
  look (files, G_N_ELEMENTS (files), NULL, "it is a folder, and no file in it is a graph");
}

static void
test_reads_it (void)
{
  static const File files[] = { { "graph.dot", GRAPH } };
  g_autofree char *folder = quick_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  write_files (folder, files, G_N_ELEMENTS (files));
  model = sym_io_read (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_rows (model).n, ==, 2);
  remove_files (folder, files, G_N_ELEMENTS (files));
}

/* Weights of Keras begin as whole models do, which only reading tells apart. */
static void
test_leaves_out_weights (void)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *weights = g_build_filename (folder, "only.weights.h5", NULL);
  g_autofree char *source =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "wrappers.weights.h5", NULL);
  static const File files[] = { { "graph.dot", GRAPH } };
  g_autofree char *bytes = NULL;
  g_autofree char *found = NULL;
  g_autofree char *expected = g_build_filename (folder, "graph.dot", NULL);
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (source, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (weights, bytes, (gssize) size, NULL));
  write_files (folder, files, G_N_ELEMENTS (files));
  found = sym_io_find_in_folder (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpint (g_unlink (weights), ==, 0);
  remove_files (folder, files, G_N_ELEMENTS (files));
}

static void
test_can_be_cancelled (void)
{
  static const File files[] = { { "graph.dot", GRAPH } };
  g_autofree char *folder = quick_folder_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  write_files (folder, files, G_N_ELEMENTS (files));
  g_cancellable_cancel (cancellable);
  g_assert_null (sym_io_find_in_folder (folder, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  remove_files (folder, files, G_N_ELEMENTS (files));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/folders/finds-the-only-graph", test_finds_the_only_graph);
  g_test_add_func ("/io/folders/finds-what-is-packed-twice", test_finds_what_is_packed_twice);
  g_test_add_func ("/io/folders/finds-text-with-a-mark", test_finds_text_with_a_mark);
  g_test_add_func ("/io/folders/names-several", test_names_several);
  g_test_add_func ("/io/folders/tells-when-there-is-none", test_tells_when_there_is_none);
  g_test_add_func ("/io/folders/reads-it", test_reads_it);
  g_test_add_func ("/io/folders/leaves-out-weights", test_leaves_out_weights);
  g_test_add_func ("/io/folders/can-be-cancelled", test_can_be_cancelled);
  return g_test_run ();
}
