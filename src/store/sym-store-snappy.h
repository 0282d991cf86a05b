/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What @size bytes of raw Snappy (no frames) stand for; NULL when they are none, or when that is
 * more than @max.  Snappy makes at most 64 bytes of three: what claims more is refused before
 * anything is allocated for it. */
GBytes *sym_store_snappy_unpack (const guint8 *bytes, gsize size, gsize max);

G_END_DECLS
