/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"
#include "query/sym-folding.h"

G_BEGIN_DECLS

/* How many layers of a type. */
typedef struct {
  const char *type; /* the layer's */
  guint n;
} ScopeTypeCount;

/* What there is to know of a group, open or closed. */
typedef struct {
  char *title;
  SymGroupKind kind;
  guint n_copies; /* drawn together as one box; 1 for an open group */
  guint n_equal;  /* groups in its run, itself included */
  guint place;    /* among those, from 1 */
  guint n_layers; /* of one copy, as the types and the parameters are */
  GArray *types;  /* of ScopeTypeCount, the most first */
  guint64 n_parameters;
  gboolean knows_parameters; /* else there are at least so many */
  GArray *inputs;            /* of SymId: data that comes into all copies, and what leaves them */
  GArray *outputs;
} ScopeGroupFacts;

/* What is known at once: no types, parameters, inputs or outputs yet. */
ScopeGroupFacts *scope_group_facts_new_head (SymFolding *folding, guint group);

/* All of it; linear in the calls of the group.  In any thread. */
ScopeGroupFacts *scope_group_facts_new (SymInference *inference, SymFolding *folding, guint group);
void scope_group_facts_free (ScopeGroupFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeGroupFacts, scope_group_facts_free)

G_END_DECLS
