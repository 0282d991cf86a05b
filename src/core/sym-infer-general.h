/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A dimension of another table of terms, and the numbers that stood for it. */
typedef struct {
  SymDim dim;
  gint64 one, other;
} SymStandIn;

/* What holds of @model for any sizes, from what holds for two: @one and @other are of models made
 * alike, with other numbers in the place of sizes that nobody knows.  A size that is the same in
 * both stays, one that is a stand-in in both is the dimension of @terms it stood for, and any other
 * is unknown.  The problems are those of @one.  NULL where the three models are not alike, so that
 * nothing can be told. */
SymInference *sym_inference_generalize (SymModel *model,
                                        const SymInference *one,
                                        const SymInference *other,
                                        const SymTerms *terms,
                                        const SymStandIn *stand_ins,
                                        guint n_stand_ins);

G_END_DECLS
