/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A kind of file: one line in the table of scope-export.c. */
typedef struct {
  const char *suffix; /* ".svg" */
  const char *title;  /* "SVG picture", to be translated */
  gboolean is_table;  /* the summary, of scope_sheet_find_format(): no picture at all */
  gboolean is_plain;  /* has neither colours nor a background */
  gboolean has_scale; /* is made of pixels */
  gboolean has_paper;
  SymPictureWriteFunc write; /* NULL for a table */
} ScopeExportKind;

const ScopeExportKind *scope_export_get_kinds (guint *n);

/* What a picture is of. */
typedef enum {
  SCOPE_EXPORT_DRAWING,   /* all of it, as it is folded now, with its legend */
  SCOPE_EXPORT_GRAPH,     /* laid out anew with nothing folded */
  SCOPE_EXPORT_VIEW,      /* what is seen, cut at its border */
  SCOPE_EXPORT_SELECTION, /* laid out anew: the marked part, else what is near the selected node */
} ScopeExportPart;

#define SCOPE_N_EXPORT_PARTS (SCOPE_EXPORT_SELECTION + 1)

typedef struct {
  ScopeExportPart part;
  SymRect view; /* in the coordinates of the layout, for SCOPE_EXPORT_VIEW */
  SymTheme theme;
  gboolean transparent;
  gboolean has_legend;
} ScopeExportOptions;

/* What people call the part, "Around “conv1”"; NULL when there is none, or it would be the same as
 * the whole drawing.  The caller's. */
char *scope_export_name_part (ScopeDocument *document, ScopeExportPart part);

/* Makes the picture in a thread.  Does not depend on how the window looks.  @small_size is that of
 * a small copy in pixels, each of which has @density of the screen's on a side; 0 for none. */
void scope_export_prepare_async (ScopeDocument *document,
                                 const ScopeExportOptions *options,
                                 guint small_size,
                                 guint density,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* @small, which may be NULL, receives the small copy, the caller's: all of the picture, but of one
 * that is much longer than wide, or wider than long, so much larger that it is no mere line. */
SymPicture *
scope_export_prepare_finish (GAsyncResult *result, cairo_surface_t **small, GError **error);

/* Writes a picture in a thread; what kind of file is told by the suffix of its name.  @scale, of
 * a PNG, and @paper are as in SymPictureOutput.  @progress, which may be NULL, is called in this
 * thread, with
 * @user_data, before @callback is. */
void scope_export_write_async (SymPicture *picture,
                               GFile *file,
                               double scale,
                               SymPaper paper,
                               GCancellable *cancellable,
                               SymProgressFunc progress,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean scope_export_write_finish (GAsyncResult *result, GError **error);

/* Paints a picture into pixels in a thread: @scale of them per point, or fewer where that would be
 * more than programs like to be given. */
void scope_export_paint_async (SymPicture *picture,
                               double scale,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
cairo_surface_t *scope_export_paint_finish (GAsyncResult *result, GError **error);

G_END_DECLS
