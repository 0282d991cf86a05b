/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-lanes-vector.h"

/* Compiled once for each kind of processor: SYM_LANES is the width of its vectors, SYM_PROCESSOR
 * the name of the table that is made here. */

/* ---- Tiles ---- */

INLINE void
finish_vector (float *y, const float *addend, const SymBounds *bounds, gsize n, Vector sum)
{
  if (addend != NULL)
    sum += load_some (addend, n);
  if (bounds->is_bounded)
    sum = bound (sum, bounds);
  store_some (y, sum, n);
}

/* A row of sums; only the last vector may have fewer than its lanes. */
INLINE void
finish_row (float *y,
            const float *addend,
            const SymBounds *bounds,
            gsize n,
            const Vector *sums,
            const guint n_vectors)
{
  EACH (v, n_vectors)
  {
    gsize rest = v + 1 < n_vectors ? SYM_LANES : n - v * SYM_LANES;

    finish_vector (y + v * SYM_LANES, addend == NULL ? NULL : addend + v * SYM_LANES, bounds, rest,
                   sums[v]);
  }
}

#define SUMS (SYM_TILE_ROWS * SYM_TILE_VECTORS * SYM_LANES)

/* Sums of a tile from registers to memory, for functions of them. */
INLINE void
store_sums (float *to,
            const Vector sums[SYM_TILE_ROWS][SYM_TILE_VECTORS],
            const guint n_rows,
            const guint n_vectors)
{
  EACH (r, n_rows)
  EACH (v, n_vectors)
  store (to + (r * n_vectors + v) * SYM_LANES, sums[r][v]);
}

/* @sums has room for a multiple of SYM_VECTOR_UNIT. */
static void
finish_sums (float *sums,
             const SymActivation *activation,
             const SymBounds *bounds,
             const gsize *places,
             float *y,
             const float *addend,
             guint n_rows,
             gsize n)
{
  gsize width = (n + SYM_LANES - 1) / SYM_LANES * SYM_LANES, n_sums = n_rows * width;
  gsize rest = -n_sums % SYM_VECTOR_UNIT;

  for (guint r = 0; r < n_rows && (addend != NULL || bounds->is_bounded); r++)
    for (gsize v = 0; v < n; v += SYM_LANES)
      finish_vector (sums + r * width + v, addend == NULL ? NULL : addend + places[r] + v, bounds,
                     MIN (SYM_LANES, n - v), load (sums + r * width + v));
  memset (sums + n_sums, 0, rest * sizeof *sums);
  activation->function (sums, sums, NULL, n_sums + rest, activation->p, activation->q);
  for (guint r = 0; r < n_rows; r++)
    for (gsize v = 0; v < n; v += SYM_LANES)
      store_some (y + places[r] + v, load (sums + r * width + v), MIN (SYM_LANES, n - v));
}

/* ---- Weights that are needed next ---- */

/* Tiles that have time to ask between their products. */
#define IS_WIDE(n_vectors) ((n_vectors) > SYM_LANES / 8)

#define CACHE_LINE 16

typedef struct {
  const float *next;
  gsize step, second; /* one turn asks for one line of the cache or two */
} Asking;

/* @weights are near: asking for them again costs least where there is nothing ahead. */
INLINE Asking
begin_asking (const SymAhead *ahead, const float *weights, gsize n_turns)
{
  gsize step = n_turns == 0 || ahead->n == 0 ? 0 : (ahead->n + n_turns - 1) / n_turns;

  return (Asking){ step == 0 ? weights : ahead->from, step, step > CACHE_LINE ? CACHE_LINE : 0 };
}

/* Into the second cache, as the first one has no room. */
INLINE void
ask (Asking *self)
{
  __builtin_prefetch (self->next, 0, 2);
  __builtin_prefetch (self->next + self->second, 0, 2);
  self->next += self->step;
}

/* ---- Products ---- */

/* All counts are constants where this is put in, so that the sums are in registers. */
INLINE void
multiply (const SymTile *tile, const guint n_rows, const guint n_vectors)
{
  Vector sums[SYM_TILE_ROWS][SYM_TILE_VECTORS];
  Asking asking = begin_asking (&tile->ahead, tile->weights, tile->n_pieces * tile->piece);

  EACH (r, n_rows)
  EACH (v, n_vectors)
  sums[r][v] = load (tile->bias + v * SYM_LANES);
  for (const SymPiece *piece = tile->pieces; piece < tile->pieces + tile->n_pieces; piece++)
    {
      const float *weights = tile->weights + piece->weights * n_vectors * SYM_LANES;
      const float *rows[SYM_TILE_ROWS];

      EACH (r, n_rows)
      rows[r] = tile->rows[r] + piece->x;
      for (gsize i = 0; i < tile->piece; i++, weights += n_vectors * SYM_LANES)
        {
          Vector columns[SYM_TILE_VECTORS];

          if (IS_WIDE (n_vectors))
            ask (&asking);
          EACH (v, n_vectors)
          columns[v] = load (weights + v * SYM_LANES);
          EACH (r, n_rows)
          EACH (v, n_vectors)
          sums[r][v] += columns[v] * rows[r][i];
        }
    }
  if (tile->activation.function != NULL)
    {
      float numbers[SUMS + SYM_VECTOR_UNIT] __attribute__ ((aligned (64)));

      store_sums (numbers, sums, n_rows, n_vectors);
      finish_sums (numbers, &tile->activation, &tile->bounds, tile->places, tile->y, tile->addend,
                   n_rows, tile->n);
      return;
    }
  EACH (r, n_rows)
  {
    float *y = tile->y + tile->places[r];
    const float *addend = tile->addend == NULL ? NULL : tile->addend + tile->places[r];

    if (tile->n == n_vectors * SYM_LANES)
      finish_row (y, addend, &tile->bounds, n_vectors * SYM_LANES, sums[r], n_vectors);
    else
      finish_row (y, addend, &tile->bounds, tile->n, sums[r], n_vectors);
  }
}

INLINE void
multiply_rows (const SymLine *line,
               gsize first,
               Asking *asking,
               const guint n_rows,
               const guint n_vectors)
{
  Vector sums[SYM_TILE_ROWS][SYM_TILE_VECTORS];
  const float *weights = line->weights, *x = line->x + first * line->x_step;

  EACH (r, n_rows)
  EACH (v, n_vectors)
  sums[r][v] = load (line->bias + v * SYM_LANES);
  for (gsize i = 0; i < line->inner; i++, weights += n_vectors * SYM_LANES)
    {
      Vector columns[SYM_TILE_VECTORS];

      if (IS_WIDE (n_vectors))
        ask (asking);
      EACH (v, n_vectors)
      columns[v] = load (weights + v * SYM_LANES);
      EACH (r, n_rows)
      EACH (v, n_vectors)
      sums[r][v] += columns[v] * x[r * line->x_step + i];
    }
  if (line->activation.function != NULL)
    {
      float numbers[SUMS + SYM_VECTOR_UNIT] __attribute__ ((aligned (64)));
      gsize places[SYM_TILE_ROWS];

      EACH (r, n_rows)
      places[r] = (first + r) * line->y_step;
      store_sums (numbers, sums, n_rows, n_vectors);
      finish_sums (numbers, &line->activation, &line->bounds, places, line->y, line->addend, n_rows,
                   line->n);
      return;
    }
  EACH (r, n_rows)
  {
    gsize place = (first + r) * line->y_step;
    const float *addend = line->addend == NULL ? NULL : line->addend + place;

    if (line->n == n_vectors * SYM_LANES)
      finish_row (line->y + place, addend, &line->bounds, n_vectors * SYM_LANES, sums[r],
                  n_vectors);
    else
      finish_row (line->y + place, addend, &line->bounds, line->n, sums[r], n_vectors);
  }
}

/* What fits into 32 registers, or into 16, without the weights. */
#define SIX_ROWS(use, vectors)                                                         \
  use (1, vectors) use (2, vectors) use (3, vectors) use (4, vectors) use (5, vectors) \
      use (6, vectors)
#define EIGHT_ROWS(use, vectors) SIX_ROWS (use, vectors) use (7, vectors) use (8, vectors)
#if SYM_LANES == 16
#  define TILES(use) EIGHT_ROWS (use, 1) EIGHT_ROWS (use, 2) EIGHT_ROWS (use, 3) SIX_ROWS (use, 4)
#  define TILE_SIZES \
    {                \
      0, 8, 8, 8, 6  \
    }
#else
#  define TILES(use) EIGHT_ROWS (use, 1) SIX_ROWS (use, 2)
#  define TILE_SIZES \
    {                \
      0, 8, 6, 0, 0  \
    }
#endif

#define TILE(rows, vectors) \
  static void multiply_##rows##_##vectors (const SymTile *tile) { multiply (tile, rows, vectors); }

#define ENTRY(rows, vectors) .multiply[vectors][rows] = multiply_##rows##_##vectors,

TILES (TILE)

static const guint n_rows_of[] = TILE_SIZES;

#define CASE(rows, vectors)                              \
  case rows:                                             \
    multiply_rows (line, first, &asking, rows, vectors); \
    break;

/* Tiles as even as they can be. */
#define LINE(ROWS, vectors)                                                                  \
  static void multiply_line_##vectors (const SymLine *line)                                  \
  {                                                                                          \
    gsize n_tiles = (line->n_rows + n_rows_of[vectors] - 1) / n_rows_of[vectors], first = 0; \
    gsize n = n_tiles == 0 ? 0 : line->n_rows / n_tiles, rest = line->n_rows - n * n_tiles;  \
    Asking asking = begin_asking (&line->ahead, line->weights, n_tiles * line->inner);       \
                                                                                             \
    for (gsize i = 0; i < n_tiles; i++)                                                      \
      {                                                                                      \
        gsize size = n + (i < rest ? 1 : 0);                                                 \
                                                                                             \
        switch (size)                                                                        \
          {                                                                                  \
            ROWS (CASE, vectors)                                                             \
          default:                                                                           \
            g_assert_not_reached ();                                                         \
          }                                                                                  \
        first += size;                                                                       \
      }                                                                                      \
  }

#if SYM_LANES == 16
LINE (EIGHT_ROWS, 1)
LINE (EIGHT_ROWS, 2)
LINE (EIGHT_ROWS, 3)
LINE (SIX_ROWS, 4)
#  define LINES                                                                \
    {                                                                          \
      NULL, multiply_line_1, multiply_line_2, multiply_line_3, multiply_line_4 \
    }
#else
LINE (EIGHT_ROWS, 1)
LINE (SIX_ROWS, 2)
#  define LINES                              \
    {                                        \
      NULL, multiply_line_1, multiply_line_2 \
    }
#endif

/* ---- Windows ---- */

enum { WEIGH, ADD, MAXIMISE };

/* As many as keep the processor busy while sums wait for themselves. */
#define WINDOW_PIXELS 8

INLINE void
finish_pixel (const SymWindow *window, gsize place, gsize n, Vector sum)
{
  if (window->addend != NULL)
    sum += load_some (window->addend + place, n);
  if (window->bounds.is_bounded)
    sum = bound (sum, &window->bounds);
  store_some (window->y + place, sum, n);
}

/* @n channels of a few pixels, at most SYM_LANES. */
INLINE void
run_window (const SymWindow *window,
            gsize pixel,
            gsize channel,
            const guint n_pixels,
            gsize n,
            const int how)
{
  gsize first = pixel * window->step + channel, to = pixel * window->stride + channel;
  Vector sums[WINDOW_PIXELS];

  EACH (p, n_pixels)
  {
    if (how == MAXIMISE)
      sums[p] = load_some (window->x[0] + first + p * window->step, n);
    else
      sums[p] = window->bias == NULL ? fill (0) : load_some (window->bias + channel, n);
  }
  for (guint tap = how == MAXIMISE ? 1 : 0; tap < window->n_taps; tap++)
    {
      const float *x = window->x[tap] + first;
      Vector weights = how == WEIGH ? load_some (window->weights[tap] + channel, n) : fill (0);

      EACH (p, n_pixels)
      {
        Vector here = load_some (x + p * window->step, n);

        if (how == WEIGH)
          sums[p] += here * weights;
        else if (how == ADD)
          sums[p] += here;
        else
          sums[p] = choose ((here > sums[p]) | (here != here), here, sums[p]);
      }
    }
  EACH (p, n_pixels)
  finish_pixel (window, to + p * window->stride, n,
                how == ADD ? sums[p] * window->factor : sums[p]);
}

/* All that come in so many from @pixel on; returns the one after them. */
INLINE gsize
run_pixels (const SymWindow *window, gsize pixel, const guint n_pixels, const int how)
{
  gsize rest = window->n_channels % SYM_LANES, whole = window->n_channels - rest;

  for (; pixel + n_pixels <= window->n_pixels; pixel += n_pixels)
    {
      for (gsize channel = 0; channel < whole; channel += SYM_LANES)
        run_window (window, pixel, channel, n_pixels, SYM_LANES, how);
      if (rest > 0)
        run_window (window, pixel, whole, n_pixels, rest, how);
    }
  return pixel;
}

INLINE void
run_windows (const SymWindow *window, const int how)
{
  gsize pixel = run_pixels (window, 0, WINDOW_PIXELS, how);

  pixel = run_pixels (window, pixel, 4, how);
  pixel = run_pixels (window, pixel, 2, how);
  run_pixels (window, pixel, 1, how);
}

static void
weigh (const SymWindow *window)
{
  run_windows (window, WEIGH);
}

static void
add (const SymWindow *window)
{
  run_windows (window, ADD);
}

static void
maximise (const SymWindow *window)
{
  run_windows (window, MAXIMISE);
}

#include "run/sym-lanes-line.h"

/* ---- Winograd ---- */

/* B^T d, of six. */
INLINE void
enter_line (const Vector *d, Vector *to, const guint step)
{
  Vector a = d[4] - 4 * d[2], b = d[3] - 4 * d[1], c = d[4] - d[2], e = 2 * (d[3] - d[1]);

  to[0] = 4 * d[0] - 5 * d[2] + d[4];
  to[step] = a + b;
  to[2 * step] = a - b;
  to[3 * step] = c + e;
  to[4 * step] = c - e;
  to[5 * step] = 4 * d[1] - 5 * d[3] + d[5];
}

/* A^T m, of six. */
INLINE void
leave_line (const Vector *m, Vector *to, const guint step)
{
  Vector a = m[1] + m[2], b = m[1] - m[2], c = m[3] + m[4], d = m[3] - m[4];

  to[0] = m[0] + a + c;
  to[step] = b + 2 * d;
  to[2 * step] = a + 4 * c;
  to[3 * step] = b + 8 * d + m[5];
}

/* G g, of three. */
INLINE void
turn_line (const Vector *g, Vector *to, const guint step)
{
  Vector sum = (g[0] + g[2]) * (1.0f / 6), far = g[0] * (1.0f / 24) + g[2] * (1.0f / 6);

  to[0] = g[0] * 0.25f;
  to[step] = -sum - g[1] * (1.0f / 6);
  to[2 * step] = g[1] * (1.0f / 6) - sum;
  to[3 * step] = far + g[1] * (1.0f / 12);
  to[4 * step] = far - g[1] * (1.0f / 12);
  to[5 * step] = g[2];
}

static void
winograd_turn (const float *kernels, float *to, gsize distance, gsize n)
{
  for (gsize i = 0; i < n; i += SYM_LANES)
    {
      Vector lines[18], line[3], points[6];

      EACH (j, 3)
      {
        EACH (k, 3)
        line[k] = load (kernels + (k * 3 + j) * n + i);
        turn_line (line, lines + j, 3);
      }
      EACH (j, 6)
      {
        turn_line (lines + j * 3, points, 1);
        EACH (k, 6)
        store (to + (j * 6 + k) * distance + i, points[k]);
      }
    }
}

/* Channels are a multiple of the lanes. */
static void
winograd_enter (const SymWinogradInput *input)
{
  for (gsize channel = 0; channel < input->n_channels; channel += SYM_LANES)
    {
      Vector lines[SYM_WINOGRAD_POINTS], line[6], points[6];

      EACH (j, 6)
      {
        EACH (i, 6)
        line[i] = load (input->pixels[i * 6 + j] + channel);
        enter_line (line, lines + j, 6);
      }
      EACH (i, 6)
      {
        enter_line (lines + i * 6, points, 1);
        EACH (j, 6)
        store (input->sums + (i * 6 + j) * input->distance + channel, points[j]);
      }
    }
}

INLINE void
leave_pixel (const SymWinogradOutput *output, guint pixel, gsize channel, Vector sum)
{
  if (output->pixels[pixel] == NULL)
    return;
  sum += load (output->bias + channel);
  if (output->addends[pixel] != NULL)
    sum += load (output->addends[pixel] + channel);
  if (output->bounds.is_bounded)
    sum = bound (sum, &output->bounds);
  store (output->pixels[pixel] + channel, sum);
}

static void
winograd_leave (const SymWinogradOutput *output)
{
  for (gsize channel = 0; channel < output->n_channels; channel += SYM_LANES)
    {
      Vector lines[24], line[6], pixels[4];

      EACH (j, 6)
      {
        EACH (i, 6)
        line[i] = load (output->sums + (i * 6 + j) * output->distance + channel);
        leave_line (line, lines + j, 6);
      }
      EACH (i, 4)
      {
        leave_line (lines + i * 6, pixels, 1);
        EACH (j, 4)
        leave_pixel (output, i * 4 + j, channel, pixels[j]);
      }
    }
}

extern const SymProcessor SYM_PROCESSOR;

const SymProcessor SYM_PROCESSOR = {
  .name = G_STRINGIFY (SYM_PROCESSOR),
  .width = SYM_LANES,
  .n_rows = TILE_SIZES,
  TILES (ENTRY).multiply_line = LINES,
  .weigh = weigh,
  .add = add,
  .maximise = maximise,
  .weigh_line = WEIGH_LINES,
  .winograd_turn = winograd_turn,
  .winograd_enter = winograd_enter,
  .winograd_leave = winograd_leave,
};
