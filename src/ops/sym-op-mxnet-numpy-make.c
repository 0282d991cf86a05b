/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-mxnet-numpy.h"

static const char *
get_name (SymOpLower *self)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
}

/* The dtype of output 0, float32 where it is left open. */
static SymDType
get_dtype (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);

  return dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype;
}

/* Output @output is @value of each element. */
static void
make (SymOpLower *self, guint output, SymDType dtype, SymOpMxnetValue value, gconstpointer data)
{
  SymShape shape;

  if (sym_op_mxnet_lower_get_shape (self, output, &shape))
    sym_op_lower_set_output (self, output,
                             sym_op_mxnet_lower_values (self, &shape, dtype, value, data));
}

void
sym_op_mxnet_lower_filled (SymOpLower *self)
{
  double number = strcmp (get_name (self), "_npi_ones") == 0 ? 1 : 0;
  SymShape shape;

  number = sym_op_lower_get_float (self, "fill_value", number);
  if (sym_op_mxnet_lower_get_shape (self, 0, &shape))
    sym_op_lower_set_output (self, 0, sym_op_lower_fill (self, get_dtype (self), &shape, number));
}

/* ---- eye, identity, tri ---- */

typedef struct {
  gint64 n_columns, k;
  gboolean whole; /* everything up to the diagonal */
} Triangle;

static double
get_triangle (gconstpointer data, gsize i)
{
  const Triangle *self = data;
  gint64 row = (gint64) i / self->n_columns, column = (gint64) i % self->n_columns;

  return self->whole ? column <= row + self->k : column == row + self->k;
}

void
sym_op_mxnet_lower_triangle (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_output_shape (self, 0);
  Triangle triangle = { .n_columns = shape.rank == 2 ? MAX (shape.dims[1], 1) : 1,
                        .k = sym_op_lower_get_int (self, "k", 0),
                        .whole = strcmp (get_name (self), "_npi_tri") == 0 };

  make (self, 0, get_dtype (self), get_triangle, &triangle);
}

/* ---- Even distances ---- */

typedef struct {
  double start, step, base; /* base 0: the numbers themselves */
  gint64 repeat;
} Range;

static double
get_range (gconstpointer data, gsize i)
{
  const Range *self = data;
  double number = self->start + (double) ((gint64) i / self->repeat) * self->step;

  return self->base == 0 ? number : pow (self->base, number);
}

/* Without a stop the numbers begin with 0 and end before start. */
void
sym_op_mxnet_lower_range (SymOpLower *self)
{
  double stop = sym_op_lower_get_float (self, "stop", (double) NAN);
  Range range = { .start = isnan (stop) ? 0 : sym_op_lower_get_float (self, "start", 0),
                  .step = sym_op_lower_get_float (self, "step", 1),
                  .repeat = MAX (sym_op_lower_get_int (self, "repeat", 1), 1) };

  if (g_str_has_prefix (get_name (self), "_npi"))
    range.repeat = 1;
  if (sym_op_lower_get_bool (self, "infer_range", FALSE))
    range.start = sym_op_lower_get_float (self, "start", 0);
  make (self, 0, get_dtype (self), get_range, &range);
}

void
sym_op_mxnet_lower_spaced (SymOpLower *self)
{
  gboolean ends = sym_op_lower_get_bool (self, "endpoint", TRUE);
  double stop = sym_op_lower_get_float (self, "stop", 0);
  gint64 n = sym_op_lower_get_int (self, "num", 1) - (ends ? 1 : 0);
  Range range = { .start = sym_op_lower_get_float (self, "start", 0), .repeat = 1 };

  range.step = n > 0 ? (stop - range.start) / (double) n : 0;
  if (strcmp (get_name (self), "_npi_logspace") == 0)
    range.base = sym_op_lower_get_float (self, "base", 10);
  make (self, 0, get_dtype (self), get_range, &range);
}

/* As many numbers as the data, or an axis of it, has. */
void
sym_op_mxnet_lower_like (SymOpLower *self)
{
  const Range range = { .start = sym_op_lower_get_float (self, "start", 0),
                        .step = sym_op_lower_get_float (self, "step", 1),
                        .repeat = MAX (sym_op_lower_get_int (self, "repeat", 1), 1) };

  make (self, 0, get_dtype (self), get_range, &range);
}

/* ---- Indices ---- */

static double
get_index (gconstpointer data, gsize i)
{
  const SymShape *shape = data;
  gsize n = 1, axis;

  for (int k = 1; k < shape->rank; k++)
    n *= (gsize) shape->dims[k];
  axis = i / n;
  i %= n;
  for (int k = shape->rank - 1; k > (int) axis + 1; k--)
    i /= (gsize) shape->dims[k];
  return (double) (i % (gsize) shape->dims[axis + 1]);
}

void
sym_op_mxnet_lower_indices (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_output_shape (self, 0);

  make (self, 0, get_dtype (self), get_index, &shape);
}

static double
get_diagonal_index (gconstpointer data, gsize i)
{
  const gint64 *n = data;

  return (double) ((gint64) i % *n);
}

void
sym_op_mxnet_lower_diagonal_indices (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_output_shape (self, 0);
  gint64 n = shape.rank == 2 ? MAX (shape.dims[1], 1) : 1;

  make (self, 0, SYM_DTYPE_INT64, get_diagonal_index, &n);
}

/* Rows or columns of the elements up to diagonal k, row by row. */
typedef struct {
  gint64 n_columns, k;
  gboolean columns;
} TriangleIndices;

static double
get_triangle_index (gconstpointer data, gsize i)
{
  const TriangleIndices *self = data;
  gint64 left = (gint64) i, row = MAX (-self->k, 0), n;

  for (; (n = CLAMP (row + self->k + 1, 0, self->n_columns)) <= left; row++)
    left -= n;
  return (double) (self->columns ? left : row);
}

void
sym_op_mxnet_lower_triangle_indices (SymOpLower *self)
{
  TriangleIndices indices = { .n_columns = sym_op_lower_get_int (
                                  self, "m", sym_op_lower_get_int (self, "n", 0)),
                              .k = sym_op_lower_get_int (self, "k", 0) };

  for (guint i = 0; i < 2; i++)
    {
      indices.columns = i == 1;
      make (self, i, SYM_DTYPE_INT64, get_triangle_index, &indices);
    }
}

/* ---- Windows ---- */

typedef struct {
  double a[3]; /* a0 - a1 cos (x) + a2 cos (2 x) */
  gint64 n;
} Window;

static double
get_window (gconstpointer data, gsize i)
{
  const Window *self = data;
  double x = 2 * G_PI * (double) i / (double) MAX (self->n - 1, 1);

  return self->n == 1 ? 1 : self->a[0] - self->a[1] * cos (x) + self->a[2] * cos (2 * x);
}

void
sym_op_mxnet_lower_window (SymOpLower *self)
{
  Window window = { .a = { 0.5, 0.5, 0 }, .n = sym_op_lower_get_int (self, "M", 0) };

  if (strcmp (get_name (self), "_npi_hamming") == 0)
    window = (Window){ { 0.54, 0.46, 0 }, window.n };
  else if (strcmp (get_name (self), "_npi_blackman") == 0)
    window = (Window){ { 0.42, 0.5, 0.08 }, window.n };
  make (self, 0, get_dtype (self), get_window, &window);
}
