/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* A picture seen from afar: more is in sight than one frame can paint, so squares of it are painted
 * by threads, kept, and put together for each frame.  They are painted for one scale at a time and
 * are put down pixel by pixel; while the scale changes, those that there are get stretched. */
#define SCOPE_TYPE_TILES (scope_tiles_get_type ())
G_DECLARE_FINAL_TYPE (ScopeTiles, scope_tiles, SCOPE, TILES, GObject)

/* What is in sight, in pixels of the screen from the content's origin, and pixels per point. */
typedef struct {
  double left, top; /* whole numbers when it @rests */
  int width, height;
  double scale;
  gboolean rests;   /* the scale is not on its way to another */
  int device_scale; /* pixels of the screen per pixel of cairo's: 2 on dense ones */
} ScopeTilesView;

/* "changed" is emitted in the thread that made it, when squares that were missing are there. */
ScopeTiles *scope_tiles_new (void);

/* @keeps: things have the places that they had, so that squares of the last picture may be shown
 * until the new ones are there.  @picture may be NULL. */
void scope_tiles_set_picture (ScopeTiles *self,
                              SymPicture *picture,
                              const SymColor *background,
                              gboolean keeps);

/* Asks for what is missing in sight and near it, and puts down what there is.  FALSE when that
 * leaves holes: then nothing is put down unless holes are @allowed, and the picture itself had
 * better be painted once.  Where the picture has nothing, nothing is put down either. */
gboolean
scope_tiles_paint (ScopeTiles *self, cairo_t *cr, const ScopeTilesView *view, gboolean allowed);

/* Whether everything in the view that was painted last is there. */
gboolean scope_tiles_is_complete (ScopeTiles *self);

G_END_DECLS
