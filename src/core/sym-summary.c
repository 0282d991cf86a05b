/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include "core/sym-extract.h"
#include "core/sym-model-private.h"

struct _SymSummary {
  gatomicrefcount ref_count;
  SymInference *inference;
  GArray *counts; /* of Count, ascending: rows whose layer has parameters of its own */
  SymTotals totals;
  gboolean is_wide; /* whether rows that repeat the parents of the one before list a few */
};

typedef struct {
  guint row; /* from 1 */
  SymTotals totals;
} Count;

/* ---- Counting ---- */

SymTotals
sym_summary_count_calls (const SymSummary *self, const SymId *calls, guint n)
{
  const SymModel *model = sym_inference_get_model (self->inference);
  g_autoptr (SymCounter) counter = sym_counter_new ();

  for (guint k = 0; k < n; k++)
    {
      SymIds operands = sym_model_get_operands (model, calls[k]);

      for (guint i = 0; i < operands.n; i++)
        sym_counter_add_value (counter, model, self->inference, operands.ids[i]);
      sym_counter_add_hidden (counter, model, calls[k]);
      sym_counter_add_bodies (counter, model, self->inference, calls[k]);
    }
  return sym_counter_get_totals (counter);
}

static gboolean
has_parameters (const SymModel *model, SymId call)
{
  return sym_model_get_operands (model, call).n > sym_model_get_data_operands (model, call).n ||
         sym_model_has_bodies (model, call) || sym_model_hides_parameters (model, call);
}

/* Whether no earlier result of its call has a row. */
static gboolean
is_first_of_call (const SymModel *model, SymId call, SymId value)
{
  SymIds results = sym_model_get_results (model, call);

  for (guint i = 0; i < results.n && results.ids[i] != value; i++)
    if (sym_model_get_row (model, results.ids[i]) != 0)
      return FALSE;
  return TRUE;
}

static void
count_rows (SymSummary *self, const SymModel *model)
{
  SymIds values = sym_model_get_rows (model);

  for (guint i = 0; i < values.n; i++)
    {
      SymId call = sym_model_get_producer (model, values.ids[i]);
      Count count = { .row = i + 1 };

      if (call == SYM_NO_ID || !has_parameters (model, call) ||
          !is_first_of_call (model, call, values.ids[i]))
        continue;
      count.totals = sym_summary_count_calls (self, &call, 1);
      g_array_append_val (self->counts, count);
    }
}

static void
count_all (SymSummary *self, const SymModel *model)
{
  g_autoptr (SymCounter) counter = sym_counter_new ();

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value))
      sym_counter_add_value (counter, model, self->inference, value);
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      {
        sym_counter_add_hidden (counter, model, call);
        sym_counter_add_bodies (counter, model, self->inference, call);
      }
  self->totals = sym_counter_get_totals (counter);
}

#define REPEATED 65536
#define REPEATED_PER_ROW 8
#define FEW_PARENTS 8

static gboolean
is_wide (const SymModel *model)
{
  SymIds rows = sym_model_get_rows (model);
  guint64 n = 0;

  for (guint i = 0; i < rows.n; i++)
    {
      SymId call = sym_model_get_producer (model, rows.ids[i]);

      if (call != SYM_NO_ID && sym_model_get_first_result (model, call) != rows.ids[i])
        n += sym_model_get_parents (model, rows.ids[i]).n;
    }
  return n > REPEATED + (guint64) REPEATED_PER_ROW * rows.n;
}

SymSummary *
sym_summary_new (SymInference *inference)
{
  SymSummary *self = g_new0 (SymSummary, 1);
  const SymModel *model = sym_inference_get_model (inference);
  SymIds rows = sym_model_get_rows (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->inference = sym_inference_ref (inference);
  self->counts = g_array_new (FALSE, FALSE, sizeof (Count));
  count_rows (self, model);
  count_all (self, model);
  self->is_wide = is_wide (model);
  /* Makes the names of all rows: here, where time may pass, and not when the first row is shown. */
  if (rows.n > 0)
    sym_model_get_unique_name (model, rows.ids[0]);
  return self;
}

SymSummary *
sym_summary_ref (SymSummary *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_summary_unref (SymSummary *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  sym_inference_unref (self->inference);
  g_array_unref (self->counts);
  g_free (self);
}

SymInference *
sym_summary_get_inference (const SymSummary *self)
{
  return self->inference;
}

guint
sym_summary_get_n_rows (const SymSummary *self)
{
  return sym_model_get_rows (sym_inference_get_model (self->inference)).n;
}

static int
compare_counts (const void *a, const void *b)
{
  const Count *x = a, *y = b;

  return (x->row > y->row) - (x->row < y->row);
}

static void
describe_call (const SymSummary *self, const SymModel *model, SymSummaryRow *row)
{
  const Count key = { .row = row->index };
  guint found;

  row->layer = sym_model_get_call_name (model, row->call);
  row->type = sym_layer_get_type (sym_model_get_layer (model, row->call));
  if (*row->layer == '\0')
    row->layer = row->name;
  if (g_array_binary_search (self->counts, &key, compare_counts, &found))
    {
      const SymTotals *totals = &g_array_index (self->counts, Count, found).totals;

      row->n_parameters = totals->total;
      row->n_trainable = totals->trainable;
      row->parameters_known = totals->known;
    }
}

SymSummaryRow
sym_summary_get_row (const SymSummary *self, guint i)
{
  const SymModel *model = sym_inference_get_model (self->inference);
  SymIds values = sym_model_get_rows (model);
  SymSummaryRow row = { i + 1, SYM_NO_ID, SYM_NO_ID, "", "", "Input", .parameters_known = TRUE };

  g_return_val_if_fail (i < values.n, row);

  row.value = values.ids[i];
  row.call = sym_model_get_producer (model, row.value);
  row.name = sym_model_get_unique_name (model, row.value);
  row.layer = row.name;
  row.is_output = sym_model_is_output (model, row.value);
  row.parents = sym_model_get_parents (model, row.value);
  row.n_listed = row.parents.n;
  if (row.call != SYM_NO_ID)
    describe_call (self, model, &row);
  if (self->is_wide && row.call != SYM_NO_ID &&
      sym_model_get_first_result (model, row.call) != row.value)
    row.n_listed = MIN (row.parents.n, FEW_PARENTS);
  return row;
}

guint
sym_summary_find_row (const SymSummary *self, SymId value)
{
  const SymModel *model = sym_inference_get_model (self->inference);

  return value < sym_model_get_n_values (model) ? sym_model_get_row (model, value) : 0;
}

SymTotals
sym_summary_get_totals (const SymSummary *self)
{
  return self->totals;
}
