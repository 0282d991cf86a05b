/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-shape.h"

G_BEGIN_DECLS

/* The dimensions of one model that are not plain numbers.  A term is a variable, unknown or named
 * ("batch"), or a linear form `c + k1*v1 + k2*v2 ...` of variables.  Unifying two dimensions makes
 * them equal from then on, wherever they occur (union-find), so ties between shapes are known
 * before their numbers are.  A SymTerms grows and is not locked: one thread at a time.
 *
 * Functions that combine dimensions give SYM_DIM_UNKNOWN when one of them is that, and an unknown
 * where the result is no linear form or would overflow: the same one for the same operands, so that
 * a rule that runs again learns nothing new. */
typedef struct _SymTerms SymTerms;

SymTerms *sym_terms_new (void);
SymTerms *sym_terms_copy (const SymTerms *self);
void sym_terms_free (SymTerms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymTerms, sym_terms_free)

/* A new unknown, equal to nothing yet. */
SymDim sym_terms_new_unknown (SymTerms *self);

/* The variable called @name: the same one each time. */
SymDim sym_terms_get_named (SymTerms *self, const char *name);

/* A dimension from text: "7", "batch", "2*seq+1", "?" for a new unknown.  FALSE when malformed. */
gboolean sym_terms_parse (SymTerms *self, const char *text, SymDim *dim);

/* Whether @dim is one: a number, SYM_DIM_UNKNOWN or a term of this table. */
gboolean sym_terms_has (const SymTerms *self, SymDim dim);

/* Whether all sizes of a type are, those of a tuple's elements included.  @what, "the type of x",
 * is what the message calls it.  SYM_ERROR_ARGUMENT. */
gboolean
sym_terms_check_type (const SymTerms *self, const SymType *type, const char *what, GError **error);

/* The dimension in its simplest form now: a number wherever it has become one. */
SymDim sym_terms_resolve (const SymTerms *self, SymDim dim);
SymShape sym_terms_resolve_shape (const SymTerms *self, const SymShape *shape);

/* Makes @a and @b equal.  FALSE, changing nothing, when they contradict each other.  Two forms
 * whose equality decides no variable yet (2a = 3b) count as possible. */
gboolean sym_terms_unify (SymTerms *self, SymDim a, SymDim b);

SymDim sym_terms_add (SymTerms *self, SymDim a, SymDim b);
SymDim sym_terms_subtract (SymTerms *self, SymDim a, SymDim b);
SymDim sym_terms_multiply (SymTerms *self, SymDim a, SymDim b);

/* floor (a / b) and ceil (a / b) for b > 0; linear when every part divides. */
SymDim sym_terms_floor_divide (SymTerms *self, SymDim a, gint64 b);
SymDim sym_terms_ceil_divide (SymTerms *self, SymDim a, gint64 b);

/* a / b when it is sure to leave no remainder: 6*n / 2*n is 3.  FALSE when that cannot be told. */
gboolean sym_terms_divide_exactly (SymTerms *self, SymDim a, SymDim b, SymDim *quotient);

/* The product of @n dimensions; 1 for none. */
SymDim sym_terms_product (SymTerms *self, const SymDim *dims, int n);

/* The dimension called @name may be any size, as a file says of it: it is no number, and no other
 * dimension, so that unifying it with one fails.  sym_terms_let_be() ends that for all of them, as
 * where sizes are given. */
void sym_terms_keep_any (SymTerms *self, const char *name);
void sym_terms_let_be (SymTerms *self);

/* A count that grows with each unification that changed something. */
guint64 sym_terms_get_generation (const SymTerms *self);

/* The number of terms so far. */
guint sym_terms_get_size (const SymTerms *self);

/* "7", "batch", "2*seq+1"; NULL for an unknown without a name, and for a form that holds one. */
char *sym_terms_format (const SymTerms *self, SymDim dim);

/* The same at the end of @out; FALSE, appending nothing, where that is NULL. */
gboolean sym_terms_append (const SymTerms *self, SymDim dim, GString *out);

/* The dimension as a form over variables, to be rebuilt in another SymTerms: *@constant, and for
 * each variable its term (as a SymDim) and coefficient.  Returns the number of variables; fills at
 * most
 * @max of them. */
guint sym_terms_get_form (const SymTerms *self,
                          SymDim dim,
                          gint64 *constant,
                          SymDim *variables,
                          gint64 *coefficients,
                          guint max);

/* The same dimension in the terms of @to: names are kept; unknowns become unknowns of @to, the same
 * one each time through @map, made with g_hash_table_new (NULL, NULL) for one pair of tables. */
SymDim sym_terms_translate (const SymTerms *self, SymDim dim, SymTerms *to, GHashTable *map);
SymShape sym_terms_translate_shape (const SymTerms *self,
                                    const SymShape *shape,
                                    SymTerms *to,
                                    GHashTable *map);

G_END_DECLS
