/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A part of a model between chosen inputs and outputs (PyTorch Symbolic P50-P56; MXNet's
 * get_internals()[name]).  With no inputs given, the model's own are used as far as they are
 * needed. */
typedef struct _SymSelection SymSelection;

/* Computes what the cut keeps: used values are (ancestors of outputs) within (descendants of
 * inputs). Calls without data inputs count as inside.  Errors: SYM_ERROR_FOREIGN_PARENT naming the
 * node that needs a value from outside and that value, SYM_ERROR_CYCLE, SYM_ERROR_ARGUMENT for no
 * outputs or an output out of reach.  @foreign, when not NULL, receives the foreign parents as
 * SymIds, so that they can be offered as inputs.  Linear in the size of the model. */
SymSelection *sym_selection_new (SymModel *model,
                                 const SymId *inputs,
                                 guint n_inputs,
                                 const SymId *outputs,
                                 guint n_outputs,
                                 GArray *foreign,
                                 GError **error);

/* What is near any of @values, to be looked at: all calls that a path of at most @hops layers joins
 * with one of them, up or down, with their operands and results. */
SymSelection *
sym_selection_new_around (SymModel *model, const SymId *values, guint n_values, guint hops);

void sym_selection_free (SymSelection *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymSelection, sym_selection_free)

gboolean sym_selection_has_value (const SymSelection *self, SymId value);
gboolean sym_selection_has_call (const SymSelection *self, SymId call);
guint sym_selection_get_n_values (const SymSelection *self); /* data roles only */
guint sym_selection_get_n_calls (const SymSelection *self);
SymIds sym_selection_get_inputs (const SymSelection *self);
SymIds sym_selection_get_outputs (const SymSelection *self);

/* The selected part as a model of its own, in the same order, with new ids.  A chosen inner value
 * becomes an input of its inferred type.  What @inference knows of other values only because of
 * parts that are cut away is declared: of inputs and parameters where that is enough, else of inner
 * values too.  @inference may be NULL: then everything declares what it did. */
SymModel *sym_selection_extract (const SymSelection *self, const SymInference *inference);

/* The value that text names: exact value name; layer name if it has one output; variable; `#N`, the
 * N-th row of the summary (from 1).  SYM_ERROR_NOT_FOUND suggests the nearest name;
 * SYM_ERROR_AMBIGUOUS says how to tell the candidates apart. */
gboolean sym_model_resolve (const SymModel *self, const char *text, SymId *value, GError **error);

/* A name of the value that no other row of the summary has: its own, or its own with ~2, ~3.  */
const char *sym_model_get_unique_name (const SymModel *self, SymId value);

G_END_DECLS
