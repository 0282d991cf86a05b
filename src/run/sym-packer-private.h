/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "run/sym-threads-private.h"

G_BEGIN_DECLS

/* Brings weights into the order that steps want, in slices, by all threads of the plan.  Once
 * @cancellable was cancelled no slice is begun any more: what was packed then means nothing, and
 * the plan must not be used.  For one thread to ask at a time. */
typedef struct {
  guint n_threads;
  GCancellable *cancellable; /* borrowed; NULL for none */
  SymThreads *threads;       /* made when they are first of use */
  GHashTable *packed;        /* what several regions have: see sym_step_find_packed() */
} SymPacker;

void sym_packer_clear (SymPacker *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SymPacker, sym_packer_clear)

gboolean sym_packer_is_cancelled (const SymPacker *self);

typedef void (*SymPackerWork) (gpointer data, guint slice);

/* Slices are independent of each other, and write @n_bytes in all.  @self may be NULL, here and
 * above: then one thread does it, and nothing ends it. */
void
sym_packer_run (SymPacker *self, SymPackerWork work, gpointer data, guint n_slices, gsize n_bytes);

G_END_DECLS
