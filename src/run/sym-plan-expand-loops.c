/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-expand-parts-private.h"

#include <string.h>

#include "ops/sym-op.h"

/* Loops that run as often as is known, such as exporters write for what Python repeats: each round
 * is put down by itself, so that it can be compiled together with what is around it. */

/* What a loop is at most worth: calls of all its rounds. */
#define MOST_CALLS 1024

typedef struct {
  SymModel *body;
  guint n_rounds, n_carried, n_scans, n_captures;
} Loop;

/* ---- How often ---- */

static gboolean
find_int (const SymExpand *self, SymId value, gint64 *number)
{
  return sym_inference_get_ints (self->inference, value, number, 1) == 1 &&
         sym_expand_is_settled (self, value);
}

/* Which input of the body a value is that is only passed on; -1 for none, with the value that is.
 */
static int
follow (const SymModel *body, SymId *value)
{
  SymIds inputs = sym_model_get_inputs (body);

  for (;;)
    {
      SymId call = sym_model_get_producer (body, *value);
      const SymOperator *op;

      for (guint i = 0; call == SYM_NO_ID && i < inputs.n; i++)
        if (inputs.ids[i] == *value)
          return (int) i;
      if (call == SYM_NO_ID)
        return -1;
      op = sym_layer_get_operator (sym_model_get_layer (body, call));
      if (*op->domain != '\0' || strcmp (op->name, "Identity") != 0 ||
          sym_model_get_operands (body, call).n != 1)
        return -1;
      *value = sym_model_get_operands (body, call).ids[0];
    }
}

/* What the body says of whether to go on; FALSE when only a run knows. */
static gboolean
find_answer (const SymExpand *self, const Loop *loop, SymId call, gboolean *goes_on)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  const SymInference *inside = sym_inference_get_body (self->inference, call, 0);
  SymId value = sym_model_get_outputs (loop->body).ids[0];
  gint64 truth = 1;
  int input = follow (loop->body, &value);

  if (input > 1)
    {
      if (input < (int) (2 + loop->n_carried) || !find_int (self, operands.ids[input], &truth))
        return FALSE;
    }
  else if (input == 0 ||
           (input < 0 &&
            (inside == NULL ||
             (sym_model_get_producer (loop->body, value) != SYM_NO_ID &&
              sym_model_get_operands (loop->body, sym_model_get_producer (loop->body, value)).n >
                  0) ||
             sym_inference_get_ints (inside, value, &truth, 1) != 1)))
    return FALSE;
  *goes_on = truth != 0;
  return TRUE;
}

static gboolean
find_rounds (const SymExpand *self, Loop *loop, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  gint64 n, truth = 1;
  gboolean goes_on;

  if (operands.ids[0] == SYM_NO_ID || !find_int (self, operands.ids[0], &n) ||
      (operands.ids[1] != SYM_NO_ID && !find_int (self, operands.ids[1], &truth)) ||
      !find_answer (self, loop, call, &goes_on))
    return FALSE;
  n = truth == 0 ? 0 : MAX (n, 0);
  if (!goes_on)
    n = MIN (n, 1);
  if (n > MOST_CALLS || (guint) n * sym_model_get_n_calls (loop->body) > MOST_CALLS ||
      (n == 0 && loop->n_scans > 0))
    return FALSE;
  loop->n_rounds = (guint) n;
  return TRUE;
}

static gboolean
read_loop (const SymExpand *self, Loop *loop, SymId call)
{
  const SymLayer *layer = sym_model_get_layer (self->model, call);
  const char *name = sym_expand_get_name (self, call);
  SymIds operands = sym_model_get_operands (self->model, call);
  guint n_results = sym_model_get_results (self->model, call).n;

  if (name == NULL || strcmp (name, "Loop") != 0 || sym_layer_get_n_bodies (layer) != 1 ||
      n_results == 0 || operands.n < 2)
    return FALSE;
  loop->body = sym_layer_get_body (layer, 0, NULL);
  loop->n_captures = sym_layer_get_body_captures (layer, 0);
  if (sym_model_get_inputs (loop->body).n != operands.n || operands.n < 2 + loop->n_captures ||
      !sym_expand_is_plain (loop->body))
    return FALSE;
  loop->n_carried = operands.n - 2 - loop->n_captures;
  if (n_results < loop->n_carried || sym_model_get_outputs (loop->body).n != 1 + n_results)
    return FALSE;
  loop->n_scans = n_results - loop->n_carried;
  for (guint i = 2; i < operands.n; i++)
    if (operands.ids[i] == SYM_NO_ID)
      return FALSE;
  return find_rounds (self, loop, call);
}

/* ---- Rounds ---- */

/* Constants of the body are the same in each round, as is what it takes from around. */
static void
begin_values (SymExpand *self, const Loop *loop, SymId call, SymId *values)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds inputs = sym_model_get_inputs (loop->body);

  for (SymId value = 0; value < sym_model_get_n_values (loop->body); value++)
    values[value] =
        sym_model_get_tensor (loop->body, value) == NULL
            ? SYM_NO_ID
            : sym_expand_insert_constant (self, call, sym_model_get_tensor (loop->body, value));
  for (guint i = 2; i < inputs.n; i++)
    values[inputs.ids[i]] = operands.ids[i];
  values[inputs.ids[1]] = sym_expand_insert_scalar (self, call, SYM_DTYPE_BOOL, 1);
}

static void
insert_round (SymExpand *self, const Loop *loop, SymId call, SymId *values)
{
  SymIds order = sym_model_get_execution_order (loop->body);

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (loop->body, order.ids[i]);
      SymIds results = sym_model_get_results (loop->body, order.ids[i]);
      g_autofree SymId *mapped = g_new (SymId, operands.n + 1);
      SymId inserted;

      for (guint j = 0; j < operands.n; j++)
        mapped[j] = operands.ids[j] == SYM_NO_ID ? SYM_NO_ID : values[operands.ids[j]];
      inserted = sym_expand_insert (self, call, sym_model_get_layer (loop->body, order.ids[i]),
                                    mapped, operands.n, results.n);
      for (guint j = 0; j < results.n; j++)
        values[results.ids[j]] = sym_edit_get_result (sym_expand_need_edit (self), inserted, j);
    }
}

/* What a round makes of what is carried becomes what the next one is handed. */
static void
carry (const Loop *loop, SymId *values)
{
  SymIds inputs = sym_model_get_inputs (loop->body), outputs = sym_model_get_outputs (loop->body);
  g_autofree SymId *carried = g_new (SymId, loop->n_carried + 1);

  for (guint i = 0; i < loop->n_carried; i++)
    carried[i] = values[outputs.ids[1 + i]];
  for (guint i = 0; i < loop->n_carried; i++)
    values[inputs.ids[2 + i]] = carried[i];
}

gboolean
sym_expand_loop (SymExpand *self, SymId call)
{
  Loop loop = { NULL };
  g_autofree SymId *values = NULL, *made = NULL, *parts = NULL;
  SymIds inputs, outputs;

  if (!read_loop (self, &loop, call))
    return FALSE;
  inputs = sym_model_get_inputs (loop.body);
  outputs = sym_model_get_outputs (loop.body);
  values = g_new (SymId, sym_model_get_n_values (loop.body) + 1);
  made = g_new (SymId, loop.n_carried + loop.n_scans + 1);
  parts = g_new (SymId, (gsize) loop.n_scans * loop.n_rounds + 1);
  begin_values (self, &loop, call, values);
  for (guint i = 0; i < loop.n_rounds; i++)
    {
      values[inputs.ids[0]] = sym_expand_insert_scalar (self, call, SYM_DTYPE_INT64, i);
      insert_round (self, &loop, call, values);
      for (guint j = 0; j < loop.n_scans; j++)
        parts[j * loop.n_rounds + i] = values[outputs.ids[1 + loop.n_carried + j]];
      carry (&loop, values);
    }
  for (guint i = 0; i < loop.n_carried; i++)
    made[i] = values[inputs.ids[2 + i]];
  for (guint i = 0; i < loop.n_scans; i++)
    made[loop.n_carried + i] =
        sym_expand_insert_join (self, call, parts + i * loop.n_rounds, loop.n_rounds, 0, TRUE);
  sym_expand_pass_on (self, call, made);
  return TRUE;
}
