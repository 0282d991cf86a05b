/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A small copy of a picture, or the beginning of a text, which can be scrolled, and a sign while
 * another one is made. */
#define SCOPE_TYPE_PREVIEW (scope_preview_get_type ())
G_DECLARE_FINAL_TYPE (ScopePreview, scope_preview, SCOPE, PREVIEW, AdwBin)

/* One that has as many pixels on a side for each of the preview's as the screen has; NULL: there is
 * none. */
void scope_preview_set_texture (ScopePreview *self, GdkTexture *texture);

/* The beginning of a text instead. */
void scope_preview_set_text (ScopePreview *self, const char *text);
void scope_preview_set_busy (ScopePreview *self, gboolean is_busy);

/* How many pixels it has room for, the shorter way. */
guint scope_preview_get_room (ScopePreview *self);

/* A texture that is @density times smaller than its pixels are many. */
GdkPaintable *scope_preview_create_paintable (GdkTexture *texture, int density);

/* The pixels of an image surface. */
GdkTexture *scope_preview_create_texture (cairo_surface_t *surface);

G_END_DECLS
