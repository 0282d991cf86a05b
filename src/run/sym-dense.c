/* SPDX-License-Identifier: MIT */
#include "run/sym-dense-private.h"

#include <math.h>

#include "core/sym-error.h"
#include "run/sym-memory-private.h"
#include "run/sym-panel-private.h"
#include "run/sym-vector-rows-private.h"

/* Rows and operations of one unit of work, which is short enough for a run to be stopped. */
#define MOST_ROWS 384
#define MOST_OPERATIONS 4e6

struct _SymDense {
  float *panels, *bias; /* bias: NULL for none */
  gsize inner, outer;
};

/* ---- Making ---- */

static const SymArray *
find_constant (const SymPlan *plan, SymIds operands, guint i)
{
  SymDatum *datum =
      i < operands.n && operands.ids[i] != SYM_NO_ID ? plan->constants[operands.ids[i]] : NULL;
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  return array == NULL || array->dtype != SYM_DTYPE_FLOAT32 ? NULL : array;
}

/* float32 of a shape that is not known to the last size. */
static gboolean
is_open (const SymPlan *plan, const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  return value != SYM_NO_ID && plan->constants[value] == NULL && type.kind == SYM_KIND_TENSOR &&
         type.dtype == SYM_DTYPE_FLOAT32 &&
         (type.shape.rank < 0 || !sym_shape_is_known (&type.shape));
}

/* What is added to each row: as many numbers as there are columns, or one for all. */
static gboolean
read_bias (SymDense *self, const SymArray *bias, double factor)
{
  gsize n = sym_array_get_n_elements (bias);
  const SymShape *shape = &bias->shape;

  if (n != 1 && (n != self->outer || shape->dims[shape->rank - 1] != (gint64) n))
    return FALSE;
  self->bias = g_new (float, self->outer);
  for (gsize i = 0; i < self->outer; i++)
    self->bias[i] = (float) (factor * (double) ((const float *) bias->data)[n == 1 ? 0 : i]);
  return TRUE;
}

static gsize
get_n_floats (const SymDense *self)
{
  return sym_panel_get_n (self->inner, self->outer);
}

static gboolean
pack (SymDense *self, const SymArray *weights, gboolean is_transposed, double factor)
{
  gsize n = get_n_floats (self);

  self->panels = sym_memory_new (n * sizeof *self->panels);
  if (self->panels == NULL)
    return FALSE;
  sym_panel_pack (self->panels, weights->data, is_transposed ? 1 : (gssize) self->outer,
                  is_transposed ? (gssize) self->inner : 1, self->inner, self->outer);
  if (factor != 1)
    sym_vector_scale_row (self->panels, self->panels, (float) factor, n);
  return TRUE;
}

static gboolean
read_call (SymDense *self, const SymPlan *plan, SymLayer *layer, SymIds operands)
{
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  gboolean is_general = g_str_equal (sym_layer_get_operator (layer)->name, "Gemm");
  gboolean is_transposed = is_general && sym_attributes_get_int (attributes, "transB", 0) != 0;
  const SymArray *weights = find_constant (plan, operands, 1);
  const SymArray *bias = find_constant (plan, operands, 2);

  if (weights == NULL || weights->shape.rank != 2 || sym_array_get_n_elements (weights) == 0 ||
      (is_general && sym_attributes_get_int (attributes, "transA", 0) != 0))
    return FALSE;
  self->inner = (gsize) weights->shape.dims[is_transposed ? 1 : 0];
  self->outer = (gsize) weights->shape.dims[is_transposed ? 0 : 1];
  if (operands.n > 2 && operands.ids[2] != SYM_NO_ID &&
      (bias == NULL || !read_bias (self, bias, sym_attributes_get_float (attributes, "beta", 1))))
    return FALSE;
  return pack (self, weights, is_transposed,
               is_general ? sym_attributes_get_float (attributes, "alpha", 1) : 1);
}

SymDense *
sym_dense_new (SymPlan *plan, const SymInference *inference, SymId call, SymPacker *packer)
{
  SymLayer *layer = sym_model_get_layer (plan->model, call);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds operands = sym_model_get_operands (plan->model, call);
  SymDense *self;

  if (op == NULL || *op->domain != '\0' || sym_packer_is_cancelled (packer) ||
      !(g_str_equal (op->name, "MatMul") ||
        (g_str_equal (op->name, "Gemm") && op->since_version >= 7)) ||
      operands.n < 2 || !is_open (plan, inference, operands.ids[0]))
    return NULL;
  self = g_new0 (SymDense, 1);
  if (read_call (self, plan, layer, operands))
    return self;
  sym_dense_free (self);
  return NULL;
}

void
sym_dense_free (SymDense *self)
{
  sym_memory_free (self->panels, get_n_floats (self) * sizeof *self->panels);
  g_free (self->bias);
  g_free (self);
}

gsize
sym_dense_get_n_bytes (const SymDense *self)
{
  return (get_n_floats (self) + self->outer) * sizeof (float);
}

/* ---- Running ---- */

typedef struct {
  const SymDense *dense;
  const float *x;
  float *y;
  gsize rows, n_columns; /* of all, and of one unit */
  guint n_column_parts;
  GCancellable *cancellable;
} Job;

static void
run_unit (gpointer data, guint unit, guint thread)
{
  const Job *self = data;
  const SymDense *dense = self->dense;
  gsize row = unit / self->n_column_parts * MOST_ROWS;
  gsize column = unit % self->n_column_parts * self->n_columns;
  SymPanelProduct product = {
    .y = self->y + row * dense->outer + column,
    .y_stride = (gssize) dense->outer,
    .x = self->x + row * dense->inner,
    .x_stride = (gssize) dense->inner,
    .x_step = 1,
    .panels = dense->panels + column * dense->inner,
    .bias = dense->bias == NULL ? NULL : dense->bias + column,
    .rows = MIN (self->rows - row, MOST_ROWS),
    .inner = dense->inner,
    .outer = MIN (self->n_columns, dense->outer - column),
    .low = -INFINITY,
    .high = INFINITY,
  };

  if (!g_cancellable_is_cancelled (self->cancellable))
    sym_panel_multiply (&product);
}

static void
multiply (Job *self, SymThreads *threads)
{
  const SymDense *dense = self->dense;
  gsize n_panels = (dense->outer + SYM_PANEL - 1) / SYM_PANEL;
  double operations = 2.0 * (double) MIN (self->rows, MOST_ROWS) * (double) dense->inner;
  gsize n = (gsize) CLAMP (MOST_OPERATIONS / (operations * SYM_PANEL), 1.0, (double) n_panels);
  guint n_units;

  self->n_columns = n * SYM_PANEL;
  self->n_column_parts = (guint) ((n_panels + n - 1) / n);
  n_units = (guint) ((self->rows + MOST_ROWS - 1) / MOST_ROWS) * self->n_column_parts;
  if (threads != NULL && n_units > 1)
    sym_threads_run (threads, run_unit, self, n_units);
  else
    for (guint i = 0; i < n_units; i++)
      run_unit (self, i, 0);
}

gboolean
sym_dense_run (const SymDense *self,
               SymDatum *x,
               SymDatum **y,
               SymDatumPool *pool,
               SymThreads *threads,
               GCancellable *cancellable,
               GError **error)
{
  const SymArray *array = sym_datum_get_array (x);
  SymShape shape;
  Job job;

  if (array == NULL || array->dtype != SYM_DTYPE_FLOAT32 || array->shape.rank < 1 ||
      array->shape.dims[array->shape.rank - 1] != (gint64) self->inner ||
      sym_array_get_n_elements (array) / self->inner > G_MAXINT32)
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                   "the rows to multiply must be %" G_GSIZE_FORMAT " numbers of float32",
                   self->inner);
      return FALSE;
    }
  shape = array->shape;
  shape.dims[shape.rank - 1] = (gint64) self->outer;
  if (!sym_datum_prepare (y, SYM_DTYPE_FLOAT32, &shape, pool, error))
    return FALSE;
  job = (Job){ .dense = self,
               .x = array->data,
               .y = sym_datum_get_array (*y)->data,
               .rows = sym_array_get_n_elements (array) / self->inner,
               .cancellable = cancellable };
  multiply (&job, threads);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
