/* SPDX-License-Identifier: MIT */
#include "run/sym-halves-private.h"

#if defined(__x86_64__) && defined(__GNUC__)

#  include <immintrin.h>
#  include <string.h>

#  include "run/sym-tiles-private.h"
#  include "run/sym-vector-rows-private.h"

#  define TARGET __attribute__ ((target ("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")))

#  define SIDE SYM_TILE_SIDE
#  define DEPTH SYM_HALVES_DEPTH
#  define TILE (SYM_TILE_SIDE * SYM_TILE_DEPTH) /* bytes */

/* Of a square of rows and of a panel, for each tile's depth. */
#  define SQUARE_BYTES (2 * TILE) /* the first halves, then the second ones */
#  define PANEL_BYTES (4 * TILE)  /* the first halves of two tiles beside each other, and so on */

#  define LANES 16

static gsize
count_depths (gsize inner)
{
  return (inner + DEPTH - 1) / DEPTH;
}

gsize
sym_halves_get_row_bytes (gsize n_rows, gsize inner)
{
  return (n_rows + SIDE - 1) / SIDE * count_depths (inner) * SQUARE_BYTES;
}

gsize
sym_halves_get_panel_bytes (gsize inner, gsize outer)
{
  return (outer + SYM_HALVES_PANEL - 1) / SYM_HALVES_PANEL * count_depths (inner) * PANEL_BYTES;
}

/* ---- Halves ---- */

/* The largest bfloat16: beyond it numbers would become infinite. */
#  define LARGEST 0x1.fep127f

TARGET static inline __attribute__ ((always_inline)) __m512
widen (__m256i halves)
{
  return _mm512_castsi512_ps (_mm512_slli_epi32 (_mm512_cvtepu16_epi32 (halves), 16));
}

/* What is not a number stays none, and what is infinite leaves something infinite. */
TARGET static inline __attribute__ ((always_inline)) __m512
limit (__m512 x)
{
  return _mm512_max_ps (_mm512_set1_ps (-LARGEST), _mm512_min_ps (_mm512_set1_ps (LARGEST), x));
}

/* The halves of twice 16 numbers. */
TARGET static inline __attribute__ ((always_inline)) void
split (__m512 left, __m512 right, __m512i halves[2])
{
  __m512i first = (__m512i) _mm512_cvtne2ps_pbh (limit (right), limit (left));

  left = _mm512_sub_ps (left, widen (_mm512_castsi512_si256 (first)));
  right = _mm512_sub_ps (right, widen (_mm512_extracti64x4_epi64 (first, 1)));
  halves[0] = first;
  halves[1] = (__m512i) _mm512_cvtne2ps_pbh (right, left);
}

static inline __mmask16
get_mask (gsize n)
{
  return n >= LANES ? 0xffff : (__mmask16) ((1u << n) - 1);
}

/* Up to 32 numbers beside each other, of which @n are there. */
TARGET static inline __attribute__ ((always_inline)) void
split_some (const float *x, gsize n, __m512 factor, __m512i halves[2])
{
  __m512 left = _mm512_maskz_loadu_ps (get_mask (n), x), right = _mm512_setzero_ps ();

  if (n > LANES)
    right = _mm512_maskz_loadu_ps (get_mask (n - LANES), x + LANES);
  split (_mm512_mul_ps (left, factor), _mm512_mul_ps (right, factor), halves);
}

/* A row of x, from @i on what is of one depth. */
TARGET static void
split_row (const float *x, gsize inner, char *to)
{
  __m512i halves[2];
  __m512 one = _mm512_set1_ps (1);

  for (gsize i = 0; i < inner; i += DEPTH, to += SQUARE_BYTES)
    {
      split_some (x + i, MIN (inner - i, DEPTH), one, halves);
      _mm512_store_si512 (to, halves[0]);
      _mm512_store_si512 (to + TILE, halves[1]);
    }
}

void
sym_halves_split (const float *x, gsize stride, gsize n_rows, gsize inner, void *to)
{
  gsize n_bytes = count_depths (inner) * SQUARE_BYTES;

  if (n_rows % SIDE != 0)
    memset ((char *) to + n_rows / SIDE * n_bytes, 0, n_bytes);
  for (gsize i = 0; i < n_rows; i++)
    split_row (x + i * stride, inner, (char *) to + i / SIDE * n_bytes + i % SIDE * SYM_TILE_DEPTH);
}

/* ---- Packing ---- */

/* A tile has pairs of weights that follow each other in a column.  Where they lie beside each other
 * in memory, its columns are made as rows first. */
TARGET static void
pack_turned (const SymHalvesMatrix *self, gsize row, gsize column, char *to)
{
  float rows[2][SIDE * LANES] __attribute__ ((aligned (64)));
  gsize n = MIN (self->outer - MIN (column, self->outer), SIDE);
  gsize n_inner = MIN (self->inner - row, DEPTH);

  memset (rows, 0, sizeof rows);
  for (gsize j = 0; j < n; j++)
    {
      float scale = self->scales == NULL ? 1 : self->scales[column + j];
      const float *from = self->from + (gssize) (column + j) * self->column_stride + (gssize) row;
      __m512i halves[2];

      split_some (from, n_inner, _mm512_set1_ps (scale), halves);
      _mm512_store_si512 (rows[0] + j * LANES, halves[0]);
      _mm512_store_si512 (rows[1] + j * LANES, halves[1]);
    }
  sym_vector_turn ((float *) (gpointer) to, LANES, rows[0], LANES, SIDE, LANES);
  sym_vector_turn ((float *) (gpointer) (to + 2 * TILE), LANES, rows[1], LANES, SIDE, LANES);
}

/* 16 weights of a row; none beyond the last one. */
TARGET static inline __attribute__ ((always_inline)) __m512
read_weights (const SymHalvesMatrix *self, gsize row, gsize column, __mmask16 mask, __m512 scales)
{
  if (row >= self->inner)
    return _mm512_setzero_ps ();
  return _mm512_mul_ps (
      _mm512_maskz_loadu_ps (mask, self->from + (gssize) row * self->row_stride + (gssize) column),
      scales);
}

TARGET static void
pack_straight (const SymHalvesMatrix *self, gsize row, gsize column, char *to)
{
  const __m512i order =
      _mm512_set_epi16 (31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                        21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  __mmask16 mask = get_mask (self->outer - MIN (column, self->outer));
  __m512 scales = _mm512_set1_ps (1);

  if (self->scales != NULL)
    scales = _mm512_maskz_loadu_ps (mask, self->scales + column);
  for (gsize i = 0; i < DEPTH; i += 2, to += SYM_TILE_DEPTH)
    {
      __m512i halves[2];

      split (read_weights (self, row + i, column, mask, scales),
             read_weights (self, row + i + 1, column, mask, scales), halves);
      _mm512_store_si512 (to, _mm512_permutexvar_epi16 (order, halves[0]));
      _mm512_store_si512 (to + 2 * TILE, _mm512_permutexvar_epi16 (order, halves[1]));
    }
}

void
sym_halves_pack (const SymHalvesMatrix *self, void *panels)
{
  char *to = panels;

  for (gsize column = 0; column < self->outer; column += SYM_HALVES_PANEL)
    for (gsize row = 0; row < self->inner; row += DEPTH, to += PANEL_BYTES)
      for (gsize i = 0; i < 2; i++)
        if (self->row_stride == 1)
          pack_turned (self, row, column + i * SIDE, to + i * TILE);
        else
          pack_straight (self, row, column + i * SIDE, to + i * TILE);
}

/* ---- Products ---- */

#  define LINE 64
#  define PRODUCTS 12  /* of tiles, for each depth of twice 16 rows */
#  define MOST_AHEAD 3 /* lines that are asked for with each of them */

/* The squares of one or two times 16 rows, and a panel; and so many lines of what is ahead are
 * asked for with each product of tiles. */
typedef struct {
  const char *squares[2], *panel;
  gsize n_depths;
  const char *ahead;
  gsize n_ahead;
} Factors;

/* Asks for @n lines, of what is ahead. */
TARGET static inline __attribute__ ((always_inline)) const char *
ask (const char *ahead, gsize n)
{
  for (gsize i = 0; i < n; i++)
    _mm_prefetch (ahead + i * LINE, _MM_HINT_T1);
  return ahead + n * LINE;
}

/* Tiles 0 to 3 are the sums, 4 and 5 of x, 6 and 7 of the weights.  Only a few lines are asked for
 * at a time, as the processor can wait for no more of them while it loads tiles. */
TARGET static inline __attribute__ ((always_inline)) const char *
add_products (const char *ahead, gsize n, const gboolean has_two)
{
  _tile_dpbf16ps (0, 4, 6);
  ahead = ask (ahead, n);
  _tile_dpbf16ps (1, 4, 7);
  ahead = ask (ahead, n);
  if (!has_two)
    return ahead;
  _tile_dpbf16ps (2, 5, 6);
  ahead = ask (ahead, n);
  _tile_dpbf16ps (3, 5, 7);
  return ask (ahead, n);
}

TARGET static inline __attribute__ ((always_inline)) void
load_rows (const Factors *self, gsize offset, const gboolean has_two)
{
  _tile_loadd (4, self->squares[0] + offset, SYM_TILE_DEPTH);
  if (has_two)
    _tile_loadd (5, self->squares[1] + offset, SYM_TILE_DEPTH);
}

TARGET static inline __attribute__ ((always_inline)) void
load_weights (const Factors *self, gsize offset)
{
  _tile_loadd (6, self->panel + offset, SYM_TILE_DEPTH);
  _tile_loadd (7, self->panel + offset + TILE, SYM_TILE_DEPTH);
}

/* @sums are 32 of each row.  Returns what is ahead then. */
TARGET static inline __attribute__ ((always_inline)) const char *
sum_tiles (const Factors *self, float *sums, const gboolean has_two)
{
  const gsize stride = SYM_HALVES_PANEL * sizeof *sums;
  const char *ahead = self->ahead;
  gsize n_ahead = self->n_ahead;

  sym_tiles_look ();
  _tile_zero (0);
  _tile_zero (1);
  _tile_zero (2);
  _tile_zero (3);
  for (gsize i = 0; i < self->n_depths; i++)
    {
      load_rows (self, i * SQUARE_BYTES, has_two);
      load_weights (self, i * PANEL_BYTES);
      ahead = add_products (ahead, n_ahead, has_two);
      load_weights (self, i * PANEL_BYTES + 2 * TILE);
      ahead = add_products (ahead, n_ahead, has_two);
      load_rows (self, i * SQUARE_BYTES + TILE, has_two);
      load_weights (self, i * PANEL_BYTES);
      ahead = add_products (ahead, n_ahead, has_two);
    }
  _tile_stored (0, sums, stride);
  _tile_stored (1, sums + SIDE, stride);
  if (!has_two)
    return ahead;
  _tile_stored (2, sums + SIDE * SYM_HALVES_PANEL, stride);
  _tile_stored (3, sums + SIDE * SYM_HALVES_PANEL + SIDE, stride);
  return ahead;
}

/* Half a row of a panel: the columns from @column on. */
TARGET static inline __attribute__ ((always_inline)) void
finish_row (const SymHalvesProduct *self, const float *sums, gsize row, gsize column)
{
  __mmask16 mask = get_mask (self->outer - column);
  gsize to = row * self->y_stride + column;
  __m512 y = _mm512_load_ps (sums);

  if (self->bias != NULL)
    y = _mm512_add_ps (y, _mm512_maskz_loadu_ps (mask, self->bias + column));
  if (self->addend != NULL)
    y = _mm512_add_ps (y, _mm512_maskz_loadu_ps (mask, self->addend + to));
  y = _mm512_max_ps (_mm512_set1_ps (self->low), y);
  y = _mm512_min_ps (_mm512_set1_ps (self->high), y);
  _mm512_mask_storeu_ps (self->y + to, mask, y);
}

/* The panel that is needed after the one of some columns; that one itself where none is asked for.
 */
static const char *
find_ahead (const SymHalvesProduct *self, const char *panel, gsize column)
{
  gsize next = column + SYM_HALVES_PANEL;

  if (self->are_panels_far && next < self->outer)
    return panel + sym_halves_get_panel_bytes (self->inner, SYM_HALVES_PANEL);
  return self->are_panels_far && self->next != NULL ? self->next : panel;
}

TARGET static void
multiply_panel (const SymHalvesProduct *self, gsize column)
{
  float sums[2 * SIDE * SYM_HALVES_PANEL] __attribute__ ((aligned (64)));
  gsize n_depths = count_depths (self->inner), n_bytes = n_depths * SQUARE_BYTES, n_rows;
  gsize n_turns = (self->n_rows + 2 * SIDE - 1) / (2 * SIDE);
  gsize n_ahead = CLAMP (PANEL_BYTES / LINE / PRODUCTS / n_turns, 1, MOST_AHEAD);
  const char *panel =
      (const char *) self->panels + sym_halves_get_panel_bytes (self->inner, column);
  const char *ahead = find_ahead (self, panel, column), *end = ahead;

  if (ahead != panel)
    end += n_depths * PANEL_BYTES;
  for (gsize row = 0; row < self->n_rows; row += n_rows)
    {
      const char *squares = (const char *) self->x + row / SIDE * n_bytes;
      Factors factors = { { squares, squares + n_bytes }, panel, n_depths, ahead, 0 };

      n_rows = MIN (self->n_rows - row, 2 * SIDE);
      if (ahead < end)
        factors.n_ahead = n_ahead;
      if (n_rows > SIDE)
        ahead = sum_tiles (&factors, sums, TRUE);
      else
        ahead = sum_tiles (&factors, sums, FALSE);
      for (gsize i = 0; i < n_rows; i++)
        {
          finish_row (self, sums + i * SYM_HALVES_PANEL, row + i, column);
          if (column + LANES < self->outer)
            finish_row (self, sums + i * SYM_HALVES_PANEL + LANES, row + i, column + LANES);
        }
    }
}

void
sym_halves_multiply (const SymHalvesProduct *self)
{
  sym_tiles_begin ();
  for (gsize column = 0; column < self->outer; column += SYM_HALVES_PANEL)
    multiply_panel (self, column);
  sym_tiles_end ();
}

#else

/* Other processors have no such tiles, and nobody asks for them. */

gsize
sym_halves_get_row_bytes (gsize n_rows, gsize inner)
{
  g_return_val_if_reached (0);
}

gsize
sym_halves_get_panel_bytes (gsize inner, gsize outer)
{
  g_return_val_if_reached (0);
}

void
sym_halves_split (const float *x, gsize stride, gsize n_rows, gsize inner, void *to)
{
  g_return_if_reached ();
}

void
sym_halves_pack (const SymHalvesMatrix *self, void *panels)
{
  g_return_if_reached ();
}

void
sym_halves_multiply (const SymHalvesProduct *self)
{
  g_return_if_reached ();
}

#endif
