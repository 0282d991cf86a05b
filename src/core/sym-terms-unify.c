/* SPDX-License-Identifier: MIT */
#include "core/sym-terms-private.h"

/* The class of @number gets the value @dim: a number, or a standing term of another class. */
static void
set_value (SymTerms *self, guint32 number, SymDim dim)
{
  guint32 root = sym_terms_find_root (self, number), other;

  if (dim >= 0)
    {
      sym_terms_get_term (self, root)->value = dim;
      return;
    }
  other = sym_terms_find_root (self, sym_terms_to_number (dim));
  if (sym_terms_get_term (self, other)->size < sym_terms_get_term (self, root)->size)
    {
      guint32 swapped = root;

      root = other;
      other = swapped;
    }
  sym_terms_get_term (self, root)->parent = other;
  sym_terms_get_term (self, other)->size += sym_terms_get_term (self, root)->size;
  sym_terms_get_term (self, other)->value = dim;
}

/* A standing form with @by in place of @variable.  Where that overflows, all that is left to say of
 * the form is that it is some dimension. */
static void
rewrite_form (SymTerms *self, guint32 number, guint32 variable, const SymForm *by)
{
  SymForm form = *sym_terms_get_term (self, number)->form;
  gboolean fits = sym_form_substitute (&form, variable, by);
  SymDim dim;

  g_hash_table_remove (self->forms, sym_terms_get_term (self, number)->form);
  g_clear_pointer (&sym_terms_get_term (self, number)->form, g_free);
  if (!fits)
    return; /* the term now stands as a variable */
  if (sym_terms_find_form (self, &form, &dim))
    set_value (self, number, dim);
  else
    sym_terms_stand_form (self, number, &form);
}

/* The forms that use @variable now. */
static gboolean
uses (const SymTerms *self, guint32 number, guint32 variable)
{
  const SymForm *form = sym_terms_get_term (self, number)->form;

  return form != NULL && sym_form_get_coefficient (form, variable) != 0;
}

/* Whether no form falls below zero with @by in place of @variable. */
static gboolean
may_bind (const SymTerms *self, guint32 variable, const SymForm *by)
{
  GArray *users = sym_terms_get_term (self, variable)->users;

  if (sym_form_is_negative (by))
    return FALSE;
  for (guint i = 0; users != NULL && i < users->len; i++)
    {
      guint32 number = g_array_index (users, guint32, i);
      SymForm form;

      if (!uses (self, number, variable))
        continue;
      form = *sym_terms_get_term (self, number)->form;
      if (sym_form_substitute (&form, variable, by) && sym_form_is_negative (&form))
        return FALSE;
    }
  return TRUE;
}

/* Ends the freedom of @variable: from now on it is @by. */
static gboolean
bind (SymTerms *self, guint32 variable, const SymForm *by)
{
  g_autoptr (GArray) users = NULL;

  if (sym_terms_get_term (self, variable)->is_any || !may_bind (self, variable, by))
    return FALSE;
  users = g_steal_pointer (&sym_terms_get_term (self, variable)->users);
  for (guint i = 0; users != NULL && i < users->len; i++)
    if (uses (self, g_array_index (users, guint32, i), variable))
      rewrite_form (self, g_array_index (users, guint32, i), variable, by);
  set_value (self, variable, sym_terms_intern (self, by));
  self->generation++;
  return TRUE;
}

/* Which of two variables gives way: one without a name, then one whose name is nobody's wish, then
 * the less used one, so that each form is rewritten a logarithmic number of times. */
static gboolean
gives_way (const SymTerms *self, guint32 variable, guint32 to)
{
  const SymTerm *a = sym_terms_get_term (self, variable), *b = sym_terms_get_term (self, to);
  guint n_a = a->users != NULL ? a->users->len : 0, n_b = b->users != NULL ? b->users->len : 0;

  if ((a->name == NULL) != (b->name == NULL))
    return a->name == NULL;
  if (a->is_wanted != b->is_wanted)
    return b->is_wanted;
  return n_a != n_b ? n_a < n_b : variable > to;
}

/* -a - b: only 0 when each variable is. */
static gboolean
has_only_minus (const SymForm *form)
{
  for (guint i = 0; i < form->n_parts; i++)
    if (form->parts[i].coefficient > 0)
      return FALSE;
  return form->n_parts > 0;
}

/* A name is only given up for a number or for other names: what is shown as "batch" is not to
 * become a question mark. */
static gboolean
keeps_name (const SymTerms *self, guint32 variable, const SymForm *by)
{
  for (guint i = 0; i < by->n_parts; i++)
    if (sym_terms_get_term (self, by->parts[i].variable)->name == NULL)
      return sym_terms_get_term (self, variable)->name != NULL;
  return FALSE;
}

/* Solves form = 0, which is never so where all variables may be any size, for the variable that
 * gives way among those whose coefficient is 1 or -1.  A sum that is zero because each of its parts
 * is decides nothing here. */
static gboolean
solve (SymTerms *self, const SymForm *form)
{
  const SymFormPart *chosen = NULL;
  SymForm rest = *form, alone;
  guint n_any = 0;

  for (guint i = 0; i < form->n_parts; i++)
    {
      const SymFormPart *part = &form->parts[i];

      n_any += sym_terms_get_term (self, part->variable)->is_any;
      if (ABS (part->coefficient) == 1 && !sym_terms_get_term (self, part->variable)->is_any &&
          (chosen == NULL || gives_way (self, part->variable, chosen->variable)))
        chosen = part;
    }
  if (chosen == NULL)
    return n_any == 0 || n_any < form->n_parts;
  alone = SYM_FORM_VARIABLE (chosen->variable);
  if (!sym_form_add_scaled (&rest, &alone, -chosen->coefficient))
    return TRUE;
  if (chosen->coefficient == 1)
    {
      SymForm negated = SYM_FORM_NUMBER (0);

      if (!sym_form_add_scaled (&negated, &rest, -1))
        return TRUE;
      rest = negated;
    }
  if (keeps_name (self, chosen->variable, &rest) || (rest.constant == 0 && has_only_minus (&rest)))
    return TRUE;
  return bind (self, chosen->variable, &rest);
}

/* Most often a variable turns out to be a number, for which there is nothing to solve. */
static gboolean
is_variable (const SymTerms *self, SymDim dim)
{
  return dim < 0 && sym_terms_get_term (self, sym_terms_to_number (dim))->form == NULL;
}

gboolean
sym_terms_unify (SymTerms *self, SymDim a, SymDim b)
{
  SymForm form, right, negated = SYM_FORM_NUMBER (0);
  gint64 gcd;

  if (a == b || a == SYM_DIM_UNKNOWN || b == SYM_DIM_UNKNOWN)
    return TRUE;
  a = sym_terms_resolve (self, a);
  b = sym_terms_resolve (self, b);
  if (a == b)
    return TRUE;
  if (a >= 0 && b >= 0)
    return FALSE;
  if (is_variable (self, a) && b >= 0)
    return bind (self, sym_terms_to_number (a), &SYM_FORM_NUMBER (b));
  if (is_variable (self, b) && a >= 0)
    return bind (self, sym_terms_to_number (b), &SYM_FORM_NUMBER (a));
  form = sym_terms_peek_form (self, a);
  right = sym_terms_peek_form (self, b);
  if (!sym_form_add_scaled (&form, &right, -1))
    return TRUE;
  gcd = sym_form_get_coefficient_gcd (&form);
  if (gcd == 0 || form.constant % gcd != 0)
    return FALSE;
  sym_form_divide (&form, gcd, FALSE);
  if (!sym_form_add_scaled (&negated, &form, -1) || sym_form_is_negative (&form) ||
      sym_form_is_negative (&negated))
    return FALSE;
  return solve (self, &form);
}
