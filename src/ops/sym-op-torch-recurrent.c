/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch-recurrent.h"

#include <string.h>

#include "ops/sym-op-torch.h"

typedef struct {
  gint64 input_size, hidden_size, n_layers, n_directions;
  gboolean batch_first;
} Recurrence;

static gboolean
read_recurrence (SymRule *rule, Recurrence *self, GError **error)
{
  self->input_size = sym_rule_get_int (rule, "input_size", 0);
  self->hidden_size = sym_rule_get_int (rule, "hidden_size", 0);
  self->n_layers = sym_rule_get_int (rule, "num_layers", 1);
  self->n_directions = sym_rule_get_bool (rule, "bidirectional", FALSE) ? 2 : 1;
  self->batch_first = sym_rule_get_bool (rule, "batch_first", FALSE);
  if (self->hidden_size < 1 || self->hidden_size > G_MAXINT32 || self->n_layers < 1 ||
      self->n_layers > G_MAXINT16)
    return sym_rule_fail (error, "hidden_size and num_layers must be at least 1");
  return sym_op_torch_check_rank (rule, 2, 3, error);
}

/* [length, batch, features] of the outputs and [layers, batch, features] of the last state; without
 * a batch both have one dimension less. */
static gboolean
get_shapes (SymRule *rule,
            const Recurrence *self,
            SymShape *output,
            SymShape *state,
            GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);

  *output = input;
  *state = input;
  if (input.rank < 0)
    return TRUE;

  if (!sym_rule_unify (rule, input.dims[input.rank - 1], self->input_size,
                       "features of the input, against input_size,", error))
    return FALSE;
  output->dims[input.rank - 1] = self->hidden_size * self->n_directions;
  state->dims[0] = self->n_layers * self->n_directions;
  if (input.rank == 3)
    state->dims[1] = input.dims[self->batch_first ? 0 : 1];
  state->dims[input.rank - 1] = self->hidden_size;
  return TRUE;
}

static gboolean
infer_lstm (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape output, state;
  SymType states[2], parts[2];
  SymType tuple = { .kind = SYM_KIND_TUPLE, .elements = parts, .n_elements = 2 };
  Recurrence self;

  tuple.shape.rank = -1;
  if (!read_recurrence (rule, &self, error) || !get_shapes (rule, &self, &output, &state, error))
    return FALSE;
  states[0] = states[1] = sym_type_tensor (dtype, state);
  parts[0] = sym_type_tensor (dtype, output);
  parts[1] = tuple;
  parts[1].elements = g_memdup2 (states, sizeof states);
  sym_rule_set_output_type (rule, 0, &tuple);
  g_free ((gpointer) parts[1].elements);
  return TRUE;
}

static gboolean
infer_gru (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape output, state;
  SymType parts[2];
  SymType tuple = { .kind = SYM_KIND_TUPLE, .elements = parts, .n_elements = 2 };
  Recurrence self;

  tuple.shape.rank = -1;
  if (!read_recurrence (rule, &self, error) || !get_shapes (rule, &self, &output, &state, error))
    return FALSE;
  parts[0] = sym_type_tensor (dtype, output);
  parts[1] = sym_type_tensor (dtype, state);
  sym_rule_set_output_type (rule, 0, &tuple);
  return TRUE;
}

/* ---- In ONNX's layers ---- */

/* torch: input, forget, cell, output; ONNX: input, output, forget, cell. */
const SymOpTorchCell sym_op_torch_lstm = { "LSTM", 4, { 0, 3, 1, 2 }, TRUE };

/* torch: reset, update, new; ONNX: update, reset, hidden. */
const SymOpTorchCell sym_op_torch_gru = { "GRU", 3, { 1, 0, 2 }, FALSE };
const SymOpTorchCell sym_op_torch_rnn = { "RNN", 1, { 0 }, FALSE };

static SymId
join (SymOpLower *self, const SymId *parts, guint n, int axis)
{
  return n == 1 ? parts[0]
                : sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                     sym_value_new_int (axis), NULL);
}

/* The gates of one weight or bias in ONNX's order. */
static SymId
order_gates (const SymOpTorchStack *self, SymId weight)
{
  SymId gates[4];

  if (self->cell->n_gates == 1)
    return weight;
  for (int i = 0; i < self->cell->n_gates; i++)
    gates[i] = sym_op_lower_slice (self->lower, weight, 0, self->cell->order[i] * self->hidden,
                                   (self->cell->order[i] + 1) * self->hidden, 1);
  return join (self->lower, gates, (guint) self->cell->n_gates, 0);
}

/* Where operand @place of one direction of a layer is: weight_ih, weight_hh, bias_ih, bias_hh. */
static guint
find_weight (const SymOpTorchStack *self, guint layer, guint direction, guint place)
{
  guint n = (guint) self->n_directions, each = self->has_bias && !self->biases_last ? 4 : 2;
  guint first = self->first + each * (layer * n + direction);

  if (!self->biases_last || place < 2)
    return first + place;
  return first + 2 * n * (guint) self->n_layers + place - 2;
}

/* Operand @place of both directions, one above the other. */
static SymId
take_weights (const SymOpTorchStack *self, gint64 layer, guint place)
{
  SymId parts[2];
  gint64 zero = 0;

  for (int i = 0; i < self->n_directions; i++)
    {
      SymId weight =
          sym_op_lower_input (self->lower, find_weight (self, (guint) layer, (guint) i, place));

      parts[i] = sym_op_lower_binary (self->lower, "Unsqueeze", order_gates (self, weight),
                                      sym_op_lower_ints (self->lower, &zero, 1));
    }
  return join (self->lower, parts, (guint) self->n_directions, 0);
}

/* What one layer begins with, [directions, batch, hidden] of all. */
static SymId
take_state (const SymOpTorchStack *self, int i, gint64 layer)
{
  gint64 first = layer * self->n_directions;

  if (self->initial[i] == SYM_NO_ID || self->n_layers == 1)
    return self->initial[i];
  return sym_op_lower_slice (self->lower, self->initial[i], 0, first, first + self->n_directions,
                             1);
}

/* @function of RNN, for each direction; none for the default. */
static SymValue *
list_functions (const SymOpTorchStack *self)
{
  SymValue *names[2];

  for (int i = 0; i < self->n_directions; i++)
    names[i] = sym_value_new_string (self->function);
  return sym_value_new_list (names, (guint) self->n_directions);
}

/* One layer: @x becomes [length, batch, directions * hidden], @states its last ones. */
static SymId
lower_layer (const SymOpTorchStack *self,
             SymId x,
             gint64 layer,
             const SymShape *shape,
             SymId states[2])
{
  SymId biases[2] = { SYM_NO_ID, SYM_NO_ID }, y;
  SymOpLower *lower = self->lower;
  gboolean is_gru = strcmp (self->cell->name, "GRU") == 0;

  for (guint i = 0; self->has_bias && i < 2; i++)
    biases[i] = take_weights (self, layer, 2 + i);
  y = sym_op_lower_call (
      lower, self->cell->name,
      SYM_IDS (x, take_weights (self, layer, 0), take_weights (self, layer, 1),
               self->has_bias ? join (lower, biases, 2, 1) : SYM_NO_ID, SYM_NO_ID,
               take_state (self, 0, layer), take_state (self, 1, layer)),
      "hidden_size", sym_value_new_int (self->hidden), "direction",
      sym_value_new_string (self->n_directions == 2 ? "bidirectional" : "forward"),
      is_gru                   ? "linear_before_reset"
      : self->function != NULL ? "activations"
                               : NULL,
      is_gru                   ? sym_value_new_int (1)
      : self->function != NULL ? list_functions (self)
                               : NULL,
      NULL);
  states[0] = sym_op_lower_get_result (lower, y, 1);
  states[1] = self->cell->has_cell ? sym_op_lower_get_result (lower, y, 2) : SYM_NO_ID;
  y = sym_op_lower_transpose (lower, y, 4, 0, 2, 1, 3);
  return sym_op_lower_reshape (
      lower, y, &SYM_SHAPE (shape->dims[0], shape->dims[1], self->n_directions * self->hidden));
}

SymId
sym_op_torch_lower_stack (const SymOpTorchStack *self,
                          SymId x,
                          const SymShape *shape,
                          SymId *hidden,
                          SymId *cells)
{
  for (gint64 i = 0; i < self->n_layers; i++)
    {
      SymId states[2];

      x = lower_layer (self, x, i, shape, states);
      hidden[i] = states[0];
      cells[i] = states[1];
    }
  return x;
}

/* Without a batch states have no place for it, and outputs neither. */
static SymId
drop_batch (SymOpLower *self, SymId x)
{
  gint64 one = 1;

  return sym_op_lower_get_input_shape (self, 0)->rank == 3
             ? x
             : sym_op_lower_binary (self, "Squeeze", x, sym_op_lower_ints (self, &one, 1));
}

static void
set_tuple (const SymOpTorchStack *self, SymId x, SymId *const states[2], gboolean batch_first)
{
  SymOpLower *lower = self->lower;
  SymId parts[2], pair[2];

  if (batch_first && sym_op_lower_get_input_shape (lower, 0)->rank == 3)
    parts[0] = sym_op_lower_transpose (lower, x, 3, 1, 0, 2);
  else
    parts[0] = drop_batch (lower, x);
  for (int i = 0; i < 1 + self->cell->has_cell; i++)
    pair[i] = drop_batch (lower, join (lower, states[i], (guint) self->n_layers, 0));
  parts[1] = self->cell->has_cell ? sym_op_torch_lower_tuple (lower, pair, 2) : pair[0];
  sym_op_lower_set_output (lower, 0, sym_op_torch_lower_tuple (lower, parts, 2));
}

static void
lower_recurrent (SymOpLower *self, const SymOpTorchCell *cell)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  gboolean batch_first = sym_op_lower_get_bool (self, "batch_first", FALSE);
  SymOpTorchStack stack = {
    self,
    cell,
    sym_op_lower_get_int (self, "hidden_size", 0),
    sym_op_lower_get_int (self, "num_layers", 1),
    sym_op_lower_get_bool (self, "bidirectional", FALSE) ? 2 : 1,
    sym_op_lower_get_bool (self, "bias", TRUE),
    1,
    { SYM_NO_ID, SYM_NO_ID },
    NULL,
  };
  guint n = (stack.has_bias ? 4 : 2) * (guint) stack.n_directions;
  SymId x = sym_op_lower_input (self, 0);
  g_autofree SymId *hidden = NULL, *cells = NULL;
  gint64 one = 1;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (stack.hidden < 1 || stack.n_layers < 1 ||
      (guint64) stack.n_layers * n + 1 != sym_op_lower_get_n_inputs (self))
    {
      sym_op_lower_fail (self, "%s: %u operands do not fit %" G_GINT64_FORMAT " layers", cell->name,
                         sym_op_lower_get_n_inputs (self), stack.n_layers);
      return;
    }
  if (shape.rank == 2)
    {
      x = sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, &one, 1));
      shape = SYM_SHAPE (shape.dims[0], 1, shape.dims[1]);
    }
  else if (batch_first)
    {
      x = sym_op_lower_transpose (self, x, 3, 1, 0, 2);
      shape = SYM_SHAPE (shape.dims[1], shape.dims[0], shape.dims[2]);
    }
  hidden = g_new (SymId, (gsize) stack.n_layers);
  cells = g_new (SymId, (gsize) stack.n_layers);
  x = sym_op_torch_lower_stack (&stack, x, &shape, hidden, cells);
  set_tuple (&stack, x, (SymId *const[]){ hidden, cells }, batch_first);
}

static void
lower_lstm (SymOpLower *self)
{
  lower_recurrent (self, &sym_op_torch_lstm);
}

static void
lower_gru (SymOpLower *self)
{
  lower_recurrent (self, &sym_op_torch_gru);
}

static void
lower_rnn (SymOpLower *self)
{
  lower_recurrent (self, &sym_op_torch_rnn);
}

static const SymAttributeSpec attributes[] = {
  { "input_size", SYM_ATTRIBUTE_INT, NULL, "features of the input" },
  { "hidden_size", SYM_ATTRIBUTE_INT, NULL, "features of the hidden state" },
  { "num_layers", SYM_ATTRIBUTE_INT, "1", "layers stacked on each other" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether biases are added" },
  { "batch_first", SYM_ATTRIBUTE_BOOL, "False", "whether the batch comes before the length" },
  { "dropout", SYM_ATTRIBUTE_FLOAT, "0.0", "dropout between the layers" },
  { "bidirectional", SYM_ATTRIBUTE_BOOL, "False", "whether it also runs backwards" },
  { NULL },
};

#define RECURRENT(name_, summary_, infer_, lower_)                                               \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .infer = infer_,   \
                  .lower = lower_, .is_composite = TRUE,                                         \
  }

const SymOperator sym_op_torch_recurrent[] = {
  RECURRENT ("LSTM", "Long short-term memory: (output, (state, cell))", infer_lstm, lower_lstm),
  RECURRENT ("GRU", "Gated recurrent unit: (output, state)", infer_gru, lower_gru),
  RECURRENT ("RNN", "Elman's recurrent network: (output, state)", infer_gru, lower_rnn),
  { NULL },
};
