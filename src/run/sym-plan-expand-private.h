/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A model in which calls that are said in other operators are those, so that compiling sees them.
 * Its values and calls are those of the model that it was made from, and more behind them; a call
 * that was expanded is the one of its body that makes its result. */
typedef struct {
  SymModel *model; /* NULL where there was nothing to expand */
  SymInference *inference;
  GArray *origins;     /* of SymId: of each further call the one that it is part of */
  gboolean is_settled; /* branches, loops or sequences are as the types have them, for no others */
} SymExpansion;

/* Expands what can be for the types of @inference, and where it @widens says in float32 what is
 * told in fewer bits.  Results that nothing needs are made where it @keeps_all.  FALSE when
 * @cancellable was cancelled. */
gboolean sym_plan_expand (SymModel *model,
                          const SymInference *inference,
                          gboolean widens,
                          gboolean keeps_all,
                          SymExpansion *expansion,
                          GCancellable *cancellable,
                          GError **error);

/* sym-plan-widen.c: @model with calls on halves and quantised numbers said in float32; NULL where
 * there are none.  @n_shown are the calls of the model that is planned, @origins those of all
 * others. */
SymModel *
sym_plan_widen (SymModel *model, const SymInference *inference, guint n_shown, GArray *origins);

void sym_expansion_clear (SymExpansion *self);

G_END_DECLS
