/* SPDX-License-Identifier: MIT */
#include "run/sym-recorder.h"

#include "core/sym-error.h"
#include "run/sym-record-private.h"
#include "run/sym-run-weights.h"
#include "run/sym-session.h"

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
};

/* A run that is being recorded. */
typedef struct {
  SymSession *session;
  SymRecord *record;
  SymRun *run;
  const SymRecordOptions *options;
  GCancellable *cancellable;
  guint64 n_bytes_left;
  guint n_done;       /* calls */
  GError *body_error; /* of a value that a body was handed */
} Recording;

/* ---- Progress ---- */

static void
tell (const Recording *self, SymRecordStage stage)
{
  guint n_all = stage == SYM_RECORD_RUNNING ? sym_model_get_n_calls (self->record->model) : 0;

  if (self->options->progress != NULL)
    self->options->progress (stage, n_all > 0 ? self->n_done : 0, n_all, self->options->user_data);
}

/* ---- Keeping ---- */

/* Outputs and what was fed are there anyway; what is no tensor has no size that is known. */
static gboolean
is_to_be_kept (Recording *self,
               const SymRecord *of,
               SymRecordEntry *entry,
               SymId value,
               const SymDatum *datum,
               gboolean is_fed)
{
  const SymArray *array = sym_datum_get_array (datum);

  if (is_fed || (!of->is_body && sym_model_is_output (of->model, value)))
    return TRUE;
  if (array == NULL || sym_array_get_n_bytes (array) > self->n_bytes_left)
    return FALSE;
  entry->n_budget = sym_array_get_n_bytes (array);
  self->n_bytes_left -= entry->n_budget;
  return TRUE;
}

/* What is shown of the run itself may lie in another order than the model's. */
static SymDatum *
keep_datum (const Recording *self,
            const SymRecord *of,
            SymDatum *datum,
            gboolean is_fed,
            GError **error)
{
  return is_fed || of->is_body ? sym_datum_keep (datum, error)
                               : sym_run_keep_shown (self->run, error);
}

static gboolean
keep (Recording *self,
      SymRecord *of,
      SymRecordEntry *entry,
      SymId value,
      SymDatum *datum,
      gboolean is_fed,
      GError **error)
{
  if (!is_to_be_kept (self, of, entry, value, datum, is_fed))
    return TRUE;
  entry->datum = keep_datum (self, of, datum, is_fed, error);
  if (entry->datum == NULL)
    return FALSE;
  of->counts.n_kept++;
  of->counts.n_kept_bytes += sym_datum_get_n_bytes (entry->datum);
  return TRUE;
}

/* Of a body that runs again what was recorded before goes. */
static void
drop_entry (Recording *self, SymRecord *of, SymId value)
{
  SymRecordEntry *entry = of->entries->pdata[value];

  if (entry == NULL)
    return;
  self->n_bytes_left += entry->n_budget;
  if (entry->datum != NULL)
    {
      of->counts.n_kept--;
      of->counts.n_kept_bytes -= sym_datum_get_n_bytes (entry->datum);
    }
  sym_record_entry_free (entry);
  of->entries->pdata[value] = NULL;
}

static gboolean
record (Recording *self,
        SymRecord *of,
        SymId value,
        SymDatum *datum,
        gboolean is_fed,
        GError **error)
{
  SymRecordEntry *entry = sym_record_entry_new (datum, self->cancellable, error);

  if (entry == NULL)
    return FALSE;
  drop_entry (self, of, value);
  of->entries->pdata[value] = entry;
  return keep (self, of, entry, value, datum, is_fed, error);
}

static gboolean
watch_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Recording *self = user_data;
  SymModel *model = self->record->model;
  SymId call = sym_model_get_producer (model, value);

  if (!record (self, self->record, value, datum, FALSE, error))
    return FALSE;
  self->n_done += call != SYM_NO_ID && sym_model_get_results (model, call).ids[0] == value;
  tell (self, SYM_RECORD_RUNNING);
  return TRUE;
}

/* ---- Layers ---- */

static void
take_failure (SymRecord *self, SymId call, const char *why)
{
  SymId missing = sym_record_find_missing (self, call);
  char *text = missing == SYM_NO_ID
                   ? g_strdup (why)
                   : g_strdup_printf ("“%s”, which it needs, was not computed",
                                      sym_model_get_value_name (self->model, missing));

  if (self->first_failure == SYM_NO_ID)
    self->first_failure = call;
  g_hash_table_insert (self->failures, sym_record_get_key (call), text);
}

/* Passes make values of their own, with higher numbers. */
static void
take_folded (SymRecord *self, const SymPlan *plan)
{
  SymIds folded = sym_plan_get_folded (plan);

  for (guint i = 0; i < folded.n; i++)
    if (folded.ids[i] < sym_model_get_n_values (self->model) &&
        sym_model_get_producer (self->model, folded.ids[i]) != SYM_NO_ID)
      self->planned[sym_model_get_producer (self->model, folded.ids[i])] = TRUE;
}

static void
take_steps (SymRecord *self, const SymRun *run)
{
  SymPlan *plan = sym_run_get_plan (run);

  take_folded (self, plan);
  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_run_get_failure (run, i) != NULL)
      take_failure (self, sym_plan_get_call (plan, i), sym_run_get_failure (run, i));
  for (SymId call = 0; call < sym_model_get_n_calls (self->model); call++)
    {
      double milliseconds = sym_run_get_call_milliseconds (run, call);

      if (milliseconds >= 0)
        self->milliseconds[call] = MAX (self->milliseconds[call], 0) + milliseconds;
      self->total += MAX (milliseconds, 0);
    }
}

/* ---- Bodies ---- */

static SymRecord *
get_body (Recording *self, const char *body_path, SymModel *body)
{
  static const SymRecordOptions plain = { 0 };
  SymRecord *known = sym_record_find_body (self->record, body_path);

  if (known != NULL)
    return known;
  known = sym_record_create (body, NULL, 0, &plain);
  known->is_body = TRUE;
  g_hash_table_insert (self->record->bodies, g_strdup (body_path), known);
  return known;
}

static gboolean
show_body_cb (const char *body_path,
              SymModel *body,
              SymId value,
              SymDatum *datum,
              gpointer user_data,
              GError **error)
{
  Recording *self = user_data;

  return record (self, get_body (self, body_path, body), value, datum, FALSE, error);
}

/* What a body was handed is shown by nobody; of a branch that only hands it on there is no more. */
static void
record_formal (Recording *self, SymRecord *of, const SymRun *run)
{
  SymIds inputs = sym_model_get_inputs (of->model);

  for (guint i = 0; i < inputs.n; i++)
    if (sym_run_get (run, inputs.ids[i]) != NULL && self->body_error == NULL)
      record (self, of, inputs.ids[i], sym_run_get (run, inputs.ids[i]), FALSE, &self->body_error);
}

/* Times add up; why something failed is of the last turn. */
static void
end_body_cb (const char *body_path, const SymRun *run, gpointer user_data)
{
  Recording *self = user_data;
  SymRecord *of = get_body (self, body_path, sym_plan_get_model (sym_run_get_plan (run)));

  record_formal (self, of, run);
  take_steps (of, run);
  of->n_turns++;
}

/* ---- Planning ---- */

static const SymFeed *
get_feeds (const GArray *feeds)
{
  return (const SymFeed *) (gpointer) feeds->data;
}

/* Weights that are made up take memory only until they are packed. */
static gboolean
prepare (Recording *self, gboolean by_layers, GError **error)
{
  g_autoptr (GArray) weights = NULL;
  gboolean done;

  if (self->options->makes_weights && (by_layers || !sym_session_is_prepared (self->session)))
    {
      tell (self, SYM_RECORD_MAKING);
      weights = sym_run_make_missing_weights (self->options->types, TRUE, self->options->seed,
                                              self->cancellable, error);
      if (weights == NULL)
        return FALSE;
      sym_session_set_numbers (self->session, get_feeds (weights), weights->len);
    }
  tell (self, SYM_RECORD_PLANNING);
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
execute (Recording *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  tell (self, SYM_RECORD_RUNNING);
  if (sym_run_execute (self->run, self->cancellable, &local) ||
      (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
       !g_error_matches (local, SYM_ERROR, SYM_ERROR_LIMIT)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
record_feeds (Recording *self, GError **error)
{
  const GArray *feeds = self->record->feeds;

  tell (self, SYM_RECORD_LOOKING);
  for (guint i = 0; i < feeds->len; i++)
    if (!record (self, self->record, get_feeds (feeds)[i].value, get_feeds (feeds)[i].datum, TRUE,
                 error))
      return FALSE;
  return TRUE;
}

static gboolean
run_all (Recording *self, GError **error)
{
  gboolean done = record_feeds (self, error) && execute (self, error);

  if (done)
    take_steps (self->record, self->run);
  if (self->body_error == NULL)
    return done;
  if (done)
    g_propagate_error (error, g_steal_pointer (&self->body_error));
  g_clear_error (&self->body_error);
  return FALSE;
}

static gboolean
has_failed_compiled (const Recording *self)
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
forget (Recording *self)
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
plan_and_run (Recording *self, GError **error)
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
time_again (Recording *self, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  double limit = 1000 * self->options->repeat_milliseconds;

  self->record->counts.n_timed = 1;
  if (self->record->first_failure != SYM_NO_ID)
    return TRUE;
  if (self->options->n_repeats > 0)
    tell (self, SYM_RECORD_TIMING);
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
  if (self->makes_weights)
    {
      g_autoptr (GArray) made = sym_run_list_missing_weights (self->model);

      self->counts.n_made_weights = made->len;
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
                               .takes_any_shape = wishes.has_types,
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
run_recorded (SymRecorder *self, Recording *recording, GError **error)
{
  const SymRunBodyWatch body_watch = { show_body_cb, end_body_cb, recording };
  const GArray *feeds = recording->record->feeds;

  sym_session_set_types (self->session, recording->options->types);
  sym_session_set_seed (self->session, recording->options->seed);
  sym_session_set_body_watch (self->session, &body_watch);
  sym_session_set_watch (self->session, watch_cb, recording);
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
  Recording recording;
  gboolean done;

  g_return_val_if_fail (self != NULL, NULL);

  options = options != NULL ? options : &plain;
  g_return_val_if_fail (!options->makes_weights || options->types != NULL, NULL);

  renew_session (self, options);
  record = sym_record_create (self->model, feeds, n_feeds, options);
  recording = (Recording){
    .session = self->session, .record = record, .options = options, .cancellable = cancellable
  };
  done = run_recorded (self, &recording, error);
  sym_session_clear_feeds (self->session);
  if (!done)
    return NULL;
  take_planning (self, record);
  count (record);
  return g_steal_pointer (&record);
}
