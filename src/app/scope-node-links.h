/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-node-facts.h"

G_BEGIN_DECLS

/* Links from a node to others, in place of what the section told: what its layer takes, but for
 * weights, and what takes it; in a body only what is drawn there. */
void scope_node_links_show_parents (ScopeSection *self,
                                    ScopeDocument *document,
                                    const ScopeShown *shown);
void scope_node_links_show_children (ScopeSection *self,
                                     ScopeDocument *document,
                                     const ScopeShown *shown);

/* The weights that its layer takes. */
void scope_node_links_show_parameters (ScopeSection *self,
                                       ScopeDocument *document,
                                       const ScopeShown *shown);

/* Where else the layer is applied: what it has learnt is used there, too. */
void scope_node_links_show_uses (ScopeSection *self, const ScopeShown *shown);

G_END_DECLS
