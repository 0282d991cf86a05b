/* SPDX-License-Identifier: MIT */
#include "query/sym-folding.h"

#include <string.h>

struct _SymFolding {
  gatomicrefcount ref_count;
  SymGroups *groups;
  guint8 *is_open; /* by group */

  /* What follows from that. */
  guint *shown;    /* by group: the outermost closed group around it, itself included */
  guint *heads;    /* by closed group: the first of the neighbours that are drawn together */
  guint *n_merged; /* by head */
  guint n_items;
};

static SymFolding *
new_folding (SymGroups *groups)
{
  SymFolding *self = g_new0 (SymFolding, 1);
  guint n = sym_groups_get_n (groups);

  g_atomic_ref_count_init (&self->ref_count);
  self->groups = sym_groups_ref (groups);
  self->is_open = g_new0 (guint8, n + 1);
  self->shown = g_new (guint, n + 1);
  self->heads = g_new (guint, n + 1);
  self->n_merged = g_new0 (guint, n + 1);
  return self;
}

static void
find_shown (SymFolding *self)
{
  for (guint i = 0; i < sym_groups_get_n (self->groups); i++)
    {
      guint parent = sym_groups_get (self->groups, i)->parent;

      self->shown[i] = parent == SYM_NO_GROUP ? SYM_NO_GROUP : self->shown[parent];
      if (self->shown[i] == SYM_NO_GROUP && !self->is_open[i])
        self->shown[i] = i;
    }
}

/* Joins each closed group with the closed ones before it in its run.  The groups of a run come in
 * order of their places. */
static void
merge_neighbours (SymFolding *self)
{
  for (guint i = 0; i < sym_groups_get_n (self->groups); i++)
    {
      const SymGroup *group = sym_groups_get (self->groups, i);

      self->heads[i] = i;
      if (group->run != SYM_NO_GROUP && group->place > 0)
        {
          guint n;
          guint before = sym_groups_get_run (self->groups, group->run, &n)[group->place - 1];

          if (!self->is_open[i] && !self->is_open[before])
            self->heads[i] = self->heads[before];
        }
      self->n_merged[self->heads[i]]++;
    }
}

static void
count_items (SymFolding *self)
{
  SymModel *model = sym_groups_get_model (self->groups);
  SymIds order = sym_model_get_execution_order (model);

  self->n_items = 0;
  for (guint i = 0; i < sym_groups_get_n (self->groups); i++)
    if (self->shown[i] == i && self->heads[i] == i)
      self->n_items++;
  for (guint i = 0; i < order.n; i++)
    if (sym_folding_find_call (self, order.ids[i]) == SYM_NO_GROUP)
      self->n_items++;
}

static SymFolding *
settle (SymFolding *self)
{
  find_shown (self);
  memset (self->n_merged, 0, sizeof (guint) * sym_groups_get_n (self->groups));
  merge_neighbours (self);
  count_items (self);
  return self;
}

SymFolding *
sym_folding_new_closed (SymGroups *groups)
{
  g_return_val_if_fail (groups != NULL, NULL);

  return settle (new_folding (groups));
}

SymFolding *
sym_folding_new_levels (SymGroups *groups, guint n_levels)
{
  g_return_val_if_fail (groups != NULL, NULL);

  SymFolding *self = new_folding (groups);
  guint n = sym_groups_get_n (groups);
  g_autofree guint *depths = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++) /* a parent comes before the groups within it */
    {
      guint parent = sym_groups_get (groups, i)->parent;

      depths[i] = parent != SYM_NO_GROUP ? depths[parent] + 1 : 0;
      self->is_open[i] = depths[i] < n_levels;
    }
  return settle (self);
}

SymFolding *
sym_folding_new_flagged (SymGroups *groups, const guint8 *is_open)
{
  g_return_val_if_fail (groups != NULL && is_open != NULL, NULL);

  SymFolding *self = new_folding (groups);

  for (guint i = sym_groups_get_n (groups); i-- > 0;) /* a parent comes before those within it */
    {
      guint parent = sym_groups_get (groups, i)->parent;

      self->is_open[i] = self->is_open[i] || is_open[i];
      if (self->is_open[i] && parent != SYM_NO_GROUP)
        self->is_open[parent] = TRUE;
    }
  return settle (self);
}

static guint
count_depth (const SymGroups *groups, guint group)
{
  guint depth = 0;

  for (; group != SYM_NO_GROUP; group = sym_groups_get (groups, group)->parent)
    depth++;
  return depth;
}

/* Whether the group around a call that is the @depth-th from outside is open, or none is closed. */
static gboolean
was_open (const SymFolding *self, SymId call, guint depth)
{
  guint group = sym_groups_find_call (self->groups, call);

  for (guint i = count_depth (self->groups, group); i > depth; i--)
    group = sym_groups_get (self->groups, group)->parent;
  if (group == SYM_NO_GROUP || count_depth (self->groups, group) < depth)
    return sym_folding_find_call (self, call) == SYM_NO_GROUP;
  return self->is_open[group];
}

SymFolding *
sym_folding_new_as (SymGroups *groups, const SymFolding *before)
{
  g_return_val_if_fail (groups != NULL && before != NULL, NULL);

  SymModel *model = sym_groups_get_model (before->groups);
  SymFolding *self = new_folding (groups);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      SymIds calls = sym_groups_get_calls (groups, i);

      self->is_open[i] = calls.n > 0 && (!sym_model_has_call (model, calls.ids[0]) ||
                                         was_open (before, calls.ids[0], count_depth (groups, i)));
    }
  return settle (self);
}

SymFolding *
sym_folding_new_open (SymGroups *groups)
{
  SymFolding *self;

  g_return_val_if_fail (groups != NULL, NULL);

  self = new_folding (groups);
  memset (self->is_open, 1, sym_groups_get_n (groups));
  return settle (self);
}

/* Items that stand for a closed group once it is open: its own calls, the groups within, and what
 * is left of its run.  Of a run only the first is opened here. */
static guint
count_within (const SymFolding *self, guint group, const guint *n_own, const guint *n_children)
{
  return n_own[group] + n_children[group] +
         (sym_groups_get (self->groups, group)->run != SYM_NO_GROUP);
}

static void
count_contents (SymGroups *groups, guint *n_own, guint *n_children)
{
  SymModel *model = sym_groups_get_model (groups);
  SymIds order = sym_model_get_execution_order (model);

  for (guint i = 0; i < order.n; i++)
    {
      guint group = sym_groups_find_call (groups, order.ids[i]);

      if (group != SYM_NO_GROUP)
        n_own[group]++;
    }
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);

      if (group->parent != SYM_NO_GROUP && (group->run == SYM_NO_GROUP || group->place == 0))
        n_children[group->parent]++;
    }
}

/* Groups from outside in, in their order at each depth. */
static guint *
list_by_depth (SymGroups *groups)
{
  guint n = sym_groups_get_n (groups);
  g_autofree guint *depths = g_new (guint, n + 1);
  g_autofree guint *starts = g_new0 (guint, n + 2);
  guint *list = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    {
      guint parent = sym_groups_get (groups, i)->parent;

      depths[i] = parent == SYM_NO_GROUP ? 0 : depths[parent] + 1;
      starts[depths[i] + 1]++;
    }
  for (guint i = 0; i < n; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < n; i++)
    list[starts[depths[i]]++] = i;
  return list;
}

typedef struct {
  SymFolding *folding;
  guint max_items;
  guint *n_own, *n_children; /* by group: calls and groups directly in it */
  guint *n_stages;           /* by group, and one more for the top: what would be added by opening
                              * all stages in it */
} Opener;

static guint
get_parent_index (const SymGroups *groups, guint group)
{
  guint parent = sym_groups_get (groups, group)->parent;

  return parent == SYM_NO_GROUP ? sym_groups_get_n (groups) : parent;
}

/* Stages are opened together or not at all: else a part of the picture would be fine and all the
 * rest coarse for no reason that can be seen. */
static void
count_stages (Opener *self)
{
  SymGroups *groups = self->folding->groups;

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    if (sym_groups_get (groups, i)->kind == SYM_GROUP_STAGE)
      self->n_stages[get_parent_index (groups, i)] +=
          count_within (self->folding, i, self->n_own, self->n_children) - 1;
}

static gboolean
can_open (const Opener *self, guint group, gboolean runs)
{
  SymGroups *groups = self->folding->groups;
  const SymGroup *self_group = sym_groups_get (groups, group);

  if (self->folding->is_open[group] ||
      (self_group->parent != SYM_NO_GROUP && !self->folding->is_open[self_group->parent]))
    return FALSE;
  return self_group->run == SYM_NO_GROUP || (runs && self_group->place == 0);
}

/* What comes with a group when it is opened, itself no longer counted. */
static guint
count_added (const Opener *self, guint group)
{
  SymGroups *groups = self->folding->groups;

  if (sym_groups_get (groups, group)->kind == SYM_GROUP_STAGE)
    return self->n_stages[get_parent_index (groups, group)];
  return count_within (self->folding, group, self->n_own, self->n_children) - 1;
}

/* Opens what fits: groups without an equal, or with @runs the first of each run too.  The stages of
 * one container are neighbours in the list: the first of them that is opened counts for all. */
static void
open_some (Opener *self, const guint *list, gboolean runs)
{
  SymFolding *folding = self->folding;
  guint opened = SYM_NO_GROUP; /* whose stages are being opened */

  for (guint i = 0; i < sym_groups_get_n (folding->groups); i++)
    {
      gboolean is_stage = sym_groups_get (folding->groups, list[i])->kind == SYM_GROUP_STAGE;
      guint parent = get_parent_index (folding->groups, list[i]);

      if (!can_open (self, list[i], runs))
        continue;
      if (!is_stage || parent != opened)
        {
          guint n = count_added (self, list[i]);

          if (folding->n_items + n > self->max_items)
            continue;
          folding->n_items += n;
        }
      if (is_stage)
        opened = parent;
      folding->is_open[list[i]] = 1;
    }
}

SymFolding *
sym_folding_new (SymGroups *groups, guint max_items)
{
  guint n = groups ? sym_groups_get_n (groups) : 0;
  g_autofree guint *n_own = g_new0 (guint, n + 1);
  g_autofree guint *n_children = g_new0 (guint, n + 1);
  g_autofree guint *n_stages = g_new0 (guint, n + 1);
  g_autofree guint *list = NULL;
  Opener opener = { NULL, max_items, n_own, n_children, n_stages };

  g_return_val_if_fail (groups != NULL, NULL);

  if (sym_model_get_execution_order (sym_groups_get_model (groups)).n <= max_items)
    return sym_folding_new_open (groups);
  opener.folding = sym_folding_new_closed (groups);
  count_contents (groups, n_own, n_children);
  count_stages (&opener);
  list = list_by_depth (groups);
  open_some (&opener, list, FALSE);
  open_some (&opener, list, TRUE);
  return settle (opener.folding);
}

static SymFolding *
copy_folding (const SymFolding *self)
{
  SymFolding *copy = new_folding (self->groups);

  memcpy (copy->is_open, self->is_open, sym_groups_get_n (self->groups));
  return copy;
}

SymFolding *
sym_folding_open (const SymFolding *self, guint group)
{
  SymFolding *copy;

  g_return_val_if_fail (group < sym_groups_get_n (self->groups), NULL);

  copy = copy_folding (self);
  for (guint i = group; i != SYM_NO_GROUP; i = sym_groups_get (self->groups, i)->parent)
    copy->is_open[i] = 1;
  return settle (copy);
}

SymFolding *
sym_folding_close (const SymFolding *self, guint group)
{
  SymFolding *copy;

  g_return_val_if_fail (group < sym_groups_get_n (self->groups), NULL);

  copy = copy_folding (self);
  copy->is_open[group] = 0;
  return settle (copy);
}

SymFolding *
sym_folding_ref (SymFolding *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_folding_unref (SymFolding *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_groups_unref (self->groups);
  g_free (self->is_open);
  g_free (self->shown);
  g_free (self->heads);
  g_free (self->n_merged);
  g_free (self);
}

SymGroups *
sym_folding_get_groups (const SymFolding *self)
{
  return self->groups;
}

gboolean
sym_folding_is_open (const SymFolding *self, guint group)
{
  g_return_val_if_fail (group < sym_groups_get_n (self->groups), FALSE);

  return self->is_open[group];
}

guint
sym_folding_find_call (const SymFolding *self, SymId call)
{
  guint group = sym_groups_find_call (self->groups, call);
  guint shown = group == SYM_NO_GROUP ? SYM_NO_GROUP : self->shown[group];

  return shown == SYM_NO_GROUP ? SYM_NO_GROUP : self->heads[shown];
}

guint
sym_folding_get_n_merged (const SymFolding *self, guint group)
{
  g_return_val_if_fail (group < sym_groups_get_n (self->groups), 0);

  return self->n_merged[group];
}

guint
sym_folding_get_frame (const SymFolding *self, SymId call)
{
  guint group = sym_groups_find_call (self->groups, call);
  guint shown = group == SYM_NO_GROUP ? SYM_NO_GROUP : self->shown[group];

  return shown == SYM_NO_GROUP ? group : sym_groups_get (self->groups, shown)->parent;
}

static void
append_results (const SymFolding *self, guint group, GArray *values)
{
  SymModel *model = sym_groups_get_model (self->groups);
  SymIds calls = sym_groups_get_calls (self->groups, group);

  for (guint i = 0; i < calls.n; i++)
    {
      SymIds results = sym_model_get_results (model, calls.ids[i]);

      g_array_append_vals (values, results.ids, results.n);
    }
}

void
sym_folding_collect_beside (const SymFolding *self, SymId value, GArray *values)
{
  SymId call = sym_model_get_producer (sym_groups_get_model (self->groups), value);
  guint head = call == SYM_NO_ID ? SYM_NO_GROUP : sym_folding_find_call (self, call);
  const SymGroup *group = head == SYM_NO_GROUP ? NULL : sym_groups_get (self->groups, head);
  const guint *run = &head;
  guint n;

  if (!group)
    {
      g_array_append_val (values, value);
      return;
    }
  if (group->run != SYM_NO_GROUP)
    run = sym_groups_get_run (self->groups, group->run, &n) + group->place;
  for (guint i = 0; i < self->n_merged[head]; i++)
    append_results (self, run[i], values);
}

guint
sym_folding_count_items (const SymFolding *self)
{
  return self->n_items;
}
