/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record-private.h"
#include "run/sym-session.h"

G_BEGIN_DECLS

/* A run that is being recorded. */
typedef struct {
  SymSession *session;
  SymRecord *record;
  SymRun *run;
  const SymRecordOptions *options;
  GCancellable *cancellable;
  guint64 n_bytes_left;
  guint n_done;       /* calls */
  guint n_made;       /* weights of the plan */
  GError *body_error; /* of a value that a body was handed */
} SymRecording;

void sym_recording_tell (const SymRecording *self, SymRecordStage stage);

/* Has the session hand over what it computes, in bodies too. */
void sym_recording_watch (SymRecording *self);

/* Values that were fed. */
gboolean sym_recording_take_feeds (SymRecording *self, GError **error);

/* Times and failures of a run that is over. */
void sym_recording_take_steps (SymRecording *self);

G_END_DECLS
