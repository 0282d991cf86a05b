/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <string.h>

/* Products of matrices. */

/* ---- With a constant one ---- */

/* Factors of weights as they are in the file. */
static float *
new_scales (gsize n, double factor)
{
  float *scales = g_new (float, n + 1);

  for (gsize i = 0; i < n; i++)
    scales[i] = (float) factor;
  return scales;
}

gboolean
sym_plan_call_append_product (SymPlanCall *call, const SymPlanCallProduct *product)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_PRODUCT, product->x);

  op.y = product->y;
  op.inner = product->inner;
  op.outer = product->outer;
  op.weights = product->weights;
  op.weights_from = product->from;
  op.is_transposed = product->is_transposed;
  op.scales = new_scales (op.outer, product->factor);
  op.bias = g_new0 (float, op.outer + 1);
  if (product->bias != NULL)
    memcpy (op.bias, product->bias, op.outer * sizeof *op.bias);
  return sym_plan_call_append (call, &op);
}

/* FALSE when the shapes are not those of such a product. */
static gboolean
append_product (SymPlanCall *call,
                guint x,
                guint matrix,
                gboolean is_transposed,
                double factor,
                const float *bias)
{
  const SymShape *shape = &sym_plan_call_get (call, matrix)->shape;
  const SymShape *rows = &sym_plan_call_get (call, x)->shape,
                 *result = &sym_plan_call_get (call, call->result)->shape;
  SymPlanCallProduct product = { .x = x,
                                 .y = call->result,
                                 .from = matrix,
                                 .weights = sym_plan_call_get (call, matrix)->constant,
                                 .bias = bias,
                                 .inner = (gsize) shape->dims[is_transposed ? 1 : 0],
                                 .outer = (gsize) shape->dims[is_transposed ? 0 : 1],
                                 .is_transposed = is_transposed,
                                 .factor = factor };

  return rows->rank >= 1 && result->rank == rows->rank &&
         (gsize) rows->dims[rows->rank - 1] == product.inner &&
         (gsize) result->dims[result->rank - 1] == product.outer &&
         sym_plan_call_append_product (call, &product);
}

static gboolean
is_constant (const SymPlanCall *call, guint tensor)
{
  return tensor != SYM_PLAN_NONE && sym_plan_call_get (call, tensor)->constant != NULL;
}

static gboolean
is_constant_matrix (const SymPlanCall *call, guint tensor)
{
  return is_constant (call, tensor) && sym_plan_call_get (call, tensor)->shape.rank == 2;
}

/* ---- Computed ones ---- */

/* The operand as one of matrices of @sizes, those of the result, but for the last two axes. */
static gboolean
spread_matrices (const SymPlanCall *call, guint tensor, const SymShape *result, SymPlanGrid *grid)
{
  const SymShape *shape = &sym_plan_call_get (call, tensor)->shape;
  SymShape wanted = *result;

  if (shape->rank < 2 || shape->rank > result->rank)
    return FALSE;
  for (int i = 1; i <= 2; i++)
    wanted.dims[wanted.rank - i] = shape->dims[shape->rank - i];
  sym_plan_grid_spread (grid, shape, &wanted);
  return TRUE;
}

static gboolean
append_matrix (SymPlanCall *call, guint x, guint other)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MATRIX, x);
  const SymShape *result = &sym_plan_call_get (call, call->result)->shape;
  int rank = result->rank;

  if (x == SYM_PLAN_NONE || other == SYM_PLAN_NONE || rank < 2 ||
      (sym_plan_call_get (call, x)->constant != NULL &&
       sym_plan_call_get (call, other)->constant != NULL))
    return FALSE;
  op.other = other;
  op.p = 1;
  op.grids = sym_plan_graph_add_grids (call->graph, 3);
  sym_plan_grid_init (&op.grids[2], result);
  if (!spread_matrices (call, x, result, &op.grids[0]) ||
      !spread_matrices (call, other, result, &op.grids[1]))
    return FALSE;
  if (op.grids[0].sizes[rank - 1] != op.grids[1].sizes[rank - 2] ||
      op.grids[0].sizes[rank - 2] != result->dims[rank - 2] ||
      op.grids[1].sizes[rank - 1] != result->dims[rank - 1])
    return FALSE;
  return sym_plan_call_append (call, &op);
}

static gboolean
read_matmul (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), matrix = sym_plan_call_need_operand (call, 1);

  if (x != SYM_PLAN_NONE && !is_constant (call, x) &&
      sym_plan_call_get (call, x)->shape.rank >= 2 && is_constant_matrix (call, matrix))
    return append_product (call, x, matrix, FALSE, 1, NULL);
  return append_matrix (call, x, matrix);
}

/* ---- Gemm ---- */

/* A matrix as it is, or transposed. */
static void
set_matrix (SymPlanGrid *grid, const SymShape *shape, gboolean is_transposed)
{
  SymPlanGrid plain;

  sym_plan_grid_init (&plain, shape);
  *grid = plain;
  for (int i = 0; i < 2 && is_transposed; i++)
    {
      grid->sizes[i] = plain.sizes[1 - i];
      grid->strides[i] = plain.strides[1 - i];
    }
}

static gboolean
is_matrix (const SymPlanCall *call, guint tensor)
{
  return tensor != SYM_PLAN_NONE && sym_plan_call_get (call, tensor)->shape.rank == 2;
}

/* Whether what is added can be: constant, or computed and added as it is. */
static gboolean
can_add (const SymPlanCall *call, guint c)
{
  const SymShape *result = &sym_plan_call_get (call, call->result)->shape;
  const SymShape *shape;

  if (!sym_plan_call_has_operand (call, 2))
    return TRUE;
  if (c == SYM_PLAN_NONE ||
      (!is_constant (call, c) && sym_plan_call_get_float (call, "beta", 1) != 1))
    return FALSE;
  shape = &sym_plan_call_get (call, c)->shape;
  if (shape->rank > 2)
    return FALSE;
  for (int i = 1; i <= shape->rank; i++)
    if (shape->dims[shape->rank - i] != 1 &&
        shape->dims[shape->rank - i] != result->dims[result->rank - i])
      return FALSE;
  return TRUE;
}

/* The term as often as there are columns, when it is constant and the same for all rows. */
static float *
new_bias (const SymPlanCall *call, guint c)
{
  const SymPlanTensor *term = sym_plan_call_get (call, c);
  gsize n = (gsize) sym_plan_call_get (call, call->result)->shape.dims[1];
  double beta = sym_plan_call_get_float (call, "beta", 1);
  float *bias;

  if (term->constant == NULL ||
      (term->n != 1 && (term->n != n || term->shape.dims[term->shape.rank - 1] != (gint64) n)))
    return NULL;
  bias = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    bias[i] = (float) (term->constant[term->n == 1 ? 0 : i] * beta);
  return bias;
}

/* The other terms, of all of the result. */
static guint
make_term (SymPlanCall *call, guint c)
{
  SymShape shape = sym_plan_call_get (call, call->result)->shape;
  double beta = sym_plan_call_get_float (call, "beta", 1);
  const SymPlanTensor *term = sym_plan_call_get (call, c);

  if (term->constant != NULL && beta != 1)
    {
      float *block = sym_plan_graph_add_block (call->graph, term->n);
      SymShape own = term->shape;

      for (gsize i = 0; i < term->n; i++)
        block[i] = (float) (term->constant[i] * beta);
      c = sym_plan_call_add_tensor (call, &own);
      sym_plan_graph_get_tensor (call->graph, c)->constant = block;
    }
  return sym_shape_equal (&sym_plan_call_get (call, c)->shape, &shape)
             ? c
             : sym_plan_call_expand (call, c, &shape);
}

static void
append_gemm (SymPlanCall *call, guint x, guint other, guint y, gboolean turns[2])
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MATRIX, x);

  op.y = y;
  op.other = other;
  op.p = (float) sym_plan_call_get_float (call, "alpha", 1);
  op.grids = sym_plan_graph_add_grids (call->graph, 3);
  set_matrix (&op.grids[0], &sym_plan_call_get (call, x)->shape, turns[0]);
  set_matrix (&op.grids[1], &sym_plan_call_get (call, other)->shape, turns[1]);
  sym_plan_grid_init (&op.grids[2], &sym_plan_call_get (call, call->result)->shape);
  sym_plan_call_append (call, &op);
}

static void
append_constant_gemm (SymPlanCall *call,
                      guint x,
                      guint other,
                      guint y,
                      gboolean turns[2],
                      const float *bias)
{
  SymShape shape = sym_plan_call_get (call, other)->shape;
  SymPlanCallProduct product = { .x = x,
                                 .y = y,
                                 .from = other,
                                 .weights = sym_plan_call_get (call, other)->constant,
                                 .bias = bias,
                                 .inner = (gsize) shape.dims[turns[1] ? 1 : 0],
                                 .outer = (gsize) shape.dims[turns[1] ? 0 : 1],
                                 .is_transposed = turns[1],
                                 .factor = sym_plan_call_get_float (call, "alpha", 1) };

  if (turns[0])
    {
      SymPlanGrid from;

      set_matrix (&from, &sym_plan_call_get (call, x)->shape, TRUE);
      product.x =
          sym_plan_call_append_move (call, x, &from, &SYM_SHAPE (from.sizes[0], from.sizes[1]));
    }
  sym_plan_call_append_product (call, &product);
}

/* FALSE when the shapes do not fit. */
static gboolean
check_gemm (const SymPlanCall *call, guint x, guint other, const gboolean turns[2])
{
  const SymShape *result = &sym_plan_call_get (call, call->result)->shape;
  SymPlanGrid left, right;

  if (!is_matrix (call, x) || !is_matrix (call, other) || result->rank != 2 ||
      (is_constant (call, x) && is_constant (call, other)))
    return FALSE;
  set_matrix (&left, &sym_plan_call_get (call, x)->shape, turns[0]);
  set_matrix (&right, &sym_plan_call_get (call, other)->shape, turns[1]);
  return left.sizes[1] == right.sizes[0] && left.sizes[0] == result->dims[0] &&
         right.sizes[1] == result->dims[1];
}

static gboolean
read_gemm (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), other = sym_plan_call_need_operand (call, 1),
        c = sym_plan_call_need_operand (call, 2), y = call->result;
  gboolean turns[2] = { sym_plan_call_get_int (call, "transA", 0) != 0,
                        sym_plan_call_get_int (call, "transB", 0) != 0 };
  SymShape shape = sym_plan_call_get (call, y)->shape;
  g_autofree float *bias = NULL;
  gboolean adds = sym_plan_call_has_operand (call, 2);

  if (!check_gemm (call, x, other, turns) || !can_add (call, c))
    return FALSE;
  if (adds && is_constant (call, other))
    bias = new_bias (call, c);
  adds = adds && bias == NULL;
  if (adds)
    y = sym_plan_call_add_tensor (call, &shape);
  if (is_constant (call, other))
    append_constant_gemm (call, x, other, y, turns, bias);
  else
    append_gemm (call, x, other, y, turns);
  if (adds)
    {
      SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, y);

      op.other = make_term (call, c);
      op.function = sym_vector_add;
      sym_plan_call_append (call, &op);
    }
  return TRUE;
}

const SymPlanReader sym_plan_product_readers[] = {
  { "Einsum", 12, sym_plan_call_read_einsum, NULL },
  { "Gemm", 7, read_gemm, NULL },
  { "MatMul", 1, read_matmul, NULL },
  { NULL },
};
