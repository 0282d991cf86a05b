/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A graph and its weights in one seed, as files in a folder.  Each file of the seed begins with a
 * line "--- NAME", where a name has letters, digits, dots, hyphens and underscores only; the line
 * break before such a line is not part of a file.  The first is the graph, the second what a user
 * would choose as its weights, and others may follow. */
typedef struct {
  char *alone;   /* path of the graph in a folder of its own, */
  char *beside;  /* and of the same in the folder of all others; for a seed without others too */
  char *weights; /* path of the second file; NULL without one */
  char *folder;
  GPtrArray *files; /* paths of all that was written */
} Beside;

/* Writes the files below the folder for temporary ones; NULL for bytes that are no such seed. */
Beside *beside_new (const char *bytes, gsize size);

/* Removes them as well. */
void beside_free (Beside *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Beside, beside_free)

G_END_DECLS
