/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-compare.h"

G_BEGIN_DECLS

/* Constants of at most so many bytes, such as axes and sizes, are part of what a layer is. */
#define SYM_COMPARE_SMALL_BYTES 256

/* One of the two models, and for each of its calls the one of the other model that it is. */
typedef struct {
  SymInference *inference;
  SymModel *model;
  SymIds order; /* of execution */
  guint n_calls;
  GHashTable *bodies; /* of SymModel: what they are, by a guint64; borrowed */
  guint64 *own;    /* by call: what the layer is, its attributes, its bodies, and the shapes of its
                      weights */
  SymId *partners; /* by call; SYM_NO_ID for none */
} SymCompareSide;

void sym_compare_side_init (SymCompareSide *self, SymInference *inference, GHashTable *bodies);
void sym_compare_side_clear (SymCompareSide *self);

/* Whether attribute @i says no more than its operator means without it. */
gboolean sym_compare_is_default (const SymLayer *layer, const SymAttributes *attributes, guint i);

/* What a body is, by what it declares: the same for those that are alike. */
guint64 sym_compare_hash_body (SymModel *body, GHashTable *bodies);

/* Sets @partners of both. */
gboolean sym_compare_match (SymCompareSide *before,
                            SymCompareSide *after,
                            GCancellable *cancellable,
                            GError **error);

G_END_DECLS
