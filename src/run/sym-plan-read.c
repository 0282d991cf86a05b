/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

#include <math.h>
#include <string.h>

/* What a reader sees of a call.  Operands and result are tensors; those of an operand that is not
 * there, or not such a tensor, are SYM_PLAN_NONE. */
typedef struct {
  SymPlanGraph *graph;
  const SymAttributes *attributes;
  int version;
  SymIds operands;
  guint result;
} Call;

typedef struct {
  const char *name;
  int since_version; /* of the operator's entry: before, it meant something else */
  gboolean (*read) (Call *call, SymVectorFunction function);
  SymVectorFunction function;
} Reader;

static const SymPlanTensor *
get (const Call *call, guint tensor)
{
  return sym_plan_graph_get_tensor (call->graph, tensor);
}

static gboolean
has_operand (const Call *call, guint i)
{
  return i < call->operands.n && call->operands.ids[i] != SYM_NO_ID;
}

static guint
need_operand (const Call *call, guint i)
{
  if (!has_operand (call, i))
    return SYM_PLAN_NONE;
  return sym_plan_graph_need_tensor (call->graph, call->operands.ids[i]);
}

/* ---- Attributes ---- */

static gint64
get_int (const Call *call, const char *name, gint64 fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  if (value != NULL)
    sym_value_get_int (value, &fallback);
  return fallback;
}

static double
get_float (const Call *call, const char *name, double fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  if (value != NULL)
    sym_value_get_float (value, &fallback);
  return fallback;
}

/* FALSE when there are not as many. */
static gboolean
get_ints (const Call *call, const char *name, gint64 *values, int n, gint64 fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  for (int i = 0; i < n; i++)
    values[i] = fallback;
  return value == NULL || sym_value_get_ints (value, values, n) == n;
}

/* ---- Operations ---- */

static SymPlanOp
new_op (const Call *call, SymPlanOpKind kind, guint x)
{
  return (SymPlanOp){
    .kind = kind, .x = x, .y = call->result, .other = SYM_PLAN_NONE, .addend = SYM_PLAN_NONE
  };
}

static void
mark_use (const Call *call, guint tensor)
{
  SymPlanTensor *operand;

  if (tensor == SYM_PLAN_NONE)
    return;
  operand = sym_plan_graph_get_tensor (call->graph, tensor);
  if (operand->constant == NULL && !operand->is_made)
    operand->is_input = TRUE;
}

static gboolean
append (Call *call, const SymPlanOp *op)
{
  mark_use (call, op->x);
  mark_use (call, op->other);
  sym_plan_graph_get_tensor (call->graph, op->y)->is_made = TRUE;
  g_array_append_vals (call->graph->ops, op, 1);
  return TRUE;
}

static gboolean
read_unary (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_ELEMENTWISE, need_operand (call, 0));

  if (op.x == SYM_PLAN_NONE || get (call, op.x)->constant != NULL)
    return FALSE;
  op.function = function;
  return append (call, &op);
}

/* ---- Two operands ---- */

/* Whether the operand repeats along a result of four axes by one number for each channel. */
static gboolean
is_per_channel (const SymShape *shape, const SymShape *result)
{
  int axis = shape->rank - 3;

  if (result->rank != 4 || shape->rank < 3 || shape->rank > 4 ||
      shape->dims[axis] != result->dims[1])
    return FALSE;
  return (axis == 0 || shape->dims[0] == 1) && shape->dims[axis + 1] == 1 &&
         shape->dims[axis + 2] == 1;
}

/* How often the operand repeats along the result; FALSE when that is no simple pattern. */
static gboolean
find_period (const Call *call, guint operand, gsize *period)
{
  const SymPlanTensor *tensor = get (call, operand), *result = get (call, call->result);
  int rank = result->shape.rank;

  *period = 0;
  if (sym_shape_equal (&tensor->shape, &result->shape))
    return TRUE;
  if (tensor->constant == NULL)
    return FALSE;
  *period = tensor->n;
  if (tensor->n == 1)
    return TRUE;
  if (rank == 4)
    return is_per_channel (&tensor->shape, &result->shape);
  return tensor->shape.rank > 0 && rank > 0 && tensor->n == (gsize) result->shape.dims[rank - 1] &&
         tensor->shape.dims[tensor->shape.rank - 1] == result->shape.dims[rank - 1];
}

static gboolean
read_binary (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_ELEMENTWISE, need_operand (call, 0));

  op.other = need_operand (call, 1);
  op.function = function;
  if (op.x == SYM_PLAN_NONE || op.other == SYM_PLAN_NONE ||
      !find_period (call, op.x, &op.x_period) || !find_period (call, op.other, &op.other_period))
    return FALSE;
  if (get (call, op.x)->constant != NULL && get (call, op.other)->constant != NULL)
    return FALSE;
  return append (call, &op);
}

/* ---- Others of one element ---- */

static gboolean
read_bound (const Call *call, guint i, float *bound)
{
  guint operand = need_operand (call, i);

  if (!has_operand (call, i))
    return TRUE;
  if (operand == SYM_PLAN_NONE || get (call, operand)->constant == NULL ||
      get (call, operand)->n != 1)
    return FALSE;
  *bound = *get (call, operand)->constant;
  return TRUE;
}

/* Bounds are attributes before version 11. */
static gboolean
read_clip (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_ELEMENTWISE, need_operand (call, 0));

  op.p = (float) get_float (call, "min", -INFINITY);
  op.q = (float) get_float (call, "max", INFINITY);
  op.function = function;
  if (op.x == SYM_PLAN_NONE || get (call, op.x)->constant != NULL || !read_bound (call, 1, &op.p) ||
      !read_bound (call, 2, &op.q) || !(op.p <= op.q))
    return FALSE;
  return append (call, &op);
}

/* As two operations, y = x * factor + term of each channel; `scale`, `bias`, `mean`, `variance`. */
static gboolean
read_batch_norm (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_ELEMENTWISE, need_operand (call, 0));
  double epsilon = get_float (call, "epsilon", 1e-5);
  const float *numbers[4];
  float *factors, *terms;
  gsize n;

  if (op.x == SYM_PLAN_NONE || get (call, op.x)->shape.rank != 4 ||
      get_int (call, "training_mode", 0) != 0 || get_int (call, "spatial", 1) != 1 ||
      get_int (call, "is_test", 1) != 1)
    return FALSE;
  n = (gsize) get (call, op.x)->shape.dims[1];
  for (guint i = 0; i < 4; i++)
    {
      guint operand = need_operand (call, i + 1);

      if (operand == SYM_PLAN_NONE || get (call, operand)->n != n)
        return FALSE;
      numbers[i] = get (call, operand)->constant;
      if (numbers[i] == NULL)
        return FALSE;
    }
  factors = sym_plan_graph_add_block (call->graph, n);
  terms = sym_plan_graph_add_block (call->graph, n);
  for (gsize i = 0; i < n; i++)
    {
      double factor = numbers[0][i] / sqrt (numbers[3][i] + epsilon);

      factors[i] = (float) factor;
      terms[i] = (float) (numbers[1][i] - numbers[2][i] * factor);
    }
  op.other_period = n;
  op.function = sym_vector_multiply;
  op.y = sym_plan_graph_add_tensor (call->graph, op.x);
  op.other = sym_plan_graph_add_tensor (call->graph, op.x);
  sym_plan_graph_get_tensor (call->graph, op.other)->constant = factors;
  append (call, &op);
  op.function = sym_vector_add;
  op.x = op.y;
  op.y = call->result;
  op.other = sym_plan_graph_add_tensor (call->graph, op.x);
  sym_plan_graph_get_tensor (call->graph, op.other)->constant = terms;
  return append (call, &op);
}

static gboolean
read_view (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_VIEW, need_operand (call, 0));

  if (op.x == SYM_PLAN_NONE || get (call, op.x)->constant != NULL ||
      get (call, op.x)->n != get (call, op.y)->n || get_int (call, "training_mode", 0) != 0)
    return FALSE;
  return append (call, &op);
}

/* ---- Products ---- */

/* Factors of weights as they are in the file. */
static float *
new_scales (gsize n, double factor)
{
  float *scales = g_new (float, n + 1);

  for (gsize i = 0; i < n; i++)
    scales[i] = (float) factor;
  return scales;
}

static gboolean
append_product (Call *call,
                guint x,
                guint matrix,
                gboolean is_transposed,
                double factor,
                const float *bias)
{
  SymPlanOp op = new_op (call, SYM_PLAN_PRODUCT, x);
  const SymShape *shape = &get (call, matrix)->shape;
  const SymShape *rows = &get (call, x)->shape, *result = &get (call, op.y)->shape;

  op.inner = (gsize) shape->dims[is_transposed ? 1 : 0];
  op.outer = (gsize) shape->dims[is_transposed ? 0 : 1];
  if (rows->rank < 1 || result->rank != rows->rank ||
      (gsize) rows->dims[rows->rank - 1] != op.inner ||
      (gsize) result->dims[result->rank - 1] != op.outer)
    return FALSE;
  op.weights = get (call, matrix)->constant;
  op.is_transposed = is_transposed;
  op.scales = new_scales (op.outer, factor);
  op.bias = g_new0 (float, op.outer + 1);
  if (bias != NULL)
    memcpy (op.bias, bias, op.outer * sizeof *bias);
  return append (call, &op);
}

static gboolean
is_constant_matrix (const Call *call, guint tensor)
{
  return tensor != SYM_PLAN_NONE && get (call, tensor)->constant != NULL &&
         get (call, tensor)->shape.rank == 2;
}

static gboolean
read_matmul (Call *call, SymVectorFunction function)
{
  guint x = need_operand (call, 0), matrix = need_operand (call, 1);

  if (x == SYM_PLAN_NONE || get (call, x)->constant != NULL || get (call, x)->shape.rank < 2 ||
      !is_constant_matrix (call, matrix))
    return FALSE;
  return append_product (call, x, matrix, FALSE, 1, NULL);
}

static gboolean
read_gemm (Call *call, SymVectorFunction function)
{
  guint x = need_operand (call, 0), matrix = need_operand (call, 1), c = need_operand (call, 2);
  const float *bias = NULL;

  if (x == SYM_PLAN_NONE || get (call, x)->constant != NULL || get (call, x)->shape.rank != 2 ||
      !is_constant_matrix (call, matrix) || get_int (call, "transA", 0) != 0)
    return FALSE;
  if (has_operand (call, 2))
    {
      const SymShape *result = &get (call, call->result)->shape;

      if (c == SYM_PLAN_NONE || get (call, c)->constant == NULL ||
          get_float (call, "beta", 1) != 1 || result->rank != 2 ||
          get (call, c)->n != (gsize) result->dims[1] || get (call, c)->shape.rank < 1 ||
          get (call, c)->shape.dims[get (call, c)->shape.rank - 1] != result->dims[1])
        return FALSE;
      bias = get (call, c)->constant;
    }
  return append_product (call, x, matrix, get_int (call, "transB", 0) != 0,
                         get_float (call, "alpha", 1), bias);
}

/* ---- Windows ---- */

/* Strides, dilations and pads, for a kernel whose size is set.  FALSE when they are not as many,
 * not plain, or do not make the result that inference has. */
static gboolean
read_window (const Call *call, SymPlanOp *op)
{
  const SymValue *automatic = sym_attributes_find (call->attributes, "auto_pad");
  const char *how = automatic == NULL ? NULL : sym_value_get_string (automatic);
  const SymShape *x = &get (call, op->x)->shape, *y = &get (call, op->y)->shape;

  if ((automatic != NULL && g_strcmp0 (how, "NOTSET") != 0) || y->rank != 4 ||
      get_int (call, "ceil_mode", 0) != 0 || !get_ints (call, "strides", op->strides, 2, 1) ||
      !get_ints (call, "dilations", op->dilations, 2, 1) ||
      !get_ints (call, "pads", op->pads, 4, 0))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      gint64 room = x->dims[i + 2] + op->pads[i] + op->pads[i + 2];
      gint64 reach = (op->kernel[i] - 1) * op->dilations[i] + 1;

      if (op->kernel[i] < 1 || op->strides[i] < 1 || op->dilations[i] < 1 || op->pads[i] < 0 ||
          op->pads[i + 2] < 0 || room < reach ||
          (room - reach) / op->strides[i] + 1 != y->dims[i + 2])
        return FALSE;
    }
  return y->dims[0] == x->dims[0];
}

static gboolean
has_image (const Call *call, guint x)
{
  return x != SYM_PLAN_NONE && get (call, x)->constant == NULL && get (call, x)->shape.rank == 4;
}

static gboolean
read_convolution (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_CONVOLUTION, need_operand (call, 0));
  guint weights = need_operand (call, 1), bias = need_operand (call, 2);
  const SymPlanTensor *w;

  if (!has_image (call, op.x) || weights == SYM_PLAN_NONE)
    return FALSE;
  w = get (call, weights);
  op.groups = get_int (call, "group", 1);
  if (w->constant == NULL || w->shape.rank != 4 || op.groups < 1)
    return FALSE;
  op.kernel[0] = w->shape.dims[2];
  op.kernel[1] = w->shape.dims[3];
  op.inner = (gsize) w->shape.dims[1] * (gsize) op.groups;
  op.outer = (gsize) w->shape.dims[0];
  if ((gsize) get (call, op.x)->shape.dims[1] != op.inner || op.outer % (gsize) op.groups != 0 ||
      !read_window (call, &op) || (gsize) get (call, op.y)->shape.dims[1] != op.outer)
    return FALSE;
  if (has_operand (call, 2) && (bias == SYM_PLAN_NONE || get (call, bias)->constant == NULL ||
                                get (call, bias)->n != op.outer))
    return FALSE;
  op.weights = w->constant;
  op.scales = new_scales (op.outer, 1);
  op.bias = g_new0 (float, op.outer + 1);
  if (bias != SYM_PLAN_NONE)
    memcpy (op.bias, get (call, bias)->constant, op.outer * sizeof *op.bias);
  return append (call, &op);
}

static gboolean
read_pool (Call *call, gboolean is_maximum)
{
  SymPlanOp op = new_op (call, SYM_PLAN_POOL, need_operand (call, 0));

  if (!has_image (call, op.x) || call->operands.n != 1 ||
      !get_ints (call, "kernel_shape", op.kernel, 2, 0) || !read_window (call, &op))
    return FALSE;
  /* A maximum of nothing, an average with what is outside: rare, and left to the kernel. */
  for (int i = 0; i < 4; i++)
    if (op.pads[i] >= op.kernel[i % 2] ||
        (op.pads[i] > 0 && get_int (call, "count_include_pad", 0) != 0))
      return FALSE;
  if (op.dilations[0] != 1 || op.dilations[1] != 1)
    return FALSE;
  op.is_maximum = is_maximum;
  return append (call, &op);
}

static gboolean
read_maximum (Call *call, SymVectorFunction function)
{
  return read_pool (call, TRUE);
}

static gboolean
read_average (Call *call, SymVectorFunction function)
{
  return read_pool (call, FALSE);
}

static gboolean
read_global_average (Call *call, SymVectorFunction function)
{
  SymPlanOp op = new_op (call, SYM_PLAN_POOL, need_operand (call, 0));

  if (!has_image (call, op.x))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      op.kernel[i] = get (call, op.x)->shape.dims[i + 2];
      op.strides[i] = op.dilations[i] = 1;
    }
  return append (call, &op);
}

/* ---- All ---- */

/* Operators of ONNX. */
static const Reader readers[] = {
  { "Abs", 6, read_unary, sym_vector_absolute },
  { "Add", 7, read_binary, sym_vector_add },
  { "AveragePool", 1, read_average, NULL },
  { "BatchNormalization", 7, read_batch_norm, NULL },
  { "Clip", 6, read_clip, sym_vector_clip },
  { "Conv", 1, read_convolution, NULL },
  { "Div", 7, read_binary, sym_vector_divide },
  { "Dropout", 7, read_view, NULL },
  { "Erf", 9, read_unary, sym_vector_erf },
  { "Exp", 6, read_unary, sym_vector_exp },
  { "Flatten", 1, read_view, NULL },
  { "Gemm", 7, read_gemm, NULL },
  { "GlobalAveragePool", 1, read_global_average, NULL },
  { "Identity", 1, read_view, NULL },
  { "Log", 6, read_unary, sym_vector_log },
  { "MatMul", 1, read_matmul, NULL },
  { "MaxPool", 1, read_maximum, NULL },
  { "Mul", 7, read_binary, sym_vector_multiply },
  { "Neg", 6, read_unary, sym_vector_negate },
  { "Reciprocal", 6, read_unary, sym_vector_reciprocal },
  { "Relu", 6, read_unary, sym_vector_relu },
  { "Reshape", 5, read_view, NULL },
  { "Sigmoid", 6, read_unary, sym_vector_sigmoid },
  { "Sqrt", 6, read_unary, sym_vector_root },
  { "Sub", 7, read_binary, sym_vector_subtract },
  { "Tanh", 6, read_unary, sym_vector_tanh },
};

static const Reader *
find_reader (const SymOperator *op)
{
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (strcmp (readers[i].name, op->name) == 0)
      return &readers[i];
  return NULL;
}

gboolean
sym_plan_graph_read_call (SymPlanGraph *self, SymId id)
{
  const SymModel *model = self->plan->model;
  const SymLayer *layer = sym_model_get_layer (model, id);
  const SymOperator *op = sym_layer_get_operator (layer);
  SymIds results = sym_model_get_results (model, id);
  const Reader *reader = op == NULL || *op->domain != '\0' ? NULL : find_reader (op);
  Call call = { self, sym_layer_get_attributes (layer), op == NULL ? 0 : op->since_version,
                sym_model_get_operands (model, id), SYM_PLAN_NONE };

  if (reader == NULL || op->since_version < reader->since_version || results.n != 1)
    return FALSE;
  call.result = sym_plan_graph_need_tensor (self, results.ids[0]);
  return call.result != SYM_PLAN_NONE && reader->read (&call, reader->function);
}
