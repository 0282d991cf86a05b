/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include "core/sym-extract.h"
#include "core/sym-model-private.h"

struct _SymSummary {
  gatomicrefcount ref_count;
  SymInference *inference;
  SymTotals *counts;   /* of the rows whose layer has parameters of its own */
  guint *count_of_row; /* per row, its place in @counts, from 1; 0 for none */
  SymTotals totals;
  gboolean is_wide; /* whether rows that repeat the parents of the one before list a few */
};

/* ---- Counting ---- */

static void
count_call (const SymSummary *self, const SymModel *model, SymId call, SymCounter *counter)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    sym_counter_add_value (counter, model, self->inference, operands.ids[i]);
  sym_counter_add_hidden (counter, model, call);
  sym_counter_add_bodies (counter, model, self->inference, call);
}

SymTotals
sym_summary_count_calls (const SymSummary *self, const SymId *calls, guint n)
{
  const SymModel *model = sym_inference_get_model (self->inference);
  g_autoptr (SymCounter) counter = sym_counter_new ();

  for (guint k = 0; k < n; k++)
    count_call (self, model, calls[k], counter);
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
  g_autoptr (SymCounter) counter = sym_counter_new ();
  SymRows *counts = sym_rows_new (sizeof (SymTotals));

  self->count_of_row = g_new0 (guint, values.n + 1);
  for (guint i = 0; i < values.n; i++)
    {
      SymId call = sym_model_get_producer (model, values.ids[i]);

      if (call == SYM_NO_ID || !has_parameters (model, call) ||
          !is_first_of_call (model, call, values.ids[i]))
        continue;
      sym_counter_clear (counter);
      count_call (self, model, call, counter);
      sym_rows_append (counts, sym_counter_get_totals (counter));
      self->count_of_row[i] = counts->len;
    }
  self->counts = sym_rows_free_to_data (counts);
}

static void
count_all (SymSummary *self, const SymModel *model)
{
  g_autoptr (SymCounter) counter = sym_counter_new ();

  sym_counter_add_values (counter, model, self->inference);
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
  g_free (self->counts);
  g_free (self->count_of_row);
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

static void
describe_call (const SymSummary *self, const SymModel *model, SymSummaryRow *row)
{
  guint count = self->count_of_row[row->index - 1];

  row->layer = sym_model_get_call_name (model, row->call);
  row->type = sym_layer_get_type (sym_model_get_layer (model, row->call));
  if (*row->layer == '\0')
    row->layer = row->name;
  if (count != 0)
    {
      const SymTotals *totals = &self->counts[count - 1];

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
