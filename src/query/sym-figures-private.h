/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-figures.h"

G_BEGIN_DECLS

/* What is found out of one model, and of the bodies in it. */
typedef struct {
  SymCount multiply_adds;
  SymCount peak_bytes; /* of a body without its inputs, which are around it as well */
} SymMeasure;

/* ---- sym-figures-walk.c ---- */

/* Measures models and the bodies of their layers: each body once for its types. */
typedef struct {
  GHashTable *bodies; /* SymInference, borrowed, to SymMeasure */
  GHashTable *kinds;  /* of layers that were lowered; NULL before the first */
  guint n_calls;      /* of bodies, so far */
  guint level;
  GCancellable *cancellable;
} SymFigureWalk;

/* @counts may be NULL; else it gets the multiply-adds of each call by id.  Comes back early when it
 * was cancelled. */
SymMeasure sym_figures_measure (SymFigureWalk *self,
                                const SymInference *inference,
                                gboolean with_inputs,
                                SymCount *counts);

/* Deeper bodies, and more calls in bodies than a file can be meant to have, stay uncounted: a small
 * file can nest models so that there are more of them than atoms. */
gboolean sym_figures_may_enter (const SymFigureWalk *self);

/* A body of the layer at hand. */
SymMeasure sym_figures_measure_inner (SymFigureWalk *self, const SymInference *inference);

/* ---- sym-figures-lowered.c ---- */

typedef struct {
  SymType *inputs, *outputs;
  guint n_inputs, n_outputs;
} SymFigureTypes;

/* The multiply-adds of a layer of the types @types, whose operator is known by what it is made of.
 */
SymCount sym_figures_count_lowered (SymFigureWalk *self,
                                    const SymInference *around,
                                    SymId call,
                                    SymFigureTypes *types);

/* ---- sym-figures-call.c ---- */

/* One call; of its bodies the most that one of them has at a time. */
SymMeasure
sym_figures_measure_call (SymFigureWalk *self, const SymInference *inference, SymId call);

G_END_DECLS
