/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-plan-read-private.h"

/* Pairs of features that are turned by an angle: what tells a transformer where a word is. */

enum { DATA, COSINES, SINES, POSITIONS };

/* Of four axes as they are; of three, heads are beside each other in rows. */
static gboolean
set_grid (const SymPlanCall *call, guint x, SymPlanGrid *grid)
{
  const SymShape *shape = &sym_plan_call_get (call, x)->shape;
  const SymDim *dims = shape->dims;
  gint64 n_heads = sym_plan_call_get_int (call, "num_heads", 0);

  sym_plan_grid_init (grid, shape);
  if (shape->rank == 4)
    return TRUE;
  if (shape->rank != 3 || n_heads < 1 || dims[2] % n_heads != 0)
    return FALSE;
  *grid = (SymPlanGrid){ .rank = 4 };
  memcpy (grid->sizes, (gint64[]){ dims[0], n_heads, dims[1], dims[2] / n_heads },
          4 * sizeof *grid->sizes);
  memcpy (grid->strides, (gint64[]){ dims[1] * dims[2], dims[2] / n_heads, dims[2], 1 },
          4 * sizeof *grid->strides);
  return TRUE;
}

/* With positions there is an angle for each, [positions, pairs]; without, one for each row. */
static gboolean
check_angles (const SymPlanCall *call, guint angles, const SymPlanGrid *grid, gint64 n_pairs)
{
  const SymShape *shape;
  SymShape expected = SYM_SHAPE (grid->sizes[0], grid->sizes[2], n_pairs);

  if (angles == SYM_PLAN_NONE)
    return FALSE;
  shape = &sym_plan_call_get (call, angles)->shape;
  if (sym_plan_call_has_operand (call, POSITIONS))
    expected = SYM_SHAPE (shape->rank > 0 ? shape->dims[0] : 0, n_pairs);
  return sym_shape_equal (shape, &expected);
}

static gboolean
check_positions (const SymPlanCall *call, guint positions, const SymPlanGrid *grid)
{
  if (!sym_plan_call_has_operand (call, POSITIONS))
    return TRUE;
  return positions != SYM_PLAN_NONE &&
         sym_shape_equal (&sym_plan_call_get (call, positions)->shape,
                          &SYM_SHAPE (grid->sizes[0], grid->sizes[2]));
}

static gboolean
read_rotary (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ROTATE, sym_plan_call_need_operand (call, 0));
  gint64 n_turned = sym_plan_call_get_int (call, "rotary_embedding_dim", 0);
  SymPlanGrid grid;

  (void) function;
  op.other = sym_plan_call_need_operand (call, COSINES);
  op.third = sym_plan_call_need_operand (call, SINES);
  if (sym_plan_call_has_operand (call, POSITIONS))
    op.fourth = sym_plan_graph_need_indices (call->graph, call->operands.ids[POSITIONS]);
  if (op.x == SYM_PLAN_NONE || sym_plan_call_get (call, op.x)->constant != NULL ||
      !set_grid (call, op.x, &grid))
    return FALSE;
  n_turned = n_turned == 0 ? grid.sizes[3] : n_turned;
  if (n_turned < 2 || n_turned % 2 != 0 || n_turned > grid.sizes[3] ||
      !check_angles (call, op.other, &grid, n_turned / 2) ||
      !check_angles (call, op.third, &grid, n_turned / 2) ||
      !sym_shape_equal (&sym_plan_call_get (call, op.other)->shape,
                        &sym_plan_call_get (call, op.third)->shape) ||
      !check_positions (call, op.fourth, &grid))
    return FALSE;
  op.n = (gsize) n_turned / 2;
  op.is_halved = sym_plan_call_get_int (call, "interleaved", 0) == 0;
  op.grids = sym_plan_graph_add_grids (call->graph, 2);
  op.grids[SYM_PLAN_ROTATED] = op.grids[SYM_PLAN_ROTATION] = grid;
  return sym_plan_call_append (call, &op);
}

const SymPlanReader sym_plan_rotary_readers[] = {
  { "RotaryEmbedding", 23, read_rotary, NULL },
  { NULL },
};
