/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

#define SYM_MAX_KNOWN_VALUES 64

/* The elements of a small integer tensor, each a number or a term; or, where one of them is
 * negative, all of them plain integers. */
typedef struct {
  int n;
  gboolean plain;
  SymDim values[SYM_MAX_KNOWN_VALUES];
} SymKnown;

/* The elements of a small tensor of floats: scales of axes. */
#define SYM_MAX_KNOWN_FLOATS 16

typedef struct {
  int n;
  double values[SYM_MAX_KNOWN_FLOATS];
} SymKnownFloats;

/* What is known of one value while inference runs.  Dimensions are numbers or terms, never
 * SYM_DIM_UNKNOWN.  Room for more of them than most values have comes last: the rest lies together.
 */
typedef struct {
  SymKnown *known; /* owned; NULL when not known */
  SymKnown *table; /* owned; the integers of a constant of two axes, row by row; NULL for none */
  SymKnownFloats *floats; /* owned; NULL when not known */
  gboolean changed;       /* set by rules, cleared by whoever runs them */
  SymType type;
} SymFact;

void sym_fact_clear (SymFact *self);

/* Starts a fact from a declared type: unknown dimensions get terms of their own. */
void sym_fact_init (SymFact *self, SymTerms *terms, const SymType *type);

/* The same without a declared type.  Room for sizes that there are none of stays as it is: of a
 * large graph it is a quarter of all memory. */
static inline void
sym_fact_init_unknown (SymFact *self)
{
  self->type.kind = SYM_KIND_UNKNOWN;
  self->type.dtype = SYM_DTYPE_UNKNOWN;
  self->type.shape.rank = -1;
  self->type.name = NULL;
  self->type.elements = NULL;
  self->type.n_elements = 0;
  self->known = NULL;
  self->table = NULL;
  self->floats = NULL;
  self->changed = FALSE;
}

/* What bodies within bodies may still cost: one that is called twice within one that is called
 * twice is another one at each of these calls, which are as many as a file of that depth likes.  Up
 * to what any graph needs it is free, and then as much as the models that there are justify. */
typedef struct {
  SymModel *model; /* the outermost, borrowed */
  guint64 left;    /* values and calls */
  gboolean is_counted, is_spent;
} SymInferRoom;

/* Kinds of layers that were met last, each in the place of its operator. */
#define SYM_RULE_LATEST 64

/* What was found of layers, all NULL at first: see sym_rule_recall(). */
typedef struct {
  GHashTable *kinds;
  GHashTable *dear; /* operators */
  gconstpointer latest[SYM_RULE_LATEST];
} SymRuleMemory;

struct _SymRule {
  SymTerms *terms;
  const SymAttributes *attributes;
  const SymValue *arguments; /* of a host function; NULL for none */
  SymFact **inputs;          /* NULL for an operand that is absent */
  SymFact **outputs;
  guint n_inputs, n_outputs;
  GPtrArray *arena;  /* owns the elements of tuples; lives as long as the facts */
  guint first_fresh; /* terms from here on were made by this run */
  gboolean terms_changed;
  const SymLayer *layer; /* whose rule it is */
  guint depth;           /* number of bodies around */
  GPtrArray **bodies;    /* where inferences of bodies are and go; NULL for nowhere */
  SymInferRoom *room;    /* NULL for a new one, of the body that is inferred */
  gboolean shapes_only;  /* operands of the body are known by their shapes alone */
  SymRuleMemory *memory; /* where what was found of layers is and goes; NULL for nowhere */
  gboolean has_parts;    /* it was found by sym_rule_infer_parts() */
  gboolean is_final;     /* run again with facts as they are now, it would find nothing more */
  gboolean is_decided;   /* of all facts the type is known, with sizes that are numbers */
};

/* The facts that rules ask for by their index; NULL beyond, and for what is absent. */
static inline SymFact *
sym_rule_peek_input (SymRule *self, guint i)
{
  return i < self->n_inputs ? self->inputs[i] : NULL;
}

static inline SymFact *
sym_rule_peek_output (SymRule *self, guint i)
{
  return i < self->n_outputs ? self->outputs[i] : NULL;
}

/* The shape of a fact as it is resolved now.  Sizes beyond its rank may be anything; without a rank
 * none is known. */
static inline SymShape
sym_rule_look_at (SymRule *self, const SymFact *fact)
{
  if (fact == NULL || fact->type.shape.rank < 0)
    {
      SymShape unknown = sym_shape_new_unknown (SYM_MAX_RANK);

      unknown.rank = -1;
      return unknown;
    }
  return sym_terms_resolve_shape (self->terms, &fact->type.shape);
}

/* Tells the rule that a fact is of @type, or learns where it contradicts: the one way of setting.
 */
gboolean sym_rule_unify_type (SymRule *self, SymFact *fact, const SymType *type, GError **error);

/* Runs the rule of a layer once, whichever way it has to run: operator, host function, body.  An
 * opaque layer tells nothing.  *@bodies, when @bodies is not NULL, is an array of the inferences of
 * bodies that an earlier run has left there, or NULL, and gets those of this one.  @depth counts
 * the bodies around.  FALSE with SYM_ERROR_SHAPE for a contradiction. */
gboolean sym_rule_run (SymRule *self,
                       const SymLayer *layer,
                       guint depth,
                       GPtrArray **bodies,
                       GError **error);

/* The same of a layer that is part of another one, for whose call @self was begun. */
gboolean sym_rule_run_part (SymRule *self, const SymLayer *layer, guint depth, GError **error);

/* What is known of a value beside its type; NULL for nothing.  Of integers only those that are no
 * terms: FALSE where there is something else. */
typedef struct {
  SymKnown *known;
  SymKnownFloats *floats;
} SymRuleValues;

gboolean sym_rule_values_read (const SymFact *fact, SymRuleValues *borrowed);
gboolean sym_rule_values_equal (const SymRuleValues *a, const SymRuleValues *b);
guint sym_rule_values_hash (const SymRuleValues *self);
SymRuleValues sym_rule_values_copy (const SymRuleValues *self);
void sym_rule_values_clear (SymRuleValues *self);

/* Gives copies to a fact of which they are not known yet. */
void sym_rule_values_tell (const SymRuleValues *self, SymFact *fact);

/* Large graphs have thousands of layers that are alike.  What a rule found out of one whose
 * operands and results are known by their types only, the elements of none, holds for all that have
 * the same operator, attributes and types, but for other variables: so it is kept while inference
 * runs.  Where elements are known, or variables have forms made of them, these must be the same,
 * which fewer layers have: that pays for operators whose rule is a body, @dear. */
#define SYM_RULE_MEMO_FACTS 16

typedef struct {
  gboolean is_kind;     /* it is one that can be kept */
  gboolean is_dear;     /* with forms and elements as well */
  gboolean has_terms;   /* some sizes are no numbers */
  gboolean has_values;  /* something is known of @values */
  SymDim variables[16]; /* those that have a place */
  guint n_variables;
  SymDim tied[16]; /* those that forms and products are made of */
  guint n_tied;
  guint64 generation;
  gpointer kept; /* what sym_rule_keep() keeps; NULL for nothing */
  SymType before[SYM_RULE_MEMO_FACTS];
  SymRuleValues values[SYM_RULE_MEMO_FACTS]; /* of a dear one, borrowed */
} SymRuleMemo;

/* TRUE when such a layer was there, and what was found is told, a contradiction by setting @error.
 * Otherwise the rule is to run, and @memo is for one of the other two.  All set @is_final where
 * they know. */
gboolean sym_rule_recall (SymRule *self, const SymLayer *layer, SymRuleMemo *memo, GError **error);
void sym_rule_keep (SymRule *self, const SymLayer *layer, SymRuleMemo *memo);
void sym_rule_keep_error (SymRule *self,
                          const SymLayer *layer,
                          const SymRuleMemo *memo,
                          const GError *error);

/* What is kept in @memo is final: the rule was run again, and found no more. */
void sym_rule_keep_final (SymRuleMemo *memo);
void sym_rule_memory_clear (SymRuleMemory *self);

/* Inference of a body whose inputs and outputs are of these types, which come back as they then
 * are. An earlier one is used again where nothing else is asked, and replaced otherwise. */
gboolean sym_infer_types (SymModel *body, SymRule *rule, SymBodyTypes *types, GError **error);

/* The same for operands that are known as @rule knows them, the results told back. */
gboolean sym_infer_body (SymModel *body, SymRule *rule, GError **error);

G_END_DECLS
