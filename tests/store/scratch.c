/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <glib/gstdio.h>

void
scratch_set_up (Scratch *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, data, NULL);
}

void
scratch_tear_down (Scratch *self, gconstpointer data)
{
  g_remove (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}
