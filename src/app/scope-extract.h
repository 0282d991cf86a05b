/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "io/sym-io.h"

G_BEGIN_DECLS

/* The format that a part of the document is best saved in: its own when that can be written. */
const SymIoFormat *scope_extract_get_format (ScopeDocument *document);

/* Makes a model of what the marks keep, or of everything when nothing is marked, in a thread; and
 * writes it when @file is not NULL. */
void scope_extract_async (ScopeDocument *document,
                          const SymIoFormat *format,
                          GFile *file,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/* The model.  @notes, when not NULL, receives what the format could not express but does no harm.
 */
SymModel *scope_extract_finish (GAsyncResult *result, SymProblems **notes, GError **error);

G_END_DECLS
