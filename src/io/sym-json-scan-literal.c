/* SPDX-License-Identifier: MIT */
#include "io/sym-json-scan-private.h"

#include <string.h>

#include "io/sym-json-plain.h"

/* Adds a value that the scan has stepped into. */
static SymJsonToken *
add_from (SymJsonScan *scan, SymJsonKind kind, const guint8 *first, const guint8 *end)
{
  scan->at = first;
  return sym_json_scan_add (scan, kind, end);
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

gboolean
sym_json_scan_string_from (SymJsonScan *scan, const guint8 *at)
{
  const guint8 *first = scan->at;
  gboolean is_escaped = FALSE;

  for (scan->at = at;; scan->at = sym_json_skip_plain (scan->at, scan->end))
    {
      if (scan->at >= scan->end)
        return sym_json_scan_fail (scan, "'\"' at the end of the string");
      if (*scan->at == '"')
        break;
      if (!scan_special (scan, &is_escaped))
        return FALSE;
    }

  add_from (scan, SYM_JSON_STRING, first, scan->at + 1)->is_escaped = is_escaped;
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

gboolean
sym_json_scan_number (SymJsonScan *scan, const char *expected)
{
  const guint8 *first = scan->at;
  gboolean is_negative = accept_byte (scan, '-', '-');
  gboolean is_digit = scan->at < scan->end && g_ascii_isdigit (*scan->at);
  gboolean is_nonfinite = !is_digit && (sym_json_scan_accept (scan, "Infinity") ||
                                        (!is_negative && sym_json_scan_accept (scan, "NaN")));

  if (!is_nonfinite && !is_negative && !is_digit)
    return sym_json_scan_fail (scan, expected);
  if (!is_nonfinite && !scan_digits (scan))
    return FALSE;
  if (is_nonfinite)
    scan->first_nan = MIN (scan->first_nan, scan->n_tokens);
  add_from (scan, SYM_JSON_NUMBER, first, scan->at)->is_nonfinite = is_nonfinite;
  return TRUE;
}

gboolean
sym_json_scan_word (SymJsonScan *scan, const char *expected)
{
  const guint8 *first = scan->at;

  if (!sym_json_scan_accept (scan, "null") && !sym_json_scan_accept (scan, "true") &&
      !sym_json_scan_accept (scan, "false"))
    return sym_json_scan_fail (scan, expected);

  add_from (scan, *first == 'n' ? SYM_JSON_NULL : SYM_JSON_BOOL, first, scan->at);
  return TRUE;
}
