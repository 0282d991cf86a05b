/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <math.h>

/* A container whose contents cannot be overlooked, as neither names nor repeats tell how it is
 * built, is cut into stages, and these again: of about the same size, at the narrowest places. */

/* As many things are seen at once. */
#define MAX_SEEN 150

/* At most so many parts does a stage have that is cut again. */
#define MAX_PARTS 30

/* The last stages have more than LEAST_SIZE units, and where much crosses from each part to the
 * next more of them, so that few lines lead past a stage. */
#define LEAST_SIZE 30
#define MOST_SIZE 75
#define SIZE_PER_WIDTH 4

/* Calls, groups and whole runs of equal ones, none of which is cut.  The last one is the end. */
typedef struct {
  guint start; /* the first call */
  guint width; /* calls before it, in the container, whose results it or what follows uses */
} Unit;

typedef struct {
  const SymGroupDraft *draft;
  GArray *units;
  GArray *stages; /* SymGroupRange */
  double size;    /* of the last stages */
} Cutter;

static const SymGroupRange *
get_range (const SymGroupDraft *draft, guint group)
{
  return &g_array_index (draft->ranges, SymGroupRange, group);
}

/* ---- Units ---- */

/* Appends the units of a container: all groups within it follow it from @group on. */
static void
list_units (const SymGroupDraft *draft, guint start, guint end, guint group, GArray *units)
{
  guint run = SYM_NO_GROUP;

  for (guint i = start; i < end;)
    {
      gboolean is_group = group < draft->ranges->len && get_range (draft, group)->start == i;
      guint next = is_group ? get_range (draft, group)->end : i + 1;
      guint before = run;

      run = is_group ? get_range (draft, group)->run : SYM_NO_GROUP;
      if (run == SYM_NO_GROUP || run != before)
        g_array_append_val (units, ((Unit){ i, 0 }));
      while (group < draft->ranges->len && get_range (draft, group)->start < next)
        group++;
      i = next;
    }
  g_array_append_val (units, ((Unit){ end, 0 }));
}

/* How many units each group has; the top comes after all groups.  Of a run the first counts. */
static guint *
count_units (const SymGroupDraft *draft)
{
  guint top = draft->ranges->len;
  guint *counts = g_new (guint, top + 1);
  g_autofree guint *parents = g_new (guint, top + 1);
  g_autofree guint *runs = g_new (guint, top + 1);

  counts[top] = draft->n;
  for (guint i = 0; i < top; i++)
    {
      const SymGroupRange *range = get_range (draft, i);
      guint parent = i > 0 ? i - 1 : top;

      while (parent != top && get_range (draft, parent)->end <= range->start)
        parent = parents[parent];
      parents[i] = parent;
      counts[i] = range->end - range->start;
      runs[i] = SYM_NO_GROUP;
    }
  runs[top] = SYM_NO_GROUP;
  for (guint i = 0; i < top; i++)
    {
      const SymGroupRange *range = get_range (draft, i);
      gboolean is_first = range->run == SYM_NO_GROUP || range->run != runs[parents[i]];

      counts[parents[i]] -= range->end - range->start;
      counts[parents[i]] += is_first;
      runs[parents[i]] = range->run;
    }
  return counts;
}

/* Uses from outside do not count: so equal groups are cut alike. */
static void
measure_widths (const SymGroupDraft *draft, GArray *units)
{
  guint start = g_array_index (units, Unit, 0).start;
  guint n = g_array_index (units, Unit, units->len - 1).start - start;
  g_autofree guint *last = g_new0 (guint, n + 1);
  g_autofree guint *n_ended = g_new0 (guint, n + 1);
  guint width = 0;
  guint unit = 0;

  for (guint i = 0; i < n; i++)
    for (guint k = draft->use_starts[start + i]; k < draft->use_starts[start + i + 1]; k++)
      if (draft->uses[k].source >= start && draft->uses[k].source < start + i)
        last[draft->uses[k].source - start] = i;
  for (guint i = 0; i < n; i++)
    {
      if (g_array_index (units, Unit, unit).start == start + i)
        g_array_index (units, Unit, unit++).width = width;
      width -= n_ended[i];
      width += last[i] > i;
      n_ended[last[i]] += last[i] > i;
    }
}

/* ---- Cutting ---- */

static double
choose_size (const GArray *units)
{
  double sum = 0;

  for (guint i = 0; i < units->len; i++)
    sum += g_array_index (units, Unit, i).width;
  return CLAMP (SIZE_PER_WIDTH * sum / units->len, LEAST_SIZE, MOST_SIZE);
}

/* As few as there can be: then stages at all of them have about as many parts. */
static guint
count_levels (const Cutter *self, guint n_units)
{
  return (guint) MAX (1, ceil (log (n_units / self->size) / log (MAX_PARTS)));
}

static guint
count_parts (const Cutter *self, guint n_units, guint n_levels)
{
  return (guint) MAX (1, ceil (pow (n_units / self->size, 1.0 / n_levels)));
}

/* The narrowest place from half of a size to one and a half behind @start, if that is much narrower
 * than those nearer to one size. */
static guint
find_cut (const Cutter *self, guint start, double size)
{
  double least = G_MAXDOUBLE;
  guint best = start;

  for (guint i = start + (guint) ceil (size / 2); i <= start + (guint) (size * 1.5); i++)
    {
      double cost =
          g_array_index (self->units, Unit, i).width * (1 + fabs (i - start - size) / size);

      if (cost < least)
        {
          least = cost;
          best = i;
        }
    }
  return best;
}

static void
add_stage (Cutter *self, guint from, guint to)
{
  SymGroupRange range = { g_array_index (self->units, Unit, from).start,
                          g_array_index (self->units, Unit, to).start, SYM_GROUP_STAGE, NULL,
                          SYM_NO_GROUP };

  g_array_append_val (self->stages, range);
}

/* Cuts the units from @from to @to, and what comes out again. */
static void
cut (Cutter *self, guint from, guint to, guint n_levels)
{
  guint n_parts = count_parts (self, to - from, n_levels);
  double size = (double) (to - from) / n_parts;

  if (n_parts < 2)
    return;
  for (guint start = from; start < to;)
    {
      double n_left = round ((to - start) / size);
      guint end = n_left > 1 ? find_cut (self, start, (to - start) / n_left) : to;

      add_stage (self, start, end);
      if (n_levels > 1)
        cut (self, start, end, n_levels - 1);
      start = end;
    }
}

void
sym_group_draft_find_stages (SymGroupDraft *draft)
{
  guint top = draft->ranges->len;
  g_autofree guint *counts = count_units (draft);
  g_autoptr (GArray) units = g_array_new (FALSE, FALSE, sizeof (Unit));
  Cutter cutter = { draft, units, g_array_new (FALSE, FALSE, sizeof (SymGroupRange)), 0 };

  for (guint i = 0; i <= top; i++)
    {
      if (counts[i] <= MAX_SEEN)
        continue;
      g_array_set_size (units, 0);
      if (i == top)
        list_units (draft, 0, draft->n, 0, units);
      else
        list_units (draft, get_range (draft, i)->start, get_range (draft, i)->end, i + 1, units);
      g_assert (units->len == counts[i] + 1);
      measure_widths (draft, units);
      cutter.size = choose_size (units);
      cut (&cutter, 0, counts[i], count_levels (&cutter, counts[i]));
    }
  g_array_append_vals (draft->ranges, cutter.stages->data, cutter.stages->len);
  g_array_unref (cutter.stages);
}
