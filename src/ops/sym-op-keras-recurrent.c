/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-recurrent.h"

#include <string.h>

/* Keras: input, forget, cell, output; ONNX: input, output, forget, cell. */
static const SymOpKerasCell lstm = { "LSTM", "tanh", "hard_sigmoid", 4, { 0, 3, 1, 2 }, 2, 6 };

/* Both: update, reset, hidden. */
static const SymOpKerasCell gru = { "GRU", "tanh", "hard_sigmoid", 3, { 0, 1, 2 }, 1, 5 };
static const SymOpKerasCell rnn = { "RNN", "tanh", NULL, 1, { 0 }, 1, 5 };

const SymOpKerasCell *
sym_op_keras_find_cell (const char *type)
{
  return strstr (type, "LSTM") != NULL ? &lstm : strstr (type, "GRU") != NULL ? &gru : &rnn;
}

static gboolean
is_cudnn (const char *type)
{
  return g_str_has_prefix (type, "CuDNN");
}

gboolean
sym_op_keras_resets_after (const SymAttributes *attributes, const char *type)
{
  return is_cudnn (type) || sym_op_keras_get_bool (attributes, "reset_after", FALSE);
}

gboolean
sym_op_keras_is_time_major (const SymAttributes *attributes)
{
  return sym_op_keras_get_bool (attributes, "time_major", FALSE);
}

/* CuDNN's layers have a bias for the data and one for the state, one after the other. */
static SymShape
get_bias_shape (SymRule *rule, const SymOpKerasCell *cell, gint64 width)
{
  const char *type = sym_rule_get_type (rule);

  if (is_cudnn (type))
    return SYM_SHAPE (2 * width);
  if (cell == &gru && sym_op_keras_resets_after (sym_rule_get_attributes (rule), type))
    return SYM_SHAPE (2, width);
  return SYM_SHAPE (width);
}

static gboolean
set_outputs (SymRule *rule, SymDim batch, SymDim time, gint64 units, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDType dtype = sym_op_keras_get_dtype (attributes);
  SymShape state = SYM_SHAPE (batch, units);
  SymShape result = !sym_op_keras_get_bool (attributes, "return_sequences", FALSE) ? state
                    : sym_op_keras_is_time_major (attributes) ? SYM_SHAPE (time, batch, units)
                                                              : SYM_SHAPE (batch, time, units);

  for (guint i = 1; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_set_output (rule, i, state, dtype, error))
      return FALSE;
  return sym_op_set_output (rule, 0, result, dtype, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  const SymOpKerasCell *cell = sym_op_keras_find_cell (sym_rule_get_type (rule));
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  gint64 units = sym_op_keras_get_int (attributes, "units", 0);
  gboolean time_major = sym_op_keras_is_time_major (attributes);
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim batch = SYM_DIM_UNKNOWN, time = batch, features = batch;
  gint64 width;
  gboolean known;

  if (units < 1 || units > G_MAXINT32)
    return sym_rule_fail (error, "units must be a number from 1 on");
  width = units * cell->n_gates;
  if (!sym_op_keras_check_rank (rule, 3, &known, error))
    return FALSE;
  if (known)
    {
      batch = shape.dims[time_major];
      time = shape.dims[!time_major];
      features = shape.dims[2];
    }
  if (!sym_op_set_input (rule, SYM_OP_KERAS_KERNEL, SYM_SHAPE (features, width), error) ||
      !sym_op_set_input (rule, SYM_OP_KERAS_RECURRENT, SYM_SHAPE (units, width), error) ||
      !sym_op_set_input (rule, SYM_OP_KERAS_BIAS, get_bias_shape (rule, cell, width), error))
    return FALSE;
  for (guint i = 0; i < cell->n_states; i++)
    if (!sym_op_set_input (rule, SYM_OP_KERAS_STATES + i, SYM_SHAPE (batch, units), error))
      return FALSE;
  if (!sym_op_set_input (rule, cell->mask,
                         time_major ? SYM_SHAPE (time, batch) : SYM_SHAPE (batch, time), error))
    return FALSE;
  return set_outputs (rule, batch, time, units, error);
}

static int
count_outputs (const SymAttributes *attributes, guint n_states, int *n_visible)
{
  int n = sym_op_keras_get_bool (attributes, "return_state", FALSE) ? 1 + (int) n_states : 1;

  if (n_visible != NULL)
    *n_visible = n;
  return n;
}

static int
count_lstm (const SymAttributes *attributes, int *n_visible)
{
  return count_outputs (attributes, 2, n_visible);
}

static int
count_one_state (const SymAttributes *attributes, int *n_visible)
{
  return count_outputs (attributes, 1, n_visible);
}

/* ---- Tables ---- */

#define WEIGHTS                                                                              \
  { "input" }, { "kernel", SYM_SLOT_PARAMETER }, { "recurrent_kernel", SYM_SLOT_PARAMETER }, \
  {                                                                                          \
    "bias", SYM_SLOT_PARAMETER, TRUE                                                         \
  }

static const SymSlotSpec lstm_slots[] = {
  WEIGHTS,
  { "initial_h", SYM_SLOT_DATA, TRUE },
  { "initial_c", SYM_SLOT_DATA, TRUE },
  { "mask", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec one_state_slots[] = {
  WEIGHTS,
  { "initial_h", SYM_SLOT_DATA, TRUE },
  { "mask", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const char *const lstm_outputs[] = { "output", "state_h", "state_c", NULL };
static const char *const state_outputs[] = { "output", "state_h", NULL };

static const SymAttributeSpec attributes[] = {
  { "units", SYM_ATTRIBUTE_INT, NULL, "features of the state" },
  { "activation", SYM_ATTRIBUTE_ANY, "tanh", "function of the state" },
  { "recurrent_activation", SYM_ATTRIBUTE_ANY, "hard_sigmoid", "function of the gates" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { "return_sequences", SYM_ATTRIBUTE_BOOL, "False", "whether each step has an output" },
  { "return_state", SYM_ATTRIBUTE_BOOL, "False", "whether the last state is an output, too" },
  { "go_backwards", SYM_ATTRIBUTE_BOOL, "False", "whether the last step comes first" },
  { "stateful", SYM_ATTRIBUTE_BOOL, "False", "whether a batch goes on where the last one ended" },
  { "reset_after", SYM_ATTRIBUTE_BOOL, "False", "whether GRU resets after its product" },
  { "time_major", SYM_ATTRIBUTE_BOOL, "False", "whether the time is the first axis" },
  { "zero_output_for_mask", SYM_ATTRIBUTE_BOOL, "False",
    "whether masked steps put out zeros, and not what was before" },
  { NULL },
};

#define RECURRENT(name_, aliases_, summary_, slots_, count_, outputs_)                             \
  {                                                                                                \
    SYM_OP_KERAS, .name = name_, .aliases = aliases_, .summary = summary_,                         \
                  .reference = "keras.layers." name_, .category = SYM_CATEGORY_WEIGHTS,            \
                  .attributes = attributes, .slots = slots_, .get_n_outputs = count_,              \
                  .output_names = outputs_, .infer = infer, .lower = sym_op_keras_lower_recurrent, \
                  .is_composite = TRUE,                                                            \
  }

const SymOperator sym_op_keras_recurrent[] = {
  RECURRENT ("GRU",
             "CuDNNGRU",
             "Gated recurrent unit",
             one_state_slots,
             count_one_state,
             state_outputs),
  RECURRENT ("LSTM", "CuDNNLSTM", "Long short-term memory", lstm_slots, count_lstm, lstm_outputs),
  RECURRENT ("SimpleRNN",
             NULL,
             "Elman's recurrent network",
             one_state_slots,
             count_one_state,
             state_outputs),
  { NULL },
};
