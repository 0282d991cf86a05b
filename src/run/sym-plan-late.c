/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/mman.h>

#include "run/sym-memory-private.h"
#include "run/sym-plan-private.h"

/* Weights that are read no sooner than they are packed, one after the other into the same memory:
 * the system clears every page that it gives, and half of them would be thrown away at once. */

/* Smaller ones are not worth it. */
#define LATE ((guint64) 64 << 10)

/* Each begins on a line of its own. */
#define LINE ((gsize) 64)

/* ---- Which ---- */

static gboolean
packs_second (const SymPlanStep *step)
{
  const SymOperator *op = sym_layer_get_operator (step->layer);

  return op != NULL && *op->domain == '\0' && step->operands.n > 1 &&
         (strcmp (op->name, "Conv") == 0 || strcmp (op->name, "MatMul") == 0 ||
          strcmp (op->name, "Gemm") == 0);
}

static gboolean
can_wait (const SymPlan *self, SymId value)
{
  SymTensor *tensor = value == SYM_NO_ID ? NULL : sym_model_get_tensor (self->model, value);

  return tensor != NULL && self->constants[value] == NULL &&
         sym_model_get_producer (self->model, value) == SYM_NO_ID &&
         sym_tensor_get_dtype (tensor) == SYM_DTYPE_FLOAT32 &&
         sym_tensor_get_n_bytes (tensor) >= LATE && sym_tensor_get_n_bytes (tensor) < G_MAXINT64;
}

static gsize
get_n_bytes (const SymPlan *self, SymId value)
{
  gsize n = (gsize) sym_tensor_get_n_bytes (sym_model_get_tensor (self->model, value));

  return (n + LINE - 1) / LINE * LINE;
}

void
sym_plan_late_find (SymPlan *self)
{
  SymPlanLate *late = &self->late;
  g_autofree guint *n_uses = g_new0 (guint, sym_model_get_n_values (self->model) + 1);

  late->waits = g_new0 (gboolean, sym_model_get_n_values (self->model) + 1);
  for (guint i = 0; i < self->n_steps; i++)
    for (guint j = 0; j < self->steps[i].operands.n; j++)
      if (self->steps[i].operands.ids[j] != SYM_NO_ID)
        n_uses[self->steps[i].operands.ids[j]]++;
  for (guint i = 0; i < self->n_steps; i++)
    {
      SymId value = packs_second (&self->steps[i]) ? self->steps[i].operands.ids[1] : SYM_NO_ID;

      if (!can_wait (self, value) || n_uses[value] != 1 || self->watched[value] ||
          self->last_uses[value] == SYM_PLAN_FOREVER)
        continue;
      late->waits[value] = TRUE;
      late->n_bytes = MAX (late->n_bytes, get_n_bytes (self, value));
    }
}

gboolean
sym_plan_late_waits (const SymPlan *self, SymId value)
{
  return self->late.waits != NULL && self->late.waits[value];
}

const float *
sym_plan_late_get_place (const SymPlan *self, SymId value)
{
  return sym_plan_late_waits (self, value) ? (const float *) (self->late.waits + value) : NULL;
}

/* ---- Reading ---- */

void
sym_plan_late_settle (SymPlan *self, SymId value, GCancellable *cancellable)
{
  if (!sym_plan_late_waits (self, value))
    return;
  self->late.waits[value] = FALSE;
  sym_plan_read_constant (self, value, cancellable);
}

void
sym_plan_late_settle_all (SymPlan *self, GCancellable *cancellable)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    if (!g_cancellable_is_cancelled (cancellable))
      sym_plan_late_settle (self, value, cancellable);
}

/* Some bytes of the memory; NULL when there are none. */
static void *
take (SymPlanLate *self, gsize n)
{
  char *taken;

  if (self->memory == NULL)
    self->memory = sym_memory_map (&self->n_bytes);
  if (self->memory == NULL || n > self->n_bytes - self->n_taken)
    return NULL;
  taken = self->memory + self->n_taken;
  self->n_taken += n;
  if (self->n_taken > self->n_asked)
    self->n_asked =
        sym_memory_ask_for_large_pages (self->memory, self->n_bytes, self->n_asked, self->n_taken);
  return taken;
}

const float *
sym_plan_late_read (SymPlan *self, SymId value, GCancellable *cancellable)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  void *memory = take (&self->late, get_n_bytes (self, value));

  if (memory == NULL)
    return NULL;
  self->late.waits[value] = FALSE;
  if (!sym_plan_read_numbers (tensor, memory, cancellable, NULL))
    self->late.has_failed = TRUE;
  return memory;
}

void
sym_plan_late_forget (SymPlan *self)
{
  self->late.n_taken = 0;
}

void
sym_plan_late_clear (SymPlan *self)
{
  if (self->late.memory != NULL)
    munmap (self->late.memory, self->late.n_bytes);
  self->late.memory = NULL;
  g_clear_pointer (&self->late.waits, g_free);
}
