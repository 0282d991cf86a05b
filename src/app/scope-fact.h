/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/sym-problem.h"
#include "query/sym-groups.h"

G_BEGIN_DECLS

/* One line of a list of facts: what it is on the left, its text on the right.  A fact that leads to
 * a node or a group is a link.  Ctrl+C and the menu of each copy its text. */
#define SCOPE_TYPE_FACT (scope_fact_get_type ())
G_DECLARE_FINAL_TYPE (ScopeFact, scope_fact, SCOPE, FACT, GtkListBoxRow)

/* @subtitle and @text may be NULL. */
GtkWidget *scope_fact_new (const char *title, const char *subtitle, const char *text);

/* Makes a link of it: to a value, or to a call when @value is SYM_NO_ID. */
void scope_fact_set_target (ScopeFact *self, SymId value, SymId call);

/* The same to a group. */
void scope_fact_set_group (ScopeFact *self, guint group);

/* More about it than fits: its tooltip. */
void scope_fact_set_about (ScopeFact *self, const char *about);

/* Its row can be activated to change it; a sign says so. */
void scope_fact_set_editable (ScopeFact *self);

/* What is not given: its text is less strong. */
void scope_fact_set_dim (ScopeFact *self);

const char *scope_fact_get_title (ScopeFact *self);

/* What it is, a tabulator, and its text; the caller's. */
char *scope_fact_to_string (ScopeFact *self);
SymId scope_fact_get_value (ScopeFact *self);
SymId scope_fact_get_call (ScopeFact *self);
guint scope_fact_get_group (ScopeFact *self); /* SYM_NO_GROUP for none */

G_END_DECLS
