/* SPDX-License-Identifier: MIT */
#include "core/sym-element-private.h"

#include <math.h>
#include <string.h>

#ifdef __x86_64__
#  include <immintrin.h>
#endif

/* Of a double (IEEE 754). */
#define DOUBLE_MANTISSA_BITS 52
#define DOUBLE_BIAS 1023
#define DOUBLE_MAX_EXPONENT 0x7ff

#define NO_INFINITY 0

/* A float of at most 16 bits: sign, @n_exponent_bits, @n_mantissa_bits.  The codes are without the
 * sign.  What has only one zero (the "UZ" of its name) has its NaN where minus zero would be. */
typedef struct {
  guint8 n_exponent_bits, n_mantissa_bits;
  int bias;
  guint16 max;      /* the largest number */
  guint16 infinity; /* NO_INFINITY: what is beyond becomes NaN, if unsaturated */
  guint16 nan;
  gboolean has_one_zero;
  gboolean saturates; /* always (4 and 6 bits), if told so (8 bits) or never (16 bits) */
  gboolean may_saturate;
} Format;

/* Sources: IEEE 754, ONNX "Float stored in 8 bits" and "Float stored in 4 bits", OCP MX 1.0.  The
 * four and six bits have no NaN: it becomes minus zero, as ONNX's own data have it. */
static const Format formats[SYM_N_DTYPES] = {
  [SYM_DTYPE_FLOAT16] = { 5, 10, 15, 0x7bff, 0x7c00, 0x7e00 },
  [SYM_DTYPE_BFLOAT16] = { 8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0 },
  [SYM_DTYPE_FLOAT8E4M3FN] = { 4, 3, 7, 0x7e, NO_INFINITY, 0x7f, .may_saturate = TRUE },
  [SYM_DTYPE_FLOAT8E4M3FNUZ] = { 4, 3, 8, 0x7f, NO_INFINITY, 0x80, .has_one_zero = TRUE,
                                 .may_saturate = TRUE },
  [SYM_DTYPE_FLOAT8E5M2] = { 5, 2, 15, 0x7b, 0x7c, 0x7e, .may_saturate = TRUE },
  [SYM_DTYPE_FLOAT8E5M2FNUZ] = { 5, 2, 16, 0x7f, NO_INFINITY, 0x80, .has_one_zero = TRUE,
                                 .may_saturate = TRUE },
  [SYM_DTYPE_FLOAT4E2M1] = { 2, 1, 1, 0x7, NO_INFINITY, 0x8, .saturates = TRUE },
  [SYM_DTYPE_FLOAT6E2M3] = { 2, 3, 1, 0x1f, NO_INFINITY, 0x20, .saturates = TRUE },
  [SYM_DTYPE_FLOAT6E3M2] = { 3, 2, 3, 0x1f, NO_INFINITY, 0x20, .saturates = TRUE },
};

/* A power of two with an exponent of -127 up to 127, and NaN. */
#define E8M0_BIAS 127
#define E8M0_MAX 254
#define E8M0_NAN 255

static guint64
get_bits (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* 2^@exponent, a normal number. */
static double
make_power (int exponent)
{
  guint64 bits = (guint64) (exponent + DOUBLE_BIAS) << DOUBLE_MANTISSA_BITS;
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

double
sym_element_decode (SymDType dtype, guint16 bits)
{
  const Format *format = &formats[dtype];
  guint n = format->n_exponent_bits + format->n_mantissa_bits;
  guint code = bits & ((1u << n) - 1);
  guint exponent = code >> format->n_mantissa_bits;
  guint mantissa = code & ((1u << format->n_mantissa_bits) - 1);
  gboolean is_negative = (bits >> n & 1) != 0;
  double value;

  if (dtype == SYM_DTYPE_FLOAT8E8M0)
    return bits == E8M0_NAN ? (double) NAN : make_power (bits - E8M0_BIAS);
  if (format->has_one_zero && is_negative && code == 0)
    return (double) NAN;
  if (format->infinity != NO_INFINITY && code == format->infinity)
    value = (double) INFINITY;
  else if (code > format->max)
    value = (double) NAN;
  else if (exponent == 0)
    value = mantissa * make_power (1 - format->bias - format->n_mantissa_bits);
  else
    value = (mantissa + (1u << format->n_mantissa_bits)) *
            make_power ((int) exponent - format->bias - format->n_mantissa_bits);
  return is_negative ? -value : value;
}

/* @value / 2^@shift, to nearest, ties to even. */
static guint64
shift_rounding (guint64 value, int shift)
{
  guint64 half, rest, quotient;

  if (shift > DOUBLE_MANTISSA_BITS + 2)
    return 0;
  half = (guint64) 1 << (shift - 1);
  rest = value & (2 * half - 1);
  quotient = value >> shift;
  return quotient + (rest > half || (rest == half && (quotient & 1) != 0));
}

/* The code of a finite number's magnitude, which may lie beyond the largest one.  A carry out of
 * the mantissa makes the next exponent by itself. */
static guint64
round_magnitude (const Format *format, guint64 bits)
{
  int biased = (int) (bits >> DOUBLE_MANTISSA_BITS & DOUBLE_MAX_EXPONENT);
  guint64 mantissa = bits & (((guint64) 1 << DOUBLE_MANTISSA_BITS) - 1);
  int exponent = MAX (biased, 1) - DOUBLE_BIAS;
  int least = 1 - format->bias;
  int shift = DOUBLE_MANTISSA_BITS - format->n_mantissa_bits;

  if (biased != 0)
    mantissa |= (guint64) 1 << DOUBLE_MANTISSA_BITS;
  if (exponent < least)
    return shift_rounding (mantissa, shift + least - exponent);
  return ((guint64) (exponent - least) << format->n_mantissa_bits) +
         shift_rounding (mantissa, shift);
}

/* What Cast calls float8e8m0: the sign is dropped, and zero becomes the smallest power. */
static guint16
encode_power (double value, SymCastFlags flags)
{
  double magnitude = fabs (value);
  int exponent;
  double fraction = frexp (magnitude, &exponent); /* [0.5, 1) */
  int code = exponent - 1 + E8M0_BIAS;

  if (!isfinite (value))
    return E8M0_NAN;
  if (magnitude <= make_power (-E8M0_BIAS))
    return 0;
  if ((flags & SYM_CAST_E8M0_NEAREST) != 0)
    code += fraction >= 0.75;
  else if ((flags & SYM_CAST_E8M0_DOWN) == 0)
    code += fraction > 0.5;
  if (code > E8M0_MAX)
    return (flags & SYM_CAST_UNSATURATED) != 0 ? E8M0_NAN : E8M0_MAX;
  return (guint16) MAX (code, 0);
}

/* What is beyond the largest number. */
static guint16
get_beyond (const Format *format, SymCastFlags flags)
{
  if (format->saturates || (format->may_saturate && (flags & SYM_CAST_UNSATURATED) == 0))
    return format->max;
  return format->infinity == NO_INFINITY ? format->nan : format->infinity;
}

guint16
sym_element_encode (SymDType dtype, double value, SymCastFlags flags)
{
  const Format *format = &formats[dtype];
  guint64 bits = get_bits (value);
  guint16 sign = (guint16) (1u << (format->n_exponent_bits + format->n_mantissa_bits));
  guint64 code;

  if (dtype == SYM_DTYPE_FLOAT8E8M0)
    return encode_power (value, flags);
  if (isnan (value))
    code = format->nan;
  else if (isinf (value))
    code = get_beyond (format, flags);
  else
    code = round_magnitude (format, bits);
  if (!isnan (value) && code > format->max)
    code = get_beyond (format, flags);

  /* These NaNs hold the sign already, and the one zero has none. */
  if (signbit (value) && !(format->has_one_zero && code == 0))
    code |= sign;
  return (guint16) code;
}

/* ---- In bulk ---- */

static void
widen_one_by_one (const guint8 *from, guint8 *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint16 bits;
      float value;

      memcpy (&bits, from + i * sizeof bits, sizeof bits);
      value = (float) sym_element_decode (SYM_DTYPE_FLOAT16, bits);
      memcpy (to + i * sizeof value, &value, sizeof value);
    }
}

static void
narrow_one_by_one (const guint8 *from, guint8 *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      float value;
      guint16 bits;

      memcpy (&value, from + i * sizeof value, sizeof value);
      bits = sym_element_encode (SYM_DTYPE_FLOAT16, (double) value, SYM_CAST_DEFAULT);
      memcpy (to + i * sizeof bits, &bits, sizeof bits);
    }
}

#define N_LANES 8

#ifdef __x86_64__

/* F16C is older than AVX2, which every compiler knows to ask for. */
static gboolean
has_f16c (void)
{
  return __builtin_cpu_supports ("avx2") != 0;
}

/* Both return how many they have done. */
__attribute__ ((target ("avx2,f16c"))) static gsize
widen_lanes (const guint8 *from, guint8 *to, gsize n)
{
  gsize i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    {
      __m128i halves = _mm_loadu_si128 ((const __m128i *) (const void *) (from + i * 2));

      _mm256_storeu_ps ((float *) (void *) (to + i * 4), _mm256_cvtph_ps (halves));
    }
  return i;
}

__attribute__ ((target ("avx2,f16c"))) static gsize
narrow_lanes (const guint8 *from, guint8 *to, gsize n)
{
  gsize i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    {
      __m256 values = _mm256_loadu_ps ((const float *) (const void *) (from + i * 4));

      _mm_storeu_si128 ((__m128i *) (void *) (to + i * 2),
                        _mm256_cvtps_ph (values, _MM_FROUND_TO_NEAREST_INT));
    }
  return i;
}

#else

static gboolean
has_f16c (void)
{
  return FALSE;
}

static gsize
widen_lanes (const guint8 *from, guint8 *to, gsize n)
{
  return 0;
}

static gsize
narrow_lanes (const guint8 *from, guint8 *to, gsize n)
{
  return 0;
}

#endif

/* The last few go through a full vector, too, so that a NaN keeps its bits wherever it stands. */
void
sym_element_widen_float16 (const void *from, void *to, gsize n)
{
  guint8 halves[N_LANES * 2] = { 0 }, wholes[N_LANES * 4];
  gsize done;

  if (!has_f16c ())
    {
      widen_one_by_one (from, to, n);
      return;
    }
  done = widen_lanes (from, to, n);
  if (done == n)
    return;
  memcpy (halves, (const guint8 *) from + done * 2, (n - done) * 2);
  widen_lanes (halves, wholes, N_LANES);
  memcpy ((guint8 *) to + done * 4, wholes, (n - done) * 4);
}

void
sym_element_narrow_float16 (const void *from, void *to, gsize n)
{
  guint8 wholes[N_LANES * 4] = { 0 }, halves[N_LANES * 2];
  gsize done;

  if (!has_f16c ())
    {
      narrow_one_by_one (from, to, n);
      return;
    }
  done = narrow_lanes (from, to, n);
  if (done == n)
    return;
  memcpy (wholes, (const guint8 *) from + done * 4, (n - done) * 4);
  narrow_lanes (wholes, halves, N_LANES);
  memcpy ((guint8 *) to + done * 2, halves, (n - done) * 2);
}

/* A bfloat16 is the upper half of a float32. */
void
sym_element_widen_bfloat16 (const void *from, void *to, gsize n)
{
  const guint8 *halves = from;
  guint8 *wholes = to;

  for (gsize i = 0; i < n; i++)
    {
      guint16 half;
      guint32 whole;

      memcpy (&half, halves + i * sizeof half, sizeof half);
      whole = (guint32) half << 16;
      memcpy (wholes + i * sizeof whole, &whole, sizeof whole);
    }
}

void
sym_element_narrow_bfloat16 (const void *from, void *to, gsize n)
{
  const guint8 *wholes = from;
  guint8 *halves = to;

  for (gsize i = 0; i < n; i++)
    {
      guint32 whole;
      guint32 rounded;
      guint16 half;

      memcpy (&whole, wholes + i * sizeof whole, sizeof whole);
      /* Half of the last place, less one if the number would stay even by itself. */
      rounded = whole + 0x7fff + (whole >> 16 & 1);
      rounded = (whole & 0x7fffffff) > 0x7f800000 ? whole | 0x400000 : rounded;
      half = (guint16) (rounded >> 16);
      memcpy (halves + i * sizeof half, &half, sizeof half);
    }
}
