/* SPDX-License-Identifier: MIT */
#include "core/sym-text.h"

/* Names that differ in one place alone, wherever that is, are hardly ever of one hash: else tables
 * of names as files have them ("layer_block_0001") would be lists. */
static void
test_hashes_look_at_every_byte (void)
{
  for (gsize length = 4; length <= 72; length++)
    for (gsize at = 0; at + 4 <= length; at++)
      {
        g_autoptr (GHashTable) hashes = g_hash_table_new (NULL, NULL);
        g_autofree char *name = g_strnfill (length, '0');

        for (guint i = 0; i < 500; i++)
          {
            name[at] = (char) ('0' + i / 100);
            name[at + 1] = (char) ('0' + i / 10 % 10);
            name[at + 3] = (char) ('0' + i % 10);
            g_hash_table_add (hashes, GUINT_TO_POINTER (sym_text_hash (0, name, length)));
          }
        g_assert_cmpuint (g_hash_table_size (hashes), >=, 498);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/text/hashes-look-at-every-byte", test_hashes_look_at_every_byte);
  return g_test_run ();
}
