/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/sym-store-crc32c.h"
#include "store/sym-store-snappy.h"
#include "store/sym-store-table.h"

/* Tables of LevelDB, and what they are made with; tests/fixtures/tensorflow-checkpoints. */

/* RFC 3720, B.4 */
static void
test_sums (void)
{
  guint8 bytes[32];

  memset (bytes, 0, sizeof bytes);
  g_assert_cmphex (sym_store_crc32c (0, bytes, 32), ==, 0x8a9136aa);
  memset (bytes, 0xff, sizeof bytes);
  g_assert_cmphex (sym_store_crc32c (0, bytes, 32), ==, 0x62a8ab43);
  for (guint i = 0; i < 32; i++)
    bytes[i] = (guint8) i;
  g_assert_cmphex (sym_store_crc32c (0, bytes, 32), ==, 0x46dd794e);
  g_assert_cmphex (sym_store_crc32c (sym_store_crc32c (0, bytes, 5), bytes + 5, 27), ==,
                   0x46dd794e);
  g_assert_cmphex (sym_store_crc32c (0, NULL, 0), ==, 0);
}

static void
test_unpacks (void)
{
  static const struct {
    const char *packed;
    gsize n;
    const char *plain; /* NULL: refused */
  } cases[] = {
    { "\0", 1, "" },
    { "\3\10abc", 5, "abc" },
    { "\7\10abc\1\3", 7, "abcabca" },        /* a copy of four reaches into what it makes */
    { "\6\10abc\12\3\0", 8, "abcabc" },      /* a distance of two bytes */
    { "\6\10abc\13\3\0\0\0", 10, "abcabc" }, /* of four */
    { "\3\360\2abc", 6, "abc" },             /* a length of its own */
    { "", 0, NULL },
    { "\4\10abc", 5, NULL },     /* too short */
    { "\2\10abc", 5, NULL },     /* too long */
    { "\3\14abc", 5, NULL },     /* ends within */
    { "\7\10abc\1\4", 7, NULL }, /* from before the beginning */
    { "\7\10abc\1\0", 7, NULL }, /* from nowhere */
    { "\7\10abc\1", 6, NULL },
    { "\377\377\377\377\17\0", 6, NULL }, /* four gigabytes of one */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) plain =
          sym_store_snappy_unpack ((const guint8 *) cases[i].packed, cases[i].n, 1000);
      gsize size = 0;
      const char *bytes = plain == NULL ? NULL : g_bytes_get_data (plain, &size);

      g_assert_true ((plain != NULL) == (cases[i].plain != NULL));
      if (plain != NULL)
        g_assert_cmpmem (bytes, size, cases[i].plain, strlen (cases[i].plain));
    }
}

static GBytes *
load (const char *folder)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "tensorflow-checkpoints",
                                                 folder, "variables", "variables.index", NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, length);
}

static SymStoreTable *
read_bytes (GBytes *bytes, GError **error)
{
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  return sym_store_table_read (blob, "x.index", error);
}

/* In several blocks, packed or not. */
static void
test_reads (gconstpointer folder)
{
  static const char *const keys[] = {
    "",
    "_CHECKPOINTABLE_OBJECT_GRAPH",
    "layer_with_weights-0/bias/.ATTRIBUTES/VARIABLE_VALUE",
    "layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE",
    "layer_with_weights-1/bias/.ATTRIBUTES/VARIABLE_VALUE",
    "layer_with_weights-1/kernel/.ATTRIBUTES/VARIABLE_VALUE",
  };
  g_autoptr (GBytes) bytes = load (folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTable) table = read_bytes (bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_table_get_n (table), ==, G_N_ELEMENTS (keys));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gsize size;

      g_assert_cmpstr (sym_store_table_get_key (table, i, &size), ==, keys[i]);
      g_assert_cmpuint (size, ==, strlen (keys[i]));
      g_assert_cmpint (sym_store_table_find (table, keys[i], size), ==, i);
    }
  g_assert_cmpint (sym_store_table_find (table, "layer", 5), ==, -1);
}

/* Wherever it is cut off, and whichever byte is another one. */
static void
test_refuses_what_is_damaged (gconstpointer folder)
{
  g_autoptr (GBytes) whole = load (folder);
  gsize size = g_bytes_get_size (whole);

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (whole, 0, n);
      g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (whole, NULL), size);
      g_autoptr (GBytes) other = NULL;
      g_autoptr (GError) error = NULL, other_error = NULL;
      g_autoptr (SymStoreTable) table = NULL;

      g_assert_null (read_bytes (cut, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_true (g_str_has_prefix (error->message, "x.index: "));
      copy[n] ^= 0x41;
      other = g_bytes_new_take (g_steal_pointer (&copy), size);
      table = read_bytes (other, &other_error);
      g_assert_true ((table == NULL) == (other_error != NULL));
      if (n < 20)
        g_assert_null (table);
    }
}

/* ---- Keys that make much of little ---- */

static void
put_varint (GByteArray *bytes, guint64 number)
{
  for (; number > 127; number >>= 7)
    g_byte_array_append (bytes, &(guint8){ (guint8) (number | 128) }, 1);
  g_byte_array_append (bytes, &(guint8){ (guint8) number }, 1);
}

static void
put_u32 (GByteArray *bytes, guint32 number)
{
  number = GUINT32_TO_LE (number);
  g_byte_array_append (bytes, (const guint8 *) &number, sizeof number);
}

/* Puts one place behind the block that @bytes has had from @start on; where that is. */
static gsize
end_block (GByteArray *bytes, gsize start)
{
  gsize size;

  put_u32 (bytes, 0);
  put_u32 (bytes, 1);
  size = bytes->len - start;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  put_u32 (bytes, sym_store_crc32c_mask (sym_store_crc32c (0, bytes->data + start, size + 1)));
  return size;
}

/* Keys "a", "aa", "aaa", ..., each but one letter of which is that of the one before. */
static GBytes *
make_growing (guint n)
{
  static const guint8 mark[] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };
  GByteArray *bytes = g_byte_array_new ();
  gsize size, list, list_size;

  for (guint i = 0; i < n; i++)
    {
      put_varint (bytes, i);
      g_byte_array_append (bytes, (const guint8 *) "\1\0a", 3);
    }
  size = end_block (bytes, 0);
  list = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "\0\1", 2);
  put_varint (bytes, size < 128 ? 2 : size < 16384 ? 3 : 4);
  g_byte_array_append (bytes, (const guint8 *) "b\0", 2);
  put_varint (bytes, size);
  list_size = end_block (bytes, list);
  size = bytes->len;
  put_varint (bytes, 0);
  put_varint (bytes, 0);
  put_varint (bytes, list);
  put_varint (bytes, list_size);
  g_byte_array_set_size (bytes, (guint) size + 40);
  g_byte_array_append (bytes, mark, sizeof mark);
  return g_byte_array_free_to_bytes (bytes);
}

static void
test_bounds_keys (void)
{
  g_autoptr (GBytes) few = make_growing (50);
  g_autoptr (GBytes) many = make_growing (3000);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreTable) table = read_bytes (few, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_store_table_get_n (table), ==, 50);
  g_assert_null (read_bytes (many, &error));
  g_assert_nonnull (strstr (error->message, "takes more than"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/index-table/sums-as-the-standard-says", test_sums);
  g_test_add_func ("/store/index-table/unpacks-snappy", test_unpacks);
  g_test_add_func ("/store/index-table/bounds-what-keys-make", test_bounds_keys);
  g_test_add_data_func ("/store/index-table/reads-blocks", "restored", test_reads);
  g_test_add_data_func ("/store/index-table/reads-packed-blocks", "objects", test_reads);
  g_test_add_data_func ("/store/index-table/refuses-what-is-damaged", "restored",
                        test_refuses_what_is_damaged);
  g_test_add_data_func ("/store/index-table/refuses-packed-blocks-that-are-damaged", "objects",
                        test_refuses_what_is_damaged);
  return g_test_run ();
}
