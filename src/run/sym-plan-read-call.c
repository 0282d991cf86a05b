/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

const SymPlanTensor *
sym_plan_call_get (const SymPlanCall *call, guint tensor)
{
  return sym_plan_graph_get_tensor (call->graph, tensor);
}

gboolean
sym_plan_call_has_operand (const SymPlanCall *call, guint i)
{
  return i < call->operands.n && call->operands.ids[i] != SYM_NO_ID;
}

guint
sym_plan_call_need_operand (const SymPlanCall *call, guint i)
{
  if (!sym_plan_call_has_operand (call, i))
    return SYM_PLAN_NONE;
  return sym_plan_graph_need_tensor (call->graph, call->operands.ids[i]);
}

gboolean
sym_plan_call_is_empty (const SymPlanCall *call, guint i)
{
  SymId value = sym_plan_call_has_operand (call, i) ? call->operands.ids[i] : SYM_NO_ID;
  const SymDatum *datum = value == SYM_NO_ID ? NULL : call->graph->plan->constants[value];
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);
  SymType type;
  guint64 n;

  if (value == SYM_NO_ID || (datum != NULL && array == NULL))
    return FALSE;
  if (array != NULL)
    return sym_array_get_n_elements (array) == 0;
  type = sym_inference_get_type (call->graph->inference, value);
  return type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 &&
         sym_shape_get_n_elements (&type.shape, &n) && n == 0;
}

gboolean
sym_plan_call_needs_result (const SymPlanCall *call, guint i)
{
  const SymPlan *plan = call->graph->plan;
  SymId value = i < call->results.n ? call->results.ids[i] : SYM_NO_ID;

  return value != SYM_NO_ID && (sym_model_get_consumers (plan->model, value).n > 0 ||
                                plan->last_uses[value] == SYM_PLAN_FOREVER || plan->watched[value]);
}

guint
sym_plan_call_need_result (const SymPlanCall *call, guint i)
{
  return sym_plan_call_needs_result (call, i)
             ? sym_plan_graph_need_tensor (call->graph, call->results.ids[i])
             : SYM_PLAN_NONE;
}

/* ---- Attributes ---- */

gint64
sym_plan_call_get_int (const SymPlanCall *call, const char *name, gint64 fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  if (value != NULL)
    sym_value_get_int (value, &fallback);
  return fallback;
}

double
sym_plan_call_get_float (const SymPlanCall *call, const char *name, double fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  if (value != NULL)
    sym_value_get_float (value, &fallback);
  return fallback;
}

gboolean
sym_plan_call_get_ints (const SymPlanCall *call,
                        const char *name,
                        gint64 *values,
                        int n,
                        gint64 fallback)
{
  const SymValue *value = sym_attributes_find (call->attributes, name);

  for (int i = 0; i < n; i++)
    values[i] = fallback;
  return value == NULL || sym_value_get_ints (value, values, n) == n;
}

/* The numbers of a constant of integers. */
static int
read_integers (const SymArray *array, gint64 *values, int max)
{
  gsize n = sym_array_get_n_elements (array);

  if (array->dtype != SYM_DTYPE_INT64 && array->dtype != SYM_DTYPE_INT32)
    return -1;
  if (n > (gsize) max)
    return -1;
  for (gsize i = 0; i < n; i++)
    values[i] = array->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) array->data)[i]
                                                : ((const gint32 *) array->data)[i];
  return (int) n;
}

int
sym_plan_call_get_list (const SymPlanCall *call,
                        const char *name,
                        guint operand,
                        gint64 *values,
                        int max)
{
  const SymValue *value = name == NULL ? NULL : sym_attributes_find (call->attributes, name);
  SymDatum *datum;
  int n;

  if (value != NULL)
    return sym_value_get_ints (value, values, max);
  if (!sym_plan_call_has_operand (call, operand))
    return -1;
  datum = call->graph->plan->constants[call->operands.ids[operand]];
  if (datum == NULL || sym_datum_get_array (datum) == NULL)
    return -1;
  n = read_integers (sym_datum_get_array (datum), values, max);
  if (n >= 0)
    g_array_append_val (call->graph->fixed, call->operands.ids[operand]);
  return n;
}

int
sym_plan_call_find_axis (gint64 axis, int rank)
{
  if (axis < -rank || axis >= rank)
    return -1;
  return (int) (axis < 0 ? axis + rank : axis);
}

/* ---- Operations ---- */

SymPlanOp
sym_plan_call_new_op (const SymPlanCall *call, SymPlanOpKind kind, guint x)
{
  return (SymPlanOp){
    .kind = kind,
    .x = x,
    .y = call->result,
    .other = SYM_PLAN_NONE,
    .addend = SYM_PLAN_NONE,
    .third = SYM_PLAN_NONE,
    .fourth = SYM_PLAN_NONE,
  };
}

static void
mark_use (const SymPlanCall *call, guint tensor)
{
  SymPlanTensor *operand;

  if (tensor == SYM_PLAN_NONE)
    return;
  operand = sym_plan_graph_get_tensor (call->graph, tensor);
  if (operand->constant == NULL && !operand->is_made)
    operand->is_input = TRUE;
}

gboolean
sym_plan_call_append (SymPlanCall *call, const SymPlanOp *op)
{
  SymPlanOp copy = *op;

  for (guint i = 0; i < SYM_PLAN_N_OPERANDS; i++)
    mark_use (call, *sym_plan_op_get_operand (&copy, i));
  sym_plan_graph_get_tensor (call->graph, op->y)->is_made = TRUE;
  g_array_append_vals (call->graph->ops, op, 1);
  sym_plan_graph_get_tensor (call->graph, op->y)->maker = call->graph->ops->len;
  return TRUE;
}

const SymPlanOp *
sym_plan_call_find_maker (const SymPlanCall *call, guint tensor, SymPlanOpKind kind)
{
  guint maker = sym_plan_call_get (call, tensor)->maker;
  const SymPlanOp *op = maker == 0 ? NULL : sym_plan_graph_get_op (call->graph, maker - 1);

  return op == NULL || op->kind != kind ? NULL : op;
}

guint
sym_plan_call_add_tensor (const SymPlanCall *call, const SymShape *shape)
{
  SymPlanTensor tensor = { .value = SYM_NO_ID,
                           .dtype = SYM_DTYPE_FLOAT32,
                           .shape = *shape,
                           .twin = SYM_PLAN_NONE,
                           .root = call->graph->tensors->len };
  guint64 n = 0;

  sym_shape_get_n_elements (shape, &n);
  tensor.n = (gsize) n;
  g_array_append_val (call->graph->tensors, tensor);
  return call->graph->tensors->len - 1;
}

guint
sym_plan_call_append_move (SymPlanCall *call,
                           guint x,
                           const SymPlanGrid *from,
                           const SymShape *shape)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MOVE, x);

  op.y = sym_plan_call_add_tensor (call, shape);
  op.grids = sym_plan_graph_add_grids (call->graph, 2);
  op.grids[0] = *from;
  sym_plan_grid_init_sizes (&op.grids[1], from->rank, from->sizes);
  sym_plan_call_append (call, &op);
  return op.y;
}

guint
sym_plan_call_expand (SymPlanCall *call, guint x, const SymShape *shape)
{
  SymPlanGrid from;

  sym_plan_grid_spread (&from, &sym_plan_call_get (call, x)->shape, shape);
  return sym_plan_call_append_move (call, x, &from, shape);
}
