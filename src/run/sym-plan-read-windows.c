/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-plan-read-private.h"

/* Convolutions and pools: windows that slide over the axes behind the channels, of which there may
 * be up to three.  Those that are missing are axes of one element, at the begin. */

typedef struct {
  gint64 after[SYM_PLAN_AXES]; /* padding */
  SymPlanAxis axes[SYM_PLAN_AXES];
} Windows;

/* ---- Attributes ---- */

static gboolean
read_sizes (const SymPlanCall *call,
            const char *name,
            int n,
            gint64 fallback,
            gint64 least,
            gint64 *sizes)
{
  if (!sym_plan_call_get_ints (call, name, sizes, n, fallback))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (sizes[i] < least || sizes[i] > G_MAXINT32)
      return FALSE;
  return TRUE;
}

/* What all have but the size of the kernel, which is @kernel or an attribute. */
static gboolean
read_axes (const SymPlanCall *call, guint x, const SymDim *kernel, Windows *windows)
{
  const SymShape *from = &sym_plan_call_get (call, x)->shape,
                 *to = &sym_plan_call_get (call, call->result)->shape;
  gint64 sizes[SYM_PLAN_AXES], strides[SYM_PLAN_AXES], dilations[SYM_PLAN_AXES];
  gint64 pads[2 * SYM_PLAN_AXES];
  int n = from->rank - 2;

  if (to->rank != from->rank || to->dims[0] != from->dims[0] ||
      !read_sizes (call, "strides", n, 1, 1, strides) ||
      !read_sizes (call, "dilations", n, 1, 1, dilations) ||
      !read_sizes (call, "pads", 2 * n, 0, 0, pads) ||
      (kernel == NULL && !read_sizes (call, "kernel_shape", n, 0, 1, sizes)))
    return FALSE;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    windows->axes[i] = (SymPlanAxis){ 1, 1, 1, 1, 1, 0 };
  for (int i = 0; i < n; i++)
    {
      gint64 size = kernel == NULL ? sizes[i] : kernel[i];

      windows->axes[SYM_PLAN_AXES - n + i] = (SymPlanAxis){
        from->dims[2 + i], to->dims[2 + i], size, strides[i], dilations[i], pads[i]
      };
      windows->after[SYM_PLAN_AXES - n + i] = pads[n + i];
      if (size < 1 || size > G_MAXINT32)
        return FALSE;
    }
  return TRUE;
}

static gint64
get_reach (const SymPlanAxis *axis)
{
  return (axis->kernel - 1) * axis->dilation + 1;
}

/* `auto_pad`, with the elements that are to be padded when it is not told where. */
static gboolean
place_padding (const SymPlanCall *call, SymPlanAxis *axis, gint64 *after, gint64 needed)
{
  const SymValue *value = sym_attributes_find (call->attributes, "auto_pad");
  const char *how = value == NULL ? "NOTSET" : sym_value_get_string (value);

  if (g_strcmp0 (how, "NOTSET") == 0)
    return TRUE;
  if (g_strcmp0 (how, "VALID") == 0)
    needed = 0;
  else if (g_strcmp0 (how, "SAME_UPPER") != 0 && g_strcmp0 (how, "SAME_LOWER") != 0)
    return FALSE;
  needed = MAX (needed, 0);
  axis->before = g_strcmp0 (how, "SAME_UPPER") == 0 ? needed / 2 : needed - needed / 2;
  *after = needed - axis->before;
  return TRUE;
}

/* Windows of convolutions and pools; FALSE when they do not make the result that inference has. */
static gboolean
read_windows (const SymPlanCall *call, guint x, const SymDim *kernel, Windows *windows)
{
  gboolean rounds_up = sym_plan_call_get_int (call, "ceil_mode", 0) != 0;

  *windows = (Windows){ .after = { 0 } };
  if (!read_axes (call, x, kernel, windows))
    return FALSE;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      SymPlanAxis *axis = &windows->axes[i];
      gint64 reach = get_reach (axis), end = (axis->to - 1) * axis->stride + reach, room;

      if (!place_padding (call, axis, &windows->after[i], end - axis->from))
        return FALSE;
      room = axis->from + axis->before + windows->after[i];
      /* The last window of one that rounds up may go beyond the padding. */
      if (rounds_up && end > room)
        {
          windows->after[i] += end - room;
          room = end;
        }
      if (room < reach || (room - reach) / axis->stride + 1 != axis->to)
        return FALSE;
    }
  return TRUE;
}

/* ---- As images ---- */

/* Whether each element makes the one in its place. */
static gboolean
is_still (const SymPlanAxis *axis)
{
  return axis->kernel == 1 && axis->stride == 1 && axis->before == 0 && axis->from == axis->to;
}

static void
set_axis (SymPlanOp *op, int i, const SymPlanAxis *axis, gint64 after)
{
  op->kernel[i] = axis->kernel;
  op->strides[i] = axis->stride;
  op->dilations[i] = axis->dilation;
  op->pads[i] = axis->before;
  op->pads[i + 2] = after;
}

/* Windows of the last two axes: what is before them are more images. */
static void
slide_across (SymPlanOp *op, const Windows *windows, gsize n)
{
  const SymPlanAxis *axes = windows->axes;

  op->from = (SymPlanImages){ n * (gsize) axes[0].from, op->inner, (gsize) axes[1].from,
                              (gsize) axes[2].from };
  op->to = (SymPlanImages){ op->from.n, op->outer, (gsize) axes[1].to, (gsize) axes[2].to };
  for (int i = 0; i < 2; i++)
    set_axis (op, i, &axes[i + 1], windows->after[i + 1]);
}

/* Windows of the first axis: the other two, of @width elements, are one. */
static void
slide_down (SymPlanOp *op, const Windows *windows, gsize n, gsize width)
{
  const SymPlanAxis still = { (gint64) width, (gint64) width, 1, 1, 1, 0 };

  op->from = (SymPlanImages){ n, op->inner, (gsize) windows->axes[0].from, width };
  op->to = (SymPlanImages){ n, op->outer, (gsize) windows->axes[0].to, width };
  set_axis (op, 0, &windows->axes[0], windows->after[0]);
  set_axis (op, 1, &still, 0);
}

gboolean
sym_plan_call_slide (const SymPlanCall *call, guint x, const SymDim *kernel, SymPlanOp *op)
{
  Windows windows;

  if (!read_windows (call, x, kernel, &windows) || !is_still (&windows.axes[0]))
    return FALSE;
  slide_across (op, &windows, (gsize) sym_plan_call_get (call, x)->shape.dims[0]);
  return TRUE;
}

/* ---- Convolutions ---- */

/* Tensors of channels. */
static gboolean
has_channels (const SymPlanCall *call, guint x)
{
  return x != SYM_PLAN_NONE && sym_plan_call_get (call, x)->shape.rank >= 3 &&
         sym_plan_call_get (call, x)->shape.rank <= 2 + SYM_PLAN_AXES;
}

static gboolean
is_computed (const SymPlanCall *call, guint tensor)
{
  return sym_plan_call_get (call, tensor)->constant == NULL;
}

/* Weights for the channels of x and y, and terms; @is_transposed have the channels of x first. */
static gboolean
read_weights (SymPlanCall *call, SymPlanOp *op, gboolean is_transposed)
{
  guint weights = sym_plan_call_need_operand (call, 1), bias = sym_plan_call_need_operand (call, 2);
  const SymPlanTensor *w, *x;

  op->groups = sym_plan_call_get_int (call, "group", 1);
  if (!has_channels (call, op->x) || weights == SYM_PLAN_NONE || op->groups < 1 ||
      (!is_computed (call, op->x) && !is_computed (call, weights)))
    return FALSE;
  w = sym_plan_call_get (call, weights);
  x = sym_plan_call_get (call, op->x);
  if (w->shape.rank != x->shape.rank)
    return FALSE;
  op->inner = (gsize) w->shape.dims[is_transposed ? 0 : 1];
  op->outer = (gsize) w->shape.dims[is_transposed ? 1 : 0];
  *(is_transposed ? &op->outer : &op->inner) *= (gsize) op->groups;
  if ((gsize) x->shape.dims[1] != op->inner || op->inner % (gsize) op->groups != 0 ||
      op->outer % (gsize) op->groups != 0 ||
      (gsize) sym_plan_call_get (call, op->y)->shape.dims[1] != op->outer)
    return FALSE;
  if (sym_plan_call_has_operand (call, 2) &&
      (bias == SYM_PLAN_NONE || sym_plan_call_get (call, bias)->n != op->outer))
    return FALSE;
  op->weights = w->constant;
  op->weights_from = weights;
  op->packs_weights = w->constant == NULL;
  if (op->packs_weights)
    op->other = weights;
  return TRUE;
}

/* Lanes of the widest processor. */
#define LANES 16

/* Where computed weights are packed: the channels that a group makes are filled up to vectors. */
static guint
add_room (SymPlanCall *call, const SymPlanOp *op)
{
  gint64 n = (gint64) sym_plan_call_get (call, op->other)->n, n_group;
  guint room;

  n_group = (gint64) op->outer / op->groups;
  if (op->kind != SYM_PLAN_CONVOLUTION || !sym_plan_op_is_depthwise (op))
    n = n / n_group * ((n_group + LANES - 1) / LANES * LANES);
  room = sym_plan_call_add_tensor (call, &SYM_SHAPE (n));
  sym_plan_graph_get_tensor (call->graph, room)->is_made = TRUE;
  return room;
}

/* Terms of each channel that are computed. */
static gboolean
append_terms (SymPlanCall *call, guint x, guint terms)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_ELEMENTWISE, x);
  const SymPlanTensor *y = sym_plan_call_get (call, call->result);

  op.function = sym_vector_add;
  op.other = terms;
  op.other_period = (gsize) y->shape.dims[1];
  op.other_repeat = y->n / (gsize) (y->shape.dims[0] * y->shape.dims[1]);
  return sym_plan_call_append (call, &op);
}

/* Those of the weights as they are in the file. */
static gboolean
append_convolution (SymPlanCall *call, SymPlanOp *op)
{
  guint terms = sym_plan_call_need_operand (call, 2);

  if (op->packs_weights)
    op->third = add_room (call, op);
  op->scales = g_new (float, op->outer + 1);
  for (gsize i = 0; i < op->outer; i++)
    op->scales[i] = 1;
  op->bias = g_new0 (float, op->outer + 1);
  if (terms != SYM_PLAN_NONE && is_computed (call, terms))
    {
      op->y = sym_plan_graph_add_tensor (call->graph, call->result);
      sym_plan_call_append (call, op);
      return append_terms (call, op->y, terms);
    }
  if (terms != SYM_PLAN_NONE)
    memcpy (op->bias, sym_plan_call_get (call, terms)->constant, op->outer * sizeof *op->bias);
  return sym_plan_call_append (call, op);
}

static gboolean
read_convolution (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op =
      sym_plan_call_new_op (call, SYM_PLAN_CONVOLUTION, sym_plan_call_need_operand (call, 0));
  const SymPlanAxis *axes;
  Windows windows;
  gsize n;

  if (!read_weights (call, &op, FALSE) ||
      !read_windows (call, op.x,
                     sym_plan_graph_get_tensor (call->graph, op.weights_from)->shape.dims + 2,
                     &windows))
    return FALSE;
  axes = windows.axes;
  n = (gsize) sym_plan_call_get (call, op.x)->shape.dims[0];
  if (is_still (&axes[0]))
    slide_across (&op, &windows, n);
  else if (is_still (&axes[1]) && is_still (&axes[2]))
    slide_down (&op, &windows, n, (gsize) (axes[1].from * axes[2].from));
  else
    {
      op.kind = SYM_PLAN_VOLUME;
      op.from.n = n;
      op.axes = sym_plan_graph_add_axes (call->graph, axes);
    }
  return append_convolution (call, &op);
}

/* Of `output_shape`, whose sizes inference has. */
static gboolean
has_shape (const SymPlanCall *call)
{
  const SymValue *value = sym_attributes_find (call->attributes, "output_shape");

  return value != NULL && sym_value_get_n_children (value) > 0;
}

/* Where the size of the result is told, padding follows from it, and the larger half of it is at
 * the begin unless told otherwise. */
static gboolean
place_transposed (const SymPlanCall *call, SymPlanAxis *axis, gint64 *after, gint64 more)
{
  gint64 whole = (axis->from - 1) * axis->stride + more + get_reach (axis);

  if (has_shape (call))
    axis->before = (MAX (whole - axis->to, 0) + 1) / 2;
  return place_padding (call, axis, after, whole - axis->to);
}

static gboolean
read_transposed (SymPlanCall *call, SymVectorFunction function)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_VOLUME, sym_plan_call_need_operand (call, 0));
  gint64 more[SYM_PLAN_AXES];
  Windows windows = { .after = { 0 } };
  int n;

  op.is_transposed = TRUE;
  if (!read_weights (call, &op, TRUE) ||
      !read_axes (call, op.x,
                  sym_plan_graph_get_tensor (call->graph, op.weights_from)->shape.dims + 2,
                  &windows))
    return FALSE;
  n = sym_plan_call_get (call, op.x)->shape.rank - 2;
  if (!read_sizes (call, "output_padding", n, 0, 0, more))
    return FALSE;
  for (int i = SYM_PLAN_AXES - n; i < SYM_PLAN_AXES; i++)
    if (!place_transposed (call, &windows.axes[i], &windows.after[i], more[i - SYM_PLAN_AXES + n]))
      return FALSE;
  op.from.n = (gsize) sym_plan_call_get (call, op.x)->shape.dims[0];
  op.axes = sym_plan_graph_add_axes (call->graph, windows.axes);
  return append_convolution (call, &op);
}

/* ---- Pools ---- */

/* Whether each window has an element in it, and tells how many are in it. */
static gboolean
is_pool (const SymPlanCall *call, const Windows *windows, gboolean counts_outside)
{
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      const SymPlanAxis *axis = &windows->axes[i];
      gboolean is_padded = axis->before > 0 || windows->after[i] > 0;

      if (axis->before >= axis->kernel || windows->after[i] >= axis->kernel ||
          axis->dilation != 1 ||
          (is_padded && counts_outside && sym_plan_call_get_int (call, "ceil_mode", 0) != 0))
        return FALSE;
    }
  return TRUE;
}

#define FEW_CHANNELS 16

/* Of three axes, first the last two, then the first. */
static gboolean
append_pool (SymPlanCall *call, SymPlanOp *op, const Windows *windows)
{
  const SymPlanAxis *axes = windows->axes;
  gsize n = (gsize) sym_plan_call_get (call, op->x)->shape.dims[0];
  gboolean is_flat = is_still (&axes[1]) && is_still (&axes[2]);

  op->inner = op->outer = (gsize) sym_plan_call_get (call, op->x)->shape.dims[1];
  if (is_still (&axes[0]))
    {
      slide_across (op, windows, n);
      return sym_plan_call_append (call, op);
    }
  if (!is_flat)
    {
      SymPlanTensor *between;

      op->y = sym_plan_graph_add_tensor (call->graph, call->result);
      between = sym_plan_graph_get_tensor (call->graph, op->y);
      between->shape.dims[2] = axes[0].from;
      between->n = between->n / (gsize) axes[0].to * (gsize) axes[0].from;
      slide_across (op, windows, n);
      sym_plan_call_append (call, op);
      op->x = op->y;
      op->y = call->result;
    }
  slide_down (op, windows, n, (gsize) (axes[1].to * axes[2].to));
  /* Few channels are taken for more of them, as they lie side by side. */
  if (op->inner < FEW_CHANNELS)
    {
      op->from.channels *= op->from.width;
      op->to.channels *= op->to.width;
      op->from.width = op->to.width = 1;
    }
  return sym_plan_call_append (call, op);
}

static gboolean
read_pool (SymPlanCall *call, gboolean is_maximum)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_POOL, sym_plan_call_need_operand (call, 0));
  Windows windows;

  op.is_maximum = is_maximum;
  op.counts_outside = !is_maximum && sym_plan_call_get_int (call, "count_include_pad", 0) != 0;
  if (!has_channels (call, op.x) || !is_computed (call, op.x) || call->operands.n != 1 ||
      !read_windows (call, op.x, NULL, &windows) || !is_pool (call, &windows, op.counts_outside))
    return FALSE;
  return append_pool (call, &op, &windows);
}

static gboolean
read_maximum (SymPlanCall *call, SymVectorFunction function)
{
  return read_pool (call, TRUE);
}

static gboolean
read_average (SymPlanCall *call, SymVectorFunction function)
{
  return read_pool (call, FALSE);
}

/* One window that has everything in it. */
static gboolean
read_global_pool (SymPlanCall *call, gboolean is_maximum)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_POOL, sym_plan_call_need_operand (call, 0));
  Windows windows = { .after = { 0 } };
  const SymShape *shape;

  if (!has_channels (call, op.x) || !is_computed (call, op.x))
    return FALSE;
  shape = &sym_plan_call_get (call, op.x)->shape;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      int axis = shape->rank - SYM_PLAN_AXES + i;
      gint64 size = axis < 2 ? 1 : shape->dims[axis];

      windows.axes[i] = (SymPlanAxis){ size, 1, size, 1, 1, 0 };
    }
  op.is_maximum = is_maximum;
  return append_pool (call, &op, &windows);
}

static gboolean
read_global_average (SymPlanCall *call, SymVectorFunction function)
{
  return read_global_pool (call, FALSE);
}

static gboolean
read_global_maximum (SymPlanCall *call, SymVectorFunction function)
{
  return read_global_pool (call, TRUE);
}

const SymPlanReader sym_plan_window_readers[] = {
  { "AveragePool", 1, read_average, NULL },
  { "Conv", 1, read_convolution, NULL },
  { "ConvTranspose", 1, read_transposed, NULL },
  { "GlobalAveragePool", 1, read_global_average, NULL },
  { "GlobalMaxPool", 1, read_global_maximum, NULL },
  { "MaxPool", 1, read_maximum, NULL },
  { NULL },
};
