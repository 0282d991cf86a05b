/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* How often a run asks whether it was cancelled, in place of how long it takes to stop: that
 * depends on the machine and on what else it does.  The two functions stand before GIO's own in the
 * program that includes this, so that one of the questions can be the one that is answered yes. */

static struct {
  gint n_asked; /* atomic */
  gint n_until; /* so many are answered no */
} questions;

static inline void
questions_start (guint n_until)
{
  g_atomic_int_set (&questions.n_asked, 0);
  questions.n_until = (gint) n_until;
}

static inline guint
questions_end (void)
{
  return (guint) g_atomic_int_get (&questions.n_asked);
}

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  return cancellable != NULL && g_atomic_int_add (&questions.n_asked, 1) >= questions.n_until;
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return FALSE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled by a test");
  return TRUE;
}
