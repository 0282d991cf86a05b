/* SPDX-License-Identifier: MIT */
#include "core/sym-model-builder-private.h"

/* Where new entries go in the file order of a model that is edited: a new call right behind the
 * last of the entries that make its operands, in order of insertion where several come to one
 * place; a new value right before the first call that uses it.  What nothing holds goes to the
 * end. */
typedef struct {
  SymModelBuilder *builder;
  guint n_calls;
  SymRows *entries;   /* of SymEntry: the new order */
  guint8 *is_pending; /* per key: a new entry that has no place yet */
  guint *n_missing;   /* per call: entries that a new call still waits for */
  SymRuns waiting;    /* per key: the new calls that wait for it */
  GArray *ready;      /* of SymId: new calls to be placed next */
} Arrangement;

/* One number per entry: that of its call, or behind all calls that of its value. */
static guint
get_key (const Arrangement *self, SymEntry entry)
{
  return entry.is_call ? entry.id : self->n_calls + entry.id;
}

static guint
get_maker_key (const Arrangement *self, SymId value)
{
  SymId producer = g_array_index (self->builder->values, SymDraftValue, value).producer;

  return producer == SYM_NO_ID ? self->n_calls + value : producer;
}

static SymEntry
get_entry (const Arrangement *self, guint i)
{
  return g_array_index (self->builder->entries, SymEntry, i);
}

/* Whether the new @call has to wait for what makes @operand: new values have no place to wait
 * for. */
static gboolean
must_wait (const Arrangement *self, SymId operand)
{
  guint key;

  if (operand == SYM_NO_ID)
    return FALSE;
  key = get_maker_key (self, operand);
  return key < self->n_calls || !self->is_pending[key];
}

/* Two passes over the new calls: count, then list, who waits for what. */
static void
list_waiting (Arrangement *self, guint n_keys)
{
  const SymModelBuilder *builder = self->builder;
  g_autofree guint *next = NULL;

  self->waiting = (SymRuns){ n_keys, g_new0 (guint, n_keys + 1), NULL };
  for (int pass = 0; pass < 2; pass++)
    {
      for (guint i = builder->n_arranged; i < builder->entries->len; i++)
        {
          SymEntry entry = get_entry (self, i);
          SymIds operands = entry.is_call
                                ? sym_model_builder_get_run (builder, entry.id, SYM_RUN_OPERANDS)
                                : (SymIds){ NULL, 0 };

          for (guint k = 0; k < operands.n; k++)
            if (!must_wait (self, operands.ids[k]))
              continue;
            else if (pass == 0)
              self->waiting.offsets[get_maker_key (self, operands.ids[k]) + 1]++;
            else
              {
                self->waiting.ids[next[get_maker_key (self, operands.ids[k])]++] = entry.id;
                self->n_missing[entry.id]++;
              }
        }
      if (pass == 1)
        return;
      for (guint key = 0; key < n_keys; key++)
        self->waiting.offsets[key + 1] += self->waiting.offsets[key];
      self->waiting.ids = g_new (SymId, self->waiting.offsets[n_keys] + 1);
      next = g_memdup2 (self->waiting.offsets, sizeof (guint) * (n_keys + 1));
    }
}

static void
place (Arrangement *self, SymEntry entry)
{
  guint key = get_key (self, entry);

  if (entry.is_call)
    {
      SymIds operands = sym_model_builder_get_run (self->builder, entry.id, SYM_RUN_OPERANDS);

      for (guint i = 0; i < operands.n; i++)
        if (operands.ids[i] != SYM_NO_ID)
          {
            guint maker = get_maker_key (self, operands.ids[i]);
            SymEntry value = { FALSE, operands.ids[i] };

            if (maker >= self->n_calls && self->is_pending[maker])
              sym_rows_append (self->entries, value);
            if (maker >= self->n_calls)
              self->is_pending[maker] = FALSE;
          }
    }
  self->is_pending[key] = FALSE;
  sym_rows_append (self->entries, entry);
  for (guint i = self->waiting.offsets[key]; i < self->waiting.offsets[key + 1]; i++)
    if (--self->n_missing[self->waiting.ids[i]] == 0)
      g_array_append_val (self->ready, self->waiting.ids[i]);
}

static void
place_with_followers (Arrangement *self, SymEntry entry)
{
  place (self, entry);
  for (guint i = 0; i < self->ready->len; i++)
    {
      SymEntry follower = { TRUE, g_array_index (self->ready, SymId, i) };

      if (self->is_pending[follower.id])
        place (self, follower);
    }
  g_array_set_size (self->ready, 0);
}

static gboolean
is_erased (const SymModelBuilder *self, SymEntry entry)
{
  return entry.is_call ? sym_model_builder_get_draft (self, entry.id)->erased
                       : g_array_index (self->values, SymDraftValue, entry.id).erased;
}

void
sym_model_builder_arrange (SymModelBuilder *self)
{
  guint n_keys = self->calls->len + self->values->len;
  Arrangement arrangement = { self, self->calls->len };

  if (self->n_arranged == self->entries->len && !self->has_gaps)
    return;

  arrangement.entries = sym_rows_new (sizeof (SymEntry));
  sym_rows_reserve (arrangement.entries, self->entries->len);
  arrangement.ready = g_array_new (FALSE, FALSE, sizeof (SymId));
  arrangement.is_pending = g_new0 (guint8, n_keys + 1);
  arrangement.n_missing = g_new0 (guint, self->calls->len + 1);
  for (guint i = self->n_arranged; i < self->entries->len; i++)
    arrangement.is_pending[get_key (&arrangement, get_entry (&arrangement, i))] =
        !is_erased (self, get_entry (&arrangement, i));
  list_waiting (&arrangement, n_keys);

  for (guint i = 0; i < self->entries->len; i++)
    {
      SymEntry entry = get_entry (&arrangement, i);

      if (i < self->n_arranged ? !is_erased (self, entry)
                               : arrangement.is_pending[get_key (&arrangement, entry)])
        place_with_followers (&arrangement, entry);
    }
  sym_rows_free (self->entries);
  self->entries = arrangement.entries;
  self->n_arranged = self->entries->len;
  self->has_gaps = FALSE;
  g_array_unref (arrangement.ready);
  g_free (arrangement.is_pending);
  g_free (arrangement.n_missing);
  sym_runs_clear (&arrangement.waiting);
}
