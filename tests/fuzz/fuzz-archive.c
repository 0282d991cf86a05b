/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "io/sym-io.h"
#include "store/sym-store-archive.h"

/* Archives: no name climbs out or comes twice, what is inside can be read from its first byte to
 * its last or says why not, and so does the graph in it. */

#define PIECE 4096

static void
check_name (const SymStoreArchive *archive, guint i)
{
  const char *name = sym_store_archive_get_name (archive, i);
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  g_assert_true (g_utf8_validate (name, -1, NULL));
  g_assert_cmpint (name[0], !=, '/');
  g_assert_false (g_strv_contains ((const char *const *) parts, ".."));
  g_assert_cmpint (sym_store_archive_find (archive, name), >=, 0);
}

static void
check_entry (SymStoreArchive *archive, guint i)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymBlob) blob = sym_store_archive_open_entry (archive, i, &error);
  char piece[PIECE];
  guint64 n;

  g_assert_true ((blob == NULL) == (error != NULL));
  if (blob == NULL)
    return;
  n = MIN (blob->size, PIECE);
  g_assert_true (sym_blob_read (blob, 0, n, piece, &error) == (error == NULL));
  g_clear_error (&error);
  g_assert_true (sym_blob_read (blob, blob->size - n, n, piece, &error) == (error == NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (input);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymStoreArchive) archive = NULL;
  g_autoptr (SymModel) model = NULL;

  if (!sym_store_is_archive (bytes, size))
    return 0;
  archive = sym_store_archive_open (blob, "fuzz", NULL, &error);
  g_assert_true ((archive == NULL) == (error != NULL));
  g_clear_error (&error);
  for (guint i = 0; archive != NULL && i < sym_store_archive_get_n (archive); i++)
    {
      check_name (archive, i);
      check_entry (archive, i);
    }
  model = sym_io_read_bytes (input, "fuzz", &error);
  g_assert_true ((model == NULL) == (error != NULL));
  return 0;
}
