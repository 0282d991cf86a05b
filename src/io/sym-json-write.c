/* SPDX-License-Identifier: MIT */
#include "io/sym-json.h"

#include <math.h>
#include <string.h>

/* The letter that escapes @byte after a backslash, 0 when there is none. */
static char
find_short_escape (char byte)
{
  switch (byte)
    {
    case '"':
    case '\\':
      return byte;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    default:
      return 0;
    }
}

void
sym_json_append_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *at = valid != NULL ? valid : text; *at != '\0'; at++)
    {
      char escape = find_short_escape (*at);

      if (escape != 0)
        {
          g_string_append_c (out, '\\');
          g_string_append_c (out, escape);
        }
      else if ((guchar) *at < 0x20)
        {
          g_string_append_printf (out, "\\u%04x", (guint) *at);
        }
      else
        {
          g_string_append_c (out, *at);
        }
    }
  g_string_append_c (out, '"');
}

void
sym_json_append_double (GString *out, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (number))
    {
      g_string_append (out, "NaN");
      return;
    }
  if (isinf (number))
    {
      g_string_append (out, number < 0 ? "-Infinity" : "Infinity");
      return;
    }

  for (int digits = 1; digits <= 17; digits++)
    {
      char format[] = {
        '%', '.', (char) ('0' + digits / 10), (char) ('0' + digits % 10), 'g', '\0'
      };

      g_ascii_formatd (buffer, sizeof buffer, format, number);
      if (g_ascii_strtod (buffer, NULL) == number)
        break;
    }
  g_string_append (out, buffer);
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (out, ".0");
}
