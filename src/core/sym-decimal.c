/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"

#include "core/sym-text.h"

static guint
count_digits (guint64 number)
{
  guint n = 1;

  for (guint64 least = 10; n < SYM_DECIMAL_MAX && number >= least; least *= 10)
    n++;
  return n;
}

char *
sym_decimal_write_unsigned (char *place, guint64 number)
{
  char *end = place + count_digits (number);
  char *at = end;

  for (; number >= 10; number /= 10)
    *--at = (char) ('0' + number % 10);
  *--at = (char) ('0' + number);
  return end;
}

void
sym_decimal_append_unsigned (GString *out, guint64 number)
{
  char *end;

  sym_text_reserve (out, SYM_DECIMAL_MAX);
  end = sym_decimal_write_unsigned (out->str + out->len, number);
  *end = '\0';
  out->len = (gsize) (end - out->str);
}

void
sym_decimal_append (GString *out, gint64 number)
{
  if (number < 0)
    g_string_append_c (out, '-');
  sym_decimal_append_unsigned (out, number < 0 ? 0 - (guint64) number : (guint64) number);
}
