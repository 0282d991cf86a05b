/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-progress.h"

/* Looks at an operation from another thread, as often as it can, and may stop it on the way. */
typedef struct {
  GCancellable *cancellable;
  double stop_at; /* cancel once that much is done; 2 for never */
  SymStage stop_in; /* and not before this stage */
  GThread *thread;
  int is_over;

  guint n_seen;      /* different fractions */
  guint n_backwards; /* that were less than the one before */
  double last;
  guint stages;      /* a bit each */
  gint64 stopped_at; /* microseconds; 0 for never */
} ProgressWatch;

static inline void
progress_look (ProgressWatch *self)
{
  SymProgress progress;

  g_assert_true (sym_progress_get (self->cancellable, &progress));
  g_assert_cmpfloat (progress.fraction, >=, 0);
  g_assert_cmpfloat (progress.fraction, <=, 1);
  self->n_seen += progress.fraction > self->last;
  self->n_backwards += progress.fraction < self->last;
  self->last = progress.fraction;
  self->stages |= 1u << progress.stage;
  if (self->stopped_at == 0 && progress.stage >= self->stop_in
      && progress.fraction >= self->stop_at)
    {
      self->stopped_at = g_get_monotonic_time ();
      g_cancellable_cancel (self->cancellable);
    }
}

static inline gpointer
progress_watch_thread (gpointer data)
{
  ProgressWatch *self = data;

  while (!g_atomic_int_get (&self->is_over))
    {
      progress_look (self);
      g_usleep (20);
    }
  progress_look (self);
  return NULL;
}

static inline void
progress_watch_start (ProgressWatch *self, double stop_at, SymStage stop_in)
{
  *self = (ProgressWatch) { .cancellable = g_cancellable_new (),
                            .stop_at = stop_at,
                            .stop_in = stop_in };
  sym_progress_watch (self->cancellable);
  self->thread = g_thread_new ("watch", progress_watch_thread, self);
}

static inline void
progress_watch_end (ProgressWatch *self)
{
  g_atomic_int_set (&self->is_over, TRUE);
  g_thread_join (self->thread);
  g_object_unref (self->cancellable);
}
