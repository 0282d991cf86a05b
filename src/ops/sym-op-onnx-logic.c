/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Comparisons, logic, and bits. */

#define LOOP(name, dtype, type, result_type, expression)                                         \
  static void name##_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    result_type *result = y;                                                                     \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      {                                                                                          \
        type u = left[i * step_a], v = right[i * step_b];                                        \
                                                                                                 \
        result[i] = (result_type) (expression);                                                  \
      }                                                                                          \
  }

/* ---- Comparisons ---- */

#define EQUAL(dtype, type) LOOP (equal, dtype, type, guint8, u == v)
#define GREATER(dtype, type) LOOP (greater, dtype, type, guint8, u > v)
#define GREATER_EQUAL(dtype, type) LOOP (greater_equal, dtype, type, guint8, u >= v)
#define LESS(dtype, type) LOOP (less, dtype, type, guint8, u < v)
#define LESS_EQUAL(dtype, type) LOOP (less_equal, dtype, type, guint8, u <= v)

SYM_OP_NUMBERS (EQUAL)
SYM_OP_NUMBERS (GREATER)
SYM_OP_NUMBERS (GREATER_EQUAL)
SYM_OP_NUMBERS (LESS)
SYM_OP_NUMBERS (LESS_EQUAL)
LOOP (equal, BOOL, guint8, guint8, !u == !v)
LOOP (equal, STRING, gpointer, guint8, g_bytes_equal (u, v))

#define EQUAL_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = equal_##dtype,
#define GREATER_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = greater_##dtype,
#define GREATER_EQUAL_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = greater_equal_##dtype,
#define LESS_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = less_##dtype,
#define LESS_EQUAL_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = less_equal_##dtype,

static const SymOpBinaryLoop equal_loops[SYM_N_DTYPES] = {
  SYM_OP_NUMBERS (EQUAL_ENTRY)[SYM_DTYPE_BOOL] = equal_BOOL,
  [SYM_DTYPE_STRING] = equal_STRING,
};
static const SymOpBinaryLoop greater_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (GREATER_ENTRY) };
static const SymOpBinaryLoop greater_equal_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (
    GREATER_EQUAL_ENTRY) };
static const SymOpBinaryLoop less_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (LESS_ENTRY) };
static const SymOpBinaryLoop less_equal_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (LESS_EQUAL_ENTRY) };

/* ---- Logic ---- */

LOOP (and, BOOL, guint8, guint8, u &&v)
LOOP (or, BOOL, guint8, guint8, u || v)
LOOP (xor, BOOL, guint8, guint8, !u != !v)

static const SymOpBinaryLoop and_loops[SYM_N_DTYPES] = { [SYM_DTYPE_BOOL] = and_BOOL };
static const SymOpBinaryLoop or_loops[SYM_N_DTYPES] = { [SYM_DTYPE_BOOL] = or_BOOL };
static const SymOpBinaryLoop xor_loops[SYM_N_DTYPES] = { [SYM_DTYPE_BOOL] = xor_BOOL };

/* ---- Bits ---- */

#define BITWISE_AND(dtype, type) LOOP (bitwise_and, dtype, type, type, u &v)
#define BITWISE_OR(dtype, type) LOOP (bitwise_or, dtype, type, type, u | v)
#define BITWISE_XOR(dtype, type) LOOP (bitwise_xor, dtype, type, type, u ^ v)
#define SHIFT_LEFT(dtype, type) \
  LOOP (shift_left, dtype, type, type, v < 8 * sizeof (type) ? (guint64) u << v : 0)
#define SHIFT_RIGHT(dtype, type) \
  LOOP (shift_right, dtype, type, type, v < 8 * sizeof (type) ? u >> v : 0)

SYM_OP_INTEGERS (BITWISE_AND)
SYM_OP_INTEGERS (BITWISE_OR)
SYM_OP_INTEGERS (BITWISE_XOR)
SYM_OP_UNSIGNED (SHIFT_LEFT)
SYM_OP_UNSIGNED (SHIFT_RIGHT)

#define BITWISE_AND_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = bitwise_and_##dtype,
#define BITWISE_OR_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = bitwise_or_##dtype,
#define BITWISE_XOR_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = bitwise_xor_##dtype,
#define SHIFT_LEFT_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = shift_left_##dtype,
#define SHIFT_RIGHT_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = shift_right_##dtype,

static const SymOpBinaryLoop bitwise_and_loops[SYM_N_DTYPES] = { SYM_OP_INTEGERS (
    BITWISE_AND_ENTRY) };
static const SymOpBinaryLoop bitwise_or_loops[SYM_N_DTYPES] = { SYM_OP_INTEGERS (
    BITWISE_OR_ENTRY) };
static const SymOpBinaryLoop bitwise_xor_loops[SYM_N_DTYPES] = { SYM_OP_INTEGERS (
    BITWISE_XOR_ENTRY) };
static const SymOpBinaryLoop shift_left_loops[SYM_N_DTYPES] = { SYM_OP_UNSIGNED (
    SHIFT_LEFT_ENTRY) };
static const SymOpBinaryLoop shift_right_loops[SYM_N_DTYPES] = { SYM_OP_UNSIGNED (
    SHIFT_RIGHT_ENTRY) };

static const SymAttributeSpec shift_attributes[] = {
  { "direction", SYM_ATTRIBUTE_STRING, NULL, "where bits go", "LEFT RIGHT" },
  { NULL },
};

static const SymSlotSpec shift_slots[] = { { "X" }, { "Y" }, { NULL } };

static gboolean
run_shift (SymKernel *kernel, GError **error)
{
  const char *direction = sym_kernel_get_string (kernel, "direction", "");

  if (g_str_equal (direction, "LEFT"))
    return sym_op_run_binary (kernel, shift_left_loops, SYM_DTYPE_UNKNOWN, error);
  if (g_str_equal (direction, "RIGHT"))
    return sym_op_run_binary (kernel, shift_right_loops, SYM_DTYPE_UNKNOWN, error);
  return sym_kernel_fail (error, "direction is \"%s\"; it should be LEFT or RIGHT", direction);
}

/* ---- Rules ---- */

/* Comparisons of small integers that are known; `v` is the second. */
#define INFER(name, comparison)                                    \
  static gboolean fold_##name (gint64 u, gint64 v, gint64 *result) \
  {                                                                \
    *result = comparison;                                          \
    return TRUE;                                                   \
  }                                                                \
  static gboolean infer_##name (SymRule *rule, GError **error)     \
  {                                                                \
    if (!sym_op_onnx_infer_comparison (rule, error))               \
      return FALSE;                                                \
    sym_op_onnx_fold_values (rule, fold_##name);                   \
    return TRUE;                                                   \
  }

INFER (equal, u == v)
INFER (greater, u > v)
INFER (greater_equal, u >= v)
INFER (less, u < v)
INFER (less_equal, u <= v)
INFER (and, u &&v)
INFER (or, u || v)
INFER (xor, !u != !v)

/* ---- Running ---- */

/* The result is bool, or of the operands' dtype. */
#define RUN(name, dtype)                                                     \
  static gboolean run_##name (SymKernel *kernel, GError **error)             \
  {                                                                          \
    return sym_kernel_get_version (kernel) < 7                               \
               ? sym_op_onnx_run_legacy (kernel, name##_loops, dtype, error) \
               : sym_op_run_binary (kernel, name##_loops, dtype, error);     \
  }

RUN (equal, SYM_DTYPE_BOOL)
RUN (greater, SYM_DTYPE_BOOL)
RUN (greater_equal, SYM_DTYPE_BOOL)
RUN (less, SYM_DTYPE_BOOL)
RUN (less_equal, SYM_DTYPE_BOOL)
RUN (and, SYM_DTYPE_BOOL)
RUN (or, SYM_DTYPE_BOOL)
RUN (xor, SYM_DTYPE_BOOL)
RUN (bitwise_and, SYM_DTYPE_UNKNOWN)
RUN (bitwise_or, SYM_DTYPE_UNKNOWN)
RUN (bitwise_xor, SYM_DTYPE_UNKNOWN)

#define ENTRY(name_, version_, summary_, infer_, run_)                                        \
  {                                                                                           \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE, \
                                   .slots = sym_op_onnx_pair, .infer = infer_, .run = run_,   \
                                   .half_as_float = TRUE                                      \
  }

/* One with a form of its own before version 7. */
#define OLD(name_, summary_, infer_, run_)        \
  { SYM_OP_ONNX (name_, 1),                       \
    .summary = summary_,                          \
    .category = SYM_CATEGORY_ELEMENTWISE,         \
    .attributes = sym_op_onnx_legacy_broadcast,   \
    .slots = sym_op_onnx_pair,                    \
    .infer = sym_op_onnx_infer_legacy_comparison, \
    .run = run_,                                  \
    .half_as_float = TRUE },                      \
      ENTRY (name_, 7, summary_, infer_, run_)

const SymOperator sym_op_onnx_logic[] = {
  OLD ("And", "true where both operands are", infer_and, run_and),
  OLD ("Or", "true where an operand is", infer_or, run_or),
  OLD ("Xor", "true where one operand is and the other is not", infer_xor, run_xor),
  OLD ("Equal", "whether elements are the same", infer_equal, run_equal),
  OLD ("Greater", "whether elements of A are greater", infer_greater, run_greater),
  OLD ("Less", "whether elements of A are less", infer_less, run_less),
  ENTRY ("GreaterOrEqual",
         12,
         "whether elements of A are not less",
         infer_greater_equal,
         run_greater_equal),
  ENTRY ("LessOrEqual",
         12,
         "whether elements of A are not greater",
         infer_less_equal,
         run_less_equal),
  ENTRY ("BitwiseAnd", 18, "bits that both have", sym_op_infer_broadcast, run_bitwise_and),
  ENTRY ("BitwiseOr", 18, "bits that one of both has", sym_op_infer_broadcast, run_bitwise_or),
  ENTRY ("BitwiseXor", 18, "bits in which both differ", sym_op_infer_broadcast, run_bitwise_xor),
  { SYM_OP_ONNX ("BitShift", 11), .summary = "bits of X moved by Y places",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = shift_attributes, .slots = shift_slots,
    .infer = sym_op_infer_broadcast, .run = run_shift },
  { 0 },
};
