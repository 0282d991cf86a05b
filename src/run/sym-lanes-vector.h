/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-processor-private.h"

#ifdef __AVX__
#  include <immintrin.h>
#endif

/* Vectors of SYM_LANES floats, for the file that is compiled once for each kind of processor. */

typedef float Vector __attribute__ ((vector_size (SYM_LANES * sizeof (float))));
typedef gint32 Mask __attribute__ ((vector_size (SYM_LANES * sizeof (float))));
typedef float Loose
    __attribute__ ((vector_size (SYM_LANES * sizeof (float)), aligned (sizeof (float)), may_alias));

/* EACH is a loop of a few times that are known, without the loop.  Sanitizers add so much to each
 * line that with them everything stays as it is written. */
#ifdef SYM_LANES_SMALL
#  define INLINE static
#  define EACH(i, n) for (guint i = 0; i < (n); i++)
#  define EACH_OF_MANY(i, n) for (guint i = 0; i < (n); i++)
#else
#  define INLINE static inline __attribute__ ((always_inline))
#  define EACH(i, n) _Pragma ("GCC unroll 8") for (guint i = 0; i < (n); i++)
#  define EACH_OF_MANY(i, n) _Pragma ("GCC unroll 32") for (guint i = 0; i < (n); i++)
#endif

INLINE Vector
load (const float *from)
{
  return *(const Loose *) from;
}

INLINE void
store (float *to, Vector vector)
{
  *(Loose *) to = vector;
}

/* Of @n numbers, perhaps fewer than a vector has; what is beyond them is 0 and stays as it is. */
#if SYM_LANES == 16 && defined(__AVX512F__)

INLINE Vector
load_some (const float *from, gsize n)
{
  return (Vector) _mm512_maskz_loadu_ps ((__mmask16) _bzhi_u32 (0xffff, (guint) n), from);
}

INLINE void
store_some (float *to, Vector vector, gsize n)
{
  _mm512_mask_storeu_ps (to, (__mmask16) _bzhi_u32 (0xffff, (guint) n), (__m512) vector);
}

#elif SYM_LANES == 8 && defined(__AVX2__)

INLINE __m256i
make_mask (gsize n)
{
  return _mm256_cmpgt_epi32 (_mm256_set1_epi32 ((int) n),
                             _mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7));
}

INLINE Vector
load_some (const float *from, gsize n)
{
  return n >= SYM_LANES ? load (from) : (Vector) _mm256_maskload_ps (from, make_mask (n));
}

INLINE void
store_some (float *to, Vector vector, gsize n)
{
  if (n >= SYM_LANES)
    store (to, vector);
  else
    _mm256_maskstore_ps (to, make_mask (n), (__m256) vector);
}

#else

/* Fewer than a vector has, in a few pieces that are powers of two. */
INLINE void
copy_some (float *to, const float *from, gsize n)
{
  for (gsize size = SYM_LANES / 2; size > 0; size /= 2)
    if (n & size)
      {
        for (gsize i = 0; i < size; i++)
          to[i] = from[i];
        to += size;
        from += size;
      }
}

INLINE Vector
load_some (const float *from, gsize n)
{
  float numbers[SYM_LANES] = { 0 };

  if (n >= SYM_LANES)
    return load (from);
  copy_some (numbers, from, n);
  return load (numbers);
}

INLINE void
store_some (float *to, Vector vector, gsize n)
{
  float numbers[SYM_LANES];

  if (n >= SYM_LANES)
    {
      store (to, vector);
      return;
    }
  store (numbers, vector);
  copy_some (to, numbers, n);
}

#endif

INLINE Vector
choose (Mask mask, Vector yes, Vector no)
{
  return (Vector) ((mask & (Mask) yes) | (~mask & (Mask) no));
}

INLINE Vector
fill (float number)
{
  return number - (Vector){ 0 };
}

/* The larger and the smaller one; @x where either is no number, as these instructions have it. */
#if SYM_LANES == 16 && defined(__AVX512F__)
#  define LARGER(limit, x) (Vector) _mm512_max_ps ((__m512) (limit), (__m512) (x))
#  define SMALLER(limit, x) (Vector) _mm512_min_ps ((__m512) (limit), (__m512) (x))
#elif SYM_LANES == 8 && defined(__AVX__)
#  define LARGER(limit, x) (Vector) _mm256_max_ps ((__m256) (limit), (__m256) (x))
#  define SMALLER(limit, x) (Vector) _mm256_min_ps ((__m256) (limit), (__m256) (x))
#else
#  define LARGER(limit, x) choose ((x) < (limit), (limit), (x))
#  define SMALLER(limit, x) choose ((x) > (limit), (limit), (x))
#endif

/* What is not a number stays so. */
INLINE Vector
bound (Vector x, const SymBounds *bounds)
{
  x = LARGER (fill (bounds->low), x);
  return SMALLER (fill (bounds->high), x);
}
