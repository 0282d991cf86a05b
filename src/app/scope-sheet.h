/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-summary-columns.h"

G_BEGIN_DECLS

/* What the summary of a document is to show now: a copy of all that its rows depend on, so that
 * sorting and writing it takes place in any thread.  Reference-counted. */
typedef struct _ScopeSheet ScopeSheet;

/* With all columns that the document can fill yet; NULL before it has a summary. */
ScopeSheet *scope_sheet_new (ScopeDocument *document);

/* With those that are shown, in their order. */
ScopeSheet *scope_sheet_new_shown (ScopeDocument *document, const GArray *places);
ScopeSheet *scope_sheet_ref (ScopeSheet *self);
void scope_sheet_unref (ScopeSheet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeSheet, scope_sheet_unref)

/* Whether all rows are as the graph runs: then the table is made in a moment. */
gboolean scope_sheet_is_plain (const ScopeSheet *self);

/* The same summary as the graph runs. */
SymSummaryView *scope_sheet_create_plain (const ScopeSheet *self);

void scope_sheet_create_async (ScopeSheet *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
SymSummaryView *scope_sheet_create_finish (GAsyncResult *result, GError **error);

/* ---- As text ---- */

/* One line each. */
typedef struct {
  SymTableFormat format;
  const char *name;   /* of sym_table_format_from_string() */
  const char *suffix; /* ".md" */
  const char *title;  /* to be translated */
} ScopeSheetFormat;

const ScopeSheetFormat *scope_sheet_get_formats (guint *n);

/* That of a file of that name; NULL for none. */
const ScopeSheetFormat *scope_sheet_find_format (const char *name);

void scope_sheet_write_async (ScopeSheet *self,
                              const ScopeSheetFormat *format,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
char *scope_sheet_write_finish (GAsyncResult *result, GError **error);

/* Writes it into a file, which is there afterwards as it was before or whole. */
void scope_sheet_save_async (ScopeSheet *self,
                             const ScopeSheetFormat *format,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean scope_sheet_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
