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

/* Writes the whole drawing with its legend in a thread; what kind of file is told by the suffix of its
 * name.  Does not depend on what the window shows or how it looks. */
void scope_export_async (ScopeDocument *document,
                         GFile *file,
                         SymTheme theme,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
gboolean scope_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
