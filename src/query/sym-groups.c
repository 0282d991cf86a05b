/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

guint
sym_groups_add (SymGroups *self, SymGroupKind kind, const char *name, guint parent)
{
  SymGroup group = {
    .kind = kind,
    .name = g_string_chunk_insert_const (self->names, name),
    .parent = parent,
    .run = SYM_NO_GROUP,
  };

  g_assert (parent == SYM_NO_GROUP || parent < self->groups->len);

  g_array_append_val (self->groups, group);
  return self->groups->len - 1;
}

guint
sym_groups_find_within (const SymGroups *self, guint container, SymId call)
{
  guint within = SYM_NO_GROUP;

  for (guint i = self->call_groups[call]; i != container; i = sym_groups_get (self, i)->parent) {
    g_assert (i != SYM_NO_GROUP);
    within = i;
  }
  return within;
}

static void
count_calls (SymGroups *self)
{
  SymIds order = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < order.n; i++)
    for (guint k = self->call_groups[order.ids[i]]; k != SYM_NO_GROUP;) {
      SymGroup *group = &g_array_index (self->groups, SymGroup, k);

      group->n_calls++;
      k = group->parent;
    }
}

static void
list_calls (SymGroups *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  g_autofree guint *n_listed = g_new0 (guint, self->groups->len + 1);

  self->call_starts = g_new0 (guint, self->groups->len + 1);
  for (guint i = 0; i < self->groups->len; i++)
    self->call_starts[i + 1] = self->call_starts[i] + sym_groups_get (self, i)->n_calls;
  self->calls = g_new (SymId, self->call_starts[self->groups->len] + 1);
  for (guint i = 0; i < order.n; i++)
    for (guint k = self->call_groups[order.ids[i]]; k != SYM_NO_GROUP;
         k = sym_groups_get (self, k)->parent)
      self->calls[self->call_starts[k] + n_listed[k]++] = order.ids[i];
}

static void
list_runs (SymGroups *self)
{
  for (guint i = 0; i < self->groups->len; i++) {
    const SymGroup *group = sym_groups_get (self, i);

    if (group->run != SYM_NO_GROUP)
      self->n_runs = MAX (self->n_runs, group->run + 1);
  }
  self->run_starts = g_new0 (guint, self->n_runs + 1);
  self->run_groups = g_new0 (guint, self->groups->len + 1);
  for (guint i = 0; i < self->groups->len; i++)
    if (sym_groups_get (self, i)->run != SYM_NO_GROUP)
      self->run_starts[sym_groups_get (self, i)->run + 1]++;
  for (guint i = 0; i < self->n_runs; i++)
    self->run_starts[i + 1] += self->run_starts[i];
  for (guint i = 0; i < self->groups->len; i++) {
    const SymGroup *group = sym_groups_get (self, i);

    if (group->run != SYM_NO_GROUP)
      self->run_groups[self->run_starts[group->run] + group->place] = i;
  }
}

SymGroups *
sym_groups_new (SymModel *model)
{
  SymGroups *self;

  g_return_val_if_fail (model != NULL, NULL);

  self = g_new0 (SymGroups, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->groups = g_array_new (FALSE, FALSE, sizeof (SymGroup));
  self->names = g_string_chunk_new (1024);
  self->call_groups = g_new (guint, sym_model_get_n_calls (model) + 1);
  for (guint i = 0; i < sym_model_get_n_calls (model); i++)
    self->call_groups[i] = SYM_NO_GROUP;
  sym_groups_find_scopes (self);
  count_calls (self);
  list_calls (self);
  list_runs (self);
  return self;
}

SymGroups *
sym_groups_ref (SymGroups *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_groups_unref (SymGroups *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_model_unref (self->model);
  g_array_unref (self->groups);
  g_string_chunk_free (self->names);
  g_free (self->call_groups);
  g_free (self->call_starts);
  g_free (self->calls);
  g_free (self->run_starts);
  g_free (self->run_groups);
  g_free (self);
}

SymModel *
sym_groups_get_model (const SymGroups *self)
{
  return self->model;
}

guint
sym_groups_get_n (const SymGroups *self)
{
  return self->groups->len;
}

const SymGroup *
sym_groups_get (const SymGroups *self, guint group)
{
  g_return_val_if_fail (group < self->groups->len, NULL);

  return &g_array_index (self->groups, SymGroup, group);
}

guint
sym_groups_find_call (const SymGroups *self, SymId call)
{
  g_return_val_if_fail (sym_model_has_call (self->model, call), SYM_NO_GROUP);

  return self->call_groups[call];
}

SymIds
sym_groups_get_calls (const SymGroups *self, guint group)
{
  g_return_val_if_fail (group < self->groups->len, ((SymIds){ NULL, 0 }));

  return (SymIds){ self->calls + self->call_starts[group],
                   self->call_starts[group + 1] - self->call_starts[group] };
}

const guint *
sym_groups_get_run (const SymGroups *self, guint run, guint *n_groups)
{
  g_return_val_if_fail (run < self->n_runs, NULL);

  *n_groups = self->run_starts[run + 1] - self->run_starts[run];
  return self->run_groups + self->run_starts[run];
}
