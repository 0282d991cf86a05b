/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

/* Room of a run that is moved to the end of its pool, at least. */
#define MOVED_ROOM 4

SymGrowingRun
sym_growing_run_new (SymRows *pool, const SymId *ids, guint n)
{
  SymGrowingRun self = { pool->len, n, n };

  sym_rows_append_many (pool, ids, n);
  return self;
}

SymIds
sym_growing_run_get (const SymGrowingRun *self, const SymRows *pool)
{
  /* An empty pool has no memory to point into. */
  if (self->n == 0)
    return (SymIds){ NULL, 0 };
  return (SymIds){ (const SymId *) pool->data + self->start, self->n };
}

static void
move_to_end (SymGrowingRun *self, SymRows *pool)
{
  guint capacity = MAX (MOVED_ROOM, self->capacity * 2);
  guint start = pool->len;

  sym_rows_append_many (pool, NULL, capacity);
  memcpy (&g_array_index (pool, SymId, start), &g_array_index (pool, SymId, self->start),
          sizeof (SymId) * self->n);
  self->start = start;
  self->capacity = capacity;
}

void
sym_growing_run_append (SymGrowingRun *self, SymRows *pool, SymId id)
{
  if (self->capacity == 0)
    self->start = pool->len;
  if (self->n == self->capacity && self->start + self->capacity == pool->len)
    {
      sym_rows_append (pool, id);
      self->n++;
      self->capacity++;
      return;
    }
  if (self->n == self->capacity)
    move_to_end (self, pool);
  g_array_index (pool, SymId, self->start + self->n++) = id;
}

SymRuns
sym_draft_calls_pack (const SymRows *calls, SymRunKind kind, const SymRows *pool)
{
  guint n = calls->len, total = 0;
  SymRuns runs = { .n = n, .offsets = g_new (guint, n + 1) };

  for (guint i = 0; i < n; i++)
    {
      runs.offsets[i] = total;
      total += g_array_index (calls, SymDraftCall, i).runs[kind].n;
    }
  runs.offsets[n] = total;
  runs.ids = g_new (SymId, total + 1);
  for (guint i = 0; i < n; i++)
    {
      SymIds ids = sym_growing_run_get (&g_array_index (calls, SymDraftCall, i).runs[kind], pool);

      if (ids.n == 1)
        runs.ids[runs.offsets[i]] = ids.ids[0];
      else if (ids.n > 0)
        memcpy (runs.ids + runs.offsets[i], ids.ids, sizeof (SymId) * ids.n);
    }
  return runs;
}
