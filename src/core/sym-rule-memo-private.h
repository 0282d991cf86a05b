/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-rule-private.h"
#include "core/sym-terms-private.h"

G_BEGIN_DECLS

/* The facts of a layer: its operands, then its results. */
static inline guint
sym_rule_get_n_facts (const SymRule *self)
{
  return self->n_inputs + self->n_outputs;
}

static inline SymFact *
sym_rule_peek_fact (const SymRule *self, guint i)
{
  return i < self->n_inputs ? self->inputs[i] : self->outputs[i - self->n_inputs];
}

/* What a kind has for an operand that is absent, as no fact has it: rules ask for more than they do
 * of one of which nothing is known. */
static inline SymType
sym_rule_memo_get_absent (void)
{
  return (SymType){ .kind = SYM_KIND_OPAQUE, .shape.rank = -1 };
}

/* What stands for the variable at @i in a kind: no size and no term is that.  One with a name gives
 * way to others in fewer cases. */
static inline SymDim
sym_rule_memo_get_place (guint i, gboolean has_name)
{
  return -2 - 2 * (SymDim) i - has_name;
}

static inline gboolean
sym_rule_memo_is_place (SymDim dim)
{
  return dim < 0 && dim > SYM_TERMS_FIRST;
}

static inline guint
sym_rule_memo_find_place (SymDim place)
{
  return (guint) ((-2 - place) / 2);
}

static inline gboolean
sym_rule_memo_has_dim (const SymDim *dims, guint n, SymDim dim)
{
  for (guint i = 0; i < n; i++)
    if (dims[i] == dim)
      return TRUE;
  return FALSE;
}

/* What is not known of a type is part of a kind, too.  Adds to @memo, which may be NULL, what is
 * tied.  FALSE where it is no tensor's, or, unless the operator @is_dear, more is known than it. */
gboolean sym_rule_memo_read_type (const SymTerms *terms,
                                  const SymFact *fact,
                                  gboolean is_dear,
                                  SymRuleMemo *memo,
                                  SymType *type);

/* What is known beside the types, borrowed: a fact that knows something keeps it.  FALSE where
 * there is what is not kept. */
gboolean sym_rule_memo_read_values (const SymRule *self, SymRuleValues *values, gboolean *has_some);

/* All that @memo is to have of the facts before the rule runs. */
gboolean sym_rule_memo_read (const SymRule *self, SymRuleMemo *memo);

G_END_DECLS
