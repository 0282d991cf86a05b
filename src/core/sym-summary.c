/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include "core/sym-extract.h"

struct _SymSummary {
  gatomicrefcount ref_count;
  SymInference *inference;
  GArray *rows;       /* of SymSummaryRow */
  guint *row_numbers; /* per value; 0 for none */
  guint *parents;     /* of all rows, one after the other */
  SymTotals totals;
};

/* ---- Rows ---- */

static void
number_rows (SymSummary *self, const SymModel *model)
{
  SymIds values = sym_model_get_rows (model);

  self->row_numbers = g_new0 (guint, sym_model_get_n_values (model) + 1);
  for (guint i = 0; i < values.n; i++)
    self->row_numbers[values.ids[i]] = i + 1;
}

static void
count_call (SymSummary *self, const SymModel *model, SymSummaryRow *row)
{
  g_autoptr (SymCounter) counter = sym_counter_new ();
  SymIds operands = sym_model_get_operands (model, row->call);
  SymTotals totals;

  for (guint i = 0; i < operands.n; i++)
    sym_counter_add_value (counter, model, self->inference, operands.ids[i]);
  sym_counter_add_bodies (counter, model, self->inference, row->call);
  totals = sym_counter_get_totals (counter);
  row->n_parameters = totals.total;
  row->n_trainable = totals.trainable;
  row->parameters_known = totals.known;
}

static gboolean
has_parameters (const SymModel *model, SymId call)
{
  return sym_model_get_operands (model, call).n > sym_model_get_data_operands (model, call).n ||
         sym_layer_get_n_bodies (sym_model_get_layer (model, call)) > 0;
}

/* Whether no earlier result of its call has a row. */
static gboolean
is_first_of_call (const SymSummary *self, const SymModel *model, const SymSummaryRow *row)
{
  SymIds results = sym_model_get_results (model, row->call);

  for (guint i = 0; i < results.n && results.ids[i] != row->value; i++)
    if (self->row_numbers[results.ids[i]] != 0)
      return FALSE;
  return TRUE;
}

static void
describe_call (SymSummary *self, const SymModel *model, SymSummaryRow *row)
{
  row->layer = sym_model_get_call_name (model, row->call);
  row->type = sym_layer_get_type (sym_model_get_layer (model, row->call));
  if (*row->layer == '\0')
    row->layer = row->name;
  if (is_first_of_call (self, model, row) && has_parameters (model, row->call))
    count_call (self, model, row);
}

static void
add_row (SymSummary *self, const SymModel *model, SymId value)
{
  SymSummaryRow row = { .index = self->rows->len + 1, .value = value, .parameters_known = TRUE };

  row.call = sym_model_get_producer (model, value);
  row.name = sym_model_get_unique_name (model, value);
  row.is_output = sym_model_is_output (model, value);
  row.layer = row.name;
  row.type = "Input";
  if (row.call != SYM_NO_ID)
    describe_call (self, model, &row);
  g_array_append_val (self->rows, row);
}

static guint
count_parents (const SymModel *model, SymIds values)
{
  guint n = 0;

  for (guint i = 0; i < values.n; i++)
    n += sym_model_get_parents (model, values.ids[i]).n;
  return n;
}

static void
link_parents (SymSummary *self, const SymModel *model)
{
  guint n = 0;

  self->parents = g_new (guint, count_parents (model, sym_model_get_rows (model)) + 1);
  for (guint i = 0; i < self->rows->len; i++)
    {
      SymSummaryRow *row = &g_array_index (self->rows, SymSummaryRow, i);
      SymIds parents = sym_model_get_parents (model, row->value);

      row->parents = self->parents + n;
      for (guint k = 0; k < parents.n; k++)
        if (self->row_numbers[parents.ids[k]] != 0)
          self->parents[n + row->n_parents++] = self->row_numbers[parents.ids[k]];
      n += row->n_parents;
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
      sym_counter_add_bodies (counter, model, self->inference, call);
  self->totals = sym_counter_get_totals (counter);
}

SymSummary *
sym_summary_new (SymInference *inference)
{
  SymSummary *self = g_new0 (SymSummary, 1);
  const SymModel *model = sym_inference_get_model (inference);
  SymIds values = sym_model_get_rows (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->inference = sym_inference_ref (inference);
  self->rows = g_array_sized_new (FALSE, FALSE, sizeof (SymSummaryRow), values.n);
  number_rows (self, model);
  for (guint i = 0; i < values.n; i++)
    add_row (self, model, values.ids[i]);
  link_parents (self, model);
  count_all (self, model);
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
  g_array_unref (self->rows);
  g_free (self->row_numbers);
  g_free (self->parents);
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
  return self->rows->len;
}

const SymSummaryRow *
sym_summary_get_row (const SymSummary *self, guint i)
{
  g_return_val_if_fail (i < self->rows->len, NULL);

  return &g_array_index (self->rows, SymSummaryRow, i);
}

guint
sym_summary_find_row (const SymSummary *self, SymId value)
{
  const SymModel *model = sym_inference_get_model (self->inference);

  return value < sym_model_get_n_values (model) ? self->row_numbers[value] : 0;
}

SymTotals
sym_summary_get_totals (const SymSummary *self)
{
  return self->totals;
}
