/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-export.h"
#include "app/scope-settings.h"
#include "app/scope-sheet.h"

G_BEGIN_DECLS

/* What was chosen, so that the next dialog begins with it. */
typedef struct {
  guint kind; /* of scope_export_get_kinds() */
  ScopeExportPart part;
  SymTheme theme;
  gboolean transparent;
  gboolean has_legend;
  double scale; /* 0: as the dialog likes */
  SymPaper paper;
} ScopeExportChoice;

/* Shows how a picture, or the summary as a table, will look before it is saved, copied or printed.
 * Emits "save" when it is to be saved; the picture or the table is ready then. */
#define SCOPE_TYPE_EXPORT_DIALOG (scope_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (ScopeExportDialog, scope_export_dialog, SCOPE, EXPORT_DIALOG, AdwWindow)

/* @view is what the canvas shows, in coordinates of the layout.  The summary has the columns of
 * @settings, and the rows that it has in the window. */
ScopeExportDialog *scope_export_dialog_new (GtkWindow *parent,
                                            ScopeDocument *document,
                                            const SymRect *view,
                                            const ScopeExportChoice *choice,
                                            ScopeSettings *settings);

ScopeDocument *scope_export_dialog_get_document (ScopeExportDialog *self);
const ScopeExportChoice *scope_export_dialog_get_choice (ScopeExportDialog *self);

/* As it is chosen now; NULL while it is being made, and when there cannot be one, as for a table.
 */
SymPicture *scope_export_dialog_get_picture (ScopeExportDialog *self);

/* The table that is chosen; NULL for a picture, and while the text is being made. */
ScopeSheet *scope_export_dialog_get_sheet (ScopeExportDialog *self);

G_END_DECLS
