/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"

#include <math.h>
#include <string.h>

/* The definitions of the formats, told a second time and in another way: by ldexp, and by looking
 * for the nearest of all numbers that there are. */
typedef struct {
  SymDType dtype;
  int n_exponent_bits, n_mantissa_bits, bias;
  gboolean has_infinity, has_nan, has_one_zero;
  gboolean keeps_all_codes; /* the largest exponent is for numbers, too */
} Format;

static const Format formats[] = {
  { SYM_DTYPE_FLOAT16, 5, 10, 15, TRUE, TRUE, FALSE, FALSE },
  { SYM_DTYPE_BFLOAT16, 8, 7, 127, TRUE, TRUE, FALSE, FALSE },
  { SYM_DTYPE_FLOAT8E4M3FN, 4, 3, 7, FALSE, TRUE, FALSE, TRUE },
  { SYM_DTYPE_FLOAT8E4M3FNUZ, 4, 3, 8, FALSE, TRUE, TRUE, TRUE },
  { SYM_DTYPE_FLOAT8E5M2, 5, 2, 15, TRUE, TRUE, FALSE, FALSE },
  { SYM_DTYPE_FLOAT8E5M2FNUZ, 5, 2, 16, FALSE, TRUE, TRUE, TRUE },
  { SYM_DTYPE_FLOAT4E2M1, 2, 1, 1, FALSE, FALSE, FALSE, TRUE },
  { SYM_DTYPE_FLOAT6E2M3, 2, 3, 1, FALSE, FALSE, FALSE, TRUE },
  { SYM_DTYPE_FLOAT6E3M2, 3, 2, 3, FALSE, FALSE, FALSE, TRUE },
};

static double
define (const Format *format, guint bits)
{
  int n = format->n_exponent_bits + format->n_mantissa_bits;
  double sign = (bits >> n & 1) != 0 ? -1 : 1;
  int code = (int) (bits & ((1u << n) - 1));
  int exponent = code >> format->n_mantissa_bits;
  double fraction = ldexp (code & ((1 << format->n_mantissa_bits) - 1), -format->n_mantissa_bits);

  if (format->has_one_zero && bits == 1u << n)
    return (double) NAN;
  if (!format->keeps_all_codes && exponent == (1 << format->n_exponent_bits) - 1)
    return fraction > 0 ? (double) NAN : sign * (double) INFINITY;
  if (format->dtype == SYM_DTYPE_FLOAT8E4M3FN && code == 0x7f)
    return (double) NAN;
  if (exponent == 0)
    return sign * ldexp (fraction, 1 - format->bias);
  return sign * ldexp (1 + fraction, exponent - format->bias);
}

static void
put_bits (SymDType dtype, guint bits, guint8 *element)
{
  element[0] = (guint8) bits;
  element[1] = (guint8) (bits >> 8);
}

static guint
get_bits (SymDType dtype, const guint8 *element)
{
  return element[0] | (sym_dtype_get_bits (dtype) == 16 ? (guint) element[1] << 8 : 0);
}

static gboolean
is_same (double a, double b)
{
  return (isnan (a) && isnan (b)) || (a == b && signbit (a) == signbit (b));
}

static void
test_every_code_is_its_number (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint bits = 0; bits < 1u << sym_dtype_get_bits (formats[f].dtype); bits++)
      {
        SymDType dtype = formats[f].dtype;
        double wanted = define (&formats[f], bits);
        guint8 element[2], again[2] = { 0 };
        double value;

        put_bits (dtype, bits, element);
        value = sym_element_get_double (dtype, element, 0);
        if (!is_same (value, wanted))
          g_error ("%s 0x%x is %g, not %g", sym_dtype_to_string (dtype), bits, value, wanted);

        sym_element_set_double (dtype, again, 0, value);
        if (!isnan (value) && !isinf (value) && get_bits (dtype, again) != bits)
          g_error ("%s 0x%x comes back as 0x%x", sym_dtype_to_string (dtype), bits,
                   get_bits (dtype, again));
      }
}

static guint
narrow (SymDType dtype, double value, SymCastFlags flags)
{
  guint8 element[2] = { 0 };

  sym_cast_elements (SYM_DTYPE_FLOAT64, &value, dtype, element, 1, flags);
  return get_bits (dtype, element);
}

static void
check_nearest (const Format *format, double value, guint wanted)
{
  guint bits = narrow (format->dtype, value, SYM_CAST_DEFAULT);
  guint sign = 1u << (format->n_exponent_bits + format->n_mantissa_bits);
  guint wanted_minus = format->has_one_zero && wanted == 0 ? 0 : wanted | sign;

  if (bits != wanted)
    g_error ("%s: %.17g becomes 0x%x, not 0x%x", sym_dtype_to_string (format->dtype), value, bits,
             wanted);
  g_assert_cmphex (narrow (format->dtype, -value, SYM_CAST_DEFAULT), ==, wanted_minus);
}

/* Between two neighbours, all that matters is the side of the middle, and in the middle the even.
 */
static void
test_rounds_to_the_nearest_and_to_even (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint code = 0;; code++)
      {
        double low = define (&formats[f], code);
        double high = define (&formats[f], code + 1);
        double middle = low / 2 + high / 2;
        int n = formats[f].n_exponent_bits + formats[f].n_mantissa_bits;

        if (code + 1 == 1u << n || !isfinite (high))
          break;
        check_nearest (&formats[f], low, code);
        check_nearest (&formats[f], nextafter (middle, low), code);
        check_nearest (&formats[f], middle, code % 2 == 0 ? code : code + 1);
        check_nearest (&formats[f], nextafter (middle, high), code + 1);
        check_nearest (&formats[f], high, code + 1);
      }
}

/* What ONNX's tests of Cast have: -1e6 and NaN with either flag. */
static void
test_saturates_as_cast_does (void)
{
  const struct {
    SymDType dtype;
    guint max, beyond, infinity, nan; /* saturated; unsaturated */
  } cases[] = {
    { SYM_DTYPE_FLOAT16, 0x7c00, 0x7c00, 0x7c00, 0x7e00 },
    { SYM_DTYPE_BFLOAT16, 0x7f80, 0x7f80, 0x7f80, 0x7fc0 },
    { SYM_DTYPE_FLOAT8E4M3FN, 0x7e, 0x7f, 0x7f, 0x7f },
    { SYM_DTYPE_FLOAT8E4M3FNUZ, 0x7f, 0x80, 0x80, 0x80 },
    { SYM_DTYPE_FLOAT8E5M2, 0x7b, 0x7c, 0x7c, 0x7e },
    { SYM_DTYPE_FLOAT8E5M2FNUZ, 0x7f, 0x80, 0x80, 0x80 },
    { SYM_DTYPE_FLOAT4E2M1, 0x7, 0x7, 0x7, 0x8 },
    { SYM_DTYPE_FLOAT6E2M3, 0x1f, 0x1f, 0x1f, 0x20 },
    { SYM_DTYPE_FLOAT6E3M2, 0x1f, 0x1f, 0x1f, 0x20 },
    { SYM_DTYPE_FLOAT8E8M0, 0xfe, 0xff, 0xff, 0xff },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SymDType dtype = cases[i].dtype;
      gboolean has_nan_for_inf = dtype == SYM_DTYPE_FLOAT8E8M0;

      g_test_message ("%s", sym_dtype_to_string (dtype));
      g_assert_cmphex (narrow (dtype, 1e300, SYM_CAST_DEFAULT), ==, cases[i].max);
      g_assert_cmphex (narrow (dtype, 1e300, SYM_CAST_UNSATURATED), ==, cases[i].beyond);
      g_assert_cmphex (narrow (dtype, (double) INFINITY, SYM_CAST_UNSATURATED), ==,
                       cases[i].infinity);
      g_assert_cmphex (narrow (dtype, (double) INFINITY, SYM_CAST_DEFAULT), ==,
                       has_nan_for_inf ? 0xff : cases[i].max);
      g_assert_cmphex (narrow (dtype, (double) NAN, SYM_CAST_DEFAULT), ==, cases[i].nan);
    }
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT8E4M3FN, -1e6, SYM_CAST_UNSATURATED), ==, 0xff);
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT8E5M2, -1e6, SYM_CAST_UNSATURATED), ==, 0xfc);
  /* In the last half step, the largest number is still the nearest. */
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT8E4M3FN, 464, SYM_CAST_UNSATURATED), ==, 0x7e);
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT8E4M3FN, 465, SYM_CAST_UNSATURATED), ==, 0x7f);
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT16, 65519, SYM_CAST_DEFAULT), ==, 0x7bff);
  g_assert_cmphex (narrow (SYM_DTYPE_FLOAT16, 65520, SYM_CAST_DEFAULT), ==, 0x7c00);
}

static void
test_powers_of_two_round_in_three_ways (void)
{
  const struct {
    double value;
    guint up, down, nearest;
  } cases[] = {
    { 0, 0, 0, 0 },          { 1, 127, 127, 127 },
    { 1.1, 128, 127, 127 },  { 1.5, 128, 127, 128 },
    { -1.6, 128, 127, 128 }, { 0.124, 124, 123, 124 },
    { 8, 130, 130, 130 },    { 0x1p-127, 0, 0, 0 },
    { 0x1p-126, 1, 1, 1 },   { 0x1p127, 254, 254, 254 },
  };

  for (guint bits = 0; bits < 256; bits++)
    {
      guint8 element = (guint8) bits;
      double value = sym_element_get_double (SYM_DTYPE_FLOAT8E8M0, &element, 0);

      g_assert_true (is_same (value, bits == 255 ? (double) NAN : ldexp (1, (int) bits - 127)));
      g_assert_cmphex (narrow (SYM_DTYPE_FLOAT8E8M0, value, SYM_CAST_DEFAULT), ==, bits);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double value = cases[i].value;

      g_test_message ("%g", value);
      g_assert_cmpuint (narrow (SYM_DTYPE_FLOAT8E8M0, value, SYM_CAST_DEFAULT), ==, cases[i].up);
      g_assert_cmpuint (narrow (SYM_DTYPE_FLOAT8E8M0, value, SYM_CAST_E8M0_DOWN), ==,
                        cases[i].down);
      g_assert_cmpuint (narrow (SYM_DTYPE_FLOAT8E8M0, value, SYM_CAST_E8M0_NEAREST), ==,
                        cases[i].nearest);
    }
}

/* The fast ways between these and float32 give what the slow ones give, at any offset and length.
 */
static void
test_halves_convert_in_bulk_as_one_by_one (void)
{
  const SymDType dtypes[] = { SYM_DTYPE_FLOAT16, SYM_DTYPE_BFLOAT16 };
  g_autofree guint16 *halves = g_new (guint16, 65536);
  g_autofree guint16 *again = g_new (guint16, 65536);
  g_autofree float *wholes = g_new (float, 65536);

  for (guint i = 0; i < 65536; i++)
    halves[i] = (guint16) i;
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (guint first = 0; first < 9; first++)
      {
        guint n = 65536 - first;

        sym_convert_elements (dtypes[d], halves + first, SYM_DTYPE_FLOAT32, wholes, n);
        sym_convert_elements (SYM_DTYPE_FLOAT32, wholes, dtypes[d], again, n);
        for (guint i = 0; i < n; i++)
          {
            double wanted = sym_element_get_double (dtypes[d], halves, first + i);

            if (!is_same ((double) wholes[i], wanted))
              g_error ("0x%x becomes %g, not %g", first + i, (double) wholes[i], wanted);
            if (!isnan (wanted) && again[i] != halves[first + i])
              g_error ("0x%x comes back as 0x%x", first + i, again[i]);
            if (isnan (wanted))
              g_assert_true (isnan (sym_element_get_double (dtypes[d], again, i)));
          }
      }
}

static void
test_floats_narrow_in_bulk_as_one_by_one (void)
{
  const SymDType dtypes[] = { SYM_DTYPE_FLOAT16, SYM_DTYPE_BFLOAT16 };
  const guint n = 1 << 18;
  g_autofree guint32 *bits = g_new (guint32, n);
  g_autofree guint16 *halves = g_new (guint16, n);

  for (guint i = 0; i < n; i++)
    bits[i] = (guint32) g_test_rand_int ();
  /* The middle between two halves, and its neighbours. */
  for (guint i = 0; i < n / 2; i += 3)
    for (guint k = 0; k < 3 && i + k < n / 2; k++)
      bits[i + k] = (bits[i] & 0xffffe000) + 0xfff + k;
  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    {
      sym_convert_elements (SYM_DTYPE_FLOAT32, bits, dtypes[d], halves, n);
      for (guint i = 0; i < n; i++)
        {
          double value = sym_element_get_double (SYM_DTYPE_FLOAT32, bits, i);

          if (isnan (value))
            g_assert_true (isnan (sym_element_get_double (dtypes[d], halves, i)));
          else if (halves[i] != narrow (dtypes[d], value, SYM_CAST_DEFAULT))
            g_error ("%.9g becomes 0x%x", value, halves[i]);
        }
    }
}

static gint64
to_integer (SymDType from, const void *value, SymDType to)
{
  guint8 element[16] = { 0 };

  sym_convert_elements (from, value, to, element, 1);
  return sym_element_get_int (to, element, 0);
}

static void
test_integers_keep_their_low_bits (void)
{
  const struct {
    gint64 value;
    SymDType dtype;
    gint64 wanted;
  } cases[] = {
    { 200, SYM_DTYPE_INT8, -56 },
    { -1, SYM_DTYPE_UINT8, 255 },
    { -9, SYM_DTYPE_INT4, 7 },
    { 15, SYM_DTYPE_INT4, -1 },
    { -9, SYM_DTYPE_UINT4, 7 },
    { 2, SYM_DTYPE_INT2, -2 },
    { -3, SYM_DTYPE_INT2, 1 },
    { 5, SYM_DTYPE_UINT2, 1 },
    { 1 << 16, SYM_DTYPE_INT16, 0 },
    { 40000, SYM_DTYPE_UINT16, 40000 },
    { -1, SYM_DTYPE_UINT32, 4294967295 },
    { -1, SYM_DTYPE_UINT64, -1 },
    { G_MININT64, SYM_DTYPE_INT64, G_MININT64 },
    { 256, SYM_DTYPE_BOOL, 1 },
    { 0, SYM_DTYPE_BOOL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (to_integer (SYM_DTYPE_INT64, &cases[i].value, cases[i].dtype), ==,
                     cases[i].wanted);
}

static void
test_floats_become_integers_towards_zero (void)
{
  const struct {
    double value;
    SymDType dtype;
    gint64 wanted;
  } cases[] = {
    { -2.9, SYM_DTYPE_INT32, -2 },
    { 2.9, SYM_DTYPE_UINT8, 2 },
    { -0.5, SYM_DTYPE_UINT64, 0 },
    { 1.8446744073709550e19, SYM_DTYPE_UINT64, -2048 },
    { -9.0, SYM_DTYPE_INT4, 7 },
    { 300, SYM_DTYPE_INT8, 44 },
    { 1e10, SYM_DTYPE_INT32, G_MININT32 },
    { -2147483648.5, SYM_DTYPE_INT32, G_MININT32 },
    { (double) NAN, SYM_DTYPE_INT64, G_MININT64 },
    { (double) NAN, SYM_DTYPE_INT8, 0 },
    { 1e30, SYM_DTYPE_UINT64, G_MININT64 },
    { 4294967295.0, SYM_DTYPE_UINT32, 4294967295 },
    { (double) NAN, SYM_DTYPE_BOOL, 1 },
    { 1e-320, SYM_DTYPE_BOOL, 1 },
    { -0.0, SYM_DTYPE_BOOL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%g to %s", cases[i].value, sym_dtype_to_string (cases[i].dtype));
      g_assert_cmpint (to_integer (SYM_DTYPE_FLOAT64, &cases[i].value, cases[i].dtype), ==,
                       cases[i].wanted);
    }
}

/* Rounded first to a double, and from there to 8 bits, this one would be rounded up twice. */
static void
test_integers_become_floats_in_one_rounding (void)
{
  const gint64 below = ((gint64) 257 << 54) - 1, above = ((gint64) 257 << 54) + 1;
  const guint64 large = G_MAXUINT64;
  guint16 half;
  float value;

  sym_convert_elements (SYM_DTYPE_INT64, &below, SYM_DTYPE_BFLOAT16, &half, 1);
  g_assert_cmpfloat (sym_element_get_double (SYM_DTYPE_BFLOAT16, &half, 0), ==, 0x1p62);
  sym_convert_elements (SYM_DTYPE_INT64, &above, SYM_DTYPE_BFLOAT16, &half, 1);
  g_assert_cmpfloat (sym_element_get_double (SYM_DTYPE_BFLOAT16, &half, 0), ==, 258 * 0x1p54);
  sym_convert_elements (SYM_DTYPE_UINT64, &large, SYM_DTYPE_FLOAT32, &value, 1);
  g_assert_cmpfloat (value, ==, 0x1p64);
  for (guint i = 0; i < 100000; i++)
    {
      guint64 number = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

      number >>= g_test_rand_int_range (0, 64);
      sym_convert_elements (SYM_DTYPE_UINT64, &number, SYM_DTYPE_FLOAT32, &value, 1);
      g_assert_cmpfloat (value, ==, (float) number);
      g_assert_cmpfloat (sym_element_get_double (SYM_DTYPE_UINT64, &number, 0), ==,
                         (double) number);
      sym_convert_elements (SYM_DTYPE_INT64, &number, SYM_DTYPE_FLOAT32, &value, 1);
      g_assert_cmpfloat (value, ==, (float) (gint64) number);
    }
}

static void
test_small_elements_lie_from_the_low_bits_on (void)
{
  const gint8 numbers[] = { 1, -2, 3, -4, 5 };
  const gint8 pairs[] = { 1, -2, -1, 0, 1 };
  guint8 packed[4];
  gint8 back[5];

  memset (packed, 0xff, sizeof packed);
  sym_convert_elements (SYM_DTYPE_INT8, numbers, SYM_DTYPE_INT4, packed, 5);
  g_assert_cmpmem (packed, 4, ((guint8[]){ 0xe1, 0xc3, 0x05, 0xff }), 4);
  sym_convert_elements (SYM_DTYPE_INT4, packed, SYM_DTYPE_INT8, back, 5);
  g_assert_cmpmem (back, 5, numbers, 5);

  memset (packed, 0xff, sizeof packed);
  sym_convert_elements (SYM_DTYPE_INT8, pairs, SYM_DTYPE_INT2, packed, 5);
  g_assert_cmpmem (packed, 4, ((guint8[]){ 0x39, 0x01, 0xff, 0xff }), 4);
  sym_convert_elements (SYM_DTYPE_INT2, packed, SYM_DTYPE_INT8, back, 5);
  g_assert_cmpmem (back, 5, pairs, 5);

  /* ONNX's own test of Cast to float4e2m1 begins with these. */
  {
    const float floats[] = { 0.48f, 0.25f, 1.05f, -3.5f, -8.0f, 9.0f };

    sym_convert_elements (SYM_DTYPE_FLOAT32, floats, SYM_DTYPE_FLOAT4E2M1, packed, 6);
    g_assert_cmpmem (packed, 3, ((guint8[]){ 0x01, 0xe2, 0x7f }), 3);
  }
}

static void
test_runs_of_small_elements_are_whole (void)
{
  const SymDType dtypes[] = { SYM_DTYPE_INT4,      SYM_DTYPE_UINT4,      SYM_DTYPE_INT2,
                              SYM_DTYPE_UINT2,     SYM_DTYPE_FLOAT4E2M1, SYM_DTYPE_FLOAT6E2M3,
                              SYM_DTYPE_FLOAT6E3M2 };

  for (guint d = 0; d < G_N_ELEMENTS (dtypes); d++)
    for (guint n = 1; n < 600; n += 7)
      {
        guint64 size = 0;
        g_autofree guint8 *bytes = NULL;
        g_autofree guint8 *again = NULL;
        g_autofree double *values = g_new (double, n);
        guint n_codes = 1u << sym_dtype_get_bits (dtypes[d]);

        g_assert_true (sym_dtype_get_size (dtypes[d], n, &size));
        bytes = g_malloc0 (size);
        again = g_malloc (size);
        for (guint i = 0; i < n; i++)
          {
            guint8 code = (guint8) ((guint) g_test_rand_int () & (n_codes - 1));
            gsize bit = (gsize) i * sym_dtype_get_bits (dtypes[d]);

            bytes[bit / 8] |= (guint8) (code << bit % 8);
            if (bit % 8 + sym_dtype_get_bits (dtypes[d]) > 8)
              bytes[bit / 8 + 1] |= (guint8) (code >> (8 - bit % 8));
          }
        sym_convert_elements (dtypes[d], bytes, SYM_DTYPE_FLOAT64, values, n);
        sym_convert_elements (SYM_DTYPE_FLOAT64, values, dtypes[d], again, n);
        g_assert_cmpmem (again, size, bytes, size);
      }
}

static void
test_complex_numbers_are_pairs (void)
{
  const float pairs[] = { 1, -2, 3, 4 };
  const gint32 reals[] = { 5, -6 };
  double wide[4];
  gint32 integers[2];
  float narrow_pairs[4];

  sym_convert_elements (SYM_DTYPE_COMPLEX64, pairs, SYM_DTYPE_COMPLEX128, wide, 2);
  g_assert_cmpmem (wide, sizeof wide, ((double[]){ 1, -2, 3, 4 }), sizeof wide);
  g_assert_cmpfloat (sym_element_get_imaginary (SYM_DTYPE_COMPLEX128, wide, 1), ==, 4);
  sym_convert_elements (SYM_DTYPE_COMPLEX64, pairs, SYM_DTYPE_INT32, integers, 2);
  g_assert_cmpint (integers[1], ==, 3);
  sym_convert_elements (SYM_DTYPE_INT32, reals, SYM_DTYPE_COMPLEX64, narrow_pairs, 2);
  g_assert_cmpmem (narrow_pairs, sizeof narrow_pairs, ((float[]){ 5, 0, -6, 0 }),
                   sizeof narrow_pairs);
}

static void
test_elements_need_no_alignment (void)
{
  guint8 bytes[8 * 5 + 1], again[8 * 5 + 1];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 37);
  sym_convert_elements (SYM_DTYPE_INT64, bytes + 1, SYM_DTYPE_UINT64, again + 1, 5);
  g_assert_cmpmem (again + 1, 40, bytes + 1, 40);
  g_assert_cmpint (sym_element_get_int (SYM_DTYPE_INT16, bytes + 1, 0), ==, 37 | 74 << 8);
}

static void
test_elements_print_short (void)
{
  const struct {
    SymDType dtype;
    double value;
    const char *text;
  } cases[] = {
    { SYM_DTYPE_FLOAT32, (double) 0.1f, "0.1" },
    { SYM_DTYPE_FLOAT64, 0.1, "0.1" },
    { SYM_DTYPE_FLOAT64, 1.0 / 3, "0.3333333333333333" },
    { SYM_DTYPE_FLOAT32, 100, "100" },
    { SYM_DTYPE_FLOAT16, 65504, "65504" },
    { SYM_DTYPE_FLOAT16, 0.1, "0.1" },
    { SYM_DTYPE_FLOAT8E4M3FN, 448, "448" },
    { SYM_DTYPE_FLOAT8E8M0, 0.125, "0.125" },
    { SYM_DTYPE_FLOAT32, -0.0, "-0" },
    { SYM_DTYPE_BFLOAT16, (double) NAN, "nan" },
    { SYM_DTYPE_FLOAT64, -(double) INFINITY, "-inf" },
    { SYM_DTYPE_INT4, -8, "-8" },
    { SYM_DTYPE_BOOL, 1, "True" },
    { SYM_DTYPE_COMPLEX64, 1.5, "(1.5+0j)" },
    { SYM_DTYPE_UINT64, 0x1p63, "9223372036854775808" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint8 element[16] = { 0 };

      sym_element_set_double (cases[i].dtype, element, 0, cases[i].value);
      sym_element_append_text (text, cases[i].dtype, element, 0);
      g_assert_cmpstr (text->str, ==, cases[i].text);
    }
}

static void
test_all_but_strings_are_numbers (void)
{
  for (guint i = 0; i < SYM_N_DTYPES; i++)
    g_assert_cmpint (sym_dtype_is_numeric ((SymDType) i), ==,
                     i != SYM_DTYPE_UNKNOWN && i != SYM_DTYPE_STRING);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/element/every-code-is-its-number", test_every_code_is_its_number);
  g_test_add_func ("/core/element/rounds-to-the-nearest-and-to-even",
                   test_rounds_to_the_nearest_and_to_even);
  g_test_add_func ("/core/element/saturates-as-cast-does", test_saturates_as_cast_does);
  g_test_add_func ("/core/element/powers-of-two-round-in-three-ways",
                   test_powers_of_two_round_in_three_ways);
  g_test_add_func ("/core/element/halves-convert-in-bulk-as-one-by-one",
                   test_halves_convert_in_bulk_as_one_by_one);
  g_test_add_func ("/core/element/floats-narrow-in-bulk-as-one-by-one",
                   test_floats_narrow_in_bulk_as_one_by_one);
  g_test_add_func ("/core/element/integers-keep-their-low-bits", test_integers_keep_their_low_bits);
  g_test_add_func ("/core/element/floats-become-integers-towards-zero",
                   test_floats_become_integers_towards_zero);
  g_test_add_func ("/core/element/integers-become-floats-in-one-rounding",
                   test_integers_become_floats_in_one_rounding);
  g_test_add_func ("/core/element/small-ones-lie-from-the-low-bits-on",
                   test_small_elements_lie_from_the_low_bits_on);
  g_test_add_func ("/core/element/runs-of-small-ones-are-whole",
                   test_runs_of_small_elements_are_whole);
  g_test_add_func ("/core/element/complex-numbers-are-pairs", test_complex_numbers_are_pairs);
  g_test_add_func ("/core/element/needs-no-alignment", test_elements_need_no_alignment);
  g_test_add_func ("/core/element/prints-short", test_elements_print_short);
  g_test_add_func ("/core/element/all-but-strings-are-numbers", test_all_but_strings_are_numbers);
  return g_test_run ();
}
