/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-regular-private.h"

gboolean
sym_op_regular_fail (const SymOpRegularReader *reader, const char *what, GError **error)
{
  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "“%s” is no regular expression of RE2: %s at byte %u", reader->start, what,
               (guint) (reader->place - reader->start));
  return FALSE;
}

/* ---- Having ---- */

static gboolean
part_has (const SymOpSetPart *part, gunichar c)
{
  gboolean has = c >= part->first && c <= part->last;

  if (part->categories != 0)
    has = (part->categories >> g_unichar_type (c) & 1) != 0;
  else if (part->script != G_UNICODE_SCRIPT_INVALID_CODE)
    has = g_unichar_get_script (c) == part->script;
  return has != part->is_negated;
}

static gboolean
any_part_has (const SymOpRegular *self, const SymOpSet *set, gunichar c)
{
  for (guint i = 0; i < set->n; i++)
    if (part_has (&g_array_index (self->parts, SymOpSetPart, set->first + i), c))
      return TRUE;
  return FALSE;
}

gboolean
sym_op_regular_has (const SymOpRegular *self, guint set_number, gunichar c)
{
  const SymOpSet *set = &g_array_index (self->sets, SymOpSet, set_number);
  gboolean has = any_part_has (self, set, c);

  if (!has && set->folds)
    has = any_part_has (self, set, g_unichar_tolower (c)) ||
          any_part_has (self, set, g_unichar_toupper (c)) ||
          any_part_has (self, set, g_unichar_totitle (c));
  return has != set->is_negated;
}

/* ---- Adding ---- */

static void
add_part (SymOpRegular *self, const SymOpSetPart *part)
{
  g_array_append_val (self->parts, *part);
}

static void
add_range (SymOpRegular *self, gunichar first, gunichar last, gboolean is_negated)
{
  SymOpSetPart part = {
    .first = first, .last = last, .script = G_UNICODE_SCRIPT_INVALID_CODE, .is_negated = is_negated
  };

  add_part (self, &part);
}

/* A set of the parts from @first on. */
static int
end_set (SymOpRegular *self, guint first, gboolean is_negated, gboolean folds)
{
  SymOpSet set = { first, self->parts->len - first, is_negated, folds };

  g_array_append_val (self->sets, set);
  return (int) self->sets->len - 1;
}

int
sym_op_regular_add_range (SymOpRegular *self,
                          gunichar first,
                          gunichar last,
                          gboolean is_negated,
                          gboolean folds)
{
  guint start = self->parts->len;

  add_range (self, first, last, FALSE);
  return end_set (self, start, is_negated, folds);
}

/* ---- Named sets ---- */

/* Ranges of ASCII, as pairs of characters. */
static const struct {
  const char *name, *ranges;
} classes[] = {
  { "alnum", "09AZaz" },
  { "alpha", "AZaz" },
  { "ascii", "\001\177" },
  { "blank", "\t\t  " },
  { "cntrl", "\001\037\177\177" },
  { "digit", "09" },
  { "graph", "!~" },
  { "lower", "az" },
  { "print", " ~" },
  { "punct", "!/:@[`{~" },
  { "space", "\t\r  " },
  { "upper", "AZ" },
  { "word", "09AZ__az" },
  { "xdigit", "09AFaf" },
};

/* The ranges, or what lies between them; those that may hold NUL do. */
static void
add_ranges (SymOpRegular *self, const char *ranges, gboolean is_negated)
{
  gunichar from = 0;

  for (gsize i = 0; ranges[i] != '\0'; i += 2)
    {
      gunichar first = (guchar) ranges[i], last = (guchar) ranges[i + 1];

      if (first == 1)
        first = 0;
      if (!is_negated)
        add_range (self, first, last, FALSE);
      else if (first > from)
        add_range (self, from, first - 1, FALSE);
      from = last + 1;
    }
  if (is_negated)
    add_range (self, from, 0x10ffff, FALSE);
}

/* \d \D \s \S \w \W. */
static gboolean
add_perl_class (SymOpRegular *self, char letter)
{
  gboolean is_negated = g_ascii_isupper (letter);

  switch (g_ascii_tolower (letter))
    {
    case 'd':
      add_ranges (self, "09", is_negated);
      return TRUE;
    case 's':
      add_ranges (self, "\t\n\f\r  ", is_negated);
      return TRUE;
    case 'w':
      add_ranges (self, "09AZ__az", is_negated);
      return TRUE;
    default:
      return FALSE;
    }
}

/* [:alpha:] and [:^alpha:], the reader being at the first colon. */
static gboolean
read_posix_class (SymOpRegularReader *reader, GError **error)
{
  const char *name = reader->place + 1, *end = strstr (name, ":]");
  gboolean is_negated = *name == '^';

  name += is_negated;
  for (guint i = 0; end != NULL && i < G_N_ELEMENTS (classes); i++)
    if (strlen (classes[i].name) == (gsize) (end - name) &&
        strncmp (classes[i].name, name, (gsize) (end - name)) == 0)
      {
        add_ranges (reader->self, classes[i].ranges, is_negated);
        reader->place = end + 2;
        return TRUE;
      }
  return sym_op_regular_fail (reader, "there is no such class", error);
}

/* In the order of GUnicodeType. */
static const char categories[] = "CcCfCnCoCsLlLmLoLtLuMcMeMnNdNlNoPcPdPePfPiPoPsScSkSmSoZlZpZs";

static const struct {
  const char *name, *code;
} scripts[] = {
  { "Arabic", "Arab" },    { "Armenian", "Armn" },  { "Bengali", "Beng" },
  { "Common", "Zyyy" },    { "Cyrillic", "Cyrl" },  { "Devanagari", "Deva" },
  { "Ethiopic", "Ethi" },  { "Georgian", "Geor" },  { "Greek", "Grek" },
  { "Gujarati", "Gujr" },  { "Gurmukhi", "Guru" },  { "Han", "Hani" },
  { "Hangul", "Hang" },    { "Hebrew", "Hebr" },    { "Hiragana", "Hira" },
  { "Inherited", "Zinh" }, { "Kannada", "Knda" },   { "Katakana", "Kana" },
  { "Khmer", "Khmr" },     { "Lao", "Laoo" },       { "Latin", "Latn" },
  { "Malayalam", "Mlym" }, { "Mongolian", "Mong" }, { "Myanmar", "Mymr" },
  { "Sinhala", "Sinh" },   { "Tamil", "Taml" },     { "Telugu", "Telu" },
  { "Thai", "Thai" },      { "Tibetan", "Tibt" },
};

static GUnicodeScript
find_script (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    if (g_str_equal (scripts[i].name, name))
      {
        const guchar *code = (const guchar *) scripts[i].code;

        return g_unicode_script_from_iso15924 ((guint32) code[0] << 24 | (guint32) code[1] << 16 |
                                               (guint32) code[2] << 8 | code[3]);
      }
  return G_UNICODE_SCRIPT_INVALID_CODE;
}

static guint32
find_categories (const char *name)
{
  guint32 found = 0;

  if (name[0] == '\0' || strlen (name) > 2)
    return g_str_equal (name, "Any") ? 0x3fffffff : 0;
  for (guint i = 0; i < 30; i++)
    if (categories[2 * i] == name[0] && (name[1] == '\0' || categories[2 * i + 1] == name[1]))
      found |= (guint32) 1 << i;
  return found;
}

/* \pL, \p{Greek}, \P{^Lu}: the reader is behind the p. */
static gboolean
read_unicode_class (SymOpRegularReader *reader, gboolean is_negated, GError **error)
{
  const char *start = reader->place, *end = start + (*start != '\0');
  g_autofree char *name = NULL;
  SymOpSetPart part = { .first = 1 };

  if (*start == '{')
    {
      start++;
      end = strchr (start, '}');
      if (end == NULL)
        return sym_op_regular_fail (reader, "there is no end of a name", error);
    }
  if (*start == '^')
    {
      is_negated = !is_negated;
      start++;
    }
  name = g_strndup (start, (gsize) (end - start));
  part.categories = find_categories (name);
  part.script = find_script (name);
  part.is_negated = is_negated;
  if (part.categories == 0 && part.script == G_UNICODE_SCRIPT_INVALID_CODE)
    return sym_op_regular_fail (reader, "no such category or script is known here", error);
  add_part (reader->self, &part);
  reader->place = end + (*end == '}');
  return TRUE;
}

/* ---- Single characters ---- */

static gboolean
read_hexadecimal (SymOpRegularReader *reader, gunichar *c, GError **error)
{
  gboolean braces = *reader->place == '{';
  guint n = 0;

  *c = 0;
  reader->place += braces;
  for (; g_ascii_isxdigit (*reader->place) && (braces || n < 2) && *c <= 0x10ffff; n++)
    *c = *c * 16 + (gunichar) g_ascii_xdigit_value (*reader->place++);
  if (n < (braces ? 1 : 2) || *c > 0x10ffff || (braces && *reader->place != '}'))
    return sym_op_regular_fail (reader, "there is no hexadecimal number of a character", error);
  reader->place += braces;
  return TRUE;
}

/* A character behind a backslash that stands for itself or for another.  One digit alone would be a
 * reference back, unless it is 0. */
static gboolean
read_escaped (SymOpRegularReader *reader, gunichar *c, GError **error)
{
  static const char letters[] = "aftnrv", meanings[] = "\a\f\t\n\r\v";
  char letter = *reader->place;
  const char *found = letter == '\0' ? NULL : strchr (letters, letter);

  if (letter == 'x')
    {
      reader->place++;
      return read_hexadecimal (reader, c, error);
    }
  if (found != NULL)
    *c = (gunichar) meanings[found - letters];
  else if (letter == '0' ||
           (letter >= '1' && letter <= '7' && reader->place[1] >= '0' && reader->place[1] <= '7'))
    {
      *c = 0;
      for (guint n = 0; n < 3 && *reader->place >= '0' && *reader->place <= '7'; n++)
        *c = *c * 8 + (gunichar) (*reader->place++ - '0');
      return TRUE;
    }
  else if (letter > 0 && letter < 127 && !g_ascii_isalnum (letter) && !g_ascii_iscntrl (letter))
    *c = (gunichar) letter;
  else
    return sym_op_regular_fail (reader, "there is no such escape", error);
  reader->place++;
  return TRUE;
}

/* What is behind a backslash, as parts: a set, or a character, which is told in *@c, else left. */
static gboolean
read_escape (SymOpRegularReader *reader, gunichar *c, gboolean *is_set, GError **error)
{
  char letter = *reader->place;

  *is_set = TRUE;
  if (add_perl_class (reader->self, letter))
    {
      reader->place++;
      return TRUE;
    }
  if (letter == 'p' || letter == 'P')
    {
      reader->place++;
      return read_unicode_class (reader, letter == 'P', error);
    }
  *is_set = FALSE;
  return read_escaped (reader, c, error);
}

int
sym_op_regular_read_escape (SymOpRegularReader *reader, gboolean folds, GError **error)
{
  guint first = reader->self->parts->len;
  gboolean is_set;
  gunichar c;

  if (!read_escape (reader, &c, &is_set, error))
    return -1;
  if (!is_set)
    add_range (reader->self, c, c, FALSE);
  return end_set (reader->self, first, FALSE, folds);
}

/* ---- Classes ---- */

/* One character of a class, or a set in it. */
static gboolean
read_member (SymOpRegularReader *reader, gunichar *c, gboolean *is_set, GError **error)
{
  *is_set = FALSE;
  if (*reader->place == '\0')
    return sym_op_regular_fail (reader, "there is no ]", error);
  if (*reader->place == '\\')
    {
      reader->place++;
      return read_escape (reader, c, is_set, error);
    }
  reader->place += sym_op_next_character (reader->place, strlen (reader->place), c);
  return TRUE;
}

/* A member, or a range of two. */
static gboolean
read_members (SymOpRegularReader *reader, GError **error)
{
  gunichar first, last;
  gboolean is_set;

  if (reader->place[0] == '[' && reader->place[1] == ':')
    {
      reader->place++;
      return read_posix_class (reader, error);
    }
  if (!read_member (reader, &first, &is_set, error))
    return FALSE;
  if (is_set)
    return TRUE;
  last = first;
  if (reader->place[0] == '-' && reader->place[1] != ']' && reader->place[1] != '\0')
    {
      reader->place++;
      if (!read_member (reader, &last, &is_set, error))
        return FALSE;
      if (is_set || last < first)
        return sym_op_regular_fail (reader, "there is a range without end", error);
    }
  add_range (reader->self, first, last, FALSE);
  return TRUE;
}

int
sym_op_regular_read_class (SymOpRegularReader *reader, gboolean folds, GError **error)
{
  guint first = reader->self->parts->len;
  gboolean is_negated;

  reader->place++;
  is_negated = *reader->place == '^';
  reader->place += is_negated;
  /* A bracket that comes first is a member. */
  do
    if (!read_members (reader, error))
      return -1;
  while (*reader->place != ']');
  reader->place++;
  return end_set (reader->self, first, is_negated, folds);
}
