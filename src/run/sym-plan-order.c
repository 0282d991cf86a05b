/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-private.h"

/* Steps that are compiled into one must follow each other.  So those that cannot be compiled come
 * first as long as there are any whose operands are there, then all others, and so on. */

typedef struct {
  SymPlan *plan;
  guint *steps;           /* of each call its step, SYM_PLAN_FOREVER for none */
  guint *n_missing;       /* of each step the steps it waits for */
  guint *firsts, *others; /* of each step those that wait for it: at @others from @firsts on */
} Order;

typedef void (*Visit) (Order *self, guint before, guint step);

static void
visit_one (Order *self, guint before, guint step, Visit visit)
{
  if (before != SYM_PLAN_FOREVER)
    visit (self, before, step);
}

/* Each step with each that it needs, as often as it needs it. */
static void
visit_all (Order *self, Visit visit)
{
  for (guint i = 0; i < self->plan->n_steps; i++)
    {
      const SymPlanStep *step = &self->plan->steps[i];
      SymIds controls = sym_model_get_controls (self->plan->model, step->call);

      for (guint j = 0; j < step->operands.n; j++)
        if (step->operands.ids[j] != SYM_NO_ID)
          visit_one (self, self->plan->makers[step->operands.ids[j]], i, visit);
      for (guint j = 0; j < controls.n; j++)
        visit_one (self, self->steps[controls.ids[j]], i, visit);
    }
}

static void
count_one (Order *self, guint before, guint step)
{
  self->n_missing[step]++;
  self->firsts[before + 1]++;
}

/* @firsts then tells where the next one goes, and in the end where those of the next step begin. */
static void
note_one (Order *self, guint before, guint step)
{
  self->others[self->firsts[before]++] = step;
}

static void
find_waiting (Order *self)
{
  guint n = self->plan->n_steps;

  visit_all (self, count_one);
  for (guint i = 0; i < n; i++)
    self->firsts[i + 1] += self->firsts[i];
  self->others = g_new (guint, self->firsts[n] + 1);
  visit_all (self, note_one);
  for (guint i = n; i > 0; i--)
    self->firsts[i] = self->firsts[i - 1];
  self->firsts[0] = 0;
}

/* The new order, as old numbers. */
static void
sort (Order *self, const gboolean *is_understood, guint *sorted)
{
  g_autofree guint *room = g_new (guint, 2 * (gsize) self->plan->n_steps + 1);
  guint *queues[] = { room, room + self->plan->n_steps };
  guint begins[2] = { 0, 0 }, ends[2] = { 0, 0 }, kind = 0;

  for (guint i = 0; i < self->plan->n_steps; i++)
    if (self->n_missing[i] == 0)
      queues[is_understood[i]][ends[is_understood[i]]++] = i;
  for (guint n = 0; n < self->plan->n_steps; n++)
    {
      guint step;

      if (begins[kind] == ends[kind])
        kind = !kind;
      g_assert (begins[kind] < ends[kind]);
      step = queues[kind][begins[kind]++];
      sorted[n] = step;
      for (guint i = self->firsts[step]; i < self->firsts[step + 1]; i++)
        {
          guint other = self->others[i];

          if (--self->n_missing[other] == 0)
            queues[is_understood[other]][ends[is_understood[other]]++] = other;
        }
    }
}

static void
note_uses (SymPlan *plan, guint i)
{
  const SymPlanStep *step = &plan->steps[i];

  for (guint j = 0; j < step->results.n; j++)
    {
      guint *last = &plan->last_uses[step->results.ids[j]];

      plan->makers[step->results.ids[j]] = i;
      *last = *last == SYM_PLAN_FOREVER ? *last : i;
    }
  for (guint j = 0; j < step->operands.n; j++)
    if (step->operands.ids[j] != SYM_NO_ID &&
        plan->last_uses[step->operands.ids[j]] != SYM_PLAN_FOREVER)
      plan->last_uses[step->operands.ids[j]] = i;
}

static void
apply (SymPlan *plan, const guint *sorted)
{
  SymPlanStep *steps = g_new0 (SymPlanStep, plan->n_steps + 1);

  for (guint i = 0; i < plan->n_steps; i++)
    steps[i] = plan->steps[sorted[i]];
  g_free (plan->steps);
  plan->steps = steps;
  for (guint i = 0; i < plan->n_steps; i++)
    note_uses (plan, i);
}

void
sym_plan_order_steps (SymPlan *plan, const gboolean *is_understood)
{
  guint n = plan->n_steps, n_calls = sym_model_get_n_calls (plan->model);
  g_autofree guint *steps = g_new (guint, n_calls + 1), *n_missing = g_new0 (guint, n + 1);
  g_autofree guint *firsts = g_new0 (guint, n + 2), *sorted = g_new (guint, n + 1);
  Order order = { plan, steps, n_missing, firsts, NULL };

  for (guint i = 0; i < n_calls; i++)
    steps[i] = SYM_PLAN_FOREVER;
  for (guint i = 0; i < n; i++)
    steps[plan->steps[i].call] = i;
  find_waiting (&order);
  sort (&order, is_understood, sorted);
  apply (plan, sorted);
  g_free (order.others);
}
