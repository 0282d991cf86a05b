/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Where along an axis the greatest or least element is.  The first that is not a number wins. */

/* @x is [size, inner], @y gets an index for each of @inner.  @last: of equal ones the last. */
typedef void (*Loop) (const void *x, gint64 *y, gsize size, gsize inner, gboolean last);

/* So many are looked for side by side. */
#define TOGETHER 256

#define LOOP(name, dtype, type, than)                                                              \
  static gint64 name##_row_##dtype (const type *x, gsize size, gsize step, gboolean last)          \
  {                                                                                                \
    type best = x[0];                                                                              \
    gsize place = 0;                                                                               \
                                                                                                   \
    for (gsize i = 1; i < size && best == best; i++)                                               \
      {                                                                                            \
        type v = x[i * step];                                                                      \
                                                                                                   \
        if (v than best || v != v || (last && v == best))                                          \
          {                                                                                        \
            best = v;                                                                              \
            place = i;                                                                             \
          }                                                                                        \
      }                                                                                            \
    return (gint64) place;                                                                         \
  }                                                                                                \
                                                                                                   \
  SYM_OP_CLONES static void name##_some_##dtype (const type *x, gint64 *y, gsize size,             \
                                                 gsize inner, gsize n, gboolean last)              \
  {                                                                                                \
    type best[TOGETHER];                                                                           \
    gint32 places[TOGETHER] = { 0 };                                                               \
                                                                                                   \
    memcpy (best, x, n * sizeof *x);                                                               \
    for (gsize i = 1; i < size; i++)                                                               \
      for (gsize j = 0; j < n; j++)                                                                \
        {                                                                                          \
          type v = x[i * inner + j], b = best[j];                                                  \
          int is_better = (b == b) & ((v than b) | (v != v) | ((last != 0) & (v == b)));           \
                                                                                                   \
          best[j] = is_better ? v : b;                                                             \
          places[j] = is_better ? (gint32) i : places[j];                                          \
        }                                                                                          \
    for (gsize j = 0; j < n; j++)                                                                  \
      y[j] = places[j];                                                                            \
  }                                                                                                \
                                                                                                   \
  static void name##_##dtype (const void *from, gint64 *y, gsize size, gsize inner, gboolean last) \
  {                                                                                                \
    const type *x = from;                                                                          \
                                                                                                   \
    if (inner == 1 || size > G_MAXINT32)                                                           \
      for (gsize j = 0; j < inner; j++)                                                            \
        y[j] = name##_row_##dtype (x + j, size, inner, last);                                      \
    else                                                                                           \
      for (gsize j = 0; j < inner; j += TOGETHER)                                                  \
        name##_some_##dtype (x + j, y + j, size, inner, MIN (inner - j, TOGETHER), last);          \
  }

#define GREATEST(dtype, type) LOOP (greatest, dtype, type, >)
#define LEAST(dtype, type) LOOP (least, dtype, type, <)
#define GREATEST_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = greatest_##dtype,
#define LEAST_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = least_##dtype,

SYM_OP_NUMBERS (GREATEST)
SYM_OP_NUMBERS (LEAST)

static const Loop greatest_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (GREATEST_ENTRY) };
static const Loop least_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (LEAST_ENTRY) };

static gboolean
find (SymKernel *kernel, Loop loop, const SymArray *x, SymOpAxis axis, gint64 *y, GError **error)
{
  gboolean last = sym_kernel_get_bool (kernel, "select_last_index", FALSE);
  gsize block = axis.size * axis.inner * (sym_dtype_get_bits (x->dtype) / 8), asked = 0;

  for (gsize i = 0; i < axis.outer; i++)
    {
      asked += block;
      if (asked > 1 << 20)
        {
          asked = 0;
          if (sym_kernel_is_cancelled (kernel, error))
            return FALSE;
        }
      loop ((const guint8 *) x->data + i * block, y + i * axis.inner, axis.size, axis.inner, last);
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, const Loop *loops, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  SymOpAxis places;
  SymShape shape;
  SymArray *y;
  int axis;

  if (x == NULL ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), x->shape.rank, &axis, error))
    return FALSE;
  if (loops[x->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  places = sym_op_split_axis (&x->shape, axis);
  if (places.size == 0)
    return sym_kernel_fail (error, "axis %d has no element to find", axis);
  axes[axis] = TRUE;
  shape = sym_op_reduce_shape (&x->shape, axes, sym_kernel_get_bool (kernel, "keepdims", TRUE));
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &shape, error);
  return y != NULL && find (kernel, loops[x->dtype], x, places, y->data, error);
}

static gboolean
run_greatest (SymKernel *kernel, GError **error)
{
  return run (kernel, greatest_loops, error);
}

static gboolean
run_least (SymKernel *kernel, GError **error)
{
  return run (kernel, least_loops, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  int axis;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), data.rank, &axis, error))
    return FALSE;
  axes[axis] = TRUE;
  return sym_op_reduce (rule, axes, sym_rule_get_bool (rule, "keepdims", TRUE), error);
}

#define COMMON                                                               \
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis along which is looked" },          \
  {                                                                          \
    "keepdims", SYM_ATTRIBUTE_INT, "1", "whether the axis stays with size 1" \
  }

static const SymAttributeSpec old_attributes[] = { COMMON, { NULL } };

static const SymAttributeSpec attributes[] = {
  COMMON,
  { "select_last_index", SYM_ATTRIBUTE_INT, "0", "whether the last of equal ones is told" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { NULL } };

#define ENTRY(name_, version_, summary_, attributes_, run_)                                   \
  {                                                                                           \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_POOLING,     \
                                   .attributes = attributes_, .slots = slots, .infer = infer, \
                                   .run = run_, .half_as_float = TRUE                         \
  }

const SymOperator sym_op_onnx_arg[] = {
  ENTRY ("ArgMax", 1, "index of the greatest element", old_attributes, run_greatest),
  ENTRY ("ArgMax", 12, "index of the greatest element", attributes, run_greatest),
  ENTRY ("ArgMin", 1, "index of the least element", old_attributes, run_least),
  ENTRY ("ArgMin", 12, "index of the least element", attributes, run_least),
  { 0 },
};
