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
typedef gint32 Bits __attribute__ ((vector_size (4 * LANES), may_alias));

/* Floats of a cache line. */
#define LINE 16

/* What else becomes of the sums of a panel before they are kept: numbers that lie like y are added,
 * then a bias of as many numbers as the panel has columns; NULL for neither. */
typedef struct {
  const float *added, *bias;
  gboolean is_bounded;
  float low, high;
} Finish;

static inline __attribute__ ((always_inline)) void
finish_sums (const Finish *finish, Vector sums[][2], gsize at, gssize stride, const int n)
{
  if (finish->added != NULL)
#pragma GCC unroll 16
    for (int i = 0; i < n; i++)
      {
        sums[i][0] += *(const Loose *) (finish->added + i * stride + at);
        sums[i][1] += *(const Loose *) (finish->added + i * stride + at + LANES);
      }
  if (finish->bias != NULL)
#pragma GCC unroll 16
    for (int i = 0; i < n; i++)
      {
        sums[i][0] += *(const Loose *) (finish->bias + at);
        sums[i][1] += *(const Loose *) (finish->bias + at + LANES);
      }
  if (!finish->is_bounded)
    return;
#pragma GCC unroll 32
  for (int i = 0; i < 2 * n; i++)
    {
      Vector *sum = &sums[i / 2][i % 2], low = (Vector){ 0 } + finish->low;
      Vector high = (Vector){ 0 } + finish->high;
      Bits is_low = *sum<low, is_high = *sum> high;

      *sum = (Vector) (((Bits) low & is_low) | ((Bits) *sum & ~is_low));
      *sum = (Vector) (((Bits) high & is_high) | ((Bits) *sum & ~is_high));
    }
}

/* @n rows from @row on, @n known while compiling, so that all sums are in registers. */
static inline __attribute__ ((always_inline)) void
multiply_rows (const SymPanelPart *part,
               const Finish *finish,
               float *to,
               gssize to_stride,
               gsize row,
               gsize at,
               const float *ahead,
               gsize pace,
               const int n)
{
  Vector sums[MOST_ROWS][2];
  gssize stride = part->product->x_stride, step = part->product->x_step;
  const float *panel = part->panel + at;
  const float *x = part->product->x + (gssize) row * stride + (gssize) part->first * step;

#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    sums[i][0] = sums[i][1] = (Vector){ 0 };
  for (gsize k = 0; k < part->n_inner; k++, panel += SYM_PANEL, x += step, ahead += pace)
    {
      Vector left = *(const Vector *) panel, right = *(const Vector *) (panel + LANES);

      __builtin_prefetch (ahead, 0, 2);
#pragma GCC unroll 16
      for (int i = 0; i < n; i++)
        {
          sums[i][0] += x[i * stride] * left;
          sums[i][1] += x[i * stride] * right;
        }
    }
  finish_sums (finish, sums, at, part->product->y_stride, n);
#pragma GCC unroll 16
  for (int i = 0; i < n; i++)
    {
      *(Loose *) (to + i * to_stride) = sums[i][0];
      *(Loose *) (to + i * to_stride + LANES) = sums[i][1];
    }
}

/* One row alone: several parts of it at a time, as each sum must wait for the one before. */
static inline __attribute__ ((always_inline)) void
multiply_row (const SymPanelPart *part, const Finish *finish, float *to, gsize row, gsize at)
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
  finish_sums (finish, sums, at, part->product->y_stride, 1);
  *(Loose *) to = sums[0][0];
  *(Loose *) (to + LANES) = sums[0][1];
}

/* ---- Panels that are not whole ---- */

/* As finish_sums() does, which cannot read what is not there. */
static void
finish_row (const Finish *finish, float *sums, gsize n)
{
  float low = finish->low, high = finish->high;

  for (gsize i = 0; finish->added != NULL && i < n; i++)
    sums[i] += finish->added[i];
  for (gsize i = 0; finish->bias != NULL && i < n; i++)
    sums[i] += finish->bias[i];
  for (gsize i = 0; finish->is_bounded && i < n; i++)
    sums[i] = sums[i] < low ? low : sums[i] > high ? high : sums[i];
}

static void
keep_rows (const SymPanelPart *part, Finish finish, float *tile, gsize row, gsize n)
{
  const SymPanelProduct *self = part->product;
  gsize n_columns = self->outer - part->column;
  float *y = self->y + (gssize) row * self->y_stride + part->column;

  for (gsize i = 0; i < n; i++, tile += SYM_PANEL, y += self->y_stride)
    {
      finish_row (&finish, tile, n_columns);
      sym_panel_copy_row (y, tile, n_columns);
      if (finish.added != NULL)
        finish.added += self->y_stride;
    }
}

/* ---- All ---- */

static Finish
new_finish (const SymPanelPart *part)
{
  const SymPanelProduct *self = part->product;
  const float *added = part->first > 0 ? self->y : self->addend;

  return (Finish){
    .added = added == NULL ? NULL : added + part->column,
    .bias = part->is_last && self->bias != NULL ? self->bias + part->column : NULL,
    .is_bounded = part->is_last && (self->low > -INFINITY || self->high < INFINITY),
    .low = self->low,
    .high = self->high,
  };
}

#define ROWS(n)                                                             \
  case n:                                                                   \
    multiply_rows (part, now, to + at, to_stride, row, at, ahead, pace, n); \
    break;

/* The rows of the next tile: all that are left are for tiles of about the same size. */
static gsize
find_n_rows (gsize left)
{
  gsize n_tiles = (left + MOST_ROWS - 1) / MOST_ROWS;

  return (left + n_tiles - 1) / n_tiles;
}

/* How far what is ahead comes with each turn of the innermost loop: evenly, and into the second
 * cache, as there is no room in the first one. */
static gsize
find_pace (const SymPanelPart *part, gsize n_rows)
{
  gsize n_tiles = (n_rows + MOST_ROWS - 1) / MOST_ROWS * (SYM_PANEL / (2 * LANES));
  gsize n_turns = n_tiles * part->n_inner;

  return n_turns == 0 ? 0 : MIN ((part->n_ahead + n_turns - 1) / n_turns, LINE);
}

TARGET void
MULTIPLY (const SymPanelPart *part, gsize row, gsize end)
{
  float tile[MOST_ROWS * SYM_PANEL] __attribute__ ((aligned (64)));
  gssize stride = part->product->y_stride;
  gboolean is_whole = part->product->outer - part->column >= SYM_PANEL;
  gssize to_stride = is_whole ? stride : SYM_PANEL;
  const float *ahead = part->ahead;
  gsize pace = find_pace (part, end - row);
  const Finish finish = new_finish (part), nothing = { NULL };

  for (gsize n; row < end; row += n)
    {
      float *y = part->product->y + (gssize) row * stride + part->column;
      float *to = is_whole ? y : tile;
      Finish here = finish;
      const Finish *now = is_whole ? &here : &nothing;

      n = find_n_rows (end - row);
      if (here.added != NULL)
        here.added += (gssize) row * stride;
      for (gsize at = 0; at < SYM_PANEL; at += 2 * LANES, ahead += pace * part->n_inner)
        switch (n)
          {
            ROW_CASES
          default:
            multiply_row (part, now, to + at, row, at);
          }
      if (!is_whole)
        keep_rows (part, here, tile, row, n);
    }
}
