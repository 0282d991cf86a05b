/* SPDX-License-Identifier: MIT */
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

#define RECURRENT(name_, summary_, infer_)                                                       \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .infer = infer_,   \
  }

const SymOperator sym_op_torch_recurrent[] = {
  RECURRENT ("LSTM", "Long short-term memory: (output, (state, cell))", infer_lstm),
  RECURRENT ("GRU", "Gated recurrent unit: (output, state)", infer_gru),
  RECURRENT ("RNN", "Elman's recurrent network: (output, state)", infer_gru),
  { NULL },
};
