/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-section.h"

G_BEGIN_DECLS

/* What a layer of the graph is in comparison with another graph, what of it differs, and what was
 * removed behind it; nothing when it is the same, or compared with nothing. */
void scope_changes_show (ScopeSection *section, ScopeDocument *document, SymId call);

G_END_DECLS
