/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "app/scope-bookmarks.h"
#include "app/scope-document.h"

G_BEGIN_DECLS

/* The bookmarks of a file, to go to, to rename and to remove.  Emits "chosen" with a number once,
 * and is gone then; "add" when the present place is to be one. */
#define SCOPE_TYPE_BOOKMARKS_DIALOG (scope_bookmarks_dialog_get_type ())
G_DECLARE_FINAL_TYPE (ScopeBookmarksDialog,
                      scope_bookmarks_dialog,
                      SCOPE,
                      BOOKMARKS_DIALOG,
                      AdwWindow)

/* @document has a file and a model. */
GtkWindow *
scope_bookmarks_dialog_new (GtkWindow *parent, ScopeBookmarks *bookmarks, ScopeDocument *document);

ScopeDocument *scope_bookmarks_dialog_get_document (ScopeBookmarksDialog *self);

G_END_DECLS
