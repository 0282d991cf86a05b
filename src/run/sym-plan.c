/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-private.h"

#include "core/sym-error.h"
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"
#include "run/sym-dense-private.h"
#include "run/sym-plan-expand-private.h"
#include "run/sym-region-private.h"

#define MAX_DEPTH 64

/* Calls within bodies, each of which is planned anew where it is called, and what a plan takes
 * besides: a small file may have models within each other that are called more often than there is
 * memory. */
#define MAX_IN_BODIES (1 << 21)
#define PLAN 8

/* Where a plan is made. */
typedef struct {
  guint depth;   /* bodies around */
  guint64 *room; /* for calls within bodies, of all */
  GCancellable *cancellable;
} Around;

static SymPlan *
new_plan (SymModel *model, const SymPlanOptions *options, const Around *around, GError **error);

/* ---- What is needed ---- */

typedef struct {
  gboolean *calls, *values;
  GArray *stack; /* of SymEntry: what is yet to be followed */
} Need;

static void
push (Need *self, gboolean is_call, SymId id)
{
  gboolean *known = is_call ? self->calls : self->values;
  SymEntry entry = { is_call, id };

  if (id == SYM_NO_ID || known[id])
    return;
  known[id] = TRUE;
  g_array_append_val (self->stack, entry);
}

static void
push_wanted (Need *self, const SymModel *model, const SymPlanOptions *options)
{
  SymIds outputs = sym_model_get_outputs (model);

  for (guint i = 0; options->values == NULL && i < outputs.n; i++)
    push (self, FALSE, outputs.ids[i]);
  for (guint i = 0; options->values != NULL && i < options->n_values; i++)
    push (self, FALSE, options->values[i]);
  for (SymId value = 0; options->everything && value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_role_is_data (sym_model_get_role (model, value)))
      push (self, FALSE, value);
}

static void
follow (Need *self, const SymModel *model, SymEntry entry)
{
  SymIds operands, controls;
  const SymOperator *op;

  if (!entry.is_call)
    {
      push (self, TRUE, sym_model_get_producer (model, entry.id));
      return;
    }
  op = sym_layer_get_operator (sym_model_get_layer (model, entry.id));
  operands = sym_model_get_operands (model, entry.id);
  controls = sym_model_get_controls (model, entry.id);
  for (guint i = 0; i < operands.n; i++)
    if (sym_op_needs_operand (op, i))
      push (self, FALSE, operands.ids[i]);
  for (guint i = 0; i < controls.n; i++)
    push (self, TRUE, controls.ids[i]);
}

static void
find_needed (Need *self, const SymModel *model, const SymPlanOptions *options)
{
  push_wanted (self, model, options);
  while (self->stack->len > 0)
    {
      SymEntry entry = g_array_index (self->stack, SymEntry, self->stack->len - 1);

      g_array_set_size (self->stack, self->stack->len - 1);
      follow (self, model, entry);
    }
}

/* ---- Steps ---- */

static gboolean
plan_bodies (SymPlanStep *step, const Around *around, GError **error)
{
  SymPlanOptions options = { NULL };
  Around inside = { around->depth + 1, around->room, around->cancellable };

  step->running_body = -1;
  step->n_bodies = sym_layer_get_n_bodies (step->layer);
  step->bodies = g_new0 (SymPlan *, step->n_bodies + 1);
  for (guint i = 0; i < step->n_bodies; i++)
    {
      if (step->running_body < 0 && sym_layer_get_body_runs (step->layer, i))
        step->running_body = (int) i;
      step->bodies[i] =
          new_plan (sym_layer_get_body (step->layer, i, NULL), &options, &inside, error);
      if (step->bodies[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Why a layer cannot run, by name. */
static char *
find_obstacle (const SymPlanStep *step)
{
  const SymOperator *op = sym_layer_get_operator (step->layer);

  if (step->running_body >= 0 || (op != NULL && op->run != NULL) || sym_op_is_lowered (op))
    return NULL;
  if (sym_layer_get_function (step->layer) != NULL)
    return sym_layer_get_function (step->layer)->run != NULL
               ? NULL
               : g_strdup_printf ("the function %s belongs to another program",
                                  sym_layer_get_function (step->layer)->name);
  if (op != NULL)
    return g_strdup_printf ("%s cannot be computed: only its shapes are known",
                            sym_layer_get_type (step->layer));
  return g_strdup_printf ("nothing is known of layers of type %s",
                          sym_layer_get_type (step->layer));
}

static gboolean
is_on_cycle (const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    if (sym_model_is_back_edge (model, call, i))
      return TRUE;
  return FALSE;
}

static gboolean
add_step (SymPlan *self, SymId call, const Around *around, GError **error)
{
  SymPlanStep *step = &self->steps[self->n_steps];
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds results = sym_model_get_results (self->model, call);

  if (g_cancellable_set_error_if_cancelled (around->cancellable, error))
    return FALSE;
  if (sym_model_has_cycle (self->model) && is_on_cycle (self->model, call))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_CYCLE,
                   "“%s” needs its own results: a cycle cannot be run",
                   sym_model_get_call_name (self->model, call));
      return FALSE;
    }
  *step = (SymPlanStep){ .call = call,
                         .layer = sym_model_get_layer (self->model, call),
                         .operands = operands,
                         .results = results };
  self->n_steps++;
  if (!plan_bodies (step, around, error))
    return FALSE;
  for (guint i = 0; i < step->n_bodies; i++)
    self->n_weight_bytes += step->bodies[i]->n_weight_bytes;
  step->obstacle = find_obstacle (step);
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID)
      self->last_uses[operands.ids[i]] = self->n_steps - 1;
  for (guint i = 0; i < results.n; i++)
    {
      self->makers[results.ids[i]] = self->n_steps - 1;
      if (self->last_uses[results.ids[i]] == 0)
        self->last_uses[results.ids[i]] = self->n_steps - 1;
    }
  return TRUE;
}

/* Inputs come in the model's order. */
static void
sort_inputs (SymPlan *self)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  g_autofree gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (self->model) + 1);
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (guint i = 0; i < self->inputs->len; i++)
    needed[g_array_index (self->inputs, SymId, i)] = TRUE;
  for (guint i = 0; i < inputs.n; i++)
    if (needed[inputs.ids[i]])
      {
        needed[inputs.ids[i]] = FALSE;
        g_array_append_val (sorted, inputs.ids[i]);
      }
  for (guint i = 0; i < self->inputs->len; i++)
    if (needed[g_array_index (self->inputs, SymId, i)])
      g_array_append_val (sorted, g_array_index (self->inputs, SymId, i));
  g_array_unref (self->inputs);
  self->inputs = sorted;
}

/* What is wanted outlives all steps. */
static void
keep_wanted (SymPlan *self, const SymPlanOptions *options)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; options->values == NULL && i < outputs.n; i++)
    self->last_uses[outputs.ids[i]] = SYM_PLAN_FOREVER;
  for (guint i = 0; options->values != NULL && i < options->n_values; i++)
    self->last_uses[options->values[i]] = SYM_PLAN_FOREVER;
}

static SymPlan *
new_empty (SymModel *model)
{
  SymPlan *self = g_new0 (SymPlan, 1);
  guint n = sym_model_get_n_values (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->steps = g_new0 (SymPlanStep, sym_model_get_n_calls (model) + 1);
  self->constants = g_new0 (SymDatum *, n + 1);
  self->obstacles = g_new0 (char *, n + 1);
  self->last_uses = g_new0 (guint, n + 1);
  self->fixed = g_new0 (gboolean, n + 1);
  self->watched = g_new0 (gboolean, n + 1);
  self->folded = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->makers = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->makers[i] = SYM_PLAN_FOREVER;
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

static gboolean
fill (SymPlan *self,
      const Need *need,
      const SymPlanOptions *options,
      const Around *around,
      gboolean reads_late,
      GError **error)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n; i++)
    if (need->calls[order.ids[i]] && !add_step (self, order.ids[i], around, error))
      return FALSE;
  keep_wanted (self, options);
  for (guint i = 0; i < options->n_watched; i++)
    self->watched[options->watched[i]] = TRUE;
  if (!sym_plan_read_constants (self, need->values, options, reads_late, around->cancellable,
                                error))
    return FALSE;
  sort_inputs (self);
  return options->inference == NULL || sym_plan_compile (self, options, around->cancellable, error);
}

static SymPlan *
new_filled (SymModel *model,
            const Need *need,
            const SymPlanOptions *options,
            const Around *around,
            gboolean reads_late,
            GError **error)
{
  g_autoptr (SymPlan) self = new_empty (model);

  self->types = options->types == NULL ? NULL : sym_inference_ref (options->types);
  self->n_threads = CLAMP (options->n_threads, 1, SYM_PLAN_MAX_THREADS);
  self->is_compiled = options->inference != NULL;
  self->is_exact = options->is_exact;
  return fill (self, need, options, around, reads_late, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
take_room (const SymModel *model, const Around *around, GError **error)
{
  guint64 n = around->depth == 0 ? 0 : PLAN + sym_model_get_n_calls (model);

  if (around->depth > MAX_DEPTH)
    g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, "bodies are nested deeper than %d", MAX_DEPTH);
  else if (n > *around->room)
    g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT,
                 "models are called within each other so often that they have more than %d layers",
                 MAX_IN_BODIES);
  else
    {
      *around->room -= n;
      return TRUE;
    }
  return FALSE;
}

/* Weights that cannot be read when they are packed are looked for first, so that they are named as
 * what stops a run, and all else is compiled without them. */
static SymPlan *
new_plan (SymModel *model, const SymPlanOptions *options, const Around *around, GError **error)
{
  g_autofree gboolean *calls = g_new0 (gboolean, sym_model_get_n_calls (model) + 1);
  g_autofree gboolean *values = g_new0 (gboolean, sym_model_get_n_values (model) + 1);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (SymEntry));
  Need need = { calls, values, stack };
  g_autoptr (SymPlan) self = NULL;

  if (!take_room (model, around, error))
    return NULL;
  find_needed (&need, model, options);
  self = new_filled (model, &need, options, around, options->inference != NULL, error);
  if (self == NULL || !self->late.has_failed)
    return g_steal_pointer (&self);
  return new_filled (model, &need, options, around, FALSE, error);
}

static SymPlan *
new_outermost (SymModel *model,
               const SymPlanOptions *options,
               GCancellable *cancellable,
               GError **error)
{
  guint64 room = MAX_IN_BODIES;
  Around around = { 0, &room, cancellable };

  return new_plan (model, options, &around, error);
}

/* ---- Calls that are said in others ---- */

SymId
sym_plan_find_origin (const SymPlan *self, SymId call)
{
  guint n = sym_model_get_n_calls (sym_plan_get_model (self));

  return call < n ? call : g_array_index (self->origins, SymId, call - n);
}

/* Steps are known by calls of @model; a compiled one names each call once. */
static void
show_as (SymPlan *self, SymModel *model, const SymExpansion *expansion)
{
  g_autofree guint *seen = g_new0 (guint, sym_model_get_n_calls (model) + 1);

  self->shown = sym_model_ref (model);
  self->origins = g_array_ref (expansion->origins);
  for (guint i = 0; i < self->n_steps; i++)
    {
      SymPlanStep *step = &self->steps[i];
      guint n = 0;

      step->call = sym_plan_find_origin (self, step->call);
      for (guint j = 0; j < step->n_calls; j++)
        {
          SymId call = sym_plan_find_origin (self, step->calls[j]);

          if (seen[call] != i + 1)
            step->calls[n++] = call;
          seen[call] = i + 1;
        }
      step->n_calls = n;
    }
}

/* The data values of the model itself, not those that calls were expanded to. */
static GArray *
list_data (SymModel *model)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_role_is_data (sym_model_get_role (model, value)))
      g_array_append_val (values, value);
  return values;
}

static SymPlan *
new_compiled (SymModel *model,
              const SymPlanOptions *options,
              GCancellable *cancellable,
              GError **error)
{
  SymPlanOptions own = *options;
  g_autoptr (GArray) data = options->everything ? list_data (model) : NULL;
  gboolean widens = !options->everything && options->n_watched == 0 && !options->is_exact;
  gboolean keeps_all = options->everything || options->n_watched > 0 || options->n_values > 0;
  SymExpansion expansion;
  SymPlan *self = NULL;

  if (data != NULL)
    {
      own.watched = (const SymId *) (gpointer) data->data;
      own.n_watched = data->len;
    }
  if (sym_plan_expand (model, options->inference, widens, keeps_all, &expansion, cancellable,
                       error))
    {
      if (expansion.inference != NULL)
        own.inference = expansion.inference;
      self = new_outermost (expansion.model == NULL ? model : expansion.model, &own, cancellable,
                            error);
    }
  if (self != NULL && expansion.model != NULL)
    show_as (self, model, &expansion);
  if (self != NULL && expansion.is_settled && self->types == NULL)
    self->types = sym_inference_ref (expansion.inference);
  sym_expansion_clear (&expansion);
  return self;
}

SymPlan *
sym_plan_new (SymModel *model,
              const SymPlanOptions *options,
              GCancellable *cancellable,
              GError **error)
{
  SymPlanOptions standard = { NULL };

  g_return_val_if_fail (model != NULL, NULL);
  g_return_val_if_fail (options == NULL || options->inference == NULL ||
                            sym_inference_get_model (options->inference) == model,
                        NULL);
  g_return_val_if_fail (options == NULL || options->types == NULL ||
                            sym_inference_get_model (options->types) == model,
                        NULL);

  if (options != NULL && options->inference != NULL)
    return new_compiled (model, options, cancellable, error);
  return new_outermost (model, options == NULL ? &standard : options, cancellable, error);
}

SymPlan *
sym_plan_ref (SymPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
clear_step (SymPlanStep *step)
{
  for (guint i = 0; i < step->n_bodies; i++)
    g_clear_pointer (&step->bodies[i], sym_plan_unref);
  g_free (step->bodies);
  g_free (step->obstacle);
  g_clear_pointer (&step->region, sym_region_free);
  g_clear_pointer (&step->dense, sym_dense_free);
  g_free (step->calls);
}

void
sym_plan_unref (SymPlan *self)
{
  guint n;

  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  n = sym_model_get_n_values (self->model);
  for (guint i = 0; i < self->n_steps; i++)
    clear_step (&self->steps[i]);
  for (guint i = 0; i < n; i++)
    {
      g_clear_pointer (&self->constants[i], sym_datum_unref);
      g_free (self->obstacles[i]);
    }
  g_free (self->steps);
  g_free (self->constants);
  g_free (self->obstacles);
  g_free (self->last_uses);
  g_free (self->makers);
  g_free (self->fixed);
  g_free (self->doubted);
  g_free (self->watched);
  sym_plan_late_clear (self);
  g_clear_pointer (&self->area, sym_memory_area_unref);
  g_array_unref (self->folded);
  g_array_unref (self->inputs);
  g_clear_pointer (&self->types, sym_inference_unref);
  sym_model_unref (self->model);
  g_clear_pointer (&self->shown, sym_model_unref);
  g_clear_pointer (&self->origins, g_array_unref);
  g_free (self);
}

SymModel *
sym_plan_get_model (const SymPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->shown == NULL ? self->model : self->shown;
}

guint
sym_plan_get_n_steps (const SymPlan *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_steps;
}

SymId
sym_plan_get_call (const SymPlan *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->n_steps, SYM_NO_ID);

  return self->steps[step].call;
}

SymIds
sym_plan_get_calls (const SymPlan *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->n_steps, (SymIds){ NULL });

  if (self->steps[step].region == NULL)
    return (SymIds){ &self->steps[step].call, 1 };
  return (SymIds){ self->steps[step].calls, self->steps[step].n_calls };
}

gboolean
sym_plan_is_compiled (const SymPlan *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->n_steps, FALSE);

  return self->steps[step].region != NULL;
}

SymIds
sym_plan_get_folded (const SymPlan *self)
{
  return (SymIds){ (const SymId *) (gconstpointer) self->folded->data, self->folded->len };
}

const char *
sym_plan_get_obstacle (const SymPlan *self, guint step)
{
  g_return_val_if_fail (self != NULL && step < self->n_steps, NULL);

  return self->steps[step].obstacle;
}

gboolean
sym_plan_find_step (const SymPlan *self, SymId value, guint *step)
{
  g_return_val_if_fail (self != NULL && sym_model_has_value (self->model, value), FALSE);

  if (self->makers[value] == SYM_PLAN_FOREVER)
    return FALSE;
  *step = self->makers[value];
  return TRUE;
}

SymIds
sym_plan_get_inputs (const SymPlan *self)
{
  g_return_val_if_fail (self != NULL, (SymIds){ NULL });

  return (SymIds){ (const SymId *) (gpointer) self->inputs->data, self->inputs->len };
}

guint64
sym_plan_get_n_weight_bytes (const SymPlan *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_weight_bytes;
}
