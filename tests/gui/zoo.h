/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Files to open in a test of the whole window, in a folder that is theirs and may be spoilt: empty,
 * broken, not a graph, not there, of one node, of twenty, of 20,000 and of 100,000; the samples and
 * examples that come with the program; and of the corpus, where there is one, so many that @random
 * chooses.  The paths. */
GPtrArray *zoo_fill (const char *folder, GRand *random, guint n_of_corpus);

/* Removes the folder with all that is in it. */
void zoo_remove (const char *folder);
