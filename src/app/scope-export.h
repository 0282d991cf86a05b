/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* A kind of picture file: one line in the table of scope-export.c. */
typedef struct {
  const char *suffix; /* ".svg" */
  const char *title;  /* "SVG picture", to be translated */
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
  double scale; /* of a PNG: pixels per point; 0 counts as 2 */
} ScopeExportOptions;

/* What people call the part, "Around “conv1”"; NULL when there is none, or it would be the same as the
 * whole drawing.  The caller's. */
char *scope_export_name_part (ScopeDocument *document, ScopeExportPart part);

/* Writes a picture in a thread; what kind of file is told by the suffix of its name.  @progress, which
 * may be NULL, is called in this thread, with @user_data, before @callback is.  Does not depend on how
 * the window looks. */
void scope_export_async (ScopeDocument *document,
                         GFile *file,
                         const ScopeExportOptions *options,
                         GCancellable *cancellable,
                         SymProgressFunc progress,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
gboolean scope_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
