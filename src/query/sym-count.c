/* SPDX-License-Identifier: MIT */
#include "query/sym-figures.h"

#include <string.h>

void
sym_count_add (SymCount *self, SymCount other)
{
  self->known &= other.known;
  if (!g_uint64_checked_add (&self->n, self->n, other.n))
    *self = (SymCount){ G_MAXUINT64, FALSE };
}

static const char *
get_sign (SymCount self)
{
  return self.known ? "" : ">=";
}

char *
sym_count_to_string (SymCount self)
{
  if (!self.known && self.n == 0)
    return g_strdup ("?");
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT, get_sign (self), self.n);
}

/* Three digits and what is more before the point: "4.09", "118.01", "1", no trailing zeros. */
static char *
format_scaled (SymCount self, guint64 base, const char *const *units)
{
  double value = (double) self.n;
  guint unit = 0;
  char digits[32];

  if (!self.known && self.n == 0)
    return g_strdup ("?");
  /* Halfway up to what would be shown as the next unit. */
  for (; value >= (double) base - 0.005 && units[unit + 1] != NULL; unit++)
    value /= (double) base;
  g_ascii_formatd (digits, sizeof digits, "%.2f", value);
  if (g_str_has_suffix (digits, "0"))
    digits[strlen (digits) - 1] = '\0';
  if (g_str_has_suffix (digits, ".0"))
    digits[strlen (digits) - 2] = '\0';
  return g_strconcat (get_sign (self), digits, *units[unit] == '\0' ? "" : " ", units[unit], NULL);
}

char *
sym_count_to_short_string (SymCount self)
{
  static const char *const units[] = { "", "k", "M", "G", "T", "P", "E", NULL };

  return format_scaled (self, 1000, units);
}

char *
sym_count_to_bytes_string (SymCount self)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL };

  return format_scaled (self, 1024, units);
}
