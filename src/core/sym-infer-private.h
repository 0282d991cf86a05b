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
  GHashTable *contradicted; /* calls that a problem is of; NULL for none */

  /* Of a body: unknowns of the model around it to its own, and back.  NULL otherwise. */
  GHashTable *asked, *answered;
};

/* ---- sym-inference.c ---- */

/* What is declared of the values of @model, and the constants among them. */
SymInference *sym_inference_new (SymModel *model);

/* ---- sym-infer-forget.c ---- */

/* Which results: in bodies only those that nothing infers, host functions above all, as types of
 * their inputs that are not known yet may still come. */
typedef enum {
  SYM_FORGET_ALL,
  SYM_FORGET_DECLARED_ONLY,
} SymForget;

/* To be called when the facts of @values have been given anew: where one differs from what is
 * declared, results that depend on it are unknown, until rules tell what they are.  An unknown or
 * named size in a declared type stands for any, so that to give it is no difference.  What was
 * given itself stays. */
void
sym_inference_forget_declared (SymInference *self, const SymId *values, guint n, SymForget what);

/* Whether the type of a value differs so from what is declared of it. */
gboolean sym_inference_is_other (const SymInference *self, SymId value);

/* ---- sym-infer-evaluate.c ---- */

/* Computes the results of a call of ONNX, when these and its operands are tensors of a few numbers
 * and those of the operands are known.  @numbers are what is known so, from values to data, and
 * rules learn of small integers among the results. */
void sym_inference_evaluate (SymInference *self, SymId call, GHashTable *numbers);

/* ---- sym-infer-engine.c ---- */

/* Runs the rules of all calls until nothing new is learnt.  @depth counts the bodies around, which
 * share @room; NULL for none.  FALSE when cancelled. */
gboolean
sym_inference_run (SymInference *self, guint depth, SymInferRoom *room, GCancellable *cancellable);

G_END_DECLS
