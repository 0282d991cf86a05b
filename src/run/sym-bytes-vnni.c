/* SPDX-License-Identifier: MIT */
#if defined(__x86_64__) && defined(__GNUC__)

#  include <glib.h>
#  include <immintrin.h>

#  define LANES 16
#  define TARGET __attribute__ ((target ("arch=x86-64-v4,avx512vnni")))
#  define NAME "avx512-vnni"
#  define LOOPS sym_bytes_vnni
#  ifdef SYM_LANES_SMALL
#    define MOST_ROWS 4
#    define ROW_CASES ROWS (2) ROWS (3) ROWS (4)
#  else
#    define MOST_ROWS 12
#    define ROW_CASES \
      ROWS (2)        \
      ROWS (3) ROWS (4) ROWS (5) ROWS (6) ROWS (7) ROWS (8) ROWS (9) ROWS (10) ROWS (11) ROWS (12)
#  endif

typedef gint32 Ints __attribute__ ((vector_size (4 * LANES), may_alias));

TARGET static inline __attribute__ ((always_inline)) Ints
add_products (Ints sums, Ints codes, Ints weights)
{
  return (Ints) _mm512_dpbusd_epi32 ((__m512i) sums, (__m512i) codes, (__m512i) weights);
}

TARGET static inline __attribute__ ((always_inline)) Ints
read_bytes (const guint8 *bytes)
{
  return (Ints) _mm512_cvtepu8_epi32 (_mm_loadu_si128 ((const __m128i *) bytes));
}

/* Numbers of 0 to 255. */
TARGET static inline __attribute__ ((always_inline)) void
write_bytes (guint8 *bytes, Ints numbers)
{
  _mm_storeu_si128 ((__m128i *) bytes, _mm512_cvtepi32_epi8 ((__m512i) numbers));
}

#  include "run/sym-bytes-tile.h"

#endif
