/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>
#include <string.h>

/* A split into 80 equal branches would make a drawing of 80 branches' width.  When the items of a
 * rank are broader than this together, and than a square of the area of all, branches go below each
 * other. */
#define MIN_ROW 4000.0

typedef struct {
  SymPart *part;
  double row;   /* how broad a rank may be */
  double *used; /* breadth by rank */
  guint floor;  /* where branches that find no room go */
  guint bottom; /* the lowest rank so far */
} Wrapper;

/* Depth first from what nothing uses, over what each item uses: items after those they use, and all
 * that leads to one of them together. */
static guint *
sort_by_branch (const SymPart *part)
{
  guint *sorted = g_new (guint, part->n_items);
  g_autofree guint *stack = g_new (guint, part->n_items);
  g_autofree guint *visited = g_memdup2 (part->in_starts, part->n_items * sizeof (guint));
  g_autofree guint8 *is_seen = g_new0 (guint8, part->n_items);
  guint n_sorted = 0;

  for (guint i = 0; i < part->n_items; i++)
    {
      guint n = 0;

      if (part->out_starts[i + 1] > part->out_starts[i])
        continue;
      stack[n++] = i;
      is_seen[i] = 1;
      while (n > 0)
        {
          guint item = stack[n - 1];

          if (visited[item] == part->in_starts[item + 1])
            {
              sorted[n_sorted++] = item;
              n--;
            }
          else
            {
              guint source = part->links[part->ins[visited[item]++]].from;

              if (!is_seen[source])
                stack[n++] = source;
              is_seen[source] = 1;
            }
        }
    }
  return sorted;
}

static gboolean
has_room (const Wrapper *self, guint rank, double breadth)
{
  return self->used[rank] <= 0 || self->used[rank] + breadth <= self->row;
}

static double
get_breadth (const SymPart *part, guint item)
{
  return part->breadths[item] + SYM_LAYOUT_ITEM_GAP;
}

/* What is made of the item alone, and for which alone it is; G_MAXUINT for none. */
static guint
get_next (const SymPart *part, guint item)
{
  guint next;

  if (part->out_starts[item + 1] - part->out_starts[item] != 1)
    return G_MAXUINT;
  next = part->links[part->outs[part->out_starts[item]]].to;
  return part->in_starts[next + 1] - part->in_starts[next] == 1 ? next : G_MAXUINT;
}

static gboolean
has_room_from (const Wrapper *self, guint item, guint rank)
{
  const SymPart *part = self->part;
  gboolean is_source = part->in_starts[item + 1] == part->in_starts[item];

  for (; item != G_MAXUINT; item = is_source ? get_next (part, item) : G_MAXUINT, rank++)
    if (rank <= self->bottom && !has_room (self, rank, get_breadth (part, item)))
      return FALSE;
  return TRUE;
}

/* Below what it uses; when that rank is full, on the floor; when that is full too, on a new floor
 * under everything.  Rows of branches so never share a rank, which would push them sideways.  What
 * is made of a source alone has to find room below it: else inputs would stand in some rows, and
 * what prepares them in others. */
static void
place (Wrapper *self, guint item)
{
  SymPart *part = self->part;
  guint rank = 0;

  for (guint k = part->in_starts[item]; k < part->in_starts[item + 1]; k++)
    rank = MAX (rank, part->ranks[part->links[part->ins[k]].from] + 1);
  if (!has_room_from (self, item, rank))
    rank = MAX (rank, self->floor);
  if (!has_room_from (self, item, rank))
    rank = self->floor = self->bottom + 1;
  part->ranks[item] = rank;
  self->used[rank] += get_breadth (part, item);
  self->bottom = MAX (self->bottom, rank);
}

static double
get_broadest (const SymPart *part, double *used)
{
  double broadest = 0;

  for (guint i = 0; i < part->n_items; i++)
    {
      used[part->ranks[i]] += get_breadth (part, i);
      broadest = MAX (broadest, used[part->ranks[i]]);
    }
  return broadest;
}

static double
get_row (const SymPart *part)
{
  double area = 0;

  for (guint i = 0; i < part->n_items; i++)
    area += get_breadth (part, i) * (part->lengths[i] + SYM_LAYOUT_ITEM_GAP);
  return MAX (MIN_ROW, sqrt (area));
}

gboolean
sym_part_wrap (SymPart *part, SymRoom *room)
{
  g_autofree double *used = g_new0 (double, part->n_items);
  g_autofree guint *sorted = NULL;
  Wrapper self = { .part = part, .row = get_row (part), .used = used };

  if (get_broadest (part, used) <= self.row)
    return FALSE;
  memset (used, 0, part->n_items * sizeof *used);
  sorted = sort_by_branch (part);
  for (guint i = 0; i < part->n_items; i++)
    place (&self, sorted[i]);
  *room = (SymRoom){ self.row, g_steal_pointer (&used) };
  return TRUE;
}
