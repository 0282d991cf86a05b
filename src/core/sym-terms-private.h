/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-form.h"
#include "core/sym-terms.h"

G_BEGIN_DECLS

/* How terms become equal.  Terms are gathered in classes by union-find (union by size, so that a
 * class is found in logarithmic time without writing).  The root of a class has its value: a
 * number, or the term that stands for the whole class.  A standing variable is free; a standing
 * form is made of free variables only, and no two standing forms are alike: when a variable stops
 * being free, the forms that use it are rewritten at once.  So resolving reads two or three words
 * and allocates nothing, and equal dimensions are equal numbers. */
typedef struct {
  guint32 parent;
  guint32 size;
  SymDim value;
  const char *name;   /* owned by the table of names */
  SymForm *form;      /* NULL for a variable, and for a form that no longer stands */
  GArray *users;      /* guint32: forms that use this variable, some no longer */
  SymDim factors[2];  /* of an unknown that stands for a product */
  gboolean is_wanted; /* the name is the user's */
  gboolean is_any;    /* the file says that it may be any size, so it is nothing else */
} SymTerm;

struct _SymTerms {
  GArray *terms;
  /* NULL while there are none. */
  GHashTable *names;     /* char * -> number of the variable + 1 */
  GHashTable *forms;     /* SymForm * of a standing form -> number of its term + 1 */
  GHashTable *questions; /* Question * -> number of the unknown + 1 */
  guint64 generation;
};

/* Terms count down from here, far from the -1 and its like that are no dimensions. */
#define SYM_TERMS_FIRST (-((SymDim) 1 << 32))

static inline SymTerm *
sym_terms_get_term (const SymTerms *self, guint32 number)
{
  g_assert (number < self->terms->len);
  return &g_array_index (self->terms, SymTerm, number);
}

static inline SymDim
sym_terms_to_dim (guint32 number)
{
  return SYM_TERMS_FIRST - (SymDim) number;
}

static inline guint32
sym_terms_to_number (SymDim dim)
{
  g_assert (dim <= SYM_TERMS_FIRST && dim >= SYM_TERMS_FIRST - (SymDim) G_MAXUINT32);
  return (guint32) (SYM_TERMS_FIRST - dim);
}

static inline guint32
sym_terms_find_root (const SymTerms *self, guint32 number)
{
  for (;;)
    {
      guint32 parent = sym_terms_get_term (self, number)->parent;

      if (parent == number)
        return number;
      number = parent;
    }
}

/* sym_terms_resolve(), where a million sizes are looked at. */
static inline SymDim
sym_terms_look_up (const SymTerms *self, SymDim dim)
{
  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return dim;
  return sym_terms_get_term (self, sym_terms_find_root (self, sym_terms_to_number (dim)))->value;
}

/* What an equal form is already called: a number, a free variable, or a standing form. */
gboolean sym_terms_find_form (const SymTerms *self, const SymForm *form, SymDim *dim);

/* Term @number is @form from now on, which nothing else is called. */
void sym_terms_stand_form (SymTerms *self, guint32 number, const SymForm *form);

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

/* The variable called so is told by that name also where it is equal to others with names. */
void sym_terms_want_name (SymTerms *self, const char *name);
gboolean sym_terms_is_wanted (const SymTerms *self, SymDim dim);

/* Names that are wanted in @from, the table of what is around a body, are those of the body's
 * dimensions that were called alike. */
void sym_terms_take_wanted (SymTerms *self, const SymTerms *from);

/* No name is anybody's wish, as when one starts anew. */
void sym_terms_want_none (SymTerms *self);

/* Gives a free variable another name; the old one still means it.  FALSE, changing nothing, when
 * @dim is no such variable with a name, or something has the new name already. */
gboolean sym_terms_rename (SymTerms *self, SymDim dim, const char *name);

/* The same, and where a variable has the new name already, the two are one, which is told by it. */
void sym_terms_take_name (SymTerms *self, SymDim dim, const char *name);

/* Whether a variable is or was called so. */
gboolean sym_terms_has_name (const SymTerms *self, const char *name);

/* Whether a text is a mere name, as of a variable. */
gboolean sym_terms_is_name (const char *text);

/* The name of a free variable; NULL for anything else. */
const char *sym_terms_get_name (const SymTerms *self, SymDim dim);

G_END_DECLS
