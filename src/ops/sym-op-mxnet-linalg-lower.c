/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-linalg-kernels.h"
#include "ops/sym-op.h"

/* Linear algebra of MXNet's older layers that is said in other ones. */

static SymId
scale (SymOpLower *self, SymId x)
{
  double alpha = sym_op_lower_get_float (self, "alpha", 1);

  return alpha == 1
             ? x
             : sym_op_lower_binary (
                   self, "Mul", x,
                   sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), alpha));
}

static gboolean
need_matrices (SymOpLower *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return FALSE;
      if (sym_op_lower_get_input_shape (self, i)->rank >= 2)
        continue;
      sym_op_lower_fail (self, "%s: matrices have at least 2 axes", sym_op_lower_get_type (self));
      return FALSE;
    }
  return TRUE;
}

/* The triangle of operand 0, perhaps transposed. */
static SymId
take_triangle (SymOpLower *self)
{
  gboolean lower = sym_op_lower_get_bool (self, "lower", TRUE);
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  SymId x = sym_op_lower_call (self, "Trilu", SYM_IDS (sym_op_lower_input (self, 0)), "upper",
                               sym_value_new_int (!lower), NULL);

  return sym_op_lower_exchange_if (self, x, rank, "transpose");
}

void
sym_op_mxnet_lower_triangle_product (SymOpLower *self)
{
  SymId triangle, b = sym_op_lower_input (self, 1), y;

  if (!need_matrices (self, 2))
    return;
  triangle = take_triangle (self);
  y = sym_op_lower_get_bool (self, "rightside", FALSE)
          ? sym_op_lower_binary (self, "MatMul", b, triangle)
          : sym_op_lower_binary (self, "MatMul", triangle, b);
  sym_op_lower_set_output (self, 0, scale (self, y));
}

/* X with A X = alpha B, or X A = alpha B, which is A^T X^T = alpha B^T. */
void
sym_op_mxnet_lower_triangle_solution (SymOpLower *self)
{
  gboolean right = sym_op_lower_get_bool (self, "rightside", FALSE);
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  const SymOperator *solve = sym_op_find ("mxnet", "_npi_solve", 0);
  SymId triangle, b, y;

  if (!need_matrices (self, 2))
    return;
  triangle = take_triangle (self);
  b = scale (self, sym_op_lower_input (self, 1));
  if (right)
    {
      triangle = sym_op_lower_exchange (self, triangle, rank);
      b = sym_op_lower_exchange (self, b, sym_op_lower_get_input_shape (self, 1)->rank);
    }
  y = sym_op_lower_apply (self, solve, SYM_IDS (triangle, b), NULL);
  sym_op_lower_set_output (self, 0, right ? sym_op_lower_exchange (self, y, rank) : y);
}

void
sym_op_mxnet_lower_syrk (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  SymId a = sym_op_lower_input (self, 0), turned, y;

  if (!need_matrices (self, 1))
    return;
  turned = sym_op_lower_exchange (self, a, rank);
  y = sym_op_lower_get_bool (self, "transpose", FALSE)
          ? sym_op_lower_binary (self, "MatMul", turned, a)
          : sym_op_lower_binary (self, "MatMul", a, turned);
  sym_op_lower_set_output (self, 0, scale (self, y));
}

/* ---- Diagonals ---- */

static SymId
take_diagonal (SymOpLower *self)
{
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "offset",
                      sym_value_new_int (sym_op_lower_get_int (self, "offset", 0)), NULL);
  sym_attributes_set (attributes, "axis1", sym_value_new_int (-2), NULL);
  sym_attributes_set (attributes, "axis2", sym_value_new_int (-1), NULL);
  return sym_op_lower_apply (self, sym_op_find ("mxnet", "_npi_diagonal", 0),
                             SYM_IDS (sym_op_lower_input (self, 0)), attributes);
}

void
sym_op_mxnet_lower_extract_diagonal (SymOpLower *self)
{
  if (need_matrices (self, 1))
    sym_op_lower_set_output (self, 0, take_diagonal (self));
}

void
sym_op_mxnet_lower_sum_log_diagonal (SymOpLower *self)
{
  const gint64 axis = -1;

  if (need_matrices (self, 1))
    sym_op_lower_finish (
        self, sym_op_lower_reduce (self, "ReduceSum",
                                   sym_op_lower_unary (self, "Log", take_diagonal (self)), &axis, 1,
                                   FALSE));
}

/* Squares of side @side; the rows of their triangle, or its diagonal, behind each other. */
typedef struct {
  gint64 side, offset, inner; /* what a row of the other form has */
  gboolean lower;
} Square;

/* Where element (@row, @column) lies in the triangle, or -1. */
static gint64
find_in_triangle (const Square *self, gint64 row, gint64 column)
{
  gint64 n = self->side - ABS (self->offset), before;

  /* Moved so that the triangle's diagonal is that of a square of side n. */
  row -= MAX (-self->offset, 0);
  column -= MAX (self->offset, 0);
  if (row < 0 || column < 0 || row >= n || column >= n)
    return -1;
  if (self->lower)
    return column > row ? -1 : row * (row + 1) / 2 + column;
  before = row * n - row * (row - 1) / 2;
  return column < row ? -1 : before + column - row;
}

static gint64
find_made_diagonal (gconstpointer data, gsize i)
{
  const Square *self = data;
  gint64 cell = (gint64) i % (self->side * self->side),
         batch = (gint64) i / (self->side * self->side);
  gint64 row = cell / self->side, column = cell % self->side;

  if (column - row != self->offset)
    return -1;
  return batch * self->inner + row - MAX (-self->offset, 0);
}

static gint64
find_made_triangle (gconstpointer data, gsize i)
{
  const Square *self = data;
  gint64 cell = (gint64) i % (self->side * self->side),
         batch = (gint64) i / (self->side * self->side);
  gint64 place = find_in_triangle (self, cell / self->side, cell % self->side);

  return place < 0 ? -1 : batch * self->inner + place;
}

/* The other way round, by looking for the element row by row. */
static gint64
find_extracted (gconstpointer data, gsize i)
{
  const Square *self = data;
  gint64 batch = (gint64) i / self->inner, left = (gint64) i % self->inner;
  gint64 n = self->side - ABS (self->offset), row = 0, column;

  for (; left >= (self->lower ? row + 1 : n - row); row++)
    left -= self->lower ? row + 1 : n - row;
  column = self->lower ? left : row + left;
  row += MAX (-self->offset, 0);
  column += MAX (self->offset, 0);
  return (batch * self->side + row) * self->side + column;
}

static void
pick (SymOpLower *self, gint64 side, gint64 inner, SymOpMxnetPlace place)
{
  Square square = { .side = MAX (side, 1),
                    .inner = MAX (inner, 1),
                    .offset = sym_op_lower_get_int (self, "offset", 0) };
  SymShape shape;

  square.lower =
      square.offset < 0 || (square.offset == 0 && sym_op_lower_get_bool (self, "lower", TRUE));
  if (sym_op_lower_need_tensor (self, 0) && sym_op_mxnet_lower_get_shape (self, 0, &shape))
    sym_op_lower_set_output (self, 0,
                             sym_op_mxnet_lower_pick (self, sym_op_lower_input (self, 0),
                                                      sym_op_lower_get_input_dtype (self, 0),
                                                      &shape, place, &square));
}

static gint64
get_last (const SymShape *shape)
{
  return shape->rank < 1 ? 1 : shape->dims[shape->rank - 1];
}

void
sym_op_mxnet_lower_make_diagonal (SymOpLower *self)
{
  pick (self, get_last (sym_op_lower_get_output_shape (self, 0)),
        get_last (sym_op_lower_get_input_shape (self, 0)), find_made_diagonal);
}

void
sym_op_mxnet_lower_make_triangle (SymOpLower *self)
{
  pick (self, get_last (sym_op_lower_get_output_shape (self, 0)),
        get_last (sym_op_lower_get_input_shape (self, 0)), find_made_triangle);
}

void
sym_op_mxnet_lower_extract_triangle (SymOpLower *self)
{
  pick (self, get_last (sym_op_lower_get_input_shape (self, 0)),
        get_last (sym_op_lower_get_output_shape (self, 0)), find_extracted);
}

/* ---- Tensors as matrices ---- */

/* The first ind axes are rows, the others columns. */
void
sym_op_mxnet_lower_tensor_inverse (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 ind = sym_op_lower_get_int (self, "ind", 2);
  SymShape square = SYM_SHAPE (1, 1);
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  for (int i = 0; i < shape->rank; i++)
    square.dims[i < ind ? 0 : 1] *= shape->dims[i];
  y = sym_op_lower_apply (
      self, sym_op_find ("mxnet", "_linalg_inverse", 0),
      SYM_IDS (sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &square)), NULL);
  sym_op_lower_finish (self, y);
}
