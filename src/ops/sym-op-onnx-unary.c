/* SPDX-License-Identifier: MIT */
#include <tgmath.h>

#include "ops/sym-op-exponential.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Functions of one element. */

#define LOOP(name, dtype, type, expression)                                                  \
  static void name##_##dtype (const void *from, void *to, gsize n, const double *parameters) \
  {                                                                                          \
    const type *x = from;                                                                    \
    type *y = to;                                                                            \
                                                                                             \
    for (gsize i = 0; i < n; i++)                                                            \
      {                                                                                      \
        type v = x[i];                                                                       \
                                                                                             \
        y[i] = (type) (expression);                                                          \
      }                                                                                      \
  }

/* A table of loops that is called like the function, and the kernel that runs it. */
#define RUN(name)                                                                   \
  static gboolean run_##name (SymKernel *kernel, GError **error)                    \
  {                                                                                 \
    return sym_op_run_unary (kernel, name##_loops, SYM_DTYPE_UNKNOWN, NULL, error); \
  }

#define FLOAT_LOOPS(name, expression)     \
  LOOP (name, FLOAT32, float, expression) \
  LOOP (name, FLOAT64, double, expression)

#define FLOAT_ENTRIES(name) \
  [SYM_DTYPE_FLOAT32] = name##_FLOAT32, [SYM_DTYPE_FLOAT64] = name##_FLOAT64

#define FLOAT_FUNCTION(name, expression)                                             \
  FLOAT_LOOPS (name, expression)                                                     \
  static const SymOpUnaryLoop name##_loops[SYM_N_DTYPES] = { FLOAT_ENTRIES (name) }; \
  RUN (name)

FLOAT_FUNCTION (acos, acos (v))
FLOAT_FUNCTION (acosh, acosh (v))
FLOAT_FUNCTION (asin, asin (v))
FLOAT_FUNCTION (asinh, asinh (v))
FLOAT_FUNCTION (atan, atan (v))
FLOAT_FUNCTION (atanh, atanh (v))
FLOAT_FUNCTION (ceil, ceil (v))
FLOAT_FUNCTION (cos, cos (v))
FLOAT_FUNCTION (cosh, cosh (v))
FLOAT_FUNCTION (floor, floor (v))
FLOAT_FUNCTION (log, log (v))
FLOAT_FUNCTION (reciprocal, 1 / v)
FLOAT_FUNCTION (round, rint (v))
FLOAT_FUNCTION (sin, sin (v))
FLOAT_FUNCTION (sinh, sinh (v))
FLOAT_FUNCTION (sqrt, sqrt (v))
FLOAT_FUNCTION (tan, tan (v))

/* Functions for which there is one of many doubles at once. */
#define DOUBLES_FUNCTION(name, expression, all)                                          \
  LOOP (name, FLOAT32, float, expression)                                                \
  static void name##_FLOAT64 (const void *x, void *y, gsize n, const double *parameters) \
  {                                                                                      \
    all (x, y, n);                                                                       \
  }                                                                                      \
  static const SymOpUnaryLoop name##_loops[SYM_N_DTYPES] = { FLOAT_ENTRIES (name) };     \
  RUN (name)

DOUBLES_FUNCTION (exp, exp (v), sym_op_exp_all)
DOUBLES_FUNCTION (tanh, tanh (v), sym_op_tanh_all)

/* ---- Of integers too ---- */

/* The least integer has no opposite and stays what it is: it goes by the unsigned type. */
#define ABSOLUTE_SIGNED(dtype, type) \
  LOOP (absolute, dtype, type, v < 0 ? (type) (0 - (guint64) v) : v)
#define ABSOLUTE_UNSIGNED(dtype, type) LOOP (absolute, dtype, type, v)
#define ERF_INTEGER(dtype, type) LOOP (erf, dtype, type, erf ((double) v))
#define NEGATE_SIGNED(dtype, type) LOOP (negate, dtype, type, 0 - (guint64) v)
#define SIGN_SIGNED(dtype, type) LOOP (sign, dtype, type, (v > 0) - (v < 0))
#define SIGN_UNSIGNED(dtype, type) LOOP (sign, dtype, type, v > 0)
#define INVERT_INTEGER(dtype, type) LOOP (invert, dtype, type, ~v)

FLOAT_LOOPS (absolute, fabs (v))
SYM_OP_SIGNED (ABSOLUTE_SIGNED)
SYM_OP_UNSIGNED (ABSOLUTE_UNSIGNED)
FLOAT_LOOPS (erf, erf (v))
SYM_OP_INTEGERS (ERF_INTEGER)
FLOAT_LOOPS (negate, -v)
SYM_OP_SIGNED (NEGATE_SIGNED)
FLOAT_LOOPS (sign, isnan (v) ? v : (v > 0) - (v < 0))
SYM_OP_SIGNED (SIGN_SIGNED)
SYM_OP_UNSIGNED (SIGN_UNSIGNED)
SYM_OP_INTEGERS (INVERT_INTEGER)
LOOP (not, BOOL, guint8, !v)

#define ABSOLUTE_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = absolute_##dtype,
#define ERF_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = erf_##dtype,
#define NEGATE_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = negate_##dtype,
#define SIGN_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = sign_##dtype,
#define INVERT_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = invert_##dtype,

static const SymOpUnaryLoop absolute_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (ABSOLUTE_ENTRY) };
static const SymOpUnaryLoop erf_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (ERF_ENTRY) };
static const SymOpUnaryLoop negate_loops[SYM_N_DTYPES] = { SYM_OP_SIGNED (NEGATE_ENTRY)
                                                               FLOAT_ENTRIES (negate) };
static const SymOpUnaryLoop sign_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (SIGN_ENTRY) };
static const SymOpUnaryLoop invert_loops[SYM_N_DTYPES] = { SYM_OP_INTEGERS (INVERT_ENTRY) };
static const SymOpUnaryLoop not_loops[SYM_N_DTYPES] = { [SYM_DTYPE_BOOL] = not_BOOL };

RUN (absolute)
RUN (erf)
RUN (negate)
RUN (sign)
RUN (invert)
RUN (not )

/* ---- Tests ---- */

#define TEST(name, dtype, type, expression)                                                  \
  static void name##_##dtype (const void *from, void *to, gsize n, const double *parameters) \
  {                                                                                          \
    const type *x = from;                                                                    \
    guint8 *y = to;                                                                          \
                                                                                             \
    for (gsize i = 0; i < n; i++)                                                            \
      y[i] = (expression) ? 1 : 0;                                                           \
  }

#define IS_INFINITE (isinf (x[i]) && parameters[x[i] > 0] != 0)

TEST (is_nan, FLOAT32, float, isnan (x[i]))
TEST (is_nan, FLOAT64, double, isnan (x[i]))
TEST (is_infinite, FLOAT32, float, IS_INFINITE)
TEST (is_infinite, FLOAT64, double, IS_INFINITE)

static const SymOpUnaryLoop is_nan_loops[SYM_N_DTYPES] = { FLOAT_ENTRIES (is_nan) };
static const SymOpUnaryLoop is_infinite_loops[SYM_N_DTYPES] = { FLOAT_ENTRIES (is_infinite) };

static gboolean
run_is_nan (SymKernel *kernel, GError **error)
{
  return sym_op_run_unary (kernel, is_nan_loops, SYM_DTYPE_BOOL, NULL, error);
}

static const SymAttributeSpec is_infinite_attributes[] = {
  { "detect_negative", SYM_ATTRIBUTE_INT, "1", "whether -Inf is told" },
  { "detect_positive", SYM_ATTRIBUTE_INT, "1", "whether +Inf is told" },
  { NULL },
};

static gboolean
run_is_infinite (SymKernel *kernel, GError **error)
{
  double parameters[] = { sym_kernel_get_bool (kernel, "detect_negative", TRUE),
                          sym_kernel_get_bool (kernel, "detect_positive", TRUE) };

  return sym_op_run_unary (kernel, is_infinite_loops, SYM_DTYPE_BOOL, parameters, error);
}

/* What is known to be true becomes false. */
static gboolean
infer_not (SymRule *rule, GError **error)
{
  gint64 values[64];
  int n = sym_rule_get_input_ints (rule, 0, values, G_N_ELEMENTS (values));

  for (int i = 0; i < n; i++)
    values[i] = !values[i];
  if (n >= 0)
    sym_rule_set_output_ints (rule, 0, values, n);
  return sym_op_infer_elementwise (rule, error);
}

/* ---- Identity ---- */

/* Of a tensor, a sequence or an optional. */
static gboolean
infer_identity (SymRule *rule, GError **error)
{
  SymType type = sym_rule_get_input_type (rule, 0);

  if (type.kind == SYM_KIND_SEQUENCE || type.kind == SYM_KIND_OPTIONAL)
    {
      sym_rule_set_output_type (rule, 0, &type);
      return TRUE;
    }
  sym_op_onnx_pass_values (rule, 0, 0);
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
run_identity (SymKernel *kernel, GError **error)
{
  return sym_kernel_pass (kernel, 0, 0, NULL, error);
}

#define UNARY(name_, version_, slots_, summary_, run_)                                        \
  {                                                                                           \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE, \
                                   .slots = slots_, .infer = sym_op_infer_elementwise,        \
                                   .run = run_, .half_as_float = TRUE                         \
  }

/* One that had an attribute without effect before version 6. */
#define OLD_UNARY(name_, slots_, summary_, run_) \
  { SYM_OP_ONNX (name_, 1),                      \
    .summary = summary_,                         \
    .category = SYM_CATEGORY_ELEMENTWISE,        \
    .attributes = sym_op_onnx_consumed,          \
    .slots = slots_,                             \
    .infer = sym_op_infer_elementwise,           \
    .run = run_,                                 \
    .half_as_float = TRUE },                     \
      UNARY (name_, 6, slots_, summary_, run_)

#define X sym_op_onnx_x
#define INPUT sym_op_onnx_input

const SymOperator sym_op_onnx_unary[] = {
  OLD_UNARY ("Abs", X, "absolute value", run_absolute),
  UNARY ("Acos", 7, INPUT, "arc cosine", run_acos),
  UNARY ("Acosh", 9, INPUT, "inverse hyperbolic cosine", run_acosh),
  UNARY ("Asin", 7, INPUT, "arc sine", run_asin),
  UNARY ("Asinh", 9, INPUT, "inverse hyperbolic sine", run_asinh),
  UNARY ("Atan", 7, INPUT, "arc tangent", run_atan),
  UNARY ("Atanh", 9, INPUT, "inverse hyperbolic tangent", run_atanh),
  UNARY ("BitwiseNot", 18, X, "each bit the other way round", run_invert),
  OLD_UNARY ("Ceil", X, "least integer that is not below", run_ceil),
  UNARY ("Cos", 7, INPUT, "cosine", run_cos),
  UNARY ("Cosh", 9, INPUT, "hyperbolic cosine", run_cosh),
  UNARY ("Erf", 9, INPUT, "error function", run_erf),
  OLD_UNARY ("Exp", INPUT, "exponential function", run_exp),
  OLD_UNARY ("Floor", X, "greatest integer that is not above", run_floor),
  OLD_UNARY ("Log", INPUT, "natural logarithm", run_log),
  OLD_UNARY ("Neg", X, "negative of each element", run_negate),
  { SYM_OP_ONNX ("Not", 1), .summary = "true where the operand is false",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = X, .infer = infer_not, .run = run_not },
  OLD_UNARY ("Reciprocal", X, "one divided by each element", run_reciprocal),
  UNARY ("Round", 11, X, "nearest integer, halves to the even one", run_round),
  UNARY ("Sign", 9, INPUT, "-1, 0 or 1", run_sign),
  UNARY ("Sin", 7, INPUT, "sine", run_sin),
  UNARY ("Sinh", 9, INPUT, "hyperbolic sine", run_sinh),
  OLD_UNARY ("Sqrt", X, "square root", run_sqrt),
  UNARY ("Tan", 7, INPUT, "tangent", run_tan),
  OLD_UNARY ("Tanh", INPUT, "hyperbolic tangent", run_tanh),
  { SYM_OP_ONNX ("IsNaN", 9), .summary = "true where the operand is no number",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = X, .infer = sym_op_onnx_infer_test,
    .run = run_is_nan, .half_as_float = TRUE },
  { SYM_OP_ONNX ("IsInf", 10), .summary = "true where the operand is infinite",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = is_infinite_attributes, .slots = X,
    .infer = sym_op_onnx_infer_test, .run = run_is_infinite, .half_as_float = TRUE },
  { SYM_OP_ONNX ("Identity", 1), .summary = "the operand itself", .category = SYM_CATEGORY_OTHER,
    .slots = INPUT, .infer = infer_identity, .run = run_identity },
  { 0 },
};
