/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/* A new folder for many small files, in memory where there is such a place: each file that we write
 * waits until it is on the disk. */
static inline char *
quick_folder_new (void)
{
  char *path = g_strdup ("/dev/shm/symscope-XXXXXX");

  if (g_mkdtemp (path) != NULL)
    return path;
  g_free (path);
  return g_dir_make_tmp ("symscope-XXXXXX", NULL);
}
