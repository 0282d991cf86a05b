/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-frame.h"

#include <string.h>

/* Layouts for which an inside is kept that none of them used: what was closed is often opened
 * again. */
#define MAX_AGE 8

typedef struct {
  SymFrameInside *inside;
  guint age;
} Entry;

struct _SymFrameCache {
  GHashTable *entries; /* GBytes to Entry */
  guint n_runs;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  sym_frame_inside_unref (entry->inside);
  g_free (entry);
}

static void
add_entry (SymFrameCache *self, GBytes *key, SymFrameInside *inside, guint age)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->inside = sym_frame_inside_ref (inside);
  entry->age = age;
  g_hash_table_insert (self->entries, g_bytes_ref (key), entry);
}

SymFrameCache *
sym_frame_cache_new (const SymFrameCache *previous)
{
  SymFrameCache *self = g_new0 (SymFrameCache, 1);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  self->entries = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                         (GDestroyNotify) g_bytes_unref, entry_free);
  if (!previous)
    return self;
  g_hash_table_iter_init (&iter, previous->entries);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const Entry *entry = value;

      if (entry->age < MAX_AGE)
        add_entry (self, key, entry->inside, entry->age + 1);
    }
  return self;
}

void
sym_frame_cache_free (SymFrameCache *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->entries);
  g_free (self);
}

guint
sym_frame_cache_get_n_runs (const SymFrameCache *self)
{
  return self->n_runs;
}

static void
add_number (GByteArray *key, double number)
{
  g_byte_array_append (key, (const guint8 *) &number, sizeof number);
}

static void
add_count (GByteArray *key, guint count)
{
  g_byte_array_append (key, (const guint8 *) &count, sizeof count);
}

/* All that the layout of a part follows from. */
static GBytes *
describe (const SymPart *part, double rank_gap)
{
  GByteArray *key = g_byte_array_sized_new (32 * part->n_items + 60 * part->n_links + 16);

  add_number (key, rank_gap);
  add_count (key, part->n_items);
  for (guint i = 0; i < part->n_items; i++)
    {
      add_number (key, part->breadths[i]);
      add_number (key, part->lengths[i]);
      add_number (key, part->leans ? part->leans[i] : 0);
      add_count (key, part->pins[i]);
      add_count (key, part->has_loop[i]);
    }
  for (guint i = 0; i < part->n_links; i++)
    {
      const SymLink *link = &part->links[i];

      add_count (key, link->from);
      add_count (key, link->to);
      add_count (key, link->tail);
      add_count (key, link->is_back);
      add_number (key, link->from_port);
      add_number (key, link->to_port);
      add_number (key, link->from_side);
      add_number (key, link->to_side);
      add_number (key, link->gap);
    }
  return g_byte_array_free_to_bytes (key);
}

SymFrameInside *
sym_frame_cache_look_up (SymFrameCache *self,
                         SymPart *part,
                         double rank_gap,
                         SymLayoutEngine *engine,
                         GCancellable *cancellable)
{
  g_autoptr (GBytes) key = describe (part, rank_gap);
  Entry *entry = g_hash_table_lookup (self->entries, key);
  SymFrameInside *inside;

  if (entry)
    {
      entry->age = 0;
      sym_layout_engine_pass (engine, part, cancellable);
      return sym_frame_inside_ref (entry->inside);
    }
  self->n_runs++;
  if (!sym_layout_engine_run (engine, part, rank_gap, cancellable))
    return NULL;
  inside = sym_frame_inside_new (part);
  add_entry (self, key, inside, 0);
  return inside;
}

/* The links that make the way on from an item straight: each item has one at most. */
static guint *
find_trunk_links (const SymPart *part)
{
  guint *nexts = g_new (guint, part->n_items + 1);

  for (guint i = 0; i < part->n_items; i++)
    nexts[i] = G_MAXUINT;
  for (guint i = 0; i < part->n_links; i++)
    if (part->links[i].is_trunk)
      nexts[part->links[i].from] = i;
  return nexts;
}

/* The port with the longest straight way on; without one, the first by which anything leaves. */
static double
find_trunk (const SymPart *part)
{
  g_autofree guint *nexts = find_trunk_links (part);
  double trunk = part->width / 2;
  guint longest = 0;

  for (guint i = part->n_items; i-- > 0;)
    if (part->pins[i] == SYM_PIN_LAST)
      trunk = part->x[i];
  for (guint i = 0; i < part->n_items; i++)
    {
      guint length = 1;

      if (part->pins[i] != SYM_PIN_FIRST)
        continue;
      for (guint item = i; nexts[item] != G_MAXUINT; item = part->links[nexts[item]].to)
        length++;
      if (length > longest)
        {
          longest = length;
          trunk = part->x[i];
        }
    }
  return trunk;
}

SymFrameInside *
sym_frame_inside_new (SymPart *part)
{
  SymFrameInside *self = g_new0 (SymFrameInside, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->trunk = find_trunk (part);
  for (guint i = 0; part->leans && i < part->n_items; i++)
    part->x[i] += part->leans[i];
  self->n_nodes = part->n_items;
  self->x = g_steal_pointer (&part->x);
  self->y = g_steal_pointer (&part->y);
  self->course_starts = g_steal_pointer (&part->course_starts);
  self->points = g_steal_pointer (&part->course_points);
  self->width = part->width;
  self->height = part->height;
  return self;
}

SymFrameInside *
sym_frame_inside_ref (SymFrameInside *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_frame_inside_unref (SymFrameInside *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->x);
  g_free (self->y);
  g_free (self->course_starts);
  g_free (self->points);
  g_free (self);
}
