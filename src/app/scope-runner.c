/* SPDX-License-Identifier: MIT */
#include "app/scope-runner.h"

#ifdef __GLIBC__
#  include <malloc.h>
#endif

struct _ScopeRunner {
  gatomicrefcount ref_count;
  GMutex mutex; /* of the recorder */
  SymRecorder *recorder;
};

ScopeRunner *
scope_runner_new (SymModel *model)
{
  ScopeRunner *self = g_new0 (ScopeRunner, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->recorder = sym_recorder_new (model, 0);
  return self;
}

ScopeRunner *
scope_runner_ref (ScopeRunner *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/* Gigabytes take a while to give back, and the allocator would keep much of them for later. */
static gpointer
free_thread (gpointer data)
{
  ScopeRunner *self = data;

  sym_recorder_free (self->recorder);
  g_mutex_clear (&self->mutex);
  g_free (self);
#ifdef __GLIBC__
  malloc_trim (0);
#endif
  return NULL;
}

void
scope_runner_unref (ScopeRunner *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    g_thread_unref (g_thread_new ("free-run", free_thread, self));
}

SymModel *
scope_runner_get_model (const ScopeRunner *self)
{
  return sym_recorder_get_model (self->recorder);
}

SymRecord *
scope_runner_run (ScopeRunner *self,
                  const ScopeRunSetup *setup,
                  const SymRecordOptions *options,
                  GCancellable *cancellable,
                  GError **error)
{
  const SymFeed *feeds = (const SymFeed *) (gconstpointer) setup->feeds->data;
  SymRecord *record = NULL;

  g_return_val_if_fail (setup->model == scope_runner_get_model (self), NULL);

  g_mutex_lock (&self->mutex);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    record =
        sym_recorder_run (self->recorder, feeds, setup->feeds->len, options, cancellable, error);
  g_mutex_unlock (&self->mutex);
  return record;
}
