/* SPDX-License-Identifier: MIT */
#include "run/sym-record-private.h"

#include <string.h>

#include "core/sym-element.h"

gpointer
sym_record_get_key (SymId call)
{
  return GSIZE_TO_POINTER ((gsize) call + 1);
}

/* ---- Entries ---- */

void
sym_record_entry_free (gpointer data)
{
  SymRecordEntry *entry = data;

  if (entry == NULL)
    return;
  g_clear_pointer (&entry->datum, sym_datum_unref);
  g_free (entry);
}

static gboolean
take_statistics (SymRecordEntry *entry,
                 const SymArray *array,
                 GCancellable *cancellable,
                 GError **error)
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

SymRecordEntry *
sym_record_entry_new (const SymDatum *datum, GCancellable *cancellable, GError **error)
{
  const SymArray *array = sym_datum_get_array (datum);
  SymRecordEntry *self = g_new0 (SymRecordEntry, 1);

  self->type = get_type (datum);
  if (array == NULL || take_statistics (self, array, cancellable, error))
    return self;
  sym_record_entry_free (self);
  return NULL;
}

/* ---- Values ---- */

SymModel *
sym_record_get_model (const SymRecord *self)
{
  return self->model;
}

static const SymRecordEntry *
find_entry (const SymRecord *self, SymId value)
{
  return value < self->entries->len ? self->entries->pdata[value] : NULL;
}

SymType
sym_record_get_type (const SymRecord *self, SymId value)
{
  const SymRecordEntry *entry = find_entry (self, value);

  return entry != NULL ? entry->type : SYM_TYPE_UNKNOWN;
}

gboolean
sym_record_get_statistics (const SymRecord *self, SymId value, SymStatistics *statistics)
{
  const SymRecordEntry *entry = find_entry (self, value);

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
  const SymRecordEntry *entry = find_entry (self, value);

  return entry != NULL ? entry->datum : NULL;
}

SymId
sym_record_get_first_bad (const SymRecord *self)
{
  return self->first_bad;
}

gboolean
sym_record_is_bad (const SymRecord *self, SymId value)
{
  const SymRecordEntry *entry = find_entry (self, value);

  return entry != NULL && entry->n_nan + entry->n_infinite > 0;
}

SymRecordCounts
sym_record_get_counts (const SymRecord *self)
{
  return self->counts;
}

SymRecordPlanning
sym_record_get_planning (const SymRecord *self)
{
  return self->planning;
}

double
sym_record_get_milliseconds (const SymRecord *self, SymId call)
{
  return call < sym_model_get_n_calls (self->model) ? self->milliseconds[call] : -1;
}

SymRecordTime
sym_record_get_time_kind (const SymRecord *self, SymId call)
{
  double milliseconds = sym_record_get_milliseconds (self, call);

  if (milliseconds < 0)
    return SYM_RECORD_TIME_NONE;
  if (milliseconds > 0)
    return SYM_RECORD_TIME_OWN;
  return self->planned[call] ? SYM_RECORD_TIME_PLANNED : SYM_RECORD_TIME_VIEW;
}

double
sym_record_get_total (const SymRecord *self)
{
  return self->total;
}

const char *
sym_record_get_failure (const SymRecord *self, SymId call)
{
  return g_hash_table_lookup (self->failures, sym_record_get_key (call));
}

SymId
sym_record_find_missing (const SymRecord *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId maker = operands.ids[i] != SYM_NO_ID && self->entries->pdata[operands.ids[i]] == NULL
                        ? sym_model_get_producer (self->model, operands.ids[i])
                        : SYM_NO_ID;

      if (maker != SYM_NO_ID && sym_record_get_failure (self, maker) != NULL)
        return operands.ids[i];
    }
  return SYM_NO_ID;
}

gboolean
sym_record_is_to_blame (const SymRecord *self, SymId call)
{
  return sym_record_get_failure (self, call) != NULL &&
         sym_record_find_missing (self, call) == SYM_NO_ID;
}

SymId
sym_record_get_first_failure (const SymRecord *self, guint *n_failed)
{
  if (n_failed != NULL)
    *n_failed = g_hash_table_size (self->failures);
  return self->first_failure;
}

gboolean
sym_record_has_run (const SymRecord *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return sym_record_get_total (self) > 0 || sym_record_get_first_failure (self, NULL) == SYM_NO_ID;
}

/* ---- Bodies ---- */

SymRecord *
sym_record_find_body (const SymRecord *self, const char *body_path)
{
  g_return_val_if_fail (self != NULL && body_path != NULL, NULL);

  return g_hash_table_lookup (self->bodies, body_path);
}

guint
sym_record_get_n_turns (const SymRecord *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_turns;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
sym_record_list_bodies (const SymRecord *self)
{
  GPtrArray *paths = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer path;

  g_return_val_if_fail (self != NULL, NULL);

  g_hash_table_iter_init (&iter, self->bodies);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_ptr_array_add (paths, g_strdup (path));
  g_ptr_array_sort (paths, compare_paths);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}
