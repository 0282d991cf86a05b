/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-export-dialog.h"

G_BEGIN_DECLS

/* The dialog's parts: scope-export-dialog.c has the choices and what is done with what was made of
 * them, scope-export-dialog-preview.c makes it, and shows it and its size. */

struct _ScopeExportDialog {
  AdwWindow parent_instance;

  ScopeDocument *document;
  SymRect view;
  ScopeExportChoice choice;
  GArray *places;            /* of ScopeColumnPlace: the summary's columns */
  SymPicture *picture;       /* NULL while it is made, and when there cannot be one */
  ScopeSheet *sheet;         /* the table instead */
  char *text;                /* of that; NULL while it is made */
  GCancellable *cancellable; /* of what is made; NULL when nothing is */
  GArray *parts;             /* of ScopeExportPart, those that there are */
  gboolean is_ready;         /* its widgets show the choice */
  gboolean has_asked;        /* for a picture or a table */
  guint asking;              /* the source that will; 0 for none */
  gboolean has_begun;        /* one was there before */
  guint n_choices;           /* how often one was made */

  GtkWidget *save_button, *copy_button, *print_button;
  GtkWidget *panes, *separator, *options;
  GtkWidget *preview;
  GtkWidget *message;
  GtkWidget *part, *kind, *theme, *transparent_row, *transparent, *legend_row, *legend;
  GtkWidget *scale_row, *scale, *paper;
};

const ScopeExportKind *scope_export_dialog_get_kind (ScopeExportDialog *self);

/* In the place of the size. */
void
scope_export_dialog_show_message (ScopeExportDialog *self, const char *text, gboolean is_error);

/* Nothing while what was chosen is being made. */
void scope_export_dialog_show_size (ScopeExportDialog *self);

/* Shows what was made, a picture or a text, or neither. */
void scope_export_dialog_take (ScopeExportDialog *self, SymPicture *take_picture, char *take_text);

/* Makes what is chosen now, in place of what is being made. */
void scope_export_dialog_prepare (ScopeExportDialog *self);

G_END_DECLS
