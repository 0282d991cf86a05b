/* SPDX-License-Identifier: MIT */
#include "run/sym-record-private.h"

#include "core/sym-error.h"
#include "run/sym-recorder.h"
#include "run/sym-run-weights.h"

/* ---- Making ---- */

static void
clear_feed (gpointer data)
{
  sym_datum_unref (((SymFeed *) data)->datum);
}

SymRecord *
sym_record_create (SymModel *model,
                   const SymFeed *feeds,
                   guint n_feeds,
                   const SymRecordOptions *options)
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
  self->planned = g_new0 (guint8, n_calls + 1);
  self->failures = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->first_failure = self->first_bad = SYM_NO_ID;
  self->bodies =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) sym_record_unref);
  return self;
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

/* A plan for @values alone, compiled unless @by_layers.  With all values watched nothing is rounded
 * otherwise than in the run. */
static SymPlan *
new_plan (const SymRecord *self,
          const SymId *values,
          guint n,
          gboolean by_layers,
          GCancellable *cancellable,
          GError **error)
{
  SymIds rows = sym_model_get_rows (self->model);
  g_autoptr (SymInference) inference = infer (self, cancellable, error);
  g_autoptr (GArray) weights = NULL;
  SymPlanOptions options = { .values = values,
                             .n_values = n,
                             .types = self->types,
                             .inference = by_layers ? NULL : inference,
                             .watched = rows.ids,
                             .n_watched = rows.n,
                             .n_threads = self->n_threads,
                             .is_exact = self->is_exact };

  if (inference == NULL)
    return NULL;
  if (self->makes_weights)
    {
      weights = sym_run_make_missing_weights (inference, TRUE, self->seed, cancellable, error);
      if (weights == NULL)
        return NULL;
      options.numbers = get_feeds (weights);
      options.n_numbers = weights->len;
    }
  return sym_plan_new (self->model, &options, cancellable, error);
}

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

/* ---- The record ---- */

SymRecord *
sym_record_new (SymModel *model,
                const SymFeed *feeds,
                guint n_feeds,
                const SymRecordOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (SymRecorder) recorder = NULL;

  g_return_val_if_fail (model != NULL, NULL);

  recorder = sym_recorder_new (model, 1);
  return sym_recorder_run (recorder, feeds, n_feeds, options, cancellable, error);
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
  g_free (self->planned);
  g_clear_pointer (&self->types, sym_inference_unref);
  sym_model_unref (self->model);
  g_free (self);
}

static SymDatum *
compute (const SymRecord *self,
         SymId value,
         gboolean by_layers,
         GCancellable *cancellable,
         GError **error)
{
  g_autoptr (SymPlan) plan = new_plan (self, &value, 1, by_layers, cancellable, error);
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

/* ---- Many at once ---- */

typedef struct {
  SymRun *run;
  GHashTable *values; /* + 1: those that are still to be visited */
  SymRecordVisit visit;
  gpointer user_data;
  gboolean is_over; /* who visits wants no more */
} Visit;

static gboolean
visit_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Visit *self = user_data;
  g_autoptr (SymDatum) kept = NULL;

  if (!g_hash_table_remove (self->values, sym_record_get_key (value)))
    return TRUE;
  kept = sym_run_keep_shown (self->run, error);
  self->is_over = kept == NULL || !self->visit (value, kept, self->user_data, error);
  return !self->is_over;
}

/* What was kept is visited, the rest is put among those that are to be. */
static gboolean
visit_kept (const SymRecord *self,
            const SymId *values,
            guint n,
            Visit *visit,
            GArray *rest,
            GCancellable *cancellable,
            GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      const SymRecordEntry *entry = self->entries->pdata[values[i]];

      if (entry == NULL || (entry->datum == NULL && self->is_body))
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (entry->datum == NULL && g_hash_table_add (visit->values, sym_record_get_key (values[i])))
        g_array_append_val (rest, values[i]);
      else if (entry->datum != NULL &&
               !visit->visit (values[i], entry->datum, visit->user_data, error))
        return FALSE;
    }
  return TRUE;
}

/* What failed in a compiled step may do layer by layer. */
static gboolean
visit_rest (const SymRecord *self,
            Visit *visit,
            const GArray *rest,
            gboolean by_layers,
            GCancellable *cancellable,
            GError **error)
{
  const SymId *values = (const SymId *) (gpointer) rest->data;
  g_autoptr (GError) local = NULL;
  g_autoptr (SymPlan) plan = new_plan (self, values, rest->len, by_layers, cancellable, error);
  g_autoptr (SymRun) run = plan == NULL ? NULL : sym_run_new (plan);

  if (run == NULL || !feed_all (self, run, error))
    return FALSE;
  visit->run = run;
  sym_run_set_watch (run, visit_cb, visit);
  if (sym_run_execute (run, cancellable, &local) || g_hash_table_size (visit->values) == 0)
    return TRUE;
  if (!by_layers && !visit->is_over && !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return visit_rest (self, visit, rest, TRUE, cancellable, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
sym_record_visit (const SymRecord *self,
                  const SymId *values,
                  guint n,
                  SymRecordVisit visit,
                  gpointer user_data,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (SymId));
  Visit all = { .values = wanted, .visit = visit, .user_data = user_data };

  g_return_val_if_fail (self != NULL, FALSE);

  return visit_kept (self, values, n, &all, rest, cancellable, error) &&
         (rest->len == 0 || visit_rest (self, &all, rest, FALSE, cancellable, error));
}
