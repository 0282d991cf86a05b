/* SPDX-License-Identifier: MIT */
#if defined(__x86_64__) && defined(__GNUC__)

#  include <glib.h>
#  include <immintrin.h>

/* Products of bytes by tiles: the processor multiplies 16 rows of 64 codes each with 64 rows of 16
 * weights at once.  Groups of four weights lie in a panel as a tile wants them. */

#  define LANES 16
#  define TARGET __attribute__ ((target ("arch=x86-64-v4,avx512vnni,amx-tile,amx-int8")))

typedef gint32 Ints __attribute__ ((vector_size (4 * LANES), may_alias));

/* Numbers of 0 to 255. */
TARGET static inline __attribute__ ((always_inline)) void
write_bytes (guint8 *bytes, Ints numbers)
{
  _mm_storeu_si128 ((__m128i *) bytes, _mm512_cvtepi32_epi8 ((__m512i) numbers));
}

#  include "run/sym-bytes-finish.h"

#  include "run/sym-tiles-private.h"

#  define SIDE SYM_TILE_SIDE
#  define DEPTH SYM_TILE_DEPTH

/* ---- Tiles ---- */

/* Some depth of rows of codes, and the same of a panel. */
typedef struct {
  const guint8 *codes;
  gsize stride;
  const gint8 *weights;
} Factors;

/* Tiles 0 to 3 are the sums of two times 16 rows and two times 16 columns. */
TARGET static inline __attribute__ ((always_inline)) void
add_tiles (const Factors *self, const gboolean has_two)
{
  _tile_loadd (6, self->weights, BYTES);
  _tile_loadd (4, self->codes, self->stride);
  _tile_dpbusd (0, 4, 6);
  _tile_loadd (7, self->weights + DEPTH, BYTES);
  _tile_dpbusd (1, 4, 7);
  if (!has_two)
    return;
  _tile_loadd (5, self->codes + SIDE * self->stride, self->stride);
  _tile_dpbusd (2, 5, 6);
  _tile_dpbusd (3, 5, 7);
}

/* What is left where the depth is not one of whole tiles, filled up with codes of 0. */
typedef struct {
  guint8 codes[2 * SIDE][DEPTH];
  gint8 weights[SIDE * BYTES];
  gsize n; /* bytes of codes */
} Rest;

TARGET static inline __attribute__ ((always_inline)) void
sum_tiles (Factors factors, gsize n_whole, const Rest *rest, Ints sums[][VECTORS], gboolean has_two)
{
  const Factors last = { rest->codes[0], DEPTH, rest->weights };

  sym_tiles_look ();
  _tile_zero (0);
  _tile_zero (1);
  _tile_zero (2);
  _tile_zero (3);
  for (gsize i = 0; i < n_whole; i++)
    {
      add_tiles (&factors, has_two);
      factors.codes += DEPTH;
      factors.weights += SIDE * BYTES;
    }
  if (rest->n > 0)
    add_tiles (&last, has_two);
  _tile_stored (0, &sums[0][0], sizeof sums[0]);
  _tile_stored (1, &sums[0][1], sizeof sums[0]);
  if (!has_two)
    return;
  _tile_stored (2, &sums[SIDE][0], sizeof sums[0]);
  _tile_stored (3, &sums[SIDE][1], sizeof sums[0]);
}

/* ---- Panels ---- */

TARGET static void
finish_tile (const SymBytesProduct *self, const Ints sums[][VECTORS], gsize row, gsize column)
{
  float tile[SIDE * LANES] __attribute__ ((aligned (64)));
  gsize last = column;

  finish (self, sums, 0, tile, row, column, SIDE);
  if (column + LANES < self->outer)
    {
      last += LANES;
      finish (self, sums, 1, tile, row, last, SIDE);
    }
  if (last + LANES > self->outer)
    keep_rows (self, tile, row, last, SIDE);
}

/* Columns from @column on; rows are of whole tiles. */
TARGET static void
multiply_panel (const SymBytesProduct *self, const gint8 *panel, gsize column, Rest *rest)
{
  gsize n_whole = sym_bytes_get_stride (self->inner) / DEPTH, n_rows;
  Ints sums[2 * SIDE][VECTORS];

  memcpy (rest->weights, panel + n_whole * SIDE * BYTES, rest->n * SYM_BYTES_PANEL);
  for (gsize row = 0; row < self->rows; row += n_rows)
    {
      Factors factors = { self->x + row * self->x_stride, self->x_stride, panel };

      n_rows = MIN (self->rows - row, 2 * SIDE);
      for (gsize i = 0; rest->n > 0 && i < n_rows; i++)
        memcpy (rest->codes[i], factors.codes + i * factors.stride + n_whole * DEPTH, rest->n);
      if (n_rows > SIDE)
        sum_tiles (factors, n_whole, rest, sums, TRUE);
      else
        sum_tiles (factors, n_whole, rest, sums, FALSE);
      for (gsize i = 0; i < n_rows; i += SIDE)
        finish_tile (self, sums + i, row + i, column);
    }
}

TARGET static void
multiply_rows (const SymBytesProduct *self)
{
  gsize n_inner = sym_bytes_get_stride (self->inner);
  gsize n = MAX (SYM_BYTES_NEAR / MAX (self->x_stride, 1) / (2 * SIDE), 1) * 2 * SIDE;
  Rest rest = { .n = n_inner % DEPTH };

  sym_tiles_begin ();
  for (gsize row = 0; row < self->rows; row += n)
    {
      SymBytesProduct part = sym_bytes_take_rows (self, row, MIN (n, self->rows - row));

      for (gsize column = 0; column < self->outer; column += SYM_BYTES_PANEL)
        multiply_panel (&part, self->panels + column * n_inner, column, &rest);
    }
  sym_tiles_end ();
}

/* A few rows are as quick without tiles, which must be got ready first. */
void
sym_bytes_multiply_tiles (const SymBytesProduct *self)
{
  gsize n = self->inner < DEPTH ? 0 : self->rows / SIDE * SIDE;
  SymBytesProduct part;

  if (n > 0)
    {
      part = sym_bytes_take_rows (self, 0, n);
      multiply_rows (&part);
    }
  if (n == self->rows)
    return;
  part = sym_bytes_take_rows (self, n, self->rows - n);
  sym_bytes_vnni.multiply (&part);
}

#endif
