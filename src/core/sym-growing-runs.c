/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

void
sym_growing_init (SymGrowing *self)
{
  self->runs = g_array_sized_new (FALSE, TRUE, sizeof (SymGrowingRun), SYM_FIRST_ROWS);
  self->pool = g_array_sized_new (FALSE, FALSE, sizeof (SymId), SYM_FIRST_ROWS);
}

void
sym_growing_clear (SymGrowing *self)
{
  g_clear_pointer (&self->runs, g_array_unref);
  g_clear_pointer (&self->pool, g_array_unref);
}

void
sym_growing_add (SymGrowing *self, const SymId *ids, guint n)
{
  SymGrowingRun row = { self->pool->len, n, n };

  g_array_append_vals (self->pool, ids, n);
  g_array_append_val (self->runs, row);
}

SymIds
sym_growing_get (const SymGrowing *self, guint i)
{
  const SymGrowingRun *row = &g_array_index (self->runs, SymGrowingRun, i);

  /* An empty pool has no memory to point into. */
  if (row->n == 0)
    return (SymIds){ NULL, 0 };
  return (SymIds){ (const SymId *) (gpointer) self->pool->data + row->start, row->n };
}

void
sym_growing_append (SymGrowing *self, guint i, SymId id)
{
  SymGrowingRun *row = &g_array_index (self->runs, SymGrowingRun, i);

  if (row->n == row->capacity)
    {
      guint capacity = MAX (4, row->capacity * 2);
      guint start = self->pool->len;

      g_array_set_size (self->pool, start + capacity);
      memcpy (&g_array_index (self->pool, SymId, start),
              &g_array_index (self->pool, SymId, row->start), sizeof (SymId) * row->n);
      row->start = start;
      row->capacity = capacity;
    }
  g_array_index (self->pool, SymId, row->start + row->n++) = id;
}

SymRuns
sym_growing_pack (const SymGrowing *self)
{
  guint n = self->runs->len, total = 0;
  SymRuns runs = { .n = n, .offsets = g_new (guint, n + 1) };

  for (guint i = 0; i < n; i++)
    total += g_array_index (self->runs, SymGrowingRun, i).n;
  runs.ids = g_new (SymId, total + 1);
  total = 0;
  for (guint i = 0; i < n; i++)
    {
      SymIds ids = sym_growing_get (self, i);

      runs.offsets[i] = total;
      if (ids.n > 0)
        memcpy (runs.ids + total, ids.ids, sizeof (SymId) * ids.n);
      total += ids.n;
    }
  runs.offsets[n] = total;
  return runs;
}

void
sym_growing_unpack (SymGrowing *self, const SymRuns *runs)
{
  for (guint i = 0; i < runs->n; i++)
    sym_growing_add (self, runs->ids + runs->offsets[i], runs->offsets[i + 1] - runs->offsets[i]);
}
