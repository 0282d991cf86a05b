/* SPDX-License-Identifier: MIT */
#include "run/sym-record.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "run/sym-run-weights.h"

/* What is known of a value.  Of its type there is no name and there are no elements, so that it
 * borrows nothing. */
typedef struct {
  SymType type;
  gboolean has_numbers;
  guint64 n_elements, n_zeros, n_nan, n_infinite;
  double min, max, mean, std, first_edge, last_edge;
  guint64 bins[SYM_RECORD_N_BINS];
  SymDatum *datum; /* NULL: not kept */
} Entry;

struct _SymRecord {
  gatomicrefcount ref_count;
  SymModel *model;
  SymInference *types; /* NULL: as declared */
  gboolean makes_weights;
  guint64 seed;
  GArray *feeds;        /* of SymFeed, referenced */
  GPtrArray *entries;   /* of Entry, by value; NULL where it was not computed */
  double *milliseconds; /* by call */
  GHashTable *failures; /* call + 1 -> why */
  SymId first_failure, first_bad;
  double total;
  SymRecordCounts counts;
};

/* A run that is being recorded. */
typedef struct {
  SymRecord *record;
  SymRun *run;
  const SymRecordOptions *options;
  GCancellable *cancellable;
  guint64 n_bytes_left;
} Recording;

static gpointer
get_key (SymId call)
{
  return GSIZE_TO_POINTER ((gsize) call + 1);
}

/* ---- Values ---- */

static void
free_entry (gpointer data)
{
  Entry *entry = data;

  if (entry == NULL)
    return;
  g_clear_pointer (&entry->datum, sym_datum_unref);
  g_free (entry);
}

static gboolean
take_statistics (Entry *entry, const SymArray *array, GCancellable *cancellable, GError **error)
{
  g_autofree SymStatistics *all = g_new (SymStatistics, 1);

  if (!sym_dtype_is_numeric (array->dtype))
    return TRUE;
  if (!sym_statistics_compute_elements (all, array->dtype, array->data,
                                        sym_array_get_n_elements (array), SYM_RECORD_N_BINS,
                                        cancellable, error))
    return FALSE;
  entry->has_numbers = TRUE;
  entry->n_elements = all->n_elements;
  entry->n_zeros = all->n_zeros;
  entry->n_nan = all->n_nan;
  entry->n_infinite = all->n_infinite;
  entry->min = all->min;
  entry->max = all->max;
  entry->mean = all->mean;
  entry->std = all->std;
  entry->first_edge = all->first_edge;
  entry->last_edge = all->last_edge;
  memcpy (entry->bins, all->bins, sizeof entry->bins);
  return TRUE;
}

static SymType
get_type (const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);
  SymType type = { .kind = sym_datum_get_kind (datum),
                   .dtype = sym_datum_get_dtype (datum),
                   .shape = SYM_SHAPE_UNKNOWN };

  if (array != NULL)
    type.shape = array->shape;
  return type;
}

/* Outputs and what was fed are there anyway; what is no tensor has no size that is known. */
static gboolean
is_to_be_kept (Recording *self, SymId value, const SymDatum *datum, gboolean is_fed)
{
  gsize n_bytes = sym_datum_get_n_bytes (datum);

  if (is_fed || sym_model_is_output (self->record->model, value))
    return TRUE;
  if (sym_datum_get_array (datum) == NULL || n_bytes > self->n_bytes_left)
    return FALSE;
  self->n_bytes_left -= n_bytes;
  return TRUE;
}

static gboolean
keep (Recording *self, Entry *entry, SymId value, SymDatum *datum, gboolean is_fed, GError **error)
{
  if (!is_to_be_kept (self, value, datum, is_fed))
    return TRUE;
  entry->datum = sym_datum_keep (datum, error);
  if (entry->datum == NULL)
    return FALSE;
  self->record->counts.n_kept++;
  self->record->counts.n_kept_bytes += sym_datum_get_n_bytes (entry->datum);
  return TRUE;
}

static gboolean
record (Recording *self, SymId value, SymDatum *datum, gboolean is_fed, GError **error)
{
  const SymArray *array = sym_datum_get_array (datum);
  Entry *entry = g_new0 (Entry, 1);

  free_entry (self->record->entries->pdata[value]);
  self->record->entries->pdata[value] = entry;
  entry->type = get_type (datum);
  if (array != NULL && !take_statistics (entry, array, self->cancellable, error))
    return FALSE;
  return keep (self, entry, value, datum, is_fed, error);
}

static gboolean
watch_cb (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  Recording *self = user_data;
  SymPlan *plan = sym_run_get_plan (self->run);
  guint step;

  if (!record (self, value, datum, FALSE, error))
    return FALSE;
  if (self->options->progress != NULL && sym_plan_find_step (plan, value, &step))
    self->options->progress (step + 1, sym_plan_get_n_steps (plan), self->options->user_data);
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
        g_hash_table_contains (self->failures,
                               get_key (sym_model_get_producer (self->model, operands.ids[i]))))
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
  g_hash_table_insert (self->failures, get_key (call), text);
}

static void
take_steps (SymRecord *self, const SymRun *run)
{
  SymPlan *plan = sym_run_get_plan (run);

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    {
      SymId call = sym_plan_get_call (plan, i);
      const char *failure = sym_run_get_failure (run, i);

      if (failure != NULL)
        {
          take_failure (self, call, failure);
          continue;
        }
      self->milliseconds[call] = sym_run_get_milliseconds (run, i);
      self->total += self->milliseconds[call];
    }
}

/* ---- Running ---- */

static gboolean
feed_all (const SymRecord *self,
          SymRun *run,
          guint *n_made,
          GCancellable *cancellable,
          GError **error)
{
  sym_run_set_seed (run, self->seed);
  for (guint i = 0; i < self->feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (self->feeds, SymFeed, i);

      if (!sym_run_feed (run, feed->value, feed->datum, error))
        return FALSE;
    }
  return !self->makes_weights ||
         sym_run_feed_missing_weights (run, self->types, self->seed, n_made, cancellable, error);
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
run_all (Recording *self, GError **error)
{
  SymRecord *record_of = self->record;

  for (guint i = 0; i < record_of->feeds->len; i++)
    {
      const SymFeed *feed = &g_array_index (record_of->feeds, SymFeed, i);

      if (!record (self, feed->value, feed->datum, TRUE, error))
        return FALSE;
    }
  sym_run_set_watch (self->run, watch_cb, self);
  if (!execute (self, error))
    return FALSE;
  take_steps (record_of, self->run);
  return TRUE;
}

static void
count (SymRecord *self)
{
  SymIds rows = sym_model_get_rows (self->model);

  for (guint i = 0; i < rows.n; i++)
    {
      const Entry *entry = self->entries->pdata[rows.ids[i]];

      self->counts.n_values += entry != NULL;
      if (self->first_bad == SYM_NO_ID && entry != NULL && entry->n_nan + entry->n_infinite > 0)
        self->first_bad = rows.ids[i];
    }
}

/* ---- The record ---- */

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
  self->seed = options->seed;
  self->feeds = g_array_new (FALSE, FALSE, sizeof (SymFeed));
  g_array_set_clear_func (self->feeds, clear_feed);
  for (guint i = 0; i < n_feeds; i++)
    {
      SymFeed feed = { feeds[i].value, sym_datum_ref (feeds[i].datum) };

      g_array_append_val (self->feeds, feed);
    }
  self->entries = g_ptr_array_new_with_free_func (free_entry);
  g_ptr_array_set_size (self->entries, (int) sym_model_get_n_values (model));
  self->milliseconds = g_new (double, n_calls + 1);
  for (guint i = 0; i < n_calls; i++)
    self->milliseconds[i] = -1;
  self->failures = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->first_failure = self->first_bad = SYM_NO_ID;
  return self;
}

SymRecord *
sym_record_new (SymModel *model,
                const SymFeed *feeds,
                guint n_feeds,
                const SymRecordOptions *options,
                GCancellable *cancellable,
                GError **error)
{
  static const SymRecordOptions plain = { 0 };
  SymPlanOptions plan_options = { .everything = TRUE };
  g_autoptr (SymRecord) self = NULL;
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  Recording recording;

  g_return_val_if_fail (model != NULL, NULL);

  options = options != NULL ? options : &plain;
  g_return_val_if_fail (!options->makes_weights || options->types != NULL, NULL);

  plan_options.types = options->types;
  plan = sym_plan_new (model, &plan_options, cancellable, error);
  if (plan == NULL)
    return NULL;
  self = create (model, feeds, n_feeds, options);
  run = sym_run_new (plan);
  recording = (Recording){ self, run, options, cancellable, options->n_bytes_to_keep };
  if (!feed_all (self, run, &self->counts.n_made_weights, cancellable, error) ||
      !run_all (&recording, error))
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
  g_free (self->milliseconds);
  g_clear_pointer (&self->types, sym_inference_unref);
  sym_model_unref (self->model);
  g_free (self);
}

SymModel *
sym_record_get_model (const SymRecord *self)
{
  return self->model;
}

static const Entry *
find_entry (const SymRecord *self, SymId value)
{
  return value < self->entries->len ? self->entries->pdata[value] : NULL;
}

SymType
sym_record_get_type (const SymRecord *self, SymId value)
{
  const Entry *entry = find_entry (self, value);

  return entry != NULL ? entry->type : SYM_TYPE_UNKNOWN;
}

gboolean
sym_record_get_statistics (const SymRecord *self, SymId value, SymStatistics *statistics)
{
  const Entry *entry = find_entry (self, value);

  if (entry == NULL || !entry->has_numbers)
    return FALSE;
  *statistics = (SymStatistics){ .n_elements = entry->n_elements,
                                 .n_zeros = entry->n_zeros,
                                 .n_nan = entry->n_nan,
                                 .n_infinite = entry->n_infinite,
                                 .min = entry->min,
                                 .max = entry->max,
                                 .mean = entry->mean,
                                 .std = entry->std,
                                 .n_bins = SYM_RECORD_N_BINS,
                                 .first_edge = entry->first_edge,
                                 .last_edge = entry->last_edge };
  memcpy (statistics->bins, entry->bins, sizeof entry->bins);
  return TRUE;
}

SymDatum *
sym_record_get_datum (const SymRecord *self, SymId value)
{
  const Entry *entry = find_entry (self, value);

  return entry != NULL ? entry->datum : NULL;
}

SymDatum *
sym_record_compute (const SymRecord *self, SymId value, GCancellable *cancellable, GError **error)
{
  SymPlanOptions options = { .values = &value, .n_values = 1, .types = self->types };
  g_autoptr (SymPlan) plan = NULL;
  g_autoptr (SymRun) run = NULL;
  SymDatum *kept;

  g_return_val_if_fail (sym_model_has_value (self->model, value), NULL);

  kept = sym_record_get_datum (self, value);
  if (kept != NULL)
    return sym_datum_ref (kept);
  plan = sym_plan_new (self->model, &options, cancellable, error);
  if (plan == NULL)
    return NULL;
  run = sym_run_new (plan);
  if (!feed_all (self, run, NULL, cancellable, error) || !sym_run_execute (run, cancellable, error))
    return NULL;
  return sym_datum_keep (sym_run_get (run, value), error);
}

SymId
sym_record_get_first_bad (const SymRecord *self)
{
  return self->first_bad;
}

SymRecordCounts
sym_record_get_counts (const SymRecord *self)
{
  return self->counts;
}

double
sym_record_get_milliseconds (const SymRecord *self, SymId call)
{
  return call < sym_model_get_n_calls (self->model) ? self->milliseconds[call] : -1;
}

double
sym_record_get_total (const SymRecord *self)
{
  return self->total;
}

const char *
sym_record_get_failure (const SymRecord *self, SymId call)
{
  return g_hash_table_lookup (self->failures, get_key (call));
}

SymId
sym_record_get_first_failure (const SymRecord *self, guint *n_failed)
{
  if (n_failed != NULL)
    *n_failed = g_hash_table_size (self->failures);
  return self->first_failure;
}
