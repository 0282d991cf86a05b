/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"
#include "run/sym-memory-area-private.h"
#include "run/sym-plan.h"

G_BEGIN_DECLS

#define SYM_PLAN_FOREVER G_MAXUINT

typedef struct _SymRegion SymRegion;
typedef struct _SymDense SymDense;

typedef struct {
  SymId call;       /* the last one, of a compiled step */
  SymLayer *layer;  /* of the call; borrowed from the model */
  SymPlan **bodies; /* of the layer, in order */
  guint n_bodies;
  int running_body;         /* the body that stands for the layer, -1 for none */
  char *obstacle;           /* why the call cannot be run; NULL when it can */
  SymIds operands, results; /* what the step needs and makes */
  SymDense *dense;          /* in place of the call's kernel; NULL for none */
  SymRegion *region;        /* several calls compiled into one; NULL for one that runs as it is */
  SymId *calls;             /* of a compiled step */
  guint n_calls;
} SymPlanStep;

struct _SymPlan {
  gatomicrefcount ref_count;
  SymModel *model; /* what runs */
  SymModel *shown; /* the model that was planned, where calls were expanded; NULL for @model */
  GArray *
      origins; /* of SymId: of each call of @model that @shown has not the one that it is part of */
  SymInference *types; /* or NULL */
  SymPlanStep *steps;
  guint n_steps;
  SymMemoryArea *area;  /* of large constants, then of what they are packed into; NULL for none */
  SymDatum **constants; /* of each value its numbers; NULL for none */
  char **obstacles;     /* of each value why its numbers could not be read; NULL for no reason */
  guint *last_uses;     /* of each value the last step that needs it */
  guint *makers;        /* of each value the step that makes it, SYM_PLAN_FOREVER for none */
  GArray *inputs;       /* of SymId */
  gboolean *fixed;      /* of each value whether its numbers went into compiled steps */
  gboolean *watched;    /* of each value whether it is shown within compiled steps */
  GArray *folded;       /* of SymId: those of them that were computed while planning, in order */
  guint64 n_weight_bytes;
  guint n_threads;      /* of compiled steps; at least 1 */
  gboolean is_compiled; /* as far as it is understood */
  gboolean is_exact;
};

/* The call of the model that was planned which a call of what runs is, or is part of. */
SymId sym_plan_find_origin (const SymPlan *self, SymId call);

/* sym-plan-constants.c: of the values that are @needed the numbers that are given or in the model's
 * files; what has none is an input.  FALSE when @cancellable was cancelled. */
gboolean sym_plan_read_constants (SymPlan *self,
                                  const gboolean *needed,
                                  const SymPlanOptions *options,
                                  GCancellable *cancellable,
                                  GError **error);

/* sym-plan-fold.c: computes a call whose results are known before any run; they are constants then.
 * FALSE when it is none. */
gboolean sym_plan_fold_step (SymPlan *plan, SymInference *inference, const SymPlanStep *step);

/* sym-plan-order.c: brings steps that are understood together, as far as their operands let it. */
void sym_plan_order_steps (SymPlan *plan, const gboolean *is_understood);

/* sym-plan-compile.c: makes compiled steps of what can be, by the types of @options' inference.
 * FALSE when @cancellable was cancelled; the plan cannot be used then. */
gboolean sym_plan_compile (SymPlan *plan,
                           const SymPlanOptions *options,
                           GCancellable *cancellable,
                           GError **error);

/* sym-plan-feed.c: whether a run may be fed @datum for a value; see sym_run_feed(). */
gboolean
sym_plan_check_feed (const SymPlan *self, SymId value, const SymDatum *datum, GError **error);

G_END_DECLS
