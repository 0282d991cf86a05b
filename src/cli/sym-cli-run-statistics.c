/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-statistics.h"

typedef struct {
  SymId value;
  SymDType dtype;
  gboolean is_tensor, has_numbers;
  SymShape shape;
  double min, max, mean, std;
  guint64 n_zeros, n_nan, n_infinite;
} Row;

struct _SymCliStatistics {
  SymSession *session;
  GArray *rows; /* of Row */
};

static void
take_statistics (Row *row, const SymArray *array)
{
  SymStatistics statistics;

  row->has_numbers = sym_statistics_compute_elements (
      &statistics, array->dtype, array->data, sym_array_get_n_elements (array), 0, NULL, NULL);
  if (!row->has_numbers)
    return;
  row->min = statistics.min;
  row->max = statistics.max;
  row->mean = statistics.mean;
  row->std = statistics.std;
  row->n_zeros = statistics.n_zeros;
  row->n_nan = statistics.n_nan;
  row->n_infinite = statistics.n_infinite;
}

static gboolean
gather (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymCliStatistics *self = user_data;
  const SymArray *array = sym_datum_get_array (datum);
  Row row = { .value = value, .dtype = sym_datum_get_dtype (datum), .is_tensor = array != NULL };

  (void) error;
  if (array != NULL)
    {
      row.shape = array->shape;
      take_statistics (&row, array);
    }
  g_array_append_val (self->rows, row);
  return TRUE;
}

SymCliStatistics *
sym_cli_statistics_new (SymSession *session)
{
  SymCliStatistics *self = g_new0 (SymCliStatistics, 1);

  self->session = session;
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  sym_session_set_watch (session, gather, self);
  sym_session_set_any_order (session, TRUE);
  return self;
}

void
sym_cli_statistics_free (SymCliStatistics *self)
{
  g_array_unref (self->rows);
  g_free (self);
}

static void
add_shape (SymCliJson *json, const Row *row)
{
  sym_cli_json_add_key (json, "shape");
  if (!row->is_tensor)
    {
      sym_cli_json_add_null (json);
      return;
    }
  sym_cli_json_begin_array (json);
  for (int i = 0; i < row->shape.rank; i++)
    sym_cli_json_add_int (json, row->shape.dims[i]);
  sym_cli_json_end_array (json);
}

static void
add_number (SymCliJson *json, const char *key, const Row *row, double number)
{
  sym_cli_json_add_key (json, key);
  if (row->has_numbers)
    sym_cli_json_add_double (json, number);
  else
    sym_cli_json_add_null (json);
}

/* Time of the layer that made the value; null for an input. */
static void
add_milliseconds (SymCliJson *json, const SymRun *run, SymId value)
{
  SymId call = sym_model_get_producer (sym_plan_get_model (sym_run_get_plan (run)), value);

  sym_cli_json_add_key (json, "milliseconds");
  if (call != SYM_NO_ID)
    sym_cli_json_add_double (json, sym_run_get_call_milliseconds (run, call));
  else
    sym_cli_json_add_null (json);
}

static void
add_row (SymCliJson *json, const SymRun *run, const Row *row)
{
  SymModel *model = sym_plan_get_model (sym_run_get_plan (run));

  sym_cli_json_begin_object (json);
  sym_cli_json_add_key (json, "name");
  sym_cli_json_add_string (json, sym_model_get_unique_name (model, row->value));
  add_shape (json, row);
  sym_cli_json_add_key (json, "dtype");
  sym_cli_json_add_string (json, sym_dtype_to_string (row->dtype));
  add_number (json, "min", row, row->min);
  add_number (json, "max", row, row->max);
  add_number (json, "mean", row, row->mean);
  add_number (json, "std", row, row->std);
  add_number (json, "zeros", row, (double) row->n_zeros);
  add_number (json, "nan", row, (double) row->n_nan);
  add_number (json, "inf", row, (double) row->n_infinite);
  add_milliseconds (json, run, row->value);
  sym_cli_json_end_object (json);
}

/* Nothing makes inputs, so a run does not show them. */
static void
gather_inputs (SymCliStatistics *self)
{
  SymRun *run = sym_session_get_run (self->session);
  SymIds inputs = sym_plan_get_inputs (sym_run_get_plan (run));

  for (guint i = 0; i < inputs.n; i++)
    if (sym_run_get (run, inputs.ids[i]) != NULL)
      gather (inputs.ids[i], sym_run_get (run, inputs.ids[i]), self, NULL);
}

/* Inputs come first, then what is made of them, in the order of the model whatever that of the
 * steps is. */
static GArray *
sort_rows (const SymCliStatistics *self)
{
  SymModel *model = sym_session_get_model (self->session);
  SymIds order = sym_model_get_execution_order (model);
  g_autofree guint *places = g_new0 (guint, sym_model_get_n_values (model) + 1);
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (Row));

  /* Places count from 1. */
  for (guint i = 0; i < self->rows->len; i++)
    places[g_array_index (self->rows, Row, i).value] = i + 1;
  for (guint i = 0; i < self->rows->len; i++)
    if (sym_model_get_producer (model, g_array_index (self->rows, Row, i).value) == SYM_NO_ID)
      g_array_append_val (sorted, g_array_index (self->rows, Row, i));
  for (guint i = 0; i < order.n; i++)
    {
      SymIds results = sym_model_get_results (model, order.ids[i]);

      for (guint j = 0; j < results.n; j++)
        if (places[results.ids[j]] > 0)
          g_array_append_val (sorted, g_array_index (self->rows, Row, places[results.ids[j]] - 1));
    }
  return sorted;
}

gboolean
sym_cli_statistics_print (SymCliStatistics *self, GError **error)
{
  SymCliJson *json = sym_cli_json_new_stdout ();
  g_autoptr (GArray) rows = NULL;

  gather_inputs (self);
  rows = sort_rows (self);
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < rows->len; i++)
    add_row (json, sym_session_get_run (self->session), &g_array_index (rows, Row, i));
  sym_cli_json_end_array (json);
  return sym_cli_json_end (json, error);
}
