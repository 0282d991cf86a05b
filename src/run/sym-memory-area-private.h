/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One piece of memory for all large weights of a model.  They are read into it; what is let go
 * because it was packed makes room for what is packed next.  So a page is asked for once, not for
 * the numbers of the file and again for the packed ones: pages take longer than reading and
 * packing do.  Nor is more in memory at a time than without it.  For any number of threads. */
typedef struct _SymMemoryArea SymMemoryArea;

/* NULL when there is no memory.  Pages that are not taken take none. */
SymMemoryArea *sym_memory_area_new (gsize n_bytes);
SymMemoryArea *sym_memory_area_ref (SymMemoryArea *self);
void sym_memory_area_unref (SymMemoryArea *self);

/* @n_bytes, aligned to 64, that may hold anything; NULL when no gap has so many.  To be given back
 * with the same number. */
void *sym_memory_area_take (SymMemoryArea *self, gsize n_bytes);
void sym_memory_area_give (SymMemoryArea *self, void *memory, gsize n_bytes);

/* Gives what nobody has to the system, until it is taken again. */
void sym_memory_area_trim (SymMemoryArea *self);

G_END_DECLS
