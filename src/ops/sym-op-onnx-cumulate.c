/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Sums and products of all elements up to each along an axis. */

/* @x and @y are [size, inner]; @sums has a place of 8 bytes for each of @inner. */
typedef void (*Loop) (const void *x,
                      void *y,
                      gsize size,
                      gsize inner,
                      gboolean exclusive,
                      gboolean reverse,
                      void *sums);

/* Several numbers side by side, or one after the other. */
#define LOOP(name, dtype, type, wide, first, sign)                                             \
  SYM_OP_CLONES static void name##_row_##dtype (const type *x, type *y, gsize n,               \
                                                gboolean exclusive, wide *restrict sums)       \
  {                                                                                            \
    for (gsize j = 0; j < n; j++)                                                              \
      {                                                                                        \
        wide before = sums[j];                                                                 \
                                                                                               \
        sums[j] = before sign (wide) x[j];                                                     \
        y[j] = (type) (exclusive ? before : sums[j]);                                          \
      }                                                                                        \
  }                                                                                            \
  static void name##_line_##dtype (const type *x, type *y, gsize size, gboolean exclusive,     \
                                   gboolean reverse)                                           \
  {                                                                                            \
    wide sum = first;                                                                          \
                                                                                               \
    for (gsize k = 0; k < size; k++)                                                           \
      {                                                                                        \
        gsize i = reverse ? size - 1 - k : k;                                                  \
        wide before = sum;                                                                     \
                                                                                               \
        sum = before sign (wide) x[i];                                                         \
        y[i] = (type) (exclusive ? before : sum);                                              \
      }                                                                                        \
  }                                                                                            \
  static void name##_##dtype (const void *from, void *to, gsize size, gsize inner,             \
                              gboolean exclusive, gboolean reverse, void *memory)              \
  {                                                                                            \
    wide *sums = memory;                                                                       \
                                                                                               \
    if (inner == 1)                                                                            \
      {                                                                                        \
        name##_line_##dtype (from, to, size, exclusive, reverse);                              \
        return;                                                                                \
      }                                                                                        \
    for (gsize j = 0; j < inner; j++)                                                          \
      sums[j] = first;                                                                         \
    for (gsize k = 0; k < size; k++)                                                           \
      {                                                                                        \
        gsize i = (reverse ? size - 1 - k : k) * inner;                                        \
                                                                                               \
        name##_row_##dtype ((const type *) from + i, (type *) to + i, inner, exclusive, sums); \
      }                                                                                        \
  }

/* Integers wrap around. */
#define SUM_FLOAT(dtype, type) LOOP (sum, dtype, type, double, 0, +)
#define SUM_INTEGER(dtype, type) LOOP (sum, dtype, type, guint64, 0, +)
#define PRODUCT_FLOAT(dtype, type) LOOP (product, dtype, type, double, 1, *)
#define PRODUCT_INTEGER(dtype, type) LOOP (product, dtype, type, guint64, 1, *)
#define SUM_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = sum_##dtype,
#define PRODUCT_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = product_##dtype,

SYM_OP_FLOATS (SUM_FLOAT)
SYM_OP_INTEGERS (SUM_INTEGER)
SYM_OP_FLOATS (PRODUCT_FLOAT)
SYM_OP_INTEGERS (PRODUCT_INTEGER)

static const Loop sum_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (SUM_ENTRY) };
static const Loop product_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (PRODUCT_ENTRY) };

/* The axis is an operand: one integer. */
static gboolean
read_axis (SymKernel *kernel, int rank, int *axis, GError **error)
{
  gint64 given;
  int n;

  if (!sym_kernel_read_ints (kernel, 1, &given, 1, &n, error))
    return FALSE;
  if (n != 1)
    return sym_kernel_fail (error, "operand 1 (axis) must be one integer");
  return sym_op_find_axis (given, rank, axis, error);
}

static gboolean
run (SymKernel *kernel, const Loop *loops, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean exclusive = sym_kernel_get_bool (kernel, "exclusive", FALSE);
  gboolean reverse = sym_kernel_get_bool (kernel, "reverse", FALSE);
  gsize block, asked = 0;
  SymOpAxis places;
  SymArray *y;
  void *sums;
  int axis;

  if (x == NULL || !read_axis (kernel, x->shape.rank, &axis, error))
    return FALSE;
  if (loops[x->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  places = sym_op_split_axis (&x->shape, axis);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  sums = sym_kernel_get_scratch (kernel, places.inner, sizeof (guint64), error);
  if (y == NULL || sums == NULL)
    return FALSE;
  block = places.size * places.inner * (sym_dtype_get_bits (x->dtype) / 8);
  for (gsize i = 0; i < places.outer; i++)
    {
      asked += block;
      if (asked > 1 << 20)
        {
          asked = 0;
          if (sym_kernel_is_cancelled (kernel, error))
            return FALSE;
        }
      loops[x->dtype]((const guint8 *) x->data + i * block, (guint8 *) y->data + i * block,
                      places.size, places.inner, exclusive, reverse, sums);
    }
  return TRUE;
}

static gboolean
run_sum (SymKernel *kernel, GError **error)
{
  return run (kernel, sum_loops, error);
}

static gboolean
run_product (SymKernel *kernel, GError **error)
{
  return run (kernel, product_loops, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static const SymAttributeSpec attributes[] = {
  { "exclusive", SYM_ATTRIBUTE_INT, "0", "whether an element is left out of its own result" },
  { "reverse", SYM_ATTRIBUTE_INT, "0", "whether the last element comes first" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "x" }, { "axis" }, { NULL } };

#define ENTRY(name_, version_, summary_, run_)                                               \
  {                                                                                          \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_POOLING,    \
                                   .attributes = attributes, .slots = slots, .infer = infer, \
                                   .run = run_, .half_as_float = TRUE                        \
  }

const SymOperator sym_op_onnx_cumulate[] = {
  ENTRY ("CumSum", 11, "sums of the elements up to each", run_sum),
  ENTRY ("CumProd", 26, "products of the elements up to each", run_product),
  { 0 },
};
