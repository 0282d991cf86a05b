/* SPDX-License-Identifier: MIT */
#include "run/sym-packer-private.h"

/* Waking a thread is worth it for so many bytes. */
#define SHARED_BYTES (256 << 10)

typedef struct {
  const SymPacker *packer;
  SymPackerWork work;
  gpointer data;
} Job;

void
sym_packer_clear (SymPacker *self)
{
  g_clear_pointer (&self->threads, sym_threads_free);
  g_clear_pointer (&self->packed, g_hash_table_unref);
}

gboolean
sym_packer_is_cancelled (const SymPacker *self)
{
  return self != NULL && g_cancellable_is_cancelled (self->cancellable);
}

static void
run_slice (gpointer data, guint slice, guint thread)
{
  const Job *self = data;

  (void) thread;
  if (!sym_packer_is_cancelled (self->packer))
    self->work (self->data, slice);
}

void
sym_packer_run (SymPacker *self, SymPackerWork work, gpointer data, guint n_slices, gsize n_bytes)
{
  Job job = { self, work, data };

  if (self == NULL || self->n_threads < 2 || n_slices < 2 || n_bytes < SHARED_BYTES)
    {
      for (guint i = 0; i < n_slices; i++)
        run_slice (&job, i, 0);
      return;
    }
  if (self->threads == NULL)
    self->threads = sym_threads_new (self->n_threads);
  sym_threads_run (self->threads, run_slice, &job, MIN (n_slices, SYM_THREADS_MAX_SLICES));
}
