/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-sort.h"

#include <math.h>
#include <string.h>

#include "core/sym-element.h"

#define SIGN (G_GUINT64_CONSTANT (1) << 63)

guint64
sym_op_get_float_key (double number)
{
  guint64 bits;

  if (isnan (number))
    return G_MAXUINT64;
  if (number == 0)
    number = 0;
  memcpy (&bits, &number, sizeof bits);
  return bits & SIGN ? ~bits : bits | SIGN;
}

guint64
sym_op_get_key (const SymArray *x, gsize i)
{
  if (x->dtype == SYM_DTYPE_UINT64)
    return ((const guint64 *) x->data)[i];
  if (sym_dtype_is_integer (x->dtype))
    return sym_op_get_int_key (sym_element_get_int (x->dtype, x->data, i));
  return sym_op_get_float_key (sym_element_get_double (x->dtype, x->data, i));
}

typedef struct {
  SymKernel *kernel;
  SymOpCompare compare;
  gconstpointer data;
  gsize cost, asked;
} Sort;

/* Two sorted runs, [first, middle) and [middle, end), become one in @to. */
static gboolean
merge (Sort *self,
       const gsize *from,
       gsize first,
       gsize middle,
       gsize end,
       gsize *to,
       GError **error)
{
  gsize left = first, right = middle;

  for (gsize i = first; i < end; i++)
    {
      gboolean takes_left = left < middle && (right == end || self->compare (self->data, from[left],
                                                                             from[right]) <= 0);

      to[i] = takes_left ? from[left++] : from[right++];
      if (!sym_op_go_on (self->kernel, &self->asked, self->cost, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_op_sort (SymKernel *kernel,
             gsize *order,
             gsize *buffer,
             gsize n,
             SymOpCompare compare,
             gconstpointer data,
             gsize cost,
             GError **error)
{
  Sort self = { kernel, compare, data, cost, 0 };
  gsize *from = order, *to = buffer;

  for (gsize width = 1; width < n; width *= 2)
    {
      gsize *swap = from;

      for (gsize i = 0; i < n; i += 2 * width)
        if (!merge (&self, from, i, MIN (i + width, n), MIN (i + 2 * width, n), to, error))
          return FALSE;
      from = to;
      to = swap;
    }
  if (from != order && n > 0)
    memcpy (order, from, n * sizeof *order);
  return TRUE;
}
