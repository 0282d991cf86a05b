/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record.h"

G_BEGIN_DECLS

/* What is known of a value.  Of its type there is no name and there are no elements, so that it
 * borrows nothing. */
typedef struct {
  SymType type;
  gboolean has_numbers;
  guint64 n_elements, n_zeros, n_nan, n_infinite;
  double min, max, mean, std, first_edge, last_edge;
  guint64 bins[SYM_RECORD_N_BINS];
  SymDatum *datum;  /* NULL: not kept */
  guint64 n_budget; /* what it takes of the bytes to keep */
} SymRecordEntry;

struct _SymRecord {
  gatomicrefcount ref_count;
  SymModel *model;
  SymInference *types; /* NULL: as declared */
  gboolean makes_weights, is_exact;
  guint n_threads;
  guint64 seed;
  GArray *feeds;        /* of SymFeed, referenced */
  GPtrArray *entries;   /* of SymRecordEntry, by value; NULL where it was not computed */
  double *milliseconds; /* by call */
  guint8 *planned;      /* by call: whether it was computed while planning */
  GHashTable *failures; /* call + 1 -> why */
  SymId first_failure, first_bad;
  double total;
  SymRecordCounts counts;
  SymRecordPlanning planning;
  GHashTable *bodies; /* path -> SymRecord of the last time that the body ran */
  guint n_turns;
  gboolean is_body; /* such a record itself: nothing can be computed again */
};

/* One without entries. */
SymRecord *sym_record_create (SymModel *model,
                              const SymFeed *feeds,
                              guint n_feeds,
                              const SymRecordOptions *options);

/* What is known of @datum, which is not kept.  Fails when it was cancelled. */
SymRecordEntry *
sym_record_entry_new (const SymDatum *datum, GCancellable *cancellable, GError **error);
void sym_record_entry_free (gpointer entry);

/* An operand of @call that is not there as its own layer did not run; SYM_NO_ID for none. */
SymId sym_record_find_missing (const SymRecord *self, SymId call);

/* What stands for a call among the failures. */
gpointer sym_record_get_key (SymId call);

G_END_DECLS
