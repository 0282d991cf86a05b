/* SPDX-License-Identifier: MIT */
#include "app/scope-shape-text.h"

#include <glib/gi18n.h>

#include "core/sym-error.h"
#include "core/sym-terms.h"

/* Turns every way to separate dimensions into a comma, and drops brackets around the whole. */
static char *
normalise (const char *text)
{
  g_autofree char *copy = g_strstrip (g_strdup (text));
  gsize length = strlen (copy);
  char *start = copy;

  if (length >= 2 &&
      ((copy[0] == '(' && copy[length - 1] == ')') || (copy[0] == '[' && copy[length - 1] == ']')))
    {
      copy[length - 1] = '\0';
      start++;
    }
  g_autoptr (GString) result = g_string_new (start);

  g_string_replace (result, "×", ",", 0);
  /* An x between digits only is a sign; in `max_len` it is a letter. */
  if (strspn (result->str, "0123456789xX? \t") == result->len)
    for (char *c = result->str; *c != '\0'; c++)
      if (*c == 'x' || *c == 'X')
        *c = ',';
  return g_string_free (g_steal_pointer (&result), FALSE);
}

static gboolean
is_unknown (const char *word)
{
  return g_str_equal (word, "?") || g_str_equal (word, "None") || g_str_equal (word, "-1");
}

static gboolean
parse_dim (ScopeShapeText *self, SymTerms *terms, const char *word, GError **error)
{
  SymDim dim;

  if (*word == '\0')
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("Dimension %d is missing"),
                   self->shape.rank + 1);
      return FALSE;
    }
  if (is_unknown (word))
    {
      self->shape.dims[self->shape.rank++] = SYM_DIM_UNKNOWN;
      return TRUE;
    }
  if (!sym_terms_parse (terms, word, &dim))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                   _ ("“%s” is not a dimension: use a number, a name such as batch, or ?"), word);
      return FALSE;
    }
  if (dim > SCOPE_SHAPE_TEXT_MAX_DIM)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, _ ("%s is too large for a dimension"), word);
      return FALSE;
    }
  self->names[self->shape.rank] = dim < 0 ? g_strdup (word) : NULL;
  self->shape.dims[self->shape.rank++] = dim < 0 ? SYM_DIM_UNKNOWN : dim;
  return TRUE;
}

ScopeShapeText *
scope_shape_text_parse (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  g_autofree char *normal = normalise (text);
  g_auto (GStrv) words = g_strsplit (normal, ",", -1);
  g_autoptr (SymTerms) terms = sym_terms_new ();
  g_autoptr (ScopeShapeText) self = g_new0 (ScopeShapeText, 1);
  guint n = g_strv_length (words);

  for (guint i = 0; i < n; i++)
    g_strstrip (words[i]);
  if (n > 0 && *words[n - 1] == '\0') /* `(3,)`, and `()` */
    n--;
  if (n > SYM_MAX_RANK)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_LIMIT, _ ("%u dimensions are too many: at most %d"),
                   n, SYM_MAX_RANK);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    if (!parse_dim (self, terms, words[i], error))
      return NULL;
  return g_steal_pointer (&self);
}

void
scope_shape_text_free (ScopeShapeText *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_free (self->names[i]);
  g_free (self);
}

char *
scope_shape_text_tidy (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  g_autoptr (ScopeShapeText) self = scope_shape_text_parse (text, NULL);
  g_autoptr (GString) tidy = g_string_new (self != NULL && self->shape.rank == 0 ? "()" : NULL);

  if (self == NULL)
    return NULL;
  for (int i = 0; i < self->shape.rank; i++)
    {
      SymDim dim = self->shape.dims[i];

      g_string_append (tidy, i > 0 ? "×" : "");
      if (dim >= 0)
        g_string_append_printf (tidy, "%" G_GINT64_FORMAT, dim);
      else
        g_string_append (tidy, self->names[i] != NULL ? self->names[i] : "?");
    }
  return g_string_free (g_steal_pointer (&tidy), FALSE);
}

char *
scope_shape_text_suggest (const SymShape *shape)
{
  g_return_val_if_fail (shape != NULL, NULL);

  g_autoptr (GString) text = g_string_new (shape->rank == 0 ? "()" : NULL);

  if (shape->rank < 0)
    return NULL;
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
                            shape->dims[i] >= 0 ? shape->dims[i] : 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
