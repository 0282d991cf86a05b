/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"
#include "core/sym-layer.h"
#include "run/sym-lowered-private.h"
#include "run/sym-plan-private.h"
#include "run/sym-region-private.h"
#include "run/sym-run.h"

G_BEGIN_DECLS

/* A body of a step, and how it is run. */
typedef struct _SymRunBody SymRunBody;

/* What one step of the plan has in a run. */
typedef struct {
  SymKernel *kernel; /* made at the first run; NULL for a step without one */
  SymKernelHost host;
  SymRegionRun *region; /* the same, of a compiled step */
  SymLowered *lowered;  /* the same, of a layer that is said in other ones */
  SymRunBody **bodies;  /* made at the first run of each */
  SymRun *run;          /* that the step belongs to */
  guint step;
  SymDatum **slots; /* of operands and results, while it runs */
  double milliseconds;
  char *failure; /* what went wrong here, in words; NULL: nothing */
  GQuark domain; /* of that as an error */
  int code;
} SymRunStep;

struct _SymRun {
  SymPlan *plan;
  SymDatum **values; /* what is known of each value; of those that are fed, the datum fed */
  gboolean *fed;
  guint *causes; /* of each value that is missing the step that is to blame */
  SymRunStep *steps;
  SymDatumPool *pool;
  SymThreads *threads; /* made at the first run of a compiled step, where there are several */
  gboolean borrows_threads;
  gboolean compiles_bodies; /* that come again */
  gboolean owns_pool;
  const char *lack; /* why weights have no numbers, from whoever read them; NULL when not known */
  guint64 seed;
  GCancellable *cancellable; /* of the run that goes on */
  SymRunWatch watch;
  gpointer user_data;
  gboolean takes_any_order; /* whoever watches */
  SymRunBodyWatch body_watch;
  char *path;                /* of the body that it runs, while that is watched; else NULL */
  double *call_milliseconds; /* of each call of the plan's model; NULL unless watched */
  SymDatum *shown;           /* borrowed, while it is shown */
  gboolean is_shown_turned;  /* with the channels last */
};

/* A run that is part of another one: memory comes from @pool, which is borrowed, and errors name
 * types of layers only, as whoever asked names the layer. */
SymRun *sym_run_new_within (SymPlan *plan, SymDatumPool *pool);

/* The threads of compiled steps; NULL where there is but one. */
SymThreads *sym_run_need_threads (SymRun *self);

/* sym-run-body.c: for hosts of kernels; @user_data is the step. */
gboolean sym_run_execute_body (gpointer user_data,
                               guint body,
                               SymDatum *const *inputs,
                               guint n_inputs,
                               SymDatum **outputs,
                               guint n_outputs,
                               GError **error);
gboolean sym_run_body_is_compiled (const SymRunBody *self);
guint64 sym_run_body_get_n_bytes (const SymRunBody *self);
void sym_run_body_free (SymRunBody *self);

/* Feeds a value whatever it is; NULL takes it back. */
void sym_run_lend (SymRun *self, SymId value, SymDatum *datum);

/* What is known of a value, as the caller's own: the run keeps nothing of it but what it was fed.
 */
SymDatum *sym_run_take (SymRun *self, SymId value);

/* sym-run-function.c: calls a function of the host program, which must have a `run`.  @outputs are
 * set where it is TRUE. */
gboolean sym_run_call_function (const SymFunction *function,
                                const SymHostCall *call,
                                SymDatum **outputs,
                                guint n_outputs,
                                GError **error);

/* sym-run-watch.c: shows what was computed while planning.  FALSE, here and below, only when the
 * whole run must end. */
gboolean sym_run_begin_watch (SymRun *self, GError **error);

/* Shows the results of a step that did well, those of a compiled one but for what it showed itself.
 */
gboolean sym_run_show_results (SymRun *self, guint step, GError **error);

/* Before and after the run of a body of a step: lets whoever watches bodies see it. */
void sym_run_begin_body (SymRun *self, guint step, guint body, SymRun *inner);
void sym_run_end_body (SymRun *self, SymRun *inner);

/* For compiled steps of the run. */
SymRegionWatch sym_run_get_region_watch (SymRun *self);

G_END_DECLS
