/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include <string.h>

#include "store/sym-store-blobs.h"

/* Texts of the lengths 0 to @most and again, behind their lengths. */
static GByteArray *
make_texts (guint n, guint most)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint i = 0; i < n; i++)
    {
      guint32 length = i % (most + 1);
      guint32 stored = GUINT32_TO_LE (length);
      g_autofree guint8 *text = g_malloc (length + 1);

      memset (text, 0xff, length + 1);
      g_byte_array_append (bytes, (const guint8 *) &stored, sizeof stored);
      g_byte_array_append (bytes, text, length);
    }
  return bytes;
}

typedef struct {
  const GByteArray *bytes;
  guint n_reads;
} Counted;

static gboolean
make_counted (gpointer data, guint64 first, gsize n, guint8 *elements, GError **error)
{
  Counted *self = data;

  self->n_reads++;
  memcpy (elements, self->bytes->data + first, n);
  return TRUE;
}

static void
keep (gpointer data)
{
}

/* Their lengths lie across the borders of what is read at once, in all ways. */
static void
test_texts_are_skipped (void)
{
  static const guint longest[] = { 0, 1, 2, 3, 6, 100, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (longest); i++)
    {
      g_autoptr (GByteArray) bytes = make_texts (10001, longest[i]);
      Counted counted = { bytes, 0 };
      guint64 size = bytes->len, at = 0;
      g_autoptr (SymBlob) blob = sym_store_make_blob (size, 1, make_counted, &counted, keep);
      g_autoptr (GError) error = NULL;

      g_assert_true (sym_store_skip_texts (blob, 10001, &at, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (at, ==, size);
      if (longest[i] < 10)
        g_assert_cmpuint (counted.n_reads, <, size / 1000);
      g_assert_false (sym_store_skip_texts (blob, 1, &at, NULL, &error));
      g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
      g_assert_cmpuint (at, ==, size);
    }
}

/* Lengths that say more than there is. */
static void
test_texts_may_end_behind (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\xff\xff\xff\xff hi", 7);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autoptr (GError) error = NULL;
  guint64 at = 0;

  g_assert_false (sym_store_skip_texts (blob, 2, &at, NULL, &error));
  g_assert_error (error, SYM_STORE_ERROR, SYM_STORE_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, "its texts end behind the files, which have 7 bytes");
  g_assert_cmpuint (at, ==, 0);
  g_assert_true (sym_store_skip_texts (blob, 1, &at, NULL, NULL));
  g_assert_cmpuint (at, ==, 4 + (guint64) G_MAXUINT32);
  g_assert_true (sym_store_skip_texts (blob, 0, &at, NULL, NULL));
}

static void
test_skipping_can_be_cancelled (void)
{
  g_autoptr (GByteArray) bytes = make_texts (10, 3);
  g_autoptr (GBytes) all = g_bytes_new (bytes->data, bytes->len);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (all);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint64 at = 0;

  g_cancellable_cancel (cancellable);
  g_assert_false (sym_store_skip_texts (blob, 10, &at, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/blobs/texts-are-skipped", test_texts_are_skipped);
  g_test_add_func ("/store/blobs/texts-may-end-behind", test_texts_may_end_behind);
  g_test_add_func ("/store/blobs/skipping-can-be-cancelled", test_skipping_can_be_cancelled);
  return g_test_run ();
}
