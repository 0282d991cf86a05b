/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* The columns of the summary: one line each in one table. */
typedef struct {
  const char *title;
  char *(*get_text) (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row);
  gboolean is_number; /* set to the right, with figures of equal width */
  gboolean expands;
  int width; /* in characters, 0 for the digits of the last row's number */
  gboolean needs_run; /* shown when there was one */
} ScopeColumn;

const ScopeColumn *scope_summary_get_columns (guint *n);

G_END_DECLS
