/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-memo-private.h"

static gboolean
is_term (SymDim dim)
{
  return dim <= SYM_TERMS_FIRST;
}

static gboolean
add_dim (SymDim *dims, guint *n, guint most, SymDim dim)
{
  for (guint i = 0; i < *n; i++)
    if (dims[i] == dim)
      return TRUE;
  if (*n == most)
    return FALSE;
  dims[(*n)++] = dim;
  return TRUE;
}

/* What a form or a product is made of is tied to it: those variables are themselves in a kind, and
 * so is what they make.  FALSE where they are too many. */
static gboolean
tie (const SymTerms *terms, SymRuleMemo *memo, SymDim dim)
{
  const SymTerm *term;
  SymDim factors[2];
  SymForm form;

  if (!is_term (dim))
    return TRUE;
  term = sym_terms_get_term (terms, sym_terms_to_number (dim));
  if (term->form == NULL)
    {
      guint n = memo->n_tied;

      if (!add_dim (memo->tied, &memo->n_tied, G_N_ELEMENTS (memo->tied), dim))
        return FALSE;
      return memo->n_tied == n || !sym_terms_get_factors (terms, dim, &factors[0], &factors[1]) ||
             (tie (terms, memo, sym_terms_look_up (terms, factors[0])) &&
              tie (terms, memo, sym_terms_look_up (terms, factors[1])));
    }
  form = *term->form;
  for (guint i = 0; i < form.n_parts; i++)
    if (!tie (terms, memo, sym_terms_get_variable (terms, form.parts[i].variable)))
      return FALSE;
  return TRUE;
}

/* A number stays itself, and so does a term that others of the layer are tied to.  Any other
 * variable has a place: two of them have nothing to do with each other, so that one kind holds
 * whichever they are. */
static gboolean
place_dim (const SymTerms *terms, SymRuleMemo *memo, SymDim *dim)
{
  const SymTerm *term;
  guint i = 0;

  if (*dim >= 0)
    return TRUE;
  term = sym_terms_get_term (terms, sym_terms_to_number (*dim));
  if (term->form != NULL || sym_rule_memo_has_dim (memo->tied, memo->n_tied, *dim))
    return TRUE;
  if (!add_dim (memo->variables, &memo->n_variables, G_N_ELEMENTS (memo->variables), *dim))
    return FALSE;
  while (memo->variables[i] != *dim)
    i++;
  *dim = sym_rule_memo_get_place (i, term->name != NULL);
  return TRUE;
}

static gboolean
is_made_of_others (const SymTerms *terms, SymDim dim)
{
  SymDim a, b;

  return sym_terms_get_term (terms, sym_terms_to_number (dim))->form != NULL ||
         sym_terms_get_factors (terms, dim, &a, &b);
}

static gboolean
has_values (const SymFact *fact)
{
  return fact->known != NULL || fact->table != NULL || fact->floats != NULL;
}

gboolean
sym_rule_memo_read_type (const SymTerms *terms,
                         const SymFact *fact,
                         gboolean is_dear,
                         SymRuleMemo *memo,
                         SymType *type)
{
  if (fact == NULL)
    {
      *type = sym_rule_memo_get_absent ();
      return TRUE;
    }
  if (!is_dear && has_values (fact))
    return FALSE;
  if (fact->type.kind != SYM_KIND_TENSOR && fact->type.kind != SYM_KIND_UNKNOWN)
    return FALSE;
  type->kind = fact->type.kind;
  type->dtype = fact->type.dtype;
  type->name = NULL;
  type->elements = NULL;
  type->n_elements = 0;
  type->shape.rank = fact->type.shape.rank;
  for (int i = 0; i < type->shape.rank; i++)
    {
      SymDim dim = sym_terms_look_up (terms, fact->type.shape.dims[i]);

      if (dim == SYM_DIM_UNKNOWN)
        return FALSE;
      type->shape.dims[i] = dim;
      if (memo == NULL || dim >= 0)
        continue;
      memo->has_terms = TRUE;
      if (is_made_of_others (terms, dim) && !(is_dear && tie (terms, memo, dim)))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_rule_memo_read_values (const SymRule *self, SymRuleValues *values, gboolean *has_some)
{
  *has_some = FALSE;
  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    {
      const SymFact *fact = sym_rule_peek_fact (self, i);

      values[i] = (SymRuleValues){ NULL, NULL };
      if (fact == NULL || !has_values (fact))
        continue;
      if (!sym_rule_values_read (fact, &values[i]))
        return FALSE;
      *has_some = TRUE;
    }
  return TRUE;
}

gboolean
sym_rule_memo_read (const SymRule *self, SymRuleMemo *memo)
{
  memo->has_terms = memo->has_values = FALSE;
  if (memo->is_dear && !sym_rule_memo_read_values (self, memo->values, &memo->has_values))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    if (!sym_rule_memo_read_type (self->terms, sym_rule_peek_fact (self, i), memo->is_dear, memo,
                                  &memo->before[i]))
      return FALSE;
  for (guint i = 0; memo->has_terms && i < sym_rule_get_n_facts (self); i++)
    for (int k = 0; k < memo->before[i].shape.rank; k++)
      if (!place_dim (self->terms, memo, &memo->before[i].shape.dims[k]))
        return FALSE;
  return TRUE;
}
