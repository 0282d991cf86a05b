/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-datum.h"
#include "core/sym-infer.h"

G_BEGIN_DECLS

/* How a model is run: what is computed in which order, the numbers of its parameters and constants
 * in memory, and the plans of its bodies.  Immutable and reference-counted: several threads may run
 * one plan at a time, each with a SymRun of its own.  Holds a reference to its model. */
typedef struct _SymPlan SymPlan;

#define SYM_PLAN_MAX_THREADS 256

/* A value and its numbers. */
typedef struct {
  SymId value;
  SymDatum *datum;
} SymFeed;

typedef struct {
  /* What is wanted; NULL for the model's outputs. */
  const SymId *values;
  guint n_values;

  /* Whether all data values are computed, those too that no output needs. */
  gboolean everything;

  /* What the numbers that are fed must be like; NULL for what the model declares.  Kept. */
  SymInference *types;

  /* Types of the model's values, or NULL.  With them, runs of calls on float32 tensors of known
   * shapes are compiled: several calls become one step, with weights packed anew, factors, sums and
   * activations taken into products and convolutions, channels last in memory, and elementwise
   * calls run piece by piece.  What is not understood stays as it is, so a plan is
   * compiled in part or not at all: see sym_plan_is_compiled().  Bodies are compiled by runs, where
   * the same types come again.  Unless @is_exact or anything is watched, float16, bfloat16 and
   * quantised numbers are computed in float32, and rounded where someone else needs them.
   *
   * What changes: results are rounded otherwise (for real networks about 1e-6 of the largest
   * number), and where they depend on NaN they may differ.  A run takes inputs of these types only,
   * a watch sees no value within compiled steps but those of @watched, and neither values within
   * them nor numbers that went into them can be fed.  With @everything all data values are watched.
   * Not kept. */
  SymInference *inference;

  /* Numbers of values that no call makes, in place of those of the model: they go into compiled
   * steps as those do.  Data are referenced as long as they are needed, and must not change. */
  const SymFeed *numbers;
  guint n_numbers;

  /* Values that a watch is shown though they are made within compiled steps.  Nothing is skipped or
   * taken into something else where one is made, but it takes no memory beyond the time that it is
   * needed.  Not kept. */
  const SymId *watched;
  guint n_watched;

  /* Threads of each run of compiled steps, with the one that asks; 0 is one, and at most
   * SYM_PLAN_MAX_THREADS count. */
  guint n_threads;

  /* Compiled steps use direct algorithms only, which round least.  Others are within about 2e-5 of
   * the largest number: Winograd's for 3x3 convolutions, and large products as sums of three
   * products of bfloat16 where the processor has tiles of these (AMX). */
  gboolean is_exact;
} SymPlanOptions;

/* Reads the numbers that the wanted values need.  A layer that cannot run, and numbers that cannot
 * be read, are no error here: a run goes as far as it can, and tells why not further.  NULL with
 * SYM_ERROR_CYCLE when the wanted values depend on a cycle, with SYM_ERROR_LIMIT when bodies are
 * nested too deep, or when @cancellable was cancelled.  @options may be NULL. */
SymPlan *sym_plan_new (SymModel *model,
                       const SymPlanOptions *options,
                       GCancellable *cancellable,
                       GError **error);

SymPlan *sym_plan_ref (SymPlan *self);
void sym_plan_unref (SymPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymPlan, sym_plan_unref)

SymModel *sym_plan_get_model (const SymPlan *self);

/* The steps, calls that are run, in order, and why one of them cannot be (NULL when it can). */
guint sym_plan_get_n_steps (const SymPlan *self);
SymId sym_plan_get_call (const SymPlan *self, guint step);
const char *sym_plan_get_obstacle (const SymPlan *self, guint step);

/* The calls of one step: that one, or all that were compiled into it, of which sym_plan_get_call()
 * tells the last. */
SymIds sym_plan_get_calls (const SymPlan *self, guint step);
gboolean sym_plan_is_compiled (const SymPlan *self, guint step);

/* The values that were computed while planning, in order: no run does that again. */
SymIds sym_plan_get_folded (const SymPlan *self);

/* The step that makes a value; FALSE when none of the plan does. */
gboolean sym_plan_find_step (const SymPlan *self, SymId value, guint *step);

/* Inputs of the model that must be fed: those that the wanted values need and that have no numbers
 * of their own. */
SymIds sym_plan_get_inputs (const SymPlan *self);

/* Bytes of the numbers that the plan holds, those of bodies included. */
guint64 sym_plan_get_n_weight_bytes (const SymPlan *self);

G_END_DECLS
