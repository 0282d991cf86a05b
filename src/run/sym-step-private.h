/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-plan-graph-private.h"

G_BEGIN_DECLS

typedef struct _SymStep SymStep;

/* What a step finds while it runs. */
typedef struct {
  float *const *places; /* of each tensor of the graph where its numbers are */
  void *scratch;        /* this thread's, as large as the step asked for, aligned to 64 bytes */
  gpointer state;       /* this run's, when the class makes any */
} SymStepRun;

/* How a kind of step is run.  A class may leave out what it does not need, but for `run` and
 * `free`. */
typedef struct {
  /* Slices are independent of each other, and run in any order, perhaps at once.  FALSE with @error
   * ends the run. */
  gboolean (*run) (const SymStep *self, const SymStepRun *run, guint slice, GError **error);
  void (*free) (SymStep *self);

  gpointer (*new_state) (const SymStep *self, GError **error);
  void (*free_state) (gpointer state);
} SymStepClass;

/* One step of a compiled region.  Kinds of steps begin with this.  Immutable, for any number of
 * runs at a time. */
struct _SymStep {
  const SymStepClass *class;
  guint n_slices;  /* at least 1 */
  gsize n_scratch; /* bytes to work in, for each thread */
  gsize n_bytes;   /* of numbers that it holds */
};

/* Slice @slice of @n_slices of @n pieces of work: from *@first to before *@end. */
void sym_step_get_slice (guint slice, guint n_slices, gsize n, gsize *first, gsize *end);

G_END_DECLS
