/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Norms of instances and of groups of channels: y = (x - mean) * factor + term of each channel of
 * each image, which are computed first. */

/* The tensor of images whose groups of channels @x has for its channels, as a view of it; @x itself
 * when it is none.  Exporters write norms of groups so. */
static guint
find_images (const SymPlanCall *call, guint x)
{
  const SymPlanOp *view = sym_plan_call_find_maker (call, x, SYM_PLAN_VIEW);
  const SymShape *own = &sym_plan_call_get (call, x)->shape, *seen;

  if (view == NULL)
    return x;
  seen = &sym_plan_call_get (call, view->x)->shape;
  return seen->rank >= 3 && seen->dims[0] == own->dims[0] && seen->dims[1] % own->dims[1] == 0
             ? view->x
             : x;
}

/* One for each group, or for each channel. */
static gboolean
read_numbers (const SymPlanCall *call, guint i, gsize n_groups, gsize n_channels, guint *tensor)
{
  gsize n;

  *tensor = sym_plan_call_need_operand (call, i);
  if (*tensor == SYM_PLAN_NONE)
    return FALSE;
  n = sym_plan_call_get (call, *tensor)->n;
  return n == n_groups || n == n_channels;
}

/* Row @row of some rows of @n numbers. */
static guint
append_part (SymPlanCall *call, guint rows, gint64 row, gint64 n)
{
  SymPlanGrid from;
  SymShape shape = SYM_SHAPE (n);

  sym_plan_grid_init (&from, &shape);
  from.offset = row * n;
  return sym_plan_call_append_move (call, rows, &from, &shape);
}

/* y = function (x, number) of each channel of each image. */
static void
append_numbers (SymPlanCall *call, guint x, guint numbers, guint y, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, x);

  op.other = numbers;
  op.other_period = sym_plan_call_get (call, numbers)->n;
  op.other_repeat = sym_plan_call_get (call, x)->n / op.other_period;
  op.y = y;
  op.function = function;
  sym_plan_call_append (call, &op);
}

static gboolean
append_norm (SymPlanCall *call, gsize n_groups)
{
  guint x = sym_plan_call_need_operand (call, 0), images = find_images (call, x), y;
  const SymVectorFunction functions[] = { sym_vector_subtract, sym_vector_multiply,
                                          sym_vector_add };
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_FACTORS, images);
  SymShape shape = sym_plan_call_get (call, images)->shape;
  gint64 n = shape.dims[0] * shape.dims[1];
  guint parts[3], last = images;

  op.n = n_groups;
  op.p = (float) sym_plan_call_get_float (call, "epsilon", 1e-5);
  if (!read_numbers (call, 1, n_groups, (gsize) shape.dims[1], &op.other) ||
      !read_numbers (call, 2, n_groups, (gsize) shape.dims[1], &op.third))
    return FALSE;
  op.y = sym_plan_call_add_tensor (call, &SYM_SHAPE (3, n));
  sym_plan_call_append (call, &op);
  for (guint i = 0; i < 3; i++)
    parts[i] = append_part (call, op.y, i, n);
  for (guint i = 0; i < 3; i++)
    {
      y = i == 2 && images == x ? call->result : sym_plan_graph_add_tensor (call->graph, images);
      append_numbers (call, last, parts[i], y, functions[i]);
      last = y;
    }
  if (images == x)
    return TRUE;
  op = sym_plan_call_new_op (call, SYM_PLAN_VIEW, last);
  return sym_plan_call_append (call, &op);
}

/* Channels of images that are computed. */
static const SymShape *
find_shape (const SymPlanCall *call)
{
  guint x = sym_plan_call_need_operand (call, 0);

  if (x == SYM_PLAN_NONE || sym_plan_call_get (call, x)->constant != NULL ||
      sym_plan_call_get (call, x)->shape.rank < 3)
    return NULL;
  return &sym_plan_call_get (call, x)->shape;
}

static gboolean
read_instance_norm (SymPlanCall *call, SymVectorFunction function)
{
  const SymShape *shape = find_shape (call);

  return shape != NULL && append_norm (call, (gsize) shape->dims[1]);
}

static gboolean
read_group_norm (SymPlanCall *call, SymVectorFunction function)
{
  const SymShape *shape = find_shape (call);
  gint64 n_groups = sym_plan_call_get_int (call, "num_groups", 0);

  return shape != NULL && n_groups > 0 && shape->dims[1] % n_groups == 0 &&
         append_norm (call, (gsize) n_groups);
}

/* Channels of a sum, for each of which there is room in memory. */
#define MOST_SIZE 4096

static gboolean
read_local_norm (SymPlanCall *call, SymVectorFunction function)
{
  const SymShape *shape = find_shape (call);
  gint64 size = sym_plan_call_get_int (call, "size", 0);
  SymPlanOp op;

  if (shape == NULL || size < 1 || size > MOST_SIZE)
    return FALSE;
  op = sym_plan_call_new_op (call, SYM_PLAN_LOCAL_NORM, sym_plan_call_need_operand (call, 0));
  op.n = (gsize) size;
  op.p = (float) (sym_plan_call_get_float (call, "alpha", 0.0001) / (double) size);
  op.q = (float) sym_plan_call_get_float (call, "beta", 0.75);
  op.factor = (float) sym_plan_call_get_float (call, "bias", 1);
  return sym_plan_call_append (call, &op);
}

const SymPlanReader sym_plan_norm_readers[] = {
  { "GroupNormalization", 18, read_group_norm, NULL },
  { "InstanceNormalization", 1, read_instance_norm, NULL },
  { "LRN", 1, read_local_norm, NULL },
  { NULL },
};
