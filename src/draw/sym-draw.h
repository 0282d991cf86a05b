/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "layout/sym-layout.h"

G_BEGIN_DECLS

typedef enum {
  SYM_THEME_LIGHT,
  SYM_THEME_DARK,
} SymTheme;

/* A picture ready to be drawn or written: one display list for the canvas and for every export, so
 * that they agree.  Immutable; reference-counted; may be painted from any thread. */
typedef struct _SymPicture SymPicture;

typedef struct {
  SymTheme theme;
  gboolean transparent; /* no background */
  gboolean legend;      /* categories and node kinds, in a corner of an export */
  const SymSelection *kept; /* dims what it has not; NULL dims nothing */
} SymPictureOptions;

SymPicture *sym_picture_new (SymLayout *layout, const SymPictureOptions *options);
SymPicture *sym_picture_ref (SymPicture *self);
void sym_picture_unref (SymPicture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPicture, sym_picture_unref)

SymLayout *sym_picture_get_layout (const SymPicture *self);

/* The whole with its margin and legend, in points. */
SymRect sym_picture_get_extent (const SymPicture *self);

/* Paints what lies within @clip (layout coordinates; NULL: everything) in the current transformation
 * of @cr, on a background that fills the current clip of @cr unless the picture is transparent.
 * @scale is pixels per point and picks the level of detail: no text when it would be too small to
 * read, plain boxes when these are.  Costs as much as there is to see, however large the rest. */
void sym_picture_paint (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale);

/* Write the whole picture.  Files are replaced atomically; "-" is standard output.  Same picture, same
 * bytes.  Errors name the file; limits of a format (SYM_ERROR_LIMIT) are told with what would fit. */
gboolean sym_picture_write_svg (SymPicture *self, const char *path, GError **error);
gboolean sym_picture_write_png (SymPicture *self,
                                const char *path,
                                double scale,
                                GCancellable *cancellable,
                                GError **error);
gboolean sym_picture_write_pdf (SymPicture *self,
                                const char *path,
                                GCancellable *cancellable,
                                GError **error);
gboolean sym_picture_write_dot (SymPicture *self, const char *path, GError **error);

/* Colours of the theme, for the window's legend and table: red, green, blue in 0..1. */
typedef struct {
  double red, green, blue;
} SymColor;

SymColor sym_theme_get_background (SymTheme theme);
SymColor sym_theme_get_category_fill (SymTheme theme, SymCategory category);
SymColor sym_theme_get_category_text (SymTheme theme, SymCategory category); /* >= 4.5:1 on the fill */
SymColor sym_theme_get_box_fill (SymTheme theme, SymBoxKind kind);
SymColor sym_theme_get_box_stroke (SymTheme theme, SymBoxKind kind);
SymColor sym_theme_get_box_text (SymTheme theme, SymBoxKind kind); /* >= 4.5:1 on the fill */

G_END_DECLS
