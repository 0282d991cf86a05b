/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Operators that only move elements, or choose some: y [grid 1] = x [grid 0]. */

static guint
need_computed (const SymPlanCall *call, guint i)
{
  guint x = sym_plan_call_need_operand (call, i);

  return x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL ? SYM_PLAN_NONE : x;
}

/* A move that makes all of @y; the grid of what it reads is yet to be set. */
static SymPlanOp
new_move (const SymPlanCall *call, guint x, guint y)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MOVE, x);
  const SymShape *shape = &sym_plan_call_get (call, y)->shape;

  op.y = y;
  op.grids = sym_plan_graph_add_grids (call->graph, 2);
  sym_plan_grid_init (&op.grids[0], shape);
  sym_plan_grid_init (&op.grids[1], shape);
  return op;
}

static gboolean
read_transpose (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  gint64 order[SYM_MAX_RANK];
  SymPlanGrid from;
  SymPlanOp op;
  int rank;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  rank = sym_plan_call_get (call, x)->shape.rank;
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  if (sym_attributes_find (call->attributes, "perm") != NULL &&
      !sym_plan_call_get_ints (call, "perm", order, rank, 0))
    return FALSE;
  sym_plan_grid_init (&from, &sym_plan_call_get (call, x)->shape);
  op = new_move (call, x, call->result);
  for (int i = 0; i < rank; i++)
    {
      if (order[i] < 0 || order[i] >= rank || op.grids[0].sizes[i] != from.sizes[order[i]])
        return FALSE;
      op.grids[0].strides[i] = from.strides[order[i]];
    }
  return sym_plan_call_append (call, &op);
}

static gboolean
read_expand (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  SymShape shape = sym_plan_call_get (call, call->result)->shape;
  SymPlanOp op;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  if (sym_plan_call_get (call, x)->n == sym_plan_call_get (call, call->result)->n)
    {
      op = sym_plan_call_new_op (call, SYM_PLAN_VIEW, x);
      return sym_plan_call_append (call, &op);
    }
  op = new_move (call, x, call->result);
  sym_plan_grid_spread (&op.grids[0], &sym_plan_call_get (call, x)->shape, &shape);
  return sym_plan_call_append (call, &op);
}

/* ---- Parts ---- */

/* Axis @axis of x from @begin on in steps of @step. */
static void
choose (SymPlanGrid *grid, const SymPlanGrid *from, int axis, gint64 begin, gint64 step)
{
  grid->offset += begin * from->strides[axis];
  grid->strides[axis] = from->strides[axis] * step;
}

/* Begins, ends and steps are operands from version 10 on.  Ends are known from the result. */
static gboolean
read_slice (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  gint64 begins[SYM_MAX_RANK], axes[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  const SymShape *shape;
  SymPlanGrid from;
  SymPlanOp op;
  int n;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  shape = &sym_plan_call_get (call, x)->shape;
  n = sym_plan_call_get_list (call, "starts", 1, begins, SYM_MAX_RANK);
  if (n < 0 || n > shape->rank || shape->rank != sym_plan_call_get (call, call->result)->shape.rank)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      axes[i] = i;
      steps[i] = 1;
    }
  if (((call->version < 10 && sym_attributes_find (call->attributes, "axes") != NULL) ||
       sym_plan_call_has_operand (call, 3)) &&
      sym_plan_call_get_list (call, "axes", 3, axes, n) != n)
    return FALSE;
  if (sym_plan_call_has_operand (call, 4) && sym_plan_call_get_list (call, NULL, 4, steps, n) != n)
    return FALSE;
  sym_plan_grid_init (&from, shape);
  op = new_move (call, x, call->result);
  op.grids[0] = (SymPlanGrid){ .rank = from.rank };
  for (int i = 0; i < from.rank; i++)
    {
      op.grids[0].sizes[i] = op.grids[1].sizes[i];
      op.grids[0].strides[i] = from.strides[i];
    }
  for (int i = 0; i < n; i++)
    {
      int axis = sym_plan_call_find_axis (axes[i], from.rank);
      gint64 begin, last;

      if (axis < 0 || steps[i] == 0)
        return FALSE;
      begin = begins[i] < 0 ? begins[i] + from.sizes[axis] : begins[i];
      begin = CLAMP (begin, 0, steps[i] < 0 ? from.sizes[axis] - 1 : from.sizes[axis]);
      last = begin + (op.grids[0].sizes[axis] - 1) * steps[i];
      if (last < 0 || last >= from.sizes[axis])
        return FALSE;
      choose (&op.grids[0], &from, axis, begin, steps[i]);
    }
  return sym_plan_call_append (call, &op);
}

static gboolean
read_split (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  gint64 begin = 0;
  SymPlanGrid from;
  int axis;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  sym_plan_grid_init (&from, &sym_plan_call_get (call, x)->shape);
  axis = sym_plan_call_find_axis (sym_plan_call_get_int (call, "axis", 0), from.rank);
  if (axis < 0)
    return FALSE;
  for (guint i = 0; i < call->results.n; i++)
    {
      guint y = sym_plan_graph_need_tensor (call->graph, call->results.ids[i]);

      if (y == SYM_PLAN_NONE || sym_plan_call_get (call, y)->shape.rank != from.rank)
        return FALSE;
      begin += sym_plan_call_get (call, y)->shape.dims[axis];
    }
  if (begin != from.sizes[axis])
    return FALSE;
  begin = 0;
  for (guint i = 0; i < call->results.n; i++)
    {
      guint y = sym_plan_graph_need_tensor (call->graph, call->results.ids[i]);
      SymPlanOp op = new_move (call, x, y);
      gint64 n = op.grids[0].sizes[axis];

      for (int j = 0; j < from.rank; j++)
        op.grids[0].strides[j] = from.strides[j];
      choose (&op.grids[0], &from, axis, begin, 1);
      if (sym_plan_call_needs_result (call, i))
        sym_plan_call_append (call, &op);
      begin += n;
    }
  return TRUE;
}

/* One move for each operand, to where it is in the result.  Those without elements, such as what a
 * language model knows of nothing said before, are not there. */
static gboolean
read_concat (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanGrid to;
  gint64 begin = 0;
  int axis;

  sym_plan_grid_init (&to, &sym_plan_call_get (call, call->result)->shape);
  axis = sym_plan_call_find_axis (sym_plan_call_get_int (call, "axis", 1), to.rank);
  for (guint i = 0; axis >= 0 && i < call->operands.n; i++)
    {
      guint x = sym_plan_call_need_operand (call, i);

      if (sym_plan_call_is_empty (call, i))
        continue;
      if (x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->shape.rank != to.rank)
        return FALSE;
      begin += sym_plan_call_get (call, x)->shape.dims[axis];
    }
  if (axis < 0 || begin != to.sizes[axis])
    return FALSE;
  begin = 0;
  for (guint i = 0; i < call->operands.n; i++)
    {
      guint x = sym_plan_call_need_operand (call, i);
      SymPlanOp op;

      if (x == SYM_PLAN_NONE)
        continue;
      op = new_move (call, x, call->result);
      sym_plan_grid_init (&op.grids[0], &sym_plan_call_get (call, x)->shape);
      op.grids[1] = op.grids[0];
      for (int j = 0; j < to.rank; j++)
        op.grids[1].strides[j] = to.strides[j];
      op.grids[1].offset = begin * to.strides[axis];
      begin += op.grids[0].sizes[axis];
      sym_plan_call_append (call, &op);
    }
  return TRUE;
}

/* ---- Margins ---- */

/* What is around x along @axis, on either side, gets the number: all of the axes before, and of
 * those behind only what x reaches, so that corners are filled once. */
static void
fill_margin (SymPlanCall *call, guint number, const SymPlanGrid *x, int axis, const gint64 *pads)
{
  for (int side = 0; side < 2; side++)
    {
      SymPlanOp op = new_move (call, number, call->result);
      gint64 n = pads[axis + side * x->rank];

      op.grids[1].offset =
          side == 0 ? 0 : (pads[axis] + x->sizes[axis]) * op.grids[1].strides[axis];
      op.grids[1].sizes[axis] = n;
      for (int i = axis + 1; i < x->rank; i++)
        {
          op.grids[1].sizes[i] = x->sizes[i];
          op.grids[1].offset += pads[i] * op.grids[1].strides[i];
        }
      op.grids[0] = op.grids[1];
      op.grids[0].offset = 0;
      for (int i = 0; i < x->rank; i++)
        op.grids[0].strides[i] = 0;
      if (n > 0)
        sym_plan_call_append (call, &op);
    }
}

/* The number around; SYM_PLAN_NONE when it is not known. */
static guint
find_number (const SymPlanCall *call)
{
  guint told = sym_plan_call_need_operand (call, 2), made;
  float *block;

  if (sym_plan_call_has_operand (call, 2))
    return told != SYM_PLAN_NONE && sym_plan_call_get (call, told)->constant != NULL &&
                   sym_plan_call_get (call, told)->n == 1
               ? told
               : SYM_PLAN_NONE;
  block = sym_plan_graph_add_block (call->graph, 1);
  *block = (float) sym_plan_call_get_float (call, "value", 0);
  made = sym_plan_graph_add_tensor (call->graph, call->result);
  sym_plan_graph_get_tensor (call->graph, made)->constant = block;
  sym_plan_graph_get_tensor (call->graph, made)->n = 1;
  sym_plan_graph_get_tensor (call->graph, made)->shape = SYM_SHAPE ();
  return made;
}

/* Pads of all axes, where the version has them; those of some axes are left to the kernel.  FALSE
 * when they do not make the result that inference has. */
static gboolean
read_pads (SymPlanCall *call, const SymPlanGrid *x, gint64 *pads)
{
  const SymShape *shape = &sym_plan_call_get (call, call->result)->shape;

  if (sym_plan_call_has_operand (call, 3) || shape->rank != x->rank ||
      sym_plan_call_get_list (call, call->version < 11 ? "pads" : NULL, 1, pads,
                              2 * SYM_MAX_RANK) != 2 * x->rank)
    return FALSE;
  for (int i = 0; i < x->rank; i++)
    if (pads[i] < 0 || pads[i] > G_MAXINT32 || pads[i + x->rank] < 0 ||
        pads[i + x->rank] > G_MAXINT32 ||
        pads[i] + pads[i + x->rank] + x->sizes[i] != shape->dims[i])
      return FALSE;
  return TRUE;
}

static gboolean
read_pad (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0), number;
  const char *how = sym_attributes_get_string (call->attributes, "mode", "constant");
  gint64 pads[2 * SYM_MAX_RANK];
  SymPlanGrid from;
  SymPlanOp op;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  sym_plan_grid_init (&from, &sym_plan_call_get (call, x)->shape);
  if (!read_pads (call, &from, pads))
    return FALSE;
  if (sym_plan_call_get (call, x)->n == sym_plan_call_get (call, call->result)->n)
    {
      op = sym_plan_call_new_op (call, SYM_PLAN_VIEW, x);
      return sym_plan_call_append (call, &op);
    }
  if (!g_str_equal (how, "constant"))
    return sym_plan_call_append_margins (call, x, how, pads);
  number = find_number (call);
  if (number == SYM_PLAN_NONE)
    return FALSE;
  for (int i = 0; i < from.rank; i++)
    fill_margin (call, number, &from, i, pads);
  op = new_move (call, x, call->result);
  op.grids[0] = from;
  for (int i = 0; i < from.rank; i++)
    {
      op.grids[1].offset += pads[i] * op.grids[1].strides[i];
      op.grids[1].sizes[i] = from.sizes[i];
    }
  return sym_plan_call_append (call, &op);
}

/* Of axes that are two each, the strides of what is repeated. */
static void
stride_parts (SymPlanGrid *grid, const SymShape *shape)
{
  gint64 stride = 1;

  for (int i = shape->rank - 1; i >= 0; i--)
    {
      grid->strides[2 * i] = 0;
      grid->strides[2 * i + 1] = stride;
      stride *= shape->dims[i];
    }
}

static gboolean
read_tile (SymPlanCall *call, SymVectorFunction function)
{
  guint x = need_computed (call, 0);
  gint64 repeats[SYM_MAX_RANK];
  const SymShape *shape;
  SymPlanOp op;
  int rank;

  if (x == SYM_PLAN_NONE)
    return FALSE;
  shape = &sym_plan_call_get (call, x)->shape;
  rank = shape->rank;
  if (2 * rank > SYM_MAX_RANK ||
      sym_plan_call_get_list (call, NULL, 1, repeats, SYM_MAX_RANK) != rank)
    return FALSE;
  op = new_move (call, x, call->result);
  for (int i = 0; i < rank; i++)
    if (repeats[i] < 1 || op.grids[1].sizes[i] != repeats[i] * shape->dims[i])
      return FALSE;
  /* Each axis as two: the repetitions, and what is repeated. */
  for (int i = rank - 1; i >= 0; i--)
    {
      gint64 stride = op.grids[1].strides[i];

      for (guint j = 0; j < 2; j++)
        {
          op.grids[j].sizes[2 * i] = repeats[i];
          op.grids[j].sizes[2 * i + 1] = shape->dims[i];
        }
      op.grids[1].strides[2 * i + 1] = stride;
      op.grids[1].strides[2 * i] = stride * shape->dims[i];
    }
  stride_parts (&op.grids[0], shape);
  op.grids[0].rank = op.grids[1].rank = 2 * rank;
  return sym_plan_call_append (call, &op);
}

/* ---- Rows by their numbers ---- */

/* One number that is known, or several that follow each other. */
static gboolean
read_known_rows (SymPlanCall *call, guint x, int axis)
{
  gint64 numbers[64];
  int n = sym_plan_call_get_list (call, NULL, 1, numbers, 64);
  SymShape shape = sym_plan_call_get (call, x)->shape;
  SymPlanGrid from;
  SymPlanOp op;

  for (int i = 0; i < n; i++)
    {
      numbers[i] = numbers[i] < 0 ? numbers[i] + shape.dims[axis] : numbers[i];
      if (numbers[i] != numbers[0] + i)
        return FALSE;
    }
  if (n < 1 || numbers[0] < 0 || numbers[n - 1] >= shape.dims[axis])
    return FALSE;
  sym_plan_grid_init (&from, &shape);
  op = new_move (call, x, call->result);
  from.sizes[axis] = n;
  from.offset = numbers[0] * from.strides[axis];
  op.grids[0] = from;
  sym_plan_grid_init_sizes (&op.grids[1], from.rank, from.sizes);
  return sym_plan_call_append (call, &op);
}

static gboolean
read_gather (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_GATHER, sym_plan_call_need_operand (call, 0));
  const SymShape *shape;
  int axis;

  if (op.x == SYM_PLAN_NONE)
    return FALSE;
  shape = &sym_plan_call_get (call, op.x)->shape;
  axis = sym_plan_call_find_axis (sym_plan_call_get_int (call, "axis", 0), shape->rank);
  if (axis < 0)
    return FALSE;
  if (sym_plan_call_get (call, op.x)->constant == NULL && read_known_rows (call, op.x, axis))
    return TRUE;
  op.other = sym_plan_graph_need_indices (call->graph, call->operands.ids[1]);
  if (op.other == SYM_PLAN_NONE)
    return FALSE;
  op.n_outer = op.n_inner = 1;
  shape = &sym_plan_call_get (call, op.x)->shape;
  for (int i = 0; i < axis; i++)
    op.n_outer *= (gsize) shape->dims[i];
  for (int i = axis + 1; i < shape->rank; i++)
    op.n_inner *= (gsize) shape->dims[i];
  op.n = (gsize) shape->dims[axis];
  if (sym_plan_call_get (call, op.y)->n !=
      op.n_outer * op.n_inner * sym_plan_call_get (call, op.other)->n)
    return FALSE;
  return sym_plan_call_append (call, &op);
}

const SymPlanReader sym_plan_move_readers[] = {
  { "Concat", 4, read_concat, NULL },
  { "Expand", 8, read_expand, NULL },
  { "Gather", 1, read_gather, NULL },
  { "Pad", 2, read_pad, NULL },
  { "Slice", 1, read_slice, NULL },
  { "Split", 2, read_split, NULL, TRUE },
  { "Tile", 6, read_tile, NULL },
  { "Transpose", 1, read_transpose, NULL },
  { NULL },
};
