/* SPDX-License-Identifier: MIT */
#include "core/sym-edit-private.h"

SymEdit *
sym_edit_new (SymModel *model)
{
  SymEdit *self;

  g_return_val_if_fail (model != NULL, NULL);

  self = g_new0 (SymEdit, 1);
  self->base = sym_model_ref (model);
  self->builder = sym_model_builder_new_from (model);
  return self;
}

void
sym_edit_free (SymEdit *self)
{
  g_clear_pointer (&self->builder, sym_model_builder_free);
  g_clear_pointer (&self->new_users, g_hash_table_unref);
  g_clear_pointer (&self->control_users, g_hash_table_unref);
  g_clear_pointer (&self->value_names, g_hash_table_unref);
  g_clear_pointer (&self->call_names, g_hash_table_unref);
  g_clear_pointer (&self->next_numbers, g_hash_table_unref);
  g_clear_pointer (&self->layer_calls, g_hash_table_unref);
  g_clear_pointer (&self->ranks, g_array_unref);
  sym_model_unref (self->base);
  g_free (self);
}

SymTerms *
sym_edit_get_terms (SymEdit *self)
{
  return sym_model_builder_get_terms (self->builder);
}

gboolean
sym_edit_check_value (SymEdit *self, SymId value, GError **error)
{
  if (sym_model_builder_has_value (self->builder, value))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "there is no value with id %u", value);
  return FALSE;
}

gboolean
sym_edit_check_call (SymEdit *self, SymId call, GError **error)
{
  if (sym_model_builder_has_call (self->builder, call))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "there is no call with id %u", call);
  return FALSE;
}

/* ---- Inserting ---- */

static gboolean
check_insertion (SymEdit *self,
                 const char *name,
                 const SymId *operands,
                 guint n_operands,
                 GError **error)
{
  for (guint i = 0; i < n_operands; i++)
    if (operands[i] != SYM_NO_ID && !sym_edit_check_value (self, operands[i], error))
      return FALSE;

  return name == NULL || sym_edit_check_name (self, TRUE, name, error);
}

SymId
sym_edit_insert_call (SymEdit *self,
                      const char *name,
                      SymLayer *layer,
                      const SymId *operands,
                      guint n_operands,
                      guint n_results,
                      GError **error)
{
  g_autofree char *own_name = NULL;
  SymId call;

  g_return_val_if_fail (self != NULL && layer != NULL, SYM_NO_ID);

  if (!check_insertion (self, name, operands, n_operands, error))
    return SYM_NO_ID;

  own_name =
      name == NULL ? sym_edit_make_call_name (self, sym_layer_get_type (layer)) : g_strdup (name);
  call =
      sym_model_builder_add_call (self->builder, own_name, layer, operands, n_operands, n_results);
  sym_edit_count_name (self, TRUE, own_name, 1);
  sym_edit_name_results (self, call);
  sym_edit_rank_new_call (self, call);
  for (guint i = 0; i < n_operands; i++)
    sym_edit_note_use (self, call, operands[i]);
  sym_edit_note_layer (self, call);
  return call;
}

SymId
sym_edit_insert_value (SymEdit *self, const char *name, SymRole role, const SymType *type)
{
  SymId value = sym_model_builder_add_value (self->builder, name, role, type);

  if (value == SYM_NO_ID)
    return SYM_NO_ID;
  if (name != NULL)
    sym_edit_count_name (self, FALSE, name, 1);
  if (role == SYM_ROLE_INPUT)
    sym_model_builder_add_input (self->builder, value);
  return value;
}

SymId
sym_edit_get_result (SymEdit *self, SymId call, guint index)
{
  g_return_val_if_fail (sym_model_builder_has_call (self->builder, call), SYM_NO_ID);

  return sym_model_builder_get_result (self->builder, call, index);
}

/* ---- Erasing ---- */

static gboolean
check_unused (SymEdit *self, SymId value, GError **error)
{
  SymId user = sym_edit_find_user (self, value);

  if (user != SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” cannot be erased: “%s” still uses it",
                   sym_edit_get_value_name (self, value), sym_edit_get_call_name (self, user));
      return FALSE;
    }
  if (sym_ids_contain (sym_model_builder_get_outputs (self->builder), value))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” cannot be erased: it is an output of the model",
                   sym_edit_get_value_name (self, value));
      return FALSE;
    }
  return TRUE;
}

gboolean
sym_edit_erase_call (SymEdit *self, SymId call, GError **error)
{
  SymIds results;
  SymId waiting;

  if (!sym_edit_check_call (self, call, error))
    return FALSE;
  results = sym_model_builder_get_results (self->builder, call);
  for (guint i = 0; i < results.n; i++)
    if (!check_unused (self, results.ids[i], error))
      return FALSE;
  waiting = sym_edit_find_control_user (self, call);
  if (waiting != SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” cannot be erased: “%s” has to run after it",
                   sym_edit_get_call_name (self, call), sym_edit_get_call_name (self, waiting));
      return FALSE;
    }

  sym_edit_count_name (self, TRUE, sym_edit_get_call_name (self, call), -1);
  for (guint i = 0; i < results.n; i++)
    sym_edit_count_name (self, FALSE, sym_edit_get_value_name (self, results.ids[i]), -1);
  sym_model_builder_erase_call (self->builder, call);
  return TRUE;
}

gboolean
sym_edit_erase_value (SymEdit *self, SymId value, GError **error)
{
  SymId producer;

  if (!sym_edit_check_value (self, value, error))
    return FALSE;
  producer = sym_model_builder_get_producer (self->builder, value);
  if (producer != SYM_NO_ID)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” cannot be erased alone: “%s” makes it, which would have to go",
                   sym_edit_get_value_name (self, value), sym_edit_get_call_name (self, producer));
      return FALSE;
    }
  if (!check_unused (self, value, error))
    return FALSE;

  sym_edit_count_name (self, FALSE, sym_edit_get_value_name (self, value), -1);
  sym_model_builder_erase_value (self->builder, value);
  return TRUE;
}

/* ---- Rewiring ---- */

static void
replace_operands (SymEdit *self, SymId call, SymId value, SymId by)
{
  SymIds operands = sym_model_builder_get_operands (self->builder, call);
  guint n_replaced = 0;

  /* The run may move as it is first written to, so it is asked for each time. */
  for (guint i = 0; i < operands.n; i++)
    {
      operands = sym_model_builder_get_operands (self->builder, call);
      if (operands.ids[i] != value)
        continue;
      sym_model_builder_set_operand (self->builder, call, i, by);
      n_replaced++;
    }
  if (n_replaced > 0)
    sym_edit_note_use (self, call, by);
}

static void
replace_outputs (SymEdit *self, SymId value, SymId by)
{
  SymIds outputs = sym_model_builder_get_outputs (self->builder);
  g_autofree SymId *replaced = NULL;

  if (!sym_ids_contain (outputs, value))
    return;
  replaced = g_memdup2 (outputs.ids, sizeof (SymId) * outputs.n);
  for (guint i = 0; i < outputs.n; i++)
    replaced[i] = replaced[i] == value ? by : replaced[i];
  sym_model_builder_set_outputs (self->builder, replaced, outputs.n);
}

gboolean
sym_edit_replace_uses (SymEdit *self, SymId value, SymId by, GError **error)
{
  g_autoptr (GArray) calls = NULL;
  g_autoptr (GHashTable) makers = NULL;

  if (!sym_edit_check_value (self, value, error) || !sym_edit_check_value (self, by, error))
    return FALSE;
  if (value == by)
    return TRUE;

  calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  makers = sym_edit_find_makers (self, by, value);
  sym_edit_collect_users (self, value, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);

      if (sym_model_builder_has_call (self->builder, call) &&
          !g_hash_table_contains (makers, GUINT_TO_POINTER (call)))
        replace_operands (self, call, value, by);
    }
  replace_outputs (self, value, by);
  return TRUE;
}

/* Whether @call may use @value, which is there. */
static gboolean
check_use (SymEdit *self, SymId call, SymId value, GError **error)
{
  if (value == SYM_NO_ID || !sym_edit_depends_on (self, value, call))
    return TRUE;
  g_set_error (error, SYM_ERROR, SYM_ERROR_CYCLE,
               "“%s” cannot use “%s”, which is computed from its own result",
               sym_edit_get_call_name (self, call), sym_edit_get_value_name (self, value));
  return FALSE;
}

gboolean
sym_edit_set_operand (SymEdit *self, SymId call, guint slot, SymId value, GError **error)
{
  SymIds operands;

  if (!sym_edit_check_call (self, call, error) ||
      (value != SYM_NO_ID && !sym_edit_check_value (self, value, error)))
    return FALSE;
  operands = sym_model_builder_get_operands (self->builder, call);
  if (slot >= operands.n)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   "“%s” has no operand %u; it has %u, counted from 0",
                   sym_edit_get_call_name (self, call), slot, operands.n);
      return FALSE;
    }
  if (!check_use (self, call, value, error))
    return FALSE;

  sym_model_builder_set_operand (self->builder, call, slot, value);
  sym_edit_note_use (self, call, value);
  return TRUE;
}

gboolean
sym_edit_set_call (SymEdit *self,
                   SymId call,
                   SymLayer *layer,
                   const SymId *operands,
                   guint n_operands,
                   GError **error)
{
  g_return_val_if_fail (self != NULL && layer != NULL, FALSE);

  if (!sym_edit_check_call (self, call, error))
    return FALSE;
  for (guint i = 0; i < n_operands; i++)
    if ((operands[i] != SYM_NO_ID && !sym_edit_check_value (self, operands[i], error)) ||
        !check_use (self, call, operands[i], error))
      return FALSE;
  sym_edit_set_layer (self, call, layer);
  sym_model_builder_set_operands (self->builder, call, operands, n_operands);
  for (guint i = 0; i < n_operands; i++)
    sym_edit_note_use (self, call, operands[i]);
  return TRUE;
}

gboolean
sym_edit_move_call (SymEdit *self, SymId call, SymId before, GError **error)
{
  if (!sym_edit_check_call (self, call, error) || !sym_edit_check_call (self, before, error))
    return FALSE;
  if (call != before)
    sym_model_builder_move_call (self->builder, call, before);
  return TRUE;
}

/* ---- Inputs and outputs ---- */

static gboolean
check_ids (SymEdit *self, const SymId *values, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!sym_edit_check_value (self, values[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
check_inputs (SymEdit *self, const SymId *values, guint n, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n; i++)
    {
      SymId producer = sym_model_builder_get_producer (self->builder, values[i]);

      if (producer != SYM_NO_ID)
        {
          g_set_error (
              error, SYM_ERROR, SYM_ERROR_ARGUMENT, "“%s” cannot be an input: “%s” makes it",
              sym_edit_get_value_name (self, values[i]), sym_edit_get_call_name (self, producer));
          return FALSE;
        }
      if (!g_hash_table_add (seen, GUINT_TO_POINTER (values[i])))
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "“%s” is an input twice",
                       sym_edit_get_value_name (self, values[i]));
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
sym_edit_set_inputs (SymEdit *self, const SymId *values, guint n, GError **error)
{
  if (!check_ids (self, values, n, error) || !check_inputs (self, values, n, error))
    return FALSE;

  for (guint i = 0; i < n; i++)
    if (sym_model_builder_get_role (self->builder, values[i]) != SYM_ROLE_INPUT)
      sym_model_builder_set_role (self->builder, values[i], SYM_ROLE_INPUT);
  sym_model_builder_set_inputs (self->builder, values, n);
  return TRUE;
}

gboolean
sym_edit_set_outputs (SymEdit *self, const SymId *values, guint n, GError **error)
{
  if (!check_ids (self, values, n, error))
    return FALSE;
  if (n == 0)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, "a model has at least one output");
      return FALSE;
    }

  sym_model_builder_set_outputs (self->builder, values, n);
  return TRUE;
}

/* Whether every input that @value is computed from is one of the model's. */
static gboolean
is_in_reach (SymEdit *self, SymId value)
{
  g_autoptr (GHashTable) makers = NULL;
  SymIds inputs = sym_model_builder_get_inputs (self->builder);
  GHashTableIter iter;
  gpointer call;

  if (sym_model_builder_get_producer (self->builder, value) == SYM_NO_ID)
    return FALSE;
  makers = sym_edit_find_makers (self, value, SYM_NO_ID);
  g_hash_table_iter_init (&iter, makers);
  while (g_hash_table_iter_next (&iter, &call, NULL))
    {
      SymIds operands = sym_model_builder_get_operands (self->builder, GPOINTER_TO_UINT (call));

      for (guint i = 0; i < operands.n; i++)
        if (operands.ids[i] != SYM_NO_ID &&
            sym_model_builder_get_producer (self->builder, operands.ids[i]) == SYM_NO_ID &&
            sym_model_builder_get_role (self->builder, operands.ids[i]) == SYM_ROLE_INPUT &&
            !sym_ids_contain (inputs, operands.ids[i]))
          return FALSE;
    }
  return TRUE;
}

gboolean
sym_edit_add_output (SymEdit *self, SymId value, GError **error)
{
  const char *message = NULL;

  if (!sym_model_builder_has_value (self->builder, value))
    message = "Node is out of reach for this SymbolicModel!";
  else if (sym_ids_contain (sym_model_builder_get_inputs (self->builder), value))
    message = "Node is an input of this SymbolicModel!";
  else if (!is_in_reach (self, value))
    message = "Node is out of reach for this SymbolicModel!";
  if (message != NULL)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_ARGUMENT, message);
      return FALSE;
    }

  sym_model_builder_add_output (self->builder, value);
  return TRUE;
}

SymModel *
sym_edit_end (SymEdit *self)
{
  SymModel *model = sym_model_builder_end (g_steal_pointer (&self->builder));

  sym_edit_free (self);
  return model;
}
