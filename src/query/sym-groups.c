/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include "core/sym-progress.h"

struct _SymGroups {
  gatomicrefcount ref_count;
  SymModel *model;
  GStringChunk *names;
  const char *prefix; /* in @names */
  GArray *groups;     /* SymGroup */
  guint *call_groups; /* by call: the innermost group */
  guint *starts;      /* by group: its calls within @calls */
  SymId *calls;       /* all calls, so that those of any group are neighbours */
  guint n_calls;
  guint n_runs;
  guint *run_starts; /* by run, and one more */
  guint *run_groups;
};

static guint
get_end (const SymGroups *self, guint group)
{
  return self->starts[group] + sym_groups_get (self, group)->n_calls;
}

/* Gives calls to @group and those around it, up to the call at @end, and returns the innermost
 * group that goes on there. */
static guint
close_groups (SymGroups *self, const SymGroupDraft *draft, guint group, guint *position, guint end)
{
  for (;;)
    {
      guint until = group == SYM_NO_GROUP ? end : MIN (end, get_end (self, group));

      for (; *position < until; (*position)++)
        self->call_groups[draft->order[*position]] = group;
      if (group == SYM_NO_GROUP || get_end (self, group) > end)
        return group;
      group = sym_groups_get (self, group)->parent;
    }
}

/* Ranges come from outside in, so that those around one are the ones still open. */
static void
add_groups (SymGroups *self, const SymGroupDraft *draft)
{
  g_autofree guint *places = g_new0 (guint, draft->n_runs + 1);
  guint parent = SYM_NO_GROUP;
  guint position = 0;

  self->starts = g_new0 (guint, draft->ranges->len + 1);
  for (guint i = 0; i < draft->ranges->len; i++)
    {
      const SymGroupRange *range = &g_array_index (draft->ranges, SymGroupRange, i);
      SymGroup group = { range->kind, range->name, SYM_NO_GROUP,
                         range->run,  0,           range->end - range->start };

      parent = close_groups (self, draft, parent, &position, range->start);
      g_assert (parent == SYM_NO_GROUP || range->end <= get_end (self, parent));
      group.parent = parent;
      if (range->run != SYM_NO_GROUP)
        group.place = places[range->run]++;
      self->starts[i] = range->start;
      g_array_append_val (self->groups, group);
      parent = i;
    }
  close_groups (self, draft, parent, &position, draft->n);
}

static void
list_runs (SymGroups *self)
{
  self->run_starts = g_new0 (guint, self->n_runs + 1);
  self->run_groups = g_new0 (guint, self->groups->len + 1);
  for (guint i = 0; i < self->groups->len; i++)
    if (sym_groups_get (self, i)->run != SYM_NO_GROUP)
      self->run_starts[sym_groups_get (self, i)->run + 1]++;
  for (guint i = 0; i < self->n_runs; i++)
    self->run_starts[i + 1] += self->run_starts[i];
  for (guint i = 0; i < self->groups->len; i++)
    {
      const SymGroup *group = sym_groups_get (self, i);

      if (group->run != SYM_NO_GROUP)
        self->run_groups[self->run_starts[group->run] + group->place] = i;
    }
}

/* ---- Steps ---- */

/* By how much of the time of all they take. */
static const struct {
  void (*run) (SymGroupDraft *draft);
  guint weight;
} steps[] = {
  { sym_group_draft_classify, 20 }, { sym_group_draft_find_scopes, 15 },
  { sym_group_draft_settle, 1 },    { sym_group_draft_find_pieces, 40 },
  { sym_group_draft_settle, 1 },    { sym_group_draft_find_stages, 5 },
  { sym_group_draft_settle, 1 },    { sym_group_draft_name, 10 },
};

#define WEIGHT_ORDER 25 /* of what comes before them */
#define WEIGHT_GROUPS 5 /* and after them */

/* FALSE when cancelled. */
static gboolean
run_steps (SymGroupDraft *draft, GCancellable *cancellable)
{
  guint total = WEIGHT_ORDER + WEIGHT_GROUPS;
  guint done = WEIGHT_ORDER;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    total += steps[i].weight;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      SymProgressPart whole;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      whole = sym_progress_enter (cancellable, (double) done / total,
                                  (double) (done + steps[i].weight) / total);
      steps[i].run (draft);
      sym_progress_leave (cancellable, whole);
      done += steps[i].weight;
    }
  return !g_cancellable_is_cancelled (cancellable);
}

static SymGroups *
begin (SymModel *model)
{
  SymGroups *self = g_new0 (SymGroups, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->groups = g_array_new (FALSE, FALSE, sizeof (SymGroup));
  self->names = g_string_chunk_new (1024);
  self->prefix = "";
  self->call_groups = g_new (guint, sym_model_get_n_calls (model) + 1);
  for (guint i = 0; i < sym_model_get_n_calls (model); i++)
    self->call_groups[i] = SYM_NO_GROUP;
  return self;
}

/* ---- The public functions ---- */

SymGroups *
sym_groups_find (SymModel *model, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymGroups) self = NULL;
  g_autoptr (SymGroupDraft) draft = NULL;
  SymProgressPart whole;

  g_return_val_if_fail (model != NULL, NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  sym_progress_begin (cancellable, SYM_STAGE_GROUP);
  whole = sym_progress_enter (cancellable, 0, 1);
  self = begin (model);
  draft = sym_group_draft_new (model, self->names);
  draft->cancellable = cancellable;
  if (!run_steps (draft, cancellable))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  add_groups (self, draft);
  self->calls = g_steal_pointer (&draft->order);
  self->n_calls = draft->n;
  self->prefix = draft->prefix;
  self->n_runs = draft->n_runs;
  list_runs (self);
  sym_progress_leave (cancellable, whole);
  return g_steal_pointer (&self);
}

SymGroups *
sym_groups_new (SymModel *model)
{
  return sym_groups_find (model, NULL, NULL);
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
  g_free (self->starts);
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
sym_groups_get_order (const SymGroups *self)
{
  return (SymIds){ self->calls, self->n_calls };
}

SymIds
sym_groups_get_calls (const SymGroups *self, guint group)
{
  g_return_val_if_fail (group < self->groups->len, ((SymIds){ NULL, 0 }));

  return (SymIds){ self->calls + self->starts[group], sym_groups_get (self, group)->n_calls };
}

const char *
sym_groups_get_prefix (const SymGroups *self)
{
  return self->prefix;
}

const guint *
sym_groups_get_run (const SymGroups *self, guint run, guint *n_groups)
{
  g_return_val_if_fail (run < self->n_runs, NULL);

  *n_groups = self->run_starts[run + 1] - self->run_starts[run];
  return self->run_groups + self->run_starts[run];
}
