/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

/* Of each tensor: the operation that makes it, and how many use it. */
typedef struct {
  guint *makers, *n_uses;
} Uses;

static void
count_use (Uses *uses, guint tensor)
{
  if (tensor != SYM_PLAN_NONE)
    uses->n_uses[tensor]++;
}

static void
count_uses (const SymPlanGraph *graph, Uses *uses)
{
  for (guint i = 0; i < graph->tensors->len; i++)
    {
      uses->makers[i] = SYM_PLAN_NONE;
      uses->n_uses[i] = sym_plan_tensor_is_wanted (sym_plan_graph_get_tensor (graph, i)) ? 1 : 0;
    }
  for (guint i = 0; i < graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (graph, i);

      if (op->is_gone)
        continue;
      uses->makers[op->y] = i;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        count_use (uses, *sym_plan_op_get_operand (op, j));
    }
}

/* The product or convolution that makes the tensor for this one use, and does not yet do more. */
static SymPlanOp *
find_heavy (const SymPlanGraph *graph, const Uses *uses, guint tensor)
{
  SymPlanOp *op;

  if (tensor == SYM_PLAN_NONE || uses->makers[tensor] == SYM_PLAN_NONE || uses->n_uses[tensor] != 1)
    return NULL;
  op = sym_plan_graph_get_op (graph, uses->makers[tensor]);
  return sym_plan_op_is_heavy (op) && op->activation == SYM_PLAN_LINEAR ? op : NULL;
}

/* @into makes what @op made. */
static void
join (Uses *uses, SymPlanOp *into, SymPlanOp *op)
{
  uses->makers[op->y] = uses->makers[into->y];
  into->y = op->y;
  op->is_gone = TRUE;
}

/* ---- Constants ---- */

/* Whether a row of numbers is one for all, or one for each outer number of the operation. */
static gboolean
is_of_outer (const SymPlanGraph *graph, const SymPlanOp *heavy, gsize period, gsize repeat)
{
  const SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, heavy->y);

  if (period <= 1)
    return period == 1;
  if (heavy->kind == SYM_PLAN_PRODUCT || (heavy->kind == SYM_PLAN_BYTES && !heavy->bytes->is_image))
    return period == heavy->outer && repeat == 1;
  return period == heavy->outer &&
         repeat == tensor->n / (gsize) (tensor->shape.dims[0] * tensor->shape.dims[1]);
}

/* A factor or an addend of every channel, or one for all. */
static gboolean
take_constant (const SymPlanGraph *graph, Uses *uses, SymPlanOp *op)
{
  gboolean is_left = op->x_period > 0;
  SymPlanOp *heavy = find_heavy (graph, uses, is_left ? op->other : op->x);
  gsize period = is_left ? op->x_period : op->other_period;
  const float *numbers;

  if (heavy == NULL || heavy->addend != SYM_PLAN_NONE ||
      (is_left ? op->other_period : op->x_period) != 0 ||
      !is_of_outer (graph, heavy, period, is_left ? op->x_repeat : op->other_repeat) ||
      sym_plan_graph_get_tensor (graph, is_left ? op->x : op->other)->constant == NULL)
    return FALSE;
  if (op->function != sym_vector_add && op->function != sym_vector_multiply &&
      ((op->function != sym_vector_subtract && op->function != sym_vector_divide) || is_left))
    return FALSE;
  numbers = sym_plan_graph_get_tensor (graph, is_left ? op->x : op->other)->constant;
  for (gsize i = 0; i < heavy->outer; i++)
    {
      float number = numbers[period == 1 ? 0 : i];

      if (op->function == sym_vector_multiply || op->function == sym_vector_divide)
        {
          float factor = op->function == sym_vector_multiply ? number : 1 / number;

          heavy->scales[i] *= factor;
          heavy->bias[i] *= factor;
        }
      else
        heavy->bias[i] += op->function == sym_vector_add ? number : -number;
    }
  join (uses, heavy, op);
  return TRUE;
}

/* ---- Sums ---- */

/* A sum joins the later one of its makers, for which the other summand is there in time. */
static gboolean
take_addend (const SymPlanGraph *graph, Uses *uses, SymPlanOp *op)
{
  SymPlanOp *left = find_heavy (graph, uses, op->x), *right = find_heavy (graph, uses, op->other);
  guint first = uses->makers[op->x], second;
  gboolean is_left;

  if (op->function != sym_vector_add || op->other == SYM_PLAN_NONE || op->x == op->other ||
      op->x_period > 0 || op->other_period > 0)
    return FALSE;
  /* What comes from outside was made before everything. */
  second = uses->makers[op->other];
  first = first == SYM_PLAN_NONE ? 0 : first + 1;
  second = second == SYM_PLAN_NONE ? 0 : second + 1;
  is_left = first > second;
  left = is_left ? left : right;
  if (left == NULL || left->addend != SYM_PLAN_NONE)
    return FALSE;
  left->addend = is_left ? op->other : op->x;
  join (uses, left, op);
  return TRUE;
}

static gboolean
take_activation (const SymPlanGraph *graph, Uses *uses, SymPlanOp *op)
{
  SymPlanOp *heavy = find_heavy (graph, uses, op->x);

  if (heavy == NULL || op->other != SYM_PLAN_NONE)
    return FALSE;
  if (op->function == sym_vector_relu)
    heavy->activation = SYM_PLAN_RELU;
  else if (op->function == sym_vector_clip)
    heavy->activation = SYM_PLAN_CLIP;
  else if (heavy->kind == SYM_PLAN_CONVOLUTION)
    heavy->activation = SYM_PLAN_FUNCTION;
  else
    return FALSE;
  heavy->function = op->function;
  heavy->p = op->p;
  heavy->q = op->q;
  join (uses, heavy, op);
  return TRUE;
}

void
sym_plan_graph_fuse (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new (guint, self->tensors->len + 1);
  Uses uses = { makers, n_uses };

  count_uses (self, &uses);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->kind == SYM_PLAN_ELEMENTWISE && !op->is_gone && !take_constant (self, &uses, op) &&
          !take_addend (self, &uses, op))
        take_activation (self, &uses, op);
    }
}
