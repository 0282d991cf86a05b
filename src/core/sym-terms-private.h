/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-form.h"
#include "core/sym-terms.h"

G_BEGIN_DECLS

/* The form of @dim, which is resolved and not SYM_DIM_UNKNOWN. */
SymForm sym_terms_peek_form (const SymTerms *self, SymDim dim);

/* The dimension that a form stands for: a number, a variable, or the one term for equal forms. */
SymDim sym_terms_intern (SymTerms *self, const SymForm *form);

/* The unknown that answers a question about resolved dimensions which has no linear answer: the
 * same one each time, so that a rule that runs again learns nothing new. */
SymDim sym_terms_answer (SymTerms *self, char operation, SymDim a, SymDim b);

/* The factors of an unknown that answers '*'.  FALSE for anything else. */
gboolean sym_terms_get_factors (const SymTerms *self, SymDim dim, SymDim *a, SymDim *b);

/* The dimension of a variable, by its number in a form, and its name; NULL for none. */
SymDim sym_terms_get_variable (const SymTerms *self, guint32 variable);
const char *sym_terms_get_variable_name (const SymTerms *self, guint32 variable);

G_END_DECLS
