/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Two operands, broadcast as numpy does it.  Integers wrap around; a division by zero gives 0, as
 * does the one quotient that has no place (the least number by -1, which is itself again). */

#define ADD(a, b) ((a) + (b))
#define SUBTRACT(a, b) ((a) - (b))
#define MULTIPLY(a, b) ((a) * (b))

/* Signed integers go by the unsigned type of their size, where overflow is defined. */
#define LOOP(name, dtype, type, by, operation)                                                   \
  static void name##_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      result[i] = (type) operation ((by) left[i * step_a], (by) right[i * step_b]);              \
  }

#define LOOPS(name, operation)                     \
  LOOP (name, FLOAT32, float, float, operation)    \
  LOOP (name, FLOAT64, double, double, operation)  \
  LOOP (name, INT8, gint8, guint32, operation)     \
  LOOP (name, INT16, gint16, guint32, operation)   \
  LOOP (name, INT32, gint32, guint32, operation)   \
  LOOP (name, INT64, gint64, guint64, operation)   \
  LOOP (name, UINT8, guint8, guint32, operation)   \
  LOOP (name, UINT16, guint16, guint32, operation) \
  LOOP (name, UINT32, guint32, guint32, operation) \
  LOOP (name, UINT64, guint64, guint64, operation)

LOOPS (add, ADD)
LOOPS (subtract, SUBTRACT)
LOOPS (multiply, MULTIPLY)

#define DIVIDE_FLOAT(dtype, type)                                                                \
  static void divide_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      result[i] = left[i * step_a] / right[i * step_b];                                          \
  }

#define DIVIDE_SIGNED(dtype, type)                                                               \
  static void divide_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      {                                                                                          \
        type divisor = right[i * step_b];                                                        \
                                                                                                 \
        if (divisor == 0)                                                                        \
          result[i] = 0;                                                                         \
        else if (divisor == -1)                                                                  \
          result[i] = (type) (0 - (guint64) left[i * step_a]);                                   \
        else                                                                                     \
          result[i] = (type) (left[i * step_a] / divisor);                                       \
      }                                                                                          \
  }

#define DIVIDE_UNSIGNED(dtype, type)                                                             \
  static void divide_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      result[i] = right[i * step_b] == 0 ? 0 : (type) (left[i * step_a] / right[i * step_b]);    \
  }

SYM_OP_FLOATS (DIVIDE_FLOAT)
SYM_OP_SIGNED (DIVIDE_SIGNED)
SYM_OP_UNSIGNED (DIVIDE_UNSIGNED)

#define ADD_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = add_##dtype,
#define SUBTRACT_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = subtract_##dtype,
#define MULTIPLY_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = multiply_##dtype,
#define DIVIDE_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = divide_##dtype,

static const SymOpBinaryLoop add_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (ADD_ENTRY) };
static const SymOpBinaryLoop subtract_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (SUBTRACT_ENTRY) };
static const SymOpBinaryLoop multiply_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (MULTIPLY_ENTRY) };
static const SymOpBinaryLoop divide_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (DIVIDE_ENTRY) };

static gboolean
run (SymKernel *kernel, const SymOpBinaryLoop *loops, GError **error)
{
  return sym_kernel_get_version (kernel) < 7
             ? sym_op_onnx_run_legacy (kernel, loops, SYM_DTYPE_UNKNOWN, error)
             : sym_op_run_binary (kernel, loops, SYM_DTYPE_UNKNOWN, error);
}

static gboolean
run_add (SymKernel *kernel, GError **error)
{
  return run (kernel, add_loops, error);
}

static gboolean
run_subtract (SymKernel *kernel, GError **error)
{
  return run (kernel, subtract_loops, error);
}

static gboolean
run_multiply (SymKernel *kernel, GError **error)
{
  return run (kernel, multiply_loops, error);
}

static gboolean
run_divide (SymKernel *kernel, GError **error)
{
  return run (kernel, divide_loops, error);
}

/* ---- Rules ---- */

static gboolean
fold_sum (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_add_overflow (a, b, result);
}

static gboolean
fold_difference (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_sub_overflow (a, b, result);
}

static gboolean
fold_product (gint64 a, gint64 b, gint64 *result)
{
  return !__builtin_mul_overflow (a, b, result);
}

static gboolean
fold_quotient (gint64 a, gint64 b, gint64 *result)
{
  if (b == 0 || b == -1)
    return FALSE;
  *result = a / b;
  return TRUE;
}

/* A quotient of terms is one where the divisor is a number. */
static SymDim
divide_terms (SymTerms *terms, SymDim a, SymDim b)
{
  return b > 0 ? sym_terms_floor_divide (terms, a, b) : SYM_DIM_UNKNOWN;
}

/* Sizes that are terms, by @combine, where they are not all numbers. */
static void
combine_terms (SymRule *rule, SymDim (*combine) (SymTerms *terms, SymDim a, SymDim b))
{
  SymDim a[64], b[64], values[64];
  int n_a = sym_rule_get_input_values (rule, 0, a, G_N_ELEMENTS (a));
  int n_b = sym_rule_get_input_values (rule, 1, b, G_N_ELEMENTS (b));
  int n = n_a == 1 ? n_b : n_a;

  if (n_a < 0 || n_b < 0 || (n_a != n_b && n_a != 1 && n_b != 1))
    return;
  for (int i = 0; i < n; i++)
    {
      SymDim left = a[n_a == 1 ? 0 : i], right = b[n_b == 1 ? 0 : i];

      if (left >= 0 && right >= 0 && combine == sym_terms_subtract && left < right)
        return;
      values[i] = combine (sym_rule_get_terms (rule), left, right);
    }
  sym_rule_set_output_values (rule, 0, values, n);
}

/* What is known of small integers is followed: sizes of a later Reshape are made so. */
static gboolean
infer (SymRule *rule,
       SymOpOnnxFold fold,
       SymDim (*combine) (SymTerms *terms, SymDim a, SymDim b),
       GError **error)
{
  gint64 ignored;

  if (!sym_op_infer_broadcast (rule, error))
    return FALSE;
  if (sym_rule_get_input_ints (rule, 0, &ignored, 0) >= 0 &&
      sym_rule_get_input_ints (rule, 1, &ignored, 0) >= 0)
    sym_op_onnx_fold_values (rule, fold);
  else
    combine_terms (rule, combine);
  return TRUE;
}

static gboolean
infer_add (SymRule *rule, GError **error)
{
  return infer (rule, fold_sum, sym_terms_add, error);
}

static gboolean
infer_subtract (SymRule *rule, GError **error)
{
  return infer (rule, fold_difference, sym_terms_subtract, error);
}

static gboolean
infer_multiply (SymRule *rule, GError **error)
{
  return infer (rule, fold_product, sym_terms_multiply, error);
}

static gboolean
infer_divide (SymRule *rule, GError **error)
{
  return infer (rule, fold_quotient, divide_terms, error);
}

#define VERSION(name_, version_, summary_, attributes_, infer_, run_)                         \
  {                                                                                           \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE, \
                                   .attributes = attributes_, .slots = sym_op_onnx_pair,      \
                                   .infer = infer_, .run = run_, .half_as_float = TRUE        \
  }

#define ARITHMETIC(name_, summary_, infer_, run_)                                                 \
  VERSION (name_, 1, summary_, sym_op_onnx_consumed_broadcast, sym_op_onnx_infer_legacy, run_),   \
      VERSION (name_, 6, summary_, sym_op_onnx_legacy_broadcast, sym_op_onnx_infer_legacy, run_), \
      VERSION (name_, 7, summary_, NULL, infer_, run_)

const SymOperator sym_op_onnx_arithmetic[] = {
  ARITHMETIC ("Add", "sum of two tensors, element by element", infer_add, run_add),
  ARITHMETIC ("Sub", "difference of two tensors, element by element", infer_subtract, run_subtract),
  ARITHMETIC ("Mul", "product of two tensors, element by element", infer_multiply, run_multiply),
  ARITHMETIC ("Div",
              "quotient of two tensors, element by element; of integers towards zero",
              infer_divide,
              run_divide),
  { 0 },
};
