/* SPDX-License-Identifier: MIT */
#include "run/sym-run-distance.h"

#include <math.h>

#include "core/sym-element.h"

/* Sums of what is finite on both sides. */
typedef struct {
  guint64 n, n_odd;
  double max, largest; /* of the differences, of what is expected */
  double differences;
  double dot, actual, expected; /* of squares */
} Sums;

static double
get_number (const SymArray *array, gsize i)
{
  if (array->dtype == SYM_DTYPE_FLOAT32)
    return ((const float *) array->data)[i];
  return sym_element_get_double (array->dtype, array->data, i);
}

static void
add (Sums *self, double actual, double expected)
{
  double difference = fabs (actual - expected);

  if (!isfinite (actual) || !isfinite (expected))
    {
      self->n_odd += actual != expected && !(isnan (actual) && isnan (expected));
      return;
    }
  self->n++;
  self->max = MAX (self->max, difference);
  self->largest = MAX (self->largest, fabs (expected));
  self->differences += difference;
  self->dot += actual * expected;
  self->actual += actual * actual;
  self->expected += expected * expected;
}

static double
get_cosine (const Sums *sums)
{
  if (sums->actual <= 0 || sums->expected <= 0)
    return sums->actual <= 0 && sums->expected <= 0 ? 1 : 0;
  return CLAMP (sums->dot / (sqrt (sums->actual) * sqrt (sums->expected)), -1, 1);
}

gboolean
sym_distance_measure (SymDistance *self, const SymArray *actual, const SymArray *expected)
{
  g_return_val_if_fail (self != NULL && actual != NULL && expected != NULL, FALSE);

  gsize n = sym_array_get_n_elements (actual);
  Sums sums = { 0 };

  *self = (SymDistance){ FALSE };
  if (!sym_dtype_is_numeric (actual->dtype) || !sym_dtype_is_numeric (expected->dtype) ||
      !sym_shape_equal (&actual->shape, &expected->shape))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    add (&sums, get_number (actual, i), get_number (expected, i));
  *self = (SymDistance){ TRUE, n, sums.n_odd, .max = sums.max, .cosine = get_cosine (&sums) };
  self->relative = sums.largest > 0 ? sums.max / sums.largest : sums.max > 0 ? INFINITY : 0;
  self->mean = sums.n > 0 ? sums.differences / (double) sums.n : 0;
  return TRUE;
}

gboolean
sym_distance_exceeds (const SymDistance *self, double relative, double absolute)
{
  if (!self->is_known)
    return FALSE;
  if (self->n_odd > 0)
    return TRUE;
  if (self->max <= absolute)
    return FALSE;
  /* max > absolute + relative * largest, where largest = max / self->relative */
  return !isfinite (self->relative) ||
         self->max - absolute > relative * (self->max / self->relative);
}
