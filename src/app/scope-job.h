/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "app/scope-colors.h"
#include "app/scope-cut.h"
#include "app/scope-focus.h"
#include "draw/sym-draw.h"
#include "query/sym-figures.h"
#include "run/sym-record.h"

G_BEGIN_DECLS

/* The way from a file to a picture, in stages.  Each needs the results of those before it. */
typedef enum {
  SCOPE_STAGE_READ,    /* file -> model */
  SCOPE_STAGE_PREVIEW, /* model, if it is large -> picture of it without the shapes to be inferred
                        */
  SCOPE_STAGE_INFER,   /* model, shapes -> inference, summary */
  SCOPE_STAGE_CUT,     /* marks -> what they keep */
  SCOPE_STAGE_TRACE,   /* focus -> what it brings out, or nothing */
  SCOPE_STAGE_LAYOUT,  /* inference, drawing, focus -> scene, layout */
  SCOPE_STAGE_PICTURE, /* layout, cut, trace, theme -> picture */
} ScopeStage;

#define SCOPE_N_STAGES (SCOPE_STAGE_PICTURE + 1)

/* Which rows the summary has, and in which order. */
typedef struct {
  guint sort; /* of scope_summary_get_columns(), plus one; 0: as the graph runs */
  gboolean descends;
  gboolean is_tree; /* nodes below the groups that they are in */
  gboolean has_all; /* also what the search has not found */
} ScopeRowsView;

/* How the graph is drawn, and listed. */
typedef struct {
  SymDrawing drawing;
  SymDirection direction;
  SymLabels labels;
  SymTheme theme;
  ScopeColors colors;
  gboolean dims_others; /* what the search has not found, while it has found something */
  ScopeRowsView rows;
} ScopeView;

/* One stage with all that it needs and makes; its fields are references of its own, so that it runs
 * in any thread.  Nothing is changed that was there before. */
typedef struct {
  ScopeStage stage;
  ScopeView view;
  ScopeFocus focus;
  GFile *file;
  GFile *inner;        /* by reading: the graph in @file, if that is a folder; else NULL */
  GFile *weights;      /* that were chosen; NULL: those that are found */
  SymModel *edited;    /* by reading again: what there was when that began; else NULL */
  ScopeState *state;   /* holds the model; made by reading */
  SymFolding *folding; /* what there was; made with the inference when it is of another model */
  struct _ScopeMemory *memory; /* of what was open in that other one; NULL for nothing */
  SymFolding *folding_before;  /* of the model before it was edited; NULL for none */
  SymOpenBodies *open_bodies;  /* of all stages but reading */
  SymInference *inference;
  SymSummary *summary;
  SymFigures *figures; /* made with the inference; NULL for a preview */
  ScopeCut *cut;
  SymTrace *trace;   /* NULL for none */
  SymRecord *record; /* NULL for none */
  GArray *found;     /* likewise; of SymId */
  SymQuery *query;   /* which has found them; likewise */
  SymOverlay *overlay;
  ScopeComparison *comparison;
  ScopeDistances *distances;
  SymLayout *layout; /* when laying out: what there was, NULL for none, until it is replaced */
  SymPicture *picture;
} ScopeJob;

gboolean scope_job_run (ScopeJob *self, GCancellable *cancellable, GError **error);
void scope_job_free (ScopeJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeJob, scope_job_free)

/* The same in another thread, as it may hold the last references to what is large. */
void scope_job_release (ScopeJob *take_job);

/* Whether inference takes so long that something should be shown before. */
gboolean scope_job_is_large (SymModel *model);

/* "Reading…", for people who wait. */
const char *scope_stage_to_string (ScopeStage stage);

/* Reads a graph, with @weights if that is not NULL.  A file that is not local, such as a resource,
 * is read through GIO, with what it holds itself. */
SymModel *scope_read_model (GFile *file, GFile *weights, GCancellable *cancellable, GError **error);

G_END_DECLS
