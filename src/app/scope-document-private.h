/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-document.h"
#include "app/scope-runner.h"
#include "core/sym-progress.h"

G_BEGIN_DECLS

/* Of a stage among several: ScopeDocument.dirty. */
#define BIT(stage) (1u << (stage))

/* Shared by scope-document.c (what is made, and when) and scope-document-state.c (what is decided),
 * scope-document-edit.c (changes of the model) and others. */
struct _ScopeDocument {
  GObject parent_instance;

  GFile *file;
  char *title;
  ScopeView view;
  ScopeMemory *memory; /* to be brought back; NULL for nothing */

  GFile *weights;        /* that were chosen; NULL: those that the format finds */
  GFile *weights_before; /* to go back to, while it is not known whether those can be read */
  gboolean awaits_weights;
  gboolean has_weights_news; /* that nobody was told yet */
  GError *weights_error;

  GFileMonitor *monitor; /* NULL where there is nothing to watch */
  char *etag;            /* of the file as it was seen last; NULL before */
  GCancellable *asking;  /* of being told what the disk has */
  guint quiet;           /* source: nothing changes for a while; 0 for none */
  ScopeDisk disk;
  gboolean is_newer_on_disk; /* than what was read last */

  ScopeState *state;
  GPtrArray *undo, *redo;          /* of ScopeState */
  ScopeState *saved;               /* as it is in the file, or was at the beginning */
  const SymIoFormat *saved_format; /* NULL: never saved since it was read */
  gboolean was_made;               /* came from no file and is in none yet */
  guint n_lost_edits;              /* that nobody was told yet */
  SymId typed_value;     /* whose shape the last decision typed, and when, in microseconds */
  char *typed_dimension; /* the same of a named dimension; NULL for none */
  gint64 typed_at;

  SymFolding *folding_before; /* while groups of an edited model are being found; NULL for none */
  SymFolding *folding;        /* of the state's model, or of the one before it; kept out of undo */
  SymOpenBodies *open_bodies; /* likewise; never NULL */
  SymInference *inference;
  SymSummary *summary;
  SymFigures *figures;       /* of the inference; NULL for a preview */
  GHashTable *call_problems; /* call + 1 -> message, borrowed from the inference */
  ScopeCut *cut;
  SymLayout *layout;
  SymPicture *picture;
  gboolean was_drawn; /* all of it, at least once */

  GError *error;
  GError *shape_error;
  ScopeNode selected;
  GArray *selected_more;    /* of SymId, all of several; NULL for fewer than two */
  guint selected_frame;     /* the group, an open one; SYM_NO_GROUP for none */
  guint folded_group;       /* opened or closed last */
  const char *folded_layer; /* if that was a layer: the path of its call, interned; else NULL */
  GArray *found;            /* of SymId; NULL for none */
  SymQueryResult *hits;     /* of which those are the first; NULL for none */
  SymOverlay *overlay;      /* NULL for none */
  struct _ScopeCompared *compared; /* what it is compared with; NULL for nothing */
  guint difference;                /* that was gone to; G_MAXUINT for none */
  struct _ScopeMeasured
      *measured; /* how far its numbers are from that one's; NULL unless both ran */
  ScopeFocus focus;
  SymTrace *trace; /* what it brings out */

  guint n_threads;               /* of runs; 0: one for each processor */
  ScopeRunner *runner;           /* of the state's model; NULL when nothing ran since it came */
  gboolean had_runner;           /* this one, or one for another model */
  struct _ScopeRunning *running; /* the run that goes on; NULL for none */
  SymRecord *record;             /* of the last one */
  ScopeRunWish *run_wish;        /* what the last one was asked for; NULL for none */
  char *run_taken;
  guint64 run_seed;
  GError *run_error;
  gboolean run_is_stale, run_is_dismissed, run_is_of_edited;
  gboolean run_is_stopped; /* the last one, before its end */

  guint dirty;          /* stages to run, lowest first */
  gboolean runs;        /* a stage is in a thread */
  ScopeStage stage;     /* that one */
  gboolean is_outdated; /* and its result is no longer wanted */
  GCancellable *cancellable;
  SymProgressPart part; /* of all that is asked for: what that stage is; 0 to 0 when none runs */
};

/* ---- scope-document-bodies.c ---- */

/* Opens these bodies, and no others.  Takes @take_bodies. */
void scope_document_replace_open_bodies (ScopeDocument *self, SymOpenBodies *take_bodies);

/* What was selected in a body that the picture has not gives way to its layer; whether it did. */
ScopeChanges scope_document_leave_lost_body (ScopeDocument *self);

/* ---- scope-document-state.c ---- */

/* Puts another state in place of the present one, which undo gives back. */
void scope_document_decide (ScopeDocument *self, ScopeState *take_state);
void scope_document_end_typing (ScopeDocument *self);

/* ---- scope-document-progress.c ---- */

/* To be called when @stage is to run; it and those of @ahead, a bit each, are all that is left. */
void scope_document_begin_stage (ScopeDocument *self, ScopeStage stage, guint ahead);

/* ---- scope-document-watch.c ---- */

/* Also of another file, or of one that was written by ourselves: as it is now it is known. */
void scope_document_begin_watch (ScopeDocument *self);
void scope_document_end_watch (ScopeDocument *self);

/* The file has been written: what is being read of it was there before.  Weights that were chosen
 * are read beside what is there now. */
void scope_document_drop_reading (ScopeDocument *self);

/* The file was read again, which began when the graph was @edited, NULL for none yet.  TRUE when it
 * was edited since and would lose that: what was read is not to be taken, and the user is asked. */
gboolean scope_document_keep_edits (ScopeDocument *self, SymModel *edited);

/* ---- scope-document-weights.c ---- */

/* The graph was read with the weights that were chosen; or it was not, by that error: then those
 * before hold again.  Returns FALSE when none were being chosen. */
void scope_document_take_weights (ScopeDocument *self);
gboolean scope_document_refuse_weights (ScopeDocument *self, const GError *error);

/* ---- scope-document-compare.c ---- */

/* Other types, or another model: it is compared anew. */
void scope_document_compare_again (ScopeDocument *self);

/* What was found out is of another model. */
void scope_document_drop_comparison (ScopeDocument *self);
void scope_document_forget_compared (ScopeDocument *self);

/* ---- scope-document-measure.c ---- */

/* Another comparison, or another run of one of both: numbers are measured anew, where there are
 * any. */
void scope_document_measure_again (ScopeDocument *self);
void scope_document_forget_measured (ScopeDocument *self);

/* ---- scope-document-run.c ---- */

/* Another model, or other shapes: the record is of what there was before.  What runs is stopped. To
 * be told as SCOPE_CHANGE_RUN. */
ScopeChanges scope_document_drop_record (ScopeDocument *self);

/* Another model: what was planned for the one before, and its weights, go. */
void scope_document_drop_runner (ScopeDocument *self);

/* ---- scope-document.c ---- */

/* Asks for stages, a bit each, to run; again when one of them is running: its result is dropped. */
void scope_document_request (ScopeDocument *self, guint stages);

/* A node, or else the frame of a group. */
void scope_document_select (ScopeDocument *self, const ScopeNode *node, guint frame);

void scope_document_emit_changed (ScopeDocument *self, ScopeChanges changes);

G_END_DECLS
