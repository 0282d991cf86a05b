/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-operator.h"
#include "core/sym-problem.h"

G_BEGIN_DECLS

/* All operators whose meaning is known.  Static, readable from any thread; the index over a domain
 * is made once, at the first question. */

/* The operator called @name (or having that alias) in @domain: the newest one that is not newer
 * than
 * @version, or simply the newest when @version is 0.  NULL for none. */
const SymOperator *sym_op_find (const char *domain, const char *name, int version);

/* The domain of what came into ONNX after operator set 17, as layers of that set, by the names that
 * they have now. */
#define SYM_OP_ONNX_OLDER "onnx-older"

/* All operators, sorted by domain, name and version. */
guint sym_op_get_n (void);
const SymOperator *sym_op_get (guint i);

/* The literals that a file has for attributes, typed: "(3, 3)", "True", "1e-05", "None", "relu".  A
 * file has few different ones: each is typed once.  One thread at a time. */
typedef struct _SymOpLiterals SymOpLiterals;

SymOpLiterals *sym_op_literals_new (void);
void sym_op_literals_free (SymOpLiterals *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOpLiterals, sym_op_literals_free)

/* Sets an attribute of @op, with its literal.  One that @op does not know, or an @op that is NULL,
 * is typed by the look of the literal, else a string.  A literal that does not fit its attribute
 * stays a string and becomes a warning in @problems (may be NULL) at @line and @call.  Neither text
 * needs a NUL at its end. */
void sym_op_literals_set (SymOpLiterals *self,
                          const SymOperator *op,
                          const char *name,
                          gsize name_length,
                          const char *literal,
                          gsize literal_length,
                          SymAttributes *attributes,
                          SymProblems *problems,
                          guint line,
                          SymId call);

/* Warns in @problems of attributes of @op that must be given and are not. */
void sym_op_check_attributes (const SymOperator *op,
                              const SymAttributes *attributes,
                              SymProblems *problems,
                              guint line,
                              SymId call);

/* One literal typed as @kind; NULL when it does not fit. */
SymValue *sym_op_type_literal (SymAttributeKind kind, const char *literal);

/* @attributes and after them the defaults of those that @op knows and @attributes has not. */
SymAttributes *sym_op_complete_attributes (const SymOperator *op, const SymAttributes *attributes);

/* The spec of an attribute, NULL for none; the spec of operand @i, which for an operator of any
 * number of operands is the last one again; NULL beyond. */
const SymAttributeSpec *sym_op_find_attribute (const SymOperator *op, const char *name);
const SymSlotSpec *sym_op_get_slot (const SymOperator *op, guint i);

/* The spec of one that layers of a dialect have alike, though no rule asks for it: Keras'
 * "kernel_regularizer", TensorFlow's "T".  For people: nothing is typed or checked by it.  NULL for
 * none. */
const SymAttributeSpec *sym_op_find_dialect_attribute (const char *domain, const char *name);

/* Whether a layer is given attribute @name, if by the name that it had in an older version of its
 * dialect: Keras 1's nb_filter is filters.  Without @attributes (NULL) it is not. */
gboolean
sym_op_is_given (const SymOperator *self, const SymAttributes *attributes, const char *name);

/* How many operands (-1: any number) and outputs @op has with @attributes, and how many outputs its
 * dialect shows. */
int sym_op_get_n_operands (const SymOperator *op, const SymAttributes *attributes);
int sym_op_get_n_outputs (const SymOperator *op, const SymAttributes *attributes, int *n_visible);

/* Whether operand @i is looked at when a layer of @op, which may be NULL, runs. */
gboolean sym_op_needs_operand (const SymOperator *op, guint i);

/* "output", or "output2" of several, or the name that the operator has for it.  Free it. */
char *sym_op_format_output_name (const SymOperator *op, guint i, guint n_outputs);
void sym_op_append_output_name (const SymOperator *op, guint i, guint n_outputs, GString *out);

G_END_DECLS
