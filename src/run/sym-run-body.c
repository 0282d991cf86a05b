/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "run/sym-plan-private.h"
#include "run/sym-run-private.h"

/* Bodies of layers.  What a body is handed is known only when it runs, so it first runs as its file
 * has it.  Where it comes again with operands of the same types, as that of a loop does, it is
 * planned and compiled for these, with the numbers of what it takes from around as they are. */

/* Operands whose types are others each time are not worth a plan each time. */
#define MAX_PLANS 8

struct _SymRunBody {
  SymRun *plain;         /* runs whatever comes */
  SymRun *compiled;      /* for operands of @types; NULL for none */
  SymType *types, *last; /* of each operand; those of the run before */
  SymDatum **fixed;      /* of each operand its numbers where they went into the plan, else NULL */
  guint n;               /* operands */
  guint n_plans;
};

/* ---- Operands ---- */

/* Nothing is told of what is no tensor. */
static SymType
get_type (SymDatum *datum)
{
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  return array == NULL ? SYM_TYPE_UNKNOWN : sym_type_tensor (array->dtype, array->shape);
}

static gboolean
is_of_type (SymDatum *datum, const SymType *type)
{
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  if (array == NULL)
    return datum != NULL && type->kind != SYM_KIND_TENSOR;
  return type->kind == SYM_KIND_TENSOR && array->dtype == type->dtype &&
         sym_shape_equal (&array->shape, &type->shape);
}

static gboolean
are_of_types (SymDatum *const *inputs, const SymType *types, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!is_of_type (inputs[i], &types[i]))
      return FALSE;
  return TRUE;
}

static gboolean
fits (const SymRunBody *self, SymDatum *const *inputs)
{
  for (guint i = 0; i < self->n; i++)
    if (self->fixed[i] != NULL ? inputs[i] != self->fixed[i]
                               : !is_of_type (inputs[i], &self->types[i]))
      return FALSE;
  return TRUE;
}

/* Which operand of the step becomes input @i of the body each time; -1 for none. */
static int
find_operand (const SymPlanStep *step, guint body, guint i, guint n)
{
  guint n_captures = sym_layer_get_body_captures (step->layer, body);
  guint first = step->operands.n - sym_layer_get_n_captures (step->layer);

  if (step->running_body == (int) body && n_captures == 0)
    return i < step->operands.n ? (int) i : -1;
  if (i + n_captures < n)
    return -1;
  for (guint j = 0; j < body; j++)
    first += sym_layer_get_body_captures (step->layer, j);
  return (int) (first + i + n_captures - n);
}

/* The numbers of input @i that are the same in every run; NULL for none. */
static SymDatum *
find_fixed (const SymRunStep *step, guint body, guint i, guint n, SymDatum *input)
{
  const SymPlan *plan = step->run->plan;
  const SymPlanStep *from = &plan->steps[step->step];
  int operand = find_operand (from, body, i, n);
  SymId value = operand < 0 ? SYM_NO_ID : from->operands.ids[operand];

  return value != SYM_NO_ID && plan->constants[value] == input ? input : NULL;
}

/* ---- Compiling ---- */

static void
forget_compiled (SymRunBody *self)
{
  g_clear_pointer (&self->compiled, sym_run_free);
  for (guint i = 0; self->fixed != NULL && i < self->n; i++)
    g_clear_pointer (&self->fixed[i], sym_datum_unref);
}

static SymPlan *
new_plan (const SymRunStep *step,
          const SymRunBody *self,
          SymModel *model,
          const SymFeed *numbers,
          guint n_numbers,
          GError **error)
{
  SymIds formal = sym_model_get_inputs (model);
  g_autofree SymOverride *overrides = g_new0 (SymOverride, self->n + 1);
  g_autoptr (SymInference) inference = NULL;
  SymPlanOptions options = { .numbers = numbers,
                             .n_numbers = n_numbers,
                             .n_threads = step->run->plan->n_threads,
                             .is_exact = step->run->plan->is_exact };
  guint n_overrides = 0;

  for (guint i = 0; i < self->n; i++)
    if (self->types[i].kind == SYM_KIND_TENSOR)
      overrides[n_overrides++] = (SymOverride){ .value = formal.ids[i],
                                                .has_shape = TRUE,
                                                .shape = self->types[i].shape,
                                                .has_dtype = TRUE,
                                                .dtype = self->types[i].dtype };
  inference = sym_infer (model, overrides, n_overrides, step->run->cancellable, error);
  if (inference == NULL || sym_problems_get_n (sym_inference_get_problems (inference)) > 0)
    return NULL;
  options.inference = inference;
  return sym_plan_new (model, &options, step->run->cancellable, error);
}

/* FALSE only when the run was cancelled: what cannot be planned runs as it is. */
static gboolean
compile (SymRunStep *step, SymRunBody *self, guint body, SymDatum *const *inputs, GError **error)
{
  SymModel *model = step->run->plan->steps[step->step].bodies[body]->model;
  g_autofree SymFeed *numbers = g_new (SymFeed, self->n + 1);
  g_autoptr (GError) local = NULL;
  g_autoptr (SymPlan) plan = NULL;
  guint n_numbers = 0;

  forget_compiled (self);
  self->n_plans++;
  for (guint i = 0; i < self->n; i++)
    {
      SymDatum *fixed = find_fixed (step, body, i, self->n, inputs[i]);

      self->types[i] = get_type (inputs[i]);
      if (fixed == NULL)
        continue;
      self->fixed[i] = sym_datum_ref (fixed);
      numbers[n_numbers++] = (SymFeed){ sym_model_get_inputs (model).ids[i], fixed };
    }
  plan = new_plan (step, self, model, numbers, n_numbers, &local);
  if (plan != NULL)
    self->compiled = sym_run_new (plan);
  if (local == NULL || !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- Running ---- */

static SymRunBody *
need_body (SymRunStep *step, guint body)
{
  SymPlan *plan = step->run->plan->steps[step->step].bodies[body];
  SymRunBody *self = step->bodies[body];

  if (self != NULL)
    return self;
  self = step->bodies[body] = g_new0 (SymRunBody, 1);
  self->n = sym_model_get_inputs (plan->model).n;
  self->types = g_new0 (SymType, self->n + 1);
  self->last = g_new0 (SymType, self->n + 1);
  self->fixed = g_new0 (SymDatum *, self->n + 1);
  return self;
}

/* The run for such operands; NULL when it was cancelled.  Whoever watches a body sees all of it. */
static SymRun *
choose_run (SymRunStep *step, guint body, SymDatum *const *inputs, guint n, GError **error)
{
  SymRunBody *self = need_body (step, body);
  gboolean is_known = self->plain != NULL;

  if (self->plain == NULL)
    self->plain = sym_run_new (step->run->plan->steps[step->step].bodies[body]);
  if (!step->run->compiles_bodies || n != self->n || step->run->body_watch.show != NULL)
    return self->plain;
  if (self->compiled != NULL && fits (self, inputs))
    return self->compiled;
  if (is_known && self->n_plans < MAX_PLANS && are_of_types (inputs, self->last, n) &&
      !compile (step, self, body, inputs, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    self->last[i] = get_type (inputs[i]);
  return self->compiled != NULL && fits (self, inputs) ? self->compiled : self->plain;
}

/* Compiled steps of all bodies are run by the same threads. */
static void
lend_threads (SymRun *self, SymRun *inner)
{
  if (inner->threads == NULL && inner->plan->n_threads > 1)
    {
      inner->threads = sym_run_need_threads (self);
      inner->borrows_threads = TRUE;
    }
}

gboolean
sym_run_execute_body (gpointer user_data,
                      guint body,
                      SymDatum *const *inputs,
                      guint n_inputs,
                      SymDatum **outputs,
                      guint n_outputs,
                      GError **error)
{
  SymRunStep *step = user_data;
  SymModel *model = step->run->plan->steps[step->step].bodies[body]->model;
  SymIds formal = sym_model_get_inputs (model), results = sym_model_get_outputs (model);
  const SymRunBody *self;
  gboolean done;
  SymRun *run;

  if (n_inputs > formal.n || n_outputs > results.n)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "the body takes %u values and makes %u; %u and %u were asked for", formal.n,
                   results.n, n_inputs, n_outputs);
      return FALSE;
    }
  run = choose_run (step, body, inputs, n_inputs, error);
  if (run == NULL)
    return FALSE;
  self = step->bodies[body];
  run->seed = step->host.seed;
  run->compiles_bodies = step->run->compiles_bodies;
  if (step->run->lack != NULL)
    run->lack = step->run->lack;
  lend_threads (step->run, run);
  /* A body takes whatever its layer hands it: what it declares is often not kept to the letter, and
   * kernels look for themselves. */
  for (guint i = 0; i < n_inputs; i++)
    if (run == self->plain || self->fixed[i] == NULL)
      sym_run_lend (run, formal.ids[i], inputs[i]);
  sym_run_begin_body (step->run, step->step, body, run);
  done = sym_run_execute (run, step->run->cancellable, error);
  sym_run_end_body (step->run, run);
  for (guint i = 0; done && i < n_outputs; i++)
    outputs[i] = sym_datum_ref (sym_run_get (run, results.ids[i]));
  return done;
}

gboolean
sym_run_body_is_compiled (const SymRunBody *self)
{
  return self->compiled != NULL;
}

guint64
sym_run_body_get_n_bytes (const SymRunBody *self)
{
  return (self->plain == NULL ? 0 : sym_run_get_n_bytes (self->plain)) +
         (self->compiled == NULL ? 0 : sym_run_get_n_bytes (self->compiled));
}

void
sym_run_body_free (SymRunBody *self)
{
  forget_compiled (self);
  g_clear_pointer (&self->plain, sym_run_free);
  g_free (self->types);
  g_free (self->last);
  g_free (self->fixed);
  g_free (self);
}
