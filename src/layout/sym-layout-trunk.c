/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <string.h>

/* Trunks that are taken one by one, the longest first, each time of what is left: the two layers of
 * a recurrent net hang together at every step, so that many ways through both are as long.  Shorter
 * ones are then taken at once. */
#define N_SINGLE 8
#define MIN_SINGLE 12
#define N_ROUNDS 2

/* The length of the longest way to or from each item, and the link it takes there (G_MAXUINT:
 * none). */
typedef struct {
  guint *lengths;
  guint *links;
} Ways;

typedef struct {
  SymPart *part;
  const guint *sorted;
  guint8 *has_in; /* a trunk leads to, from the item */
  guint8 *has_out;
  Ways back;
  Ways on;
} Marker;

static void
ways_reset (Ways *self, guint n)
{
  memset (self->lengths, 0, n * sizeof *self->lengths);
  for (guint i = 0; i < n; i++)
    self->links[i] = G_MAXUINT;
}

static void
extend (Ways *ways, guint to, guint from, guint link)
{
  if (ways->links[to] != G_MAXUINT && ways->lengths[from] + 1 <= ways->lengths[to])
    return;
  ways->lengths[to] = ways->lengths[from] + 1;
  ways->links[to] = link;
}

static gboolean
is_free (const Marker *self, guint link)
{
  const SymLink *what = &self->part->links[link];

  return !self->has_out[what->from] && !self->has_in[what->to];
}

static void
find_ways (Marker *self)
{
  const SymPart *part = self->part;

  ways_reset (&self->back, part->n_items);
  ways_reset (&self->on, part->n_items);
  for (guint i = 0; i < part->n_items; i++)
    {
      guint item = self->sorted[i];

      for (guint k = part->in_starts[item]; k < part->in_starts[item + 1]; k++)
        if (is_free (self, part->ins[k]))
          extend (&self->back, item, part->links[part->ins[k]].from, part->ins[k]);
    }
  for (guint i = part->n_items; i-- > 0;)
    {
      guint item = self->sorted[i];

      for (guint k = part->out_starts[item]; k < part->out_starts[item + 1]; k++)
        if (is_free (self, part->outs[k]))
          extend (&self->on, item, part->links[part->outs[k]].to, part->outs[k]);
    }
}

static void
mark (Marker *self, guint link)
{
  SymLink *what = &self->part->links[link];

  what->is_trunk = TRUE;
  self->has_out[what->from] = 1;
  self->has_in[what->to] = 1;
}

/* Marks the longest way, unless it is short. */
static gboolean
mark_longest (Marker *self)
{
  const SymPart *part = self->part;
  guint item = 0;

  for (guint i = 1; i < part->n_items; i++)
    if (self->back.lengths[i] + self->on.lengths[i] >
        self->back.lengths[item] + self->on.lengths[item])
      item = i;
  if (self->back.lengths[item] + self->on.lengths[item] < MIN_SINGLE)
    return FALSE;
  while (self->back.links[item] != G_MAXUINT)
    item = part->links[self->back.links[item]].from;
  while (self->on.links[item] != G_MAXUINT)
    {
      guint link = self->on.links[item];

      mark (self, link);
      item = part->links[link].to;
    }
  return TRUE;
}

/* Marks where the longest ways on from an item and back from the next agree. */
static void
mark_agreed (Marker *self)
{
  const SymPart *part = self->part;

  for (guint i = 0; i < part->n_items; i++)
    {
      guint link = self->on.links[i];

      if (link != G_MAXUINT && self->back.links[part->links[link].to] == link)
        mark (self, link);
    }
}

void
sym_part_mark_trunks (SymPart *self, const guint *sorted)
{
  guint n = self->n_items;
  g_autofree guint8 *has_in = g_new0 (guint8, n);
  g_autofree guint8 *has_out = g_new0 (guint8, n);
  g_autofree guint *back = g_new (guint, 2 * (gsize) n);
  g_autofree guint *on = g_new (guint, 2 * (gsize) n);
  Marker marker = { self, sorted, has_in, has_out, { back, back + n }, { on, on + n } };

  for (guint i = 0; i < N_SINGLE; i++)
    {
      find_ways (&marker);
      if (!mark_longest (&marker))
        break;
    }
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      find_ways (&marker);
      mark_agreed (&marker);
    }
}
