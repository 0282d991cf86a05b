/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Remainders, and slopes that are tensors. */

#define LOOP(name, dtype, type, expression)                                                      \
  static void name##_##dtype (const void *a, gsize step_a, const void *b, gsize step_b, void *y, \
                              gsize n)                                                           \
  {                                                                                              \
    const type *left = a, *right = b;                                                            \
    type *result = y;                                                                            \
                                                                                                 \
    for (gsize i = 0; i < n; i++)                                                                \
      {                                                                                          \
        type u = left[i * step_a];                                                               \
        G_GNUC_UNUSED type v = right[i * step_b];                                                \
                                                                                                 \
        result[i] = (type) (expression);                                                         \
      }                                                                                          \
  }

/* ---- Mod ---- */

/* A remainder by 0 is 0, as is that by -1, which must not be asked of the least integer.  Mod has
 * the sign of the divisor, as in Python, fmod that of the dividend, as in C. */
#define REMAINDER(u, v) ((v) == 0 || (v) == -1 ? 0 : (u) % (v))
#define FLOORED(u, v) \
  (REMAINDER (u, v) != 0 && ((u) < 0) != ((v) < 0) ? REMAINDER (u, v) + (v) : REMAINDER (u, v))

#define MOD_SIGNED(dtype, type) LOOP (mod, dtype, type, FLOORED (u, v))
#define FMOD_SIGNED(dtype, type) LOOP (fmod, dtype, type, REMAINDER (u, v))
#define MOD_UNSIGNED(dtype, type) LOOP (mod, dtype, type, v == 0 ? 0 : u % v)

SYM_OP_SIGNED (MOD_SIGNED)
SYM_OP_SIGNED (FMOD_SIGNED)
SYM_OP_UNSIGNED (MOD_UNSIGNED)
LOOP (fmod, FLOAT32, float, fmodf (u, v))
LOOP (fmod, FLOAT64, double, fmod (u, v))

#define MOD_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = mod_##dtype,
#define FMOD_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = fmod_##dtype,

static const SymOpBinaryLoop mod_loops[SYM_N_DTYPES] = { SYM_OP_INTEGERS (MOD_ENTRY) };
static const SymOpBinaryLoop fmod_loops[SYM_N_DTYPES] = { SYM_OP_FLOATS (FMOD_ENTRY) SYM_OP_SIGNED (
    FMOD_ENTRY) SYM_OP_UNSIGNED (MOD_ENTRY) };

static gboolean
run_mod (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error);

  if (a == NULL)
    return FALSE;
  if (sym_kernel_get_bool (kernel, "fmod", FALSE))
    return sym_op_run_binary (kernel, fmod_loops, SYM_DTYPE_UNKNOWN, error);
  if (sym_dtype_is_floating (a->dtype))
    return sym_kernel_fail (error, "the remainder of %s numbers needs fmod=1",
                            sym_dtype_to_string (a->dtype));
  return sym_op_run_binary (kernel, mod_loops, SYM_DTYPE_UNKNOWN, error);
}

static const SymAttributeSpec mod_attributes[] = {
  { "fmod", SYM_ATTRIBUTE_INT, "0", "whether the sign is that of the dividend" },
  { NULL },
};

/* ---- PRelu ---- */

static const SymSlotSpec prelu_slots[] = { { "X" }, { "slope", SYM_SLOT_PARAMETER }, { NULL } };

#define PRELU_FLOAT(dtype, type) LOOP (prelu, dtype, type, u < 0 ? v * u : u)
#define PRELU_SIGNED(dtype, type) \
  LOOP (prelu, dtype, type, u < 0 ? (guint64) v * (guint64) u : (guint64) u)
#define PRELU_UNSIGNED(dtype, type) LOOP (prelu, dtype, type, u)
#define PRELU_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = prelu_##dtype,

SYM_OP_FLOATS (PRELU_FLOAT)
SYM_OP_SIGNED (PRELU_SIGNED)
SYM_OP_UNSIGNED (PRELU_UNSIGNED)

static const SymOpBinaryLoop prelu_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (PRELU_ENTRY) };

/* Before version 7 the slope is one number, or one for each channel, which is axis 1. */
static void
align_slope (SymShape *slope, const SymShape *x)
{
  if (slope->rank == 1 && slope->dims[0] != 1)
    while (slope->rank < x->rank - 1)
      slope->dims[slope->rank++] = 1;
}

static gboolean
run_prelu (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *slope;
  SymArray aligned;
  SymShape shape;

  if (x == NULL || (slope = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  aligned = *slope;
  shape = x->shape;
  if (sym_kernel_get_version (kernel) < 7)
    align_slope (&aligned.shape, &x->shape);
  if (!sym_op_broadcast (&shape, &aligned.shape, error))
    return FALSE;
  if (!sym_shape_equal (&shape, &x->shape))
    {
      g_autofree char *left = sym_op_format_shape (&slope->shape);
      g_autofree char *right = sym_op_format_shape (&x->shape);

      return sym_kernel_fail (error, "a slope of shape %s does not broadcast to X's %s", left,
                              right);
    }
  return sym_op_run_arrays (kernel, prelu_loops, x, &aligned, SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_prelu (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

/* ---- SwiGLU ---- */

#define SWIGLU(dtype, type, exponential)                                                         \
  static void swiglu_##dtype (const type *gate, const type *value, type *y, gsize n, type alpha) \
  {                                                                                              \
    for (gsize i = 0; i < n; i++)                                                                \
      y[i] = gate[i] / (1 + exponential (-alpha * gate[i])) * value[i];                          \
  }

SWIGLU (FLOAT32, float, expf)
SWIGLU (FLOAT64, double, exp)

static const SymAttributeSpec swiglu_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor within the sigmoid" },
  { NULL },
};

static gboolean
run_swiglu (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  double alpha = sym_kernel_get_float (kernel, "alpha", 1);
  gsize n, piece = 1 << 16;
  SymArray *y;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (a->dtype != SYM_DTYPE_FLOAT32 && a->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, a->dtype, error);
  if (a->dtype != b->dtype || !sym_shape_equal (&a->shape, &b->shape))
    return sym_kernel_fail (error, "A and B must have one shape and one dtype");
  y = sym_kernel_new_output (kernel, 0, a->dtype, &a->shape, error);
  if (y == NULL)
    return FALSE;
  n = sym_array_get_n_elements (a);
  for (gsize i = 0; i < n; i += piece)
    {
      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      if (a->dtype == SYM_DTYPE_FLOAT32)
        swiglu_FLOAT32 ((const float *) a->data + i, (const float *) b->data + i,
                        (float *) y->data + i, MIN (n - i, piece), (float) alpha);
      else
        swiglu_FLOAT64 ((const double *) a->data + i, (const double *) b->data + i,
                        (double *) y->data + i, MIN (n - i, piece), alpha);
    }
  return TRUE;
}

#define PRELU(version_, attributes_)                                                             \
  {                                                                                              \
    SYM_OP_ONNX ("PRelu", version_),                                                             \
        .summary = "x, or x times a slope below 0", .category = SYM_CATEGORY_ACTIVATION,         \
        .attributes = attributes_, .slots = prelu_slots, .infer = infer_prelu, .run = run_prelu, \
        .half_as_float = TRUE                                                                    \
  }

const SymOperator sym_op_onnx_binary[] = {
  { SYM_OP_ONNX ("Mod", 10), .summary = "remainder of a division, element by element",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = mod_attributes, .slots = sym_op_onnx_pair,
    .infer = sym_op_infer_broadcast, .run = run_mod, .half_as_float = TRUE },
  PRELU (1, sym_op_onnx_consumed),
  PRELU (6, NULL),
  PRELU (7, NULL),
  { SYM_OP_ONNX ("SwiGLU", 28), .summary = "B times A / (1 + exp (-alpha * A))",
    .category = SYM_CATEGORY_ACTIVATION, .attributes = swiglu_attributes, .slots = sym_op_onnx_pair,
    .infer = sym_op_infer_elementwise, .run = run_swiglu, .half_as_float = TRUE },
  { 0 },
};
