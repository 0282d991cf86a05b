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

/* Pairs of digits. */
static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

char *
sym_decimal_write_unsigned (char *place, guint64 number)
{
  char *end, *at;

  if (number < 10)
    {
      *place = (char) ('0' + number);
      return place + 1;
    }
  end = at = place + count_digits (number);
  for (; number >= 100; number /= 100)
    memcpy (at -= 2, pairs + 2 * (number % 100), 2);
  if (number >= 10)
    memcpy (at - 2, pairs + 2 * number, 2);
  else
    at[-1] = (char) ('0' + number);
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

void
sym_decimal_append_grouped (GString *out, guint64 number)
{
  char digits[SYM_DECIMAL_MAX];
  gsize length = (gsize) (sym_decimal_write_unsigned (digits, number) - digits);

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append_c (out, ',');
      g_string_append_c (out, digits[i]);
    }
}
