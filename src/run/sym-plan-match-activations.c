/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

#include <math.h>

/* Activations that are written out: products of a tensor and functions of it. */

typedef struct {
  SymPlanGraph *graph;
  guint *makers, *n_uses; /* of each tensor the operation that makes it, and how many use it */
} Match;

static const SymPlanTensor *
get (const Match *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor);
}

/* The elementwise operation that makes the tensor; NULL for none. */
static SymPlanOp *
find_maker (const Match *self, guint tensor)
{
  SymPlanOp *op;

  if (tensor == SYM_PLAN_NONE || self->makers[tensor] == SYM_PLAN_NONE)
    return NULL;
  op = sym_plan_graph_get_op (self->graph, self->makers[tensor]);
  return op->kind == SYM_PLAN_ELEMENTWISE ? op : NULL;
}

/* The same, when it is that function and nobody else needs the tensor. */
static SymPlanOp *
find_own (const Match *self, guint tensor, SymVectorFunction function)
{
  SymPlanOp *op = find_maker (self, tensor);

  return op == NULL || op->function != function || self->n_uses[tensor] != 1 ? NULL : op;
}

/* The constant that an operation of two operands has, and the tensor that it is joined with. */
static gboolean
find_number (const Match *self, const SymPlanOp *op, guint *rest, float *number)
{
  for (guint i = 0; i < 2; i++)
    {
      guint tensor = i == 0 ? op->other : op->x;

      if (tensor == SYM_PLAN_NONE || get (self, tensor)->constant == NULL ||
          get (self, tensor)->n != 1)
        continue;
      *rest = i == 0 ? op->x : op->other;
      *number = *get (self, tensor)->constant;
      return get (self, *rest)->n == get (self, op->y)->n;
    }
  return FALSE;
}

static gboolean
is_near (float a, double b)
{
  return fabs ((double) a - b) <= 1e-5 * fabs (b);
}

/* ---- Products ---- */

/* A product as a number and tensors of its shape. */
#define MOST 4

typedef struct {
  float number;
  guint factors[MOST];
  guint n;
} Product;

/* The factors of a product whose parts are for nobody else; one that is no product is a factor. */
static gboolean
find_factors (const Match *self, const SymPlanOp *op, Product *product)
{
  guint waiting[MOST], n_waiting = 0;

  *product = (Product){ .number = 1 };
  for (;;)
    {
      gboolean is_division = op->function == sym_vector_divide;
      guint parts[2] = { op->x, op->other };
      float number;

      if (find_number (self, op, &parts[0], &number))
        {
          if (is_division && parts[0] != op->x)
            return FALSE;
          product->number *= is_division ? 1 / number : number;
          parts[1] = SYM_PLAN_NONE;
        }
      else if (is_division || op->x_period != 0 || op->other_period != 0)
        return FALSE;
      for (guint i = 0; i < 2; i++)
        {
          const SymPlanOp *maker = find_own (self, parts[i], sym_vector_multiply);

          if (maker == NULL)
            maker = find_own (self, parts[i], sym_vector_divide);
          if (parts[i] == SYM_PLAN_NONE)
            continue;
          if (maker != NULL && n_waiting < MOST)
            waiting[n_waiting++] = parts[i];
          else if (product->n < MOST)
            product->factors[product->n++] = parts[i];
          else
            return FALSE;
        }
      if (n_waiting == 0)
        return TRUE;
      op = find_maker (self, waiting[--n_waiting]);
    }
}

/* The number that a tensor is @x times, 0 for none. */
static float
find_multiple (const Match *self, guint tensor, guint x)
{
  const SymPlanOp *op = find_maker (self, tensor);
  Product product;

  if (tensor == x)
    return 1;
  if (op == NULL || (op->function != sym_vector_multiply && op->function != sym_vector_divide) ||
      self->n_uses[tensor] != 1 || !find_factors (self, op, &product) || product.n != 1 ||
      product.factors[0] != x)
    return 0;
  return product.number;
}

/* What is added to a number. */
static guint
find_more (const Match *self, guint tensor, double number)
{
  const SymPlanOp *op = find_own (self, tensor, sym_vector_add);
  float found;
  guint rest;

  if (op == NULL || !find_number (self, op, &rest, &found) || !is_near (found, number))
    return SYM_PLAN_NONE;
  return rest;
}

/* ---- Functions ---- */

/* Whether the tensor is sqrt (2 / pi) (x + 0.044715 x^3). */
static gboolean
is_bent (const Match *self, guint tensor, guint x)
{
  const SymPlanOp *op = find_maker (self, tensor), *sum, *cube;
  Product product;
  guint third;

  if (op == NULL || (op->function != sym_vector_multiply && op->function != sym_vector_divide) ||
      !find_factors (self, op, &product) || product.n != 1 ||
      !is_near (product.number, sqrt (2 / G_PI)))
    return FALSE;
  sum = find_own (self, product.factors[0], sym_vector_add);
  if (sum == NULL || (sum->x != x && sum->other != x))
    return FALSE;
  third = sum->x == x ? sum->other : sum->x;
  op = find_own (self, third, sym_vector_multiply);
  if (op == NULL || !find_factors (self, op, &product) || !is_near (product.number, 0.044715))
    return FALSE;
  if (product.n == 3)
    return product.factors[0] == x && product.factors[1] == x && product.factors[2] == x;
  cube = product.n == 1 ? find_own (self, product.factors[0], sym_vector_cube) : NULL;
  return cube != NULL && cube->x == x;
}

/* x times a number and what @gate is; its function, NULL for none that is known. */
static SymVectorFunction
find_function (const Match *self, guint x, guint gate, float number, float *p)
{
  const SymPlanOp *op = find_maker (self, gate), *inner;
  guint rest;

  if (op == NULL || self->n_uses[gate] != 1)
    return NULL;
  if (op->function == sym_vector_sigmoid && number == 1)
    {
      *p = find_multiple (self, op->x, x);
      return *p != 0 ? sym_vector_swish : NULL;
    }
  if (op->function == sym_vector_hard_sigmoid && op->x == x && number == 1)
    return is_near (op->p, 1.0 / 6) && op->q == 0.5f ? sym_vector_hard_swish : NULL;
  if (op->function == sym_vector_clip && op->p == 0 && op->q == 6 && is_near (number, 1.0 / 6))
    return find_more (self, op->x, 3) == x ? sym_vector_hard_swish : NULL;
  if (op->function == sym_vector_tanh && number == 1)
    {
      inner = find_own (self, op->x, sym_vector_softplus);
      return inner != NULL && inner->x == x ? sym_vector_mish : NULL;
    }
  rest = find_more (self, gate, 1);
  if (rest == SYM_PLAN_NONE || !is_near (number, 0.5))
    return NULL;
  inner = find_own (self, rest, sym_vector_erf);
  if (inner != NULL && is_near (find_multiple (self, inner->x, x), sqrt (0.5)))
    return sym_vector_gelu;
  inner = find_own (self, rest, sym_vector_tanh);
  return inner != NULL && is_bent (self, inner->x, x) ? sym_vector_gelu_tanh : NULL;
}

/* @op ends a product of two tensors: is it one times a function of itself? */
static void
match_product (const Match *self, SymPlanOp *op)
{
  Product product;

  if ((op->function != sym_vector_multiply && op->function != sym_vector_divide) ||
      !find_factors (self, op, &product) || product.n != 2)
    return;
  for (guint i = 0; i < 2; i++)
    {
      guint x = product.factors[i];
      float p = 0;
      SymVectorFunction function =
          find_function (self, x, product.factors[1 - i], product.number, &p);

      if (function == NULL || get (self, x)->n != get (self, op->y)->n)
        continue;
      self->n_uses[op->x]--;
      self->n_uses[op->other]--;
      self->n_uses[x]++;
      op->function = function;
      op->x = x;
      op->other = SYM_PLAN_NONE;
      op->x_period = op->x_repeat = op->other_period = op->other_repeat = 0;
      op->p = p;
      return;
    }
}

/* ---- All ---- */

static void
count_uses (const Match *self)
{
  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      self->makers[i] = SYM_PLAN_NONE;
      self->n_uses[i] = sym_plan_tensor_is_wanted (get (self, i)) ? 1 : 0;
    }
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      self->makers[op->y] = op->is_gone ? self->makers[op->y] : i;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS && !op->is_gone; j++)
        if (*sym_plan_op_get_operand (op, j) != SYM_PLAN_NONE)
          self->n_uses[*sym_plan_op_get_operand (op, j)]++;
    }
}

/* What became part of others is not computed. */
static void
drop_unused (const Match *self)
{
  for (guint i = self->graph->ops->len; i-- > 0;)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->is_gone || op->kind != SYM_PLAN_ELEMENTWISE || self->n_uses[op->y] > 0)
        continue;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        if (*sym_plan_op_get_operand (op, j) != SYM_PLAN_NONE)
          self->n_uses[*sym_plan_op_get_operand (op, j)]--;
      op->is_gone = TRUE;
    }
}

void
sym_plan_graph_match_activations (SymPlanGraph *self)
{
  g_autofree guint *makers = g_new (guint, self->tensors->len + 1);
  g_autofree guint *n_uses = g_new (guint, self->tensors->len + 1);
  Match match = { self, makers, n_uses };

  count_uses (&match);
  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->kind == SYM_PLAN_ELEMENTWISE && !op->is_gone)
        match_product (&match, op);
    }
  drop_unused (&match);
}
