/* SPDX-License-Identifier: MIT */
#include "store/sym-store-crc32c.h"

#define POLYNOMIAL 0x82f63b78u /* bits reversed */
#define MASK 0xa282ead8u

static const guint32 *
get_table (void)
{
  static guint32 table[256];
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      for (guint32 i = 0; i < 256; i++)
        {
          guint32 sum = i;

          for (guint k = 0; k < 8; k++)
            sum = (sum >> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
          table[i] = sum;
        }
      g_once_init_leave (&is_made, 1);
    }
  return table;
}

guint32
sym_store_crc32c (guint32 sum, const void *bytes, gsize size)
{
  const guint32 *table = get_table ();
  const guint8 *at = bytes;

  sum = ~sum;
  for (gsize i = 0; i < size; i++)
    sum = (sum >> 8) ^ table[(sum ^ at[i]) & 255];
  return ~sum;
}

guint32
sym_store_crc32c_mask (guint32 sum)
{
  return ((sum >> 15) | (sum << 17)) + MASK;
}
