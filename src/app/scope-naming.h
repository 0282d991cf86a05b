/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-fact.h"

G_BEGIN_DECLS

/* Asks at a row of the inspector what the selected value, or its layer, is to be called. */
void scope_naming_edit_value (ScopeDocument *document, ScopeFact *fact);
void scope_naming_edit_layer (ScopeDocument *document, ScopeFact *fact);

G_END_DECLS
