/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* What two models have in common and what differs, by structure: which layer of the one is which of
 * the other follows from what layers are, where their data comes from and where it goes.  Names
 * count for nothing.  Bodies differ or do not; what differs in them is not told.  Immutable;
 * reference-counted. */
typedef struct _SymCompare SymCompare;

typedef enum {
  SYM_COMPARE_SAME,
  SYM_COMPARE_RESHAPED, /* the same layer, whose results have another shape or dtype */
  SYM_COMPARE_CHANGED,  /* the same type of layer at the same place, and something of it differs */
  SYM_COMPARE_REMOVED,  /* only before */
  SYM_COMPARE_ADDED,    /* only after */
} SymCompareKind;

#define SYM_N_COMPARE_KINDS (SYM_COMPARE_ADDED + 1)

/* "same", "reshaped", "changed", "removed", "added". */
const char *sym_compare_kind_to_string (SymCompareKind kind);

typedef struct {
  SymCompareKind kind;
  SymId before; /* a call, or SYM_NO_ID */
  SymId after;
  guint first; /* its differences */
  guint n;
} SymCompareEntry;

/* One thing that differs: an attribute, "weight", "body then", "output"; a side that does not have
 * it is NULL. */
typedef struct {
  char *what;
  char *before;
  char *after;
} SymDifference;

/* @numbers also reads all weights, which takes as long as that takes.  NULL when it was cancelled
 * or weights cannot be read.  Time is linear in the calls where most are the same; where many
 * thousands have changed in place, those are told as removed and added. */
SymCompare *sym_compare_new (SymInference *before,
                             SymInference *after,
                             gboolean numbers,
                             GCancellable *cancellable,
                             GError **error);
SymCompare *sym_compare_ref (SymCompare *self);
void sym_compare_unref (SymCompare *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymCompare, sym_compare_unref)

/* All calls, in an order in which both models may run; what was removed comes before what was
 * added. */
guint sym_compare_get_n (const SymCompare *self);
SymCompareEntry sym_compare_get (const SymCompare *self, guint i);
guint sym_compare_count (const SymCompare *self, SymCompareKind kind);

/* Those of an entry follow each other; then come those of the models: inputs and outputs. */
guint sym_compare_get_n_differences (const SymCompare *self);
const SymDifference *sym_compare_get_difference (const SymCompare *self, guint i);
guint sym_compare_get_first_of_models (const SymCompare *self);

/* A value of each model that are the same one. */
typedef struct {
  SymId before;
  SymId after;
} SymComparePair;

/* The results of layers that are the same, in the order of the entries, and of what only one of
 * both has those with the same name.  @before and @after are the models that were compared.  An
 * array of SymComparePair, each value once at most; the caller's. */
GArray *
sym_compare_pair_values (const SymCompare *self, const SymModel *before, const SymModel *after);

/* What people call a call: by its own name, or where that tells no more than its type does, by what
 * it makes.  Borrowed. */
const char *sym_compare_name_call (const SymModel *model, SymId call);

/* Whether nothing differs at all, shapes included. */
gboolean sym_compare_is_same (const SymCompare *self);

G_END_DECLS
