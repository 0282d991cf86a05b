/* SPDX-License-Identifier: MIT */
#include "run/sym-run.h"

#include "core/sym-error.h"
#include "core/sym-problem-lack.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"
#include "run/sym-clock-private.h"
#include "run/sym-dense-private.h"
#include "run/sym-lowered-private.h"
#include "run/sym-plan-private.h"
#include "run/sym-run-private.h"

/* What is known of a value; NULL for nothing, and for an empty slot. */
static SymDatum *
find_datum (const SymRun *self, SymId value)
{
  if (value == SYM_NO_ID)
    return NULL;
  return self->values[value] != NULL ? self->values[value] : self->plan->constants[value];
}

static void
feed (SymRun *self, SymId value, SymDatum *datum)
{
  if (datum != NULL)
    sym_datum_ref (datum);
  g_clear_pointer (&self->values[value], sym_datum_unref);
  self->values[value] = datum;
  self->fed[value] = datum != NULL;
}

/* ---- Making ---- */

SymRun *
sym_run_new_within (SymPlan *plan, SymDatumPool *pool)
{
  SymRun *self;
  guint n;

  g_return_val_if_fail (plan != NULL, NULL);

  self = g_new0 (SymRun, 1);
  n = sym_model_get_n_values (plan->model);
  self->plan = sym_plan_ref (plan);
  self->values = g_new0 (SymDatum *, n + 1);
  self->fed = g_new0 (gboolean, n + 1);
  self->causes = g_new0 (guint, n + 1);
  self->steps = g_new0 (SymRunStep, plan->n_steps + 1);
  self->owns_pool = pool == NULL;
  self->compiles_bodies = plan->is_compiled;
  self->lack = sym_problems_get_lack (sym_model_get_problems (plan->model));
  self->pool = pool == NULL ? sym_datum_pool_new () : pool;
  for (guint i = 0; i < plan->n_steps; i++)
    {
      self->steps[i].run = self;
      self->steps[i].step = i;
      self->steps[i].bodies = g_new0 (SymRunBody *, plan->steps[i].n_bodies + 1);
      self->steps[i].slots =
          g_new0 (SymDatum *, plan->steps[i].operands.n + plan->steps[i].results.n + 1);
    }
  return self;
}

SymRun *
sym_run_new (SymPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);

  return sym_run_new_within (plan, NULL);
}

static void
clear_step (SymRunStep *step, guint n_bodies)
{
  g_clear_pointer (&step->kernel, sym_kernel_free);
  g_clear_pointer (&step->lowered, sym_lowered_free);
  g_clear_pointer (&step->region, sym_region_run_free);
  for (guint i = 0; i < n_bodies; i++)
    g_clear_pointer (&step->bodies[i], sym_run_body_free);
  g_free (step->bodies);
  g_free (step->slots);
  g_free (step->failure);
}

void
sym_run_free (SymRun *self)
{
  guint n;

  g_return_if_fail (self != NULL);

  n = sym_model_get_n_values (self->plan->model);
  for (guint i = 0; i < self->plan->n_steps; i++)
    clear_step (&self->steps[i], self->plan->steps[i].n_bodies);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&self->values[i], sym_datum_unref);
  if (!self->borrows_threads)
    g_clear_pointer (&self->threads, sym_threads_free);
  if (self->owns_pool)
    sym_datum_pool_free (self->pool);
  g_free (self->values);
  g_free (self->fed);
  g_free (self->causes);
  g_free (self->steps);
  g_free (self->call_milliseconds);
  g_free (self->path);
  sym_plan_unref (self->plan);
  g_free (self);
}

SymPlan *
sym_run_get_plan (const SymRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->plan;
}

/* ---- Feeding ---- */

gboolean
sym_run_feed (SymRun *self, SymId value, SymDatum *datum, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (sym_model_has_value (self->plan->model, value), FALSE);

  if (datum != NULL && !sym_plan_check_feed (self->plan, value, datum, error))
    return FALSE;
  feed (self, value, datum);
  return TRUE;
}

void
sym_run_set_seed (SymRun *self, guint64 seed)
{
  g_return_if_fail (self != NULL);

  self->seed = seed;
}

/* ---- One step ---- */

/* The first operand that should be there and is not; SYM_NO_ID for none. */
static SymId
find_missing (const SymRun *self, const SymPlanStep *step)
{
  const SymOperator *op = step->region == NULL ? sym_layer_get_operator (step->layer) : NULL;
  SymIds operands = step->operands;

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && find_datum (self, operands.ids[i]) == NULL &&
        sym_op_needs_operand (op, i))
      return operands.ids[i];
  return SYM_NO_ID;
}

static char *
explain_missing (const SymRun *self, SymId value)
{
  const char *name = sym_model_get_value_name (self->plan->model, value);
  const char *lack = sym_model_get_lack (self->plan->model, value);

  if (lack == NULL)
    lack = self->lack;
  if (self->plan->obstacles[value] != NULL)
    return g_strdup_printf ("the numbers of “%s” cannot be read: %s", name,
                            self->plan->obstacles[value]);
  if (sym_model_get_role (self->plan->model, value) == SYM_ROLE_INPUT)
    return g_strdup_printf ("the input “%s” was not given", name);
  return lack == NULL ? g_strdup_printf ("the file has no numbers for “%s”", name)
                      : g_strdup_printf ("the file has no numbers for “%s”: %s", name, lack);
}

/* Marks the results of a step as missing.  What is to blame is where the trouble began. */
static void
fail (SymRun *self, guint i, SymId missing)
{
  SymIds results = self->plan->steps[i].results;
  guint cause = i;

  if (missing != SYM_NO_ID && self->plan->makers[missing] != SYM_PLAN_FOREVER)
    cause = self->causes[missing];
  for (guint j = 0; j < results.n; j++)
    self->causes[results.ids[j]] = cause;
}

static guint64
make_seed (const SymRun *self, const SymRunStep *step)
{
  return self->seed * 0x9e3779b97f4a7c15u + self->plan->steps[step->step].call + 1;
}

/* Results of a step that is not @done are dropped, as are those of what is fed.  Returns @done. */
static gboolean
take_results (SymRun *self, SymIds results, SymDatum **outputs, gboolean done)
{
  for (guint i = 0; i < results.n; i++)
    if (!done || self->fed[results.ids[i]])
      sym_datum_pool_give (self->pool, &outputs[i]);
    else
      {
        g_clear_pointer (&self->values[results.ids[i]], sym_datum_unref);
        self->values[results.ids[i]] = outputs[i];
      }
  return done;
}

/* Fills the slots of a step's operands, and empties those of its results, which it returns. */
static SymDatum **
fill_slots (const SymRun *self, SymRunStep *step, SymIds operands, SymIds results)
{
  for (guint i = 0; i < operands.n; i++)
    step->slots[i] = find_datum (self, operands.ids[i]);
  for (guint i = 0; i < results.n; i++)
    step->slots[operands.n + i] = NULL;
  return step->slots + operands.n;
}

static gboolean
run_kernel (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  SymLayer *layer = self->plan->steps[step->step].layer;
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);
  gboolean done;

  step->host.run_body = sym_run_execute_body;
  step->host.user_data = step;
  step->host.pool = self->pool;
  step->host.cancellable = self->cancellable;
  step->host.seed = make_seed (self, step);
  if (step->kernel == NULL)
    step->kernel = sym_kernel_new (layer, &step->host);
  done = sym_kernel_run (step->kernel, inputs, operands.n, outputs, results.n, NULL, error);
  return take_results (self, results, outputs, done);
}

static gboolean
run_as_body (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  guint body = (guint) self->plan->steps[step->step].running_body;
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);
  gboolean done;

  step->host.seed = make_seed (self, step);
  done = sym_run_execute_body (step, body, inputs, operands.n, outputs, results.n, error);
  return take_results (self, results, outputs, done);
}

static gboolean
run_lowered (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  SymLayer *layer = self->plan->steps[step->step].layer;
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);
  gboolean done;

  if (step->lowered == NULL)
    step->lowered = sym_lowered_new (layer, self->pool);
  done = sym_lowered_execute (step->lowered, inputs, operands.n, outputs, results.n,
                              make_seed (self, step), self->cancellable, error);
  return take_results (self, results, outputs, done);
}

static gboolean
run_function (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  const SymPlanStep *plan = &self->plan->steps[step->step];
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);
  const SymHostCall call = { sym_model_get_arguments (self->plan->model, plan->call), inputs,
                             operands.n, self->cancellable };
  gboolean done;

  done = sym_run_call_function (sym_layer_get_function (plan->layer), &call, outputs, results.n,
                                error);
  return take_results (self, results, outputs, done);
}

SymThreads *
sym_run_need_threads (SymRun *self)
{
  if (self->threads == NULL && self->plan->n_threads > 1)
    self->threads = sym_threads_new (self->plan->n_threads);
  return self->threads;
}

static gboolean
run_region (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  const SymRegion *region = self->plan->steps[step->step].region;
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);
  const SymRegionWatch watch = sym_run_get_region_watch (self);
  gboolean done;

  if (step->region == NULL)
    step->region = sym_region_run_new (region, sym_run_need_threads (self), error);
  if (step->region == NULL)
    return FALSE;
  done = sym_region_run_execute (step->region, inputs, outputs, self->pool,
                                 self->watch == NULL ? NULL : &watch, self->cancellable, error);
  return take_results (self, results, outputs, done);
}

static gboolean
run_dense (SymRun *self, SymRunStep *step, SymIds operands, SymIds results, GError **error)
{
  SymDatum **inputs = step->slots, **outputs = fill_slots (self, step, operands, results);

  return take_results (self, results, outputs,
                       sym_dense_run (self->plan->steps[step->step].dense, inputs[0], outputs,
                                      self->pool, sym_run_need_threads (self), self->cancellable,
                                      error));
}

static void
release (SymRun *self, SymIds ids, guint i)
{
  for (guint j = 0; j < ids.n; j++)
    if (ids.ids[j] != SYM_NO_ID && self->plan->last_uses[ids.ids[j]] == i && !self->fed[ids.ids[j]])
      sym_datum_pool_give (self->pool, &self->values[ids.ids[j]]);
}

static gboolean
all_fed (const SymRun *self, SymIds results)
{
  for (guint i = 0; i < results.n; i++)
    if (!self->fed[results.ids[i]])
      return FALSE;
  return results.n > 0;
}

static void
blame (SymRunStep *step, char *take_failure, GQuark domain, int code)
{
  step->failure = take_failure;
  step->domain = domain;
  step->code = code;
}

/* A cancelled run is the one failure that ends it. */
static gboolean
run_step (SymRun *self, guint i, GError **error)
{
  const SymPlanStep *plan = &self->plan->steps[i];
  SymIds operands = plan->operands, results = plan->results;
  SymId missing = find_missing (self, plan);
  SymRunStep *step = &self->steps[i];
  double start = sym_clock_get_milliseconds ();
  g_autoptr (GError) local = NULL;
  gboolean done = FALSE;

  if (all_fed (self, results))
    return TRUE;
  if (missing != SYM_NO_ID)
    blame (step, explain_missing (self, missing), SYM_ERROR, SYM_ERROR_ARGUMENT);
  else if (plan->obstacle != NULL)
    blame (step, g_strdup (plan->obstacle), SYM_ERROR, SYM_ERROR_UNSUPPORTED);
  else if (plan->region != NULL)
    done = run_region (self, step, operands, results, &local);
  else if (plan->dense != NULL)
    done = run_dense (self, step, operands, results, &local);
  else if (plan->running_body >= 0)
    done = run_as_body (self, step, operands, results, &local);
  else if (sym_layer_get_function (plan->layer) != NULL)
    done = run_function (self, step, operands, results, &local);
  else if (sym_op_is_lowered (sym_layer_get_operator (plan->layer)))
    done = run_lowered (self, step, operands, results, &local);
  else
    done = run_kernel (self, step, operands, results, &local);
  step->milliseconds = sym_clock_get_milliseconds () - start;
  if (local != NULL && g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (local != NULL)
    blame (step, g_strdup (local->message), local->domain, local->code);
  if (!done)
    fail (self, i, missing);
  else if (!sym_run_show_results (self, i, error))
    return FALSE;
  release (self, operands, i);
  release (self, results, i);
  return TRUE;
}

/* ---- The whole ---- */

static void
forget (SymRun *self)
{
  guint n = sym_model_get_n_values (self->plan->model);

  for (guint i = 0; i < n; i++)
    if (!self->fed[i])
      sym_datum_pool_give (self->pool, &self->values[i]);
  for (guint i = 0; i < self->plan->n_steps; i++)
    {
      g_clear_pointer (&self->steps[i].failure, g_free);
      self->steps[i].milliseconds = 0;
    }
}

/* A call without a name is known by its first result. */
static const char *
name_call (const SymModel *model, SymId call)
{
  const char *name = sym_model_get_call_name (model, call);
  SymIds results = sym_model_get_results (model, call);

  if ((name != NULL && *name != '\0') || results.n == 0)
    return name;
  return sym_model_get_value_name (model, results.ids[0]);
}

/* Says why a wanted value is not there. */
static gboolean
tell (const SymRun *self, SymId value, GError **error)
{
  const SymPlanStep *plan;
  const SymRunStep *step;
  guint cause;

  if (self->plan->makers[value] == SYM_PLAN_FOREVER)
    {
      g_autofree char *why = explain_missing (self, value);

      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT, why);
      return FALSE;
    }
  cause = self->causes[value];
  plan = &self->plan->steps[cause];
  step = &self->steps[cause];
  if (!self->owns_pool)
    {
      g_set_error (error, step->domain, step->code, "%s: %s", sym_layer_get_type (plan->layer),
                   step->failure);
      return FALSE;
    }
  g_set_error (
      error, step->domain, step->code, "“%s” (%s): %s", name_call (self->plan->model, plan->call),
      sym_layer_get_type (sym_model_get_layer (sym_plan_get_model (self->plan), plan->call)),
      step->failure);
  return FALSE;
}

static gboolean
check_wanted (const SymRun *self, GError **error)
{
  guint n = sym_model_get_n_values (self->plan->model);

  for (SymId value = 0; value < n; value++)
    if (self->plan->last_uses[value] == SYM_PLAN_FOREVER && find_datum (self, value) == NULL)
      return tell (self, value, error);
  return TRUE;
}

gboolean
sym_run_execute (SymRun *self, GCancellable *cancellable, GError **error)
{
  gboolean done;

  g_return_val_if_fail (self != NULL, FALSE);

  self->cancellable = cancellable;
  forget (self);
  done = sym_run_begin_watch (self, error);
  for (guint i = 0; done && i < self->plan->n_steps; i++)
    done = !g_cancellable_set_error_if_cancelled (cancellable, error) && run_step (self, i, error);
  self->cancellable = NULL;
  return done && check_wanted (self, error);
}

SymDatum *
sym_run_get (const SymRun *self, SymId value)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (sym_model_has_value (self->plan->model, value), NULL);

  return find_datum (self, value);
}

SymDatum *
sym_run_take (SymRun *self, SymId value)
{
  SymDatum *datum;

  if (self->fed[value] || self->values[value] == NULL)
    return sym_datum_ref (find_datum (self, value));
  datum = self->values[value];
  self->values[value] = NULL;
  return datum;
}

void
sym_run_lend (SymRun *self, SymId value, SymDatum *datum)
{
  feed (self, value, datum);
}

guint64
sym_run_get_n_bytes (const SymRun *self)
{
  guint64 n;

  g_return_val_if_fail (self != NULL, 0);

  n = sym_datum_pool_get_n_bytes (self->pool);
  for (guint i = 0; i < sym_model_get_n_values (self->plan->model); i++)
    if (self->values[i] != NULL && !self->fed[i])
      n += sym_datum_get_n_bytes (self->values[i]);
  for (guint i = 0; i < self->plan->n_steps; i++)
    {
      if (self->steps[i].region != NULL)
        n += sym_region_get_n_arena_bytes (self->plan->steps[i].region);
      for (guint j = 0; j < self->plan->steps[i].n_bodies; j++)
        if (self->steps[i].bodies[j] != NULL)
          n += sym_run_body_get_n_bytes (self->steps[i].bodies[j]);
    }
  return n;
}

double
sym_run_get_milliseconds (const SymRun *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->plan->n_steps, 0);

  return self->steps[step].milliseconds;
}

const char *
sym_run_get_failure (const SymRun *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->plan->n_steps, NULL);

  return self->steps[step].failure;
}
