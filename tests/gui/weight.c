/* SPDX-License-Identifier: MIT */
#include "weight.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

double
weight_tell (guint n_tabs)
{
  struct mallinfo2 info = mallinfo2 ();
  double in_use = (double) (info.uordblks + info.hblkhd) / 1e6;
  g_autofree char *text = NULL;
  gint64 pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) && strchr (text, ' ') != NULL)
    pages = g_ascii_strtoll (strchr (text, ' '), NULL, 10);
  g_print ("memory: %.0f MB resident, %.0f MB in use, %u tabs\n",
           (double) pages * (double) sysconf (_SC_PAGESIZE) / 1e6, in_use, n_tabs);
  return in_use;
}

static gpointer
tell_thread (gpointer n_tabs)
{
  weight_tell (GPOINTER_TO_UINT (n_tabs));
  return NULL;
}

void
weight_tell_later (guint n_tabs)
{
  g_thread_unref (g_thread_new ("weight", tell_thread, GUINT_TO_POINTER (n_tabs)));
}
