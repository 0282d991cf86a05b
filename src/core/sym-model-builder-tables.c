/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

/* Where a builder keeps what it has so far, and where a model comes of it. */

void
sym_model_builder_init_topology (SymModelBuilder *self)
{
  self->has_topology = TRUE;
  self->values = sym_rows_new (sizeof (SymDraftValue));
  self->calls = sym_rows_new (sizeof (SymDraftCall));
  for (guint kind = 0; kind < SYM_N_RUNS; kind++)
    self->pools[kind] = sym_rows_new (sizeof (SymId));
  self->entries = sym_rows_new (sizeof (SymEntry));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
}

static SymGrowingRun
unpack (SymRows *pool, const SymRuns *runs, guint i)
{
  return sym_growing_run_new (pool, runs->ids + runs->offsets[i],
                              runs->offsets[i + 1] - runs->offsets[i]);
}

void
sym_model_builder_own_topology (SymModelBuilder *self)
{
  const SymTopology *base;

  if (self->has_topology)
    return;

  base = self->base->topology;
  sym_model_builder_init_topology (self);
  for (SymId i = 0; i < base->n_values; i++)
    {
      SymDraftValue row = { (SymRole) base->roles[i], base->values_erased[i], base->producers[i],
                            base->output_indices[i] };

      sym_rows_append (self->values, row);
    }
  for (SymId i = 0; i < base->n_calls; i++)
    {
      SymDraftCall row = { .erased = base->calls_erased[i] };

      row.runs[SYM_RUN_OPERANDS] = unpack (self->pools[SYM_RUN_OPERANDS], &base->operands, i);
      row.runs[SYM_RUN_RESULTS] = unpack (self->pools[SYM_RUN_RESULTS], &base->results, i);
      row.runs[SYM_RUN_CONTROLS] = unpack (self->pools[SYM_RUN_CONTROLS], &base->controls, i);
      sym_rows_append (self->calls, row);
    }
  sym_rows_append_many (self->entries, base->entries, base->n_entries);
  self->n_arranged = base->n_entries;
  g_array_append_vals (self->inputs, base->inputs, base->n_inputs);
  g_array_append_vals (self->outputs, base->outputs, base->n_outputs);
}

SymNames *
sym_model_builder_own_names (SymModelBuilder *self)
{
  if (self->names == NULL)
    self->names = sym_names_copy (self->base->names);
  return self->names;
}

SymLayers *
sym_model_builder_own_layers (SymModelBuilder *self)
{
  if (self->layers == NULL)
    self->layers = sym_layers_copy (self->base->layers);
  return self->layers;
}

SymTypes *
sym_model_builder_own_types (SymModelBuilder *self)
{
  if (self->types == NULL)
    self->types = sym_types_copy (self->base->types);
  return self->types;
}

SymData *
sym_model_builder_own_data (SymModelBuilder *self)
{
  if (self->data == NULL)
    self->data = sym_data_copy (self->base->data);
  return self->data;
}

SymLines *
sym_model_builder_own_lines (SymModelBuilder *self)
{
  if (self->lines == NULL)
    self->lines = sym_lines_copy (self->base->lines);
  return self->lines;
}

/* ---- The end ---- */

static void
list_inputs (SymModelBuilder *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      SymEntry entry = g_array_index (self->entries, SymEntry, i);

      if (!entry.is_call &&
          g_array_index (self->values, SymDraftValue, entry.id).role == SYM_ROLE_INPUT)
        g_array_append_val (self->inputs, entry.id);
    }
}

static void
give_parameters (SymModelBuilder *self)
{
  const GPtrArray *parameters = (self->data == NULL ? self->base->data : self->data)->parameters;

  for (SymId value = 0; value < self->values->len; value++)
    {
      SymRole role = g_array_index (self->values, SymDraftValue, value).role;

      if ((role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY) &&
          sym_column_get (parameters, value) == NULL)
        {
          *sym_column_reach (sym_model_builder_own_data (self)->parameters, value) =
              sym_parameter_new (role == SYM_ROLE_PARAMETER, NULL);
          parameters = self->data->parameters;
        }
    }
}

static SymRuns
pack (const SymModelBuilder *self, SymRunKind kind)
{
  return sym_draft_calls_pack (self->calls, kind, self->pools[kind]);
}

static SymTopology *
pack_topology (SymModelBuilder *self)
{
  SymTopology *topology = g_new0 (SymTopology, 1);
  guint n_values = self->values->len, n_calls = self->calls->len;

  g_atomic_ref_count_init (&topology->ref_count);
  topology->n_values = n_values;
  topology->n_calls = n_calls;
  topology->roles = g_new (guint8, n_values + 1);
  topology->values_erased = g_new (guint8, n_values + 1);
  topology->producers = g_new (SymId, n_values + 1);
  topology->output_indices = g_new (guint, n_values + 1);
  topology->calls_erased = g_new (guint8, n_calls + 1);
  for (SymId i = 0; i < n_values; i++)
    {
      const SymDraftValue *row = &g_array_index (self->values, SymDraftValue, i);

      topology->roles[i] = (guint8) row->role;
      topology->values_erased[i] = row->erased != FALSE;
      topology->producers[i] = row->producer;
      topology->output_indices[i] = row->output_index;
    }
  for (SymId i = 0; i < n_calls; i++)
    topology->calls_erased[i] = sym_model_builder_get_draft (self, i)->erased != FALSE;
  topology->operands = pack (self, SYM_RUN_OPERANDS);
  topology->results = pack (self, SYM_RUN_RESULTS);
  topology->controls = pack (self, SYM_RUN_CONTROLS);
  topology->n_entries = self->entries->len;
  topology->entries = sym_rows_free_to_data (g_steal_pointer (&self->entries));
  topology->n_inputs = self->inputs->len;
  topology->inputs = (SymId *) (gpointer) g_array_free (g_steal_pointer (&self->inputs), FALSE);
  topology->n_outputs = self->outputs->len;
  topology->outputs = (SymId *) (gpointer) g_array_free (g_steal_pointer (&self->outputs), FALSE);
  sym_topology_settle (topology);
  return topology;
}

SymModel *
sym_model_builder_end (SymModelBuilder *self)
{
  SymModel *model = g_new0 (SymModel, 1);
  SymModel *base = self->base;

  g_atomic_ref_count_init (&model->ref_count);
  if (self->has_topology)
    {
      if (base == NULL && self->inputs->len == 0)
        list_inputs (self);
      if (base != NULL)
        sym_model_builder_arrange (self);
      give_parameters (self);
      model->topology = pack_topology (self);
    }
  else
    model->topology = sym_topology_ref (base->topology);
  model->name = g_steal_pointer (&self->name);
  model->dialect = self->dialect;
  model->names = self->names != NULL ? g_steal_pointer (&self->names) : sym_names_ref (base->names);
  model->layers =
      self->layers != NULL ? g_steal_pointer (&self->layers) : sym_layers_ref (base->layers);
  model->types = self->types != NULL ? g_steal_pointer (&self->types) : sym_types_ref (base->types);
  model->data = self->data != NULL ? g_steal_pointer (&self->data) : sym_data_ref (base->data);
  model->lines = self->lines != NULL ? g_steal_pointer (&self->lines) : sym_lines_ref (base->lines);
  model->origin = g_steal_pointer (&self->origin);
  model->problems = g_steal_pointer (&self->problems);
  sym_model_builder_free (self);
  return model;
}
