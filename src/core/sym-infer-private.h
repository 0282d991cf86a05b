/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-rule-private.h"

G_BEGIN_DECLS

struct _SymInference {
  gatomicrefcount ref_count;
  SymModel *model;
  SymTerms *terms;
  SymFact *facts; /* per value */
  GPtrArray *arena;
  GHashTable *bodies; /* call -> GPtrArray of SymInference; NULL for none */
  SymProblems *problems;

  /* Of a body: unknowns of the model around it to its own, and back.  NULL otherwise. */
  GHashTable *asked, *answered;
};

/* ---- sym-inference.c ---- */

/* What is declared of the values of @model, and the constants among them. */
SymInference *sym_inference_new (SymModel *model);

/* ---- sym-infer-engine.c ---- */

/* Runs the rules of all calls until nothing new is learnt.  @depth counts the bodies around.  FALSE
 * when cancelled. */
gboolean sym_inference_run (SymInference *self, guint depth, GCancellable *cancellable);

G_END_DECLS
