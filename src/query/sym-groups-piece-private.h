/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-groups-private.h"

G_BEGIN_DECLS

/* What lies directly in one container: a call, or a group with all that it has. */
typedef struct {
  guint start, n_calls;
  guint label;     /* equal for calls of one class, and for groups that read alike */
  guint group;     /* the range of the draft; SYM_NO_GROUP for a call */
  gboolean is_new; /* nothing before it in the container has its label */
} SymGroupToken;

typedef struct _SymGroupTokens SymGroupTokens;

/* Reads the ranges that the draft has now. */
SymGroupTokens *sym_group_tokens_new (const SymGroupDraft *draft);
void sym_group_tokens_free (SymGroupTokens *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymGroupTokens, sym_group_tokens_free)

/* The tokens in a group, or at the top for SYM_NO_GROUP, in order. */
GArray *sym_group_tokens_list (SymGroupTokens *self, guint group);

/* Equal pieces of @period tokens each, from @token on. */
typedef struct {
  guint token, period, n;
  guint n_calls; /* of each */
  SymGroupKind kind;
} SymGroupPieces;

/* Cuts tokens from @start to @end, whose labels repeat with @period, into equal pieces.  Returns
 * SymGroupPieces in order; what has no equal neighbour is in none of them. */
GArray *sym_group_find_pieces (const SymGroupDraft *draft,
                               SymGroupMatcher *matcher,
                               const SymGroupToken *tokens,
                               guint start,
                               guint end,
                               guint period);

G_END_DECLS
