/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-summary.h"

G_BEGIN_DECLS

/* A number of things, or as many as are known of. */
typedef struct {
  guint64 n;
  gboolean known; /* FALSE: @n is a lower bound, 0 where nothing is known */
} SymCount;

/* What a model takes to run once, for the shapes of an inference.  Immutable; reference-counted;
 * readable from any thread; holds a reference to its inference.
 *
 * - Multiply-adds: by the conventions of ops/sym-op-cost.h.  A nested model takes what its body
 * takes, a Scan that for each step; of branches that take different numbers the smaller is a lower
 * bound, as are loops of which only a run can tell how long they go on.
 * - Bytes go by the dtype that a value has; of MXNet's files, which seldom tell, by float32.
 * - Activation bytes: what the values of data roles take, packed, each by itself: what a run might
 *   share between a value and a reshaped view of it, or write over, is not taken off.
 * - Peak activation bytes: the most that is there at a time when calls run in the model's order of
 *   execution, an input from the start to its last use, a result from its call to its last use, an
 *   output to the end.  Within a call with a body there is also what the body has at a time.
 *   Parameters and constants do not count.  Where the size of an input is not
 *   known, nor that of at least half of the results, neither is this: what the others take is no
 *   bound that tells anything.
 *
 * Where nobody tells how many samples there are, which is a size of an input's first axis, all of
 * it is for one, and that is told. */
typedef struct _SymFigures SymFigures;

typedef struct {
  SymCount multiply_adds;
  SymCount input_bytes;      /* of the model's inputs */
  SymCount activation_bytes; /* of inputs and of all results, bodies left out */
  SymCount peak_bytes;
  SymCount parameter_bytes; /* each parameter once, bodies included, as sym_summary_get_totals() */
  const char
      *taken; /* what was taken for 1: "batch", "axis 0 of “x”"; NULL for nothing; borrowed */
} SymFigureTotals;

/* Linear in the calls, those of bodies included.  NULL only when @cancellable, which may be NULL,
 * was cancelled. */
SymFigures *sym_figures_new (SymInference *inference, GCancellable *cancellable, GError **error);
SymFigures *sym_figures_ref (SymFigures *self);
void sym_figures_unref (SymFigures *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymFigures, sym_figures_unref)

SymInference *sym_figures_get_inference (const SymFigures *self);
SymCount sym_figures_get_multiply_adds (const SymFigures *self, SymId call);
SymCount sym_figures_get_bytes (const SymFigures *self, SymId value);
SymFigureTotals sym_figures_get_totals (const SymFigures *self);

/* The bytes of one value by its type alone; without figures, as it takes no time. */
SymCount sym_figures_count_bytes (const SymInference *inference, SymId value);

/* ---- As text ---- */

/* "78500", ">=78500" for a lower bound, "?" when nothing is known. */
char *sym_count_to_string (SymCount self);

/* For people: "4.09 G", "118.01 M", "12 k", "576"; bytes "97.5 MiB", "4 KiB", "12 B". */
char *sym_count_to_short_string (SymCount self);
char *sym_count_to_bytes_string (SymCount self);

/* @self += @other: known when both are. */
void sym_count_add (SymCount *self, SymCount other);

G_END_DECLS
