/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-fact.h"
#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A heading and a list of facts; without facts neither is there.  Emits "row-activated" with a
 * ScopeFact. Its property "title" is the heading, and what the list is called for people who do not
 * see; with "plain" set there is no heading. */
#define SCOPE_TYPE_SECTION (scope_section_get_type ())
G_DECLARE_FINAL_TYPE (ScopeSection, scope_section, SCOPE, SECTION, GtkWidget)

#define SCOPE_SECTION_MAX 100 /* rows; more would be neither read nor quick to build */

void scope_section_clear (ScopeSection *self);

/* @subtitle and @text may be NULL. */
ScopeFact *
scope_section_add (ScopeSection *self, const char *title, const char *subtitle, const char *text);

/* After both were filled again: a fact that had the keyboard may have moved from @self to @other.
 */
void scope_section_hand_focus (ScopeSection *self, ScopeSection *other);

/* NULL for none. */
ScopeFact *scope_section_get_first (ScopeSection *self);

/* The heading and the facts, a line each; the caller's.  "section.copy" puts it on the clipboard.
 */
char *scope_section_to_string (ScopeSection *self);

/* The same of all sections below a widget that have facts, with lines between them. */
char *scope_section_join_all (GtkWidget *root);

/* A link to a value, with its layer and its shape. */
void scope_section_add_link (ScopeSection *self, SymInference *inference, SymId value);

/* Links to the first of the values, and how many more there are; of many, most come a moment later.
 * They are the last that the section gets. */
void scope_section_add_links (ScopeSection *self, SymInference *inference, SymIds values);

/* "and 12 more" of @n, when that is too many. */
void scope_section_add_rest (ScopeSection *self, guint n);

G_END_DECLS
