/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-draw-grid.h"
#include "draw/sym-draw-out.h"
#include "draw/sym-theme-private.h"
#include "scene/sym-scene-body.h"

G_BEGIN_DECLS

#define SYM_PICTURE_MARGIN 24.0
#define SYM_LINE_REACH 6.0 /* strokes and heads lie this far beside their course at most */

/* A run of Bézier segments of one edge: what the index of lines holds, so that a line through the
 * whole picture is drawn where it is looked at only. */
typedef struct {
  guint edge;
  guint first; /* segment */
  guint n;
} SymPiece;

/* The text on a line; placed where it hides no box. */
typedef struct {
  guint edge;
  SymPoint center;
  double angle;
  double width, height; /* before it is turned */
} SymEdgeLabel;

typedef enum {
  SYM_SAMPLE_CATEGORY,
  SYM_SAMPLE_NODE,
  SYM_SAMPLE_LINE,
} SymSample;

typedef struct {
  SymSample sample;
  guint what; /* SymPaintSlot, or SymLine */
  char *text;
  SymRect rect; /* of the sample */
  SymPoint text_center;
  double text_left;
} SymLegendRow;

typedef struct {
  SymRect rect;
  SymTextStyle style;
  GArray *rows; /* of SymLegendRow */
  guint rows_per_column;
  double column_width;
} SymLegend;

struct _SymPicture {
  gatomicrefcount ref_count;
  SymLayout *layout;
  SymScene *scene; /* the layout's */
  SymModel *model; /* the scene's */
  const SymPalette *palette;
  SymPalette *own_palette; /* which that is then; NULL: a theme's */
  SymHeat *heat;           /* NULL: none */
  gboolean transparent;
  gboolean is_cropped; /* to its extent */
  SymRect extent;
  guint *first_boxes;   /* per item and the end: numbers of its boxes in @dimmed_boxes */
  guint8 *dimmed_boxes; /* NULL: none */
  guint8 *dimmed_edges;
  guint8 *dimmed_frames; /* those around nothing else; NULL: none */
  SymDrawGrid *frames;
  SymDrawGrid *items;
  SymDrawGrid *lines;
  GArray *pieces; /* of SymPiece, as in @lines */
  SymDrawGrid *label_places;
  GArray *labels;    /* of SymEdgeLabel, as in @label_places */
  SymLegend *legend; /* NULL: none */
};

/* ---- Writing (sym-picture-output.c) ---- */

typedef struct {
  const SymPicture *picture;
  const SymPalette *palette;
  SymDrawOut *out;
  const SymPictureOutput *output;
  guint n_done; /* items and edges, of @n_all */
  guint n_all;
} SymPictureWriter;

/* Before each item and edge: FALSE when no more can be written, or is wanted. */
gboolean sym_picture_writer_go_on (SymPictureWriter *self);

/* Lets @write_all make the file @path, which is left alone on error. */
gboolean sym_picture_write_text (const SymPicture *self,
                                 const char *path,
                                 const SymPictureOutput *output,
                                 void (*write_all) (SymPictureWriter *writer),
                                 GError **error);

/* @output, or the one that all formats are written by when none is given. */
const SymPictureOutput *sym_picture_output_get (const SymPictureOutput *output);

/* Tells how far it is.  FALSE with an error when it was cancelled. */
gboolean sym_picture_output_tell (const SymPictureOutput *self, double done, GError **error);

gboolean sym_picture_output_get_scale (const SymPictureOutput *self,
                                       const char *path,
                                       double *scale,
                                       GError **error);

/* Numbers of what there is to be written, ascending: all, unless the picture is cropped; the
 * caller's. */
GArray *sym_picture_list_items (const SymPicture *self);
GArray *sym_picture_list_edges (const SymPicture *self);

/* ---- Boxes (sym-picture-boxes.c) ---- */

/* How a box looks, in layout coordinates. */
typedef struct {
  SymRect rect;
  double radius;
  double stroke_width;
  SymPaintSlot slot;
  gboolean marks_input;
  gboolean marks_output;
  guint n_sheets; /* behind it */
} SymBoxLook;

SymBoxLook sym_picture_get_box_look (const SymPicture *self, guint item, guint box);
SymRect sym_picture_get_item_rect (const SymPicture *self, guint item);

/* The @i-th sheet behind the box, from 1. */
SymRect sym_box_look_get_sheet (const SymBoxLook *self, guint i);

/* Middles of the badges, at the upper corners. */
SymPoint sym_box_look_get_input_mark (const SymBoxLook *self);
SymPoint sym_box_look_get_output_mark (const SymBoxLook *self);

#define SYM_MARK_RADIUS 7.0

/* The sign in a badge around (0, 0): polylines, each with its number of points. */
typedef struct {
  guint n_lines;
  guint n_points[2];
  SymPoint points[2][3];
} SymMark;

const SymMark *sym_mark_get (gboolean output);

/* ---- Frames and groups (sym-picture-frames.c) ---- */

typedef struct {
  SymRect rect;
  double radius;
  guint shade; /* in the palette */
  const char *title;
  SymPoint title_center;
  SymRect sign;
  gboolean is_dimmed;
  SymRgb stroke; /* of the picture's palette */
  SymRgb text;
} SymFrameLook;

SymFrameLook sym_picture_get_frame_look (const SymPicture *self, guint frame);

/* Where the sign to open a group or a layer by stands, or to close an open layer; FALSE for any
 * other box. */
gboolean sym_picture_get_sign (const SymPicture *self,
                               guint item,
                               guint box,
                               SymRect *sign,
                               gboolean *is_plus);

/* Whether anything can be folded into a group, or opened or closed at all. */
gboolean sym_picture_has_groups (const SymPicture *self);
gboolean sym_picture_has_signs (const SymPicture *self);
void sym_picture_index_frames (SymPicture *self);

/* The colour of what lies behind a point: of the innermost frame there, or the background. */
SymRgb sym_picture_get_ground (const SymPicture *self, SymPoint point);

/* "layer_0 (24 layers)", "loop: body (24 layers)"; the caller's. */
char *sym_picture_format_frame_title (const SymPicture *self, guint frame);

/* ---- Lines (sym-picture-lines.c) ---- */

/* The end of a line: the stroke stops inside the head, so that its tip stays sharp. */
typedef struct {
  gboolean has_head;
  SymPoint head[3]; /* the tip first */
  SymPoint control;
  SymPoint end;
} SymLineEnd;

SymLine sym_picture_get_line (const SymPicture *self, guint edge);
SymLineEnd sym_picture_get_line_end (const SymPicture *self, guint edge);
guint sym_picture_get_n_segments (const SymPicture *self, guint edge);

/* How a course ends, its tip being the last of @n_points. */
SymLineEnd sym_line_end (const SymPoint *course, guint n_points, gboolean has_head);

/* The short line from the chip of an item to one of its boxes; returns how many points it has, 0
 * when there is none. */
guint sym_picture_get_stem (const SymPicture *self,
                            guint item,
                            guint box,
                            SymPoint course[SYM_STEM_POINTS],
                            SymLineEnd *end,
                            SymLine *line);

/* Cuts all edges into pieces. */
void sym_picture_index_lines (SymPicture *self);

/* ---- Labels of edges (sym-picture-labels.c) ---- */

void sym_picture_place_labels (SymPicture *self);
SymRect sym_edge_label_get_rect (const SymEdgeLabel *self);

/* ---- Legend (sym-picture-legend.c) ---- */

SymLegend *sym_legend_new (const SymPicture *picture);
void sym_legend_free (SymLegend *self);

/* What a sample is drawn as. */
SymBoxLook sym_legend_row_get_look (const SymLegendRow *self, const SymPalette *palette);
SymPoint sym_legend_row_get_mark (const SymLegendRow *self);
void sym_legend_row_get_line (const SymLegendRow *self, SymPoint course[4], SymLineEnd *end);

/* Puts it into a corner that is free, or beside the picture.  Returns the extent with it. */
SymRect sym_legend_place (SymLegend *self, const SymPicture *picture);

/* ---- Painting (sym-picture-paint.c) ---- */

/* How much a call of sym_picture_paint() looked at. */
typedef struct {
  guint n_items;
  guint n_pieces;
} SymPaintCounts;

void sym_picture_paint_counted (const SymPicture *self,
                                cairo_t *cr,
                                const SymRect *clip,
                                double scale,
                                SymPaintCounts *counts);

/* Text for people about an item or edge, "conv0 (Convolution)", or
 * "_317 (Conv_0, Conv2d)" where the layer has another name than what it makes; the caller's. */
char *sym_picture_format_item_title (const SymPicture *self, guint item);
char *sym_picture_format_edge_title (const SymPicture *self, guint edge);

/* The model's name, or "Neural network". */
const char *sym_picture_get_title (const SymPicture *self);

G_END_DECLS
