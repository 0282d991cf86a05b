/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "run/sym-plan.h"

G_BEGIN_DECLS

/* One execution of a plan after the other: inputs, values, and memory that is kept for the next
 * time. Not for two threads at once; another run of the same plan may go on meanwhile. */
typedef struct _SymRun SymRun;

SymRun *sym_run_new (SymPlan *plan);
void sym_run_free (SymRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymRun, sym_run_free)

SymPlan *sym_run_get_plan (const SymRun *self);

/* Feeds a value, an input or any other one, whose layer is then not asked.  It stays until it is
 * fed again; NULL takes it back.  SYM_ERROR_SHAPE when @datum is not of the type that the model
 * declares for the value, with both types in the message; SYM_ERROR_ARGUMENT when it is part of a
 * compiled step. */
gboolean sym_run_feed (SymRun *self, SymId value, SymDatum *datum, GError **error);

/* What makes seeds of random layers; 0 unless set. */
void sym_run_set_seed (SymRun *self, guint64 seed);

/* Called for each data value as soon as it is computed; @datum is valid for the time of the call.
 * FALSE with @error ends the run.  Of values within compiled steps those are shown that the plan
 * has watched. */
typedef gboolean (*SymRunWatch) (SymId value, SymDatum *datum, gpointer user_data, GError **error);

void sym_run_set_watch (SymRun *self, SymRunWatch watch, gpointer user_data);

/* Whether a watch takes elements in any order, as statistics do: then nothing is brought into the
 * model's order for it.  FALSE unless set. */
void sym_run_set_any_order (SymRun *self, gboolean any_order);

/* Who watches what happens within bodies: branches, loops, functions.  Bodies are told by their
 * paths (core/sym-path.h). */
typedef struct {
  /* As SymRunWatch, for a data value of @body, which may run many times. */
  gboolean (*show) (const char *body_path,
                    SymModel *body,
                    SymId value,
                    SymDatum *datum,
                    gpointer user_data,
                    GError **error);

  /* A body has run, well or not; @run has its values and times. */
  void (*end) (const char *body_path, const SymRun *run, gpointer user_data);
  gpointer user_data;
} SymRunBodyWatch;

/* Copied; NULL for none. */
void sym_run_set_body_watch (SymRun *self, const SymRunBodyWatch *watch);

/* The value that a watch is being shown, as the caller's own and in the model's order. */
SymDatum *sym_run_keep_shown (SymRun *self, GError **error);

/* Runs it.  A layer that cannot run, or fails, stops what needs its results; everything else is
 * computed.  TRUE when all that the plan wants is there.  FALSE with the first reason otherwise,
 * which names the layer: SYM_ERROR_UNSUPPORTED, SYM_ERROR_SHAPE, SYM_ERROR_LIMIT,
 * SYM_ERROR_ARGUMENT for an input that was not fed, a host function's own error, a G_IO_ERROR of a
 * process that a layer asked; or at once with G_IO_ERROR_CANCELLED. */
gboolean sym_run_execute (SymRun *self, GCancellable *cancellable, GError **error);

/* A value that the plan wants, after a run; NULL when it was not computed.  It may be written over
 * by the next run unless it is kept (sym_datum_ref). */
SymDatum *sym_run_get (const SymRun *self, SymId value);

/* Memory for values that the run has taken so far, in bytes: what it holds now and what it keeps
 * for the next time, without the numbers of the plan and of what was fed. */
guint64 sym_run_get_n_bytes (const SymRun *self);

/* Time that step @step of the plan took in the last run, 0 when it did not run. */
double sym_run_get_milliseconds (const SymRun *self, guint step);

/* Time that a call took in the last run that was watched; of a compiled step it is known for those
 * whose results are watched.  0 when it was computed while planning, negative when it is not known.
 */
double sym_run_get_call_milliseconds (const SymRun *self, SymId call);

/* Why step @step did not run or failed in the last run; NULL when it did well. */
const char *sym_run_get_failure (const SymRun *self, guint step);

/* All in one call, compiled where that can be (see run/sym-session.h for more than one): feeds
 * @data to the values called @names, runs, and returns the model's outputs in order, an array of
 * SymDatum (MXNet's eval, M62). */
GPtrArray *sym_run_evaluate (SymModel *model,
                             const char *const *names,
                             SymDatum *const *data,
                             guint n,
                             GCancellable *cancellable,
                             GError **error);

/* The same by position (PyTorch Symbolic's forward, P57): exactly as many data as the model has
 * inputs, those that nothing uses (P56) among them.  Data may be of any kind.  Of a run its plan
 * must want the outputs. */
GPtrArray *sym_run_call (SymRun *self,
                         SymDatum *const *inputs,
                         guint n,
                         GCancellable *cancellable,
                         GError **error);
GPtrArray *sym_model_call (SymModel *model,
                           SymDatum *const *inputs,
                           guint n,
                           GCancellable *cancellable,
                           GError **error);

G_END_DECLS
