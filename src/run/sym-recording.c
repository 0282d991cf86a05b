/* SPDX-License-Identifier: MIT */
#include "run/sym-recording-private.h"

/* ---- Progress ---- */

void
sym_recording_tell (const SymRecording *self, SymRecordStage stage)
{
  guint n_all = stage == SYM_RECORD_RUNNING ? sym_model_get_n_calls (self->record->model) : 0;

  if (self->options->progress != NULL)
    self->options->progress (stage, n_all > 0 ? self->n_done : 0, n_all, self->options->user_data);
}

/* ---- Keeping ---- */

/* Outputs and what was fed are there anyway; what is no tensor has no size that is known. */
static gboolean
is_to_be_kept (SymRecording *self,
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
keep_datum (const SymRecording *self,
            const SymRecord *of,
            SymDatum *datum,
            gboolean is_fed,
            GError **error)
{
  return is_fed || of->is_body ? sym_datum_keep (datum, error)
                               : sym_run_keep_shown (self->run, error);
}

static gboolean
keep (SymRecording *self,
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
drop_entry (SymRecording *self, SymRecord *of, SymId value)
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
record (SymRecording *self,
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

gboolean
sym_recording_take_feeds (SymRecording *self, GError **error)
{
  const GArray *feeds = self->record->feeds;

  sym_recording_tell (self, SYM_RECORD_LOOKING);
  for (guint i = 0; i < feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (feeds, SymFeed, i);

      if (!record (self, self->record, feed->value, feed->datum, TRUE, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
watch_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymRecording *self = user_data;
  SymModel *model = self->record->model;
  SymId call = sym_model_get_producer (model, value);

  if (!record (self, self->record, value, datum, FALSE, error))
    return FALSE;
  self->n_done += call != SYM_NO_ID && sym_model_get_results (model, call).ids[0] == value;
  sym_recording_tell (self, SYM_RECORD_RUNNING);
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
get_body (SymRecording *self, const char *body_path, SymModel *body)
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
  SymRecording *self = user_data;

  return record (self, get_body (self, body_path, body), value, datum, FALSE, error);
}

/* What a body was handed is shown by nobody; of a branch that only hands it on there is no more. */
static void
record_formal (SymRecording *self, SymRecord *of, const SymRun *run)
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
  SymRecording *self = user_data;
  SymRecord *of = get_body (self, body_path, sym_plan_get_model (sym_run_get_plan (run)));

  record_formal (self, of, run);
  take_steps (of, run);
  of->n_turns++;
}

/* ---- The run ---- */

void
sym_recording_watch (SymRecording *self)
{
  const SymRunBodyWatch body_watch = { show_body_cb, end_body_cb, self };

  sym_session_set_body_watch (self->session, &body_watch);
  sym_session_set_watch (self->session, watch_cb, self);
}

void
sym_recording_take_steps (SymRecording *self)
{
  take_steps (self->record, self->run);
}
