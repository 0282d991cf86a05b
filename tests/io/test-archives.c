/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "io/sym-io.h"
#include "store/sym-store-archive.h"

/* Graphs within gzip, tar and zip: archives are made here, byte by byte where that matters. */

static const char graph[] =
    "{\"engine_kind\": \"cpu\", \"fpmath_mode\": \"strict\", \"graph\": [{\"id\": 0, \"name\": "
    "\"a\","
    " \"kind\": \"ReLU\", \"inputs\": [{\"id\": 0, \"dtype\": \"f32\", \"shape\": [2, 3]}],"
    " \"outputs\": [{\"id\": 1, \"dtype\": \"f32\", \"shape\": [2, 3]}]}]}";

/* ---- Making archives ---- */

static GByteArray *
compress (GByteArray *bytes, GZlibCompressorFormat format)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (format, 9);
  GByteArray *out = g_byte_array_sized_new (bytes->len + 1024);
  gsize n_read, n_written;
  GConverterResult result;

  g_byte_array_set_size (out, bytes->len + 1024);
  result = g_converter_convert (G_CONVERTER (compressor), bytes->data, bytes->len, out->data,
                                out->len, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
  g_assert_cmpint (result, ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (out, (guint) n_written);
  return out;
}

static void
append_text (GByteArray *out, const char *text)
{
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
}

/* A record of 512 bytes for the name, and the contents in as many as they take. */
static void
add_tar_bytes (GByteArray *out, const char *name, char kind, const void *contents, gsize size)
{
  guint8 header[512] = { 0 };
  static const guint8 zeros[512];

  memcpy (header, name, MIN (strlen (name), 100));
  g_snprintf ((char *) header + 124, 12, "%011o", (guint) size);
  header[156] = (guint8) kind;
  memcpy (header + 257, "ustar", 6);
  memcpy (header + 263, "00", 2);
  g_byte_array_append (out, header, 512);
  g_byte_array_append (out, contents, (guint) size);
  g_byte_array_append (out, zeros, (512 - size % 512) % 512);
}

static void
add_tar_file (GByteArray *out, const char *name, char kind, const char *contents)
{
  add_tar_bytes (out, name, kind, contents, strlen (contents));
}

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

static SymModel *
read_array (const GByteArray *array, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);

  return sym_io_read_bytes (bytes, "archive", error);
}

static SymStoreArchive *
open_array (const GByteArray *array, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_store_archive_open (blob, "archive.tar.gz", NULL, error);
}

static void
assert_is_the_graph (const SymModel *model)
{
  g_assert_cmpstr (sym_model_get_format (model), ==, "onednn");
  g_assert_cmpuint (sym_model_get_n_calls (model), ==, 1);
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

static void
append_number (GByteArray *out, gsize n, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++, n >>= 8)
    {
      guint8 byte = (guint8) n;

      g_byte_array_append (out, &byte, 1);
    }
}

/* CRC-32 of ISO 3309. */
static guint32
sum_up (const GByteArray *plain)
{
  guint32 sum = ~(guint32) 0;

  for (guint i = 0; i < plain->len; i++)
    {
      sum ^= plain->data[i];
      for (guint bit = 0; bit < 8; bit++)
        sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
  return ~sum;
}

/* What the header of a file and its entry in the directory have in common: PKWARE APPNOTE 4.3.7. */
static void
append_zip_facts (GByteArray *out, const GByteArray *packed, gsize size, guint32 sum)
{
  append_number (out, 20, 2);
  append_number (out, 0, 2);
  append_number (out, 8, 2);
  append_number (out, 0, 4);
  append_number (out, sum, 4);
  append_number (out, packed->len, 4);
  append_number (out, size, 4);
  append_number (out, 6, 2); /* of the name */
  append_number (out, 0, 2);
}

/* Files that all lie in the same bytes. */
static GByteArray *
make_zip_of_one (const GByteArray *packed, const GByteArray *plain, guint n)
{
  GByteArray *out = g_byte_array_new ();
  guint32 sum = sum_up (plain);
  gsize directory, end;

  append_text (out, "PK\003\004");
  append_zip_facts (out, packed, plain->len, sum);
  append_text (out, "0.json");
  g_byte_array_append (out, packed->data, packed->len);
  directory = out->len;
  for (guint i = 0; i < n; i++)
    {
      char name[] = { (char) ('0' + i), '.', 'j', 's', 'o', 'n', '\0' };

      append_text (out, "PK\001\002");
      append_number (out, 20, 2);
      append_zip_facts (out, packed, plain->len, sum);
      append_number (out, 0, 14); /* no comment, on disk 0, without attributes, at 0 */
      append_text (out, name);
    }
  end = out->len;
  append_text (out, "PK\005\006");
  append_number (out, 0, 4);
  append_number (out, n, 2);
  append_number (out, n, 2);
  append_number (out, end - directory, 4);
  append_number (out, directory, 4);
  append_number (out, 0, 2);
  return out;
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
  g_test_add_func ("/archives/tar", test_tar);
  g_test_add_func ("/archives/tar-in-gzip", test_tar_in_gzip);
  g_test_add_func ("/archives/tells-of-several-graphs", test_tells_of_several_graphs);
  g_test_add_func ("/archives/tells-what-is-in-it", test_tells_what_is_in_it);
  g_test_add_func ("/archives/counts-what-has-a-mark-once", test_counts_what_has_a_mark_once);
  g_test_add_func ("/archives/archive-in-archive", test_archive_in_archive);
  g_test_add_func ("/archives/several-in-an-archive", test_several_archives_in_an_archive);
  g_test_add_func ("/archives/names-the-one-in-an-archive", test_names_the_archive_in_an_archive);
  g_test_add_func ("/archives/too-many-archives-in-an-archive",
                   test_too_many_archives_in_an_archive);
  g_test_add_func ("/archives/counts-archives-behind-the-graph",
                   test_counts_archives_behind_the_graph);
  g_test_add_func ("/archives/tells-of-files-behind-those-looked-at",
                   test_tells_of_files_behind_those_looked_at);
  g_test_add_func ("/archives/share-what-is-free", test_archives_in_an_archive_share_what_is_free);
  g_test_add_func ("/archives/gzips-in-the-same-bytes", test_gzips_in_the_same_bytes);
  g_test_add_func ("/archives/refuses-a-bomb-in-an-archive", test_refuses_a_bomb_in_an_archive);
  g_test_add_func ("/archives/says-that-names-lead-out", test_says_that_names_lead_out);
  g_test_add_func ("/archives/text-with-a-mark-in-it", test_text_with_a_mark_in_it);
  g_test_add_func ("/archives/refuses-a-file-beyond-the-end", test_refuses_a_file_beyond_the_end);
  g_test_add_func ("/archives/refuses-a-bomb", test_refuses_a_bomb);
  g_test_add_func ("/archives/refuses-many-in-the-same-bytes", test_refuses_many_in_the_same_bytes);
  g_test_add_func ("/archives/survives-cuts", test_survives_cuts);
  g_test_add_func ("/archives/is-not-written-over", test_is_not_written_over);
  return g_test_run ();
}
