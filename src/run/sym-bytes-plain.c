/* SPDX-License-Identifier: MIT */
#include <glib.h>
#ifdef __SSE2__
#  include <emmintrin.h>
#endif
#include <string.h>

#define LANES 4
#define TARGET
#define NAME "plain"
#define LOOPS sym_bytes_plain
#define MOST_ROWS 4
#define ROW_CASES ROWS (2) ROWS (3) ROWS (4)

typedef gint32 Ints __attribute__ ((vector_size (4 * LANES), may_alias));

#ifdef __SSE2__

/* What every x86-64 has, as sym-bytes-avx2.c does it. */
static inline Ints
add_products (Ints sums, Ints codes, Ints weights)
{
  __m128i x = (__m128i) codes, w = (__m128i) weights;
  __m128i even = _mm_madd_epi16 (_mm_and_si128 (x, _mm_set1_epi16 (255)),
                                 _mm_srai_epi16 (_mm_slli_epi16 (w, 8), 8));
  __m128i odd = _mm_madd_epi16 (_mm_srli_epi16 (x, 8), _mm_srai_epi16 (w, 8));

  return sums + (Ints) _mm_add_epi32 (even, odd);
}

#else

static inline Ints
add_products (Ints sums, Ints codes, Ints weights)
{
  guint8 x[4 * LANES];
  gint8 w[4 * LANES];

  memcpy (x, &codes, sizeof x);
  memcpy (w, &weights, sizeof w);
  for (int i = 0; i < LANES; i++)
    for (int j = 0; j < 4; j++)
      sums[i] += x[4 * i + j] * w[4 * i + j];
  return sums;
}

#endif

static inline Ints
read_bytes (const guint8 *bytes)
{
  return (Ints){ bytes[0], bytes[1], bytes[2], bytes[3] };
}

/* Numbers of 0 to 255. */
static inline void
write_bytes (guint8 *bytes, Ints numbers)
{
  for (int i = 0; i < LANES; i++)
    bytes[i] = (guint8) numbers[i];
}

#include "run/sym-bytes-tile.h"
