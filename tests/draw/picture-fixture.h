/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "draw/sym-painter-private.h"

/* Models that the tests of src/draw share, and pictures of them. */

/* A residual network of nine layers: one input, one output, a skip, several categories. */
SymModel *fixture_residual (void);

/* @n calls one after the other. */
SymModel *fixture_chain (guint n);

/* No node at all. */
SymModel *fixture_empty (void);

/* Each name is a node of its own, an input and an output at once. */
SymModel *fixture_named (const char *const *names);

/* A call that needs its own result and one that only has to run before another. */
SymModel *fixture_cycle (void);

/* A call with three outputs of which two are the model's. */
SymModel *fixture_split (void);

/* A chain through the groups a (two calls), and b with c in it, all open or all closed. */
SymPicture *fixture_folded_picture (gboolean open);

SymPicture *fixture_picture (SymModel *take_model,
                             const SymSceneOptions *scene_options,
                             const SymPictureOptions *options);

/* A picture with everything at its default. */
SymPicture *fixture_plain_picture (SymModel *take_model);

SymPoint fixture_get_center (const SymPicture *picture);

/* A square of the picture around @center, of @side pixels, as a canvas would show it. */
cairo_surface_t *fixture_paint_view (const SymPicture *picture,
                                     SymPoint center,
                                     double scale,
                                     int side,
                                     SymPaintCounts *counts);
SymRgb fixture_get_pixel (cairo_surface_t *surface, guint x, guint y);

/* A path in the test's own folder, which is removed with all in it by fixture_remove(). */
char *fixture_path (const char *name);
void fixture_remove (void);

/* A whole file; a test fails when it is not there. */
GBytes *fixture_read (const char *path);
