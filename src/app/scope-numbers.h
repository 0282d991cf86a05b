/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-document.h"

G_BEGIN_DECLS

/* The numbers of a node and of its layer's weights: statistics, how they are spread, pictures, and
 * ways to a table and to a file.  A part of the inspector, which tells it what to show. */
#define SCOPE_TYPE_NUMBERS (scope_numbers_get_type ())
G_DECLARE_FINAL_TYPE (ScopeNumbers, scope_numbers, SCOPE, NUMBERS, GtkWidget)

/* A value, or a call that has no results.  @record is what a run of @model left, NULL for none;
 * then
 * @reason, which is static, tells why, NULL when a run would help.  What was shown of the same
 * model and node stays chosen. */
void scope_numbers_show (ScopeNumbers *self,
                         SymModel *model,
                         SymRecord *record,
                         const char *reason,
                         SymId value,
                         SymId call);

/* One of those that are shown: the value, or a weight of its layer. */
void scope_numbers_choose (ScopeNumbers *self, SymId value);
void scope_numbers_set_theme (ScopeNumbers *self, SymTheme theme);

/* Whether what is shown next is in a model that was made for what a layer does: then its constants
 * are in no file. */
void scope_numbers_set_made (ScopeNumbers *self, gboolean is_made);

G_END_DECLS
