/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/sym-problem.h"

G_BEGIN_DECLS

/* One line of a list of facts: what it is on the left, its text on the right.  A fact that leads to a
 * node is a link. */
#define SCOPE_TYPE_FACT (scope_fact_get_type ())
G_DECLARE_FINAL_TYPE (ScopeFact, scope_fact, SCOPE, FACT, GtkListBoxRow)

/* @subtitle and @text may be NULL. */
GtkWidget *scope_fact_new (const char *title, const char *subtitle, const char *text);

/* Makes a link of it: to a value, or to a call when @value is SYM_NO_ID. */
void scope_fact_set_target (ScopeFact *self, SymId value, SymId call);
SymId scope_fact_get_value (ScopeFact *self);
SymId scope_fact_get_call (ScopeFact *self);

G_END_DECLS
