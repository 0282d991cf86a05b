/* SPDX-License-Identifier: MIT */
#include "core/sym-progress.h"

#include <math.h>

/* What is looked at is one number: the fraction in steps, and whether more is known. */
#define STEPS (1 << 24)
#define UNKNOWN (1 << 30)

typedef struct {
  int stage, state; /* atomic */

  /* Of the thread that works. */
  SymProgressPart part;
  SymProgressListener listener; /* NULL for none */
  gpointer user_data;
} Record;

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("sym-progress");
}

static Record *
find (GCancellable *cancellable)
{
  return cancellable == NULL ? NULL : g_object_get_qdata (G_OBJECT (cancellable), get_quark ());
}

static SymProgress
look (Record *self)
{
  int state = g_atomic_int_get (&self->state);

  return (SymProgress){ .stage = (SymStage) g_atomic_int_get (&self->stage),
                        .fraction = (double) (state & ~UNKNOWN) / STEPS,
                        .is_known = (state & UNKNOWN) == 0 };
}

static void
notify (Record *self)
{
  SymProgress progress = look (self);

  if (self->listener != NULL)
    self->listener (&progress, self->user_data);
}

static void
put (Record *self, double fraction)
{
  g_atomic_int_set (&self->state, (int) floor (fraction * STEPS + 0.5));
  notify (self);
}

void
sym_progress_watch (GCancellable *cancellable)
{
  sym_progress_listen (cancellable, NULL, NULL);
}

void
sym_progress_listen (GCancellable *cancellable, SymProgressListener listener, gpointer user_data)
{
  Record *self;

  g_return_if_fail (G_IS_CANCELLABLE (cancellable) && find (cancellable) == NULL);

  self = g_new0 (Record, 1);
  self->part.to = 1;
  self->listener = listener;
  self->user_data = user_data;
  g_object_set_qdata_full (G_OBJECT (cancellable), get_quark (), self, g_free);
}

gboolean
sym_progress_get (GCancellable *cancellable, SymProgress *progress)
{
  Record *self = find (cancellable);

  if (self == NULL)
    return FALSE;

  *progress = look (self);
  return TRUE;
}

SymProgressPart
sym_progress_enter (GCancellable *cancellable, double from, double to)
{
  Record *self = find (cancellable);
  SymProgressPart outer = { 0, 1 };

  g_return_val_if_fail (from >= 0 && from <= to && to <= 1, outer);

  if (self == NULL)
    return outer;
  outer = self->part;
  self->part.from = outer.from + from * (outer.to - outer.from);
  self->part.to = outer.from + to * (outer.to - outer.from);
  put (self, self->part.from);
  return outer;
}

void
sym_progress_leave (GCancellable *cancellable, SymProgressPart outer)
{
  Record *self = find (cancellable);

  if (self == NULL)
    return;
  put (self, self->part.to);
  self->part = outer;
}

void
sym_progress_begin (GCancellable *cancellable, SymStage stage)
{
  Record *self = find (cancellable);

  if (self == NULL)
    return;
  g_atomic_int_set (&self->stage, (int) stage);
  notify (self);
}

void
sym_progress_tell (GCancellable *cancellable, guint64 done, guint64 total)
{
  Record *self = find (cancellable);
  double share = total == 0 ? 1 : (double) done / (double) total;

  g_return_if_fail (done <= total);

  if (self != NULL)
    put (self, self->part.from + share * (self->part.to - self->part.from));
}

void
sym_progress_tell_unknown (GCancellable *cancellable)
{
  Record *self = find (cancellable);

  if (self == NULL)
    return;
  g_atomic_int_or ((guint *) &self->state, UNKNOWN);
  notify (self);
}
