/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include "run/sym-step-bytes-private.h"

/* Products of bytes. */

/* Operands of the operator, in its order. */
enum { X, WEIGHTS, X_SCALE, X_ZERO, WEIGHTS_SCALE, WEIGHTS_ZERO };

/* So many operations back codes are looked for that are there already. */
#define MOST_BACK 200

/* A constant operand; NULL for another, or none. */
static const SymArray *
find_array (const SymPlanCall *call, guint i)
{
  const SymDatum *datum = sym_plan_call_has_operand (call, i)
                              ? call->graph->plan->constants[call->operands.ids[i]]
                              : NULL;

  return datum == NULL ? NULL : sym_datum_get_array (datum);
}

/* Whether an operand is not there, or constant and one number or @n of @dtype; integers of bytes
 * are told by SYM_DTYPE_UNKNOWN. */
static gboolean
is_row (const SymPlanCall *call, guint i, SymDType dtype, gsize n)
{
  const SymArray *array = find_array (call, i);

  if (!sym_plan_call_has_operand (call, i))
    return TRUE;
  if (array == NULL ||
      (sym_array_get_n_elements (array) != 1 && sym_array_get_n_elements (array) != n))
    return FALSE;
  return dtype != SYM_DTYPE_UNKNOWN
             ? array->dtype == dtype
             : array->dtype == SYM_DTYPE_INT8 || array->dtype == SYM_DTYPE_UINT8;
}

static float
get_scale (const SymPlanCall *call, guint i, gsize column)
{
  const SymArray *array = find_array (call, i);

  if (array == NULL)
    return 1;
  return ((const float *) array->data)[sym_array_get_n_elements (array) == 1 ? 0 : column];
}

static gint32
get_zero (const SymArray *array, gsize column)
{
  gsize i = array == NULL || sym_array_get_n_elements (array) == 1 ? 0 : column;

  if (array == NULL)
    return 0;
  return array->dtype == SYM_DTYPE_INT8 ? ((const gint8 *) array->data)[i]
                                        : ((const guint8 *) array->data)[i];
}

/* Zero points of weights as they are packed: those of uint8 are moved by 128. */
static const gint32 *
make_zeros (SymPlanCall *call, gsize n, gboolean is_signed)
{
  const SymArray *array = find_array (call, WEIGHTS_ZERO);
  gint32 *zeros = (gint32 *) sym_plan_graph_add_block (call->graph, n);
  gboolean has_any = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      zeros[i] = get_zero (array, i) - (is_signed ? 0 : 128);
      has_any = has_any || zeros[i] != 0;
    }
  return has_any ? zeros : NULL;
}

/* ---- Codes ---- */

static gboolean
are_alike (const SymPlanOp *a, const SymPlanOp *b)
{
  return a->kind == b->kind && a->x == b->x && a->other == b->other &&
         a->bytes->inner == b->bytes->inner && a->bytes->is_image == b->bytes->is_image &&
         a->bytes->is_dynamic == b->bytes->is_dynamic && a->bytes->is_signed == b->bytes->is_signed;
}

/* The same codes, made before; SYM_PLAN_NONE for none. */
static guint
find_codes (const SymPlanCall *call, const SymPlanOp *op)
{
  guint n = call->graph->ops->len;

  for (guint i = n; i > 0 && n - i < MOST_BACK; i--)
    {
      const SymPlanOp *before = sym_plan_graph_get_op (call->graph, i - 1);

      if (before->kind == SYM_PLAN_QUANTIZE && are_alike (before, op))
        {
          before->bytes->needs_sums = before->bytes->needs_sums || op->bytes->needs_sums;
          return before->y;
        }
    }
  return SYM_PLAN_NONE;
}

static guint
need_codes (SymPlanCall *call, guint x, guint zero, SymPlanBytes *bytes)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_QUANTIZE, x);

  op.other = zero;
  op.bytes = bytes;
  op.y = find_codes (call, &op);
  if (op.y != SYM_PLAN_NONE)
    return op.y;
  op.y = sym_plan_call_add_tensor (
      call, &SYM_SHAPE ((SymDim) sym_code_rows_get_n_floats (bytes->rows, bytes->inner)));
  sym_plan_call_append (call, &op);
  return op.y;
}

/* ---- Products ---- */

/* Constant weights of @rank axes, and what is known of them; NULL when the call is not as it must
 * be. */
static const SymArray *
read_weights (const SymPlanCall *call, int rank, SymPlanBytes *bytes)
{
  const SymArray *weights = find_array (call, WEIGHTS);
  guint x = sym_plan_call_need_operand (call, X);

  if (x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL || weights == NULL ||
      weights->shape.rank != rank || sym_array_get_n_elements (weights) == 0 ||
      (weights->dtype != SYM_DTYPE_INT8 && weights->dtype != SYM_DTYPE_UINT8) ||
      (sym_plan_call_has_operand (call, X_ZERO) &&
       sym_plan_call_need_operand (call, X_ZERO) == SYM_PLAN_NONE))
    return NULL;
  bytes->weights = weights->data;
  bytes->from = call->operands.ids[WEIGHTS];
  bytes->has_signed = weights->dtype == SYM_DTYPE_INT8;
  bytes->is_dynamic = sym_plan_call_get_int (call, "dynamic", 0) != 0;
  bytes->is_signed = sym_plan_call_get_int (call, "signed", 0) != 0;
  return weights;
}

static SymPlanBytes *
add_bytes (SymPlanCall *call, const SymPlanBytes *bytes)
{
  SymPlanBytes *copy = g_memdup2 (bytes, sizeof *bytes);

  g_ptr_array_add (call->graph->blocks, copy);
  return copy;
}

/* FALSE, with nothing appended, when the numbers of columns do not fit. */
static gboolean
append (SymPlanCall *call, SymPlanOp *op, SymPlanBytes *bytes)
{
  if (!is_row (call, X_SCALE, SYM_DTYPE_FLOAT32, 1) ||
      !is_row (call, WEIGHTS_SCALE, SYM_DTYPE_FLOAT32, op->outer) ||
      !is_row (call, WEIGHTS_ZERO, SYM_DTYPE_UNKNOWN, op->outer))
    return FALSE;
  bytes->zeros = make_zeros (call, op->outer, bytes->has_signed);
  bytes->needs_sums = bytes->zeros != NULL && !bytes->is_image;
  op->bytes = add_bytes (call, bytes);
  op->x =
      need_codes (call, op->x, sym_plan_call_need_operand (call, X_ZERO), add_bytes (call, bytes));
  op->scales = g_new (float, op->outer + 1);
  op->bias = g_new0 (float, op->outer + 1);
  for (gsize i = 0; i < op->outer; i++)
    op->scales[i] = get_scale (call, X_SCALE, 0) * get_scale (call, WEIGHTS_SCALE, i);
  for (guint i = WEIGHTS; i <= WEIGHTS_ZERO; i++)
    if (i != X_ZERO && sym_plan_call_has_operand (call, i))
      g_array_append_val (call->graph->fixed, call->operands.ids[i]);
  return sym_plan_call_append (call, op);
}

static gboolean
read_product (SymPlanCall *call, SymVectorFunction function)
{
  gboolean is_turned = sym_plan_call_get_int (call, "transposed", 0) != 0;
  SymPlanBytes bytes = { 0 };
  const SymArray *weights = read_weights (call, 2, &bytes);
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_BYTES, sym_plan_call_need_operand (call, X));

  if (weights == NULL)
    return FALSE;
  op.inner = bytes.inner = (gsize) weights->shape.dims[is_turned ? 1 : 0];
  op.outer = (gsize) weights->shape.dims[is_turned ? 0 : 1];
  op.is_transposed = is_turned;
  bytes.rows = sym_plan_call_get (call, op.x)->n / bytes.inner;
  return append (call, &op, &bytes);
}

/* Rows are pixels. */
static gboolean
read_convolution (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanBytes bytes = { .is_image = TRUE };
  const SymArray *weights = read_weights (call, 4, &bytes);
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_BYTES, sym_plan_call_need_operand (call, X));

  if (weights == NULL || sym_plan_call_get (call, op.x)->shape.rank != 4)
    return FALSE;
  op.groups = sym_plan_call_get_int (call, "group", 1);
  op.inner = bytes.inner = (gsize) sym_plan_call_get (call, op.x)->shape.dims[1];
  op.outer = (gsize) weights->shape.dims[0];
  if (op.groups < 1 || weights->shape.dims[1] * op.groups != (gint64) op.inner ||
      weights->shape.dims[0] % op.groups != 0 ||
      !sym_plan_call_slide (call, op.x, weights->shape.dims + 2, &op))
    return FALSE;
  bytes.rows = sym_plan_call_get (call, op.x)->n / bytes.inner;
  return append (call, &op, &bytes);
}

const SymPlanReader sym_plan_byte_readers[] = {
  { "ByteConvolution", 1, read_convolution, NULL },
  { "ByteProduct", 1, read_product, NULL },
  { NULL },
};
