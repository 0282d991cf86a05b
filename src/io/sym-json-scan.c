/* SPDX-License-Identifier: MIT */
#include "io/sym-json-scan-private.h"

#include "core/sym-progress.h"
#include "io/sym-json-plain.h"

#include <string.h>

/* Between two looks at whether it is to go on. */
#define TELL_BYTES (256 << 10)

static const char *
describe_expected (SymJsonScan *scan, SymJsonExpect state)
{
  switch (state)
    {
    case SYM_JSON_EXPECT_VALUE:
      return "a value";
    case SYM_JSON_EXPECT_VALUE_OR_END:
      return "a value or ']'";
    case SYM_JSON_EXPECT_KEY_OR_END:
      return "a key in double quotes or '}'";
    case SYM_JSON_EXPECT_KEY:
      return "a key in double quotes";
    case SYM_JSON_EXPECT_COLON:
      return "':' after the key";
    case SYM_JSON_EXPECT_COMMA_OR_END:
      return sym_json_scan_get_container (scan)->kind == SYM_JSON_ARRAY ? "',' or ']'"
                                                                        : "',' or '}'";
    case SYM_JSON_EXPECT_NOTHING:
      return "the end of the file";
    case SYM_JSON_FAILED:
    default:
      g_return_val_if_reached ("something else");
    }
}

/* What is found at the scan's place, for people. */
static char *
describe_found (SymJsonScan *scan)
{
  guint8 byte;

  if (scan->at >= scan->end)
    return g_strdup ("the end of the file");

  byte = *scan->at;
  if (byte == '/' && scan->at + 1 < scan->end && (scan->at[1] == '/' || scan->at[1] == '*'))
    return g_strdup ("a comment, which JSON does not have");
  if (byte >= 0x20 && byte < 0x7f)
    return g_strdup_printf ("'%c'", byte);
  if (byte == '\n' || byte == '\r')
    return g_strdup ("the end of the line");
  return g_strdup_printf ("the byte 0x%02X", byte);
}

gboolean
sym_json_scan_fail (SymJsonScan *scan, const char *expected)
{
  g_autofree char *found = describe_found (scan);
  g_autofree char *opened = NULL;

  if (scan->at >= scan->end && scan->depth > 0)
    opened = g_strdup_printf (
        "; the %s of line %u is not closed: the file is cut off",
        sym_json_scan_get_container (scan)->kind == SYM_JSON_ARRAY ? "array" : "object",
        1 + sym_json_count_ends ((const char *) scan->start,
                                 (const char *) scan->start +
                                     sym_json_scan_get_container (scan)->start));
  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u, column %" G_GSIZE_FORMAT ": expected %s, found %s%s", scan->line,
               (gsize) (scan->at - scan->line_start) + 1, expected, found,
               opened == NULL ? "" : opened);
  return FALSE;
}

static SymJsonExpect
fail (SymJsonScan *scan, const char *expected)
{
  sym_json_scan_fail (scan, expected);
  return SYM_JSON_FAILED;
}

static inline void
skip_blanks (SymJsonScan *scan)
{
  const guint8 *at = scan->at;

  while (at < scan->end && *at <= ' ')
    {
      if (*at == '\n')
        {
          sym_json_scan_note_line (scan, at);
          scan->line++;
          scan->line_start = at + 1;
          at = sym_json_skip_spaces (at + 1, scan->end);
        }
      else if (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
      else
        break;
    }
  scan->at = at;
}

/* A file has rarely fewer bytes for each token, so that the first room is enough; and never fewer
 * than two, so that there are fewer than 2^32. */
#define USUAL_TOKEN 8
#define MAX_FIRST_ROOM (1u << 24)

void
sym_json_scan_grow (SymJsonScan *scan)
{
  gsize size = (gsize) (scan->end - scan->start);

  scan->capacity = scan->capacity == 0 ? (guint) MIN (size / USUAL_TOKEN, MAX_FIRST_ROOM) + 16
                                       : (guint) MIN ((guint64) scan->capacity * 2, G_MAXUINT32);
  scan->tokens = g_renew (SymJsonToken, scan->tokens, scan->capacity);
}

gboolean
sym_json_scan_accept (SymJsonScan *scan, const char *text)
{
  gsize length = strlen (text);

  if ((gsize) (scan->end - scan->at) < length || memcmp (scan->at, text, length) != 0)
    return FALSE;

  scan->at += length;
  return TRUE;
}

/* Over a comma or a colon, and the space that mostly follows. */
static inline void
skip_mark (SymJsonScan *scan)
{
  scan->at++;
  if (scan->at < scan->end && *scan->at == ' ')
    scan->at++;
}

/* At its bracket. */
static inline void
close_container (SymJsonScan *scan)
{
  SymJsonToken *token = sym_json_scan_get_container (scan);

  scan->at++;
  token->extent = scan->n_tokens;
  scan->depth--;
  scan->is_array = scan->depth > 0 && sym_json_scan_get_container (scan)->kind == SYM_JSON_ARRAY;
}

/* A comma mostly follows at once, or what is around the value ends there, too. */
static inline SymJsonExpect
finish_value (SymJsonScan *scan)
{
  while (scan->depth > 0 && scan->at < scan->end && *scan->at == (scan->is_array ? ']' : '}'))
    close_container (scan);
  if (scan->depth == 0)
    return SYM_JSON_EXPECT_NOTHING;
  if (scan->at >= scan->end || *scan->at != ',')
    return SYM_JSON_EXPECT_COMMA_OR_END;

  skip_mark (scan);
  return scan->is_array ? SYM_JSON_EXPECT_VALUE : SYM_JSON_EXPECT_KEY;
}

/* Whether there is a byte that begins something, and nothing to be looked at before: see run(). */
static inline gboolean
goes_on (const SymJsonScan *scan)
{
  return scan->at < scan->next_tell && scan->at<scan->end && * scan->at> ' ' &&
         scan->n_tokens <= scan->max_tokens;
}

static SymJsonExpect
fail_limit (SymJsonScan *scan, const char *what, guint limit, const char *unit)
{
  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
               "line %u, column %" G_GSIZE_FORMAT ": %s %u %s", scan->line,
               (gsize) (scan->at - scan->line_start) + 1, what, limit, unit);
  return SYM_JSON_FAILED;
}

static SymJsonExpect
open_container (SymJsonScan *scan)
{
  gboolean is_array = *scan->at == '[';

  if (scan->depth == SYM_JSON_MAX_DEPTH)
    return fail_limit (scan, "nested deeper than", SYM_JSON_MAX_DEPTH, "levels");

  scan->stack[scan->depth++] = scan->n_tokens;
  sym_json_scan_add (scan, is_array ? SYM_JSON_ARRAY : SYM_JSON_OBJECT, scan->at + 1);
  scan->is_array = is_array;
  return is_array ? SYM_JSON_EXPECT_VALUE_OR_END : SYM_JSON_EXPECT_KEY_OR_END;
}

static SymJsonExpect
end_container (SymJsonScan *scan)
{
  close_container (scan);
  return finish_value (scan);
}

static inline gboolean
scan_string (SymJsonScan *scan)
{
  const guint8 *at = sym_json_skip_plain (scan->at + 1, scan->end);

  if (at >= scan->end || *at != '"')
    return sym_json_scan_string_from (scan, at);
  sym_json_scan_add (scan, SYM_JSON_STRING, at + 1);
  return TRUE;
}

static inline gboolean
scan_number (SymJsonScan *scan, const char *expected)
{
  const guint8 *at = sym_json_skip_whole (scan->at, scan->end);

  if (at == scan->at)
    return sym_json_scan_number (scan, expected);
  sym_json_scan_add (scan, SYM_JSON_NUMBER, at);
  return TRUE;
}

/* And those that follow in an array, without a round for each. */
static inline SymJsonExpect
scan_numbers (SymJsonScan *scan, const char *expected)
{
  SymJsonExpect state;

  do
    {
      if (!scan_number (scan, expected))
        return SYM_JSON_FAILED;
      state = finish_value (scan);
    }
  while (state == SYM_JSON_EXPECT_VALUE && goes_on (scan) && g_ascii_isdigit (*scan->at));
  return state;
}

static inline SymJsonExpect
scan_value (SymJsonScan *scan, SymJsonExpect state)
{
  const char *expected = state == SYM_JSON_EXPECT_VALUE ? "a value" : "a value or ']'";
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
      is_good = sym_json_scan_word (scan, expected);
      break;
    default:
      return scan_numbers (scan, expected);
    }
  return is_good ? finish_value (scan) : SYM_JSON_FAILED;
}

static inline SymJsonExpect
scan_key (SymJsonScan *scan, SymJsonExpect state)
{
  if (*scan->at != '"')
    return fail (scan, describe_expected (scan, state));

  if (!scan_string (scan))
    return SYM_JSON_FAILED;
  if (scan->at >= scan->end || *scan->at != ':')
    return SYM_JSON_EXPECT_COLON;

  skip_mark (scan);
  return SYM_JSON_EXPECT_VALUE;
}

static SymJsonExpect
scan_colon (SymJsonScan *scan)
{
  if (*scan->at != ':')
    return fail (scan, describe_expected (scan, SYM_JSON_EXPECT_COLON));

  scan->at++;
  return SYM_JSON_EXPECT_VALUE;
}

static SymJsonExpect
scan_separator (SymJsonScan *scan)
{
  gboolean is_array = scan->is_array;

  if (*scan->at == (is_array ? ']' : '}'))
    return end_container (scan);
  if (*scan->at != ',')
    return fail (scan, describe_expected (scan, SYM_JSON_EXPECT_COMMA_OR_END));

  scan->at++;
  return is_array ? SYM_JSON_EXPECT_VALUE : SYM_JSON_EXPECT_KEY;
}

/* Something comes after the document. */
static SymJsonExpect
refuse_rest (SymJsonScan *scan)
{
  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               "line %u, column %" G_GSIZE_FORMAT ": expected the end of the file, found %s",
               scan->line, (gsize) (scan->at - scan->line_start) + 1,
               *scan->at == '{' || *scan->at == '[' ? "a second document"
                                                    : "text after the document");
  return SYM_JSON_FAILED;
}

/* One step; there is a byte to look at. */
static SymJsonExpect
step (SymJsonScan *scan, SymJsonExpect state)
{
  switch (state)
    {
    case SYM_JSON_EXPECT_VALUE_OR_END:
      return *scan->at == ']' ? end_container (scan) : scan_value (scan, state);
    case SYM_JSON_EXPECT_VALUE:
      return scan_value (scan, state);
    case SYM_JSON_EXPECT_KEY_OR_END:
      return *scan->at == '}' ? end_container (scan) : scan_key (scan, state);
    case SYM_JSON_EXPECT_KEY:
      return scan_key (scan, state);
    case SYM_JSON_EXPECT_COLON:
      return scan_colon (scan);
    case SYM_JSON_EXPECT_COMMA_OR_END:
      return scan_separator (scan);
    case SYM_JSON_EXPECT_NOTHING:
      return refuse_rest (scan);
    case SYM_JSON_FAILED:
    default:
      return SYM_JSON_FAILED;
    }
}

/* Behind the first that is too many. */
static SymJsonExpect
fail_too_many (SymJsonScan *scan)
{
  const SymJsonToken *token = &scan->tokens[scan->max_tokens];

  scan->at = scan->start + token->start + (sym_json_is_container (token) ? 1 : token->extent);
  return fail_limit (scan, "more than", scan->max_tokens, "keys and values");
}

/* FALSE when cancelled. */
static gboolean
tell (SymJsonScan *scan)
{
  gsize done = (gsize) (scan->at - scan->start);

  scan->next_tell = scan->at + MIN ((gsize) (scan->end - scan->at), TELL_BYTES);
  sym_progress_tell (scan->cancellable, done, (gsize) (scan->end - scan->start));
  return !g_cancellable_set_error_if_cancelled (scan->cancellable, scan->error);
}

static gboolean
run (SymJsonScan *scan)
{
  SymJsonExpect state = SYM_JSON_EXPECT_VALUE;

  while (state != SYM_JSON_FAILED)
    {
      state = sym_json_scan_plain (scan, state);
      skip_blanks (scan);
      if (scan->at >= scan->end)
        break;
      state = step (scan, state);
      if (state != SYM_JSON_FAILED && scan->n_tokens > scan->max_tokens)
        state = fail_too_many (scan);
      if (scan->at >= scan->next_tell && state != SYM_JSON_FAILED && !tell (scan))
        state = SYM_JSON_FAILED;
    }
  if (state != SYM_JSON_FAILED && state != SYM_JSON_EXPECT_NOTHING)
    state = fail (scan, describe_expected (scan, state));
  return state != SYM_JSON_FAILED;
}

const char *
sym_json_find_wide_encoding (const guint8 *bytes, gsize n)
{
  static const struct {
    const char *start;
    gsize length;
    const char *name;
  } encodings[] = {
    { "\xff\xfe\0\0", 4, "UTF-32LE" }, { "\0\0\xfe\xff", 4, "UTF-32BE" },
    { "{\0\0\0", 4, "UTF-32LE" },      { "\0\0\0{", 4, "UTF-32BE" },
    { "\xff\xfe", 2, "UTF-16LE" },     { "{\0", 2, "UTF-16LE" },
    { "[\0", 2, "UTF-16LE" },          { "\xfe\xff", 2, "UTF-16BE" },
    { "\0{", 2, "UTF-16BE" },          { "\0[", 2, "UTF-16BE" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    if (n >= encodings[i].length && memcmp (bytes, encodings[i].start, encodings[i].length) == 0)
      return encodings[i].name;

  return NULL;
}

/* What can be told before the first token. */
static gboolean
check_start (SymJsonScan *scan)
{
  gsize size = (gsize) (scan->end - scan->start);
  const char *encoding = sym_json_find_wide_encoding (scan->start, size);

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
skip_byte_order_mark (SymJsonScan *scan)
{
  if (!sym_json_scan_accept (scan, "\xef\xbb\xbf"))
    return;

  scan->line_start = scan->at; /* no editor counts it */
  if (scan->problems != NULL)
    sym_problems_add (scan->problems, SYM_SEVERITY_WARNING, 1, SYM_NO_ID, SYM_NO_ID,
                      "the file starts with a byte order mark, which JSON does not allow");
}

/* Blank files have no place to point at. */
static gboolean
check_not_blank (SymJsonScan *scan)
{
  skip_blanks (scan);
  if (scan->at < scan->end)
    return TRUE;

  g_set_error (scan->error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX,
               scan->end == scan->start ? "the file is empty"
                                        : "the file holds nothing but blanks");
  return FALSE;
}

SymJson *
sym_json_parse (GBytes *bytes, SymProblems *problems, GError **error)
{
  return sym_json_parse_bounded (bytes, SYM_JSON_MAX_VALUES, problems, NULL, error);
}

SymJson *
sym_json_parse_bounded (GBytes *bytes,
                        guint max_values,
                        SymProblems *problems,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autofree SymJsonScan *scan = g_new0 (SymJsonScan, 1);
  gsize size;
  SymJson *self;

  scan->start = g_bytes_get_data (bytes, &size);
  if (scan->start == NULL)
    scan->start = (const guint8 *) "";
  scan->at = scan->line_start = scan->next_tell = scan->start;
  scan->end = scan->start + size;
  scan->line = 1;
  scan->max_tokens = max_values;
  scan->first_nan = SYM_JSON_NONE;
  scan->problems = problems;
  scan->cancellable = cancellable;
  scan->error = error;

  if (!check_start (scan))
    return NULL;
  scan->lines = g_new (guint32, size / SYM_JSON_LINE_BLOCK + 1);
  skip_byte_order_mark (scan);
  if (!check_not_blank (scan) || !run (scan))
    {
      g_free (scan->tokens);
      g_free (scan->lines);
      return NULL;
    }

  sym_json_scan_note_line (scan, scan->end);
  self = g_new0 (SymJson, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->bytes = g_bytes_ref (bytes);
  self->text = (const char *) scan->start;
  self->n_tokens = scan->n_tokens;
  self->first_nan = scan->first_nan;
  self->tokens = g_renew (SymJsonToken, scan->tokens, self->n_tokens);
  self->lines = scan->lines;
  return self;
}
