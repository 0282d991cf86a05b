/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

/* Uses that make an item a hub. */
#define MIN_HUB 6

/* The farthest and second farthest ranks at which an item is used, so that "the farthest use but
 * that by one item" is known at once.  Links of an item share a bus, whose length is what counts.
 */
typedef struct {
  guint rank;
  guint user;
  guint second;
} Reach;

static guint *
count_starts (const SymPart *self, gboolean by_from)
{
  guint *starts = g_new0 (guint, self->n_items + 1);

  for (guint i = 0; i < self->n_links; i++)
    if (!self->links[i].is_back)
      starts[1 + (by_from ? self->links[i].from : self->links[i].to)]++;
  for (guint i = 0; i < self->n_items; i++)
    starts[i + 1] += starts[i];
  return starts;
}

static void
index_links (SymPart *self)
{
  g_autofree guint *n_outs = g_new0 (guint, self->n_items);
  g_autofree guint *n_ins = g_new0 (guint, self->n_items);

  g_free (self->out_starts);
  g_free (self->in_starts);
  g_free (self->outs);
  g_free (self->ins);
  self->out_starts = count_starts (self, TRUE);
  self->in_starts = count_starts (self, FALSE);
  self->outs = g_new (guint, self->n_links + 1);
  self->ins = g_new (guint, self->n_links + 1);
  for (guint i = 0; i < self->n_links; i++)
    {
      const SymLink *link = &self->links[i];

      if (link->is_back)
        continue;
      self->outs[self->out_starts[link->from] + n_outs[link->from]++] = i;
      self->ins[self->in_starts[link->to] + n_ins[link->to]++] = i;
    }
}

/* Appends the items that @item was the last to wait for. */
static void
release (const SymPart *self, guint item, guint *waiting, guint *queue, guint *n_queued)
{
  for (guint i = self->out_starts[item]; i < self->out_starts[item + 1]; i++)
    {
      const SymLink *link = &self->links[self->outs[i]];

      if (!link->is_back && --waiting[link->to] == 0)
        queue[(*n_queued)++] = link->to;
    }
}

/* Control edges and damaged files make cycles that the scene does not tell.  When only items on
 * cycles and behind them are left, the first of these goes ahead, and what it still waits for leads
 * back. */
static void
break_cycle (SymPart *self, guint item, guint *waiting, const guint8 *is_done)
{
  for (guint i = self->in_starts[item]; i < self->in_starts[item + 1]; i++)
    {
      SymLink *link = &self->links[self->ins[i]];

      if (!is_done[link->from])
        link->is_back = TRUE;
    }
  waiting[item] = 0;
}

/* An order of the items in which every link leads forward, back links made so on the way. */
static guint *
sort_items (SymPart *self)
{
  guint *queue = g_new (guint, self->n_items);
  g_autofree guint *waiting = g_new (guint, self->n_items);
  g_autofree guint8 *is_done = g_new0 (guint8, self->n_items);
  guint n_queued = 0;
  guint n_done = 0;
  guint next = 0;

  for (guint i = 0; i < self->n_items; i++)
    {
      waiting[i] = self->in_starts[i + 1] - self->in_starts[i];
      if (waiting[i] == 0)
        queue[n_queued++] = i;
    }
  while (n_done < self->n_items)
    {
      if (n_done == n_queued)
        {
          while (is_done[next])
            next++;
          break_cycle (self, next, waiting, is_done);
          queue[n_queued++] = next;
        }
      is_done[queue[n_done]] = 1;
      release (self, queue[n_done++], waiting, queue, &n_queued);
    }
  return queue;
}

static void
rank_early (SymPart *self, const guint *sorted)
{
  for (guint i = 0; i < self->n_items; i++)
    {
      guint item = sorted[i];

      for (guint k = self->out_starts[item]; k < self->out_starts[item + 1]; k++)
        {
          guint user = self->links[self->outs[k]].to;

          self->ranks[user] = MAX (self->ranks[user], self->ranks[item] + 1);
        }
    }
}

static void
extend (Reach *reach, guint user, guint rank)
{
  if (reach->user == user)
    {
      reach->rank = MAX (reach->rank, rank);
    }
  else if (rank > reach->rank)
    {
      reach->second = reach->rank;
      reach->rank = rank;
      reach->user = user;
    }
  else
    {
      reach->second = MAX (reach->second, rank);
    }
}

static Reach *
find_reaches (const SymPart *self)
{
  Reach *reaches = g_new (Reach, self->n_items);

  for (guint i = 0; i < self->n_items; i++)
    {
      reaches[i] = (Reach){ .rank = self->ranks[i], .user = G_MAXUINT, .second = self->ranks[i] };
      for (guint k = self->out_starts[i]; k < self->out_starts[i + 1]; k++)
        {
          guint user = self->links[self->outs[k]].to;

          extend (&reaches[i], user, self->ranks[user]);
        }
    }
  return reaches;
}

/* Items that can follow their only user down without making any line longer: inputs and what is
 * made of these alone, for one user. */
static guint8 *
find_followers (const SymPart *self, const guint *sorted)
{
  guint8 *follows = g_new (guint8, self->n_items);

  for (guint i = 0; i < self->n_items; i++)
    {
      guint item = sorted[i];
      guint8 result = self->out_starts[item + 1] - self->out_starts[item] == 1;

      for (guint k = self->in_starts[item]; k < self->in_starts[item + 1]; k++)
        result = result && follows[self->links[self->ins[k]].from];
      follows[item] = result;
    }
  return follows;
}

/* What moving the item to @rank adds to the buses of what it uses. */
static guint64
get_cost (const SymPart *self, guint item, guint rank, const Reach *reaches, const guint8 *follows)
{
  guint64 cost = 0;

  for (guint k = self->in_starts[item]; k < self->in_starts[item + 1]; k++)
    {
      guint source = self->links[self->ins[k]].from;
      const Reach *reach = &reaches[source];
      guint others = reach->user == item ? reach->second : reach->rank;

      others = MAX (others, self->ranks[item]);
      if (!follows[source] && rank > others)
        cost += rank - others;
    }
  return cost;
}

/* Whether all that the item uses has a bus anyway, as everybody uses it: its users then stand
 * better where their own results are needed, though that makes no line shorter until all have
 * moved. */
static gboolean
uses_hubs_only (const SymPart *self, guint item)
{
  gboolean result = TRUE;

  for (guint k = self->in_starts[item]; k < self->in_starts[item + 1]; k++)
    {
      guint source = self->links[self->ins[k]].from;

      result = result && self->out_starts[source + 1] - self->out_starts[source] >= MIN_HUB;
    }
  return result;
}

/* The lowest rank above all that uses the item, as far as there is room; its own for none. */
static guint
find_rank (const SymPart *self, guint item, const SymRoom *room)
{
  double breadth = self->breadths[item] + SYM_LAYOUT_ITEM_GAP;
  guint rank = G_MAXUINT;

  if (self->pins && self->pins[item] == SYM_PIN_FIRST)
    return self->ranks[item];
  for (guint k = self->out_starts[item]; k < self->out_starts[item + 1]; k++)
    rank = MIN (rank, self->ranks[self->links[self->outs[k]].to] - 1);
  if (rank == G_MAXUINT)
    return self->ranks[item];
  while (room && rank > self->ranks[item] && room->used[rank] + breadth > room->row)
    rank--;
  return rank;
}

static void
move (SymPart *self, guint item, guint rank, Reach *reaches, SymRoom *room)
{
  if (room)
    {
      room->used[self->ranks[item]] -= self->breadths[item] + SYM_LAYOUT_ITEM_GAP;
      room->used[rank] += self->breadths[item] + SYM_LAYOUT_ITEM_GAP;
    }
  self->ranks[item] = rank;
  for (guint k = self->in_starts[item]; k < self->in_starts[item + 1]; k++)
    extend (&reaches[self->links[self->ins[k]].from], item, rank);
}

/* Whether the item ends one of many branches that are joined.  Where these have been put in rows,
 * it would leave its branch for a place near what joins them, and what it uses would find none. */
static gboolean
ends_branch (const SymPart *self, guint item)
{
  guint user;

  if (self->in_starts[item + 1] == self->in_starts[item] ||
      self->out_starts[item + 1] - self->out_starts[item] != 1)
    return FALSE;
  user = self->links[self->outs[self->out_starts[item]]].to;
  return self->in_starts[user + 1] - self->in_starts[user] >= MIN_HUB;
}

/* An item moves down to what uses it when that shortens more than it lengthens.  @room may be NULL.
 */
static void
rank_near_users (SymPart *self, const guint *sorted, SymRoom *room)
{
  g_autofree Reach *reaches = find_reaches (self);
  g_autofree guint8 *follows = find_followers (self, sorted);

  for (guint i = self->n_items; i-- > 0;)
    {
      guint item = sorted[i];
      guint rank = find_rank (self, item, room);

      if (room && ends_branch (self, item))
        continue;
      if (rank > self->ranks[item] &&
          (get_cost (self, item, rank, reaches, follows) < rank - self->ranks[item] ||
           uses_hubs_only (self, item)))
        move (self, item, rank, reaches, room);
    }
}

void
sym_part_close_up (SymPart *self)
{
  g_autofree guint *numbers = g_new0 (guint, self->n_items);
  guint n = 0;

  for (guint i = 0; i < self->n_items; i++)
    numbers[self->ranks[i]] = 1;
  for (guint rank = 0; rank < self->n_items; rank++)
    numbers[rank] = numbers[rank] ? n++ : 0;
  for (guint i = 0; i < self->n_items; i++)
    self->ranks[i] = numbers[self->ranks[i]];
  self->n_ranks = n;
}

/* What is pinned to the last rank comes after everything that is not pinned, and never among what
 * it uses. */
static void
rank_pinned (SymPart *self)
{
  guint last = 0;

  for (guint i = 0; i < self->n_items; i++)
    if (self->pins[i] == SYM_PIN_NONE)
      last = MAX (last, self->ranks[i]);
  for (guint i = 0; i < self->n_links; i++)
    {
      const SymLink *link = &self->links[i];

      if (!link->is_back && self->pins[link->to] == SYM_PIN_LAST)
        last = MAX (last, self->ranks[link->from] + 1);
    }
  for (guint i = 0; i < self->n_items; i++)
    if (self->pins[i] == SYM_PIN_LAST)
      self->ranks[i] = last;
    else if (self->pins[i] == SYM_PIN_FIRST)
      self->ranks[i] = 0;
}

void
sym_part_rank (SymPart *self)
{
  g_autofree guint *sorted = NULL;
  SymRoom room;

  index_links (self);
  sorted = sort_items (self);
  index_links (self);
  rank_early (self, sorted);
  rank_near_users (self, sorted, NULL);
  sym_part_stack_sources (self);
  if (sym_part_wrap (self, &room))
    {
      rank_near_users (self, sorted, &room);
      g_free (room.used);
      sym_part_stack_sources (self);
    }
  if (self->pins)
    rank_pinned (self);
  sym_part_close_up (self);
  sym_part_mark_trunks (self, sorted);
}
