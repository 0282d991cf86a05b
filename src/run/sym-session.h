/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-run.h"

G_BEGIN_DECLS

/* A model that is run again and again, on inputs of any shape: a compiled plan is made for the
 * types of what is fed, and kept for the next time that they come.
 *
 *   g_autoptr (SymSession) session = sym_session_new (model, NULL);
 *
 *   sym_session_feed (session, input, datum, &error);
 *   sym_session_execute (session, NULL, &error);
 *   if (sym_session_get_cost (session).is_planned) ...
 *
 * For one thread at a time.  Sessions, also of the same model, have nothing in common that changes,
 * so several may run in several threads at once. */
typedef struct _SymSession SymSession;

typedef struct {
  /* As those of SymPlanOptions.  Numbers are referenced. */
  gboolean everything, is_exact;
  guint n_threads;
  const SymFeed *numbers;
  guint n_numbers;

  /* Types of the model's values, which a plan is made by for as long as what is fed has these;
   * kept, or NULL.  Otherwise, types follow from those of what is fed. */
  SymInference *types;

  /* Whether shapes and dtypes of what is fed go before those that the model declares. */
  gboolean takes_any_type;

  gboolean by_layers; /* nothing is compiled */
  guint n_plans;      /* how many are kept, the last ones that ran; 0 is 4 */
} SymSessionOptions;

/* @options may be NULL.  Nothing is planned yet. */
SymSession *sym_session_new (SymModel *model, const SymSessionOptions *options);
void sym_session_free (SymSession *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymSession, sym_session_free)

SymModel *sym_session_get_model (const SymSession *self);

/* As sym_run_feed(), but for a value that a layer makes, or that the model has numbers of, too:
 * nothing is compiled then.  NULL takes it back. */
gboolean sym_session_feed (SymSession *self, SymId value, SymDatum *datum, GError **error);

/* Takes back all that was fed, also from the run that has it. */
void sym_session_clear_feeds (SymSession *self);

/* In place of the `types` of the options, for the plans to come; kept, or NULL.  A plan that was
 * made by other types of inputs and parameters is another one. */
void sym_session_set_types (SymSession *self, SymInference *types);

/* In place of the `numbers` of the options, for the plans to come.  Plans that are there stay. */
void sym_session_set_numbers (SymSession *self, const SymFeed *numbers, guint n);

/* As sym_run_set_seed() and its like; they hold for all plans. */
void sym_session_set_seed (SymSession *self, guint64 seed);
void sym_session_set_watch (SymSession *self, SymRunWatch watch, gpointer user_data);
void sym_session_set_body_watch (SymSession *self, const SymRunBodyWatch *watch);
void sym_session_set_any_order (SymSession *self, gboolean any_order);

/* Makes the plan for what is fed, unless it is there. */
gboolean sym_session_prepare (SymSession *self, GCancellable *cancellable, GError **error);

/* Whether that plan is there. */
gboolean sym_session_is_prepared (const SymSession *self);

/* The same with nothing compiled, once a compiled step has failed; the cost adds up. */
gboolean sym_session_prepare_layers (SymSession *self, GCancellable *cancellable, GError **error);

/* Prepares and runs it.  A compiled step that fails, fails as a whole: then the model is run again
 * layer by layer, so that the one to blame is named, and what does not need it is there; a watch
 * sees values again. */
gboolean sym_session_execute (SymSession *self, GCancellable *cancellable, GError **error);

/* What the plan of the last run cost. */
typedef struct {
  gboolean is_planned; /* in or since the last run; else the plan was there, and all is 0 */
  double milliseconds; /* to infer types, plan, and pack weights */
  guint64 n_bytes;     /* of numbers that it holds and other plans of the session do not */
  guint n_plans;       /* that are kept now */
} SymSessionCost;

SymSessionCost sym_session_get_cost (const SymSession *self);

/* The run that was prepared, or ran last; NULL before.  Borrowed, until the session is fed,
 * prepared or run again. */
SymRun *sym_session_get_run (const SymSession *self);

/* As sym_run_get(), of the last run; NULL before. */
SymDatum *sym_session_get (const SymSession *self, SymId value);

/* The outputs of the last run in order, an array of SymDatum, kept. */
GPtrArray *sym_session_collect (const SymSession *self, GError **error);

G_END_DECLS
