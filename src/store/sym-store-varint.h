/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Seven bits a byte, the low ones first, as protobuf, LevelDB and Snappy have them.  Moves *@at
 * behind it; FALSE when it does not end before @end, or has more than 64 bits. */
static inline gboolean
sym_store_take_varint (const guint8 **at, const guint8 *end, guint64 *number)
{
  *number = 0;
  for (guint shift = 0; shift < 64 && *at < end; shift += 7)
    {
      guint8 byte = *(*at)++;

      if (shift == 63 && byte > 1)
        return FALSE;
      *number |= (guint64) (byte & 127) << shift;
      if (byte < 128)
        return TRUE;
    }
  return FALSE;
}

G_END_DECLS
