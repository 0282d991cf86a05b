/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-step-private.h"
#include "run/sym-threads-private.h"

G_BEGIN_DECLS

/* Consecutive calls of a plan compiled into one step: what they have in common is computed once,
 * and values between them need not exist.  Immutable, for any number of runs at a time. */
typedef struct _SymRegion SymRegion;

/* Of a graph that was read, with its outputs marked; it is taken over in any case. */
SymRegion *sym_region_new (SymPlanGraph *take_graph, const SymStepOptions *options);
void sym_region_free (SymRegion *self);

/* The values that it needs and those that it makes: operands and results of the step. */
SymIds sym_region_get_inputs (const SymRegion *self);
SymIds sym_region_get_outputs (const SymRegion *self);

/* Bytes of numbers: what was packed, and the constants that it keeps. */
guint64 sym_region_get_n_weight_bytes (const SymRegion *self);

/* Bytes of a run's memory, without operands and results. */
gsize sym_region_get_n_arena_bytes (const SymRegion *self);

/* The memory of one run at a time.  @threads, borrowed, is of as many as the region was made for;
 * NULL for one. */
typedef struct _SymRegionRun SymRegionRun;

SymRegionRun *sym_region_run_new (const SymRegion *region, SymThreads *threads, GError **error);
void sym_region_run_free (SymRegionRun *self);

/* Who watches a run. */
typedef struct {
  /* Is shown each value of the plan that is watched when it was just made, perhaps with the
   * channels last in memory; @datum is lent for the time of the call.  FALSE with an error ends the
   * run. */
  gboolean (
      *show) (SymId value, SymDatum *datum, gboolean is_last, gpointer user_data, GError **error);

  /* Is told, in the end, what each value of the model that was made took; what was done for its
   * sake counts with it.  More than once for a value that was made in several steps. */
  void (*tell_time) (SymId value, double milliseconds, gpointer user_data);

  gpointer user_data;
} SymRegionWatch;

/* @inputs must be of the types that the graph was read for: SYM_ERROR_SHAPE names the one that is
 * not.  @outputs are slots as those of sym_kernel_run(); their memory comes from @pool.  @watch may
 * be NULL. */
gboolean sym_region_run_execute (SymRegionRun *self,
                                 SymDatum *const *inputs,
                                 SymDatum **outputs,
                                 SymDatumPool *pool,
                                 const SymRegionWatch *watch,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
