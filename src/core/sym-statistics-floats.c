/* SPDX-License-Identifier: MIT */
#include "core/sym-statistics-private.h"

#include <string.h>

#include "core/sym-clones-private.h"

#define LANES 16

typedef float Floats __attribute__ ((vector_size (LANES * sizeof (float))));
typedef gint32 Mask __attribute__ ((vector_size (LANES * sizeof (gint32))));
typedef float Half __attribute__ ((vector_size (LANES / 2 * sizeof (float))));
typedef double Doubles __attribute__ ((vector_size (LANES / 2 * sizeof (double))));

/* Sums of each lane. */
typedef struct {
  Floats lows, highs;
  Mask zeros, odd; /* less 1 for each that is; of those that are not finite any bits */
  Doubles sums[2], squares[2];
} Lanes;

static inline __attribute__ ((always_inline)) void
add_half (Lanes *self, guint half, const float *values, double first)
{
  Half narrow;
  Doubles distances;

  memcpy (&narrow, values, sizeof narrow);
  distances = __builtin_convertvector(narrow, Doubles) - first;
  self->sums[half] += distances;
  self->squares[half] += distances * distances;
}

static inline __attribute__ ((always_inline)) void
add_lanes (Lanes *self, const float *values, double first)
{
  Floats x;
  Mask less, more;

  memcpy (&x, values, sizeof x);
  less = x < self->lows;
  more = x > self->highs;
  self->lows = (Floats) ((less & (Mask) x) | (~less & (Mask) self->lows));
  self->highs = (Floats) ((more & (Mask) x) | (~more & (Mask) self->highs));
  self->zeros += x == 0;
  self->odd |= ~(x - x == 0);
  add_half (self, 0, values, first);
  add_half (self, 1, values + LANES / 2, first);
}

static void
gather (const Lanes *lanes, SymFloatRun *run)
{
  gint32 odd = 0;

  for (guint i = 0; i < LANES; i++)
    {
      run->low = MIN (run->low, lanes->lows[i]);
      run->high = MAX (run->high, lanes->highs[i]);
      run->n_zeros += (guint) -lanes->zeros[i];
      odd |= lanes->odd[i];
    }
  for (guint i = 0; i < LANES / 2; i++)
    {
      run->sum += lanes->sums[0][i] + lanes->sums[1][i];
      run->squares += lanes->squares[0][i] + lanes->squares[1][i];
    }
  run->is_finite = odd == 0;
}

/* What is left over at the end is filled up with the first number, which adds nothing but perhaps
 * zeros. */
SYM_CLONES void
sym_statistics_scan_floats (const float *values, guint n, SymFloatRun *run)
{
  double first = (double) values[0];
  Lanes lanes = { .lows = values[0] - (Floats){ 0 }, .highs = values[0] - (Floats){ 0 } };
  float rest[LANES];
  guint i = 0;

  for (; i + LANES <= n; i += LANES)
    add_lanes (&lanes, values + i, first);
  *run = (SymFloatRun){ .low = values[0], .high = values[0] };
  if (i < n)
    {
      for (guint k = 0; k < LANES; k++)
        rest[k] = i + k < n ? values[i + k] : values[0];
      add_lanes (&lanes, rest, first);
    }
  gather (&lanes, run);
  if (i < n && values[0] == 0)
    run->n_zeros -= LANES - (n - i);
}
