/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "layout/sym-layout.h"
#include "query/sym-trace.h"
#include "scene/sym-scene-heat.h"

G_BEGIN_DECLS

typedef enum {
  SYM_THEME_LIGHT,
  SYM_THEME_DARK,
  SYM_THEME_LIGHT_CONTRAST, /* for who needs more of it to see */
  SYM_THEME_DARK_CONTRAST,
} SymTheme;

gboolean sym_theme_is_dark (SymTheme theme);

/* A picture ready to be drawn or written: one display list for the canvas and for every export, so
 * that they agree.  Immutable; reference-counted; may be painted from any thread. */
typedef struct _SymPicture SymPicture;

typedef struct {
  SymTheme theme;
  gboolean transparent;     /* no background */
  gboolean legend;          /* categories and node kinds, in a corner of an export */
  const SymSelection *kept; /* dims what it has not; NULL dims nothing */
  const SymTrace *traced;   /* likewise; of all these, what one has not */
  const SymIds *only;       /* likewise: these values, with the calls that make them */
  SymHeat *heat; /* of the layout's scene: colours of layers, instead of their categories'; NULL:
                    none. Referenced */
  const SymRect *crop; /* only what is in there, in layout coordinates, cut at its border, without
                          margin or legend; NULL: everything */
} SymPictureOptions;

SymPicture *sym_picture_new (SymLayout *layout, const SymPictureOptions *options);
SymPicture *sym_picture_ref (SymPicture *self);
void sym_picture_unref (SymPicture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPicture, sym_picture_unref)

SymLayout *sym_picture_get_layout (const SymPicture *self);
SymHeat *sym_picture_get_heat (const SymPicture *self); /* NULL for none */

/* The whole with its margin and legend, or what it is cropped to; in points. */
SymRect sym_picture_get_extent (const SymPicture *self);

/* The short line from the layer of an item to another of its boxes, as cubic curves like those of
 * an edge.  Returns how many points it has, 0 for none; @has_head tells whether an arrow is at its
 * end.
 */
#define SYM_STEM_POINTS 13
guint sym_picture_get_stem_course (const SymPicture *self,
                                   guint item,
                                   guint box,
                                   SymPoint course[SYM_STEM_POINTS],
                                   gboolean *has_head);

/* Paints what lies within @clip (layout coordinates; NULL: everything) in the current
 * transformation of @cr, on a background that fills the current clip of @cr unless the picture is
 * transparent.
 * @scale is pixels per point and picks the level of detail: no text when it would be too small to
 * read, plain boxes when these are.  Costs as much as there is to see, however large the rest. */
void sym_picture_paint (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale);

/* The same for a window that has @clip in sight: the title of a frame that begins left of it stays
 * in sight, as far as the frame goes.  Not for parts that are put together again. */
void
sym_picture_paint_view (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale);

/* About how long that would take, in milliseconds, without looking at what there is to see. */
double sym_picture_estimate (const SymPicture *self, const SymRect *clip, double scale);

/* Paints the texts on lines once more, over what was painted on the lines meanwhile. */
void
sym_picture_paint_labels (const SymPicture *self, cairo_t *cr, const SymRect *clip, double scale);

/* The item whose sign to open or close it (a closed group, a layer with bodies) is at a point;
 * G_MAXUINT for none. */
guint sym_picture_pick_sign (const SymPicture *self, double x, double y);

/* The line (an edge of the scene) whose course comes nearest to a point, within @reach; G_MAXUINT
 * for none. Costs as much as there are lines near it. */
guint sym_picture_pick_line (const SymPicture *self, double x, double y, double reach);

/* How far it is, from 0 to 1. */
typedef void (*SymProgressFunc) (double done, gpointer user_data);

/* The pages of a PDF.  What does not fit on one is cut into several that overlap, of which the
 * first shows how they lie. */
typedef enum {
  SYM_PAPER_FIT, /* one page around it all, however large a PDF lets that be; else as large as it
                    needs */
  SYM_PAPER_A4,
  SYM_PAPER_A3,
  SYM_PAPER_A2,
  SYM_PAPER_A1,
  SYM_PAPER_A0,
  SYM_PAPER_LETTER,
} SymPaper;

/* How a picture is written; NULL, or a field that is 0, is the default. */
typedef struct {
  double scale;   /* PNG: pixels per point; PDF: how much larger than life; 0 counts as 1 */
  SymPaper paper; /* PDF */
  GCancellable *cancellable;
  SymProgressFunc progress; /* called now and then, in the thread that writes; NULL: nobody asks */
  gpointer user_data;
} SymPictureOutput;

/* Write the picture, as its extent says.  Files are replaced atomically, and left as they were when
 * that fails or is cancelled; "-" is standard output.  Same picture, same bytes.  Errors name the
 * file; limits of a format (SYM_ERROR_LIMIT) are told with what would fit. */
typedef gboolean (*SymPictureWriteFunc) (SymPicture *self,
                                         const char *path,
                                         const SymPictureOutput *output,
                                         GError **error);
gboolean sym_picture_write_svg (SymPicture *self,
                                const char *path,
                                const SymPictureOutput *output,
                                GError **error);
gboolean sym_picture_write_png (SymPicture *self,
                                const char *path,
                                const SymPictureOutput *output,
                                GError **error);
gboolean sym_picture_write_pdf (SymPicture *self,
                                const char *path,
                                const SymPictureOutput *output,
                                GError **error);
gboolean sym_picture_write_dot (SymPicture *self,
                                const char *path,
                                const SymPictureOutput *output,
                                GError **error);

/* Colours of the theme, for the window's legend and table: red, green, blue in 0..1. */
typedef struct {
  double red, green, blue;
} SymColor;

SymColor sym_theme_get_background (SymTheme theme);
SymColor sym_theme_get_category_fill (SymTheme theme, SymCategory category);
SymColor sym_theme_get_category_text (SymTheme theme,
                                      SymCategory category); /* >= 4.5:1 on the fill */
SymColor sym_theme_get_category_line (SymTheme theme, SymCategory category); /* strongest of all */
SymColor sym_theme_get_heat_fill (SymTheme theme, const SymHeat *heat, guint level);
SymColor sym_theme_get_heat_stroke (SymTheme theme, const SymHeat *heat, guint level);
/* An outline of that colour, with as much black or white as it takes to be seen on a card of the
 * window (>= 3:1): those are lighter in the dark than the drawing. */
SymColor sym_theme_get_card_line (SymTheme theme, SymColor color);
SymColor sym_theme_get_box_fill (SymTheme theme, SymBoxKind kind);
SymColor sym_theme_get_box_stroke (SymTheme theme, SymBoxKind kind);
SymColor sym_theme_get_box_text (SymTheme theme, SymBoxKind kind); /* >= 4.5:1 on the fill */

G_END_DECLS
