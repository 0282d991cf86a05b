/* SPDX-License-Identifier: MIT */
#include "io/sym-json-private.h"

#include <string.h>

/* One pass over the bytes: checks the grammar, notes where every value is.  No recursion: @stack holds
 * the open containers. */
typedef struct {
  const guint8 *start;
  const guint8 *at;
  const guint8 *end;
  const guint8 *line_start;
  guint line;
  GArray *tokens; /* of SymJsonToken */
  guint stack[SYM_JSON_MAX_DEPTH];
  guint depth;
  guint first_nan;
  SymProblems *problems;
  GError **error;
} Scan;

typedef enum {
  EXPECT_VALUE,
  EXPECT_VALUE_OR_END, /* just after [ */
  EXPECT_KEY_OR_END,   /* just after { */
  EXPECT_KEY,
  EXPECT_COLON,
  EXPECT_COMMA_OR_END,
  EXPECT_NOTHING, /* after the document */
  FAILED,
} State;

static SymJsonToken *
get_container (Scan *scan)
{
  return &g_array_index (scan->tokens, SymJsonToken, scan->stack[scan->depth - 1]);
}

static const char *
describe_expected (Scan *scan, State state)
{
  switch (state)
    {
    case EXPECT_VALUE:
      return "a value";
    case EXPECT_VALUE_OR_END:
      return "a value or ']'";
    case EXPECT_KEY_OR_END:
      return "a key in double quotes or '}'";
    case EXPECT_KEY:
      return "a key in double quotes";
    case EXPECT_COLON:
      return "':' after the key";
    case EXPECT_COMMA_OR_END:
      return get_container (scan)->kind == SYM_JSON_ARRAY ? "',' or ']'" : "',' or '}'";
    case EXPECT_NOTHING:
      return "the end of the file";
    case FAILED:
    default:
      g_return_val_if_reached ("something else");
    }
}

/* What is found at the scan's place, for people. */
static char *
describe_found (Scan *scan)
{
  guint8 byte;

  if (scan->at >= scan->end)
    return g_strdup ("the end of the file");

  byte = *scan->at;
  if (byte >= 0x20 && byte < 0x7f)
    return g_strdup_printf ("'%c'", byte);
  if (byte == '\n' || byte == '\r')
    return g_strdup ("the end of the line");
  return g_strdup_printf ("the byte 0x%02X", byte);
}

static State
fail (Scan *scan, const char *expected)
{
  g_autofree char *found = describe_found (scan);
  g_autofree char *opened = NULL;

  if (scan->at >= scan->end && scan->depth > 0)
    opened = g_strdup_printf ("; the %s of line %u is not closed: the file is cut off",
                              get_container (scan)->kind == SYM_JSON_ARRAY ? "array" : "object",
                              get_container (scan)->line);
  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u, column %" G_GSIZE_FORMAT ": expected %s, found %s%s", scan->line,
               (gsize) (scan->at - scan->line_start) + 1, expected, found,
               opened == NULL ? "" : opened);
  return FAILED;
}

static void
skip_blanks (Scan *scan)
{
  const guint8 *at = scan->at;

  for (; at < scan->end; at++)
    {
      if (*at == '\n')
        {
          scan->line++;
          scan->line_start = at + 1;
        }
      else if (*at != ' ' && *at != '\t' && *at != '\r')
        {
          break;
        }
    }
  scan->at = at;
}

static SymJsonToken *
add_token (Scan *scan, SymJsonKind kind)
{
  SymJsonToken token = {
    .start = (guint32) (scan->at - scan->start),
    .next = scan->tokens->len + 1,
    .line = scan->line > SYM_JSON_MAX_LINE ? 0 : scan->line,
    .kind = kind,
  };

  g_array_append_val (scan->tokens, token);
  return &g_array_index (scan->tokens, SymJsonToken, scan->tokens->len - 1);
}

static void
end_token (Scan *scan, SymJsonToken *token)
{
  token->end = (guint32) (scan->at - scan->start);
}

/* The length of the UTF-8 sequence at @at, 0 when it is none: too long a form, a surrogate, beyond
 * U+10FFFF, cut off. */
static guint
get_sequence_length (const guint8 *at, const guint8 *end)
{
  guint n = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;

  if (at[0] < 0xc2 || at[0] > 0xf4 || (gsize) (end - at) < n)
    return 0;
  for (guint i = 1; i < n; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0)
      || (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
    return 0;
  return n;
}

/* The number of the four digits at @at, -1 when they are not there. */
static int
get_hex (const guint8 *at, const guint8 *end)
{
  int code = 0;

  for (guint i = 0; i < 4; i++)
    {
      int digit = at + i < end ? g_ascii_xdigit_value ((char) at[i]) : -1;

      if (digit < 0)
        return -1;
      code = code * 16 + digit;
    }
  return code;
}

static void
note_escape (Scan *scan, const char *what)
{
  if (scan->problems != NULL)
    sym_problems_add (scan->problems, SYM_SEVERITY_WARNING, scan->line, SYM_NO_ID, SYM_NO_ID,
                      "%s in a string is no text; U+FFFD is shown in its place", what);
}

/* At the u of \uXXXX. */
static gboolean
scan_unicode_escape (Scan *scan)
{
  int code = get_hex (scan->at + 1, scan->end);

  if (code < 0)
    {
      for (scan->at++; scan->at < scan->end && g_ascii_isxdigit (*scan->at);)
        scan->at++;
      return fail (scan, "four hexadecimal digits after \\u") != FAILED;
    }

  scan->at += 5;
  if (code == 0)
    {
      note_escape (scan, "\\u0000");
    }
  else if (code >= 0xd800 && code < 0xe000)
    {
      int low = code < 0xdc00 && scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
        ? get_hex (scan->at + 2, scan->end)
        : -1;

      if (low >= 0xdc00 && low < 0xe000)
        scan->at += 6;
      else
        note_escape (scan, "half of a surrogate pair");
    }
  return TRUE;
}

/* At the byte after a backslash. */
static gboolean
scan_escape (Scan *scan)
{
  if (scan->at < scan->end && *scan->at == 'u')
    return scan_unicode_escape (scan);
  if (scan->at >= scan->end || *scan->at == 0 || strchr ("\"\\/bfnrt", *scan->at) == NULL)
    return fail (scan, "one of \" \\ / b f n r t u after the backslash") != FAILED;

  scan->at++;
  return TRUE;
}

/* A byte of a string that is neither plain nor its end. */
static gboolean
scan_special (Scan *scan, gboolean *is_escaped)
{
  guint length;

  if (*scan->at == '\\')
    {
      *is_escaped = TRUE;
      scan->at++;
      return scan_escape (scan);
    }
  if (*scan->at < 0x20)
    return fail (scan, "'\"' at the end of the string (control characters must be escaped)") != FAILED;

  length = get_sequence_length (scan->at, scan->end);
  if (length == 0)
    return fail (scan, "UTF-8 text") != FAILED;
  scan->at += length;
  return TRUE;
}

static const guint8 *
skip_plain (const guint8 *at, const guint8 *end)
{
  while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
    at++;
  return at;
}

static gboolean
scan_string (Scan *scan)
{
  SymJsonToken *token = add_token (scan, SYM_JSON_STRING);
  gboolean is_escaped = FALSE;

  for (scan->at++;;)
    {
      scan->at = skip_plain (scan->at, scan->end);
      if (scan->at >= scan->end)
        return fail (scan, "'\"' at the end of the string") != FAILED;
      if (*scan->at == '"')
        break;
      if (!scan_special (scan, &is_escaped))
        return FALSE;
    }

  scan->at++;
  token->is_escaped = is_escaped;
  end_token (scan, token);
  return TRUE;
}

static gboolean
skip_digits (Scan *scan)
{
  const guint8 *first = scan->at;

  while (scan->at < scan->end && g_ascii_isdigit (*scan->at))
    scan->at++;
  return scan->at > first;
}

static gboolean
accept_byte (Scan *scan, char a, char b)
{
  if (scan->at >= scan->end || (*scan->at != a && *scan->at != b))
    return FALSE;

  scan->at++;
  return TRUE;
}

static gboolean
accept_word (Scan *scan, const char *word)
{
  gsize length = strlen (word);

  if ((gsize) (scan->end - scan->at) < length || memcmp (scan->at, word, length) != 0)
    return FALSE;

  scan->at += length;
  return TRUE;
}

static gboolean
scan_digits (Scan *scan)
{
  if (accept_byte (scan, '0', '0'))
    {
      if (scan->at < scan->end && g_ascii_isdigit (*scan->at))
        return fail (scan, "no digit after a leading 0") != FAILED;
    }
  else if (!skip_digits (scan))
    {
      return fail (scan, "a digit") != FAILED;
    }
  if (accept_byte (scan, '.', '.') && !skip_digits (scan))
    return fail (scan, "a digit after the decimal point") != FAILED;
  if (accept_byte (scan, 'e', 'E'))
    {
      accept_byte (scan, '+', '-');
      if (!skip_digits (scan))
        return fail (scan, "a digit of the exponent") != FAILED;
    }
  return TRUE;
}

static gboolean
scan_number (Scan *scan, const char *expected)
{
  SymJsonToken *token = add_token (scan, SYM_JSON_NUMBER);
  gboolean is_negative = accept_byte (scan, '-', '-');

  if (accept_word (scan, "Infinity") || (!is_negative && accept_word (scan, "NaN")))
    {
      token->is_nonfinite = TRUE;
      scan->first_nan = MIN (scan->first_nan, scan->tokens->len - 1);
    }
  else if (!is_negative && !g_ascii_isdigit (*scan->at))
    {
      return fail (scan, expected) != FAILED;
    }
  else if (!scan_digits (scan))
    {
      return FALSE;
    }
  end_token (scan, token);
  return TRUE;
}

static gboolean
scan_word (Scan *scan, const char *expected)
{
  SymJsonToken *token = add_token (scan, *scan->at == 'n' ? SYM_JSON_NULL : SYM_JSON_BOOL);

  if (!accept_word (scan, "null") && !accept_word (scan, "true") && !accept_word (scan, "false"))
    return fail (scan, expected) != FAILED;

  end_token (scan, token);
  return TRUE;
}

static State
finish_value (Scan *scan)
{
  return scan->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END;
}

static State
open_container (Scan *scan)
{
  gboolean is_array = *scan->at == '[';

  if (scan->depth == SYM_JSON_MAX_DEPTH)
    {
      g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "line %u, column %" G_GSIZE_FORMAT ": nested deeper than %d levels", scan->line,
                   (gsize) (scan->at - scan->line_start) + 1, SYM_JSON_MAX_DEPTH);
      return FAILED;
    }

  add_token (scan, is_array ? SYM_JSON_ARRAY : SYM_JSON_OBJECT);
  scan->stack[scan->depth++] = scan->tokens->len - 1;
  scan->at++;
  return is_array ? EXPECT_VALUE_OR_END : EXPECT_KEY_OR_END;
}

static State
close_container (Scan *scan)
{
  SymJsonToken *token = get_container (scan);

  scan->at++;
  token->next = scan->tokens->len;
  end_token (scan, token);
  scan->depth--;
  return finish_value (scan);
}

static State
scan_value (Scan *scan, State state)
{
  const char *expected = describe_expected (scan, state);
  gboolean is_good;

  switch (*scan->at)
    {
    case '{':
    case '[':
      return open_container (scan);
    case '"':
      is_good = scan_string (scan);
      break;
    case 'n':
    case 't':
    case 'f':
      is_good = scan_word (scan, expected);
      break;
    default:
      is_good = scan_number (scan, expected);
      break;
    }
  return is_good ? finish_value (scan) : FAILED;
}

static State
scan_key (Scan *scan, State state)
{
  if (*scan->at != '"')
    return fail (scan, describe_expected (scan, state));

  return scan_string (scan) ? EXPECT_COLON : FAILED;
}

static State
scan_separator (Scan *scan)
{
  gboolean is_array = get_container (scan)->kind == SYM_JSON_ARRAY;

  if (*scan->at == (is_array ? ']' : '}'))
    return close_container (scan);
  if (!accept_byte (scan, ',', ','))
    return fail (scan, describe_expected (scan, EXPECT_COMMA_OR_END));

  return is_array ? EXPECT_VALUE : EXPECT_KEY;
}

/* Something comes after the document. */
static State
refuse_rest (Scan *scan)
{
  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u, column %" G_GSIZE_FORMAT ": expected the end of the file, found %s",
               scan->line, (gsize) (scan->at - scan->line_start) + 1,
               *scan->at == '{' || *scan->at == '[' ? "a second document" : "text after the document");
  return FAILED;
}

/* One step; there is a byte to look at. */
static State
step (Scan *scan, State state)
{
  switch (state)
    {
    case EXPECT_VALUE_OR_END:
      return *scan->at == ']' ? close_container (scan) : scan_value (scan, state);
    case EXPECT_VALUE:
      return scan_value (scan, state);
    case EXPECT_KEY_OR_END:
      return *scan->at == '}' ? close_container (scan) : scan_key (scan, state);
    case EXPECT_KEY:
      return scan_key (scan, state);
    case EXPECT_COLON:
      return accept_byte (scan, ':', ':') ? EXPECT_VALUE
                                          : fail (scan, describe_expected (scan, state));
    case EXPECT_COMMA_OR_END:
      return scan_separator (scan);
    case EXPECT_NOTHING:
      return refuse_rest (scan);
    case FAILED:
    default:
      return FAILED;
    }
}

static gboolean
run (Scan *scan)
{
  State state = EXPECT_VALUE;

  while (state != FAILED)
    {
      skip_blanks (scan);
      if (scan->at >= scan->end)
        break;
      state = step (scan, state);
    }
  if (state != FAILED && state != EXPECT_NOTHING)
    state = fail (scan, describe_expected (scan, state));
  return state != FAILED;
}

/* The name of a wide encoding that a mark, or the zeros around the first bracket, show; NULL for
 * UTF-8. */
static const char *
find_wide_encoding (const guint8 *bytes, gsize n)
{
  static const struct {
    const char *start;
    gsize length;
    const char *name;
  } encodings[] = {
    { "\xff\xfe\0\0", 4, "UTF-32" },
    { "\0\0\xfe\xff", 4, "UTF-32" },
    { "{\0\0\0", 4, "UTF-32" },
    { "\0\0\0{", 4, "UTF-32" },
    { "\xff\xfe", 2, "UTF-16 (little-endian)" },
    { "{\0", 2, "UTF-16 (little-endian)" },
    { "[\0", 2, "UTF-16 (little-endian)" },
    { "\xfe\xff", 2, "UTF-16 (big-endian)" },
    { "\0{", 2, "UTF-16 (big-endian)" },
    { "\0[", 2, "UTF-16 (big-endian)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    if (n >= encodings[i].length && memcmp (bytes, encodings[i].start, encodings[i].length) == 0)
      return encodings[i].name;

  return NULL;
}

/* What can be told before the first token. */
static gboolean
check_start (Scan *scan)
{
  gsize size = (gsize) (scan->end - scan->start);
  const char *encoding = find_wide_encoding (scan->start, size);

  if (size >= G_MAXUINT32)
    g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                 "the text has %" G_GSIZE_FORMAT " bytes; JSON is read up to 4 GiB", size);
  else if (encoding != NULL)
    g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
                 "the text is %s; JSON must be UTF-8", encoding);
  else
    return TRUE;
  return FALSE;
}

static void
skip_byte_order_mark (Scan *scan)
{
  if (!accept_word (scan, "\xef\xbb\xbf"))
    return;

  if (scan->problems != NULL)
    sym_problems_add (scan->problems, SYM_SEVERITY_WARNING, 1, SYM_NO_ID, SYM_NO_ID,
                      "the file starts with a byte order mark, which JSON does not allow");
}

/* Blank files have no place to point at. */
static gboolean
check_not_blank (Scan *scan)
{
  skip_blanks (scan);
  if (scan->at < scan->end)
    return TRUE;

  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               scan->end == scan->start ? "the file is empty" : "the file holds nothing but blanks");
  return FALSE;
}

SymJson *
sym_json_parse (GBytes *bytes, SymProblems *problems, GError **error)
{
  g_autofree Scan *scan = g_new0 (Scan, 1);
  gsize size;
  SymJson *self;

  scan->start = g_bytes_get_data (bytes, &size);
  scan->at = scan->line_start = scan->start;
  scan->end = scan->start + size;
  scan->line = 1;
  scan->tokens = g_array_new (FALSE, FALSE, sizeof (SymJsonToken));
  scan->first_nan = SYM_JSON_NONE;
  scan->problems = problems;
  scan->error = error;

  if (!check_start (scan))
    {
      g_array_unref (scan->tokens);
      return NULL;
    }
  skip_byte_order_mark (scan);
  if (!check_not_blank (scan) || !run (scan))
    {
      g_array_unref (scan->tokens);
      return NULL;
    }

  self = g_new0 (SymJson, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->bytes = g_bytes_ref (bytes);
  self->text = (const char *) scan->start;
  self->n_tokens = scan->tokens->len;
  self->first_nan = scan->first_nan;
  self->tokens = g_realloc_n (g_array_free (scan->tokens, FALSE), self->n_tokens,
                              sizeof (SymJsonToken));
  return self;
}
