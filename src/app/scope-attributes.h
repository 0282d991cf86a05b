/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-section.h"

G_BEGIN_DECLS

/* Lists what a layer is given, or a value that none made: each attribute with its meaning.  Those
 * of the layer can be edited unless @is_fixed. */
void scope_attributes_show (ScopeSection *section,
                            SymModel *model,
                            SymId value,
                            SymId call,
                            gboolean is_fixed);

/* Lists what a layer is not given, with the defaults that it has for that. */
void scope_attributes_show_defaults (ScopeSection *section,
                                     SymModel *model,
                                     SymId call,
                                     gboolean is_fixed);

/* Opens an editor over a fact that was shown for @call. */
void scope_attributes_edit (ScopeDocument *document, SymId call, ScopeFact *fact);

G_END_DECLS
