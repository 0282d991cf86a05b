/* SPDX-License-Identifier: MIT */
#include "core/sym-path.h"
#include "run/sym-run-private.h"
#include "run/sym-vector-rows-private.h"

/* ---- Order ---- */

/* Images with the channels last, brought into the model's order. */
static void
turn (const SymArray *from, float *to)
{
  gsize n = sym_array_get_n_elements (from) / (gsize) from->shape.dims[0];
  gsize n_channels = (gsize) from->shape.dims[1], n_pixels = n / n_channels;
  const float *x = from->data;

  for (gint64 i = 0; i < from->shape.dims[0]; i++, x += n, to += n)
    sym_vector_turn (to, (gssize) n_pixels, x, (gssize) n_channels, n_pixels, n_channels);
}

static SymDatum *
new_turned (SymDatum *datum, SymDatumPool *pool, GError **error)
{
  const SymArray *array = sym_datum_get_array (datum);
  SymDatum *turned = NULL;

  if (!sym_datum_prepare (&turned, array->dtype, &array->shape, pool, error))
    return NULL;
  turn (array, sym_datum_get_array (turned)->data);
  return turned;
}

SymDatum *
sym_run_keep_shown (SymRun *self, GError **error)
{
  g_return_val_if_fail (self != NULL && self->shown != NULL, NULL);

  return self->is_shown_turned ? new_turned (self->shown, NULL, error)
                               : sym_datum_keep (self->shown, error);
}

/* ---- Showing ---- */

static gboolean
show_as_it_is (SymRun *self, SymId value, SymDatum *datum, gboolean is_turned, GError **error)
{
  gboolean goes_on;

  self->shown = datum;
  self->is_shown_turned = is_turned;
  goes_on = self->watch (value, datum, self->user_data, error);
  self->shown = NULL;
  return goes_on;
}

static gboolean
show_inner (SymId value, SymDatum *datum, gboolean is_turned, gpointer user_data, GError **error)
{
  SymRun *self = user_data;
  SymDatum *turned;
  gboolean goes_on;

  if (!is_turned || self->takes_any_order)
    return show_as_it_is (self, value, datum, is_turned, error);
  turned = new_turned (datum, self->pool, error);
  if (turned == NULL)
    return FALSE;
  goes_on = show_as_it_is (self, value, turned, FALSE, error);
  sym_datum_pool_give (self->pool, &turned);
  return goes_on;
}

/* What a pass made of the model's calls is nobody's to see: that has higher numbers. */
static gboolean
is_visible (const SymRun *self, SymId value)
{
  return value < sym_model_get_n_values (sym_plan_get_model (self->plan)) &&
         sym_role_is_data (sym_model_get_role (self->plan->model, value));
}

gboolean
sym_run_show_results (SymRun *self, guint i, GError **error)
{
  const SymPlanStep *step = &self->plan->steps[i];

  if (self->watch == NULL)
    return TRUE;
  if (step->region == NULL)
    self->call_milliseconds[step->call] =
        MAX (self->call_milliseconds[step->call], 0) + self->steps[i].milliseconds;
  for (guint j = 0; j < step->results.n; j++)
    {
      SymId value = step->results.ids[j];

      if (self->values[value] == NULL || !is_visible (self, value) ||
          (step->region != NULL && self->plan->watched[value]))
        continue;
      if (!show_as_it_is (self, value, self->values[value], FALSE, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Times ---- */

static void
tell_time (SymId value, double milliseconds, gpointer user_data)
{
  SymRun *self = user_data;
  SymId call = sym_plan_find_origin (self->plan, sym_model_get_producer (self->plan->model, value));

  self->call_milliseconds[call] = MAX (self->call_milliseconds[call], 0) + milliseconds;
}

SymRegionWatch
sym_run_get_region_watch (SymRun *self)
{
  return (SymRegionWatch){ show_inner, tell_time, self };
}

double
sym_run_get_call_milliseconds (const SymRun *self, SymId call)
{
  g_return_val_if_fail (self != NULL, -1);
  g_return_val_if_fail (call < sym_model_get_n_calls (sym_plan_get_model (self->plan)), -1);

  return self->call_milliseconds == NULL ? -1 : self->call_milliseconds[call];
}

/* ---- The whole ---- */

void
sym_run_set_watch (SymRun *self, SymRunWatch watch, gpointer user_data)
{
  g_return_if_fail (self != NULL);

  self->watch = watch;
  self->user_data = user_data;
}

void
sym_run_set_any_order (SymRun *self, gboolean any_order)
{
  g_return_if_fail (self != NULL);

  self->takes_any_order = any_order;
}

/* ---- Bodies ---- */

void
sym_run_set_body_watch (SymRun *self, const SymRunBodyWatch *watch)
{
  g_return_if_fail (self != NULL);

  self->body_watch = watch == NULL ? (SymRunBodyWatch){ NULL } : *watch;
}

static gboolean
show_in_body (SymId value, SymDatum *datum, gpointer user_data, GError **error)
{
  SymRun *self = user_data;

  return self->body_watch.show (self->path, sym_plan_get_model (self->plan), value, datum,
                                self->body_watch.user_data, error);
}

void
sym_run_begin_body (SymRun *self, guint step, guint body, SymRun *inner)
{
  gboolean is_watched = self->body_watch.show != NULL;

  inner->body_watch = self->body_watch;
  sym_run_set_watch (inner, is_watched ? show_in_body : NULL, inner);
  if (is_watched && inner->path == NULL)
    {
      g_autofree char *call =
          sym_path_enter_call (self->path == NULL ? "" : self->path, self->plan->steps[step].call);

      inner->path = sym_path_enter_body (call, body);
    }
}

void
sym_run_end_body (SymRun *self, SymRun *inner)
{
  if (self->body_watch.end != NULL)
    self->body_watch.end (inner->path, inner, self->body_watch.user_data);
}

/* ---- Beginning ---- */

/* What was computed while planning takes no time any more. */
static gboolean
show_folded (SymRun *self, GError **error)
{
  for (guint i = 0; i < self->plan->folded->len; i++)
    {
      SymId value = g_array_index (self->plan->folded, SymId, i);

      self->call_milliseconds[sym_model_get_producer (self->plan->model, value)] = 0;
      if (is_visible (self, value) &&
          !show_as_it_is (self, value, self->plan->constants[value], FALSE, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_run_begin_watch (SymRun *self, GError **error)
{
  guint n = sym_model_get_n_calls (sym_plan_get_model (self->plan));

  if (self->watch == NULL)
    return TRUE;
  if (self->call_milliseconds == NULL)
    self->call_milliseconds = g_new (double, n + 1);
  for (guint i = 0; i < n; i++)
    self->call_milliseconds[i] = -1;
  return show_folded (self, error);
}
