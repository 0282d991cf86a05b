/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-groups.h"

G_BEGIN_DECLS

/* Groups in the making.  Every group is a *range* of one order of execution, sym_groups_sort()'s.
 * That is what makes any of them safe to fold: no path leaves a range and comes back, and whatever
 * ranges are folded together, what remains still follows that order. */
typedef struct {
  guint start, end; /* positions in the order; the end is not part of it */
  SymGroupKind kind;
  const char *name; /* in @names; NULL for one that is named by its calls */
  guint run;        /* SYM_NO_GROUP for none */
} SymGroupRange;

/* One operand of a call, seen from the order. */
typedef struct {
  guint source; /* the position of the call that made it, or one of those below */
  SymId value;
  guint output; /* which result of that call */
} SymGroupUse;

#define SYM_GROUP_USE_INPUT (G_MAXUINT - 1) /* data that no call makes */
#define SYM_GROUP_USE_OTHER (G_MAXUINT - 2) /* a parameter, a constant */
#define SYM_GROUP_USE_EMPTY (G_MAXUINT - 3)

typedef struct {
  SymModel *model;
  guint n;          /* calls */
  SymId *order;     /* by position */
  guint *positions; /* by call */

  /* By position.  Equal classes: equal layers, applied to whatever. */
  guint *classes;
  guint8 *is_variadic; /* calls of that class differ in how many data operands they take */
  SymGroupUse *uses;
  guint *use_starts; /* by position, and one more */

  /* By position, and one more: values, and uses of them, that are made before and used at or after.
   */
  guint *n_crossing_values;
  guint *n_crossing_uses;

  GStringChunk *names;
  const char *prefix; /* in @names: the scopes that have everything, and are no groups; or "" */
  GArray *ranges;     /* SymGroupRange, any two of them apart or one within the other */
  guint n_runs;

  /* Once it is cancelled what is found does not matter, and loops may end early. */
  GCancellable *cancellable;
} SymGroupDraft;

/* An order of execution that follows from what uses what, wherever in the file the calls are: the
 * same calls in another order give the same one.  Calls on cycles and what leads to no output come
 * somewhere.  Linear but for sorting the operands of each call; @n receives the number of calls. */
SymId *sym_groups_sort (SymModel *model, guint *n);

SymGroupDraft *sym_group_draft_new (SymModel *model, GStringChunk *names);
void sym_group_draft_free (SymGroupDraft *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymGroupDraft, sym_group_draft_free)

void sym_group_draft_add (SymGroupDraft *self,
                          guint start,
                          guint end,
                          SymGroupKind kind,
                          const char *name,
                          guint run);

/* Sorts ranges from outside in, by their start.  Of two for the same calls one stays: with the name
 * of a scope and the run of a piece. */
void sym_group_draft_settle (SymGroupDraft *self);

/* Sets @classes and @is_variadic. */
void sym_group_draft_classify (SymGroupDraft *self);

/* ---- Finders ---- */

/* By names that have parts: "a/b/c", "a.b.c" and "stage1_unit2_c". */
void sym_group_draft_find_scopes (SymGroupDraft *self);

/* By structure, at the top and within scopes, which must be settled. */
void sym_group_draft_find_pieces (SymGroupDraft *self);

/* By size, where more lies side by side than can be seen at once.  What was found before must be
 * settled. */
void sym_group_draft_find_stages (SymGroupDraft *self);

/* Names the ranges that have no name yet. */
void sym_group_draft_name (SymGroupDraft *self);

/* ---- Equal ranges ---- */

/* Compares ranges of calls, in time linear in their sizes. */
typedef struct _SymGroupMatcher SymGroupMatcher;

SymGroupMatcher *sym_group_matcher_new (const SymGroupDraft *draft);
void sym_group_matcher_free (SymGroupMatcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymGroupMatcher, sym_group_matcher_free)

/* Whether the calls from @a on and those from @b on are equal one by one: in their layers, in the
 * operands made within, and in which operands from outside are one and the same. */
gboolean sym_group_matcher_is_equal (SymGroupMatcher *self, guint a, guint b, guint n);

/* Whether uses join all of the calls, whatever their direction. */
gboolean sym_group_matcher_is_connected (SymGroupMatcher *self, guint start, guint n);

/* Whether the calls from @next on use a result of those from @start on. */
gboolean sym_group_matcher_follows (const SymGroupMatcher *self, guint start, guint next, guint n);

/* Whether the results are used by the same calls outside of the two ranges; where nothing uses
 * them, whether they are made of the results of the same calls. */
gboolean sym_group_matcher_is_beside (SymGroupMatcher *self, guint a, guint b, guint n);

/* ---- Repeats ---- */

/* A part of a sequence where each element equals the one @period before, as long as it can be, at
 * least two periods long. */
typedef struct {
  guint start, end, period;
} SymRepeat;

/* All of them, in time n log n; fewer than @n.  Two parts that merely look equal to a hash may be
 * among them. */
GArray *sym_find_repeats (const guint *elements, guint n);

G_END_DECLS
