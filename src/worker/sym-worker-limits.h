/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on this process writes no file and starts no other process, has descriptors below
 * @n_files alone, takes at most @max_memory bytes of addresses, and ends after @max_seconds of the
 * processor's time. */
void sym_worker_give_up_rights (guint n_files, guint64 max_memory, guint max_seconds);

G_END_DECLS
