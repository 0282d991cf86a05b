/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* Where everything is: places of items and courses of edges.  Immutable; reference-counted.  Same
 * scene, same fonts, same result: budgets count work, never seconds. */
typedef struct _SymLayout SymLayout;

typedef enum {
  SYM_DIRECTION_DOWN,
  SYM_DIRECTION_RIGHT,
} SymDirection;

typedef struct {
  SymDirection direction;
  const SymLayout *previous; /* what it has of the insides of frames is used again; NULL: nothing */
} SymLayoutOptions;

typedef struct {
  double x, y;
} SymPoint;

/* Runs in the calling thread, which should not be the UI's; drives worker processes.  A worker that
 * dies costs its slice only, which is then placed by our own method; that is told by
 * sym_layout_get_message().  NULL only when cancelled. */
SymLayout *sym_layout_new (SymScene *scene,
                           const SymLayoutOptions *options,
                           GCancellable *cancellable,
                           GError **error);
SymLayout *sym_layout_ref (SymLayout *self);
void sym_layout_unref (SymLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymLayout, sym_layout_unref)

SymScene *sym_layout_get_scene (const SymLayout *self);
SymDirection sym_layout_get_direction (const SymLayout *self);
double sym_layout_get_width (const SymLayout *self);
double sym_layout_get_height (const SymLayout *self);
const char *sym_layout_get_message (const SymLayout *self);

/* Top left corner of an item, in points, y down, nothing negative. */
SymPoint sym_layout_get_position (const SymLayout *self, guint item);

/* The rectangle of a frame.  What it has lies within, all else outside. */
SymRect sym_layout_get_frame_rect (const SymLayout *self, guint frame);

/* Where its title stands: a sign to close it by, and from there to the end of the text. */
SymRect sym_layout_get_frame_title_rect (const SymLayout *self, guint frame);

/* The course of an edge as a chain of cubic Bézier curves: 3k+1 points, the last where the arrow's
 * tip touches the target's box. */
const SymPoint *sym_layout_get_course (const SymLayout *self, guint edge, guint *n_points);

/* The item at a point (G_MAXUINT for none), and which of its boxes (G_MAXUINT beside them). */
guint sym_layout_pick (const SymLayout *self, double x, double y, guint *box);

/* The item that is next to a point, no farther from it than @reach, and likewise. */
guint sym_layout_pick_near (const SymLayout *self, double x, double y, double reach, guint *box);

/* The innermost frame at a point (SYM_NO_FRAME for none), and whether its title is there. */
guint sym_layout_pick_frame (const SymLayout *self, double x, double y, gboolean *on_title);

G_END_DECLS
