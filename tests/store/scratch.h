/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A fixture: a folder of its own for each test, and the path of a file in it, which is not there
 * yet.  @data of g_test_add() is the file's name.  At the end nothing else may be left in it. */
typedef struct {
  char *folder;
  char *path;
} Scratch;

void scratch_set_up (Scratch *self, gconstpointer data);
void scratch_tear_down (Scratch *self, gconstpointer data);

G_END_DECLS
