/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <string.h>

/* Operators that choose between numbers: a condition becomes a mask of all bits or none, so that
 * whatever is not chosen leaves no trace.  And those that make numbers of integers. */

static gboolean
is_constant (const SymPlanCall *call, guint tensor)
{
  return sym_plan_call_get (call, tensor)->constant != NULL;
}

static SymDatum *
find_datum (const SymPlanCall *call, guint i)
{
  return sym_plan_call_has_operand (call, i) ? call->graph->plan->constants[call->operands.ids[i]]
                                             : NULL;
}

/* ---- Masks ---- */

/* A mask of constants, which is known while planning. */
static guint
make_mask (const SymPlanCall *call, const SymArray *condition)
{
  guint mask = sym_plan_call_add_tensor (call, &condition->shape);
  gsize n = sym_array_get_n_elements (condition);
  float *block = sym_plan_graph_add_block (call->graph, n);

  for (gsize i = 0; i < n; i++)
    memset (block + i, ((const guint8 *) condition->data)[i] != 0 ? 0xff : 0, sizeof *block);
  sym_plan_graph_get_tensor (call->graph, mask)->constant = block;
  return mask;
}

static guint
append_conversion (SymPlanCall *call, guint x, guint y, gboolean is_mask)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_CONVERT, x);

  op.y = y;
  op.is_mask = is_mask;
  sym_plan_call_append (call, &op);
  return y;
}

/* Whether the condition can be a mask: a bool that is not empty. */
static gboolean
can_mask (const SymPlanCall *call)
{
  const SymDatum *datum = find_datum (call, 0);
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);
  guint x;

  if (datum != NULL)
    return array != NULL && array->dtype == SYM_DTYPE_BOOL && sym_array_get_n_elements (array) > 0;
  x = sym_plan_graph_need_raw (call->graph, call->operands.ids[0]);
  return x != SYM_PLAN_NONE && sym_plan_call_get (call, x)->dtype == SYM_DTYPE_BOOL;
}

static guint
need_mask (SymPlanCall *call)
{
  const SymDatum *datum = find_datum (call, 0);
  SymShape shape;
  guint x;

  if (datum != NULL)
    {
      g_array_append_val (call->graph->fixed, call->operands.ids[0]);
      return make_mask (call, sym_datum_get_array (datum));
    }
  x = sym_plan_graph_need_raw (call->graph, call->operands.ids[0]);
  shape = sym_plan_call_get (call, x)->shape;
  return append_conversion (call, x, sym_plan_call_add_tensor (call, &shape), TRUE);
}

/* What is chosen of a single number, as large as the mask; else of all of the result. */
static guint
choose (SymPlanCall *call, SymVectorFunction function, guint x, guint mask)
{
  SymShape shape =
      sym_plan_call_get (call, sym_plan_call_get (call, x)->n == 1 ? mask : call->result)->shape;
  const SymPlanTensor *from = sym_plan_call_get (call, x);
  const SymPlanTensor *bits = sym_plan_call_get (call, mask);
  guint y;

  if (from->n > 1 || from->constant == NULL || bits->constant == NULL)
    {
      y = sym_plan_call_add_tensor (call, &shape);
      sym_plan_call_append_binary (call, function, x, mask, y);
    }
  else
    {
      float *block = sym_plan_graph_add_block (call->graph, bits->n), none = 0;
      gboolean wanted = function == sym_vector_keep;

      for (gsize i = 0; i < bits->n; i++)
        block[i] =
            (memcmp (bits->constant + i, &none, sizeof none) != 0) == wanted ? *from->constant : 0;
      y = sym_plan_call_add_tensor (call, &shape);
      sym_plan_graph_get_tensor (call->graph, y)->constant = block;
    }
  return y;
}

static gboolean
read_where (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 1), other = sym_plan_call_need_operand (call, 2);
  guint mask, left, right;

  if (x == SYM_PLAN_NONE || other == SYM_PLAN_NONE || !sym_plan_call_has_operand (call, 0) ||
      !can_mask (call) ||
      (find_datum (call, 0) != NULL && is_constant (call, x) && is_constant (call, other)))
    return FALSE;
  mask = need_mask (call);
  left = choose (call, sym_vector_keep, x, mask);
  right = choose (call, sym_vector_omit, other, mask);
  return sym_plan_call_append_binary (call, sym_vector_unite, left, right, call->result);
}

/* The upper or the lower triangle of the last two axes. */
static gboolean
read_trilu (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0), mask;
  gboolean is_upper = sym_plan_call_get_int (call, "upper", 1) != 0;
  gint64 rows, columns, diagonal = 0;
  const SymShape *shape;
  float *block;

  if (x == SYM_PLAN_NONE || is_constant (call, x) ||
      (sym_plan_call_has_operand (call, 1) &&
       sym_plan_call_get_list (call, NULL, 1, &diagonal, 1) != 1))
    return FALSE;
  shape = &sym_plan_call_get (call, x)->shape;
  if (shape->rank < 2)
    return FALSE;
  rows = shape->dims[shape->rank - 2];
  columns = shape->dims[shape->rank - 1];
  diagonal = CLAMP (diagonal, -rows, columns);
  mask = sym_plan_call_add_tensor (call, &SYM_SHAPE (rows, columns));
  block = sym_plan_graph_add_block (call->graph, (gsize) (rows * columns));
  for (gint64 i = 0; i < rows * columns; i++)
    {
      gint64 above = i % columns - i / columns - diagonal;

      memset (block + i, (is_upper ? above >= 0 : above <= 0) ? 0xff : 0, sizeof *block);
    }
  sym_plan_graph_get_tensor (call->graph, mask)->constant = block;
  return sym_plan_call_append_binary (call, sym_vector_keep, x, mask, call->result);
}

/* ---- Any number of operands ---- */

static gboolean
read_several (SymPlanCall *call, SymVectorFunction function)
{
  SymShape shape = sym_plan_call_get (call, call->result)->shape;
  gboolean are_constant = TRUE;
  guint x;

  for (guint i = 0; i < call->operands.n; i++)
    {
      x = sym_plan_call_need_operand (call, i);
      if (x == SYM_PLAN_NONE)
        return FALSE;
      are_constant = are_constant && is_constant (call, x);
    }
  if (are_constant || call->operands.n < 2)
    return FALSE;
  x = sym_plan_call_need_operand (call, 0);
  for (guint i = 1; i < call->operands.n; i++)
    {
      gboolean is_last = i + 1 == call->operands.n;
      guint y = is_last ? call->result : sym_plan_call_add_tensor (call, &shape);

      sym_plan_call_append_binary (call, function, x, sym_plan_call_need_operand (call, i), y);
      x = y;
    }
  return TRUE;
}

/* ---- Numbers of integers ---- */

static gboolean
read_cast (SymPlanCall *call, SymVectorFunction function)
{
  guint x = sym_plan_call_need_operand (call, 0);
  SymPlanOp op;

  if (find_datum (call, 0) != NULL)
    return FALSE;
  if (x != SYM_PLAN_NONE)
    {
      op = sym_plan_call_new_op (call, SYM_PLAN_VIEW, x);
      return sym_plan_call_append (call, &op);
    }
  x = sym_plan_graph_need_raw (call->graph, call->operands.ids[0]);
  if (x == SYM_PLAN_NONE)
    return FALSE;
  append_conversion (call, x, call->result, FALSE);
  return TRUE;
}

const SymPlanReader sym_plan_choice_readers[] = {
  { "Cast", 6, read_cast, NULL },
  { "Max", 8, read_several, sym_vector_maximum },
  { "Min", 8, read_several, sym_vector_minimum },
  { "Sum", 8, read_several, sym_vector_add },
  { "Trilu", 14, read_trilu, NULL },
  { "Where", 9, read_where, NULL },
  { NULL },
};
