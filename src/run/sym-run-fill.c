/* SPDX-License-Identifier: MIT */
#include "run/sym-run-fill.h"

#include <math.h>

#include "core/sym-element.h"

static const char *const names[] = {
  [SYM_RUN_FILL_ZEROS] = "zeros",
  [SYM_RUN_FILL_ONES] = "ones",
  [SYM_RUN_FILL_RANDOM] = "random",
  [SYM_RUN_FILL_ARANGE] = "arange",
};

gboolean
sym_run_fill_from_string (const char *name, SymRunFill *fill)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (names[i], name) == 0)
      {
        *fill = (SymRunFill) i;
        return TRUE;
      }
  return FALSE;
}

/* SplitMix64 (Steele, Lea, Flood 2014): a counter, well mixed. */
static guint64
mix (guint64 seed, guint64 i)
{
  guint64 x = (seed + i + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* 24 bits, so that every float32 of them is below 1. */
static void
set_random (SymArray *array, gsize i, guint64 bits)
{
  if (array->dtype == SYM_DTYPE_BOOL)
    sym_element_set_int (array->dtype, array->data, i, (gint64) (bits >> 63));
  else if (sym_dtype_is_integer (array->dtype))
    sym_element_set_int (array->dtype, array->data, i, (gint64) ((bits >> 40) % 10));
  else
    sym_element_set_double (array->dtype, array->data, i, ldexp ((double) (bits >> 40), -24));
}

static void
set (SymArray *array, gsize i, SymRunFill fill, guint64 seed)
{
  switch (fill)
    {
    case SYM_RUN_FILL_ZEROS:
      sym_element_set_int (array->dtype, array->data, i, 0);
      break;
    case SYM_RUN_FILL_ONES:
      sym_element_set_int (array->dtype, array->data, i, 1);
      break;
    case SYM_RUN_FILL_RANDOM:
      set_random (array, i, mix (seed, i));
      break;
    case SYM_RUN_FILL_ARANGE:
      sym_element_set_int (array->dtype, array->data, i, (gint64) i);
      break;
    }
}

SymDatum *
sym_run_fill (SymRunFill fill, SymDType dtype, const SymShape *shape, guint64 seed, GError **error)
{
  SymDatum *self = sym_datum_new (dtype, shape, error);
  SymArray *array;

  if (self == NULL || dtype == SYM_DTYPE_STRING)
    return self;
  array = (SymArray *) sym_datum_get_array (self);
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    set (array, i, fill, seed);
  return self;
}
