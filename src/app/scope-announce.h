/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"

G_BEGIN_DECLS

/* What a screen reader says of what cannot be exposed to it: GTK 4.8 knows no objects but widgets.
 * The drawing describes itself with these sentences, the inspector shows them and the rows of the
 * table are called by them. */

/* "conv1, Convolution, 1×64×112×112, 1 parent, 2 children": also of a node that a closed group
 * hides.  NULL for none. */
char *scope_announce_node (ScopeDocument *document, const ScopeNode *node);

/* The same of what is selected, then its marks and what is wrong with it; of a group, what that is.
 * NULL for nothing. */
char *scope_announce_selected (ScopeDocument *document);

G_END_DECLS
