/* SPDX-License-Identifier: MIT */
#if defined(__x86_64__) && defined(__GNUC__)

#  include <glib.h>
#  include <immintrin.h>

#  define LANES 8
#  define TARGET __attribute__ ((target ("arch=x86-64-v3")))
#  define NAME "avx2"
#  define LOOPS sym_bytes_avx2
#  define MOST_ROWS 4
#  define ROW_CASES ROWS (2) ROWS (3) ROWS (4)

typedef gint32 Ints __attribute__ ((vector_size (4 * LANES), may_alias));

/* As integers of 16 bits, every other byte at a time: the processor's products of bytes would be
 * bounded at 32767. */
TARGET static inline __attribute__ ((always_inline)) Ints
add_products (Ints sums, Ints codes, Ints weights)
{
  __m256i x = (__m256i) codes, w = (__m256i) weights;
  __m256i even = _mm256_madd_epi16 (_mm256_and_si256 (x, _mm256_set1_epi16 (255)),
                                    _mm256_srai_epi16 (_mm256_slli_epi16 (w, 8), 8));
  __m256i odd = _mm256_madd_epi16 (_mm256_srli_epi16 (x, 8), _mm256_srai_epi16 (w, 8));

  return sums + (Ints) _mm256_add_epi32 (even, odd);
}

TARGET static inline __attribute__ ((always_inline)) Ints
read_bytes (const guint8 *bytes)
{
  return (Ints) _mm256_cvtepu8_epi32 (_mm_loadl_epi64 ((const __m128i *) bytes));
}

/* Numbers of 0 to 255. */
TARGET static inline __attribute__ ((always_inline)) void
write_bytes (guint8 *bytes, Ints numbers)
{
  __m256i x = (__m256i) numbers;
  __m128i words = _mm_packus_epi32 (_mm256_castsi256_si128 (x), _mm256_extracti128_si256 (x, 1));

  _mm_storel_epi64 ((__m128i *) bytes, _mm_packus_epi16 (words, words));
}

#  include "run/sym-bytes-tile.h"

#endif
