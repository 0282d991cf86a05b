/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"
#include "run/sym-vector-rows-private.h"

#include "run/sym-vector-math.h"

/* Softmax of rows that are shorter than vectors: numbers of the same place in many rows are put
 * side by side. */
#define ROWS SYM_VECTOR_SOFTEN_ROWS

typedef struct {
  float numbers[SYM_VECTOR_SOFTEN_MOST * ROWS]; /* [n][ROWS] */
  float largest[ROWS], sums[ROWS];
} Turned;

#define EACH_ROW(j) for (gsize j = 0; j < ROWS; j++)

static inline __attribute__ ((always_inline)) void
find_largest (Turned *self, gsize n)
{
  EACH_ROW (j)
  self->largest[j] = self->numbers[j];
  for (gsize i = 1; i < n; i++)
    EACH_ROW (j)
    {
      float x = self->numbers[i * ROWS + j], largest = self->largest[j];

      self->largest[j] = x <= largest ? largest : largest != largest ? largest : x;
    }
}

static inline __attribute__ ((always_inline)) void
find_sums (Turned *self, gsize n, gboolean keeps_powers)
{
  EACH_ROW (j)
  self->sums[j] = 0;
  for (gsize i = 0; i < n; i++)
    EACH_ROW (j)
    {
      float *x = &self->numbers[i * ROWS + j];
      float power = exponential_of_difference (*x - self->largest[j]);

      self->sums[j] += power;
      *x = keeps_powers ? power : *x;
    }
}

CLONES static void
soften (Turned *self, gsize n)
{
  find_largest (self, n);
  find_sums (self, n, TRUE);
  EACH_ROW (j)
  self->sums[j] = 1 / self->sums[j];
  for (gsize i = 0; i < n; i++)
    EACH_ROW (j)
  self->numbers[i * ROWS + j] *= self->sums[j];
}

CLONES static void
soften_logs (Turned *self, gsize n)
{
  find_largest (self, n);
  find_sums (self, n, FALSE);
  sym_vector_log (self->sums, self->sums, NULL, ROWS, 0, 0);
  for (gsize i = 0; i < n; i++)
    EACH_ROW (j)
  self->numbers[i * ROWS + j] -= self->largest[j] + self->sums[j];
}

void
sym_vector_soften_rows (float *y, const float *x, gsize n_rows, gsize n, gboolean is_log)
{
  Turned turned;

  for (gsize row = 0; row < n_rows; row += ROWS)
    {
      gsize n_here = MIN (n_rows - row, ROWS);

      if (n_here < ROWS)
        memset (turned.numbers, 0, n * ROWS * sizeof *turned.numbers);
      sym_vector_turn (turned.numbers, ROWS, x + row * n, (gssize) n, n_here, n);
      (is_log ? soften_logs : soften) (&turned, n);
      sym_vector_turn (y + row * n, (gssize) n, turned.numbers, ROWS, n, n_here);
    }
}
