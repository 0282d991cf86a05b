/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Any number of operands, combined two at a time. */

#define LOOP(name, dtype, type, expression)                                                      \
  static void name##_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      {                                                                                          \
        type u = left[i * step_a], v = right[i * step_b];                                        \
                                                                                                 \
        result[i] = (type) (expression);                                                         \
      }                                                                                          \
  }

/* What is not a number wins; integers overflow by their unsigned type. */
#define MAX_FLOAT(dtype, type) LOOP (max, dtype, type, u > v || u != u ? u : v)
#define MIN_FLOAT(dtype, type) LOOP (min, dtype, type, u < v || u != u ? u : v)
#define SUM_FLOAT(dtype, type) LOOP (sum, dtype, type, u + v)
#define MAX_INTEGER(dtype, type) LOOP (max, dtype, type, u > v ? u : v)
#define MIN_INTEGER(dtype, type) LOOP (min, dtype, type, u < v ? u : v)
#define SUM_INTEGER(dtype, type) LOOP (sum, dtype, type, (guint64) u + (guint64) v)

SYM_OP_FLOATS (MAX_FLOAT)
SYM_OP_FLOATS (MIN_FLOAT)
SYM_OP_FLOATS (SUM_FLOAT)
SYM_OP_INTEGERS (MAX_INTEGER)
SYM_OP_INTEGERS (MIN_INTEGER)
SYM_OP_INTEGERS (SUM_INTEGER)

#define MAX_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = max_##dtype,
#define MIN_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = min_##dtype,
#define SUM_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = sum_##dtype,

static const SymOpBinaryLoop max_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (MAX_ENTRY) };
static const SymOpBinaryLoop min_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (MIN_ENTRY) };
static const SymOpBinaryLoop sum_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (SUM_ENTRY) };

/* Before version 8 nothing was broadcast. */
static gboolean
check_shapes (SymKernel *kernel, GError **error)
{
  const SymArray *first = sym_kernel_need_input (kernel, 0, error);

  if (first == NULL)
    return FALSE;
  for (guint i = 1; i < sym_kernel_get_n_inputs (kernel) && sym_kernel_get_version (kernel) < 8;
       i++)
    {
      const SymArray *other = sym_kernel_need_input (kernel, i, error);
      g_autofree char *left = NULL, *right = NULL;

      if (other == NULL)
        return FALSE;
      if (sym_shape_equal (&first->shape, &other->shape))
        continue;
      left = sym_op_format_shape (&first->shape);
      right = sym_op_format_shape (&other->shape);
      return sym_kernel_fail (error, "operand 0 has shape %s, operand %u %s", left, i, right);
    }
  return TRUE;
}

#define RUN(name)                                                                             \
  static gboolean run_##name (SymKernel *kernel, GError **error)                              \
  {                                                                                           \
    return check_shapes (kernel, error) && sym_op_run_variadic (kernel, name##_loops, error); \
  }

RUN (max)
RUN (min)
RUN (sum)

/* The sum, divided. */
static gboolean
run_mean (SymKernel *kernel, GError **error)
{
  guint n = sym_kernel_get_n_inputs (kernel);
  SymArray *y;

  if (!check_shapes (kernel, error))
    return FALSE;
  y = sym_op_combine_all (kernel, sum_loops, error);
  if (y == NULL)
    return FALSE;
  if (y->dtype == SYM_DTYPE_FLOAT32)
    for (gsize i = 0; i < sym_array_get_n_elements (y); i++)
      ((float *) y->data)[i] /= (float) n;
  else if (y->dtype == SYM_DTYPE_FLOAT64)
    for (gsize i = 0; i < sym_array_get_n_elements (y); i++)
      ((double *) y->data)[i] /= n;
  else
    return sym_op_refuse_dtype (kernel, y->dtype, error);
  return TRUE;
}

/* Max and Min of small integers that are known are known: sizes are made so. */
static gboolean
infer_values (SymRule *rule, gboolean greatest, GError **error)
{
  SymDim result[64], other[64];
  int n = sym_rule_get_input_values (rule, 0, result, G_N_ELEMENTS (result));

  if (!sym_op_infer_broadcast (rule, error))
    return FALSE;
  for (guint i = 1; i < sym_rule_get_n_inputs (rule) && n >= 0; i++)
    {
      int m = sym_rule_get_input_values (rule, i, other, G_N_ELEMENTS (other));

      n = m == n || m == 1 ? n : -1;
      for (int k = 0; k < n; k++)
        {
          SymDim value = other[m == 1 ? 0 : k];

          if (result[k] < 0 || value < 0)
            n = -1;
          else
            result[k] = greatest ? MAX (result[k], value) : MIN (result[k], value);
        }
    }
  if (n >= 0 && n <= (int) G_N_ELEMENTS (result))
    sym_rule_set_output_values (rule, 0, result, n);
  return TRUE;
}

static gboolean
infer_max (SymRule *rule, GError **error)
{
  return infer_values (rule, TRUE, error);
}

static gboolean
infer_min (SymRule *rule, GError **error)
{
  return infer_values (rule, FALSE, error);
}

#define VARIADIC(name_, version_, summary_, attributes_, infer_, run_)                            \
  {                                                                                               \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE,     \
                                   .attributes = attributes_, .slots = sym_op_onnx_many,          \
                                   .get_n_operands = sym_op_onnx_get_any_number, .infer = infer_, \
                                   .run = run_, .half_as_float = TRUE                             \
  }

#define ALL_VERSIONS(name_, summary_, infer_, run_)                                    \
  VARIADIC (name_, 1, summary_, sym_op_onnx_consumed, sym_op_infer_elementwise, run_), \
      VARIADIC (name_, 6, summary_, NULL, sym_op_infer_elementwise, run_),             \
      VARIADIC (name_, 8, summary_, NULL, infer_, run_)

const SymOperator sym_op_onnx_variadic[] = {
  ALL_VERSIONS ("Max", "greatest of the operands, element by element", infer_max, run_max),
  ALL_VERSIONS ("Min", "least of the operands, element by element", infer_min, run_min),
  ALL_VERSIONS ("Sum", "sum of the operands, element by element", sym_op_infer_broadcast, run_sum),
  ALL_VERSIONS ("Mean",
                "mean of the operands, element by element",
                sym_op_infer_broadcast,
                run_mean),
  { 0 },
};
