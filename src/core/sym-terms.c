/* SPDX-License-Identifier: MIT */
#include "core/sym-terms.h"

#include "core/sym-error.h"
#include "core/sym-terms-private.h"

/* A result that is no linear form, remembered so that the same question has the same answer. */
typedef struct {
  char operation;
  SymDim a, b;
} Question;

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

static guint32
add_term (SymTerms *self)
{
  guint32 number = self->terms->len;
  SymTerm term = { .parent = number, .size = 1, .value = sym_terms_to_dim (number) };

  g_array_append_val (self->terms, term);
  return number;
}

static void
add_user (SymTerms *self, guint32 variable, guint32 form)
{
  SymTerm *term = sym_terms_get_term (self, variable);

  if (term->users == NULL)
    term->users = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (term->users, form);
}

static void
clear_term (gpointer data)
{
  SymTerm *term = data;

  g_free (term->form);
  g_clear_pointer (&term->users, g_array_unref);
}

/* Most tables of terms are those of a body without names or forms, so that these are made when they
 * are needed. */
static guint
look_up (GHashTable *table, gconstpointer key)
{
  return table == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
}

static void
insert_name (SymTerms *self, char *take_name, guint32 number)
{
  if (self->names == NULL)
    self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (self->names, take_name, GUINT_TO_POINTER (number + 1));
}

static void
insert_form (SymTerms *self, SymForm *form, guint32 number)
{
  if (self->forms == NULL)
    self->forms = g_hash_table_new ((GHashFunc) sym_form_hash, (GEqualFunc) sym_form_equal);
  g_hash_table_insert (self->forms, form, GUINT_TO_POINTER (number + 1));
}

static void
insert_question (SymTerms *self, const Question *question, gpointer answer)
{
  if (self->questions == NULL)
    self->questions = g_hash_table_new_full (question_hash, question_equal, g_free, NULL);
  g_hash_table_insert (self->questions, g_memdup2 (question, sizeof *question), answer);
}

/* Inference starts from a copy, and names what is unknown. */
#define FIRST_TERMS 16

/* One with room for @n terms. */
static SymTerms *
terms_new (guint n)
{
  SymTerms *self = g_new0 (SymTerms, 1);

  self->terms = g_array_sized_new (FALSE, FALSE, sizeof (SymTerm), n);
  g_array_set_clear_func (self->terms, clear_term);
  return self;
}

SymTerms *
sym_terms_new (void)
{
  return terms_new (0);
}

static void
copy_term (SymTerms *copy, const SymTerm *term, guint32 number)
{
  SymTerm new_term = *term;

  new_term.name = NULL;
  if (term->form != NULL)
    {
      new_term.form = g_memdup2 (term->form, sizeof (SymForm));
      insert_form (copy, new_term.form, number);
    }
  if (term->users != NULL)
    new_term.users = g_array_copy (term->users);
  g_array_append_val (copy->terms, new_term);
}

/* Names that were given up for others as well. */
static void
copy_names (SymTerms *copy, const SymTerms *self)
{
  GHashTableIter iter;
  gpointer name, found;

  if (self->names == NULL)
    return;
  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &name, &found))
    {
      guint32 number = GPOINTER_TO_UINT (found) - 1;
      char *own_name = g_strdup (name);

      insert_name (copy, own_name, number);
      if (sym_terms_get_term (self, number)->name == name)
        sym_terms_get_term (copy, number)->name = own_name;
    }
}

SymTerms *
sym_terms_copy (const SymTerms *self)
{
  SymTerms *copy = terms_new (self->terms->len + FIRST_TERMS);
  GHashTableIter iter;
  gpointer question, answer;

  for (guint32 i = 0; i < self->terms->len; i++)
    copy_term (copy, sym_terms_get_term (self, i), i);
  copy_names (copy, self);
  copy->generation = self->generation;
  if (self->questions == NULL)
    return copy;
  g_hash_table_iter_init (&iter, self->questions);
  while (g_hash_table_iter_next (&iter, &question, &answer))
    insert_question (copy, question, answer);
  return copy;
}

void
sym_terms_free (SymTerms *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->questions, g_hash_table_unref);
  g_clear_pointer (&self->forms, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_array_unref (self->terms);
  g_free (self);
}

SymDim
sym_terms_new_unknown (SymTerms *self)
{
  return sym_terms_to_dim (add_term (self));
}

SymDim
sym_terms_get_named (SymTerms *self, const char *name)
{
  guint found = look_up (self->names, name);
  char *own_name;
  guint32 number;

  if (found != 0)
    return sym_terms_resolve (self, sym_terms_to_dim (found - 1));
  own_name = g_strdup (name);
  number = add_term (self);
  sym_terms_get_term (self, number)->name = own_name;
  insert_name (self, own_name, number);
  return sym_terms_to_dim (number);
}

const char *
sym_terms_get_name (const SymTerms *self, SymDim dim)
{
  dim = sym_terms_resolve (self, dim);
  return dim < 0 && dim != SYM_DIM_UNKNOWN
             ? sym_terms_get_term (self, sym_terms_to_number (dim))->name
             : NULL;
}

void
sym_terms_want_name (SymTerms *self, const char *name)
{
  SymDim dim = sym_terms_get_named (self, name);

  if (sym_terms_get_name (self, dim) != NULL)
    sym_terms_get_term (self, sym_terms_to_number (dim))->is_wanted = TRUE;
}

gboolean
sym_terms_is_wanted (const SymTerms *self, SymDim dim)
{
  dim = sym_terms_resolve (self, dim);
  return sym_terms_get_name (self, dim) != NULL &&
         sym_terms_get_term (self, sym_terms_to_number (dim))->is_wanted;
}

gboolean
sym_terms_rename (SymTerms *self, SymDim dim, const char *name)
{
  SymDim resolved = sym_terms_resolve (self, dim);
  char *own_name;

  if (sym_terms_get_name (self, resolved) == NULL || look_up (self->names, name) != 0)
    return FALSE;
  own_name = g_strdup (name);
  sym_terms_get_term (self, sym_terms_to_number (resolved))->name = own_name;
  insert_name (self, own_name, sym_terms_to_number (resolved));
  return TRUE;
}

void
sym_terms_take_name (SymTerms *self, SymDim dim, const char *name)
{
  if (sym_terms_rename (self, dim, name) || sym_terms_get_name (self, dim) == NULL)
    return;
  sym_terms_want_name (self, name);
  sym_terms_unify (self, dim, sym_terms_get_named (self, name));
}

void
sym_terms_take_wanted (SymTerms *self, const SymTerms *from)
{
  for (guint32 i = 0; i < self->terms->len; i++)
    {
      const char *name = sym_terms_get_term (self, i)->name, *wanted;
      guint found = name == NULL ? 0 : look_up (from->names, name);

      if (found == 0 || !sym_terms_is_wanted (from, sym_terms_to_dim (found - 1)))
        continue;
      wanted = sym_terms_get_name (from, sym_terms_to_dim (found - 1));
      if (!g_str_equal (wanted, name))
        sym_terms_take_name (self, sym_terms_to_dim (i), wanted);
      sym_terms_want_name (self, wanted);
    }
}

void
sym_terms_want_none (SymTerms *self)
{
  for (guint32 i = 0; i < self->terms->len; i++)
    sym_terms_get_term (self, i)->is_wanted = FALSE;
}

void
sym_terms_keep_any (SymTerms *self, const char *name)
{
  SymDim dim = sym_terms_resolve (self, sym_terms_get_named (self, name));

  if (dim < 0 && sym_terms_get_term (self, sym_terms_to_number (dim))->form == NULL)
    sym_terms_get_term (self, sym_terms_to_number (dim))->is_any = TRUE;
}

void
sym_terms_let_be (SymTerms *self)
{
  for (guint32 i = 0; i < self->terms->len; i++)
    sym_terms_get_term (self, i)->is_any = FALSE;
}

gboolean
sym_terms_has_name (const SymTerms *self, const char *name)
{
  return look_up (self->names, name) != 0;
}

gboolean
sym_terms_has (const SymTerms *self, SymDim dim)
{
  return dim >= 0 || dim == SYM_DIM_UNKNOWN ||
         (dim <= SYM_TERMS_FIRST && dim > SYM_TERMS_FIRST - (SymDim) self->terms->len);
}

static gboolean
check_shape (const SymTerms *self, const SymShape *shape, const char *what, GError **error)
{
  for (int i = 0; i < shape->rank; i++)
    if (!sym_terms_has (self, shape->dims[i]))
      {
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "Dimension %d of %s is %" G_GINT64_FORMAT
                     "; it must be 0 or more, SYM_DIM_UNKNOWN, or a term of the same table",
                     i, what, shape->dims[i]);
        return FALSE;
      }
  return TRUE;
}

gboolean
sym_terms_check_type (const SymTerms *self, const SymType *type, const char *what, GError **error)
{
  g_autoptr (GPtrArray) open = NULL;

  if (type->n_elements == 0)
    return check_shape (self, &type->shape, what, error);

  open = g_ptr_array_new ();
  g_ptr_array_add (open, (SymType *) type);
  while (open->len > 0)
    {
      const SymType *next = g_ptr_array_steal_index_fast (open, open->len - 1);

      if (!check_shape (self, &next->shape, what, error))
        return FALSE;
      for (guint i = 0; i < next->n_elements; i++)
        g_ptr_array_add (open, (SymType *) &next->elements[i]);
    }
  return TRUE;
}

SymDim
sym_terms_resolve (const SymTerms *self, SymDim dim)
{
  return sym_terms_look_up (self, dim);
}

SymShape
sym_terms_resolve_shape (const SymTerms *self, const SymShape *shape)
{
  SymShape resolved = *shape;

  for (int i = 0; i < resolved.rank; i++)
    resolved.dims[i] = sym_terms_look_up (self, resolved.dims[i]);
  return resolved;
}

SymForm
sym_terms_peek_form (const SymTerms *self, SymDim dim)
{
  const SymForm *form;

  if (dim >= 0)
    return SYM_FORM_NUMBER (dim);
  form = sym_terms_get_term (self, sym_terms_to_number (dim))->form;
  return form != NULL ? *form : SYM_FORM_VARIABLE (sym_terms_to_number (dim));
}

SymDim
sym_terms_get_variable (const SymTerms *self, guint32 variable)
{
  return sym_terms_to_dim (variable);
}

const char *
sym_terms_get_variable_name (const SymTerms *self, guint32 variable)
{
  return sym_terms_get_term (self, variable)->name;
}

gboolean
sym_terms_find_form (const SymTerms *self, const SymForm *form, SymDim *dim)
{
  guint found;

  if (form->n_parts == 0)
    {
      *dim = form->constant;
      return TRUE;
    }
  if (form->n_parts == 1 && form->constant == 0 && form->parts[0].coefficient == 1)
    {
      *dim = sym_terms_to_dim (form->parts[0].variable);
      return TRUE;
    }
  found = look_up (self->forms, form);
  if (found == 0)
    return FALSE;
  *dim = sym_terms_to_dim (found - 1);
  return TRUE;
}

void
sym_terms_stand_form (SymTerms *self, guint32 number, const SymForm *form)
{
  SymForm *own_form = g_memdup2 (form, sizeof (SymForm));

  sym_terms_get_term (self, number)->form = own_form;
  insert_form (self, own_form, number);
  for (guint i = 0; i < form->n_parts; i++)
    add_user (self, form->parts[i].variable, number);
}

SymDim
sym_terms_intern (SymTerms *self, const SymForm *form)
{
  SymDim dim;
  guint32 number;

  if (sym_terms_find_form (self, form, &dim))
    return dim;
  number = add_term (self);
  sym_terms_stand_form (self, number, form);
  return sym_terms_to_dim (number);
}

SymDim
sym_terms_answer (SymTerms *self, char operation, SymDim a, SymDim b)
{
  Question question = { operation, a, b };
  guint found = look_up (self->questions, &question);
  guint32 number;

  if (found != 0)
    return sym_terms_resolve (self, sym_terms_to_dim (found - 1));
  number = add_term (self);
  sym_terms_get_term (self, number)->factors[0] = operation == '*' ? a : 0;
  sym_terms_get_term (self, number)->factors[1] = operation == '*' ? b : 0;
  insert_question (self, &question, GUINT_TO_POINTER (number + 1));
  return sym_terms_to_dim (number);
}

gboolean
sym_terms_get_factors (const SymTerms *self, SymDim dim, SymDim *a, SymDim *b)
{
  const SymTerm *term = dim < 0 ? sym_terms_get_term (self, sym_terms_to_number (dim)) : NULL;

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
      variables[i] = sym_terms_to_dim (form.parts[i].variable);
      coefficients[i] = form.parts[i].coefficient;
    }
  return form.n_parts;
}
