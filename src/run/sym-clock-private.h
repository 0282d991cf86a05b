/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

/* Many layers take less than the microsecond that GLib's clock counts in. */
static inline double
sym_clock_get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

G_END_DECLS
