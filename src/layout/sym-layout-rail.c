/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

/* In a dense block each layer uses the results of all before it.  A bus for each result would be
 * dozens of parallel lines, which also cost more than all the rest.  Instead one line, the *rail*,
 * runs beside the block: results join it as they are made, and each user branches off from it,
 * which is right as long as all that is on the rail there is what it uses. */

#define MIN_USERS 3  /* on a rail */
#define MIN_VALUES 6 /* that the last of them uses */

typedef struct {
  const SymPart *part;
  guint *last;   /* by item: the last user so far of several values, of which it makes one */
  guint *users;  /* by item: for which user it was marked as a source last */
  guint *tails;  /* and with which value */
  guint *before; /* by item: the same for what is on the rail already */
} Finder;

static void
mark_sources (Finder *self, guint user)
{
  const SymPart *part = self->part;

  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    {
      const SymLink *link = &part->links[part->ins[k]];

      self->users[link->from] = user;
      self->tails[link->from] = link->tail;
    }
}

/* Whether @user uses all that @earlier does, and otherwise only what is made after that has
 * branched off.  The sources of @user are marked. */
static gboolean
extends (Finder *self, guint user, guint earlier)
{
  const SymPart *part = self->part;

  if (part->ranks[earlier] >= part->ranks[user])
    return FALSE;
  for (guint k = part->in_starts[earlier]; k < part->in_starts[earlier + 1]; k++)
    {
      const SymLink *link = &part->links[part->ins[k]];

      if (self->users[link->from] != user || self->tails[link->from] != link->tail)
        return FALSE;
      self->before[link->from] = user;
    }
  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    {
      guint from = part->links[part->ins[k]].from;

      if (self->before[from] != user && part->ranks[from] + 1 < part->ranks[earlier])
        return FALSE;
    }
  return TRUE;
}

static guint
find_first_source (const SymPart *part, guint user)
{
  guint first = G_MAXUINT;

  for (guint k = part->in_starts[user]; k < part->in_starts[user + 1]; k++)
    {
      guint from = part->links[part->ins[k]].from;

      if (first == G_MAXUINT || part->ranks[from] < part->ranks[first])
        first = from;
    }
  return first;
}

static guint
count_ins (const SymPart *part, guint item)
{
  return part->in_starts[item + 1] - part->in_starts[item];
}

/* Items by rank. */
static guint *
sort_by_rank (const SymPart *part)
{
  guint *sorted = g_new (guint, part->n_items);
  g_autofree guint *starts = g_new0 (guint, part->n_ranks + 1);

  for (guint i = 0; i < part->n_items; i++)
    starts[part->ranks[i] + 1]++;
  for (guint i = 0; i < part->n_ranks; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < part->n_items; i++)
    sorted[starts[part->ranks[i]]++] = i;
  return sorted;
}

/* Short rails, and those of few values, are no gain over buses. */
static void
drop_short (const SymPart *part, const guint *sorted, guint *earlier)
{
  g_autofree guint *n_before = g_new0 (guint, part->n_items);
  g_autofree guint8 *is_kept = g_new0 (guint8, part->n_items);

  for (guint i = 0; i < part->n_items; i++)
    if (earlier[sorted[i]] != G_MAXUINT)
      n_before[sorted[i]] = n_before[earlier[sorted[i]]] + 1;
  for (guint i = part->n_items; i-- > 0;)
    {
      guint item = sorted[i];

      if (earlier[item] == G_MAXUINT)
        continue;
      if (n_before[item] + 1 >= MIN_USERS && count_ins (part, item) >= MIN_VALUES)
        is_kept[item] = 1;
      if (is_kept[item])
        is_kept[earlier[item]] = 1;
      else
        earlier[item] = G_MAXUINT;
    }
}

guint *
sym_part_find_rails (const SymPart *self)
{
  guint n = self->n_items;
  guint *earlier = g_new (guint, n);
  g_autofree guint *sorted = sort_by_rank (self);
  g_autofree guint *room = g_new (guint, 4 * (gsize) n);
  Finder finder = { self, room, room + n, room + 2 * (gsize) n, room + 3 * (gsize) n };

  for (gsize i = 0; i < 4 * (gsize) n; i++)
    room[i] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      guint user = sorted[i];
      guint candidate;

      earlier[user] = G_MAXUINT;
      if (count_ins (self, user) < 2)
        continue;
      mark_sources (&finder, user);
      candidate = finder.last[find_first_source (self, user)];
      if (candidate != G_MAXUINT && extends (&finder, user, candidate))
        earlier[user] = candidate;
      for (guint k = self->in_starts[user]; k < self->in_starts[user + 1]; k++)
        finder.last[self->links[self->ins[k]].from] = user;
    }
  drop_short (self, sorted, earlier);
  return earlier;
}
