/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-section.h"

G_BEGIN_DECLS

/* A node that is shown: of the graph itself, or of a body. */
typedef struct {
  SymInference *inference;
  SymModel *model;   /* its */
  SymId value, call; /* SYM_NO_ID for what it has not */
  gboolean is_inner;
} ScopeShown;

/* What is known of a node and of the layer that made it, in place of what @section told.  Names of
 * nodes and layers of the graph itself can be changed. */
void
scope_node_facts_show (ScopeSection *section, ScopeDocument *document, const ScopeShown *shown);

G_END_DECLS
