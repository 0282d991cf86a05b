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
set_random (SymArray *array, gsize i, guint64 bits, guint limit)
{
  if (array->dtype == SYM_DTYPE_BOOL)
    sym_element_set_int (array->dtype, array->data, i, (gint64) (bits >> 63));
  else if (sym_dtype_is_integer (array->dtype))
    sym_element_set_int (array->dtype, array->data, i, (gint64) ((bits >> 40) % limit));
  else
    sym_element_set_double (array->dtype, array->data, i, ldexp ((double) (bits >> 40), -24));
}

static void
set (SymArray *array, gsize i, SymRunFill fill, guint64 seed, guint limit)
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
      set_random (array, i, mix (seed, i), limit);
      break;
    case SYM_RUN_FILL_ARANGE:
      sym_element_set_int (array->dtype, array->data, i, (gint64) i);
      break;
    }
}

/* ---- Filling ---- */

SymDatum *
sym_run_fill_below (SymRunFill fill,
                    SymDType dtype,
                    const SymShape *shape,
                    guint64 seed,
                    guint limit,
                    GError **error)
{
  SymDatum *self;
  SymArray *array;

  g_return_val_if_fail (limit > 0, NULL);

  self = sym_datum_new (dtype, shape, error);
  if (self == NULL || dtype == SYM_DTYPE_STRING)
    return self;
  array = (SymArray *) sym_datum_get_array (self);
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    set (array, i, fill, seed, limit);
  return self;
}

static SymDatum *
fill_holder (SymKind kind, SymDatum *const items[2], SymDType dtype)
{
  return kind == SYM_KIND_SEQUENCE ? sym_datum_new_sequence (dtype, items, 2)
                                   : sym_datum_new_optional (dtype, items[0]);
}

SymDatum *
sym_run_fill_type (SymRunFill fill, const SymType *type, guint64 seed, guint limit, GError **error)
{
  SymDType dtype = type->dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : type->dtype;
  SymShape shape = type->shape;
  g_autoptr (SymDatum) one = NULL, other = NULL;

  if (type->kind != SYM_KIND_TENSOR && type->kind != SYM_KIND_SEQUENCE &&
      type->kind != SYM_KIND_OPTIONAL && type->kind != SYM_KIND_UNKNOWN)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                           "only tensors, and sequences of them, can be made up");
      return NULL;
    }
  for (int i = 0;
       i < shape.rank && (type->kind == SYM_KIND_SEQUENCE || type->kind == SYM_KIND_OPTIONAL); i++)
    shape.dims[i] = shape.dims[i] < 0 ? 1 : shape.dims[i];
  if (shape.rank < 0 || !sym_shape_is_known (&shape))
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNDECIDED, "its shape is not known");
      return NULL;
    }
  one = sym_run_fill_below (fill, dtype, &shape, seed, limit, error);
  if (one == NULL || type->kind == SYM_KIND_TENSOR || type->kind == SYM_KIND_UNKNOWN)
    return g_steal_pointer (&one);
  other =
      sym_run_fill_below (fill, dtype, &shape, seed ^ G_GUINT64_CONSTANT (1) << 32, limit, error);
  return other == NULL ? NULL : fill_holder (type->kind, (SymDatum *[]){ one, other }, dtype);
}

SymDatum *
sym_run_fill (SymRunFill fill, SymDType dtype, const SymShape *shape, guint64 seed, GError **error)
{
  return sym_run_fill_below (fill, dtype, shape, seed, SYM_RUN_FILL_LIMIT, error);
}
