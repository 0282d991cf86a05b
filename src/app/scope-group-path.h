/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-section.h"
#include "query/sym-groups.h"

G_BEGIN_DECLS

/* Links to a group and to all around it, the innermost first, each with how many layers it has: of
 * a large graph, only a part of a group is in sight, and seldom its title.  SYM_NO_GROUP clears the
 * section. */
void scope_group_path_show (ScopeSection *section, SymGroups *groups, guint innermost);

G_END_DECLS
