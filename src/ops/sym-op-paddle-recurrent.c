/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"
#include "ops/sym-op-torch-recurrent.h"

#include <string.h>

/* rnn: layers of recurrent cells, whose gates are those of PyTorch.  Lists come last among the
 * operands: the first states, one or two, and the weights. */

enum { INPUT, LENGTHS, DROPOUT, FIRST_STATE };
enum { OUT, DROPOUT_STATE, FIRST_LAST };

typedef struct {
  const SymOpTorchCell *cell;
  const char *function;
  gint64 hidden, n_layers;
  int n_directions;
  gboolean has_bias;
  guint n_states;
} Recurrence;

static gboolean
read_mode (Recurrence *self, const char *mode)
{
  static const struct {
    const char *mode;
    const SymOpTorchCell *cell;
    const char *function;
  } modes[] = {
    { "LSTM", &sym_op_torch_lstm, NULL },
    { "GRU", &sym_op_torch_gru, NULL },
    { "RNN_TANH", &sym_op_torch_rnn, NULL },
    { "RNN_RELU", &sym_op_torch_rnn, "Relu" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_strcmp0 (modes[i].mode, mode) == 0)
      {
        self->cell = modes[i].cell;
        self->function = modes[i].function;
        self->n_states = self->cell->has_cell ? 2 : 1;
        return TRUE;
      }
  return FALSE;
}

/* Whether there are weights for all layers, with or without biases. */
static gboolean
read_recurrence (Recurrence *self, const SymAttributes *attributes, guint n_operands)
{
  gint64 n_weights, n_cells;

  if (!read_mode (self, sym_attributes_get_string (attributes, "mode", "RNN_TANH")))
    return FALSE;
  self->hidden = sym_attributes_get_int (attributes, "hidden_size", 0);
  self->n_layers = sym_attributes_get_int (attributes, "num_layers", 1);
  self->n_directions = sym_attributes_get_bool (attributes, "is_bidirec", FALSE) ? 2 : 1;
  if (self->hidden < 1 || self->hidden > G_MAXINT32 || self->n_layers < 1 ||
      self->n_layers > G_MAXINT16)
    return FALSE;
  n_weights = (gint64) n_operands - FIRST_STATE - self->n_states;
  n_cells = self->n_layers * self->n_directions;
  self->has_bias = n_weights == 4 * n_cells;
  return self->has_bias || n_weights == 2 * n_cells;
}

gboolean
sym_op_paddle_infer_recurrent (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, INPUT);
  SymShape input, state;
  Recurrence self;

  if (!read_recurrence (&self, sym_rule_get_attributes (rule), sym_rule_get_n_inputs (rule)))
    return sym_rule_fail (error, "mode, hidden_size, num_layers and %u operands do not fit",
                          sym_rule_get_n_inputs (rule));
  if (!sym_op_set_input (rule, INPUT, sym_shape_new_unknown (3), error))
    return FALSE;
  input = sym_rule_get_input (rule, INPUT);
  state = SYM_SHAPE (self.n_layers * self.n_directions, input.dims[1], self.hidden);
  for (guint i = 0; i < self.n_states; i++)
    if (!sym_op_set_input (rule, FIRST_STATE + i, state, error) ||
        !sym_op_set_output (rule, FIRST_LAST + i, state, dtype, error))
      return FALSE;
  return sym_op_set_output (
      rule, OUT, SYM_SHAPE (input.dims[0], input.dims[1], self.n_directions * self.hidden), dtype,
      error);
}

static gboolean
begin (Recurrence *self, SymOpLower *lower)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (lower));
  guint n = sym_op_lower_get_n_inputs (lower);

  if (!sym_op_lower_need_tensor (lower, INPUT))
    return FALSE;
  if (!read_recurrence (self, attributes, n) ||
      sym_op_lower_get_input_shape (lower, INPUT)->rank != 3)
    sym_op_lower_fail (lower, "rnn: mode, hidden_size, num_layers and %u operands do not fit", n);
  else if (sym_op_lower_has_input (lower, LENGTHS))
    sym_op_lower_refuse (lower, "rnn: sequences of different lengths are not lowered");
  for (guint i = FIRST_STATE; i < n && !sym_op_lower_has_failed (lower); i++)
    sym_op_lower_need_tensor (lower, i);
  return !sym_op_lower_has_failed (lower);
}

/* Nothing is dropped. */
static void
set_dropout (SymOpLower *lower)
{
  SymShape none = SYM_SHAPE (0);

  if (sym_op_lower_get_n_outputs (lower) > DROPOUT_STATE)
    sym_op_lower_set_output (lower, DROPOUT_STATE,
                             sym_op_lower_fill (lower, SYM_DTYPE_UINT8, &none, 0));
}

static void
set_states (SymOpLower *lower, guint i, const SymId *states, gint64 n)
{
  if (FIRST_LAST + i < sym_op_lower_get_n_outputs (lower))
    sym_op_lower_set_output (lower, FIRST_LAST + i,
                             sym_op_lower_call (lower, "Concat", (SymIds){ states, (guint) n },
                                                "axis", sym_value_new_int (0), NULL));
}

void
sym_op_paddle_lower_recurrent (SymOpLower *lower)
{
  SymOpTorchStack stack = { .lower = lower, .initial = { SYM_NO_ID, SYM_NO_ID } };
  g_autofree SymId *hidden = NULL, *cells = NULL;
  Recurrence self;

  if (!begin (&self, lower))
    return;
  stack.cell = self.cell;
  stack.hidden = self.hidden;
  stack.n_layers = self.n_layers;
  stack.n_directions = self.n_directions;
  stack.has_bias = self.has_bias;
  stack.biases_last = TRUE;
  stack.first = FIRST_STATE + self.n_states;
  stack.function = self.function;
  for (guint i = 0; i < self.n_states; i++)
    stack.initial[i] = sym_op_lower_input (lower, FIRST_STATE + i);
  hidden = g_new (SymId, self.n_layers);
  cells = g_new (SymId, self.n_layers);
  sym_op_lower_set_output (lower, OUT,
                           sym_op_torch_lower_stack (&stack, sym_op_lower_input (lower, INPUT),
                                                     sym_op_lower_get_input_shape (lower, INPUT),
                                                     hidden, cells));
  set_dropout (lower);
  set_states (lower, 0, hidden, self.n_layers);
  if (self.n_states > 1)
    set_states (lower, 1, cells, self.n_layers);
}

const SymAttributeSpec sym_op_paddle_recurrent_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "RNN_TANH", "the kind of cell", "LSTM GRU RNN_TANH RNN_RELU" },
  { "hidden_size", SYM_ATTRIBUTE_INT, NULL, "size of a state" },
  { "input_size", SYM_ATTRIBUTE_INT, NULL, "features of the data" },
  { "num_layers", SYM_ATTRIBUTE_INT, "1", "layers stacked on each other" },
  { "is_bidirec", SYM_ATTRIBUTE_BOOL, "False", "whether it also runs backwards" },
  { "dropout_prob", SYM_ATTRIBUTE_FLOAT, "0.0", "dropout between the layers, in training" },
  { "is_test", SYM_ATTRIBUTE_BOOL, "False", "whether nothing is dropped" },
  { "seed", SYM_ATTRIBUTE_INT, "0", "of what is dropped" },
  { NULL },
};
