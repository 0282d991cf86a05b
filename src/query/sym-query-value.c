/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <math.h>
#include <string.h>

/* What comes after a comparison: texts, numbers, shapes, yes and no. */

/* ---- Numbers ---- */

static gboolean
find_unit (const char *text, gboolean is_time, double *factor)
{
  static const struct {
    const char *name;
    double factor;
    gboolean is_time;
  } units[] = {
    { "", 1, FALSE },
    { "k", 1e3, FALSE },
    { "m", 1e6, FALSE },
    { "g", 1e9, FALSE },
    { "t", 1e12, FALSE },
    { "ki", 1024.0, FALSE },
    { "mi", 1048576.0, FALSE },
    { "gi", 1073741824.0, FALSE },
    { "ti", 1099511627776.0, FALSE },
    { "", 1, TRUE },
    { "us", 1e-3, TRUE },
    { "µs", 1e-3, TRUE },
    { "ms", 1, TRUE },
    { "s", 1e3, TRUE },
  };
  g_autofree char *name = g_utf8_strdown (text, -1);

  if (!is_time && g_str_has_suffix (name, "b"))
    name[strlen (name) - 1] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (units[i].is_time == is_time && strcmp (units[i].name, name) == 0)
      {
        *factor = units[i].factor;
        return TRUE;
      }
  return FALSE;
}

/* "1.5M" in place of its letters, from @text to @end. */
static gboolean
read_number (const char *text, const char *end, gboolean is_time, double *number)
{
  g_autofree char *copy = g_strndup (text, (gsize) (end - text));
  char *unit;
  double factor;

  if (!g_ascii_isdigit (copy[0]) && copy[0] != '.' && copy[0] != '-')
    return FALSE;
  *number = g_ascii_strtod (copy, &unit);
  if (unit == copy || !isfinite (*number) || !find_unit (unit, is_time, &factor))
    return FALSE;
  *number *= factor;
  return TRUE;
}

/* A number, or two with ".." between. */
static gboolean
read_range (SymQueryCondition *self, gboolean is_time)
{
  const char *text = self->text, *dots = strstr (text, ".."), *end = text + strlen (text);

  if (!read_number (text, dots != NULL ? dots : end, is_time, &self->low))
    return FALSE;
  self->high = self->low;
  return dots == NULL || (self->comparison <= SYM_QUERY_IS_NOT &&
                          read_number (dots + 2, end, is_time, &self->high));
}

/* ---- Texts ---- */

/* Without the backslashes before quotation marks and themselves. */
static char *
unescape (const char *text, gsize length)
{
  GString *plain = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '\\' && i + 1 < length && (text[i + 1] == '"' || text[i + 1] == '\\'))
        i++;
      g_string_append_c (plain, text[i]);
    }
  return g_string_free (plain, FALSE);
}

/* Gives up what would take too long, as (a+)+$ does. */
#define MATCH_LIMIT "(*LIMIT_MATCH=20000)"

static gboolean
compile_expression (SymQueryCondition *self,
                    const char *text,
                    const SymQueryWord *word,
                    GError **error)
{
  g_autofree char *pattern = g_strconcat (MATCH_LIMIT, self->text, NULL);
  g_autoptr (GError) problem = NULL;

  self->expression = g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, &problem);
  if (self->expression == NULL)
    sym_query_set_error (
        error, SYM_QUERY_ERROR_SYNTAX, text, word->start, "this is no regular expression: %s",
        strrchr (problem->message, ':') != NULL ? strrchr (problem->message, ':') + 2
                                                : problem->message);
  return self->expression != NULL;
}

static gboolean
take_text (SymQueryCondition *self, const char *text, const SymQueryWord *word, GError **error)
{
  gsize length = word->text_end - word->text_start;
  g_autofree char *plain = word->kind == SYM_QUERY_WORD_QUOTED
                               ? unescape (text + word->text_start, length)
                               : g_strndup (text + word->text_start, length);

  if (word->kind == SYM_QUERY_WORD_EXPRESSION)
    {
      self->matching = SYM_QUERY_EXPRESSION;
      self->text = g_steal_pointer (&plain);
      return compile_expression (self, text, word, error);
    }
  self->text = sym_query_fold (plain);
  if (word->kind == SYM_QUERY_WORD_TEXT && strpbrk (self->text, "*?") != NULL)
    {
      self->matching = SYM_QUERY_GLOB;
      self->glob = g_pattern_spec_new (self->text);
    }
  else if (self->comparison != SYM_QUERY_HAS)
    self->matching = SYM_QUERY_WHOLE;
  return TRUE;
}

static gboolean
read_truth (SymQueryCondition *self)
{
  static const char *const yes[] = { "yes", "true", "1", NULL };
  static const char *const no[] = { "no", "false", "0", NULL };

  self->truth = g_strv_contains (yes, self->text);
  return self->truth || g_strv_contains (no, self->text);
}

/* ---- Which value a field takes ---- */

static const char *
get_wanted (SymQueryTakes takes)
{
  switch (takes)
    {
    case SYM_QUERY_TAKES_SHAPE:
      return "a shape";
    case SYM_QUERY_TAKES_NUMBER:
    case SYM_QUERY_TAKES_TIME:
      return "a number";
    case SYM_QUERY_TAKES_YES:
      return "yes or no";
    case SYM_QUERY_TAKES_QUERY:
      return "a text or a query in parentheses";
    case SYM_QUERY_TAKES_TEXT:
    case SYM_QUERY_TAKES_ANY:
      break;
    }
  return "a text";
}

static gboolean
fits (SymQueryCondition *self)
{
  gboolean is_number = read_range (self, self->field->takes == SYM_QUERY_TAKES_TIME);

  switch (self->field->takes)
    {
    case SYM_QUERY_TAKES_NUMBER:
    case SYM_QUERY_TAKES_TIME:
      return is_number || self->asks_unknown;
    case SYM_QUERY_TAKES_ANY:
      if (!is_number)
        self->low = self->high = NAN;
      return is_number || self->comparison <= SYM_QUERY_IS_NOT;
    case SYM_QUERY_TAKES_SHAPE:
      return self->matching == SYM_QUERY_EXPRESSION || sym_query_check_shape (self->text);
    case SYM_QUERY_TAKES_YES:
      return read_truth (self);
    case SYM_QUERY_TAKES_TEXT:
    case SYM_QUERY_TAKES_QUERY:
      break;
    }
  return TRUE;
}

static gboolean
fail (const SymQueryCondition *self,
      const char *text,
      const SymQueryWord *field,
      gsize place,
      GError **error)
{
  SymQueryTakes takes = self->field->takes;
  const char *wanted = takes == SYM_QUERY_TAKES_ANY && self->comparison > SYM_QUERY_IS_NOT
                           ? "a number"
                           : get_wanted (takes);

  sym_query_set_error (
      error, SYM_QUERY_ERROR_SYNTAX, text, place, "expected %s after “%.*s”, as in %s", wanted,
      (int) (field->end - field->start), text + field->start, self->field->info.example);
  return FALSE;
}

gboolean
sym_query_take_value (SymQueryCondition *self,
                      const char *text,
                      const SymQueryWord *field,
                      const SymQueryWord *value,
                      gsize *place,
                      GError **error)
{
  SymQueryTakes takes = self->field->takes;
  gboolean compares = takes == SYM_QUERY_TAKES_NUMBER || takes == SYM_QUERY_TAKES_TIME ||
                      takes == SYM_QUERY_TAKES_ANY;

  self->low = self->high = NAN;
  *place = value->start;
  if (!compares && self->comparison > SYM_QUERY_IS_NOT)
    {
      *place = field->text_end;
      sym_query_set_error (error, SYM_QUERY_ERROR_SYNTAX, text, *place,
                           "“%s” has no order: expected a colon, as in %s", self->field->info.name,
                           self->field->info.example);
      return FALSE;
    }
  if (value->kind != SYM_QUERY_WORD_TEXT && value->kind != SYM_QUERY_WORD_QUOTED &&
      value->kind != SYM_QUERY_WORD_EXPRESSION)
    return fail (self, text, field, value->start, error);
  if (!take_text (self, text, value, error))
    return FALSE;
  self->asks_unknown = self->comparison == SYM_QUERY_HAS && strcmp (self->text, "?") == 0;
  if (value->kind == SYM_QUERY_WORD_QUOTED && self->text[0] == '\0')
    return fail (self, text, field, value->start, error);
  return fits (self) || fail (self, text, field, value->start, error);
}

gboolean
sym_query_compare (const SymQueryCondition *self, double number)
{
  switch (self->comparison)
    {
    case SYM_QUERY_MORE:
      return number > self->low;
    case SYM_QUERY_MORE_OR_SAME:
      return number >= self->low;
    case SYM_QUERY_LESS:
      return number < self->low;
    case SYM_QUERY_LESS_OR_SAME:
      return number <= self->low;
    case SYM_QUERY_HAS:
    case SYM_QUERY_IS:
    case SYM_QUERY_IS_NOT:
      break;
    }
  return number >= self->low && number <= self->high;
}
