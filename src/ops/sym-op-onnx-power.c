/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Pow.  Base and exponent may be of different dtypes; the result is of the base's.  What is not of
 * one float dtype goes by way of int64 or float64. */

#define LOOP(name, type, result_type, expression)                                               \
  static void name (const void *a, gsize step_a, const void *b, gsize step_b, void *y, gsize n) \
  {                                                                                             \
    const type *left = a, *right = b;                                                           \
    result_type *result = y;                                                                    \
                                                                                                \
    for (gsize i = 0; i < n; i++)                                                               \
      {                                                                                         \
        type u = left[i * step_a], v = right[i * step_b];                                       \
                                                                                                \
        result[i] = expression;                                                                 \
      }                                                                                         \
  }

/* Modulo 2^64. */
static guint64
raise_integer (guint64 base, guint64 exponent)
{
  guint64 result = 1;

  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

/* One divided by a power is 0 but for 1 and -1. */
static guint64
raise_signed (gint64 base, gint64 exponent)
{
  if (exponent >= 0)
    return raise_integer ((guint64) base, (guint64) exponent);
  if (base == 1 || base == -1)
    return raise_integer ((guint64) base, (guint64) exponent & 1);
  return 0;
}

LOOP (raise_float32, float, float, powf (u, v))
LOOP (raise_float64, double, double, pow (u, v))
LOOP (raise_int64, gint64, gint64, (gint64) raise_signed (u, v))
LOOP (raise_uint64, guint64, guint64, raise_integer (u, v))

static gboolean
is_unsigned (SymDType dtype)
{
  return dtype == SYM_DTYPE_UINT8 || dtype == SYM_DTYPE_UINT16 || dtype == SYM_DTYPE_UINT32 ||
         dtype == SYM_DTYPE_UINT64;
}

/* By way of @work, in which base, exponent and result get places of their own. */
static gboolean
run_as (SymKernel *kernel,
        SymDType work,
        SymOpBinaryLoop loop,
        const SymArray *base,
        const SymArray *exponent,
        SymArray *y,
        GError **error)
{
  SymArray a = *base, b = *exponent, result = *y;

  a.dtype = b.dtype = result.dtype = work;
  a.data = (void *) sym_op_read_as (kernel, base, work, error);
  if (a.data == NULL)
    return FALSE;
  b.data = (void *) sym_op_read_as (kernel, exponent, work, error);
  if (b.data == NULL)
    return FALSE;
  result.data = sym_op_place_as (kernel, y, work, error);
  if (result.data == NULL || !sym_op_combine (kernel, loop, &a, &b, &result, error))
    return FALSE;
  sym_op_write_as (y, work, result.data);
  return TRUE;
}

static gboolean
run_mixed (SymKernel *kernel, GError **error)
{
  const SymArray *base = sym_kernel_need_input (kernel, 0, error), *exponent;
  SymShape shape;
  SymArray *y;

  if (base == NULL || (exponent = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      SymDType dtype = (i == 0 ? base : exponent)->dtype;

      if (!sym_dtype_is_floating (dtype) && !sym_dtype_is_integer (dtype))
        return sym_op_refuse_dtype (kernel, dtype, error);
    }
  shape = base->shape;
  if (!sym_op_broadcast (&shape, &exponent->shape, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, base->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  if (sym_dtype_is_integer (base->dtype) && is_unsigned (exponent->dtype))
    return run_as (kernel, SYM_DTYPE_UINT64, raise_uint64, base, exponent, y, error);
  if (sym_dtype_is_integer (base->dtype) && sym_dtype_is_integer (exponent->dtype))
    return run_as (kernel, SYM_DTYPE_INT64, raise_int64, base, exponent, y, error);
  if (base->dtype == SYM_DTYPE_FLOAT32 && exponent->dtype == SYM_DTYPE_FLOAT32)
    return run_as (kernel, SYM_DTYPE_FLOAT32, raise_float32, base, exponent, y, error);
  return run_as (kernel, SYM_DTYPE_FLOAT64, raise_float64, base, exponent, y, error);
}

static const SymOpBinaryLoop loops
    [SYM_N_DTYPES] = { [SYM_DTYPE_FLOAT32] = raise_float32, [SYM_DTYPE_FLOAT64] = raise_float64 };

static gboolean
run_legacy (SymKernel *kernel, GError **error)
{
  return sym_op_onnx_run_legacy (kernel, loops, SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_mixed (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) && sym_op_pass_dtype (rule, 0, 0, error);
}

static const SymSlotSpec slots[] = { { "X" }, { "Y" }, { NULL } };

#define POWER(version_, attributes_, infer_, run_, half_)                                      \
  {                                                                                            \
    SYM_OP_ONNX ("Pow", version_),                                                             \
        .summary = "elements of X raised to those of Y", .category = SYM_CATEGORY_ELEMENTWISE, \
        .attributes = attributes_, .slots = slots, .infer = infer_, .run = run_,               \
        .half_as_float = half_                                                                 \
  }

const SymOperator sym_op_onnx_power[] = {
  POWER (1, sym_op_onnx_legacy_broadcast, sym_op_onnx_infer_legacy, run_legacy, TRUE),
  POWER (7, NULL, sym_op_infer_broadcast, run_mixed, FALSE),
  POWER (12, NULL, infer_mixed, run_mixed, FALSE),
  { 0 },
};
