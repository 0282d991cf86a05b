/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory for numbers that are read from one end to the other again and again: in pages of 2 MB
 * where the system has them, so that reading does not wait for addresses. */

/* @n_bytes, aligned to 64 and all zero; NULL when there is no memory.  To be freed with the same
 * number. */
void *sym_memory_new (gsize n_bytes);
void sym_memory_free (void *memory, gsize n_bytes);

/* Many pieces of such memory, one after the other, that live as long as this.  For one thread at a
 * time. */
typedef struct _SymMemoryPool SymMemoryPool;

SymMemoryPool *sym_memory_pool_new (void);
void sym_memory_pool_free (SymMemoryPool *self);

/* @n floats, aligned to 64 bytes and all zero.  Ends the program when there is no memory, as
 * g_malloc() does: for numbers that are there already in another order. */
float *sym_memory_pool_take (SymMemoryPool *self, gsize n);

G_END_DECLS
