/* SPDX-License-Identifier: MIT */
#include "core/sym-clones-private.h"
#include "core/sym-element-private.h"

#include <string.h>

/* How many elements are on their way from one dtype to another at once. */
#define RUN 256

/* How elements of a dtype become gint64 (an uint64 by its bits) or double, and back.  An integer
 * dtype loads integers only, a float dtype doubles only. */
typedef struct {
  void (*load_ints) (SymDType dtype, const guint8 *from, gsize first, guint n, gint64 *values);
  void (*load_doubles) (SymDType dtype, const guint8 *from, gsize first, guint n, double *values);
  void (*store_ints) (SymDType dtype, guint8 *to, gsize first, guint n, const gint64 *values);
  void (*store_doubles) (SymDType dtype,
                         guint8 *to,
                         gsize first,
                         guint n,
                         const double *values,
                         SymCastFlags flags);
} Codec;

/* ---- Whole integers ---- */

#define DEFINE_INTEGER(name, Type)                                                   \
  static void load_##name (SymDType dtype, const guint8 *from, gsize first, guint n, \
                           gint64 *values)                                           \
  {                                                                                  \
    for (guint i = 0; i < n; i++)                                                    \
      {                                                                              \
        Type element;                                                                \
                                                                                     \
        memcpy (&element, from + (first + i) * sizeof element, sizeof element);      \
        values[i] = (gint64) element;                                                \
      }                                                                              \
  }                                                                                  \
                                                                                     \
  static void store_##name (SymDType dtype, guint8 *to, gsize first, guint n,        \
                            const gint64 *values)                                    \
  {                                                                                  \
    for (guint i = 0; i < n; i++)                                                    \
      {                                                                              \
        Type element = (Type) values[i];                                             \
                                                                                     \
        memcpy (to + (first + i) * sizeof element, &element, sizeof element);        \
      }                                                                              \
  }

DEFINE_INTEGER (int8, gint8)
DEFINE_INTEGER (int16, gint16)
DEFINE_INTEGER (int32, gint32)
DEFINE_INTEGER (int64, gint64)
DEFINE_INTEGER (uint8, guint8)
DEFINE_INTEGER (uint16, guint16)
DEFINE_INTEGER (uint32, guint32)

static void
load_bool (SymDType dtype, const guint8 *from, gsize first, guint n, gint64 *values)
{
  for (guint i = 0; i < n; i++)
    values[i] = from[first + i] != 0;
}

static void
store_bool (SymDType dtype, guint8 *to, gsize first, guint n, const gint64 *values)
{
  for (guint i = 0; i < n; i++)
    to[first + i] = values[i] != 0;
}

/* ---- Elements of 2, 4 and 6 bits ---- */

/* One of 6 bits may lie in two bytes. */
static guint
load_code (const guint8 *from, gsize i, guint n_bits)
{
  gsize bit = i * n_bits;
  guint shift = (guint) (bit % 8);
  guint pair = from[bit / 8];

  if (shift + n_bits > 8)
    pair |= (guint) from[bit / 8 + 1] << 8;
  return pair >> shift & ((1u << n_bits) - 1);
}

static void
store_code (guint8 *to, gsize i, guint n_bits, guint code)
{
  gsize bit = i * n_bits;
  guint shift = (guint) (bit % 8);
  guint mask = ((1u << n_bits) - 1) << shift;
  guint pair = (code << shift) & mask;

  to[bit / 8] = (guint8) ((to[bit / 8] & ~mask) | pair);
  if (shift + n_bits > 8)
    to[bit / 8 + 1] = (guint8) ((to[bit / 8 + 1] & ~(mask >> 8)) | pair >> 8);
}

/* The last byte may be used in part only. */
static void
clear_last_byte (guint8 *to, gsize n, guint n_bits)
{
  gsize end = n * n_bits;

  if (end % 8 != 0)
    to[end / 8] &= (guint8) ((1u << end % 8) - 1);
}

static void
load_packed_unsigned (SymDType dtype, const guint8 *from, gsize first, guint n, gint64 *values)
{
  guint n_bits = sym_dtype_get_bits (dtype);

  for (guint i = 0; i < n; i++)
    values[i] = load_code (from, first + i, n_bits);
}

static void
load_packed_signed (SymDType dtype, const guint8 *from, gsize first, guint n, gint64 *values)
{
  guint n_bits = sym_dtype_get_bits (dtype);
  gint64 sign = (gint64) 1 << (n_bits - 1);

  for (guint i = 0; i < n; i++)
    values[i] = ((gint64) load_code (from, first + i, n_bits) ^ sign) - sign;
}

static void
store_packed (SymDType dtype, guint8 *to, gsize first, guint n, const gint64 *values)
{
  guint n_bits = sym_dtype_get_bits (dtype);

  for (guint i = 0; i < n; i++)
    store_code (to, first + i, n_bits, (guint) values[i]);
}

static void
load_packed_float (SymDType dtype, const guint8 *from, gsize first, guint n, double *values)
{
  guint n_bits = sym_dtype_get_bits (dtype);

  for (guint i = 0; i < n; i++)
    values[i] = sym_element_decode (dtype, (guint16) load_code (from, first + i, n_bits));
}

static void
store_packed_float (SymDType dtype,
                    guint8 *to,
                    gsize first,
                    guint n,
                    const double *values,
                    SymCastFlags flags)
{
  guint n_bits = sym_dtype_get_bits (dtype);

  for (guint i = 0; i < n; i++)
    store_code (to, first + i, n_bits, sym_element_encode (dtype, values[i], flags));
}

/* ---- Floats of 8 and 16 bits ---- */

static void
load_narrow_float (SymDType dtype, const guint8 *from, gsize first, guint n, double *values)
{
  guint step = sym_dtype_get_bits (dtype) / 8;

  for (guint i = 0; i < n; i++)
    {
      const guint8 *at = from + (first + i) * step;

      values[i] = sym_element_decode (dtype, (guint16) (at[0] | (step == 2 ? at[1] << 8 : 0)));
    }
}

static void
store_narrow_float (SymDType dtype,
                    guint8 *to,
                    gsize first,
                    guint n,
                    const double *values,
                    SymCastFlags flags)
{
  guint step = sym_dtype_get_bits (dtype) / 8;

  for (guint i = 0; i < n; i++)
    {
      guint16 bits = sym_element_encode (dtype, values[i], flags);
      guint8 *at = to + (first + i) * step;

      at[0] = (guint8) bits;
      if (step == 2)
        at[1] = (guint8) (bits >> 8);
    }
}

/* ---- Floats of C, alone or as complex numbers ---- */

/* Of a complex number, which is a pair, the first. */
#define DEFINE_FLOAT(name, Type)                                                     \
  static void load_##name (SymDType dtype, const guint8 *from, gsize first, guint n, \
                           double *values)                                           \
  {                                                                                  \
    gsize step = sym_dtype_get_bits (dtype) / 8;                                     \
                                                                                     \
    for (guint i = 0; i < n; i++)                                                    \
      {                                                                              \
        Type element;                                                                \
                                                                                     \
        memcpy (&element, from + (first + i) * step, sizeof element);                \
        values[i] = (double) element;                                                \
      }                                                                              \
  }                                                                                  \
                                                                                     \
  static void store_##name (SymDType dtype, guint8 *to, gsize first, guint n,        \
                            const double *values, SymCastFlags flags)                \
  {                                                                                  \
    gsize step = sym_dtype_get_bits (dtype) / 8;                                     \
                                                                                     \
    for (guint i = 0; i < n; i++)                                                    \
      {                                                                              \
        Type pair[2] = { (Type) values[i], 0 };                                      \
                                                                                     \
        memcpy (to + (first + i) * step, pair, step);                                \
      }                                                                              \
  }

DEFINE_FLOAT (float32, float)
DEFINE_FLOAT (float64, double)

#define INTEGERS(name)                                   \
  {                                                      \
    .load_ints = load_##name, .store_ints = store_##name \
  }
#define FLOATS(name)                                           \
  {                                                            \
    .load_doubles = load_##name, .store_doubles = store_##name \
  }

static const Codec codecs[SYM_N_DTYPES] = {
  [SYM_DTYPE_FLOAT32] = FLOATS (float32),
  [SYM_DTYPE_FLOAT64] = FLOATS (float64),
  [SYM_DTYPE_FLOAT16] = FLOATS (narrow_float),
  [SYM_DTYPE_BFLOAT16] = FLOATS (narrow_float),
  [SYM_DTYPE_INT8] = INTEGERS (int8),
  [SYM_DTYPE_INT16] = INTEGERS (int16),
  [SYM_DTYPE_INT32] = INTEGERS (int32),
  [SYM_DTYPE_INT64] = INTEGERS (int64),
  [SYM_DTYPE_UINT8] = INTEGERS (uint8),
  [SYM_DTYPE_UINT16] = INTEGERS (uint16),
  [SYM_DTYPE_UINT32] = INTEGERS (uint32),
  [SYM_DTYPE_UINT64] = INTEGERS (int64),
  [SYM_DTYPE_BOOL] = INTEGERS (bool),
  [SYM_DTYPE_COMPLEX64] = FLOATS (float32),
  [SYM_DTYPE_COMPLEX128] = FLOATS (float64),
  [SYM_DTYPE_FLOAT8E4M3FN] = FLOATS (narrow_float),
  [SYM_DTYPE_FLOAT8E4M3FNUZ] = FLOATS (narrow_float),
  [SYM_DTYPE_FLOAT8E5M2] = FLOATS (narrow_float),
  [SYM_DTYPE_FLOAT8E5M2FNUZ] = FLOATS (narrow_float),
  [SYM_DTYPE_FLOAT8E8M0] = FLOATS (narrow_float),
  [SYM_DTYPE_INT4] = { .load_ints = load_packed_signed, .store_ints = store_packed },
  [SYM_DTYPE_UINT4] = { .load_ints = load_packed_unsigned, .store_ints = store_packed },
  [SYM_DTYPE_INT2] = { .load_ints = load_packed_signed, .store_ints = store_packed },
  [SYM_DTYPE_UINT2] = { .load_ints = load_packed_unsigned, .store_ints = store_packed },
  [SYM_DTYPE_FLOAT4E2M1] = FLOATS (packed_float),
  [SYM_DTYPE_FLOAT6E2M3] = FLOATS (packed_float),
  [SYM_DTYPE_FLOAT6E3M2] = FLOATS (packed_float),
};

/* ---- Between integers and doubles ---- */

/* With the last bit set when bits were lost ("to odd"), so that rounding again, to a narrower
 * float, gives what rounding once would have given. */
static double
round_to_odd (guint64 magnitude)
{
  guint n_bits = g_bit_storage (magnitude);
  guint n_lost = n_bits > 53 ? n_bits - 53 : 0;
  guint64 kept = magnitude >> n_lost;

  kept |= (kept << n_lost) != magnitude;
  return (double) kept * (double) ((guint64) 1 << n_lost);
}

static void
ints_to_doubles (SymDType from_dtype,
                 SymDType to_dtype,
                 const gint64 *integers,
                 guint n,
                 double *values)
{
  gboolean is_wide = to_dtype == SYM_DTYPE_FLOAT64 || to_dtype == SYM_DTYPE_COMPLEX128;

  if (from_dtype == SYM_DTYPE_UINT64)
    for (guint i = 0; i < n; i++)
      values[i] = is_wide ? (double) (guint64) integers[i] : round_to_odd ((guint64) integers[i]);
  else if (from_dtype == SYM_DTYPE_INT64 && !is_wide)
    for (guint i = 0; i < n; i++)
      values[i] = integers[i] < 0 ? -round_to_odd (0 - (guint64) integers[i])
                                  : round_to_odd ((guint64) integers[i]);
  else
    for (guint i = 0; i < n; i++)
      values[i] = (double) integers[i];
}

static gint64
truncate_to_64 (double value)
{
  return value >= -0x1p63 && value < 0x1p63 ? (gint64) value : G_MININT64;
}

/* As x86-64 does it: integers of 32 bits and less by cvttsd2si to 32 bits, the others to 64. */
static void
doubles_to_ints (SymDType to_dtype, const double *values, guint n, gint64 *integers)
{
  guint n_bits = sym_dtype_get_bits (to_dtype);

  if (to_dtype == SYM_DTYPE_BOOL)
    for (guint i = 0; i < n; i++)
      integers[i] = !(values[i] == 0);
  else if (to_dtype == SYM_DTYPE_UINT64)
    for (guint i = 0; i < n; i++)
      integers[i] = values[i] >= 0x1p63 && values[i] < 0x1p64 ? (gint64) (guint64) values[i]
                                                              : truncate_to_64 (values[i]);
  else if (n_bits == 64 || to_dtype == SYM_DTYPE_UINT32)
    for (guint i = 0; i < n; i++)
      integers[i] = truncate_to_64 (values[i]);
  else
    for (guint i = 0; i < n; i++)
      integers[i] = values[i] > -0x1p31 - 1 && values[i] < 0x1p31 ? (gint64) values[i] : G_MININT32;
}

static void
convert_run (SymDType from_dtype,
             const guint8 *from,
             SymDType to_dtype,
             guint8 *to,
             gsize first,
             guint n,
             SymCastFlags flags)
{
  const Codec *source = &codecs[from_dtype], *target = &codecs[to_dtype];
  gint64 integers[RUN];
  double values[RUN];

  if (source->load_ints != NULL)
    {
      source->load_ints (from_dtype, from, first, n, integers);
      if (target->store_doubles != NULL)
        ints_to_doubles (from_dtype, to_dtype, integers, n, values);
    }
  else
    {
      source->load_doubles (from_dtype, from, first, n, values);
      if (target->store_ints != NULL)
        doubles_to_ints (to_dtype, values, n, integers);
    }

  if (target->store_ints != NULL)
    target->store_ints (to_dtype, to, first, n, integers);
  else
    target->store_doubles (to_dtype, to, first, n, values, flags);
}

SYM_CLONES static void
widen_float32 (const void *from, void *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      float narrow;
      double wide;

      memcpy (&narrow, (const guint8 *) from + i * sizeof narrow, sizeof narrow);
      wide = (double) narrow;
      memcpy ((guint8 *) to + i * sizeof wide, &wide, sizeof wide);
    }
}

typedef void (*Fast) (const void *from, void *to, gsize n);

static const struct {
  SymDType from, to;
  Fast convert;
} fast_ways[] = {
  { SYM_DTYPE_FLOAT32, SYM_DTYPE_FLOAT64, widen_float32 },
  { SYM_DTYPE_FLOAT16, SYM_DTYPE_FLOAT32, sym_element_widen_float16 },
  { SYM_DTYPE_FLOAT32, SYM_DTYPE_FLOAT16, sym_element_narrow_float16 },
  { SYM_DTYPE_BFLOAT16, SYM_DTYPE_FLOAT32, sym_element_widen_bfloat16 },
  { SYM_DTYPE_FLOAT32, SYM_DTYPE_BFLOAT16, sym_element_narrow_bfloat16 },
};

static Fast
find_fast_way (SymDType from, SymDType to)
{
  for (guint i = 0; i < G_N_ELEMENTS (fast_ways); i++)
    if (fast_ways[i].from == from && fast_ways[i].to == to)
      return fast_ways[i].convert;

  return NULL;
}

/* The dtype of the two parts of a complex one, else the dtype. */
static SymDType
get_part (SymDType dtype)
{
  if (dtype == SYM_DTYPE_COMPLEX64)
    return SYM_DTYPE_FLOAT32;
  return dtype == SYM_DTYPE_COMPLEX128 ? SYM_DTYPE_FLOAT64 : dtype;
}

gboolean
sym_dtype_is_numeric (SymDType dtype)
{
  g_return_val_if_fail (dtype < SYM_N_DTYPES, FALSE);

  return codecs[dtype].load_ints != NULL || codecs[dtype].load_doubles != NULL;
}

double
sym_element_get_double (SymDType dtype, const void *elements, gsize i)
{
  double value = 0;
  gint64 integer;

  g_return_val_if_fail (sym_dtype_is_numeric (dtype), 0);

  if (codecs[dtype].load_doubles != NULL)
    {
      codecs[dtype].load_doubles (dtype, elements, i, 1, &value);
      return value;
    }
  codecs[dtype].load_ints (dtype, elements, i, 1, &integer);
  ints_to_doubles (dtype, SYM_DTYPE_FLOAT64, &integer, 1, &value);
  return value;
}

gint64
sym_element_get_int (SymDType dtype, const void *elements, gsize i)
{
  gint64 integer = 0;
  double value;

  g_return_val_if_fail (sym_dtype_is_numeric (dtype), 0);

  if (codecs[dtype].load_ints != NULL)
    {
      codecs[dtype].load_ints (dtype, elements, i, 1, &integer);
      return integer;
    }
  codecs[dtype].load_doubles (dtype, elements, i, 1, &value);
  return truncate_to_64 (value);
}

void
sym_element_set_double (SymDType dtype, void *elements, gsize i, double value)
{
  gint64 integer;

  g_return_if_fail (sym_dtype_is_numeric (dtype));

  if (codecs[dtype].store_doubles != NULL)
    {
      codecs[dtype].store_doubles (dtype, elements, i, 1, &value, SYM_CAST_DEFAULT);
      return;
    }
  doubles_to_ints (dtype, &value, 1, &integer);
  codecs[dtype].store_ints (dtype, elements, i, 1, &integer);
}

void
sym_element_set_int (SymDType dtype, void *elements, gsize i, gint64 value)
{
  double number;

  g_return_if_fail (sym_dtype_is_numeric (dtype));

  if (codecs[dtype].store_ints != NULL)
    {
      codecs[dtype].store_ints (dtype, elements, i, 1, &value);
      return;
    }
  ints_to_doubles (SYM_DTYPE_INT64, dtype, &value, 1, &number);
  codecs[dtype].store_doubles (dtype, elements, i, 1, &number, SYM_CAST_DEFAULT);
}

double
sym_element_get_imaginary (SymDType dtype, const void *elements, gsize i)
{
  SymDType part = get_part (dtype);

  return part == dtype ? 0 : sym_element_get_double (part, elements, 2 * i + 1);
}

void
sym_cast_elements (SymDType from_dtype,
                   const void *from,
                   SymDType to_dtype,
                   void *to,
                   gsize n,
                   SymCastFlags flags)
{
  guint n_bits;
  guint64 size = 0;
  Fast fast;

  g_return_if_fail (sym_dtype_is_numeric (from_dtype) && sym_dtype_is_numeric (to_dtype));

  if (n == 0)
    return;
  if (from_dtype != to_dtype && get_part (from_dtype) != from_dtype &&
      get_part (to_dtype) != to_dtype)
    {
      sym_cast_elements (get_part (from_dtype), from, get_part (to_dtype), to, 2 * n, flags);
      return;
    }

  n_bits = sym_dtype_get_bits (to_dtype);
  fast = find_fast_way (from_dtype, to_dtype);
  if (from_dtype == to_dtype && sym_dtype_get_size (to_dtype, n, &size))
    memcpy (to, from, size);
  else if (fast != NULL)
    fast (from, to, n);
  else
    for (gsize first = 0; first < n; first += RUN)
      convert_run (from_dtype, from, to_dtype, to, first, (guint) MIN (n - first, RUN), flags);
  if (n_bits < 8)
    clear_last_byte (to, n, n_bits);
}

void
sym_convert_elements (SymDType from_dtype, const void *from, SymDType to_dtype, void *to, gsize n)
{
  sym_cast_elements (from_dtype, from, to_dtype, to, n, SYM_CAST_DEFAULT);
}
