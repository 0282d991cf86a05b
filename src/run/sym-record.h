/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-statistics.h"
#include "run/sym-run.h"

G_BEGIN_DECLS

/* What one run left behind: of every value its statistics with a histogram, of every layer its time
 * or why it did not run.  The numbers themselves are kept of outputs and of what was fed, and of
 * other values, in order, as long as a budget lasts; the rest is computed again when it is asked
 * for, from the same data and seed.  Immutable, reference-counted, readable from any thread. */
typedef struct _SymRecord SymRecord;

#define SYM_RECORD_N_BINS 40

/* What a run is about.  When something fails within a compiled step, it begins again with making
 * weights up. */
typedef enum {
  SYM_RECORD_MAKING,   /* weights that the file has not */
  SYM_RECORD_PLANNING, /* and packing weights; when there is a plan already, hardly at all */
  SYM_RECORD_LOOKING,  /* at what is fed */
  SYM_RECORD_RUNNING,  /* one layer after the other */
  SYM_RECORD_TIMING,   /* running once more, so that times can be relied upon */
} SymRecordStage;

typedef struct {
  guint64 seed; /* of random layers, and of weights that are made up */

  /* What is fed must be of these types, and they say what shape a weight has that is made up; NULL:
   * as the model declares.  Kept. */
  SymInference *types;
  gboolean
      makes_weights; /* that the file has not; else what needs them does not run.  Needs @types. */

  /* As those of SymPlanOptions. */
  guint n_threads;
  gboolean is_exact;

  /* How many bytes the numbers of values besides the outputs and what was fed may have together; 0
   * keeps none. */
  guint64 n_bytes_to_keep;

  /* A single time says little: others need the processor, too, and memory is cold at first.  What
   * ran well is run so often again, for at most so many milliseconds, and the least time of each
   * layer counts. */
  guint n_repeats;
  double repeat_milliseconds;

  /* Called when a stage begins, and after each layer while it runs, in the thread that runs;
   * @n_done of @n_all count layers then, and are 0 of 0 in other stages.  NULL: nobody asks. */
  void (*progress) (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data);
  gpointer user_data;
} SymRecordOptions;

/* Runs all of @model, by compiled steps where that can be, one for each layer.  A layer that cannot
 * run is no error: the record names it, and has what does not need it.  NULL with an error when a
 * feed does not fit (SYM_ERROR_SHAPE), a weight cannot be made up, there is a cycle, or
 * @cancellable was cancelled. */
SymRecord *sym_record_new (SymModel *model,
                           const SymFeed *feeds,
                           guint n_feeds,
                           const SymRecordOptions *options,
                           GCancellable *cancellable,
                           GError **error);
SymRecord *sym_record_ref (SymRecord *self);
void sym_record_unref (SymRecord *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymRecord, sym_record_unref)

SymModel *sym_record_get_model (const SymRecord *self);

/* What happened within a body that ran: a record of that body's model, borrowed; NULL when it did
 * not run.  Of a body that ran several times, as in a loop, it has the values of the last time,
 * times of all of them, and how often it was.  Values within bodies that were not kept cannot be
 * computed again: sym_record_compute() fails with SYM_ERROR_UNSUPPORTED. */
SymRecord *sym_record_find_body (const SymRecord *self, const char *body_path);
guint sym_record_get_n_turns (const SymRecord *self);

/* The paths of the bodies that ran, sorted; NULL-ended, the caller's. */
char **sym_record_list_bodies (const SymRecord *self);

/* ---- Values ---- */

/* The type a value had in the run; its kind is SYM_KIND_UNKNOWN when it was not computed. */
SymType sym_record_get_type (const SymRecord *self, SymId value);

/* FALSE when it was not computed, or is no tensor of numbers. */
gboolean sym_record_get_statistics (const SymRecord *self, SymId value, SymStatistics *statistics);

/* The value itself, borrowed, if it was kept; else NULL. */
SymDatum *sym_record_get_datum (const SymRecord *self, SymId value);

/* The same, the caller's; what was not kept is computed again, with all that it needs. */
SymDatum *
sym_record_compute (const SymRecord *self, SymId value, GCancellable *cancellable, GError **error);

/* Hands each of @values that was computed to @visit, which may keep it, in no certain order; those
 * that were not kept are computed again, all in one run.  A body's that were not kept are left out.
 */
typedef gboolean (*SymRecordVisit) (SymId value,
                                    SymDatum *datum,
                                    gpointer user_data,
                                    GError **error);

gboolean sym_record_visit (const SymRecord *self,
                           const SymId *values,
                           guint n,
                           SymRecordVisit visit,
                           gpointer user_data,
                           GCancellable *cancellable,
                           GError **error);

/* The first value, in order of execution, that has NaN or infinite numbers; SYM_NO_ID for none. */
SymId sym_record_get_first_bad (const SymRecord *self);

/* Whether that value has such. */
gboolean sym_record_is_bad (const SymRecord *self, SymId value);

/* How many values there are, how many of them were kept whole, and the bytes of those. */
typedef struct {
  guint n_values, n_kept;
  guint64 n_kept_bytes;
  guint n_made_weights;
  guint n_timed; /* how often it ran: times are the least of these */
} SymRecordCounts;

SymRecordCounts sym_record_get_counts (const SymRecord *self);

/* ---- Planning ---- */

/* Why a run had to be planned. */
typedef enum {
  SYM_RECORD_PLAN_KEPT,    /* it had not: there was a plan */
  SYM_RECORD_PLAN_FIRST,   /* nothing had run before */
  SYM_RECORD_PLAN_TYPES,   /* for other types of what is fed, or of weights */
  SYM_RECORD_PLAN_WEIGHTS, /* for other weights that are made up */
  SYM_RECORD_PLAN_OPTIONS, /* for other options, such as threads */
} SymRecordReason;

/* What the plan of a run cost: nothing when it was kept from before. */
typedef struct {
  SymRecordReason reason;
  double milliseconds;
  guint64 n_bytes; /* of weights that it took into memory */
} SymRecordPlanning;

SymRecordPlanning sym_record_get_planning (const SymRecord *self);

/* ---- Layers ---- */

/* The time of a call; negative when it did not run. */
double sym_record_get_milliseconds (const SymRecord *self, SymId call);

/* What that time is of. */
typedef enum {
  SYM_RECORD_TIME_NONE,    /* it did not run */
  SYM_RECORD_TIME_OWN,     /* its own steps */
  SYM_RECORD_TIME_PLANNED, /* 0: it was computed while planning */
  SYM_RECORD_TIME_VIEW, /* 0: it has no step, its result is an operand in memory, seen otherwise */
} SymRecordTime;

SymRecordTime sym_record_get_time_kind (const SymRecord *self, SymId call);

/* Of all of them together. */
double sym_record_get_total (const SymRecord *self);

/* Why a call did not run, for people; NULL when it did, or was not asked to. */
const char *sym_record_get_failure (const SymRecord *self, SymId call);

/* Whether it did not run of itself, and not because something else that it needs did not. */
gboolean sym_record_is_to_blame (const SymRecord *self, SymId call);

/* The first call that did not run, of @n_failed; SYM_NO_ID for none. */
SymId sym_record_get_first_failure (const SymRecord *self, guint *n_failed);

/* Whether any layer did run, or none was there to. */
gboolean sym_record_has_run (const SymRecord *self);

G_END_DECLS
