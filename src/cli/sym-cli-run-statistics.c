/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "core/sym-element.h"
#include "core/sym-statistics.h"

typedef struct {
  SymId value;
  SymDType dtype;
  gboolean is_tensor, has_numbers;
  SymShape shape;
  double min, max, mean, std;
  guint64 n_zeros, n_nan, n_infinite;

  /* Of a value within a body: that one, its path (interned), and what its layer took in all turns;
   * of others nothing. */
  SymModel *body;
  const char *path;
  double milliseconds;
} Row;

struct _SymCliStatistics {
  SymSession *session;
  GArray *rows;       /* of Row */
  GArray *inner;      /* the same, of values within bodies */
  GHashTable *places; /* of those: "PATH VALUE" -> place, from 1 */
};

static void
take_statistics (Row *row, const SymArray *array)
{
  SymStatistics statistics;

  row->has_numbers =
      sym_dtype_is_numeric (array->dtype) &&
      sym_statistics_compute_elements (&statistics, array->dtype, array->data,
                                       sym_array_get_n_elements (array), 0, NULL, NULL);
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

static Row
new_row (SymId value, const SymDatum *datum)
{
  const SymArray *array = sym_datum_get_array (datum);
  Row row = { .value = value, .dtype = sym_datum_get_dtype (datum), .is_tensor = array != NULL };

  if (array != NULL)
    {
      row.shape = array->shape;
      take_statistics (&row, array);
    }
  return row;
}

static gboolean
gather (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymCliStatistics *self = user_data;
  Row row = new_row (value, datum);

  (void) error;
  g_array_append_val (self->rows, row);
  return TRUE;
}

/* Of a body that runs again the last time stands. */
static gboolean
gather_inner (const char *body_path,
              SymModel *body,
              SymId value,
              SymDatum *datum,
              gpointer user_data,
              GError **error)
{
  SymCliStatistics *self = user_data;
  g_autofree char *key = g_strdup_printf ("%s %u", body_path, value);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, key));
  Row row = new_row (value, datum);

  (void) error;
  row.body = body;
  row.path = g_intern_string (body_path);
  if (place == 0)
    {
      g_array_append_val (self->inner, row);
      g_hash_table_insert (self->places, g_steal_pointer (&key),
                           GUINT_TO_POINTER (self->inner->len));
      return TRUE;
    }
  row.milliseconds = g_array_index (self->inner, Row, place - 1).milliseconds;
  g_array_index (self->inner, Row, place - 1) = row;
  return TRUE;
}

static void
add_times (const char *body_path, const SymRun *run, gpointer user_data)
{
  SymCliStatistics *self = user_data;
  const char *path = g_intern_string (body_path);

  for (guint i = 0; i < self->inner->len; i++)
    {
      Row *row = &g_array_index (self->inner, Row, i);
      SymId call = row->path == path ? sym_model_get_producer (row->body, row->value) : SYM_NO_ID;

      if (call != SYM_NO_ID)
        row->milliseconds += MAX (sym_run_get_call_milliseconds (run, call), 0);
    }
}

SymCliStatistics *
sym_cli_statistics_new (SymSession *session)
{
  SymCliStatistics *self = g_new0 (SymCliStatistics, 1);

  self->session = session;
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->inner = g_array_new (FALSE, FALSE, sizeof (Row));
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  sym_session_set_body_watch (session, &(SymRunBodyWatch){ gather_inner, add_times, self });
  sym_session_set_watch (session, gather, self);
  sym_session_set_any_order (session, TRUE);
  return self;
}

void
sym_cli_statistics_free (SymCliStatistics *self)
{
  g_array_unref (self->rows);
  g_array_unref (self->inner);
  g_hash_table_unref (self->places);
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
add_milliseconds (SymCliJson *json, const SymRun *run, const Row *row)
{
  SymModel *model = row->body != NULL ? row->body : sym_plan_get_model (sym_run_get_plan (run));
  SymId call = sym_model_get_producer (model, row->value);

  sym_cli_json_add_key (json, "milliseconds");
  if (call == SYM_NO_ID)
    sym_cli_json_add_null (json);
  else if (row->body != NULL)
    sym_cli_json_add_double (json, row->milliseconds);
  else
    sym_cli_json_add_double (json, sym_run_get_call_milliseconds (run, call));
}

/* Where a value is that is within a body (core/sym-path.h). */
static void
add_place (SymCliJson *json, const Row *row)
{
  if (row->path == NULL)
    return;
  sym_cli_json_add_key (json, "body");
  sym_cli_json_add_string (json, row->path);
}

static void
add_row (SymCliJson *json, const SymRun *run, const Row *row)
{
  SymModel *model = row->body != NULL ? row->body : sym_plan_get_model (sym_run_get_plan (run));

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
  add_milliseconds (json, run, row);
  add_place (json, row);
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
  g_array_append_vals (rows, self->inner->data, self->inner->len);
  sym_cli_json_begin_rows (json);
  for (guint i = 0; i < rows->len; i++)
    add_row (json, sym_session_get_run (self->session), &g_array_index (rows, Row, i));
  sym_cli_json_end_array (json);
  return sym_cli_json_end (json, error);
}
