/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "core/sym-datum.h"
#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* Feature maps: a tensor as pictures, one for each place of all axes but two. */
typedef struct {
  SymShape shape;
  guint64 n_maps, width, height;
  gboolean channels_last; /* rows and columns are followed by the channels */
} SymMaps;

/* Rows and columns are the last two axes.  Of three and more axes they may be followed by the
 * channels:
 * @channels_last, or -1 to guess it, by which two of them are the same.  FALSE when there is no
 * picture: fewer than two axes, or not two rows and columns. */
gboolean sym_maps_init (SymMaps *self, const SymShape *shape, int channels_last);

typedef enum {
  SYM_MAP_GREY,      /* dark to light, from the smallest to the largest number */
  SYM_MAP_DIVERGING, /* blue below zero, orange above, the theme's background in between */
} SymMapColors;

/* The colour of a number between @low and @high, 0xRRGGBB; what is no number has one of its own. */
guint32
sym_map_get_color (SymMapColors colors, SymTheme theme, double number, double low, double high);

typedef struct {
  SymMapColors colors;
  SymTheme theme;
  double low, high; /* the range of all maps, so that they can be compared */
  guint
      max_side; /* pixels; what is larger is made smaller, each pixel the mean of what it covers */
} SymMapOptions;

/* Map @map of @array's, whose numbers are of that shape, as an image surface: a pixel for each
 * number, or fewer.  Reads only that map.  NULL with an error when @cancellable was cancelled. */
cairo_surface_t *sym_maps_paint (const SymMaps *self,
                                 const SymArray *array,
                                 guint64 map,
                                 const SymMapOptions *options,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
