/* SPDX-License-Identifier: MIT */
#include "run/sym-record-private.h"

#include "core/sym-error.h"
#include "run/sym-run-weights.h"

/* A run that is being recorded. */
typedef struct {
  SymRecord *record;
  SymRun *run;
  const SymRecordOptions *options;
  GCancellable *cancellable;
  guint64 n_bytes_left;
  guint n_done;       /* calls */
  GError *body_error; /* of a value that a body was handed */
} Recording;

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
  if (self->options->progress != NULL)
    self->options->progress (self->n_done, sym_model_get_n_calls (model), self->options->user_data);
  return TRUE;
}

/* ---- Layers ---- */

/* An operand that is not there as its own layer did not run. */
static SymId
find_missing (const SymRecord *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && self->entries->pdata[operands.ids[i]] == NULL &&
        sym_model_get_producer (self->model, operands.ids[i]) != SYM_NO_ID &&
        g_hash_table_contains (self->failures, sym_record_get_key (sym_model_get_producer (
                                                   self->model, operands.ids[i]))))
      return operands.ids[i];
  return SYM_NO_ID;
}

static void
take_failure (SymRecord *self, SymId call, const char *why)
{
  SymId missing = find_missing (self, call);
  char *text = missing == SYM_NO_ID
                   ? g_strdup (why)
                   : g_strdup_printf ("“%s”, which it needs, was not computed",
                                      sym_model_get_value_name (self->model, missing));

  if (self->first_failure == SYM_NO_ID)
    self->first_failure = call;
  g_hash_table_insert (self->failures, sym_record_get_key (call), text);
}

static void
take_steps (SymRecord *self, const SymRun *run)
{
  SymPlan *plan = sym_run_get_plan (run);

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

/* ---- Making ---- */

static void
clear_feed (gpointer data)
{
  sym_datum_unref (((SymFeed *) data)->datum);
}

static SymRecord *
create (SymModel *model, const SymFeed *feeds, guint n_feeds, const SymRecordOptions *options)
{
  SymRecord *self = g_new0 (SymRecord, 1);
  guint n_calls = sym_model_get_n_calls (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->types = options->types != NULL ? sym_inference_ref (options->types) : NULL;
  self->makes_weights = options->makes_weights;
  self->n_threads = options->n_threads;
  self->is_exact = options->is_exact;
  self->seed = options->seed;
  self->feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_array_set_clear_func (self->feeds, clear_feed);
  for (guint i = 0; i < n_feeds; i++)
    {
      SymFeed feed = { feeds[i].value, sym_datum_ref (feeds[i].datum) };

      g_array_append_val (self->feeds, feed);
    }
  self->entries = g_ptr_array_new_with_free_func (sym_record_entry_free);
  g_ptr_array_set_size (self->entries, (int) sym_model_get_n_values (model));
  self->milliseconds = g_new (double, n_calls + 1);
  for (guint i = 0; i < n_calls; i++)
    self->milliseconds[i] = -1;
  self->failures = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->first_failure = self->first_bad = SYM_NO_ID;
  self->bodies =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_record_unref);
  return self;
}

/* ---- Bodies ---- */

static SymRecord *
get_body (Recording *self, const char *body_path, SymModel *body)
{
  static const SymRecordOptions plain = { 0 };
  SymRecord *known = sym_record_find_body (self->record, body_path);

  if (known != NULL)
    return known;
  known = create (body, NULL, 0, &plain);
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

/* Types by what is fed, where nobody told them. */
static SymInference *
infer (const SymRecord *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) overrides = g_array_new (FALSE, TRUE, sizeof (SymOverride));

  if (self->types != NULL)
    return sym_inference_ref (self->types);
  for (guint i = 0; i < self->feeds->len; i++)
    {
      const SymFeed *feed = &get_feeds (self->feeds)[i];
      const SymArray *array = sym_datum_get_array (feed->datum);
      SymOverride override = { .value = feed->value, .has_shape = TRUE, .has_dtype = TRUE };

      if (array == NULL)
        continue;
      override.shape = array->shape;
      override.dtype = array->dtype;
      g_array_append_val (overrides, override);
    }
  return sym_infer (self->model, (const SymOverride *) (gpointer) overrides->data, overrides->len,
                    cancellable, error);
}

/* A plan for what @options want, compiled unless @by_layers. */
static SymPlan *
new_plan (const SymRecord *self,
          SymPlanOptions *options,
          gboolean by_layers,
          guint *n_made,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (SymInference) inference = infer (self, cancellable, error);
  g_autoptr (GArray) weights = NULL;

  if (inference == NULL)
    return NULL;
  if (self->makes_weights)
    {
      weights = sym_run_make_missing_weights (inference, TRUE, self->seed, cancellable, error);
      if (weights == NULL)
        return NULL;
      options->numbers = get_feeds (weights);
      options->n_numbers = weights->len;
      *n_made = weights->len;
    }
  options->types = self->types;
  options->inference = by_layers ? NULL : inference;
  options->n_threads = self->n_threads;
  options->is_exact = self->is_exact;
  return sym_plan_new (self->model, options, cancellable, error);
}

/* ---- Running ---- */

static gboolean
feed_all (const SymRecord *self, SymRun *run, GError **error)
{
  sym_run_set_seed (run, self->seed);
  for (guint i = 0; i < self->feeds->len; i++)
    if (!sym_run_feed (run, get_feeds (self->feeds)[i].value, get_feeds (self->feeds)[i].datum,
                       error))
      return FALSE;
  return TRUE;
}

/* Only being cancelled, or having no memory to keep what is computed, ends a run; what else went
 * wrong is with its layer. */
static gboolean
execute (Recording *self, GError **error)
{
  g_autoptr (GError) local = NULL;

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

  for (guint i = 0; i < feeds->len; i++)
    if (!record (self, self->record, get_feeds (feeds)[i].value, get_feeds (feeds)[i].datum, TRUE,
                 error))
      return FALSE;
  return TRUE;
}

static gboolean
run_all (Recording *self, SymPlan *plan, GError **error)
{
  const SymRunBodyWatch body_watch = { show_body_cb, end_body_cb, self };
  g_autoptr (SymRun) run = sym_run_new (plan);
  gboolean done;

  self->run = run;
  sym_run_set_body_watch (run, &body_watch);
  sym_run_set_watch (run, watch_cb, self);
  sym_run_set_any_order (run, TRUE);
  done = feed_all (self->record, run, error) && record_feeds (self, error) && execute (self, error);
  if (done)
    take_steps (self->record, run);
  self->run = NULL;
  if (self->body_error == NULL)
    return done;
  if (done)
    g_propagate_error (error, g_steal_pointer (&self->body_error));
  g_clear_error (&self->body_error);
  return FALSE;
}

static gboolean
has_failed_compiled (const SymRecord *self, SymPlan *plan)
{
  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_plan_is_compiled (plan, i) &&
        g_hash_table_contains (self->failures, sym_record_get_key (sym_plan_get_call (plan, i))))
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
    of->milliseconds[i] = -1;
  of->first_failure = SYM_NO_ID;
  of->total = 0;
  of->counts = (SymRecordCounts){ 0 };
  self->n_bytes_left = self->options->n_bytes_to_keep;
  self->n_done = 0;
}

/* A compiled step fails as a whole: layer by layer what does not need the one to blame is computed
 * all the same, and that one is named. */
static gboolean
plan_and_run (Recording *self, gboolean by_layers, GError **error)
{
  SymPlanOptions options = { .everything = TRUE };
  g_autoptr (SymPlan) plan = NULL;
  guint n_made = 0;

  forget (self);
  plan = new_plan (self->record, &options, by_layers, &n_made, self->cancellable, error);
  if (plan == NULL || !run_all (self, plan, error))
    return FALSE;
  self->record->counts.n_made_weights = n_made;
  if (!has_failed_compiled (self->record, plan))
    return TRUE;
  g_clear_pointer (&plan, sym_plan_unref);
  return plan_and_run (self, TRUE, error);
}

static void
count (SymRecord *self)
{
  SymIds rows = sym_model_get_rows (self->model);

  for (guint i = 0; i < rows.n; i++)
    {
      const SymRecordEntry *entry = self->entries->pdata[rows.ids[i]];

      self->counts.n_values += entry != NULL;
      if (self->first_bad == SYM_NO_ID && entry != NULL && entry->n_nan + entry->n_infinite > 0)
        self->first_bad = rows.ids[i];
    }
}

/* ---- The record ---- */

SymRecord *
sym_record_new (SymModel *model,
                const SymFeed *feeds,
                guint n_feeds,
                const SymRecordOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  static const SymRecordOptions plain = { 0 };
  g_autoptr (SymRecord) self = NULL;
  Recording recording;

  g_return_val_if_fail (model != NULL, NULL);

  options = options != NULL ? options : &plain;
  g_return_val_if_fail (!options->makes_weights || options->types != NULL, NULL);

  self = create (model, feeds, n_feeds, options);
  recording = (Recording){ .record = self, .options = options, .cancellable = cancellable };
  if (!plan_and_run (&recording, FALSE, error))
    return NULL;
  count (self);
  return g_steal_pointer (&self);
}

SymRecord *
sym_record_ref (SymRecord *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_record_unref (SymRecord *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->entries);
  g_array_unref (self->feeds);
  g_hash_table_unref (self->failures);
  g_hash_table_unref (self->bodies);
  g_free (self->milliseconds);
  g_clear_pointer (&self->types, sym_inference_unref);
  sym_model_unref (self->model);
  g_free (self);
}

/* With all values watched nothing is rounded otherwise than in the run. */
static SymDatum *
compute (const SymRecord *self,
         SymId value,
         gboolean by_layers,
         GCancellable *cancellable,
         GError **error)
{
  SymIds rows = sym_model_get_rows (self->model);
  SymPlanOptions options = {
    .values = &value, .n_values = 1, .watched = rows.ids, .n_watched = rows.n
  };
  guint n_made;
  g_autoptr (SymPlan) plan = new_plan (self, &options, by_layers, &n_made, cancellable, error);
  g_autoptr (SymRun) run = plan == NULL ? NULL : sym_run_new (plan);

  if (run == NULL || !feed_all (self, run, error) || !sym_run_execute (run, cancellable, error))
    return NULL;
  return sym_datum_keep (sym_run_get (run, value), error);
}

SymDatum *
sym_record_compute (const SymRecord *self, SymId value, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) local = NULL;
  SymDatum *computed = sym_record_get_datum (self, value);

  g_return_val_if_fail (sym_model_has_value (self->model, value), NULL);

  if (computed != NULL)
    return sym_datum_ref (computed);
  if (self->is_body)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                   "“%s” is within a layer, and was not kept",
                   sym_model_get_value_name (self->model, value));
      return NULL;
    }
  computed = compute (self, value, FALSE, cancellable, &local);
  if (computed != NULL)
    return computed;
  if (!g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return compute (self, value, TRUE, cancellable, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}
