/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-private.h"

G_BEGIN_DECLS

/* A run that may still grow, in a pool (of SymId) shared by all runs of one kind.  All zeros is an
 * empty one. */
typedef struct {
  guint start, n, capacity;
} SymGrowingRun;

/* A run of those ids, which must not lie in the pool itself. */
SymGrowingRun sym_growing_run_new (SymRows *pool, const SymId *ids, guint n);
SymIds sym_growing_run_get (const SymGrowingRun *self, const SymRows *pool);

/* At the end of the pool a run grows where it is. */
void sym_growing_run_append (SymGrowingRun *self, SymRows *pool, SymId id);

/* What a builder says of each call. */
typedef enum {
  SYM_RUN_OPERANDS,
  SYM_RUN_RESULTS,
  SYM_RUN_CONTROLS,
  SYM_N_RUNS,
} SymRunKind;

typedef struct {
  SymGrowingRun runs[SYM_N_RUNS];
  gboolean erased;
} SymDraftCall;

/* The runs of one kind of all @calls (of SymDraftCall), one after another. */
SymRuns sym_draft_calls_pack (const SymRows *calls, SymRunKind kind, const SymRows *pool);

typedef struct {
  SymRole role;
  gboolean erased;
  SymId producer;
  guint output_index;
} SymDraftValue;

struct _SymModelBuilder {
  SymModel *base;
  char *name;
  SymDialect dialect;
  SymOrigin *origin;
  SymProblems *problems;

  /* The topology in the making; NULL arrays while that of @base serves. */
  gboolean has_topology;
  SymRows *values;            /* of SymDraftValue */
  SymRows *calls;             /* of SymDraftCall */
  SymRows *pools[SYM_N_RUNS]; /* of SymId */
  SymRows *entries;           /* of SymEntry */
  guint n_arranged;           /* of an edit: entries that have their place; those behind are new */
  gboolean has_gaps;          /* some of @entries are erased */
  GArray *inputs, *outputs;

  /* Each NULL while that of @base serves. */
  SymNames *names;
  SymLayers *layers;
  SymTypes *types;
  SymData *data;
  SymLines *lines;

  GRefString *lack; /* that was said last, of many values one after another; NULL for none */
};

static inline SymDraftCall *
sym_model_builder_get_draft (const SymModelBuilder *self, SymId call)
{
  return &g_array_index (self->calls, SymDraftCall, call);
}

static inline SymIds
sym_model_builder_get_run (const SymModelBuilder *self, SymId call, SymRunKind kind)
{
  return sym_growing_run_get (&sym_model_builder_get_draft (self, call)->runs[kind],
                              self->pools[kind]);
}

static inline void
sym_model_builder_append_to_run (SymModelBuilder *self, SymId call, SymRunKind kind, SymId id)
{
  sym_growing_run_append (&sym_model_builder_get_draft (self, call)->runs[kind], self->pools[kind],
                          id);
}

void sym_model_builder_init_topology (SymModelBuilder *self);

/* Drops erased entries and gives new ones their place in file order.  Linear. */
void sym_model_builder_arrange (SymModelBuilder *self);

/* Own copies of the tables of @base, made when first changed. */
void sym_model_builder_own_topology (SymModelBuilder *self);
SymNames *sym_model_builder_own_names (SymModelBuilder *self);
SymLayers *sym_model_builder_own_layers (SymModelBuilder *self);
SymTypes *sym_model_builder_own_types (SymModelBuilder *self);
SymData *sym_model_builder_own_data (SymModelBuilder *self);
SymLines *sym_model_builder_own_lines (SymModelBuilder *self);

G_END_DECLS
