/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A colour as the exports write it, 0xRRGGBB: canvas, PNG and SVG then show the very same one. */
typedef guint32 SymRgb;

/* Reads a colour of CSS: "tomato", "#f63", "#ff6633", "rgb(255, 99, 71)", "rgb(100% 39% 28% / .5)".
 * What shines through is white.  FALSE, with @rgb as it was, for anything else and for NULL. */
gboolean sym_rgb_parse (const char *text, SymRgb *rgb);

/* @part of the way from @a to @b. */
SymRgb sym_rgb_mix (SymRgb a, SymRgb b, double part);

/* The square of how far apart they are, of parts in 0..255. */
guint sym_rgb_get_distance (SymRgb a, SymRgb b);

/* Where a gradient has which colour. */
typedef struct {
  double place;
  SymRgb rgb;
} SymRgbStop;

/* The colour of a gradient at @place, of stops in the order of their places: before the first its
 * own, and beyond the last.  FALSE, with @rgb as it was, when there is none. */
gboolean sym_rgb_mix_stops (const SymRgbStop *stops, guint n, double place, SymRgb *rgb);

G_END_DECLS
