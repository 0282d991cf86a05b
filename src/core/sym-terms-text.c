/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-terms-private.h"

#include <string.h>

/* ---- From text ---- */

/* A form over names, as it is read: `part (('+' | '-') part)*`, where a part is a number, a name,
 * or one of these times a number. */
typedef struct {
  gint64 constant;
  guint n_names;
  char *names[SYM_FORM_MAX_PARTS];
  gint64 coefficients[SYM_FORM_MAX_PARTS];
} Reading;

static void
clear_reading (Reading *self)
{
  for (guint i = 0; i < self->n_names; i++)
    g_free (self->names[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, clear_reading)

static gboolean
starts_name (char c)
{
  return g_ascii_isalpha (c) || c == '_' || (c & 0x80) != 0;
}

static gboolean
continues_name (char c)
{
  return starts_name (c) || g_ascii_isdigit (c) || c == '.' || c == ':';
}

static const char *
skip_space (const char *text)
{
  while (*text == ' ')
    text++;
  return text;
}

static gboolean
read_number (const char **text, gint64 *number)
{
  gint64 value = 0;

  for (; g_ascii_isdigit (**text); (*text)++)
    if (__builtin_mul_overflow (value, 10, &value) ||
        __builtin_add_overflow (value, **text - '0', &value))
      return FALSE;
  *number = value;
  return TRUE;
}

static gboolean
add_name (Reading *self, const char *name, gsize length, gint64 coefficient)
{
  for (guint i = 0; i < self->n_names; i++)
    if (strlen (self->names[i]) == length && strncmp (self->names[i], name, length) == 0)
      return !__builtin_add_overflow (self->coefficients[i], coefficient, &self->coefficients[i]);
  if (self->n_names == SYM_FORM_MAX_PARTS)
    return FALSE;
  self->coefficients[self->n_names] = coefficient;
  self->names[self->n_names++] = g_strndup (name, length);
  return TRUE;
}

/* One part, times @sign. */
static gboolean
read_part (Reading *self, const char **text, gint64 sign)
{
  gint64 number = 1;
  const char *name = NULL;
  gsize length = 0;
  gboolean again;

  do
    {
      *text = skip_space (*text);
      if (g_ascii_isdigit (**text))
        {
          gint64 factor;

          if (!read_number (text, &factor) || __builtin_mul_overflow (number, factor, &number))
            return FALSE;
        }
      else if (starts_name (**text) && name == NULL)
        {
          name = *text;
          while (continues_name (**text))
            (*text)++;
          length = (gsize) (*text - name);
        }
      else
        {
          return FALSE;
        }
      *text = skip_space (*text);
      again = **text == '*';
      *text += again;
    }
  while (again);
  return name != NULL ? add_name (self, name, length, sign * number)
                      : !__builtin_add_overflow (self->constant, sign * number, &self->constant);
}

static gboolean
read_form (Reading *self, const char *text)
{
  gint64 sign = 1;

  text = skip_space (text);
  if (*text == '-')
    {
      sign = -1;
      text++;
    }
  while (read_part (self, &text, sign))
    {
      if (*text == '\0')
        return TRUE;
      if (*text != '+' && *text != '-')
        return FALSE;
      sign = *text == '+' ? 1 : -1;
      text++;
    }
  return FALSE;
}

/* Whether the form is in range and can be a dimension.  Asked before any name is added. */
static gboolean
is_dimension (const Reading *reading)
{
  SymForm form = SYM_FORM_NUMBER (reading->constant);

  if (reading->constant == G_MININT64)
    return FALSE;
  for (guint i = 0; i < reading->n_names; i++)
    {
      SymForm name = SYM_FORM_VARIABLE (i);

      if (!sym_form_add_scaled (&form, &name, reading->coefficients[i]))
        return FALSE;
    }
  return !sym_form_is_negative (&form);
}

gboolean
sym_terms_parse (SymTerms *self, const char *text, SymDim *dim)
{
  g_auto (Reading) reading = { 0 };
  SymForm form;

  if (strcmp (text, "?") == 0)
    {
      *dim = sym_terms_new_unknown (self);
      return TRUE;
    }
  if (!read_form (&reading, text) || !is_dimension (&reading))
    return FALSE;
  form = SYM_FORM_NUMBER (reading.constant);
  for (guint i = 0; i < reading.n_names; i++)
    {
      SymForm name = sym_terms_peek_form (self, sym_terms_get_named (self, reading.names[i]));

      if (!sym_form_add_scaled (&form, &name, reading.coefficients[i]))
        return FALSE;
    }
  if (sym_form_is_negative (&form))
    return FALSE;
  *dim = sym_terms_intern (self, &form);
  return TRUE;
}

gboolean
sym_terms_is_name (const char *text)
{
  if (!starts_name (*text))
    return FALSE;
  while (continues_name (*text))
    text++;
  return *text == '\0';
}

/* ---- To text ---- */

static void
append_part (GString *out, gboolean is_first, gint64 coefficient, const char *name)
{
  if (coefficient < 0)
    g_string_append_c (out, '-');
  else if (!is_first)
    g_string_append_c (out, '+');
  if (ABS (coefficient) != 1)
    {
      sym_decimal_append (out, ABS (coefficient));
      g_string_append_c (out, '*');
    }
  g_string_append (out, name);
}

/* By name, so that a text does not tell in which order its names were met. */
static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const SymTerms *self = user_data;

  return strcmp (sym_terms_get_variable_name (self, ((const SymFormPart *) a)->variable),
                 sym_terms_get_variable_name (self, ((const SymFormPart *) b)->variable));
}

/* Those with a coefficient of the sign of @sign. */
static void
append_parts (const SymTerms *self, const SymForm *form, int sign, gsize start, GString *out)
{
  for (guint i = 0; i < form->n_parts; i++)
    if ((form->parts[i].coefficient > 0) == (sign > 0))
      append_part (out, out->len == start, form->parts[i].coefficient,
                   sym_terms_get_variable_name (self, form->parts[i].variable));
}

/* What is added comes before what is taken away: 5-seq, 2*seq-past+1. */
static void
append_form (const SymTerms *self, const SymForm *form, GString *out)
{
  gsize start = out->len;
  gboolean constant_first;

  append_parts (self, form, 1, start, out);
  constant_first = out->len == start;
  if (constant_first && (form->constant != 0 || form->n_parts == 0))
    sym_decimal_append (out, form->constant);
  append_parts (self, form, -1, start, out);
  if (constant_first || form->constant == 0)
    return;
  if (form->constant > 0)
    g_string_append_c (out, '+');
  sym_decimal_append (out, form->constant);
}

gboolean
sym_terms_append (const SymTerms *self, SymDim dim, GString *out)
{
  SymForm form;

  if (dim < 0)
    dim = sym_terms_resolve (self, dim);
  if (dim == SYM_DIM_UNKNOWN)
    return FALSE;
  if (dim >= 0)
    {
      sym_decimal_append (out, dim);
      return TRUE;
    }
  form = sym_terms_peek_form (self, dim);
  for (guint i = 0; i < form.n_parts; i++)
    if (sym_terms_get_variable_name (self, form.parts[i].variable) == NULL)
      return FALSE;
  if (form.n_parts > 1)
    g_qsort_with_data (form.parts, (int) form.n_parts, sizeof (SymFormPart), compare_names,
                       (gpointer) self);
  append_form (self, &form, out);
  return TRUE;
}

char *
sym_terms_format (const SymTerms *self, SymDim dim)
{
  g_autoptr (GString) text = g_string_new (NULL);

  return sym_terms_append (self, dim, text) ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* ---- To another table ---- */

static SymDim
translate_variable (const SymTerms *self, guint32 variable, SymTerms *to, GHashTable *map)
{
  const char *name = sym_terms_get_variable_name (self, variable);
  gpointer key = GUINT_TO_POINTER (variable + 1), found;
  SymDim dim;

  if (name != NULL && sym_terms_get_term (self, variable)->is_wanted)
    sym_terms_want_name (to, name);
  if (name != NULL)
    return sym_terms_get_named (to, name);
  found = g_hash_table_lookup (map, key);
  if (found != NULL)
    return sym_terms_resolve (to, sym_terms_to_dim (GPOINTER_TO_UINT (found) - 1));
  dim = sym_terms_new_unknown (to);
  g_hash_table_insert (map, key, GUINT_TO_POINTER (sym_terms_to_number (dim) + 1));
  return dim;
}

SymDim
sym_terms_translate (const SymTerms *self, SymDim dim, SymTerms *to, GHashTable *map)
{
  SymForm form, sum;

  if (dim >= 0 || dim == SYM_DIM_UNKNOWN)
    return dim;
  dim = sym_terms_resolve (self, dim);
  if (dim >= 0)
    return dim;
  if (sym_terms_get_term (self, sym_terms_to_number (dim))->form == NULL)
    return translate_variable (self, sym_terms_to_number (dim), to, map);
  form = sym_terms_peek_form (self, dim);
  sum = SYM_FORM_NUMBER (form.constant);
  for (guint i = 0; i < form.n_parts; i++)
    {
      SymDim variable = translate_variable (self, form.parts[i].variable, to, map);
      SymForm part = sym_terms_peek_form (to, variable);

      if (!sym_form_add_scaled (&sum, &part, form.parts[i].coefficient))
        return sym_terms_new_unknown (to);
    }
  return sym_form_is_negative (&sum) ? sym_terms_new_unknown (to) : sym_terms_intern (to, &sum);
}

SymShape
sym_terms_translate_shape (const SymTerms *self,
                           const SymShape *shape,
                           SymTerms *to,
                           GHashTable *map)
{
  SymShape translated = *shape;

  for (int i = 0; i < translated.rank; i++)
    translated.dims[i] = sym_terms_translate (self, translated.dims[i], to, map);
  return translated;
}
