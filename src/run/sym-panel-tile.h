/* SPDX-License-Identifier: MIT */

/* The innermost loops of a product, for one kind of processor: to be included by a file that says
 * which.  LANES are the floats of a vector, TARGET is the attribute of its functions, MULTIPLY the
 * name of the one that is made, MOST_ROWS how many rows have their sums in registers, N_PHASES of
 * how many parts a single row is summed at a time, and ROW_CASES has ROWS (n) for each number of
 * rows from 2 to MOST_ROWS. */
#include "run/sym-panel-part-private.h"

#include <math.h>
#include <string.h>

typedef float Vector __attribute__ ((vector_size (4 * LANES), may_alias));
typedef float Loose __attribute__ ((vector_size (4 * LANES), may_alias, aligned (4)));

/* Floats of a cache line. */
#define LINE 16

/* @n rows from @row on, @n known while compiling, so that all sums are in registers. */
static inline __attribute__ ((always_inline)) void
multiply_rows (const SymPanelPart *part,
               float *to,
               gssize to_stride,
               gsize row,
               gsize at,
               const float *ahead,
               const int n)
{
  Vector sums[MOST_ROWS][2];
  gssize stride = part->product->x_stride, step = part->product->x_step;
  const float *panel = part->panel + at;
  const float *x = part->product->x + (gssize) row * stride + (gssize) part->first * step;

#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    sums[i][0] = sums[i][1] = (Vector){ 0 };
  for (gsize k = 0; k < part->n_inner; k++, panel += SYM_PANEL, x += step, ahead += LINE)
    {
      Vector left = *(const Vector *) panel, right = *(const Vector *) (panel + LANES);

      __builtin_prefetch (ahead);
#pragma GCC unroll 16
      for (int i = 0; i < n; i++)
        {
          sums[i][0] += x[i * stride] * left;
          sums[i][1] += x[i * stride] * right;
        }
    }
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    {
      *(Loose *) (to + i * to_stride) = sums[i][0];
      *(Loose *) (to + i * to_stride + LANES) = sums[i][1];
    }
}

/* One row alone: several parts of it at a time, as each sum must wait for the one before. */
static inline __attribute__ ((always_inline)) void
multiply_row (const SymPanelPart *part, float *to, gsize row, gsize at)
{
  Vector sums[N_PHASES][2];
  gssize step = part->product->x_step;
  const float *panel = part->panel + at;
  const float *x =
      part->product->x + (gssize) row * part->product->x_stride + (gssize) part->first * step;
  gsize k = 0;

#pragma GCC unroll 16
  for (int i = 0; i < N_PHASES; i++)
    sums[i][0] = sums[i][1] = (Vector){ 0 };
  for (; k + N_PHASES <= part->n_inner; k += N_PHASES, x += N_PHASES * step)
#pragma GCC unroll 16
    for (int i = 0; i < N_PHASES; i++, panel += SYM_PANEL)
      {
        sums[i][0] += x[i * step] * *(const Vector *) panel;
        sums[i][1] += x[i * step] * *(const Vector *) (panel + LANES);
      }
  for (; k < part->n_inner; k++, panel += SYM_PANEL, x += step)
    {
      sums[0][0] += *x * *(const Vector *) panel;
      sums[0][1] += *x * *(const Vector *) (panel + LANES);
    }
#pragma GCC unroll 16
  for (int i = 1; i < N_PHASES; i++)
    {
      sums[0][0] += sums[i][0];
      sums[0][1] += sums[i][1];
    }
  *(Loose *) to = sums[0][0];
  *(Loose *) (to + LANES) = sums[0][1];
}

static inline __attribute__ ((always_inline)) void
finish_row (const SymPanelPart *part, float *sums, float *y, gssize offset, gsize n)
{
  const SymPanelProduct *self = part->product;

  if (part->first > 0)
    for (gsize i = 0; i < n; i++)
      sums[i] += y[i];
  else if (self->addend != NULL)
    for (gsize i = 0; i < n; i++)
      sums[i] += self->addend[offset + (gssize) i];
  if (part->is_last && self->bias != NULL)
    for (gsize i = 0; i < n; i++)
      sums[i] += self->bias[part->column + i];
  if (part->is_last && (self->low > -INFINITY || self->high < INFINITY))
    for (gsize i = 0; i < n; i++)
      sums[i] = sums[i] < self->low ? self->low : sums[i] > self->high ? self->high : sums[i];
  memcpy (y, sums, n * sizeof *y);
}

/* Whole panels, then the last one that is not. */
static inline __attribute__ ((always_inline)) void
finish_rows (const SymPanelPart *part, float *tile, gsize row, gsize n)
{
  const SymPanelProduct *self = part->product;
  gsize n_columns = MIN (self->outer - part->column, SYM_PANEL);
  gssize offset = (gssize) row * self->y_stride + (gssize) part->column;

  for (gsize i = 0; i < n; i++, tile += SYM_PANEL, offset += self->y_stride)
    if (n_columns == SYM_PANEL)
      finish_row (part, tile, self->y + offset, offset, SYM_PANEL);
    else
      finish_row (part, tile, self->y + offset, offset, n_columns);
}

/* Whether there is more to do with the sums than to keep them. */
static gboolean
needs_finish (const SymPanelPart *part)
{
  const SymPanelProduct *self = part->product;

  if (part->first > 0 || self->addend != NULL || self->outer - part->column < SYM_PANEL)
    return TRUE;
  return part->is_last && (self->bias != NULL || self->low > -INFINITY || self->high < INFINITY);
}

#define ROWS(n)                                                  \
  case n:                                                        \
    multiply_rows (part, to + at, to_stride, row, at, ahead, n); \
    break;

/* The rows of the next tile: all that are left are for tiles of about the same size. */
static gsize
find_n_rows (gsize left)
{
  gsize n_tiles = (left + MOST_ROWS - 1) / MOST_ROWS;

  return (left + n_tiles - 1) / n_tiles;
}

TARGET void
MULTIPLY (const SymPanelPart *part, gsize row, gsize end)
{
  float tile[MOST_ROWS * SYM_PANEL] __attribute__ ((aligned (64)));
  gssize stride = part->product->y_stride;
  gboolean is_plain = !needs_finish (part);
  gssize to_stride = is_plain ? stride : SYM_PANEL;
  const float *next = part->panel + part->product->inner * SYM_PANEL, *ahead = next;

  for (gsize n; row < end; row += n, ahead += part->n_inner * LINE)
    {
      float *y = part->product->y + (gssize) row * stride + part->column;
      float *to = is_plain ? y : tile;

      n = find_n_rows (end - row);
      if (ahead >= next + part->n_inner * SYM_PANEL)
        ahead = part->panel;
      for (gsize at = 0; at < SYM_PANEL; at += 2 * LANES)
        switch (n)
          {
            ROW_CASES
          default:
            multiply_row (part, to + at, row, at);
          }
      if (!is_plain)
        finish_rows (part, tile, row, n);
    }
}
