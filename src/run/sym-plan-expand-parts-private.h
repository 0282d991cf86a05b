/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-edit.h"
#include "core/sym-infer.h"

G_BEGIN_DECLS

/* One round of expanding: @edit is of @model, for which @inference was made.  What is inserted is
 * part of a call of the model that is planned, one of the first @n_shown, which @origins tells of
 * each further call. */
typedef struct {
  const SymInference *inference;
  SymModel *model;
  SymEdit *edit;   /* NULL while there is nothing to change */
  GArray *origins; /* of SymId */
  guint n_shown;
  SymLayer *constant, *identity, *several; /* what is common to all */
  GHashTable *items;  /* of each sequence whose length is known its items: from value + 1 to a
                       * GArray of SymId */
  gboolean keeps_all; /* results, whether anything needs them or not */
} SymExpand;

SymEdit *sym_expand_need_edit (SymExpand *self);

/* Inserts a call that is part of @call. */
SymId sym_expand_insert (SymExpand *self,
                         SymId call,
                         SymLayer *layer,
                         const SymId *operands,
                         guint n,
                         guint n_results);

/* The result of one that is a constant. */
SymId sym_expand_insert_constant (SymExpand *self, SymId call, SymTensor *tensor);

/* The same of one integer or bool, and of a list of integers. */
SymId sym_expand_insert_scalar (SymExpand *self, SymId call, SymDType dtype, gint64 number);
SymId sym_expand_insert_ints (SymExpand *self, SymId call, const gint64 *numbers, guint n);

/* The result of one of an operator of ONNX; @attributes may be NULL, and is taken. */
SymId sym_expand_insert_op (SymExpand *self,
                            SymId call,
                            const char *type,
                            SymAttributes *take_attributes,
                            const SymId *operands,
                            guint n);

/* What @n values become side by side, along @axis or, where that @is_new, with such an axis each.
 */
SymId sym_expand_insert_join (SymExpand *self,
                              SymId call,
                              const SymId *values,
                              guint n,
                              gint64 axis,
                              gboolean is_new);

/* Makes the call one of @values, which its results are: of the first one at least, and of those
 * that something needs. */
void sym_expand_pass_on (SymExpand *self, SymId call, const SymId *values);

/* FALSE for what has bodies of its own, or must wait for others: it stays where it is. */
gboolean sym_expand_is_plain (const SymModel *body);

/* Whether the value hangs on shapes and constants alone, and not on what a run may be fed. */
gboolean sym_expand_is_settled (const SymExpand *self, SymId value);

/* What the operator of a call is called, of ONNX or of our own; NULL for any other. */
const char *sym_expand_get_name (const SymExpand *self, SymId call);

/* sym-plan-expand-loops.c: puts the body of a Loop in place of it as often as it runs, if that is
 * known before any run and not too often.  FALSE for any other call. */
gboolean sym_expand_loop (SymExpand *self, SymId call);

/* sym-plan-expand-sequences.c: takes from a sequence whose length is known what a call asks for.
 * Calls come in order of execution.  FALSE when the call stays as it is. */
gboolean sym_expand_sequence (SymExpand *self, SymId call);
GHashTable *sym_expand_items_new (void);

G_END_DECLS
