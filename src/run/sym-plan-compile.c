/* SPDX-License-Identifier: MIT */
#include "run/sym-dense-private.h"
#include "run/sym-plan-graph-private.h"
#include "run/sym-region-private.h"

/* Constant calls become constants, and runs of calls that are understood become one step each. */

typedef struct {
  SymPlan *plan;
  const SymPlanOptions *options;
  SymPacker *packer;
  SymPlanStep *steps; /* the new ones */
  guint n;
  guint *numbers; /* of each old step its new one, SYM_PLAN_FOREVER for none */
} Compile;

static void
clear_step (SymPlanStep *step)
{
  g_free (step->bodies);
  g_free (step->obstacle);
}

static guint
fold_step (Compile *self, guint i)
{
  SymPlanStep *step = &self->plan->steps[i];

  if (!sym_plan_fold_step (self->plan, self->options->inference, step))
    return 0;
  self->numbers[i] = SYM_PLAN_FOREVER;
  clear_step (step);
  return 1;
}

/* ---- Doubts ---- */

/* Compiled steps trust the types that were found: what comes of a contradiction is computed call by
 * call, each of which looks at what it gets. */
static void
find_doubts (SymPlan *plan, const SymInference *inference)
{
  for (guint i = 0; i < plan->n_steps; i++)
    {
      const SymPlanStep *step = &plan->steps[i];
      gboolean is_doubted = sym_inference_contradicts (inference, step->call);

      for (guint j = 0; !is_doubted && j < step->operands.n; j++)
        is_doubted = step->operands.ids[j] != SYM_NO_ID && plan->doubted[step->operands.ids[j]];
      for (guint j = 0; is_doubted && j < step->results.n; j++)
        if (step->results.ids[j] != SYM_NO_ID)
          plan->doubted[step->results.ids[j]] = TRUE;
    }
}

/* ---- Regions ---- */

/* Appends calls as long as they are understood; returns how many. */
static guint
read_calls (const Compile *self, SymPlanGraph *graph, guint first)
{
  guint n = 0;

  while (first + n < self->plan->n_steps && !sym_packer_is_cancelled (self->packer) &&
         self->plan->steps[first + n].n_bodies == 0 &&
         sym_plan_graph_read_call (graph, self->plan->steps[first + n].call))
    n++;
  return n;
}

/* Views alone are as quick by the kernels. */
static gboolean
is_worth_it (const SymPlanGraph *graph)
{
  for (guint i = 0; i < graph->ops->len; i++)
    if (sym_plan_graph_get_op (graph, i)->kind != SYM_PLAN_VIEW)
      return TRUE;
  return FALSE;
}

/* What later steps or the caller need, and what is shown. */
static void
mark_outputs (const Compile *self, SymPlanGraph *graph, guint end)
{
  for (guint i = 0; i < graph->tensors->len; i++)
    {
      SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, i);

      if (!tensor->is_made || tensor->value == SYM_NO_ID)
        continue;
      tensor->is_output = self->plan->last_uses[tensor->value] >= end;
      tensor->is_watched = self->plan->watched[tensor->value];
    }
}

void
sym_plan_fix_constants (SymPlan *plan, const SymPlanGraph *graph)
{
  for (guint i = 0; i < graph->tensors->len; i++)
    {
      const SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, i);

      if (tensor->constant != NULL && tensor->value != SYM_NO_ID)
        plan->fixed[tensor->value] = TRUE;
    }
  for (guint i = 0; i < graph->fixed->len; i++)
    plan->fixed[g_array_index (graph->fixed, SymId, i)] = TRUE;
}

/* Puts one step in place of @n from @first on. */
static void
replace (Compile *self, guint first, guint n, SymRegion *region)
{
  SymPlanStep *step = &self->steps[self->n];

  *step = (SymPlanStep){ .region = region,
                         .layer = self->plan->steps[first + n - 1].layer,
                         .running_body = -1,
                         .n_calls = n };
  step->calls = g_new (SymId, n);
  step->operands = sym_region_get_inputs (region);
  step->results = sym_region_get_outputs (region);
  step->bodies = g_new0 (SymPlan *, 1);
  self->plan->n_weight_bytes += sym_region_get_n_weight_bytes (region);
  for (guint i = 0; i < n; i++)
    {
      step->calls[i] = self->plan->steps[first + i].call;
      self->numbers[first + i] = self->n;
      clear_step (&self->plan->steps[first + i]);
    }
  step->call = step->calls[n - 1];
  self->n++;
}

static guint
compile_region (Compile *self, guint first)
{
  g_autoptr (SymPlanGraph) graph = sym_plan_graph_new (self->plan, self->options->inference);
  guint n = read_calls (self, graph, first);
  const SymPlanGraph *read = graph;
  SymStepOptions options = { .processor = sym_processor_get (),
                             .n_threads = self->plan->n_threads,
                             .is_exact = self->options->is_exact,
                             .packer = self->packer };
  SymRegion *region;

  if (n == 0 || !is_worth_it (graph))
    return 0;
  mark_outputs (self, graph, first + n);
  region = sym_region_new (g_steal_pointer (&graph), &options);
  sym_plan_fix_constants (self->plan, read);
  replace (self, first, n, region);
  return n;
}

/* ---- The plan ---- */

/* Uses and makers by the new numbers.  A value whose last use was folded is not needed later. */
static void
renumber (const Compile *self)
{
  SymPlan *plan = self->plan;

  for (guint i = 0; i < sym_model_get_n_values (plan->model); i++)
    {
      if (plan->makers[i] != SYM_PLAN_FOREVER)
        plan->makers[i] = self->numbers[plan->makers[i]];
      if (plan->last_uses[i] != SYM_PLAN_FOREVER && plan->last_uses[i] < plan->n_steps &&
          self->numbers[plan->last_uses[i]] != SYM_PLAN_FOREVER)
        plan->last_uses[i] = self->numbers[plan->last_uses[i]];
    }
}

/* The numbers that only compiled steps needed. */
static void
let_go (SymPlan *plan)
{
  g_autofree gboolean *needed = g_new0 (gboolean, sym_model_get_n_values (plan->model) + 1);

  for (guint i = 0; i < plan->n_steps; i++)
    for (guint j = 0; plan->steps[i].region == NULL && j < plan->steps[i].operands.n; j++)
      if (plan->steps[i].operands.ids[j] != SYM_NO_ID)
        needed[plan->steps[i].operands.ids[j]] = TRUE;
  for (guint i = 0; i < sym_model_get_n_values (plan->model); i++)
    {
      const SymArray *array =
          plan->constants[i] == NULL ? NULL : sym_datum_get_array (plan->constants[i]);

      if (!plan->fixed[i] || needed[i] || plan->watched[i] ||
          plan->last_uses[i] == SYM_PLAN_FOREVER || array == NULL)
        continue;
      plan->n_weight_bytes -= sym_array_get_n_bytes (array);
      g_clear_pointer (&plan->constants[i], sym_datum_unref);
    }
}

/* ---- Rows that are not counted yet ---- */

static void
compile_dense (SymPlan *plan, const SymPlanOptions *options, SymPacker *packer)
{
  for (guint i = 0; i < plan->n_steps; i++)
    {
      SymPlanStep *step = &plan->steps[i];

      if (step->region != NULL || step->n_bodies > 0 || step->results.n != 1 ||
          plan->doubted[step->results.ids[0]])
        continue;
      step->dense = sym_dense_new (plan, options->inference, step->call, packer);
      if (step->dense == NULL)
        continue;
      plan->n_weight_bytes += sym_dense_get_n_bytes (step->dense);
      for (guint j = 1; j < step->operands.n; j++)
        if (step->operands.ids[j] != SYM_NO_ID)
          plan->fixed[step->operands.ids[j]] = TRUE;
      step->operands.n = 1;
    }
}

/* Whether a call can be read at all, whatever is around it. */
static void
group_steps (SymPlan *plan, const SymPlanOptions *options)
{
  g_autoptr (SymPlanGraph) graph = sym_plan_graph_new (plan, options->inference);
  g_autofree gboolean *is_understood = g_new0 (gboolean, plan->n_steps + 1);

  for (guint i = 0; i < plan->n_steps; i++)
    is_understood[i] =
        plan->steps[i].n_bodies == 0 && sym_plan_graph_read_call (graph, plan->steps[i].call);
  sym_plan_order_steps (plan, is_understood);
}

/* @visit makes new steps of what begins with step @first and returns how many that are, 0 to leave
 * it as it is. */
static void
rewrite (SymPlan *plan,
         const SymPlanOptions *options,
         SymPacker *packer,
         guint (*visit) (Compile *compile, guint first))
{
  g_autofree guint *numbers = g_new (guint, plan->n_steps + 1);
  Compile self = { plan, options, packer, g_new0 (SymPlanStep, plan->n_steps + 1), 0, numbers };
  guint n;

  for (guint i = 0; i < plan->n_steps; i += MAX (n, 1))
    {
      n = sym_packer_is_cancelled (packer) ? 0 : visit (&self, i);
      if (n > 0)
        continue;
      numbers[i] = self.n;
      self.steps[self.n++] = plan->steps[i];
    }
  renumber (&self);
  g_free (plan->steps);
  plan->steps = self.steps;
  plan->n_steps = self.n;
}

gboolean
sym_plan_compile (SymPlan *plan,
                  const SymPlanOptions *options,
                  GCancellable *cancellable,
                  GError **error)
{
  g_auto (SymPacker) packer = { .n_threads = plan->n_threads, .cancellable = cancellable };

  plan->doubted = g_new0 (gboolean, sym_model_get_n_values (plan->model) + 1);
  find_doubts (plan, options->inference);
  rewrite (plan, options, &packer, fold_step);
  group_steps (plan, options);
  rewrite (plan, options, &packer, compile_region);
  sym_plan_late_settle_all (plan, cancellable);
  sym_plan_late_clear (plan);
  sym_plan_compile_open (plan, options, &packer);
  compile_dense (plan, options, &packer);
  let_go (plan);
  if (plan->area != NULL)
    sym_memory_area_trim (plan->area);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
