/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* How far a long operation is.  The record of it hangs on the operation's GCancellable, so that
 * whatever can be stopped can tell as well, and nothing takes one argument more.  One thread works
 * and tells; any thread may look, without a lock.  On a GCancellable without a record, or without
 * one at all, telling does nothing.
 *
 * What tells does so every few thousand calls or bytes, and only in numbers whose total it knows:
 * where that is not known, it says so.  An operation of several parts gives each a fixed share of
 * itself. */
typedef enum {
  SYM_STAGE_NONE, /* nothing was told yet */
  SYM_STAGE_READ,
  SYM_STAGE_INFER,
  SYM_STAGE_GROUP,
  SYM_STAGE_SCENE,
  SYM_STAGE_LAYOUT,
} SymStage;

#define SYM_N_STAGES (SYM_STAGE_LAYOUT + 1)

typedef struct {
  SymStage stage;
  double fraction;   /* of the whole operation: 0 to 1, never less than before */
  gboolean is_known; /* FALSE while nobody knows how much there is to do before the fraction grows
                        again */
} SymProgress;

/* Gives @cancellable a record, which lives as long as it does.  To be called once, before the work.
 */
void sym_progress_watch (GCancellable *cancellable);

/* The same for who wants every step: @listener is called for each, in the thread that works. */
typedef void (*SymProgressListener) (const SymProgress *progress, gpointer user_data);

void
sym_progress_listen (GCancellable *cancellable, SymProgressListener listener, gpointer user_data);

/* FALSE when there is no record. */
gboolean sym_progress_get (GCancellable *cancellable, SymProgress *progress);

/* ---- For what works ---- */

/* What follows is @from to @to of what was the whole until now, and the whole of what it tells
 * itself. */
typedef struct {
  double from, to;
} SymProgressPart;

SymProgressPart sym_progress_enter (GCancellable *cancellable, double from, double to);

/* Ends a part, all of which is done, and goes on with @outer, which entering gave. */
void sym_progress_leave (GCancellable *cancellable, SymProgressPart outer);

/* Names what is being done; the fraction stays. */
void sym_progress_begin (GCancellable *cancellable, SymStage stage);

/* So much of the part is done.  An empty total is all done. */
void sym_progress_tell (GCancellable *cancellable, guint64 done, guint64 total);

/* Work goes on, nobody knows for how long.  The next number ends that. */
void sym_progress_tell_unknown (GCancellable *cancellable);

/* For loops: tells every 1,024th time, and is TRUE when the work is to be stopped. */
static inline gboolean
sym_progress_step (GCancellable *cancellable, guint done, guint total)
{
  if ((done & 1023) != 0 || cancellable == NULL)
    return FALSE;
  sym_progress_tell (cancellable, done, total);
  return g_cancellable_is_cancelled (cancellable);
}

G_END_DECLS
