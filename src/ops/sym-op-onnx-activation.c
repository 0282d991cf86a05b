/* SPDX-License-Identifier: MIT */
#include <tgmath.h>

#include "ops/sym-op-exponential.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Activations of one element, by their definitions; what is not a number stays so. */

/* `a` and `b` are the operator's attributes, as numbers of the operand's type. */
#define LOOP(name, dtype, type, expression)                                         \
  static void name##_##dtype (const void *from, void *to, gsize n, const double *p) \
  {                                                                                 \
    const type *x = from;                                                           \
    type *y = to;                                                                   \
    G_GNUC_UNUSED type a = (type) p[0], b = (type) p[1];                            \
                                                                                    \
    for (gsize i = 0; i < n; i++)                                                   \
      {                                                                             \
        type v = x[i];                                                              \
                                                                                    \
        y[i] = (type) (expression);                                                 \
      }                                                                             \
  }

#define ACTIVATION(name, expression)                         \
  LOOP (name, FLOAT32, float, expression)                    \
  LOOP (name, FLOAT64, double, expression)                   \
  static const SymOpUnaryLoop name##_loops[SYM_N_DTYPES] = { \
    [SYM_DTYPE_FLOAT32] = name##_FLOAT32,                    \
    [SYM_DTYPE_FLOAT64] = name##_FLOAT64,                    \
  };

/* An activation with the attributes called @first_ and @second_ (NULL for none). */
#define RUN(name, first_, first_default, second_, second_default)                             \
  static gboolean run_##name (SymKernel *kernel, GError **error)                              \
  {                                                                                           \
    return run (kernel, name##_loops, first_, first_default, second_, second_default, error); \
  }

static gboolean
run (SymKernel *kernel,
     const SymOpUnaryLoop *loops,
     const char *first,
     double first_default,
     const char *second,
     double second_default,
     GError **error)
{
  double parameters[2] = { first_default, second_default };

  if (first != NULL)
    parameters[0] = sym_kernel_get_float (kernel, first, first_default);
  if (second != NULL)
    parameters[1] = sym_kernel_get_float (kernel, second, second_default);
  return sym_op_run_unary (kernel, loops, SYM_DTYPE_UNKNOWN, parameters, error);
}

/* exp (-|v|) cannot overflow: log (1 + exp (v)) = max (v, 0) + log (1 + exp (-|v|)). */
#define SOFTPLUS(v) ((v) > 0 ? (v) + log1p (exp (-(v))) : log1p (exp (v)))
#define HARD_SIGMOID(t) ((t) < 0 ? 0 : (t) > 1 ? 1 : (t))

ACTIVATION (celu, v > 0 ? v : a * expm1 (v / a))
ACTIVATION (elu, v < 0 ? a * expm1 (v) : v)
ACTIVATION (hard_sigmoid, HARD_SIGMOID (a *v + b))
ACTIVATION (hard_swish, v *HARD_SIGMOID (v / 6 + a))
ACTIVATION (leaky_relu, v < 0 ? a * v : v)
ACTIVATION (mish, v *tanh (SOFTPLUS (v)))
ACTIVATION (selu, v > 0 ? b * v : b * (a * expm1 (v)))
ACTIVATION (softplus, SOFTPLUS (v))
ACTIVATION (softsign, v / (1 + fabs (v)))
ACTIVATION (swish, v / (1 + exp (-a * v)))
ACTIVATION (thresholded_relu, v > a ? v : 0)

LOOP (sigmoid, FLOAT32, float, 1 / (1 + exp (-v)))

static void
sigmoid_FLOAT64 (const void *x, void *y, gsize n, const double *p)
{
  sym_op_logistic_all (x, y, n);
}

static const SymOpUnaryLoop sigmoid_loops[SYM_N_DTYPES] = {
  [SYM_DTYPE_FLOAT32] = sigmoid_FLOAT32,
  [SYM_DTYPE_FLOAT64] = sigmoid_FLOAT64,
};

/* The complement of erf keeps its digits where 1 + erf has lost them: a is sqrt (1/2). */
ACTIVATION (gelu, v / 2 * erfc (-v * a))

/* a is sqrt (2 / pi). */
ACTIVATION (gelu_tanh, v / 2 * (1 + tanh (a * (v + b * v * v * v))))

RUN (celu, "alpha", 1, NULL, 0)
RUN (elu, "alpha", 1, NULL, 0)
RUN (hard_sigmoid, "alpha", 0.2, "beta", 0.5)
RUN (hard_swish, NULL, 0.5, NULL, 0)
RUN (leaky_relu, "alpha", 0.01, NULL, 0)
RUN (mish, NULL, 0, NULL, 0)
RUN (sigmoid, NULL, 0, NULL, 0)
RUN (softplus, NULL, 0, NULL, 0)
RUN (softsign, NULL, 0, NULL, 0)
RUN (swish, "alpha", 1, NULL, 0)
RUN (thresholded_relu, "alpha", 1, NULL, 0)

/* The defaults were rounded before version 6. */
static gboolean
run_selu (SymKernel *kernel, GError **error)
{
  if (sym_kernel_get_version (kernel) < 6)
    return run (kernel, selu_loops, "alpha", 1.6732, "gamma", 1.0507, error);
  return run (kernel, selu_loops, "alpha", 1.67326319217681884765625, "gamma",
              1.05070102214813232421875, error);
}

static gboolean
run_gelu (SymKernel *kernel, GError **error)
{
  const char *approximate = sym_kernel_get_string (kernel, "approximate", "none");

  if (g_str_equal (approximate, "none"))
    return run (kernel, gelu_loops, NULL, G_SQRT2 / 2, NULL, 0, error);
  if (g_str_equal (approximate, "tanh"))
    return run (kernel, gelu_tanh_loops, NULL, sqrt (2 / G_PI), NULL, 0.044715, error);
  return sym_kernel_fail (error, "approximate is \"%s\"; it should be none or tanh", approximate);
}

/* ---- Of integers too ---- */

#undef LOOP
#define LOOP(name, dtype, type, expression)                                         \
  static void name##_##dtype (const void *from, void *to, gsize n, const double *p) \
  {                                                                                 \
    const type *x = from;                                                           \
    type *y = to;                                                                   \
                                                                                    \
    for (gsize i = 0; i < n; i++)                                                   \
      {                                                                             \
        type v = x[i];                                                              \
                                                                                    \
        y[i] = (type) (expression);                                                 \
      }                                                                             \
  }

#define RELU(dtype, type) LOOP (relu, dtype, type, v < 0 ? 0 : v)
#define RELU_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = relu_##dtype,

SYM_OP_FLOATS (RELU)
SYM_OP_SIGNED (RELU)

static const SymOpUnaryLoop relu_loops[SYM_N_DTYPES] = { SYM_OP_FLOATS (RELU_ENTRY)
                                                             SYM_OP_SIGNED (RELU_ENTRY) };

RUN (relu, NULL, 0, NULL, 0)

/* Integers are shrunk as real numbers: the attributes are such. */
#define SHRINK(v, as) \
  ((double) v < -p[0] ? as ((double) v + p[1]) : (double) v > p[0] ? as ((double) v - p[1]) : 0)
#define AS_FLOAT(number) (number)
#define SHRINK_FLOAT(dtype, type) LOOP (shrink, dtype, type, SHRINK (v, AS_FLOAT))
#define SHRINK_INTEGER(dtype, type) LOOP (shrink, dtype, type, SHRINK (v, sym_op_truncate))
#define SHRINK_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = shrink_##dtype,

SYM_OP_FLOATS (SHRINK_FLOAT)
SYM_OP_INTEGERS (SHRINK_INTEGER)

static const SymOpUnaryLoop shrink_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (SHRINK_ENTRY) };

RUN (shrink, "lambd", 0.5, "bias", 0)

/* ---- Table ---- */

#define ALPHA(fallback_, meaning_)                    \
  {                                                   \
    "alpha", SYM_ATTRIBUTE_FLOAT, fallback_, meaning_ \
  }
#define CONSUMED                                                  \
  {                                                               \
    "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" \
  }
#define ATTRIBUTES(...)      \
  (const SymAttributeSpec[]) \
  {                          \
    __VA_ARGS__, { NULL }    \
  }

#define SCALE ALPHA ("1.0", "what the negative part goes down to")
#define SLOPE ALPHA ("0.01", "factor of what is negative")
#define THRESHOLD ALPHA ("1.0", "what is not above becomes 0")
#define SWISH_SCALE ALPHA ("1.0", "factor within the sigmoid")
#define SELU_GAMMA(fallback_)                                      \
  {                                                                \
    "gamma", SYM_ATTRIBUTE_FLOAT, fallback_, "factor of the whole" \
  }
#define HARD_ALPHA ALPHA ("0.2", "slope")
#define HARD_BETA                                    \
  {                                                  \
    "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "value at 0" \
  }
#define LAMBD                                                                           \
  {                                                                                     \
    "lambd", SYM_ATTRIBUTE_FLOAT, "0.5", "what lies between -lambd and lambd becomes 0" \
  }
#define BIAS                                                                 \
  {                                                                          \
    "bias", SYM_ATTRIBUTE_FLOAT, "0.0", "how much the others are drawn to 0" \
  }
#define APPROXIMATE                                                                       \
  {                                                                                       \
    "approximate", SYM_ATTRIBUTE_STRING, "none", "whether by the error function or tanh", \
        "none tanh"                                                                       \
  }

#define COMMON(name_, version_, summary_, run_)                                            \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ACTIVATION, \
                                 .infer = sym_op_infer_elementwise, .run = run_,           \
                                 .half_as_float = TRUE

#define ENTRY(name_, version_, summary_, attributes_, run_)                                     \
  {                                                                                             \
    COMMON (name_, version_, summary_, run_), .attributes = attributes_, .slots = sym_op_onnx_x \
  }

/* The same where the operand is called `input`. */
#define INPUT_ENTRY(name_, version_, summary_, attributes_, run_)        \
  {                                                                      \
    COMMON (name_, version_, summary_, run_), .attributes = attributes_, \
                                              .slots = sym_op_onnx_input \
  }

const SymOperator sym_op_onnx_activation[] = {
  ENTRY ("Celu",
         12,
         "x, but alpha * (exp (x / alpha) - 1) where x is below 0",
         ATTRIBUTES (SCALE),
         run_celu),
  ENTRY ("Elu",
         1,
         "x, but alpha * (exp (x) - 1) where x is below 0",
         ATTRIBUTES (SCALE, CONSUMED),
         run_elu),
  ENTRY ("Elu", 6, "x, but alpha * (exp (x) - 1) where x is below 0", ATTRIBUTES (SCALE), run_elu),
  ENTRY ("Gelu", 20, "x times the normal distribution at x", ATTRIBUTES (APPROXIMATE), run_gelu),
  ENTRY ("HardSigmoid",
         1,
         "alpha * x + beta between 0 and 1",
         ATTRIBUTES (HARD_ALPHA, HARD_BETA, CONSUMED),
         run_hard_sigmoid),
  ENTRY ("HardSigmoid",
         6,
         "alpha * x + beta between 0 and 1",
         ATTRIBUTES (HARD_ALPHA, HARD_BETA),
         run_hard_sigmoid),
  ENTRY ("HardSwish", 14, "x times (x / 6 + 1/2 between 0 and 1)", NULL, run_hard_swish),
  ENTRY ("LeakyRelu",
         1,
         "x, but alpha * x where x is below 0",
         ATTRIBUTES (SLOPE, CONSUMED),
         run_leaky_relu),
  ENTRY ("LeakyRelu", 6, "x, but alpha * x where x is below 0", ATTRIBUTES (SLOPE), run_leaky_relu),
  ENTRY ("Mish", 18, "x * tanh (log (1 + exp (x)))", NULL, run_mish),
  ENTRY ("Relu", 1, "x, but 0 where x is below 0", sym_op_onnx_consumed, run_relu),
  ENTRY ("Relu", 6, "x, but 0 where x is below 0", NULL, run_relu),
  ENTRY ("Selu",
         1,
         "gamma * x, but gamma * alpha * (exp (x) - 1) where x is below 0",
         ATTRIBUTES (ALPHA ("1.6732", "what the negative part goes down to"),
                     SELU_GAMMA ("1.0507"),
                     CONSUMED),
         run_selu),
  ENTRY ("Selu",
         6,
         "gamma * x, but gamma * alpha * (exp (x) - 1) where x is below 0",
         ATTRIBUTES (ALPHA ("1.67326319217681884765625", "what the negative part goes down to"),
                     SELU_GAMMA ("1.05070102214813232421875")),
         run_selu),
  INPUT_ENTRY ("Shrink",
               9,
               "x drawn to 0 by bias, and 0 where it is small",
               ATTRIBUTES (LAMBD, BIAS),
               run_shrink),
  ENTRY ("Sigmoid", 1, "1 / (1 + exp (-x))", sym_op_onnx_consumed, run_sigmoid),
  ENTRY ("Sigmoid", 6, "1 / (1 + exp (-x))", NULL, run_sigmoid),
  ENTRY ("Softplus", 1, "log (1 + exp (x))", NULL, run_softplus),
  INPUT_ENTRY ("Softsign", 1, "x / (1 + |x|)", NULL, run_softsign),
  ENTRY ("Swish", 24, "x / (1 + exp (-alpha * x))", ATTRIBUTES (SWISH_SCALE), run_swish),
  ENTRY ("ThresholdedRelu",
         10,
         "x, or 0 where it is not above alpha",
         ATTRIBUTES (THRESHOLD),
         run_thresholded_relu),
  { 0 },
};
