/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

/* Constants, anchors and variables that are read: dozens of sources that one item uses, and nothing
 * else does, would make its drawing as broad as all of them side by side.  They stand in a block
 * above it instead, twice as many rows as columns, since items are broader than long. */

#define MIN_SOURCES 8
#define MIN_COLUMNS 4

static gboolean
is_source (const SymPart *part, guint item)
{
  return part->in_starts[item + 1] == part->in_starts[item] &&
         part->out_starts[item + 1] - part->out_starts[item] == 1 &&
         (!part->pins || part->pins[item] == SYM_PIN_NONE);
}

static guint
count_sources (const SymPart *part, guint user)
{
  guint n = 0;

  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    n += is_source (part, part->links[part->ins[k]].from);
  return n;
}

static guint
get_n_columns (guint n_sources)
{
  return MAX (MIN_COLUMNS, (guint) ceil (sqrt (n_sources / 2.0)));
}

static guint
get_n_rows (guint n_sources)
{
  guint n_columns = get_n_columns (n_sources);

  return n_sources < MIN_SOURCES ? 0 : (n_sources + n_columns - 1) / n_columns;
}

/* Moves everything down where there are not enough ranks above an item for the rows of its sources.
 */
static void
make_room (SymPart *part, const guint *n_rows)
{
  g_autofree guint *shifts = g_new0 (guint, part->n_items + 1);

  for (guint i = 0; i < part->n_items; i++)
    if (n_rows[i] > part->ranks[i])
      shifts[part->ranks[i]] = MAX (shifts[part->ranks[i]], n_rows[i] - part->ranks[i]);
  for (guint rank = 0; rank < part->n_items; rank++)
    shifts[rank + 1] += shifts[rank];
  for (guint i = 0; i < part->n_items; i++)
    part->ranks[i] += shifts[part->ranks[i]];
}

/* In the order in which they are used, from the upper left. */
static void
place_sources (SymPart *part, guint user, guint n_rows)
{
  guint n_columns = get_n_columns (count_sources (part, user));
  guint n = 0;

  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    {
      guint from = part->links[part->ins[k]].from;

      if (is_source (part, from))
        part->ranks[from] = part->ranks[user] - n_rows + n++ / n_columns;
    }
}

/* Ranks stay below the number of items: those of stacked sources are given up first, and blocks
 * have fewer rows than sources. */
void
sym_part_stack_sources (SymPart *self)
{
  g_autofree guint *n_rows = g_new (guint, self->n_items + 1);
  guint n = 0;

  for (guint i = 0; i < self->n_items; i++)
    {
      n_rows[i] = get_n_rows (count_sources (self, i));
      n += n_rows[i];
    }
  if (n == 0)
    return;
  for (guint i = 0; i < self->n_items; i++)
    if (is_source (self, i) && n_rows[self->links[self->outs[self->out_starts[i]]].to] > 0)
      self->ranks[i] = 0;
  sym_part_close_up (self);
  make_room (self, n_rows);
  for (guint i = 0; i < self->n_items; i++)
    if (n_rows[i] > 0)
      place_sources (self, i, n_rows[i]);
}
