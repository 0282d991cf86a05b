/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/* A program in a folder of its own that stands in for a worker: a script with its first line. */
static inline char *
stand_in_new (const char *script)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  char *path = g_build_filename (folder, "stand-in", NULL);

  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  return path;
}

static inline void
stand_in_free (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
}
