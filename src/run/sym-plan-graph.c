/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

gboolean
sym_plan_op_is_depthwise (const SymPlanOp *self)
{
  return self->groups > 1 && (gsize) self->groups == self->inner && self->inner == self->outer;
}

gboolean
sym_plan_op_is_heavy (const SymPlanOp *self)
{
  return self->kind == SYM_PLAN_PRODUCT || self->kind == SYM_PLAN_CONVOLUTION ||
         self->kind == SYM_PLAN_VOLUME || self->kind == SYM_PLAN_BYTES;
}

static void
clear_op (gpointer data)
{
  SymPlanOp *op = data;

  g_free (op->scales);
  g_free (op->bias);
}

SymPlanGraph *
sym_plan_graph_new (SymPlan *plan, const SymInference *inference)
{
  SymPlanGraph *self = g_new0 (SymPlanGraph, 1);

  self->plan = plan;
  self->inference = inference;
  self->tensors = g_array_new (FALSE, TRUE, sizeof (SymPlanTensor));
  self->ops = g_array_new (FALSE, TRUE, sizeof (SymPlanOp));
  g_array_set_clear_func (self->ops, clear_op);
  self->numbers = g_hash_table_new (NULL, NULL);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->fixed = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

void
sym_plan_graph_free (SymPlanGraph *self)
{
  g_array_unref (self->tensors);
  g_array_unref (self->ops);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->fixed);
  g_free (self);
}

gboolean
sym_plan_tensor_is_wanted (const SymPlanTensor *self)
{
  return self->is_output || self->is_watched;
}

SymPlanTensor *
sym_plan_graph_get_tensor (const SymPlanGraph *self, guint tensor)
{
  g_assert (tensor < self->tensors->len);
  return &g_array_index (self->tensors, SymPlanTensor, tensor);
}

SymPlanOp *
sym_plan_graph_get_op (const SymPlanGraph *self, guint op)
{
  g_assert (op < self->ops->len);
  return &g_array_index (self->ops, SymPlanOp, op);
}

static gboolean
is_known (SymDType dtype)
{
  return dtype == SYM_DTYPE_FLOAT32 || dtype == SYM_DTYPE_INT32 || dtype == SYM_DTYPE_INT64 ||
         dtype == SYM_DTYPE_BOOL;
}

/* The numbers of a constant decide its type, inference that of all others. */
static gboolean
find_type (const SymPlanGraph *self, SymId value, SymPlanTensor *tensor)
{
  SymDatum *datum = self->plan->constants[value];
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);
  SymType type = sym_inference_get_type (self->inference, value);
  const float *place = sym_plan_late_get_place (self->plan, value);
  guint64 n;

  if (datum != NULL && array == NULL)
    return FALSE;
  if (array != NULL)
    type = sym_type_tensor (array->dtype, array->shape);
  else if (place != NULL)
    type = sym_type_tensor (
        SYM_DTYPE_FLOAT32, *sym_tensor_get_shape (sym_model_get_tensor (self->plan->model, value)));
  else if (self->n_examples > 0 && type.shape.rank > 0 && type.shape.dims[0] < 0)
    type.shape.dims[0] = (gint64) self->n_examples;
  if (type.kind != SYM_KIND_TENSOR || !is_known (type.dtype) || type.shape.rank < 0 ||
      !sym_shape_get_n_elements (&type.shape, &n) || n == 0 || n > G_MAXINT32)
    return FALSE;
  tensor->dtype = type.dtype;
  tensor->shape = type.shape;
  tensor->n = (gsize) n;
  tensor->constant = array == NULL ? place : array->data;
  return TRUE;
}

static guint
need_any (SymPlanGraph *self, SymId value)
{
  SymPlanTensor tensor = { .value = value, .twin = SYM_PLAN_NONE, .root = self->tensors->len };
  guint known;

  if (value == SYM_NO_ID)
    return SYM_PLAN_NONE;
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, GUINT_TO_POINTER (value + 1)));
  if (known > 0)
    return known - 1;
  if (!find_type (self, value, &tensor))
    return SYM_PLAN_NONE;
  g_array_append_val (self->tensors, tensor);
  g_hash_table_insert (self->numbers, GUINT_TO_POINTER (value + 1),
                       GUINT_TO_POINTER (self->tensors->len));
  return self->tensors->len - 1;
}

guint
sym_plan_graph_need_tensor (SymPlanGraph *self, SymId value)
{
  guint tensor = need_any (self, value);

  if (tensor == SYM_PLAN_NONE ||
      sym_plan_graph_get_tensor (self, tensor)->dtype != SYM_DTYPE_FLOAT32)
    return SYM_PLAN_NONE;
  return tensor;
}

guint
sym_plan_graph_need_raw (SymPlanGraph *self, SymId value)
{
  guint tensor = need_any (self, value);

  if (tensor == SYM_PLAN_NONE ||
      sym_plan_graph_get_tensor (self, tensor)->dtype == SYM_DTYPE_FLOAT32)
    return SYM_PLAN_NONE;
  return tensor;
}

guint
sym_plan_graph_need_indices (SymPlanGraph *self, SymId value)
{
  guint tensor = sym_plan_graph_need_raw (self, value);

  if (tensor == SYM_PLAN_NONE || sym_plan_graph_get_tensor (self, tensor)->dtype == SYM_DTYPE_BOOL)
    return SYM_PLAN_NONE;
  return tensor;
}

guint *
sym_plan_op_get_operand (SymPlanOp *op, guint i)
{
  guint *const operands[SYM_PLAN_N_OPERANDS] = { &op->x, &op->other, &op->third, &op->addend,
                                                 &op->fourth };

  return operands[i];
}

SymPlanGrid *
sym_plan_graph_add_grids (SymPlanGraph *self, gsize n)
{
  SymPlanGrid *grids = g_new0 (SymPlanGrid, n);

  g_ptr_array_add (self->blocks, grids);
  return grids;
}

const SymPlanAxis *
sym_plan_graph_add_axes (SymPlanGraph *self, const SymPlanAxis *axes)
{
  SymPlanAxis *copy = g_memdup2 (axes, SYM_PLAN_AXES * sizeof *axes);

  g_ptr_array_add (self->blocks, copy);
  return copy;
}

guint
sym_plan_graph_add_tensor (SymPlanGraph *self, guint like)
{
  SymPlanTensor tensor = *sym_plan_graph_get_tensor (self, like);

  tensor.value = SYM_NO_ID;
  tensor.constant = NULL;
  tensor.is_input = tensor.is_output = tensor.is_watched = FALSE;
  tensor.maker = 0;
  tensor.twin = SYM_PLAN_NONE;
  tensor.root = self->tensors->len;
  g_array_append_val (self->tensors, tensor);
  return self->tensors->len - 1;
}

float *
sym_plan_graph_add_block (SymPlanGraph *self, gsize n)
{
  float *block = g_new (float, n + 1);

  g_ptr_array_add (self->blocks, block);
  return block;
}

/* Calls that the plan makes of those that use a value. */
static guint
count_consumers (const SymPlan *plan, SymId value)
{
  SymIds calls = sym_model_get_consumers (plan->model, value);
  guint n = 0;

  for (guint i = 0; i < calls.n; i++)
    {
      SymIds results = sym_model_get_results (plan->model, calls.ids[i]);
      gboolean is_planned = FALSE;

      for (guint j = 0; j < results.n; j++)
        is_planned = is_planned || plan->makers[results.ids[j]] != SYM_PLAN_FOREVER;
      n += is_planned ? 1 : 0;
    }
  return n;
}

/* The value whose numbers are the weights of the operation as they are; SYM_NO_ID for none. */
static SymId
find_weights (const SymPlanGraph *self, const SymPlanOp *op)
{
  const SymPlanTensor *tensor;

  if (op->kind == SYM_PLAN_BYTES)
    return op->bytes->from;
  if (op->weights == NULL)
    return SYM_NO_ID;
  tensor = sym_plan_graph_get_tensor (self, op->weights_from);
  return tensor->constant == op->weights ? tensor->value : SYM_NO_ID;
}

/* Zeros in place of what cannot be read: they are not computed with. */
static const float *
fail (SymPlanGraph *self, gsize n)
{
  self->plan->late.has_failed = TRUE;
  return memset (sym_plan_graph_add_block (self, n), 0, n * sizeof (float));
}

static void
settle (SymPlanGraph *self, guint number, GCancellable *cancellable)
{
  SymPlanTensor *tensor = number == SYM_PLAN_NONE ? NULL : sym_plan_graph_get_tensor (self, number);
  SymDatum *datum;

  if (tensor == NULL || tensor->value == SYM_NO_ID ||
      !sym_plan_late_waits (self->plan, tensor->value))
    return;
  sym_plan_late_settle (self->plan, tensor->value, cancellable);
  datum = self->plan->constants[tensor->value];
  tensor->constant = datum == NULL ? fail (self, tensor->n) : sym_datum_get_array (datum)->data;
}

void
sym_plan_graph_bring (SymPlanGraph *self, SymPlanOp *op, GCancellable *cancellable)
{
  SymId value = op->kind == SYM_PLAN_BYTES ? SYM_NO_ID : find_weights (self, op);

  for (guint i = 0; i < SYM_PLAN_N_OPERANDS; i++)
    settle (self, *sym_plan_op_get_operand (op, i), cancellable);
  if (value == SYM_NO_ID || op->weights != sym_plan_late_get_place (self->plan, value))
    return;
  op->weights = sym_plan_late_read (self->plan, value, cancellable);
  op->lends_weights = op->weights != NULL;
  if (op->lends_weights)
    return;
  settle (self, op->weights_from, cancellable);
  op->weights = sym_plan_graph_get_tensor (self, op->weights_from)->constant;
}

gboolean
sym_plan_graph_shares_weights (const SymPlanGraph *self, const SymPlanOp *op)
{
  SymId value = op->kind == SYM_PLAN_BYTES ? SYM_NO_ID : find_weights (self, op);

  return value != SYM_NO_ID && self->plan->constants[value] != NULL &&
         count_consumers (self->plan, value) > 1;
}

void
sym_plan_graph_let_weights_go (SymPlanGraph *self, const SymPlanOp *op)
{
  SymPlan *plan = self->plan;
  SymId value = find_weights (self, op);

  if (value == SYM_NO_ID || plan->constants[value] == NULL ||
      plan->last_uses[value] == SYM_PLAN_FOREVER || plan->watched[value] ||
      count_consumers (plan, value) != 1)
    return;
  plan->n_weight_bytes -= sym_array_get_n_bytes (sym_datum_get_array (plan->constants[value]));
  g_clear_pointer (&plan->constants[value], sym_datum_unref);
}
