/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

#include <string.h>

#include "core/sym-layer-private.h"

/* ---- Life ---- */

SymModelBuilder *
sym_model_builder_new (SymDialect dialect)
{
  SymModelBuilder *self = g_new0 (SymModelBuilder, 1);

  self->dialect = dialect;
  self->problems = sym_problems_new ();
  sym_model_builder_init_topology (self);
  self->names = sym_names_new ();
  self->layers = sym_layer_table_new ();
  self->types = sym_types_new ();
  self->data = sym_data_new ();
  self->lines = sym_lines_new ();
  return self;
}

SymModelBuilder *
sym_model_builder_new_from (SymModel *base)
{
  SymModelBuilder *self = g_new0 (SymModelBuilder, 1);

  self->base = sym_model_ref (base);
  self->name = g_strdup (base->name);
  self->dialect = base->dialect;
  self->origin = base->origin == NULL ? NULL : sym_origin_ref (base->origin);
  self->problems = sym_problems_new ();
  sym_problems_append (self->problems, base->problems);
  return self;
}

void
sym_model_builder_free (SymModelBuilder *self)
{
  g_clear_pointer (&self->base, sym_model_unref);
  g_free (self->name);
  g_clear_pointer (&self->origin, sym_origin_unref);
  g_clear_pointer (&self->problems, sym_problems_unref);
  g_clear_pointer (&self->values, sym_rows_free);
  g_clear_pointer (&self->calls, sym_rows_free);
  for (guint kind = 0; kind < SYM_N_RUNS; kind++)
    g_clear_pointer (&self->pools[kind], sym_rows_free);
  g_clear_pointer (&self->entries, sym_rows_free);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_pointer (&self->outputs, g_array_unref);
  g_clear_pointer (&self->names, sym_names_unref);
  g_clear_pointer (&self->layers, sym_layers_unref);
  g_clear_pointer (&self->types, sym_types_unref);
  g_clear_pointer (&self->data, sym_data_unref);
  g_clear_pointer (&self->lines, sym_lines_unref);
  g_clear_pointer (&self->lack, g_ref_string_release);
  g_free (self);
}

/* ---- The whole ---- */

void
sym_model_builder_set_name (SymModelBuilder *self, const char *name)
{
  g_free (self->name);
  self->name = g_strdup (name);
}

void
sym_model_builder_set_origin (SymModelBuilder *self,
                              const char *format,
                              gpointer take_origin,
                              GDestroyNotify free_origin)
{
  SymOrigin *origin = g_new0 (SymOrigin, 1);

  g_atomic_ref_count_init (&origin->ref_count);
  origin->format = g_strdup (format);
  origin->data = take_origin;
  origin->free = free_origin;
  g_clear_pointer (&self->origin, sym_origin_unref);
  self->origin = origin;
}

void
sym_model_builder_set_named_inputs (SymModelBuilder *self, SymNamedFunc is_named)
{
  g_return_if_fail (self->origin != NULL);

  self->origin->is_named = is_named;
}

SymTerms *
sym_model_builder_get_terms (SymModelBuilder *self)
{
  return sym_model_builder_own_types (self)->terms;
}

SymProblems *
sym_model_builder_get_problems (SymModelBuilder *self)
{
  return self->problems;
}

guint
sym_model_builder_get_n_values (SymModelBuilder *self)
{
  return self->has_topology ? self->values->len : self->base->topology->n_values;
}

/* ---- Adding ---- */

void
sym_model_builder_expect (SymModelBuilder *self, guint n_values, guint n_results, guint n_calls)
{
  SymNames *names = sym_model_builder_own_names (self);

  sym_model_builder_own_topology (self);
  sym_rows_reserve (self->values, n_values);
  sym_rows_reserve (self->calls, n_calls);
  sym_rows_reserve (self->entries, n_values - MIN (n_results, n_values) + n_calls);
  sym_rows_reserve (self->pools[SYM_RUN_RESULTS], n_results);
  sym_rows_reserve (names->values, n_values);
  sym_rows_reserve (names->calls, n_calls);
  sym_rows_reserve (sym_model_builder_own_layers (self)->layers, n_calls);
}

static const char *
pool_name (SymModelBuilder *self, const char *name)
{
  return name == NULL || *name == '\0'
             ? ""
             : sym_pool_insert (sym_model_builder_own_names (self)->pool, name);
}

/* @name is one of the pool. */
static SymId
add_value_row (SymModelBuilder *self, const char *name, SymRole role, SymId producer, guint index)
{
  SymDraftValue row = { role, FALSE, producer, index };
  SymNames *names = sym_model_builder_own_names (self);
  SymId value = self->values->len;

  sym_rows_append (self->values, row);
  sym_rows_append (names->values, name);
  return value;
}

/* A size that is none is the caller's mistake, and would be taken for that of another value. */
static gboolean
check_type (SymModelBuilder *self, const SymType *type)
{
  g_autoptr (GError) error = NULL;

  if (sym_terms_check_type (sym_model_builder_get_terms (self), type, "a value", &error))
    return TRUE;
  g_critical ("%s", error->message);
  return FALSE;
}

SymId
sym_model_builder_add_value (SymModelBuilder *self,
                             const char *name,
                             SymRole role,
                             const SymType *type)
{
  SymEntry entry = { FALSE, 0 };

  if (type != NULL && !check_type (self, type))
    return SYM_NO_ID;

  sym_model_builder_own_topology (self);
  entry.id = add_value_row (self, pool_name (self, name), role, SYM_NO_ID, 0);
  sym_rows_append (self->entries, entry);
  if (type != NULL)
    sym_types_set (sym_model_builder_own_types (self), entry.id, type);
  return entry.id;
}

static SymId
append_result (SymModelBuilder *self, SymId call, const char *name)
{
  SymId value = add_value_row (self, name, SYM_ROLE_INTERMEDIATE, call,
                               sym_model_builder_get_run (self, call, SYM_RUN_RESULTS).n);

  sym_model_builder_append_to_run (self, call, SYM_RUN_RESULTS, value);
  return value;
}

/* Results are often called as their call is, whose name is there already. */
SymId
sym_model_builder_append_result (SymModelBuilder *self, SymId call, const char *name)
{
  const char *shared;

  g_return_val_if_fail (sym_model_builder_has_call (self, call), SYM_NO_ID);

  sym_model_builder_own_topology (self);
  shared = sym_model_builder_get_call_name (self, call);
  return append_result (self, call,
                        name == shared || g_strcmp0 (name, shared) == 0 ? shared
                                                                        : pool_name (self, name));
}

static SymId
add_call (SymModelBuilder *self,
          const char *name,
          SymLayer *take_layer,
          const SymId *operands,
          guint n_operands)
{
  SymNames *names = sym_model_builder_own_names (self);
  SymDraftCall row = { .erased = FALSE };
  SymEntry entry = { TRUE, 0 };

  sym_model_builder_own_topology (self);
  entry.id = self->calls->len;
  row.runs[SYM_RUN_OPERANDS] =
      sym_growing_run_new (self->pools[SYM_RUN_OPERANDS], operands, n_operands);
  sym_rows_append (self->calls, row);
  sym_rows_append (self->entries, entry);
  name = pool_name (self, name);
  sym_rows_append (names->calls, name);
  sym_layers_append (sym_model_builder_own_layers (self), take_layer);
  return entry.id;
}

SymId
sym_model_builder_add_call (SymModelBuilder *self,
                            const char *name,
                            SymLayer *layer,
                            const SymId *operands,
                            guint n_operands,
                            guint n_results)
{
  SymId call;

  g_return_val_if_fail (layer != NULL, SYM_NO_ID);

  call = add_call (self, name, sym_layer_ref (layer), operands, n_operands);
  name = sym_model_builder_get_call_name (self, call);
  for (guint i = 0; i < n_results; i++)
    append_result (self, call, name);
  return call;
}

SymId
sym_model_builder_add_new (SymModelBuilder *self,
                           const char *name,
                           const char *type,
                           const SymOperator *op,
                           SymAttributes *take_attributes)
{
  return add_call (self, name, sym_layer_new_named (type, op, take_attributes, name), NULL, 0);
}

/* ---- Calls ---- */

const char *
sym_model_builder_get_call_name (SymModelBuilder *self, SymId call)
{
  const SymNames *names = self->names == NULL ? self->base->names : self->names;

  return g_array_index (names->calls, const char *, call);
}

SymId
sym_model_builder_get_result (SymModelBuilder *self, SymId call, guint index)
{
  SymIds results = sym_model_builder_get_results (self, call);

  g_return_val_if_fail (index < results.n, SYM_NO_ID);

  return results.ids[index];
}

void
sym_model_builder_set_operand (SymModelBuilder *self, SymId call, guint slot, SymId value)
{
  const SymGrowingRun *run;

  sym_model_builder_own_topology (self);
  run = &sym_model_builder_get_draft (self, call)->runs[SYM_RUN_OPERANDS];
  g_return_if_fail (slot < run->n);
  g_array_index (self->pools[SYM_RUN_OPERANDS], SymId, run->start + slot) = value;
}

void
sym_model_builder_append_operand (SymModelBuilder *self, SymId call, SymId value)
{
  sym_model_builder_own_topology (self);
  sym_model_builder_append_to_run (self, call, SYM_RUN_OPERANDS, value);
}

void
sym_model_builder_add_control (SymModelBuilder *self, SymId call, SymId before)
{
  sym_model_builder_own_topology (self);
  sym_model_builder_append_to_run (self, call, SYM_RUN_CONTROLS, before);
}

void
sym_model_builder_set_arguments (SymModelBuilder *self, SymId call, SymValue *take_tree)
{
  gpointer *slot = sym_column_reach (sym_model_builder_own_layers (self)->arguments, call);

  if (*slot != NULL)
    sym_value_unref (*slot);
  *slot = take_tree;
}

void
sym_model_builder_set_call_attributes (SymModelBuilder *self,
                                       SymId call,
                                       SymAttributes *take_attributes)
{
  gpointer *slot = sym_column_reach (sym_model_builder_own_layers (self)->attributes, call);

  if (*slot != NULL)
    sym_attributes_unref (*slot);
  *slot = take_attributes;
}

/* Most results have none: the table ends behind the last one that is known. */
static void
set_line (SymRows *lines, guint row, guint line)
{
  if (row == lines->len)
    {
      sym_rows_append (lines, line);
      return;
    }
  if (row > lines->len)
    sym_rows_append_many (lines, NULL, row + 1 - lines->len);
  g_array_index (lines, guint, row) = line;
}

void
sym_model_builder_set_call_line (SymModelBuilder *self, SymId call, guint line)
{
  set_line (sym_model_builder_own_lines (self)->calls, call, line);
}

/* ---- Values ---- */

void
sym_model_builder_set_value_name (SymModelBuilder *self, SymId value, const char *name)
{
  SymNames *names = sym_model_builder_own_names (self);

  g_array_index (names->values, const char *, value) = sym_pool_insert (names->pool, name);
}

void
sym_model_builder_set_variable (SymModelBuilder *self, SymId value, const char *variable)
{
  SymNames *names = sym_model_builder_own_names (self);

  if (variable != NULL || sym_column_get (names->variables, value) != NULL)
    *sym_column_reach (names->variables, value) =
        (gpointer) (variable == NULL ? NULL : sym_pool_insert (names->pool, variable));
}

void
sym_model_builder_set_role (SymModelBuilder *self, SymId value, SymRole role)
{
  sym_model_builder_own_topology (self);
  g_array_index (self->values, SymDraftValue, value).role = role;
}

SymRole
sym_model_builder_get_role (SymModelBuilder *self, SymId value)
{
  return self->has_topology ? g_array_index (self->values, SymDraftValue, value).role
                            : sym_model_get_role (self->base, value);
}

void
sym_model_builder_set_type (SymModelBuilder *self, SymId value, const SymType *type)
{
  if (check_type (self, type))
    sym_types_set (sym_model_builder_own_types (self), value, type);
}

const SymType *
sym_model_builder_get_type (SymModelBuilder *self, SymId value)
{
  return sym_types_peek (sym_model_builder_own_types (self), value);
}

void
sym_model_builder_set_value_attributes (SymModelBuilder *self,
                                        SymId value,
                                        SymAttributes *take_attributes)
{
  gpointer *slot = sym_column_reach (sym_model_builder_own_data (self)->attributes, value);

  if (*slot != NULL)
    sym_attributes_unref (*slot);
  *slot = take_attributes;
}

void
sym_model_builder_set_parameter (SymModelBuilder *self, SymId value, SymParameter *take_parameter)
{
  gpointer *slot = sym_column_reach (sym_model_builder_own_data (self)->parameters, value);

  if (*slot != NULL)
    sym_parameter_unref (*slot);
  *slot = take_parameter;
}

void
sym_model_builder_set_tensor (SymModelBuilder *self, SymId value, SymTensor *take_tensor)
{
  gpointer *slot = sym_column_reach (sym_model_builder_own_data (self)->tensors, value);

  if (*slot != NULL)
    sym_tensor_unref (*slot);
  *slot = take_tensor;
}

void
sym_model_builder_set_lack (SymModelBuilder *self, SymId value, const char *why)
{
  gpointer *slot;

  if (why == NULL)
    return;
  slot = sym_column_reach (sym_model_builder_own_data (self)->lacks, value);
  if (*slot != NULL)
    g_ref_string_release (*slot);
  if (self->lack == NULL || strcmp (self->lack, why) != 0)
    {
      g_clear_pointer (&self->lack, g_ref_string_release);
      self->lack = g_ref_string_new_intern (why);
    }
  *slot = g_ref_string_acquire (self->lack);
}

void
sym_model_builder_set_value_line (SymModelBuilder *self, SymId value, guint line)
{
  set_line (sym_model_builder_own_lines (self)->values, value, line);
}

/* ---- Inputs and outputs ---- */

void
sym_model_builder_add_input (SymModelBuilder *self, SymId value)
{
  sym_model_builder_own_topology (self);
  g_array_append_val (self->inputs, value);
}

void
sym_model_builder_add_output (SymModelBuilder *self, SymId value)
{
  sym_model_builder_own_topology (self);
  g_array_append_val (self->outputs, value);
}
