/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "fuzz.h"
#include "io/sym-tensorflow-bundle.h"
#include "store/sym-store-crc32c.h"
#include "store/sym-store-table.h"

/* An index of a checkpoint, or one block of it with how it is packed before, which is put in an
 * index with the sums that belong there: else no other bytes would get past them.  Every tensor
 * that is told to be there can be read. */

#define N_NUMBERS 96

static void
append_block (GByteArray *file, guint8 kind, const void *bytes, gsize size)
{
  gsize start = file->len;
  guint32 sum;

  g_byte_array_append (file, bytes, (guint) size);
  g_byte_array_append (file, &kind, 1);
  sum = sym_store_crc32c_mask (sym_store_crc32c (0, file->data + start, size + 1));
  sum = GUINT32_TO_LE (sum);
  g_byte_array_append (file, (const guint8 *) &sum, sizeof sum);
}

/* In three bytes, whatever it is. */
static void
put_varint (guint8 *at, gsize number)
{
  at[0] = (guint8) ((number & 127) | 128);
  at[1] = (guint8) (((number >> 7) & 127) | 128);
  at[2] = (guint8) ((number >> 14) & 127);
}

static GByteArray *
make_index (const guint8 *bytes, gsize size)
{
  guint8 list[] = { 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 };
  guint8 end[SYM_STORE_TABLE_END_BYTES] = { 0 };
  const guint64 mark = GUINT64_TO_LE (G_GUINT64_CONSTANT (0xdb4775248b80fb57));
  GByteArray *file = g_byte_array_new ();

  append_block (file, bytes[0], bytes + 1, size - 1);
  put_varint (list + 3, 0);
  put_varint (list + 6, size - 1);
  put_varint (end, 0);
  put_varint (end + 3, 0);
  put_varint (end + 6, file->len);
  put_varint (end + 9, sizeof list);
  append_block (file, 0, list, sizeof list);
  memcpy (end + sizeof end - sizeof mark, &mark, sizeof mark);
  g_byte_array_append (file, end, sizeof end);
  return file;
}

/* ---- An archive of both files ---- */

static void
append_file (GByteArray *tar, const char *name, const void *bytes, gsize size)
{
  static const guint8 zeros[512] = { 0 };
  char header[512] = { 0 };
  guint sum = 0;

  strcpy (header, name);
  strcpy (header + 100, "0000644");
  g_snprintf (header + 124, 12, "%011" G_GINT64_MODIFIER "o", (guint64) size);
  memset (header + 148, ' ', 8);
  header[156] = '0';
  memcpy (header + 257, "ustar\00000", 8);
  for (guint i = 0; i < sizeof header; i++)
    sum += (guint8) header[i];
  g_snprintf (header + 148, 8, "%06o", sum);
  g_byte_array_append (tar, (const guint8 *) header, sizeof header);
  g_byte_array_append (tar, bytes, (guint) size);
  g_byte_array_append (tar, zeros, (guint) ((512 - size % 512) % 512));
}

static SymBlob *
make_archive (const guint8 *index, gsize size)
{
  GByteArray *tar = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  guint8 numbers[N_NUMBERS];

  for (guint i = 0; i < N_NUMBERS; i++)
    numbers[i] = (guint8) (i * 7);
  append_file (tar, "x.index", index, size);
  append_file (tar, "x.data-00000-of-00001", numbers, sizeof numbers);
  g_byte_array_set_size (tar, tar->len + 1024);
  memset (tar->data + tar->len - 1024, 0, 1024);
  bytes = g_byte_array_free_to_bytes (tar);
  return sym_blob_new_bytes (bytes);
}

static void
read_tensor (SymTensorflowBundle *bundle, const char *key)
{
  g_autoptr (GError) error = NULL, string_error = NULL;
  g_autoptr (SymTensor) tensor = sym_tensorflow_bundle_get (bundle, key, NULL, &error);
  g_autoptr (GBytes) string = sym_tensorflow_bundle_get_string (bundle, key, &string_error);
  g_autofree guint8 *numbers = NULL;

  g_assert_true ((tensor == NULL) == (error != NULL));
  g_assert_true ((string == NULL) == (string_error != NULL));
  if (tensor == NULL)
    return;
  /* Slices may lie over one another, but there are not more of them than entries. */
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), <=, N_NUMBERS * (gsize) 65536);
  numbers = g_malloc (sym_tensor_get_n_bytes (tensor) + 1);
  g_assert_true (sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), numbers, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GByteArray) made = size > 0 && size < (1 << 20) && !sym_store_is_table (bytes, size)
                                    ? make_index (bytes, size)
                                    : NULL;
  const guint8 *index = made != NULL ? made->data : bytes;
  gsize index_size = made != NULL ? made->len : size;
  g_autoptr (SymBlob) blob = make_archive (index, index_size);
  g_autoptr (GBytes) input = g_bytes_new (index, index_size);
  g_autoptr (SymBlob) alone = sym_blob_new_bytes (input);
  g_autoptr (SymStoreArchive) archive = sym_store_archive_open (blob, "fuzz", NULL, NULL);
  SymIoSource source = { .archive = archive, .entry = "graph" };
  g_autoptr (GError) error = NULL, table_error = NULL;
  g_autoptr (SymTensorflowBundle) bundle = NULL;
  g_autoptr (SymStoreTable) table = sym_store_table_read (alone, "fuzz", &table_error);

  g_assert_nonnull (archive);
  bundle = sym_tensorflow_bundle_open (&source, "x", &error);
  g_assert_true ((bundle == NULL) == (error != NULL));
  g_assert_true ((table == NULL) == (table_error != NULL));
  for (guint i = 0; bundle != NULL && i < sym_store_table_get_n (table); i++)
    {
      gsize key_size;

      read_tensor (bundle, sym_store_table_get_key (table, i, &key_size));
    }
  return 0;
}
