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

/* Small constants are known from the start. */
void sym_fact_learn_constant (SymFact *self, SymTensor *tensor);

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

/* What can be computed of the values of a model, or of the parts of a call. */
typedef struct {
  SymTerms *terms;
  SymFact *facts;                                        /* per value */
  SymTensor *(*get_stored) (gpointer from, SymId value); /* whose numbers count; NULL for none */
  gpointer from;
  GHashTable *numbers; /* SymDatum by value: those that are known so; NULL for none yet */
} SymEvaluation;

/* Computes the results of a call of ONNX, when these and its operands are tensors of a few numbers
 * and those of the operands are known.  Rules learn of small integers among the results. */
void sym_evaluation_run (SymEvaluation *self, SymLayer *layer, SymIds operands, SymIds results);
void sym_evaluation_clear (SymEvaluation *self);

/* ---- sym-infer-engine.c ---- */

/* Runs the rules of all calls until nothing new is learnt.  @depth counts the bodies around, which
 * share @room; NULL for none.  FALSE when cancelled. */
gboolean
sym_inference_run (SymInference *self, guint depth, SymInferRoom *room, GCancellable *cancellable);

G_END_DECLS
