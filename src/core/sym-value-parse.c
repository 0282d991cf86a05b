/* SPDX-License-Identifier: MIT */
#include "core/sym-value.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 64

/* A place in the text.  Every parse function moves it behind what it took, or returns FALSE or
 * NULL. */
typedef struct {
  const char *at;
  guint depth;
} Parser;

static void
skip_space (Parser *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
accept (Parser *self, char c)
{
  skip_space (self);
  if (*self->at != c)
    return FALSE;

  self->at++;
  skip_space (self);
  return TRUE;
}

static gboolean
parse_hex (Parser *self, guint n_digits, gunichar *code)
{
  *code = 0;
  for (guint i = 0; i < n_digits; i++)
    {
      int digit = g_ascii_xdigit_value (*self->at);

      if (digit < 0)
        return FALSE;
      *code = *code * 16 + (gunichar) digit;
      self->at++;
    }
  return TRUE;
}

/* \xNN, \uNNNN (in JSON perhaps half of a surrogate pair) or \UNNNNNNNN. */
static gboolean
parse_code (Parser *self, char letter, GString *text)
{
  gunichar code;
  gunichar low;

  if (!parse_hex (self, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, &code))
    return FALSE;
  if (letter == 'u' && code >= 0xd800 && code < 0xdc00)
    {
      if (self->at[0] != '\\' || self->at[1] != 'u')
        return FALSE;
      self->at += 2;
      if (!parse_hex (self, 4, &low) || low < 0xdc00 || low > 0xdfff)
        return FALSE;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
  if (code == 0 || !g_unichar_validate (code))
    return FALSE;

  g_string_append_unichar (text, code);
  return TRUE;
}

static gboolean
parse_escape (Parser *self, GString *text)
{
  static const char letters[] = "\\'\"/nrtbfav";
  static const char meanings[] = "\\'\"/\n\r\t\b\f\a\v";
  char letter = *self->at;
  const char *found = letter == '\0' ? NULL : strchr (letters, letter);

  if (letter == '\0')
    return FALSE;
  self->at++;
  if (letter == 'x' || letter == 'u' || letter == 'U')
    return parse_code (self, letter, text);
  if (found == NULL)
    return FALSE;

  g_string_append_c (text, meanings[found - letters]);
  return TRUE;
}

static char *
parse_quoted (Parser *self)
{
  char quote = *self->at++;
  GString *text = g_string_new (NULL);

  while (*self->at != quote)
    {
      if (*self->at == '\\')
        {
          self->at++;
          if (parse_escape (self, text))
            continue;
        }
      else if (*self->at != '\0' && *self->at != '\n')
        {
          g_string_append_c (text, *self->at++);
          continue;
        }
      g_string_free (text, TRUE);
      return NULL;
    }

  self->at++;
  return g_string_free (text, FALSE);
}

static SymValue *
parse_string (Parser *self)
{
  g_autofree char *text = parse_quoted (self);

  return text == NULL ? NULL : sym_value_new_string (text);
}

/* [+-]digits with an optional 2L or 0x, or a float.  An integer beyond 64 bits is refused: it would
 * come out as another one. */
static SymValue *
parse_number (Parser *self)
{
  const char *digits = self->at + (*self->at == '-' || *self->at == '+');
  gboolean is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end;
  gint64 integer;
  double number;

  if (!g_ascii_isdigit (digits[0]) && !(digits[0] == '.' && g_ascii_isdigit (digits[1])))
    return NULL;

  errno = 0;
  integer = g_ascii_strtoll (self->at, &end, is_hex ? 16 : 10);
  if (strchr (".eE", *end) == NULL || *end == '\0')
    {
      if (errno == ERANGE)
        return NULL;
      self->at = end + (*end == 'L' || *end == 'l');
      return sym_value_new_int (integer);
    }

  number = g_ascii_strtod (self->at, &end);
  self->at = end;
  return sym_value_new_float (number);
}

typedef struct {
  const char *word;
  enum {
    WORD_NONE,
    WORD_TRUE,
    WORD_FALSE,
    WORD_ELLIPSIS,
    WORD_INF,
    WORD_MINUS_INF,
    WORD_NAN
  } meaning;
} Word;

static SymValue *
parse_word (Parser *self)
{
  static const Word words[] = {
    { "None", WORD_NONE },         { "null", WORD_NONE },      { "True", WORD_TRUE },
    { "true", WORD_TRUE },         { "False", WORD_FALSE },    { "false", WORD_FALSE },
    { "Ellipsis", WORD_ELLIPSIS }, { "...", WORD_ELLIPSIS },   { "inf", WORD_INF },
    { "Infinity", WORD_INF },      { "-inf", WORD_MINUS_INF }, { "-Infinity", WORD_MINUS_INF },
    { "nan", WORD_NAN },           { "NaN", WORD_NAN },
  };
  gsize length = *self->at == '-' ? 1 : strspn (self->at, ".");
  g_autofree char *word = NULL;
  SymDType dtype;

  while (g_ascii_isalnum (self->at[length]) || self->at[length] == '_')
    length++;
  word = g_strndup (self->at, length);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (strcmp (words[i].word, word) != 0)
        continue;
      self->at += length;
      switch (words[i].meaning)
        {
        case WORD_TRUE:
        case WORD_FALSE:
          return sym_value_new_bool (words[i].meaning == WORD_TRUE);
        case WORD_ELLIPSIS:
          return sym_value_new_ellipsis ();
        case WORD_INF:
          return sym_value_new_float (HUGE_VAL);
        case WORD_MINUS_INF:
          return sym_value_new_float (-HUGE_VAL);
        case WORD_NAN:
          return sym_value_new_float ((double) NAN);
        case WORD_NONE:
        default:
          return sym_value_new_none ();
        }
    }

  if (!sym_dtype_from_string (word, &dtype) || dtype == SYM_DTYPE_UNKNOWN)
    return NULL;
  self->at += length;
  return sym_value_new_dtype (dtype);
}

static SymValue *parse_value (Parser *self);

/* Values up to @closing.  *@n_commas tells (1) from (1,). */
static gboolean
parse_items (Parser *self, char closing, GPtrArray *items, guint *n_commas)
{
  *n_commas = 0;
  while (!accept (self, closing))
    {
      SymValue *item;

      if (items->len > *n_commas)
        return FALSE;
      item = parse_value (self);
      if (item == NULL)
        return FALSE;
      g_ptr_array_add (items, item);
      if (accept (self, ','))
        *n_commas += 1;
    }
  return TRUE;
}

static gpointer *
steal_items (GPtrArray *items)
{
  g_ptr_array_set_free_func (items, NULL);
  return items->pdata;
}

static SymValue *
parse_sequence (Parser *self, char closing)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  guint n_commas;
  guint n;

  self->at++;
  if (!parse_items (self, closing, items, &n_commas))
    return NULL;

  n = items->len;
  if (closing == ')' && n == 1 && n_commas == 0)
    return sym_value_ref (g_ptr_array_index (items, 0));
  if (closing == ')')
    return sym_value_new_tuple ((SymValue **) steal_items (items), n);
  return sym_value_new_list ((SymValue **) steal_items (items), n);
}

static SymValue *
parse_slice (Parser *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  SymValue **parts;
  guint n_commas;
  guint n;

  self->at += strlen ("slice(");
  if (!parse_items (self, ')', items, &n_commas) || items->len < 1 || items->len > 3)
    return NULL;

  n = items->len;
  parts = (SymValue **) steal_items (items);
  if (n == 1)
    return sym_value_new_slice (NULL, parts[0], NULL);
  return sym_value_new_slice (parts[0], parts[1], n == 3 ? parts[2] : NULL);
}

static gboolean
parse_entry (Parser *self, GPtrArray *keys, GPtrArray *items)
{
  SymValue *item;
  char *key;

  skip_space (self);
  if (*self->at != '\'' && *self->at != '"')
    return FALSE;
  key = parse_quoted (self);
  if (key == NULL)
    return FALSE;
  g_ptr_array_add (keys, key);
  if (!accept (self, ':'))
    return FALSE;
  item = parse_value (self);
  if (item == NULL)
    return FALSE;

  g_ptr_array_add (items, item);
  return TRUE;
}

static SymValue *
parse_dict (Parser *self)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_value_unref);
  gboolean may_go_on = TRUE;
  guint n;

  self->at++;
  while (!accept (self, '}'))
    {
      if (!may_go_on || !parse_entry (self, keys, items))
        return NULL;
      may_go_on = accept (self, ',');
    }

  n = items->len;
  return sym_value_new_dict ((const char *const *) keys->pdata, (SymValue **) steal_items (items),
                             n);
}

static SymValue *
parse_container (Parser *self)
{
  SymValue *value;

  if (self->depth == MAX_DEPTH)
    return NULL;

  self->depth++;
  if (*self->at == '{')
    value = parse_dict (self);
  else if (*self->at == 's')
    value = parse_slice (self);
  else
    value = parse_sequence (self, *self->at == '(' ? ')' : ']');
  self->depth--;
  return value;
}

static SymValue *
parse_value (Parser *self)
{
  SymValue *value;

  skip_space (self);
  if (*self->at == '(' || *self->at == '[' || *self->at == '{' ||
      g_str_has_prefix (self->at, "slice("))
    return parse_container (self);
  if (*self->at == '\'' || *self->at == '"')
    return parse_string (self);
  if ((*self->at == 'u' || *self->at == 'b') && (self->at[1] == '\'' || self->at[1] == '"'))
    {
      self->at++;
      return parse_string (self);
    }

  value = parse_number (self);
  return value != NULL ? value : parse_word (self);
}

SymValue *
sym_value_parse (const char *text)
{
  Parser parser = { .at = text };
  SymValue *value;

  g_return_val_if_fail (text != NULL, NULL);

  value = parse_value (&parser);
  if (value == NULL)
    return NULL;
  skip_space (&parser);
  if (*parser.at != '\0')
    g_clear_pointer (&value, sym_value_unref);

  return value;
}
