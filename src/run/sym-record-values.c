/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-record-private.h"

gpointer
sym_record_get_key (SymId call)
{
  return GSIZE_TO_POINTER ((gsize) call + 1);
}

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
  return g_hash_table_lookup (self->failures, sym_record_get_key (call));
}

SymId
sym_record_get_first_failure (const SymRecord *self, guint *n_failed)
{
  if (n_failed != NULL)
    *n_failed = g_hash_table_size (self->failures);
  return self->first_failure;
}
