/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Threads that do one piece of work after the other together with the thread that asks.  Slices are
 * claimed one by one, so whoever has a processor does them: a thread that gets none holds nobody
 * up, but for the slice that it has.  Those who wait soon sleep, and leave the processor to others.
 * For one thread to ask at a time. */
typedef struct _SymThreads SymThreads;

/* @n threads in all, with the one that asks. */
SymThreads *sym_threads_new (guint n);
void sym_threads_free (SymThreads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymThreads, sym_threads_free)

guint sym_threads_get_n (const SymThreads *self);

/* Thread 0 is the one that asks. */
typedef void (*SymThreadsWork) (gpointer data, guint slice, guint thread);

#define SYM_THREADS_MAX_SLICES (1u << 20)

/* Calls @work for all slices, in any order, and returns when all are done. */
void sym_threads_run (SymThreads *self, SymThreadsWork work, gpointer data, guint n_slices);

/* The slice that a thread of @n will have after @slice, if all get on alike; one that there is not,
 * of any number, for none. */
guint sym_threads_guess_next (guint n, guint thread, guint slice);

G_END_DECLS
