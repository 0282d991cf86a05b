/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"

#include "core/sym-text.h"

/* Digits of G_MAXUINT64. */
#define MAX_DIGITS 20

void
sym_decimal_append_unsigned (GString *out, guint64 number)
{
  char digits[MAX_DIGITS];
  guint first = MAX_DIGITS;

  do
    {
      digits[--first] = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number > 0);
  sym_text_append (out, digits + first, MAX_DIGITS - first);
}

void
sym_decimal_append (GString *out, gint64 number)
{
  if (number < 0)
    g_string_append_c (out, '-');
  sym_decimal_append_unsigned (out, number < 0 ? 0 - (guint64) number : (guint64) number);
}
