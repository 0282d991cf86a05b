/* SPDX-License-Identifier: MIT */
#include "core/sym-extract-private.h"

/* A walk in both directions, breadth first: @queue holds values in order of their distance. */
typedef struct {
  SymSelection *selection;
  GArray *queue;    /* of SymId */
  guint *distances; /* per value, once it is selected */
} Spread;

static void
reach (Spread *self, SymId value, guint distance)
{
  if (value == SYM_NO_ID || self->selection->values[value])
    return;
  sym_selection_add_value (self->selection, value);
  self->distances[value] = distance;
  if (sym_role_is_data (sym_model_get_role (self->selection->model, value)))
    g_array_append_val (self->queue, value);
}

/* A call comes with its results and with its operands: without one of these it would look like
 * another layer. */
static void
take_call (Spread *self, SymId call, guint distance)
{
  const SymModel *model = self->selection->model;
  SymIds operands = sym_model_get_operands (model, call);
  SymIds results = sym_model_get_results (model, call);

  if (self->selection->calls[call])
    return;
  self->selection->calls[call] = 1;
  self->selection->n_calls++;
  for (guint i = 0; i < results.n; i++)
    reach (self, results.ids[i], distance);
  for (guint i = 0; i < operands.n; i++)
    reach (self, operands.ids[i], distance);
}

static void
list_own (SymSelection *self, SymIds values, GArray *list)
{
  for (guint i = 0; i < values.n; i++)
    if (self->values[values.ids[i]])
      g_array_append_val (list, values.ids[i]);
}

SymSelection *
sym_selection_new_around (SymModel *model, const SymId *values, guint n_values, guint hops)
{
  g_autofree guint *distances = NULL;
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (SymId));
  Spread spread = { .queue = queue };

  g_return_val_if_fail (model != NULL, NULL);
  for (guint i = 0; i < n_values; i++)
    g_return_val_if_fail (sym_model_has_value (model, values[i]), NULL);

  distances = g_new0 (guint, sym_model_get_n_values (model));
  spread.distances = distances;
  spread.selection = sym_selection_new_empty (model);
  for (guint i = 0; i < n_values; i++)
    reach (&spread, values[i], 0);
  for (guint i = 0; i < queue->len; i++)
    {
      SymId near = g_array_index (queue, SymId, i);
      SymId producer = sym_model_get_producer (model, near);
      SymIds consumers = sym_model_get_consumers (model, near);

      if (distances[near] >= hops)
        continue;
      if (producer != SYM_NO_ID)
        take_call (&spread, producer, distances[near] + 1);
      for (guint k = 0; k < consumers.n; k++)
        take_call (&spread, consumers.ids[k], distances[near] + 1);
    }
  list_own (spread.selection, sym_model_get_inputs (model), spread.selection->inputs);
  list_own (spread.selection, sym_model_get_outputs (model), spread.selection->outputs);
  return spread.selection;
}
