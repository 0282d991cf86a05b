/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Channels to blocks of pixels, and back. */

/* Images of four axes and the size of blocks; FALSE where the result is of other sizes. */
static gboolean
read_images (SymPlanCall *call, SymShape *x, SymShape *y, gint64 *size)
{
  guint tensor = sym_plan_call_need_operand (call, 0);

  *size = sym_plan_call_get_int (call, "blocksize", 0);
  if (tensor == SYM_PLAN_NONE || sym_plan_call_get (call, tensor)->constant != NULL || *size < 1 ||
      *size > G_MAXINT16)
    return FALSE;
  *x = sym_plan_call_get (call, tensor)->shape;
  *y = sym_plan_call_get (call, call->result)->shape;
  return x->rank == 4 && y->rank == 4 && x->dims[0] == y->dims[0];
}

static gboolean
append_move (SymPlanCall *call, const gint64 *sizes, const gint64 *strides)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MOVE, sym_plan_call_need_operand (call, 0));

  op.grids = sym_plan_graph_add_grids (call->graph, 2);
  sym_plan_grid_init_sizes (&op.grids[0], 6, sizes);
  sym_plan_grid_init_sizes (&op.grids[1], 6, sizes);
  for (int i = 0; i < 6; i++)
    op.grids[0].strides[i] = strides[i];
  return sym_plan_call_append (call, &op);
}

/* y [n, c, h, i, w, j] is x [n, i, j, c, h, w] or, of columns and rows, x [n, c, i, j, h, w]. */
static gboolean
read_depth_to_space (SymPlanCall *call, SymVectorFunction function)
{
  const SymValue *mode = sym_attributes_find (call->attributes, "mode");
  gboolean is_column = mode != NULL && g_strcmp0 (sym_value_get_string (mode), "CRD") == 0;
  gint64 size, pixels, channel;
  SymShape x, y;

  if (!read_images (call, &x, &y, &size) || y.dims[1] * size * size != x.dims[1] ||
      y.dims[2] != x.dims[2] * size || y.dims[3] != x.dims[3] * size)
    return FALSE;
  pixels = x.dims[2] * x.dims[3];
  channel = is_column ? 1 : y.dims[1];
  return append_move (
      call, (const gint64[]){ y.dims[0], y.dims[1], x.dims[2], size, x.dims[3], size },
      (const gint64[]){ x.dims[1] * pixels, is_column ? size * size * pixels : pixels, x.dims[3],
                        size * channel * pixels, 1, channel * pixels });
}

/* y [n, i, j, c, h, w] is x [n, c, h, i, w, j]. */
static gboolean
read_space_to_depth (SymPlanCall *call, SymVectorFunction function)
{
  SymShape x, y;
  gint64 size;

  if (!read_images (call, &x, &y, &size) || x.dims[1] * size * size != y.dims[1] ||
      x.dims[2] != y.dims[2] * size || x.dims[3] != y.dims[3] * size)
    return FALSE;
  return append_move (call,
                      (const gint64[]){ y.dims[0], size, size, x.dims[1], y.dims[2], y.dims[3] },
                      (const gint64[]){ x.dims[1] * x.dims[2] * x.dims[3], x.dims[3], 1,
                                        x.dims[2] * x.dims[3], size * x.dims[3], size });
}

const SymPlanReader sym_plan_block_readers[] = {
  { "DepthToSpace", 1, read_depth_to_space, NULL },
  { "SpaceToDepth", 1, read_space_to_depth, NULL },
  { NULL },
};
