/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-private.h"

G_BEGIN_DECLS

/* A run that may still grow, in a pool shared by all runs of one kind. */
typedef struct {
  guint start, n, capacity;
} SymGrowingRun;

typedef struct {
  GArray *runs; /* of SymGrowingRun, per call */
  GArray *pool; /* of SymId */
} SymGrowing;

void sym_growing_init (SymGrowing *self);
void sym_growing_clear (SymGrowing *self);

/* Adds a run with those ids, which must not lie in the pool itself. */
void sym_growing_add (SymGrowing *self, const SymId *ids, guint n);
SymIds sym_growing_get (const SymGrowing *self, guint i);
void sym_growing_append (SymGrowing *self, guint i, SymId id);
SymRuns sym_growing_pack (const SymGrowing *self);
void sym_growing_unpack (SymGrowing *self, const SymRuns *runs);

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
  GArray *values; /* of SymDraftValue */
  GArray *erased; /* of gboolean, per call */
  SymGrowing operands, results, controls;
  GArray *entries;   /* of SymEntry */
  guint n_arranged;  /* of an edit: entries that have their place; those behind are new */
  gboolean has_gaps; /* some of @entries are erased */
  GArray *inputs, *outputs;

  /* Each NULL while that of @base serves. */
  SymNames *names;
  SymLayers *layers;
  SymTypes *types;
  SymData *data;
  SymLines *lines;
};

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
