/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

/* The length of the longest way to or from each item, and the link it takes there (G_MAXUINT: none). */
typedef struct {
  guint *lengths;
  guint *links;
} Ways;

static Ways
ways_new (guint n)
{
  Ways ways = { g_new0 (guint, n), g_new (guint, n) };

  for (guint i = 0; i < n; i++)
    ways.links[i] = G_MAXUINT;
  return ways;
}

static void
ways_clear (Ways *ways)
{
  g_free (ways->lengths);
  g_free (ways->links);
}

static void
extend (Ways *ways, guint to, guint from, guint link)
{
  if (ways->links[to] != G_MAXUINT && ways->lengths[from] + 1 <= ways->lengths[to])
    return;
  ways->lengths[to] = ways->lengths[from] + 1;
  ways->links[to] = link;
}

static void
find_ways (const SymPart *self, const guint *sorted, Ways *back, Ways *on)
{
  for (guint i = 0; i < self->n_items; i++)
    for (guint k = self->in_starts[sorted[i]]; k < self->in_starts[sorted[i] + 1]; k++)
      extend (back, sorted[i], self->links[self->ins[k]].from, self->ins[k]);
  for (guint i = self->n_items; i-- > 0;)
    for (guint k = self->out_starts[sorted[i]]; k < self->out_starts[sorted[i] + 1]; k++)
      extend (on, sorted[i], self->links[self->outs[k]].to, self->outs[k]);
}

/* Makes both ends of the links on the longest way agree, where there are several as long. */
static void
fix_longest (const SymPart *self, Ways *back, const Ways *on)
{
  guint item = 0;

  for (guint i = 1; i < self->n_items; i++)
    if (back->lengths[i] + on->lengths[i] > back->lengths[item] + on->lengths[item])
      item = i;
  while (back->links[item] != G_MAXUINT)
    item = self->links[back->links[item]].from;
  while (on->links[item] != G_MAXUINT) {
    guint link = on->links[item];

    item = self->links[link].to;
    back->links[item] = link;
  }
}

void
sym_part_mark_trunks (SymPart *self, const guint *sorted)
{
  Ways back = ways_new (self->n_items);
  Ways on = ways_new (self->n_items);

  find_ways (self, sorted, &back, &on);
  fix_longest (self, &back, &on);
  for (guint i = 0; i < self->n_items; i++) {
    guint link = on.links[i];

    if (link != G_MAXUINT && back.links[self->links[link].to] == link)
      self->links[link].is_trunk = TRUE;
  }
  ways_clear (&back);
  ways_clear (&on);
}
