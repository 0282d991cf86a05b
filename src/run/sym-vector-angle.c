/* SPDX-License-Identifier: MIT */
#include "run/sym-vector-private.h"

#include "run/sym-vector-math.h"

/* Sine and cosine of angles up to some size, of which the quarters of a turn can be taken away in
 * three parts without loss; those of larger ones, and of what is no number, are the C library's. */
#define LARGEST 8192

/* Whether any of a unit is larger. */
static inline gboolean
is_far (const float *a)
{
  int n = 0;

  for (gsize i = 0; i < SYM_VECTOR_UNIT; i++)
    n += !(fabsf (a[i]) <= LARGEST);
  return n > 0;
}

/* @x = *n pi / 2 + what is returned, which is at most pi / 4.  Adding 1.5 * 2^23 rounds to an
 * integer, which then lies in the last bits. */
static inline float
take_quarters (float x, guint32 *n)
{
  const float shift = 12582912;
  float shifted = x * 0.636619772f + shift, whole = shifted - shift;

  memcpy (n, &shifted, sizeof *n);
  return ((x - whole * 1.5703125f) - whole * 4.83751297e-4f) - whole * 7.54978999e-8f;
}

/* The sine of @x and @n quarters of a turn.  Both series are fitted to be within 2e-8. */
static inline float
sine_of_quarters (float x, guint32 n)
{
  float z = x * x, sine, cosine, y;
  guint32 bits;

  sine = ((-1.95869422e-4f * z + 8.33274396e-3f) * z - 1.66666646e-1f) * z * x + x;
  cosine = ((2.45469815e-5f * z - 1.38882987e-3f) * z + 4.16666646e-2f) * z * z - 0.5f * z + 1;
  y = (n & 1) != 0 ? cosine : sine;
  memcpy (&bits, &y, sizeof bits);
  bits ^= (n & 2) << 30;
  memcpy (&y, &bits, sizeof y);
  return y;
}

/* @quarters is what the angle is moved by. */
#define ANGLE_FUNCTION(name, function, quarters)                                             \
  CLONES void sym_vector_##name (float *y, const float *a, const float *b, gsize n, float p, \
                                 float q)                                                    \
  {                                                                                          \
    for (gsize i = 0; i + SYM_VECTOR_UNIT <= n; i += SYM_VECTOR_UNIT)                        \
      if (is_far (a + i))                                                                    \
        for (gsize j = i; j < i + SYM_VECTOR_UNIT; j++)                                      \
          y[j] = function (a[j]);                                                            \
      else                                                                                   \
        for (gsize j = i; j < i + SYM_VECTOR_UNIT; j++)                                      \
          {                                                                                  \
            guint32 n_quarters;                                                              \
            float rest = take_quarters (a[j], &n_quarters);                                  \
                                                                                             \
            y[j] = sine_of_quarters (rest, n_quarters + quarters);                           \
          }                                                                                  \
  }

ANGLE_FUNCTION (sine, sinf, 0)
ANGLE_FUNCTION (cosine, cosf, 1)
