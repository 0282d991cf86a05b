/* SPDX-License-Identifier: MIT */
#include "core/sym-terms.h"

#include "core/sym-terms-private.h"

/* How terms become equal.  Terms are gathered in classes by union-find (union by size, so that a
 * class is found in logarithmic time without writing).  The root of a class has its value: a
 * number, or the term that stands for the whole class.  A standing variable is free; a standing
 * form is made of free variables only, and no two standing forms are alike: when a variable stops
 * being free, the forms that use it are rewritten at once.  So resolving reads two or three words
 * and allocates nothing, and equal dimensions are equal numbers. */
typedef struct
{
  guint32 parent;
  guint32 size;
  SymDim value;
  const char *name;  /* owned by the table of names */
  SymForm *form;     /* NULL for a variable, and for a form that no longer stands */
  GArray *users;     /* guint32: forms that use this variable, some no longer */
  SymDim factors[2]; /* of an unknown that stands for a product */
} Term;

/* A result that is no linear form, remembered so that the same question has the same answer. */
typedef struct
{
  char operation;
  SymDim a, b;
} Question;

struct _SymTerms
{
  GArray *terms;
  GHashTable *names;     /* char * -> number of the variable + 1 */
  GHashTable *forms;     /* SymForm * of a standing form -> number of its term + 1 */
  GHashTable *questions; /* Question * -> number of the unknown + 1 */
  guint64 generation;
};

static guint
question_hash (gconstpointer key)
{
  const Question *self = key;
  SymForm form = { .constant = self->a, .n_parts = 1, .parts = { { 1, self->b } } };

  return sym_form_hash (&form) * 31 + (guint) self->operation;
}

static gboolean
question_equal (gconstpointer a, gconstpointer b)
{
  const Question *left = a, *right = b;

  return left->operation == right->operation && left->a == right->a && left->b == right->b;
}

static Term *
get_term (const SymTerms *self, guint32 number)
{
  g_assert (number < self->terms->len);
  return &g_array_index (self->terms, Term, number);
}

static SymDim
to_dim (guint32 number)
{
  return -1 - (SymDim) number;
}

static guint32
to_number (SymDim dim)
{
  g_assert (dim < 0 && dim >= -1 - (SymDim) G_MAXUINT32);
  return (guint32) (-1 - dim);
}

static guint32
find_root (const SymTerms *self, guint32 number)
{
  for (;;)
    {
      guint32 parent = get_term (self, number)->parent;

      if (parent == number)
        return number;
      number = parent;
    }
}

static guint32
add_term (SymTerms *self)
{
  guint32 number = self->terms->len;
  Term term = { .parent = number, .size = 1, .value = to_dim (number) };

  g_array_append_val (self->terms, term);
  return number;
}

static void
add_user (SymTerms *self, guint32 variable, guint32 form)
{
  Term *term = get_term (self, variable);

  if (term->users == NULL)
    term->users = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (term->users, form);
}

static void
clear_term (gpointer data)
{
  Term *term = data;

  g_free (term->form);
  g_clear_pointer (&term->users, g_array_unref);
}

SymTerms *
sym_terms_new (void)
{
  SymTerms *self = g_new0 (SymTerms, 1);

  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, clear_term);
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->forms = g_hash_table_new ((GHashFunc) sym_form_hash, (GEqualFunc) sym_form_equal);
  self->questions = g_hash_table_new_full (question_hash, question_equal, g_free, NULL);
  return self;
}

static void
copy_term (SymTerms *copy, const Term *term, guint32 number)
{
  Term new_term = *term;

  if (term->name != NULL)
    {
      char *name = g_strdup (term->name);

      g_hash_table_insert (copy->names, name, GUINT_TO_POINTER (number + 1));
      new_term.name = name;
    }
  if (term->form != NULL)
    {
      new_term.form = g_memdup2 (term->form, sizeof (SymForm));
      g_hash_table_insert (copy->forms, new_term.form, GUINT_TO_POINTER (number + 1));
    }
  if (term->users != NULL)
    new_term.users = g_array_copy (term->users);
  g_array_append_val (copy->terms, new_term);
}

SymTerms *
sym_terms_copy (const SymTerms *self)
{
  SymTerms *copy = sym_terms_new ();
  GHashTableIter iter;
  gpointer question, answer;

  for (guint32 i = 0; i < self->terms->len; i++)
    copy_term (copy, get_term (self, i), i);
  g_hash_table_iter_init (&iter, self->questions);
  while (g_hash_table_iter_next (&iter, &question, &answer))
    g_hash_table_insert (copy->questions, g_memdup2 (question, sizeof (Question)), answer);
  copy->generation = self->generation;
  return copy;
}

void
sym_terms_free (SymTerms *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->questions);
  g_hash_table_unref (self->forms);
  g_hash_table_unref (self->names);
  g_array_unref (self->terms);
  g_free (self);
}

SymDim
sym_terms_new_unknown (SymTerms *self)
{
  return to_dim (add_term (self));
}

SymDim
sym_terms_get_named (SymTerms *self, const char *name)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));
  char *own_name;
  guint32 number;

  if (found != 0)
    return sym_terms_resolve (self, to_dim (found - 1));
  own_name = g_strdup (name);
  number = add_term (self);
  get_term (self, number)->name = own_name;
  g_hash_table_insert (self->names, own_name, GUINT_TO_POINTER (number + 1));
  return to_dim (number);
}

SymDim
sym_terms_resolve (const SymTerms *self, SymDim dim)
{
  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return dim;
  return get_term (self, find_root (self, to_number (dim)))->value;
}

SymShape
sym_terms_resolve_shape (const SymTerms *self, const SymShape *shape)
{
  SymShape resolved = *shape;

  for (int i = 0; i < resolved.rank; i++)
    resolved.dims[i] = sym_terms_resolve (self, resolved.dims[i]);
  return resolved;
}

SymForm
sym_terms_peek_form (const SymTerms *self, SymDim dim)
{
  const SymForm *form;

  if (dim >= 0)
    return SYM_FORM_NUMBER (dim);
  form = get_term (self, to_number (dim))->form;
  return form != NULL ? *form : SYM_FORM_VARIABLE (to_number (dim));
}

SymDim
sym_terms_get_variable (const SymTerms *self, guint32 variable)
{
  return to_dim (variable);
}

const char *
sym_terms_get_variable_name (const SymTerms *self, guint32 variable)
{
  return get_term (self, variable)->name;
}

/* What an equal form is already called: a number, a free variable, or a standing form. */
static gboolean
find_form (const SymTerms *self, const SymForm *form, SymDim *dim)
{
  guint found;

  if (form->n_parts == 0)
    {
      *dim = form->constant;
      return TRUE;
    }
  if (form->n_parts == 1 && form->constant == 0 && form->parts[0].coefficient == 1)
    {
      *dim = to_dim (form->parts[0].variable);
      return TRUE;
    }
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->forms, form));
  if (found == 0)
    return FALSE;
  *dim = to_dim (found - 1);
  return TRUE;
}

static void
stand_form (SymTerms *self, guint32 number, const SymForm *form)
{
  SymForm *own_form = g_memdup2 (form, sizeof (SymForm));

  get_term (self, number)->form = own_form;
  g_hash_table_insert (self->forms, own_form, GUINT_TO_POINTER (number + 1));
  for (guint i = 0; i < form->n_parts; i++)
    add_user (self, form->parts[i].variable, number);
}

SymDim
sym_terms_intern (SymTerms *self, const SymForm *form)
{
  SymDim dim;
  guint32 number;

  if (find_form (self, form, &dim))
    return dim;
  number = add_term (self);
  stand_form (self, number, form);
  return to_dim (number);
}

/* The class of @number gets the value @dim: a number, or a standing term of another class. */
static void
set_value (SymTerms *self, guint32 number, SymDim dim)
{
  guint32 root = find_root (self, number), other;

  if (dim >= 0)
    {
      get_term (self, root)->value = dim;
      return;
    }
  other = find_root (self, to_number (dim));
  if (get_term (self, other)->size < get_term (self, root)->size)
    {
      guint32 swapped = root;

      root = other;
      other = swapped;
    }
  get_term (self, root)->parent = other;
  get_term (self, other)->size += get_term (self, root)->size;
  get_term (self, other)->value = dim;
}

/* A standing form with @by in place of @variable.  Where that overflows, all that is left to say of
 * the form is that it is some dimension. */
static void
rewrite_form (SymTerms *self, guint32 number, guint32 variable, const SymForm *by)
{
  SymForm form = *get_term (self, number)->form;
  gboolean fits = sym_form_substitute (&form, variable, by);
  SymDim dim;

  g_hash_table_remove (self->forms, get_term (self, number)->form);
  g_clear_pointer (&get_term (self, number)->form, g_free);
  if (!fits)
    return; /* the term now stands as a variable */
  if (find_form (self, &form, &dim))
    set_value (self, number, dim);
  else
    stand_form (self, number, &form);
}

/* The forms that use @variable now. */
static gboolean
uses (const SymTerms *self, guint32 number, guint32 variable)
{
  const SymForm *form = get_term (self, number)->form;

  return form != NULL && sym_form_get_coefficient (form, variable) != 0;
}

/* Whether no form falls below zero with @by in place of @variable. */
static gboolean
may_bind (const SymTerms *self, guint32 variable, const SymForm *by)
{
  GArray *users = get_term (self, variable)->users;

  if (sym_form_is_negative (by))
    return FALSE;
  for (guint i = 0; users != NULL && i < users->len; i++)
    {
      guint32 number = g_array_index (users, guint32, i);
      SymForm form;

      if (!uses (self, number, variable))
        continue;
      form = *get_term (self, number)->form;
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

  if (!may_bind (self, variable, by))
    return FALSE;
  users = g_steal_pointer (&get_term (self, variable)->users);
  for (guint i = 0; users != NULL && i < users->len; i++)
    if (uses (self, g_array_index (users, guint32, i), variable))
      rewrite_form (self, g_array_index (users, guint32, i), variable, by);
  set_value (self, variable, sym_terms_intern (self, by));
  self->generation++;
  return TRUE;
}

/* Which of two variables gives way: one without a name, then the less used one, so that each form
 * is rewritten a logarithmic number of times. */
static gboolean
gives_way (const SymTerms *self, guint32 variable, guint32 to)
{
  const Term *a = get_term (self, variable), *b = get_term (self, to);
  guint n_a = a->users != NULL ? a->users->len : 0, n_b = b->users != NULL ? b->users->len : 0;

  if ((a->name == NULL) != (b->name == NULL))
    return a->name == NULL;
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
    if (get_term (self, by->parts[i].variable)->name == NULL)
      return get_term (self, variable)->name != NULL;
  return FALSE;
}

/* Solves form = 0 for the variable that gives way among those whose coefficient is 1 or -1.  A sum
 * that is zero because each of its parts is decides nothing here. */
static gboolean
solve (SymTerms *self, const SymForm *form)
{
  const SymFormPart *chosen = NULL;
  SymForm rest = *form, alone;

  for (guint i = 0; i < form->n_parts; i++)
    {
      const SymFormPart *part = &form->parts[i];

      if (ABS (part->coefficient) == 1 &&
          (chosen == NULL || gives_way (self, part->variable, chosen->variable)))
        chosen = part;
    }
  if (chosen == NULL)
    return TRUE;
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

SymDim
sym_terms_answer (SymTerms *self, char operation, SymDim a, SymDim b)
{
  Question question = { operation, a, b };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->questions, &question));
  guint32 number;

  if (found != 0)
    return sym_terms_resolve (self, to_dim (found - 1));
  number = add_term (self);
  get_term (self, number)->factors[0] = operation == '*' ? a : 0;
  get_term (self, number)->factors[1] = operation == '*' ? b : 0;
  g_hash_table_insert (self->questions, g_memdup2 (&question, sizeof question),
                       GUINT_TO_POINTER (number + 1));
  return to_dim (number);
}

gboolean
sym_terms_get_factors (const SymTerms *self, SymDim dim, SymDim *a, SymDim *b)
{
  const Term *term = dim < 0 ? get_term (self, to_number (dim)) : NULL;

  if (term == NULL || term->form != NULL || term->factors[0] == 0)
    return FALSE;
  *a = sym_terms_resolve (self, term->factors[0]);
  *b = sym_terms_resolve (self, term->factors[1]);
  return TRUE;
}

guint64
sym_terms_get_generation (const SymTerms *self)
{
  return self->generation;
}

guint
sym_terms_get_size (const SymTerms *self)
{
  return self->terms->len;
}

guint
sym_terms_get_form (const SymTerms *self,
                    SymDim dim,
                    gint64 *constant,
                    SymDim *variables,
                    gint64 *coefficients,
                    guint max)
{
  SymForm form;

  g_return_val_if_fail (dim != SYM_DIM_UNKNOWN, 0);
  form = sym_terms_peek_form (self, sym_terms_resolve (self, dim));
  *constant = form.constant;
  for (guint i = 0; i < form.n_parts && i < max; i++)
    {
      variables[i] = to_dim (form.parts[i].variable);
      coefficients[i] = form.parts[i].coefficient;
    }
  return form.n_parts;
}
