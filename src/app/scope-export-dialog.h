/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-export.h"

G_BEGIN_DECLS

/* What was chosen, so that the next dialog begins with it. */
typedef struct {
  guint kind; /* of scope_export_get_kinds() */
  ScopeExportPart part;
  SymTheme theme;
  gboolean transparent;
  double scale; /* 0: as the dialog likes */
  SymPaper paper;
} ScopeExportChoice;

/* Shows how a picture will look before it is saved, copied or printed.  Emits "save" when it is to be
 * saved; the picture is ready then. */
#define SCOPE_TYPE_EXPORT_DIALOG (scope_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (ScopeExportDialog, scope_export_dialog, SCOPE, EXPORT_DIALOG, AdwWindow)

/* @view is what the canvas shows, in coordinates of the layout. */
ScopeExportDialog *scope_export_dialog_new (GtkWindow *parent,
                                            ScopeDocument *document,
                                            const SymRect *view,
                                            const ScopeExportChoice *choice);

ScopeDocument *scope_export_dialog_get_document (ScopeExportDialog *self);
const ScopeExportChoice *scope_export_dialog_get_choice (ScopeExportDialog *self);

/* As it is chosen now; NULL while it is being made, and when there cannot be one. */
SymPicture *scope_export_dialog_get_picture (ScopeExportDialog *self);

G_END_DECLS
