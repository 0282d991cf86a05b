/* SPDX-License-Identifier: MIT */
#include "core/sym-extract-private.h"

#include "core/sym-error.h"

/* What a value depends on, as far as the cut is concerned. */
enum {
  ON_CHOSEN = 1 << 0,  /* on a chosen input */
  ON_FOREIGN = 1 << 1, /* on a model input that was not chosen */
};

void
sym_selection_free (SymSelection *self)
{
  sym_model_unref (self->model);
  g_free (self->values);
  g_free (self->calls);
  g_free (self->chosen);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_free (self);
}

SymSelection *
sym_selection_new_empty (SymModel *model)
{
  SymSelection *self = g_new0 (SymSelection, 1);

  self->model = sym_model_ref (model);
  self->values = g_new0 (guint8, sym_model_get_n_values (model) + 1);
  self->chosen = g_new0 (guint8, sym_model_get_n_values (model) + 1);
  self->calls = g_new0 (guint8, sym_model_get_n_calls (model) + 1);
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

void
sym_selection_add_value (SymSelection *self, SymId value)
{
  if (self->values[value])
    return;
  self->values[value] = 1;
  if (sym_role_is_data (sym_model_get_role (self->model, value)))
    self->n_values++;
}

/* ---- What depends on what ---- */

static gboolean
is_root_input (const SymModel *model, SymId value)
{
  return sym_model_get_producer (model, value) == SYM_NO_ID &&
         sym_role_is_data (sym_model_get_role (model, value));
}

/* Values without any data input among their ancestors stay 0: they count as inside. */
static guint8 *
find_dependence (const SymSelection *self)
{
  const SymModel *model = self->model;
  SymIds order = sym_model_get_execution_order (model);
  guint n = sym_model_get_n_values (model);
  guint8 *on = g_new0 (guint8, n + 1);

  for (SymId value = 0; value < n; value++)
    if (self->chosen[value])
      on[value] = ON_CHOSEN;
    else if (sym_model_has_value (model, value) && is_root_input (model, value))
      on[value] = ON_FOREIGN;
  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);
      SymIds results = sym_model_get_results (model, order.ids[i]);
      guint8 sum = 0;

      for (guint k = 0; k < operands.n; k++)
        if (operands.ids[k] != SYM_NO_ID)
          sum |= on[operands.ids[k]];
      for (guint k = 0; k < results.n; k++)
        if (!self->chosen[results.ids[k]])
          on[results.ids[k]] = sum;
    }
  return on;
}

static gboolean
choose_inputs (SymSelection *self, const SymId *inputs, guint n_inputs, GError **error)
{
  for (guint i = 0; i < n_inputs; i++)
    {
      if (!sym_model_has_value (self->model, inputs[i]))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no value with id %u",
                       inputs[i]);
          return FALSE;
        }
      if (self->chosen[inputs[i]])
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "“%s” is given twice as an input",
                       sym_model_get_unique_name (self->model, inputs[i]));
          return FALSE;
        }
      self->chosen[inputs[i]] = 1;
      g_array_append_val (self->inputs, inputs[i]);
    }
  return TRUE;
}

/* ---- Walking back from the outputs ---- */

typedef struct {
  SymSelection *selection;
  const guint8 *on; /* NULL: every root input is welcome */
  GArray *stack;    /* of SymId: calls */
  GArray *foreign;
  SymId needy; /* the first node that needs a value from outside, and that value */
  SymId needed;
  SymId looping; /* a call whose back edge lies inside */
} Walk;

static void
reach_call (Walk *self, SymId call)
{
  if (self->selection->calls[call])
    return;
  self->selection->calls[call] = 1;
  self->selection->n_calls++;
  g_array_append_val (self->stack, call);
}

static void
reach_value (Walk *self, SymId value)
{
  SymSelection *selection = self->selection;
  SymId producer = sym_model_get_producer (selection->model, value);

  sym_selection_add_value (selection, value);
  if (producer != SYM_NO_ID && !selection->chosen[value])
    reach_call (self, producer);
}

static gboolean
is_foreign (const Walk *self, SymId value)
{
  return self->on != NULL && self->on[value] == ON_FOREIGN;
}

static void
note_foreign (Walk *self, SymId call, SymId value)
{
  SymIds results = sym_model_get_results (self->selection->model, call);

  if (self->needed == SYM_NO_ID)
    {
      self->needy = results.n == 0 ? value : results.ids[0];
      self->needed = value;
    }
  for (guint i = 0; self->foreign != NULL && i < self->foreign->len; i++)
    if (g_array_index (self->foreign, SymId, i) == value)
      return;
  if (self->foreign != NULL)
    g_array_append_val (self->foreign, value);
}

static void
walk_call (Walk *self, SymId call)
{
  const SymModel *model = self->selection->model;
  SymIds operands = sym_model_get_operands (model, call);
  SymIds controls = sym_model_get_controls (model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      if (operands.ids[i] == SYM_NO_ID)
        continue;
      if (is_foreign (self, operands.ids[i]))
        {
          note_foreign (self, call, operands.ids[i]);
          continue;
        }
      if (sym_model_is_back_edge (model, call, i))
        self->looping = call;
      reach_value (self, operands.ids[i]);
    }
  for (guint i = 0; i < controls.n; i++)
    {
      SymIds results = sym_model_get_results (model, controls.ids[i]);

      if (results.n == 0 || !is_foreign (self, results.ids[0]))
        reach_call (self, controls.ids[i]);
    }
}

static gboolean
walk_back (Walk *self, const SymId *outputs, guint n_outputs, GError **error)
{
  SymSelection *selection = self->selection;

  for (guint i = 0; i < n_outputs; i++)
    {
      if (!sym_model_has_value (selection->model, outputs[i]))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no value with id %u",
                       outputs[i]);
          return FALSE;
        }
      if (is_foreign (self, outputs[i]))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                       "The output “%s” is out of reach: it does not depend on any of the chosen "
                       "inputs",
                       sym_model_get_unique_name (selection->model, outputs[i]));
          return FALSE;
        }
      g_array_append_val (selection->outputs, outputs[i]);
      reach_value (self, outputs[i]);
    }
  while (self->stack->len > 0)
    {
      SymId call = g_array_index (self->stack, SymId, self->stack->len - 1);

      g_array_set_size (self->stack, self->stack->len - 1);
      walk_call (self, call);
    }
  return TRUE;
}

static gboolean
check_walk (const Walk *self, GError **error)
{
  const SymModel *model = self->selection->model;

  if (self->needed != SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_FOREIGN_PARENT,
                   "Node “%s” depends on the output of a foreign node! Perhaps you set the wrong "
                   "inputs? It needs “%s”, which does not follow from the chosen inputs",
                   sym_model_get_unique_name (model, self->needy),
                   sym_model_get_unique_name (model, self->needed));
      return FALSE;
    }
  if (self->looping != SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_CYCLE,
                   "Graph is not a DAG (directed acyclic graph)! The layer “%s” closes a cycle",
                   sym_model_get_call_name (model, self->looping));
      return FALSE;
    }
  return TRUE;
}

/* The model's own inputs in their order, as far as the walk has met them, then what else it met. */
static void
list_needed_inputs (SymSelection *self)
{
  SymIds rows = sym_model_get_rows (self->model);

  for (guint i = 0; i < rows.n; i++)
    if (self->values[rows.ids[i]] && is_root_input (self->model, rows.ids[i]))
      {
        self->chosen[rows.ids[i]] = 1;
        g_array_append_val (self->inputs, rows.ids[i]);
      }
}

SymSelection *
sym_selection_new (SymModel *model,
                   const SymId *inputs,
                   guint n_inputs,
                   const SymId *outputs,
                   guint n_outputs,
                   GArray *foreign,
                   GError **error)
{
  g_autoptr (SymSelection) self = NULL;
  g_autofree guint8 *on = NULL;
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (SymId));
  Walk walk = { .stack = stack,
                .foreign = foreign,
                .needy = SYM_NO_ID,
                .needed = SYM_NO_ID,
                .looping = SYM_NO_ID };

  g_return_val_if_fail (model != NULL, NULL);

  if (n_outputs == 0)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                           "A sub-model needs at least one output");
      return NULL;
    }
  self = sym_selection_new_empty (model);
  if (!choose_inputs (self, inputs, n_inputs, error))
    return NULL;
  on = n_inputs == 0 ? NULL : find_dependence (self);
  walk.selection = self;
  walk.on = on;
  if (!walk_back (&walk, outputs, n_outputs, error) || !check_walk (&walk, error))
    return NULL;
  if (n_inputs == 0)
    list_needed_inputs (self);
  for (guint i = 0; i < self->inputs->len; i++)
    sym_selection_add_value (self, g_array_index (self->inputs, SymId, i));
  return g_steal_pointer (&self);
}

/* ---- Asking ---- */

gboolean
sym_selection_has_value (const SymSelection *self, SymId value)
{
  g_return_val_if_fail (value < sym_model_get_n_values (self->model), FALSE);

  return self->values[value];
}

gboolean
sym_selection_has_call (const SymSelection *self, SymId call)
{
  g_return_val_if_fail (call < sym_model_get_n_calls (self->model), FALSE);

  return self->calls[call];
}

guint
sym_selection_get_n_values (const SymSelection *self)
{
  return self->n_values;
}

guint
sym_selection_get_n_calls (const SymSelection *self)
{
  return self->n_calls;
}

SymIds
sym_selection_get_inputs (const SymSelection *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->inputs->data, self->inputs->len };
}

SymIds
sym_selection_get_outputs (const SymSelection *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->outputs->data, self->outputs->len };
}
