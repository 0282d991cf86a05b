/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-region-private.h"

G_BEGIN_DECLS

/* What a region is made of, for those who make it and run it. */

/* A value of the model, and the steps that are done for its sake: from @first to before @end; of
 * their time it has @share. */
typedef struct {
  SymId value;
  guint first, end;
  double share;
} SymRegionMade;

/* A tensor that is watched, and how many steps have been done when it is there. */
typedef struct {
  guint after, tensor;
} SymRegionShown;

struct _SymRegion {
  SymPlanGraph *graph;      /* its tensors and blocks; the operations are gone */
  GPtrArray *steps;         /* of SymStep */
  SymMemoryPool *pool;      /* of their weights */
  GArray *inputs, *outputs; /* of SymId */
  GArray *froms, *tos;      /* of guint: their tensors */
  GPtrArray *kept;          /* of SymDatum: constants whose numbers are read */
  GArray *made;             /* of SymRegionMade */
  GArray *shown;            /* of SymRegionShown, in order */
  gsize scratch;            /* bytes, for each thread */
  guint n_threads;
  guint64 n_weight_bytes;
};

/* Bytes for each thread to work in, in whole cache lines. */
gsize sym_region_get_scratch (const SymRegion *self);

G_END_DECLS
