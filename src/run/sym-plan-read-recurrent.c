/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

#include <math.h>
#include <string.h>

/* Recurrent layers: the product of all inputs, then one operation that goes through the steps.
 * Those with lengths of their own, peepholes, a clip or rare activations are left to kernels. */

typedef struct {
  SymPlanCall *call;
  SymPlanCell cell;
  gint64 n_gates, n_steps, n_batch, n_features, n_directions;
  gboolean is_reverse, is_batch_first;
  guint x, w, r, b, states[2]; /* no state: all 0 */
} Reading;

/* ---- What is asked ---- */

/* Whether the activations are these, in each direction. */
static gboolean
has_functions (const Reading *self, const char *const *names, guint n)
{
  const SymValue *list = sym_attributes_find (self->call->attributes, "activations");
  guint n_told = list == NULL ? 0 : sym_value_get_n_children (list);

  if (n_told != 0 && n_told != n * (guint) self->n_directions)
    return FALSE;
  for (guint i = 0; i < n_told; i++)
    {
      const char *name = sym_value_get_string (sym_value_get_child (list, i));

      if (name == NULL || g_ascii_strcasecmp (name, names[i % n]) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_direction (Reading *self)
{
  const SymValue *value = sym_attributes_find (self->call->attributes, "direction");
  const char *direction = value == NULL ? "forward" : sym_value_get_string (value);

  self->n_directions = g_strcmp0 (direction, "bidirectional") == 0 ? 2 : 1;
  self->is_reverse = g_strcmp0 (direction, "reverse") == 0;
  self->is_batch_first = sym_plan_call_get_int (self->call, "layout", 0) != 0;
  return self->n_directions == 2 || self->is_reverse || g_strcmp0 (direction, "forward") == 0;
}

/* Sequences that are all as long as can be. */
static gboolean
are_whole (const Reading *self)
{
  gint64 lengths[64];
  int n;

  if (!sym_plan_call_has_operand (self->call, 4))
    return TRUE;
  n = sym_plan_call_get_list (self->call, NULL, 4, lengths, G_N_ELEMENTS (lengths));
  for (int i = 0; i < n; i++)
    if (lengths[i] != self->n_steps)
      return FALSE;
  return n >= 0 && n == self->n_batch;
}

/* ---- Operands ---- */

/* A constant of that shape. */
static gboolean
is_constant (const Reading *self, guint tensor, SymShape shape)
{
  return tensor != SYM_PLAN_NONE && sym_plan_call_get (self->call, tensor)->constant != NULL &&
         sym_shape_equal (&sym_plan_call_get (self->call, tensor)->shape, &shape);
}

static gboolean
is_zero (const SymPlanTensor *tensor)
{
  if (tensor->constant == NULL)
    return FALSE;
  for (gsize i = 0; i < tensor->n; i++)
    if (tensor->constant[i] != 0)
      return FALSE;
  return TRUE;
}

static gboolean
read_state (Reading *self, guint i)
{
  guint tensor = sym_plan_call_need_operand (self->call, 5 + i);
  gint64 d = self->n_directions, b = self->n_batch, h = self->n_features;
  SymShape shape = self->is_batch_first ? SYM_SHAPE (b, d, h) : SYM_SHAPE (d, b, h);

  self->states[i] = SYM_PLAN_NONE;
  if (!sym_plan_call_has_operand (self->call, 5 + i))
    return TRUE;
  if (tensor == SYM_PLAN_NONE ||
      !sym_shape_equal (&sym_plan_call_get (self->call, tensor)->shape, &shape))
    return FALSE;
  if (!is_zero (sym_plan_call_get (self->call, tensor)))
    self->states[i] = tensor;
  return TRUE;
}

static gboolean
read_weights (Reading *self)
{
  gint64 d = self->n_directions, h = self->n_features, gates = self->n_gates * self->n_features;
  gint64 n_inputs = sym_plan_call_get (self->call, self->x)->shape.dims[2];

  if (!is_constant (self, self->w, SYM_SHAPE (d, gates, n_inputs)) ||
      !is_constant (self, self->r, SYM_SHAPE (d, gates, h)))
    return FALSE;
  return !sym_plan_call_has_operand (self->call, 3) ||
         is_constant (self, self->b, SYM_SHAPE (d, 2 * gates));
}

static gboolean
read_operands (Reading *self)
{
  const SymShape *x, *r;

  self->x = sym_plan_call_need_operand (self->call, 0);
  self->w = sym_plan_call_need_operand (self->call, 1);
  self->r = sym_plan_call_need_operand (self->call, 2);
  self->b = sym_plan_call_need_operand (self->call, 3);
  if (self->x == SYM_PLAN_NONE || self->r == SYM_PLAN_NONE || !read_direction (self) ||
      sym_plan_call_get (self->call, self->x)->constant != NULL)
    return FALSE;
  x = &sym_plan_call_get (self->call, self->x)->shape;
  r = &sym_plan_call_get (self->call, self->r)->shape;
  if (x->rank != 3 || r->rank != 3)
    return FALSE;
  self->n_steps = x->dims[self->is_batch_first ? 1 : 0];
  self->n_batch = x->dims[self->is_batch_first ? 0 : 1];
  self->n_features = r->dims[2];
  return sym_attributes_find (self->call->attributes, "clip") == NULL &&
         sym_plan_call_get_int (self->call, "hidden_size", self->n_features) == self->n_features &&
         !sym_plan_call_has_operand (self->call, 7) && are_whole (self) && read_weights (self) &&
         read_state (self, 0) && read_state (self, 1);
}

/* ---- The product of inputs ---- */

/* The bias of gate h of a unit whose reset gate acts on the product is that product's own. */
static gboolean
is_apart (const Reading *self, gint64 gate)
{
  return self->cell == SYM_PLAN_CELL_GATED_LATE && gate == 2;
}

static float *
new_bias (const Reading *self)
{
  gint64 h = self->n_features, gates = self->n_gates * h;
  float *bias = g_new0 (float, (gsize) (self->n_directions * gates) + 1);
  const float *told =
      self->b == SYM_PLAN_NONE ? NULL : sym_plan_call_get (self->call, self->b)->constant;

  for (gint64 i = 0; told != NULL && i < self->n_directions * gates; i++)
    {
      const float *from = told + i / gates * 2 * gates;

      bias[i] = from[i % gates];
      if (!is_apart (self, i % gates / h))
        bias[i] += from[gates + i % gates];
    }
  return bias;
}

/* Biases that are added to the products of states: 0 but for those. */
static float *
new_state_bias (const Reading *self)
{
  gint64 h = self->n_features, gates = self->n_gates * h;
  float *bias;

  if (self->cell != SYM_PLAN_CELL_GATED_LATE || self->b == SYM_PLAN_NONE)
    return NULL;
  bias = g_new0 (float, (gsize) (self->n_directions * gates) + 1);
  for (gint64 i = 0; i < self->n_directions; i++)
    memcpy (bias + i * gates + 2 * h,
            sym_plan_call_get (self->call, self->b)->constant + i * 2 * gates + gates + 2 * h,
            (gsize) h * sizeof *bias);
  return bias;
}

/* The sums of all steps that come of inputs: [steps, batch, directions, gates], or with the batch
 * first. */
static guint
append_product (const Reading *self)
{
  gint64 outer = self->n_directions * self->n_gates * self->n_features;
  g_autofree float *bias = new_bias (self);
  SymPlanCallProduct product = {
    .x = self->x,
    .from = self->w,
    .weights = sym_plan_call_get (self->call, self->w)->constant,
    .bias = bias,
    .inner = (gsize) sym_plan_call_get (self->call, self->x)->shape.dims[2],
    .outer = (gsize) outer,
    .is_transposed = TRUE,
    .factor = 1,
  };

  product.y =
      sym_plan_call_add_tensor (self->call, &SYM_SHAPE (self->n_steps * self->n_batch, outer));
  sym_plan_call_append_product (self->call, &product);
  return product.y;
}

/* ---- The steps ---- */

/* Axes that lie in memory in another order than that of @sizes: @order has them from the widest
 * stride on. */
static void
set_grid (SymPlanGrid *grid, int rank, const gint64 *sizes, const int *order)
{
  gint64 stride = 1;

  *grid = (SymPlanGrid){ .rank = rank };
  for (int i = rank - 1; i >= 0; i--)
    {
      grid->sizes[order[i]] = sizes[order[i]];
      grid->strides[order[i]] = stride;
      stride *= sizes[order[i]];
    }
}

static void
set_grids (const Reading *self, SymPlanGrid *grids)
{
  gint64 t = self->n_steps, d = self->n_directions, b = self->n_batch, h = self->n_features;
  const gint64 gates[] = { t, d, b, self->n_gates * h }, states[] = { t, d, b, h };
  const int within[] = { 0, 2, 1, 3 }, batch_first[] = { 2, 0, 1, 3 }, plain[] = { 0, 1, 2, 3 };
  const int exchanged[] = { 1, 0, 2 };

  set_grid (&grids[SYM_PLAN_GATES], 4, gates, self->is_batch_first ? batch_first : within);
  set_grid (&grids[SYM_PLAN_STATES], 4, states, self->is_batch_first ? batch_first : plain);
  set_grid (&grids[SYM_PLAN_BEGIN], 3, states + 1, self->is_batch_first ? exchanged : plain);
  grids[SYM_PLAN_CELLS] = grids[SYM_PLAN_BEGIN];
  grids[SYM_PLAN_CELLS].offset = t * d * b * h;
}

/* y, which is the last of a few moves where @n of them make it. */
static void
append_move (const Reading *self, guint x, guint y, SymPlanGrid from, SymPlanGrid to)
{
  SymPlanOp op = sym_plan_call_new_op (self->call, SYM_PLAN_MOVE, x);

  op.y = y;
  op.grids = sym_plan_graph_add_grids (self->call->graph, 2);
  op.grids[0] = from;
  op.grids[1] = to;
  sym_plan_call_append (self->call, &op);
}

/* Of the states of each direction those that come last. */
static void
append_last (const Reading *self, guint states, guint y, const SymPlanGrid *grids)
{
  for (gint64 i = 0; i < self->n_directions; i++)
    {
      SymPlanGrid from = { .rank = 2 }, to = { .rank = 2 };
      gboolean is_reverse = i == 1 || self->is_reverse;

      for (int j = 0; j < 2; j++)
        {
          from.sizes[j] = to.sizes[j] = grids[SYM_PLAN_STATES].sizes[j + 2];
          from.strides[j] = grids[SYM_PLAN_STATES].strides[j + 2];
          to.strides[j] = grids[SYM_PLAN_BEGIN].strides[j + 1];
        }
      from.offset = i * grids[SYM_PLAN_STATES].strides[1] +
                    (is_reverse ? 0 : self->n_steps - 1) * grids[SYM_PLAN_STATES].strides[0];
      to.offset = i * grids[SYM_PLAN_BEGIN].strides[0];
      append_move (self, states, y, from, to);
    }
}

static void
append_whole (const Reading *self, guint x, guint y, gint64 offset)
{
  const gint64 n = (gint64) sym_plan_call_get (self->call, y)->n;
  SymPlanGrid from = { .rank = 1, .sizes = { n }, .strides = { 1 }, .offset = offset };
  SymPlanGrid to = { .rank = 1, .sizes = { n }, .strides = { 1 } };

  append_move (self, x, y, from, to);
}

/* States go where the first result is, when nothing but that is wanted of them; else, and with the
 * last cells behind them, into a tensor that the results are parts of. */
static gboolean
append_steps (const Reading *self, guint gates)
{
  SymPlanOp op = sym_plan_call_new_op (self->call, SYM_PLAN_RECURRENT, gates);
  guint states = sym_plan_call_need_result (self->call, 0),
        last = sym_plan_call_need_result (self->call, 1),
        cells = sym_plan_call_need_result (self->call, 2);
  gint64 n_last = self->n_directions * self->n_batch * self->n_features;
  gint64 n = n_last * (self->n_steps + (cells == SYM_PLAN_NONE ? 0 : 1));

  op.y = states != SYM_PLAN_NONE && cells == SYM_PLAN_NONE
             ? states
             : sym_plan_call_add_tensor (self->call, &SYM_SHAPE (n));
  op.other = self->states[0];
  op.third = self->states[1];
  op.grids = sym_plan_graph_add_grids (self->call->graph, SYM_PLAN_N_RECURRENT);
  set_grids (self, op.grids);
  op.cell = self->cell;
  op.is_reverse = self->is_reverse;
  op.leaves_cells = cells != SYM_PLAN_NONE;
  op.weights = sym_plan_call_get (self->call, self->r)->constant;
  op.weights_from = self->r;
  op.bias = new_state_bias (self);
  sym_plan_call_append (self->call, &op);
  if (states != SYM_PLAN_NONE && op.y != states)
    append_whole (self, op.y, states, 0);
  if (last != SYM_PLAN_NONE)
    append_last (self, op.y, last, op.grids);
  if (cells != SYM_PLAN_NONE)
    append_whole (self, op.y, cells, op.grids[SYM_PLAN_CELLS].offset);
  return TRUE;
}

static gboolean
read_any (SymPlanCall *call, SymPlanCell cell, gint64 n_gates, const char *const *names, guint n)
{
  Reading self = { .call = call, .cell = cell, .n_gates = n_gates };

  return read_operands (&self) && has_functions (&self, names, n) &&
         append_steps (&self, append_product (&self));
}

static gboolean
read_rnn (SymPlanCall *call, SymVectorFunction function)
{
  const char *const tanh[] = { "Tanh" }, *const relu[] = { "Relu" };

  return read_any (call, SYM_PLAN_CELL_TANH, 1, tanh, 1) ||
         (sym_attributes_find (call->attributes, "activations") != NULL &&
          read_any (call, SYM_PLAN_CELL_RELU, 1, relu, 1));
}

static gboolean
read_gru (SymPlanCall *call, SymVectorFunction function)
{
  const char *const names[] = { "Sigmoid", "Tanh" };
  gboolean is_late = sym_plan_call_get_int (call, "linear_before_reset", 0) != 0;

  return read_any (call, is_late ? SYM_PLAN_CELL_GATED_LATE : SYM_PLAN_CELL_GATED, 3, names, 2);
}

static gboolean
read_lstm (SymPlanCall *call, SymVectorFunction function)
{
  const char *const names[] = { "Sigmoid", "Tanh", "Tanh" };

  return sym_plan_call_get_int (call, "input_forget", 0) == 0 &&
         read_any (call, SYM_PLAN_CELL_LONG, 4, names, 3);
}

const SymPlanReader sym_plan_recurrent_readers[] = {
  { "GRU", 7, read_gru, NULL, TRUE },
  { "LSTM", 7, read_lstm, NULL, TRUE },
  { "RNN", 7, read_rnn, NULL, TRUE },
  { NULL },
};
