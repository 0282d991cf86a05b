/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

void
sym_model_builder_share_origin (SymModelBuilder *self, const SymModel *model)
{
  g_clear_pointer (&self->origin, sym_origin_unref);
  self->origin = model->origin == NULL ? NULL : sym_origin_ref (model->origin);
}

guint
sym_model_builder_get_n_calls (SymModelBuilder *self)
{
  return self->has_topology ? self->calls->len : self->base->topology->n_calls;
}

void
sym_model_builder_set_call_name (SymModelBuilder *self, SymId call, const char *name)
{
  SymNames *names = sym_model_builder_own_names (self);

  g_array_index (names->calls, const char *, call) = sym_pool_insert (names->pool, name);
}

/* @operands do not lie in the pool itself. */
void
sym_model_builder_set_operands (SymModelBuilder *self, SymId call, const SymId *operands, guint n)
{
  sym_model_builder_own_topology (self);
  sym_model_builder_get_draft (self, call)->runs[SYM_RUN_OPERANDS].n = 0;
  for (guint i = 0; i < n; i++)
    sym_model_builder_append_to_run (self, call, SYM_RUN_OPERANDS, operands[i]);
}

void
sym_model_builder_set_layer (SymModelBuilder *self, SymId call, SymLayer *layer)
{
  sym_layers_set (sym_model_builder_own_layers (self), call, layer);
}

SymLayer *
sym_model_builder_get_layer (SymModelBuilder *self, SymId call)
{
  const SymLayers *layers = self->layers == NULL ? self->base->layers : self->layers;

  return g_array_index (layers->layers, SymLayer *, call);
}

void
sym_model_builder_set_inputs (SymModelBuilder *self, const SymId *values, guint n)
{
  sym_model_builder_own_topology (self);
  g_array_set_size (self->inputs, 0);
  g_array_append_vals (self->inputs, values, n);
}

void
sym_model_builder_set_outputs (SymModelBuilder *self, const SymId *values, guint n)
{
  sym_model_builder_own_topology (self);
  g_array_set_size (self->outputs, 0);
  g_array_append_vals (self->outputs, values, n);
}

SymIds
sym_model_builder_get_inputs (SymModelBuilder *self)
{
  return self->has_topology ? (SymIds){ (SymId *) (gpointer) self->inputs->data, self->inputs->len }
                            : sym_model_get_inputs (self->base);
}

SymIds
sym_model_builder_get_outputs (SymModelBuilder *self)
{
  return self->has_topology
             ? (SymIds){ (SymId *) (gpointer) self->outputs->data, self->outputs->len }
             : sym_model_get_outputs (self->base);
}

SymId
sym_model_builder_get_producer (SymModelBuilder *self, SymId value)
{
  return self->has_topology ? g_array_index (self->values, SymDraftValue, value).producer
                            : sym_model_get_producer (self->base, value);
}

gboolean
sym_model_builder_has_value (SymModelBuilder *self, SymId value)
{
  if (!self->has_topology)
    return sym_model_has_value (self->base, value);
  return value < self->values->len && !g_array_index (self->values, SymDraftValue, value).erased;
}

gboolean
sym_model_builder_has_call (SymModelBuilder *self, SymId call)
{
  if (!self->has_topology)
    return sym_model_has_call (self->base, call);
  return call < self->calls->len && !sym_model_builder_get_draft (self, call)->erased;
}

static SymIds
get_base_run (const SymRuns *runs, guint i)
{
  return (SymIds){ runs->ids + runs->offsets[i], runs->offsets[i + 1] - runs->offsets[i] };
}

SymIds
sym_model_builder_get_operands (SymModelBuilder *self, SymId call)
{
  return self->has_topology ? sym_model_builder_get_run (self, call, SYM_RUN_OPERANDS)
                            : get_base_run (&self->base->topology->operands, call);
}

SymIds
sym_model_builder_get_results (SymModelBuilder *self, SymId call)
{
  return self->has_topology ? sym_model_builder_get_run (self, call, SYM_RUN_RESULTS)
                            : get_base_run (&self->base->topology->results, call);
}

SymIds
sym_model_builder_get_controls (SymModelBuilder *self, SymId call)
{
  return self->has_topology ? sym_model_builder_get_run (self, call, SYM_RUN_CONTROLS)
                            : get_base_run (&self->base->topology->controls, call);
}

/* ---- Erasing and moving ---- */

static guint
find_entry (const SymModelBuilder *self, SymId call)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const SymEntry *entry = &g_array_index (self->entries, SymEntry, i);

      if (entry->is_call && entry->id == call)
        return i;
    }

  return self->entries->len;
}

static void
forget_id (GArray *ids, SymId id)
{
  for (guint i = ids->len; i-- > 0;)
    if (g_array_index (ids, SymId, i) == id)
      g_array_remove_index (ids, i);
}

void
sym_model_builder_erase_value (SymModelBuilder *self, SymId value)
{
  sym_model_builder_own_topology (self);
  g_array_index (self->values, SymDraftValue, value).erased = TRUE;
  self->has_gaps = TRUE;
  forget_id (self->inputs, value);
}

void
sym_model_builder_erase_call (SymModelBuilder *self, SymId call)
{
  SymDraftCall *draft;
  SymIds results;

  sym_model_builder_own_topology (self);
  results = sym_model_builder_get_run (self, call, SYM_RUN_RESULTS);
  for (guint i = 0; i < results.n; i++)
    g_array_index (self->values, SymDraftValue, results.ids[i]).erased = TRUE;
  draft = sym_model_builder_get_draft (self, call);
  draft->erased = TRUE;
  for (guint kind = 0; kind < SYM_N_RUNS; kind++)
    draft->runs[kind].n = 0;
  self->has_gaps = TRUE;
}

/* From one place to just before another. */
static void
move_entry (SymModelBuilder *self, guint from, guint to)
{
  SymEntry *entries = self->entries->data;
  SymEntry entry = entries[from];

  if (from < to)
    memmove (&entries[from], &entries[from + 1], sizeof entry * (--to - from));
  else
    memmove (&entries[to + 1], &entries[to], sizeof entry * (from - to));
  entries[to] = entry;
}

void
sym_model_builder_move_call (SymModelBuilder *self, SymId call, SymId before)
{
  sym_model_builder_own_topology (self);
  sym_model_builder_arrange (self);
  move_entry (self, find_entry (self, call),
              before == SYM_NO_ID ? self->entries->len : find_entry (self, before));
}
