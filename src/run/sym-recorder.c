/* SPDX-License-Identifier: MIT */
#include "run/sym-recorder.h"

#include "core/sym-error.h"
#include "run/sym-recording-private.h"
#include "run/sym-run-weights.h"

#define N_PLANS 2

/* What a session is made for. */
typedef struct {
  gboolean has_types, makes_weights, is_exact;
  guint n_threads;
  guint64 seed; /* of weights that are made up; else 0 */
} Wishes;

struct _SymRecorder {
  SymModel *model;
  guint n_plans;
  Wishes wishes;
  SymSession *session;    /* NULL: nothing has run yet */
  SymRecordReason reason; /* why the next plan is needed */
  guint n_made;           /* weights that were made up for the last plan */
};

/* ---- Planning ---- */

static const SymFeed *
get_feeds (const GArray *feeds)
{
  return (const SymFeed *) (gpointer) feeds->data;
}

/* Weights that are made up take memory only until they are packed. */
static gboolean
prepare (SymRecording *self, gboolean by_layers, GError **error)
{
  g_autoptr (GArray) weights = NULL;
  gboolean done;

  if (self->options->makes_weights && (by_layers || !sym_session_is_prepared (self->session)))
    {
      sym_recording_tell (self, SYM_RECORD_MAKING);
      weights = sym_run_make_missing_weights (self->options->types, TRUE, self->options->seed,
                                              self->cancellable, error);
      if (weights == NULL)
        return FALSE;
      self->n_made = weights->len;
      sym_session_set_numbers (self->session, get_feeds (weights), weights->len);
    }
  sym_recording_tell (self, SYM_RECORD_PLANNING);
  done = by_layers ? sym_session_prepare_layers (self->session, self->cancellable, error)
                   : sym_session_prepare (self->session, self->cancellable, error);
  sym_session_set_numbers (self->session, NULL, 0);
  self->run = sym_session_get_run (self->session);
  return done;
}

/* ---- Running ---- */

/* Only being cancelled, or having no memory to keep what is computed, ends a run; what else went
 * wrong is with its layer. */
static gboolean
execute (SymRecording *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  sym_recording_tell (self, SYM_RECORD_RUNNING);
  if (sym_run_execute (self->run, self->cancellable, &local) ||
      (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
       !g_error_matches (local, SYM_ERROR, SYM_ERROR_LIMIT)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
run_all (SymRecording *self, GError **error)
{
  gboolean done = sym_recording_take_feeds (self, error) && execute (self, error);

  if (done)
    sym_recording_take_steps (self);
  if (self->body_error == NULL)
    return done;
  if (done)
    g_propagate_error (error, g_steal_pointer (&self->body_error));
  g_clear_error (&self->body_error);
  return FALSE;
}

static gboolean
has_failed_compiled (const SymRecording *self)
{
  SymPlan *plan = sym_run_get_plan (self->run);

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_plan_is_compiled (plan, i) &&
        g_hash_table_contains (self->record->failures,
                               sym_record_get_key (sym_plan_get_call (plan, i))))
      return TRUE;
  return FALSE;
}

static void
forget (SymRecording *self)
{
  SymRecord *of = self->record;

  for (guint i = 0; i < of->entries->len; i++)
    {
      sym_record_entry_free (of->entries->pdata[i]);
      of->entries->pdata[i] = NULL;
    }
  g_hash_table_remove_all (of->failures);
  g_hash_table_remove_all (of->bodies);
  for (guint i = 0; i < sym_model_get_n_calls (of->model); i++)
    {
      of->milliseconds[i] = -1;
      of->planned[i] = FALSE;
    }
  of->first_failure = SYM_NO_ID;
  of->total = 0;
  of->counts = (SymRecordCounts){ 0 };
  self->n_bytes_left = self->options->n_bytes_to_keep;
  self->n_done = 0;
}

/* A compiled step fails as a whole: layer by layer what does not need the one to blame is computed
 * all the same, and that one is named. */
static gboolean
plan_and_run (SymRecording *self, GError **error)
{
  forget (self);
  if (!prepare (self, FALSE, error) || !run_all (self, error))
    return FALSE;
  if (!has_failed_compiled (self))
    return TRUE;
  forget (self);
  return prepare (self, TRUE, error) && run_all (self, error);
}

/* ---- Timing ---- */

static gboolean
ignore_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  return TRUE;
}

static void
take_least (SymRecord *self, const SymRun *run)
{
  self->total = 0;
  for (SymId call = 0; call < sym_model_get_n_calls (self->model); call++)
    {
      double milliseconds = sym_run_get_call_milliseconds (run, call);

      if (milliseconds >= 0 && self->milliseconds[call] >= 0)
        self->milliseconds[call] = MIN (self->milliseconds[call], milliseconds);
      self->total += MAX (self->milliseconds[call], 0);
    }
  self->counts.n_timed++;
}

/* With the same values watched, so that the same steps are timed.  Bodies keep the times of their
 * own run. */
static gboolean
time_again (SymRecording *self, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  double limit = 1000 * self->options->repeat_milliseconds;

  self->record->counts.n_timed = 1;
  if (self->record->first_failure != SYM_NO_ID)
    return TRUE;
  if (self->options->n_repeats > 0)
    sym_recording_tell (self, SYM_RECORD_TIMING);
  sym_run_set_watch (self->run, ignore_cb, NULL);
  sym_run_set_body_watch (self->run, NULL);
  for (guint i = 0; i < self->options->n_repeats; i++)
    {
      if ((double) (g_get_monotonic_time () - start) + 1000 * self->record->total > limit)
        break;
      if (!sym_run_execute (self->run, self->cancellable, error))
        return FALSE;
      take_least (self->record, self->run);
    }
  return TRUE;
}

/* ---- Counting ---- */

static void
count (SymRecord *self)
{
  SymIds rows = sym_model_get_rows (self->model);

  for (guint i = 0; i < rows.n; i++)
    {
      const SymRecordEntry *entry = self->entries->pdata[rows.ids[i]];

      self->counts.n_values += entry != NULL;
      if (self->first_bad == SYM_NO_ID && sym_record_is_bad (self, rows.ids[i]))
        self->first_bad = rows.ids[i];
    }
}

/* ---- The recorder ---- */

SymRecorder *
sym_recorder_new (SymModel *model, guint n_plans)
{
  SymRecorder *self;

  g_return_val_if_fail (model != NULL, NULL);

  self = g_new0 (SymRecorder, 1);
  self->model = sym_model_ref (model);
  self->n_plans = n_plans == 0 ? N_PLANS : n_plans;
  return self;
}

void
sym_recorder_free (SymRecorder *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->session, sym_session_free);
  sym_model_unref (self->model);
  g_free (self);
}

SymModel *
sym_recorder_get_model (const SymRecorder *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->model;
}

static Wishes
get_wishes (const SymRecordOptions *options)
{
  return (Wishes){ .has_types = options->types != NULL,
                   .makes_weights = options->makes_weights,
                   .is_exact = options->is_exact,
                   .n_threads = options->n_threads,
                   .seed = options->makes_weights ? options->seed : 0 };
}

/* Whether a session that was made for @a does for @b; if not, *@reason tells why. */
static gboolean
are_same (const Wishes *a, const Wishes *b, SymRecordReason *reason)
{
  if (a->makes_weights != b->makes_weights || a->seed != b->seed)
    *reason = SYM_RECORD_PLAN_WEIGHTS;
  else if (a->has_types != b->has_types || a->is_exact != b->is_exact ||
           a->n_threads != b->n_threads)
    *reason = SYM_RECORD_PLAN_OPTIONS;
  else
    return TRUE;
  return FALSE;
}

/* Weights that are made up are part of a plan, as are threads. */
static void
renew_session (SymRecorder *self, const SymRecordOptions *options)
{
  Wishes wishes = get_wishes (options);
  SymSessionOptions wanted = { .everything = TRUE,
                               .is_exact = wishes.is_exact,
                               .n_threads = wishes.n_threads,
                               .takes_any_type = wishes.has_types,
                               .n_plans = self->n_plans };

  if (self->session == NULL)
    self->reason = SYM_RECORD_PLAN_FIRST;
  else if (are_same (&self->wishes, &wishes, &self->reason))
    return;
  g_clear_pointer (&self->session, sym_session_free);
  self->wishes = wishes;
  self->session = sym_session_new (self->model, &wanted);
}

static gboolean
feed (SymRecorder *self, const SymFeed *feed, SymInference *types, GError **error)
{
  const char *name = sym_model_get_value_name (self->model, feed->value);
  SymType type;

  if (types != NULL)
    {
      type = sym_inference_get_type (types, feed->value);
      if (!sym_datum_check_type (feed->datum, &type, name, error))
        return FALSE;
    }
  return sym_session_feed (self->session, feed->value, feed->datum, error);
}

static void
take_planning (SymRecorder *self, SymRecord *record)
{
  SymSessionCost cost = sym_session_get_cost (self->session);

  record->planning.reason = cost.is_planned ? self->reason : SYM_RECORD_PLAN_KEPT;
  record->planning.milliseconds = cost.milliseconds;
  record->planning.n_bytes = cost.n_bytes;
  self->reason = SYM_RECORD_PLAN_TYPES;
}

static gboolean
run_recorded (SymRecorder *self, SymRecording *recording, GError **error)
{
  const GArray *feeds = recording->record->feeds;

  sym_session_set_types (self->session, recording->options->types);
  sym_session_set_seed (self->session, recording->options->seed);
  sym_recording_watch (recording);
  sym_session_set_any_order (self->session, TRUE);
  for (guint i = 0; i < feeds->len; i++)
    if (!feed (self, &get_feeds (feeds)[i], recording->options->types, error))
      return FALSE;
  return plan_and_run (recording, error) && time_again (recording, error);
}

SymRecord *
sym_recorder_run (SymRecorder *self,
                  const SymFeed *feeds,
                  guint n_feeds,
                  const SymRecordOptions *options,
                  GCancellable *cancellable,
                  GError **error)
{
  static const SymRecordOptions plain = { 0 };
  g_autoptr (SymRecord) record = NULL;
  SymRecording recording;
  gboolean done;

  g_return_val_if_fail (self != NULL, NULL);

  options = options != NULL ? options : &plain;
  g_return_val_if_fail (!options->makes_weights || options->types != NULL, NULL);

  renew_session (self, options);
  record = sym_record_create (self->model, feeds, n_feeds, options);
  recording = (SymRecording){
    .session = self->session,
    .record = record,
    .options = options,
    .cancellable = cancellable,
    .n_made = self->n_made,
  };
  done = run_recorded (self, &recording, error);
  self->n_made = recording.n_made;
  sym_session_clear_feeds (self->session);
  if (!done)
    return NULL;
  take_planning (self, record);
  count (record);
  record->counts.n_made_weights = options->makes_weights ? self->n_made : 0;
  return g_steal_pointer (&record);
}
