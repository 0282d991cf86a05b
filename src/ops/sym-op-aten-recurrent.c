/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-aten.h"
#include "ops/sym-op-torch-recurrent.h"

/* lstm, gru, rnn_tanh, rnn_relu: operands are the data, the first states, and the weights of all
 * layers, [gates * hidden, features]. */

typedef struct {
  const SymOpTorchCell *cell;
  gint64 hidden, n_layers;
  int n_directions;
  gboolean has_bias, batch_first;
  guint n_states;
} Recurrence;

static const SymOpTorchCell *
find_cell (const char *type)
{
  return strstr (type, "lstm") != NULL  ? &sym_op_torch_lstm
         : strstr (type, "gru") != NULL ? &sym_op_torch_gru
                                        : &sym_op_torch_rnn;
}

/* The number of states is that of the cell, and of weights what is left. */
static gboolean
read_recurrence (Recurrence *self,
                 const char *type,
                 const SymAttributes *attributes,
                 guint n_inputs)
{
  self->cell = find_cell (type);
  self->n_states = self->cell->has_cell ? 2 : 1;
  self->n_layers = sym_attributes_get_int (attributes, "num_layers", 1);
  self->n_directions = sym_attributes_get_bool (attributes, "bidirectional", FALSE) ? 2 : 1;
  self->has_bias = sym_attributes_get_bool (attributes, "has_biases", TRUE);
  self->batch_first = sym_attributes_get_bool (attributes, "batch_first", FALSE);
  return self->n_layers >= 1 && self->n_layers <= G_MAXINT16 &&
         (gint64) n_inputs == 1 + (gint64) self->n_states +
                                  self->n_layers * self->n_directions * (self->has_bias ? 4 : 2);
}

/* ---- The rule ---- */

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape input = sym_rule_get_input (rule, 0), output = input, state = input, weight;
  Recurrence self;
  SymDim hidden;

  if (!read_recurrence (&self, sym_rule_get_type (rule), sym_rule_get_attributes (rule),
                        sym_rule_get_n_inputs (rule)))
    return sym_rule_fail (error, "%u operands do not fit %" G_GINT64_FORMAT " layers",
                          sym_rule_get_n_inputs (rule), self.n_layers);
  weight = sym_rule_get_input (rule, self.n_states + 2);
  if (input.rank < 0 || weight.rank != 2)
    return sym_rule_set_output_dtype (rule, 0, dtype, error);
  if (input.rank != 2 && input.rank != 3)
    return sym_rule_fail (error, "the data must have 2 or 3 axes, not %d", input.rank);
  hidden = weight.dims[1];
  output.dims[input.rank - 1] = sym_terms_multiply (terms, hidden, self.n_directions);
  state.dims[0] = self.n_layers * self.n_directions;
  if (input.rank == 3)
    state.dims[1] = input.dims[self.batch_first ? 0 : 1];
  state.dims[input.rank - 1] = hidden;
  if (!sym_op_set_output (rule, 0, output, dtype, error))
    return FALSE;
  for (guint i = 0; i < self.n_states; i++)
    if (!sym_op_set_input (rule, 1 + i, state, error) ||
        !sym_op_set_output (rule, 1 + i, state, dtype, error))
      return FALSE;
  return TRUE;
}

/* ---- Lowering ---- */

static SymId
drop_batch (SymOpLower *self, SymId x, gboolean has_batch)
{
  return has_batch ? x : sym_op_aten_squeeze (self, x, 1);
}

static void
set_outputs (SymOpLower *self, const Recurrence *cell, SymId y, SymId *const states[2])
{
  gboolean has_batch = sym_op_lower_get_input_shape (self, 0)->rank == 3;

  sym_op_lower_set_output (self, 0,
                           cell->batch_first && has_batch
                               ? sym_op_lower_transpose (self, y, 3, 1, 0, 2)
                               : drop_batch (self, y, has_batch));
  for (guint i = 0; i < cell->n_states && i + 1 < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (
        self, i + 1,
        drop_batch (self, sym_op_aten_lay (self, states[i], (guint) cell->n_layers, 0), has_batch));
}

/* Sizes of weights tell that the state is no projection, which ONNX has not. */
static gboolean
check_weights (SymOpLower *self, const Recurrence *cell)
{
  const SymShape *weight = sym_op_lower_get_input_shape (self, cell->n_states + 2);

  if (weight->rank == 2 && weight->dims[1] >= 1 &&
      weight->dims[0] == weight->dims[1] * cell->cell->n_gates)
    return TRUE;
  sym_op_lower_refuse (self, "%s: projections of the state are not lowered",
                       sym_op_lower_get_type (self));
  return FALSE;
}

/* [length, batch, features] of the data and what that is in numbers. */
static SymId
get_data (SymOpLower *self, gboolean batch_first, SymShape *shape)
{
  SymId x = sym_op_lower_input (self, 0);

  *shape = *sym_op_lower_get_input_shape (self, 0);
  if (shape->rank == 2)
    {
      x = sym_op_aten_unsqueeze (self, x, 1);
      *shape = SYM_SHAPE (shape->dims[0], 1, shape->dims[1]);
    }
  else if (batch_first)
    {
      x = sym_op_lower_transpose (self, x, 3, 1, 0, 2);
      *shape = SYM_SHAPE (shape->dims[1], shape->dims[0], shape->dims[2]);
    }
  return x;
}

static void
lower (SymOpLower *self)
{
  gboolean has_batch = sym_op_lower_get_input_shape (self, 0)->rank == 3;
  SymOpTorchStack stack = { .lower = self, .initial = { SYM_NO_ID, SYM_NO_ID } };
  g_autofree SymId *hidden = NULL, *cells = NULL;
  Recurrence cell;
  SymShape shape;
  SymId x;

  for (guint i = 0; i < sym_op_lower_get_n_inputs (self); i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (!read_recurrence (&cell, sym_op_lower_get_type (self), sym_op_aten_attributes (self),
                        sym_op_lower_get_n_inputs (self)))
    {
      sym_op_lower_fail (self, "%s: %u operands do not fit %" G_GINT64_FORMAT " layers",
                         sym_op_lower_get_type (self), sym_op_lower_get_n_inputs (self),
                         cell.n_layers);
      return;
    }
  if (!check_weights (self, &cell))
    return;
  x = get_data (self, cell.batch_first, &shape);
  stack.cell = cell.cell;
  stack.hidden = sym_op_lower_get_input_shape (self, cell.n_states + 2)->dims[1];
  stack.n_layers = cell.n_layers;
  stack.n_directions = cell.n_directions;
  stack.has_bias = cell.has_bias;
  stack.first = 1 + cell.n_states;
  stack.function = strstr (sym_op_lower_get_type (self), "rnn_relu") != NULL ? "Relu" : NULL;
  for (guint i = 0; i < cell.n_states; i++)
    stack.initial[i] = has_batch
                           ? sym_op_lower_input (self, 1 + i)
                           : sym_op_aten_unsqueeze (self, sym_op_lower_input (self, 1 + i), 1);
  hidden = g_new (SymId, (gsize) cell.n_layers);
  cells = g_new (SymId, (gsize) cell.n_layers);
  x = sym_op_torch_lower_stack (&stack, x, &shape, hidden, cells);
  set_outputs (self, &cell, x, (SymId *const[]){ hidden, cells });
}

static const SymSlotSpec slots[] = {
  { "input" },
  { "hx" },
  { "params", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "has_biases", SYM_ATTRIBUTE_BOOL, "True", "whether biases are added" },
  { "num_layers", SYM_ATTRIBUTE_INT, "1", "layers stacked on each other" },
  { "dropout", SYM_ATTRIBUTE_FLOAT, "0.0", "dropout between the layers" },
  { "train", SYM_ATTRIBUTE_BOOL, "False", "whether the program was exported for training" },
  { "bidirectional", SYM_ATTRIBUTE_BOOL, "False", "whether it also runs backwards" },
  { "batch_first", SYM_ATTRIBUTE_BOOL, "False", "whether the batch comes before the length" },
  { NULL },
};

static const char *const lstm_outputs[] = { "output", "h_n", "c_n", NULL };
static const char *const state_outputs[] = { "output", "h_n", NULL };

#define RECURRENT(name_, aliases_, summary_, outputs_)                                             \
  {                                                                                                \
    SYM_OP_ATEN,                                                                                   \
        .name = "aten." name_, .aliases = aliases_, .summary = summary_,                           \
        .reference = "PyTorch 2 ATen", .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, \
        .slots = slots, .get_n_operands = sym_op_aten_any_number,                                  \
        .get_n_outputs = sym_op_aten_any_outputs, .output_names = outputs_, .infer = infer,        \
        .lower = lower, .is_composite = TRUE,                                                      \
  }

const SymOperator sym_op_aten_recurrent[] = {
  RECURRENT ("lstm.input", NULL, "Long short-term memory", lstm_outputs),
  RECURRENT ("gru.input", NULL, "Gated recurrent unit", state_outputs),
  RECURRENT ("rnn_tanh.input", "aten.rnn_relu.input", "Elman's recurrent network", state_outputs),
  { NULL },
};
