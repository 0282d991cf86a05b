/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx-scales.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* MatMul, MatMulInteger and QLinearMatMul: products of matrices, those of a batch each by each as
 * numpy does it. */

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

/* Numbers that belong to the rows of the left operand or the columns of the right one: one for all,
 * one for each, or one for each of every matrix. */
typedef struct {
  gint64 *zeros;  /* NULL for none */
  double *scales; /* NULL for none */
  gsize step, matrix_step;
} Lines;

/* How the numbers of @array go on along the @n_lines lines of each matrix of @operand. */
static gboolean
fit_lines (const SymArray *array,
           const SymArray *operand,
           gsize n_lines,
           const char *name,
           Lines *lines,
           GError **error)
{
  gsize n = sym_array_get_n_elements (array), n_matrices = 1;

  for (int i = 0; i < operand->shape.rank - 2; i++)
    n_matrices *= (gsize) operand->shape.dims[i];
  lines->step = n == 1 ? 0 : 1;
  lines->matrix_step = n == 1 || array->shape.rank == 1 ? 0 : n_lines;
  if (n != 1 && n != (array->shape.rank == 1 ? n_lines : n_matrices * n_lines))
    {
      g_autofree char *left = sym_op_format_shape (&array->shape);
      g_autofree char *right = sym_op_format_shape (&operand->shape);

      return sym_kernel_fail (error, "%s of shape %s does not fit an operand of %s", name, left,
                              right);
    }
  return TRUE;
}

static gboolean
read_zeros (SymKernel *kernel,
            guint slot,
            const SymArray *operand,
            gsize n_lines,
            Lines *lines,
            GError **error)
{
  const SymArray *zero = sym_kernel_get_input (kernel, slot);
  gsize n;

  *lines = (Lines){ 0 };
  if (zero == NULL)
    return TRUE;
  if (zero->dtype != operand->dtype)
    return sym_kernel_fail (error, "a zero point is of %s, its operand of %s",
                            sym_dtype_to_string (zero->dtype),
                            sym_dtype_to_string (operand->dtype));
  if (!fit_lines (zero, operand, n_lines, "a zero point", lines, error))
    return FALSE;
  n = sym_array_get_n_elements (zero);
  lines->zeros = sym_kernel_get_scratch (kernel, n, sizeof (gint64), error);
  for (gsize i = 0; i < n && lines->zeros != NULL; i++)
    lines->zeros[i] = sym_element_get_int (zero->dtype, zero->data, i);
  return lines->zeros != NULL;
}

static gboolean
read_scales (SymKernel *kernel,
             guint slot,
             const SymArray *operand,
             gsize n_lines,
             Lines *lines,
             GError **error)
{
  const SymArray *scale = sym_kernel_need_input (kernel, slot, error);
  gsize n;

  *lines = (Lines){ 0 };
  if (scale == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (scale->dtype))
    return sym_kernel_fail (error, "a scale is of %s", sym_dtype_to_string (scale->dtype));
  if (!fit_lines (scale, operand, n_lines, "a scale", lines, error))
    return FALSE;
  n = sym_array_get_n_elements (scale);
  lines->scales = sym_kernel_get_scratch (kernel, n, sizeof (double), error);
  for (gsize i = 0; i < n && lines->scales != NULL; i++)
    lines->scales[i] = sym_element_get_double (scale->dtype, scale->data, i);
  return lines->scales != NULL;
}

static SymOpMatrix
get_matrix (const SymArray *array, gsize i, gsize rows, gsize columns, const Lines *lines)
{
  gsize size = rows * columns * (sym_dtype_get_bits (array->dtype) / 8);

  return (SymOpMatrix){
    .dtype = array->dtype,
    .data = (const guint8 *) array->data + i * size,
    .row_stride = (gint64) columns,
    .column_stride = 1,
    .zeros = lines->zeros == NULL ? NULL : lines->zeros + i * lines->matrix_step,
    .zero_step = lines->step,
  };
}

/* What the sums of quantized operands become. */
typedef struct {
  Lines scales[2];
  SymOpOnnxTarget target;
} Quantized;

/* Product @i, of matrices @j and @k, goes to its place in @y. */
static void
store_quantized (const Quantized *self,
                 const SymOpProduct *product,
                 gboolean floats,
                 gsize i,
                 gsize j,
                 gsize k,
                 SymArray *y)
{
  const double *left = self->scales[0].scales + j * self->scales[0].matrix_step;
  const double *right = self->scales[1].scales + k * self->scales[1].matrix_step;

  for (gsize row = 0; row < product->m; row++)
    sym_op_onnx_target_store (&self->target, (const guint64 *) product->sums + row * product->n,
                              floats, left[row * self->scales[0].step], right, self->scales[1].step,
                              y, (i * product->m + row) * product->n, product->n);
}

/* @quantized is NULL for a result of the sums themselves. */
static gboolean
multiply (SymKernel *kernel,
          const Stacks *stacks,
          const SymArray *a,
          const SymArray *b,
          const Lines zeros[2],
          const Quantized *quantized,
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
      if (quantized != NULL)
        store_quantized (quantized, &product, sym_dtype_is_floating (a->dtype), i, j, k, y);
      else
        sym_op_store_sums (product.sums, y->dtype, (guint8 *) y->data + i * n * size, n);
    }
  return TRUE;
}

static gboolean
run_matmul (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  const Lines none[2] = { { NULL } };
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
  return y != NULL && multiply (kernel, &stacks, a, b, none, NULL, y, error);
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
  Lines zeros[2];
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
  return y != NULL && multiply (kernel, &stacks, a, b, zeros, NULL, y, error);
}

/* ---- QLinearMatMul ---- */

static gboolean
is_byte_float (SymDType dtype)
{
  return sym_dtype_is_floating (dtype) && sym_dtype_get_bits (dtype) == 8;
}

/* The floats of 8 bits in @operand, less their zero points, as doubles in *@wide. */
static gboolean
widen (SymKernel *kernel,
       guint slot,
       const SymArray *operand,
       gsize rows,
       gsize columns,
       gboolean is_left,
       SymArray *wide,
       GError **error)
{
  const SymArray *zero = sym_kernel_get_input (kernel, slot);
  gsize n = sym_array_get_n_elements (operand);
  double *numbers = sym_kernel_get_scratch (kernel, n, sizeof (double), error);
  Lines lines;

  if (numbers == NULL)
    return FALSE;
  sym_convert_elements (operand->dtype, operand->data, SYM_DTYPE_FLOAT64, numbers, n);
  *wide = *operand;
  wide->dtype = SYM_DTYPE_FLOAT64;
  wide->data = numbers;
  if (zero == NULL)
    return TRUE;
  if (zero->dtype != operand->dtype)
    return sym_kernel_fail (error, "a zero point is of %s, its operand of %s",
                            sym_dtype_to_string (zero->dtype),
                            sym_dtype_to_string (operand->dtype));
  if (!fit_lines (zero, operand, is_left ? rows : columns, "a zero point", &lines, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      gsize line = is_left ? i / columns % rows : i % columns;
      gsize at = i / columns / rows * lines.matrix_step + line * lines.step;

      numbers[i] -= sym_element_get_double (zero->dtype, zero->data, at);
    }
  return TRUE;
}

static gboolean
run_matmul_quantized (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  Lines zeros[2] = { { NULL } };
  SymArray wide[2], *y;
  Quantized quantized;
  Stacks stacks;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 3, error)) == NULL)
    return FALSE;
  if (!is_byte (a->dtype) && !is_byte_float (a->dtype))
    return sym_op_refuse_dtype (kernel, a->dtype, error);
  if (is_byte (a->dtype) ? !is_byte (b->dtype) : !is_byte_float (b->dtype))
    return sym_kernel_fail (error, "a is of %s, b of %s", sym_dtype_to_string (a->dtype),
                            sym_dtype_to_string (b->dtype));
  if (!stack (&stacks, a, b, error) ||
      !read_scales (kernel, 1, a, stacks.m, &quantized.scales[0], error) ||
      !read_scales (kernel, 4, b, stacks.n, &quantized.scales[1], error) ||
      !sym_op_onnx_target_read (&quantized.target, kernel, 6, a->dtype, error))
    return FALSE;
  if (is_byte (a->dtype) ? !read_zeros (kernel, 2, a, stacks.m, &zeros[0], error) ||
                               !read_zeros (kernel, 5, b, stacks.n, &zeros[1], error)
                         : !widen (kernel, 2, a, stacks.m, stacks.k, TRUE, &wide[0], error) ||
                               !widen (kernel, 5, b, stacks.k, stacks.n, FALSE, &wide[1], error))
    return FALSE;
  if (!is_byte (a->dtype))
    {
      a = &wide[0];
      b = &wide[1];
    }
  y = sym_kernel_new_output (kernel, 0, quantized.target.dtype, &stacks.shape, error);
  return y != NULL && multiply (kernel, &stacks, a, b, zeros, &quantized, y, error);
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
infer_shapes (SymRule *rule, guint left_slot, guint right_slot, GError **error)
{
  SymShape a = sym_rule_get_input (rule, left_slot), b = sym_rule_get_input (rule, right_slot), out;
  int rank = MAX (a.rank, b.rank), n_batch = MAX (rank - 2, 0);

  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0)
    return sym_rule_fail (error, "a scalar cannot be multiplied as a matrix");
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
  /* What a product of matrices that do not fit would be, is plain all the same. */
  return sym_rule_set_output (rule, 0, &out, error) &&
         sym_rule_unify (rule, a.dims[a.rank - 1], b.dims[MAX (b.rank - 2, 0)],
                         "columns of A and rows of B", error);
}

static gboolean
infer_matmul (SymRule *rule, GError **error)
{
  return infer_shapes (rule, 0, 1, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

static gboolean
infer_matmul_integer (SymRule *rule, GError **error)
{
  return infer_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT32, error);
}

static gboolean
infer_matmul_quantized (SymRule *rule, GError **error)
{
  return infer_shapes (rule, 0, 3, error) &&
         sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, 7), error);
}

static const SymSlotSpec integer_slots[] = {
  { "A" },  { "B" }, { "a_zero_point", .optional = TRUE }, { "b_zero_point", .optional = TRUE },
  { NULL },
};

static const SymSlotSpec quantized_slots[] = {
  { "a" },       { "a_scale" },      { "a_zero_point" }, { "b" }, { "b_scale" }, { "b_zero_point" },
  { "y_scale" }, { "y_zero_point" }, { NULL },
};

const SymOperator sym_op_onnx_matmul[] = {
  { SYM_OP_ONNX ("MatMul", 1), .summary = "product of matrices", .category = SYM_CATEGORY_WEIGHTS,
    .slots = sym_op_onnx_pair, .infer = infer_matmul, .run = run_matmul, .half_as_float = TRUE },
  { SYM_OP_ONNX ("MatMulInteger", 10),
    .summary = "product of matrices of bytes less their zero points",
    .category = SYM_CATEGORY_WEIGHTS, .slots = integer_slots, .infer = infer_matmul_integer,
    .run = run_matmul_integer },
  { SYM_OP_ONNX ("QLinearMatMul", 10), .summary = "product of matrices of quantized numbers",
    .category = SYM_CATEGORY_WEIGHTS, .slots = quantized_slots, .infer = infer_matmul_quantized,
    .run = run_matmul_quantized },
  { 0 },
};
