/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A small window over a row to type another text for it.  It stays, with the reason, while the text
 * is refused. */
#define SCOPE_TYPE_EDITOR (scope_editor_get_type ())
G_DECLARE_FINAL_TYPE (ScopeEditor, scope_editor, SCOPE, EDITOR, GtkPopover)

/* Called with the text, or NULL for the default.  FALSE with @error refuses it. */
typedef gboolean (*ScopeEditorFunc) (const char *text, gpointer user_data, GError **error);

/* Opens over @widget, which keeps it.  @has_default: there is a button for that.  @destroy is
 * called on @user_data when it is closed. */
void scope_editor_open (GtkWidget *widget,
                        const char *title,
                        const char *text,
                        gboolean has_default,
                        ScopeEditorFunc apply,
                        gpointer user_data,
                        GDestroyNotify destroy);

G_END_DECLS
