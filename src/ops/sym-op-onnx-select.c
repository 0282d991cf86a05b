/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Where and Clip. */

/* ---- Where ---- */

static const SymSlotSpec where_slots[] = { { "condition" }, { "X" }, { "Y" }, { NULL } };

/* One of @n numbers, or the only one. */
static gint64
get_number (const gint64 *numbers, int n, int i)
{
  return numbers[n == 1 ? 0 : i];
}

/* Where condition and what it chooses from are known, be it numbers or terms, the result is. */
static void
choose_values (SymRule *rule)
{
  gint64 condition[64], values[2][64], chosen[64];
  gboolean plain = TRUE;
  int counts[2], n_condition, n;

  n_condition = n = sym_rule_get_input_ints (rule, 0, condition, G_N_ELEMENTS (condition));
  for (guint i = 0; i < 2; i++)
    plain = plain && sym_rule_get_input_ints (rule, i + 1, values[i], 64) >= 0;
  for (guint i = 0; i < 2; i++)
    {
      counts[i] = plain ? sym_rule_get_input_ints (rule, i + 1, values[i], 64)
                        : sym_rule_get_input_values (rule, i + 1, values[i], 64);
      n = n == 1 ? counts[i] : n;
      if (counts[i] < 0 || n < 0 || (counts[i] != n && counts[i] != 1))
        return;
    }
  if (n_condition != n && n_condition != 1)
    return;
  for (int i = 0; i < n; i++)
    {
      int which = get_number (condition, n_condition, i) ? 0 : 1;

      chosen[i] = get_number (values[which], counts[which], i);
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, chosen, n);
  else
    sym_rule_set_output_values (rule, 0, chosen, n);
}

static gboolean
infer_where (SymRule *rule, GError **error)
{
  if (!sym_op_broadcast_shapes (rule, 0, 2, error) ||
      !sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_BOOL, error) ||
      !sym_rule_tie_dtypes (rule, 1, 2, error))
    return FALSE;
  choose_values (rule);
  return TRUE;
}

/* Where a row begins in an operand, and how it goes on. */
typedef struct {
  const SymArray *array;
  gint64 strides[SYM_MAX_RANK];
  gint64 place, step;
} Operand;

#define CHOOSE(type)                                                               \
  do                                                                               \
    {                                                                              \
      const type *left = (const type *) x->array->data + x->place;                 \
      const type *right = (const type *) y->array->data + y->place;                \
      type *to = (type *) result->data + i;                                        \
                                                                                   \
      for (gsize k = 0; k < n; k++)                                                \
        to[k] = truth[(gint64) k * condition->step] ? left[(gint64) k * x->step]   \
                                                    : right[(gint64) k * y->step]; \
    }                                                                              \
  while (0)

/* @n elements of a row, from element @i of the result on. */
static void
choose_piece (SymArray *result, gsize i, gsize n, const Operand operands[3])
{
  const Operand *condition = &operands[0], *x = &operands[1], *y = &operands[2];
  const guint8 *truth = (const guint8 *) condition->array->data + condition->place;
  guint bits = sym_dtype_get_bits (result->dtype);

  if (bits == 8)
    CHOOSE (guint8);
  else if (bits == 16)
    CHOOSE (guint16);
  else if (bits == 32)
    CHOOSE (guint32);
  else if (bits == 64)
    CHOOSE (guint64);
  else
    for (gsize k = 0; k < n; k++)
      {
        const Operand *from = truth[(gint64) k * condition->step] ? x : y;

        sym_op_move (result, i + k, from->array, (gsize) (from->place + (gint64) k * from->step),
                     1);
      }
}

/* Elements of a row between two questions whether the run was cancelled. */
#define PIECE ((gsize) 1 << 16)

static gboolean
choose_row (SymKernel *kernel,
            gsize *asked,
            SymArray *result,
            gsize i,
            gsize n,
            const Operand operands[3],
            GError **error)
{
  for (gsize k = 0; k < n; k += PIECE)
    {
      Operand piece[3];

      if (!sym_op_go_on (kernel, asked, MIN (n - k, PIECE), error))
        return FALSE;
      for (int j = 0; j < 3; j++)
        {
          piece[j] = operands[j];
          piece[j].place += (gint64) k * piece[j].step;
        }
      choose_piece (result, i + k, MIN (n - k, PIECE), piece);
    }
  return TRUE;
}

/* The next row: of the last axes that are through, the first index again. */
static void
advance (Operand operands[3], const SymShape *shape, gint64 *index)
{
  for (int axis = shape->rank - 1; axis-- > 0;)
    {
      gboolean goes_on = ++index[axis] < shape->dims[axis];

      for (int k = 0; k < 3; k++)
        operands[k].place += operands[k].strides[axis] * (goes_on ? 1 : 1 - shape->dims[axis]);
      if (goes_on)
        return;
      index[axis] = 0;
    }
}

static gboolean
choose (SymKernel *kernel, Operand operands[3], SymArray *result, GError **error)
{
  const SymShape *shape = &result->shape;
  gsize total = sym_array_get_n_elements (result), asked = 0;
  gsize row = shape->rank == 0 ? 1 : (gsize) shape->dims[shape->rank - 1];
  gint64 index[SYM_MAX_RANK] = { 0 };

  for (int k = 0; k < 3; k++)
    {
      sym_op_get_broadcast_strides (&operands[k].array->shape, shape->rank, operands[k].strides);
      operands[k].step = shape->rank == 0 ? 0 : operands[k].strides[shape->rank - 1];
    }
  for (gsize i = 0; i < total; i += row)
    {
      if (!choose_row (kernel, &asked, result, i, row, operands, error))
        return FALSE;
      advance (operands, shape, index);
    }
  return TRUE;
}

static gboolean
run_where (SymKernel *kernel, GError **error)
{
  Operand operands[3] = { 0 };
  SymShape shape = SYM_SHAPE ();
  SymArray *result;

  for (guint i = 0; i < 3; i++)
    {
      operands[i].array = sym_kernel_need_input (kernel, i, error);
      if (operands[i].array == NULL || !sym_op_broadcast (&shape, &operands[i].array->shape, error))
        return FALSE;
    }
  if (operands[0].array->dtype != SYM_DTYPE_BOOL)
    return sym_kernel_fail (error, "the condition is of %s, not bool",
                            sym_dtype_to_string (operands[0].array->dtype));
  if (operands[1].array->dtype != operands[2].array->dtype)
    return sym_kernel_fail (error, "X is of %s, Y of %s",
                            sym_dtype_to_string (operands[1].array->dtype),
                            sym_dtype_to_string (operands[2].array->dtype));
  result = sym_kernel_new_output (kernel, 0, operands[1].array->dtype, &shape, error);
  return result != NULL && choose (kernel, operands, result, error);
}

/* ---- Clip ---- */

static const SymAttributeSpec clip_attributes_1[] = {
  { "max", SYM_ATTRIBUTE_FLOAT, "None", "what nothing is above" },
  { "min", SYM_ATTRIBUTE_FLOAT, "None", "what nothing is below" },
  { "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" },
  { NULL },
};

static const SymAttributeSpec clip_attributes_6[] = {
  { "max", SYM_ATTRIBUTE_FLOAT, "3.4028234663852886e+38", "what nothing is above" },
  { "min", SYM_ATTRIBUTE_FLOAT, "-3.4028234663852886e+38", "what nothing is below" },
  { NULL },
};

static const SymSlotSpec clip_slots[] = {
  { "input" },
  { "min", .optional = TRUE },
  { "max", .optional = TRUE },
  { NULL },
};

static gboolean
infer_clip (SymRule *rule, GError **error)
{
  /* Files have [1] where a scalar should be. */
  for (guint i = 1; i < 3; i++)
    if (sym_rule_get_input (rule, i).rank < 0 && !sym_op_set_input (rule, i, SYM_SHAPE (), error))
      return FALSE;
  return sym_op_pass_shape (rule, 0, 0, error) && sym_rule_tie_dtypes (rule, 0, 2, error);
}

/* @least and @greatest are numbers of the operand's dtype, NULL where there is none. */
typedef void (*ClipLoop) (const void *x, void *y, gsize n, const void *least, const void *greatest);

#define CLIP(dtype, type)                                                           \
  static void clip_##dtype (const void *from, void *to, gsize n, const void *least, \
                            const void *greatest)                                   \
  {                                                                                 \
    const type *x = from, *low = least, *high = greatest;                           \
    type *y = to;                                                                   \
                                                                                    \
    for (gsize i = 0; i < n; i++)                                                   \
      {                                                                             \
        type v = x[i];                                                              \
                                                                                    \
        v = low != NULL && v < *low ? *low : v;                                     \
        y[i] = high != NULL && v > *high ? *high : v;                               \
      }                                                                             \
  }
#define CLIP_ENTRY(dtype, type) [SYM_DTYPE_##dtype] = clip_##dtype,

SYM_OP_NUMBERS (CLIP)

static const ClipLoop clip_loops[SYM_N_DTYPES] = { SYM_OP_NUMBERS (CLIP_ENTRY) };

static gboolean
clip (SymKernel *kernel, const void *least, const void *greatest, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *y;
  gsize n, piece = 1 << 20, size;

  if (x == NULL)
    return FALSE;
  if (clip_loops[x->dtype] == NULL)
    return sym_op_refuse_dtype (kernel, x->dtype, error);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  if (y == NULL)
    return FALSE;
  n = sym_array_get_n_elements (x);
  size = sym_dtype_get_bits (x->dtype) / 8;
  for (gsize i = 0; i < n; i += piece)
    {
      if (sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      clip_loops[x->dtype]((const guint8 *) x->data + i * size, (guint8 *) y->data + i * size,
                           MIN (n - i, piece), least, greatest);
    }
  return TRUE;
}

/* The bounds were attributes before version 11. */
static gboolean
run_clip_attributes (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  double low = sym_kernel_get_float (kernel, "min", -INFINITY);
  double high = sym_kernel_get_float (kernel, "max", INFINITY);
  float low_float = (float) low, high_float = (float) high;

  if (x == NULL)
    return FALSE;
  if (x->dtype == SYM_DTYPE_FLOAT32)
    return clip (kernel, &low_float, &high_float, error);
  if (x->dtype == SYM_DTYPE_FLOAT64)
    return clip (kernel, &low, &high, error);
  return sym_op_refuse_dtype (kernel, x->dtype, error);
}

static gboolean
run_clip (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const void *bounds[3] = { NULL, NULL, NULL };

  if (x == NULL)
    return FALSE;
  for (guint i = 1; i < 3; i++)
    {
      const SymArray *bound = sym_kernel_get_input (kernel, i);

      if (bound == NULL)
        continue;
      if (bound->dtype != x->dtype || sym_array_get_n_elements (bound) != 1)
        return sym_kernel_fail (error, "operand %u (%s) must be one %s", i, clip_slots[i].name,
                                sym_dtype_to_string (x->dtype));
      bounds[i] = bound->data;
    }
  return clip (kernel, bounds[1], bounds[2], error);
}

#define CLIP_OPERATOR(version_, attributes_, slots_, infer_, run_)                              \
  {                                                                                             \
    SYM_OP_ONNX ("Clip", version_),                                                             \
        .summary = "what lies beyond two bounds, at them", .category = SYM_CATEGORY_ACTIVATION, \
        .attributes = attributes_, .slots = slots_, .infer = infer_, .run = run_,               \
        .half_as_float = TRUE                                                                   \
  }

const SymOperator sym_op_onnx_select[] = {
  CLIP_OPERATOR (1,
                 clip_attributes_1,
                 sym_op_onnx_input,
                 sym_op_infer_elementwise,
                 run_clip_attributes),
  CLIP_OPERATOR (6,
                 clip_attributes_6,
                 sym_op_onnx_input,
                 sym_op_infer_elementwise,
                 run_clip_attributes),
  CLIP_OPERATOR (11, NULL, clip_slots, infer_clip, run_clip),
  { SYM_OP_ONNX ("Where", 9), .summary = "elements of X where the condition is true, else of Y",
    .category = SYM_CATEGORY_ELEMENTWISE, .slots = where_slots, .infer = infer_where,
    .run = run_where },
  { 0 },
};
