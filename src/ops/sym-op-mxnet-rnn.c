/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "state_size", SYM_ATTRIBUTE_INT, NULL, "size of the state of each layer" },
  { "num_layers", SYM_ATTRIBUTE_INT, NULL, "number of stacked layers" },
  { "bidirectional", SYM_ATTRIBUTE_BOOL, "False", "whether it also runs backwards" },
  { "mode", SYM_ATTRIBUTE_STRING, NULL, "gru, lstm, rnn_relu or rnn_tanh",
    "rnn_relu rnn_tanh lstm gru" },
  { "p", SYM_ATTRIBUTE_FLOAT, "0.0", "share of elements dropped between layers" },
  { "state_outputs", SYM_ATTRIBUTE_BOOL, "False", "whether the last states are outputs" },
  { "projection_size", SYM_ATTRIBUTE_INT, "None", "size of the projected state of an lstm" },
  { "lstm_state_clip_min", SYM_ATTRIBUTE_FLOAT, "None", "least value of the cell state" },
  { "lstm_state_clip_max", SYM_ATTRIBUTE_FLOAT, "None", "greatest value of the cell state" },
  { "lstm_state_clip_nan", SYM_ATTRIBUTE_BOOL, "False", "whether NaN in the state is clipped" },
  { "use_sequence_length", SYM_ATTRIBUTE_BOOL, "False", "whether the last operand has lengths" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "data" },
  { "parameters", SYM_SLOT_PARAMETER },
  { "state" },
  { "state_cell", SYM_SLOT_DATA, TRUE },
  { "sequence_length", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static int
get_n_operands (const SymAttributes *given)
{
  return 3 + sym_op_has_string (given, "mode", "lstm") +
         sym_op_get_bool (given, "use_sequence_length", FALSE);
}

static int
get_n_outputs (const SymAttributes *given, int *n_visible)
{
  *n_visible = 1;
  if (sym_op_get_bool (given, "state_outputs", FALSE))
    *n_visible = sym_op_has_string (given, "mode", "lstm") ? 3 : 2;
  return *n_visible;
}

/* What the attributes say; sizes are within 31 bits. */
typedef struct {
  gint64 state, layers, directions, gates, projection;
  gboolean is_lstm;
} Network;

static gboolean
get_network (SymRule *rule, Network *network, GError **error)
{
  const char *mode = sym_rule_get_string (rule, "mode", "");

  network->state = sym_rule_get_int (rule, "state_size", 0);
  network->layers = sym_rule_get_int (rule, "num_layers", 0);
  network->directions = sym_rule_get_bool (rule, "bidirectional", FALSE) ? 2 : 1;
  network->is_lstm = strcmp (mode, "lstm") == 0;
  network->gates = network->is_lstm ? 4 : strcmp (mode, "gru") == 0 ? 3 : 1;
  network->projection = sym_rule_get_int (rule, "projection_size", 0);
  if (network->state < 1 || network->state > G_MAXINT32 || network->layers < 1 ||
      network->layers > G_MAXINT32 || network->projection < 0 || network->projection > G_MAXINT32)
    return sym_rule_fail (error, "state_size and num_layers should be at least 1");
  return TRUE;
}

/* All weights and biases of all layers, one after the other. */
static SymDim
get_n_parameters (SymTerms *terms, const Network *network, SymDim n_inputs)
{
  gint64 out = network->projection > 0 ? network->projection : network->state;
  SymDim rows = sym_terms_product (
      terms, (SymDim[]){ network->state, network->directions, network->gates }, 3);
  SymDim first = sym_terms_multiply (terms, sym_terms_add (terms, n_inputs, out + 2), rows);
  SymDim others = sym_terms_product (
      terms, (SymDim[]){ out * network->directions + out + 2, rows, network->layers - 1 }, 3);
  SymDim projections = sym_terms_product (
      terms,
      (SymDim[]){ network->projection, network->state, network->layers, network->directions }, 4);

  return sym_terms_add (terms, sym_terms_add (terms, first, others), projections);
}

/* data [length, N, inputs], states [layers * directions, N, state]; out [length, N, directions *
 * state]. */
static gboolean
infer_shapes (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  Network network;
  SymShape data, state, cell;
  SymDim parameters;
  gint64 out;

  if (!get_network (rule, &network, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (3), error))
    return FALSE;
  out = network.projection > 0 ? network.projection : network.state;
  data = sym_rule_get_input (rule, 0);
  parameters = get_n_parameters (terms, &network, data.dims[2]);
  state = SYM_SHAPE (network.layers * network.directions, data.dims[1], out);
  cell = SYM_SHAPE (network.layers * network.directions, data.dims[1], network.state);
  if (!sym_op_set_input (rule, 1, SYM_SHAPE (parameters), error) ||
      !sym_rule_set_input (rule, 2, &state, error) ||
      (network.is_lstm && !sym_rule_set_input (rule, 3, &cell, error)) ||
      (sym_rule_get_bool (rule, "use_sequence_length", FALSE) &&
       !sym_op_set_input (rule, network.is_lstm ? 4 : 3, SYM_SHAPE (data.dims[1]), error)))
    return FALSE;
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], data.dims[1], network.directions * out),
                            SYM_DTYPE_UNKNOWN, error) &&
         sym_rule_set_output (rule, 1, &state, error) &&
         sym_rule_set_output (rule, 2, &cell, error);
}

static gboolean
infer_rnn (SymRule *rule, GError **error)
{
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  for (guint i = 1; i < 3; i++)
    if (!sym_op_pass_dtype (rule, i, 0, error) || !sym_op_pass_dtype (rule, 0, i, error))
      return FALSE;
  return infer_shapes (rule, error);
}

/* ---- quantized_rnn ---- */

static const SymSlotSpec quantized_slots[] = {
  { "data" },     { "parameters", SYM_SLOT_PARAMETER },
  { "state" },    { "state_cell" },
  { "min_data" }, { "max_data" },
  { NULL },
};

/* An lstm whose data are integers, with their scale and shift; the rest are numbers. */
static gboolean
infer_quantized (SymRule *rule, GError **error)
{
  if (strcmp (sym_rule_get_string (rule, "mode", ""), "lstm") != 0)
    return sym_rule_fail (error, "mode should be lstm");
  for (guint i = 1; i < 4; i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!sym_rule_set_output_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  for (guint i = 4; i < 6; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (1), error) ||
        !sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return sym_rule_set_input_dtype (rule, 0, SYM_DTYPE_UINT8, error) && infer_shapes (rule, error);
}

/* ---- Lowering ---- */

/* A layer after the other, each one of ONNX's, with its part of the parameters: of all layers first
 * the weights of inputs and states, then the biases of both. */
typedef struct {
  SymOpLower *lower;
  const char *mode, *name;
  gint64 size, layers, directions, gates, n_inputs, weight, bias;
  SymId lengths;
} Stack;

/* Elements of the parameters from *@at on, which moves behind them, as [1, rows, columns] with the
 * gates in ONNX's order. */
static SymId
take (const Stack *self, gint64 *at, gint64 columns)
{
  static const int lstm[] = { 0, 3, 1, 2 }, gru[] = { 1, 0, 2 };
  SymId parts[4];

  for (gint64 i = 0; i < self->gates; i++)
    {
      gint64 gate = self->gates == 4 ? lstm[i] : self->gates == 3 ? gru[i] : 0;
      gint64 n = self->size * columns;

      parts[i] = sym_op_lower_slice (self->lower, sym_op_lower_input (self->lower, 1), 0,
                                     *at + gate * n, *at + (gate + 1) * n, 1);
      parts[i] = sym_op_lower_reshape (self->lower, parts[i], &SYM_SHAPE (1, self->size, columns));
    }
  *at += self->gates * self->size * columns;
  return sym_op_lower_call (self->lower, "Concat", (SymIds){ parts, (guint) self->gates }, "axis",
                            sym_value_new_int (1), NULL);
}

static SymId
join (const Stack *self, const SymId *parts, guint n, int axis)
{
  if (n == 1)
    return parts[0];
  return sym_op_lower_call (self->lower, "Concat", (SymIds){ parts, n }, "axis",
                            sym_value_new_int (axis), NULL);
}

static SymId
take_biases (const Stack *self, gint64 *at)
{
  SymId both[2];

  for (int i = 0; i < 2; i++)
    both[i] = take (self, at, 1);
  return sym_op_lower_reshape (self->lower, join (self, both, 2, 1),
                               &SYM_SHAPE (1, 2 * self->gates * self->size));
}

static SymId
take_state (const Stack *self, guint operand, gint64 layer)
{
  return sym_op_lower_slice (self->lower, sym_op_lower_input (self->lower, operand), 0,
                             layer * self->directions, (layer + 1) * self->directions, 1);
}

static SymValue *
new_activations (const Stack *self)
{
  SymValue *names[2];

  for (gint64 i = 0; i < self->directions; i++)
    names[i] = sym_value_new_string (strcmp (self->mode, "rnn_relu") == 0 ? "Relu" : "Tanh");
  return sym_value_new_list (names, (guint) self->directions);
}

static SymId
add_layer (Stack *self, SymId x, gint64 layer)
{
  gint64 inputs = layer == 0 ? self->n_inputs : self->size * self->directions;
  SymId w[2], r[2], b[2], cell = SYM_NO_ID;
  SymOpLower *lower = self->lower;
  guint n = (guint) self->directions;
  SymIds operands;

  for (guint i = 0; i < n; i++)
    {
      w[i] = take (self, &self->weight, inputs);
      r[i] = take (self, &self->weight, self->size);
      b[i] = take_biases (self, &self->bias);
    }
  if (self->gates == 4)
    cell = take_state (self, 3, layer);
  operands = SYM_IDS (x, join (self, w, n, 0), join (self, r, n, 0), join (self, b, n, 0),
                      self->lengths, take_state (self, 2, layer), cell);
  if (self->gates != 4)
    operands.n--;
  return sym_op_lower_call (
      lower, self->name, operands, "hidden_size", sym_value_new_int (self->size), "direction",
      sym_value_new_string (n == 2 ? "bidirectional" : "forward"),
      self->gates == 1 ? "activations" : "linear_before_reset",
      self->gates == 1 ? new_activations (self) : sym_value_new_int (1), NULL);
}

static gboolean
begin_stack (Stack *self)
{
  SymOpLower *lower = self->lower;
  const SymShape *data = sym_op_lower_get_input_shape (lower, 0);
  gint64 inputs;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (lower, i))
      return FALSE;
  if (sym_op_lower_get_int (lower, "projection_size", 0) > 0 ||
      !isnan (sym_op_lower_get_float (lower, "lstm_state_clip_min", (double) NAN)))
    sym_op_lower_refuse (lower, "RNN: projections and clipped states are not lowered");
  self->mode = sym_op_lower_get_string (lower, "mode", "");
  self->gates = strcmp (self->mode, "lstm") == 0 ? 4 : strcmp (self->mode, "gru") == 0 ? 3 : 1;
  self->name = self->gates == 4 ? "LSTM" : self->gates == 3 ? "GRU" : "RNN";
  self->size = sym_op_lower_get_int (lower, "state_size", 1);
  self->layers = sym_op_lower_get_int (lower, "num_layers", 1);
  self->directions = sym_op_lower_get_bool (lower, "bidirectional", FALSE) ? 2 : 1;
  if (sym_op_lower_get_output_shape (lower, 0)->rank != 3 || sym_op_lower_has_failed (lower))
    return FALSE;
  self->n_inputs = data->dims[2];
  inputs = self->n_inputs + (self->layers - 1) * self->size * self->directions;
  self->bias = self->gates * self->size * self->directions * (inputs + self->layers * self->size);
  self->lengths = SYM_NO_ID;
  if (sym_op_lower_get_bool (lower, "use_sequence_length", FALSE))
    self->lengths = sym_op_lower_cast (lower, sym_op_lower_input (lower, self->gates == 4 ? 4 : 3),
                                       SYM_DTYPE_INT32);
  return TRUE;
}

/* Attributes were checked by the shape rule: there are as many parameters as layers need. */
static void
lower_rnn (SymOpLower *lower)
{
  Stack self = { .lower = lower };
  SymId x = sym_op_lower_input (lower, 0);
  g_autofree SymId *states = NULL, *cells = NULL;
  const SymShape *out;

  if (!begin_stack (&self))
    return;
  out = sym_op_lower_get_output_shape (lower, 0);
  states = g_new (SymId, (gsize) self.layers);
  cells = g_new (SymId, (gsize) self.layers);
  for (gint64 i = 0; i < self.layers; i++)
    {
      SymId y = add_layer (&self, x, i);

      states[i] = sym_op_lower_get_result (lower, y, 1);
      cells[i] = self.gates == 4 ? sym_op_lower_get_result (lower, y, 2) : SYM_NO_ID;
      x = sym_op_lower_reshape (lower, sym_op_lower_transpose (lower, y, 4, 0, 2, 1, 3), out);
    }
  sym_op_lower_set_output (lower, 0, x);
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_set_output (lower, 1, join (&self, states, (guint) self.layers, 0));
  if (sym_op_lower_get_n_outputs (lower) > 2)
    sym_op_lower_set_output (lower, 2, join (&self, cells, (guint) self.layers, 0));
}

const SymOperator sym_op_mxnet_rnn[] = {
  {
      SYM_OP_MXNET,
      .name = "RNN",
      .aliases = "_npx_rnn",
      .summary = "recurrent layers: rnn, lstm or gru",
      .reference = "MXNet 1.9.1 RNN",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = slots,
      .get_n_operands = get_n_operands,
      .get_n_outputs = get_n_outputs,
      .output_names = (const char *const[]){ "output", "state_output", "statecell_output", NULL },
      .infer = infer_rnn,
      .lower = lower_rnn,
      .is_composite = TRUE,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_quantized_rnn",
      .aliases = "_npx_contrib_quantized_rnn",
      .summary = "recurrent layers of the kind lstm, on integers",
      .reference = "MXNet 1.9.1 _contrib_quantized_rnn",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = quantized_slots,
      .get_n_outputs = get_n_outputs,
      .output_names = (const char *const[]){ "output", "state_output", "statecell_output", NULL },
      .infer = infer_quantized,
  },
  { NULL },
};
