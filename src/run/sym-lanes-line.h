/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-lanes-vector.h"

/* Rows of pixels with weights of each channel, for the file that is compiled once for each kind of
 * processor. */

/* Pixels whose sums fit into registers with what their taps of one row read. */
#if SYM_LANES == 16
#  define LINE_PIXELS 8
#else
#  define LINE_PIXELS 4
#endif
#define MOST_HERE ((LINE_PIXELS - 1) * SYM_LINE_STRIDES + SYM_LINE_TAPS)

/* What is beyond the row is 0. */
INLINE Vector
load_inside (const SymWindowLine *line, const float *x, gsize column, gsize n)
{
  return column - line->before < line->width
             ? load_some (x + (column - line->before) * line->distance, n)
             : fill (0);
}

INLINE void
finish_line_pixel (const SymWindowLine *line, gsize place, gsize n, Vector sum)
{
  if (line->addend != NULL)
    sum += load_some (line->addend + place, n);
  if (line->bounds.is_bounded)
    sum = bound (sum, &line->bounds);
  store_some (line->y + place, sum, n);
}

/* @n channels of a few pixels, at most SYM_LANES.  All counts are known where this is put in, and
 * whether all columns are inside and all lanes are channels. */
INLINE void
weigh_pixels (const SymWindowLine *line,
              gsize pixel,
              gsize channel,
              gsize n,
              const guint n_pixels,
              const guint n_taps,
              const guint stride,
              const gboolean is_whole)
{
  const guint n_here = (n_pixels - 1) * stride + n_taps;
  gsize n_channels = line->n_channels, column = pixel * stride;
  Vector sums[LINE_PIXELS], here[MOST_HERE];

  EACH (p, n_pixels)
  sums[p] = load_some (line->bias + channel, n);
  for (guint row = 0; row < line->n_rows; row++)
    {
      const float *x = line->x[row] + channel, *weights = line->weights[row] + channel;

      EACH_OF_MANY (i, n_here)
      here[i] = is_whole ? load (x + (column + i - line->before) * line->distance)
                         : load_inside (line, x, column + i, n);
      EACH (j, n_taps)
      {
        Vector w =
            is_whole ? load (weights + j * n_channels) : load_some (weights + j * n_channels, n);

        EACH (p, n_pixels)
        sums[p] += here[p * stride + j] * w;
      }
    }
  EACH (p, n_pixels)
  finish_line_pixel (line, (pixel + p) * line->distance + channel, n, sums[p]);
}

INLINE void
weigh_some (const SymWindowLine *line,
            gsize pixel,
            const guint n_pixels,
            const guint n_taps,
            const guint stride)
{
  gsize first = pixel * stride, end = first + (n_pixels - 1) * stride + n_taps;
  gsize rest = line->n_channels % SYM_LANES, whole = line->n_channels - rest, channel = 0;

  if (first >= line->before && end - line->before <= line->width)
    for (; channel < whole; channel += SYM_LANES)
      weigh_pixels (line, pixel, channel, SYM_LANES, n_pixels, n_taps, stride, TRUE);
  for (; channel < line->n_channels; channel += SYM_LANES)
    weigh_pixels (line, pixel, channel, MIN (SYM_LANES, line->n_channels - channel), n_pixels,
                  n_taps, stride, FALSE);
}

INLINE void
weigh_all (const SymWindowLine *line, const guint n_taps, const guint stride)
{
  gsize n = line->n_pixels, pixel = 0;

#if LINE_PIXELS == 8
  /* Most sizes are made of eights and sevens alone. */
  gsize n_groups = (n + 7) / 8, n_sevens = n >= 7 * n_groups ? 8 * n_groups - n : 0;

  for (; pixel < 7 * n_sevens; pixel += 7)
    weigh_some (line, pixel, 7, n_taps, stride);
  for (; pixel + 8 <= n; pixel += 8)
    weigh_some (line, pixel, 8, n_taps, stride);
#endif
  for (; pixel + 4 <= n; pixel += 4)
    weigh_some (line, pixel, 4, n_taps, stride);
  if (pixel + 2 <= n)
    {
      weigh_some (line, pixel, 2, n_taps, stride);
      pixel += 2;
    }
  if (pixel < n)
    weigh_some (line, pixel, 1, n_taps, stride);
}

#define WEIGH_LINE(n_taps, stride)                                       \
  static void weigh_line_##n_taps##_##stride (const SymWindowLine *line) \
  {                                                                      \
    weigh_all (line, n_taps, stride);                                    \
  }

WEIGH_LINE (3, 1)
WEIGH_LINE (3, 2)
WEIGH_LINE (5, 1)
WEIGH_LINE (5, 2)
WEIGH_LINE (7, 1)
WEIGH_LINE (7, 2)

#define WEIGH_LINES                                 \
  {                                                 \
    [3] = { NULL, weigh_line_3_1, weigh_line_3_2 }, \
    [5] = { NULL, weigh_line_5_1, weigh_line_5_2 }, \
    [7] = { NULL, weigh_line_7_1, weigh_line_7_2 }, \
  }
