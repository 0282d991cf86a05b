/* SPDX-License-Identifier: MIT */
#include "io/sym-json-scan-private.h"

#include <string.h>

#ifdef __SSE2__
#  include <emmintrin.h>
#endif

static void
end_token (SymJsonScan *scan, SymJsonToken *token)
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
  if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
      (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
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

/* Once for each line: where there is one there are many, of bytes that were written as text. */
static void
note_escape (SymJsonScan *scan, const char *what)
{
  if (scan->problems != NULL && scan->noted_line != scan->line)
    sym_problems_add (scan->problems, SYM_SEVERITY_WARNING, scan->line, SYM_NO_ID, SYM_NO_ID,
                      "%s in a string is no text; U+FFFD is shown in its place", what);
  scan->noted_line = scan->line;
}

/* At the u of \uXXXX. */
static gboolean
scan_unicode_escape (SymJsonScan *scan)
{
  int code = get_hex (scan->at + 1, scan->end);

  if (code < 0)
    {
      for (scan->at++; scan->at < scan->end && g_ascii_isxdigit (*scan->at);)
        scan->at++;
      return sym_json_scan_fail (scan, "four hexadecimal digits after \\u");
    }

  scan->at += 5;
  if (code == 0)
    {
      note_escape (scan, "\\u0000");
    }
  else if (code >= 0xd800 && code < 0xe000)
    {
      int low =
          code < 0xdc00 && scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
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
scan_escape (SymJsonScan *scan)
{
  if (scan->at < scan->end && *scan->at == 'u')
    return scan_unicode_escape (scan);
  if (scan->at >= scan->end || *scan->at == 0 || strchr ("\"\\/bfnrt", *scan->at) == NULL)
    return sym_json_scan_fail (scan, "one of \" \\ / b f n r t u after the backslash");

  scan->at++;
  return TRUE;
}

/* A byte of a string that is neither plain nor its end. */
static gboolean
scan_special (SymJsonScan *scan, gboolean *is_escaped)
{
  guint length;

  if (*scan->at == '\\')
    {
      *is_escaped = TRUE;
      scan->at++;
      return scan_escape (scan);
    }
  if (*scan->at < 0x20)
    return sym_json_scan_fail (
        scan, "'\"' at the end of the string (control characters must be escaped)");

  length = get_sequence_length (scan->at, scan->end);
  if (length == 0)
    return sym_json_scan_fail (scan, "UTF-8 text");
  scan->at += length;
  return TRUE;
}

#ifdef __SSE2__

#  define WIDTH 16

/* A bit for each of the bytes at @at that does not stand for itself in a string: controls, the
 * quote, the backslash, and what is not ASCII, which is negative here. */
static inline guint64
mark_special (const guint8 *at)
{
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) at);
  __m128i special = _mm_cmplt_epi8 (bytes, _mm_set1_epi8 (0x20));

  special = _mm_or_si128 (special, _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')));
  special = _mm_or_si128 (special, _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
  return (guint) _mm_movemask_epi8 (special);
}

static inline guint
find_mark (guint64 marks)
{
  return (guint) __builtin_ctzll (marks);
}

#else

#  define WIDTH 8

#  define EACH(byte) (G_GUINT64_CONSTANT (0x0101010101010101) * (byte))

/* Of the bytes that are below @limit the highest bit, and of some above such a one.  Those beyond
 * ASCII do not count. */
static inline guint64
mark_below (guint64 eight, guint8 limit)
{
  return (eight - EACH (limit)) & ~eight;
}

/* The highest bit of each of the bytes at @at that does not stand for itself in a string: controls,
 * the quote, the backslash, and what is not ASCII.  The lowest mark is always a true one. */
static inline guint64
mark_special (const guint8 *at)
{
  guint64 eight;

  memcpy (&eight, at, sizeof eight);
  eight = GUINT64_FROM_LE (eight);
  return (mark_below (eight, 0x20) | mark_below (eight ^ EACH ('"'), 1) |
          mark_below (eight ^ EACH ('\\'), 1) | eight) &
         EACH (0x80);
}

static inline guint
find_mark (guint64 marks)
{
  return (guint) __builtin_ctzll (marks) / 8;
}

#endif

static inline gboolean
is_plain (guint8 byte)
{
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Many bytes at a time: most names are longer. */
static inline const guint8 *
skip_plain (const guint8 *at, const guint8 *end)
{
  for (; end - at >= WIDTH; at += WIDTH)
    {
      guint64 marks = mark_special (at);

      if (marks != 0)
        return at + find_mark (marks);
    }
  while (at < end && is_plain (*at))
    at++;
  return at;
}

gboolean
sym_json_scan_string (SymJsonScan *scan)
{
  SymJsonToken *token = sym_json_scan_add (scan, SYM_JSON_STRING);
  gboolean is_escaped = FALSE;

  for (scan->at++;;)
    {
      scan->at = skip_plain (scan->at, scan->end);
      if (scan->at >= scan->end)
        return sym_json_scan_fail (scan, "'\"' at the end of the string");
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
skip_digits (SymJsonScan *scan)
{
  const guint8 *first = scan->at;
  const guint8 *at = first;

  while (at < scan->end && *at >= '0' && *at <= '9')
    at++;
  scan->at = at;
  return at > first;
}

static gboolean
accept_byte (SymJsonScan *scan, char a, char b)
{
  if (scan->at >= scan->end || (*scan->at != a && *scan->at != b))
    return FALSE;

  scan->at++;
  return TRUE;
}

static gboolean
scan_digits (SymJsonScan *scan)
{
  if (accept_byte (scan, '0', '0'))
    {
      if (scan->at < scan->end && g_ascii_isdigit (*scan->at))
        return sym_json_scan_fail (scan, "no digit after a leading 0");
    }
  else if (!skip_digits (scan))
    {
      return sym_json_scan_fail (scan, "a digit");
    }
  if (accept_byte (scan, '.', '.') && !skip_digits (scan))
    return sym_json_scan_fail (scan, "a digit after the decimal point");
  if (accept_byte (scan, 'e', 'E'))
    {
      accept_byte (scan, '+', '-');
      if (!skip_digits (scan))
        return sym_json_scan_fail (scan, "a digit of the exponent");
    }
  return TRUE;
}

/* Whether a whole number stands there, which most are, and then steps over it. */
static inline gboolean
scan_whole (SymJsonScan *scan)
{
  const guint8 *first = scan->at, *at = first;

  while (at < scan->end && *at >= '0' && *at <= '9')
    at++;
  if (at == first || at >= scan->end || *at == '.' || (*at | 0x20) == 'e' ||
      (*first == '0' && at > first + 1))
    return FALSE;

  scan->at = at;
  return TRUE;
}

gboolean
sym_json_scan_number (SymJsonScan *scan, const char *expected)
{
  SymJsonToken *token = sym_json_scan_add (scan, SYM_JSON_NUMBER);
  gboolean is_negative, is_digit;

  if (scan_whole (scan))
    {
      end_token (scan, token);
      return TRUE;
    }
  is_negative = accept_byte (scan, '-', '-');
  is_digit = scan->at < scan->end && g_ascii_isdigit (*scan->at);
  if (!is_digit && (sym_json_scan_accept (scan, "Infinity") ||
                    (!is_negative && sym_json_scan_accept (scan, "NaN"))))
    {
      token->is_nonfinite = TRUE;
      scan->first_nan = MIN (scan->first_nan, scan->n_tokens - 1);
    }
  else if (!is_negative && !is_digit)
    {
      return sym_json_scan_fail (scan, expected);
    }
  else if (!scan_digits (scan))
    {
      return FALSE;
    }
  end_token (scan, token);
  return TRUE;
}

gboolean
sym_json_scan_word (SymJsonScan *scan, const char *expected)
{
  SymJsonToken *token = sym_json_scan_add (scan, *scan->at == 'n' ? SYM_JSON_NULL : SYM_JSON_BOOL);

  if (!sym_json_scan_accept (scan, "null") && !sym_json_scan_accept (scan, "true") &&
      !sym_json_scan_accept (scan, "false"))
    return sym_json_scan_fail (scan, expected);

  end_token (scan, token);
  return TRUE;
}
