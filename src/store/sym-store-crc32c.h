/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* CRC-32C (Castagnoli, RFC 3720 B.4) of @size bytes behind those whose sum is @sum; 0 to begin. */
guint32 sym_store_crc32c (guint32 sum, const void *bytes, gsize size);

/* How LevelDB and TensorFlow store such a sum, so that sums of sums stay good ones. */
guint32 sym_store_crc32c_mask (guint32 sum);

G_END_DECLS
