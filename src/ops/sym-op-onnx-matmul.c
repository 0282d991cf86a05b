/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* MatMul and MatMulInteger: products of matrices, those of a batch each by each as numpy does it.
 */

/* ---- Shapes ---- */

/* The operands as stacks of matrices [batch..., m, k] . [batch..., k, n]. */
typedef struct {
  SymShape batch, shape; /* of the result */
  gsize m, n, k, n_products;
  gint64 strides[2][SYM_MAX_RANK]; /* of the batch, in matrices */
} Stacks;

/* All but the last two axes. */
static SymShape
get_batch (const SymShape *shape)
{
  SymShape batch = *shape;

  batch.rank = MAX (shape->rank - 2, 0);
  return batch;
}

static gboolean
fail_shapes (const SymArray *a, const SymArray *b, GError **error)
{
  g_autofree char *left = sym_op_format_shape (&a->shape);
  g_autofree char *right = sym_op_format_shape (&b->shape);

  return sym_kernel_fail (error, "shapes %s and %s do not multiply", left, right);
}

/* A vector is a row on the left and a column on the right; its axis is not in the result. */
static gboolean
stack (Stacks *self, const SymArray *a, const SymArray *b, GError **error)
{
  SymShape left = a->shape, right = b->shape, batches[2];

  if (left.rank == 0 || right.rank == 0)
    return fail_shapes (a, b, error);
  if (left.rank == 1)
    left = SYM_SHAPE (1, left.dims[0]);
  if (right.rank == 1)
    right = SYM_SHAPE (right.dims[0], 1);
  batches[0] = get_batch (&left);
  batches[1] = get_batch (&right);
  self->batch = batches[0];
  if (left.dims[left.rank - 1] != right.dims[right.rank - 2])
    return fail_shapes (a, b, error);
  if (!sym_op_broadcast (&self->batch, &batches[1], error))
    return FALSE;
  self->m = (gsize) left.dims[left.rank - 2];
  self->k = (gsize) left.dims[left.rank - 1];
  self->n = (gsize) right.dims[right.rank - 1];
  self->n_products = 1;
  for (int i = 0; i < self->batch.rank; i++)
    self->n_products *= (gsize) self->batch.dims[i];
  for (int i = 0; i < 2; i++)
    sym_op_get_broadcast_strides (&batches[i], self->batch.rank, self->strides[i]);
  self->shape = self->batch;
  if (a->shape.rank > 1)
    self->shape.dims[self->shape.rank++] = left.dims[left.rank - 2];
  if (b->shape.rank > 1)
    self->shape.dims[self->shape.rank++] = right.dims[right.rank - 1];
  return TRUE;
}

/* Which matrices make product @i. */
static void
find_matrices (const Stacks *self, gsize i, gsize *a, gsize *b)
{
  *a = *b = 0;
  for (int axis = self->batch.rank; axis-- > 0;)
    {
      gsize size = (gsize) self->batch.dims[axis], index = i % size;

      *a += index * (gsize) self->strides[0][axis];
      *b += index * (gsize) self->strides[1][axis];
      i /= size;
    }
}

/* ---- Multiplying ---- */

/* Zero points as integers, and how they go on: one, one for each row or column, or one for each of
 * every matrix. */
typedef struct {
  gint64 *values;
  gsize step, matrix_step;
} Zeros;

static gboolean
read_zeros (SymKernel *kernel,
            guint slot,
            const SymArray *operand,
            gsize n_lines,
            Zeros *zeros,
            GError **error)
{
  const SymArray *zero = sym_kernel_get_input (kernel, slot);
  gsize n, n_matrices = 1;

  *zeros = (Zeros){ 0 };
  if (zero == NULL)
    return TRUE;
  n = sym_array_get_n_elements (zero);
  for (int i = 0; i < operand->shape.rank - 2; i++)
    n_matrices *= (gsize) operand->shape.dims[i];
  zeros->step = n == 1 ? 0 : 1;
  zeros->matrix_step = n == 1 || zero->shape.rank == 1 ? 0 : n_lines;
  if (zero->dtype != operand->dtype ||
      (n != 1 && n != (zero->shape.rank == 1 ? n_lines : n_matrices * n_lines)))
    {
      g_autofree char *text = sym_op_format_shape (&zero->shape);

      return sym_kernel_fail (error, "zero points of %s and shape %s do not fit operand %u",
                              sym_dtype_to_string (zero->dtype), text, slot - 2);
    }
  zeros->values = sym_kernel_get_scratch (kernel, n, sizeof (gint64), error);
  for (gsize i = 0; i < n && zeros->values != NULL; i++)
    zeros->values[i] = sym_element_get_int (zero->dtype, zero->data, i);
  return zeros->values != NULL;
}

static SymOpMatrix
get_matrix (const SymArray *array, gsize i, gsize rows, gsize columns, const Zeros *zeros)
{
  gsize size = rows * columns * (sym_dtype_get_bits (array->dtype) / 8);

  return (SymOpMatrix){
    .dtype = array->dtype,
    .data = (const guint8 *) array->data + i * size,
    .row_stride = (gint64) columns,
    .column_stride = 1,
    .zeros = zeros->values == NULL ? NULL : zeros->values + i * zeros->matrix_step,
    .zero_step = zeros->step,
  };
}

static gboolean
multiply (SymKernel *kernel,
          const Stacks *stacks,
          const SymArray *a,
          const SymArray *b,
          const Zeros zeros[2],
          SymArray *y,
          GError **error)
{
  gsize n = stacks->m * stacks->n, size = sym_dtype_get_bits (y->dtype) / 8;
  SymOpProduct product;

  if (!sym_op_product_init (&product, kernel, stacks->m, stacks->n, stacks->k, error))
    return FALSE;
  for (gsize i = 0; i < stacks->n_products; i++)
    {
      SymOpMatrix left, right;
      gsize j, k;

      find_matrices (stacks, i, &j, &k);
      left = get_matrix (a, j, stacks->m, stacks->k, &zeros[0]);
      right = get_matrix (b, k, stacks->k, stacks->n, &zeros[1]);
      if (sym_kernel_is_cancelled (kernel, error) ||
          !sym_op_product_run (&product, &left, &right, error))
        return FALSE;
      sym_op_store_sums (product.sums, y->dtype, (guint8 *) y->data + i * n * size, n);
    }
  return TRUE;
}

static gboolean
run_matmul (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  const Zeros none[2] = { { NULL } };
  Stacks stacks;
  SymArray *y;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (!sym_op_can_multiply (a->dtype))
    return sym_op_refuse_dtype (kernel, a->dtype, error);
  if (a->dtype != b->dtype)
    return sym_kernel_fail (error, "A is of %s, B of %s", sym_dtype_to_string (a->dtype),
                            sym_dtype_to_string (b->dtype));
  if (!stack (&stacks, a, b, error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, a->dtype, &stacks.shape, error);
  return y != NULL && multiply (kernel, &stacks, a, b, none, y, error);
}

static gboolean
is_byte (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

static gboolean
run_matmul_integer (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  Zeros zeros[2];
  Stacks stacks;
  SymArray *y;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (!is_byte (a->dtype) || !is_byte (b->dtype))
    return sym_op_refuse_dtype (kernel, is_byte (a->dtype) ? b->dtype : a->dtype, error);
  if (!stack (&stacks, a, b, error) || !read_zeros (kernel, 2, a, stacks.m, &zeros[0], error) ||
      !read_zeros (kernel, 3, b, stacks.n, &zeros[1], error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT32, &stacks.shape, error);
  return y != NULL && multiply (kernel, &stacks, a, b, zeros, y, error);
}

/* ---- Rules ---- */

/* What two dimensions of batches broadcast to; FALSE for none. */
static gboolean
broadcast_dims (SymDim a, SymDim b, SymDim *result)
{
  if (a == b || b == 1)
    *result = a;
  else if (a == 1)
    *result = b;
  else if (a >= 0 && b >= 0)
    return FALSE;
  else
    *result = a >= 0 ? a : b >= 0 ? b : SYM_DIM_UNKNOWN;
  return TRUE;
}

static gboolean
infer_shapes (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out;
  int rank = MAX (a.rank, b.rank), n_batch = MAX (rank - 2, 0);

  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0)
    return sym_rule_fail (error, "a scalar cannot be multiplied as a matrix");
  if (!sym_rule_unify (rule, a.dims[a.rank - 1], b.dims[MAX (b.rank - 2, 0)],
                       "columns of A and rows of B", error))
    return FALSE;
  out = (SymShape){ .rank = n_batch };
  for (int i = 0; i < n_batch; i++)
    {
      int left = a.rank - 2 - n_batch + i, right = b.rank - 2 - n_batch + i;

      if (!broadcast_dims (left < 0 ? 1 : a.dims[left], right < 0 ? 1 : b.dims[right],
                           &out.dims[i]))
        return sym_rule_fail (error,
                              "batches of %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                              " matrices do not broadcast",
                              a.dims[left], b.dims[right]);
    }
  if (a.rank > 1)
    out.dims[out.rank++] = a.dims[a.rank - 2];
  if (b.rank > 1)
    out.dims[out.rank++] = b.dims[b.rank - 1];
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_matmul (SymRule *rule, GError **error)
{
  return infer_shapes (rule, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

static gboolean
infer_matmul_integer (SymRule *rule, GError **error)
{
  return infer_shapes (rule, error) && sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error);
}

static const SymSlotSpec integer_slots[] = {
  { "A" },  { "B" }, { "a_zero_point", .optional = TRUE }, { "b_zero_point", .optional = TRUE },
  { NULL },
};

const SymOperator sym_op_onnx_matmul[] = {
  { SYM_OP_ONNX ("MatMul", 1), .summary = "product of matrices", .category = SYM_CATEGORY_WEIGHTS,
    .slots = sym_op_onnx_pair, .infer = infer_matmul, .run = run_matmul, .half_as_float = TRUE },
  { SYM_OP_ONNX ("MatMulInteger", 10),
    .summary = "product of matrices of bytes less their zero points",
    .category = SYM_CATEGORY_WEIGHTS, .slots = integer_slots, .infer = infer_matmul_integer,
    .run = run_matmul_integer },
  { 0 },
};
