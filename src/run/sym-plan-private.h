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

/* Constants that are read when they are packed. */
typedef struct {
  gboolean *waits; /* of each value whether it is one that was not read yet; NULL for none at all */
  char *memory;    /* of those that are being packed; mapped when it is first of use */
  gsize n_bytes, n_asked, n_taken;
  gboolean has_failed; /* one could not be read: what was compiled means nothing */
} SymPlanLate;

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
  gboolean *doubted;    /* of each value whether types that contradict each other led to it */
  gboolean *watched;    /* of each value whether it is shown within compiled steps */
  GArray *folded;       /* of SymId: those of them that were computed while planning, in order */
  guint64 n_weight_bytes;
  guint n_threads;      /* of compiled steps; at least 1 */
  gboolean is_compiled; /* as far as it is understood */
  gboolean is_exact;
  SymPlanLate late; /* while it is compiled */
};

/* The call of the model that was planned which a call of what runs is, or is part of. */
SymId sym_plan_find_origin (const SymPlan *self, SymId call);

/* sym-plan-constants.c: of the values that are @needed the numbers that are given or in the model's
 * files; what has none is an input.  Weights may be left to be read late.  FALSE when @cancellable
 * was cancelled. */
gboolean sym_plan_read_constants (SymPlan *self,
                                  const gboolean *needed,
                                  const SymPlanOptions *options,
                                  gboolean reads_late,
                                  GCancellable *cancellable,
                                  GError **error);

/* Reads one of them, or tells why not in its obstacle. */
void sym_plan_read_constant (SymPlan *self, SymId value, GCancellable *cancellable);

/* All numbers of a tensor into as many bytes, in pieces between which it can be cancelled. */
gboolean
sym_plan_read_numbers (SymTensor *tensor, void *buffer, GCancellable *cancellable, GError **error);

/* sym-plan-late.c: finds the weights that only a product or a convolution needs, which packs them.
 * They are constants, but have no numbers until they are settled, which reads them to stay, or are
 * read for as long as they are packed, until all such are forgotten: NULL then when there is no
 * memory for them.  The place of one that waits is different from all others; nothing is there. */
void sym_plan_late_find (SymPlan *self);
gboolean sym_plan_late_waits (const SymPlan *self, SymId value);
const float *sym_plan_late_get_place (const SymPlan *self, SymId value);
void sym_plan_late_settle (SymPlan *self, SymId value, GCancellable *cancellable);
void sym_plan_late_settle_all (SymPlan *self, GCancellable *cancellable);
const float *sym_plan_late_read (SymPlan *self, SymId value, GCancellable *cancellable);
void sym_plan_late_forget (SymPlan *self);
void sym_plan_late_clear (SymPlan *self);

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
