/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <stdlib.h>

/* Lines that run beside everything. */
#define LANE_GAP 10.0
#define FIRST_LANE 24.0

/* Around a line back that runs between what it leads past. */
#define ITEM_ROOM 12.0
#define LINE_ROOM 8.0

/* What is looked at to find ways between, together; then lines back run beside everything as well.
 */
#define MAX_WORK 4000000

typedef struct {
  double left, right;
} Span;

/* A line back that has its lane. */
typedef struct {
  guint first_rank, last_rank;
  double x;
} Lane;

typedef struct {
  const SymPart *part;
  const SymLayering *layers;
  double right;  /* side of everything so far */
  GArray *lanes; /* Lane */
  GArray *spans; /* Span */
  guint64 work;
} Finder;

static int
compare_spans (const void *a, const void *b)
{
  const Span *x = a;
  const Span *y = b;

  return x->left < y->left ? -1 : x->left > y->left;
}

/* All that lies beside the ranks, less what overlaps, from left to right. */
static void
collect_spans (Finder *self, guint first, guint last)
{
  const SymLayering *layers = self->layers;
  Span *spans;
  guint n = 0;

  g_array_set_size (self->spans, 0);
  for (guint i = layers->rank_starts[first]; i < layers->rank_starts[last + 1]; i++)
    {
      guint node = layers->order[i];
      double room = node < layers->n_items ? ITEM_ROOM : LINE_ROOM;
      Span span = { layers->x[node] - sym_layering_get_left (layers, node) - room,
                    layers->x[node] + sym_layering_get_right (layers, node) + room };

      g_array_append_val (self->spans, span);
    }
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const Lane *lane = &g_array_index (self->lanes, Lane, i);
      Span span = { lane->x - LINE_ROOM, lane->x + LINE_ROOM };

      if (lane->first_rank <= last && lane->last_rank >= first)
        g_array_append_val (self->spans, span);
    }
  self->work += self->lanes->len + self->spans->len;
  g_array_sort (self->spans, compare_spans);
  spans = (gpointer) self->spans->data;
  for (guint i = 1; i < self->spans->len; i++)
    if (spans[i].left < spans[n].right)
      spans[n].right = MAX (spans[n].right, spans[i].right);
    else
      spans[++n] = spans[i];
  g_array_set_size (self->spans, n + 1);
}

/* How far the line goes sideways to run at @x. */
static double
get_detour (const Finder *self, const SymLink *link, double x)
{
  double from = self->layers->x[link->from] + link->from_port;
  double to = self->layers->x[link->to] + link->to_port;

  return ABS (x - from) + ABS (x - to);
}

/* The place next to the items of the line where nothing is in its way; of two as near the right
 * one. */
static double
find_way (Finder *self, const SymLink *link)
{
  double best = 0;
  double least = G_MAXDOUBLE;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);

      if (get_detour (self, link, span->left) < least)
        {
          least = get_detour (self, link, span->left);
          best = span->left;
        }
      if (get_detour (self, link, span->right) <= least)
        {
          least = get_detour (self, link, span->right);
          best = span->right;
        }
    }
  return best;
}

/* A line from an item to itself stays in the room kept beside it. */
static double
find_back_lane (Finder *self, const SymLink *link)
{
  guint first = MIN (self->part->ranks[link->from], self->part->ranks[link->to]);
  guint last = MAX (self->part->ranks[link->from], self->part->ranks[link->to]);
  Lane lane = { first, last, 0 };

  if (link->from == link->to)
    return self->layers->x[link->from] + sym_layering_get_right (self->layers, link->from) -
           SYM_LAYOUT_LOOP / 2;
  if (self->work > MAX_WORK)
    return self->right += LANE_GAP;
  collect_spans (self, first, last);
  lane.x = find_way (self, link);
  g_array_append_val (self->lanes, lane);
  self->right = MAX (self->right, lane.x);
  return lane.x;
}

static double
get_right_side (const SymLayering *layers)
{
  double right = -G_MAXDOUBLE;

  for (guint i = 0; i < layers->n_nodes; i++)
    right = MAX (right, layers->x[i] + sym_layering_get_right (layers, i));
  return right;
}

/* A lane beside everything for each value that has too long ways. */
static void
place_outer (Finder *self, double *lanes)
{
  const SymPart *part = self->part;
  g_autofree guint *last_links = g_new (guint, part->n_items + 1);
  double next = self->right + FIRST_LANE;

  for (guint i = 0; i < part->n_items; i++)
    last_links[i] = G_MAXUINT;
  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];
      guint last = last_links[link->from];

      if (!link->is_outer || link->is_back)
        continue;
      if (last != G_MAXUINT && part->links[last].tail == link->tail)
        {
          lanes[i] = lanes[last];
        }
      else
        {
          lanes[i] = next;
          next += LANE_GAP;
        }
      last_links[link->from] = i;
    }
}

double *
sym_part_find_lanes (const SymPart *self, const SymLayering *layers)
{
  double *lanes = g_new0 (double, self->n_links + 1);
  Finder finder = { self, layers, get_right_side (layers), NULL, NULL, 0 };

  finder.lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  finder.spans = g_array_new (FALSE, FALSE, sizeof (Span));
  for (guint i = 0; i < self->n_links; i++)
    if (self->links[i].is_back)
      lanes[i] = find_back_lane (&finder, &self->links[i]);
  place_outer (&finder, lanes);
  g_array_free (finder.lanes, TRUE);
  g_array_free (finder.spans, TRUE);
  return lanes;
}
