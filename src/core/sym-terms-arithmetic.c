/* SPDX-License-Identifier: MIT */
#include "core/sym-terms-private.h"

/* Operations in the order of their letters: + sum, - difference, * product, / and ^ quotient
 * rounded down and up. */

static SymDim
combine (SymTerms *self, char operation, SymDim a, SymDim b, gint64 factor)
{
  SymForm sum, right;

  if (a == SYM_DIM_UNKNOWN || b == SYM_DIM_UNKNOWN)
    return SYM_DIM_UNKNOWN;
  a = sym_terms_resolve (self, a);
  b = sym_terms_resolve (self, b);
  if (a >= 0 && b >= 0 && factor == 1 && b <= G_MAXINT64 - a)
    return a + b;
  if (a >= b && b >= 0 && factor == -1)
    return a - b;
  sum = sym_terms_peek_form (self, a);
  right = sym_terms_peek_form (self, b);
  if (!sym_form_add_scaled (&sum, &right, factor) || sym_form_is_negative (&sum))
    return operation == '+' ? sym_terms_answer (self, '+', MAX (a, b), MIN (a, b))
                            : sym_terms_answer (self, operation, a, b);
  return sym_terms_intern (self, &sum);
}

SymDim
sym_terms_add (SymTerms *self, SymDim a, SymDim b)
{
  return combine (self, '+', a, b, 1);
}

SymDim
sym_terms_subtract (SymTerms *self, SymDim a, SymDim b)
{
  return combine (self, '-', a, b, -1);
}

/* Splits a dimension, not 0, into the divisor of all its numbers and the dimension that is left. */
static gint64
take_content (SymTerms *self, SymDim *dim)
{
  SymForm form = sym_terms_peek_form (self, *dim);
  gint64 content = sym_form_get_content (&form);

  sym_form_divide (&form, content, FALSE);
  *dim = sym_terms_intern (self, &form);
  return content;
}

static SymDim
scale (SymTerms *self, SymDim dim, gint64 factor)
{
  SymForm form = sym_terms_peek_form (self, dim), product = SYM_FORM_NUMBER (0);

  if (!sym_form_add_scaled (&product, &form, factor))
    return sym_terms_answer (self, '*', factor, dim);
  return sym_terms_intern (self, &product);
}

SymDim
sym_terms_multiply (SymTerms *self, SymDim a, SymDim b)
{
  SymDim left, right;
  gint64 factor;

  if (!sym_terms_has (self, a) || !sym_terms_has (self, b))
    return SYM_DIM_UNKNOWN;
  a = left = sym_terms_resolve (self, a);
  b = right = sym_terms_resolve (self, b);
  if (a == 0 || b == 0)
    return 0;
  if (a == SYM_DIM_UNKNOWN || b == SYM_DIM_UNKNOWN)
    return SYM_DIM_UNKNOWN;
  if (a == 1 || b == 1)
    return a == 1 ? b : a;
  if (a > 0 && b > 0 && !__builtin_mul_overflow (a, b, &factor))
    return factor;
  if (a >= 0)
    return scale (self, b, a);
  if (b >= 0)
    return scale (self, a, b);
  /* Common factors come out, so that 2n * m and n * 2m are one product. */
  if (__builtin_mul_overflow (take_content (self, &left), take_content (self, &right), &factor))
    return sym_terms_answer (self, '*', MAX (a, b), MIN (a, b));
  return scale (self, sym_terms_answer (self, '*', MAX (left, right), MIN (left, right)), factor);
}

static SymDim
divide (SymTerms *self, SymDim a, gint64 b, gboolean up)
{
  SymForm form;

  g_return_val_if_fail (b > 0, SYM_DIM_UNKNOWN);
  if (a == SYM_DIM_UNKNOWN)
    return a;
  a = sym_terms_resolve (self, a);
  if (a >= 0)
    return a / b + (up && a % b != 0);
  form = sym_terms_peek_form (self, a);
  if (sym_form_get_coefficient_gcd (&form) % b != 0)
    return sym_terms_answer (self, up ? '^' : '/', a, b);
  sym_form_divide (&form, b, up);
  return sym_form_is_negative (&form) ? sym_terms_answer (self, up ? '^' : '/', a, b)
                                      : sym_terms_intern (self, &form);
}

SymDim
sym_terms_floor_divide (SymTerms *self, SymDim a, gint64 b)
{
  return divide (self, a, b, FALSE);
}

SymDim
sym_terms_ceil_divide (SymTerms *self, SymDim a, gint64 b)
{
  return divide (self, a, b, TRUE);
}

/* The other factor when @dim is the unknown of a product that has @factor. */
static gboolean
cancel_factor (SymTerms *self, SymDim dim, SymDim factor, SymDim *other)
{
  SymDim a, b;

  if (!sym_terms_get_factors (self, dim, &a, &b) || (a != factor && b != factor))
    return FALSE;
  *other = a == factor ? b : a;
  return TRUE;
}

gboolean
sym_terms_divide_exactly (SymTerms *self, SymDim a, SymDim b, SymDim *quotient)
{
  SymDim other = 1;
  gint64 top, bottom;

  a = sym_terms_resolve (self, a);
  b = sym_terms_resolve (self, b);
  if (a == SYM_DIM_UNKNOWN || b == SYM_DIM_UNKNOWN || b == 0)
    return FALSE;
  if (a == 0)
    {
      *quotient = 0;
      return b > 0;
    }
  top = take_content (self, &a);
  bottom = take_content (self, &b);
  if (top % bottom != 0)
    return FALSE;
  if (b == 1)
    other = a;
  else if (a != b && !cancel_factor (self, a, b, &other))
    return FALSE;
  *quotient = sym_terms_multiply (self, other, top / bottom);
  return TRUE;
}

SymDim
sym_terms_product (SymTerms *self, const SymDim *dims, int n)
{
  SymDim product = 1, previous = 0;
  SymDim number = 1;

  /* Numbers first, then terms from the oldest on: the order of the operands makes no difference. */
  for (int i = 0; i < n; i++)
    if (sym_terms_resolve (self, dims[i]) >= 0)
      number = sym_terms_multiply (self, number, dims[i]);
  for (;;)
    {
      SymDim next = SYM_DIM_UNKNOWN;

      for (int i = 0; i < n; i++)
        {
          SymDim dim = sym_terms_resolve (self, dims[i]);

          if (dim < previous && dim > next)
            next = dim;
        }
      if (next == SYM_DIM_UNKNOWN)
        break;
      for (int i = 0; i < n; i++)
        if (sym_terms_resolve (self, dims[i]) == next)
          product = sym_terms_multiply (self, product, next);
      previous = next;
    }
  for (int i = 0; i < n; i++)
    if (dims[i] == SYM_DIM_UNKNOWN)
      product = sym_terms_multiply (self, product, SYM_DIM_UNKNOWN);
  return sym_terms_multiply (self, number, product);
}
