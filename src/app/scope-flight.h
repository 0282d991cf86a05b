/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is looked at: the content at the top left pixel, and pixels per point. */
typedef struct {
  double x, y;
  double scale;
} ScopeSight;

/* The way from one sight to another.  A short one keeps the point in place that both show at the
 * same pixel, as zooming at a pointer does; a long one rises until both ends are in sight and sinks
 * again (van Wijk and Nuij, "Smooth and efficient zooming and panning"), so that the eye knows
 * where it went. */
typedef struct {
  ScopeSight from, to;
  double width, height; /* pixels */
  gboolean rises;
} ScopeFlight;

/* The sight at @t, 0 to 1. */
ScopeSight scope_flight_get (const ScopeFlight *self, double t);

G_END_DECLS
