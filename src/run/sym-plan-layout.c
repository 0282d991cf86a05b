/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

#include <string.h>

/* Operations in their new order. */
typedef struct {
  SymPlanGraph *graph;
  GArray *ops;
  gboolean *is_laid; /* of each tensor whether a move decided where it lies */
} Layout;

static SymPlanTensor *
get (const Layout *self, guint tensor)
{
  return sym_plan_graph_get_tensor (self->graph, tensor);
}

/* Of each channel of each image. */
static gsize
count_pixels (const SymPlanTensor *tensor)
{
  return tensor->n / (gsize) (tensor->shape.dims[0] * tensor->shape.dims[1]);
}

/* Appends an operation that has nothing but an operand and a result. */
static void
append_simple (Layout *self, SymPlanOpKind kind, guint x, guint y)
{
  SymPlanOp op = { .kind = kind,
                   .x = x,
                   .y = y,
                   .other = SYM_PLAN_NONE,
                   .third = SYM_PLAN_NONE,
                   .addend = SYM_PLAN_NONE,
                   .fourth = SYM_PLAN_NONE };

  g_array_append_val (self->ops, op);
}

static void
turn_constant (Layout *self, guint from, guint to)
{
  const SymPlanTensor *tensor = get (self, from);
  gsize batch = (gsize) tensor->shape.dims[0], channels = (gsize) tensor->shape.dims[1];
  gsize inner = tensor->n / (batch * channels);
  float *block = sym_plan_graph_add_block (self->graph, tensor->n);

  for (gsize b = 0; b < batch; b++)
    for (gsize c = 0; c < channels; c++)
      for (gsize i = 0; i < inner; i++)
        block[(b * inner + i) * channels + c] = tensor->constant[(b * channels + c) * inner + i];
  get (self, to)->constant = block;
}

/* The same tensor in the order that is wanted.  Constants lie as in the file. */
static guint
want (Layout *self, guint tensor, gboolean is_last)
{
  const SymPlanTensor *from;
  guint twin;

  if (tensor == SYM_PLAN_NONE)
    return tensor;
  from = get (self, tensor);
  if (from->shape.rank < 3 || from->is_last == is_last)
    return tensor;
  if (from->twin != SYM_PLAN_NONE)
    return from->twin;
  twin = sym_plan_graph_add_tensor (self->graph, tensor);
  get (self, tensor)->twin = twin;
  get (self, twin)->twin = tensor;
  get (self, twin)->is_last = is_last;
  from = get (self, tensor);
  if (from->constant != NULL)
    turn_constant (self, tensor, twin);
  else if (from->shape.dims[1] == 1 || count_pixels (from) == 1)
    append_simple (self, SYM_PLAN_VIEW, tensor, twin);
  else
    append_simple (self, SYM_PLAN_COPY, tensor, twin);
  return twin;
}

/* Whether a row of numbers is one number for all, or one for each image. */
static gboolean
is_of_images (const Layout *self, const SymPlanOp *op, gsize period, gsize repeat)
{
  const SymPlanTensor *y = get (self, op->y);

  return period <= 1 || repeat % ((gsize) y->shape.dims[1] * count_pixels (y)) == 0;
}

/* Whether it is one number for each channel, of all images or of each. */
static gboolean
is_of_channels (const Layout *self, const SymPlanOp *op, gsize period, gsize repeat)
{
  const SymPlanTensor *y = get (self, op->y);
  gsize n = (gsize) y->shape.dims[1];

  return repeat == count_pixels (y) && (period == n || period == n * (gsize) y->shape.dims[0]);
}

/* Whether it is one number for each pixel of a single image. */
static gboolean
is_of_pixels (const Layout *self, const SymPlanOp *op, gsize period, gsize repeat)
{
  const SymPlanTensor *y = get (self, op->y);

  return y->shape.dims[0] == 1 && repeat == 1 && period > 1 && period == count_pixels (y);
}

/* A row of numbers for a result with the channels last; FALSE when it is none of a kind that can
 * be. */
static gboolean
turn_pattern (const Layout *self, const SymPlanOp *op, gsize *period, gsize *repeat, gsize *block)
{
  const SymPlanTensor *y = get (self, op->y);
  gsize n = (gsize) y->shape.dims[1];

  if (is_of_images (self, op, *period, *repeat))
    return TRUE;
  if (is_of_channels (self, op, *period, *repeat))
    {
      *block = *period > n ? n * count_pixels (y) : 0;
      *period = n;
      *repeat = 1;
    }
  else if (is_of_pixels (self, op, *period, *repeat))
    *repeat = n;
  else
    return FALSE;
  return TRUE;
}

static gboolean
turn_patterns (const Layout *self, SymPlanOp *op)
{
  return turn_pattern (self, op, &op->x_period, &op->x_repeat, &op->x_block) &&
         turn_pattern (self, op, &op->other_period, &op->other_repeat, &op->other_block);
}

/* Elementwise operations take what comes. */
static gboolean
wants_last (const Layout *self, const SymPlanOp *op)
{
  SymPlanOp turned = *op;

  if (get (self, op->y)->shape.rank < 3)
    return FALSE;
  if (op->bytes != NULL)
    return op->bytes->is_image;
  if (op->kind != SYM_PLAN_ELEMENTWISE)
    return op->kind == SYM_PLAN_CONVOLUTION || op->kind == SYM_PLAN_VOLUME ||
           op->kind == SYM_PLAN_POOL || op->kind == SYM_PLAN_RESIZE ||
           op->kind == SYM_PLAN_SAMPLE || op->kind == SYM_PLAN_LOCAL_NORM;
  if (!turn_patterns (self, &turned))
    return FALSE;
  return (op->x_period == 0 && get (self, op->x)->is_last) ||
         (op->other != SYM_PLAN_NONE && op->other_period == 0 && get (self, op->other)->is_last);
}

/* Whether x has the same channels as the result, so that they may lie last in both. */
static gboolean
keeps_channels (const Layout *self, const SymPlanOp *op)
{
  const SymShape *x = &get (self, op->x)->shape, *y = &get (self, op->y)->shape;

  return op->kind == SYM_PLAN_VIEW && x->rank >= 3 && y->rank >= 3 && x->dims[0] == y->dims[0] &&
         x->dims[1] == y->dims[1];
}

/* Whether the other operand is no image. */
static gboolean
keeps_other (const SymPlanOp *op)
{
  return sym_plan_op_is_heavy (op) || op->kind == SYM_PLAN_SAMPLE;
}

static gboolean
quantizes_image (const SymPlanOp *op)
{
  return op->kind == SYM_PLAN_QUANTIZE && op->bytes->is_image;
}

/* The largest numbers over the last axes of an image whose channels are last: those of all channels
 * are found at once in it as it lies, rather than after it was turned.  FALSE for anything else. */
static gboolean
turn_maximum (const Layout *self, SymPlanOp *op)
{
  const SymPlanTensor *x = get (self, op->x), *y = get (self, op->y);
  gsize channels, n_images;

  if (op->kind != SYM_PLAN_ROWS || op->rows != SYM_PLAN_MAXIMUM || op->n_inner != 1 ||
      !x->is_last || y->shape.rank < 2 || y->shape.dims[0] != x->shape.dims[0] ||
      y->shape.dims[1] != x->shape.dims[1])
    return FALSE;
  channels = (gsize) x->shape.dims[1];
  n_images = (gsize) x->shape.dims[0];
  if (y->n != op->n_outer || op->n_outer % (channels * n_images) != 0)
    return FALSE;
  op->n_outer /= channels;
  op->n_inner = channels;
  return TRUE;
}

static void
lay_out_op (Layout *self, const SymPlanOp *from)
{
  SymPlanOp op = *from;
  gboolean is_last = wants_last (self, &op);

  /* These take x as it lies. */
  if (op.kind == SYM_PLAN_FACTORS || keeps_channels (self, &op))
    {
      get (self, op.y)->is_last = op.kind == SYM_PLAN_VIEW && get (self, op.x)->is_last;
      g_array_append_val (self->ops, op);
      return;
    }
  if (turn_maximum (self, &op))
    {
      get (self, op.y)->is_last = get (self, op.y)->shape.rank >= 3;
      g_array_append_val (self->ops, op);
      return;
    }
  /* What repeats is read as it is in the model, as are weights and grids; rows of channels or
   * pixels are the same in both orders. */
  op.x = want (self, op.x, (is_last && op.x_period == 0) || quantizes_image (&op));
  op.other = want (self, op.other, is_last && op.other_period == 0 && !keeps_other (&op));
  if (is_last)
    turn_patterns (self, &op);
  op.third = want (self, op.third, is_last);
  op.addend = want (self, op.addend, is_last);
  get (self, op.y)->is_last = is_last;
  g_array_append_val (self->ops, op);
}

/* ---- Moves ---- */

/* Where the elements are when the channels are last. */
static void
init_last (SymPlanGrid *grid, const SymShape *shape)
{
  gint64 stride = shape->dims[1];

  sym_plan_grid_init (grid, shape);
  grid->strides[1] = 1;
  for (int i = shape->rank - 1; i >= 2; i--)
    {
      grid->strides[i] = stride;
      stride *= shape->dims[i];
    }
}

/* From where elements would be if the channels were first to where they are.  FALSE when strides
 * cannot tell. */
static gboolean
follow (const SymShape *shape, gboolean is_last, SymPlanGrid *grid)
{
  SymPlanGrid last;

  if (!is_last)
    return TRUE;
  init_last (&last, shape);
  return sym_plan_grid_compose (grid, &last);
}

/* Whether elements that are together stay so. */
static gboolean
is_near (const SymPlanGrid *from, const SymPlanGrid *to)
{
  for (int i = 0; i < from->rank; i++)
    if (from->sizes[i] > 1 && from->strides[i] == 1 && to->strides[i] == 1)
      return TRUE;
  return FALSE;
}

/* Whether the result of operation @first, a move, and of those after it that make the same, better
 * has its channels last: when operands have, unless that would scatter what lies together. */
static gboolean
is_better_last (const Layout *self, guint first)
{
  guint y = sym_plan_graph_get_op (self->graph, first)->y;
  const SymShape *shape = &get (self, y)->shape;
  gboolean has_last = FALSE, is_near_first = FALSE, is_near_last = FALSE;

  if (shape->rank < 3)
    return FALSE;
  for (guint i = first; i < self->graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);
      const SymPlanTensor *x;
      SymPlanGrid from, to;

      if (op->is_gone)
        continue;
      if (op->kind != SYM_PLAN_MOVE || op->y != y)
        break;
      x = get (self, op->x);
      from = op->grids[0];
      to = op->grids[1];
      if (follow (&x->shape, x->is_last, &from))
        {
          has_last = has_last || x->is_last;
          is_near_first = is_near_first || is_near (&from, &to);
        }
      if (!follow (shape, TRUE, &to))
        return FALSE;
      is_near_last = is_near_last || is_near (&from, &to);
    }
  return has_last && (is_near_last || !is_near_first);
}

static void
lay_out_move (Layout *self, guint i)
{
  SymPlanOp op = *sym_plan_graph_get_op (self->graph, i);
  SymPlanGrid *grids = sym_plan_graph_add_grids (self->graph, 2);
  const SymPlanTensor *x = get (self, op.x);

  grids[0] = op.grids[0];
  grids[1] = op.grids[1];
  op.grids = grids;
  if (!self->is_laid[op.y])
    {
      get (self, op.y)->is_last = is_better_last (self, i);
      self->is_laid[op.y] = TRUE;
    }
  if (!follow (&x->shape, x->is_last, &grids[0]))
    op.x = want (self, op.x, FALSE);
  follow (&get (self, op.y)->shape, get (self, op.y)->is_last, &grids[1]);
  g_array_append_val (self->ops, op);
}

/* ---- All ---- */

/* Results that others need lie as in the model, each in memory of its own. */
static void
bring_out (Layout *self)
{
  g_autofree gboolean *is_own = g_new0 (gboolean, self->graph->tensors->len);
  guint n = self->graph->tensors->len;

  for (guint i = 0; i < self->ops->len; i++)
    {
      const SymPlanOp *op = &g_array_index (self->ops, SymPlanOp, i);

      is_own[op->y] = op->kind != SYM_PLAN_VIEW;
    }
  for (guint i = 0; i < n; i++)
    {
      guint copy;

      if (!get (self, i)->is_output || (is_own[i] && !get (self, i)->is_last))
        continue;
      copy = sym_plan_graph_add_tensor (self->graph, i);
      get (self, copy)->value = get (self, i)->value;
      get (self, copy)->is_output = TRUE;
      get (self, copy)->is_last = FALSE;
      get (self, i)->is_output = FALSE;
      append_simple (self, SYM_PLAN_COPY, i, copy);
    }
}

void
sym_plan_graph_lay_out (SymPlanGraph *self)
{
  g_autofree gboolean *is_laid = g_new0 (gboolean, self->tensors->len + 1);
  Layout layout = { self, g_array_new (FALSE, TRUE, sizeof (SymPlanOp)), is_laid };

  for (guint i = 0; i < self->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self, i);

      if (op->is_gone)
        continue;
      if (op->kind == SYM_PLAN_MOVE)
        lay_out_move (&layout, i);
      else
        lay_out_op (&layout, op);
      op->scales = op->bias = NULL;
    }
  bring_out (&layout);
  /* What memory they have belongs to the new operations now. */
  g_array_set_size (self->ops, 0);
  g_array_append_vals (self->ops, layout.ops->data, layout.ops->len);
  g_array_unref (layout.ops);
}
