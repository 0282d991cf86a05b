/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "packed.h"
#include "store/sym-store-archive.h"

/* Graphs within gzip, tar and zip: archives are made here, byte by byte where that matters. */

static GByteArray *
make_tar (void)
{
  GByteArray *out = g_byte_array_new ();
  static const guint8 zeros[1024];

  add_tar_file (out, "notes/", '5', "");
  add_tar_file (out, "../escaped.json", '0', graph);
  add_tar_file (out, "/etc/absolute.json", '0', graph);
  add_tar_file (out, "notes/readme.txt", '0', "not a graph");
  add_tar_file (out, "@LongLink", 'L', "notes/a-name-that-is-told-before");
  add_tar_file (out, "short", '0', graph);
  g_byte_array_append (out, zeros, sizeof zeros);
  return out;
}

static SymStoreArchive *
open_array (const GByteArray *array, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_store_archive_open (blob, "archive.tar.gz", NULL, error);
}

/* ---- Tests ---- */

static void
test_gzip (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  append_text (plain, graph);
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  model = read_array (packed, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);
}

/* Two members one after the other are one file. */
static void
test_gzip_in_two_members (void)
{
  g_autoptr (GByteArray) first = g_byte_array_new (), second = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, rest = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_byte_array_append (first, (const guint8 *) graph, 40);
  append_text (second, graph + 40);
  packed = compress (first, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  rest = compress (second, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_byte_array_append (packed, rest->data, rest->len);
  model = read_array (packed, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);
}

/* The second member begins with the last byte of what is read in one go. */
static void
test_gzip_member_across_pieces (void)
{
  g_autoptr (GByteArray) first = g_byte_array_new (), second = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, rest = NULL, named = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  g_byte_array_append (first, (const guint8 *) graph, 40);
  append_text (second, graph + 40);
  packed = compress (first, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  rest = compress (second, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_byte_array_append (named, packed->data, 10);
  named->data[3] |= 8; /* a name follows the header, as long as it takes */
  g_byte_array_set_size (named, (64 << 10) - 1 - (packed->len - 10));
  memset (named->data + 10, 'n', named->len - 11);
  named->data[named->len - 1] = '\0';
  g_byte_array_append (named, packed->data + 10, packed->len - 10);
  g_assert_cmpuint (named->len, ==, (64 << 10) - 1);
  g_byte_array_append (named, rest->data, rest->len);
  model = read_array (named, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);
}

static void
test_tar (void)
{
  g_autoptr (GByteArray) tar = make_tar ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreArchive) archive = open_array (tar, &error);
  g_autoptr (SymModel) model = NULL;
  const SymProblems *problems;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_archive_get_n (archive), ==, 2);
  g_assert_cmpuint (sym_store_archive_get_n_refused (archive), ==, 2);
  g_assert_cmpstr (sym_store_archive_get_name (archive, 0), ==, "notes/readme.txt");
  g_assert_cmpstr (sym_store_archive_get_name (archive, 1), ==, "notes/a-name-that-is-told-before");
  g_assert_cmpint (sym_store_archive_find (archive, "notes/readme.txt"), ==, 0);
  g_assert_cmpint (sym_store_archive_find (archive, "readme.txt"), ==, -1);

  model = read_array (tar, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);
  problems = sym_model_get_problems (model);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1);
  g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==,
                   "2 files are left out: their names lead out of the archive");
}

static void
test_tar_in_gzip (void)
{
  g_autoptr (GByteArray) tar = make_tar ();
  g_autoptr (GByteArray) packed = compress (tar, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_array (packed, &error);

  g_assert_no_error (error);
  assert_is_the_graph (model);
}

static void
test_tells_of_several_graphs (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  add_tar_file (tar, "one.json", '0', graph);
  add_tar_file (tar, "two.json", '0', graph);
  model = read_array (tar, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "a tar archive has 2 graphs; the first, 'one.json', is shown");
}

static void
test_tells_what_is_in_it (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  add_tar_file (tar, "readme.txt", '0', "nothing");
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_nonnull (strstr (error->message, "'readme.txt'"));

  g_clear_error (&error);
  add_tar_file (tar, "broken.json", '0', "{\"graph\": [");
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "broken.json: line 1"));
}

static void
test_refuses_a_file_beyond_the_end (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  add_tar_file (tar, "a.json", '0', graph);
  memcpy (tar->data + 124, "77777777777", 12);
  g_assert_null (read_array (tar, &error));
  g_assert_nonnull (strstr (error->message, "does not lie within it"));
}

/* 40 MiB of spaces pack to 40 kB. */
static void
test_refuses_a_bomb (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL;
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (plain, 40 << 20);
  memset (plain->data, ' ', plain->len);
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_null (read_array (packed, &error));
  g_assert_nonnull (strstr (error->message, "times as many"));
}

/* Each of ten files of 3 MiB might be a graph; all together are no more than the archive. */
static void
test_refuses_many_in_the_same_bytes (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, zip = NULL;
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (plain, 3 << 20);
  memset (plain->data, ' ', plain->len);
  plain->data[0] = '{';
  plain->data[plain->len - 1] = '}';
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_RAW);
  zip = make_zip_of_one (packed, plain, 10);
  g_assert_null (read_array (zip, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "after 15728640 others, are no graph"));
}

/* Of 16 MiB that are free, each of them takes 10, once. */
static void
test_counts_what_has_a_mark_once (void)
{
  static const char *const encodings[] = { "UTF-8", "UTF-16LE" };

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      g_autofree char *blanks = g_strnfill ((i == 0 ? 10 : 5) << 20, ' ');
      g_autofree char *marked = g_strconcat ("\xef\xbb\xbf", graph, blanks, NULL);
      gsize size;
      char *text = g_convert (marked, -1, encodings[i], "UTF-8", NULL, &size, NULL);
      g_autoptr (GByteArray) plain = g_byte_array_new_take ((guint8 *) text, size);
      g_autoptr (GByteArray) raw = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_RAW);
      g_autoptr (GByteArray) zip = make_zip_of_one (raw, plain, 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = read_array (zip, &error);

      g_assert_no_error (error);
      assert_is_the_graph (model);
    }
}

static void
test_says_that_names_lead_out (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  add_tar_file (tar, "../escaped.json", '0', graph);
  g_assert_null (read_array (tar, &error));
  g_assert_nonnull (strstr (error->message, "names that lead out of it"));
}

static void
test_text_with_a_mark_in_it (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  add_tar_file (tar, "net.dot", '0',
                "\xef\xbb\xbf"
                "digraph { a -> b }");
  model = read_array (tar, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_format (model), ==, "dot");
}

static void
test_tells_of_files_behind_those_looked_at (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.txt", i);

      add_tar_file (tar, name, '0', "only notes");
    }
  add_tar_file (tar, "net.json", '0', graph);
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_true (g_str_has_suffix (
      error->message,
      "('0.txt', ...) is one; of 301 files in it only the first 256 are looked at"));
}

/* What is known of its contents as a whole needs no look at each. */
static void
test_tells_of_no_files_in_what_is_known (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *name = g_strdup_printf ("net/data/%u", i);

      add_tar_file (tar, name, '0', "numbers");
    }
  add_tar_file (tar, "net/data.pkl", '0', "\x80\x02}.");
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_nonnull (strstr (error->message, "it looks like PyTorch"));
  g_assert_null (strstr (error->message, "looked at"));
}

/* Cut anywhere it is refused, or, where only the padding is gone, the same. */
static void
test_survives_cuts (void)
{
  g_autoptr (GByteArray) tar = make_tar ();
  g_autoptr (GByteArray) packed = compress (tar, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  GByteArray *const arrays[] = { tar, packed };

  for (guint a = 0; a < G_N_ELEMENTS (arrays); a++)
    for (guint n = 0; n < arrays[a]->len; n += 1 + n / 37)
      {
        g_autoptr (GBytes) bytes = g_bytes_new (arrays[a]->data, n);
        g_autoptr (GError) error = NULL;
        g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "cut", &error);

        g_assert_true ((model == NULL) == (error != NULL));
        if (a == 1)
          g_assert_null (model);
      }
}

/* Whoever opened it from there would lose what else is in it. */
static void
test_is_not_written_over (void)
{
  g_autofree char *folder = g_dir_make_tmp ("archives-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "graph.json.gz", NULL);
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *left = NULL;
  gsize length;

  append_text (plain, graph);
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_true (g_file_set_contents (path, (char *) packed->data, packed->len, NULL));
  model = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (sym_io_write (sym_io_find_format ("symscope"), model, NULL, path, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "choose another name"));
  g_assert_true (g_file_get_contents (path, &left, &length, NULL));
  g_assert_cmpmem (left, length, packed->data, packed->len);
  g_unlink (path);
  g_rmdir (folder);
}

/* What people try: the names of the files tell what an archive is. */
static void
test_says_what_an_archive_is (void)
{
  static const struct {
    const char *file, *what;
  } samples[] = {
    { "net/constants.pkl", "a TorchScript program" },
    { "archive/data.pkl", "PyTorch weights" },
    { "export/saved_model.pb", "a TensorFlow SavedModel" },
    { "[Content_Types].xml", "an office document" },
    { "pkg-1.0.dist-info/METADATA", "a Python package" },
    { "kernel.npy", "NumPy arrays" },
    { "notes.txt", "a tar archive, in which 'notes.txt' is plain text" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (GByteArray) tar = g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      static const guint8 zeros[1024];

      add_tar_file (tar, samples[i].file, '0', "no graph");
      g_byte_array_append (tar, zeros, sizeof zeros);
      g_assert_null (read_array (tar, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
      if (strstr (error->message, samples[i].what) == NULL)
        g_error ("%s is told to be: %s", samples[i].file, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/archives/says-what-it-is", test_says_what_an_archive_is);
  g_test_add_func ("/archives/gzip", test_gzip);
  g_test_add_func ("/archives/gzip-in-two-members", test_gzip_in_two_members);
  g_test_add_func ("/archives/gzip-member-across-pieces", test_gzip_member_across_pieces);
  g_test_add_func ("/archives/tar", test_tar);
  g_test_add_func ("/archives/tar-in-gzip", test_tar_in_gzip);
  g_test_add_func ("/archives/tells-of-several-graphs", test_tells_of_several_graphs);
  g_test_add_func ("/archives/tells-what-is-in-it", test_tells_what_is_in_it);
  g_test_add_func ("/archives/counts-what-has-a-mark-once", test_counts_what_has_a_mark_once);
  g_test_add_func ("/archives/tells-of-files-behind-those-looked-at",
                   test_tells_of_files_behind_those_looked_at);
  g_test_add_func ("/archives/tells-of-no-files-in-what-is-known",
                   test_tells_of_no_files_in_what_is_known);
  g_test_add_func ("/archives/says-that-names-lead-out", test_says_that_names_lead_out);
  g_test_add_func ("/archives/text-with-a-mark-in-it", test_text_with_a_mark_in_it);
  g_test_add_func ("/archives/refuses-a-file-beyond-the-end", test_refuses_a_file_beyond_the_end);
  g_test_add_func ("/archives/refuses-a-bomb", test_refuses_a_bomb);
  g_test_add_func ("/archives/refuses-many-in-the-same-bytes", test_refuses_many_in_the_same_bytes);
  g_test_add_func ("/archives/survives-cuts", test_survives_cuts);
  g_test_add_func ("/archives/is-not-written-over", test_is_not_written_over);
  return g_test_run ();
}
