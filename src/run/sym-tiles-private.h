/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tiles of the processor (AMX), each of 16 rows of 64 bytes, of which it multiplies two at once and
 * adds the product to a third one. */
#define SYM_TILE_SIDE 16  /* rows */
#define SYM_TILE_DEPTH 64 /* bytes of a row */

/* Whether this processor and system have them for bytes, and for halves: bfloat16 whose products
 * are added as floats. */
gboolean sym_tiles_have_bytes (void);
gboolean sym_tiles_have_halves (void);

/* All eight whole, for this thread, until it ends with them; the system need not keep them then. */
void sym_tiles_begin (void);
void sym_tiles_end (void);

/* Before tiles are loaded from what was just written: compilers may not know that this is read. */
static inline void
sym_tiles_look (void)
{
  __asm__ volatile("" ::: "memory");
}

G_END_DECLS
