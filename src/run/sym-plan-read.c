/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <math.h>
#include <string.h>

static gboolean
read_unary (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op =
      sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, sym_plan_call_need_operand (call, 0));

  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->constant != NULL)
    return FALSE;
  op.function = function;
  return sym_plan_call_append (call, &op);
}

/* ---- Two operands ---- */

/* The pattern of an operand that is broadcast: axes of one element, axes like those of the result,
 * and axes of one element again.  FALSE when there are more groups than these. */
static gboolean
find_pattern (const SymShape *shape, const SymShape *result, gsize *period, gsize *repeat)
{
  int skipped = result->rank - shape->rank, axis = result->rank - 1;

  *period = *repeat = 1;
  for (; axis >= skipped && shape->dims[axis - skipped] == 1; axis--)
    *repeat *= (gsize) result->dims[axis];
  for (; axis >= skipped && shape->dims[axis - skipped] == result->dims[axis]; axis--)
    *period *= (gsize) result->dims[axis];
  for (; axis >= skipped; axis--)
    if (shape->dims[axis - skipped] != 1)
      return FALSE;
  return TRUE;
}

/* How often the operand repeats along the result; FALSE when that is no simple pattern. */
static gboolean
find_period (const SymPlanCall *call, guint operand, guint y, gsize *period, gsize *repeat)
{
  const SymPlanTensor *tensor = sym_plan_call_get (call, operand);
  const SymPlanTensor *result = sym_plan_call_get (call, y);

  *period = *repeat = 0;
  if (sym_shape_equal (&tensor->shape, &result->shape))
    return TRUE;
  *period = 1;
  *repeat = result->n;
  if (tensor->n == 1)
    return TRUE;
  return tensor->shape.rank <= result->shape.rank &&
         find_pattern (&tensor->shape, &result->shape, period, repeat);
}

gboolean
sym_plan_call_append_binary (SymPlanCall *call,
                             SymVectorFunction function,
                             guint x,
                             guint other,
                             guint y)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, x);
  SymShape shape = sym_plan_call_get (call, y)->shape;

  op.y = y;
  op.other = other;
  op.function = function;
  if (!find_period (call, op.x, y, &op.x_period, &op.x_repeat))
    {
      op.x = sym_plan_call_expand (call, op.x, &shape);
      op.x_period = op.x_repeat = 0;
    }
  if (!find_period (call, op.other, y, &op.other_period, &op.other_repeat))
    {
      op.other = sym_plan_call_expand (call, op.other, &shape);
      op.other_period = op.other_repeat = 0;
    }
  return sym_plan_call_append (call, &op);
}

static gboolean
read_binary (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), other = sym_plan_call_need_operand (call, 1);

  if (x == SYM_PLAN_NONE || other == SYM_PLAN_NONE ||
      (sym_plan_call_get (call, x)->constant != NULL &&
       sym_plan_call_get (call, other)->constant != NULL))
    return FALSE;
  return sym_plan_call_append_binary (call, function, x, other, call->result);
}

/* One operand and a number. */
static gboolean
append_with_number (SymPlanCall *call, guint x, SymVectorFunction function, float number)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, x);

  op.function = function;
  op.p = number;
  return sym_plan_call_append (call, &op);
}

/* Constant exponents that need no power. */
static gboolean
read_power (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), exponent = sym_plan_call_need_operand (call, 1);
  const SymPlanTensor *tensor;

  if (x == SYM_PLAN_NONE || exponent == SYM_PLAN_NONE)
    return FALSE;
  tensor = sym_plan_call_get (call, exponent);
  if (tensor->constant == NULL || tensor->n != 1 || sym_plan_call_get (call, x)->constant != NULL ||
      !sym_shape_equal (&sym_plan_call_get (call, x)->shape,
                        &sym_plan_call_get (call, call->result)->shape))
    return read_binary (call, function);
  if (*tensor->constant == 2)
    return append_with_number (call, x, sym_vector_square, 0);
  if (*tensor->constant == 3)
    return append_with_number (call, x, sym_vector_cube, 0);
  if (*tensor->constant == 0.5f)
    return append_with_number (call, x, sym_vector_root, 0);
  return append_with_number (call, x, sym_vector_power_of_all, *tensor->constant);
}

static gboolean
read_leaky (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0);

  if (x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL)
    return FALSE;
  return append_with_number (call, x, function,
                             (float) sym_plan_call_get_float (call, "alpha", 0.01));
}

/* A slope for all is a number. */
static gboolean
read_slopes (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), slopes = sym_plan_call_need_operand (call, 1);

  if (x == SYM_PLAN_NONE || slopes == SYM_PLAN_NONE ||
      sym_plan_call_get (call, x)->constant != NULL)
    return FALSE;
  if (sym_plan_call_get (call, slopes)->constant == NULL ||
      sym_plan_call_get (call, slopes)->n != 1)
    return read_binary (call, function);
  return append_with_number (call, x, sym_vector_leaky,
                             *sym_plan_call_get (call, slopes)->constant);
}

/* ---- Others of one element ---- */

static gboolean
read_bound (const SymPlanCall *call, guint i, float *bound)
{
  guint operand = sym_plan_call_need_operand (call, i);

  if (!sym_plan_call_has_operand (call, i))
    return TRUE;
  if (operand == SYM_PLAN_NONE || sym_plan_call_get (call, operand)->constant == NULL ||
      sym_plan_call_get (call, operand)->n != 1)
    return FALSE;
  *bound = *sym_plan_call_get (call, operand)->constant;
  return TRUE;
}

/* Bounds are attributes before version 11. */
static gboolean
read_clip (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op =
      sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, sym_plan_call_need_operand (call, 0));

  op.p = (float) sym_plan_call_get_float (call, "min", -INFINITY);
  op.q = (float) sym_plan_call_get_float (call, "max", INFINITY);
  op.function = function;
  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->constant != NULL ||
      !read_bound (call, 1, &op.p) || !read_bound (call, 2, &op.q) || !(op.p <= op.q))
    return FALSE;
  return sym_plan_call_append (call, &op);
}

/* Whether a norm takes the means of its data: before version 14, one that tells them. */
static gboolean
is_training (const SymPlanCall *call)
{
  return sym_plan_call_get_int (call, "training_mode", 0) != 0 ||
         sym_plan_call_get_int (call, "is_test", 1) != 1 ||
         (call->version < 14 && call->results.n > 1);
}

/* As two operations, y = x * factor + term of each channel; `scale`, `bias`, `mean`, `variance`. */
static gboolean
read_batch_norm (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op =
      sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, sym_plan_call_need_operand (call, 0));
  double epsilon = sym_plan_call_get_float (call, "epsilon", 1e-5);
  const float *numbers[4];
  float *factors, *terms;
  gsize n;

  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->shape.rank < 2 ||
      is_training (call) || sym_plan_call_get_int (call, "spatial", 1) != 1)
    return FALSE;
  n = (gsize) sym_plan_call_get (call, op.x)->shape.dims[1];
  for (guint i = 0; i < 4; i++)
    {
      guint operand = sym_plan_call_need_operand (call, i + 1);

      if (operand == SYM_PLAN_NONE || sym_plan_call_get (call, operand)->n != n)
        return FALSE;
      numbers[i] = sym_plan_call_get (call, operand)->constant;
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
  op.other_repeat = sym_plan_call_get (call, op.x)->n /
                    ((gsize) sym_plan_call_get (call, op.x)->shape.dims[0] * n);
  op.function = sym_vector_multiply;
  op.y = sym_plan_graph_add_tensor (call->graph, op.x);
  op.other = sym_plan_graph_add_tensor (call->graph, op.x);
  sym_plan_graph_get_tensor (call->graph, op.other)->constant = factors;
  sym_plan_call_append (call, &op);
  op.function = sym_vector_add;
  op.x = op.y;
  op.y = call->result;
  op.other = sym_plan_graph_add_tensor (call->graph, op.x);
  sym_plan_graph_get_tensor (call->graph, op.other)->constant = terms;
  return sym_plan_call_append (call, &op);
}

static gboolean
read_view (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_VIEW, sym_plan_call_need_operand (call, 0));
  const SymPlanOp *view;

  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->constant != NULL ||
      sym_plan_call_get (call, op.x)->n != sym_plan_call_get (call, op.y)->n ||
      sym_plan_call_get_int (call, "training_mode", 0) != 0)
    return FALSE;
  /* A view back is one of what was there before, which may then stay in its order. */
  view = sym_plan_call_find_maker (call, op.x, SYM_PLAN_VIEW);
  if (view != NULL && sym_shape_equal (&sym_plan_call_get (call, view->x)->shape,
                                       &sym_plan_call_get (call, op.y)->shape))
    op.x = view->x;
  return sym_plan_call_append (call, &op);
}

/* The first of a constant's numbers, of whichever dtype; NULL when it is none. */
static const void *
find_number (const SymPlanCall *call, guint i, SymDType dtype)
{
  const SymDatum *datum = sym_plan_call_has_operand (call, i)
                              ? call->graph->plan->constants[call->operands.ids[i]]
                              : NULL;
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  return array == NULL || array->dtype != dtype || sym_array_get_n_elements (array) != 1
             ? NULL
             : array->data;
}

/* What it drops while training, it keeps now; a share of 0 is nothing. */
static gboolean
read_dropout (SymPlanCall *call, SymVectorFunction function)
{
  const float *share = find_number (call, 1, SYM_DTYPE_FLOAT32);
  const guint8 *is_training = find_number (call, 2, SYM_DTYPE_BOOL);

  if (sym_plan_call_has_operand (call, 2) && (is_training == NULL || *is_training != 0) &&
      (share == NULL || *share != 0))
    return FALSE;
  return read_view (call, function);
}

/* ---- All ---- */

/* Operators of ONNX. */
static const SymPlanReader readers[] = {
  { "Abs", 6, read_unary, sym_vector_absolute },
  { "Add", 7, read_binary, sym_vector_add },
  { "BatchNormalization", 7, read_batch_norm, NULL },
  { "Ceil", 6, read_unary, sym_vector_ceiling },
  { "Clip", 6, read_clip, sym_vector_clip },
  { "Cos", 7, read_unary, sym_vector_cosine },
  { "Div", 7, read_binary, sym_vector_divide },
  { "Dropout", 7, read_dropout, NULL },
  { "Erf", 9, read_unary, sym_vector_erf },
  { "Exp", 6, read_unary, sym_vector_exp },
  { "Flatten", 1, read_view, NULL },
  { "Floor", 6, read_unary, sym_vector_floor },
  { "Identity", 1, read_view, NULL },
  { "LeakyRelu", 6, read_leaky, sym_vector_leaky },
  { "Log", 6, read_unary, sym_vector_log },
  { "Mul", 7, read_binary, sym_vector_multiply },
  { "Neg", 6, read_unary, sym_vector_negate },
  { "PRelu", 7, read_slopes, sym_vector_slope },
  { "Pow", 7, read_power, sym_vector_power },
  { "Reciprocal", 6, read_unary, sym_vector_reciprocal },
  { "Relu", 6, read_unary, sym_vector_relu },
  { "Reshape", 5, read_view, NULL },
  { "Round", 11, read_unary, sym_vector_round },
  { "Sigmoid", 6, read_unary, sym_vector_sigmoid },
  { "Sign", 9, read_unary, sym_vector_sign },
  { "Sin", 7, read_unary, sym_vector_sine },
  { "Sqrt", 6, read_unary, sym_vector_root },
  { "Squeeze", 1, read_view, NULL },
  { "Sub", 7, read_binary, sym_vector_subtract },
  { "Tanh", 6, read_unary, sym_vector_tanh },
  { "Unsqueeze", 1, read_view, NULL },
};

static const SymPlanReader *
find_in (const SymPlanReader *table, gsize n, const char *name)
{
  for (gsize i = 0; i < n && table[i].name != NULL; i++)
    if (strcmp (table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

static const SymPlanReader *
find_reader (const SymOperator *op)
{
  const SymPlanReader *const others[] = {
    sym_plan_activation_readers, sym_plan_attention_readers, sym_plan_block_readers,
    sym_plan_byte_readers,       sym_plan_cache_readers,     sym_plan_choice_readers,
    sym_plan_move_readers,       sym_plan_norm_readers,      sym_plan_product_readers,
    sym_plan_recurrent_readers,  sym_plan_resize_readers,    sym_plan_rotary_readers,
    sym_plan_row_readers,        sym_plan_sample_readers,    sym_plan_window_readers,
  };
  const SymPlanReader *reader = find_in (readers, G_N_ELEMENTS (readers), op->name);

  for (guint i = 0; reader == NULL && i < G_N_ELEMENTS (others); i++)
    reader = find_in (others[i], G_MAXSIZE, op->name);
  return reader;
}

/* Results that nobody needs are not made, whatever they are. */
static gboolean
can_make_results (const SymPlanCall *call, const SymPlanReader *reader)
{
  for (guint i = 0; i < call->results.n; i++)
    if (sym_plan_call_needs_result (call, i) &&
        (sym_plan_graph_need_tensor (call->graph, call->results.ids[i]) == SYM_PLAN_NONE ||
         (i > 0 && !reader->makes_several)))
      return FALSE;
  return call->result != SYM_PLAN_NONE || reader->makes_several;
}

/* Of ONNX, and of our own. */
static gboolean
is_readable (const SymOperator *op)
{
  return *op->domain == '\0' || strcmp (op->domain, "symscope") == 0;
}

/* What can never be computed would keep all that is compiled with it from running.  What comes of a
 * contradiction may be of another type than was found. */
static gboolean
is_lost (const SymPlanCall *call)
{
  for (guint i = 0; i < call->results.n; i++)
    if (call->results.ids[i] != SYM_NO_ID && call->graph->plan->doubted[call->results.ids[i]])
      return TRUE;
  for (guint i = 0; i < call->operands.n; i++)
    if (call->operands.ids[i] != SYM_NO_ID &&
        call->graph->plan->obstacles[call->operands.ids[i]] != NULL)
      return TRUE;
  return FALSE;
}

gboolean
sym_plan_graph_read_call (SymPlanGraph *self, SymId id)
{
  const SymModel *model = self->plan->model;
  const SymLayer *layer = sym_model_get_layer (model, id);
  const SymOperator *op = sym_layer_get_operator (layer);
  const SymPlanReader *reader = op == NULL || !is_readable (op) ? NULL : find_reader (op);
  SymPlanCall call = { self,
                       sym_layer_get_attributes (layer),
                       op == NULL ? 0 : op->since_version,
                       sym_model_get_operands (model, id),
                       sym_model_get_results (model, id),
                       SYM_PLAN_NONE };

  if (reader == NULL || op->since_version < reader->since_version || call.results.n == 0 ||
      is_lost (&call))
    return FALSE;
  call.result = sym_plan_graph_need_tensor (self, call.results.ids[0]);
  return can_make_results (&call, reader) && reader->read (&call, reader->function);
}
