/* SPDX-License-Identifier: MIT */
#include "packed.h"

/* Graphs within archives in archives. */

/* A zip that was packed again opens, too; what lies deeper is told. */
static void
test_archive_in_archive (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) raw = NULL, zip = NULL, packed = NULL, twice = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  append_text (plain, graph);
  raw = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_RAW);
  zip = make_zip_of_one (raw, plain, 1);
  packed = compress (zip, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  model = read_array (packed, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);

  twice = compress (packed, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_null (read_array (twice, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_nonnull (strstr (error->message, "is a zip archive"));
}

static void
add_tar_zip (GByteArray *out, const char *name, const char *text)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) raw = NULL, zip = NULL;

  append_text (plain, text);
  raw = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_RAW);
  zip = make_zip_of_one (raw, plain, 1);
  add_tar_bytes (out, name, '0', zip->data, zip->len);
}

/* The second has the graph; what comes after it is told. */
static void
test_several_archives_in_an_archive (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) more = NULL;

  add_tar_file (tar, "settings.json", '0', "// none\n{\"a\": 1}");
  add_tar_zip (tar, "in/notes.zip", "only notes");
  add_tar_zip (tar, "in/net.zip", graph);
  model = read_array (tar, &error);
  g_assert_no_error (error);
  assert_is_the_graph (model);
  g_assert_cmpstr (sym_model_get_name (model), ==, "net.zip");
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);

  add_tar_zip (tar, "in/other.zip", graph);
  more = read_array (tar, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_model_get_name (more), ==, "net.zip");
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (more), 0)->message, ==,
                   "the graph in 'in/net.zip' is shown; 1 more archive is not looked into");
}

/* The ninth, which has the graph, is not looked into. */
static void
test_too_many_archives_in_an_archive (void)
{
  static const char text[] =
      "0.zip: this is no saved graph that can be opened: it looks like a zip archive, in which "
      "'0.json' is plain text, not JSON";
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.zip", i);

      add_tar_zip (tar, name, "only notes");
    }
  g_assert_null (read_array (tar, &error));
  g_assert_cmpstr (error->message, ==, text);
  g_clear_error (&error);
  add_tar_zip (tar, "net.zip", graph);
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_true (g_str_has_prefix (error->message, text));
  g_assert_cmpstr (error->message + strlen (text), ==,
                   "; of 9 archives in it only the first 8 are looked into");
}

/* All of ten are told, though only eight are kept. */
static void
test_counts_archives_behind_the_graph (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.zip", i);

      add_tar_zip (tar, name, graph);
    }
  model = read_array (tar, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "the graph in '0.zip' is shown; 9 more archives are not looked into");
}

/* What is wrong with one that might be a graph goes before what is none. */
static void
test_names_the_archive_in_an_archive (void)
{
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  add_tar_zip (tar, "in/notes.zip", "only notes");
  add_tar_zip (tar, "in/more.zip", "only notes");
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_cmpstr (error->message, ==,
                   "in/notes.zip: this is no saved graph that can be opened: it looks like a zip "
                   "archive, in which '0.json' is plain text, not JSON");
  g_clear_error (&error);
  add_tar_zip (tar, "in/broken.zip", "{\"graph\": [");
  g_assert_null (read_array (tar, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "in/broken.zip: 0.json: line 1, column "));
  g_clear_error (&error);
  g_byte_array_set_size (tar, 0);
  add_tar_file (tar, "cut.zip", '0', "PK\003\004 and no more");
  g_assert_null (read_array (tar, &error));
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "cut.zip: "));
  g_assert_null (strstr (error->message + strlen ("cut.zip: "), "cut.zip"));
}

/* What eight of them unpack is counted together: each of 6 MiB would do, three are too many for
 * what all are in. */
static void
test_archives_in_an_archive_share_what_is_free (void)
{
  g_autofree char *blanks = g_strnfill (6 << 20, ' ');
  g_autofree char *text = g_strconcat ("{\"a\": 1}", blanks, NULL);
  g_autoptr (GByteArray) tar = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL;
  g_autoptr (GError) error = NULL;

  add_tar_zip (tar, "1.zip", text);
  add_tar_zip (tar, "2.zip", text);
  packed = compress (tar, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_null (read_array (packed, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_clear_error (&error);
  add_tar_zip (tar, "3.zip", text);
  g_byte_array_unref (g_steal_pointer (&packed));
  packed = compress (tar, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_null (read_array (packed, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT);
  g_assert_true (g_str_has_prefix (error->message, "3.zip: 0.json: "));
}

/* A zip with five names for the same gzip, which packs no further: two are as much as it may hold.
 * In each is an object of noise, and @rest. */
static GByteArray *
make_zip_of_gzips (const char *rest)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GByteArray) noise = g_byte_array_new (), plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, raw = NULL;
  g_autofree char *letters = NULL;

  for (guint i = 0; i < 20000; i++)
    append_number (noise, g_rand_int (random), 1);
  letters = g_base64_encode (noise->data, noise->len);
  append_text (plain, "{\"noise\": \"");
  append_text (plain, letters);
  append_text (plain, "\"");
  append_text (plain, rest);
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  raw = compress (packed, G_ZLIB_COMPRESSOR_FORMAT_RAW);
  return make_zip_of_one (raw, packed, 5);
}

static void
test_gzips_in_the_same_bytes (void)
{
  g_autofree char *rest = g_strconcat (", ", graph + 1, NULL);
  g_autoptr (GByteArray) zip = make_zip_of_gzips (rest), none = make_zip_of_gzips ("}");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = read_array (zip, &error);

  g_assert_no_error (error);
  assert_is_the_graph (model);
  g_assert_cmpstr (sym_problems_get (sym_model_get_problems (model), 0)->message, ==,
                   "the graph in '0.json' is shown; 4 more archives are not looked into");
  g_assert_null (read_array (none, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_true (g_str_has_suffix (error->message,
                                   "; 3 gzip files are not looked into: all of them would have "
                                   "more than twice the bytes of what they are in"));
}

/* 30 MiB of spaces become 30 kB of gzip, and these some hundred bytes of gzip. */
static void
test_refuses_a_bomb_in_an_archive (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, twice = NULL;
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (plain, 30 << 20);
  memset (plain->data, ' ', plain->len);
  packed = compress (plain, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  twice = compress (packed, G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_assert_null (read_array (twice, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED);
  g_assert_nonnull (strstr (error->message, "is a gzip file"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nested/opens", test_archive_in_archive);
  g_test_add_func ("/nested/several", test_several_archives_in_an_archive);
  g_test_add_func ("/nested/names-the-one", test_names_the_archive_in_an_archive);
  g_test_add_func ("/nested/too-many-archives", test_too_many_archives_in_an_archive);
  g_test_add_func ("/nested/counts-archives-behind-the-graph",
                   test_counts_archives_behind_the_graph);
  g_test_add_func ("/nested/share-what-is-free", test_archives_in_an_archive_share_what_is_free);
  g_test_add_func ("/nested/gzips-in-the-same-bytes", test_gzips_in_the_same_bytes);
  g_test_add_func ("/nested/refuses-a-bomb", test_refuses_a_bomb_in_an_archive);
  return g_test_run ();
}
