/* SPDX-License-Identifier: MIT */
#include "core/sym-form.h"

/* sum + factor * value within the range of a form. */
static gboolean
add_product (gint64 sum, gint64 factor, gint64 value, gint64 *result)
{
  gint64 product;

  if (__builtin_mul_overflow (factor, value, &product) ||
      __builtin_add_overflow (sum, product, &sum) || sum < -G_MAXINT64)
    return FALSE;
  *result = sum;
  return TRUE;
}

static gboolean
append_part (SymForm *self, guint32 variable, gint64 coefficient)
{
  if (coefficient == 0)
    return TRUE;
  if (self->n_parts == SYM_FORM_MAX_PARTS)
    return FALSE;
  self->parts[self->n_parts++] = (SymFormPart){ variable, coefficient };
  return TRUE;
}

gboolean
sym_form_add_scaled (SymForm *self, const SymForm *other, gint64 factor)
{
  SymForm sum = { 0 };
  guint i = 0, j = 0;

  if (!add_product (self->constant, factor, other->constant, &sum.constant))
    return FALSE;
  while (i < self->n_parts || j < other->n_parts)
    {
      gboolean mine = j == other->n_parts ||
                      (i < self->n_parts && self->parts[i].variable <= other->parts[j].variable);
      gboolean both = mine && i < self->n_parts && j < other->n_parts &&
                      self->parts[i].variable == other->parts[j].variable;
      guint32 variable = mine ? self->parts[i].variable : other->parts[j].variable;
      gint64 coefficient = mine ? self->parts[i].coefficient : 0;

      if ((!mine || both) &&
          !add_product (coefficient, factor, other->parts[j].coefficient, &coefficient))
        return FALSE;
      if (!append_part (&sum, variable, coefficient))
        return FALSE;
      i += mine;
      j += !mine || both;
    }
  *self = sum;
  return TRUE;
}

gboolean
sym_form_substitute (SymForm *self, guint32 variable, const SymForm *by)
{
  SymForm result = *self;
  gint64 coefficient = sym_form_get_coefficient (self, variable);
  SymForm alone = SYM_FORM_VARIABLE (variable);

  if (coefficient == 0)
    return TRUE;
  if (!sym_form_add_scaled (&result, &alone, -coefficient) ||
      !sym_form_add_scaled (&result, by, coefficient))
    return FALSE;
  *self = result;
  return TRUE;
}

gint64
sym_form_get_coefficient (const SymForm *self, guint32 variable)
{
  for (guint i = 0; i < self->n_parts; i++)
    if (self->parts[i].variable == variable)
      return self->parts[i].coefficient;
  return 0;
}

static gint64
get_gcd (gint64 a, gint64 b)
{
  a = ABS (a);
  b = ABS (b);
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

gint64
sym_form_get_coefficient_gcd (const SymForm *self)
{
  gint64 gcd = 0;

  for (guint i = 0; i < self->n_parts; i++)
    gcd = get_gcd (gcd, self->parts[i].coefficient);
  return gcd;
}

gint64
sym_form_get_content (const SymForm *self)
{
  return get_gcd (sym_form_get_coefficient_gcd (self), self->constant);
}

void
sym_form_divide (SymForm *self, gint64 divisor, gboolean up)
{
  gint64 rest = self->constant % divisor;

  /* C rounds towards zero. */
  self->constant /= divisor;
  if (rest > 0 && up)
    self->constant++;
  else if (rest < 0 && !up)
    self->constant--;
  for (guint i = 0; i < self->n_parts; i++)
    self->parts[i].coefficient /= divisor;
}

gboolean
sym_form_is_negative (const SymForm *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    if (self->parts[i].coefficient > 0)
      return FALSE;
  return self->constant < 0;
}

gboolean
sym_form_equal (const SymForm *a, const SymForm *b)
{
  if (a->constant != b->constant || a->n_parts != b->n_parts)
    return FALSE;
  for (guint i = 0; i < a->n_parts; i++)
    if (a->parts[i].variable != b->parts[i].variable ||
        a->parts[i].coefficient != b->parts[i].coefficient)
      return FALSE;
  return TRUE;
}

guint
sym_form_hash (const SymForm *self)
{
  guint64 hash = (guint64) self->constant * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  for (guint i = 0; i < self->n_parts; i++)
    {
      hash = (hash ^ self->parts[i].variable) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
      hash =
          (hash ^ (guint64) self->parts[i].coefficient) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
      hash ^= hash >> 29;
    }
  return (guint) (hash ^ (hash >> 32));
}
