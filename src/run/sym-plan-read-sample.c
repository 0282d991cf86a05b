/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Pictures that are read at places of their own, and the places that an affine map makes. */

/* x [n, channels, sizes...], grid [n, places..., axes]: y [n, channels, places...]. */
static gboolean
read_sample (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_SAMPLE, sym_plan_call_need_operand (call, 0));
  const SymShape *x, *grid, *y;

  op.other = sym_plan_call_need_operand (call, 1);
  if (op.x == SYM_PLAN_NONE || op.other == SYM_PLAN_NONE ||
      (sym_plan_call_get (call, op.x)->constant != NULL &&
       sym_plan_call_get (call, op.other)->constant != NULL) ||
      sym_op_grid_read (
          &op.sampling, sym_attributes_get_string (call->attributes, "mode", "linear"),
          sym_attributes_get_string (call->attributes, "padding_mode", "zeros")) != NULL)
    return FALSE;
  op.sampling.is_aligned = sym_plan_call_get_int (call, "align_corners", 0) != 0;
  x = &sym_plan_call_get (call, op.x)->shape;
  grid = &sym_plan_call_get (call, op.other)->shape;
  y = &sym_plan_call_get (call, op.y)->shape;
  if (x->rank < 3 || x->rank > 2 + SYM_PLAN_AXES || grid->rank != x->rank || y->rank != x->rank ||
      grid->dims[0] != x->dims[0] || grid->dims[x->rank - 1] != x->rank - 2)
    return FALSE;
  return sym_plan_call_append (call, &op);
}

/* Element @i of @size, as a coordinate. */
static float
find_coordinate (gint64 i, gint64 size, gboolean is_aligned)
{
  double place = 2 * (double) i + (is_aligned ? 0 : 1);
  double range = (double) size - (is_aligned ? 1 : 0);

  return range > 0 ? (float) (place / range - 1) : -1;
}

/* Of each place of a result [n, places..., axes] its own coordinates, the last axis first, and 1.
 */
static guint
make_places (const SymPlanCall *call, const SymShape *to, gboolean is_aligned)
{
  int n = to->rank - 2;
  gint64 n_places = 1, columns = n + 1;
  guint tensor;
  float *block;

  for (int i = 0; i < n; i++)
    n_places *= to->dims[1 + i];
  tensor = sym_plan_call_add_tensor (call, &SYM_SHAPE (n_places, columns));
  block = sym_plan_graph_add_block (call->graph, (gsize) (n_places * columns));
  for (gint64 place = 0; place < n_places; place++)
    {
      gint64 rest = place;

      for (int axis = n; axis >= 1; axis--)
        {
          block[place * columns + n - axis] =
              find_coordinate (rest % to->dims[axis], to->dims[axis], is_aligned);
          rest /= to->dims[axis];
        }
      block[place * columns + n] = 1;
    }
  sym_plan_graph_get_tensor (call->graph, tensor)->constant = block;
  return tensor;
}

/* More are left to the kernel: the numbers of their places would be held for nothing but a wish. */
#define MOST_PLACES (1 << 20)

/* The product of these and of each theta [axes, axes + 1], turned. */
static gboolean
read_affine (SymPlanCall *call, SymVectorFunction function)
{
  guint theta = sym_plan_call_need_operand (call, 0);
  SymShape to = sym_plan_call_get (call, call->result)->shape;
  const SymShape *from;
  SymPlanGrid *grids;
  SymPlanOp op;
  int n = to.rank - 2;
  gint64 n_places;

  if (theta == SYM_PLAN_NONE || sym_plan_call_get (call, theta)->constant != NULL || n < 2 || n > 3)
    return FALSE;
  from = &sym_plan_call_get (call, theta)->shape;
  if (from->rank != 3 || from->dims[0] != to.dims[0] || from->dims[1] != n ||
      from->dims[2] != n + 1 || to.dims[n + 1] != n ||
      sym_plan_call_get (call, call->result)->n > MOST_PLACES)
    return FALSE;
  op = sym_plan_call_new_op (
      call, SYM_PLAN_MATRIX,
      make_places (call, &to, sym_plan_call_get_int (call, "align_corners", 0) != 0));
  n_places = sym_plan_call_get (call, op.x)->shape.dims[0];
  op.other = theta;
  op.p = 1;
  op.grids = grids = sym_plan_graph_add_grids (call->graph, 3);
  grids[0] = (SymPlanGrid){ 3, { to.dims[0], n_places, n + 1 }, 0, { 0, n + 1, 1 } };
  grids[1] = (SymPlanGrid){ 3, { to.dims[0], n + 1, n }, 0, { n * (n + 1), 1, n + 1 } };
  grids[2] = (SymPlanGrid){ 3, { to.dims[0], n_places, n }, 0, { n_places * n, n, 1 } };
  return sym_plan_call_append (call, &op);
}

const SymPlanReader sym_plan_sample_readers[] = {
  { "AffineGrid", 20, read_affine, NULL },
  { "GridSample", 16, read_sample, NULL },
  { NULL },
};
