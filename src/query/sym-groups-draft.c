/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

static guint
find_source (const SymGroupDraft *self, SymId value)
{
  SymId producer;

  if (value == SYM_NO_ID)
    return SYM_GROUP_USE_EMPTY;
  producer = sym_model_get_producer (self->model, value);
  if (producer != SYM_NO_ID)
    return self->positions[producer];
  return sym_role_is_data (sym_model_get_role (self->model, value)) ? SYM_GROUP_USE_INPUT
                                                                    : SYM_GROUP_USE_OTHER;
}

static void
list_uses (SymGroupDraft *self)
{
  guint n = 0;

  self->use_starts = g_new0 (guint, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      n += sym_model_get_operands (self->model, self->order[i]).n;
      self->use_starts[i + 1] = n;
    }
  self->uses = g_new (SymGroupUse, n + 1);
  n = 0;
  for (guint i = 0; i < self->n; i++)
    {
      SymIds operands = sym_model_get_operands (self->model, self->order[i]);

      for (guint k = 0; k < operands.n; k++)
        {
          SymGroupUse use = { find_source (self, operands.ids[k]), operands.ids[k], 0 };

          if (use.source < self->n)
            use.output = sym_model_get_output_index (self->model, use.value);
          self->uses[n++] = use;
        }
    }
}

/* Counts in differences first: what is crossed from @source + 1 on is not any more after @last. */
static void
count_crossings (SymGroupDraft *self)
{
  g_autofree guint *last = g_new0 (guint, sym_model_get_n_values (self->model) + 1);

  self->n_crossing_values = g_new0 (guint, self->n + 2);
  self->n_crossing_uses = g_new0 (guint, self->n + 2);
  for (guint i = 0; i < self->n; i++)
    for (guint k = self->use_starts[i]; k < self->use_starts[i + 1]; k++)
      {
        const SymGroupUse *use = &self->uses[k];

        if (use->source >= i)
          continue;
        self->n_crossing_uses[use->source + 1]++;
        self->n_crossing_uses[i + 1]--;
        if (last[use->value] == 0)
          self->n_crossing_values[use->source + 1]++;
        else
          self->n_crossing_values[last[use->value] + 1]++;
        last[use->value] = i;
        self->n_crossing_values[i + 1]--;
      }
  for (guint i = 0; i <= self->n; i++)
    {
      self->n_crossing_uses[i + 1] += self->n_crossing_uses[i];
      self->n_crossing_values[i + 1] += self->n_crossing_values[i];
    }
}

SymGroupDraft *
sym_group_draft_new (SymModel *model, GStringChunk *names)
{
  SymGroupDraft *self = g_new0 (SymGroupDraft, 1);

  self->model = model;
  self->names = names;
  self->prefix = "";
  self->order = sym_groups_sort (model, &self->n);
  self->positions = g_new0 (guint, sym_model_get_n_calls (model) + 1);
  for (guint i = 0; i < self->n; i++)
    self->positions[self->order[i]] = i;
  self->classes = g_new0 (guint, self->n + 1);
  self->is_variadic = g_new0 (guint8, self->n + 1);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (SymGroupRange));
  list_uses (self);
  count_crossings (self);
  return self;
}

void
sym_group_draft_free (SymGroupDraft *self)
{
  g_free (self->order);
  g_free (self->positions);
  g_free (self->classes);
  g_free (self->is_variadic);
  g_free (self->uses);
  g_free (self->use_starts);
  g_free (self->n_crossing_values);
  g_free (self->n_crossing_uses);
  g_array_unref (self->ranges);
  g_free (self);
}

void
sym_group_draft_add (SymGroupDraft *self,
                     guint start,
                     guint end,
                     SymGroupKind kind,
                     const char *name,
                     guint run)
{
  SymGroupRange range = { start, end, kind, name, run };

  g_assert (start < end && end <= self->n);

  g_array_append_val (self->ranges, range);
}

static int
compare_ranges (gconstpointer first, gconstpointer second)
{
  const SymGroupRange *a = first;
  const SymGroupRange *b = second;

  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  if (a->end != b->end)
    return a->end > b->end ? -1 : 1;
  return (a->kind != SYM_GROUP_SCOPE) - (b->kind != SYM_GROUP_SCOPE);
}

void
sym_group_draft_settle (SymGroupDraft *self)
{
  guint n = 0;

  g_array_sort (self->ranges, compare_ranges);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      SymGroupRange range = g_array_index (self->ranges, SymGroupRange, i);
      SymGroupRange *before = n > 0 ? &g_array_index (self->ranges, SymGroupRange, n - 1) : NULL;

      if (!before || before->start != range.start || before->end != range.end)
        g_array_index (self->ranges, SymGroupRange, n++) = range;
      else if (before->run == SYM_NO_GROUP)
        before->run = range.run;
    }
  g_array_set_size (self->ranges, n);
}
