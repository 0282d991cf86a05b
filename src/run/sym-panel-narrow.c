/* SPDX-License-Identifier: MIT */
#include "run/sym-panel-part-private.h"

#include "run/sym-vector-private.h"
#include "run/sym-vector-math.h"
#include "run/sym-vector-rows-private.h"

/* Many rows by few columns, which would leave most of a panel empty: numbers of the same place in
 * some rows are put side by side. */
#define ROWS 64
#define MOST_COLUMNS 4
#define MOST_INNER 64

#define EACH_ROW(j) for (gsize j = 0; j < ROWS; j++)

gboolean
sym_panel_is_narrow (const SymPanelProduct *self)
{
  return self->outer <= MOST_COLUMNS && self->inner <= MOST_INNER && self->rows >= ROWS / 4 &&
         self->x_step == 1;
}

/* The sums of a column, of @x as [inner][ROWS]. */
CLONES static void
sum_column (const SymPanelProduct *self, const float *x, gsize column, float *sums)
{
  float bias = self->bias == NULL ? 0 : self->bias[column];

  EACH_ROW (j)
  sums[j] = bias;
  for (gsize k = 0; k < self->inner; k++)
    {
      float weight = self->panels[k * SYM_PANEL + column];

      EACH_ROW (j)
      sums[j] += weight * x[k * ROWS + j];
    }
}

/* The numbers of a column where they belong. */
static void
keep_column (const SymPanelProduct *self, const float *sums, gsize row, gsize n, gsize column)
{
  gssize place = (gssize) row * self->y_stride + (gssize) column;

  for (gsize j = 0; j < n; j++, place += self->y_stride)
    {
      float y = sums[j] + (self->addend == NULL ? 0 : self->addend[place]);

      self->y[place] = y < self->low ? self->low : y > self->high ? self->high : y;
    }
}

void
sym_panel_multiply_narrow (const SymPanelProduct *self)
{
  float x[MOST_INNER * ROWS] = { 0 }, sums[ROWS];

  for (gsize row = 0; row < self->rows; row += ROWS)
    {
      gsize n = MIN (self->rows - row, ROWS);

      sym_vector_turn (x, ROWS, self->x + (gssize) row * self->x_stride, self->x_stride, n,
                       self->inner);
      for (gsize column = 0; column < self->outer; column++)
        {
          sum_column (self, x, column, sums);
          keep_column (self, sums, row, n, column);
        }
    }
}
