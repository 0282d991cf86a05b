/* SPDX-License-Identifier: MIT */
#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-product.h"
#include "ops/sym-op-table.h"

/* Gemm: alpha * A . B + beta * C, both matrices as they are or transposed. */

/* C, which broadcasts to the product; before version 7 only if an attribute says so. */
static gboolean
check_addend (SymKernel *kernel, const SymArray *c, const SymShape *shape, GError **error)
{
  gboolean broadcast =
      sym_kernel_get_version (kernel) >= 7 || sym_kernel_get_bool (kernel, "broadcast", FALSE);
  SymShape both = *shape;
  g_autofree char *left = NULL, *right = NULL;

  if (broadcast && !sym_op_broadcast (&both, &c->shape, error))
    return FALSE;
  if (sym_shape_equal (shape, broadcast ? &both : &c->shape))
    return TRUE;
  left = sym_op_format_shape (&c->shape);
  right = sym_op_format_shape (shape);
  return sym_kernel_fail (error, "C of shape %s does not fit the product, %s", left, right);
}

/* One row [n] of the result; @step is 0 where C has but one column. */
#define FINISH(dtype, type, wide, real)                                                       \
  static void finish_##dtype (const void *sums, const void *addend, gsize step, double alpha, \
                              double beta, void *to, gsize n)                                 \
  {                                                                                           \
    const wide *sum = sums;                                                                   \
    const type *c = addend;                                                                   \
    type *y = to;                                                                             \
                                                                                              \
    if (alpha == 1 && (beta == 1 || c == NULL))                                               \
      for (gsize i = 0; i < n; i++)                                                           \
        y[i] = (type) (sum[i] + (c == NULL ? 0 : (wide) c[i * step]));                        \
    else                                                                                      \
      for (gsize i = 0; i < n; i++)                                                           \
        y[i] = (type) real (alpha * AS_##dtype (sum[i]) +                                     \
                            (c == NULL ? 0 : beta * (double) c[i * step]));                   \
  }
#define AS_FLOAT32(sum) (sum)
#define AS_FLOAT64(sum) (sum)
#define AS_INT32(sum) (double) (gint64) (sum)
#define AS_INT64(sum) (double) (gint64) (sum)
#define AS_UINT32(sum) (double) (sum)
#define AS_UINT64(sum) (double) (sum)

FINISH (FLOAT32, float, double, )
FINISH (FLOAT64, double, double, )
FINISH (INT32, gint32, guint64, sym_op_truncate)
FINISH (INT64, gint64, guint64, sym_op_truncate)
FINISH (UINT32, guint32, guint64, sym_op_truncate)
FINISH (UINT64, guint64, guint64, sym_op_truncate)

typedef void (*Finish) (const void *sums,
                        const void *c,
                        gsize step,
                        double alpha,
                        double beta,
                        void *y,
                        gsize n);

#define ENTRY(dtype) [SYM_DTYPE_##dtype] = finish_##dtype
static const Finish finishes[SYM_N_DTYPES] = { ENTRY (FLOAT32), ENTRY (FLOAT64), ENTRY (INT32),
                                               ENTRY (INT64),   ENTRY (UINT32),  ENTRY (UINT64) };

static gboolean
finish (SymKernel *kernel,
        const SymOpProduct *product,
        const SymArray *c,
        SymArray *y,
        GError **error)
{
  double alpha = sym_kernel_get_float (kernel, "alpha", 1);
  double beta = sym_kernel_get_float (kernel, "beta", 1);
  gint64 strides[SYM_MAX_RANK] = { 0 };
  gsize size = sym_dtype_get_bits (y->dtype) / 8;

  if (c != NULL)
    sym_op_get_broadcast_strides (&c->shape, 2, strides);
  for (gsize i = 0; i < product->m; i++)
    {
      if (i % 1024 == 0 && sym_kernel_is_cancelled (kernel, error))
        return FALSE;
      finishes[y->dtype](
          (const guint64 *) product->sums + i * product->n,
          c == NULL ? NULL : (const guint8 *) c->data + i * (gsize) strides[0] * size,
          (gsize) strides[1], alpha, beta, (guint8 *) y->data + i * product->n * size, product->n);
    }
  return TRUE;
}

/* The operand in slot @slot as a matrix, and its rows and columns. */
static gboolean
read_matrix (SymKernel *kernel,
             guint slot,
             const char *transpose,
             SymOpMatrix *matrix,
             gint64 sizes[2],
             GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, slot, error);
  gboolean transposed = sym_kernel_get_bool (kernel, transpose, FALSE);

  if (array == NULL)
    return FALSE;
  if (array->shape.rank != 2)
    return sym_kernel_fail (error, "operand %u must have 2 axes and has %d", slot,
                            array->shape.rank);
  *matrix = (SymOpMatrix){ .dtype = array->dtype,
                           .data = array->data,
                           .row_stride = transposed ? 1 : array->shape.dims[1],
                           .column_stride = transposed ? array->shape.dims[1] : 1 };
  sizes[0] = array->shape.dims[transposed ? 1 : 0];
  sizes[1] = array->shape.dims[transposed ? 0 : 1];
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *c = sym_kernel_get_input (kernel, 2);
  SymOpMatrix a, b;
  SymOpProduct product;
  gint64 left[2], right[2];
  SymArray *y;

  if (!read_matrix (kernel, 0, "transA", &a, left, error) ||
      !read_matrix (kernel, 1, "transB", &b, right, error))
    return FALSE;
  if (finishes[a.dtype] == NULL)
    return sym_op_refuse_dtype (kernel, a.dtype, error);
  if (b.dtype != a.dtype || (c != NULL && c->dtype != a.dtype))
    return sym_kernel_fail (error, "A, B and C must be of one dtype");
  if (left[1] != right[0])
    return sym_kernel_fail (error,
                            "A has %" G_GINT64_FORMAT " columns, B %" G_GINT64_FORMAT " rows",
                            left[1], right[0]);
  if (c != NULL && !check_addend (kernel, c, &SYM_SHAPE (left[0], right[1]), error))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, a.dtype, &SYM_SHAPE (left[0], right[1]), error);
  return y != NULL &&
         sym_op_product_init (&product, kernel, (gsize) left[0], (gsize) right[1], (gsize) left[1],
                              error) &&
         sym_op_product_run (&product, &a, &b, error) && finish (kernel, &product, c, y, error);
}

/* [m, k] . [k, n] -> [m, n], each of A and B perhaps transposed; both ways. */
static gboolean
infer (SymRule *rule, GError **error)
{
  gboolean ta = sym_rule_get_bool (rule, "transA", FALSE);
  gboolean tb = sym_rule_get_bool (rule, "transB", FALSE);
  SymShape two = sym_shape_new_unknown (2), a, b, y;

  if (!sym_rule_tie_dtypes (rule, 0, 2, error) || !sym_rule_set_input (rule, 0, &two, error) ||
      !sym_rule_set_input (rule, 1, &two, error) || !sym_rule_set_output (rule, 0, &two, error))
    return FALSE;
  a = sym_rule_get_input (rule, 0);
  b = sym_rule_get_input (rule, 1);
  y = sym_rule_get_output (rule, 0);
  if (a.rank != 2 || b.rank != 2)
    return TRUE;
  return sym_rule_unify (rule, a.dims[ta ? 0 : 1], b.dims[tb ? 1 : 0], "columns of A and rows of B",
                         error) &&
         sym_rule_unify (rule, y.dims[0], a.dims[ta ? 1 : 0], "rows of A", error) &&
         sym_rule_unify (rule, y.dims[1], b.dims[tb ? 0 : 1], "columns of B", error);
}

#define ATTRIBUTES                                                     \
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },    \
      { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of C" },           \
      { "transA", SYM_ATTRIBUTE_INT, "0", "whether A is transposed" }, \
  {                                                                    \
    "transB", SYM_ATTRIBUTE_INT, "0", "whether B is transposed"        \
  }

static const SymAttributeSpec old_attributes[] = {
  ATTRIBUTES,
  { "broadcast", SYM_ATTRIBUTE_INT, "0", "whether C is repeated along the axes it has not" },
  { NULL },
};

static const SymAttributeSpec attributes[] = { ATTRIBUTES, { NULL } };

static const SymSlotSpec slots[] = {
  { "A" },
  { "B", SYM_SLOT_PARAMETER },
  { "C", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec optional_slots[] = {
  { "A" },
  { "B", SYM_SLOT_PARAMETER },
  { "C", SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

#define GEMM(version_, attributes_, slots_)                                                      \
  {                                                                                              \
    SYM_OP_ONNX ("Gemm", version_), .summary = "alpha * A . B + beta * C, A and B matrices",     \
                                    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_, \
                                    .slots = slots_, .infer = infer, .run = run,                 \
                                    .half_as_float = TRUE                                        \
  }

const SymOperator sym_op_onnx_gemm[] = {
  GEMM (1, old_attributes, slots),
  GEMM (7, attributes, slots),
  GEMM (11, attributes, optional_slots),
  { 0 },
};
