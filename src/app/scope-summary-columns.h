/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* The columns of the summary: one line each in one table. */
typedef struct {
  const char *name; /* of sym_columns_get() */
  const char *title;
  char *(*get_text) (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row);
  gboolean is_number; /* set to the right, with figures of equal width */
  gboolean expands;
  int width; /* in characters, 0 for the digits of the last row's number */
  gboolean needs_run; /* shown when there was one */
  gboolean is_extra;  /* hidden unless it is asked for */
} ScopeColumn;

const ScopeColumn *scope_summary_get_columns (guint *n);

/* Whether a column is shown, by @toggled, a bit for each that is not as it is by default. */
gboolean scope_summary_shows (guint column, guint toggled, gboolean has_run);

/* The bits with which the columns of that name, and no others, are shown: of "keras" and other tables
 * that sym_columns_get_preset() knows. */
guint scope_summary_get_preset (const char *name);

G_END_DECLS
