/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-memory-area-private.h"

G_BEGIN_DECLS

/* Memory for numbers that are read from one end to the other again and again: in pages of 2 MB
 * where the system has them, so that reading does not wait for addresses. */

/* @n_bytes, aligned to 64 and all zero; NULL when there is no memory.  To be freed with the same
 * number. */
void *sym_memory_new (gsize n_bytes);
void sym_memory_free (void *memory, gsize n_bytes);

/* As many bytes that nobody has touched yet, rounded up to pages of 2 MB, where one begins; NULL
 * when there is no memory.  It ends by munmap().  The other one asks for such pages from offset
 * @first to @end of it, as far as the system has them, and returns to where. */
char *sym_memory_map (gsize *n_bytes_inout);
gsize sym_memory_ask_for_large_pages (char *memory, gsize n_bytes, gsize first, gsize end);

/* Many pieces of such memory, one after the other, that live as long as this, or of what is free of
 * an area.  For one thread at a time.  @area may be NULL. */
typedef struct _SymMemoryPool SymMemoryPool;

SymMemoryPool *sym_memory_pool_new (SymMemoryArea *area);
void sym_memory_pool_free (SymMemoryPool *self);

/* @n floats, aligned to 64 bytes and all zero.  Ends the program when there is no memory, as
 * g_malloc() does: for numbers that are there already in another order. */
float *sym_memory_pool_take (SymMemoryPool *self, gsize n);

/* The same for numbers that are all written, or of which the others do not matter: they may be
 * any. */
float *sym_memory_pool_take_any (SymMemoryPool *self, gsize n);

G_END_DECLS
