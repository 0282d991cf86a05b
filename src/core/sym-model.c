/* SPDX-License-Identifier: MIT */
#include "core/sym-model-private.h"

#include <stdlib.h>

const char *
sym_role_to_string (SymRole role)
{
  static const char *const names[] = {
    [SYM_ROLE_INPUT] = "input",         [SYM_ROLE_INTERMEDIATE] = "intermediate",
    [SYM_ROLE_PARAMETER] = "parameter", [SYM_ROLE_AUXILIARY] = "auxiliary",
    [SYM_ROLE_CONSTANT] = "constant",   [SYM_ROLE_ABSENT] = "absent",
  };

  g_return_val_if_fail (role < G_N_ELEMENTS (names), "?");

  return names[role];
}

gboolean
sym_role_is_data (SymRole role)
{
  return role == SYM_ROLE_INPUT || role == SYM_ROLE_INTERMEDIATE;
}

gboolean
sym_ids_contain (SymIds self, SymId id)
{
  for (guint i = 0; i < self.n; i++)
    if (self.ids[i] == id)
      return TRUE;
  return FALSE;
}

SymModel *
sym_model_ref (SymModel *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_model_unref (SymModel *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->name);
  sym_topology_unref (self->topology);
  sym_names_unref (self->names);
  sym_layers_unref (self->layers);
  sym_types_unref (self->types);
  sym_data_unref (self->data);
  sym_lines_unref (self->lines);
  g_clear_pointer (&self->origin, sym_origin_unref);
  sym_problems_unref (self->problems);
  g_clear_pointer (&self->name_index, sym_name_index_free);
  g_free (self);
}

const char *
sym_model_get_name (const SymModel *self)
{
  return self->name;
}

SymDialect
sym_model_get_dialect (const SymModel *self)
{
  return self->dialect;
}

const char *
sym_model_get_format (const SymModel *self)
{
  return self->origin == NULL ? NULL : self->origin->format;
}

gconstpointer
sym_model_get_origin (const SymModel *self)
{
  return self->origin == NULL ? NULL : self->origin->data;
}

void
sym_model_forget_origin (SymModel *self)
{
  SymOrigin *origin = self->origin;

  if (origin == NULL || origin->data == NULL)
    return;
  self->origin = g_new0 (SymOrigin, 1);
  g_atomic_ref_count_init (&self->origin->ref_count);
  self->origin->format = g_strdup (origin->format);
  sym_origin_unref (origin);
}

gboolean
sym_model_is_named_input (const SymModel *self, SymId value)
{
  const SymOrigin *origin = self->origin;

  return origin != NULL && origin->is_named != NULL && origin->is_named (origin->data, self, value);
}

const SymProblems *
sym_model_get_problems (const SymModel *self)
{
  return self->problems;
}

guint
sym_model_get_n_values (const SymModel *self)
{
  return self->topology->n_values;
}

guint
sym_model_get_n_calls (const SymModel *self)
{
  return self->topology->n_calls;
}

gboolean
sym_model_has_value (const SymModel *self, SymId value)
{
  return value < self->topology->n_values && !self->topology->values_erased[value];
}

gboolean
sym_model_has_call (const SymModel *self, SymId call)
{
  return call < self->topology->n_calls && !self->topology->calls_erased[call];
}

SymIds
sym_model_get_inputs (const SymModel *self)
{
  return (SymIds){ self->topology->inputs, self->topology->n_inputs };
}

SymIds
sym_model_get_outputs (const SymModel *self)
{
  return (SymIds){ self->topology->outputs, self->topology->n_outputs };
}

gboolean
sym_model_is_output (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, FALSE);

  return self->topology->is_output[value];
}

/* ---- Values ---- */

const char *
sym_model_get_value_name (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, "");

  return g_array_index (self->names->values, const char *, value);
}

const char *
sym_model_get_variable (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, NULL);

  return sym_column_get (self->names->variables, value);
}

SymRole
sym_model_get_role (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, SYM_ROLE_INPUT);

  return (SymRole) self->topology->roles[value];
}

SymId
sym_model_get_producer (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, SYM_NO_ID);

  return self->topology->producers[value];
}

guint
sym_model_get_output_index (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, 0);

  return self->topology->output_indices[value];
}

static SymIds
get_run (const SymRuns *runs, guint i)
{
  g_return_val_if_fail (i < runs->n, ((SymIds){ NULL, 0 }));

  return (SymIds){ runs->ids + runs->offsets[i], runs->offsets[i + 1] - runs->offsets[i] };
}

SymIds
sym_model_get_consumers (const SymModel *self, SymId value)
{
  return get_run (&self->topology->consumers, value);
}

SymType
sym_model_get_declared_type (const SymModel *self, SymId value)
{
  const SymType *type;

  g_return_val_if_fail (value < self->topology->n_values, SYM_TYPE_UNKNOWN);

  type = sym_types_peek (self->types, value);
  return type == NULL ? SYM_TYPE_UNKNOWN : *type;
}

const SymTerms *
sym_model_get_terms (const SymModel *self)
{
  return self->types->terms;
}

SymParameter *
sym_model_get_parameter (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, NULL);

  return sym_column_get (self->data->parameters, value);
}

SymTensor *
sym_model_get_tensor (const SymModel *self, SymId value)
{
  SymParameter *parameter = sym_model_get_parameter (self, value);
  SymTensor *tensor;

  g_return_val_if_fail (value < self->topology->n_values, NULL);

  tensor = sym_column_get (self->data->tensors, value);
  return tensor != NULL || parameter == NULL ? tensor : sym_parameter_get_tensor (parameter);
}

const char *
sym_model_get_lack (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, NULL);

  return sym_column_get (self->data->lacks, value);
}

const SymAttributes *
sym_model_get_value_attributes (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, NULL);

  return sym_column_get (self->data->attributes, value);
}

SymIds
sym_model_get_parents (const SymModel *self, SymId value)
{
  SymId producer = sym_model_get_producer (self, value);

  if (producer == SYM_NO_ID)
    return (SymIds){ NULL, 0 };
  return sym_model_get_data_operands (self, producer);
}

void
sym_model_collect_children (const SymModel *self, SymId value, GArray *children)
{
  SymIds consumers = sym_model_get_consumers (self, value);

  for (guint i = 0; i < consumers.n; i++)
    {
      SymIds results = sym_model_get_results (self, consumers.ids[i]);

      for (guint k = 0; k < results.n; k++)
        if (sym_model_get_role (self, results.ids[k]) != SYM_ROLE_ABSENT)
          g_array_append_val (children, results.ids[k]);
    }
}

/* ---- Calls ---- */

SymLayer *
sym_model_get_layer (const SymModel *self, SymId call)
{
  g_return_val_if_fail (call < self->topology->n_calls, NULL);

  return g_array_index (self->layers->layers, SymLayer *, call);
}

gboolean
sym_model_has_bodies (const SymModel *self, SymId call)
{
  return self->layers->n_nested > 0 &&
         sym_layer_get_n_bodies (sym_model_get_layer (self, call)) > 0;
}

const char *
sym_model_get_call_name (const SymModel *self, SymId call)
{
  g_return_val_if_fail (call < self->topology->n_calls, "");

  return g_array_index (self->names->calls, const char *, call);
}

SymIds
sym_model_get_operands (const SymModel *self, SymId call)
{
  return get_run (&self->topology->operands, call);
}

SymIds
sym_model_get_data_operands (const SymModel *self, SymId call)
{
  return get_run (&self->topology->data_operands, call);
}

SymIds
sym_model_get_results (const SymModel *self, SymId call)
{
  return get_run (&self->topology->results, call);
}

SymId
sym_model_get_first_result (const SymModel *self, SymId call)
{
  SymIds results = sym_model_get_results (self, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_model_get_role (self, results.ids[i]) != SYM_ROLE_ABSENT)
      return results.ids[i];

  return SYM_NO_ID;
}

guint
sym_model_count_results (const SymModel *self, SymId call)
{
  SymIds results = sym_model_get_results (self, call);
  guint n = 0;

  for (guint i = 0; i < results.n && n < 2; i++)
    n += sym_model_get_role (self, results.ids[i]) != SYM_ROLE_ABSENT;
  return n;
}

SymIds
sym_model_get_controls (const SymModel *self, SymId call)
{
  return get_run (&self->topology->controls, call);
}

const SymValue *
sym_model_get_arguments (const SymModel *self, SymId call)
{
  g_return_val_if_fail (call < self->topology->n_calls, NULL);

  return sym_column_get (self->layers->arguments, call);
}

const SymAttributes *
sym_model_get_call_attributes (const SymModel *self, SymId call)
{
  g_return_val_if_fail (call < self->topology->n_calls, NULL);

  return sym_column_get (self->layers->attributes, call);
}

/* Slots of an operator are those of its operands one to one, as far as both go: optional slots that
 * are switched off come last in every dialect that leaves them out. */
const char *
sym_model_get_slot_name (const SymModel *self, SymId call, guint operand)
{
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (self, call));

  if (op == NULL || op->slots == NULL)
    return NULL;
  for (guint i = 0; op->slots[i].name != NULL; i++)
    if (i == operand)
      return op->slots[i].name;

  return NULL;
}

guint
sym_model_get_call_line (const SymModel *self, SymId call)
{
  g_return_val_if_fail (call < self->topology->n_calls, 0);

  return call < self->lines->calls->len ? g_array_index (self->lines->calls, guint, call) : 0;
}

guint
sym_model_get_value_line (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, 0);

  return value < self->lines->values->len ? g_array_index (self->lines->values, guint, value) : 0;
}

/* ---- Orders ---- */

guint
sym_model_get_n_entries (const SymModel *self)
{
  return self->topology->n_entries;
}

SymEntry
sym_model_get_entry (const SymModel *self, guint i)
{
  g_return_val_if_fail (i < self->topology->n_entries, ((SymEntry){ FALSE, SYM_NO_ID }));

  return self->topology->entries[i];
}

SymIds
sym_model_get_execution_order (const SymModel *self)
{
  return (SymIds){ self->topology->execution, self->topology->n_execution };
}

static int
compare_edges (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

gboolean
sym_model_is_back_edge (const SymModel *self, SymId call, guint operand)
{
  const SymTopology *topology = self->topology;
  guint64 key = (guint64) call << 32 | operand;

  return topology->n_back_edges > 0 && bsearch (&key, topology->back_edges, topology->n_back_edges,
                                                sizeof key, compare_edges) != NULL;
}

gboolean
sym_model_has_cycle (const SymModel *self)
{
  return self->topology->has_cycle;
}

guint
sym_model_get_depth (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, 0);

  return self->topology->depths[value];
}

SymIds
sym_model_get_rows (const SymModel *self)
{
  return (SymIds){ self->topology->rows, self->topology->n_rows };
}

guint
sym_model_get_row (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, 0);

  return self->topology->row_numbers[value];
}

gboolean
sym_model_is_live (const SymModel *self, SymId value)
{
  g_return_val_if_fail (value < self->topology->n_values, FALSE);

  return self->topology->live[value];
}

gboolean
sym_model_is_call_live (const SymModel *self, SymId call)
{
  SymIds results = sym_model_get_results (self, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_model_is_live (self, results.ids[i]))
      return TRUE;
  return FALSE;
}
