/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the text of a search may become, in a list below its entry, where the keyboard stays.  Emits
 * "accepted" before the text changes, with whether it needs no more suggestions then: a field does,
 * for its value. */
#define SCOPE_TYPE_SUGGESTIONS (scope_suggestions_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSuggestions, scope_suggestions, SCOPE, SUGGESTIONS, GtkPopover)

/* A child of @parent, which allocates its children by a layout manager; @entry is in that. */
ScopeSuggestions *scope_suggestions_new (GtkWidget *parent, GtkWidget *entry);

/* Shows SymQueryCompletions, of which it keeps a reference, none chosen; hides itself when there
 * are none. */
void scope_suggestions_show (ScopeSuggestions *self, GPtrArray *completions);

/* For an entry without words: what was searched for before, and all fields. */
void scope_suggestions_show_beginnings (ScopeSuggestions *self);
void scope_suggestions_hide (ScopeSuggestions *self);
gboolean scope_suggestions_is_shown (ScopeSuggestions *self);

/* Whether the key is the list's while it is shown, and so has done what it is for: to go to another
 * line, around the ends; to put a line in place of the word that it completes; to hide the list. */
gboolean scope_suggestions_use_key (ScopeSuggestions *self, guint key);

G_END_DECLS
