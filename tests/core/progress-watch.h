/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-progress.h"

/* Looks at every step of an operation, and may stop it at one of them. */
typedef struct {
  GCancellable *cancellable;
  SymStage stop_in; /* cancel in this stage, once so much is done; 2 for never */
  double stop_at;

  guint n_steps;     /* that brought it on */
  guint n_backwards; /* and back */
  double last;
  guint stages;      /* a bit each */
  guint n_after;     /* steps after it was cancelled */
  gint64 stopped_at; /* microseconds; 0 for never */
} ProgressWatch;

static inline void
progress_watch_step (const SymProgress *progress, gpointer data)
{
  ProgressWatch *self = data;

  g_assert_cmpfloat (progress->fraction, >=, 0);
  g_assert_cmpfloat (progress->fraction, <=, 1);
  self->n_steps += progress->fraction > self->last;
  self->n_backwards += progress->fraction < self->last;
  self->last = progress->fraction;
  self->stages |= 1u << progress->stage;
  self->n_after += self->stopped_at > 0;
  if (self->stopped_at > 0 || progress->stage != self->stop_in ||
      progress->fraction < self->stop_at)
    return;
  self->stopped_at = g_get_monotonic_time ();
  g_cancellable_cancel (self->cancellable);
}

static inline void
progress_watch_start (ProgressWatch *self, SymStage stop_in, double stop_at)
{
  *self = (ProgressWatch){ .cancellable = g_cancellable_new (),
                           .stop_in = stop_in,
                           .stop_at = stop_at };
  sym_progress_listen (self->cancellable, progress_watch_step, self);
}

static inline void
progress_watch_end (ProgressWatch *self)
{
  g_object_unref (self->cancellable);
}
