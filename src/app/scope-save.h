/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "io/sym-io.h"

G_BEGIN_DECLS

/* Whether the document can be written back to the file that it is from: there is one, and its
 * format can be written. */
gboolean scope_save_is_possible (ScopeDocument *document);

/* Writes the whole graph in a thread, with the shapes that were typed for inputs declared; marks
 * are no part of it.  When it is done, the document is that of @file, in @format, and unmodified,
 * unless it was edited meanwhile. */
void scope_save_async (ScopeDocument *document,
                       const SymIoFormat *format,
                       GFile *file,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);

/* @notes, when not NULL, receives what the format could not express but does no harm. */
gboolean scope_save_finish (GAsyncResult *result, SymProblems **notes, GError **error);

G_END_DECLS
