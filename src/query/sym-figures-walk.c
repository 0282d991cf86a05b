/* SPDX-License-Identifier: MIT */
#include "query/sym-figures-private.h"

/* How many calls are counted before looking whether that is still wanted. */
#define STRIDE 512

#define MAX_LEVELS 32
#define MAX_CALLS 4000000

/* The last call of each value, by its place in the order of execution. */
enum {
  NOT_THERE = -1,  /* not made yet, or gone again */
  TO_THE_END = -2, /* an output of the model */
};

typedef struct {
  const SymInference *inference;
  const SymModel *model;
  gint32 *last_uses; /* by value */
  guint8 *is_there;  /* by value */
  SymCount now, peak;
  gboolean knows_inputs;    /* the sizes of all */
  guint n_results, n_known; /* of those the sizes of which are known */
} Memory;

static gboolean
is_data (const SymModel *model, SymId value)
{
  return sym_role_is_data (sym_model_get_role (model, value));
}

static void
find_last_uses (Memory *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  SymIds outputs = sym_model_get_outputs (self->model);
  guint n = sym_model_get_n_values (self->model);

  self->last_uses = g_new (gint32, n + 1);
  self->is_there = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    self->last_uses[i] = NOT_THERE;
  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (self->model, order.ids[i]);

      for (guint k = 0; k < operands.n; k++)
        if (operands.ids[k] != SYM_NO_ID)
          self->last_uses[operands.ids[k]] = (gint32) i;
    }
  for (guint i = 0; i < outputs.n; i++)
    self->last_uses[outputs.ids[i]] = TO_THE_END;
}

static void
put (Memory *self, SymId value)
{
  if (self->is_there[value] || !is_data (self->model, value))
    return;
  self->is_there[value] = TRUE;
  sym_count_add (&self->now, sym_figures_count_bytes (self->inference, value));
}

static void
drop (Memory *self, SymId value)
{
  if (!self->is_there[value])
    return;
  self->is_there[value] = FALSE;
  self->now.n -= MIN (self->now.n, sym_figures_count_bytes (self->inference, value).n);
}

static void
put_inputs (Memory *self)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < inputs.n; i++)
    if (self->last_uses[inputs.ids[i]] != NOT_THERE)
      put (self, inputs.ids[i]);
}

/* @inner is what there is within the call at a time, its results among it. */
static void
run_call (Memory *self, SymId call, gint32 place, SymCount inner)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds results = sym_model_get_results (self->model, call);
  SymCount within = self->now;

  sym_count_add (&within, inner);
  for (guint i = 0; i < results.n; i++)
    {
      put (self, results.ids[i]);
      self->n_results++;
      self->n_known += sym_figures_count_bytes (self->inference, results.ids[i]).known;
    }
  self->peak.n = MAX (self->peak.n, MAX (within.n, self->now.n));
  self->peak.known &= within.known && self->now.known;
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && self->last_uses[operands.ids[i]] == place)
      drop (self, operands.ids[i]);
  for (guint i = 0; i < results.n; i++)
    if (self->last_uses[results.ids[i]] == NOT_THERE)
      drop (self, results.ids[i]);
}

SymMeasure
sym_figures_measure (SymFigureWalk *self,
                     const SymInference *inference,
                     gboolean with_inputs,
                     SymCount *counts)
{
  Memory memory = { .inference = inference,
                    .model = sym_inference_get_model (inference),
                    .now = { 0, TRUE },
                    .peak = { 0, TRUE } };
  SymIds order = sym_model_get_execution_order (memory.model);
  SymMeasure all = { .multiply_adds = { 0, TRUE } };

  find_last_uses (&memory);
  if (with_inputs)
    put_inputs (&memory);
  memory.peak = memory.now;
  memory.knows_inputs = memory.now.known;
  for (guint i = 0; i < order.n; i++)
    {
      SymMeasure one;

      if (i % STRIDE == 0 && g_cancellable_is_cancelled (self->cancellable))
        break;
      one = sym_figures_measure_call (self, inference, order.ids[i]);
      self->n_calls += self->level > 0;
      sym_count_add (&all.multiply_adds, one.multiply_adds);
      run_call (&memory, order.ids[i], (gint32) i, one.peak_bytes);
      if (counts != NULL)
        counts[order.ids[i]] = one.multiply_adds;
    }
  if (!memory.knows_inputs && memory.n_known < memory.n_results - memory.n_known)
    memory.peak.n = 0; /* a label's four bytes, or an axis', are no bound that tells anything */
  all.peak_bytes = memory.peak;
  g_free (memory.last_uses);
  g_free (memory.is_there);
  return all;
}

gboolean
sym_figures_may_enter (const SymFigureWalk *self)
{
  return self->level < MAX_LEVELS && self->n_calls < MAX_CALLS;
}

SymMeasure
sym_figures_measure_inner (SymFigureWalk *self, const SymInference *inference)
{
  SymMeasure measure;

  self->level++;
  measure = sym_figures_measure (self, inference, FALSE, NULL);
  self->level--;
  return measure;
}
